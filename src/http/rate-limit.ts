/**
 * Exact sliding-log rate limits (spec section 8, contract section 8): never more than the limit in any window, never a
 * refusal below it. A refused request is charged to no pool. Memory is bounded: at most `maxPools` logs of a kind are kept.
 * Further callers share one log, so that a flood of addresses is limited too.
 */
import type { LimitState } from "../capabilities/core/capability.ts";
import type { LimitName } from "../catalog/sections/limits.ts";
import { ApiError } from "../errors.ts";

export interface Charge {
  /** Pools of one kind have one window and one overflow. */
  kind: "general" | LimitName;
  /** Names the caller within the kind. */
  pool: string;
  limit: number;
  windowMs: number;
}

export interface Granted {
  allowed: true;
  states: LimitState[];
  /**
   * Takes charges back, for a request that is refused after all, and updates `states`.
   * @param isMeant the charges to take back; all when left out
   */
  undo: (isMeant?: (charge: Charge) => boolean) => void;
}
export type Decision = Granted | { allowed: false; state: LimitState; retryAfterSeconds: number };

export interface RateLimiter {
  /** Charges all pools, or none when one of them is used up. */
  take: (charges: readonly Charge[]) => Decision;
  /** The state of the pools; charges nothing. */
  peek: (charges: readonly Charge[]) => LimitState[];
}

/** Times of the requests within the window, oldest first. */
type Log = number[];

interface Kind {
  /** Ordered by the time of the last charge. */
  pools: Map<string, Log>;
  /** Shared by callers who get no log of their own. */
  overflow: Log;
}

/** @param clock a monotonic clock, milliseconds */
export function createRateLimiter(clock: () => number = () => performance.now(), maxPools = 20_000): RateLimiter {
  const kinds = new Map<Charge["kind"], Kind>();

  const kindOf = (kind: Charge["kind"]): Kind => {
    const known = kinds.get(kind) ?? { pools: new Map(), overflow: [] };
    kinds.set(kind, known);
    return known;
  };

  const logOf = (charge: Charge, now: number): Log => {
    const { pools, overflow } = kindOf(charge.kind);
    const past = now - charge.windowMs;
    const known = pools.get(charge.pool);
    if (known) return forget(known, past);
    for (const [name, log] of pools) {
      if (pools.size < maxPools) break;
      // Pools are ordered by last charge: when the first one is still in its window, all are.
      if ((log.at(-1) ?? Number.NEGATIVE_INFINITY) > past) break;
      pools.delete(name);
    }
    const shared = forget(overflow, past);
    // A caller who gets a pool now may have used the overflow in this window, so they take over its count.
    return pools.size >= maxPools ? shared : [...shared];
  };

  const keep = (charge: Charge, log: Log) => {
    const { pools, overflow } = kindOf(charge.kind);
    if (log === overflow) return;
    pools.delete(charge.pool);
    pools.set(charge.pool, log);
  };

  return {
    take(charges) {
      const now = clock();
      const logs = charges.map((charge) => ({ charge, log: logOf(charge, now) }));
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
      for (const { charge, log } of logs) {
        log.push(now);
        keep(charge, log);
      }
      let charged = logs.map(({ charge, log }) => ({
        charge,
        log,
        state: { limit: charge.limit, remaining: charge.limit - log.length },
      }));
      return {
        allowed: true,
        states: charged.map(({ state }) => state),
        undo: (isMeant = () => true) => {
          for (const { charge, log, state } of charged) {
            if (isMeant(charge) && forgetOne(log, now)) state.remaining += 1;
          }
          charged = charged.filter(({ charge }) => !isMeant(charge));
        },
      };
    },
    peek(charges) {
      const now = clock();
      return charges.map((charge) => ({
        limit: charge.limit,
        remaining: Math.max(0, charge.limit - logOf(charge, now).length),
      }));
    },
  };
}

/**
 * Charges all pools.
 * @throws ApiError RATE_LIMITED when one of them is used up
 */
export function charge(limiter: RateLimiter, charges: readonly Charge[]): Granted {
  const decision = limiter.take(charges);
  if (decision.allowed) return decision;
  const { state, retryAfterSeconds: wait } = decision;
  throw new ApiError("RATE_LIMITED", `The limit of ${state.limit} requests is used up; wait ${wait} s.`, {
    retry_after_seconds: wait,
    limits: [state],
  });
}

/** Drops the times up to and including a moment. */
function forget(log: Log, moment: number): Log {
  const kept = log.findIndex((time) => time > moment);
  log.splice(0, kept === -1 ? log.length : kept);
  return log;
}

/** @returns whether the time was still there */
function forgetOne(log: Log, time: number): boolean {
  const at = log.lastIndexOf(time);
  if (at !== -1) log.splice(at, 1);
  return at !== -1;
}

/** A limit of one capability, beside the general one. */
export function isStacked({ kind }: Charge): boolean {
  return kind !== "general";
}

/** The limit a response reports: the one with the least remaining. */
export function tightest(states: readonly LimitState[]): LimitState | undefined {
  return states.reduce<LimitState | undefined>(
    (least, next) => (least && least.remaining <= next.remaining ? least : next),
    undefined,
  );
}
