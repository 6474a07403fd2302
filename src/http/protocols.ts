/** MCP and A2A over HTTP: one path each, POST only. */
import type { Server } from "@modelcontextprotocol/server";
import type { Call, Protocol } from "../capabilities/core/protocol.ts";

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

/**
 * MCP over streamable HTTP. The MCP library takes long to load, so it is loaded with the first message.
 * @param load gives the function that makes a server for one request
 */
export function overStreamableHttp(protocol: Protocol, load: () => Promise<(call: Call) => Server>): HttpProtocol {
  return {
    ...protocol,
    answer: async (message, call, request) => {
      const [{ answerMcp }, createServer] = await Promise.all([import("./streamable-http.ts"), load()]);
      return answerMcp(message, call, request, createServer);
    },
  };
}
