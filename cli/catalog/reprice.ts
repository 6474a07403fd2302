/** The effect of a change on prices: sample cars and buildings, priced with the catalog before and after. */
import { automotiveEstimate } from "../../src/capabilities/automotive-estimate.ts";
import { flatGlassEstimate } from "../../src/capabilities/flat-glass-estimate.ts";
import type { Catalog } from "../../src/catalog/schema.ts";
import { type AutomotiveRequest, basePrice, estimateAutomotive } from "../../src/domain/automotive.ts";
import { ballparkOf, estimateFlatGlass } from "../../src/domain/flat-glass.ts";
import { formatRange, type Range, toUnits } from "../../src/domain/money.ts";
import { ADDONS, COVERAGES, FILM_TYPES, SITE_TYPES, TIERS, VEHICLE_TYPES } from "../../src/vocabulary.ts";
import { table } from "../terminal/text.ts";

interface Sample {
  name: string;
  price: (catalog: Catalog) => Range;
}

export interface PriceChange {
  sample: string;
  before: Range;
  after: Range;
}

/** The samples with different prices in two catalogs. */
export function reprice(before: Catalog, after: Catalog): PriceChange[] {
  return samples(after)
    .map(({ name, price }) => ({ sample: name, before: price(before), after: price(after) }))
    .filter(({ before: old, after: now }) => old.min !== now.min || old.max !== now.max);
}

/** A table with one sample a line: old → new. */
export function priceChangeTable(changes: readonly PriceChange[], catalog: Catalog): string {
  const rows = changes.map((change) => priceChangeInWords(change, catalog));
  return table(
    ["sample", "old", "", "new"],
    rows.map(({ sample, old, now }) => [sample, old, "→", now]),
  );
}

export function priceChangeInWords({ sample, before, after }: PriceChange, { currency }: Catalog) {
  return { sample, old: formatRange(before, currency), now: formatRange(after, currency) };
}

/** In currency units, as all JSON. */
export function priceChangeJson({ sample, before, after }: PriceChange) {
  return {
    sample,
    old_min: toUnits(before.min),
    old_max: toUnits(before.max),
    new_min: toUnits(after.min),
    new_max: toUnits(after.max),
  };
}

function samples(catalog: Catalog): Sample[] {
  return [...vehicleJobs(), ...addons(catalog), ...buildings(catalog)];
}

function vehicleJobs(): Sample[] {
  return VEHICLE_TYPES.flatMap((vehicle) => [
    ...FILM_TYPES.flatMap((film) =>
      COVERAGES.map((coverage) =>
        fixed(`${vehicle}, ${film}, ${coverage}`, (one) =>
          basePrice(one, vehicle, { service: "automotive", filmType: film, coverage }),
        ),
      ),
    ),
    ...COVERAGES.map((coverage) =>
      fixed(`${vehicle}, film removal, ${coverage}`, (one) =>
        basePrice(one, vehicle, { service: "film_removal", filmType: null, coverage }),
      ),
    ),
    fixed(`${vehicle}, clearplex`, (one) =>
      basePrice(one, vehicle, { service: "clearplex", filmType: null, coverage: null }),
    ),
  ]);
}

/** The price of each add-on on top of the sample car, in both films. */
function addons(catalog: Catalog): Sample[] {
  const { vehicle_type } = automotiveEstimate.sample(catalog, Temporal.Now.instant());
  return ADDONS.flatMap((addon) =>
    FILM_TYPES.map((film_type) =>
      fixed(`${vehicle_type}, ${film_type}, ${addon}`, (one) => {
        const total = (request: AutomotiveRequest) => estimateAutomotive(one, request).chosen.total;
        return total({ vehicle_type, film_type, addons: [addon] }) - total({ vehicle_type, film_type });
      }),
    ),
  );
}

function fixed(name: string, cents: (catalog: Catalog) => number): Sample {
  return {
    name,
    price(catalog) {
      const price = cents(catalog);
      return { min: price, max: price };
    },
  };
}

/** Small enough for the minimum charge to apply. */
const SMALL_SQFT = 10;
/** All surcharges that the estimate knows. */
const SURCHARGES = { floors: 2, needs_ladder: true, blocked_windows: 2, curtain_windows: 3, existing_film_sqft: 100 };

/** The sample building for every kind of site: as it is, small, and with all surcharges. */
function buildings(catalog: Catalog): Sample[] {
  const sample = flatGlassEstimate.sample(catalog, Temporal.Now.instant());
  const jobs = [
    { name: `${sample.total_sqft} sq ft`, job: sample },
    { name: `${SMALL_SQFT} sq ft`, job: { ...sample, total_sqft: SMALL_SQFT } },
    { name: `${sample.total_sqft} sq ft with surcharges`, job: { ...sample, ...SURCHARGES } },
  ];
  const estimates = SITE_TYPES.flatMap((site_type) =>
    jobs.flatMap(({ name, job }) =>
      TIERS.map((tier): Sample => {
        const request = flatGlassEstimate.input.parse({ ...job, site_type });
        const price = (one: Catalog): Range =>
          estimateFlatGlass(one, request).options.find((option) => option.tier === tier)?.total ?? { min: 0, max: 0 };
        return { name: `${site_type}, ${name}, ${tier}`, price };
      }),
    ),
  );
  const ballpark: Sample = {
    name: `ballpark of a quote request, ${sample.total_sqft} sq ft`,
    price: (one) => ballparkOf(one, sample.total_sqft, false).total,
  };
  return [...estimates, ballpark];
}
