/** How the gateway reads messages of the Model Context Protocol. The server itself is loaded with its first message. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Protocol } from "../capabilities/core/protocol.ts";
import { CAPABILITIES } from "../capabilities/index.ts";
import { toolCapabilities } from "../capabilities/offer.ts";
import type { Catalog } from "../catalog/schema.ts";
import { field } from "../lib/fields.ts";

export const MCP: Protocol = {
  path: "/mcp",
  capabilityOf(message, catalog) {
    if (field(message, "method") !== "tools/call") return undefined;
    const params = field(message, "params");
    return toolCalled(field(params, "name"), field(params, "arguments"), catalog);
  },
};

/** @param args of the call; they decide between capabilities that share the tool */
export function toolCalled(name: unknown, args: unknown, catalog: Catalog): Capability | undefined {
  const named = toolCapabilities(catalog).find(({ operationId }) => operationId === name);
  return named && (sharersOf(named).find(({ sharesTool }) => field(args, sharesTool?.field ?? "") != null) ?? named);
}

/** The capabilities that the tool of this one offers as well. */
export function sharersOf({ id }: Capability): Capability[] {
  return CAPABILITIES.filter(({ sharesTool }) => sharesTool?.of === id);
}
