/** The files in which crawlers and agents look for an API. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Document } from "../capabilities/core/document.ts";
import { requiresConsent } from "../capabilities/core/operations.ts";
import { aboutOf, CAPABILITY_BY_ID, offered } from "../capabilities/index.ts";
import { BOOK_PATH, GLASS_PATH, MANAGE_PATH, PRIVACY_PATH, TERMS_PATH } from "../catalog/page-addresses.ts";
import type { Shop } from "../catalog/shop.ts";
import { addDays, shopDate } from "../domain/schedule.ts";
import { VERSION } from "../lib/version.ts";
import { type JsonSchema, jsonSchema, withoutLines } from "../schema/json-schema.ts";
import { apiUrl, docsUrl, jsonDocument, type SampleOf, sampledDocument, siteUrl, summaryOf } from "./common.ts";
import { requiredFields } from "./manifest.ts";

/** The manifest of ChatGPT plugins, which other clients still read. It allows 20 characters for the name and 100 for the description. */
function aiPlugin(catalog: Shop): object {
  const { business } = catalog;
  const about = `Window-tint prices, open times and bookings of ${business.name}.`;
  return {
    schema_version: "v1",
    name_for_human: business.name.slice(0, 20).trim(),
    name_for_model: "tintdesk",
    description_for_human: about.length <= 100 ? about : "Window-tint prices, open times and bookings.",
    description_for_model: `${summaryOf(catalog)} Start with an estimate, follow next_actions, and ask the end user before a booking or quote request.`,
    auth: { type: "none" },
    api: { type: "openapi", url: apiUrl(catalog, "/openapi.json") },
    logo_url: apiUrl(catalog, "/docs/icon.svg"),
    contact_email: business.email,
    legal_info_url: docsUrl(catalog, "terms"),
  };
}

/** RFC 9727: a linkset (RFC 9264) of the APIs of this site. */
function apiCatalog(catalog: Shop): object {
  const { site } = catalog;
  return {
    linkset: [
      { anchor: siteUrl(catalog, API_CATALOG), item: [{ href: site.base_url }, { href: site.mcp_url }] },
      {
        anchor: site.base_url,
        "service-desc": [{ href: apiUrl(catalog, "/openapi.json"), type: "application/json" }],
        "service-doc": [
          { href: docsUrl(catalog), type: "text/html" },
          { href: apiUrl(catalog, "/docs-md"), type: "text/markdown" },
        ],
        "service-meta": [
          { href: apiUrl(catalog, "/capabilities"), type: "application/json" },
          { href: siteUrl(catalog, "/.well-known/agents.json"), type: "application/json" },
          { href: siteUrl(catalog, "/.well-known/mcp.json"), type: "application/json" },
        ],
        status: [{ href: siteUrl(catalog, "/readyz"), type: "application/json" }],
      },
    ],
  };
}
const API_CATALOG = "/.well-known/api-catalog";

function robotsText(catalog: Shop): string {
  return `# Agents are welcome: read ${siteUrl(catalog, "/llms.txt")} first.
User-agent: *
Allow: /
Sitemap: ${siteUrl(catalog, "/sitemap.xml")}
`;
}

function sitemap(catalog: Shop): string {
  const services = catalog.bookable.filter(({ key }) => catalog.terms.services.includes(key));
  const paths = [
    BOOK_PATH,
    ...services.slice(1).map(({ key }) => `${BOOK_PATH}?service_type=${key}`),
    ...(offered(catalog).some(({ id }) => id === "flat_glass_estimate") ? [GLASS_PATH] : []),
    ...[MANAGE_PATH, PRIVACY_PATH, TERMS_PATH],
  ];
  const all = [...paths.map((path) => siteUrl(catalog, path)), docsUrl(catalog)];
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${all.map((address) => `<url><loc>${Bun.escapeHTML(address)}</loc></url>`).join("\n")}
</urlset>
`;
}

/** RFC 9116: whom to tell of a hole. @param today the date at the shop */
function securityText(catalog: Shop, today: string): string {
  return `Contact: mailto:${catalog.business.email}
Expires: ${addDays(today, SECURITY_TEXT_DAYS)}T00:00:00Z
Preferred-Languages: en
Canonical: ${siteUrl(catalog, SECURITY_TEXT)}
`;
}
const SECURITY_TEXT = "/.well-known/security.txt";
/** The RFC wants less than a year. */
const SECURITY_TEXT_DAYS = 180;

/** agents.json 0.1.0 (wild-card-ai/agents-json): flows over the operations of the OpenAPI document. */
function agentsJson(catalog: Shop, sampleOf: SampleOf): object {
  const { business, site } = catalog;
  return {
    agentsJson: "0.1.0",
    info: { title: `${business.name} API`, version: VERSION, description: summaryOf(catalog) },
    sources: [{ id: SOURCE, path: apiUrl(catalog, "/openapi.json") }],
    overrides: [],
    flows: [bookingFlow(catalog), ...offered(catalog).map((capability) => flow(capability, catalog, sampleOf))],
    // Additions to the format; readers ignore keys they do not know.
    base_url: site.base_url,
    agent_proxy_url: site.agent_proxy_url,
    mcp_url: site.mcp_url,
    manifest: apiUrl(catalog, "/capabilities"),
    documentation: docsUrl(catalog),
  };
}

const SOURCE = "tintdesk";

function flow(capability: Capability, catalog: Shop, sampleOf: SampleOf): object {
  const { id, title, operationId, method } = capability;
  const schema = bodySchema(capability, catalog);
  const example = sampleOf(capability);
  const isGet = method === "GET";
  const names = Object.keys(schema.properties ?? {});
  return {
    id: `${id}_flow`,
    title,
    description: inFull(capability, catalog),
    actions: [{ id, sourceId: SOURCE, operationId }],
    links: isGet
      ? names.map((name) => linkEntry([null, `parameters.${name}`], [id, `parameters.${name}`]))
      : [linkEntry([null, "requestBody"], [id, "requestBody"])],
    fields: {
      parameters: isGet
        ? Object.entries(schema.properties ?? {}).map(([name, { description, type = "string" }]) => ({
            name,
            type,
            description,
            required: schema.required?.includes(name) ?? false,
          }))
        : [],
      ...(!isGet && { requestBody: { required: true, content: { "application/json": { schema, example } } } }),
      responses: { success: { type: "object", description: `What ${operationId} answers.` } },
    },
    requires_consent: requiresConsent(capability),
  };
}

function bodySchema(capability: Capability, catalog: Shop): JsonSchema {
  const required = requiredFields(capability, catalog);
  return { ...withoutLines(jsonSchema(capability.input(catalog), "input")), ...(required.length > 0 && { required }) };
}

/** From open times to a booking: the first open date and time fill the booking request. */
function bookingFlow(catalog: Shop): object {
  const times = CAPABILITY_BY_ID.check_availability;
  const booking = CAPABILITY_BY_ID.book_appointment;
  return {
    id: "find_time_and_book_flow",
    title: "Find an open time and book it",
    description:
      "Shows the open times, and books the first one for a customer who agreed. Ask the end user for consent before the booking.",
    actions: [times, booking].map(({ id, operationId }) => ({ id, sourceId: SOURCE, operationId })),
    links: [
      linkEntry([null, "requestBody"], [booking.id, "requestBody"]),
      ...["date", "time"].map((name) =>
        linkEntry([times.id, `responses.next_actions.0.sample_request.${name}`], [booking.id, `requestBody.${name}`]),
      ),
    ],
    fields: {
      parameters: [],
      requestBody: { required: true, content: { "application/json": { schema: bodySchema(booking, catalog) } } },
      responses: { success: { type: "object", description: "The confirmed appointment with its confirmation code." } },
    },
    requires_consent: true,
  };
}

type End = [actionId: string | null, fieldPath: string];

function linkEntry(origin: End, target: End): object {
  const end = ([actionId, fieldPath]: End) => ({ actionId, fieldPath });
  return { origin: end(origin), target: end(target) };
}

const PLAIN = "text/plain; charset=utf-8";

export const WELL_KNOWN: readonly Document[] = [
  { path: "/robots.txt", contentType: PLAIN, render: (catalog) => ({ body: robotsText(catalog) }) },
  {
    path: "/sitemap.xml",
    contentType: "application/xml; charset=utf-8",
    render: (catalog) => ({ body: sitemap(catalog) }),
  },
  {
    path: SECURITY_TEXT,
    contentType: PLAIN,
    showsToday: true,
    render: (catalog, now) => ({ body: securityText(catalog, shopDate(catalog, now)) }),
  },
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

/** What it does, when to use it, when not, and what to ask the end user first. */
function inFull(capability: Capability, catalog: Shop): string {
  const { description, useWhen, avoidWhen } = aboutOf(capability, catalog);
  return [
    description,
    ...(useWhen.length > 0 ? [`Use it when: ${useWhen.join(" ")}`] : []),
    ...(avoidWhen.length > 0 ? [`Avoid it when: ${avoidWhen.join(" ")}`] : []),
    ...(requiresConsent(capability) ? ["Ask the end user for consent before you call it."] : []),
  ].join(" ");
}
