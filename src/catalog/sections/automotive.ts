/** `automotive`, `flat_glass` and `tint_law`: what is tinted, with which film, for how much, and what is legal. */
import { z } from "zod";
import { CONCERNS, DRAWINGS, FILM_GOALS, POSITIONS, VEHICLE_CLASSES } from "../../constants.ts";
import { date, every } from "../../schema/fields.ts";
import { byWord, lineOfText, longText, minutes, money, word } from "./values.ts";

const percent = z.number().min(0).max(100);
/** Visible light transmission in percent. */
const vlt = z.int().min(1).max(100);

/** Like `byWord`, with one entry at least. */
function someByWord<V extends z.ZodType>(value: V) {
  return byWord(value).refine((group) => Object.keys(group).length > 0, "must have at least one entry");
}

/** In small letters, because a caller's word is turned into small letters before it is looked up. */
const shadeWord = z.string().regex(/^[a-z][a-z -]{0,18}[a-z]$/, "must be a word in small letters, like limo");
const shade = z.strictObject({ label: z.int().min(0).max(100), vlt });

/** The glass that an add-on covers, for the tint law and the picture of the vehicle. */
export const ADDON_POSITIONS = [...POSITIONS, "windshield_strip", "sunroof"] as const;

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

const vehicleFacts = z.strictObject({
  /** What counts as this type, in a line. */
  about: lineOfText.max(120).optional(),
  /** Makes and models, like Honda CR-V. */
  examples: z.array(lineOfText.max(60)).max(200).optional(),
  /** VLT of the glass behind the driver that such vehicles usually have; null or absent where it is like in front. */
  usual_rear_glass: vlt.nullable().optional(),
});

const automotive = z.strictObject({
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
  shade_words: z.record(shadeWord, vlt).default({ limo: 5, dark: 20, medium: 35, light: 50 }),
  windshield_default_vlt: vlt.default(70),
  estimate_valid_days: z.int().min(0).max(365).default(0),
  /** By vehicle type; then by film, and by service where a service has prices of its own. */
  vehicle_types: someByWord(byWord(price)),
  vehicle_facts: byWord(vehicleFacts).default({}),
  /** The name of a vehicle type for customers; by default the word itself with a capital letter. */
  vehicle_names: byWord(lineOfText).default({}),
  /** The picture of a vehicle type; by default the one that fits the class in the tint law. */
  drawings: byWord(z.enum(DRAWINGS)).default({}),
  addons: byWord(
    z.strictObject({
      name: lineOfText,
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

const flatGlassFilm = z.strictObject({
  name: lineOfText,
  family: lineOfText,
  vlt: percent.nullable().default(null),
  tser: percent.nullable().default(null),
  glare: percent.nullable().default(null),
  uv: percent.nullable().default(null),
  ext_reflect: percent.nullable().default(null),
  mil: z.number().positive().max(100).nullable().default(null),
  anchored: z.boolean().default(false),
  /** Light passes, but no view: the film looks white. */
  frosted: z.boolean().default(false),
  note: lineOfText.nullable().default(null),
});

/** The names of concerns in a file that has none. */
const USUAL_NAMES = {
  heat: "heat",
  glare: "glare",
  privacy: "privacy",
  security: "security",
  uv: "UV protection",
  leed: "LEED credits",
  energy: "energy savings",
};

const flatGlass = z.strictObject({
  ballpark_per_sqft: z.strictObject({ low: money, high: money }),
  /** By kind of site, which is the key of a service, and by step, from the cheapest to the best. */
  rates_per_sqft: someByWord(someByWord(money)),
  ladder: z.strictObject({ per_sqft: money, floors_min: z.int().min(1).max(200) }),
  survey_floors_min: z.int().min(1).max(200),
  blocked_window_each: money,
  curtain_window_each: money,
  removal_per_sqft: z.strictObject({ low: money, high: money }),
  minimum_job_charge: money,
  /** How glass by the window is measured; `pane`: each pane counts as the next whole square foot. */
  round_up: z.enum(["none", "pane"]).default("none"),
  /** A job with at most so many panes of less than so many inches each way is asked whether they were meant as feet. */
  small_panes: z
    .strictObject({ under_in: z.number().min(1).max(120).default(12), up_to: z.int().min(0).max(10_000).default(10) })
    .prefault({}),
  /** The page rounds a total to tens from this amount on, and a smaller one to ones. No price: a raise leaves it. */
  tens_from: z.number().min(0).max(1_000_000).default(1000),
  /** Sizes that the page offers with a click. */
  usual_panes: z
    .array(
      z.strictObject({
        name: lineOfText.max(40),
        width_in: z.number().min(1).max(600),
        height_in: z.number().min(1).max(600),
      }),
    )
    .max(6)
    .default([
      { name: "24 × 36", width_in: 24, height_in: 36 },
      { name: "36 × 60", width_in: 36, height_in: 60 },
      { name: "Sliding door", width_in: 72, height_in: 80 },
    ]),
  /** By default the step in the middle. */
  recommended_tier: word.optional(),
  /** How binding a price of glass is; without it that of all prices. */
  price_note: lineOfText.max(200).optional(),
  films: z.record(z.string(), flatGlassFilm),
  recommend: every(CONCERNS, byWord(z.string())),
  default_concern: z.enum(CONCERNS),
  /** What customers read for each concern, as it is in a sentence. */
  concern_names: every(CONCERNS, lineOfText).default(USUAL_NAMES),
  goal_to_concern: every(FILM_GOALS, z.enum(CONCERNS)),
});

/** How deep a strip at the top of the windshield may be. */
const strip = { inches: z.number().positive().max(30).optional(), as1: z.boolean().optional() };

const rule = z.discriminatedUnion(
  "rule",
  [
    // With a depth, a strip above it may be of any shade.
    z.strictObject({ rule: z.literal("min_vlt"), vlt, ...strip }),
    z.strictObject({ rule: z.literal("any") }),
    z.strictObject({ rule: z.literal("prohibited") }),
    z.strictObject({ rule: z.literal("strip"), ...strip }),
  ],
  { error: "must have a rule: min_vlt (with vlt), any, prohibited or strip" },
);
const alternatives = z.array(every(POSITIONS, rule)).min(1);

const jurisdiction = z.strictObject({
  name: lineOfText,
  citation: lineOfText.nullable().default(null),
  reviewed_on: date().nullable().default(null),
  confidence: lineOfText,
  note: lineOfText.optional(),
  /** Notes for one class of vehicle. */
  class_notes: z.strictObject({ passenger: lineOfText.optional(), multipurpose: lineOfText.optional() }).optional(),
  measure: z.enum(["net", "film", "unclear"]),
  tolerance: z.number().min(0).max(20).nullable(),
  reflectance_max: z.partialRecord(z.enum(POSITIONS), percent).optional(),
  colors_restricted: z.array(lineOfText).optional(),
  classes: z.strictObject({ passenger: alternatives, multipurpose: alternatives.optional() }),
  installer_must_certify: z.boolean().optional(),
  exemptions: z
    .array(
      z.strictObject({
        kind: lineOfText,
        authority: lineOfText.optional(),
        needs: lineOfText.optional(),
        fee: money.optional(),
        renew_years: z.int().min(0).optional(),
        carry_in_vehicle: z.boolean().optional(),
        min_vlt: vlt.nullable().optional(),
      }),
    )
    .optional(),
});
const tintLaw = z.strictObject({
  home: z.string(),
  disclaimer: lineOfText,
  /** In brief answers, which are read out. */
  brief_disclaimer: lineOfText.optional(),
  /** What becomes of an online booking with a shade that is not legal. Catalogs of before only warned. */
  not_legal: z.enum(["ask", "refuse", "warn"]).default("warn"),
  glass_vlt: every(VEHICLE_CLASSES, every(POSITIONS, vlt)),
  // By default no glass is clearer than one that lets all light through.
  clearest_glass_vlt: vlt.default(100),
  vehicle_class: byWord(z.enum(VEHICLE_CLASSES)),
  confirm_class: z.array(word),
  jurisdictions: z.record(z.string(), jurisdiction),
});

/** The sections about the work, by their keys. */
export const WORK = { automotive, flat_glass: flatGlass, tint_law: tintLaw };
