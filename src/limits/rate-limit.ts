/**
 * The limiter of one process: exact sliding logs in bounded memory. Callers that come when the memory is full share counts
 * with others until there is room again, so that a flood of addresses is limited and not let through.
 */
import type { LimitState } from "../capabilities/core/capability.ts";
import type { Hash } from "./caller-table.ts";
import { createHitLog, type HitLog } from "./hit-log.ts";
import type { Charge, Decision, Limiter, Refused, Standing } from "./limiter.ts";
import { createSharedCounts, type SharedCounts } from "./shared-counts.ts";

/** Decides at once. */
export interface RateLimiter extends Limiter {
  take: (charges: readonly Charge[]) => Decision;
  peek: (charges: readonly Charge[]) => Standing;
}

/** The most that is kept of one kind of pools. */
export interface Room {
  pools: number;
  /** Requests; more than pools, so that callers with a pool go on being counted exactly when a flood has taken all pools. */
  requests: number;
  /** Counts that the callers without a pool share. */
  shared: number;
}

/** 47 MB when full: a million callers with two million requests a minute. */
const ROOM: Room = { pools: 2 ** 20, requests: 2 ** 21, shared: 2 ** 17 };
/** Networks are fewer than callers, and quote requests and registrations fewer than requests: 4 MB each when full. */
const SMALL_SHARE = 1 / 16;

/** Old requests dropped per new one. A past flood is cleared in small steps, so that no request pays for all of it. */
const SWEPT = 64;

interface Kind {
  log: HitLog;
  /** For callers that the log has no room for. */
  shared: SharedCounts;
}

/** How a pool stands. */
interface Pool {
  charge: Charge;
  kind: Kind;
  hash: Hash;
  /** In the log; null without requests there. */
  caller: number | null;
  /** Whether the caller may have been counted among others. */
  isMixed: boolean;
  /** In the log. */
  exact: number;
  /** In the shared counts; 0 when the caller cannot have been counted there. */
  shared: number;
  /** The number of this request in the log, while it is charged there. */
  request: number | null;
  /** The slice of the shared counts, while this request is charged there. */
  slice: number | null;
}

// Random, so that nobody can choose names that share a count with somebody else.
const [seedA = 0, seedB = 0] = crypto.getRandomValues(new Uint32Array(2));

/** Whole milliseconds, because the log has an entry for each moment. */
const clockOfProcess = () => Math.floor(performance.now());

/** @param clock a monotonic clock, milliseconds */
export function createRateLimiter(clock = clockOfProcess, room = ROOM): RateLimiter {
  const kinds = new Map<string, Kind>();

  const kindOf = ({ kind, prefix, windowMs }: Charge): Kind => {
    const name = prefix === undefined ? kind : `${kind}/${prefix}`;
    const known = kinds.get(name);
    if (known) return known;
    const share = name === "general" ? 1 : SMALL_SHARE;
    const size = (whole: number) => Math.max(1, Math.floor(whole * share));
    const made = {
      log: createHitLog(size(room.pools), size(room.requests)),
      shared: createSharedCounts(size(room.shared), windowMs),
    };
    kinds.set(name, made);
    return made;
  };

  const look = (charge: Charge, now: number): Pool => {
    const kind = kindOf(charge);
    charge.hash ??= { a: Bun.hash.xxHash32(charge.pool, seedA), b: Bun.hash.xxHash32(charge.pool, seedB) };
    const { hash } = charge;
    const { log, shared } = kind;
    const past = now - charge.windowMs;
    log.expire(past, SWEPT);
    const caller = log.find(hash);
    const isMixed = shared.isUsed(now) && (caller === null || log.isMixed(caller));
    return {
      charge,
      kind,
      hash,
      caller,
      isMixed,
      exact: caller === null ? 0 : log.count(caller),
      shared: isMixed ? shared.count(hash.a) : 0,
      request: null,
      slice: null,
    };
  };

  const lookAt = (charges: readonly Charge[], now: number): Pool[] => {
    const pools: Pool[] = [];
    for (const charge of charges) pools.push(look(charge, now));
    return pools;
  };

  return {
    take(charges) {
      const now = clock();
      const pools = lookAt(charges, now);
      if (pools.some(isFull)) return refusal(pools, now);
      const states = statesOf(pools, 1);
      for (const pool of pools) add(pool, now);
      return {
        allowed: true,
        states,
        undo(isMeant) {
          for (const [i, pool] of pools.entries()) {
            const state = states[i];
            if (isMeant && !isMeant(pool.charge)) continue;
            if (takeBack(pool) && state) state.remaining += 1;
          }
        },
      };
    },
    peek(charges) {
      const now = clock();
      const pools = lookAt(charges, now);
      return pools.some(isFull) ? refusal(pools, now) : { allowed: true, states: statesOf(pools, 0) };
    },
  };
}

function refusal(pools: readonly Pool[], now: number): Refused {
  const wait = Math.max(...pools.filter(isFull).map(freeAt)) - now;
  return { allowed: false, states: statesOf(pools, 0), retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

function add(pool: Pool, now: number): void {
  const { kind, hash, caller, isMixed } = pool;
  pool.request = kind.log.add(hash, caller, now, isMixed);
  if (pool.request !== null) return;
  if (caller !== null) kind.log.setMixed(caller, true);
  pool.slice = kind.shared.add(hash.a, now);
}

/** @returns whether the request was still counted */
function takeBack(pool: Pool): boolean {
  const { kind, hash, request, slice } = pool;
  pool.request = null;
  pool.slice = null;
  if (request !== null) return kind.log.remove(request);
  return slice !== null && kind.shared.remove(hash.a, slice);
}

/** @param asked requests that are to be charged */
function statesOf(pools: readonly Pool[], asked: 0 | 1): LimitState[] {
  const states: LimitState[] = [];
  for (const pool of pools) {
    const { limit } = pool.charge;
    states.push({ limit, remaining: Math.max(0, limit - used(pool) - asked) });
  }
  return states;
}

function used({ exact, shared }: Pool): number {
  return exact + shared;
}

function isFull(pool: Pool): boolean {
  return used(pool) >= pool.charge.limit;
}

/** When a full pool has room again, by the limiter's clock. */
function freeAt({ charge: { limit, windowMs }, kind, hash, caller, exact, shared }: Pool): number {
  /** When at most `most` of the requests in the log are left. */
  const fewerAt = (most: number) =>
    caller === null || exact <= most ? 0 : kind.log.timeOf(caller, exact - most - 1) + windowMs;
  if (shared === 0) return fewerAt(limit - 1);
  const moments = kind.shared.ahead(hash.a).flatMap(({ at, left }) => {
    return left < limit ? [Math.max(at, fewerAt(limit - 1 - left))] : [];
  });
  return Math.min(...moments);
}
