/** How people come in: addresses in other letters, usual guesses, pages of single services, files that browsers and crawlers ask for. */
import { describe, expect, test } from "bun:test";
import { dateFromNow, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("a browser", () => {
  test.each([
    ["/Book", "/book"],
    ["/BOOK/", "/book"],
    ["/Book?service_type=film_removal", "/book?service_type=film_removal"],
    ["/book/Manage", "/book/manage"],
    ["/BOOK/GLASS", "/book/glass"],
    ["/Book/Booked/7K2MQ9XA", "/book/booked/7K2MQ9XA"],
    ["/booking", "/book"],
    ["/book-now.html", "/book"],
    ["/appointment", "/book"],
    ["/Appointments?vehicle_type=suv", "/book?vehicle_type=suv"],
    ["/quote", "/book"],
    ["/prices", "/book"],
    ["/manage", "/book/manage"],
    ["/cancel", "/book/manage"],
    ["/docs", "/api/v1/docs"],
    ["/hours", "/book#hours"],
    ["/contact?a=1", "/book?a=1#hours"],
    ["/privacy-policy", "/book/privacy"],
    ["/residential", "/book/glass"],
    ["/security.txt", "/.well-known/security.txt"],
  ])("is led from %s to %s, and arrives", async (from, to) => {
    const app = testApp();
    const { status, headers } = await app.get(from, { headers: BROWSER });
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([301, to, "no-store"]);
    if (!to.includes("/booked/")) expect((await app.get(to.replace(/#.*/, ""), { headers: BROWSER })).status).toBe(200);
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

  test("a program still gets JSON", async () => {
    const { status, json } = await APP.get("/nowhere");
    expect([status, json.error_code]).toEqual([404, "NOT_FOUND"]);
  });
});

test.each([
  ["/book", "Book your window tint", "https://marlowridge.example/book", "$249 – $379"],
  [
    "/book?service_type=film_removal",
    "Film removal",
    "https://marlowridge.example/book?service_type=film_removal",
    "$150 – $250",
  ],
  [
    "/book?service_type=clearplex&vehicle_type=suv",
    "Clear windshield protective film",
    "https://marlowridge.example/book?service_type=clearplex",
    "$395 – $495",
  ],
])("%s has a name, an address and a price of its own", async (path, title, canonical, price) => {
  const { text } = await APP.get(path);
  expect(text).toContain(`<title>${title} · Marlow Ridge Window Film</title>`);
  expect(text).toContain(`<h1>${title}</h1>`);
  expect(text).toContain(`<link rel="canonical" href="${canonical}">`);
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
  expect((await app.get("/robots.txt")).text).toContain("Sitemap: https://marlowridge.example/sitemap.xml");
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
