/** The makes and models of a catalog, in the ways in which people name them; which type one counts as. Source: contract 2. */
import { isOneSlip } from "../schema/explain.ts";
import type { Catalog } from "./schema.ts";
import { isCount, type Words, wordMeant } from "./words.ts";

export interface KnownModel {
  vehicleType: string;
  /** As the catalog writes it, like `Honda CR-V`. */
  name: string;
}

/** A vehicle type by what was typed; null where several types fit. */
type TypesByText = Map<string, string | null>;

interface Models {
  all: readonly KnownModel[];
  /** The model alone counts where only one make has it and it is no trim of others. Spaces, hyphens and letter case do not count. */
  byName: ReadonlyMap<string, KnownModel | undefined>;
  /** The names of `byName`, by how many letters they have. */
  byLength: ReadonlyMap<number, readonly string[]>;
  /** The type by any model, with its make and without. */
  typeByModel: ReadonlyMap<string, string | null>;
  /** The type by what a model of it begins with, with its make and without. Every name of `byName` begins so. */
  typeByBegunModel: ReadonlyMap<string, string | null>;
  /** The type by what its own word begins with. */
  typeByBeginning: ReadonlyMap<string, string | null>;
}

/** `x5` and `rav4`, but not `lx`. */
const SAYS_ENOUGH = /^(?=.*\d)..|^.{3}/;

export function modelsOf({ automotive }: Catalog): Models {
  const all: KnownModel[] = [];
  const byName = new Map<string, KnownModel | undefined>();
  const typeByModel: TypesByText = new Map();
  const typeByBeginning: TypesByText = new Map();
  const typeByBegunModel: TypesByText = new Map();

  for (const type of Object.keys(automotive.vehicle_types)) addBeginnings(typeByBeginning, type, type);
  for (const [vehicleType, { examples = [] }] of Object.entries(automotive.vehicle_facts))
    for (const name of examples) {
      const known = { vehicleType, name };
      const words = plainWords(name);
      const whole = words.join("");
      const model = words.slice(1).join("");
      all.push(known);
      byName.set(whole, known);
      if (SAYS_ENOUGH.test(model)) byName.set(model, byName.has(model) ? undefined : known);
      for (const text of [model, whole]) {
        if (text !== "") addModel(typeByModel, text, vehicleType);
        addBeginnings(typeByBegunModel, text, vehicleType);
      }
    }
  const byLength = Map.groupBy(byName.keys(), (name) => name.length);
  return { all, byName, byLength, typeByModel, typeByBegunModel, typeByBeginning };
}

function addBeginnings(types: TypesByText, name: string, type: string): void {
  for (let end = 1; end <= name.length; end++) addModel(types, name.slice(0, end), type);
}

function addModel(types: TypesByText, text: string, type: string): void {
  const before = types.get(text);
  types.set(text, before === undefined || before === type ? type : null);
}

interface WithModels {
  models: Models;
  words: Pick<Words, "otherVehicles">;
}

const LONGEST = 100;
const MOST_WORDS = 12;

export const BETWEEN_CARS = /[,;/|&+]|\b(?:and|or|vs|versus)\b/i;

/** The longest example that a text names, like `21 highlander`; none for two cars, like `Camry and RAV4`. */
export function modelIn(text: string, shop: WithModels): KnownModel | undefined {
  const said = text.slice(0, LONGEST);
  if (BETWEEN_CARS.test(said) && namesTwoCars(said, shop)) return undefined;
  return runIn(plainWords(said), shop)?.model;
}

export function namesTwoCars(text: string, shop: WithModels): boolean {
  const cars = text.split(BETWEEN_CARS).map((part) => runIn(plainWords(part), shop)?.model);
  return new Set(cars.filter((car) => car !== undefined)).size > 1;
}

/** The longest run of words that names a model. */
function runIn(all: readonly string[], { models: { byName, typeByBegunModel }, words: { otherVehicles } }: WithModels) {
  // Nobody says a car in more words, and all runs of words are looked up.
  const words = all.slice(0, MOST_WORDS);
  let found: { model: KnownModel; start: number; end: number } | undefined;
  let longest = 0;
  for (let start = 0; start < words.length; start++) {
    let joined = "";
    for (let end = start; end < words.length; end++) {
      joined += words[end];
      if (!typeByBegunModel.has(joined)) break;
      const model = byName.get(joined);
      if (!model || joined.length <= longest) continue;
      // A golf cart is no Golf.
      if (otherVehicles.has(`${words[end]}${words[end + 1]}`)) continue;
      found = { model, start, end: end + 1 };
      longest = joined.length;
    }
  }
  return found;
}

/** The year, make and model of a text that names a car of the catalog, or a make alone: `Toyota Camry 2021`, `2021 Camry`, `Toyota`. */
export function carIn(text: string, shop: WithModels): { year?: number; make?: string; model?: string } | undefined {
  const [, first, name = "", last] = /^((?:19|20)\d\d )?(.*?)( (?:19|20)\d\d)?$/s.exec(text.trim()) ?? [];
  if (first && last) return undefined;
  const year = first ?? last;
  const dated = year && { year: Number(year) };
  const said = joined(name);
  const known = modelIn(name, shop);
  if (!known) {
    const make = makesOf(shop).find((one) => joined(one) === said);
    return make === undefined ? undefined : { ...dated, make };
  }
  const [make = "", ...rest] = known.name.split(" ");
  const model = rest.join(" ");
  const isModelAlone = said === joined(model);
  if (!isModelAlone && said !== joined(known.name)) return undefined;
  if (isModelAlone) return { ...dated, model };
  return { ...dated, ...(makesOf(shop).includes(make) ? { make, model } : { model: known.name }) };
}

/** Nobody can tell where a make ends, but where the catalog has a model of one word of it. */
function makesOf({ models }: WithModels): string[] {
  return models.all.flatMap(({ name }) => {
    const [make = "", model, more] = name.split(" ");
    return model !== undefined && more === undefined ? make : [];
  });
}

export function modelOf(
  {
    vehicle_make: make,
    vehicle_model: model,
  }: { vehicle_make?: string | undefined; vehicle_model?: string | undefined },
  shop: WithModels,
): KnownModel | undefined {
  const car = model === undefined ? make : make === undefined ? model : `${make} ${model}`;
  return car === undefined ? undefined : (modelIn(car, shop) ?? mistypedIn(car, shop));
}

/** The model from which a text is a slip of the keys away, like `Toyota Camri`. Short models are near to others, and `CX-31` is no slip. */
function mistypedIn(text: string, { models }: WithModels): KnownModel | undefined {
  const typed = plainWords(text.slice(0, LONGEST)).join("");
  const near = new Set<KnownModel>();
  for (let length = typed.length - 1; length <= typed.length + 1; length++) {
    for (const name of models.byLength.get(length) ?? []) {
      // One slip leaves the first letter or the last.
      if (name[0] !== typed[0] && name.at(-1) !== typed.at(-1)) continue;
      const known = models.byName.get(name);
      if (!known || !isOneSlip(typed, name) || name.replace(/\D/g, "") !== typed.replace(/\D/g, "")) continue;
      const [, ...model] = plainWords(known.name);
      if (model.join("").length >= SHORTEST_SLIP) near.add(known);
    }
  }
  const [one, another] = near;
  return another === undefined ? one : undefined;
}

/** The type of the model that a text names (`21 highlander`, `GX 460`) with nothing beside make, model, year and fillers. */
export function typeOfModel(text: string, shop: WithModels & { words: Words }): string | undefined {
  const said = text.slice(0, LONGEST);
  const words = plainWords(said);
  const found = BETWEEN_CARS.test(said) && !modelIn(said, shop) ? undefined : runIn(words, shop);
  if (!found) return typeWithoutMake(words.join(""), shop) ?? undefined;
  const { vehicleType, name } = found.model;
  const make = plainWords(name)[0];
  const rest = words.toSpliced(found.start, found.end - found.start);
  const isOfType = (word: string) => wordMeant(word, "vehicle_types", shop) === vehicleType;
  // `6 Transit vans` are several.
  if (rest.some(isCount) && rest.some((word) => word.endsWith("s") && isOfType(word))) return undefined;
  const isExplained = rest.every(
    (word) => word === make || YEAR.test(word) || saysNothing(word, shop) || isOfType(word),
  );
  return isExplained ? vehicleType : undefined;
}

const YEAR = /^(?:19|20)?\d\d$/;

/** Null where the model of several makes has several types. */
function typeWithoutMake(typed: string, { models: { typeByModel } }: WithModels): string | null | undefined {
  const [, letters = ""] = /^([a-z]{2,})\d{0,4}[a-z]{0,2}$/.exec(typed) ?? [];
  const whole = typeByModel.get(typed);
  return whole === undefined ? typeByModel.get(letters) : whole;
}

const joined = (text: string) => plainWords(text.slice(0, LONGEST)).join("");

/** The type that a text may mean: `GX` is a Lexus, `civ` begins a Civic. Undefined where models of several types fit. */
export function typeNear(text: string, shop: WithModels & { words: Words }): string | undefined {
  const typed = joined(text);
  const { typeByBeginning, typeByBegunModel } = shop.models;
  const ways: (string | null | undefined)[] = [typeOfModel(text, shop)];
  if (typed.length >= SHORTEST_BEGINNING) ways.push(typeByBeginning.get(typed), typeByBegunModel.get(typed));
  return ways.find((found) => found !== undefined) ?? undefined;
}

const SHORTEST_BEGINNING = 2;

/** Whether a make and model of the catalog, or a model, begins like this. @param text what was typed of it so far */
export function beginsModel(text: string, { models }: WithModels): boolean {
  const typed = plainWords(text).join("");
  if (typed === "") return false;
  for (const name of models.byName.keys()) if (name.startsWith(typed)) return true;
  return false;
}

/** Models that a text may mean which names none: those that begin like it, as with a make alone, else those with one slip of the keys. */
export function modelsNear(text: string, { models }: WithModels): readonly KnownModel[] {
  const words = plainWords(text.slice(0, LONGEST)).filter((word) => !YEAR.test(word));
  const typed = words.join("");
  if (!SAYS_ENOUGH.test(typed)) return [];
  const named = models.all.map((model) => {
    const [make = "", ...rest] = plainWords(model.name);
    return { model, names: [make + rest.join(""), rest.join("")] };
  });
  const like = (isLike: (name: string) => boolean) =>
    named.filter(({ names }) => names.some(isLike)).map(({ model }) => model);
  const begun = like((name) => name.startsWith(typed));
  return begun.length > 0 ? begun : like((name) => name.length >= SHORTEST_SLIP && isOneSlip(typed, name));
}

/** Shorter names are one letter away from too many others. */
const SHORTEST_SLIP = 5;

/** The words of a name in small letters and digits: `CR-V EX` becomes `crv` and `ex`. */
function plainWords(text: string): string[] {
  const plain = text.toLowerCase().replace(/[^a-z0-9\s]/g, "");
  return plain.match(/\S+/g) ?? [];
}

function saysNothing(word: string, { words }: { words: Words }): boolean {
  return words.fillers.has(word) || words.vehicleFillers.has(word);
}
