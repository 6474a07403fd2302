/** Numbers that depend on a seed alone, so that what failed once can be repeated. */

export type Random = ReturnType<typeof randomFrom>;

/** @param seed any number; the same seed gives the same numbers */
export function randomFrom(seed: number) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  // mulberry32: 32 bits of state are enough here, and streams of neighboring seeds do not resemble each other.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** From 0 up to, and not including, `below`. */
  const int = (below: number) => Math.floor(next() * below);
  return {
    next,
    int,
    /** True in this share of the cases. */
    chance: (share: number) => next() < share,
    pick: <T>(from: readonly T[]): T => {
      const one = from[int(from.length)];
      if (one === undefined) throw new Error("there is nothing to pick from");
      return one;
    },
  };
}

/** A seed of its own for the nth part of a run. */
export const seedOf = (seed: number, nth: number) =>
  (Math.imul(seed, 0x01000193) ^ Math.imul(nth + 1, 0x85ebca6b)) >>> 0;
