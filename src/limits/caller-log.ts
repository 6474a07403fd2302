/** The times of requests by caller, for one kind of limit, in bounded memory. */

/** The parts of the log. A map that grows or shrinks copies itself whole, and a small one does that without a pause. */
const PARTS = 64;
/** The most callers that one request clears away, so that no request pays for a whole flood. */
const MOST_CLEARED = 64;

interface CallerLogOptions {
  /** The most callers. */
  pools: number;
  /** The most requests of all callers. */
  requests: number;
  /** How long a request counts. */
  windowMs: number;
}

/** The times of a caller, the oldest first. Most callers of a flood ask once, and a bare number needs no list. */
type Times = number | number[];

const listOf = (times: Times) => (typeof times === "number" ? [times] : times);
const lastOf = (times: Times) => (typeof times === "number" ? times : (times.at(-1) ?? 0));

/** Makes an empty log. Times are milliseconds of one monotonic clock. */
export function createCallerLog({ pools, requests, windowMs }: CallerLogOptions) {
  /** In each part, the caller whose last request is the oldest comes first. */
  const parts = Array.from({ length: PARTS }, () => new Map<number, Times>());
  const partOf = (caller: number) => parts[caller % PARTS] as Map<number, Times>;
  /** Callers that may have requests in the shared counts too. */
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
      if (cleared === most || lastOf(times) > past) break;
      drop(part, caller, times);
      cleared += 1;
    }
    return cleared;
  };

  /**
   * The log looks for room again only from this moment on. Otherwise each request of a flood would look at every part.
   */
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
      if (lastOf(times) <= past) {
        drop(part, caller, times);
        return [];
      }
      if (typeof times === "number") return [times];
      const gone = times.findIndex((time) => time > past);
      if (gone > 0) held -= times.splice(0, gone).length;
      return times;
    },
    /**
     * @param now milliseconds, never less than before
     * @param isShared whether a new caller may have requests in the shared counts
     * @returns false when there is no room
     */
    add(caller: number, now: number, isShared: boolean): boolean {
      const part = partOf(caller);
      const times = part.get(caller);
      const isFull = () => held >= requests || (times === undefined && callers >= pools);
      if (isFull()) makeRoom(now);
      if (isFull()) return false;
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
      const at = times === undefined ? -1 : listOf(times).indexOf(time);
      if (times === undefined || at === -1) return false;
      if (typeof times === "number" || times.length === 1) drop(part, caller, times);
      else {
        held -= 1;
        times.splice(at, 1);
      }
      return true;
    },
    isShared: (caller: number) => shared.has(caller),
    /** For a caller with requests here, whose next one goes to the shared counts. */
    markShared(caller: number): void {
      if (partOf(caller).has(caller)) shared.add(caller);
    },
  };
}
