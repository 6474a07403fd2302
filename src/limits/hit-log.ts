/**
 * The times of requests, by caller, in typed arrays: 29 bytes a caller and 16 bytes a request. The arrays grow as they fill,
 * because the garbage collector lets as much garbage pile up as the arrays are long, filled or not.
 */

/** A 64-bit hash that stands for a caller. With two million callers, two share a hash once in ten million floods. */
export interface Hash {
  a: number;
  b: number;
}

export interface HitLog {
  /** Forgets up to `most` of the oldest requests, those up to and including a moment. */
  sweep: (moment: number, most: number) => void;
  /** A caller with requests later than a moment, null when there are none. Those up to the moment are forgotten. */
  find: (hash: Hash, moment: number) => number | null;
  count: (caller: number) => number;
  /** When a caller made the request with this index, of those counted; the oldest has index 0. */
  timeOf: (caller: number, index: number) => number;
  /**
   * @param caller as just found; null for a new one
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
  // Requests are in a ring, oldest first. `first` and `end` number them through; `base` is the one at place 0.
  const hits = createRoom(mostHits);
  const time = new Float64Array(hits.bytes(8));
  const owner = new Uint32Array(hits.bytes(4));
  /** The place of the same caller's next request. */
  const later = new Uint32Array(hits.bytes(4));
  let base = 0;
  let first = 0;
  let end = 0;

  // Callers, found by a hash table with chains. Links hold a caller's index plus 1, so that 0 ends a chain.
  const callers = createRoom(mostCallers);
  const hashA = new Uint32Array(callers.bytes(4));
  const hashB = new Uint32Array(callers.bytes(4));
  const oldest = new Uint32Array(callers.bytes(4));
  const newest = new Uint32Array(callers.bytes(4));
  const counts = new Uint32Array(callers.bytes(4));
  const link = new Uint32Array(callers.bytes(4));
  const mixed = new Uint8Array(callers.bytes(1));
  const chains = new Uint32Array(2 ** Math.ceil(Math.log2(mostCallers)));
  let made = 0;
  let free = 0;

  const place = (request: number) => (request - base) % mostHits;
  const chainOf = (a: number) => a & (chains.length - 1);

  const find = ({ a, b }: Hash): number | null => {
    for (let at = chains[chainOf(a)] ?? 0; at !== 0; at = link[at - 1] ?? 0)
      if (hashA[at - 1] === a && hashB[at - 1] === b) return at - 1;
    return null;
  };

  const newCaller = ({ a, b }: Hash): number | null => {
    const isReused = free !== 0;
    if (!isReused && made === mostCallers) return null;
    const caller = isReused ? free - 1 : made;
    callers.reach(caller);
    if (isReused) free = link[caller] ?? 0;
    else made += 1;
    hashA[caller] = a;
    hashB[caller] = b;
    counts[caller] = 0;
    link[caller] = chains[chainOf(a)] ?? 0;
    chains[chainOf(a)] = caller + 1;
    return caller;
  };

  const drop = (caller: number) => {
    const chain = chainOf(hashA[caller] ?? 0);
    let before = 0;
    let at = chains[chain] ?? 0;
    while (at !== caller + 1) {
      before = at;
      at = link[at - 1] ?? 0;
    }
    if (before === 0) chains[chain] = link[caller] ?? 0;
    else link[before - 1] = link[caller] ?? 0;
    link[caller] = free;
    free = caller + 1;
  };

  /** A caller's next request after a place, past those that were removed. */
  const nextOf = (caller: number, from: number): number => {
    let at = later[from] ?? 0;
    while (owner[at] !== caller) at = later[at] ?? 0;
    return at;
  };

  /** `oldest` is never a removed request, so the ring never reuses a place that a caller's chain still needs. */
  const forgetAt = (caller: number, at: number) => {
    owner[at] = NOBODY;
    const left = (counts[caller] ?? 0) - 1;
    counts[caller] = left;
    if (left === 0) drop(caller);
    else if (oldest[caller] === at) oldest[caller] = nextOf(caller, at);
  };

  return {
    sweep(moment, most) {
      for (let swept = 0; swept < most && first < end; swept++) {
        const at = place(first);
        const caller = owner[at] ?? NOBODY;
        if (caller !== NOBODY) {
          if ((time[at] ?? 0) > moment) return;
          forgetAt(caller, at);
        }
        first += 1;
      }
      // The ring begins at its first place again, so that a quiet server never touches the rest of its memory.
      if (first === end) base = first;
    },
    find(hash, moment) {
      const caller = find(hash);
      if (caller === null) return null;
      for (let at = oldest[caller] ?? 0; (time[at] ?? 0) <= moment; at = oldest[caller] ?? 0) {
        forgetAt(caller, at);
        if (counts[caller] === 0) return null;
      }
      return caller;
    },
    count: (caller) => counts[caller] ?? 0,
    timeOf(caller, index) {
      let at = oldest[caller] ?? 0;
      for (let i = 0; i < index; i++) at = nextOf(caller, at);
      return time[at] ?? 0;
    },
    add(hash, known, now, isMixed) {
      if (end - first === mostHits) return null;
      const caller = known ?? newCaller(hash);
      if (caller === null) return null;
      mixed[caller] = isMixed ? 1 : 0;
      const at = place(end);
      hits.reach(at);
      time[at] = now;
      owner[at] = caller;
      if (counts[caller] === 0) oldest[caller] = at;
      else later[newest[caller] ?? 0] = at;
      newest[caller] = at;
      counts[caller] = (counts[caller] ?? 0) + 1;
      end += 1;
      return end - 1;
    },
    remove(request) {
      const at = place(request);
      const caller = request < first ? NOBODY : (owner[at] ?? NOBODY);
      if (caller === NOBODY) return false;
      forgetAt(caller, at);
      return true;
    },
    isMixed: (caller) => mixed[caller] === 1,
    setMixed(caller, isMixed) {
      mixed[caller] = isMixed ? 1 : 0;
    },
  };
}

/** Entries that arrays have room for at first. */
const FIRST_ROOM = 4096;

/** The room of arrays that grow together, twice as long each time. */
function createRoom(most: number) {
  const grown: { buffer: ArrayBuffer; bytesEach: number }[] = [];
  let room = Math.min(most, FIRST_ROOM);
  return {
    /** For one array. */
    bytes(bytesEach: number): ArrayBuffer {
      const buffer = new ArrayBuffer(room * bytesEach, { maxByteLength: most * bytesEach });
      grown.push({ buffer, bytesEach });
      return buffer;
    },
    /** Makes room for the entry with this index. */
    reach(index: number): void {
      if (index < room) return;
      room = Math.min(most, room * 2);
      for (const { buffer, bytesEach } of grown) buffer.resize(room * bytesEach);
    },
  };
}
