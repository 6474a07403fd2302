/** What fits into a text message: GSM-7 characters, one or two segments. */
import anyAscii from "any-ascii";

/** Septets of a message that is one segment, and of each segment of a chain (GSM 03.38, 3GPP 23.040). */
const ALONE = 160;
const CHAINED = 153;
const MOST_SEGMENTS = 2;
/** ASCII characters that GSM-7 writes with an escape, as two septets. */
const ESCAPED = "^{}\\[]~|";

/**
 * A text of at most two segments in GSM-7. One emoji or curly quote would turn the whole message into UCS-2 at less than
 * half the length, so every character outside plain ASCII is transliterated; line breaks become spaces.
 * @param code plain ASCII that stays in the text wherever it is cut off
 */
export function smsText(text: string, code = ""): string {
  const plain = anyAscii(text)
    .replaceAll("`", "'")
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  if (segments(plain) <= MOST_SEGMENTS) return plain;
  const cut = cutOff(plain, "...");
  return cut.includes(code) ? cut : cutOff(plain, `... ${code}`);
}

/** As much of a text as fits with `end` behind it. */
function cutOff(text: string, end: string): string {
  // No more characters than septets: the loop has little left to take away.
  let cut = text.slice(0, MOST_SEGMENTS * CHAINED);
  while (segments(cut + end) > MOST_SEGMENTS) cut = cut.slice(0, -1);
  return cut.trimEnd() + end;
}

/** Number of segments a GSM-7 text is charged as. */
export function segments(text: string): number {
  let count = 1;
  let used = 0;
  let total = 0;
  for (const character of text) {
    const septets = ESCAPED.includes(character) ? 2 : 1;
    total += septets;
    // An escape and its character stay in one segment.
    if (used + septets > CHAINED) {
      count += 1;
      used = 0;
    }
    used += septets;
  }
  return total <= ALONE ? 1 : count;
}

/** A stranger's name in any script, short and without anything that reads as a link or as part of the message. */
export function plainName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/[^\p{L}\p{M}\p{Nd} '’-]/gu, "")
    .replace(/\p{Nd}{4,}/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
  return [...plain].slice(0, LONGEST_NAME).join("").trim() || "customer";
}
const LONGEST_NAME = 40;

/** The same for a text message. */
export function nameForSms(name: string): string {
  return plainName(smsText(name));
}
