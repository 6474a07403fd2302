/** Words that stand where a code belongs, like a customer's name. */
import { isAscii, readEmail } from "../../src/schema/contact.ts";
import type { Store } from "../../src/store/store.ts";
import { clean } from "../terminal/output.ts";

/** Fewer digits than this are no part of a phone number. */
const LEAST_DIGITS = 3;

/** What a search looks for: the digits of a number, or each word. Domains of e-mail are stored in ASCII. */
export function textsOf(typed: string): string[] {
  const digits = digitsOf(typed);
  if (digits) return [digits];
  return typed
    .trim()
    .split(/\s+/)
    .map((word) => (isAscii(word) ? word : (readEmail(word) ?? word)));
}

/** The digits of a number or a part of one, like `(404) 555`, without an extension; null when the text is something else. */
export function digitsOf(typed: string): string | null {
  const [, number = typed] =
    /^([\d\s().+/-]{7,}?)[\s,;(]*(?:[,;#x]|e?xtn?\.?|extension)[.:=#\s]*\d+\)?$/i.exec(typed.trim()) ?? [];
  const digits = number.replace(/\D/g, "");
  return /^[\d\s().+/-]+$/.test(number) && digits.length >= LEAST_DIGITS ? digits : null;
}

/**
 * Says that a word is no code: because it can be none, or because a customer fits it.
 * @param canBe whether it has the form of one
 * @param form the form that was expected, like `the code of a booking, like 7F3A2B9C`
 * @returns null for a word that may be a code
 */
export async function notACode(
  store: Pick<Store, "findCustomers">,
  typed: string,
  canBe: boolean,
  form: string,
): Promise<string | null> {
  if (typed.trim() === "") return `Type ${form}.`;
  const isSomebody = (await store.findCustomers(textsOf(typed), 1)).length > 0;
  if (canBe && !isSomebody) return null;
  const word = clean(typed);
  const find = isSomebody ? `A customer fits it: tint find ${word}` : `To look for a customer: tint find ${word}`;
  return `${word} is not ${form}. ${find}`;
}
