/** The effect of a change on prices: sample jobs priced before and after, and new prices that are probably a typo. */
import { flatGlassEstimate } from "../../src/capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type AutomotiveRequest, basePrice, estimateAutomotive } from "../../src/domain/automotive.ts";
import { ballparkOf, estimateFlatGlass } from "../../src/domain/flat-glass.ts";
import { type Range, toUnits } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import { table } from "../terminal/output.ts";
import { moneyIn, rangeInWords } from "../terminal/wording.ts";

interface Sample {
  name: string;
  price: (catalog: Shop) => Range;
}

export interface PriceChange {
  sample: string;
  before: Range;
  after: Range;
}

/** The samples with different prices in two catalogs. */
export function reprice(before: Shop, after: Shop): PriceChange[] {
  return samples(before, after)
    .map(({ name, price }) => ({ sample: name, before: price(before), after: price(after) }))
    .filter(({ before: old, after: now }) => old.min !== now.min || old.max !== now.max);
}

/** A table with one sample a line: old → new. */
export function priceChangeTable(changes: readonly PriceChange[], catalog: Shop): string {
  const rows = changes.map((change) => priceChangeInWords(change, catalog));
  return table(
    ["sample", "old", "", "new"],
    rows.map(({ sample, old, now }) => [sample, old, "→", now]),
  );
}

export function priceChangeInWords({ sample, before, after }: PriceChange, { currency }: Shop) {
  const written = ({ min, max }: Range) => rangeInWords(toUnits(min), toUnits(max), moneyIn(currency));
  return { sample, old: written(before), now: written(after) };
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

function samples(before: Shop, after: Shop): Sample[] {
  const shared = sharedWords(before, after);
  return [
    ...vehicleJobs(shared),
    ...addons(after, shared),
    ...(before.flat_glass && after.flat_glass ? buildings(after, shared) : []),
  ];
}

/** The words that both catalogs have. A word of one alone has no price to compare. */
function sharedWords(before: Shop, after: Shop) {
  const [old, now] = [before.terms, after.terms];
  const both = (list: readonly string[], other: readonly string[]) => list.filter((word) => other.includes(word));
  return {
    vehicleTypes: both(now.vehicleTypes, old.vehicleTypes),
    films: both(now.films, old.films),
    addons: both(now.addons, old.addons),
    siteTypes: both(now.siteTypes, old.siteTypes),
    tiers: both(now.tiers, old.tiers),
    columns: now.columns.flatMap((column) => {
      const same = old.columns.find(({ key, isFilm }) => key === column.key && isFilm === column.isFilm);
      const hasOnePrice = same?.coverages.length === 0;
      if (!same || hasOnePrice !== (column.coverages.length === 0)) return [];
      return [{ ...column, coverages: both(column.coverages, same.coverages) }];
    }),
  };
}
type SharedWords = ReturnType<typeof sharedWords>;

function vehicleJobs({ vehicleTypes, columns }: SharedWords): Sample[] {
  return vehicleTypes.flatMap((vehicle) =>
    columns.flatMap(({ key, isFilm, coverages }) =>
      (coverages.length > 0 ? coverages : [null]).map((coverage) => {
        const name = [vehicle, isFilm ? key : spaced(key), ...(coverage === null ? [] : [coverage])];
        const work = { service: key, filmType: isFilm ? key : null, coverage };
        return fixed(name.join(", "), (one) => basePrice(one, vehicle, work));
      }),
    ),
  );
}

/** The price of each add-on on top of the sample car, in each film. */
function addons(catalog: Shop, { vehicleTypes, films, addons }: SharedWords): Sample[] {
  const { vehicle_type: usual } = catalog.terms.example;
  const vehicle_type = vehicleTypes.includes(usual) ? usual : vehicleTypes[0];
  if (vehicle_type === undefined) return [];
  return addons.flatMap((addon) =>
    films.map((film_type) =>
      fixed(`${vehicle_type}, ${film_type}, ${addon}`, (one) => {
        const total = (request: AutomotiveRequest) => estimateAutomotive(one, request).chosen.total;
        return total({ vehicle_type, film_type, addons: [addon] }) - total({ vehicle_type, film_type });
      }),
    ),
  );
}

function fixed(name: string, cents: (catalog: Shop) => number): Sample {
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
function buildings(catalog: Shop, { siteTypes, tiers }: SharedWords): Sample[] {
  const sample = flatGlassEstimate.sample(catalog, Temporal.Now.instant());
  const sqft = sample.total_sqft ?? SMALL_SQFT;
  const jobs = [
    { name: `${sqft} sq ft`, job: sample },
    { name: `${SMALL_SQFT} sq ft`, job: { ...sample, total_sqft: SMALL_SQFT } },
    { name: `${sqft} sq ft with surcharges`, job: { ...sample, ...SURCHARGES } },
  ];
  const estimates = siteTypes.flatMap((site_type) =>
    jobs.flatMap(({ name, job }) =>
      tiers.map((tier): Sample => {
        const request = flatGlassEstimate.input(catalog).parse({ ...job, site_type });
        const price = (one: Shop): Range =>
          estimateFlatGlass(one, request).options.find((option) => option.tier === tier)?.total ?? { min: 0, max: 0 };
        return { name: `${site_type}, ${name}, ${tier}`, price };
      }),
    ),
  );
  const ballpark: Sample = {
    name: `ballpark of a quote request, ${sqft} sq ft`,
    price: (one) => ballparkOf(one, sqft, { needs_ladder: false }).total,
  };
  return [...estimates, ballpark];
}
