/** Rules of `automotive.vehicle_types`: a price for each vehicle type, film, coverage and service, and no other. */
import { fieldsOf } from "../../lib/fields.ts";
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { type PricedBy, pricedBy } from "../terms.ts";
import { missingKeys, type Rule, unknownKeys, unknownName } from "./rule.ts";

export const priceRules: Rule[] = [
  oneServiceIsPricedByFilm,
  columnsHaveKeysOfTheirOwn,
  pricesAreComplete,
  workIsNotFreeByMistake,
  glassIsNotFreeByMistake,
];

/** The columns of the price list, by film and by service. */
function columnsOf(catalog: WrittenCatalog) {
  const { vehicle_types: rows, films } = catalog.automotive;
  const services = catalog.services
    .map(({ key, estimate }, index) => ({ key, estimate, index, by: pricedBy(key, rows) }))
    .filter(({ estimate }) => estimate === "automotive");
  return {
    rows,
    films: Object.keys(films),
    byFilm: services.filter(({ by }) => by === "film"),
    services: services.filter(({ by }) => by !== "film"),
  };
}

const PLACE = "automotive.vehicle_types";

/** A second service without prices of its own would silently be sold at the prices of the first. */
function oneServiceIsPricedByFilm(catalog: WrittenCatalog): Issue[] {
  const { byFilm } = columnsOf(catalog);
  const [tinting] = byFilm;
  if (!tinting) {
    const message =
      "must have a service with `estimate: automotive` and without a price of its own: film is sold by it";
    return [{ path: ["services"], message }];
  }
  return byFilm.slice(1).map(({ key, index }) => ({
    path: ["services", index, "estimate"],
    message: `needs prices: ${key} has none in ${PLACE}, and ${tinting.key} is the service that is priced by film`,
  }));
}

/** Answers of the API use these keys beside the words of films and services. */
const RESERVED = ["currency", "matrix", "addons", "vehicle_type"];

function columnsHaveKeysOfTheirOwn(catalog: WrittenCatalog): Issue[] {
  const { films, services } = columnsOf(catalog);
  const reserved = (path: Path, key: string): Issue[] =>
    RESERVED.includes(key)
      ? [{ path, message: "is a word that answers of the API use for something else", at: "key" }]
      : [];
  return [
    ...films.flatMap((film) => reserved(["automotive", "films", film], film)),
    ...services.flatMap(({ key, index }) => reserved(["services", index, "key"], key)),
    ...services
      .filter(({ key }) => films.includes(key))
      .map(({ key, index }): Issue => ({ path: ["services", index, "key"], message: `is the key of a film: ${key}` })),
  ];
}

function pricesAreComplete(catalog: WrittenCatalog): Issue[] {
  const { rows, films, services, byFilm } = columnsOf(catalog);
  const columns = new Map<string, PricedBy>([
    ...films.map((film) => [film, "film"] as const),
    ...services.map(({ key, by }) => [key, by] as const),
  ]);
  const coverages = Object.keys(coveragesOf(catalog.automotive));
  return Object.entries(rows).flatMap(([vehicle, row]) => {
    const place = (...rest: string[]): Path => ["automotive", "vehicle_types", vehicle, ...rest];
    return [
      ...[...columns].flatMap(([column, by]) =>
        priceIssues(place(column), row[column], { column, by, vehicle, coverages }),
      ),
      ...Object.keys(row)
        .filter((column) => !columns.has(column))
        .map((column): Issue => {
          const unknown = unknownName("a film or a listed service with `estimate: automotive`", column, [
            ...columns.keys(),
          ]);
          const isSoldByFilm = byFilm.some(({ key }) => key === column);
          const message = isSoldByFilm ? "must not have a price" : `has a price, but ${unknown}`;
          return { path: place(column), message, at: "key" };
        }),
    ];
  });
}

/** A price of 0 is a digit too few, unless the service says that it is meant. */
function workIsNotFreeByMistake(catalog: WrittenCatalog): Issue[] {
  const { rows, byFilm } = columnsOf(catalog);
  const free = freeServices(catalog);
  return Object.entries(rows).flatMap(([vehicle, row]) =>
    Object.entries(row).flatMap(([column, price]) => {
      const service = (Object.hasOwn(catalog.automotive.films, column) ? byFilm[0]?.key : undefined) ?? column;
      if (free.has(service)) return [];
      const path: Path = ["automotive", "vehicle_types", vehicle];
      return price === 0
        ? freeByMistake({ [column]: price }, path, service)
        : freeByMistake(price, [...path, column], service);
    }),
  );
}

function glassIsNotFreeByMistake(catalog: WrittenCatalog): Issue[] {
  const rates = catalog.flat_glass?.rates_per_sqft ?? {};
  const free = freeServices(catalog);
  return Object.entries(rates)
    .filter(([site]) => !free.has(site))
    .flatMap(([site, row]) => freeByMistake(row, ["flat_glass", "rates_per_sqft", site], site));
}

function freeServices({ services }: WrittenCatalog): Set<string> {
  return new Set(services.filter((service) => service?.free === true).map(({ key }) => key));
}

function freeByMistake(prices: unknown, path: Path, service: string): Issue[] {
  const message = `must be above 0; write free: true at the service ${service} if customers pay nothing`;
  return Object.entries(fieldsOf(prices))
    .filter(([, price]) => price === 0)
    .map(([key]) => ({ path: [...path, key], message }));
}

interface Column {
  column: string;
  by: PricedBy;
  vehicle: string;
  coverages: string[];
}

type Price = WrittenCatalog["automotive"]["vehicle_types"][string][string];

function priceIssues(path: Path, price: Price | undefined, { column, by, vehicle, coverages }: Column): Issue[] {
  if (price === undefined) return [{ path, message: `is missing: ${column} has no price for ${vehicle}` }];
  if (typeof price === "number") {
    return by === "vehicle" ? [] : [{ path, message: `must have a price for each coverage: ${coverages.join(", ")}` }];
  }
  if (by === "vehicle") return [{ path, message: "must be one price, as for the other vehicle types" }];
  return [
    ...missingKeys(path, coverages, price, (coverage) => `${column} has no price for ${vehicle}, ${coverage}`),
    ...unknownKeys(path, Object.keys(price), "a coverage", coverages),
  ];
}
