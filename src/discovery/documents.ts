/** The documents by which the API describes itself (spec section 4.10), all made from the capabilities and the catalog. */
import type { Catalog } from "../catalog/schema.ts";
import { API_PREFIX } from "../vocabulary.ts";
import { docsPage } from "./docs-page.ts";
import { manifest } from "./manifest.ts";
import { docsMarkdown } from "./markdown.ts";

interface Document {
  path: string;
  contentType: string;
  render: (catalog: Catalog, now: Temporal.Instant) => { body: string; headers?: Record<string, string> };
}

const capabilities = (path: string): Document => ({
  path,
  contentType: "application/json",
  render: (catalog, now) => ({ body: JSON.stringify({ success: true, data: manifest(catalog, now) }) }),
});

export const DOCUMENTS: readonly Document[] = [
  capabilities(API_PREFIX),
  capabilities(`${API_PREFIX}/capabilities`),
  { path: `${API_PREFIX}/docs`, contentType: "text/html; charset=utf-8", render: docsPage },
  {
    path: `${API_PREFIX}/docs-md`,
    contentType: "text/markdown; charset=utf-8",
    render: (catalog, now) => ({ body: docsMarkdown(catalog, now) }),
  },
];
