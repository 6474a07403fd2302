/** MCP over streamable HTTP: both eras of the protocol, without sessions, each request with a server of its own. */
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type Server,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
import { type Call, rpcFailure } from "../capabilities/core/protocol.ts";
import type { Shop } from "../catalog/shop.ts";
import { ApiError } from "../errors.ts";
import { field } from "../lib/fields.ts";
import { answerType, asStream, PLAIN_JSON_TYPE, preferredType, STREAM_TYPE } from "./representation.ts";

const DATA = "data: ";
/** The library serves nobody who does not name both. */
const BOTH_TYPES = `${PLAIN_JSON_TYPE}, ${STREAM_TYPE}`;

/** Throws FORBIDDEN for a foreign host, and what `call.run` throws: the library would make an internal error of it. */
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
  const type = answerType(request);
  // A subscription has no other form.
  const isStream = field(message, "method") === "subscriptions/listen";
  if (!type || (isStream && preferredType(request, [STREAM_TYPE]) === undefined)) return notAcceptable(message);
  const headers = new Headers(request.headers);
  headers.set("Accept", BOTH_TYPES);
  const asked = new Request(request.url, { method: "POST", headers, signal: request.signal });
  const response = await createMcpHandler(() => createServer({ ...call, run })).fetch(asked, { parsedBody: message });
  if (isStream) return response;
  // An event stream begins before the call. The headers tell the limits after it, so the call must end first.
  const text = await response.text();
  if (thrown) throw thrown.error;
  const isStreamed = response.headers.get("content-type")?.startsWith(STREAM_TYPE);
  // The last message of a stream is the answer.
  const last = text.split("\n").findLast((line) => line.startsWith(DATA));
  const json = isStreamed ? (last?.slice(DATA.length) ?? "") : text;
  return inForm(json, response.status, response.ok ? type : PLAIN_JSON_TYPE);
}

function inForm(json: string, status: number, type: string): Response {
  // A notification has no answer.
  if (json === "") return new Response(null, { status });
  return new Response(type === STREAM_TYPE ? asStream(json) : json, { status, headers: { "Content-Type": type } });
}

/** As the library words it, but for what is really needed. */
function notAcceptable(message: object): Response {
  const error = { code: -32000, message: `Not Acceptable: the answer is ${PLAIN_JSON_TYPE} or ${STREAM_TYPE}.` };
  return inForm(JSON.stringify(rpcFailure(message, error)), 406, PLAIN_JSON_TYPE);
}

/** Against DNS rebinding: a page can point a host name of its own at the visitor's machine. Throws FORBIDDEN. */
function refuseForeigners({ url, headers }: Request, catalog: Shop): void {
  const names = [...localhostAllowedHostnames(), ...catalog.admission.hostNames];
  const host = validateHostHeader(headers.get("host") ?? new URL(url).host, names);
  if (!host.ok) throw new ApiError("FORBIDDEN", "The Host header does not name this site.");
  const origin = validateOriginHeader(headers.get("origin"), names);
  if (!origin.ok) throw new ApiError("FORBIDDEN", "Pages of this origin may not use the tools.");
}
