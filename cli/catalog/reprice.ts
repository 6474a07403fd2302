/** The effect of a change on prices: sample jobs priced before and after, and new prices that are probably a typo. */
import { flatGlassEstimate } from "../../src/capabilities/flat-glass-estimate.ts";
import { scalarSet } from "../../src/catalog/edit/changes.ts";
import { pricePath } from "../../src/catalog/edit/everyday.ts";
import { applyChanges } from "../../src/catalog/edit/layout.ts";
import { readLayout } from "../../src/catalog/load/values.ts";
import type { Path } from "../../src/catalog/path.ts";
import { settingAt } from "../../src/catalog/settings.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { type AutomotiveRequest, basePrice, estimateAutomotive } from "../../src/domain/automotive.ts";
import { ballparkOf, estimateFlatGlass } from "../../src/domain/flat-glass.ts";
import { valueAt } from "../../src/lib/fields.ts";
import { type Range, toCents, toUnits } from "../../src/lib/money.ts";
import { spaced } from "../../src/lib/text.ts";
import { textTable } from "../terminal/columns.ts";
import { moneyIn, rangeInWords } from "../terminal/wording.ts";
import { notRead } from "../typed/values.ts";

type Sample = { name: string; price: (catalog: Shop) => Range };
export type PriceChange = { sample: string; before: Range; after: Range };

export function reprice(before: Shop, after: Shop): PriceChange[] {
  return samples(before, after)
    .map(({ name, price }) => ({ sample: name, before: price(before), after: price(after) }))
    .filter(({ before: old, after: now }) => old.min !== now.min || old.max !== now.max);
}

export function priceChangeTable(changes: readonly PriceChange[], catalog: Shop): string {
  const rows = changes.map((change) => {
    const { sample, old, now } = priceChangeInWords(change, catalog);
    return [sample, old, "→", now];
  });
  return textTable(["sample", "old", "", "new"], rows);
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
  const range = (price: number) => ({ min: price, max: price });
  return { name, price: (catalog) => range(cents(catalog)) };
}

/** Small enough for the minimum charge to apply. */
const SMALL_SQFT = 10;
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

export interface Raise {
  /** In thousandths of a percent, so that sums stay exact. */
  share: number;
  /** The new price is a multiple of this many cents. */
  step: number;
}

type Raised = { path: Path; old: number; new: number };

/** A share as typed, like `5%`, `-2.5%` or `5`, and an amount to round to. @throws UsageError */
export function readRaise(typed: string, round: string): Raise {
  const [, percent] = /^([+-]?\d{1,3}(?:\.\d{1,3})?)\s*%?$/.exec(typed.trim()) ?? [];
  if (percent === undefined || Number(percent) <= -100) throw notRead(typed, "a percentage", "5% or -2.5%");
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(round) || Number(round) === 0)
    throw notRead(round, "an amount to round to", "5 or 0.50");
  return { share: Math.round(Number(percent) * 1000), step: toCents(Number(round)) };
}

export function raisedPrice(old: number, { share, step }: Raise): number {
  const cents = (toCents(old) * (100_000 + share)) / 100_000;
  return (Math.round(cents / step) * step) / 100;
}

/** The prices of the list. @param columns without coverages those of one price */
export function listPlaces(
  vehicles: readonly string[],
  columns: readonly { key: string; coverages: readonly string[] }[],
): Path[] {
  return vehicles.flatMap((vehicle) =>
    columns.flatMap(({ key, coverages }) =>
      coverages.length === 0
        ? [pricePath(vehicle, key, undefined)]
        : coverages.map((coverage) => pricePath(vehicle, key, coverage)),
    ),
  );
}

/** Every amount of the work on vehicles and on buildings: list, extras, glass by the square foot, surcharges. */
export function everyPlace(source: unknown): Path[] {
  const within = (path: Path): Path[] => {
    const value = valueAt(source, path);
    if (typeof value === "number") return settingAt(path)?.money ? [path] : [];
    const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
    return isGroup ? Object.keys(value).flatMap((key) => within([...path, key])) : [];
  };
  return [...within(["automotive"]), ...within(["flat_glass"])];
}

/** The prices that change. Those by the square foot are rounded to the cent. */
export function raisedPrices(source: unknown, places: readonly Path[], by: Raise): Raised[] {
  return places.flatMap((path) => {
    const old = valueAt(source, path);
    if (typeof old !== "number") return [];
    const isByArea = path.some((part) => String(part).endsWith("per_sqft"));
    const now = raisedPrice(old, isByArea ? { ...by, step: 1 } : by);
    return now === old ? [] : [{ path, old, new: now }];
  });
}

export function withRaised(text: string, raised: readonly Raised[]): string {
  const layout = readLayout(text);
  const changes = raised.map(({ path, new: now }) => scalarSet(layout, path, now));
  return applyChanges(layout, changes);
}
