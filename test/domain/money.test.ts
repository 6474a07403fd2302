/** Money against exact arithmetic, and properties of the totals of any request. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CONCERNS, FILM_GOALS } from "../../src/constants.ts";
import { type AutomotiveRequest, estimateAutomotive, suggestAddons } from "../../src/domain/automotive.ts";
import {
  areaPrice,
  ballparkOf,
  estimateFlatGlass,
  type FlatGlassRequest,
  flatGlassOf,
  midpoint,
} from "../../src/domain/flat-glass.ts";
import { formatMoney, formatRange, toCents, toUnits } from "../../src/lib/money.ts";
import { CATALOG, catalogWith, pricesOf, WORDS } from "../helpers.ts";

/** a / b for positive numbers, rounded half up without floats. */
const halfUp = (a: bigint, b: bigint) => (2n * a + b) / (2n * b);

/** Areas with at most 2 decimals, as people write them. */
const hundredths = fc.integer({ min: 1, max: 100_000_000 });
const cents = fc.integer({ min: 0, max: 1_000_000 });

describe("area price", () => {
  test("is the exact product, rounded half up to the cent", () => {
    fc.assert(
      fc.property(hundredths, fc.integer({ min: 0, max: 10_000_000 }), (area, rate) => {
        expect(BigInt(areaPrice(Number(`${area}e-2`), rate))).toBe(halfUp(BigInt(area) * BigInt(rate), 100n));
      }),
      { numRuns: 300 },
    );
  });

  test("rounds any area to a hundredth of a square foot first", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1_000_000, noNaN: true }), cents, (area, rate) => {
        const price = areaPrice(area, rate);
        expect(Number.isSafeInteger(price)).toBe(true);
        expect(price).toBe(areaPrice(Math.round(area * 100) / 100, rate));
        // Rounding may cost half a hundredth of a square foot and half a cent.
        expect(Math.abs(price - area * rate)).toBeLessThanOrEqual(0.005 * rate + 0.5 + 1e-3);
      }),
      { numRuns: 300 },
    );
  });

  const CASES: [number, number, number][] = [
    [0.01, 49, 0],
    [0.01, 50, 1],
    [0.01, 149, 1],
    [0.01, 150, 2],
    [123.45, 1650, 203_693],
    [123.45, 1725, 212_951],
    [350.5, 1700, 595_850],
    [1.1, 5, 6],
    [0.07, 50, 4],
    [1_000_000, 1800, 1_800_000_000],
  ];
  test.each(CASES)("%d sq ft at %d cents is %d cents", (area, rate, price) => {
    expect(areaPrice(area, rate)).toBe(price);
  });
});

test("the middle of a range, half up", () => {
  fc.assert(
    fc.property(cents, cents, (a, b) => {
      expect(BigInt(midpoint(Math.min(a, b), Math.max(a, b)))).toBe(halfUp(BigInt(a) + BigInt(b), 2n));
    }),
  );
});

describe("money as text", () => {
  const CASES: [number, string][] = [
    [0, "$0"],
    [5, "$0.05"],
    [50, "$0.50"],
    [100, "$1"],
    [28_950, "$289.50"],
    [123_450, "$1,234.50"],
    [123_456_789, "$1,234,567.89"],
    [100_000_000, "$1,000,000"],
  ];
  test.each(CASES)("%d is %s", (amount, text) => expect(formatMoney(amount, "USD")).toBe(text));

  test("the caller can ask for all cents or for none", () => {
    expect([formatMoney(100, "USD", 2), formatMoney(1650, "USD", 0)]).toEqual(["$1.00", "$17"]);
  });

  test("a range shows both ends, or one amount when they are equal", () => {
    expect(formatRange({ min: 1600, max: 1850 }, "USD")).toBe("$16 to $18.50");
    expect(formatRange({ min: 1600, max: 1600 }, "EUR")).toBe("€16");
  });

  test("shows the exact cents", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (amount) => {
        const text = formatMoney(amount, "USD");
        expect(text).toMatch(/^\$\d{1,3}(,\d{3})*(\.\d\d)?$/);
        const [whole = "", part = "00"] = text.replace(/[$,]/g, "").split(".");
        expect(Number(whole + part)).toBe(amount);
      }),
    );
  });

  test("on the wire has at most 2 decimals and loses nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), (amount) => {
        expect(String(toUnits(amount))).toMatch(/^\d+(\.\d{1,2})?$/);
        expect(Math.round(toUnits(amount) * 100)).toBe(amount);
      }),
    );
  });
});

const shade = fc.integer({ min: 1, max: 100 });
const automotive: fc.Arbitrary<AutomotiveRequest> = fc.record(
  {
    vehicle_type: fc.constantFrom(...WORDS.vehicleTypes),
    service: fc.constantFrom(...WORDS.services),
    film_type: fc.constantFrom(...WORDS.films),
    coverage: fc.constantFrom(...WORDS.coverages),
    addons: fc.array(fc.constantFrom(...WORDS.addons), { maxLength: 8 }),
    shades: fc.record(
      { front_side: shade, rear_side: shade, rear_window: shade, windshield: shade },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["vehicle_type"] },
);

describe("any automotive estimate", () => {
  /** No two prices are the same, so that a price from the wrong place shows. */
  const distinct = catalogWith(
    Object.fromEntries(
      WORDS.vehicleTypes.flatMap((type, i) => [
        ...[...WORDS.films, "film_removal"].flatMap((film, j) =>
          WORDS.coverages.map((coverage, k) => [
            `automotive.vehicle_types.${type}.${film}.${coverage}`,
            1000 * (i + 1) + 100 * (j + 1) + 10 * (k + 1) + 0.07,
          ]),
        ),
        [`automotive.vehicle_types.${type}.clearplex`, 1000 * (i + 1) + 0.13],
      ]),
    ),
  );

  test("adds up, and shows both films consistently", () => {
    fc.assert(
      fc.property(automotive, (request) => {
        const { options, chosen, work } = estimateAutomotive(distinct, request);
        const { service, filmType, coverage } = work;
        for (const { lines, total } of options) {
          expect(total).toBe(lines.reduce((sum, { amount }) => sum + amount, 0));
          for (const { wire, amount } of lines) expect(amount).toBe(toCents(wire.quantity * wire.unit_price));
        }
        expect(options.filter(({ selected }) => selected)).toEqual([chosen]);
        expect(chosen.filmType).toBe(filmType);
        expect(options.map((option) => option.filmType)).toEqual(service === "automotive" ? [...WORDS.films] : [null]);

        const { vehicle_type: type } = request;
        for (const option of options) {
          const base =
            service === "clearplex"
              ? distinct.automotive.vehicle_types[type]?.clearplex
              : pricesOf(distinct, type, option.filmType ?? service)[coverage ?? ""];
          expect(base).toBeNumber();
          expect(option.lines[0]).toMatchObject({ code: service, amount: base });
        }
        // The prices of both films do not depend on the film asked for.
        for (const film of WORDS.films) {
          const other = estimateAutomotive(distinct, { ...request, film_type: film });
          expect(other.options.map(({ total }) => total)).toEqual(options.map(({ total }) => total));
          if (service === "automotive")
            expect(other.chosen.total).toBe(options.find((one) => one.filmType === film)?.total ?? -1);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("one more add-on never lowers the total; order and repetition do not matter", () => {
    fc.assert(
      fc.property(automotive, fc.constantFrom(...WORDS.addons), (request, more) => {
        const addons = request.addons ?? [];
        const before = estimateAutomotive(CATALOG, request);
        const after = estimateAutomotive(CATALOG, { ...request, addons: [...addons, more] });
        after.options.forEach(({ total }, i) => {
          expect(total).toBeGreaterThanOrEqual(before.options[i]?.total ?? Infinity);
        });
        expect(after.work.minutes).toBeGreaterThanOrEqual(before.work.minutes);
        const shuffled = estimateAutomotive(CATALOG, { ...request, addons: [...addons].reverse().concat(addons) });
        expect(shuffled.options).toEqual(before.options);
        expect(shuffled.work.notApplicable).toEqual(before.work.notApplicable);
        expect(shuffled.work.minutes).toBe(before.work.minutes);
      }),
      { numRuns: 100 },
    );
  });

  test("an add-on is charged once or named as not applicable; others may be suggested", () => {
    fc.assert(
      fc.property(automotive, (request) => {
        const estimate = estimateAutomotive(CATALOG, request);
        const charged = estimate.chosen.lines.slice(1).map(({ code }) => code);
        expect([...charged, ...estimate.work.notApplicable].sort()).toEqual(
          [...new Set<string>(request.addons)].sort(),
        );
        expect(charged).toEqual(WORDS.addons.filter((code) => charged.includes(code)));
        for (const { code, price } of suggestAddons(CATALOG, request, estimate.work).map(({ wire }) => wire)) {
          expect(request.addons ?? []).not.toContain(code);
          const added = estimateAutomotive(CATALOG, { ...request, addons: [...(request.addons ?? []), code] });
          expect(added.chosen.total).toBe(estimate.chosen.total + toCents(price));
        }
      }),
      { numRuns: 100 },
    );
  });
});

const squareFeet = hundredths.map((area) => Number(`${area}e-2`));
const flatGlass: fc.Arbitrary<FlatGlassRequest> = fc.record(
  {
    total_sqft: fc.oneof(
      squareFeet,
      fc.integer({ min: 1, max: 3000 }).map((area) => Number(`${area}e-2`)),
    ),
    site_type: fc.constantFrom(...WORDS.siteTypes),
    primary_concern: fc.constantFrom(...CONCERNS),
    film_goals: fc.array(fc.constantFrom(...FILM_GOALS), { maxLength: 3 }),
    floors: fc.integer({ min: 1, max: 9 }),
    needs_ladder: fc.boolean(),
    blocked_windows: fc.integer({ min: 0, max: 20 }),
    curtain_windows: fc.integer({ min: 0, max: 20 }),
    existing_film_sqft: fc.oneof(fc.constant(0), squareFeet),
  },
  { requiredKeys: ["total_sqft", "site_type"] },
);

describe("any flat-glass estimate", () => {
  const CATALOGS = [CATALOG, catalogWith({ "flat_glass.minimum_job_charge": 250 })];
  const RATES = {
    commercial: [1600n, 1675n, 1750n],
    residential: [1600n, 1700n, 1800n],
    security: [1650n, 1725n, 1800n],
  } as Record<string, bigint[]>;
  const area = (sqft: number, rate: bigint) => halfUp(BigInt(Math.round(sqft * 100)) * rate, 100n);

  test("equals exact arithmetic", () => {
    fc.assert(
      fc.property(flatGlass, fc.integer({ min: 0, max: 1 }), (request, which) => {
        const minimum = which === 0 ? 0n : 25_000n;
        const { options, ladderRequired, sqft } = estimateFlatGlass(CATALOGS[which] ?? CATALOG, request);
        expect(sqft).toBe(request.total_sqft ?? -1);
        const ladder = request.needs_ladder ?? (request.floors ?? 1) >= 2;
        expect(ladderRequired).toBe(ladder);
        options.forEach((option, i) => {
          const fixed =
            area(sqft, RATES[request.site_type]?.[i] ?? -1n) +
            (ladder ? area(sqft, 200n) : 0n) +
            3500n * BigInt((request.blocked_windows ?? 0) + (request.curtain_windows ?? 0));
          const min = fixed + area(request.existing_film_sqft ?? 0, 200n);
          const max = fixed + area(request.existing_film_sqft ?? 0, 400n);
          const lift = (amount: bigint) => (amount < minimum ? minimum : amount);
          expect(BigInt(option.total.min)).toBe(lift(min));
          expect(BigInt(option.total.max)).toBe(lift(max));
          expect(BigInt(option.middle)).toBe((lift(min) + lift(max) + 1n) / 2n);
          expect(option.lines.some(({ code }) => code === "minimum_adjustment")).toBe(min < minimum);
        });
      }),
      { numRuns: 150 },
    );
  });

  test("adds up, in three tiers of rising price, each with the film for the concern", () => {
    fc.assert(
      fc.property(flatGlass, (request) => {
        const { options, concern } = estimateFlatGlass(CATALOG, request);
        expect(options.map(({ tier }) => tier)).toEqual([...WORDS.tiers]);
        options.forEach((option, i) => {
          for (const end of ["min", "max"] as const)
            expect(option.total[end]).toBe(option.lines.reduce((sum, line) => sum + line.amount[end], 0));
          expect(option.total.min).toBeLessThanOrEqual(option.middle);
          expect(option.middle).toBeLessThanOrEqual(option.total.max);
          expect(option.total.min).toBeGreaterThanOrEqual(options[i - 1]?.total.min ?? 0);
          const { films, recommend } = flatGlassOf(CATALOG);
          expect(option.film).toBe(films[recommend[concern][option.tier] ?? ""] as typeof option.film);
        });
        if (request.site_type === "security") expect(concern).toBe("security");
        else if (request.primary_concern) expect(concern).toBe(request.primary_concern);
      }),
      { numRuns: 100 },
    );
  });

  test("the ballpark contains every rate, for any area", () => {
    fc.assert(
      fc.property(squareFeet, fc.boolean(), fc.constantFrom(...WORDS.siteTypes), (sqft, ladder, site) => {
        const { total, perSqft } = ballparkOf(CATALOG, sqft, { needs_ladder: ladder });
        expect(BigInt(total.min)).toBe(area(sqft, 1600n) + (ladder ? area(sqft, 200n) : 0n));
        expect(BigInt(total.max)).toBe(area(sqft, 1800n) + (ladder ? area(sqft, 200n) : 0n));
        expect(perSqft).toEqual(ladder ? { min: 1800, max: 2000 } : { min: 1600, max: 1800 });
        for (const option of estimateFlatGlass(CATALOG, { total_sqft: sqft, site_type: site, needs_ladder: ladder })
          .options) {
          expect(option.total.min).toBeGreaterThanOrEqual(total.min);
          expect(option.total.max).toBeLessThanOrEqual(total.max);
        }
      }),
      { numRuns: 100 },
    );
  });
});
