/** MCP over streamable HTTP: both eras of the protocol, without sessions, each request with a server of its own. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import type { Call } from "../capabilities/core/protocol.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";
import { field } from "../lib/fields.ts";

/**
 * @throws ApiError FORBIDDEN for a host or origin that is not the site's, and what `call.run` throws: the library would make
 *   an internal error of it
 */
export async function answerMcp(
  message: object,
  call: Call,
  request: Request,
  createServer: (call: Call) => Server,
): Promise<Response> {
  refuseForeigners(request, call.catalog);
  let thrown: { error: unknown } | undefined;
  const run: Call["run"] = async (capability, input) => {
    try {
      return await call.run(capability, input);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  };
  const response = await createMcpHandler(() => createServer({ ...call, run })).fetch(request, {
    parsedBody: message,
  });
  if (field(message, "method") !== "tools/call") return response;
  // An event stream begins before the call. The headers tell the limits after it, so the call must end first.
  const body = await response.text();
  if (thrown) throw thrown.error;
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Host names that MCP answers to: those of the site, and those of this machine. */
const ownNames = perCatalog(({ site }) => {
  const addresses = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url];
  return [...localhostAllowedHostnames(), ...addresses.map((address) => new URL(address).hostname)];
});

/**
 * Guards against DNS rebinding: a web page can point a host name of its own at the visitor's machine, and so reach a
 * server there.
 * @throws ApiError FORBIDDEN
 */
function refuseForeigners({ url, headers }: Request, catalog: Catalog): void {
  const names = ownNames(catalog);
  const host = validateHostHeader(headers.get("host") ?? new URL(url).host, names);
  if (!host.ok) throw new ApiError("FORBIDDEN", "The Host header does not name this site.");
  const origin = validateOriginHeader(headers.get("origin"), names);
  if (!origin.ok) throw new ApiError("FORBIDDEN", "Pages of this origin may not use the tools.");
}
