/** Amounts of money as the owner reads them. */

/** Makes the function that writes an amount, in units of the currency: `$599.00`. */
export function moneyIn(currency: string): (units: number) => string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  return (units) => format.format(units);
}
