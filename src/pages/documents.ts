/** The documents by which the API describes itself (spec sections 1 and 4.10), all made from the capabilities and the catalog. */

import type { Document } from "../capabilities/core/document.ts";
import type { Catalog } from "../catalog/schema.ts";
import { agentsJson } from "../discovery/agents-json.ts";
import { manifest } from "../discovery/manifest.ts";
import { type SampleOf, samplesAt } from "../discovery/samples.ts";
import { siteUrl } from "../discovery/site.ts";
import { API_CATALOG, aiPlugin, apiCatalog, robotsText } from "../discovery/well-known.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { EXPLORER } from "./docs/explorer/explorer.ts";
import icon from "./docs/html/icon.svg" with { type: "text" };
import { docsPage } from "./docs/html/page.ts";
import { docsMarkdown } from "./docs/markdown.ts";
import { llmsFullText, llmsText } from "./llms.ts";

type Maker<T> = (catalog: Catalog, sampleOf: SampleOf) => T;

/** A document with sample requests, whose dates and times are open in the diary. */
const page = (path: string, contentType: string, make: Maker<ReturnType<Document["render"]>>): Document => ({
  path,
  contentType,
  showsSamples: true,
  render: (catalog, now, start) => make(catalog, samplesAt(catalog, now, start)),
});

const json = (path: string, make: Maker<object>) =>
  page(path, "application/json", (...given) => ({ body: JSON.stringify(make(...given)) }));
const text = (path: string, type: "plain" | "markdown", make: Maker<string>) =>
  page(path, `text/${type}; charset=utf-8`, (...given) => ({ body: make(...given) }));
const capabilities: Maker<object> = (catalog, sampleOf) => ({ success: true, data: manifest(catalog, sampleOf) });

/** What `GET /` of the site answers to programs and to models. */
export const HOME = { manifest: json("/", capabilities), text: text("/", "markdown", llmsText) };

export const DOCUMENTS: readonly Document[] = [
  json(API_PREFIX, capabilities),
  json(`${API_PREFIX}/capabilities`, capabilities),
  page(`${API_PREFIX}/docs`, "text/html; charset=utf-8", docsPage),
  { path: `${API_PREFIX}/docs/icon.svg`, contentType: "image/svg+xml", render: () => ({ body: icon }) },
  text(`${API_PREFIX}/docs-md`, "markdown", docsMarkdown),
  ...EXPLORER,
  text("/llms.txt", "plain", llmsText),
  text("/llms-full.txt", "plain", llmsFullText),
  text("/robots.txt", "plain", robotsText),
  json("/.well-known/agents.json", agentsJson),
  json("/.well-known/ai-plugin.json", aiPlugin),
  {
    path: API_CATALOG,
    contentType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    render: (catalog) => ({
      body: JSON.stringify(apiCatalog(catalog)),
      headers: { Link: `<${siteUrl(catalog, API_CATALOG)}>; rel="api-catalog"` },
    }),
  },
];
