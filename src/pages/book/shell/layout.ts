/** The frame of every booking page: head, header, footer, and the headers that keep it safe. */
import { derived } from "../../../catalog/derived.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import { siteUrl } from "../../../discovery/site.ts";
import type { PageAnswer } from "../../../http/pages.ts";
import { addressOf } from "../../../jobs/messages.ts";
import { API_PREFIX } from "../../../vocabulary.ts";
import { pagePolicy } from "../../docs/html/policy.ts";
import { type Html, html, raw } from "../../markup/html.ts";
import { addresses } from "./assets.ts";
import { phoneLink } from "./words.ts";

export interface Content {
  title: string;
  main: Html;
  /** For search engines, which then may list the page. A page without it may hold a person's data: nobody keeps it. */
  listed?: { path: string; description: string };
  status?: number;
  headers?: Record<string, string>;
}

/** @param isFramed another page shows this one, with a header and a footer of its own */
export function page(content: Content, catalog: Catalog, isFramed: boolean): PageAnswer {
  const { listed, status = 200, headers } = content;
  return {
    status,
    isPublic: listed !== undefined,
    body: document(content, catalog, isFramed),
    headers: {
      ...safety(catalog),
      ...(listed ? { Vary: "Sec-Fetch-Dest" } : { "X-Robots-Tag": "noindex" }),
      ...headers,
    },
  };
}

/** After a form was carried out: the page that shows the outcome, and that can be reloaded. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, body: "", headers: { Location: location } };
}

const safety = derived(({ site }) => ({
  ...pagePolicy({
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": ["'self'", ...(site.logo ? [site.logo] : [])].join(" "),
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": site.embed_origins.length > 0 ? site.embed_origins.join(" ") : "'none'",
  }),
  // With no-referrer, browsers would hide the origin of a form from its own page.
  "Referrer-Policy": "same-origin",
}));

function document({ title, main, listed }: Content, catalog: Catalog, isFramed: boolean): string {
  const { business } = catalog;
  const files = addresses(catalog);
  return html`<!doctype html>
<html lang="en"${isFramed && html` class="framed"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${business.name}</title>
<meta name="color-scheme" content="light dark">
${listed ? listing(title, listed, catalog) : html`<meta name="robots" content="noindex">`}
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
<script src="${files.script}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${!isFramed && header(catalog)}
<main id="main" tabindex="-1">
${main}
</main>
<p id="said" class="hidden" role="status"></p>
${!isFramed && footer(catalog)}
</body>
</html>
`.markup;
}

function listing(title: string, { path, description }: NonNullable<Content["listed"]>, catalog: Catalog): Html {
  const address = siteUrl(catalog, path);
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${address}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="${catalog.business.name}">
<script type="application/ld+json">${raw(jsonLd(catalog))}</script>`;
}

function header({ business, site }: Catalog): Html {
  const name = site.logo ? html`<img src="${site.logo}" alt="${business.name}" height="40">` : business.name;
  return html`<header class="top"><a class="shop" href="${business.url}">${name}</a><nav aria-label="Shop"><a href="/book/manage">Change a booking</a><a class="call" href="${phoneLink(business.phone)}"><span class="hidden">Call </span>${business.phone}</a></nav></header>`;
}

function footer(catalog: Catalog): Html {
  const { business } = catalog;
  const place = addressOf(catalog);
  return html`<footer class="bottom"><p>${business.links.map ? html`<a class="bottom-link" href="${business.links.map}">${place}</a>` : place}</p><p><a class="bottom-link" href="mailto:${business.email}">${business.email}</a></p><p><a class="bottom-link" href="${API_PREFIX}/docs">For developers and AI assistants</a></p></footer>`;
}
