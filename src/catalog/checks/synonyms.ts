/** Rules of `synonyms`: each leads to a word of the catalog, and is none itself. */
import { BUILDING_TYPES, CONCERNS } from "../../constants.ts";
import type { Issue } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { type IsSound, type Rule, unknownAt } from "./rule.ts";

type Kind = Exclude<keyof NonNullable<WrittenCatalog["synonyms"]>, "fillers">;

const WORDS: Record<Kind, { what: string; place?: string; of: (catalog: WrittenCatalog) => readonly string[] }> = {
  vehicle_types: {
    what: "a vehicle type",
    place: "automotive.vehicle_types",
    of: ({ automotive }) => Object.keys(automotive.vehicle_types),
  },
  films: { what: "a film", place: "automotive.films", of: ({ automotive }) => Object.keys(automotive.films) },
  coverages: {
    what: "a coverage",
    place: "automotive.coverages",
    of: ({ automotive }) => Object.keys(coveragesOf(automotive)),
  },
  addons: { what: "an add-on", place: "automotive.addons", of: ({ automotive }) => Object.keys(automotive.addons) },
  services: { what: "a service", place: "services", of: ({ services }) => services.map(({ key }) => key) },
  site_types: {
    what: "a kind of site",
    place: "flat_glass.rates_per_sqft",
    of: ({ flat_glass: flat }) => Object.keys(flat?.rates_per_sqft ?? {}),
  },
  buildings: { what: "a kind of building", of: () => BUILDING_TYPES },
  concerns: { what: "a concern", of: () => CONCERNS },
  shades: { what: "a shade that follows from the law", of: () => ["darkest_legal"] },
};

export const synonymRules: Rule[] = (Object.keys(WORDS) as Kind[]).map((kind) => {
  const { place } = WORDS[kind];
  return {
    groups: [`synonyms.${kind}`, ...(place ? [place] : [])],
    check: (catalog, isSound) => issuesOf(kind, catalog, isSound),
  };
});

function issuesOf(kind: Kind, catalog: WrittenCatalog, isSound: IsSound): Issue[] {
  const { what, of } = WORDS[kind];
  const known = [...of(catalog)];
  return Object.entries(catalog.synonyms?.[kind] ?? {}).flatMap(([synonym, meant]) => {
    const path = ["synonyms", kind, synonym];
    if (known.includes(synonym)) {
      return [{ path, message: `must be left out: ${synonym} is ${what} itself`, at: "key" as const }];
    }
    return unknownAt(path, meant, what, known, isSound);
  });
}
