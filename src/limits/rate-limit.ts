/** Of each caller, the times of the requests that still count. Callers beyond the room share one count: a flood is limited. */

import { LIMITS } from "../catalog/limits.ts";
import { ApiError, type LimitState } from "../errors.ts";

type LimitKind = keyof typeof LIMITS;

export interface Room {
  pools: number;
  /** Requests; more than pools, so that callers with a pool go on being counted exactly when a flood has taken all pools. */
  requests: number;
}

const ROOM: Room = { pools: 2 ** 18, requests: 2 ** 20 };
/** Networks are fewer than callers, and quote requests and registrations fewer than requests. */
const SMALL_SHARE = 1 / 16;

/** The counts of all pools of one kind and prefix. */
interface Counts {
  log: ReturnType<typeof createCallerLog>;
  /** The times of requests without room in the log, the oldest first: never fewer than one of their callers made. */
  others: number[];
}

interface Pool {
  charge: Charge;
  counts: Counts;
  /** Names the pool in the log. */
  caller: number;
  /** The times of its requests in the log, the oldest first. */
  times: readonly number[];
  /** Those of `others`, where some may be its own. */
  shared: readonly number[];
  /** All of them. */
  used: number;
}

export function createRateLimiter(clock = performance.now.bind(performance), room = ROOM): Limiter {
  const all = new Map<string, Counts>();

  const newCounts = (share: number, windowMs: number): Counts => {
    const size = (whole: number) => Math.max(1, Math.floor(whole * share));
    return { log: createCallerLog({ pools: size(room.pools), requests: size(room.requests), windowMs }), others: [] };
  };

  const look = (charges: readonly Charge[], now: number): { pools: Pool[]; isFull: boolean } => {
    const pools: Pool[] = [];
    let isFull = false;
    for (const charge of charges) {
      const { kind, prefix, limit, windowMs } = charge;
      const name = prefix === undefined ? kind : `${kind}/${prefix}`;
      let counts = all.get(name);
      if (!counts) {
        counts = newCounts(name === "general" ? 1 : SMALL_SHARE, windowMs);
        all.set(name, counts);
      }
      // 53 bits: a number takes less memory than a name, and nothing for the garbage collector to visit.
      const caller = Bun.hash.xxHash32(charge.pool, seedA) * 2 ** 21 + (Bun.hash.xxHash32(charge.pool, seedB) >>> 11);
      const times = counts.log.timesOf(caller, now);
      const { others, log } = counts;
      while (others[0] !== undefined && others[0] <= now - windowMs) others.shift();
      // A caller without requests in the log may have been counted among others; without room, it is now.
      const mayShare = others.length > 0 && (times.length === 0 || log.isShared(caller) || !log.hasRoom(now));
      const shared = mayShare ? others : [];
      const used = times.length + shared.length;
      if (used >= limit) isFull = true;
      pools.push({ charge, counts, caller, times, shared, used });
    }
    return { pools, isFull };
  };

  return {
    async take(charges) {
      const now = clock();
      const { pools, isFull } = look(charges, now);
      if (isFull) return rateRefusal(pools, now);
      const states = statesOf(pools, 1, now);
      const undos = pools.map((pool) => chargePool(pool, now));
      return {
        allowed: true,
        states,
        async undo() {
          for (const [i, undo] of undos.splice(0).entries()) {
            const state = states[i];
            if (undo() && state) Object.assign(state, { remaining: state.remaining + 1, resetSeconds: 0 });
          }
        },
      };
    },
    async peek(charges) {
      const now = clock();
      const { pools, isFull } = look(charges, now);
      return isFull ? rateRefusal(pools, now) : { allowed: true, states: statesOf(pools, 0, now) };
    },
  };
}

// Random, so that nobody can choose names that share a count with somebody else.
const [seedA = 0, seedB = 0] = crypto.getRandomValues(new Uint32Array(2));

/** Counts a request. @returns a function that takes it back, and says whether it still counted */
function chargePool({ counts: { log, others }, caller, shared }: Pool, now: number): () => boolean {
  if (log.add(caller, now, shared.length > 0)) return () => log.remove(caller, now);
  log.markShared(caller);
  others.push(now);
  return () => {
    const at = others.indexOf(now);
    if (at !== -1) others.splice(at, 1);
    return at !== -1;
  };
}

function rateRefusal(pools: readonly Pool[], now: number): Refused {
  const full = pools.filter(({ used, charge }) => used >= charge.limit);
  const wait = Math.max(...full.map(momentOfRoom)) - now;
  return { allowed: false, states: statesOf(pools, 0, now), retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) };
}

/** @param asked requests that are to be charged */
function statesOf(pools: readonly Pool[], asked: 0 | 1, now: number): LimitState[] {
  const states: LimitState[] = [];
  for (const pool of pools) {
    const count = pool.used + asked;
    // The times are copied only where this request is the last that has room.
    const then = count < pool.charge.limit || asked === 0 ? pool : { ...pool, times: [...pool.times, now] };
    const isFull = count >= pool.charge.limit;
    states.push(stateOf(pool.charge, count, isFull ? (momentOfRoom(then) - now) / 1000 : 0));
  }
  return states;
}

/** When a full pool has room again, by the limiter's clock: when enough of both kinds have passed, the oldest first. */
function momentOfRoom({ charge: { limit, windowMs }, times, shared }: Pool): number {
  let [own, other, last] = [0, 0, 0];
  for (let left = times.length + shared.length; left >= limit; left--)
    last = (times[own] ?? Infinity) <= (shared[other] ?? Infinity) ? (times[own++] ?? 0) : (shared[other++] ?? 0);
  return last + windowMs;
}

/** The parts of the log. A map that grows or shrinks copies itself whole, and a small one does that without a pause. */
const PARTS = 64;
/** The most callers that one request clears away, so that no request pays for a whole flood. */
const MOST_CLEARED = 64;

interface CallerLogOptions {
  pools: number;
  requests: number;
  windowMs: number;
}

/** The times of a caller, the oldest first. Most callers of a flood ask once, and a bare number needs no list. */
type Times = number | number[];

/** The times of requests by caller, for one kind of limit, in bounded memory. Times are milliseconds of one monotonic clock. */
export function createCallerLog({ pools, requests, windowMs }: CallerLogOptions) {
  /** In each part, the caller whose last request is the oldest comes first. */
  const parts = Array.from({ length: PARTS }, () => new Map<number, Times>());
  const partOf = (caller: number) => parts[caller % PARTS] as Map<number, Times>;
  /** Callers that may have requests in the shared count too. */
  const shared = new Set<number>();
  let callers = 0;
  let held = 0;

  const drop = (part: Map<number, Times>, caller: number, times: Times) => {
    part.delete(caller);
    shared.delete(caller);
    callers -= 1;
    held -= typeof times === "number" ? 1 : times.length;
  };

  /** Clears away callers whose last request counts no more. @returns how many */
  const clear = (part: Map<number, Times>, past: number, most: number): number => {
    let cleared = 0;
    for (const [caller, times] of part) {
      const latest = typeof times === "number" ? times : (times.at(-1) ?? 0);
      if (cleared === most || latest > past) break;
      drop(part, caller, times);
      cleared += 1;
    }
    return cleared;
  };

  /** The log looks for room again only from this moment on. Otherwise each request of a flood would look at every part. */
  let lookAgainAt = Number.NEGATIVE_INFINITY;

  const makeRoom = (now: number) => {
    if (now < lookAgainAt) return;
    let left = MOST_CLEARED;
    for (const part of parts) if (left > 0) left -= clear(part, now - windowMs, left);
    if (left === MOST_CLEARED) lookAgainAt = now + windowMs / PARTS;
  };

  return {
    /** The times of a caller's requests that count, the oldest first; good until the next change. */
    timesOf(caller: number, now: number): readonly number[] {
      const past = now - windowMs;
      const part = partOf(caller);
      clear(part, past, MOST_CLEARED);
      const times = part.get(caller);
      if (times === undefined) return [];
      const list = typeof times === "number" ? [times] : times;
      let gone = 0;
      while ((list[gone] ?? now) <= past) gone += 1;
      if (gone === list.length) {
        drop(part, caller, times);
        return [];
      }
      if (gone > 0) held -= list.splice(0, gone).length;
      return list;
    },
    /** False when there is no room. `now` never falls; a new caller who `isShared` may have requests in the shared count. */
    add(caller: number, now: number, isShared: boolean): boolean {
      const part = partOf(caller);
      const times = part.get(caller);
      const isFull = () => held >= requests || (times === undefined && callers >= pools);
      if (isFull()) {
        makeRoom(now);
        if (isFull()) return false;
      }
      held += 1;
      if (times === undefined) {
        callers += 1;
        part.set(caller, now);
        if (isShared) shared.add(caller);
        return true;
      }
      // To the end, as the caller with the newest request.
      part.delete(caller);
      if (typeof times === "number") part.set(caller, [times, now]);
      else {
        times.push(now);
        part.set(caller, times);
      }
      return true;
    },
    /** @returns false when the request counts no more */
    remove(caller: number, time: number): boolean {
      const part = partOf(caller);
      const times = part.get(caller);
      const at = typeof times === "number" ? (times === time ? 0 : -1) : (times?.indexOf(time) ?? -1);
      if (times === undefined || at === -1) return false;
      if (typeof times === "number" || times.length === 1) drop(part, caller, times);
      else {
        held -= 1;
        times.splice(at, 1);
      }
      return true;
    },
    isShared: (caller: number) => shared.has(caller),
    /** Whether it takes another request of a caller that it knows. */
    hasRoom(now: number): boolean {
      if (held >= requests) makeRoom(now);
      return held < requests;
    },
    /** For a caller with requests here, whose next one goes to the shared count. */
    markShared(caller: number): void {
      if (partOf(caller).has(caller)) shared.add(caller);
    },
  };
}

export interface Charge {
  readonly kind: LimitKind;
  /** Bits of the network that the pool stands for, when it is wider than one caller's. */
  readonly prefix?: number;
  /** Names the caller within the kind and prefix. */
  readonly pool: string;
  readonly limit: number;
  /** One for all pools of a kind. */
  readonly windowMs: number;
}

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
  /** Takes the charges back, for a request that is refused after all, and updates `states`. */
  undo: () => Promise<void>;
}
export type Standing = Allowed | Refused;

export interface Limiter {
  /** Charges all pools, or none when one of them is used up. */
  take: (charges: readonly Charge[]) => Promise<Granted | Refused>;
  /** Whether `take` would charge them, with their states before it. Charges nothing. */
  peek: (charges: readonly Charge[]) => Promise<Standing>;
}

/** Charges all pools. @throws ApiError RATE_LIMITED when one of them is used up */
export async function charge(limiter: Limiter, charges: readonly Charge[]): Promise<Granted> {
  const decision = await limiter.take(charges);
  if (decision.allowed) return decision;
  throw overLimit(decision, charges);
}

/** The refusal says which limit it is, whom it counts, and the ways out that this caller has. @param charges of the decision */
export function overLimit({ states, retryAfterSeconds: wait }: Refused, charges: readonly Charge[]): ApiError {
  const at = states.findIndex(({ remaining }) => remaining === 0);
  const [full, charge] = [states[at], charges[at]];
  if (!full || !charge) throw new Error("a request was refused, and no pool is full");
  const { said, wayOut } = LIMITS[charge.kind];
  const hasKey = charges.some(({ pool }) => pool.startsWith(KEY_POOL));
  return new ApiError("RATE_LIMITED", `${said(full.limit)}; wait ${wait} s.`, {
    retry_after_seconds: wait,
    limits: [full],
    agent_instruction: hasKey ? wayOut.replace(" {keys}", "") : wayOut,
  });
}

/** The pool of one API key begins with this. */
export const KEY_POOL = "key ";

/** @param resetSeconds until there is room again, for a pool without room */
export function stateOf({ kind, limit }: Charge, used: number, resetSeconds: number): LimitState {
  const remaining = Math.max(0, limit - used);
  return {
    scope: LIMITS[kind].scope,
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
