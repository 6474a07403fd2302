/** The docs page: one HTML file under a policy that forbids loading anything from other hosts. */
import type { Rendered } from "../../../capabilities/core/document.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import type { SampleOf } from "../../../discovery/sampled.ts";
import { keyRule, siteUrl, summaryOf } from "../../../discovery/site.ts";
import { VERSION } from "../../../lib/version.ts";
import { type Html, html, lines, raw } from "../../markup/html.ts";
import { inlineSource, pagePolicy } from "../../markup/page.ts";
import type { Section } from "../content/blocks.ts";
import { content } from "../content/content.ts";
import { snippetSource } from "../content/snippets.ts";
import { docsStyle, documentLinks, foot, withChrome } from "./chrome.ts";
import reading from "./client/reading.js" with { type: "text" };
import searching from "./client/search.js" with { type: "text" };
import trying from "./client/trying.js" with { type: "text" };
import { methodPill, sectionHtml } from "./sections.ts";

const PATH = "/docs";
const SCRIPTS = [reading, searching, `${snippetSource()}\n${trying}`];

export function docsPage(catalog: Shop, sampleOf: SampleOf, examples: Examples): Rendered {
  const { name } = catalog.business;
  const summary = summaryOf(catalog);
  const style = docsStyle(catalog);
  const sections = content(catalog, sampleOf, examples);
  const page = {
    title: `${name} API`,
    description: summary,
    path: PATH,
    head: html`<link rel="alternate" type="text/markdown" href="${API_PREFIX}/docs-md">
<link rel="service-desc" type="application/json" href="${API_PREFIX}/openapi.json">
<style>${raw(style)}</style>
<script type="application/ld+json">${raw(jsonLd(catalog))}</script>`,
    tools: TOOLS,
    body: html`<nav id="contents" class="contents" aria-label="On this page" popover>
<ul>${sections.map(navItem)}</ul>
<p class="links">${documentLinks(PATH)}</p>
</nav>
<main id="main">
<div class="intro">
<h1>${name} <span>API ${VERSION}</span></h1>
<p>${summary} JSON over HTTP, for websites, scripts and AI assistants. ${keyRule(catalog)}</p>
</div>
${lines(sections.map((section) => sectionHtml(section, siteUrl(catalog, ""))))}
${foot(catalog)}
</main>
${lines(SCRIPTS.map((script) => html`<script type="module">${raw(script)}</script>`))}`,
  };
  // The policy need not allow the JSON-LD block: it is data, which browsers do not execute.
  const headers = pagePolicy({
    "style-src": inlineSource(style),
    "script-src": SCRIPTS.map(inlineSource).join(" "),
    "connect-src": "'self'",
    "img-src": "'self'",
  });
  return { body: withChrome(page, catalog), headers };
}

/** The button for the contents on narrow screens, and the search, which a script makes work. */
const TOOLS = raw(`<button type="button" class="quiet menu" popovertarget="contents">Contents</button>
<search hidden><input type="search" placeholder="Search" aria-label="Search this page" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><p class="hidden" role="status"></p><ul class="found" hidden></ul></search>`);

function navItem({ id, title, endpoint, sections = [] }: Section): Html {
  const inner = sections.length > 0 && html`<ul>${sections.map(navItem)}</ul>`;
  return html`<li><a href="#${id}">${endpoint && html`${methodPill(endpoint.method)} `}<span>${title}</span></a>${inner}</li>`;
}
