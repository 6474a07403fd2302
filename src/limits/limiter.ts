/**
 * How often callers may ask (contract 8 and 19): never more than the limit in any window, never a
 * refusal below it. A refused request is charged to no pool.
 */
import type { LimitName } from "../catalog/sections/limits.ts";
import { ApiError, type LimitState } from "../errors.ts";
import { counted } from "../lib/text.ts";

/** One request counted in one pool. */
export interface Charge {
  readonly kind:
    | "general"
    | "keys_of_network"
    | "agents_of_network"
    | "pages"
    | "wrong_codes"
    | "wrong_codes_per_day"
    | LimitName;
  /** Bits of the network that the pool stands for, when it is wider than one caller's. */
  readonly prefix?: number;
  /** Names the caller within the kind and prefix. */
  readonly pool: string;
  readonly limit: number;
  /** One for all pools of a kind. */
  readonly windowMs: number;
}

/** The state of every pool. */
interface Allowed {
  allowed: true;
  states: LimitState[];
}
export interface Refused {
  allowed: false;
  states: LimitState[];
  /** Until no pool is full any more; at least 1. */
  retryAfterSeconds: number;
}
export interface Granted extends Allowed {
  /**
   * Takes charges back, for a request that is refused after all, and updates `states`.
   * @param isMeant the charges to take back; all when left out
   */
  undo: (isMeant?: (charge: Charge) => boolean) => Promise<void>;
}
export type Standing = Allowed | Refused;
export type Decision = Granted | Refused;

export interface Limiter {
  /** Charges all pools, or none when one of them is used up. */
  take: (charges: readonly Charge[]) => Promise<Decision>;
  /** Whether `take` would charge them, with their states before it. Charges nothing. */
  peek: (charges: readonly Charge[]) => Promise<Standing>;
}

/**
 * Charges all pools.
 * @throws ApiError RATE_LIMITED when one of them is used up
 */
export async function charge(limiter: Limiter, charges: readonly Charge[]): Promise<Granted> {
  return requireAllowed(await limiter.take(charges));
}

/** @throws ApiError RATE_LIMITED when a pool is used up */
export function requireAllowed(decision: Decision): Granted {
  if (decision.allowed) return decision;
  throw overLimit(decision, ({ limit }) => `The limit of ${counted(limit, "request")} is used up`);
}

/** @param why begins the message */
export function overLimit({ states, retryAfterSeconds: wait }: Refused, why: (full: LimitState) => string): ApiError {
  const full = tightest(states) ?? { scope: "requests", limit: 0, remaining: 0, resetSeconds: wait };
  return new ApiError("RATE_LIMITED", `${why(full)}; wait ${wait} s.`, { retry_after_seconds: wait, limits: [full] });
}

/** The name of a limit in `X-RateLimit-Scope`. */
const SCOPES: Record<Charge["kind"], string> = {
  general: "requests-per-minute",
  keys_of_network: "requests-per-minute-of-keys-per-network",
  agents_of_network: "agent-requests-per-minute-per-network",
  pages: "page-views-per-minute",
  wrong_codes: "wrong-codes-per-10-minutes",
  wrong_codes_per_day: "wrong-codes-per-day",
  quote_requests_per_minute: "quote-requests-per-minute",
  registrations_per_hour: "registrations-per-hour",
};

/** @param resetSeconds until there is room again, for a pool without room */
export function stateOf({ kind, limit }: Charge, used: number, resetSeconds: number): LimitState {
  const remaining = Math.max(0, limit - used);
  return {
    scope: SCOPES[kind],
    limit,
    remaining,
    resetSeconds: remaining > 0 ? 0 : Math.max(1, Math.ceil(resetSeconds)),
  };
}

/** The limit a response reports: the one with the least remaining. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  let least = states[0];
  for (const next of states) if (least && next.remaining < least.remaining) least = next;
  return least;
}
