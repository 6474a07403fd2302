/** The docs page and the explorer in a browser: no request to another host, accessible, and the samples work. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { API, CATALOG, catalogWith, testApp } from "../helpers.ts";
import { openBrowser, visit } from "./browser.ts";
import { type Listening, listen } from "./listen.ts";

setDefaultTimeout(60_000);

let browser: Browser;
let server: Listening;
beforeAll(async () => {
  browser = await openBrowser();
  server = listen({ edits: { "rate_limits.anonymous_per_minute": 10_000 } });
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const SCREENS = [1280, 390].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ viewport: { width, height: 844 }, colorScheme })),
);
const NAMES = SCREENS.map((screen) => [`${screen.viewport.width} px, ${screen.colorScheme}`, screen] as const);

describe("the page", () => {
  test.each(NAMES)("%s: axe finds no fault, and nothing overflows", async (_, screen) => {
    // The page's policy would block axe as well. The policy is tested below.
    const { page, complaints } = await visit(browser, `${server.url}${API}/docs`, { ...screen, bypassCSP: true });
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    await page.evaluate(AXE);
    const violations: string = await page.evaluate(
      "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => JSON.stringify(violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html)])))",
    );
    expect(JSON.parse(violations)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("an estimate can be sent from it, under its own policy, to its own origin", async () => {
    const { page, complaints } = await visit(browser, `${server.url}${API}/docs`);
    const form = page.locator("#automotive_estimate").locator("..").locator("details.try");
    await form.locator("summary").click();
    await form.locator("textarea").fill(JSON.stringify({ vehicle_type: "van", film_type: "standard" }));
    await form.getByRole("button", { name: "Send" }).click();
    await form.locator(".answer pre").waitFor();
    expect(await form.locator(".answer p").textContent()).toStartWith("200");
    expect(JSON.parse((await form.locator(".answer pre").textContent()) ?? "").data.total).toBe(379);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("a booking is sent only after the reader ticks the box, and as it stands it is a dry run", async () => {
    const { page } = await visit(browser, `${server.url}${API}/docs`);
    const form = page.locator("#book_appointment").locator("..").locator("details.try");
    await form.locator("summary").click();
    await form.getByRole("button", { name: "Send" }).click();
    expect(await form.locator(".answer").textContent()).toBe("");
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Send" }).click();
    await form.locator(".answer pre").waitFor();
    expect(await form.locator(".answer p").textContent()).toStartWith("200");
    const body = (await form.locator(".answer pre").textContent()) ?? "";
    expect(JSON.parse(body).data.status).toBe("dry_run");
    await page.close();
  });

  test("the keyboard reaches everything: the first stop skips to the content", async () => {
    const { page } = await visit(browser, `${server.url}${API}/docs`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(page.url()).toEndWith("#main");
    const unreachable: unknown = await page.evaluate(
      "[...document.querySelectorAll('pre, .wide')].filter((box) => box.scrollWidth > box.clientWidth && box.tabIndex < 0).length",
    );
    expect(unreachable).toBe(0);
    await page.close();
  });

  test("without scripts it is complete, and shows no dead buttons", async () => {
    const { page } = await visit(browser, `${server.url}${API}/docs`, { javaScriptEnabled: false });
    expect(await page.locator("button:visible, .try:visible").count()).toBe(0);
    for (const { id } of CAPABILITIES) expect(await page.locator(`#${id}`).isVisible()).toBe(true);
    await page.close();
  });

  test("a script in the catalog becomes text, in the JSON-LD too", async () => {
    const name = "</script><script>document.title = 'caught'</script>";
    server.setCatalog({ "business.name": name });
    const { page } = await visit(browser, `${server.url}${API}/docs`);
    expect(await page.title()).toBe(`${name} API`);
    expect(await page.locator("h1").textContent()).toBe(name);
    server.setCatalog({});
    await page.close();
  });

  test("where the page may not write to the clipboard, there is no copy button", async () => {
    const page = await browser.newPage();
    // Over plain http, browsers offer no clipboard.
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })");
    await page.goto(`${server.url}${API}/docs`);
    await page.locator(".try").first().waitFor();
    expect(await page.locator(".copy:visible").count()).toBe(0);
    await page.close();
  });

  test("a copy button copies the command", async () => {
    const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
    const page = await context.newPage();
    await page.goto(`${server.url}${API}/docs`);
    await page.locator("#mcp-claude").locator("..").getByRole("button", { name: /^Copy/ }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `claude mcp add --transport http marlow-ridge-window-film ${server.url}/mcp`,
    );
    await context.close();
  });
});

describe("the explorer", () => {
  test("tries a request on its own origin, and asks no other", async () => {
    // The document names the catalog's addresses, but the explorer sends to the page's own origin.
    server.setCatalog({ "site.url": CATALOG.site.url, "site.base_url": CATALOG.site.base_url });
    const { page, complaints } = await visit(browser, `${server.url}${API}/docs/explorer`);
    await page.locator("#operations-Capabilities-get_location .opblock-summary-control").click();
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByRole("button", { name: "Execute" }).click();
    const answer = page.locator(".live-responses-table .response-col_status").nth(1);
    expect(await answer.textContent()).toContain("200");
    expect(await page.locator(".request-url").textContent()).toContain(`${server.url}${API}/location`);
    expect(complaints).toEqual([]);
    server.setCatalog({});
    await page.close();
  });
});

describe("JSON-LD", () => {
  test("describes the shop, its hours and its offers", async () => {
    const { text } = await testApp({
      catalog: catalogWith({ "automotive.vehicle_types.coupe.standard.full": 111 }),
    }).get(`${API}/docs`);
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
});

test("the Markdown holds the same sections, in the same order", async () => {
  const app = testApp();
  const [page, markdown] = [await app.get(`${API}/docs`), await app.get(`${API}/docs-md`)];
  const ofPage = [...page.text.matchAll(/<h[23] id="[^"]+"[^>]*><a [^>]+>(.*?)<\/a>/g)].map(([, title = ""]) =>
    title.replace(/<[^>]+>/g, ""),
  );
  expect(ofPage.length).toBeGreaterThan(20);
  expect([...markdown.text.matchAll(/^#{2,3} (.+)$/gm)].map(([, title]) => title)).toEqual(ofPage);
});
