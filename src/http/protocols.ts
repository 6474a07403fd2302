/** MCP and A2A over HTTP: one path each, POST only. */
import type { Server } from "@modelcontextprotocol/server";
import type { Elysia } from "elysia";
import { type Call, type Protocol, rpcRefusal } from "../capabilities/core/protocol.ts";
import { ApiError, ERRORS } from "../errors.ts";
import { field } from "../lib/fields.ts";
import { requireKey, runCapability } from "./capabilities.ts";
import { loggedErrorBody } from "./errors.ts";
import { parseBody, readBodyText } from "./input.ts";
import { otherMethods } from "./not-found.ts";
import { answerType, asStream, STREAM_TYPE } from "./representation.ts";
import type { RequestContext } from "./request-context.ts";
import { pathPlugin } from "./routes.ts";

interface HttpProtocol extends Protocol {
  answer: (message: object, call: Call, request: Request) => Promise<Response | object>;
}

export function protocolPlugin({ path, sample, capabilityOf, voice, refuse, answer }: HttpProtocol) {
  return (
    pathPlugin()
      // Read first, because a refusal by limit or key names the message that it answers.
      .derive(async ({ call, request }) => {
        if (request.method !== "POST") return { read: {} as Read };
        const read: Read = await readBodyText(request)
          .then((text) => readMessage(text))
          .catch((error: unknown) => ({ error }));
        call.voice = voice(call.catalog);
        call.refusal = (error, { catalog }, set) => {
          const refused = refuse?.(read.message, error, catalog);
          if (refused?.isAnswer) {
            set.status = 200;
            if (answerType(request) === STREAM_TYPE) {
              Object.assign(set.headers, { "Content-Type": STREAM_TYPE });
              return asStream(JSON.stringify(refused.body));
            }
          }
          const body = refused?.body ?? rpcRefusal(read.message, error);
          return read.isJson ? asInvalidRequest(body) : body;
        };
        return { read };
      })
      .post(
        path,
        async ({ call, read: { message, error } }) => {
          if (!message) throw error;
          call.capability = capabilityOf(message, call.catalog);
          // Here it refuses the whole message; what `run` refuses is a result inside the answer.
          if (call.capability) requireKey(call, call.capability);
          return answer(message, callOf(call), call.request);
        },
        { parse: "none" },
      )
      .use(<App extends Elysia>(plugin: App) => otherMethods(plugin, sample))
  );
}

/** Codes of JSON-RPC. */
const [NO_JSON, NO_REQUEST] = [-32700, -32600];

type Read = { message?: object; error?: unknown; isJson?: boolean };

function readMessage(text: string): Read {
  try {
    return { message: parseBody(text) };
  } catch (error) {
    return { error, isJson: isJson(text) };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A list or a number is JSON, but no request: the protocols of today have no batches. Limits refuse it as any other message. */
function asInvalidRequest(body: object): object {
  const error = Object(field(body, "error"));
  return error.code === NO_JSON ? { ...body, error: { ...error, code: NO_REQUEST } } : body;
}

/** Lets a protocol use the capabilities with the limits and errors of the API. */
function callOf(call: RequestContext): Call {
  const { catalog, now } = call;
  return {
    catalog,
    now,
    describe: (error, capability) => loggedErrorBody(call, error, capability),
    async run(capability, input) {
      try {
        return (await runCapability(call, capability, input)).body;
      } catch (error) {
        // A used-up limit answers the whole message.
        if (error instanceof ApiError && ERRORS[error.code].about === "limit") throw error;
        return loggedErrorBody(call, error, capability);
      }
    },
  };
}

/** A2A: one JSON object for each message. The version of the protocol is in a header. */
export function overA2a(
  protocol: Protocol & { answer: (message: object, call: Call, version: string | null) => Promise<object> },
): HttpProtocol {
  return {
    ...protocol,
    answer: (message, call, { headers }) => protocol.answer(message, call, headers.get("a2a-version")),
  };
}

/** MCP over streamable HTTP. Its library takes long to load, so it is loaded with the first message. */
export function overStreamableHttp(protocol: Protocol, load: () => Promise<(call: Call) => Server>): HttpProtocol {
  return {
    ...protocol,
    answer: async (message, call, request) => {
      const [{ answerMcp }, createServer] = await Promise.all([import("./streamable-http.ts"), load()]);
      return answerMcp(message, call, request, createServer);
    },
  };
}
