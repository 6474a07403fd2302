import type { CountryCode } from "libphonenumber-js/min";

/**
 * A phone number in E.164, or undefined when it cannot be one.
 * @param country ISO 3166 code of the country that a number without a country code belongs to
 */
export function toE164(text: string, country: string): string | undefined {
  // Loaded with the first number, so that a quote on the command line does not wait for the numbering plans.
  const { parsePhoneNumberFromString }: typeof import("libphonenumber-js/min") = require("libphonenumber-js/min");
  const number = parsePhoneNumberFromString(text, country as CountryCode);
  return number?.isPossible() ? number.number : undefined;
}
