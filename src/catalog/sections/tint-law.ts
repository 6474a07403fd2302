/** `tint_law`: the rules of each state for each window. */
import { z } from "zod";
import { POSITIONS, VEHICLE_CLASSES } from "../../constants.ts";
import { date, every } from "../../schema/fields.ts";
import { byWord, lineOfText, money, percent, vlt, word } from "./values.ts";

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
export type TintRule = z.output<typeof rule>;

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
export type Jurisdiction = z.output<typeof jurisdiction>;

export const tintLaw = z.strictObject({
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
