/**
 * Limits guesses at confirmation codes: wrong codes and wrong contacts, by network and by code (contract section 13).
 */
import type { Guesses } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { ApiError } from "../errors.ts";
import { type HttpCaller, networkCharges } from "./caller.ts";
import type { RateLimiter } from "./rate-limit.ts";

const WINDOW_MS = 10 * 60_000;

export function guessesOf(caller: HttpCaller, catalog: Catalog, limiter: RateLimiter): Guesses {
  return {
    judge(code, isRight) {
      const misses = {
        kind: "wrong_codes",
        limit: catalog.rate_limits.wrong_codes_per_10_minutes,
        windowMs: WINDOW_MS,
      } as const;
      const decision = limiter.take([...networkCharges(caller, misses, catalog), { ...misses, pool: `code ${code}` }]);
      if (decision.allowed) {
        if (isRight) decision.undo();
        return decision.states;
      }
      const { state, retryAfterSeconds: wait } = decision;
      throw new ApiError("RATE_LIMITED", `Too many wrong codes or contacts; wait ${wait} s.`, {
        retry_after_seconds: wait,
        limits: [state],
      });
    },
  };
}
