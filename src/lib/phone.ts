import type { CountryCode } from "libphonenumber-js/min";

export interface Phone {
  /** E.164, by which people are known; empty where none was left. */
  phone: string;
  /** Digits to dial once the call is answered; empty for none. */
  extension: string;
}

/** Undefined when the text cannot be a number. One with too many digits is read as far as E.164 goes; `isUnheardOf` tells. */
export function readPhone(text: string, country: string): Phone | undefined {
  // Most people and agents write numbers like this, and parsing one takes a tenth of the time of a booking.
  if (NANP.test(text)) return { phone: text, extension: "" };
  if (WRITTEN_NANP.test(text)) return { phone: `+${text.replace(/\D/g, "")}`, extension: "" };
  // Loaded on first use: a quote on the command line does not need the numbering plans.
  plans ??= require("libphonenumber-js/min");
  const parsed = plans?.parsePhoneNumberFromString(text, country as CountryCode);
  // The library parses no text of more than 250 characters.
  if (!parsed || !(parsed.isPossible() || isTooLong(parsed.number, plans))) return undefined;
  // `0044 20 …` where that dials no other country: it is understood, and said to be.
  if (/^\D*00 ?[1-9]/.test(text) && parsed.nationalNumber.startsWith("00")) return undefined;
  // An extension behind a word that says none is asked about, never dropped.
  if (parsed.ext === undefined && EXTENSION.test(text)) return undefined;
  return { phone: parsed.number, extension: parsed.ext ?? "" };
}

const EXTENSION = /\d\D*[,;#a-z]\D*\d+\D*$/i;

/** The number of `readPhone` alone. */
export function toE164(text: string, country: string): string | undefined {
  return readPhone(text, country)?.phone;
}

function isTooLong(number: string, from: typeof plans): boolean {
  return number.length <= 1 + MOST_DIGITS && from?.validatePhoneNumberLength(number) === "TOO_LONG";
}
/** Source: ITU-T E.164. */
const MOST_DIGITS = 15;

/** `(404) 555-0142 x12`: where to call somebody, as people in a country write it; empty where no number was left. */
export function contactInWords({ phone, extension }: Phone, country: string): string {
  return withExtension(phone === "" ? "" : phoneInWords(phone, country), extension);
}

export function withExtension(number: string, extension: string): string {
  return extension === "" ? number : `${number} x${extension}`;
}

/** As people of the country write it: `(404) 555-0142`. A foreign number keeps its code; text that is no number stays. */
export function phoneInWords(number: string, country: string): string {
  // Lists are full of these, and loading the numbering plans takes longer than the rest of a command.
  if (NORTH_AMERICAN.includes(country) && NANP.test(number))
    return `(${number.slice(2, 5)}) ${number.slice(5, 8)}-${number.slice(8)}`;
  plans ??= require("libphonenumber-js/min");
  const parsed = plans?.parsePhoneNumberFromString(number);
  if (!parsed) return number;
  return parsed.country === country ? parsed.formatNational() : parsed.formatInternational();
}

/** The large countries that share the plan of +1. */
const NORTH_AMERICAN = ["US", "CA"];

/** A number of the North American plan in E.164: an area code does not begin with 0 or 1, and there are ten digits. */
export const NANP = /^\+1[2-9]\d{9}$/;
/** The same number with its usual spaces and marks: `+1-404-555-0142`, `+1 (404) 555-0142`. */
const WRITTEN_NANP = /^\+1[ .-]?(\([2-9]\d{2}\)|[2-9]\d{2})[ .-]?\d{3}[ .-]?\d{4}$/;

/** Undefined when it gets texts. Numbers that cost the sender more are common in fraud. @param countries ISO 3166 codes */
export function whyNoTexts(number: string, countries: readonly string[]): string | undefined {
  const parsed = closePlans().parsePhoneNumberFromString(number);
  if (!parsed?.isValid() || parsed.country === undefined || isOneDigit(number))
    return "nobody can have this phone number";
  const costly = COSTLY_TYPES[parsed.getType() ?? ""];
  if (costly) return `no texts go to ${costly} numbers`;
  return countries.includes(parsed.country) ? undefined : `no texts go to numbers of ${parsed.country}`;
}

/** Whether nobody can have a number, as far as the numbering plans tell. @param number E.164 */
export function isUnheardOf(number: string): boolean {
  return isOneDigit(number) || !closePlans().isValidPhoneNumber(number);
}

/** These plans tell the kinds of number apart. They are larger, so they are loaded where somebody is booked. */
function closePlans(): typeof import("libphonenumber-js/max") {
  return require("libphonenumber-js/max");
}

/** `888-888-8888` is in the plans, and typed by those who tell no number. */
function isOneDigit(number: string): boolean {
  return /(\d)\1{8}$/.test(number);
}

const COSTLY_TYPES: Record<string, string> = {
  PREMIUM_RATE: "premium-rate",
  SHARED_COST: "shared-cost",
  PERSONAL_NUMBER: "personal",
  UAN: "company-wide",
  VOICEMAIL: "voicemail",
  PAGER: "pager",
};

/** Cached, because finding a module again costs half as much as parsing a number. */
let plans: typeof import("libphonenumber-js/min") | undefined;
