/** Names, phones, addresses and postal codes as people write them; undefined where a text means more than one thing. Source: contract 1. */
import { domainToASCII } from "node:url";
import { domainOf } from "../lib/text.ts";
import { plainText } from "./quantities.ts";

/** `mailto:robin@ellis.example`, `Robin Ellis <robin@ellis.example>`, `robin@müller.example` and full-width letters as plain addresses. */
export function readEmail(text: string): string | undefined {
  const plain = plainText(text).trim();
  const [, inside = plain] = /^[^<>@]*<([^<>]+)>$/.exec(plain) ?? [];
  const [, address = ""] = /^(?:(?:mailto|e-?mail): ?)?([^?]+?)(?:\?.*)?[.,;]?$/is.exec(inside.trim()) ?? [];
  const at = address.lastIndexOf("@");
  const domain = domainOf(address);
  const ascii = isAscii(domain) ? domain : domainToASCII(domain);
  return at > 0 && ascii !== "" ? address.slice(0, at + 1) + ascii : undefined;
}

export function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

const PHONE_IN_TEXT =
  /^([^\d+]{0,40}?)(\(?\+?[(\d][\d\s().,;+/-]*?\d(?:[ ;]?(?:x|ext[.=]?|extension|#) ?\d{1,6})?)([^\d]{0,50}(?:\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b\D{0,20})?)$/is;

/** `tel:+1-404-555-0142`, `call me at 404-555-0142` and `404-555-0142 (cell)` as the number alone, `0044` as `+44`. */
export function readPhoneText(text: string): string | undefined {
  const [, before = "", number, after = ""] = PHONE_IN_TEXT.exec(plainText(text).trim()) ?? [];
  if (number === undefined || !/^(?:\D*\d){10}/.test(number)) return undefined;
  const dialled = number.replace(/^00 ?(?=[1-9])/, "+");
  return dialled !== number || /[a-z]/i.test(before + after) ? dialled : undefined;
}

/** Whether the words beside a number say more than that it is one, as `ask for Dana` does. */
export function hasNoteBeside(phone: string): boolean {
  const [, before = "", , after = ""] = PHONE_IN_TEXT.exec(plainText(phone).trim()) ?? [];
  const words = `${before} ${after}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return !words.every((word) => OF_PHONES.test(word));
}
const OF_PHONES =
  /^(?:(?:tele|cell|mobile)?phone|tel|cell|mobile|landline|home|work|office|number|no|nr|call|text|reach|contact|please|me|us|at|on|or|by|is|it|its|s|my|our|the)$/i;

interface PostalForm {
  form: RegExp;
  /** The code at the end of an address, and what may follow it. */
  inText?: RegExp;
  /** Completes "must be". */
  name: string;
}

const ZIP: PostalForm = {
  form: /^\d{5}$/,
  inText:
    /^(?:(?!.*\d{5}.*\d{5}).*[ ,:]|[A-Z]{2}-?)?(\d{5})(?:[- ]?\d{4})?(?:,? *(?:[A-Z]{2}|USA?|U\.S\.(?:A\.)?|United States))?$/i,
  name: "a ZIP code of five digits",
};
const FORMS = new Map<string, PostalForm>([
  ...["US", "PR", "VI", "GU", "AS", "MP"].map((country) => [country, ZIP] as const),
  [
    "CA",
    {
      form: /^[A-Z]\d[A-Z][ -]?\d[A-Z]\d$/i,
      inText: /^(?:.*[ ,:])?([A-Z]\d[A-Z][ -]?\d[A-Z]\d)(?:,? *Canada)?$/i,
      name: "a postal code of the form A1A 1A1",
    },
  ],
]);
/** Of a country whose form is not known here. */
const ANY: PostalForm = { form: /^(?=.*\d)[0-9A-Z](?:[ -]?[0-9A-Z]){2,9}$/i, name: "a postal code" };

/** @param country ISO 3166 code */
export function postalForm(country: string): PostalForm {
  return FORMS.get(country) ?? ANY;
}

/** `GA 30060`, `Marietta, GA 30060`, `30060-1234` and `300 60` as 30060. */
export function readPostalCode(text: string, country: string): string | undefined {
  const plain = plainText(text).trim();
  const { form, inText } = postalForm(country);
  const joined = plain.replace(/[\s-]/g, "");
  return form.test(joined) ? joined : inText?.exec(plain)?.[1];
}

const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|rev|sir|madam)\.?$/i;
const BEHIND_NAME = /^(?:jr|sr|ii|iii|iv|md|dds|dmd|phd|esq)\.?$/i;
const AND = /^(?:&|\+|and)$/i;

/** `Dana Molar`, `Molar, Dana`, `Dr. Dana Molar` and `Dana & Sam Molar` as first and last name; two whole names stay together. */
export function nameParts(name: string): { first_name: string; last_name?: string } {
  const [before = "", after, more] = name.split(",").map((part) => part.trim());
  const isTurned = after && more === undefined && !after.split(" ").every((part) => BEHIND_NAME.test(part));
  const parts = partsOfName(isTurned ? `${after} ${before}` : name);
  const given = isTurned ? partsOfName(after).length : givenIn(parts);
  const first = parts.slice(0, given).join(" ");
  const last = parts.slice(given).join(" ");
  return { first_name: first, ...(last !== "" && { last_name: last }) };
}

/** How many words of a name stand before the last name. */
function givenIn(parts: readonly string[]): number {
  let given = TITLE.test(parts[0] ?? "") ? 2 : 1;
  while (AND.test(parts[given] ?? "")) given += TITLE.test(parts[given + 1] ?? "") ? 3 : 2;
  const hasMore = parts.slice(given).some((part) => AND.test(part));
  return hasMore ? parts.length : Math.min(given, parts.length);
}

function partsOfName(text: string): string[] {
  return text.split(" ").filter((part) => part !== "");
}
