/** `automotive`: vehicle types, films, coverages, prices and add-ons. Their keys are the shop's own terms. */
import { z } from "zod";
import { DRAWINGS, POSITIONS } from "../../constants.ts";
import { byWord, lineOfText, longText, minutes, money, percent, someByWord, vlt, word } from "./values.ts";

/** In small letters, because a caller's word is turned into small letters before it is looked up. */
const shadeWord = z.string().regex(/^[a-z][a-z -]{0,18}[a-z]$/, "must be a word in small letters, like limo");
const shade = z.strictObject({ label: z.int().min(0).max(100), vlt });

/** The glass that an add-on covers, for the tint law and the picture of the vehicle. */
export const ADDON_POSITIONS = [...POSITIONS, "windshield_strip", "sunroof"] as const;

/** The glass that a job covers. */
const coverage = z.strictObject({
  /** On the line of an estimate. */
  name: lineOfText,
  /** On lists and columns of prices; by default the name where it is short. */
  label: lineOfText.max(12).optional(),
  /** In descriptions; by default the name. */
  glass: lineOfText.optional(),
  positions: z.array(z.enum(POSITIONS)).min(1),
});

/** The coverages of a file that lists none. */
export const USUAL_COVERAGES: Record<string, z.output<typeof coverage>> = {
  full: {
    name: "all side and rear windows",
    glass: "all side and rear glass",
    positions: ["front_side", "rear_side", "rear_window"],
  },
  front2: {
    name: "front two windows",
    label: "front two",
    glass: "the front two windows only",
    positions: ["front_side"],
  },
};

/** A price by coverage, or one price where the service always covers the same glass. */
const price = z.union([money, byWord(money)], { error: "must be an amount, or an amount for each coverage" });

/** What tells a type of vehicle from the others. */
const vehicleFacts = z.strictObject({
  /** What counts as this type, in a line. */
  about: lineOfText.max(120).optional(),
  /** Makes and models, like Honda CR-V. */
  examples: z.array(lineOfText.max(60)).max(200).optional(),
  /** VLT of the glass behind the driver that such vehicles usually have; null or absent where it is like in front. */
  usual_rear_glass: vlt.nullable().optional(),
});

export const automotive = z.strictObject({
  defaults: z.strictObject({ service: word, film_type: word, coverage: word }),
  /** The vehicle and the choices that samples show; by default the first word of each kind. */
  example: z
    .strictObject({
      vehicle_type: word,
      vehicle_year: z.int().min(1900).max(2100).optional(),
      vehicle_make: lineOfText.max(100).optional(),
      vehicle_model: lineOfText.max(100).optional(),
      film_type: word.optional(),
    })
    .optional(),
  coverages: someByWord(coverage).default(USUAL_COVERAGES),
  films: someByWord(
    z.strictObject({
      name: lineOfText,
      description: longText.optional(),
      /** Other films are compared with this one; by default the first. */
      reference: z.boolean().optional(),
      ir_rejection_pct: percent,
      /** Of all the sun's energy, where the maker says it: much less than of infrared alone. */
      solar_heat_rejection_pct: percent.optional(),
      uv_rejection_pct: percent,
      warranty: lineOfText,
      shades: z.array(shade).min(1),
    }),
  ),
  /** Trade words for a shade. */
  shade_words: z.record(shadeWord, vlt).default({ limo: 5, dark: 20, medium: 35, light: 50 }),
  windshield_default_vlt: vlt.default(70),
  estimate_valid_days: z.int().min(0).max(365).default(0),
  /** By vehicle type; then by film, and by service where a service has prices of its own. */
  vehicle_types: someByWord(byWord(price)),
  /** What tells the vehicle types apart. */
  vehicle_facts: byWord(vehicleFacts).default({}),
  /** The name of a vehicle type for customers; by default the word itself with a capital letter. */
  vehicle_names: byWord(lineOfText).default({}),
  /** The picture of a vehicle type; by default the one that fits the class in the tint law. */
  drawings: byWord(z.enum(DRAWINGS)).default({}),
  addons: byWord(
    z.strictObject({
      name: lineOfText,
      /** By film. */
      price: byWord(money),
      /** Prices of 0 are meant. */
      free: z.boolean().default(false),
      applies_to: z.array(word),
      minutes,
      position: z.enum(ADDON_POSITIONS).nullable(),
      suggest: lineOfText.optional(),
      terms: longText.optional(),
    }),
  ),
});

/** The coverages of a file as the owner wrote it. */
export function coveragesOf({ coverages = USUAL_COVERAGES }: z.input<typeof automotive>) {
  return coverages;
}
