/** Phone numbers in E.164. */
import { expect, test } from "bun:test";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { contactInWords, isUnheardOf, phoneInWords, readPhone, toE164 } from "../../src/lib/phone.ts";
import { phone } from "../../src/schema/fields.ts";

test.each([
  ["(404) 555-0111", "US", "+14045550111"],
  ["+44 20 7946 0018", "US", "+442079460018"],
  ["020 7946 0018", "GB", "+442079460018"],
  ["001 404 555 0111", "GB", "+14045550111"],
  ["0044 20 7946 0018", "US", undefined],
  // Too long to be dialled, and taken; E.164 ends at 15 digits.
  ["404-555-01112", "US", "+140455501112"],
  ["+1 404 555 0111 2345", "US", "+140455501112345"],
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

test("an extension that a request may have is kept, in every notation", () => {
  const before = ["", " ", ", ", " (", ","];
  const words = "x X # , ; ext Ext. EXT ext: extn xtn xt extension extra exit e- ;ext= x.";
  const marks = [...words.split(" "), "etc. x", "x or"];
  const lost: string[] = [];
  let kept = 0;
  for (const number of ["404-555-0177", "+1-404-555-0177", "(404) 555-0177", "+1 404 555 0177"])
    for (const gap of before)
      for (const mark of marks)
        for (const [space, digits] of [
          ["", "12"],
          [" ", "7"],
          [" ", "12345"],
          ["", "123456789"],
        ] as const) {
          const text = number + gap + mark + space + digits + (gap.includes("(") ? ")" : "");
          const read = phone().safeParse(text).success ? readPhone(text, "US") : undefined;
          if (read?.extension === digits && read.phone === "+14045550177") kept++;
          else if (read || /^[ (]*(x|ext\.?|#|,|;)$/i.test(gap + mark)) lost.push(text);
        }
  expect(lost).toEqual([]);
  expect(kept).toBeGreaterThan(700);
});

test.each([
  [{ phone: "+14045550177", extension: "12" }, "(404) 555-0177 x12"],
  [{ phone: "+442079460018", extension: "7" }, "+44 20 7946 0018 x7"],
  [{ phone: "+14045550177", extension: "" }, "(404) 555-0177"],
  [{ phone: "", extension: "" }, ""],
])("%p is called under %p", (contact, written) => {
  expect(contactInWords(contact, "US")).toBe(written);
});

test.each([
  ["+14045550142", false],
  ["+442079460018", false],
  ["+18888888888", true],
  ["+10005550142", true],
  ["+14041550142", true],
  ["+140455501423", true],
])("whether nobody can have %s: %p", (number, isNobodys) => {
  expect(isUnheardOf(number)).toBe(isNobodys);
});
