/** The work on a car in one form, whichever way it was asked for: catalog words, percentages for shades, defaults filled in. */
import { z } from "zod";
import { type KnownModel, modelIn, modelOf } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import { otherVehicleIn } from "../catalog/words.ts";
import { type AutomotiveEstimate, estimateWork, verdictOn } from "../domain/automotive.ts";
import type { Shades } from "../domain/tint-law.ts";
import { parseShade, resolveWork, type Work } from "../domain/work.ts";
import { spaced } from "../lib/text.ts";
import { oneOf } from "../schema/explain.ts";
import { exampleOf, inTool, line, optional, seldom, vehicleYear } from "../schema/fields.ts";

export const SIDES = ["front_side", "rear_side", "rear_window"] as const;
type Side = (typeof SIDES)[number];
/** A percentage for all side and rear glass, or one for each. */
export type Shade = number | { readonly [Position in Side]?: number | undefined };

/** The car; its name changes neither price nor length. */
export interface Vehicle {
  vehicle_type?: string | undefined;
  vehicle_year?: number | undefined;
  vehicle_make?: string | undefined;
  vehicle_model?: string | undefined;
}

/** The fields of a request that say what the work is, as its schema gives them. */
export interface JobRequest extends Vehicle {
  film_type?: string | undefined;
  coverage?: string | undefined;
  addons?: string[] | undefined;
  remove_old_film?: boolean | undefined;
  shade?: Shade | undefined;
  windshield_shade?: number | undefined;
  factory_glass?: Shade | undefined;
  jurisdiction?: string | undefined;
  estimate_id?: string | undefined;
  service_type?: string | undefined;
  /** As sent, where the request has the service under this name. */
  service?: number | string | undefined;
}

export interface Job extends JobRequest {
  /** With the shop's defaults for what was left out. */
  work: Work;
  /** The car of the catalog that make and model name. */
  known: KnownModel | undefined;
  /** The wished VLT of each glass. */
  shades: Shades;
  /** The VLT of the factory glass, as far as it is known. */
  glass: Shades;
}

/** Which car of its type it is: no other work. */
export const CAR_NAME = ["vehicle_year", "vehicle_make", "vehicle_model"] as const;

/** The fields that whatever goes on from an answer (next actions, links, samples) repeats. */
export const JOB_FIELDS = [
  "vehicle_type",
  ...CAR_NAME,
  "film_type",
  "coverage",
  "addons",
  "remove_old_film",
  "shade",
  "windshield_shade",
  "jurisdiction",
  "estimate_id",
] as const;

/** Throws an Error for a word that no schema checked. @param work of an estimate whose words the shop has given up since */
export function jobOf(request: JobRequest, shop: Shop, work = workOf(request, shop)): Job {
  return {
    vehicle_type: request.vehicle_type,
    vehicle_year: request.vehicle_year,
    vehicle_make: request.vehicle_make,
    vehicle_model: request.vehicle_model,
    service_type: request.service_type,
    film_type: request.film_type,
    coverage: request.coverage,
    addons: request.addons,
    remove_old_film: request.remove_old_film,
    shade: request.shade,
    windshield_shade: request.windshield_shade,
    factory_glass: request.factory_glass,
    jurisdiction: request.jurisdiction,
    estimate_id: request.estimate_id,
    work,
    known: modelOf(request, shop),
    shades: shadesOf(request),
    glass: bySide(request.factory_glass),
  };
}

/** A job as the fields of a request, as it was asked for. */
export function requestOf({ work: _, known: __, shades: ___, glass: ____, ...request }: Job): JobRequest {
  return request;
}

/** Which film goes where, and how long it takes. */
export function workOf({ service_type: service, ...request }: JobRequest, shop: Shop): Work {
  return resolveWork(shop, { ...request, service });
}

/** The estimate of a job: its price, its law and its length. @param vehicle_type where it is priced as another one */
export function estimateOf(job: Job, shop: Shop, vehicle_type?: string): AutomotiveEstimate {
  const { jurisdiction, shades, glass, work, known } = job;
  const type = vehicle_type ?? job.vehicle_type ?? "";
  const { confirm_class: unsure, vehicle_class: classes } = shop.tint_law;
  // A known model settles the class of a type that can count as either.
  const model = unsure.includes(type) ? known?.vehicleType : undefined;
  const isClassKnown = model !== undefined && !unsure.includes(model) && classes[model] === classes[type];
  const asked = { vehicle_type: type, jurisdiction, shades, glass, isClassKnown };
  const other = { ...job, service_type: work.service, vehicle_type };
  return estimateWork(shop, asked, vehicle_type === undefined ? work : workOf(other, shop));
}

export function shadesOf({ shade, windshield_shade }: JobRequest): Shades {
  const shades = bySide(shade);
  if (windshield_shade !== undefined) shades.windshield = windshield_shade;
  return shades;
}

function bySide(shade: Shade | undefined): Shades {
  if (typeof shade === "number") return { front_side: shade, rear_side: shade, rear_window: shade };
  const shades: Shades = {};
  for (const side of SIDES) if (shade?.[side] !== undefined) shades[side] = shade[side];
  return shades;
}

/** `35`, or `{front_side: 35, …}` where the sides differ; what is not wished is left out. */
export function shadeOf({ front_side, rear_side, rear_window }: Shades): Shade | undefined {
  if (front_side === rear_side && rear_side === rear_window) return front_side;
  return bySide({ front_side, rear_side, rear_window });
}

// The fields of requests.

const PERCENTAGE = 'must be a percentage from 1 to 100, like 35 or "35%"';
const SHADE_WORDING = `${PERCENTAGE}, or one of the shop's words for a shade`;
const GLASS_WORDING =
  "must be a percentage from 1 to 100, or an object of such with front_side, rear_side and rear_window";
/** So many letters are read as a shade in words. */
const LONGEST_SHADE = 60;
const scalarShade = () => z.union([z.int().min(1).max(100), line(LONGEST_SHADE)], { error: SHADE_WORDING });
const glassPercent = () => z.int().min(1).max(100);
const eachSide = <One extends z.ZodType>(one: () => One) =>
  z.object({
    front_side: optional(one()).meta({ description: "Front side windows." }),
    rear_side: optional(one()).meta({ description: "Rear side windows." }),
    rear_window: optional(one()).meta({ description: "Rear window." }),
  });

/** A wish as it was written becomes percentages. */
function inPercent<Written extends string | number | { [Position in Side]?: string | number | undefined }, Parsed>(
  written: z.ZodType<Written>,
  shop: Shop,
): z.ZodType<Parsed, Written> {
  const percent = (one: string | number | undefined) => (one === undefined ? undefined : parseShade(one, shop));
  return written.transform((wish, ctx) => {
    if (typeof wish === "number") return wish;
    const parsed = typeof wish === "string" ? percent(wish) : mapSides(wish, percent);
    const isUnknown =
      parsed === undefined ||
      (typeof wish === "object" &&
        SIDES.some((side) => wish[side] !== undefined && Object(parsed)[side] === undefined));
    if (isUnknown) ctx.addIssue({ code: "custom", message: wording(shop) });
    return parsed;
  }) as z.ZodType as z.ZodType<Parsed, Written>;
}

function mapSides<From, To>(sides: { [Position in Side]?: From }, change: (one: From | undefined) => To) {
  return Object.fromEntries(SIDES.flatMap((side) => (sides[side] === undefined ? [] : [[side, change(sides[side])]])));
}

function wording({ automotive }: Shop): string {
  const words = Object.keys(automotive.shade_words);
  return words.length > 0 ? `${PERCENTAGE}, or a shade word: ${oneOf(words)}` : PERCENTAGE;
}

/** @param more what documents say of each */
export const vehicleFields = ({ terms: { example } }: Shop, more: object = {}) => ({
  vehicle_year: optional(vehicleYear()).meta({
    description: "Model year, for display.",
    ...exampleOf(example.vehicle_year),
    ...more,
  }),
  vehicle_make: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_make), ...more }),
  vehicle_model: optional(line()).meta({ description: "For display.", ...exampleOf(example.vehicle_model), ...more }),
});

export const jobFields = (shop: Shop, addon: z.ZodType<string, string>) => ({
  addons: optional(z.array(addon).max(20)).meta({
    description: "Extras; duplicates are charged once.",
    example: shop.terms.addons.slice(0, 1),
  }),
  remove_old_film: optional(z.boolean()).meta({
    description: "Take old film off first, in the same visit.",
  }),
  shade: optional(
    inPercent<z.output<ReturnType<typeof scalarShade>> | { [Position in Side]?: string | number | undefined }, Shade>(
      z.union([scalarShade(), eachSide(scalarShade)], {
        error: `${SHADE_WORDING}, or an object with front_side, rear_side and rear_window`,
      }),
      shop,
    ),
  ).meta({
    description: "Wished shade of side and rear glass in percent of light: one, or one per position.",
    ...inTool("VLT in percent: one, or by glass."),
    ...exampleOf(sampleShade(shop)),
  }),
  windshield_shade: optional(inPercent<string | number, number>(scalarShade(), shop)).meta({
    description: "Wished shade of full windshield film, which the addons name, in percent of light.",
    example: 70,
  }),
  factory_glass: optional(z.union([glassPercent(), eachSide(glassPercent)], { error: GLASS_WORDING })).meta({
    description: "Light through the bare glass in percent, if metered: one, or one per position.",
    ...seldom,
  }),
  jurisdiction: optional(line()).meta({
    description: `The state whose tint law is checked, like ${shop.tint_law.home}; else the shop's own.`,
    example: shop.tint_law.home,
    ...inTool(`Like ${shop.tint_law.home}.`),
  }),
});

export function jurisdictionIssue(key: string | undefined, { tint_law: { jurisdictions } }: Shop) {
  return key === undefined || Object.hasOwn(jurisdictions, key)
    ? undefined
    : { message: "must be a jurisdiction this shop knows", allowed: Object.keys(jurisdictions) };
}

/** The check of a type, also of one left out: a vehicle without a price is neither priced nor booked as another. */
export function otherVehicleIssue(_type: string | undefined, shop: Shop, request: object = {}) {
  const { vehicle_make, vehicle_model }: Readonly<Record<string, unknown>> = { ...request };
  const name = [vehicle_make, vehicle_model].filter((part) => typeof part === "string").join(" ");
  if (name === "" || !isOtherVehicle(name, shop)) return undefined;
  const allowed = [...shop.terms.vehicleTypes];
  const message = `must be ${oneOf(allowed)}, and "${name}" names none of them`;
  return { message, allowed, code: "INVALID_VEHICLE_TYPE" as const };
}

/** Whether a text names a vehicle that the shop has no price for, and no model of the catalog. */
export function isOtherVehicle(text: string, shop: Shop): boolean {
  return otherVehicleIn(text, shop) !== undefined && modelIn(text, shop) === undefined;
}

/**
 * The shade in samples: the darkest of the sample's film that is legal on its vehicle in the home state, so that nobody copies
 * one that is not. Undefined when none is.
 */
export function sampleShade(shop: Shop): number | undefined {
  const { vehicle_type, film_type } = shop.terms.example;
  return entryOf(shop.automotive.films, film_type)
    .shades.map(({ vlt }) => vlt)
    .toSorted((a, b) => a - b)
    .find((vlt) => verdictOn(shop, { vehicle_type, film_type, shades: bySide(vlt) }).status === "legal");
}

// The job in answers.

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
    .meta({ description: "Wished shade of side and rear glass, in percent of light." }),
  windshield_shade: percent().meta({ description: "Wished shade of the windshield, in percent of light." }),
});

export function toShades({
  shade,
  windshield_shade,
}: JobRequest): z.output<z.ZodObject<ReturnType<typeof shadeShapes>>> {
  const windshield = windshield_shade ?? null;
  if (typeof shade !== "object") return { shade: shade ?? null, windshield_shade: windshield };
  const { front_side = null, rear_side = null, rear_window = null } = shade;
  const isWished = front_side !== null || rear_side !== null || rear_window !== null;
  return { shade: isWished ? { front_side, rear_side, rear_window } : null, windshield_shade: windshield };
}

export const vehicle = (type: z.ZodType<string, string>) =>
  z
    .object({
      type: type.nullable(),
      year: z.int().nullable().describe("Model year."),
      make: z.string().nullable().describe("Make."),
      model: z.string().nullable().describe("Model."),
      description: z.string().nullable().describe("All of it in words."),
    })
    .meta({ title: "Vehicle", description: "The vehicle, as far as it is known." });

/** @param shop undefined where it cannot be read: the type then stands as it was sent */
export function toVehicle(job: Vehicle, shop: Shop | undefined): z.output<ReturnType<typeof vehicle>> {
  const { vehicle_type: type = null, vehicle_year: year = null, vehicle_make: make = null } = job;
  const name = nameOf(job);
  const inWords = type === null || !shop ? type : (shop.terms.vehicleNames.get(type) ?? spaced(type));
  const description = name && inWords ? `${name} (${inWords})` : name || inWords;
  return { type, year, make, model: job.vehicle_model ?? null, description };
}

/** `2024 Toyota Highlander`, or what is known of it; empty where nothing is. */
export function nameOf({ vehicle_year: year, vehicle_make: make, vehicle_model: model }: Vehicle): string {
  let name = "";
  for (const part of [year, make, model]) if (part !== undefined) name += name === "" ? part : ` ${part}`;
  return name;
}
