/** The shop's own pages: how people come in, the first screen, the legal texts, and the owner's colors and frames. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SURFACES } from "../../src/catalog/sections/site.ts";
import { API, appWith, CATALOG, CATALOG_TEXT, catalogOf, catalogWith, dateFromNow, testApp } from "../helpers.ts";
import { APP, CHOSEN, say } from "./form.ts";

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("a browser", () => {
  test.each([
    ["/Book", "/book"],
    ["/BOOK/", "/book"],
    ["/Book?service_type=film_removal", "/book?service_type=film_removal"],
    ["/book/Manage", "/book/manage"],
    ["/Book/Booked/7K2MQ9XA", "/book/booked/7K2MQ9XA"],
    ["/book-now.html", "/book"],
    ["/Appointments?vehicle_type=suv", "/book?vehicle_type=suv"],
    ["/cancel", "/book/manage"],
    ["/docs", "/api/v1/docs"],
    ["/contact?a=1", "/book?a=1#hours"],
    ["/privacy-policy", "/book/privacy"],
    ["/residential", "/book/glass"],
    ["/security.txt", "/.well-known/security.txt"],
  ])("is led from %s to %s, and arrives", async (from, to) => {
    const { status, headers } = await APP.get(from, { headers: BROWSER });
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([301, to, "no-store"]);
    if (!to.includes("/booked/")) expect((await APP.get(to.replace(/#.*/, ""), { headers: BROWSER })).status).toBe(200);
  });

  test.each(["/nowhere", "/wp-login.php", "/book/x", "/api/v1/nowhere", "/api/v1/capabilities/x", "/calendar/x.ics"])(
    "reads of %s that there is no such page, and where to go on",
    async (path) => {
      const { status, text, headers } = await APP.get(path, { headers: BROWSER });
      expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
      for (const part of ["<h1>There is no such page</h1>", "Marlow Ridge Window Film", 'href="tel:+14045550142"'])
        expect(text).toContain(part);
      expect(text).toContain('<a class="button" href="/book">Book</a>');
      expect(text).toContain('href="/book/manage">Change a booking</a>');
    },
  );
});

test.each([
  ["/book", "Book your window tint", "", "$249 – $379"],
  ["/book?service_type=film_removal", "Film removal", "?service_type=film_removal", "$150 – $250"],
  [
    "/book?service_type=clearplex&vehicle_type=suv",
    "Clear windshield protective film",
    "?service_type=clearplex",
    "$395 – $495",
  ],
])("%s has a name, an address and a price of its own", async (path, title, query, price) => {
  const { text } = await APP.get(path);
  expect(text).toContain(`<title>${title} · Marlow Ridge Window Film</title>`);
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).toContain(`<link rel="canonical" href="https://marlowridge.example/book${query}">`);
  expect(/name="description" content="([^"]*)"/.exec(text)?.[1]).toContain(price);
});

test("every page has the hours of the week at its foot, and the way on a map", async () => {
  const { text } = await APP.get("/book/privacy");
  expect(text.replace(/<[^>]+>/g, "")).toContain("Mon – Fri 9 AM – 6 PM Sat 9 AM – 3 PM Sun closed");
  expect(text).toContain('href="https://marlowridge.example/map"');
});

test("crawlers find the pages, phones an icon, and who finds a hole the address", async () => {
  const app = testApp();
  const { text: sitemap } = await app.get("/sitemap.xml");
  for (const path of ["/book", "/book?service_type=film_removal", "/book/glass", "/api/v1/docs"])
    expect(sitemap).toContain(`<loc>https://marlowridge.example${path}</loc>`);
  const { text: robots } = await app.get("/robots.txt");
  for (const said of ["User-agent: *\nAllow: /\n", "/llms.txt", "Sitemap: https://marlowridge.example/sitemap.xml"])
    expect(robots).toContain(said);
  const { text } = await app.get("/.well-known/security.txt");
  expect(text).toContain("Contact: mailto:hello@example.com\n");
  // 180 days after the day of the test's clock.
  expect(text).toContain(`Expires: ${dateFromNow(180)}T00:00:00Z\n`);
  for (const [path, type] of [
    ["/favicon.ico", "image/x-icon"],
    ["/apple-touch-icon.png", "image/png"],
  ] as const) {
    const { status, headers } = await app.get(path);
    expect([status, headers.get("content-type")]).toEqual([200, type]);
  }
});

const plain = (text: string) => text.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");
const AT = (time: string) => Temporal.Instant.from(time);

const TAX = { tax: { status: "added", rate_pct: 8.875, label: "Sales tax" } };
const REVIEWS = { rating: 4.9, count: 212, source: "Google", url: "https://g.example/r", reviewed_on: "2026-11-01" };

say([
  // The lowest price, how to pay, the first fact and the way; of other people nothing that the catalog does not say.
  ["/book", ["from $249", "Pay at the shop · Free to cancel · Lifetime warranty", '<input type="range" id="look"']],
  ["/book", ['map" target="_blank">Directions</a>'], ["review", 'class="photos"']],
  ["/book?service_type=film_removal", ["from $150"], ['id="look"']],
  // Where bookings are changed by phone, nothing is free to cancel; a shop without facts says none.
  ["/book", [">Pay at the shop</p>"], [], { "bookings.self_service.enabled": false, "site.facts": [] }],
  // A shop without a map link of its own is found by its address.
  [
    "/book",
    [/href="https:\/\/maps\.google\.com\/\?q=100\+Example\+Parkway%2C\+Marietta%2C\+GA\+30060"/],
    [],
    { "business.links": {}, "business.geo": { latitude: 0, longitude: 0 } },
  ],
  [
    "/book",
    ['"https://g.example/r" target="_blank">4.9 from 212 reviews on Google</a>'],
    [],
    { "site.reviews": REVIEWS },
  ],
  // Where tax comes on top, each price that holds it says so.
  ["/book?vehicle_type=suv&film_type=ceramic", ['<b class="amount">$652.16</b> with Sales tax</span>'], [], TAX],
  [CHOSEN, ['<b class="amount">$652.16</b> with Sales tax · pay at the shop</p>'], [], TAX],
]);

test.each([
  ["2026-11-23T15:00:00Z", "Open today until 6 PM · Marietta · Directions"],
  ["2026-11-23T12:00:00Z", "Opens today at 9 AM · Marietta"],
  ["2026-11-24T01:00:00Z", "Opens tomorrow at 9 AM · Marietta"],
  // Thanksgiving.
  ["2026-11-26T16:00:00Z", "Opens tomorrow at 9 AM · Marietta"],
  ["2026-11-28T21:00:00Z", "Opens Mon, Nov 30 at 9 AM · Marietta"],
])("the first screen at %s: %s", async (now, said) => {
  const { text } = await testApp({ now: AT(now) }).get("/book");
  expect(plain(text)).toContain(said);
});

describe("trust", () => {
  test("photos are shown, lazily; of the catalog's folder no other file is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "photos-"));
    writeFileSync(join(folder, "camry.jpg"), "a picture");
    writeFileSync(join(folder, "other.jpg"), "secret");
    const photos = [
      { url: "camry.jpg", text: "A Camry" },
      { url: "https://photos.example/suv.jpg", text: "An SUV" },
    ];
    const app = testApp({ catalog: catalogWith({ "site.photos": photos }), folder });
    const { text, headers } = await app.get("/book");
    expect(text).toContain('<img src="/book/photos/camry.jpg" alt="A Camry" width="320" height="240" loading="lazy"');
    expect(headers.get("content-security-policy")).toContain("img-src 'self' https://photos.example/suv.jpg;");
    const photo = await app.get("/book/photos/camry.jpg");
    expect([photo.status, photo.text, photo.headers.get("content-type")]).toEqual([200, "a picture", "image/jpeg"]);
    for (const name of ["other.jpg", "catalog.yaml", "..%2Fcamry.jpg"])
      expect((await app.get(`/book/photos/${name}`)).status).toBe(404);
  });

  test.each(["../secret.jpg", "/etc/passwd", "http://photos.example/a.jpg", "notes.txt"])("%s is no photo", (url) => {
    expect(() => catalogWith({ "site.photos": [{ url, text: "x" }] })).toThrow();
  });
});

const PRIVACY = "/book/privacy";
const TERMS = "/book/terms";

async function read(path: string, edits: Record<string, unknown> = {}) {
  const { status, text, headers } = await appWith(edits).get(path);
  expect(status).toBe(200);
  return { text, headers };
}

test.each<[string, string, Record<string, unknown>, string[]]>([
  ["privacy", PRIVACY, {}, ["Marlow Ridge Window Film", "hello@example.com", "until you ask us to erase it"]],
  ["how long data is kept", PRIVACY, { retention_days: 400 }, ["erased 400 days after"]],
  ["what carriers ask for", PRIVACY, {}, ["Message and data rates may apply", "not sold", "reply HELP", "reply STOP"]],
  ["terms", TERMS, {}, ["no tax is added.", "up to 24 hours before", "Information, not legal advice"]],
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

const STYLE = readFileSync(new URL("../../src/pages/markup/base.css", import.meta.url), "utf8");

test("colours are judged on the backgrounds that the pages have", () => {
  const { light, dark } = SURFACES;
  expect(STYLE).toContain(`--sunken: light-dark(${light.sunken}, ${dark.sunken});`);
  expect(STYLE).toContain(`--on-accent: light-dark(${light.onAccent}, ${dark.onAccent});`);
});

const FAULTS: [edits: Record<string, unknown>, said: string][] = [
  [
    { "site.theme": { light: "#6fd0dd" } },
    "theme.light is hard to read on the light page: its contrast is 1.5 and must be 4.5",
  ],
  [{ "site.theme": { dark: "#0b5f6f" } }, "site.theme.dark is hard to read on the dark page: its contrast is 2.1"],
  [{ "site.theme": { light: "teal" } }, "site.theme.light must be a color with six digits, like #0b5f6f"],
  [{ "site.embed_origins": ["http://www.example.com"] }, "must begin with https://"],
  [{ "site.embed_origins": ["https://www.example.com/book"] }, "without a path"],
  [{ "site.embed_origins": ["*"] }, "without a path"],
  [{ "site.logo": "http://www.example.com/logo.svg" }, "site.logo must begin with https://"],
  [{ "automotive.drawings.tank": "tall" }, "automotive.drawings.tank must be a vehicle type"],
  [{ "automotive.vehicle_names.suf": "SUV" }, "automotive.vehicle_names.suf must be a vehicle type"],
];
test.each(FAULTS)("a catalog with %j is refused", (edits, said) => {
  expect(() => catalogWith(edits)).toThrow(said);
});

test.each([
  { "site.embed_origins": ["https://www.example.com", "http://localhost:8080", "http://127.0.0.1:3000"] },
  { "site.theme": { light: "#004080", dark: "#ffd166" } },
])("%j is fine", (edits) => {
  expect(() => catalogWith(edits)).not.toThrow();
});

test("a catalog from before these pages has the usual colours and words, and no frames", () => {
  const text = CATALOG_TEXT.replace(/ {2}# The pages that people see[\s\S]*?(?=\n\n)/, "");
  expect(text).not.toContain("embed_origins");
  const { site } = catalogOf(Bun.YAML.parse(text));
  // What speaks for a shop is never made up.
  expect(site).toEqual({ ...CATALOG.site, facts: [] });
});
