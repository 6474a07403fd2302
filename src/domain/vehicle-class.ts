/** Which type a make and model counts as, by the examples of the catalog. Source: contract 2. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";

export interface KnownModel {
  vehicleType: string;
  /** As the catalog writes it, like `Honda CR-V`. */
  name: string;
}

const LONGEST = 100;
const MOST_WORDS = 12;

/** @param text as people say it: `21 highlander`, `Honda CRV EX` @returns the longest example that it names */
export function modelIn(text: string, catalog: Shop): KnownModel | undefined {
  const known = modelsOf(catalog);
  const beginnings = beginningsOf(catalog);
  // Nobody says a car in more words, and all runs of words are looked up.
  const words = wordsOf(text.slice(0, LONGEST)).slice(0, MOST_WORDS);
  let found: KnownModel | undefined;
  let longest = 0;
  for (let start = 0; start < words.length; start++) {
    let joined = "";
    for (let end = start; end < words.length; end++) {
      joined += words[end];
      if (!beginnings.has(joined)) break;
      const model = known.get(joined);
      if (!model || joined.length <= longest) continue;
      found = model;
      longest = joined.length;
    }
  }
  return found;
}

/**
 * The type that a text may mean which names no whole model: `GX` and `GX 460` are a Lexus, `civ` begins a Civic, `cou` a
 * coupe. Undefined where models of several types fit.
 */
export function typeNear(text: string, catalog: Shop): string | undefined {
  const typed = wordsOf(text.slice(0, LONGEST)).join("");
  const [letters = ""] = /^[a-z]*/.exec(typed) ?? [];
  const { models, typesBegun, modelsBegun } = typesByName(catalog);
  const ways = [models.get(typed), models.get(letters), typesBegun.get(typed), modelsBegun.get(typed)];
  return ways.find((found) => found !== undefined) ?? undefined;
}

const SHORTEST_BEGINNING = 2;

/** The vehicle type by a model, with its make and without, and by what types and models begin with; null where several fit. */
const typesByName = perCatalog((catalog) => {
  type Types = Map<string, string | null>;
  const maps: Record<"models" | "typesBegun" | "modelsBegun", Types> = {
    models: new Map(),
    typesBegun: new Map(),
    modelsBegun: new Map(),
  };
  const add = (map: Types, name: string, type: string) =>
    map.set(name, map.has(name) && map.get(name) !== type ? null : type);
  const addBeginnings = (map: Types, name: string, type: string) => {
    for (let end = SHORTEST_BEGINNING; end <= name.length; end++) add(map, name.slice(0, end), type);
  };
  for (const type of Object.keys(catalog.automotive.vehicle_types)) addBeginnings(maps.typesBegun, type, type);
  for (const { vehicleType, name } of knownModels(catalog)) {
    const words = wordsOf(name);
    for (const known of [words.slice(1).join(""), words.join("")]) {
      if (known !== "") add(maps.models, known, vehicleType);
      addBeginnings(maps.modelsBegun, known, vehicleType);
    }
  }
  return maps;
});

/** Whether a make and model of the catalog, or a model, begins like this. @param text what was typed of it so far */
export function beginsModel(text: string, catalog: Shop): boolean {
  return beginningsOf(catalog).has(wordsOf(text).join(""));
}

/** All models of the catalog. */
export const knownModels = perCatalog(({ automotive }): KnownModel[] =>
  Object.entries(automotive.vehicle_facts).flatMap(([vehicleType, { examples = [] }]) =>
    examples.map((name) => ({ vehicleType, name })),
  ),
);

/**
 * By make and model, and by the model alone where only one make has it and it is no trim of others, as two letters often are.
 * Spaces, hyphens and letter case do not count.
 */
const modelsOf = perCatalog((catalog) => {
  const models = new Map<string, KnownModel | undefined>();
  for (const known of knownModels(catalog)) {
    const words = wordsOf(known.name);
    models.set(words.join(""), known);
    const model = words.slice(1).join("");
    if (SAYS_ENOUGH.test(model)) models.set(model, models.has(model) ? undefined : known);
  }
  return models;
});

/** Everything that a name in `modelsOf` begins with. */
const beginningsOf = perCatalog(
  (catalog) =>
    new Set([...modelsOf(catalog).keys()].flatMap((name) => Array.from(name, (_, i) => name.slice(0, i + 1)))),
);

/** `x5` and `rav4`, but not `lx`. */
const SAYS_ENOUGH = /^(?=.*\d)..|^.{3}/;

function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().replace(/[^a-z0-9\s]/g, "");
  return plain.match(/\S+/g) ?? [];
}
