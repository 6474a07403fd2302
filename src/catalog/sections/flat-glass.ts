/** `flat_glass`: rates, surcharges and films for buildings. */
import { z } from "zod";
import { every } from "../../schema/fields.ts";
import { CONCERNS, FILM_GOALS, SITE_TYPES, TIERS } from "../../vocabulary.ts";
import { money, percent, text } from "./values.ts";

const flatGlassFilm = z.strictObject({
  name: text,
  family: text,
  vlt: percent.nullable().default(null),
  tser: percent.nullable().default(null),
  glare: percent.nullable().default(null),
  uv: percent.nullable().default(null),
  ext_reflect: percent.nullable().default(null),
  mil: z.number().positive().max(100).nullable().default(null),
  anchored: z.boolean().default(false),
  note: text.nullable().default(null),
});

export const flatGlass = z.strictObject({
  ballpark_per_sqft: z.strictObject({ low: money, high: money }),
  rates_per_sqft: every(SITE_TYPES, every(TIERS, money)),
  ladder: z.strictObject({ per_sqft: money, floors_min: z.int().min(1).max(200) }),
  survey_floors_min: z.int().min(1).max(200),
  blocked_window_each: money,
  curtain_window_each: money,
  removal_per_sqft: z.strictObject({ low: money, high: money }),
  minimum_job_charge: money,
  recommended_tier: z.enum(TIERS).default("better"),
  films: z.record(z.string(), flatGlassFilm),
  recommend: every(CONCERNS, every(TIERS, z.string())),
  default_concern: z.enum(CONCERNS),
  goal_to_concern: every(FILM_GOALS, z.enum(CONCERNS)),
});
