/** The rate limiter in one process: exactly the limit, in bounded memory. The test moves the clock. */
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
  numRuns: 100,
});

describe("exactly the limit", () => {
  test("a request one window after the first is allowed, but not a moment earlier", async () => {
    const { at, limiter } = limiterAt(1000);
    for (const time of [1000, 1000, 30_000]) {
      at.now = time;
      expect((await limiter.take([charge("a")])).allowed).toBe(true);
    }
    at.now = 1000 + MINUTE - 0.001;
    expect(await limiter.take([charge("a")])).toMatchObject({ allowed: false, retryAfterSeconds: 1 });
    at.now = 1000 + MINUTE;
    expect(await limiter.take([charge("a")])).toMatchObject({ allowed: true, states: [{ limit: 3, remaining: 1 }] });
  });

  test("odd names of callers are pools like any other", async () => {
    const { limiter } = limiterAt();
    for (const pool of ["*", "", "__proto__", "constructor", "a".repeat(5000)]) {
      for (let i = 0; i < 3; i++) expect((await limiter.take([charge(pool)])).allowed).toBe(true);
      expect((await limiter.take([charge(pool)])).allowed).toBe(false);
    }
  });
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

  test("what a caller asked in earlier windows takes up no room for requests", async () => {
    const at = { now: 0 };
    const limiter = createRateLimiter(() => at.now, { pools: 10, requests: 5 });
    for (let i = 0; i < 30; i++, at.now += MINUTE / 3)
      expect((await limiter.take([charge("often")])).states[0]?.remaining).toBe(Math.max(0, 2 - i));
  });

  test("only what has passed is dropped: a pool still within its window keeps its count", async () => {
    const { at, limiter } = limiterAt(0, 3);
    const take = async (pool: string) => (await limiter.take([charge(pool)])).allowed;
    for (const pool of ["a", "a", "a", "b", "c"]) expect(await take(pool)).toBe(true);
    at.now = 30_000;
    expect(await take("b")).toBe(true);
    // a and c have passed, b has not.
    at.now = MINUTE;
    for (const pool of ["d", "e", "e", "e"]) expect(await take(pool)).toBe(true);
    expect(await take("e")).toBe(false);
    expect((await limiter.peek([charge("b")])).states).toMatchObject([{ limit: 3, remaining: 2 }]);
  });

  test("callers who were refused or only peeked at take up no room", async () => {
    const { limiter } = limiterAt(0, 3);
    for (let i = 0; i < 100; i++) (await limiter.peek([charge(`asked ${i}`)])).states;
    const full = charge("full", { kind: "registrations_per_hour", limit: 1 });
    await limiter.take([full]);
    for (let i = 0; i < 100; i++) expect((await limiter.take([charge(`refused ${i}`), full])).allowed).toBe(false);
    expect(await flood(limiter, 3, "new ")).toBe(3);
    // All three pools were still free, so the overflow is unused.
    expect((await limiter.peek([charge("another")])).states).toMatchObject([{ limit: 3, remaining: 3 }]);
  });

  for (const start of [0, 10 * MINUTE]) {
    test(`requests whose charge was taken back take up no room, from ${start / MINUTE} minutes on`, async () => {
      const { limiter } = limiterAt(start, 3);
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
  }

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

  test("a caller without a pool may ask again when the limiter says so, and not a whole second sooner", async () => {
    const waits = fc.array(fc.constantFrom(0, 0, 500, 7_500, 7_501, 20_000, 60_000), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(waits, async (all) => {
        const { at, limiter } = limiterAt(0, 1);
        const taken = charge("taken");
        for (const wait of all) {
          at.now += wait;
          await limiter.take([taken]);
          const decision = await limiter.take([charge("stranger")]);
          if (decision.allowed) continue;
          at.now += decision.retryAfterSeconds * 1000 - 1000;
          if (decision.retryAfterSeconds > 1)
            expect((await limiter.peek([charge("stranger")])).states).toMatchObject([{ remaining: 0 }]);
          at.now += 1000;
          expect((await limiter.peek([charge("stranger")])).states).not.toMatchObject([{ remaining: 0 }]);
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

  test("what has passed does not count, also behind more old requests than one request sweeps", async () => {
    const { at, limiter } = limiterAt(0, 200);
    const take = async (pool: string) => await limiter.take([charge(pool)]);
    expect(await flood(limiter, 150, "early ")).toBe(150);
    for (const pool of ["gone", "here", "here"]) await take(pool);
    at.now = MINUTE / 2;
    await take("here");
    at.now = MINUTE;
    expect(await take("here")).toMatchObject({ allowed: true, states: [{ remaining: 1 }] });
    expect(await take("gone")).toMatchObject({ allowed: true, states: [{ remaining: 2 }] });
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

  test("is given back alone, with others after it", async () => {
    const { at, limiter } = limiterAt();
    const undos: (() => Promise<void>)[] = [];
    for (const now of [0, 1000, 2000]) {
      at.now = now;
      undos.push(await granted(limiter, [charge("a")]));
    }
    await undos[0]?.();
    expect((await limiter.peek([charge("a")])).states).toMatchObject([{ limit: 3, remaining: 1 }]);
    // The two that stay are those of the first and the second second.
    at.now = MINUTE;
    expect((await limiter.peek([charge("a")])).states).toMatchObject([{ limit: 3, remaining: 1 }]);
  });

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
