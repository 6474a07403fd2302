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
import { perCatalogAndDate } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { comingDays } from "../discovery/prices.ts";
import { shopDate, weekdayOf } from "../domain/schedule.ts";
import { bookUrl } from "../job/forms.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { capitalised, slug } from "../lib/text.ts";
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
export function createMcpServer({ catalog, now, run }: Pick<Call, "catalog" | "now" | "run">): Server {
  const name = { name: slug(catalog.business.name), version: VERSION };
  const server = new Server(
    { ...name, title: catalog.business.name, websiteUrl: catalog.site.url, icons: iconsOf(catalog) },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: instructions(catalog, shopDate(catalog, now)),
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
 * The answer as JSON text and in no other form: every client hands text to its model, and many hand on nothing else.
 * Tools without an output schema need no structured content beside it.
 */
function toResult(answer: Awaited<ReturnType<Call["run"]>>, catalog: Shop): CallToolResult {
  const text = JSON.stringify(toolAnswer(answer, catalog));
  return { content: [{ type: "text", text }], ...(!answer.success && { isError: true }) };
}

/** The instructions that a model reads before its first call. They name today's date, which no model knows. */
const instructions = perCatalogAndDate((catalog, today): string => {
  const { business } = catalog;
  const tools = toolCapabilities(catalog);
  const acting = tools.filter(requiresConsent).map(({ operationId }) => operationId);
  const page = bookUrl({}, catalog);
  const weekday = capitalised(weekdayOf(today));
  return [
    `${business.name}: window tint and film in ${business.service_area.label}.`,
    `Today at the shop is ${weekday}, ${today}. Open: ${comingDays(catalog, today).join("; ")}. Phone ${business.phone}.`,
    ...(page ? [`People can book by themselves at ${page}.`] : []),
    "Prices and times come from these tools; do not guess them.",
    ...(acting.length > 0
      ? [
          `Ask the person before you call ${acting.join(", ")}, and put their agreement into consent where it is a field.`,
        ]
      : []),
    ...(tools.some(({ id }) => id === "book_appointment") ? [] : [`No tool books: hand on book_url, or the phone.`]),
  ].join(" ");
});
