/** The three ways in which a program sends a request: REST, MCP and A2A. */
import { OPERATIONS } from "../../src/capabilities/core/operations.ts";
import { CAPABILITIES, toolOf } from "../../src/capabilities/index.ts";
import { type Answer, API, CATALOG, type SendOptions, type TestApp } from "../helpers.ts";

/** What a caller learns, whichever way they came. */
interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

export type Way = (
  app: TestApp,
  id:
    | "automotive_estimate"
    | "check_availability"
    | "flat_glass_estimate"
    | "quote_request"
    | "book_appointment"
    | "reschedule_booking",
  input: object,
  options?: SendOptions,
) => Promise<Told>;

const STREAM = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
const messageOf = ({ text, json }: Answer) => json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");

export const WAYS: [string, Way][] = [
  [
    "REST",
    async (app, id, input, options) => {
      const { path, method } = OPERATIONS[id];
      const query = new URLSearchParams(
        Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])),
      );
      const { json, text } = await (method === "GET"
        ? app.get(`${API}${path}?${query}`, options)
        : app.post(API + path, input, options));
      return { body: json, text };
    },
  ],
  [
    "MCP",
    async (app, id, input, options = {}) => {
      const capability = CAPABILITIES.find((one) => one.id === id);
      const params = { name: capability && toolOf(capability, CATALOG), arguments: input };
      const headers = { "content-type": "application/json", ...STREAM, ...options.headers };
      const asked = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const { result } = messageOf(await app.post("/mcp", asked, { ...options, headers }));
      const [{ text }] = result.content;
      return { body: result.structuredContent ?? JSON.parse(text), text };
    },
  ],
  [
    "A2A",
    async (app, id, input, options) => {
      const message = { messageId: "1", role: "ROLE_USER", parts: [{ data: { capability: id, input } }] };
      const asked = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
      const { json, text } = await app.post("/a2a", asked, options);
      const body = json.error?.data ?? json.result.message.parts[0].data;
      // The sample can be sent as it is; what it holds of the request is its input.
      if (!body.success) body.usage.sample_request = body.usage.sample_request.input ?? {};
      return { body, text };
    },
  ],
];

/** Sends each request another way than the one before: a word has one reader, whichever way it comes. */
export function inTurn(ways: readonly [string, Way][] = WAYS): Way {
  let sent = 0;
  return (...request) => {
    const [, way] = ways[sent++ % ways.length] ?? [];
    if (!way) throw new Error("no way");
    return way(...request);
  };
}
