/** Random identifiers, from the secure random source of the system. */
import { randomInt } from "node:crypto";

/** The letters and digits of codes that people read out: no I, L, O or U (Crockford base32). */
export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Characters of an alphabet, each as likely as any other. */
export function randomText(alphabet: string, length: number): string {
  let text = "";
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)];
  return text;
}

/** 8 characters (39.6 bits): easy to say on the phone, hard to guess. Without E, with which `12345E67` is a number to a spreadsheet. */
export const newConfirmationCode = () => randomText(CROCKFORD.replace("E", ""), 8);
/**
 * A typed confirmation code in the stored form: upper case, without spaces, dashes, quotes and the word code; I, L and O are
 * read as 1, 1 and 0.
 */
export function readCode(typed: string): string {
  const code = typed
    .toUpperCase()
    .replace(/^["'“#\s]{0,4}(?:(?:BOOKING|CONFIRMATION) )?(?:CODE(?: IS)?[\s:#]{1,3})?/, "");
  return code
    .replace(/[\s"'“”#-]/g, "")
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");
}
/** Whether a code in the stored form may be that of a booking. */
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
export function base62(value: number, length: number): string {
  let rest = value;
  let digits = "";
  for (let i = 0; i < length; i++) {
    digits = (BASE62[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
