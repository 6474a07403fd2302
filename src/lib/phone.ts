import type { CountryCode } from "libphonenumber-js/min";

/**
 * A phone number in E.164, or undefined when it cannot be one.
 * @param country ISO 3166 code of the country that a number without a country code belongs to
 */
export function toE164(text: string, country: string): string | undefined {
  if (last?.text === text && last.country === country) return last.e164;
  // Loaded with the first number, so that a quote on the command line does not wait for the numbering plans.
  const { parsePhoneNumberFromString }: typeof import("libphonenumber-js/min") = require("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  last = { text, country, e164: number?.isPossible() ? number.number : undefined };
  return last.e164;
}

/** A request checks the number and then uses it: kept in between, so that it is parsed once. */
let last: { text: string; country: string; e164: string | undefined } | undefined;
