/** The small files in which crawlers and agents look for an API; agents.json has a file of its own. */
import type { Shop } from "../catalog/shop.ts";
import { apiUrl, docsUrl, siteUrl, summaryOf } from "./site.ts";

/** The manifest of ChatGPT plugins, which other clients still read. It allows 20 characters for the name and 100 for the description. */
export function aiPlugin(catalog: Shop): object {
  const { business } = catalog;
  return {
    schema_version: "v1",
    name_for_human: business.name.slice(0, 20).trim(),
    name_for_model: "tintdesk",
    description_for_human: `Window-tint prices, open times and bookings of ${business.name}.`.slice(0, 100),
    description_for_model: `${summaryOf(catalog)} Start with an estimate, follow next_actions, and ask the end user before a booking or quote request.`,
    auth: { type: "none" },
    api: { type: "openapi", url: apiUrl(catalog, "/openapi.json") },
    logo_url: apiUrl(catalog, "/docs/icon.svg"),
    contact_email: business.email,
    legal_info_url: docsUrl(catalog, "terms"),
  };
}

/** RFC 9727: a linkset (RFC 9264) of the APIs of this site. */
export function apiCatalog(catalog: Shop): object {
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
export const API_CATALOG = "/.well-known/api-catalog";

export function robotsText(catalog: Shop): string {
  return `# Agents are welcome: read ${siteUrl(catalog, "/llms.txt")} first.
User-agent: *
Allow: /
`;
}
