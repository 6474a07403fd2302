/**
 * The limiter of one process: of each caller, the times of the requests that still count. Callers that come when there
 * is no room share counts with others until there is room again, so a flood of addresses is limited and not let
 * through.
 */
import type { LimitState } from "../errors.ts";
import { createCallerLog } from "./caller-log.ts";
import { type Charge, type Limiter, type Refused, stateOf } from "./limiter.ts";
import { createSharedCounts } from "./shared-counts.ts";

/** The bounds of one kind of pools. */
export interface Room {
  pools: number;
  /**
   * Requests; more than pools, so that callers with a pool go on being counted exactly when a flood has taken all
   * pools.
   */
  requests: number;
  /** Counts that the callers without a pool share. */
  shared: number;
}

const ROOM: Room = { pools: 2 ** 18, requests: 2 ** 20, shared: 2 ** 17 };
/** Networks are fewer than callers, and quote requests and registrations fewer than requests. */
const SMALL_SHARE = 1 / 16;

/** The counts of all pools of one kind and prefix. */
type Counts = ReturnType<typeof createCounts>;

function createCounts({ pools, requests, shared }: Room, share: number, windowMs: number) {
  const size = (whole: number) => Math.max(1, Math.floor(whole * share));
  return {
    log: createCallerLog({ pools: size(pools), requests: size(requests), windowMs }),
    shared: createSharedCounts(size(shared), windowMs),
  };
}

/** How a pool stands. */
interface Pool {
  charge: Charge;
  counts: Counts;
  /** Names the pool in the log. */
  caller: number;
  /** The times of its requests in the log, the oldest first. */
  times: readonly number[];
  /** How many requests count in the count that it shares, as far as they may be its own. */
  shared: number;
}

// Random, so that nobody can choose names that share a count with somebody else.
const [seedA = 0, seedB = 0] = crypto.getRandomValues(new Uint32Array(2));

/**
 * 53 bits that stand for a caller: a number takes less memory than a name, and nothing for the garbage collector to
 * visit.
 */
function callerOf({ pool }: Charge): number {
  return Bun.hash.xxHash32(pool, seedA) * 2 ** 21 + (Bun.hash.xxHash32(pool, seedB) >>> 11);
}

/** @param clock a monotonic clock, milliseconds */
export function createRateLimiter(clock = () => performance.now(), room = ROOM): Limiter {
  const all = new Map<string, Counts>();

  const countsOf = ({ kind, prefix, windowMs }: Charge): Counts => {
    const name = prefix === undefined ? kind : `${kind}/${prefix}`;
    let known = all.get(name);
    if (!known) {
      known = createCounts(room, name === "general" ? 1 : SMALL_SHARE, windowMs);
      all.set(name, known);
    }
    return known;
  };

  const look = (charge: Charge, now: number): Pool => {
    const counts = countsOf(charge);
    const caller = callerOf(charge);
    const times = counts.log.timesOf(caller, now);
    // A caller without requests in the log may have been counted among others.
    const isShared = counts.shared.isUsed(now) && (times.length === 0 || counts.log.isShared(caller));
    return { charge, counts, caller, times, shared: isShared ? counts.shared.count(caller) : 0 };
  };

  return {
    async take(charges) {
      const now = clock();
      const pools = charges.map((charge) => look(charge, now));
      if (pools.some(isFull)) return refusal(pools, now);
      const states = statesOf(pools, 1, now);
      const takeBack = pools.map((pool) => add(pool, now));
      return {
        allowed: true,
        states,
        async undo() {
          for (const [i, takeOneBack] of takeBack.splice(0).entries()) {
            const state = states[i];
            if (takeOneBack() && state) Object.assign(state, { remaining: state.remaining + 1, resetSeconds: 0 });
          }
        },
      };
    },
    async peek(charges) {
      const now = clock();
      const pools = charges.map((charge) => look(charge, now));
      return pools.some(isFull) ? refusal(pools, now) : { allowed: true, states: statesOf(pools, 0, now) };
    },
  };
}

/** @returns takes the request back, and says whether it still counted */
function add({ counts: { log, shared }, caller, shared: others }: Pool, now: number): () => boolean {
  if (log.add(caller, now, others > 0)) return () => log.remove(caller, now);
  log.markShared(caller);
  const slice = shared.add(caller, now);
  return () => shared.remove(caller, slice);
}

function refusal(pools: readonly Pool[], now: number): Refused {
  const wait = Math.max(...pools.filter(isFull).map(freeAt)) - now;
  return { allowed: false, states: statesOf(pools, 0, now), retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

/** @param asked requests that are to be charged */
function statesOf(pools: readonly Pool[], asked: 0 | 1, now: number): LimitState[] {
  return pools.map((pool) => {
    const count = used(pool) + asked;
    // The times are copied only where this request is the last that has room.
    const then = count < pool.charge.limit || asked === 0 ? pool : { ...pool, times: [...pool.times, now] };
    return stateOf(pool.charge, count, isFull(then) ? (freeAt(then) - now) / 1000 : 0);
  });
}

function used({ times, shared }: Pool): number {
  return times.length + shared;
}

function isFull(pool: Pool): boolean {
  return used(pool) >= pool.charge.limit;
}

/** When a full pool has room again, by the limiter's clock. */
function freeAt({ charge: { limit, windowMs }, counts, caller, times, shared }: Pool): number {
  /** When at most `most` of the requests in the log are left. */
  const fewerAt = (most: number) => (times.length <= most ? 0 : (times[times.length - most - 1] ?? 0) + windowMs);
  if (shared === 0) return fewerAt(limit - 1);
  const moments = counts.shared.ahead(caller).flatMap(({ at, left }) => {
    return left < limit ? [Math.max(at, fewerAt(limit - 1 - left))] : [];
  });
  return Math.min(...moments);
}
