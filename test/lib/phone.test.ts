/** Phone numbers in E.164. */
import { expect, test } from "bun:test";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { phoneInWords, toE164 } from "../../src/lib/phone.ts";

test.each([
  ["(404) 555-0111", "US", "+14045550111"],
  ["1-404-555-0111", "US", "+14045550111"],
  ["+44 20 7946 0018", "US", "+442079460018"],
  ["020 7946 0018", "GB", "+442079460018"],
  ["+1 404 555 011", "US", undefined],
  ["call me", "US", undefined],
])("%p in %s is %p", (text, country, e164) => {
  expect(toE164(text, country)).toBe(e164);
});

test.each([
  ["+14045550142", "US", "(404) 555-0142"],
  ["+14045550142", "GB", "+1 404 555 0142"],
  ["+442079460018", "GB", "020 7946 0018"],
  ["+442079460018", "US", "+44 20 7946 0018"],
  ["", "US", ""],
  ["ask Pat", "US", "ask Pat"],
])("%p for people in %s is %p", (number, country, written) => {
  expect(phoneInWords(number, country)).toBe(written);
});

test("a North American number is what the library makes of it, for every area code and way to write it", () => {
  const countries = ["US", "CA", "AG", "PR", "GB"] as const;
  const different: string[] = [];
  for (let area = 200; area < 1_000; area++) {
    const country = countries[area % countries.length] ?? "US";
    const digits = String((area * 7_654_321) % 10_000_000).padStart(7, "0");
    const [exchange, line] = [digits.slice(0, 3), digits.slice(3)];
    const written = [`+1${area}${digits}`, `+1-${area}-${exchange}-${line}`, `+1 (${area}) ${exchange}-${line}`];
    for (const text of [...written, `+1${area}.${exchange}.${line}`, `+1(${area})${exchange} ${line}`]) {
      const parsed = parsePhoneNumberFromString(text, country);
      if (!parsed?.isPossible() || parsed.number !== toE164(text, country)) different.push(text);
    }
  }
  expect(different).toEqual([]);
});
