/** Which type a make and model counts as, by the examples of the catalog. Source: contract 2. */
import type { KnownModel } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { plainWords } from "../lib/text.ts";

export type { KnownModel } from "../catalog/models.ts";

const LONGEST = 100;
const MOST_WORDS = 12;

/** @param text as people say it: `21 highlander`, `Honda CRV EX` @returns the longest example that it names */
export function modelIn(text: string, { models: { byName, typeByBegunModel } }: Shop): KnownModel | undefined {
  // Nobody says a car in more words, and all runs of words are looked up.
  const words = plainWords(text.slice(0, LONGEST)).slice(0, MOST_WORDS);
  let found: KnownModel | undefined;
  let longest = 0;
  for (let start = 0; start < words.length; start++) {
    let joined = "";
    for (let end = start; end < words.length; end++) {
      joined += words[end];
      if (!typeByBegunModel.has(joined)) break;
      const model = byName.get(joined);
      if (!model || joined.length <= longest) continue;
      found = model;
      longest = joined.length;
    }
  }
  return found;
}

/** The model of the catalog that a request names. */
export function modelOf(
  {
    vehicle_make: make,
    vehicle_model: model,
  }: { vehicle_make?: string | undefined; vehicle_model?: string | undefined },
  shop: Shop,
): KnownModel | undefined {
  return model === undefined ? undefined : modelIn(make === undefined ? model : `${make} ${model}`, shop);
}

/** The type of the model that a text names, with or without its make: `21 highlander`, `GX`, `GX 460`. */
export function typeOfModel(text: string, shop: Shop): string | undefined {
  return modelIn(text, shop)?.vehicleType ?? typeWithoutMake(joined(text), shop) ?? undefined;
}

/** Null where the model of several makes has several types. */
function typeWithoutMake(typed: string, { models: { typeByModel } }: Shop): string | null | undefined {
  const [letters = ""] = /^[a-z]*/.exec(typed) ?? [];
  const whole = typeByModel.get(typed);
  return whole === undefined ? typeByModel.get(letters) : whole;
}

const joined = (text: string) => plainWords(text.slice(0, LONGEST)).join("");

/**
 * The type that a text may mean which names no whole model: `GX` and `GX 460` are a Lexus, `civ` begins a Civic, `cou` a
 * coupe. Undefined where models of several types fit.
 */
export function typeNear(text: string, shop: Shop): string | undefined {
  const typed = joined(text);
  const { typeByBeginning, typeByBegunModel } = shop.models;
  const ways = [typeWithoutMake(typed, shop)];
  if (typed.length >= SHORTEST_BEGINNING) ways.push(typeByBeginning.get(typed), typeByBegunModel.get(typed));
  return ways.find((found) => found !== undefined) ?? undefined;
}

const SHORTEST_BEGINNING = 2;

/** Whether a make and model of the catalog, or a model, begins like this. @param text what was typed of it so far */
export function beginsModel(text: string, { models }: Shop): boolean {
  const typed = plainWords(text).join("");
  if (typed === "") return false;
  for (const name of models.byName.keys()) if (name.startsWith(typed)) return true;
  return false;
}
