/**
 * Exact sliding-log rate limits (spec section 8, contract section 8): never more than the limit in any window, never a
 * refusal below it. A request that is refused is charged to no pool. Memory is bounded: at most `maxPools` logs of a kind
 * are kept, callers beyond them share one, so that a flood of addresses is limited rather than let through.
 */
import type { LimitState } from "../capability.ts";

export interface Charge {
  /** Pools of one kind have one window and one overflow. */
  kind: "general" | "quote_requests_per_minute" | "registrations_per_hour";
  /** Who is charged. */
  pool: string;
  limit: number;
  windowMs: number;
}

export type Decision =
  | { allowed: true; states: LimitState[] }
  | { allowed: false; state: LimitState; retryAfterSeconds: number };

export interface RateLimiter {
  /** Charges all pools, or none when one of them is used up. */
  take: (charges: readonly Charge[]) => Decision;
  /** The state of the pools, uncharged. */
  peek: (charges: readonly Charge[]) => LimitState[];
}

/** Times of the requests within the window, oldest first. */
type Log = number[];

const OVERFLOW = "*";

/** @param clock a monotonic clock, milliseconds */
export function createRateLimiter(clock: () => number = () => performance.now(), maxPools = 20_000): RateLimiter {
  // Per kind, the pools in the order in which they were last charged.
  const kinds = new Map<Charge["kind"], Map<string, Log>>();

  const logOf = (charge: Charge, now: number): { name: string; log: Log } => {
    const pools = kinds.get(charge.kind) ?? new Map<string, Log>();
    kinds.set(charge.kind, pools);
    const known = pools.get(charge.pool);
    if (known) return { name: charge.pool, log: forget(known, now - charge.windowMs) };
    for (const [name, log] of pools) {
      if (pools.size < maxPools) break;
      // The first pool was charged longest ago: when it is still in its window, so are all the others.
      if ((log.at(-1) ?? 0) > now - charge.windowMs) break;
      pools.delete(name);
    }
    const name = pools.size < maxPools ? charge.pool : OVERFLOW;
    return { name, log: forget(pools.get(name) ?? [], now - charge.windowMs) };
  };

  return {
    take(charges) {
      const now = clock();
      const logs = charges.map((charge) => ({ charge, ...logOf(charge, now) }));
      const full = logs.filter(({ charge, log }) => log.length >= charge.limit);
      const [first] = full;
      if (first) {
        const waits = full.map(({ charge, log }) => (log[log.length - charge.limit] ?? now) + charge.windowMs - now);
        return {
          allowed: false,
          state: { limit: first.charge.limit, remaining: 0 },
          retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...waits) / 1000)),
        };
      }
      for (const { charge, name, log } of logs) {
        log.push(now);
        const pools = kinds.get(charge.kind);
        pools?.delete(name);
        pools?.set(name, log);
      }
      return {
        allowed: true,
        states: logs.map(({ charge, log }) => ({ limit: charge.limit, remaining: charge.limit - log.length })),
      };
    },
    peek(charges) {
      const now = clock();
      return charges.map((charge) => ({
        limit: charge.limit,
        remaining: Math.max(0, charge.limit - logOf(charge, now).log.length),
      }));
    },
  };
}

/** Drops the times up to and including a moment. */
function forget(log: Log, moment: number): Log {
  const kept = log.findIndex((time) => time > moment);
  log.splice(0, kept === -1 ? log.length : kept);
  return log;
}

/** The limit a response reports: the one with the least remaining. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  return states.reduce<LimitState | undefined>(
    (least, next) => (least && least.remaining <= next.remaining ? least : next),
    undefined,
  );
}
