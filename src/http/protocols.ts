/** The protocols as the gateway and the routes see them: one path, POST only. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Call, Protocol } from "../capabilities/core/protocol.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";

export interface Endpoint extends Protocol {
  answer: (message: object, call: Call, request: Request) => Promise<Response>;
}

/** A protocol that answers one message with one JSON object. */
export function jsonEndpoint(
  protocol: Protocol & { answer: (message: object, call: Call, version: string | null) => Promise<object> },
): Endpoint {
  return {
    ...protocol,
    answer: async (message, call, { headers }) =>
      Response.json(await protocol.answer(message, call, headers.get("a2a-version"))),
  };
}

/** MCP over streamable HTTP: both eras of the protocol, without sessions, each request with a server of its own. */
export function mcpEndpoint(protocol: Protocol, createServer: (call: Call) => Server): Endpoint {
  return {
    ...protocol,
    answer: async (message, call, request) => {
      refuseForeigners(request, call.catalog);
      return createMcpHandler(() => createServer(call)).fetch(request, { parsedBody: message });
    },
  };
}

/**
 * A page in a browser must not reach a server on its user's own machine by a name it has pointed there (DNS
 * rebinding): only the site's own names, and this machine's, are answered.
 * @throws ApiError FORBIDDEN
 */
function refuseForeigners({ url, headers }: Request, { site }: Catalog): void {
  const addresses = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url];
  const names = [...localhostAllowedHostnames(), ...addresses.map((address) => new URL(address).hostname)];
  const host = validateHostHeader(headers.get("host") ?? new URL(url).host, names);
  if (!host.ok) throw new ApiError("FORBIDDEN", "The Host header does not name this site.");
  const origin = validateOriginHeader(headers.get("origin"), names);
  if (!origin.ok) throw new ApiError("FORBIDDEN", "Pages of this origin may not use the tools.");
}
