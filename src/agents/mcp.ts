/** How the gateway reads messages of the Model Context Protocol. The server itself is loaded with its first message. */
import type { Capability } from "../capabilities/core/capability.ts";
import { field, type Protocol } from "../capabilities/core/protocol.ts";
import { CAPABILITIES } from "../capabilities/index.ts";

export const MCP: Protocol = {
  path: "/mcp",
  capabilityOf(message) {
    return field(message, "method") === "tools/call" ? toolNamed(field(field(message, "params"), "name")) : undefined;
  },
};

export function toolNamed(name: unknown): Capability | undefined {
  return CAPABILITIES.find(({ tool, operationId }) => tool && operationId === name);
}
