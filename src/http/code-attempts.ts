/**
 * Limits guesses at confirmation codes: wrong codes and wrong contacts, by network and by code (contract 13).
 */
import type { CodeAttempts } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { type Limiter, overLimit } from "../limits/limiter.ts";
import { type HttpCaller, networkCharges } from "./caller.ts";

const WINDOW_MS = 10 * MINUTE_MS;

export function createCodeAttempts(caller: HttpCaller, catalog: Catalog, limiter: Limiter): CodeAttempts {
  return {
    async check(code, isRight) {
      const misses = {
        kind: "wrong_codes",
        limit: catalog.rate_limits.wrong_codes_per_10_minutes,
        windowMs: WINDOW_MS,
      } as const;
      const charges = [...networkCharges(caller, misses, catalog), { ...misses, pool: `code ${code}` }];
      const decision = await (isRight ? limiter.peek(charges) : limiter.take(charges));
      if (decision.allowed) return decision.states;
      throw overLimit(decision, () => "Too many wrong codes or contacts");
    },
  };
}
