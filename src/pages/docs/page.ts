/** The documentation as pages: text and changelog without a script, and Swagger UI, which loads nothing from elsewhere. */
import { readFileSync } from "node:fs";
import styleFile from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import scriptFile from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import type { Rendered } from "../../capabilities/core/document.ts";
import { PRIVACY_PATH, TERMS_PATH } from "../../catalog/page-addresses.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import { apiUrl, REFERENCE } from "../../discovery/common.ts";
import { jsonLd } from "../../discovery/json-ld.ts";
import { ERRORS } from "../../errors.ts";
import { type Html, html, lines, raw } from "../../lib/html.ts";
import { inlineSource, pagePolicy, sheet, wholePage } from "../markup/page.ts";
import { RELEASES } from "./changelog.ts";
import docs from "./docs.css" with { type: "text" };
import type { Section } from "./section.ts";
import { introduction } from "./text.ts";

const DOCS = `${API_PREFIX}/docs`;

export function docsPage(catalog: Shop, sections: readonly Section[]): Rendered {
  const { name } = catalog.business;
  const ids = sections.flatMap((one) => [one, ...(one.sections ?? [])]).map(({ id }) => id);
  const places = new Set<string>([...ids, ...Object.keys(ERRORS)]);
  const head = html`<link rel="alternate" type="text/markdown" href="${DOCS}-md">
<link rel="service-desc" type="application/json" href="${API_PREFIX}/openapi.json">
<script type="application/ld+json">${raw(jsonLd(catalog))}</script>
`;
  return renderPage(catalog, {
    title: `${name} API`,
    description: introduction(catalog),
    path: "/docs",
    head,
    tools: html`<button type="button" class="quiet" popovertarget="contents">Contents</button>`,
    body: html`<nav id="contents" class="contents" aria-label="On this page" popover><ul>${sections.map(contents)}</ul></nav>
<main id="main">
<h1>${name} API</h1>
<p>${introduction(catalog)}</p>
${lines(sections.map((one) => sectionHtml(one, places, 2)))}`,
  });
}

function contents({ id, title, sections = [] }: Section): Html {
  const inner = sections.length > 0 && html`<ul>${sections.map(contents)}</ul>`;
  return html`<li><a href="#${id}">${title}</a>${inner}</li>`;
}

function sectionHtml(section: Section, places: ReadonlySet<string>, level: 2 | 3): Html {
  const { id, title, text, reference, sections = [] } = section;
  const link =
    reference && html`<p><a href="${reference}">Try it in the reference<span class="hidden">: ${title}</span></a></p>`;
  return html`<section aria-labelledby="${id}">
<h${level} id="${id}">${title}</h${level}>
${markdown(text, (name) => name !== id && places.has(name))}${link}
${lines(sections.map((one) => sectionHtml(one, places, 3)))}
</section>`;
}

export function changelogPage(catalog: Shop): Rendered {
  const releases = RELEASES.map(({ version, date, changes }) => {
    const released = date && html` <time datetime="${date}">${date}</time>`;
    return html`<section><h2 id="v${version.toLowerCase()}">${version}${released}</h2>${markdown(changes)}</section>`;
  });
  return renderPage(catalog, {
    title: `${catalog.business.name} API changelog`,
    description: "What each version changed in the API.",
    path: "/docs/changelog",
    body: html`<main id="main">
<h1>Changelog</h1>
<p>What each version changed in the API.</p>
${lines(releases)}`,
  });
}

interface DocsPage extends Record<"title" | "description" | "path", string> {
  head?: Html;
  tools?: Html;
  /** With the beginning of its `main`, which the foot ends. */
  body: Html;
}

function renderPage(catalog: Shop, { title, description, path, head, tools, body }: DocsPage): Rendered {
  const { name, phone, email } = catalog.business;
  const style = sheet(catalog, docs);
  const links = LINKS.map(([address, words]) => {
    const current = address === API_PREFIX + path && html` aria-current="page"`;
    return html`<a href="${address}"${current}>${words}</a> `;
  });
  const content = wholePage(
    {
      title,
      listed: { title, description, address: apiUrl(catalog, path) },
      icon: `${DOCS}/icon.svg`,
      head: html`${head}<style>${raw(style)}</style>`,
      body: html`<header class="top"><a class="shop" href="${DOCS}">${name}</a><nav aria-label="Documents">${tools}${links}</nav></header>
${body}
<footer><p>${name} · ${phone} · ${email} · <a href="${PRIVACY_PATH}">Privacy</a> · <a href="${TERMS_PATH}">Terms</a></p></footer>
</main>`,
    },
    catalog,
  );
  // The policy need not allow the JSON-LD block: it is data, which browsers do not execute.
  return { body: content, headers: pagePolicy({ "style-src": inlineSource(style), "img-src": "'self'" }) };
}

const LINKS = [
  [DOCS, "Docs"],
  [REFERENCE, "Reference"],
  [`${API_PREFIX}/openapi.json`, "OpenAPI"],
  [`${DOCS}-md`, "Markdown"],
  [`${DOCS}/changelog`, "Changelog"],
] as const;

/**
 * Markdown as HTML. Raw HTML is switched off, so text of the catalog can never become markup.
 * @param leadsOn whether the name is that of another section, or of an error code
 */
function markdown(text: string, leadsOn: (name: string) => boolean = () => false): Html {
  const made = Bun.markdown.html(text, { noHtmlBlocks: true, noHtmlSpans: true });
  return raw(
    made
      // Bun escapes the brackets of an IPv6 address, which no browser reads then.
      .replace(/(href="https?:\/\/)%5B([\da-f:]+)%5D/g, "$1[$2]")
      // A line about an error code is where its name leads.
      .replace(/<li><code>([A-Z_]+)<\/code> \(/g, (line, code) =>
        code in ERRORS ? `<li id="${code}"><b>${code}</b> (` : line,
      )
      .replace(/<code>(\w+)<\/code>/g, (code, name) => (leadsOn(name) ? `<a href="#${name}">${code}</a>` : code))
      // Each may be wider than the page, so the keyboard has to reach it.
      .replaceAll("<pre>", '<pre tabindex="0">')
      .replace(/<table>[\s\S]*?<\/table>/g, '<div class="wide" tabindex="0">$&</div>')
      .replaceAll("<th>", '<th scope="col">'),
  );
}

export const styleSheet = () => readFileSync(styleFile, "utf8");
export const script = () => readFileSync(scriptFile, "utf8");

/** Requests go to the page's own origin, whichever address the document names. */
const START = `fetch("${API_PREFIX}/openapi.json")
  .then((response) => response.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: "${API_PREFIX}" }] },
      dom_id: "#swagger-ui",
      deepLinking: true,
      validatorUrl: null,
    }),
  );`;

export function referencePage({ business: { name } }: Shop): Rendered {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} API reference</title>
<meta name="description" content="Every operation of the API, to be tried from the page.">
<link rel="icon" href="${DOCS}/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${REFERENCE}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"><p>The reference needs JavaScript; <a href="${DOCS}">the documentation</a> does not.</p></div>
<script src="${REFERENCE}/swagger-ui-bundle.js"></script>
<script>${raw(START)}</script>
</body>
</html>
`;
  const headers = pagePolicy({
    "script-src": `'self' ${inlineSource(START)}`,
    "style-src": "'self'",
    // Swagger UI draws its icons from data: addresses.
    "img-src": "'self' data:",
    "connect-src": "'self'",
  });
  return { body: body.markup, headers };
}
