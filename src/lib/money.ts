/** Money: integer cents inside, a number of currency units with at most 2 decimals on the wire. */

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

/**
 * Cents as text for people, like `$1,234.50`.
 * @param decimals how many are written; by default none when the amount is whole
 */
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
