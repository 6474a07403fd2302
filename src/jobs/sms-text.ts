/** What fits into a text message: GSM-7 characters, one or two segments. */
import anyAscii from "any-ascii";

/** Septets of one segment, and of two that are sent as a chain (GSM 03.38, 3GPP 23.040). */
const ONE_SEGMENT = 160;
const TWO_SEGMENTS = 306;
/** ASCII characters that GSM-7 writes with an escape, as two septets. */
const ESCAPED = /[\^{}\\[\]~|]/g;

/**
 * A text of at most two segments in GSM-7. One emoji or curly quote would turn the whole message into UCS-2 at less than
 * half the length, so every character outside plain ASCII is transliterated; line breaks become spaces.
 */
export function smsText(text: string): string {
  const plain = anyAscii(text)
    .replaceAll("`", "'")
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  if (septets(plain) <= TWO_SEGMENTS) return plain;
  let cut = plain;
  while (septets(cut) > TWO_SEGMENTS - 3) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}...`;
}

/** Number of segments a GSM-7 text is charged as. */
export function segments(text: string): number {
  const length = septets(text);
  return length <= ONE_SEGMENT ? 1 : Math.ceil(length / (TWO_SEGMENTS / 2));
}

function septets(text: string): number {
  return text.length + (text.match(ESCAPED)?.length ?? 0);
}

/** A stranger's name, short and without anything that reads as a link or as part of the message. */
export function nameForSms(name: string): string {
  return (
    smsText(name)
      .replace(/[^A-Za-z0-9 '-]/g, "")
      .replace(/\d{4,}/g, "")
      .replace(/ {2,}/g, " ")
      .trim()
      .slice(0, 40) || "a customer"
  );
}
