/** The docs page: one HTML file under a policy that forbids loading anything from other hosts. */
import { derived } from "../../../catalog/derived.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import type { SampleOf } from "../../../discovery/samples.ts";
import { keyRule, siteUrl, summaryOf } from "../../../discovery/site.ts";
import { VERSION } from "../../../lib/version.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import type { Section } from "../content/blocks.ts";
import { content } from "../content/content.ts";
import { documentLinks, foot, head, topBar } from "./chrome.ts";
import reading from "./client/reading.js" with { type: "text" };
import searching from "./client/search.js" with { type: "text" };
import trying from "./client/trying.js" with { type: "text" };
import { inlineSource, pagePolicy } from "./policy.ts";
import { methodPill, sectionHtml } from "./sections.ts";
import { docsStyle } from "./style/style.ts";

const { escapeHTML } = Bun;

const PATH = "/docs";
const SCRIPTS = [reading, searching, trying];

export function docsPage(
  catalog: Catalog,
  sampleOf: SampleOf,
  examples: Examples,
): { body: string; headers: Record<string, string> } {
  const { name } = catalog.business;
  const sections = content(catalog, sampleOf, examples);
  const origin = siteUrl(catalog, "");
  const links = `<link rel="alternate" type="text/markdown" href="${API_PREFIX}/docs-md">
<link rel="service-desc" type="application/json" href="${API_PREFIX}/openapi.json">
<style>${docsStyle(catalog)}</style>
<script type="application/ld+json">${jsonLd(catalog)}</script>`;
  const body = `<!doctype html>
<html lang="en">
${head(catalog, { title: `${name} API`, description: summaryOf(catalog), path: PATH, head: links })}
<body>
<a class="skip" href="#main">Skip to the content</a>
${topBar(catalog, PATH, TOOLS)}
<nav id="contents" class="contents" aria-label="On this page" popover>
<ul>${sections.map(navItem).join("")}</ul>
<p class="links">${documentLinks(PATH)}</p>
</nav>
<main id="main">
<div class="intro">
<h1>${escapeHTML(name)} <span>API ${VERSION}</span></h1>
<p>${escapeHTML(summaryOf(catalog))} JSON over HTTP, for websites, scripts and AI assistants. ${keyRule(catalog)}</p>
</div>
${sections.map((section) => sectionHtml(section, origin)).join("\n")}
${foot(catalog)}
</main>
${SCRIPTS.map((script) => `<script type="module">${script}</script>`).join("\n")}
</body>
</html>
`;
  return { body, headers: policy(catalog) };
}

/** The button for the contents on narrow screens, and the search, which a script makes work. */
const TOOLS = `<button type="button" class="quiet menu" popovertarget="contents">Contents</button>
<search hidden><input type="search" placeholder="Search" aria-label="Search this page" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><p class="hidden" role="status"></p><ul class="found" hidden></ul></search>`;

function navItem({ id, title, endpoint, sections = [] }: Section): string {
  const pill = endpoint ? `${methodPill(endpoint.method)} ` : "";
  const inner = sections.length > 0 ? `<ul>${sections.map(navItem).join("")}</ul>` : "";
  return `<li><a href="#${id}">${pill}<span>${escapeHTML(title)}</span></a>${inner}</li>`;
}

/** The policy need not allow the JSON-LD block: it is data, which browsers do not execute. */
const policy = derived((catalog) =>
  pagePolicy({
    "style-src": inlineSource(docsStyle(catalog)),
    "script-src": SCRIPTS.map(inlineSource).join(" "),
    "connect-src": "'self'",
    "img-src": "'self'",
  }),
);
