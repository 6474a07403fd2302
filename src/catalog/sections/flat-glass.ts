/** `flat_glass`: rates, surcharges and films for buildings. A shop without work on buildings leaves it out. */
import { z } from "zod";
import { CONCERNS, FILM_GOALS } from "../../constants.ts";
import { every } from "../../schema/fields.ts";
import { byWord, lineOfText, money, percent, someByWord, word } from "./values.ts";

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

export const flatGlass = z.strictObject({
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
  /** The page rounds a total to tens from this amount on, and a smaller one to ones. */
  tens_from: money.prefault(1000),
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
  films: z.record(z.string(), flatGlassFilm),
  recommend: every(CONCERNS, byWord(z.string())),
  default_concern: z.enum(CONCERNS),
  /** What customers read for each concern, as it is in a sentence. */
  concern_names: every(CONCERNS, lineOfText).default(USUAL_NAMES),
  goal_to_concern: every(FILM_GOALS, z.enum(CONCERNS)),
});
