/** Words that several screens write. */

/** Shown until the store has answered. */
export const ONE_MOMENT = "One moment…";
