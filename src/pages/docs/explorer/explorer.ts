/** Swagger UI, served from its package, in the style of the docs: it makes no request to any other host. */
import { readFileSync } from "node:fs";
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Rendered } from "../../../capabilities/core/document.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { keyRule } from "../../../discovery/site.ts";
import { html, raw } from "../../markup/html.ts";
import { inlineSource, pagePolicy } from "../../markup/page.ts";
import { docsStyle, foot, withChrome } from "../html/chrome.ts";
import ownStyle from "./explorer.css" with { type: "text" };
import start from "./start-explorer.js" with { type: "text" };

const PATH = "/docs/explorer";
const FILES = API_PREFIX + PATH;

/** The style sheet of Swagger UI. */
export function styleSheet(): string {
  return readFileSync(styleFile, "utf8");
}

/** The script of Swagger UI. */
export function script(): string {
  return readFileSync(scriptFile, "utf8");
}

export function explorerPage(catalog: Shop): Rendered {
  const style = docsStyle(catalog) + ownStyle;
  const page = {
    title: `${catalog.business.name} API explorer`,
    description: "Every operation of the API, to be tried from the page.",
    path: PATH,
    head: html`<link rel="stylesheet" href="${FILES}/swagger-ui.css">
<style>${raw(style)}</style>`,
    attributes: html` class="plain" data-prefix="${API_PREFIX}"`,
    content: "explorer",
    body: html`<div class="frame">
<section class="intro" aria-labelledby="title">
<h1 id="title">Explorer</h1>
<p>Every operation, tried from here. <a href="${API_PREFIX}/docs">The documentation</a> explains them. What acts is sent with <code>dry_run</code> as long as the sample says so.</p>
<p class="key-field"><label for="api-key">API key</label> <input id="api-key" autocomplete="off" spellcheck="false" placeholder="tint_live_…" aria-describedby="key-rule"> <span id="key-rule" class="note">${keyRule(catalog)} A key raises the limits.</span></p>
<h2 class="hidden">Operations</h2>
</section>
<div id="explorer"><p>The explorer needs JavaScript; <a href="${API_PREFIX}/docs">the documentation</a> does not.</p></div>
${foot(catalog)}
</div>
<script src="${FILES}/swagger-ui-bundle.js"></script>
<script>${raw(start)}</script>`,
  };
  const headers = pagePolicy({
    "script-src": `'self' ${inlineSource(start)}`,
    "style-src": `'self' ${inlineSource(style)}`,
    // Swagger UI draws its icons from data: addresses.
    "img-src": "'self' data:",
    "connect-src": "'self'",
  });
  return { body: withChrome(page, catalog), headers };
}
