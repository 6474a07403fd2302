/**
 * The times of requests, by caller, in typed arrays: 29 bytes a caller, 8 bytes a request, and 12 bytes for each
 * moment of the clock with requests. The arrays grow as they fill, because the longer they are, the more garbage the
 * collector lets pile up.
 */
import { createCallerTable, type Hash } from "./caller-table.ts";
import { createGrowing, placeIn } from "./growing.ts";
import { createMoments } from "./moments.ts";

export interface HitLog {
  /** Lets the requests up to and including a moment count no more, and clears away up to `most` of them. */
  expire: (moment: number, most: number) => void;
  /** A caller with requests that count; null when there are none. */
  find: (hash: Hash) => number | null;
  count: (caller: number) => number;
  /** When a caller made the request with this index, of those that count; the oldest has index 0. */
  timeOf: (caller: number, index: number) => number;
  /**
   * @param caller as just found; null for a new one
   * @param now milliseconds, never less than before
   * @returns the number of the request for `remove`, or null when there is no room
   */
  add: (hash: Hash, caller: number | null, now: number, mixed: boolean) => number | null;
  /** @returns false when the request was forgotten or removed before */
  remove: (request: number) => boolean;
  /** Whether a caller may have requests elsewhere too. Forgotten with the caller's last request. */
  isMixed: (caller: number) => boolean;
  setMixed: (caller: number, mixed: boolean) => void;
}

/** Marks a request that no caller owns any more. */
const NOBODY = 0xffffffff;

export function createHitLog(mostCallers: number, mostHits: number): HitLog {
  const table = createCallerTable(mostCallers);
  const { columns } = table;
  // A ring of requests, numbered modulo 2 ** 32. `next` is the next request of the same caller.
  const ring = createGrowing({ owner: Uint32Array, next: Uint32Array });
  /** The number of the oldest request. */
  let first = 0;
  let held = 0;
  /** How many of the oldest do not count any more. */
  let expired = 0;
  const moments = createMoments();

  const ageOf = (request: number) => (request - first) >>> 0;
  const placeOf = (request: number) => placeIn(ring.length, request);
  const ownerOf = (request: number) => ring.arrays.owner[placeOf(request)] ?? NOBODY;
  const after = (request: number) => ring.arrays.next[placeOf(request)] ?? 0;

  /** A caller's next request, past those that were removed. */
  const nextOf = (caller: number, request: number): number => {
    let at = after(request);
    while (ownerOf(at) !== caller) at = after(at);
    return at;
  };

  /** `oldest` is never a removed request, so the ring never reuses a place that a caller's chain still needs. */
  const forget = (caller: number, request: number) => {
    const { oldest, counts } = columns.arrays;
    ring.arrays.owner[placeOf(request)] = NOBODY;
    const left = (counts[caller] ?? 0) - 1;
    counts[caller] = left;
    if (left === 0) table.drop(caller);
    else if (oldest[caller] === request) oldest[caller] = nextOf(caller, request);
  };

  return {
    expire(moment, most) {
      const live = moments.after(moment);
      expired = live === null ? held : ageOf(live);
      for (let cleared = 0; cleared < most && expired > 0; cleared++) {
        const caller = ownerOf(first);
        if (caller !== NOBODY) forget(caller, first);
        first = (first + 1) >>> 0;
        held -= 1;
        expired -= 1;
      }
    },
    find(hash) {
      const caller = table.find(hash);
      if (caller === null) return null;
      const { oldest, counts } = columns.arrays;
      for (let at = oldest[caller] ?? 0; ageOf(at) < expired; at = oldest[caller] ?? 0) {
        forget(caller, at);
        if (counts[caller] === 0) return null;
      }
      return caller;
    },
    count: (caller) => columns.arrays.counts[caller] ?? 0,
    timeOf(caller, index) {
      let at = columns.arrays.oldest[caller] ?? 0;
      for (let i = 0; i < index; i++) at = nextOf(caller, at);
      return moments.of(at);
    },
    add(hash, known, now, isMixed) {
      if (held === mostHits) return null;
      const caller = known ?? table.add(hash);
      if (caller === null) return null;
      if (held === ring.length) ring.double(first);
      const { oldest, newest, counts, mixed } = columns.arrays;
      const request = (first + held) >>> 0;
      mixed[caller] = isMixed ? 1 : 0;
      ring.arrays.owner[placeOf(request)] = caller;
      if (counts[caller] === 0) oldest[caller] = request;
      else ring.arrays.next[placeOf(newest[caller] ?? 0)] = request;
      newest[caller] = request;
      counts[caller] = (counts[caller] ?? 0) + 1;
      held += 1;
      moments.note(request, now);
      return request;
    },
    remove(request) {
      const caller = ageOf(request) < held ? ownerOf(request) : NOBODY;
      if (caller === NOBODY) return false;
      forget(caller, request);
      return true;
    },
    isMixed: (caller) => columns.arrays.mixed[caller] === 1,
    setMixed(caller, isMixed) {
      columns.arrays.mixed[caller] = isMixed ? 1 : 0;
    },
  };
}
