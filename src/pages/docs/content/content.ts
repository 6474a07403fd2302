/** The documentation, in the order in which a newcomer needs it. */
import changelog from "../../../../CHANGELOG.md" with { type: "text" };
import { WARNINGS } from "../../../capabilities/core/envelope.ts";
import { restVoice, say } from "../../../capabilities/core/voice.ts";
import { CAPABILITY_BY_ID, offers, toolCapabilities } from "../../../capabilities/index.ts";
import { limitRows } from "../../../catalog/limits.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { API_PREFIX } from "../../../constants.ts";
import { keyRule, type SampleOf, siteUrl } from "../../../discovery/common.ts";
import type { Examples } from "../../../discovery/openapi/examples.ts";
import { errorExamples } from "../../../discovery/openapi/responses.ts";
import { cureAdvice, flatGlassRate, frontWindowRule, priceHead, priceRows } from "../../../discovery/prices.ts";
import { ERRORS } from "../../../errors.ts";
import { pick } from "../../../lib/fields.ts";
import { slug } from "../../../lib/text.ts";
import { VERSION } from "../../../lib/version.ts";
import { type Block, codeBlock, excerpt, list, lockedPrice, marked, prose, type Section, section } from "./blocks.ts";
import { answerBlocks, endpoints, sampleRequestOf } from "./endpoints.ts";
import { guides } from "./guides.ts";

export function content(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section[] {
  return [
    quickStart(catalog, sampleOf, examples),
    { ...section("endpoints", "Endpoints", prose(ENDPOINTS)), sections: endpoints(catalog, sampleOf, examples) },
    guides(catalog),
    answers(catalog),
    errors(catalog),
    limits(catalog),
    keys(catalog),
    agents(catalog),
    prices(catalog),
    tintLaw(catalog),
    terms(catalog),
    versions(),
  ];
}

const ENDPOINTS =
  "Bodies are JSON objects; queries are plain text. Fields marked *recommended* make an answer more exact: ask the customer for them. An unknown field is ignored with a warning. Samples of answers are those of this program to the request beside them; of long lists they show the first entries.";

const BUILDINGS =
  " For glass in buildings, the first step is [flat_glass_estimate](#flat_glass_estimate) and the last is [quote_request](#quote_request).";

function quickStart(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section {
  const { site, price_note } = catalog;
  const availability = sampleRequestOf("check_availability", sampleOf);
  const work = pick(catalog.terms.example, "vehicle_type", "film_type");
  return section(
    "quick-start",
    "Quick start",
    prose(`Three requests lead from a question to an appointment. ${keyRule(catalog)}`),
    list(
      `Base URL: \`${site.base_url}\``,
      `For agents that a web host blocks: \`${site.agent_proxy_url}\``,
      `MCP server: \`${site.mcp_url}\``,
    ),
    prose(
      `**First the price.** ${price_note} It holds until \`valid_until\` for a booking that carries \`estimate_id\`.`,
    ),
    { kind: "request", request: sampleRequestOf("automotive_estimate", sampleOf) },
    ...answerBlocks(CAPABILITY_BY_ID.automotive_estimate, examples),
    prose("**Then the times** that are open for this work. Each can be booked as it stands."),
    { kind: "request", request: { ...availability, sample: { ...availability.sample, ...work } } },
    prose(
      "**Then the booking,** once the customer agrees, with a date and time from that answer, and with `estimate_id`, so that the price holds. With `dry_run` nothing is stored: the answer shows what would be booked, and at what price.",
    ),
    { kind: "request", request: sampleRequestOf("book_appointment", sampleOf) },
    ...answerBlocks(CAPABILITY_BY_ID.book_appointment, examples),
    prose("**All three** in one script. It runs as it stands, and stores nothing."),
    codeBlock("Three calls that lock the price", "js", lockedPrice(site.base_url, sampleWork(sampleOf))),
    prose(
      `**Or let the customer do it:** \`book_url\` of an estimate is the address of a page with all of this filled in, like ${siteUrl(catalog, "/book")}. Opening it changes nothing.`,
    ),
    prose(
      `Every answer lists the possible next steps in \`next_actions\`, each with a request that can be sent as it stands.${offers(catalog, "flat_glass_estimate") ? BUILDINGS : ""}`,
    ),
  );
}

/** The parts of the samples that the three calls take. */
function sampleWork(sampleOf: SampleOf) {
  const estimate = sampleRequestOf("automotive_estimate", sampleOf).sample;
  const booking = Object(sampleRequestOf("book_appointment", sampleOf).sample);
  const query = { ...pick(Object(estimate), "vehicle_type", "film_type", "coverage"), days: 14 };
  return { estimate, query, person: pick(booking, "customer_name", "customer_phone", "customer_email") };
}

const SAMPLE_WARNING = {
  code: "UNKNOWN_FIELD",
  field: "colour",
  message: "colour is not a field of this request and was ignored.",
};

function answers(catalog: Shop): Section {
  const { business, currency } = catalog;
  return section(
    "answers",
    "Responses",
    list(
      "`next_actions`: the possible next steps, each with `action`, `description`, `method`, `path`, `requires_consent`, `side_effect` and a valid `sample_request`.",
      "`warnings`: present when something was ignored, for example an unknown field; `did_you_mean` names the likely one.",
      `**Currency**: money is a number in ${currency}, with at most 2 decimals.`,
      `**Time zone**: dates and times are the shop's own (${business.timezone}); instants are RFC 3339 with its UTC offset.`,
      `**Phone format**: any usual notation with area code, like \`${business.phone}\`.`,
      "Descriptions and documents carry an `ETag` and answer 304 to `If-None-Match`. **CORS**: any origin may call the API; no cookies are used.",
      "**Idempotency**: send `booking_request_id` (or the header `Idempotency-Key`) with a booking: a repeated request books nothing twice, and is answered with what stands now: the first answer, a booking as it is since a change (`REPLAYED`), or a conflict once it has ended.",
      "**Webhooks**: there are none. [booking_status](#booking_status) tells how a booking stands.",
    ),
    codeBlock("Success", "json", excerpt({ success: true, data: {}, next_actions: [], warnings: [SAMPLE_WARNING] })),
    prose("Codes of warnings; more may come:"),
    {
      kind: "entries",
      head: ["Code", "", "What it means"],
      entries: Object.entries(WARNINGS).map(([term, line]) => ({
        id: term,
        term,
        note: "",
        text: marked(line, catalog),
      })),
    },
  );
}

function errors(catalog: Shop): Section {
  return section(
    "errors",
    "Errors",
    prose(
      "Every error has one shape: `success` (false), `error_code`, `message`, `recoverable`, `agent_instruction`, `usage.sample_request` (your own request; `usage.fill_in` names what it leaves to you, `usage.fill_in_hints` what you sent for it), `docs`, `openapi`, `request_id`, and where they apply `missing_fields`, `invalid_fields`, `method` and `path` (where to send it instead), `alternatives`, `retry_after_seconds` and `rate_limit`. All faults of a request are named at once.",
    ),
    codeBlock("An error", "json", excerpt(errorExamples(catalog).MISSING_FIELD?.value)),
    {
      kind: "entries",
      head: ["Code", "Status", "When, and what to do"],
      entries: Object.entries(ERRORS).map(([name, { status, when, instruction, remedy }]) => ({
        id: name,
        term: name,
        note: `${status}, ${remedy === "none" ? "final" : "recoverable"}`,
        text: marked(`${when} ${say(instruction, restVoice(catalog))}`, catalog),
      })),
    },
  );
}

function limits(catalog: Shop): Section {
  return section(
    "limits",
    "Limits",
    { kind: "table", label: "Limits", head: ["Who or what", "Limit"], rows: limitRows(catalog) },
    prose(
      "Every response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Scope` (which limit), `X-RateLimit-Reset` (seconds until it has room) and `X-Request-Id`; a refused one also `Retry-After`, in seconds. A request that is refused is not counted.",
    ),
  );
}

function keys(catalog: Shop): Section {
  return section(
    "keys",
    "API keys",
    prose(
      `**Authentication**: ${keyRule(catalog)} A key raises the limits. [register_api_key](#register_api_key) issues one per e-mail address and shows it once. Send it in one of two headers:`,
    ),
    codeBlock("Headers", "http", "Authorization: Bearer tint_live_…\nX-API-Key: tint_live_…"),
  );
}

function agents(catalog: Shop): Section {
  const tools = toolCapabilities(catalog);
  const names = tools.map(({ operationId }) => `\`${operationId}\``);
  const books = tools.some(({ id }) => id === "book_appointment");
  const link = (path: string) => `[${path}](${siteUrl(catalog, path)})`;
  const blocks = [
    prose(
      `Assistants that speak MCP use \`${catalog.site.mcp_url}\` (streamable HTTP, no authentication). Its tools are ${names.join(", ")}${books ? "" : "; bookings are made over the API itself"}.`,
    ),
    prose(
      `Agents that a web host blocks use \`${catalog.site.agent_proxy_url}\` in place of the base URL. They start from ${link("/llms.txt")}, ${link("/.well-known/agents.json")} and ${link("/.well-known/agent-card.json")}.`,
    ),
  ];
  return { ...section("agents", "AI assistants", ...blocks), sections: mcpClients(catalog) };
}

function prices(catalog: Shop): Section {
  const { flat_glass: flat } = catalog;
  return section(
    "prices",
    "Prices today",
    prose(
      `Last checked by the shop on ${catalog.reviewed_on}. ${glassInWords(catalog)}.${flat ? ` Film on buildings costs ${flatGlassRate(flat, catalog)}.` : ""} An estimate is exact; add-ons are in [list_services](#list_services).`,
    ),
    prose(cureAdvice(catalog)),
    { kind: "table", label: "Prices by vehicle", head: priceHead(catalog), rows: priceRows(catalog) },
  );
}

/** `*full* is all side and rear glass, *front2* the front two windows only`. */
function glassInWords({ automotive: { coverages } }: Shop): string {
  return Object.entries(coverages)
    .map(([word, { name, glass }], i) => `*${word}* ${i === 0 ? "is " : ""}${glass ?? name}`)
    .join(", ");
}

function tintLaw(catalog: Shop): Section {
  const law = catalog.tint_law;
  return section(
    "tint-law",
    "Tint law",
    prose(frontWindowRule(catalog)),
    prose(
      `An estimate checks the wished shade against the rules of ${Object.keys(law.jurisdictions).length} jurisdictions; name one with \`jurisdiction\`, like \`${law.home}\` (the shop's own, and the default). A check informs and never blocks. ${law.disclaimer}`,
    ),
  );
}

function terms({ business, price_note, tax }: Shop): Section {
  return section(
    "terms",
    "Terms of use",
    list(
      ...(business.legal_note ? [`${business.name}: ${business.legal_note}`] : []),
      "Anyone may call this API on behalf of a customer, free of charge, within the limits above.",
      "Book and send quote requests only when the customer has agreed, with their own name, phone and e-mail.",
      `${price_note} ${tax.note}`,
      `What a booking or quote request contains is kept by ${business.name} to do the work; questions go to ${business.email} or ${business.phone}.`,
    ),
    prose(`This page is also there [in Markdown](${API_PREFIX}/docs-md).`),
  );
}

function versions(): Section {
  const [latest] = RELEASES.filter(({ date }) => date !== undefined);
  return section(
    "versions",
    "Versions",
    prose(
      `This is version ${VERSION}${latest?.date ? `; ${latest.version} was released on ${latest.date}` : ""}. Within \`${API_PREFIX}\` answers may gain fields, and nothing else changes. [The changelog](${API_PREFIX}/docs/changelog) tells what came with each version.`,
    ),
  );
}

function mcpClients({ business, site }: Shop): Section[] {
  const name = slug(business.name);
  const url = site.mcp_url;
  return [
    section(
      "mcp-claude",
      "Claude",
      prose(
        `In Claude on the web or the desktop: **Settings → Connectors → Add custom connector**, and paste \`${url}\`.`,
      ),
      prose("In Claude Code:"),
      codeBlock("Shell", "sh", `claude mcp add --transport http ${name} ${url}`),
    ),
    section(
      "mcp-chatgpt",
      "ChatGPT",
      prose(
        `**Settings → Apps & Connectors → Advanced settings → Developer mode**, then **Create**: MCP server URL \`${url}\`, authentication **None**.`,
      ),
    ),
    section(
      "mcp-cursor",
      "Cursor",
      prose("In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:"),
      json({ mcpServers: { [name]: { url } } }),
    ),
    section(
      "mcp-vscode",
      "VS Code",
      prose("In `.vscode/mcp.json`:"),
      json({ servers: { [name]: { type: "http", url } } }),
    ),
    section(
      "mcp-stdio",
      "Over stdio",
      prose(
        "Where Tintdesk itself is installed, `tint mcp` serves the same tools over stdio. In `claude_desktop_config.json`, and in the same form in most other desktop clients:",
      ),
      json({ mcpServers: { [name]: { command: "tint", args: ["mcp"] } } }),
    ),
  ];
}

function json(value: object): Block {
  return codeBlock("JSON", "json", JSON.stringify(value, null, 2));
}

// The releases and what they changed for callers of the API, from CHANGELOG.md in the form of Keep a Changelog.

export interface ApiRelease {
  version: string;
  /** Undefined for changes that are not released yet. */
  date?: string;
  /** Changes by heading, like `API`. */
  changes: { kind: string; items: string[] }[];
}

export const RELEASES: readonly ApiRelease[] = releasesIn(changelog);

/** @param text sections `## [version] - date`, in them `### heading` with a list. Other headings are for owners. */
export function releasesIn(text: string): ApiRelease[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = "", ...kinds] = part.split(/^### /m);
      const [, version = "", date] = /^\[([^\]]+)\](?: - (\S+))?/.exec(title) ?? [];
      const changes = kinds.map(changesIn).filter(({ kind }) => kind.startsWith("API"));
      return { version, ...(date && { date }), changes };
    });
}

function changesIn(text: string): ApiRelease["changes"][number] {
  const [kind = "", ...items] = text.split(/^(?:- |\n(?=\S))/m);
  return {
    kind: kind.trim(),
    // Links of the file lead to files beside it.
    items: items
      .map((item) =>
        item
          .replace(/\s+/g, " ")
          .trim()
          .replace(/\[([^[\]]+)\]\([^()]*\)/g, "$1"),
      )
      .filter(Boolean),
  };
}
