/** Words of the catalog and the API in sentences, and how many segments a text message is charged as. */
import { isObject } from "./fields.ts";

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** With a full stop, which an owner's word or two often lacks. */
export function sentence(text: string): string {
  return /[\w)]$/.test(text) ? `${text}.` : text;
}

/** `1 booking`, `2 bookings`. @param several where an s does not make it */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A length of time: `2 h 15 min`. */
export function durationInWords(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(whole > 0 ? [`${whole} h`] : []), ...(rest > 0 || whole === 0 ? [`${rest} min`] : [])].join(" ");
}

/** `\uXXXX` for each UTF-16 unit of a character. */
export function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** A code without its underscores: `film_removal` becomes `film removal`. */
export function spaced(code: string): string {
  return code.replaceAll("_", " ");
}

/** Typed text in one line: nobody can write what looks like another line of an e-mail. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Several lines of which some were left out, without the gaps. */
export function withoutGaps(text: string): string {
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

/** The letters that have no decomposition, and the apostrophes and hyphens that phones and word processors write. */
const FOLDED: Readonly<Record<string, string>> = {
  ...{ ł: "l", ø: "o", đ: "d", ð: "d", ħ: "h", ı: "i", ŧ: "t", ŋ: "n", ĸ: "k", ƀ: "b", ƶ: "z", ɨ: "i", ʉ: "u", ə: "e" },
  ...{ ɓ: "b", ɗ: "d", ɖ: "d", ƙ: "k", ƴ: "y", ɛ: "e", ɔ: "o", ƒ: "f", ς: "σ", þ: "th", ß: "ss", æ: "ae", œ: "oe" },
  ...{ "’": "'", "‘": "'", ʼ: "'", "´": "'", "‐": "-", "‑": "-", "–": "-" },
};

/** In small letters, without accents, and full-width forms as usual ones: `Łoś` becomes `los`. */
export function folded(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^\p{ASCII}]/gu, (letter) => FOLDED[letter] ?? letter);
}

/** A name as one word of small letters, digits and hyphens: `Café Film & Co` becomes `cafe-film-co`. */
export function slug(name: string): string {
  const words = folded(name).replace(/[^a-z0-9]+/g, "-");
  return words.replace(/^-|-$/g, "") || "shop";
}

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

/** A caller's value as text; empty for a list or a group, which may have no text at all, as `{"toString": 1}` has none. */
export function scalarText(value: unknown): string {
  return typeof value === "object" ? "" : String(value);
}

/** `vehicleType`, `Vehicle Type`, `vehicle-type` and `vehicle_type[]` as `vehicle_type`. */
export function snakeCase(name: string): string {
  return wordForm(name.replace(/\[\]$/, "").replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** A word in small letters, with underscores for spaces and hyphens. */
export function wordForm(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

const FENCE = "```";

/** The object in a text that is JSON as a whole, bare, in a code fence, or again as text: many clients can send text alone. */
export function jsonIn(text: unknown): object | undefined {
  if (typeof text !== "string") return undefined;
  const json = withoutFence(text.trim());
  if (!/^["{]/.test(json)) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : jsonIn(value);
  } catch {
    return undefined;
  }
}

function withoutFence(text: string): string {
  const start = text.indexOf("{");
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || start === -1) return text;
  const language = text.slice(FENCE.length, start).trim().toLowerCase();
  return ["", "json"].includes(language) ? text.slice(start, -FENCE.length) : text;
}
