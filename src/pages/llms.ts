/**
 * llms.txt, short enough for a model to read in full, and llms-full.txt, everything in one file. By the rules of
 * llmstxt.org, prose stands before the first section, and every section is a list of links.
 */
import type { Capability } from "../capabilities/core/capability.ts";
import { type CapabilityId, OPERATIONS, requiresConsent } from "../capabilities/core/operations.ts";
import { offered, offers, toolCapabilities } from "../capabilities/index.ts";
import { faqOf } from "../capabilities/list-faq.ts";
import { addressOf } from "../catalog/messaging.ts";
import type { Shop } from "../catalog/shop.ts";
import {
  comingDays,
  cureAdvice,
  flatGlassRate,
  frontWindowRule,
  priceSpan,
  specialHours,
  weekHours,
} from "../discovery/prices.ts";
import { apiUrl, docsUrl, keyRule, siteUrl, summaryOf } from "../discovery/site.ts";
import { weekdayOf } from "../domain/schedule.ts";
import { bookUrl } from "../job/forms.ts";
import { capitalised } from "../lib/text.ts";

/** @param today the date at the shop */
export function llmsText(catalog: Shop, today: string): string {
  const { business, flat_glass: flat } = catalog;
  const page = bookUrl({}, catalog);
  const tools = toolCapabilities(catalog).map(({ operationId }) => operationId);
  const buildings = offers(catalog, "flat_glass_estimate")
    ? ` (vehicles) or POST ${address("flat_glass_estimate", catalog)} (buildings)`
    : "";
  return lines(
    `# ${business.name}`,
    `> ${summaryOf(catalog)} JSON over HTTP, free. ${keyRule(catalog)}`,
    "**From here to a booking**",
    [
      `1. Read the [manifest](${apiUrl(catalog, "/capabilities")}): every capability with its fields and a \`sample_request\` that is valid as it stands. Paths in answers begin at ${siteUrl(catalog, "/")}.`,
      `2. Price the work: POST ${address("automotive_estimate", catalog)}${buildings}.`,
      `3. Follow \`next_actions\`: each names method, path and a filled-in \`sample_request\`. They lead to open times and a booking, or to a quote request.`,
      `4. With the end user's consent and their own name, phone and e-mail: POST ${address("book_appointment", catalog)} with a date and time from ${address("check_availability", catalog)}, or POST ${address("quote_request", catalog)}.`,
      "5. On an error do what `agent_instruction` says; 429 names the wait in `Retry-After`.",
    ].join("\n"),
    "**Rules**",
    [
      "- Ask the end user before anything with `requires_consent`; never invent their data.",
      "- Send `booking_request_id` with a booking, so that a retry cannot book twice.",
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
      `- Today is ${capitalised(weekdayOf(today))}, ${today}. Open: ${comingDays(catalog, today).join("; ")}.`,
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
        link(
          capability.id,
          apiUrl(catalog, capability.path),
          `${capability.method}, ${capability.title}${condition(capability, catalog)}`,
        ),
      )
      .join("\n"),
    "## Documents",
    [
      link(
        "Everything in one file",
        siteUrl(catalog, "/llms-full.txt"),
        "documentation, prices, questions and answers",
      ),
      link("Documentation", apiUrl(catalog, "/docs-md"), "Markdown"),
      link("Documentation for people", docsUrl(catalog)),
      ...(page ? [link("Booking page for people", page)] : []),
      link("OpenAPI 3.0.3", apiUrl(catalog, "/openapi.json")),
      link("agents.json", siteUrl(catalog, "/.well-known/agents.json"), "flows over the OpenAPI document"),
      link("Agent card", siteUrl(catalog, "/.well-known/agent-card.json"), "A2A"),
      link("API catalog", siteUrl(catalog, "/.well-known/api-catalog"), "RFC 9727"),
      link("MCP server", catalog.site.mcp_url, `streamable HTTP, POST, no authentication; tools ${tools.join(", ")}`),
      link("The API for agents that this host blocks", catalog.site.agent_proxy_url, "the same API"),
    ].join("\n"),
  );
}

function condition(capability: Capability, catalog: Shop): string {
  if (capability.isByPhone?.(catalog)) return " (by phone only)";
  return requiresConsent(capability) ? " (consent needed)" : "";
}

/** `$249 to $379 in Standard film (55% infrared rejection), $449 to $649 in Ceramic IR film (93%)`. */
function filmPrices(catalog: Shop): string {
  return Object.entries(catalog.automotive.films)
    .map(([film, { name, ir_rejection_pct: ir }], i) =>
      i === 0
        ? `${priceSpan(catalog, film)} in ${name} (${ir}% infrared rejection)`
        : `${priceSpan(catalog, film)} in ${name} (${ir}%)`,
    )
    .join(", ");
}

/** @param docs the documentation as Markdown */
export function llmsFullText(docs: string, catalog: Shop): string {
  const { business } = catalog;
  return lines(
    docs.trimEnd(),
    "## Location and hours",
    [
      `- ${addressOf(catalog)}`,
      `- Phone ${business.phone}, e-mail ${business.email}`,
      ...weekHours(catalog).map((day) => `- ${day}`),
      ...specialHours(catalog).map((day) => `- ${day}`),
    ].join("\n"),
    "## Services",
    catalog.services
      .map(({ id, key, name, description }) => `- ${name} (\`${key}\`, id ${id}): ${description}`)
      .join("\n"),
    "## Questions and answers",
    ...faqOf(catalog).map(({ question, answer, category }) => `### ${question}\n\n${answer} (${category})`),
  );
}

function lines(...parts: string[]): string {
  return `${parts.join("\n\n")}\n`;
}

function link(name: string, url: string, note?: string): string {
  return `- [${name}](${url})${note ? `: ${note}` : ""}`;
}

function address(id: CapabilityId, catalog: Shop): string {
  return apiUrl(catalog, OPERATIONS[id].path);
}
