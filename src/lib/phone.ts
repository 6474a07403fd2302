import type { CountryCode } from "libphonenumber-js/min";

/**
 * A phone number in E.164, or undefined when the text cannot be a phone number.
 * @param country ISO 3166 code of the country that a number without a country code belongs to
 */
export function toE164(text: string, country: string): string | undefined {
  if (last?.text === text && last.country === country) return last.e164;
  // Loaded on first use: a quote on the command line does not need the numbering plans.
  const { parsePhoneNumberFromString }: typeof import("libphonenumber-js/min") = require("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  last = { text, country, e164: number?.isPossible() ? number.number : undefined };
  return last.e164;
}

/** The last number: a request first checks a number and then uses it, and parses it once. */
let last: { text: string; country: string; e164: string | undefined } | undefined;
