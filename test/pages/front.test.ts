/** The first screen: the vehicle with its slider, what it costs, when the shop is open, and what others say of it. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const plain = (text: string) => text.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");
const AT = (time: string) => Temporal.Instant.from(time);

describe("the first screen", () => {
  test("has the lowest price, how to pay, the first fact, the hours of today and the way", async () => {
    const { text } = await APP.get("/book");
    expect(text).toContain('<p class="total">from $249</p>');
    expect(text).toContain("Pay at the shop · Free to cancel · Lifetime warranty");
    expect(text).toMatch(/<a href="https:\/\/marlowridge.example\/map" target="_blank">Directions<\/a>/);
    expect(text).toContain('<input type="range" id="look"');
  });

  test.each([
    ["2026-11-23T15:00:00Z", "Open today until 6 PM · Marietta · Directions"],
    ["2026-11-23T12:00:00Z", "Opens today at 9 AM · Marietta"],
    ["2026-11-24T01:00:00Z", "Opens tomorrow at 9 AM · Marietta"],
    // Thanksgiving.
    ["2026-11-26T16:00:00Z", "Opens tomorrow at 9 AM · Marietta"],
    ["2026-11-28T21:00:00Z", "Opens Mon, Nov 30 at 9 AM · Marietta"],
  ])("at %s: %s", async (now, said) => {
    const { text } = await testApp({ now: AT(now) }).get("/book");
    expect(plain(text)).toContain(said);
  });

  test("where bookings are changed by phone, nothing is free to cancel; a shop without facts says none", async () => {
    const catalog = catalogWith({ "bookings.self_service.enabled": false, "site.facts": [] });
    const { text } = await testApp({ catalog }).get("/book");
    expect(text).toContain('<p class="promise">Pay at the shop</p>');
  });

  test("a shop without a map link of its own is found by its address", async () => {
    const catalog = catalogWith({ "business.links": {}, "business.geo": { latitude: 0, longitude: 0 } });
    const { text } = await testApp({ catalog }).get("/book");
    expect(text).toContain('href="https://maps.google.com/?q=100+Example+Parkway%2C+Marietta%2C+GA+30060"');
  });

  test("work without film has no slider", async () => {
    const { text } = await APP.get("/book?service_type=film_removal");
    expect(text).not.toContain('id="look"');
    expect(text).toContain('<p class="total">from $150</p>');
  });
});

describe("trust", () => {
  const reviews = { rating: 4.9, count: 212, source: "Google", url: "https://g.example/r", reviewed_on: "2026-11-01" };

  test("nothing is said that the catalog does not say", async () => {
    const { text } = await APP.get("/book");
    expect(text).not.toContain("review");
    expect(text).not.toContain('class="photos"');
  });

  test("reviews lead to where they stand", async () => {
    const { text } = await testApp({ catalog: catalogWith({ "site.reviews": reviews }) }).get("/book");
    expect(text).toContain('<a href="https://g.example/r" target="_blank">4.9 from 212 reviews on Google</a>');
  });

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
