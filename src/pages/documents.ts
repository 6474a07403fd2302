/**
 * The documents by which the API describes itself (contract 10), all made from the capabilities and the catalog.
 * The documentation is large and rarely read, so its code is loaded with the first request for it.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Document, Rendered } from "../capabilities/core/document.ts";
import { type CapabilityId, OPERATIONS, requiresConsent } from "../capabilities/core/operations.ts";
import { CAPABILITIES, offered, offers, toolCapabilities } from "../capabilities/index.ts";
import { addressOf } from "../catalog/messaging.ts";
import type { Shop } from "../catalog/shop.ts";
import { API_PREFIX } from "../constants.ts";
import {
  apiRoot,
  apiUrl,
  CHAPTERS,
  docsUrl,
  jsonDocument,
  keyRule,
  REFERENCE,
  sampledDocument,
  samplesAt,
  siteUrl,
  summaryOf,
} from "../discovery/common.ts";
import { inDetail, manifest } from "../discovery/manifest.ts";
import type { ExamplesAt } from "../discovery/openapi/examples.ts";
import { comingDays, cureAdvice, flatGlassRate, frontWindowRule, pricesOf } from "../discovery/prices.ts";
import { WELL_KNOWN } from "../discovery/well-known.ts";
import { shopDate, weekdayOf } from "../domain/schedule.ts";
import { ApiError } from "../errors.ts";
import { bookUrl } from "../job/forms.ts";
import { formatRange } from "../lib/money.ts";
import { capitalized } from "../lib/text.ts";
import { oneOf } from "../schema/explain.ts";
import type { Section } from "./docs/section.ts";
import icon from "./markup/icon.svg" with { type: "text" };

const DOCS = `${API_PREFIX}/docs`;
const DOCS_MARKDOWN = `${DOCS}-md`;
const HTML = "text/html; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";

/** A document that follows from the catalog alone. */
const fromCatalog = (
  path: string,
  contentType: string,
  make: (catalog: Shop) => string | Promise<string>,
): Document => ({ path, contentType, render: async (catalog) => ({ body: await make(catalog) }) });

const llms = (path: string, contentType: string): Document => ({
  path,
  contentType,
  showsToday: true,
  render: (catalog, now) => ({ body: llmsText(catalog, shopDate(catalog, now)) }),
});

const capabilities = (path: string) =>
  sampledDocument(path, (catalog, sampleOf) => ({ success: true, data: manifest(catalog, sampleOf) }));

const capabilityDocument = (capability: Capability) =>
  sampledDocument(`${API_PREFIX}/capabilities/${capability.id}`, (catalog, sampleOf) => {
    if (!offers(catalog, capability.id)) throw noSuchCapability(catalog);
    return { success: true, data: inDetail(capability, catalog, sampleOf) };
  });

const OTHER_CAPABILITY = jsonDocument(`${API_PREFIX}/capabilities/{id}`, (catalog) => {
  throw noSuchCapability(catalog);
});

function noSuchCapability(catalog: Shop): ApiError {
  const allowed = offered(catalog).map(({ id }) => id);
  return new ApiError("NOT_FOUND", "There is no such capability.", {
    invalid_fields: [{ field: "id", message: `must be one of ${oneOf(allowed)}`, allowed }],
  });
}

/** The answers of `GET /` of the site to programs and to models. */
export const HOME = { manifest: capabilities("/"), text: llms("/", MARKDOWN) };

type Docs = typeof import("./docs/text.ts");
type DocsMaker = (catalog: Shop, sections: readonly Section[], docs: Docs) => Rendered | Promise<Rendered>;

/** @param examplesAt answers for the documentation */
export function documents(examplesAt: ExamplesAt): readonly Document[] {
  /** A document that shows answers beside the requests. */
  const documentation = (path: string, contentType: string, make: DocsMaker): Document => ({
    path,
    contentType,
    showsSamples: true,
    render: async (catalog, now, start) => {
      const docs = await import("./docs/text.ts");
      const examples = await examplesAt(catalog, now, start);
      return make(catalog, docs.docsSections(catalog, samplesAt(catalog, now, start), examples), docs);
    },
  });
  const markdown: Document = {
    ...documentation(DOCS_MARKDOWN, MARKDOWN, (catalog, sections, docs) => docs.docsMarkdown(catalog, sections)),
    hasSections: true,
  };
  return [
    capabilities(API_PREFIX),
    { ...capabilities(`${API_PREFIX}/capabilities`), isOperation: true },
    ...CAPABILITIES.map(capabilityDocument),
    { ...OTHER_CAPABILITY, isOperation: true },
    {
      ...documentation(DOCS, HTML, async (catalog, sections) => (await pages()).docsPage(catalog, sections)),
      otherTypes: [markdown],
      isOperation: true,
    },
    { ...markdown, isOperation: true },
    documentation("/llms-full.txt", PLAIN, (catalog, all, docs) => ({ body: docs.fullText(catalog, all) })),
    fromCatalog(`${DOCS}/icon.svg`, "image/svg+xml", () => icon),
    webPage(`${DOCS}/changelog`, async (catalog) => (await pages()).changelogPage(catalog)),
    webPage(REFERENCE, async (catalog) => (await pages()).referencePage(catalog)),
    fromCatalog(`${REFERENCE}/swagger-ui.css`, "text/css; charset=utf-8", async () => (await pages()).styleSheet()),
    fromCatalog(`${REFERENCE}/swagger-ui-bundle.js`, "text/javascript; charset=utf-8", async () =>
      (await pages()).script(),
    ),
    llms("/llms.txt", PLAIN),
    ...WELL_KNOWN,
  ];
}

const webPage = (path: string, render: Document["render"]): Document => ({ path, contentType: HTML, render });
const pages = () => import("./docs/page.ts");

// llms.txt, short enough for a model to read in full, and llms-full.txt, everything in one file. By the rules of
// llmstxt.org, prose stands before the first section, and every section is a list of links.

/** @param today the date at the shop */
function llmsText(catalog: Shop, today: string): string {
  const { business, flat_glass: flat } = catalog;
  const page = bookUrl({}, catalog);
  const tools = toolCapabilities(catalog).map(({ operationId }) => operationId);
  const buildings = offers(catalog, "flat_glass_estimate")
    ? ` (vehicles) or POST ${capabilityAddress("flat_glass_estimate", catalog)} (buildings)`
    : "";
  const parts = [
    `# ${business.name}`,
    `> ${summaryOf(catalog)} JSON over HTTP, free. ${keyRule(catalog)}`,
    "**From here to a booking**",
    [
      `1. Read the [manifest](${apiUrl(catalog, "/capabilities")}): every capability with its fields and a \`sample_request\` that is \
valid as it is. Paths in answers begin at ${apiRoot(catalog)}/.`,
      `2. Price the work: POST ${capabilityAddress("automotive_estimate", catalog)}${buildings}.`,
      "3. Follow `next_actions`, to open times and a booking, or to a quote request: each names method, path and `sample_request`.",
      `4. With the end user's consent and their own name, phone and e-mail: POST ${capabilityAddress("book_appointment", catalog)} with \
a date and time from ${capabilityAddress("check_availability", catalog)}, or POST ${capabilityAddress("quote_request", catalog)}.`,
      "5. On an error do what `agent_instruction` says; 429 names the wait in `Retry-After`.",
    ].join("\n"),
    "**Rules**",
    [
      "- Ask the end user before anything with `requires_consent`; never invent their data.",
      "- Send `booking_request_id` with a booking, so a retry never books twice.",
      "- Estimates, prices and times cost nothing and store nothing.",
      `- Dates and times are the shop's own (${business.timezone}).`,
    ].join("\n"),
    "**Facts today**",
    [
      `- Full tint of a vehicle: ${filmPrices(catalog)}.`,
      ...(flat ? [`- Film on buildings: ${flatGlassRate(flat, catalog)}.`] : []),
      `- ${frontWindowRule(catalog)} ${catalog.tint_law.disclaimer}`,
      `- ${cureAdvice(catalog)}`,
      `- Where: ${addressOf(catalog)}; serves ${business.service_area.label}. Phone ${business.phone}.`,
      `- Today is ${capitalized(weekdayOf(today))}, ${today}. Open: ${comingDays(catalog, today).join("; ")}.`,
      ...(page
        ? [
            `- Answers with prices and times hold \`book_url\`: the page where a person books that work. It begins at ${page}.`,
          ]
        : []),
      ...(business.legal_note ? [`- About the shop: ${business.legal_note}`] : []),
    ].join("\n"),
    "## Capabilities",
    offered(catalog)
      .map((capability) =>
        markdownLink(
          capability.id,
          apiUrl(catalog, capability.path),
          `${capability.method}, ${capability.title}${condition(capability, catalog)}`,
        ),
      )
      .join("\n"),
    "## Documents",
    [
      markdownLink(
        "Everything in one file",
        siteUrl(catalog, "/llms-full.txt"),
        "documentation, prices, questions and answers",
      ),
      markdownLink("Documentation", apiUrl(catalog, "/docs-md"), "Markdown, whole"),
      // One link for all, because a link for each would not fit beside long addresses.
      markdownLink(
        "Documentation by section",
        apiUrl(catalog, "/docs-md?section=quick-start"),
        `or ${Object.keys(CHAPTERS).slice(1).join(", ")}, or an id of a capability above`,
      ),
      markdownLink("Documentation for people", docsUrl(catalog)),
      ...(page ? [markdownLink("Booking page for people", page)] : []),
      markdownLink("OpenAPI 3.0.3", apiUrl(catalog, "/openapi.json")),
      markdownLink("agents.json", siteUrl(catalog, "/.well-known/agents.json"), "flows over the OpenAPI document"),
      markdownLink("Agent card", siteUrl(catalog, "/.well-known/agent-card.json"), "A2A"),
      markdownLink("API catalog", siteUrl(catalog, "/.well-known/api-catalog"), "RFC 9727"),
      markdownLink(
        "MCP server",
        catalog.site.mcp_url,
        `streamable HTTP, POST, no authentication; tools ${tools.join(", ")}`,
      ),
      markdownLink("The API for agents that this host blocks", catalog.site.agent_proxy_url, "the same API"),
    ].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function condition(capability: Capability, catalog: Shop): string {
  if (capability.isByPhone?.(catalog)) return " (by phone only)";
  return requiresConsent(capability) ? " (consent needed)" : "";
}

/** The lowest and highest price of a film with the first coverage, like `$249 to $379`. */
function priceSpan(catalog: Shop, film: string): string {
  const prices = pricesOf(catalog, film);
  return formatRange({ min: Math.min(...prices), max: Math.max(...prices) }, catalog.currency);
}

/** `$249 to $379 in Standard film (55% infrared rejection), $449 to $649 in Ceramic IR film (93%)`. */
function filmPrices(catalog: Shop): string {
  return Object.entries(catalog.automotive.films)
    .map(([film, { name, ir_rejection_pct: ir }], i) => {
      return `${priceSpan(catalog, film)} in ${name} (${ir}%${i === 0 ? " infrared rejection" : ""})`;
    })
    .join(", ");
}

function markdownLink(name: string, url: string, note?: string): string {
  return `- [${name}](${url})${note ? `: ${note}` : ""}`;
}

function capabilityAddress(id: CapabilityId, catalog: Shop): string {
  return apiUrl(catalog, OPERATIONS[id].path);
}
