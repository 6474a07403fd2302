/** Amounts of money as the owner reads them. */
import { formatMoney, toCents } from "../../src/domain/money.ts";

/** Makes the function that writes an amount, in units of the currency as in answers of the API: `$599.00`. */
export function moneyIn(currency: string, decimals: 0 | 2 = 2): (units: number) => string {
  return (units) => formatMoney(toCents(units), currency, decimals);
}

/** `$16.00–$18.00`, or one amount where both ends are the same. @param money writes an amount */
export function rangeInWords(min: number, max: number, money: (units: number) => string): string {
  return min === max ? money(min) : `${money(min)}–${money(max)}`;
}
