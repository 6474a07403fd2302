/** Makes texts fit into a text message: GSM-7 characters, at most two segments. */
import anyAscii from "any-ascii";
import { CHAINED, MOST_SEGMENTS, segments } from "../lib/text-segments.ts";

/**
 * A text of at most two segments in GSM-7. One emoji or curly quote would turn the message into UCS-2, which holds less
 * than half as much, so every character outside ASCII is transliterated. Line breaks become spaces.
 * @param kept plain ASCII that a text keeps when it is cut: a code or a link
 */
export function toGsm7(text: string, kept = ""): string {
  const plain = (isAscii(text) ? text : anyAscii(text).replace(/[^\x20-\x7e]+/g, " "))
    .replaceAll("`", "'")
    .replace(/ {2,}/g, " ")
    .trim();
  if (segments(plain) <= MOST_SEGMENTS) return plain;
  const cut = cutOff(plain, "...");
  return cut.includes(kept) ? cut : cutOff(plain, `... ${kept}`);
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);

/** The beginning of a text, cut so that `end` still fits behind it. */
function cutOff(text: string, end: string): string {
  // A first cut by characters, so that the loop has little left to do.
  let cut = text.slice(0, MOST_SEGMENTS * CHAINED);
  while (segments(cut + end) > MOST_SEGMENTS) cut = cut.slice(0, -1);
  return cut.trimEnd() + end;
}

/**
 * A stranger's name in any script, shortened, without links, template braces, or a number that somebody could call, however
 * it is split up.
 */
export function plainName(name: string): string {
  return plainWords(name, MOST_DIGITS) || "customer";
}

/** The make and model of a vehicle, as `plainName`: empty where nothing is left. Models have up to four digits. */
export function plainModel(text: string): string {
  return plainWords(text, MOST_DIGITS_OF_MODEL);
}

function plainWords(text: string, mostDigits: number): string {
  const normal = text.normalize("NFC").replace(/\s+/g, " ");
  const digits = normal.match(/\p{N}/gu)?.length ?? 0;
  const plain = (digits > mostDigits ? normal.replace(/\p{N}/gu, "") : normal)
    .replace(/[^\p{L}\p{M}\p{Nd} '’-]/gu, "")
    // Hyphens that join nothing, as those of a number.
    .replace(/(?<![\p{L}\p{M}\p{Nd}])-+|-+(?![\p{L}\p{M}\p{Nd}])/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
  return [...plain].slice(0, LONGEST_NAME).join("").trim();
}
const LONGEST_NAME = 40;
/** The shortest numbers that can be called have three. */
const MOST_DIGITS = 2;
const MOST_DIGITS_OF_MODEL = 4;

/** `plainModel` in GSM-7 characters. */
export function modelForSms(text: string): string {
  return plainModel(toGsm7(text));
}

/** `plainName` in GSM-7 characters. */
export function nameForSms(name: string): string {
  return plainName(toGsm7(name));
}
