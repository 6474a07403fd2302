/** The documents by which the API describes itself (spec sections 1 and 4.10), all made from the capabilities and the catalog. */
import type { Document } from "../document.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { EXPLORER } from "./docs/explorer.ts";
import icon from "./docs/icon.svg" with { type: "text" };
import { docsMarkdown } from "./docs/markdown.ts";
import { docsPage } from "./docs/page.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { manifest } from "./manifest.ts";
import { siteUrl } from "./site.ts";
import { API_CATALOG, agentsJson, aiPlugin, apiCatalog, robotsText } from "./well-known.ts";

type Maker<T> = (...args: Parameters<Document["render"]>) => T;

const json = (path: string, make: Maker<object>): Document => ({
  path,
  contentType: "application/json",
  render: (catalog, now) => ({ body: JSON.stringify(make(catalog, now)) }),
});
const text = (path: string, type: "plain" | "markdown", make: Maker<string>): Document => ({
  path,
  contentType: `text/${type}; charset=utf-8`,
  render: (catalog, now) => ({ body: make(catalog, now) }),
});
const capabilities: Maker<object> = (catalog, now) => ({ success: true, data: manifest(catalog, now) });

export const DOCUMENTS: readonly Document[] = [
  json(API_PREFIX, capabilities),
  json(`${API_PREFIX}/capabilities`, capabilities),
  { path: `${API_PREFIX}/docs`, contentType: "text/html; charset=utf-8", render: docsPage },
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
