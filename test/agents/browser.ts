/** Opens pages in Chromium and records every request to another host. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

export async function openBrowser(): Promise<Browser> {
  const path = NAMES.map((name) => Bun.which(name)).find((found) => found !== null);
  if (!path) throw new Error(`these tests need one of ${NAMES.join(", ")}: apt-get install chromium`);
  // Chromium has no sandbox when it runs as root in a container.
  return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

export interface Visit {
  page: Page;
  /** Requests to other hosts, warnings and errors on the console, errors of the page. */
  complaints: string[];
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  const { origin } = new URL(url);
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(`asks for ${request.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url, { waitUntil: "load" });
  return { page, complaints };
}
