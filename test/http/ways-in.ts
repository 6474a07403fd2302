/** The three ways in which a program books or asks for a quote: REST, MCP and A2A. */
import { type Answer, API, type SendOptions, type TestApp } from "../helpers.ts";

/** What a caller learns, whichever way they came. */
interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

export type Way = (
  app: TestApp,
  id: "book_appointment" | "quote_request",
  input: object,
  options?: SendOptions,
) => Promise<Told>;

const PATHS = { book_appointment: "/bookings", quote_request: "/quote-request" };
const TOOLS = { book_appointment: "book_appointment", quote_request: "request_quote" };
const STREAM = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };

const messageOf = ({ text, json }: Answer) => json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");

export const WAYS: [string, Way][] = [
  [
    "REST",
    async (app, id, input, options) => {
      const { json, text } = await app.post(API + PATHS[id], input, options);
      return { body: json, text };
    },
  ],
  [
    "MCP",
    async (app, id, input, options = {}) => {
      const params = { name: TOOLS[id], arguments: input };
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
      return { body: json.error?.data ?? json.result.message.parts[0].data, text };
    },
  ],
];
