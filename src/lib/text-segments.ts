/** How many segments a text message is charged as (GSM 03.38, 3GPP 23.040). */

/** Septets in a message of one segment, and in each segment of a longer one. */
const ALONE = 160;
export const CHAINED = 153;
/** Longer texts are not sent. */
export const MOST_SEGMENTS = 2;
/** ASCII characters that take two septets in GSM-7: an escape and a code. */
const ESCAPED = /[\^{}\\[\]~|]/g;

/** Number of segments a GSM-7 text is charged as. */
export function segments(text: string): number {
  const escapes = text.match(ESCAPED)?.length ?? 0;
  if (text.length + escapes <= ALONE) return 1;
  let count = 1;
  let used = 0;
  for (const character of text) {
    const septets = character.match(ESCAPED) ? 2 : 1;
    // An escape and the code after it are never split.
    if (used + septets > CHAINED) {
      count += 1;
      used = 0;
    }
    used += septets;
  }
  return count;
}
