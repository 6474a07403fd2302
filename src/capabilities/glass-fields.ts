/** The fields of glass that flat-glass estimates and quote requests share (contract 14), and those of quote requests. */
import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { wordMeant } from "../catalog/words.ts";
import { BUILDING_TYPES, CONCERNS, FILM_GOALS } from "../constants.ts";
import { concernName, flatGlassOf, isKnownGoal, measure, type WindowRow } from "../domain/flat-glass.ts";
import { MAX_TOKEN } from "../job/forms.ts";
import { hundredthsOf } from "../lib/money.ts";
import { capitalized, wordForm } from "../lib/text.ts";
import { joinWithAnd } from "../schema/explain.ts";
import {
  consent,
  count,
  email,
  inTool,
  LIMITS,
  line,
  linesFor,
  MOST_SQFT,
  optional,
  paragraph,
  personName,
  phone,
  propertyInfo,
  seldom,
  soft,
  sqft,
  vehicleYear,
} from "../schema/fields.ts";
import type { FieldIssue } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import type { View } from "./core/price-shapes.ts";
import { SAMPLE_PERSON } from "./core/samples.ts";
import { termFields } from "./core/shapes.ts";
import { dryRun } from "./core/stored-requests.ts";

const MOST_ROWS = 200;
/** A pane of an inch by an inch still counts as a hundredth of a square foot. */
const inchesField = () => z.number().min(1).max(1200);

export const windowRows = () =>
  z
    .array(
      z
        .object(
          {
            width_in: inchesField().meta({ description: "Width of a pane in inches.", example: 36 }),
            height_in: inchesField().meta({ description: "Height of a pane in inches.", example: 60 }),
            quantity: z.int().min(1).max(10_000).meta({ description: "Panes of this size.", example: 8 }),
            label: optional(line()).meta({ description: "Name of these windows.", example: "Lobby", ...seldom }),
            blocked: optional(z.boolean()).meta({
              description: "Furniture stands in front of them.",
              ...inTool("By furniture."),
            }),
            curtain: optional(z.boolean()).meta({ description: "They have blinds or curtains." }),
          },
          { error: "must be a window with width_in, height_in and quantity" },
        )
        .meta({ title: "WindowRow" }),
    )
    .min(1)
    .max(MOST_ROWS);

/** What makes work on windows dearer, in estimates and in quote requests. */
export const extraFields = () => ({
  blocked_windows: optional(count()).meta({ description: "Windows with furniture in front.", example: 2, ...seldom }),
  curtain_windows: optional(count()).meta({ description: "Windows with blinds or curtains.", example: 3, ...seldom }),
  existing_film_sqft: optional(z.number().min(0).max(MOST_SQFT)).meta({
    description: "Old film to remove, in square feet.",
    ...inTool("Old film to remove."),
    example: 100,
  }),
});

/** Area of the windows in square feet; undefined without windows. */
function areaOf(windows: readonly WindowRow[] | undefined, catalog: Shop): number | undefined {
  return windows && measure(windows, flatGlassOf(catalog).round_up).sqft;
}

/** Panes so small that feet may have been sent as inches, and more old film than glass. @param sqft area of the glass */
export function sizeWarnings(
  { windows = [], existing_film_sqft: old = 0 }: { windows?: readonly WindowRow[]; existing_film_sqft?: number },
  sqft: number,
  catalog: Shop,
): Warning[] {
  const { under_in: side, up_to: few } = flatGlassOf(catalog).small_panes;
  const small = windows.filter(({ width_in, height_in }) => width_in < side && height_in < side);
  const count = small.reduce((sum, { quantity }) => sum + quantity, 0);
  const code = "SIZE_CHECK" as const;
  const isInFeet = `${count} of the panes ${count === 1 ? "is" : "are"} under ${side} x ${side} inches: were feet sent as inches?`;
  const isMoreFilm = `There is more old film (${old} sq ft) than glass (${sqft} sq ft): check both areas.`;
  return [
    ...(count > 0 && count <= few ? [{ code, field: "windows", message: isInFeet }] : []),
    ...(old > sqft ? [{ code, field: "existing_film_sqft", message: isMoreFilm }] : []),
  ];
}

type Body = Readonly<Record<string, unknown>> | undefined;

/** The windows of a request; undefined where they are left out, or have an issue of their own. */
function windowsIn(body: Body): WindowRow[] | undefined {
  // Checked first, because making the schema takes ten times as long as the rest of an estimate.
  return body?.windows === undefined ? undefined : windowRows().safeParse(body.windows).data;
}

/** The checks of `windows` and of the fields that say area and counts outright: both may be given when they agree. */
export function glassChecks(areaField: "total_sqft" | "square_footage") {
  return {
    blocked: countCheck("blocked"),
    curtain: countCheck("curtain"),
    area: (sqft: number | undefined, _: Shop, body?: Body): FieldIssue | undefined => {
      const windows = windowsIn(body);
      return differ(sqft, windows) ? { message: disagreement(sqft, windows, "windows") } : undefined;
    },
    windows: (windows: readonly WindowRow[] | undefined, catalog: Shop, body?: Body): FieldIssue | undefined => {
      if ((areaOf(windows, catalog) ?? 0) > MOST_SQFT) return { message: `must add up to ${MOST_SQFT} sq ft or less` };
      const sqft = body?.[areaField];
      return typeof sqft === "number" && differ(sqft, windows)
        ? { message: disagreement(sqft, windows, areaField), against: areaField }
        : undefined;
    },
  };
}

/** The issue of a count of windows that disagrees with the rows. */
function countCheck(kind: "blocked" | "curtain") {
  return (count: number | undefined, _: Shop, body?: Body): FieldIssue | undefined => {
    const windows = windowsIn(body);
    const counted = windows && measure(windows, "none")[kind];
    return counted && count !== undefined && count !== counted
      ? { message: `is ${count}, but windows has ${counted} marked ${kind}: send one of them` }
      : undefined;
  };
}

/** Two areas count as the same up to this difference. */
const PERCENT = 1;

/** Whether a stated area and the exact area of the windows are more than one percent apart. */
function differ(sqft: number | undefined, windows: readonly WindowRow[] | undefined): sqft is number {
  if (sqft === undefined || !windows) return false;
  const exact = hundredthsOf(measure(windows, "none").sqft);
  return Math.abs(hundredthsOf(sqft) - exact) * 100 > exact * PERCENT;
}

function disagreement(sqft: number, windows: readonly WindowRow[] | undefined, other: string): string {
  const measured = measure(windows ?? [], "none").sqft;
  const [one, two] = other === "windows" ? [sqft, measured] : [measured, sqft];
  return `is ${one} sq ft, but ${other} ${other === "windows" ? "add up to" : "is"} ${two} sq ft: correct one, or send one of them`;
}

/** What a customer wants of film on a building. */
export const concern = (catalog: Shop) =>
  z.enum(CONCERNS).meta({
    description: "What the film is for.",
    ...linesFor(Object.fromEntries(CONCERNS.map((one) => [one, `${capitalized(concernName(one, catalog))}.`]))),
  });

const KNOWN = [...new Set<string>([...FILM_GOALS, ...CONCERNS])].join(", ");

/** A goal picks films, so the customer's words for a concern count too. */
export const filmGoals = (shop: Shop) =>
  optional(
    z
      .array(
        line()
          .min(1)
          .refine((goal) => isInItsForm(goal, shop)),
      )
      .max(20),
  ).meta({
    description: `Purposes of the film; where no concern is named, the first known one picks the films. Known: ${KNOWN}; other words are passed on.`,
    example: ["heat_reduction"],
  });

/** False for a known goal in another notation or in a customer's words, which the reader then corrects. */
function isInItsForm(goal: string, shop: Shop): boolean {
  if (isKnownGoal(goal)) return true;
  return !isKnownGoal(wordForm(goal)) && wordMeant(goal, "concerns", shop) === undefined;
}

export function goalWarnings(goals: readonly string[] = [], view: View = "full"): Warning[] {
  const unknown = [...new Set(goals)].filter((goal) => !isKnownGoal(goal)).map((goal) => `"${goal}"`);
  if (unknown.length === 0) return [];
  const kept = unknown.length === 1 ? "is kept as it is, but picks" : "are kept as they are, but pick";
  return [
    {
      code: "UNKNOWN_GOAL",
      field: "film_goals",
      message: `${joinWithAnd(unknown)} ${kept} no film.${view === "full" ? ` Known goals: ${KNOWN}.` : ""}`,
    },
  ];
}

/** The vehicle may be one that the shop has no price for, like a motorcycle. */
const quotedVehicleFields = (catalog: Shop) => ({
  vehicle_type: optional(line()).meta({ description: "Of work on a vehicle: its body type, in any words." }),
  vehicle_year: optional(vehicleYear()).meta({ description: "Model year." }),
  vehicle_make: optional(line()).meta({ description: "Make." }),
  vehicle_model: optional(line()).meta({ description: "Model." }),
  coverage: optional(termFields(catalog).coverage).meta({ description: "Glass to be covered." }),
  film_type: optional(termFields(catalog).filmType).meta({ description: "The film wished for." }),
});

const whole = (catalog: Shop) =>
  z.object({
    first_name: personName().meta({ description: "Customer's first name.", example: SAMPLE_PERSON.first_name }),
    last_name: optional(line(LIMITS.name)).meta({
      description: "Customer's last name.",
      example: SAMPLE_PERSON.last_name,
    }),
    phone: phone().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.phone }),
    email: email().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.email }),
    service_type: termFields(catalog).quoted.meta({
      description: "The work: a service of the shop, or other.",
      example: sampleService(catalog),
    }),
    company_name: optional(line(LIMITS.name)).meta({ description: "For commercial work." }),
    building_type: optional(z.enum(BUILDING_TYPES)).meta({
      description: "Kind of building.",
      example: "office",
      ...linesFor(Object.fromEntries(BUILDING_TYPES.map((type) => [type, `${capitalized(type)}.`]))),
    }),
    square_footage: optional(sqft()).meta({
      description: "Estimated glass area in square feet; gives a ballpark.",
      ...inTool("Of glass."),
      example: 350.5,
    }),
    windows: optional(windowRows()).meta({
      description: "The windows, one row for each size, instead of square_footage.",
      example: [{ width_in: 36, height_in: 60, quantity: 8 }],
    }),
    window_count: optional(count()).meta({ description: "Approximate number of windows.", example: 12 }),
    floors: optional(z.int().min(1).max(200)).meta({ description: "Floors in the building.", example: 2 }),
    needs_ladder: optional(z.boolean()).meta({ description: "Upper windows need a ladder; adds to the ballpark." }),
    ...extraFields(),
    furniture_moving: optional(z.boolean()).meta({ description: "Furniture must be moved." }),
    blinds_removal: optional(z.boolean()).meta({ description: "Blinds or curtains must come down and go up again." }),
    film_goals: filmGoals(catalog),
    ...quotedVehicleFields(catalog),
    address: optional(line(LIMITS.address)).meta({ description: "Address of the building." }),
    message: optional(paragraph()).meta({ description: "Anything else the shop should know." }),
    property_info: optional(propertyInfo()).meta({
      description: "Facts about the property, as text or as an object; at most 4 KiB.",
      ...soft,
      ...seldom,
    }),
    quote_request_id: optional(line(LIMITS.bookingRequestId)).meta({
      description: "Your own id: sent again, it makes no second request.",
      ...inTool("Your own id, against repeats."),
    }),
    estimate_id: optional(line(MAX_TOKEN)).meta({
      description: "From an estimate: the shop sees it, and it fills in the rest of the work.",
      ...inTool("Fills in the work of the estimate."),
    }),
    consent: optional(consent()).meta({ description: "The end user's agreement." }),
    dry_run: dryRun(),
  });

/** Fields that only work on a building has. */
const BUILDING_FIELDS = {
  company_name: true,
  building_type: true,
  square_footage: true,
  windows: true,
  window_count: true,
  floors: true,
  needs_ladder: true,
  furniture_moving: true,
  blinds_removal: true,
  blocked_windows: true,
  curtain_windows: true,
  existing_film_sqft: true,
  film_goals: true,
  address: true,
  property_info: true,
} as const;

export const quoteInput = (catalog: Shop) => (worksOnBuildings(catalog) ? whole(catalog) : forVehicles(whole(catalog)));
export type QuoteRequest = z.output<ReturnType<typeof quoteInput>>;

/** Safe: every field left out is optional, so a request without them is a request. */
function forVehicles(schema: ReturnType<typeof whole>): ReturnType<typeof whole> {
  return schema.omit(BUILDING_FIELDS) as z.ZodType as ReturnType<typeof whole>;
}

export function worksOnBuildings(catalog: Shop): boolean {
  return catalog.terms.siteTypes.length > 0;
}

export function isBuilding({ service_type }: Pick<QuoteRequest, "service_type">, catalog: Shop): boolean {
  return catalog.terms.siteTypes.includes(service_type);
}

/** The glass area in square feet, from the windows where they are given. */
export function sqftOf({ windows, square_footage }: QuoteRequest, catalog: Shop): number | undefined {
  return areaOf(windows, catalog) ?? square_footage;
}

/** The vehicle type of the shop that a customer's words mean, like `SUV` or `pickup`; other words as they are. */
export function vehicleWord(text: string, catalog: Shop): string {
  return wordMeant(text, "vehicle_types", catalog) ?? text;
}

export function sampleService(catalog: Shop): string {
  return catalog.terms.siteTypes[0] ?? catalog.automotive.defaults.service;
}
