/** The shop's own terms, each in the order of catalog.yaml: every list of such words in the program comes from here. */

import { FAQ_CATEGORIES, type PLACES } from "../constants.ts";
import { spaced } from "../lib/text.ts";
import type { Catalog, Service, WrittenCatalog } from "./schema.ts";
import { USUAL_COVERAGES } from "./sections/automotive.ts";

/** How a service is priced for a vehicle: by film and coverage, by coverage alone, or with one price. */
export type PricedBy = "film" | "coverage" | "vehicle";

/** The key of the minutes that a film adds, among those of the coverages. */
export function extraOf(film: string): string {
  return `${film}_extra`;
}

interface PriceColumn {
  /** A film or a service. */
  key: string;
  isFilm: boolean;
  /** Empty where there is one price, whatever the coverage. */
  coverages: readonly string[];
}

export interface Terms {
  vehicleTypes: readonly string[];
  /** The names of vehicle types in the middle of a sentence. */
  vehicleNames: ReadonlyMap<string, string>;
  films: readonly string[];
  /** Other films are compared with this one. */
  referenceFilm: string;
  coverages: readonly string[];
  /** Their names in few words, as `coverageLabel` gives them. */
  coverageLabels: ReadonlyMap<string, string>;
  addons: readonly string[];
  services: readonly string[];
  pricedBy: ReadonlyMap<string, PricedBy>;
  /** The service that takes off old film; undefined when no service with a price does. */
  removal: string | undefined;
  /** The columns of the price list: the films, then the services with prices of their own. */
  columns: readonly PriceColumn[];
  /** Kinds of site: the services with a price by the square foot. Empty without work on buildings. */
  siteTypes: readonly string[];
  /** The steps of a flat-glass estimate, from the cheapest to the best. */
  tiers: readonly string[];
  recommendedTier: string | undefined;
  /** The categories that have questions or a service. */
  faqCategories: readonly FaqCategory[];
  /** A query for the questions about a service, by its key: for all where its category has none. */
  faqQueries: ReadonlyMap<string, { category?: FaqCategory }>;
  /** The vehicle and the choices that samples show. */
  example: Example;
}

type FaqCategory = (typeof FAQ_CATEGORIES)[number];
type Example = NonNullable<Catalog["automotive"]["example"]> & { film_type: string };

export function termsOf(catalog: Catalog): Terms {
  const { automotive, flat_glass: flat, services, faq } = catalog;
  const films = Object.keys(automotive.films);
  const vehicleTypes = Object.keys(automotive.vehicle_types);
  const siteTypes = Object.keys(flat?.rates_per_sqft ?? {});
  const tiers = tiersOf(flat?.rates_per_sqft ?? {});
  const shown = faq.filter((entry) => isShown(entry, services));
  const priced = services.filter(({ estimate }) => estimate === "automotive").map(({ key }) => key);
  const coverages = Object.keys(automotive.coverages);
  const priceForms = new Map(priced.map((key) => [key, pricedBy(key, automotive.vehicle_types)]));
  return {
    vehicleTypes,
    vehicleNames: new Map(vehicleTypes.map((type) => [type, vehicleInWords(type, catalog)])),
    films,
    referenceFilm: films.find((film) => automotive.films[film]?.reference) ?? first(films),
    coverages,
    coverageLabels: new Map(coverages.map((coverage) => [coverage, coverageLabel(coverage, catalog)])),
    addons: Object.keys(automotive.addons),
    services: priced,
    pricedBy: priceForms,
    removal: services.find(({ key, removes_film }) => removes_film && isOwn(priceForms.get(key)))?.key,
    columns: [
      ...films.map((key) => ({ key, isFilm: true, coverages })),
      ...[...priceForms]
        .filter(([, by]) => by !== "film")
        .map(([key, by]) => ({ key, isFilm: false, coverages: by === "coverage" ? coverages : [] })),
    ],
    siteTypes,
    tiers,
    recommendedTier: flat?.recommended_tier ?? tiers[Math.floor(tiers.length / 2)],
    faqCategories: FAQ_CATEGORIES.filter((category) =>
      [...services.map((service) => service.faq_category), ...shown.map((entry) => entry.category)].includes(category),
    ),
    faqQueries: new Map(
      services.map(({ key, faq_category: category }) => [
        key,
        shown.some((entry) => entry.category === category) ? { category } : {},
      ]),
    ),
    example: {
      vehicle_type: first(vehicleTypes),
      ...automotive.example,
      film_type: automotive.example?.film_type ?? first(films),
    },
  };
}

function isOwn(by: PricedBy | undefined): boolean {
  return by === "coverage" || by === "vehicle";
}

/** The steps of the first kind of site; the checks of the catalog require the same steps of all. */
export function tiersOf(rates: Readonly<Record<string, object>>): string[] {
  return Object.keys(Object.values(rates)[0] ?? {});
}

/** The price of a film or a service for a vehicle type: one, or one for each coverage. */
export function priceAt({ automotive }: Catalog, vehicle: string, column: string) {
  const price = entryOf(automotive.vehicle_types, vehicle)[column];
  if (price === undefined) throw new Error(`${column} has no price for ${vehicle}`);
  return price;
}

type PriceRows = WrittenCatalog["automotive"]["vehicle_types"];

/** Shows in its prices: a service without a row of its own in `automotive.vehicle_types` is priced by film. */
export function pricedBy(service: string, rows: PriceRows): PricedBy {
  const price = Object.values(rows)
    .map((row) => row[service])
    .find((one) => one !== undefined);
  if (price === undefined) return "film";
  return typeof price === "number" ? "vehicle" : "coverage";
}

/** Questions about a service that the shop does not offer are not shown. */
export function isShown(
  { services: about, category }: Pick<Catalog["faq"][number], "services" | "category">,
  offered: readonly Pick<Service, "key" | "faq_category">[],
): boolean {
  if (about) return offered.some(({ key }) => about.includes(key));
  return category === "general" || offered.some((service) => service.faq_category === category);
}

/** The entry of a word in a group of the catalog. @throws Error for a word that was not checked */
export function entryOf<T>(group: Readonly<Record<string, T>>, word: string): T {
  const entry = Object.hasOwn(group, word) ? group[word] : undefined;
  if (entry === undefined) throw new Error(`the catalog has no ${word}`);
  return entry;
}

/** A vehicle type in the middle of a sentence: its name for customers, else the word itself. */
export function vehicleInWords(
  type: string,
  { automotive: { vehicle_names: names } }: Pick<Catalog, "automotive">,
): string {
  return (Object.hasOwn(names, type) ? names[type] : undefined) ?? spaced(type);
}

/** A coverage in few words: its label or name in the catalog where that is short (`front two`), else its word (`full`). */
export function coverageLabel(
  coverage: string,
  { automotive }: { automotive?: Pick<Catalog["automotive"], "coverages"> | undefined },
): string {
  const { name = "", label = USUAL_COVERAGES[coverage]?.label ?? name } = automotive?.coverages[coverage] ?? {};
  return label !== "" && Bun.stringWidth(label) <= SHORT_LABEL ? label : spaced(coverage);
}
/** Longer labels would widen every column of the price list. */
const SHORT_LABEL = 12;

export function placeOf({ place, estimate }: Pick<Service, "place" | "estimate">): (typeof PLACES)[number] {
  return place ?? (estimate === "flat_glass" ? "customer" : "shop");
}

/** The entries of some words, in the order of the words, whatever the order in the file. */
export function pickInOrder<T>(group: Readonly<Record<string, T>>, list: readonly string[]): Record<string, T> {
  return Object.fromEntries(list.map((word) => [word, entryOf(group, word)]));
}

/** The first of a list that the catalog's schema requires to have an entry. */
export function first(list: readonly string[]): string {
  const [one] = list;
  if (one === undefined) throw new Error("the catalog has no word of a kind");
  return one;
}
