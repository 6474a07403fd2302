/** MCP and A2A over HTTP: one path each, POST only. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Call, Protocol } from "../capabilities/core/protocol.ts";
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";

export interface HttpProtocol extends Protocol {
  answer: (message: object, call: Call, request: Request) => Promise<Response>;
}

/** A protocol that answers one message with one JSON object. */
export function overJson(
  protocol: Protocol & { answer: (message: object, call: Call, version: string | null) => Promise<object> },
): HttpProtocol {
  return {
    ...protocol,
    answer: async (message, call, { headers }) =>
      Response.json(await protocol.answer(message, call, headers.get("a2a-version"))),
  };
}

/** MCP over streamable HTTP: both eras of the protocol, without sessions, each request with a server of its own. */
export function overStreamableHttp(protocol: Protocol, createServer: (call: Call) => Server): HttpProtocol {
  return {
    ...protocol,
    answer: async (message, call, request) => {
      refuseForeigners(request, call.catalog);
      return createMcpHandler(() => createServer(call)).fetch(request, { parsedBody: message });
    },
  };
}

/** Host names that MCP answers to: those of the site, and those of this machine. */
const ownNames = derived(({ site }) => {
  const addresses = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url];
  return [...localhostAllowedHostnames(), ...addresses.map((address) => new URL(address).hostname)];
});

/**
 * Guards against DNS rebinding: a page in a browser could otherwise reach a server on its user's own machine under a
 * name that the page's owner points there.
 * @throws ApiError FORBIDDEN
 */
function refuseForeigners({ url, headers }: Request, catalog: Catalog): void {
  const names = ownNames(catalog);
  const host = validateHostHeader(headers.get("host") ?? new URL(url).host, names);
  if (!host.ok) throw new ApiError("FORBIDDEN", "The Host header does not name this site.");
  const origin = validateOriginHeader(headers.get("origin"), names);
  if (!origin.ok) throw new ApiError("FORBIDDEN", "Pages of this origin may not use the tools.");
}
