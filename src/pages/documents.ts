/**
 * The documents by which the API describes itself (spec sections 1 and 4.10), all made from the capabilities and the catalog.
 * The documentation is large and rarely read, so its code is loaded with the first request for it.
 */
import type { Document, Rendered } from "../capabilities/core/document.ts";
import { offered } from "../capabilities/offer.ts";
import { derivedBy } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { agentsJson } from "../discovery/agents-json.ts";
import { manifest } from "../discovery/manifest.ts";
import type { Examples, ExamplesAt } from "../discovery/openapi/examples.ts";
import { type SampleOf, samplesAt } from "../discovery/samples.ts";
import { siteUrl } from "../discovery/site.ts";
import { API_CATALOG, aiPlugin, apiCatalog, robotsText } from "../discovery/well-known.ts";
import { shopDate, startOfDay } from "../domain/schedule.ts";
import type { Start } from "../domain/slots.ts";
import { API_PREFIX } from "../vocabulary.ts";
import icon from "./docs/html/icon.svg" with { type: "text" };
import { llmsFullText, llmsText } from "./llms.ts";

type Maker<T> = (catalog: Catalog, sampleOf: SampleOf) => T;

/** A document with sample requests, whose dates and times are open in the diary. */
const page = (path: string, contentType: string, make: Maker<Rendered>): Document => ({
  path,
  contentType,
  showsSamples: true,
  render: (catalog, now, start) => make(catalog, samplesAt(catalog, now, start)),
});

const json = (path: string, make: Maker<object>) =>
  page(path, "application/json", (...given) => ({ body: JSON.stringify(make(...given)) }));
const HTML = "text/html; charset=utf-8";
const DOCS = `${API_PREFIX}/docs`;
const textType = (type: "plain" | "markdown") => `text/${type}; charset=utf-8`;
const text = (path: string, type: "plain" | "markdown", make: Maker<string>) =>
  page(path, textType(type), (...given) => ({ body: make(...given) }));
const capabilities: Maker<object> = (catalog, sampleOf) => ({ success: true, data: manifest(catalog, sampleOf) });

/** The answers of `GET /` of the site to programs and to models. */
export const HOME = { manifest: json("/", capabilities), text: text("/", "markdown", llmsText) };

/** The interactive page and its files. */
const explorer = (
  path: string,
  contentType: string,
  make: (code: Explorer, catalog: Catalog) => Rendered,
): Document => ({
  path: `${DOCS}/explorer${path}`,
  contentType,
  render: async (catalog) => make(await import("./docs/explorer/explorer.ts"), catalog),
});
type Explorer = typeof import("./docs/explorer/explorer.ts");

type DocsMaker = (catalog: Catalog, sampleOf: SampleOf, examples: Examples) => Rendered;

/** The parts of a document that change with the time. */
interface Shown {
  samples: Record<string, Record<string, unknown>>;
  /** The beginning of the day. */
  now: string;
  start: Start | null | undefined;
}

/** @param examplesAt answers for the documentation */
export function documents(examplesAt: ExamplesAt): readonly Document[] {
  /** A document that shows answers beside the requests: made anew when the catalog, the day or the samples change. */
  const documentation = (path: string, contentType: string, load: () => Promise<DocsMaker>): Document => {
    const kept = derivedBy(2, async (catalog, key) => {
      const { samples, now, start }: Shown = JSON.parse(key);
      const make = await load();
      return make(catalog, ({ id }) => samples[id] ?? {}, await examplesAt(catalog, Temporal.Instant.from(now), start));
    });
    return {
      path,
      contentType,
      showsSamples: true,
      async render(catalog, now, start) {
        // Awaited here, because a failure inside `kept` would be kept too.
        await load();
        const sampleOf = samplesAt(catalog, now, start);
        const samples = Object.fromEntries(offered(catalog).map((capability) => [capability.id, sampleOf(capability)]));
        const today = Temporal.Instant.fromEpochMilliseconds(startOfDay(catalog, shopDate(catalog, now)));
        return kept(catalog, JSON.stringify({ samples, now: today.toString(), start } satisfies Shown));
      },
    };
  };
  return [
    json(API_PREFIX, capabilities),
    json(`${API_PREFIX}/capabilities`, capabilities),
    documentation(DOCS, HTML, async () => (await import("./docs/html/page.ts")).docsPage),
    { path: `${DOCS}/icon.svg`, contentType: "image/svg+xml", render: () => ({ body: icon }) },
    documentation(`${DOCS}-md`, textType("markdown"), async () => {
      const { docsMarkdown } = await import("./docs/markdown.ts");
      return (...given) => ({ body: docsMarkdown(...given) });
    }),
    {
      path: `${DOCS}/changelog`,
      contentType: HTML,
      render: async (catalog) => (await import("./docs/changelog/changelog-page.ts")).changelogPage(catalog),
    },
    explorer("", HTML, ({ explorerPage }, catalog) => explorerPage(catalog)),
    explorer("/swagger-ui.css", "text/css; charset=utf-8", ({ styleSheet }) => ({ body: styleSheet() })),
    explorer("/swagger-ui-bundle.js", "text/javascript; charset=utf-8", ({ script }) => ({ body: script() })),
    text("/llms.txt", "plain", llmsText),
    documentation("/llms-full.txt", textType("plain"), async () => {
      const { docsMarkdown } = await import("./docs/markdown.ts");
      return (...given) => ({ body: llmsFullText(docsMarkdown(...given), given[0]) });
    }),
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
}
