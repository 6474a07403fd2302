/** When numbered requests were made: one entry for all requests of a moment, in a ring from the oldest moment on. */
import { createGrowing, placeIn } from "./growing.ts";

export interface Moments {
  /**
   * @param request the number after the last one's, modulo 2 ** 32
   * @param now milliseconds, never less than before
   */
  note: (request: number, now: number) => void;
  /** The first request after a moment, null when there is none. Older requests are forgotten. */
  after: (moment: number) => number | null;
  /** When a request was made that is not forgotten. */
  of: (request: number) => number;
}

export function createMoments(): Moments {
  const ring = createGrowing({ time: Float64Array, request: Uint32Array });
  let first = 0;
  let held = 0;
  let latest = Number.NEGATIVE_INFINITY;

  const timeAt = (entry: number) => ring.arrays.time[placeIn(ring.length, entry)] ?? 0;
  const requestAt = (entry: number) => ring.arrays.request[placeIn(ring.length, entry)] ?? 0;

  return {
    note(request, now) {
      if (held > 0 && now === latest) return;
      latest = now;
      if (held === ring.length) ring.double(first);
      const place = placeIn(ring.length, first + held);
      ring.arrays.time[place] = now;
      ring.arrays.request[place] = request;
      held += 1;
    },
    after(moment) {
      while (held > 0 && timeAt(first) <= moment) {
        first = (first + 1) >>> 0;
        held -= 1;
      }
      return held === 0 ? null : requestAt(first);
    },
    of(request) {
      // Binary search for the last moment whose first request is not later.
      const age = (request - requestAt(first)) >>> 0;
      let low = 0;
      let high = held;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((requestAt(first + middle) - requestAt(first)) >>> 0 <= age) low = middle + 1;
        else high = middle;
      }
      return timeAt(first + low - 1);
    },
  };
}
