/** The docs page and the reference in a browser: no request to another host, and the docs accessible. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { API, appWith, CATALOG, testApp } from "../helpers.ts";
import { axeIssues, BY_LOOK, openBrowser, visit, visitAgain } from "./browser.ts";
import { type Listening, listen } from "./listen.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

setDefaultTimeout(120_000);

let browser: Browser;
/** For visits without wishes about the browser. */
let plain: Page;
let server: Listening;
beforeAll(async () => {
  browser = await openBrowser();
  plain = await browser.newPage();
  server = listen({ edits: { "rate_limits.anonymous_per_minute": 10_000 } });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const overflowOf = (page: Page) => page.evaluate("document.documentElement.scrollWidth - innerWidth");

/** The page's policy would block axe as well. The policy is tested below. */
const forAxe = (width: number, colorScheme: "light" | "dark") => ({
  viewport: { width, height: 844 },
  colorScheme,
  bypassCSP: true,
});

describe("the page", () => {
  test("dark and narrow, light and wide: axe finds no fault; nothing overflows at any width", async () => {
    const { page, violations } = await visit(browser, `${server.url}${API}/docs`, forAxe(390, "dark"));
    for (const [width, colorScheme] of [
      [390, "dark"],
      [1280, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      // The text is the same in both; only its colours and its places differ.
      const rules = width === 390 ? undefined : BY_LOOK;
      expect([colorScheme, await axeIssues(page, rules)]).toEqual([colorScheme, []]);
    }
    for (const width of [320, 390, 768, 1280, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, await overflowOf(page)]).toEqual([width, 0]);
    }
    expect(violations).toEqual([]);
    await page.close();
  });

  test("the first screen is content, at every width", async () => {
    const { page } = await visit(browser, `${server.url}${API}/docs`, { viewport: { width: 1440, height: 900 } });
    const start = () => page.evaluate<number>("document.querySelector('main section').getBoundingClientRect().top");
    expect(await start()).toBeLessThanOrEqual(240);
    // On a wide screen the contents are beside it, in sight.
    expect(await page.locator(".contents").isVisible()).toBe(true);
    for (const [width, most] of [
      [390, 300],
      [320, 340],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      expect([width, (await start()) <= most, await overflowOf(page)]).toEqual([width, true, 0]);
    }
    await page.close();
  });

  test("the keyboard reaches everything: the first stop skips to the content", async () => {
    const { page } = await visitAgain(plain, `${server.url}${API}/docs`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#main$/);
    const unreachable: unknown = await page.evaluate(
      "[...document.querySelectorAll('pre, .wide')].filter((box) => box.scrollWidth > box.clientWidth && box.tabIndex < 0).length",
    );
    expect(unreachable).toBe(0);
  });

  test("without scripts it is complete, the contents open, and a request leads to its operation in the reference", async () => {
    const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } };
    const { page } = await visit(browser, `${server.url}${API}/docs`, options);
    for (const { id } of CAPABILITIES) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
    expect(await page.locator("script:not([type='application/ld+json'])").count()).toBe(0);
    expect(await page.locator(".contents").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Contents" }).click();
    await page.locator(".contents").getByRole("link", { name: "Limits" }).click();
    await page.waitForURL(/#limits$/);
    for (const { id, operationId } of CAPABILITIES) {
      const link = page.locator(`section:has(> #${id}) > p > a[href*="/docs/explorer"]`);
      expect(await link.getAttribute("href")).toBe(`${API}/docs/explorer#/Capabilities/${operationId}`);
    }
    await page.close();
  });

  test("it is light: at most 150,000 bytes and 3,000 elements", async () => {
    const { page } = await visitAgain(plain, `${server.url}${API}/docs`);
    const { text } = await testApp().get(`${API}/docs`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(150_000);
    expect(await page.locator("*").count()).toBeLessThanOrEqual(3_000);
  });

  test("a script in the catalog becomes text, in the JSON-LD too", async () => {
    const name = "</script><script>document.title = 'caught'</script>";
    server.setCatalog({ "business.name": name });
    const { page } = await visitAgain(plain, `${server.url}${API}/docs`);
    expect(await page.title()).toBe(`${name} API`);
    expect(await page.locator("h1").textContent()).toStartWith(name);
    server.setCatalog({});
  });
});

test("the reference lists every operation and tries one on its own origin, asking no other", async () => {
  // The document names the catalog's addresses, but the page sends to its own origin.
  server.setCatalog({ "site.url": CATALOG.site.url, "site.base_url": CATALOG.site.base_url });
  const { page, violations } = await visit(browser, `${server.url}${API}/docs/explorer`);
  const { paths } = (await (await fetch(`${server.url}${API}/openapi.json`)).json()) as OpenApiDocument;
  const operation = page.locator("#operations-Capabilities-get_location");
  await operation.locator(".opblock-summary-control").click();
  expect(await page.locator(".opblock").count()).toBe(Object.values(paths).flatMap(Object.keys).length);
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table .response-col_status").nth(1);
  expect(await answer.textContent()).toContain("200");
  expect(await operation.locator(".request-url").textContent()).toContain(`${server.url}${API}/location`);
  expect(violations).toEqual([]);
  server.setCatalog({});
  await page.close();
});

test("JSON-LD describes the shop, its hours and its offers", async () => {
  const { text } = await appWith({ "automotive.vehicle_types.coupe.standard.full": 111 }).get(`${API}/docs`);
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? "");
  expect(data).toMatchObject({
    "@context": "https://schema.org",
    "@type": "AutoRepair",
    name: CATALOG.business.name,
    keywords: "Window tinting service",
    geo: { "@type": "GeoCoordinates", latitude: 33.9526, longitude: -84.5499 },
    address: { postalCode: "30060", addressCountry: "US" },
  });
  expect(data.areaServed.map(({ name }: { name: string }) => name)).toContain("Cobb County, GA");
  expect(data.openingHoursSpecification).toHaveLength(6);
  expect(data.specialOpeningHoursSpecification).toContainEqual({
    "@type": "OpeningHoursSpecification",
    validFrom: "2026-11-26",
    validThrough: "2026-11-26",
    opens: "00:00",
    closes: "00:00",
  });
  expect(data.makesOffer).toHaveLength(CATALOG.services.length);
  expect(data.makesOffer[0].priceSpecification).toMatchObject({ priceCurrency: "USD", minPrice: 111 });
});
