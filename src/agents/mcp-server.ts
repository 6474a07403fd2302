/**
 * The Model Context Protocol: the capabilities that the catalog lists as tools, offered to language models. The same server
 * speaks over HTTP and over standard input and output.
 */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
} from "@modelcontextprotocol/server";
import { requiresConsent } from "../capabilities/core/operations.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { toolCapabilities } from "../capabilities/offer.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Catalog } from "../catalog/schema.ts";
import { weekHours } from "../discovery/prices.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { slug } from "../lib/text.ts";
import { VERSION } from "../lib/version.ts";
import { toolCalled } from "./mcp.ts";
import { toolAnswer } from "./mcp-names.ts";
import { toolsOf } from "./mcp-tools.ts";
import { iconsOf } from "./server-card.ts";

/** How long a client may keep the list of tools. It changes with the program, and seldom with the catalog. */
const LIST_MS = HOUR_MS;

/** The first revision whose answers name the server. */
const NAMING_REVISION = "2026-07-28";

/** A server for one connection. Over HTTP, every request is a connection. */
export function createMcpServer({ catalog, run }: Pick<Call, "catalog" | "run">): Server {
  const name = { name: slug(catalog.business.name), version: VERSION };
  const server = new Server(
    { ...name, title: catalog.business.name, websiteUrl: catalog.site.url, icons: iconsOf(catalog) },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: instructions(catalog),
      cacheHints: { "tools/list": { ttlMs: LIST_MS, cacheScope: "public" } },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsOf(catalog) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const capability = toolCalled(params.name, params.arguments, catalog);
    if (!capability) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}; see tools/list.`);
    }
    const result = toResult(await run(capability, params.arguments ?? {}), catalog);
    const names = (server.getNegotiatedProtocolVersion() ?? "") >= NAMING_REVISION;
    // The library would repeat the whole introduction, icons and all, in every answer.
    return names ? { ...result, _meta: { [SERVER_INFO_META_KEY]: name } } : result;
  });
  return server;
}

/**
 * The answer as JSON text, once: every client hands text to its model, and many hand on nothing else. Tools without an
 * output schema need no structured content beside it.
 */
function toResult(answer: Awaited<ReturnType<Call["run"]>>, catalog: Catalog): CallToolResult {
  const text = JSON.stringify(toolAnswer(answer, catalog));
  return { content: [{ type: "text", text }], ...(!answer.success && { isError: true }) };
}

const instructions = perCatalog((catalog): string => {
  const { business, site } = catalog;
  const tools = toolCapabilities(catalog);
  const acting = tools.filter(requiresConsent).map(({ operationId }) => operationId);
  return [
    `${business.name}: window tint and film in ${business.service_area.label}.`,
    `Phone ${business.phone}. Open: ${weekHours(catalog).join("; ")}.`,
    "Prices and times come from these tools; do not guess them.",
    ...(acting.length > 0
      ? [
          `Ask the person before you call ${acting.join(", ")}, and put their agreement into consent where it is a field.`,
        ]
      : []),
    ...(tools.some(({ id }) => id === "book_appointment")
      ? []
      : [
          `Appointments are booked by phone, or over REST: POST ${site.base_url}/bookings, documented at ${site.base_url}/docs-md.`,
        ]),
  ].join(" ");
});
