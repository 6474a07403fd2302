/** The MCP server: the capabilities that the catalog lists as tools, over HTTP and over standard input and output alike. */
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
  type Tool,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import { type Capability, insteadOf } from "../capabilities/core/capability.ts";
import { type Operation, requiresConsent } from "../capabilities/core/operations.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { aboutOf, CAPABILITIES, offers, toolCapabilities } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { comingDays } from "../discovery/prices.ts";
import { shopDate, weekdayOf } from "../domain/schedule.ts";
import { bookUrl } from "../job/forms.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { capitalized, slug } from "../lib/text.ts";
import { VERSION } from "../lib/version.ts";
import { markedFields } from "../schema/fields.ts";
import { type JsonSchema, jsonSchema } from "../schema/json-schema.ts";
import { sharers, shopIcons, toolAnswer, toolCalled, toolVoice, withArguments } from "./mcp.ts";

/** The library refuses arguments in another form before any handler has them, and calls every fault in params one of the program. */
class ToolServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<Server["_wrapHandler"]>) {
    const checked: typeof handler = (request, ctx) => {
      try {
        return handler(request, ctx);
      } catch (error) {
        // Our handlers are promises: what is thrown at once is the library's schema.
        throw error instanceof Error && !(error instanceof ProtocolError) ? invalidParams(error.message) : error;
      }
    };
    const wrapped = super._wrapHandler(method, checked);
    if (method !== "tools/call") return wrapped;
    return (request: Parameters<typeof wrapped>[0], ctx: Parameters<typeof wrapped>[1]) =>
      wrapped({ ...request, params: withArguments(request.params ?? {}) }, ctx);
  }
}

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** How long a client may keep the list of tools. It changes with the program, and seldom with the catalog. */
const LIST_MS = HOUR_MS;

/** The first revision whose answers name the server. */
const NAMING_REVISION = "2026-07-28";

/** A server for one connection. Over HTTP, every request is a connection. */
export function createMcpServer({ catalog, now, run }: Pick<Call, "catalog" | "now" | "run">): Server {
  const name = { name: slug(catalog.business.name), version: VERSION };
  const given = givenTo(catalog, shopDate(catalog, now));
  const server = new ToolServer(
    { ...name, title: catalog.business.name, websiteUrl: catalog.site.url, icons: shopIcons(catalog) },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: given.instructions,
      cacheHints: { "tools/list": { ttlMs: LIST_MS, cacheScope: "public" } },
    },
  );
  server.setRequestHandler("tools/list", async ({ params }) => {
    if (params?.cursor) throw invalidParams("The list of tools has one page, and no cursor leads on from it.");
    given.tools ??= toolsOf(catalog);
    return { tools: given.tools };
  });
  server.setRequestHandler("tools/call", async ({ params }) => {
    const capability = toolCalled(params.name, params.arguments, catalog);
    if (!capability) throw invalidParams(`There is no tool ${params.name}; see tools/list.`);
    const result = toResult(await run(capability, params.arguments ?? {}), catalog);
    const names = (server.getNegotiatedProtocolVersion() ?? "") >= NAMING_REVISION;
    // The library would repeat the whole introduction, icons and all, in every answer.
    return names ? { ...result, _meta: { [SERVER_INFO_META_KEY]: name } } : result;
  });
  return server;
}

/** JSON as text and in no other form: every client hands text to its model. Without output schemas nothing else is needed. */
function toResult(answer: Awaited<ReturnType<Call["run"]>>, catalog: Shop): CallToolResult {
  const text = JSON.stringify(toolAnswer(answer, catalog));
  return { content: [{ type: "text", text }], ...(!answer.success && { isError: true }) };
}

interface Given {
  catalog: Shop;
  today: string;
  instructions: string;
  /** Made when a client asks for them: that takes some milliseconds, and many shops are never asked. */
  tools?: Tool[];
}

/** For the newest server's catalog and day. Kept, because over HTTP every request has a server of its own, and they take 20 ms. */
let last: Given | undefined;

function givenTo(catalog: Shop, today: string): Given {
  if (last?.catalog !== catalog || last.today !== today)
    last = { catalog, today, instructions: instructions(catalog, today) };
  return last;
}

/** The instructions that a model reads before its first call. They name today's date, which no model knows. */
function instructions(catalog: Shop, today: string): string {
  const { business } = catalog;
  const tools = toolCapabilities(catalog);
  const acting = tools.filter(requiresConsent).map(({ operationId }) => operationId);
  const page = bookUrl({}, catalog);
  const weekday = capitalized(weekdayOf(today));
  return [
    `${business.name}: window tint and film in ${business.service_area.label}.`,
    `Today at the shop is ${weekday}, ${today}. Open: ${comingDays(catalog, today).join("; ")}. Phone ${business.phone}.`,
    page && `People can book by themselves at ${page}.`,
    "Prices and times come from these tools; do not guess them.",
    acting.length > 0 &&
      `Ask the person before you call ${acting.join(", ")}, and put their agreement into consent where it is a field.`,
    !tools.some(({ id }) => id === "book_appointment") && "No tool books: hand on book_url, or the phone.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** With the fields that this shop requires. No tool has an output schema: those of six would take 30 kB of every conversation. */
export function toolsOf(catalog: Shop): Tool[] {
  const seen = new Set<string>();
  const isOffered = (capability: Capability) => offers(catalog, capability.id);
  return toolCapabilities(catalog).map((capability) => {
    const all = [capability, ...sharers(capability).filter(isOffered)];
    return {
      name: capability.operationId,
      title: capability.title,
      description: all.map((one) => describeTool(one, all, catalog)).join("\n"),
      // Safe: it is the schema of an object.
      inputSchema: describedOnce(inputSchema(all, catalog), seen) as Tool["inputSchema"],
      annotations: ANNOTATIONS[capability.sideEffect],
    };
  });
}

/** A model reads all tools together: what one says of a field, the next need not say again in the same words. */
function describedOnce(schema: JsonSchema, seen: Set<string>): JsonSchema {
  const { properties, items } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = field;
    const words = `${name}: ${description}`;
    const isSeen = seen.has(words);
    seen.add(words);
    return [name, describedOnce(isSeen ? rest : field, seen)];
  });
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: describedOnce(items, seen) }),
  };
}

/** A tool of several capabilities takes the fields of all; a field is required where all of them require it. */
function inputSchema(all: readonly Capability[], catalog: Shop): JsonSchema {
  const schemas = all.map((capability) => toolSchema(jsonSchema(capability.input(catalog), "input"), catalog));
  const required = all
    .map((capability) => requiredFields(capability, catalog))
    .reduce((common, fields) => common.filter((field) => fields.includes(field)));
  return {
    type: "object",
    properties: Object.assign({}, ...[...schemas, ...schemas.toReversed()].map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
  };
}

/** The description of one capability. Capabilities of one tool do not refer to each other. */
function describeTool(capability: Capability, all: readonly Capability[], catalog: Shop): string {
  const others = CAPABILITIES.filter((one) => !all.includes(one));
  const [what = "", ...more] = aboutOf(capability, catalog, toolVoice(catalog), others).inTools;
  const { sharesTool } = capability;
  const required = requiredFields(capability, catalog);
  const first = markedFields(capability.input(catalog), "first");
  const either = required.map((field) => [field, insteadOf(field, capability, catalog)].filter(Boolean).join(" or "));
  return [
    sharesTool ? `With ${either.join(" and ")}: ${what}` : what,
    ...more,
    ...(first.length > 0 ? [`Needs: ${[...first, ...required].join(", ")}.`] : []),
  ].join(" ");
}

/** For tools that store something. A repeated quote request or booking is a second one, unless it has the same id. */
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const ANNOTATIONS: Record<Operation["sideEffect"], ToolAnnotations> = {
  none: { readOnlyHint: true, openWorldHint: false },
  creates_lead: ADDS,
  books_appointment: ADDS,
  // Destructive, because the old time is given up; idempotent, because the same change sent again changes nothing.
  changes_appointment: { ...ADDS, destructiveHint: true, idempotentHint: true },
};

const FORMS: Record<string, string> = { date: "YYYY-MM-DD.", "date-time": "RFC 3339." };

/** In the words that the hosts of models know, each of which refuses some: no const, format, pattern or bounds, no nested alternatives. */
function toolSchema(schema: JsonSchema, catalog: Shop): JsonSchema {
  const inner = (one: JsonSchema) => toolSchema(one, catalog);
  const { type, properties = {}, items, required, enum: words, anyOf = [], format = "", "x-tool": said } = schema;
  const about = [said, FORMS[format]].filter(Boolean).join(" ");
  const description = about && { description: about };
  // The first form, and an object where a value may be one. The server takes the others too.
  const [first, ...others] = anyOf;
  const objects = others.filter((one) => one.properties);
  if (first && objects.length > 0) return { ...description, anyOf: [first, ...objects].map(inner) };
  const shown = Object.entries(properties).filter(([, field]) => field["x-tool"] !== false);
  return {
    ...(first && inner(first)),
    ...description,
    ...(type && { type }),
    ...(words && type === "string" && { enum: words }),
    ...(items && { items: inner(items) }),
    ...(schema.properties && { properties: Object.fromEntries(shown.map(([name, field]) => [name, inner(field)])) }),
    ...(required && { required }),
  };
}
