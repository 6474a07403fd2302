/** `/book/privacy` and `/book/terms`: made from the catalog, or the owner's own words, and linked at the foot of every page. */
import { expect, test } from "bun:test";
import { API, catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const PRIVACY = "/book/privacy";
const TERMS = "/book/terms";

async function read(path: string, edits: Record<string, unknown> = {}) {
  const { status, text, headers } = await testApp({ catalog: catalogWith(edits) }).get(path);
  expect(status).toBe(200);
  return { text, headers };
}

test.each<[string, string, Record<string, unknown>, string[]]>([
  [
    "privacy",
    PRIVACY,
    {},
    ["Marlow Ridge Window Film", "hello@example.com", "until you ask us to erase it", "reply STOP"],
  ],
  ["how long data is kept", PRIVACY, { retention_days: 400 }, ["erased 400 days after"]],
  ["what carriers ask for", PRIVACY, {}, ["Message and data rates may apply", "not sold", "reply HELP"]],
  [
    "terms",
    TERMS,
    {},
    ["The price is what you pay: no tax is added.", "up to 24 hours before", "Information, not legal advice"],
  ],
  ["tax", TERMS, { tax: { status: "added", rate_pct: 8, label: "Sales tax", note: "Plus tax." } }, ["Plus tax."]],
  ["no changes online", TERMS, { "bookings.self_service.enabled": false }, ["To move or cancel an appointment, call"]],
])("%s", async (_, path, edits, says) => {
  const { text, headers } = await read(path, edits);
  for (const words of says) expect(text).toContain(words);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).toContain(`<link rel="canonical" href="https://marlowridge.example${path}">`);
});

test("the owner's own words take the place of those that are made, with every character escaped", async () => {
  const { text } = await read(PRIVACY, { "site.texts.privacy": "We keep <little>.\n\nAsk Pat & Co." });
  expect(text).toContain("<p>We keep &lt;little&gt;.</p><p>Ask Pat &amp; Co.</p>");
  expect(text).not.toContain("What we keep");
});

test.each(["/book", "/book/glass", "/book/manage", PRIVACY, TERMS, "/book/nowhere", `${API}/docs`])(
  "the foot of %s leads to both",
  async (path) => {
    const { text } = await APP.get(path);
    const foot = text.slice(text.lastIndexOf("<footer"));
    for (const link of [PRIVACY, TERMS]) expect(foot).toContain(`href="${link}"`);
  },
);

test("the box for texts about a request is where the shop answers by text, and not at a booking", async () => {
  const on = { "messages.quote_reply_sms.enabled": true };
  const box = 'name="consent_sms" type="checkbox" value="yes">';
  const glass = "/book/glass?site_type=commercial&total_sqft=350";
  const booking = "/book?vehicle_type=suv&film_type=ceramic&start=2026-11-24T09:00";
  expect((await read(glass)).text).not.toContain(box);
  expect((await read(glass, on)).text).toContain(box);
  expect((await read(booking, on)).text).not.toContain(box);
  expect((await read(booking, { "messages.confirmation_sms.enabled": true })).text).toContain(box);
});
