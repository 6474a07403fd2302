/** The docs page: one HTML file under a policy that forbids loading anything from other hosts. */
import type { Catalog } from "../../../catalog/schema.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import type { SampleOf } from "../../../discovery/samples.ts";
import { keyRule, siteUrl, summaryOf } from "../../../discovery/site.ts";
import { VERSION } from "../../../lib/version.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import type { Section } from "../content/blocks.ts";
import { content } from "../content/content.ts";
import style from "./docs.css" with { type: "text" };
import script from "./docs.js" with { type: "text" };
import { inlineSource, pagePolicy } from "./policy.ts";
import { methodPill, sectionHtml } from "./sections.ts";

const { escapeHTML } = Bun;

export function docsPage(catalog: Catalog, sampleOf: SampleOf): { body: string; headers: Record<string, string> } {
  const { name, phone, email } = catalog.business;
  const sections = content(catalog, sampleOf);
  const origin = siteUrl(catalog, "");
  const body = `<!doctype html>
<html lang="en">
${head(catalog)}
<body>
<a class="skip" href="#main">Skip to the content</a>
${header(catalog)}
<div class="columns">
<nav aria-label="On this page"><details><summary>On this page</summary><ul>${sections.map(navItem).join("")}</ul></details></nav>
<main id="main">
${sections.map((section) => sectionHtml(section, origin)).join("\n")}
</main>
</div>
<footer><p>${escapeHTML(name)}, ${escapeHTML(phone)}, ${escapeHTML(email)}</p></footer>
<script type="module">${script}</script>
</body>
</html>
`;
  return { body, headers: POLICY };
}

function head(catalog: Catalog): string {
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHTML(catalog.business.name)} API</title>
<meta name="description" content="${escapeHTML(summaryOf(catalog))}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${API_PREFIX}/docs/icon.svg" type="image/svg+xml">
<link rel="alternate" type="text/markdown" href="${API_PREFIX}/docs-md">
<link rel="service-desc" type="application/json" href="${API_PREFIX}/openapi.json">
<style>${style}</style>
<script type="application/ld+json">${jsonLd(catalog)}</script>
</head>`;
}

function header(catalog: Catalog): string {
  const { business, site } = catalog;
  const fact = (name: string, value: string) => `<div><dt>${name}</dt><dd><code>${escapeHTML(value)}</code></dd></div>`;
  const link = (path: string, name: string) => `<a href="${API_PREFIX}${path}">${name}</a>`;
  const links = [
    link("/docs/explorer", "Explorer"),
    link("/openapi.json", "OpenAPI"),
    link("/capabilities", "Manifest"),
    link("/docs-md", "Markdown"),
  ];
  return `<header>
<p class="kicker">${escapeHTML(business.service_area.label)} · API ${VERSION}</p>
<h1>${escapeHTML(business.name)}</h1>
<p class="lead">${escapeHTML(summaryOf(catalog))} JSON over HTTP, for websites, scripts and AI assistants. ${keyRule(catalog)}</p>
<dl class="facts">
${fact("Base URL", site.base_url)}
${fact("For AI agents", site.agent_proxy_url)}
${fact("MCP server", site.mcp_url)}
</dl>
<p class="links">${links.join("")}</p>
</header>`;
}

function navItem({ id, title, method, sections = [] }: Section): string {
  const name = method ? `${methodPill(method)} ${escapeHTML(title.slice(method.length + 1))}` : escapeHTML(title);
  const inner = sections.length > 0 ? `<ul>${sections.map(navItem).join("")}</ul>` : "";
  return `<li><a href="#${id}">${name}</a>${inner}</li>`;
}

/** The policy need not allow the JSON-LD block: it is data, which browsers do not execute. */
const POLICY = pagePolicy({
  "style-src": inlineSource(style),
  "script-src": inlineSource(script),
  "connect-src": "'self'",
  "img-src": "'self'",
});
