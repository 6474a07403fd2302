/** The context in which a request uses a capability. */
import type { Context } from "../capabilities/core/capability.ts";
import { fail } from "../errors.ts";
import type { HttpCaller } from "./caller.ts";
import type { Exchange } from "./exchange.ts";
import { guessesOf } from "./guesses.ts";

type Call = Pick<Exchange, "catalog" | "now" | "shared">;

export function callerContext(caller: HttpCaller, { catalog, now, shared }: Call): Context {
  const { store, diary, locks, limiter, checkAnswers } = shared;
  return {
    catalog,
    store,
    diary,
    now,
    guesses: guessesOf(caller, catalog, limiter),
    locks,
    caller,
    checkAnswers,
    fail,
  };
}

/** The gateway names the caller before it hands a request on. */
export function contextOf(exchange: Exchange): Context {
  if (!exchange.caller) throw new Error("the gateway named no caller");
  const context = callerContext(exchange.caller, exchange);
  // Only a capability that stores something keeps answers for repeated requests.
  if (exchange.capability?.sideEffect === "none") return context;
  const idempotencyKey = exchange.request.headers.get("idempotency-key");
  if (idempotencyKey !== null) context.idempotencyKey = idempotencyKey;
  return context;
}
