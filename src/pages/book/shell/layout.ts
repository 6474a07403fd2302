/** Every booking page: header, content, footer, and the headers that keep it safe. */
import { addressOf } from "../../../catalog/messaging.ts";
import { directionsUrl, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX, WEEKDAYS } from "../../../constants.ts";
import { siteUrl } from "../../../discovery/common.ts";
import { jsonLd } from "../../../discovery/json-ld.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { type Html, html, raw } from "../../../lib/html.ts";
import { pagePolicy, wholePage } from "../../markup/page.ts";
import { kit } from "./assets.ts";
import { ASSET_PATHS } from "./paths.ts";
import { SHELL, TIMES } from "./texts.ts";
import { dayIn, phoneAddress, phoneName, shortClock } from "./wording.ts";

interface Content {
  title: string;
  main: Html;
  /** The id of the part to which the first link skips; by default all of it. */
  content?: string;
  /** Such a page does without the styles that only the others have. */
  isForVehicles?: boolean;
  /** For search engines, which then may list the page. A page without it may hold a person's data: nobody keeps it. */
  listed?: {
    path: string;
    description: string;
    /** The address has a visitor's choices: search engines list the page without them instead. */
    isVariant?: boolean;
  };
  status?: number | undefined;
}

/** Whether another page shows this one, with a header and a footer of its own. */
export type Reader = Pick<Visit, "isFramed"> & { ctx: { catalog: Shop } };

export function page(content: Content, { isFramed, ctx: { catalog } }: Reader): PageAnswer {
  const { listed, status = 200 } = content;
  const about: Record<string, string> = listed ? { Vary: "Sec-Fetch-Dest" } : { "X-Robots-Tag": "noindex" };
  const body = document(content, catalog, isFramed);
  return { status, isPublic: listed !== undefined, body, headers: { ...safety(catalog), ...about } };
}

/** After a form was carried out: the page that shows the outcome, and that can be reloaded. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, body: "", headers: { Location: location } };
}

function safety({ site }: Shop) {
  const pictures = [site.logo, site.icon, ...site.photos.map(({ url }) => url)];
  const policy = pagePolicy({
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": ["'self'", ...pictures.filter((one) => one?.includes(":"))].join(" "),
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": site.embed_origins.length > 0 ? site.embed_origins.join(" ") : "'none'",
  });
  // With no-referrer, browsers would hide the origin of a form from its own page.
  return { ...policy, "Referrer-Policy": "same-origin" };
}

function document({ title, main, listed, content, isForVehicles }: Content, catalog: Shop, isFramed: boolean): string {
  const { address } = kit(catalog);
  const { icon = address("icon"), share_picture: picture = siteUrl(catalog, address("share")) } = catalog.site;
  return wholePage(
    {
      title: `${title} · ${catalog.business.name}`,
      ...(listed && {
        listed: { title, description: listed.description, address: siteUrl(catalog, listed.path), picture },
      }),
      icon,
      touchIcon: ASSET_PATHS.touchIcon,
      ...(content !== undefined && { content }),
      head: html`<link rel="stylesheet" href="${address("style")}">
${!isForVehicles && html`<link rel="stylesheet" href="${address("othersStyle")}">`}
<script src="${address("script")}" defer></script>${listed && forPrograms(catalog)}${
        listed &&
        !listed.isVariant &&
        html`
<script type="application/ld+json">${raw(jsonLd(catalog))}</script>`
      }`,
      attributes: isFramed && html` class="framed"`,
      body: html`${!isFramed && header(catalog)}
<main id="main" tabindex="-1">
${main}
</main>
<p id="said" class="hidden" role="status"></p>
${!isFramed && footer(catalog)}`,
    },
    catalog,
  );
}

function forPrograms(catalog: Shop): Html {
  return html`
<link rel="alternate" type="text/markdown" href="${siteUrl(catalog, "/llms.txt")}" title="llms.txt">
<link rel="service" href="${catalog.site.mcp_url}" title="MCP server">
<link rel="service-desc" type="application/json" href="${siteUrl(catalog, "/.well-known/agent-card.json")}" title="A2A agent card">`;
}

function header({ business, site }: Shop): Html {
  const name = site.logo ? html`<img src="${site.logo}" alt="${business.name}" height="40">` : business.name;
  const { shop, change, call } = SHELL;
  const home = html`<a class="shop" href="${business.url}">${name}</a>`;
  const manage = html`<a class="manage" href="${MANAGE_PATH}">${change}</a>`;
  const phone = html`<a class="call" href="${phoneAddress(business)}"><span class="hidden">${call}</span>${phoneName(business)}</a>`;
  return html`<header class="top">${home}<nav aria-label="${shop}">${manage}${phone}</nav></header>`;
}

function footer(catalog: Shop): Html {
  const { business } = catalog;
  const { change, privacy, terms, developers } = SHELL;
  const link = (to: string, name: string) => html`<a class="bottom-link" href="${to}">${name}</a>`;
  const entries = [
    link(MANAGE_PATH, change),
    link(directionsUrl(business), addressOf(catalog)),
    link(`mailto:${business.email}`, business.email),
    link(PRIVACY_PATH, privacy),
    link(TERMS_PATH, terms),
    link(`${API_PREFIX}/docs`, developers),
  ];
  return html`<footer class="bottom">${hoursOfWeek(catalog)}${entries.map((entry) => html`<p>${entry}</p>`)}</footer>`;
}

/** The week, with days of the same hours in one line, and the days that differ. */
function hoursOfWeek(catalog: Shop): Html {
  const { hours } = catalog.business;
  const said = (times: readonly { opens: string; closes: string }[]) =>
    times.map(({ opens, closes }) => `${shortClock(opens, catalog)} – ${shortClock(closes, catalog)}`).join(", ") ||
    TIMES.closed;
  // A week that begins on Monday.
  const names = WEEKDAYS.map((_, i) => dayIn("weekday", `2024-01-0${i + 1}`, catalog));
  const texts = WEEKDAYS.map((day) => said(hours[day]));
  const firsts = [...texts.keys()].filter((i) => texts[i] !== texts[i - 1]);
  const lines = firsts.map((first, i) => {
    const last = (firsts[i + 1] ?? texts.length) - 1;
    const days = last > first ? `${names[first]} – ${names[last]}` : names[first];
    return html`<span>${days} ${texts[first]}</span> `;
  });
  return html`<p class="hours" id="hours">${lines}</p>`;
}
