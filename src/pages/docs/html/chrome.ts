/** The frame of every page of the documentation: head, bar at the top, foot. */
import type { Catalog } from "../../../catalog/schema.ts";
import { apiUrl } from "../../../discovery/site.ts";
import { API_PREFIX } from "../../../vocabulary.ts";

const { escapeHTML } = Bun;

const DOCS = `${API_PREFIX}/docs`;

export interface Page {
  title: string;
  description: string;
  /** From the base URL. */
  path: string;
  /** Further elements of the head. */
  head?: string;
}

export function head(catalog: Catalog, { title, description, path, head = "" }: Page): string {
  const url = escapeHTML(apiUrl(catalog, path));
  const [name, about] = [escapeHTML(title), escapeHTML(description)];
  return `<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<meta name="description" content="${about}">
<meta name="color-scheme" content="light dark">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${escapeHTML(catalog.business.name)}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${url}">
<link rel="canonical" href="${url}">
<link rel="icon" href="${DOCS}/icon.svg" type="image/svg+xml">
${head}
</head>`;
}

/** The descriptions of the API, as links. */
const LINKS = [
  [DOCS, "Docs"],
  [`${DOCS}/explorer`, "Explorer"],
  [`${API_PREFIX}/openapi.json`, "OpenAPI"],
  [`${DOCS}-md`, "Markdown"],
  [`${DOCS}/changelog`, "Changelog"],
] as const;

/** @param current path of the page itself @param tools HTML between the name and the links */
export function topBar({ business }: Catalog, current: string, tools = ""): string {
  return `<header class="top">
<a class="brand" href="${DOCS}" aria-label="${escapeHTML(business.name)}: documentation">${ICON}<span>${escapeHTML(business.name)}</span></a>
${tools}
<nav class="links" aria-label="Documents">${documentLinks(current)}</nav>
</header>`;
}

export function documentLinks(current: string): string {
  return LINKS.map(
    ([path, name]) => `<a href="${path}"${path === API_PREFIX + current ? ' aria-current="page"' : ""}>${name}</a>`,
  ).join("");
}

export function foot({ business: { name, phone, email } }: Catalog): string {
  return `<footer><p>${escapeHTML(name)} · ${escapeHTML(phone)} · ${escapeHTML(email)}</p></footer>`;
}

/** A car window behind film, drawn in the colours of the page. */
const ICON =
  '<svg viewBox="0 0 64 64" width="28" height="28" aria-hidden="true"><rect width="64" height="64" rx="14" fill="var(--accent)"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h13c4 0 7 3 7 7v22z" fill="var(--on-accent)" opacity=".85"/><path d="M12 44V34c0-3 1-5 3-7l9-9c2-2 4-3 7-3h6L25 44z" fill="var(--accent)" opacity=".55"/></svg>';
