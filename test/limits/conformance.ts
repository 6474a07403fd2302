/** What every limiter must do: the same table for one in the process and for one in Valkey. Source: contract 8 and 19. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Charge, Granted, Limiter } from "../../src/limits/rate-limit.ts";

interface Tried {
  limiter: Limiter;
  /** Moves the limiter's clock ahead. */
  advance: (ms: number) => void | Promise<void>;
}

interface Options {
  /** An empty limiter. */
  make: () => Tried | Promise<Tried>;
  /** How far the limiter's clock may be ahead of what the test moved it, because it also goes by itself. */
  driftSeconds: number;
  /** Milliseconds between requests. By default no number of them comes near the end of a window. */
  waits?: fc.Arbitrary<number>;
  numRuns?: number;
}

const COARSE = fc.constantFrom(0, 0, 7, 14, 28, 56, 63, 595).map((minutes) => minutes * 60_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WINDOWS = { general: HOUR, quote_requests_per_minute: HOUR, registrations_per_hour: 10 * HOUR };
const LIMITS = { general: 5, quote_requests_per_minute: 2, registrations_per_hour: 3 };
const KINDS = ["general", "quote_requests_per_minute", "registrations_per_hour"] as const;

function charge(pool: string, given: Partial<Charge> = {}): Charge {
  return { kind: "general", pool, limit: 3, windowMs: HOUR, ...given };
}

export function limiterConformance(name: string, { make, driftSeconds, waits = COARSE, numRuns = 8 }: Options): void {
  const expectWait = (actual: number | undefined, seconds: number) => {
    expect(actual).toBeLessThanOrEqual(seconds);
    expect(actual).toBeGreaterThanOrEqual(Math.max(1, seconds - driftSeconds));
  };
  const granted = async (limiter: Limiter, charges: Charge[]): Promise<Granted> => {
    const decision = await limiter.take(charges);
    if (!decision.allowed) throw new Error("not granted");
    return decision;
  };
  const left = async (limiter: Limiter, ...charges: Charge[]) =>
    (await limiter.peek(charges)).states.map(({ remaining }) => remaining);

  describe(name, () => {
    test("the limit passes, the next is refused until the first leaves the window", async () => {
      const { limiter, advance } = await make();
      for (const remaining of [2, 1, 0]) {
        expect(await limiter.take([charge("a")])).toMatchObject({ allowed: true, states: [{ limit: 3, remaining }] });
        await advance(10 * MINUTE);
      }
      const refused = await limiter.take([charge("a")]);
      expect(refused).toMatchObject({ allowed: false, states: [{ limit: 3, remaining: 0 }] });
      expectWait(refused.allowed ? undefined : refused.retryAfterSeconds, 30 * 60);
      await advance(31 * MINUTE);
      expect((await limiter.take([charge("a")])).allowed).toBe(true);
      expect((await limiter.take([charge("a")])).allowed).toBe(false);
    });

    test("of many at the same time exactly the limit passes", async () => {
      const { limiter } = await make();
      const decisions = await Promise.all(Array.from({ length: 60 }, () => limiter.take([charge("a", { limit: 7 })])));
      expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(7);
    });

    test("pools, kinds and the networks around a caller are counted apart", async () => {
      const { limiter } = await make();
      const apart = [
        charge("a"),
        charge("b"),
        charge("a", { kind: "wrong_codes" }),
        charge("a", { prefix: 48 }),
        charge("a", { prefix: 56 }),
      ];
      for (const one of apart) for (let i = 0; i < 3; i++) await granted(limiter, [one]);
      for (const one of apart) expect((await limiter.take([one])).allowed).toBe(false);
    });

    test("a refused request is charged to no pool; the wait is for the last of the full ones", async () => {
      const { limiter, advance } = await make();
      const long = charge("a", { kind: "registrations_per_hour", limit: 1, windowMs: 10 * HOUR });
      const short = charge("a", { limit: 2 });
      await granted(limiter, [short, long]);
      for (let i = 0; i < 5; i++) expect((await limiter.take([short, long])).allowed).toBe(false);
      expect(await left(limiter, short, long)).toEqual([1, 0]);
      await granted(limiter, [short]);
      await advance(20 * MINUTE);
      const [one, both] = [await limiter.take([short]), await limiter.take([short, long])];
      expectWait(one.allowed ? undefined : one.retryAfterSeconds, 40 * 60);
      expectWait(both.allowed ? undefined : both.retryAfterSeconds, 580 * 60);
    });

    test("to look charges nothing, and says what a request would be told", async () => {
      const { limiter } = await make();
      for (let i = 0; i < 10; i++) expect(await left(limiter, charge("a"))).toEqual([3]);
      for (let i = 0; i < 3; i++) await granted(limiter, [charge("a")]);
      const standing = await limiter.peek([charge("a"), charge("b")]);
      expect(standing).toMatchObject({ allowed: false, states: [{ remaining: 0 }, { remaining: 3 }] });
      expectWait(standing.allowed ? undefined : standing.retryAfterSeconds, 60 * 60);
    });

    test("charges are taken back once", async () => {
      const { limiter } = await make();
      const stacked = charge("a", { kind: "quote_requests_per_minute" });
      const { states, undo } = await granted(limiter, [charge("a"), stacked]);
      await granted(limiter, [charge("a"), stacked]);
      for (let i = 0; i < 2; i++) await undo();
      expect(states.map(({ remaining }) => remaining)).toEqual([3, 3]);
      expect(await left(limiter, charge("a"), stacked)).toEqual([2, 2]);
    });

    test("a limit that the owner changed holds for what was counted before", async () => {
      const { limiter, advance } = await make();
      for (let i = 0; i < 3; i++) {
        await granted(limiter, [charge("a", { limit: 5 })]);
        await advance(10 * MINUTE);
      }
      const refused = await limiter.take([charge("a", { limit: 2 })]);
      expect(refused).toMatchObject({ allowed: false, states: [{ limit: 2, remaining: 0 }] });
      // Until the second of the three has left.
      expectWait(refused.allowed ? undefined : refused.retryAfterSeconds, 40 * 60);
      expect(await left(limiter, charge("a", { limit: 4 }))).toEqual([1]);
    });

    test("agrees with a naive log that forgets nothing", async () => {
      const step = fc.record({
        wait: waits,
        pool: fc.constantFrom("a", "b"),
        kinds: fc.subarray([...KINDS], { minLength: 1 }),
      });
      const steps = fc.array(step, { minLength: 10, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(steps, async (some) => {
          const { limiter, advance } = await make();
          const logs = new Map<string, number[]>();
          let now = 0;
          const within = ({ kind, pool, windowMs }: Charge) =>
            (logs.get(`${kind} ${pool}`) ?? []).filter((time) => time > now - windowMs);
          for (const { wait, pool, kinds } of some) {
            now += wait;
            await advance(wait);
            const charges = kinds.map((kind) => charge(pool, { kind, limit: LIMITS[kind], windowMs: WINDOWS[kind] }));
            const full = charges.filter((one) => within(one).length >= one.limit);
            const decision = await limiter.take(charges);
            expect(decision.states.map(({ remaining }) => remaining)).toEqual(
              charges.map((one) => one.limit - within(one).length - (full.length === 0 ? 1 : 0)),
            );
            if (decision.allowed) {
              expect(full).toEqual([]);
              for (const { kind, pool: name } of charges)
                logs.set(`${kind} ${name}`, [...within(charge(name, { kind, windowMs: 10 * HOUR })), now]);
            } else {
              const free = full.map((one) => (within(one).at(-one.limit) ?? 0) + one.windowMs - now);
              expectWait(decision.retryAfterSeconds, Math.ceil(Math.max(...free) / 1000));
            }
          }
        }),
        { numRuns },
      );
    });
  });
}
