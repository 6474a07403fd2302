/** `synonyms`: words of customers that mean a word of the catalog, by kind, and words that say nothing beside such a word. */
import { z } from "zod";
import { BUILDING_TYPES, CONCERNS } from "../../constants.ts";
import { byWord, word } from "./values.ts";

const group = byWord(word).default({});
const fillers = z
  .array(
    z
      .string()
      .max(40)
      .regex(/^[a-z0-9]+$/, "must be one word in small letters"),
  )
  .max(200)
  .default([]);

export const synonyms = z.strictObject({
  vehicle_types: group,
  films: group,
  coverages: group,
  addons: group,
  services: group,
  site_types: group,
  buildings: byWord(z.enum(BUILDING_TYPES)).default({}),
  concerns: byWord(z.enum(CONCERNS)).default({}),
  /** A shade that follows from the law. */
  shades: byWord(z.enum(["darkest_legal"])).default({}),
  /** Beside every kind of word, and beside a vehicle type. */
  fillers: z.strictObject({ all: fillers, vehicle_types: fillers }).prefault({}),
});
