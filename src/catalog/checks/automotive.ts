/** Rules of `automotive` and of `tint_law`: a word that is used exists, and a price or class is there for each word. */
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import {
  type IsSound,
  missingKeys,
  type Rule,
  repeated,
  soundEntries,
  soundKeys,
  unknownAt,
  unknownKeys,
  unknownName,
} from "./rule.ts";

export const automotiveRules: Rule[] = [
  { groups: ["automotive.films"], check: shadesAreListedOnce },
  { groups: ["automotive.films"], check: oneFilmIsTheReference },
  { groups: ["automotive.defaults", "automotive.films", "automotive.coverages"], check: defaultsExist },
  { groups: ["automotive.example", "automotive.films", "automotive.vehicle_types"], check: exampleExists },
  { groups: ["services", "automotive.addons", "automotive.films"], check: addonsAreComplete },
  { needs: ["tint_law.home"], groups: ["tint_law.jurisdictions"], check: homeStateHasALaw },
  { groups: ["tint_law.vehicle_class", "automotive.vehicle_types"], check: vehiclesHaveAClass },
  { groups: ["tint_law.confirm_class", "automotive.vehicle_types"], check: classesToConfirmExist },
  { groups: ["automotive.vehicle_facts"], check: examplesHaveOneType },
  ...["vehicle_names", "drawings", "vehicle_facts"].map((name) => ({
    groups: [`automotive.${name}`, "automotive.vehicle_types"],
    check: (catalog: WrittenCatalog) => looksAreOfVehicles(catalog, name),
  })),
];

/** A caller names a shade by the label on the box, so a film must not list one label with two VLTs. */
function shadesAreListedOnce({ automotive: { films } }: WrittenCatalog, isSound: IsSound): Issue[] {
  return soundEntries(films, "automotive.films", isSound)
    .filter(([film]) => isSound(`automotive.films.${film}.shades`))
    .flatMap(([film, { shades }]) =>
      repeated(shades, ({ label }) => label).map(({ item, index }) => ({
        path: ["automotive", "films", film, "shades", index, "label"],
        message: `is listed twice: ${item.label}`,
      })),
    );
}

/** A comparison has one film to compare with. */
function oneFilmIsTheReference({ automotive: { films } }: WrittenCatalog, isSound: IsSound): Issue[] {
  const marked = soundEntries(films, "automotive.films", isSound).flatMap(([film, { reference }]) =>
    reference === true ? [film] : [],
  );
  return marked.slice(1).map((film) => ({
    path: ["automotive", "films", film, "reference"],
    message: `must be left out: ${marked[0]} is the reference already, and there is only one`,
  }));
}

/** The default service has a rule among those of `services`. */
function defaultsExist({ automotive }: WrittenCatalog, isSound: IsSound): Issue[] {
  const { film_type, coverage } = automotive.defaults;
  const at = (name: string) => ["automotive", "defaults", name];
  return [
    ...unknownAt(at("film_type"), film_type, "a film", Object.keys(automotive.films), isSound),
    ...unknownAt(at("coverage"), coverage, "a coverage", Object.keys(coveragesOf(automotive)), isSound),
  ];
}

function exampleExists({ automotive: { example, films, vehicle_types } }: WrittenCatalog, isSound: IsSound): Issue[] {
  if (!example) return [];
  const at = (name: string) => ["automotive", "example", name];
  return [
    ...unknownAt(at("vehicle_type"), example.vehicle_type, "a vehicle type", Object.keys(vehicle_types), isSound),
    ...unknownAt(at("film_type"), example.film_type, "a film", Object.keys(films), isSound),
  ];
}

/** An add-on needs a price with each film, and goes with services that exist. */
function addonsAreComplete(catalog: WrittenCatalog, isSound: IsSound): Issue[] {
  const { addons, films } = catalog.automotive;
  // Nobody knows what a faulty service was meant to be, so an add-on may name it.
  const sold = catalog.services
    .filter((service, i) => !isSound(`services.${i}`) || service.estimate === "automotive")
    .map((service) => service?.key);
  const sellable = soundKeys(films, "automotive.films", isSound);
  return soundEntries(addons, "automotive.addons", isSound).flatMap(([addon, { price, applies_to }]) => {
    const place: Path = ["automotive", "addons", addon];
    const sound = (name: string) => isSound(`automotive.addons.${addon}.${name}`, "itself");
    const prices: Path = [...place, "price"];
    return [
      ...(sound("price")
        ? [
            ...missingKeys(prices, sellable, price, (film) => `${addon} has no price with ${film}`),
            ...unknownKeys(prices, Object.keys(price), "a film", Object.keys(films)),
          ]
        : []),
      ...(sound("applies_to") ? applies_to : []).flatMap((key, i) =>
        unknownAt([...place, "applies_to", i], key, "a service with `estimate: automotive`", sold, isSound),
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
function vehiclesHaveAClass({ tint_law, automotive }: WrittenCatalog, isSound: IsSound): Issue[] {
  const types = soundKeys(automotive.vehicle_types, "automotive.vehicle_types", isSound);
  const place: Path = ["tint_law", "vehicle_class"];
  return [
    ...missingKeys(place, types, tint_law.vehicle_class, () => "the law needs the class of each vehicle type"),
    ...unknownKeys(place, Object.keys(tint_law.vehicle_class), "a vehicle type", Object.keys(automotive.vehicle_types)),
  ];
}

function classesToConfirmExist(catalog: WrittenCatalog, isSound: IsSound): Issue[] {
  const known = Object.keys(catalog.automotive.vehicle_types);
  return catalog.tint_law.confirm_class.flatMap((type, i) =>
    unknownAt(["tint_law", "confirm_class", i], type, "a vehicle type", known, isSound),
  );
}

/** @param name of the group: names or drawings of vehicle types */
function looksAreOfVehicles({ automotive }: WrittenCatalog, name: string): Issue[] {
  const group: object = Object(automotive)[name] ?? {};
  return unknownKeys(["automotive", name], Object.keys(group), "a vehicle type", Object.keys(automotive.vehicle_types));
}

/** A make and model under two types would be priced by whichever comes first. */
function examplesHaveOneType({ automotive: { vehicle_facts: facts = {} } }: WrittenCatalog, isSound: IsSound): Issue[] {
  const typeOf = new Map<string, string>();
  return soundKeys(facts, "automotive.vehicle_facts", isSound).flatMap((type) =>
    (facts[type]?.examples ?? []).flatMap((name, index): Issue[] => {
      const key = name.toLowerCase().replace(/[^a-z0-9]/g, "");
      const other = typeOf.get(key);
      typeOf.set(key, type);
      const path = ["automotive", "vehicle_facts", type, "examples", index];
      return other === undefined ? [] : [{ path, message: `stands under ${other} already: ${name}` }];
    }),
  );
}
