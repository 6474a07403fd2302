/** The parts of messages: GSM-7 texts, cleaned names, templates, pauses. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FIELDS, fillTemplate, templateIssue } from "../../src/catalog/sections/template.ts";
import { segments } from "../../src/lib/text.ts";
import { deliveryRules, heldInWords } from "../../src/messages/message-rules.ts";
import { plainName, toGsm7 } from "../../src/messages/words.ts";
import { afterwards, pauseAfter } from "../../src/messages/worker.ts";
import { digestText } from "../../src/store/queries/message-limits.ts";
import { CATALOG } from "../helpers.ts";

/** The ASCII characters of GSM 03.38. */
const GSM7 = /^[ -_a-z{|}~]*$/;

describe("texts", () => {
  test.each([
    ["plain", "plain"],
    ["“curly” – it’s 5° …", `"curly" - it's 5deg ...`],
    ["Zoë Müller 日本", "Zoe Muller RiBen"],
    ["a\nb\r\n\tc", "a b c"],
    ["back`tick", "back'tick"],
    ["ends\u202e\u0000 ", "ends"],
    ["", ""],
    // A text that fills two segments stays; one character more, and the end is cut.
    ["a".repeat(306), "a".repeat(306)],
    ["a".repeat(307), `${"a".repeat(303)}...`],
    ["[".repeat(152), "[".repeat(152)],
    ["[".repeat(153), `${"[".repeat(151)}...`],
  ])("%j becomes %j", (given, text) => expect(toGsm7(given)).toBe(text));

  test.each([
    ["a".repeat(160), 1],
    ["a".repeat(161), 2],
    ["a".repeat(306), 2],
    ["a".repeat(307), 3],
    // A bracket takes two septets.
    ["[".repeat(80), 1],
    ["[".repeat(81), 2],
    // The two septets of a bracket are never split between segments.
    [`${"a".repeat(152)}[${"a".repeat(151)}`, 2],
    [`${"a".repeat(152)}[${"a".repeat(152)}`, 3],
  ])("%#: %d segments", (text, count) => expect(segments(text)).toBe(count));

  test("any text becomes one line of at most two GSM-7 segments", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary", maxLength: 700 }), fc.stringMatching(/^[[\]a]{0,400}$/)),
        (any) => {
          const text = toGsm7(any);
          expect(text).toMatch(GSM7);
          expect(segments(text)).toBeLessThanOrEqual(2);
        },
      ),
      { numRuns: 40 },
    );
  });
});

test("a text of any length keeps the code", () => {
  const code = "7F3A1B2C";
  expect(toGsm7(`${"a".repeat(280)} Code ${code}. Come early please`, code)).toBe(
    `${"a".repeat(280)} Code ${code}. Come ea...`,
  );
  expect(toGsm7(`${"a".repeat(300)} ${code}`, code)).toBe(`${"a".repeat(294)}... ${code}`);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), fc.string({ maxLength: 500 }), (before, after) => {
      const text = toGsm7(`${before}${code}${after}`, code);
      expect(text).toContain(code);
      expect(segments(text)).toBeLessThanOrEqual(2);
    }),
  );
});

describe("names", () => {
  test.each([
    ["Pat Example", "Pat Example"],
    ["Seán O’Neill-Smith", "Sean O'Neill-Smith"],
    ["Call 4045550199 now", "Call now"],
    ["http://evil.example/x", "httpevilexamplex"],
    ["{code} $& %s", "code s"],
    ["x\nSTOP", "x STOP"],
    ["😀", "grinning"],
    ["!!!", "customer"],
    ["A".repeat(90), "A".repeat(40)],
  ])("%j becomes %j", (given, name) => expect(plainName(toGsm7(given))).toBe(name));

  test.each([
    ["Call 1-900-555-", "Call"],
    ["Call 1 (900) 5 5 5 now", "Call now"],
    ["Text 9a1b1", "Text ab"],
    ["①⑨⑩⑪", "customer"],
    ["Henry 8", "Henry 8"],
    ["Anne - Marie-Louise-", "Anne Marie-Louise"],
    ["李小龙", "李小龙"],
    ["Zoë  O’Neill-Smith", "Zoë O’Neill-Smith"],
    ["Иван\r\nBcc: all@example.com", "Иван Bcc allexamplecom"],
    ["call ٠١٢٣٤٥ now", "call now"],
    ["\u202e😀!!!", "customer"],
    ["𠮷".repeat(50), "𠮷".repeat(40)],
  ])("%j in a mail is %j", (given, name) => expect(plainName(given)).toBe(name));

  test("hold nothing but letters, digits, spaces, ' and -", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (any) =>
        expect(plainName(toGsm7(any))).toMatch(/^[A-Za-z0-9 '-]{1,40}$/),
      ),
    );
  });
});

describe("templates", () => {
  const fields = Object.fromEntries(FIELDS.booking.map((field) => [field, `<${field}>`])) as Parameters<
    typeof fillTemplate
  >[1];

  test("every field is filled in, as often as it is named", () => {
    const template = [...FIELDS.booking, "name"].map((field) => `{${field}}`).join(" ");
    expect(templateIssue(template, FIELDS.booking)).toBeUndefined();
    expect(fillTemplate(template, fields)).toBe([...FIELDS.booking, "name"].map((field) => `<${field}>`).join(" "));
  });

  test("braces in the value of a field are not filled in", () => {
    const name = "{code} $& $1 {{price}} \\";
    expect(fillTemplate("Hello {name}, {code}", { ...fields, name })).toBe(`Hello ${name}, <code>`);
  });

  test.each([
    ["Hello {nam}", "names {nam}, which is not known (did you mean {name}?); the fields are {name} {date} {time}"],
    ["{ code }", "names { code }, which is not known (did you mean {code}?)"],
    ["{Name} {xyz123}", "names {Name} or {xyz123}, which is not known; the fields are"],
    ["{constructor}", "names {constructor}, which is not known;"],
    ["{}", "names {}, which is not known"],
    ["Hello {name", "has a brace that belongs to no field; the fields are {name}"],
    ["{{name}}", "has a brace that belongs to no field"],
  ])("%j %s", (template, issue) => expect(templateIssue(template, FIELDS.booking)).toStartWith(issue));
});

describe("limits in words", () => {
  const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
  // The shop is closed on Thanksgiving, November 26.
  const now = at("2026-11-25T14:10:00-05:00");
  const rules = deliveryRules(CATALOG, now);

  test.each([
    [1, "2026-11-25T14:10:00-05:00", "New requests: 1 since 2:10 PM. See tint leads"],
    [2, "2026-11-25T00:00:00-05:00", "New requests: 2 since 12:00 AM. See tint leads"],
    [14, "2026-11-24T23:59:59-05:00", "New requests: 14 since Tue, Nov 24, 11:59 PM. See tint leads"],
  ])("%d leads since %s", (leads, since, text) =>
    expect(digestText(leads, at(since), now, rules)).toMatchObject({ text }),
  );

  test("a day of texts begins at midnight, and the next one when the shop opens", () => {
    expect(rules.dayStart).toBe(at("2026-11-25T00:00:00-05:00"));
    expect(rules.nextDay).toBe(at("2026-11-27T09:00:00-05:00"));
  });

  test.each([
    [1, "1 text to customers waits: busy"],
    [2, "2 texts to customers wait: busy"],
  ])("%d held", (count, words) => expect(heldInWords({ what: "text", count, reason: "busy" })).toBe(words));
});

describe("pauses", () => {
  test("from 1 second to 1 hour, twice as long each time, with jitter", () => {
    const HOUR = 3_600_000;
    expect([1, 2, 3, 11].map((attempts) => pauseAfter(attempts, 0))).toEqual([1_000, 2_000, 4_000, 1_024_000]);
    for (let attempts = 1; attempts < 200; attempts++) {
      expect(pauseAfter(attempts, 0)).toBeGreaterThanOrEqual(1_000);
      expect(pauseAfter(attempts, 0.999_999)).toBeLessThanOrEqual(HOUR);
      expect(pauseAfter(attempts, 0.999_999)).toBeGreaterThan(1.9 * pauseAfter(attempts, 0));
    }
    expect(pauseAfter(50, 0.999_999)).toBeGreaterThan(0.99 * HOUR);
  });

  test.each([
    ["its own pauses", 0, 20],
    ["the pauses a busy receiver asks for", 3600, 0],
    ["attempts that hang", 0, 15_000],
  ])("given up in the last hour of 3 days of trying: %s", (_, afterSeconds, attemptMs) => {
    const payload = { to: "", text: "" };
    const job = { id: 1, kind: "notify_shop_sms", payload, doubtful: false, dueAt: 0, createdAt: 0 } as const;
    const day = 24 * 3_600_000;
    // The job was due long before, but waiting for settings does not count.
    const begun = 30 * day;
    let at = begun;
    for (let triedMs = 0, attempts = 1; ; attempts++) {
      const how = afterwards({ ...job, attempts, triedMs, firstTriedAt: begun }, busy(afterSeconds), attemptMs);
      if (how.kind !== "postponed") {
        expect(how).toEqual({ id: 1, attempts, dueAt: 0, kind: "failed", reason: "busy" });
        break;
      }
      triedMs = how.triedMs;
      at += attemptMs + how.pauseMs;
    }
    expect(at - begun).toBeWithin(3 * day - 3_600_000 - attemptMs, 3 * day + 1);
  });
  const busy = (afterSeconds: number) => ({ kind: "retry", reason: "busy", afterSeconds }) as const;
});
