/** Money: integer cents inside, a number of currency units with at most 2 decimals on the wire; ranges of prices, and tax. */

export type Cents = number;

/** Cents as a number of currency units, as the wire has them: 59900 becomes 599. */
export function toUnits(cents: Cents): number {
  return cents / 100;
}

/** Currency units as whole cents, rounded: 599.5 becomes 59950. */
export function toCents(units: number): Cents {
  return Math.round(units * 100);
}

/** Kept, because making a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.NumberFormat>();

/** Cents as text for people, like `$1,234.50`; by default without decimals when the amount is whole. */
export function formatMoney(cents: Cents, currency: string, decimals: 0 | 2 = cents % 100 === 0 ? 0 : 2): string {
  const key = `${currency} ${decimals}`;
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    formatters.set(key, formatter);
  }
  return formatter.format(toUnits(cents));
}

/** Cents as in print: with all decimals unless told otherwise, and a minus that is as wide as a plus. */
export function printedMoney(cents: Cents, currency: string, decimals: 0 | 2 = 2): string {
  return formatMoney(cents, currency, decimals).replace("-", "−");
}

/** Both ends are the same where the price is exact. */
export interface Range {
  min: Cents;
  max: Cents;
}

/** Shifts the point in text, because a float product is inexact: 8.745 * 100 is 874.4999…. */
export function hundredthsOf(sqft: number): number {
  const text = String(sqft);
  return Math.round(text.includes("e") ? sqft * 100 : Number(`${text}e2`));
}

/** A range of cents as text, like `$16 to $18`; a single amount where both ends are the same. */
export function formatRange({ min, max }: Range, currency: string): string {
  const [low, high] = [formatMoney(min, currency), formatMoney(max, currency)];
  return low === high ? low : `${low} to ${high}`;
}

/** The catalog has rates with up to 3 decimals: in thousandths of a percent they are whole numbers. */
const THOUSANDTHS = 1000;
const WHOLE = 100 * THOUSANDTHS;

interface Taxed {
  tax: { status: "none" | "included" | "added"; rate_pct?: number | undefined };
}

/** The tax in a price, or on top: once for the whole, rounded half up to the cent. Source: contract 2. */
export function taxOf(total: Cents, { tax: { status, rate_pct: rate } }: Taxed): Cents {
  if (status === "none" || rate === undefined) return 0;
  const thousandths = Math.round(rate * THOUSANDTHS);
  // Whole numbers only, because a float could round a half down.
  const dividend = BigInt(total * thousandths);
  const divisor = BigInt(status === "added" ? WHOLE : WHOLE + thousandths);
  return Number((2n * dividend + divisor) / (2n * divisor));
}

export function addsTax({ tax }: Taxed): boolean {
  return tax.status === "added";
}
