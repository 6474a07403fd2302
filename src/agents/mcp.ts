/** MCP as far as it is needed before a server is loaded: reads messages, names the capabilities (contract 16), tells where it is. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { ErrorBody, NextAction } from "../capabilities/core/envelope.ts";
import type { Envelope } from "../capabilities/core/invoke.ts";
import type { CapabilityId, Voice } from "../capabilities/core/operations.ts";
import { takesValue } from "../capabilities/core/placing.ts";
import { type Protocol, rpcRefusal, rpcResult } from "../capabilities/core/protocol.ts";
import { CAPABILITIES, CAPABILITY_BY_ID, toolCapabilities, toolOf } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { apiUrl, docsUrl, jsonDocument, keysAtDocs } from "../discovery/common.ts";
import { ERRORS } from "../errors.ts";
import { field, fieldsOf, isObject } from "../lib/fields.ts";
import { jsonIn, scalarText, slug } from "../lib/text.ts";
import { VERSION } from "../lib/version.ts";
import { jsonSchema } from "../schema/json-schema.ts";
import { dependsOnValue, properName, WRAPPERS } from "../schema/names.ts";

export const MCP: Protocol = {
  path: "/mcp",
  sample: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  capabilityOf(message, catalog) {
    if (!isToolCall(message)) return undefined;
    const params = fieldsOf(field(message, "params"));
    return toolCalled(params.name, withArguments(params).arguments, catalog);
  },
  voice: toolVoice,
  // Clients take another HTTP status than 200 for a broken connection, and never show its body to the model.
  refuse(message, error, catalog) {
    const refusal = toolError(error, catalog);
    const isAnswer = ERRORS[error.error_code].about === "limit" && message !== undefined && isToolCall(message);
    return isAnswer
      ? {
          isAnswer,
          body: rpcResult(message, {
            content: [{ type: "text", text: JSON.stringify(refusal) }],
            isError: true,
            resultType: "complete",
          }),
        }
      : { isAnswer, body: rpcRefusal(message, refusal) };
  },
};

function isToolCall(message: object): boolean {
  return field(message, "method") === "tools/call";
}

/** Keys of a tools/call that are no arguments. Source: the revisions that the MCP library speaks. */
const OF_CALL = new Set(["name", "arguments", "_meta", "task", "inputResponses", "requestState"]);

/** A call with its arguments as an object: as JSON text, or beside the name, they are read inside one, which says what was understood. */
export function withArguments(params: object): Record<string, unknown> {
  const { name, arguments: sent, ...call } = fieldsOf(params);
  const beside = Object.entries(call).filter(([key]) => !OF_CALL.has(key));
  const args = isObject(sent) ? sent : sent == null || sent === "" ? {} : { arguments: sent };
  return { ...call, name: scalarText(name ?? ""), arguments: { ...Object.fromEntries(beside), ...args } };
}

/** @param args of the call; they decide between capabilities that share the tool */
export function toolCalled(name: unknown, args: unknown, catalog: Shop): Capability | undefined {
  const named = toolCapabilities(catalog).find(({ operationId }) => operationId === name);
  return named && sharerMeant(named, args, catalog);
}

/** Of the capabilities that share a tool, the one that a request means. */
export function sharerMeant(named: Capability, args: unknown, catalog: Shop): Capability {
  return sharers(named).find((sharer) => isMeant(sharer, named, args, catalog)) ?? named;
}

/** A call means the sharer whose deciding field it names, or tells under another name, or only fields that the other one lacks. */
function isMeant(sharer: Capability, named: Capability, args: unknown, catalog: Shop): boolean {
  const inside = (name: string, value: unknown) => (WRAPPERS.has(name) ? fieldsOf(jsonIn(value) ?? value) : {});
  const given = Object.entries(fieldsOf(args))
    .flatMap(([name, value]): [string, unknown][] => [[name, value], ...Object.entries(inside(name, value))])
    .filter(([name, value]) => value != null && !WRAPPERS.has(name));
  const [own, others] = [sharer, named].map((capability) => {
    const { shape } = capability.input(catalog);
    return given.flatMap(([name]) => (Object.hasOwn(shape, name) ? name : (properName(name, shape) ?? [])));
  });
  if (!own || !others) return false;
  const { field: deciding = "", against = [] } = sharer.sharesTool ?? {};
  const tells = ({ input }: Capability, field: string) => {
    const about = jsonSchema(input(catalog), "input").properties?.[field];
    return about && given.some(([name, value]) => dependsOnValue(name) && takesValue(value, field, about, catalog));
  };
  // The first of the fields against it may also be told by a word.
  const isOther = against.some((name) => others.includes(name)) || tells(named, against[0] ?? "");
  if (own.includes(deciding) || (!isOther && tells(sharer, deciding))) return true;
  return own.some((name) => !others.includes(name)) && !others.some((name) => !own.includes(name));
}

export function sharers({ id }: Capability): Capability[] {
  return CAPABILITIES.filter(({ sharesTool }) => sharesTool?.of === id);
}

/** Requests in the names of the tools, and where keys are to be had. */
export function toolVoice(catalog: Shop): Voice {
  const name = (id: CapabilityId) => toolName(id, catalog);
  return {
    ...keysAtDocs(catalog),
    tool: name,
    request: name,
    wait: "retry_after_seconds",
  };
}

/** A capability as its tool is named, or in words where it has none. */
function toolName(id: CapabilityId, catalog: Shop): string {
  const capability: Capability = CAPABILITY_BY_ID[id];
  const tool = toolOf(capability, catalog);
  if (!tool) return `"${capability.title}" (no tool: call ${catalog.business.phone})`;
  return capability.sharesTool ? `${tool} with ${capability.sharesTool.field}` : tool;
}

export function toolAnswer(answer: Envelope | ErrorBody, catalog: Shop): object {
  if (!answer.success) return toolError(answer, catalog);
  const next = answer.next_actions;
  return { ...answer, ...(next && { next_actions: next.map((action) => nextCall(action, catalog)) }) };
}

/** An error in the names of the tools, and with the whole address of the documentation. */
function toolError({ openapi: _, invalid_fields, usage, next_actions: next, ...error }: ErrorBody, catalog: Shop) {
  const { content_type: __, url: ___, ...shown } = usage;
  return {
    ...error,
    usage: shown,
    ...(invalid_fields && { invalid_fields }),
    ...(next && { next_actions: next.map((action) => nextCall(action, catalog)) }),
    docs: docsUrl(catalog),
  };
}

/** A next step as a tool call; in words where there is no tool. */
function nextCall(
  { action, description, requires_consent, sample_request, fill_in, book_url }: NextAction,
  catalog: Shop,
) {
  const capability = CAPABILITIES.find(({ id }) => id === action);
  const tool = capability && toolOf(capability, catalog);
  if (!tool) {
    const { phone } = catalog.business;
    const instead = book_url ? `open ${book_url}` : `see ${docsUrl(catalog, action)}`;
    return { description: `${description} No tool does this: call ${phone}, or ${instead}.` };
  }
  return {
    tool,
    description,
    ...(requires_consent && { requires_consent }),
    arguments: sample_request,
    ...(fill_in && { fill_in }),
    ...(book_url && { book_url }),
  };
}

const SCHEMAS = "https://static.modelcontextprotocol.io/schemas";
/** The revisions that the MCP library speaks. */
const REVISIONS = ["2026-07-28", "2025-11-25"];

export function shopIcons(catalog: Shop) {
  return [{ src: apiUrl(catalog, "/docs/icon.svg"), mimeType: "image/svg+xml", sizes: ["any"] }];
}

/** The fields that both formats share, at most 100 characters each. The name begins with the site's host, reversed. */
function identity(catalog: Shop) {
  const { business, site } = catalog;
  const about = `Window-tint prices, tint law, open times and quotes of ${business.name}.`;
  const domain = new URL(site.url).hostname.split(".").reverse().join(".");
  return {
    name: `${domain}/${slug(business.name)}`,
    title: business.name,
    description: about.length <= 100 ? about : "Window-tint prices, tint law, open times and quotes.",
    version: VERSION,
    websiteUrl: site.url,
    icons: shopIcons(catalog),
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

/** Where a client finds the server before it connects: the server card (SEP-2127), and `server.json` for the MCP registry. */
export const SERVER_CARDS = [
  jsonDocument("/.well-known/mcp.json", serverCard),
  jsonDocument(`${MCP.path}/server-card`, serverCard, "application/mcp-server-card+json"),
  jsonDocument("/server.json", serverJson),
];
