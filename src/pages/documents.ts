/** The documents by which the API describes itself (spec sections 1 and 4.10), all made from the capabilities and the catalog. */

import type { Start } from "../capabilities/core/diary.ts";
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
import { API_PREFIX } from "../vocabulary.ts";
import { CHANGELOG_PAGE } from "./docs/changelog/changelog-page.ts";
import { EXPLORER } from "./docs/explorer/explorer.ts";
import icon from "./docs/html/icon.svg" with { type: "text" };
import { docsPage } from "./docs/html/page.ts";
import { docsMarkdown } from "./docs/markdown.ts";
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
const textType = (type: "plain" | "markdown") => `text/${type}; charset=utf-8`;
const text = (path: string, type: "plain" | "markdown", make: Maker<string>) =>
  page(path, textType(type), (...given) => ({ body: make(...given) }));
const capabilities: Maker<object> = (catalog, sampleOf) => ({ success: true, data: manifest(catalog, sampleOf) });

/** What `GET /` of the site answers to programs and to models. */
export const HOME = { manifest: json("/", capabilities), text: text("/", "markdown", llmsText) };

/** What a document shows that changes with the time. */
interface Shown {
  samples: Record<string, Record<string, unknown>>;
  /** The beginning of the day. */
  now: string;
  start: Start | null | undefined;
}

/** @param examplesAt answers for the documentation */
export function documents(examplesAt: ExamplesAt): readonly Document[] {
  /** A document that shows answers beside the requests: made anew when the catalog, or what it shows, changes. */
  const documentation = (
    path: string,
    contentType: string,
    make: (catalog: Catalog, sampleOf: SampleOf, examples: Examples) => Rendered,
  ): Document => {
    const kept = derivedBy(2, async (catalog, key) => {
      const { samples, now, start }: Shown = JSON.parse(key);
      return make(catalog, ({ id }) => samples[id] ?? {}, await examplesAt(catalog, Temporal.Instant.from(now), start));
    });
    return {
      path,
      contentType,
      showsSamples: true,
      render(catalog, now, start) {
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
    documentation(`${API_PREFIX}/docs`, "text/html; charset=utf-8", docsPage),
    { path: `${API_PREFIX}/docs/icon.svg`, contentType: "image/svg+xml", render: () => ({ body: icon }) },
    documentation(`${API_PREFIX}/docs-md`, textType("markdown"), (...given) => ({ body: docsMarkdown(...given) })),
    CHANGELOG_PAGE,
    ...EXPLORER,
    text("/llms.txt", "plain", llmsText),
    documentation("/llms-full.txt", textType("plain"), (...given) => ({ body: llmsFullText(...given) })),
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
