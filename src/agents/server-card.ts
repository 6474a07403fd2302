/**
 * Where an MCP client finds the server before it connects: the server card (SEP-2127), and `server.json` for the MCP
 * registry, which the owner publishes with the registry's own tool.
 */
import type { Shop } from "../catalog/shop.ts";
import { jsonDocument } from "../discovery/sampled.ts";
import { apiUrl } from "../discovery/site.ts";
import { slug } from "../lib/text.ts";
import { VERSION } from "../lib/version.ts";
import { MCP } from "./mcp.ts";

const SCHEMAS = "https://static.modelcontextprotocol.io/schemas";
/** The revisions that the MCP library speaks. */
const REVISIONS = ["2026-07-28", "2025-11-25"];

export function iconsOf(catalog: Shop) {
  return [{ src: apiUrl(catalog, "/docs/icon.svg"), mimeType: "image/svg+xml", sizes: ["any"] }];
}

/** The fields that both formats share, at most 100 characters each. The name begins with the site's host, reversed. */
function identity(catalog: Shop) {
  const { business, site } = catalog;
  const domain = new URL(site.url).hostname.split(".").reverse().join(".");
  return {
    name: `${domain}/${slug(business.name)}`,
    title: business.name,
    description: `Window-tint prices, tint law, open times and quotes of ${business.name}.`.slice(0, 100),
    version: VERSION,
    websiteUrl: site.url,
    icons: iconsOf(catalog),
  };
}

const remote = ({ site }: Shop) => ({ type: "streamable-http", url: site.mcp_url });

function serverCard(catalog: Shop) {
  return {
    $schema: `${SCHEMAS}/v1/server-card.schema.json`,
    ...identity(catalog),
    remotes: [{ ...remote(catalog), supportedProtocolVersions: REVISIONS }],
  };
}

function serverJson(catalog: Shop) {
  return { $schema: `${SCHEMAS}/2025-12-11/server.schema.json`, ...identity(catalog), remotes: [remote(catalog)] };
}

export const SERVER_CARDS = [
  jsonDocument("/.well-known/mcp.json", serverCard),
  jsonDocument(`${MCP.path}/server-card`, serverCard, "application/mcp-server-card+json"),
  jsonDocument("/server.json", serverJson),
];
