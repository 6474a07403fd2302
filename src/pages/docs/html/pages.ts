/**
 * The pages of the documentation, in one frame: the docs, one HTML file under a policy that forbids loading anything from other
 * hosts, and the changelog.
 */
import type { Rendered } from "../../../capabilities/core/document.ts";
import { PRIVACY_PATH, TERMS_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { apiUrl, keyRule, type SampleOf, siteUrl, summaryOf } from "../../../discovery/common.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import { VERSION } from "../../../lib/version.ts";
import { type Html, html, items, lines, raw } from "../../markup/html.ts";
import { inlineSource, pagePolicy, sheet, wholePage } from "../../markup/page.ts";
import type { Section } from "../content/blocks.ts";
import { type ApiRelease, content, RELEASES } from "../content/content.ts";
import reading from "./client/reading.js" with { type: "text" };
import { inline, methodPill, sectionHtml } from "./sections.ts";
import bar from "./style/bar.css" with { type: "text" };
import code from "./style/code.css" with { type: "text" };
import screens from "./style/screens.css" with { type: "text" };
import words from "./style/text.css" with { type: "text" };

const PATH = "/docs";

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
<script type="module">${raw(reading)}</script>`,
  };
  // The policy need not allow the JSON-LD block: it is data, which browsers do not execute.
  const headers = pagePolicy({
    "style-src": inlineSource(style),
    "script-src": inlineSource(reading),
    "img-src": "'self'",
  });
  return { body: withChrome(page, catalog), headers };
}

/** The button for the contents on narrow screens. */
const TOOLS = raw('<button type="button" class="quiet menu" popovertarget="contents">Contents</button>');

function navItem({ id, title, endpoint, sections = [] }: Section): Html {
  const inner = sections.length > 0 && html`<ul>${sections.map(navItem)}</ul>`;
  return html`<li><a href="#${id}">${endpoint && html`${methodPill(endpoint.method)} `}<span>${title}</span></a>${inner}</li>`;
}

export function changelogPage(catalog: Shop): Rendered {
  const style = docsStyle(catalog);
  const page = {
    title: `${catalog.business.name} API changelog`,
    description: "What each version changed in the API.",
    path: "/docs/changelog",
    head: html`<style>${raw(style)}</style>`,
    attributes: html` class="plain"`,
    body: html`<main id="main">
<div class="intro">
<h1>Changelog</h1>
<p>What each version changed in the API.</p>
</div>
${lines(RELEASES.map(release))}
${foot(catalog)}
</main>`,
  };
  const headers = pagePolicy({ "style-src": inlineSource(style), "img-src": "'self'" });
  return { body: withChrome(page, catalog), headers };
}

function release({ version, date, changes }: ApiRelease): Html {
  const id = `v${version.toLowerCase()}`;
  const kinds = changes.map(({ kind, items: all }) => html`<h3>${kind}</h3><ul>${items(all.map(inline))}</ul>`);
  return html`<section class="release" aria-labelledby="${id}"><h2 id="${id}"><a href="#${id}">${version}${date && html` <time datetime="${date}">${date}</time>`}</a></h2>${kinds}</section>`;
}

const DOCS = `${API_PREFIX}/docs`;

/** The style of the documentation. The last sheet changes the others for wider screens. */
function docsStyle(catalog: Shop): string {
  return sheet(catalog, bar, words, code, screens);
}

interface DocsPage {
  title: string;
  description: string;
  /** From the base URL. */
  path: string;
  head: Html;
  attributes?: Html;
  /** Between the shop's name and the links, in the bar at the top. */
  tools?: Html;
  body: Html;
}

function withChrome(page: DocsPage, catalog: Shop): string {
  const { title, description, path, head, attributes, tools, body } = page;
  const { name } = catalog.business;
  return wholePage(
    {
      title,
      listed: { title, description, address: apiUrl(catalog, path) },
      icon: `${DOCS}/icon.svg`,
      head,
      attributes: { body: attributes },
      body: html`<header class="top">
<a class="brand" href="${DOCS}" aria-label="${name}: documentation">${ICON}<span>${name}</span></a>
${tools}
<nav class="links" aria-label="Documents">${documentLinks(path)}</nav>
</header>
${body}`,
    },
    catalog,
  );
}

const LINKS = [
  [DOCS, "Docs"],
  [`${DOCS}/explorer`, "Reference"],
  [`${API_PREFIX}/openapi.json`, "OpenAPI"],
  [`${DOCS}-md`, "Markdown"],
  [`${DOCS}/changelog`, "Changelog"],
] as const;

/** The descriptions of the API, as links. @param current path of the page itself */
function documentLinks(current: string): Html {
  const isCurrent = (path: string) => path === API_PREFIX + current;
  return html`${LINKS.map(([path, name]) => html`<a href="${path}"${isCurrent(path) && html` aria-current="page"`}>${name}</a>`)}`;
}

function foot({ business: { name, phone, email } }: Shop): Html {
  return html`<footer><p>${name} · ${phone} · ${email} · <a href="${PRIVACY_PATH}">Privacy</a> · <a href="${TERMS_PATH}">Terms</a></p></footer>`;
}

/** A car window behind film, drawn in the colours of the page. */
const ICON = raw(
  '<svg viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="14" fill="var(--accent)"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h13c4 0 7 3 7 7v22z" fill="var(--on-accent)" opacity=".85"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h6L25 44z" fill="var(--accent)" opacity=".55"/></svg>',
);
