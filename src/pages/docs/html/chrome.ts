/** The frame of every page of the documentation: bar at the top, content, foot; and the style. */

import { PRIVACY_PATH, TERMS_PATH } from "../../../catalog/page-addresses.ts";
import { perCatalog } from "../../../catalog/per-catalog.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { apiUrl } from "../../../discovery/site.ts";
import { type Html, html, raw } from "../../markup/html.ts";
import { sheet, wholePage } from "../../markup/page.ts";
import bar from "./style/bar.css" with { type: "text" };
import code from "./style/code.css" with { type: "text" };
import forms from "./style/forms.css" with { type: "text" };
import screens from "./style/screens.css" with { type: "text" };
import words from "./style/text.css" with { type: "text" };

const DOCS = `${API_PREFIX}/docs`;

/** The style of the documentation. The last sheet changes the others for wider screens. */
export const docsStyle = perCatalog((catalog) => sheet(catalog, bar, words, code, forms, screens));

export interface DocsPage {
  title: string;
  description: string;
  /** From the base URL. */
  path: string;
  head: Html;
  /** Attributes of the body. */
  attributes?: Html;
  /** Between the shop's name and the links, in the bar at the top. */
  tools?: Html;
  /** The id of the element with the content; by default `main`. */
  content?: string;
  body: Html;
}

export function withChrome(page: DocsPage, catalog: Shop): string {
  const { title, description, path, head, attributes, tools, content, body } = page;
  const { name } = catalog.business;
  return wholePage(
    {
      title,
      listed: { title, description, address: apiUrl(catalog, path) },
      icon: `${DOCS}/icon.svg`,
      head,
      attributes: { body: attributes },
      content,
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

/** The descriptions of the API. */
const LINKS = [
  [DOCS, "Docs"],
  [`${DOCS}/explorer`, "Explorer"],
  [`${API_PREFIX}/openapi.json`, "OpenAPI"],
  [`${DOCS}-md`, "Markdown"],
  [`${DOCS}/changelog`, "Changelog"],
] as const;

/** The descriptions of the API, as links. @param current path of the page itself */
export function documentLinks(current: string): Html {
  const isCurrent = (path: string) => path === API_PREFIX + current;
  return html`${LINKS.map(([path, name]) => html`<a href="${path}"${isCurrent(path) && html` aria-current="page"`}>${name}</a>`)}`;
}

export function foot({ business: { name, phone, email } }: Shop): Html {
  return html`<footer><p>${name} · ${phone} · ${email} · <a href="${PRIVACY_PATH}">Privacy</a> · <a href="${TERMS_PATH}">Terms</a></p></footer>`;
}

/** A car window behind film, drawn in the colours of the page. */
const ICON = raw(
  '<svg viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="14" fill="var(--accent)"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h13c4 0 7 3 7 7v22z" fill="var(--on-accent)" opacity=".85"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h6L25 44z" fill="var(--accent)" opacity=".55"/></svg>',
);
