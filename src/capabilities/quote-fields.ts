/** The request for a quote. A shop without work on buildings asks only about vehicles. */
import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { wordMeant } from "../catalog/words.ts";
import { BUILDING_TYPES } from "../constants.ts";
import { MAX_TOKEN } from "../job/forms.ts";
import { capitalised } from "../lib/text.ts";
import {
  consent,
  count,
  email,
  inTool,
  LIMITS,
  line,
  linesFor,
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
import { SAMPLE_PERSON } from "./core/sample-person.ts";
import { termFields } from "./core/shapes.ts";
import { dryRun } from "./core/stored-requests.ts";
import { areaOf, extraFields, filmGoals, windowRows } from "./glass-fields.ts";

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
      ...linesFor(Object.fromEntries(BUILDING_TYPES.map((type) => [type, `${capitalised(type)}.`]))),
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
    film_goals: filmGoals("Purposes of the film.", catalog),
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

/** Whether the work asked for is on a building. */
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

/** The service that samples of this request name. */
export function sampleService(catalog: Shop): string {
  return catalog.terms.siteTypes[0] ?? catalog.automotive.defaults.service;
}
