/** Reads messages of the Model Context Protocol. The server itself is loaded with its first message. */
import type { Capability } from "../capabilities/core/capability.ts";
import { type Protocol, rpcRefusal, rpcResult } from "../capabilities/core/protocol.ts";
import { CAPABILITIES, toolCapabilities } from "../capabilities/index.ts";
import type { Shop } from "../catalog/shop.ts";
import { field, fieldsOf } from "../lib/fields.ts";
import { properName } from "../schema/names.ts";
import { toolError } from "./mcp-names.ts";

export const MCP: Protocol = {
  path: "/mcp",
  capabilityOf(message, catalog) {
    if (!isToolCall(message)) return undefined;
    const params = field(message, "params");
    return toolCalled(field(params, "name"), field(params, "arguments"), catalog);
  },
  // Clients take another HTTP status than 200 for a broken connection, and never show its body to the model.
  refuse(message, error, catalog) {
    const refusal = toolError(error, catalog);
    const isAnswer = error.error_code === "RATE_LIMITED" && message !== undefined && isToolCall(message);
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

/** @param args of the call; they decide between capabilities that share the tool */
export function toolCalled(name: unknown, args: unknown, catalog: Shop): Capability | undefined {
  const named = toolCapabilities(catalog).find(({ operationId }) => operationId === name);
  return named && (sharersOf(named).find((sharer) => isMeant(sharer, named, args, catalog)) ?? named);
}

/**
 * Whether a call means the capability that shares the tool: it names the field that says so, or fields of this
 * capability alone and none of the other one alone. Names count in every notation that lenient reading accepts.
 */
function isMeant(sharer: Capability, named: Capability, args: unknown, catalog: Shop): boolean {
  const given = Object.entries(fieldsOf(args)).filter(([, value]) => value != null);
  const [own, others] = [sharer, named].map((capability) => {
    const { shape } = capability.input(catalog);
    return given.flatMap(([name]) => (Object.hasOwn(shape, name) ? name : (properName(name, shape) ?? [])));
  });
  if (!own || !others) return false;
  const { sharesTool } = sharer;
  if (own.some((name) => name === sharesTool?.field)) return true;
  return own.some((name) => !others.includes(name)) && !others.some((name) => !own.includes(name));
}

/** The capabilities that the tool of this one offers as well. */
export function sharersOf({ id }: Capability): Capability[] {
  return CAPABILITIES.filter(({ sharesTool }) => sharesTool?.of === id);
}
