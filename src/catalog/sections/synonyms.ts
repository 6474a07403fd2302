/** `synonyms`: words of customers that mean a word of the catalog, by kind. */
import { z } from "zod";
import { CONCERNS } from "../../constants.ts";
import { byWord, word } from "./values.ts";

const group = byWord(word).default({});

export const synonyms = z.strictObject({
  vehicle_types: group,
  films: group,
  coverages: group,
  addons: group,
  services: group,
  concerns: byWord(z.enum(CONCERNS)).default({}),
});
