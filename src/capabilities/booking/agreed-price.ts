/** The code of the line in which the owner agreed another price. */
export const AGREED_PRICE = "agreed_price";
