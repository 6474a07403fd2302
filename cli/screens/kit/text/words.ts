/** Small words that several screens write. */

/** Shown until the store has answered. */
export const ONE_MOMENT = "One moment…";

/** `1 booking`, `2 bookings`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
