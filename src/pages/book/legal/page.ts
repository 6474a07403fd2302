/** `/book/privacy` and `/book/terms`: the owner's own texts, else made from the catalog. Source: contract 18. */
import { PRIVACY_PATH, TERMS_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { type Html, html } from "../../markup/html.ts";
import { page } from "../shell/layout.ts";
import { type LegalSection, privacySections, TITLES, termsSections } from "./sections.ts";

export function privacy(visit: Visit): PageAnswer {
  const { site } = visit.ctx.catalog;
  return show(TITLES.privacy, PRIVACY_PATH, site.texts.privacy, privacySections, visit);
}

export function terms(visit: Visit): PageAnswer {
  const { site } = visit.ctx.catalog;
  return show(TITLES.terms, TERMS_PATH, site.texts.terms, termsSections, visit);
}

function show(
  title: string,
  path: string,
  own: string | undefined,
  sections: (catalog: Shop) => LegalSection[],
  { isFramed, ctx: { catalog } }: Visit,
): PageAnswer {
  const { name } = catalog.business;
  const content = own === undefined ? sections(catalog).map(sectionOf) : paragraphs(own);
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div>${content}</div>`;
  return page({ title, main, listed: { path, description: `${title}: ${name}` } }, catalog, isFramed);
}

function sectionOf({ heading, lines }: LegalSection): Html {
  return html`<h2>${heading}</h2>${lines.map((line) => html`<p>${line}</p>`)}`;
}

/** Blank lines part the paragraphs of the owner's text. */
function paragraphs(text: string): Html[] {
  return text.split(/\n\s*\n/).map((part) => html`<p>${part}</p>`);
}
