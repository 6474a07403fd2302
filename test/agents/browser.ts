/** Opens pages in Chromium, records every request to another host, and looks at them with axe. */
import { readFileSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { neededPath } from "../needs.ts";

export async function openBrowser(): Promise<Browser> {
  // Chromium has no sandbox when it runs as root in a container.
  return chromium.launch({ executablePath: neededPath("Chromium"), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Visit {
  page: Page;
  /** Requests to other hosts, warnings and errors on the console, errors of the page. */
  violations: string[];
}

/** In a page of its own. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  return visitWith(await browser.newPage(options), url);
}

/** In a page that may have been elsewhere, which takes half the time. Nothing is left of the visit before. */
export async function visitAgain(page: Page, url: string): Promise<Visit> {
  page.removeAllListeners();
  if (page.url() !== "about:blank") await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await page.context().clearCookies();
  return visitWith(page, url);
}

async function visitWith(page: Page, url: string): Promise<Visit> {
  const violations: string[] = [];
  const { origin } = new URL(url);
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      violations.push(`asks for ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) violations.push(message.text());
  });
  page.on("pageerror", (error) => violations.push(error.message));
  await page.goto(url, { waitUntil: "load" });
  return { page, violations };
}

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
/** The rules whose verdict depends on the width and the colours. */
export const BY_LOOK = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable", "region"];

/** What axe finds on a page, with the elements. @param rules all of axe's when left out */
export async function axeIssues(page: Page, rules?: string[]): Promise<unknown> {
  await page.evaluate(AXE);
  const only = rules ? `, runOnly: ${JSON.stringify(rules)}` : "";
  const found: string = await page.evaluate(
    `axe.run(document, {resultTypes: ['violations']${only}}).then(({violations}) => JSON.stringify(violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html)])))`,
  );
  return JSON.parse(found);
}
