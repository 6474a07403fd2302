/** Callers in typed arrays, found by a hash table whose chains are split one by one as callers come (linear hashing). */
import { createGrowing, type Growing } from "./growing.ts";

/** A 64-bit hash that stands for a caller. With two million callers, two share a hash once in ten million floods. */
export interface Hash {
  a: number;
  b: number;
}

const COLUMNS = {
  hashA: Uint32Array,
  hashB: Uint32Array,
  /** Numbers of requests. */
  oldest: Uint32Array,
  newest: Uint32Array,
  counts: Uint32Array,
  /** 1 for a caller who may have requests elsewhere too. */
  mixed: Uint8Array,
  /** The next caller of the same chain, or the next free place; plus 1, so that 0 ends a chain. */
  link: Uint32Array,
  /** The first caller of each chain, plus 1. */
  chain: Uint32Array,
};

export interface CallerTable {
  /** By a caller's place. */
  columns: Growing<typeof COLUMNS>;
  find: (hash: Hash) => number | null;
  /** @returns null when there is no room */
  add: (hash: Hash) => number | null;
  drop: (caller: number) => void;
}

export function createCallerTable(most: number): CallerTable {
  const columns = createGrowing(COLUMNS);
  /** Callers and chains that were ever made. */
  let made = 0;
  /** Has the bits that tell the chains apart. */
  let mask = 1;
  /** The first place that was given up, plus 1; 0 when there is none. */
  let free = 0;

  const chainOf = (a: number) => {
    const chain = a & mask;
    // A chain that is not made yet is part of the one without the highest bit.
    return chain < made ? chain : chain & (mask >>> 1);
  };

  const make = (): number => {
    if (made === columns.length) columns.double();
    made += 1;
    if (made > mask) mask = 2 * mask + 1;
    split(made - 1);
    return made - 1;
  };

  /** Moves callers to a new chain from the one that they were part of. */
  const split = (chain: number) => {
    if (chain === 0) return;
    const { hashA, link, chain: chains } = columns.arrays;
    const from = chain & ~(0x80000000 >>> Math.clz32(chain));
    let rest = chains[from] ?? 0;
    chains[from] = 0;
    while (rest !== 0) {
      const caller = rest - 1;
      rest = link[caller] ?? 0;
      const to = chainOf(hashA[caller] ?? 0);
      link[caller] = chains[to] ?? 0;
      chains[to] = caller + 1;
    }
  };

  return {
    columns,
    find({ a, b }) {
      const { hashA, hashB, link, chain } = columns.arrays;
      for (let at = chain[chainOf(a)] ?? 0; at !== 0; at = link[at - 1] ?? 0)
        if (hashA[at - 1] === a && hashB[at - 1] === b) return at - 1;
      return null;
    },
    add({ a, b }) {
      const isReused = free !== 0;
      if (!isReused && made === most) return null;
      const caller = isReused ? free - 1 : make();
      const { hashA, hashB, counts, link, chain } = columns.arrays;
      if (isReused) free = link[caller] ?? 0;
      hashA[caller] = a;
      hashB[caller] = b;
      counts[caller] = 0;
      const own = chainOf(a);
      link[caller] = chain[own] ?? 0;
      chain[own] = caller + 1;
      return caller;
    },
    drop(caller) {
      const { hashA, link, chain } = columns.arrays;
      const own = chainOf(hashA[caller] ?? 0);
      let before = 0;
      let at = chain[own] ?? 0;
      while (at !== caller + 1) {
        before = at;
        at = link[at - 1] ?? 0;
      }
      if (before === 0) chain[own] = link[caller] ?? 0;
      else link[before - 1] = link[caller] ?? 0;
      link[caller] = free;
      free = caller + 1;
    },
  };
}
