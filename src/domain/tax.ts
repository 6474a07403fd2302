/** Tax on a price, by `tax` of the catalog. Source: contract 2. */
import type { Shop } from "../catalog/shop.ts";
import type { Cents } from "./money.ts";

/** The catalog has rates with up to 3 decimals: in thousandths of a percent they are whole numbers. */
const THOUSANDTHS = 1000;
const WHOLE = 100 * THOUSANDTHS;

/** The tax in a price, or on top of it: once for the whole, rounded half up to the cent. @param total without added tax */
export function taxOf(total: Cents, { tax: { status, rate_pct: rate } }: Shop): Cents {
  if (status === "none" || rate === undefined) return 0;
  const thousandths = Math.round(rate * THOUSANDTHS);
  return roundedHalfUp(total * thousandths, status === "added" ? WHOLE : WHOLE + thousandths);
}

/** Whether customers pay more than the prices of the catalog. */
export function addsTax({ tax }: Shop): boolean {
  return tax.status === "added";
}

/** Whole numbers only, because a float could round a half down. */
function roundedHalfUp(dividend: number, divisor: number): number {
  return Number((2n * BigInt(dividend) + BigInt(divisor)) / (2n * BigInt(divisor)));
}
