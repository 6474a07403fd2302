/**
 * Counts of requests that callers share, for callers that the exact log has no room for. A caller's hash picks one of many
 * counts, so a flood fills few of the counts that honest callers use. A count is never below what one of its callers did in
 * the window: the limiter errs by refusing, never by letting through.
 */

/** A window has this many slices. A request counts until its whole slice has left the window. */
const SLICES = 8;
/** The slices of a window, and the one that is leaving. */
const COLUMNS = SLICES + 1;

export interface SharedCounts {
  /** Whether any request counts at a moment. Call this first: it drops the slices that have passed. */
  isUsed: (now: number) => boolean;
  count: (hash: number) => number;
  /** The counts left after each slice that is still to leave, with the moment when it leaves; the next one first. */
  ahead: (hash: number) => { at: number; left: number }[];
  /** @returns the slice, for `remove` */
  add: (hash: number, now: number) => number;
  /** @returns false when the slice has passed */
  remove: (hash: number, slice: number) => boolean;
}

/**
 * Makes counts that are all 0.
 * @param counts how many there are
 * @param windowMs how long a request counts
 */
export function createSharedCounts(counts: number, windowMs: number): SharedCounts {
  const length = windowMs / SLICES;
  /** The slices of a count are neighbours. Made with the first request: most servers never need them. */
  let cells = new Uint32Array(0);
  const totals: number[] = Array(COLUMNS).fill(0);
  /** The number of requests in all slices. */
  let total = 0;
  let current = Number.NEGATIVE_INFINITY;

  const column = (slice: number) => ((slice % COLUMNS) + COLUMNS) % COLUMNS;
  const cell = (slice: number, hash: number) => (hash % counts) * COLUMNS + column(slice);

  const clear = (at: number) => {
    total -= totals[at] ?? 0;
    if (totals[at] !== 0) for (let i = at; i < cells.length; i += COLUMNS) cells[i] = 0;
    totals[at] = 0;
  };

  const advance = (now: number) => {
    const slice = Math.floor(now / length);
    for (let passed = Math.max(current + 1, slice - SLICES); passed <= slice; passed++) clear(column(passed));
    current = Math.max(current, slice);
  };

  const change = (slice: number, hash: number, by: 1 | -1) => {
    const at = cell(slice, hash);
    cells[at] = (cells[at] ?? 0) + by;
    totals[column(slice)] = (totals[column(slice)] ?? 0) + by;
    total += by;
  };

  const count = (hash: number) => {
    let sum = 0;
    const from = (hash % counts) * COLUMNS;
    for (let i = from; i < from + COLUMNS; i++) sum += cells[i] ?? 0;
    return sum;
  };

  return {
    isUsed(now) {
      if (total > 0) advance(now);
      return total > 0;
    },
    count,
    ahead(hash) {
      let left = count(hash);
      return Array.from({ length: COLUMNS }, (_, i) => {
        const slice = current - SLICES + i;
        left -= cells[cell(slice, hash)] ?? 0;
        return { at: (slice + COLUMNS) * length, left };
      });
    },
    add(hash, now) {
      if (cells.length === 0) cells = new Uint32Array(counts * COLUMNS);
      advance(now);
      change(current, hash, 1);
      return current;
    },
    remove(hash, slice) {
      if (slice < current - SLICES) return false;
      change(slice, hash, -1);
      return true;
    },
  };
}
