/** The composition root of `tint mcp`: the tools over standard input and output, for assistants on this machine. */
import { Transform } from "node:stream";
import { ProtocolErrorCode, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { toolVoice } from "../agents/mcp.ts";
import { createMcpServer } from "../agents/mcp-server.ts";
import type { Capability } from "../capabilities/core/capability.ts";
import { createDiary } from "../capabilities/core/diary.ts";
import { invoke } from "../capabilities/core/invoke.ts";
import { rpcFailure, rpcRefusal } from "../capabilities/core/protocol.ts";
import { createSigningSecret } from "../capabilities/core/signing-secret.ts";
import { watchCatalog } from "../catalog/load/watch.ts";
import type { CatalogSource } from "../catalog/source.ts";
import type { readAssistant } from "../env/env.ts";
import { ERRORS, type ErrorCode } from "../errors.ts";
import { generalCharges, NOBODY, stackedCharges } from "../http/caller.ts";
import { errorBody, toApiError } from "../http/errors.ts";
import { contextOf } from "../http/request-context.ts";
import { isObject } from "../lib/fields.ts";
import { newRequestId } from "../lib/ids.ts";
import { charge, createRateLimiter, type Granted } from "../limits/rate-limit.ts";
import { stripePayments } from "../payments/stripe.ts";
import { LIMITS } from "../schema/fields.ts";
import type { Store } from "../store/store.ts";
import { catalogReports, runProgram, stopSignal } from "./process.ts";

/** The assistant has the limits of a caller without a key: a runaway one must not flood the shop. */
const LOCAL = { ...NOBODY, network: "local", userAgent: "tint mcp" };

/** Serves until standard input ends, or until SIGTERM or SIGINT. @throws CatalogError */
export function serveMcp(
  source: CatalogSource,
  store: Store,
  { logLevel, checkAnswers, payments: stripe }: ReturnType<typeof readAssistant>,
): Promise<void> {
  return runProgram(logLevel, async (log) => {
    const watch = watchCatalog(source, catalogReports(log));
    const limiter = createRateLimiter();
    const payments = stripe && stripePayments(stripe);
    const own = { diary: createDiary(store), signing: createSigningSecret(store) };
    const deps = { ...own, store, payments, limiter, checkAnswers };

    const run = async (capability: Capability, input: object) => {
      const { catalog } = watch.current;
      const now = Temporal.Now.instant();
      const voice = toolVoice(catalog);
      let stacked: Granted | undefined;
      try {
        await charge(limiter, generalCharges(LOCAL, catalog));
        if (capability.limit) stacked = await charge(limiter, stackedCharges(LOCAL, capability.limit, catalog));
        return (await invoke(capability, input, contextOf({ caller: LOCAL, catalog, now, deps, voice }))).body;
      } catch (error) {
        await stacked?.undo();
        const failure = toApiError(error, capability);
        const requestId = newRequestId();
        if (ERRORS[failure.code].status >= 500) log.error({ requestId, err: failure.cause }, "call failed");
        return errorBody(failure, capability, { catalog, requestId, voice });
      }
    };

    try {
      const ended = new Promise<void>((resolve) => {
        for (const event of ["end", "close"]) process.stdin.once(event, () => resolve());
      });
      const messages = messagesOnly((refusal) => process.stdout.write(`${JSON.stringify(refusal)}\n`));
      const connection = serveStdio(
        () => createMcpServer({ catalog: watch.current.catalog, now: Temporal.Now.instant(), run }),
        {
          transport: new StdioServerTransport(process.stdin.pipe(messages)),
          onerror: (error) => log.warn({ err: error }, "message refused"),
        },
      );
      await Promise.race([ended, stopSignal()]);
      await connection.close();
      process.stdin.unpipe(messages).pause();
    } finally {
      watch.stop();
    }
  });
}

/** Hands on the lines with a message. Another one is answered as over HTTP, where the library would be silent. */
function messagesOnly(answer: (refusal: object) => void): Transform {
  let line = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, start)) {
        const { text, refusal } = readLine(Buffer.concat([line, chunk.subarray(start, end)]));
        if (refusal) answer(refusal);
        else this.push(`${text}\n`);
        line = Buffer.alloc(0);
        start = end + 1;
      }
      // Of a line that is too long for a message, only as much is kept as shows it.
      line = Buffer.concat([line, chunk.subarray(start)]).subarray(0, LIMITS.body + 1);
      done();
    },
  });
}

const LINE_END = 0x0a;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function readLine(line: Uint8Array): { text?: string; refusal?: object } {
  const refused = (error_code: ErrorCode, message: string) => ({
    refusal: rpcRefusal(undefined, { error_code, message }),
  });
  if (line.length > LIMITS.body) return refused("PAYLOAD_TOO_LARGE", `A line has at most ${LIMITS.body / 1024} KiB.`);
  let text: string;
  let message: unknown;
  try {
    text = UTF8.decode(line).trim();
    if (text === "") return { text };
    message = JSON.parse(text);
  } catch {
    return refused("INVALID_JSON", "The line is not JSON in UTF-8.");
  }
  try {
    parseJSONRPCMessage(message);
    return { text };
  } catch {
    const sent = isObject(message) ? message : undefined;
    // Two programs that answer each other's faulty answers would never end: the library only logs it.
    if (sent && sent.method === undefined && ("result" in sent || "error" in sent)) return { text };
    const error = { code: ProtocolErrorCode.InvalidRequest, message: "The line is not one JSON-RPC 2.0 message." };
    return { refusal: rpcFailure(sent, error) };
  }
}
