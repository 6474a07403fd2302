/** The rate limiter, compared with a naive log that forgets nothing. The test moves the clock. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Charge,
  createCallerLog,
  createRateLimiter,
  type Limiter,
  tightest,
} from "../../src/limits/rate-limit.ts";
import { roomFor } from "../helpers.ts";
import { limiterConformance } from "./conformance.ts";

const MINUTE = 60_000;
function charge(pool: string, given: Partial<Charge> = {}): Charge {
  return { kind: "general", pool, limit: 3, windowMs: MINUTE, ...given };
}

/** A limiter whose clock is `at.now`. */
function limiterAt(now = 0, maxPools = 1000) {
  const at = { now };
  return { at, limiter: createRateLimiter(() => at.now, roomFor(maxPools)) };
}

/** A log of every request ever allowed, by pool. The limiter must agree with it. */
function naive() {
  const logs = new Map<string, number[]>();
  const key = ({ kind, pool }: Charge) => `${kind} ${pool}`;
  const within = (one: Charge, now: number) =>
    (logs.get(key(one)) ?? []).filter((time) => time > now - one.windowMs && time <= now);
  return {
    used: (one: Charge, now: number) => within(one, now).length,
    /** The first whole second from now, at least 1, at which all of the charges would be allowed. */
    wait(charges: readonly Charge[], now: number): number {
      for (let seconds = 1; ; seconds++) {
        const then = now + seconds * 1000;
        if (charges.every((one) => within({ ...one, windowMs: one.windowMs - (then - now) }, now).length < one.limit))
          return seconds;
      }
    },
    add: (one: Charge, now: number) => logs.set(key(one), [...(logs.get(key(one)) ?? []), now]),
  };
}

/** The highest number of requests in any window of this length. */
function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + windowMs).length));
}

const HOUR = 60 * MINUTE;
limiterConformance("in one process", {
  make() {
    const { at, limiter } = limiterAt();
    const advance = (ms: number) => {
      at.now += ms;
    };
    return { limiter, advance };
  },
  driftSeconds: 0,
  // Bursts, odd moments, the edges of windows, and fractions that a float holds exactly.
  waits: fc.oneof(
    fc.constant(0),
    fc.integer({ min: 1, max: 5 * MINUTE }),
    fc.constantFrom(HOUR / 4, HOUR / 2, HOUR - 1, HOUR, HOUR + 1, 9 * HOUR, 10 * HOUR),
    fc.integer({ min: 0, max: 8 * 90_000 }).map((eighths) => eighths / 8),
  ),
  numRuns: 50,
});

describe("bounded memory", () => {
  /** Sends one request each from many new callers. @returns how many were allowed */
  const flood = async (limiter: Limiter, callers: number, name: string) => {
    let allowed = 0;
    for (let i = 0; i < callers; i++) if ((await limiter.take([charge(`${name}${i}`)])).allowed) allowed += 1;
    return allowed;
  };

  test("callers beyond the pools share one: a flood of addresses is limited, not let through", async () => {
    const { at, limiter } = limiterAt(0, 10);
    expect(await flood(limiter, 10, "known")).toBe(10);
    expect(await flood(limiter, 1000, "flood")).toBe(3);
    // A caller with a pool keeps it.
    expect(await limiter.take([charge("known0")])).toMatchObject({ allowed: true, states: [{ remaining: 1 }] });
    // A caller without one is told to wait until the first of all those has passed.
    at.now = 20_000;
    expect(await limiter.take([charge("flood5")])).toMatchObject({ allowed: false, retryAfterSeconds: 40 });
    expect((await limiter.peek([charge("flood5")])).states).toMatchObject([{ limit: 3, remaining: 0 }]);
  });

  test("pools whose window has passed are used again", async () => {
    const { at, limiter } = limiterAt(0, 10);
    for (let round = 0; round < 50; round++) {
      expect(await flood(limiter, 10, `round ${round} `)).toBe(10);
      expect(await flood(limiter, 20, `more ${round} `)).toBe(3);
      at.now += MINUTE;
    }
  });

  test("a caller who comes again keeps no room from callers who are gone", async () => {
    const { at, limiter } = limiterAt(0, 3);
    for (const pool of ["regular", "gone 1", "gone 2"]) expect((await limiter.take([charge(pool)])).allowed).toBe(true);
    at.now = MINUTE / 2;
    expect((await limiter.take([charge("regular")])).allowed).toBe(true);
    at.now = MINUTE;
    for (const pool of ["new 1", "new 2"])
      for (let i = 0; i < 3; i++) expect(await limiter.take([charge(pool)])).toMatchObject({ allowed: true });
    expect((await limiter.peek([charge("regular")])).states).toMatchObject([{ limit: 3, remaining: 2 }]);
  });

  test("requests whose charge was taken back take up no room", async () => {
    const { limiter } = limiterAt(10 * MINUTE, 3);
    for (let i = 0; i < 3; i++) {
      const granted = await limiter.take([charge(`undone ${i}`)]);
      if (!granted.allowed) throw new Error("refused");
      await granted.undo();
      expect((await limiter.peek([charge(`undone ${i}`)])).states).toMatchObject([{ limit: 3, remaining: 3 }]);
    }
    expect(await flood(limiter, 3, "new ")).toBe(3);
    expect((await limiter.peek([charge("another")])).states).toMatchObject([{ limit: 3, remaining: 3 }]);
    for (let i = 0; i < 2; i++) expect((await limiter.take([charge("new 0")])).allowed).toBe(true);
    expect((await limiter.take([charge("new 0")])).allowed).toBe(false);
  });

  test("no caller gets more than the limit in any window, overflow or not", async () => {
    const names = fc.constantFrom("a", "b", "c", "d", "e");
    const waits = fc.constantFrom(0, 0, 0, 10_000, 20_000, 30_000);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(waits, names), { maxLength: 60 }), async (steps) => {
        const { at, limiter } = limiterAt(0, 2);
        const allowed = new Map<string, number[]>();
        for (const [wait, name] of steps) {
          at.now += wait;
          if ((await limiter.take([charge(name)])).allowed) allowed.set(name, [...(allowed.get(name) ?? []), at.now]);
        }
        for (const times of allowed.values()) expect(mostInAnyWindow(times, MINUTE)).toBeLessThanOrEqual(3);
      }),
      {
        numRuns: 150,
        // c starts in the overflow and gets a pool once one is free.
        examples: [
          [
            [
              [0, "a"],
              [0, "d"],
              [30_000, "c"],
              [0, "c"],
              [30_000, "c"],
              [0, "c"],
            ],
          ],
        ],
      },
    );
  });

  test("known callers are counted exactly while strangers flood, and strangers are still served", async () => {
    const KNOWN = ["a", "b", "c"];
    const steps = fc.array(
      fc.record({ wait: fc.constantFrom(0, 0, 1000, 9_999, 30_000), known: fc.constantFrom(...KNOWN) }),
      { minLength: 20, maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const at = { now: 0 };
        const limiter = createRateLimiter(() => at.now, { pools: 10, requests: 1000 });
        const log = naive();
        let strangers = 0;
        for (const known of KNOWN) {
          expect((await limiter.take([charge(known)])).allowed).toBe(true);
          log.add(charge(known), at.now);
        }
        for (const { wait, known } of all) {
          at.now += wait;
          for (let i = 0; i < 10; i++) await limiter.take([charge(`stranger ${strangers++}`)]);
          // A caller who is silent for a whole window counts as new.
          if (KNOWN.some((one) => log.used(charge(one), at.now) === 0)) return;
          const used = log.used(charge(known), at.now);
          const decision = await limiter.take([charge(known)]);
          if (used < 3) {
            expect(decision).toMatchObject({ allowed: true, states: [{ remaining: 2 - used }] });
            log.add(charge(known), at.now);
          } else
            expect(decision).toMatchObject({ allowed: false, retryAfterSeconds: log.wait([charge(known)], at.now) });
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a charge to the shared count is given back too", async () => {
    const { limiter } = limiterAt(0, 1);
    await limiter.take([charge("taken")]);
    for (let i = 0; i < 20; i++) {
      const granted = await limiter.take([charge("stranger")]);
      if (!granted.allowed) throw new Error("refused");
      await granted.undo();
    }
    expect((await limiter.peek([charge("stranger")])).states).toMatchObject([{ limit: 3, remaining: 3 }]);
  });

  test("a caller counted exactly and among others is told when the first of the shared requests has passed", async () => {
    const at = { now: 0 };
    const limiter = createRateLimiter(() => at.now, { pools: 1, requests: 1000 });
    const take = async (pool: string) => await limiter.take([charge(pool)]);
    await take("known");
    at.now = 10_000;
    expect((await take("new")).allowed).toBe(true);
    at.now = 20_000;
    expect((await take("new")).allowed).toBe(true);
    // The known caller is gone, and the new one gets the pool.
    at.now = 61_000;
    expect(await take("new")).toMatchObject({ allowed: true, states: [{ remaining: 0 }] });
    expect(await take("new")).toMatchObject({ allowed: false, retryAfterSeconds: 9 });
    at.now = 70_000;
    expect((await take("new")).allowed).toBe(true);
  });

  test("a caller with a pool shares the count when there is no room for more requests, and is still limited", async () => {
    const at = { now: 0 };
    const limiter = createRateLimiter(() => at.now, { pools: 10, requests: 4 });
    const take = async (pool: string) => (await limiter.take([charge(pool, { limit: 5 })])).allowed;
    for (const pool of ["a", "a", "b", "b", "a", "a", "a"]) expect(await take(pool)).toBe(true);
    for (const pool of ["a", "b"]) expect(await take(pool)).toBe(false);
    for (const pool of ["c", "c"]) expect(await take(pool)).toBe(true);
    expect(await take("c")).toBe(false);
    at.now = 2 * MINUTE;
    for (const pool of ["a", "b", "c"]) expect(await take(pool)).toBe(true);
    expect((await limiter.peek([charge("a")])).states).toMatchObject([{ limit: 3, remaining: 2 }]);
  });

  test("after 60,000 addresses a new caller waits for a window, a known one is exact, and no request pays for the flood", async () => {
    const at = { now: 0 };
    const limiter = createRateLimiter(() => at.now, { pools: 30_000, requests: 60_000 });
    for (let i = 0; i < 3; i++) await limiter.take([charge("known", { limit: 60 })]);
    for (let i = 0; i < 60_000; i++) await limiter.take([charge(`net ${i}`, { limit: 60 })]);
    expect((await limiter.peek([charge("known", { limit: 60 })])).states).toMatchObject([{ limit: 60, remaining: 57 }]);
    expect(await limiter.take([charge("new", { limit: 60 })])).toMatchObject({ allowed: false, retryAfterSeconds: 60 });
    at.now = MINUTE;
    // Forgetting 30,000 callers at once would slow down the next request.
    const started = performance.now();
    expect((await limiter.take([charge("next", { limit: 60 })])).allowed).toBe(true);
    expect(performance.now() - started).toBeLessThan(20);
  });
});

describe("a charge taken back", () => {
  /** Takes one request that must be allowed. @returns a function that takes it back */
  async function granted(limiter: Limiter, charges: Charge[]): Promise<() => Promise<void>> {
    const decision = await limiter.take(charges);
    if (!decision.allowed) throw new Error("refused");
    return decision.undo;
  }

  test("after its window has passed gives back nothing, because other requests are counted now", async () => {
    const { at, limiter } = limiterAt();
    const undo = await granted(limiter, [charge("a", { limit: 1 })]);
    at.now = MINUTE;
    await granted(limiter, [charge("a", { limit: 1 })]);
    await undo();
    expect((await limiter.take([charge("a", { limit: 1 })])).allowed).toBe(false);
  });
});

test("the tightest limit is the one with the least remaining; of equals the first", async () => {
  expect(tightest([])).toBeUndefined();
  const states = [
    { limit: 60, remaining: 9 },
    { limit: 5, remaining: 2 },
    { limit: 3, remaining: 2 },
  ].map((state) => ({ ...state, scope: "requests-per-minute", resetSeconds: 0 }));
  expect(tightest(states)).toBe(states[1]);
});

test("a caller whose requests count no more is not held to the shared count later", () => {
  const log = createCallerLog({ pools: 2, requests: 9, windowMs: 1_000 });
  log.add(7, 0, true);
  expect(log.isShared(7)).toBe(true);
  expect(log.timesOf(7, 5_000)).toEqual([]);
  expect(log.isShared(7)).toBe(false);
});
