/** The changelog as a page, with the bar and the style of the docs. */
import type { Rendered } from "../../../capabilities/core/document.ts";
import { derived } from "../../../catalog/derived.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { RELEASES, type Release } from "../content/changelog.ts";
import { foot, head, topBar } from "../html/chrome.ts";
import { inline } from "../html/markdown.ts";
import { inlineSource, pagePolicy } from "../html/policy.ts";
import { docsStyle } from "../html/style/style.ts";

const { escapeHTML } = Bun;

const PATH = "/docs/changelog";

export function changelogPage(catalog: Catalog): Rendered {
  const about = {
    title: `${catalog.business.name} API changelog`,
    description: "What came with each version.",
    path: PATH,
    head: `<style>${docsStyle(catalog)}</style>`,
  };
  const body = `<!doctype html>
<html lang="en">
${head(catalog, about)}
<body class="plain">
<a class="skip" href="#main">Skip to the content</a>
${topBar(catalog, PATH)}
<main id="main">
<div class="intro">
<h1>Changelog</h1>
<p>What came with each version of the program: the API, the command line and the screens.</p>
</div>
${RELEASES.map(release).join("\n")}
${foot(catalog)}
</main>
</body>
</html>
`;
  return { body, headers: policy(catalog) };
}

function release({ version, date, changes }: Release): string {
  const id = `v${version.toLowerCase()}`;
  const title = date ? `${version} <time datetime="${date}">${date}</time>` : version;
  const kinds = changes.map(
    ({ kind, items }) =>
      `<h3>${escapeHTML(kind)}</h3><ul>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`,
  );
  return `<section class="release" aria-labelledby="${id}"><h2 id="${id}"><a href="#${id}">${title}</a></h2>${kinds.join("")}</section>`;
}

const policy = derived((catalog) => pagePolicy({ "style-src": inlineSource(docsStyle(catalog)), "img-src": "'self'" }));
