/** Money: integer cents inside, a number of currency units with at most 2 decimals on the wire. */

export type Cents = number;

/** Both ends are the same where the price is exact. */
export interface Range {
  min: Cents;
  max: Cents;
}

/** Cents as a number of currency units, as the wire has them: 59900 becomes 599. */
export function toUnits(cents: Cents): number {
  return cents / 100;
}

/** Currency units as whole cents, rounded: 599.5 becomes 59950. */
export function toCents(units: number): Cents {
  return Math.round(units * 100);
}

/**
 * Price of an area, rounded half up to the cent without floats: the area is taken to a hundredth of a square foot.
 * @param sqft area in square feet
 * @param rate cents per square foot
 */
export function areaPrice(sqft: number, rate: Cents): Cents {
  return Math.floor((hundredthsOf(sqft) * rate + 50) / 100);
}

/**
 * The area in hundredths of a square foot. Shifts the decimal point in text, because a float product is inexact: 8.745
 * * 100 is 874.4999…, not 874.5.
 */
export function hundredthsOf(sqft: number): number {
  const text = String(sqft);
  return Math.round(text.includes("e") ? sqft * 100 : Number(`${text}e2`));
}

/** The middle of a range, rounded half up to the cent. */
export function midpoint(min: Cents, max: Cents): Cents {
  return Math.floor((min + max + 1) / 2);
}

/**
 * Cents as text for people, like `$1,234.50`.
 * @param decimals how many are written; by default none when the amount is whole
 */
export function formatMoney(cents: Cents, currency: string, decimals: 0 | 2 = cents % 100 === 0 ? 0 : 2): string {
  return formatterOf(currency, decimals).format(toUnits(cents));
}

/** Cached, because making a formatter takes a hundred times as long as using it. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string, decimals: 0 | 2): Intl.NumberFormat {
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
  return formatter;
}

/** A range of cents as text, like `$16 to $18`; a single amount where both ends are the same. */
export function formatRange({ min, max }: Range, currency: string): string {
  const [low, high] = [formatMoney(min, currency), formatMoney(max, currency)];
  return low === high ? low : `${low} to ${high}`;
}
