/**
 * The Model Context Protocol: the capabilities marked `tool`, offered to language models. The same server speaks over
 * HTTP and over standard input and output.
 */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { Call } from "../capabilities/core/protocol.ts";
import { offers } from "../capabilities/offer.ts";
import type { Catalog } from "../catalog/schema.ts";
import { VERSION } from "../lib/version.ts";
import { toolCalled } from "./mcp.ts";
import { nextCall } from "./mcp-names.ts";
import { toolsOf } from "./mcp-tools.ts";

/** How long a client may keep the list of tools. It changes with the program, and seldom with the catalog. */
const LIST_MS = 3_600_000;

/** A server for one connection. Over HTTP, every request is a connection. */
export function createMcpServer({ catalog, run }: Pick<Call, "catalog" | "run">): Server {
  const server = new Server(
    {
      name: "tintdesk",
      title: catalog.business.name,
      version: VERSION,
      websiteUrl: catalog.site.url,
    },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: instructions(catalog),
      cacheHints: { "tools/list": { ttlMs: LIST_MS, cacheScope: "public" } },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: toolsOf(catalog) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const capability = toolCalled(params.name, params.arguments);
    if (!capability) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}; see tools/list.`);
    }
    return toResult(await run(capability, params.arguments ?? {}), catalog);
  });
  return server;
}

/**
 * The answer as JSON text, once: every client hands text to its model, and many hand on nothing else. Tools without an
 * output schema need no structured content beside it.
 */
function toResult(answer: Awaited<ReturnType<Call["run"]>>, catalog: Catalog): CallToolResult {
  if (!answer.success) return { content: [{ type: "text", text: JSON.stringify(answer) }], isError: true };
  const { next_actions: next, ...rest } = answer;
  const told = { ...rest, ...(next && { next_actions: next.map((action) => nextCall(action, catalog)) }) };
  return { content: [{ type: "text", text: JSON.stringify(told) }] };
}

function instructions(catalog: Catalog): string {
  const { business, site } = catalog;
  return [
    `${business.name}: window tint and film in ${business.service_area.label}.`,
    "Prices and times come from these tools; do not guess them.",
    ...(offers(catalog, "quote_request")
      ? [
          "request_quote sends a person's details to the shop: ask that person first, and put their agreement into consent.",
        ]
      : []),
    `Appointments are booked over REST, not with a tool: POST ${site.base_url}/bookings, documented at ${site.base_url}/docs-md.`,
  ].join(" ");
}
