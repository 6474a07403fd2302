/** Random identifiers, API keys and the calendar's secret, with their hashes and their check against slips of the keys. */
import { randomInt } from "node:crypto";

/** The letters and digits of codes that people read out: no I, L, O or U (Crockford base32). */
export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Characters of an alphabet, each as likely as any other. */
function randomText(alphabet: string, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)];
  return text;
}

/** 8 characters (39.6 bits): easy to say on the phone, hard to guess. Without E, with which `12345E67` is a number to a spreadsheet. */
export const newConfirmationCode = () => randomText(CROCKFORD.replace("E", ""), 8);
/** A typed confirmation code in the stored form: upper case, without marks and the words beside it; I, L and O read as 1, 1, 0. */
export function readCode(typed: string): string {
  const [one, other] = typed.match(IN_WORDS) ?? [];
  const isOne = one !== undefined && other === undefined;
  const code = (isOne ? one : typed)
    .toUpperCase()
    .replace(/^\W*(?:(?:MY|THE|BOOKING|CONFIRMATION) )*CODE(?: IS)?\b/, "");
  return code
    .replace(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}
/** A code among other words. Few words have no digit and only the letters of codes. */
const IN_WORDS =
  /(?<![\w-])(?:(?=[\w-]{0,8}\d)[0-9A-TV-Z]{4}-?[0-9A-TV-Z]{4}|[A-DF-HJKMNP-TV-Z]{4}-?[A-DF-HJKMNP-TV-Z]{4})(?![\w-])/gi;
export const isCode = (code: string) => /^[0-9A-Z]{8}$/.test(code);
/** A short name for a lead, to say on the phone. */
export const newReference = (kind: "booking" | "quote_request") =>
  `${kind === "booking" ? "B" : "Q"}-${randomText(CROCKFORD, 6)}`;
/** Ids rise with time, so that new rows lie together in each index and a commit writes fewer pages; 53 bits are random. */
export const newId = (prefix: "bk" | "lead" | "key" | "evt" | "try") =>
  `${prefix}_${base62(Date.now(), 7)}${randomText(BASE62, 9)}`;

/** Whether a request's id is one of ours, which nobody can guess. */
export const isFreshId = (id: string) => /^try_[0-9A-Za-z]{16}$/.test(id);

/** Names a request in answer and log: unique, not secret. */
export const newRequestId = () => `req_${randomText(BASE36, 16)}`;

/** The last digits of a whole number. */
function base62(value: number, length: number): string {
  let rest = value;
  let digits = "";
  for (let i = 0; i < length; i++) {
    digits = (BASE62[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export const KEY_PREFIX = "tint_live_";

/** The characters of a key by which its owner recognizes it. */
const SHOWN_CHARACTERS = 12;

/** With the hash and beginning that the store keeps: `tint_live_`, 32 base62 characters (190 bits), and a checksum of 6. */
export function mintKey(): { key: string; hash: string; prefix: string } {
  const secret = randomText(BASE62, 32);
  const key = KEY_PREFIX + secret + checksum(secret);
  return { key, hash: hashSecret(key), prefix: key.slice(0, SHOWN_CHARACTERS) };
}

/** The secret part of the calendar's address (190 bits), with the digest that the store keeps. */
export function mintCalendarToken(): { token: string; hash: string } {
  const token = randomText(BASE62, 32);
  return { token, hash: hashSecret(token) };
}

/** Whether a text has the form and checksum of a key, issued or not. */
export function isApiKey(text: string): boolean {
  const secret = text.slice(KEY_PREFIX.length, -6);
  return (
    text.startsWith(KEY_PREFIX) &&
    /^[0-9A-Za-z]{32}$/.test(secret) &&
    text.endsWith(checksum(secret)) &&
    text.length === KEY_PREFIX.length + 38
  );
}

/** The digest under which a key, or the secret of the calendar, is stored and found. */
export function hashSecret(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

function checksum(secret: string): string {
  return base62(Bun.hash.crc32(secret), 6);
}
