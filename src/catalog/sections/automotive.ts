/** `automotive`: films, prices and add-ons for vehicles. */
import { z } from "zod";
import { every } from "../../schema/fields.ts";
import { ADDONS, AUTOMOTIVE_SERVICES, COVERAGES, FILM_TYPES, POSITIONS, VEHICLE_TYPES } from "../../vocabulary.ts";
import { longText, minutes, money, percent, text, vlt } from "./values.ts";

/** In small letters, because a caller's word is turned into small letters before it is looked up. */
const shadeWord = z.string().regex(/^[a-z][a-z -]{0,18}[a-z]$/, "must be a word in small letters, like limo");
const shade = z.strictObject({ label: z.int().min(0).max(100), vlt });

export const automotive = z.strictObject({
  defaults: z.strictObject({
    service: z.enum(AUTOMOTIVE_SERVICES),
    film_type: z.enum(FILM_TYPES),
    coverage: z.enum(COVERAGES),
  }),
  films: every(
    FILM_TYPES,
    z.strictObject({
      name: text,
      description: longText.optional(),
      ir_rejection_pct: percent,
      uv_rejection_pct: percent,
      warranty: text,
      shades: z.array(shade).min(1),
    }),
  ),
  /** Trade words for a shade. */
  shade_words: z.record(shadeWord, vlt).default({ limo: 5, dark: 20, medium: 35, light: 50 }),
  windshield_default_vlt: vlt.default(70),
  estimate_valid_days: z.int().min(0).max(365).default(0),
  vehicle_types: every(
    VEHICLE_TYPES,
    z.strictObject({
      standard: every(COVERAGES, money),
      ceramic: every(COVERAGES, money),
      film_removal: every(COVERAGES, money),
      clearplex: money,
    }),
  ),
  addons: every(
    ADDONS,
    z.strictObject({
      name: text,
      price: every(FILM_TYPES, money),
      applies_to: z.array(z.enum(AUTOMOTIVE_SERVICES)),
      minutes,
      position: z.enum([...POSITIONS, "windshield_strip"]).nullable(),
      suggest: text.optional(),
      terms: longText.optional(),
    }),
  ),
});
