/** The documentation, in the order in which a newcomer needs it. */
import type { z } from "zod";
import { nextAction, warningShape } from "../../capabilities/core/envelope.ts";
import { allPriceNotes } from "../../capabilities/core/price-shapes.ts";
import { faqOf } from "../../capabilities/faq.ts";
import { offers, toolCapabilities } from "../../capabilities/index.ts";
import { limitRows } from "../../catalog/limits.ts";
import { addressOf } from "../../catalog/messaging.ts";
import type { Shop } from "../../catalog/shop.ts";
import { API_PREFIX } from "../../constants.ts";
import {
  apiRoot,
  apiUrl,
  CALLING_SITES,
  keyRule,
  type SampleOf,
  siteUrl,
  summaryOf,
  VERSION_RULE,
} from "../../discovery/common.ts";
import { errorExamples } from "../../discovery/openapi/document.ts";
import type { Examples } from "../../discovery/openapi/examples.ts";
import { cureAdvice, flatGlassRate, frontWindowRule, hoursInLines, priceTable } from "../../discovery/prices.ts";
import { ERRORS } from "../../errors.ts";
import { pick } from "../../lib/fields.ts";
import { slug } from "../../lib/text.ts";
import { VERSION } from "../../lib/version.ts";
import { jsonSchema } from "../../schema/json-schema.ts";
import { RELEASES } from "./changelog.ts";
import { guides } from "./guides.ts";
import { requests, sampleRequestOf, shapeLines } from "./requests.ts";
import { curl, excerpt, PROGRAMS, sampleHeaders } from "./samples.ts";
import { chapter, fence, list, marked, type Section, section } from "./section.ts";

export function docsSections(catalog: Shop, sampleOf: SampleOf, examples: Examples): Section[] {
  return [
    quickStart(catalog, sampleOf),
    requests(catalog, sampleOf, examples),
    guides(catalog, sampleOf),
    responsesSection(catalog),
    errors(catalog),
    limits(catalog),
    keys(catalog),
    agents(catalog),
    prices(catalog),
    tintLaw(catalog),
    termsSection(catalog),
    versions(),
  ];
}

/** What the documentation is about, in a sentence. */
export function introduction(catalog: Shop): string {
  return `${summaryOf(catalog)} JSON over HTTP, for websites, scripts and AI assistants. ${keyRule(catalog)}`;
}

/** The whole documentation, and each section by its id. */
export function docsMarkdown(catalog: Shop, given: readonly Section[]) {
  const sections = new Map(
    given.flatMap((one) => [one, ...(one.sections ?? [])]).map((one) => [one.id, `${toMarkdown(one, 1)}\n`]),
  );
  const body = `${[
    `# ${catalog.business.name} API`,
    introduction(catalog),
    list(
      `Version ${VERSION} (schema_version 1.0)`,
      `Each section by itself: ${apiUrl(catalog, "/docs-md")} with \`?section=ID\`, like \`?section=errors\` or the id of a request`,
      `OpenAPI: ${apiUrl(catalog, "/openapi.json")}, manifest: ${apiUrl(catalog, "/capabilities")}, of one request \`/capabilities/ID\``,
    ),
    ...given.map((one) => toMarkdown(one, 2)),
  ].join("\n\n")}\n`;
  return { body, sections };
}

function toMarkdown({ title, text, sections = [] }: Section, level: number): string {
  const heading = `${"#".repeat(level)} ${title}`;
  return [heading, text, ...sections.map((inner) => toMarkdown(inner, level + 1))].filter(Boolean).join("\n\n");
}

/** llms-full.txt: the documentation, and the facts of the catalog. */
export function fullText(catalog: Shop, sections: readonly Section[]): string {
  const { business } = catalog;
  return `${[
    docsMarkdown(catalog, sections).body.trimEnd(),
    "## Location and hours",
    [
      `- ${addressOf(catalog)}`,
      `- Phone ${business.phone}, e-mail ${business.email}`,
      ...hoursInLines(catalog).map((day) => `- ${day}`),
    ].join("\n"),
    "## Prices by vehicle",
    table(...priceTable(catalog)),
    // What each is for is in the answers below and in list_services; the whole text has a limit.
    "## Services",
    catalog.services.map(({ id, key, name }) => `- ${name} (\`${key}\`, id ${id})`).join("\n"),
    "## Questions and answers",
    ...faqOf(catalog).map(({ question, answer }) => `### ${question}\n\n${answer}`),
  ].join("\n\n")}\n`;
}

function quickStart(catalog: Shop, sampleOf: SampleOf): Section {
  const { pages, site } = catalog;
  const work = { ...sampleJob(sampleOf), headers: sampleHeaders(catalog.bookings.require_api_key) };
  const brief = { ...work.estimate, view: "brief" };
  return chapter(
    "quick-start",
    `Three requests lead from a question to an appointment. ${keyRule(catalog)}`,
    list(
      `Base URL: \`${site.base_url}\``,
      `For agents that a web host blocks: \`${site.agent_proxy_url}\``,
      `MCP server: \`${site.mcp_url}\``,
    ),
    "**First the price:**",
    fence("sh", curl({ method: "GET", path: `${API_PREFIX}/estimates`, sample: brief }, apiRoot(catalog))),
    `**Then the times** that are open for this work. **Then the booking,** once the customer agrees, with a date and time from that \
answer, and with \`estimate_id\`: so the price holds until \`valid_until\`. With \`dry_run\` nothing is stored: the answer shows what \
would be booked, and at what price.`,
    "All three in JavaScript:",
    fence("js", PROGRAMS.javascript(site.base_url, work)),
    "And in Python:",
    fence("python", PROGRAMS.python(site.base_url, work)),
    pages.book
      ? `**Or let the customer do it:** \`book_url\` of an estimate is the address of a page with all of this filled in, like \
${pages.book}. Opening it changes nothing.`
      : "",
    `Every answer lists the possible next steps in \`next_actions\`, each with a request that can be sent as it \
is.${offers(catalog, "flat_glass_estimate") ? BUILDINGS : ""}`,
  );
}

const BUILDINGS = " For glass in buildings, the first step is `flat_glass_estimate` and the last is `quote_request`.";

function sampleJob(sampleOf: SampleOf) {
  const sample = sampleRequestOf("automotive_estimate", sampleOf).sample;
  const booking = Object(sampleRequestOf("book_appointment", sampleOf).sample);
  const estimate = pick(Object(sample), "vehicle_type", "film_type", "coverage");
  const person = pick(booking, "customer_name", "customer_phone", "customer_email");
  return { estimate, query: { ...estimate, days: 14 }, person };
}

function responsesSection({ business, currency, site }: Shop): Section {
  return chapter(
    "answers",
    list(
      `**Currency**: money is a number in ${currency}, with at most 2 decimals.`,
      `**Time zone**: dates and times are the shop's own (${business.timezone}); instants are RFC 3339 with its UTC offset.`,
      `**Phone format**: any usual notation with area code, like \`${business.phone}\`.`,
      `Descriptions and documents carry an \`ETag\` and answer 304 to \`If-None-Match\`. **CORS**: ${CALLING_SITES[site.cors]} may call the API \
from a browser; no cookies are used.`,
      `**Idempotency**: send \`booking_request_id\` (or the header \`Idempotency-Key\`) with a booking: a repeated request books nothing \
twice, and is answered with what stands now: the first answer, a booking as it is since a change (\`REPLAYED\`), or a conflict once it \
has ended.`,
      "**Webhooks**: there are none. `booking_status` tells how a booking stands.",
    ),
    `An answer is \`{"success": true, "data": …}\`; \`data\` is described with each request. \`next_actions[]\`, the possible next \
steps:\n\n${shared(nextAction)}`,
    `\`warnings[]\`, present when the caller should know something:\n\n${shared(warningShape)}`,
  );
}

function shared(shape: z.ZodType): string {
  return shapeLines(jsonSchema(shape, "output"), { told: new Map(), id: "answers" });
}

function errors(catalog: Shop): Section {
  return chapter(
    "errors",
    `Every error has one shape: \`success\` (false), \`error_code\`, \`message\`, \`recoverable\`, \`agent_instruction\`, \
\`usage.sample_request\` (your own request; \`usage.fill_in\` names what it leaves to you, \`usage.fill_in_hints\` what you sent for \
it), \`docs\`, \`openapi\`, \`request_id\`, where they apply \`missing_fields\`, \`invalid_fields\`, \`method\` and \`path\` (where to \
send it instead), \`alternatives\`, \`retry_after_seconds\` and \`rate_limit\`. All faults of a request are named at once.`,
    fence("json", excerpt(errorExamples(catalog).MISSING_FIELD?.value)),
    `The codes, with the status and what helps: *correct* the request, *wait* as long as \`Retry-After\` says, *retry* it as it is, \
or *none*, and then \`recoverable\` is false. \`agent_instruction\` says it at length.`,
    list(
      ...Object.entries(ERRORS).map(
        ([code, { status, when, remedy }]) => `\`${code}\` (${status}, ${remedy}): ${marked(when)}`,
      ),
    ),
  );
}

function limits(catalog: Shop): Section {
  return chapter(
    "limits",
    table(["Who or what", "Limit"], limitRows(catalog)),
    `Every response carries \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Scope\` (which limit), \`X-RateLimit-Reset\` \
(seconds until it has room) and \`X-Request-Id\`; a refused one also \`Retry-After\`, in seconds. A 429 is not counted; a quote \
request, booking or registration only once it is made.`,
  );
}

function keys(catalog: Shop): Section {
  return chapter(
    "keys",
    `**Authentication**: ${keyRule(catalog)} A key raises the limits. \`register_api_key\` issues one per e-mail address and shows it \
once. Send it in one of two headers:`,
    fence("http", "Authorization: Bearer tint_live_…\nX-API-Key: tint_live_…"),
  );
}

function agents(catalog: Shop): Section {
  const tools = toolCapabilities(catalog);
  const books = tools.some(({ id }) => id === "book_appointment");
  return {
    ...chapter(
      "agents",
      `Assistants that speak MCP use \`${catalog.site.mcp_url}\` (streamable HTTP, no authentication). A request that is a tool names it \
above${books ? "" : "; bookings are made over the API itself"}; the tool takes all fields of the request, also the seldom ones that \
\`tools/list\` leaves out.`,
      `Agents start from ${siteUrl(catalog, "/llms.txt")}, \`/.well-known/agents.json\` and \`/.well-known/agent-card.json\`.`,
    ),
    sections: mcpClients(catalog),
  };
}

function mcpClients({ business, site }: Shop): Section[] {
  const name = slug(business.name);
  const url = site.mcp_url;
  const json = (value: object) => fence("json", JSON.stringify(value));
  return [
    section(
      "mcp-claude",
      "Claude",
      `In Claude on the web or the desktop: **Settings → Connectors → Add custom connector**, and paste \`${url}\`. In Claude Code:`,
      fence("sh", `claude mcp add --transport http ${name} ${url}`),
    ),
    section(
      "mcp-chatgpt",
      "ChatGPT",
      `**Settings → Apps & Connectors → Advanced settings → Developer mode**, then **Create**: MCP server URL \`${url}\`, \
authentication **None**.`,
    ),
    section("mcp-cursor", "Cursor", "In `~/.cursor/mcp.json`:", json({ mcpServers: { [name]: { url } } })),
    section("mcp-vscode", "VS Code", "In `.vscode/mcp.json`:", json({ servers: { [name]: { type: "http", url } } })),
    section("mcp-stdio", "Over stdio", "Where Tintdesk itself is installed, `tint mcp` serves the same tools."),
  ];
}

function prices(catalog: Shop): Section {
  const { flat_glass: flat } = catalog;
  return chapter(
    "prices",
    `Last checked by the shop on ${catalog.reviewed_on}. \
${glassInWords(catalog)}.${flat ? ` Film on buildings costs ${flatGlassRate(flat, catalog)}.` : ""} An estimate is exact; the prices of \
each vehicle and of add-ons are in \`list_services\`.`,
    cureAdvice(catalog),
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
  return chapter(
    "tint-law",
    frontWindowRule(catalog),
    `An estimate checks the wished shade against the rules of ${Object.keys(law.jurisdictions).length} jurisdictions; name one with \
\`jurisdiction\`, like \`${law.home}\` (the shop's own, and the default). An estimate is never refused for its shade; \
one that is not legal ${NOT_LEGAL[law.not_legal]}. ${law.disclaimer}`,
  );
}

const NOT_LEGAL: Record<Shop["tint_law"]["not_legal"], string> = {
  ask: "is booked only with `accept_not_legal`",
  refuse: "is not booked",
  warn: "is booked with a warning",
};

function termsSection(catalog: Shop): Section {
  const { business, tax } = catalog;
  return chapter(
    "terms",
    list(
      ...(business.legal_note ? [`${business.name}: ${business.legal_note}`] : []),
      "Anyone may call this API on behalf of a customer, free of charge, within the limits above.",
      "Book and send quote requests only when the customer has agreed, with their own name, phone and e-mail.",
      `${allPriceNotes(catalog)} ${tax.note}`,
      `What a booking or quote request contains is kept by ${business.name} to do the work; questions go to ${business.email} or \
${business.phone}.`,
    ),
  );
}

function versions(): Section {
  const latest = RELEASES.find(({ date }) => date !== undefined);
  return chapter(
    "versions",
    `This is version ${VERSION}${latest ? `; ${latest.version} was released on ${latest.date}` : ""}. \
${VERSION_RULE} [The changelog](${API_PREFIX}/docs/changelog) tells what came with each version.`,
  );
}

function table(head: string[], rows: string[][]): string {
  const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}
