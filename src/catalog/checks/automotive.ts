/** Rules of `automotive` and of `tint_law`: a word that is used exists, and a price or class is there for each word. */
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { missingKeys, type Rule, repeated, unknownAt, unknownKeys, unknownName } from "./rule.ts";

export const automotiveRules: Rule[] = [
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

/** A comparison has one film to compare with. */
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
  if (Object.hasOwn(jurisdictions, home)) return [];
  const message = unknownName("a key of tint_law.jurisdictions", home, Object.keys(jurisdictions));
  return [{ path: ["tint_law", "home"], message }];
}

/** The law tells classes of vehicles apart. */
function vehiclesHaveAClass({ tint_law, automotive }: WrittenCatalog): Issue[] {
  const types = Object.keys(automotive.vehicle_types);
  const place: Path = ["tint_law", "vehicle_class"];
  return [
    ...missingKeys(place, types, tint_law.vehicle_class, () => "the law needs the class of each vehicle type"),
    ...unknownKeys(place, Object.keys(tint_law.vehicle_class), "a vehicle type", Object.keys(automotive.vehicle_types)),
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
