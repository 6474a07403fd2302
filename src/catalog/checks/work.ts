/** Rules of `automotive`, `tint_law` and `flat_glass`: a word that is used exists, and each has its prices, or its class. */
import { CONCERNS } from "../../constants.ts";
import { fieldsOf } from "../../lib/fields.ts";
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { type PricedBy, pricedBy, tiersOf } from "../terms.ts";
import { missingKeys, type Rule, repeated, unknownAt, unknownKeys, unknownName } from "./rule.ts";

export const workRules: Rule[] = [
  sitesAreServices,
  ratesAreSound,
  oneServiceIsPricedByFilm,
  columnsHaveKeysOfTheirOwn,
  pricesAreComplete,
  workIsNotFreeByMistake,
  glassIsNotFreeByMistake,
  shadesAreListedOnce,
  oneFilmIsTheReference,
  defaultsExist,
  exampleExists,
  addonsAreComplete,
  homeStateHasALaw,
  vehiclesHaveAClass,
  classesToConfirmExist,
  examplesHaveOneType,
  looksAreOfVehicles,
];

/** A caller names a shade by the label on the box, so a film must not list one label with two VLTs. */
function shadesAreListedOnce({ automotive: { films } }: WrittenCatalog): Issue[] {
  return Object.entries(films).flatMap(([film, { shades }]) =>
    repeated(shades, ({ label }) => label).map(({ item, index }) => ({
      path: ["automotive", "films", film, "shades", index, "label"],
      message: `is listed twice: ${item.label}`,
    })),
  );
}

function oneFilmIsTheReference({ automotive: { films } }: WrittenCatalog): Issue[] {
  const marked = Object.entries(films).flatMap(([film, { reference }]) => (reference === true ? [film] : []));
  return marked.slice(1).map((film) => ({
    path: ["automotive", "films", film, "reference"],
    message: `must be left out: ${marked[0]} is the reference already, and there is only one`,
  }));
}

/** The default service has a rule among those of `services`. */
function defaultsExist({ automotive }: WrittenCatalog): Issue[] {
  const { film_type, coverage } = automotive.defaults;
  const at = (name: string) => ["automotive", "defaults", name];
  return [
    ...unknownAt(at("film_type"), film_type, "a film", Object.keys(automotive.films)),
    ...unknownAt(at("coverage"), coverage, "a coverage", Object.keys(coveragesOf(automotive))),
  ];
}

function exampleExists({ automotive: { example, films, vehicle_types } }: WrittenCatalog): Issue[] {
  if (!example) return [];
  const at = (name: string) => ["automotive", "example", name];
  return [
    ...unknownAt(at("vehicle_type"), example.vehicle_type, "a vehicle type", Object.keys(vehicle_types)),
    ...unknownAt(at("film_type"), example.film_type, "a film", Object.keys(films)),
  ];
}

/** An add-on needs a price with each film, and goes with services that exist. */
function addonsAreComplete(catalog: WrittenCatalog): Issue[] {
  const { addons, films } = catalog.automotive;
  const sold = catalog.services.filter(({ estimate }) => estimate === "automotive").map(({ key }) => key);
  const sellable = Object.keys(films);
  return Object.entries(addons).flatMap(([addon, { price, applies_to }]) => {
    const place: Path = ["automotive", "addons", addon];
    const prices: Path = [...place, "price"];
    return [
      ...missingKeys(prices, sellable, price, (film) => `${addon} has no price with ${film}`),
      ...unknownKeys(prices, Object.keys(price), "a film", sellable),
      ...applies_to.flatMap((key, i) =>
        unknownAt([...place, "applies_to", i], key, "a service with `estimate: automotive`", sold),
      ),
    ];
  });
}

/** An estimate that names no state is checked against the shop's own. */
function homeStateHasALaw({ tint_law: { home, jurisdictions } }: WrittenCatalog): Issue[] {
  return unknownAt(["tint_law", "home"], home, "a key of tint_law.jurisdictions", Object.keys(jurisdictions));
}

/** The law tells classes of vehicles apart. */
function vehiclesHaveAClass({ tint_law, automotive }: WrittenCatalog): Issue[] {
  const types = Object.keys(automotive.vehicle_types);
  const place: Path = ["tint_law", "vehicle_class"];
  return [
    ...missingKeys(place, types, tint_law.vehicle_class, () => "the law needs the class of each vehicle type"),
    ...unknownKeys(place, Object.keys(tint_law.vehicle_class), "a vehicle type", types),
  ];
}

function classesToConfirmExist(catalog: WrittenCatalog): Issue[] {
  const known = Object.keys(catalog.automotive.vehicle_types);
  return catalog.tint_law.confirm_class.flatMap((type, i) =>
    unknownAt(["tint_law", "confirm_class", i], type, "a vehicle type", known),
  );
}

function looksAreOfVehicles({ automotive }: WrittenCatalog): Issue[] {
  const known = Object.keys(automotive.vehicle_types);
  return (["vehicle_names", "drawings", "vehicle_facts"] as const).flatMap((name) =>
    unknownKeys(["automotive", name], Object.keys(automotive[name] ?? {}), "a vehicle type", known),
  );
}

/** A make and model under two types would be priced by whichever comes first. */
function examplesHaveOneType({ automotive: { vehicle_facts: facts = {} } }: WrittenCatalog): Issue[] {
  const typeOf = new Map<string, string>();
  return Object.keys(facts).flatMap((type) =>
    (facts[type]?.examples ?? []).flatMap((name, index): Issue[] => {
      const key = name.toLowerCase().replace(/[^a-z0-9]/g, "");
      const other = typeOf.get(key);
      typeOf.set(key, type);
      const path = ["automotive", "vehicle_facts", type, "examples", index];
      return other === undefined ? [] : [{ path, message: `is under ${other} already: ${name}` }];
    }),
  );
}

type FlatGlass = NonNullable<WrittenCatalog["flat_glass"]>;

function ratesAreSound({ flat_glass: flat }: WrittenCatalog): Issue[] {
  if (!flat) return [];
  return [
    ...stepsAreTheSame(flat),
    ...recommendedTierExists(flat),
    ...recommendedFilmsExist(flat),
    ...ratesLieWithinTheBallpark(flat),
    ...highIsNotBelowLow("ballpark_per_sqft", flat),
    ...highIsNotBelowLow("removal_per_sqft", flat),
  ];
}

function stepsAreTheSame({ rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  return Object.entries(rates).flatMap(([site, row]) => [
    ...missingKeys(["flat_glass", "rates_per_sqft", site], steps, row, (step) => `${site} has no price for ${step}`),
    ...unknownKeys(["flat_glass", "rates_per_sqft", site], Object.keys(row), "a step", steps),
  ]);
}

const WITHOUT_SECTION = "must not be flat_glass, because the file has no section flat_glass with prices";

/** A kind of site is the key of a service, and a service that is priced by the square foot has a rate. */
function sitesAreServices(catalog: WrittenCatalog): Issue[] {
  const services = catalog.services
    .map((service, index) => ({ service, index }))
    .filter(({ service }) => service.estimate === "flat_glass");
  const rates = catalog.flat_glass?.rates_per_sqft ?? {};
  const keys = services.map(({ service }) => service.key);
  const issues: Issue[] = [];
  for (const { service, index } of services) {
    if (Object.hasOwn(rates, service.key)) continue;
    const unpriced = `is missing: ${service.key} has no price by the square foot`;
    if (catalog.flat_glass) issues.push({ path: ["flat_glass", "rates_per_sqft", service.key], message: unpriced });
    else issues.push({ path: ["services", index, "estimate"], message: WITHOUT_SECTION });
  }
  for (const site of Object.keys(rates)) {
    if (keys.includes(site)) continue;
    const message = `has prices, but ${unknownName("a listed service with `estimate: flat_glass`", site, keys)}`;
    issues.push({ path: ["flat_glass", "rates_per_sqft", site], message, at: "key" });
  }
  return issues;
}

function recommendedTierExists({ recommended_tier: tier, rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  return unknownAt(["flat_glass", "recommended_tier"], tier, "a step of rates_per_sqft", steps);
}

/** An estimate could not describe a film that is not on the list. */
function recommendedFilmsExist({ recommend, films, rates_per_sqft: rates }: FlatGlass): Issue[] {
  const steps = tiersOf(rates);
  const known = Object.keys(films);
  return CONCERNS.flatMap((concern) => {
    const place = ["flat_glass", "recommend", concern];
    const row = recommend[concern];
    return [
      ...missingKeys(place, steps, row, (step) => `no film is named for ${concern}, ${step}`),
      ...unknownKeys(place, Object.keys(row), "a step of rates_per_sqft", steps),
      ...Object.keys(row).flatMap((step) =>
        unknownAt([...place, step], row[step], "a film of flat_glass.films", known),
      ),
    ];
  });
}

/** The ballpark is the first figure a customer hears; no estimate may contradict it. */
function ratesLieWithinTheBallpark({ ballpark_per_sqft: ballpark, rates_per_sqft: rates }: FlatGlass): Issue[] {
  // `highIsNotBelowLow` reports this issue; a second message would confuse.
  if (ballpark.low > ballpark.high) return [];
  const message = `must lie between ${ballpark.low} and ${ballpark.high}, the ballpark_per_sqft that customers are told first`;
  return Object.entries(rates).flatMap(([site, row]) =>
    Object.entries(row)
      .filter(([, rate]) => rate < ballpark.low || rate > ballpark.high)
      .map(([tier]) => ({ path: ["flat_glass", "rates_per_sqft", site, tier], message })),
  );
}

/** A range is shown as "low to high". */
function highIsNotBelowLow(
  key: "ballpark_per_sqft" | "removal_per_sqft",
  { [key]: { low, high } }: FlatGlass,
): Issue[] {
  return low > high ? [{ path: ["flat_glass", key, "high"], message: "must not be less than low" }] : [];
}

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
