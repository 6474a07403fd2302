/**
 * Limits guesses at confirmation codes: wrong codes and wrong contacts (contract 13). A network that missed too often gets no
 * answer for a while. Nobody else's misses stand in the way of the right code with its contact, until they are very many; and
 * even then not for the network that made the booking, whose customer a stranger would shut out for a day.
 */
import type { CodeAttempts } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { DAY_MS, MINUTE_MS } from "../lib/durations.ts";
import { type Charge, type Limiter, overLimit } from "../limits/limiter.ts";
import { type HttpCaller, networkCharges } from "./caller.ts";

const WINDOW_MS = 10 * MINUTE_MS;

export function createCodeAttempts(caller: HttpCaller, catalog: Catalog, limiter: Limiter): CodeAttempts {
  const { wrong_codes_per_10_minutes: limit, wrong_codes_per_code_per_day: perDay } = catalog.rate_limits;
  const misses = { kind: "wrong_codes", limit, windowMs: WINDOW_MS } as const;
  const ofCode = (code: string): Charge[] => [
    { ...misses, pool: `code ${code}` },
    { kind: "wrong_codes_per_day", limit: perDay, windowMs: DAY_MS, pool: `code ${code}` },
  ];
  // A page of another website guesses in the browsers of its visitors. What it misses must not shut them out, so all such
  // pages share one pool.
  const ofCaller = caller.isCrossSite
    ? [{ ...misses, pool: "pages of other websites" }]
    : networkCharges(caller, misses, catalog);
  return {
    async check(code, { isRight, madeFrom }) {
      const ofDay = madeFrom === caller.network ? [] : ofCode(code).slice(1);
      const decision = isRight
        ? await limiter.peek([...ofCaller, ...ofDay])
        : await limiter.take([...ofCaller, ...(caller.isCrossSite ? [] : ofCode(code))]);
      if (decision.allowed) return decision.states;
      throw overLimit(decision, ofCaller);
    },
  };
}
