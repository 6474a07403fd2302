/** The changelog as a page, with the bar and the style of the docs. */
import type { Rendered } from "../../../capabilities/core/document.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { type Html, html, items, lines, raw } from "../../markup/html.ts";
import { inlineSource, pagePolicy } from "../../markup/page.ts";
import { type ApiRelease, RELEASES } from "../content/changelog.ts";
import { docsStyle, foot, withChrome } from "./chrome.ts";
import { inline } from "./sections.ts";

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
