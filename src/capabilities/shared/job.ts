/** The parts of a job that estimates and bookings ask for in the same words, and the reading of shades. */
import { z } from "zod";
import { perCatalog } from "../../catalog/per-catalog.ts";
import type { Shop } from "../../catalog/shop.ts";
import { entryOf } from "../../catalog/terms.ts";
import type { Position } from "../../constants.ts";
import {
  type AutomotiveEstimate,
  type AutomotiveRequest,
  estimateAutomotive,
  verdictOn,
} from "../../domain/automotive.ts";
import { parseShade } from "../../domain/shade.ts";
import type { Shades } from "../../domain/tint-law.ts";
import { defined, pick } from "../../lib/fields.ts";
import { oneOf } from "../../schema/explain.ts";
import { exampleOf, line, optional } from "../../schema/fields.ts";
import type { FieldIssue } from "../core/capability.ts";
import { termFields } from "../core/shapes.ts";

/**
 * The shade in samples: the darkest of the sample's film that is legal on its vehicle in the home state, so that nobody copies
 * one that is not. Undefined when none is.
 */
export const sampleShade = perCatalog((catalog): number | undefined => {
  const { vehicle_type, film_type } = catalog.terms.example;
  return entryOf(catalog.automotive.films, film_type)
    .shades.map(({ vlt }) => vlt)
    .toSorted((a, b) => a - b)
    .find((vlt) => {
      const shades = { front_side: vlt, rear_side: vlt, rear_window: vlt };
      return verdictOn(catalog, { vehicle_type, film_type, shades }).status === "legal";
    });
});

const PERCENTAGE = 'must be a percentage from 1 to 100, like 35 or "35%"';
const SHADE_WORDING = `${PERCENTAGE}, or one of the shop's words for a shade`;
const scalarShade = () => z.union([z.int().min(1).max(100), line(20)], { error: SHADE_WORDING });
const sideShades = () =>
  z.object({
    front_side: optional(scalarShade()).meta({ description: "Front side windows." }),
    rear_side: optional(scalarShade()).meta({ description: "Rear side windows." }),
    rear_window: optional(scalarShade()).meta({ description: "Rear window." }),
  });

const GLASS_WORDING =
  "must be a percentage from 1 to 100, or an object of such with front_side, rear_side and rear_window";
const glassPercent = () => z.int().min(1).max(100);
const sideGlass = () =>
  z.object({
    front_side: optional(glassPercent()).meta({ description: "Front side windows." }),
    rear_side: optional(glassPercent()).meta({ description: "Rear side windows." }),
    rear_window: optional(glassPercent()).meta({ description: "Rear window." }),
  });

/** The VLT of the factory glass at each position, as far as it is known. */
function glassOf(glass: JobRequest["factory_glass"]): Shades {
  return typeof glass === "number" ? { front_side: glass, rear_side: glass, rear_window: glass } : defined(glass ?? {});
}

/**
 * The fields of a request that say what the work is, beside its service: whatever goes on from an answer (next actions,
 * links, samples) repeats those that the caller sent.
 */
export const JOB_FIELDS = [
  "vehicle_type",
  "vehicle_year",
  "vehicle_make",
  "vehicle_model",
  "film_type",
  "coverage",
  "addons",
  "remove_old_film",
  "shade",
  "windshield_shade",
  "jurisdiction",
  "estimate_id",
] as const;

export const jobFields = perCatalog((catalog) => ({
  addons: optional(z.array(termFields(catalog).addon).max(20)).meta({
    description: "Extras; duplicates are charged once.",
    example: catalog.terms.addons.slice(0, 1),
  }),
  remove_old_film: optional(z.boolean()).meta({
    description: "Take old film off first, in the same visit.",
  }),
  shade: optional(
    z.union([scalarShade(), sideShades()], {
      error: `${SHADE_WORDING}, or an object with front_side, rear_side and rear_window`,
    }),
  ).meta({
    description: "Wished VLT of side and rear glass: one percentage, or one per position.",
    ...exampleOf(sampleShade(catalog)),
  }),
  windshield_shade: optional(scalarShade()).meta({
    description: "Wished VLT of full windshield film, with that film among the addons.",
    example: 70,
  }),
  factory_glass: optional(z.union([glassPercent(), sideGlass()], { error: GLASS_WORDING })).meta({
    description: "Light in percent through the bare glass, where it was metered: one, or one per position.",
  }),
  jurisdiction: optional(line()).meta({
    description: `The state whose tint law is checked, like ${catalog.tint_law.home}; else the shop's own.`,
    example: catalog.tint_law.home,
  }),
}));
export type JobRequest = z.output<z.ZodObject<ReturnType<typeof jobFields>>>;

/** The checks of `jobFields` against the catalog. */
export const JOB_CHECKS = {
  shade: shadeIssue,
  windshield_shade: shadeIssue,
  jurisdiction(key: string | undefined, { tint_law: law }: Shop): FieldIssue | undefined {
    return key === undefined || Object.hasOwn(law.jurisdictions, key)
      ? undefined
      : { message: "must be a jurisdiction this shop knows", allowed: Object.keys(law.jurisdictions) };
  },
};

/** The issue of a wished shade; undefined when it is a percentage or a shade word of the shop. */
function shadeIssue(shade: JobRequest["shade"], catalog: Shop): FieldIssue | undefined {
  const shades = typeof shade === "object" ? Object.values(shade) : [shade];
  return shades.some((one) => one !== undefined && parseShade(one, catalog) === undefined)
    ? { message: wording(catalog) }
    : undefined;
}

function wording({ automotive }: Shop): string {
  const words = Object.keys(automotive.shade_words);
  return words.length > 0 ? `${PERCENTAGE}, or a shade word: ${oneOf(words)}` : PERCENTAGE;
}

interface ShadeWishes {
  shade?: JobRequest["shade"];
  windshield_shade?: JobRequest["windshield_shade"];
}

/** The wished VLT of each position. */
export function shadesOf({ shade, windshield_shade }: ShadeWishes, catalog: Shop): Shades {
  const shades: Shades = {};
  const wish = (position: Position, word: string | number | undefined) => {
    const vlt = word === undefined ? undefined : parseShade(word, catalog);
    if (vlt !== undefined) shades[position] = vlt;
  };
  for (const side of SIDES) wish(side, typeof shade === "object" ? shade[side] : shade);
  wish("windshield", windshield_shade);
  return shades;
}

export const SIDES = ["front_side", "rear_side", "rear_window"] as const;
const percent = () => z.int().nullable();

/** The wished shades in an answer: percentages, in the form in which they were asked for. */
export const shadeShapes = () => ({
  shade: z
    .union([
      z.int(),
      z.object({
        front_side: percent().describe("Front side windows, in percent."),
        rear_side: percent().describe("Rear side windows, in percent."),
        rear_window: percent().describe("Rear window, in percent."),
      }),
    ])
    .nullable()
    .meta({ description: "Wished VLT of side and rear glass." }),
  windshield_shade: percent().meta({ description: "Wished VLT of the windshield." }),
});

export function toShades(wishes: ShadeWishes, catalog: Shop): z.output<z.ZodObject<ReturnType<typeof shadeShapes>>> {
  const { front_side = null, rear_side = null, rear_window = null, windshield = null } = shadesOf(wishes, catalog);
  const isScalar = typeof wishes.shade !== "object";
  const hasSides = front_side !== null || rear_side !== null || rear_window !== null;
  return {
    shade: isScalar ? front_side : hasSides ? { front_side, rear_side, rear_window } : null,
    windshield_shade: windshield,
  };
}

/** The estimate of a job: its price, its law and its length. */
export function estimateOfJob(
  catalog: Shop,
  job: Omit<AutomotiveRequest, "shades"> & Pick<JobRequest, "shade" | "windshield_shade" | "factory_glass">,
): AutomotiveEstimate {
  return estimateAutomotive(catalog, {
    vehicle_type: job.vehicle_type,
    ...pick(job, "service", "film_type", "coverage", "addons", "remove_old_film", "jurisdiction"),
    shades: shadesOf(job, catalog),
    glass: glassOf(job.factory_glass),
  });
}
