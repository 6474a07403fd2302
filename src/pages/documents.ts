/**
 * The documents by which the API describes itself (contract 10), all made from the capabilities and the catalog.
 * The documentation is large and rarely read, so its code is loaded with the first request for it.
 */
import type { Document, Rendered } from "../capabilities/core/document.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import { manifest } from "../discovery/manifest.ts";
import type { Examples, ExamplesAt } from "../discovery/openapi/examples.ts";
import { jsonDocument, type SampleOf, sampledDocument, samplesAt } from "../discovery/sampled.ts";
import { siteUrl } from "../discovery/site.ts";
import { API_CATALOG, agentsJson, aiPlugin, apiCatalog, robotsText } from "../discovery/well-known.ts";
import { shopDate } from "../domain/schedule.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import icon from "./markup/icon.svg" with { type: "text" };

const DOCS = `${API_PREFIX}/docs`;
const DOCS_MARKDOWN = `${DOCS}-md`;
/** The sections of the documentation, beside one for each capability. */
const DOCS_SECTIONS =
  "quick-start endpoints guides answers errors limits keys agents prices tint-law terms versions".split(" ");
const HTML = "text/html; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** A document that follows from the catalog alone. */
const fromCatalog = (
  path: string,
  contentType: string,
  make: (catalog: Shop) => string | Promise<string>,
): Document => ({ path, contentType, render: async (catalog) => ({ body: await make(catalog) }) });

/** llms.txt, which names today. */
const llms = (path: string, contentType: string): Document => ({
  path,
  contentType,
  showsToday: true,
  render: (catalog, now) => ({ body: llmsText(catalog, shopDate(catalog, now)) }),
});

const capabilities = (path: string) =>
  sampledDocument(path, (catalog, sampleOf) => ({ success: true, data: manifest(catalog, sampleOf) }));

/** The answers of `GET /` of the site to programs and to models. */
export const HOME = { manifest: capabilities("/"), text: llms("/", MARKDOWN) };

type DocsMaker = (catalog: Shop, sampleOf: SampleOf, examples: Examples) => Rendered | Promise<Rendered>;

/** @param examplesAt answers for the documentation */
export function documents(examplesAt: ExamplesAt): readonly Document[] {
  /** A document that shows answers beside the requests. */
  const documentation = (path: string, contentType: string, make: DocsMaker): Document => ({
    path,
    contentType,
    showsSamples: true,
    render: async (catalog, now, start) =>
      make(catalog, samplesAt(catalog, now, start), await examplesAt(catalog, now, start)),
  });
  const markdownOf = (path: string, section?: string) =>
    documentation(path, MARKDOWN, async (...given) => {
      const { docsMarkdown } = await import("./docs/markdown.ts");
      return { body: docsMarkdown(...given, section) };
    });
  const markdown = markdownOf(DOCS_MARKDOWN);
  return [
    capabilities(API_PREFIX),
    capabilities(`${API_PREFIX}/capabilities`),
    {
      ...documentation(DOCS, HTML, async (...given) => (await pages()).docsPage(...given)),
      otherTypes: [markdown],
    },
    markdown,
    ...[...DOCS_SECTIONS, ...CAPABILITIES.map(({ id }) => id)].map((id) => markdownOf(`${DOCS_MARKDOWN}/${id}`, id)),
    documentation("/llms-full.txt", PLAIN, async (...given) => {
      const { docsMarkdown } = await import("./docs/markdown.ts");
      return { body: llmsFullText(docsMarkdown(...given), given[0]) };
    }),
    fromCatalog(`${DOCS}/icon.svg`, "image/svg+xml", () => icon),
    {
      path: `${DOCS}/changelog`,
      contentType: HTML,
      render: async (catalog) => (await pages()).changelogPage(catalog),
    },
    {
      path: `${DOCS}/explorer`,
      contentType: HTML,
      render: async (catalog) => (await pages()).explorerPage(catalog),
    },
    fromCatalog(`${DOCS}/explorer/swagger-ui.css`, "text/css; charset=utf-8", async () => (await pages()).styleSheet()),
    fromCatalog(`${DOCS}/explorer/swagger-ui-bundle.js`, "text/javascript; charset=utf-8", async () =>
      (await pages()).script(),
    ),
    llms("/llms.txt", PLAIN),
    fromCatalog("/robots.txt", PLAIN, robotsText),
    sampledDocument("/.well-known/agents.json", agentsJson),
    jsonDocument("/.well-known/ai-plugin.json", aiPlugin),
    {
      path: API_CATALOG,
      contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
      render: (catalog) => ({
        body: JSON.stringify(apiCatalog(catalog)),
        headers: { Link: `<${siteUrl(catalog, API_CATALOG)}>; rel="api-catalog"` },
      }),
    },
  ];
}

/** The pages of the documentation, and the files of the explorer. */
const pages = () => import("./docs/html/pages.ts");
