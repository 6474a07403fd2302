/** `bun run pictures` takes the pictures of the pages for the README: light and dark, on a desk and on a phone. */
import { join } from "node:path";
import { openBrowser, visit } from "./agents/browser.ts";
import { listen } from "./agents/listen.ts";
import { API, CATALOG } from "./helpers.ts";

const FOLDER = new URL("../docs/pictures", import.meta.url).pathname;

const PAGES = [
  { name: "docs", path: `${API}/docs#automotive_estimate` },
  { name: "book", path: "/book?vehicle_type=suv&film_type=ceramic&front_shade=50&rear_shade=15" },
];
const SCREENS = [
  { name: "desk", viewport: { width: 1280, height: 720 } },
  { name: "phone", viewport: { width: 390, height: 844 } },
];

await using server = listen();
// The pages name the shop's own addresses.
server.setCatalog({
  "site.url": CATALOG.site.url,
  "site.base_url": CATALOG.site.base_url,
  "site.mcp_url": CATALOG.site.mcp_url,
});
const browser = await openBrowser();
for (const { name, path } of PAGES) {
  for (const { name: screen, viewport } of SCREENS) {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await visit(browser, server.url + path, { viewport, colorScheme });
      // At most 256 colours instead of all shades: a third of the size.
      const picture = new Bun.Image(await page.screenshot()).png({ palette: true, colors: 256, compressionLevel: 9 });
      await Bun.write(join(FOLDER, `${name}-${screen}-${colorScheme}.png`), await picture.bytes());
      await page.close();
    }
  }
}
await browser.close();
