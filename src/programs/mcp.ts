/** The composition root of `tint mcp`: the tools over standard input and output, for assistants on this machine. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toolVoice } from "../agents/mcp.ts";
import { createMcpServer } from "../agents/mcp-server.ts";
import type { Capability } from "../capabilities/core/capability.ts";
import { createDiary } from "../capabilities/core/diary.ts";
import { invoke } from "../capabilities/core/invoke.ts";
import { createSigningSecret } from "../capabilities/core/signing-secret.ts";
import { watchCatalog } from "../catalog/load/watch.ts";
import type { CatalogSource } from "../catalog/source.ts";
import type { readAssistant } from "../env/env.ts";
import { ERRORS } from "../errors.ts";
import { generalCharges, NOBODY, stackedCharges } from "../http/caller.ts";
import { errorBody, toApiError } from "../http/errors.ts";
import { contextOf } from "../http/request-context.ts";
import { newRequestId } from "../lib/ids.ts";
import { charge, createRateLimiter, type Granted } from "../limits/rate-limit.ts";
import { stripePayments } from "../payments/stripe.ts";
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
      const connection = serveStdio(
        () => createMcpServer({ catalog: watch.current.catalog, now: Temporal.Now.instant(), run }),
        {
          onerror: (error) => log.warn({ err: error }, "message refused"),
        },
      );
      await Promise.race([ended, stopSignal()]);
      await connection.close();
    } finally {
      watch.stop();
    }
  });
}
