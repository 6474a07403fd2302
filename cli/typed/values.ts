/** Numbers, codes and fields of the API as an owner types them. */
import type { z } from "zod";
import { contact } from "../../src/catalog/sections/values.ts";
import { CROCKFORD, readCode } from "../../src/lib/ids.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { isAscii, readEmail } from "../../src/schema/contact.ts";
import { explainIssue } from "../../src/schema/explain.ts";
import { normalize, paragraph } from "../../src/schema/fields.ts";
import type { Store } from "../../src/store/store.ts";
import { CliError, clean, UsageError } from "../terminal/output.ts";

/** Checks typed text by the API's own rule. @returns the tidied value, or an issue like `must be an e-mail address` */
export function readField(
  schema: z.ZodType<string>,
  typed: string,
): { value: string; issue?: undefined } | { value?: undefined; issue: string } {
  const read = schema.safeParse(normalize(typed), { error: explainIssue });
  return read.success ? { value: read.data } : { issue: read.error.issues[0]?.message ?? "is not valid" };
}

/** For forms: why a text is refused by the API's own rule, in a sentence, or null. */
export function fieldCheck(label: string, schema: z.ZodType<string>): (text: string) => string | null {
  return (text) => {
    const { issue } = readField(schema, text);
    return issue === undefined ? null : `${label} ${issue}`;
  };
}

/** For prompts that refuse a text while the owner types. @returns why the text cannot be read, or null */
export function issueIn(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** @returns what each read gives @throws UsageError that names all that cannot be read */
export function readAll<Values extends readonly unknown[]>(
  ...reads: { readonly [At in keyof Values]: () => Values[At] }
): Values {
  const values: unknown[] = [];
  const issues = reads.flatMap((read) => issueIn(() => values.push(read())) ?? []);
  if (issues.length > 0) throw new UsageError(issues.join("\n"));
  // Each read gave one value, in its turn.
  return values as unknown as Values;
}

/** The refusal of what was typed, with the way to type it. @param what like `a date` @param like examples of it */
export function notRead(typed: string, what: string, like: string): UsageError {
  return new UsageError(
    typed.trim() === "" ? `Type ${what}, like ${like}.` : `${clean(typed)} is not ${what}: write it like ${like}.`,
  );
}

/** Takes the dollar sign and the commas off a number like `$1,299.50`. Other text stays as it is. */
export function plainNumber(typed: string): string {
  return typed
    .trim()
    .replace(/^\$/, "")
    .replace(/^\d{1,3}(,\d{3})+(?!\d)/, (grouped) => grouped.replaceAll(",", ""));
}

/** A lead's reference in the stored form, `Q-7F3A2B`: I, L and O are read as 1, 1 and 0. An id (`lead_…`) is only trimmed. */
export function readReference(typed: string): string {
  const [, kind, code] = /^\s*([bq])[\s-]?([0-9a-z -]+)$/i.exec(typed) ?? [];
  return kind && code ? `${kind.toUpperCase()}-${readCode(code)}` : typed.trim();
}

/** Whether a name in the stored form may be that of a lead: a reference or an id. */
export function isReference(name: string): boolean {
  return /^([BQ]-\w{6}|lead_\w+)$/.test(name);
}

/** Longer input is not a code with a typing mistake. */
const LONGEST = 16;

interface CodeKind {
  /** Which of some codes are in use. */
  inUse: (codes: readonly string[]) => Promise<string[]>;
  /** Whether the word has the form of one. */
  canBe: boolean;
  /** The form that is expected, like `the code of a booking, like 7F3A2B9C`. */
  form: string;
  /** @param hint a sentence that names the code that was probably meant */
  none: (code: string, hint?: string) => string;
}

/** Why nothing has a code that was typed: one in use is a typo away, or a customer fits the word, or it can be no code. */
export async function noSuchCode(
  store: Pick<Store, "findCustomers">,
  typed: string,
  code: string,
  { inUse, canBe, form, none }: CodeKind,
): Promise<CliError> {
  const [guess] = code.length > LONGEST ? [] : await inUse(typosOf(code));
  if (guess !== undefined) return new CliError(none(code, ` Did you mean ${guess}?`));
  if (typed.trim() === "") return new CliError(`Type ${form}.`);
  const isSomebody = (await store.findCustomers(textsOf(typed), 1)).length > 0;
  if (canBe && !isSomebody) return new CliError(none(code));
  const word = clean(typed);
  const find = isSomebody ? "A customer fits it" : "To look for a customer";
  return new CliError(`${word} is not ${form}. ${find}: tint find ${word}`);
}

/** Every code one typo away. Looking these up costs the same in a diary of any size. */
function typosOf(code: string): string[] {
  const places = Array.from({ length: code.length + 1 }, (_, i) => [code.slice(0, i), code.slice(i)] as const);
  return places.flatMap(([before, [first = "", second = "", ...rest]]) => {
    const end = rest.join("");
    return [
      before + second + end,
      before + second + first + end,
      ...[...CROCKFORD].flatMap((letter) => [before + letter + second + end, before + letter + first + second + end]),
    ];
  });
}

/** The number of a row of a list. @param what like `a version` @param list the command that numbers them @throws UsageError */
export function readNumber(typed: string, what: string, list: string): number {
  if (/^[1-9]\d{0,14}$/.test(typed)) return Number(typed);
  throw new UsageError(`${clean(typed)} is not the number of ${what}. See ${list}.`);
}

/** A note as it is kept. @throws UsageError */
export function readNote(typed: string): string {
  const note = paragraph().min(1).safeParse(normalize(typed));
  if (!note.success) throw new UsageError("A note must be 1 to 2,000 characters.");
  return note.data;
}

/** @returns the entries of `alerts.to` @throws UsageError that names the first one that is wrong */
export function readContacts(typed: string, country: string): string[] {
  const words = typed.split(/[,;]/).flatMap((word) => word.trim() || []);
  if (words.length === 0) throw new UsageError("must name somebody");
  return [...new Set(words.map((word) => readContact(word, country)))];
}

function readContact(word: string, country: string): string {
  const isPhone = /^[+\d(][\d\s().-]*$/.test(word);
  const to = isPhone ? (toE164(word, country) ?? word) : word;
  if (contact.safeParse(to).success) return to;
  throw new UsageError(
    isPhone
      ? "must be a phone number with area code"
      : `must be mobiles, e-mail addresses, or addresses that begin with https:// (ntfy or a webhook), with commas between them: ${word} is none`,
  );
}

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
