import { z } from "zod";
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { words } from "../catalog/words.ts";
import { ballparkOf } from "../domain/flat-glass.ts";
import { toUnits } from "../domain/money.ts";
import { nextOpenMoment, rfc3339 } from "../domain/schedule.ts";
import { serviceOf } from "../domain/work.ts";
import { pick } from "../lib/pick.ts";
import {
  consent,
  count,
  email,
  exampleOf,
  LIMITS,
  line,
  optional,
  paragraph,
  personName,
  phone,
  propertyInfo,
  soft,
  sqft,
} from "../schema/fields.ts";
import { BUILDING_TYPES, CONCERNS, FILM_GOALS } from "../vocabulary.ts";
import { defineCapability } from "./core/capability.ts";
import { money, timestamp } from "./core/shapes.ts";
import { wordFields } from "./core/word-fields.ts";
import { consentFault, phoneFault, phoneOf } from "./shared/customer.ts";
import { newLead, storeWithNewCodes } from "./shared/leads.ts";
import { SAMPLE_CONSENT, SAMPLE_PERSON } from "./shared/samples.ts";
import { areaOf, glassChecks, windowRows } from "./shared/windows.ts";

const answer = () =>
  z.object({
    lead_id: z.string(),
    reference: z.string().meta({ description: "A short name for the request, to say on the phone." }),
    status: z.literal("received"),
    received_at: timestamp(),
    follow_up: z.object({ expected_by: timestamp(), channel: z.enum(["phone"]) }),
    ballpark: z
      .object({
        currency: z.string(),
        square_footage: z.number(),
        price_per_sqft_min: money(),
        price_per_sqft_max: money(),
        total_min: money(),
        total_max: money(),
      })
      .nullable(),
  });

const request = derived((catalog) =>
  z.object({
    first_name: personName().meta({ description: "Customer's first name.", example: "Jordan" }),
    last_name: optional(line(LIMITS.name)).meta({ description: "Customer's last name.", example: "Sample" }),
    phone: phone().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.phone }),
    email: email().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.email }),
    service_type: wordFields(catalog).siteType.meta({
      description: "Kind of work.",
      ...exampleOf(words(catalog).siteTypes[0]),
    }),
    company_name: optional(line(LIMITS.name)).meta({ description: "For commercial work." }),
    building_type: optional(z.enum(BUILDING_TYPES)).meta({ description: "Kind of building.", example: "office" }),
    square_footage: optional(sqft()).meta({
      description: "Estimated glass area in square feet; gives a ballpark.",
      example: 350.5,
    }),
    windows: optional(windowRows()).meta({
      description: "The windows, one row for each size, instead of square_footage.",
      example: [{ width_in: 36, height_in: 60, quantity: 8 }],
    }),
    window_count: optional(count()).meta({ description: "Approximate number of windows.", example: 12 }),
    floors: optional(z.int().min(1).max(200)).meta({ description: "Floors in the building.", example: 2 }),
    needs_ladder: optional(z.boolean()).meta({ description: "Upper windows need a ladder; adds to the ballpark." }),
    furniture_moving: optional(z.boolean()).meta({ description: "Furniture must be moved." }),
    blinds_removal: optional(z.boolean()).meta({ description: "Blinds or curtains must come down and go up again." }),
    film_goals: optional(z.array(z.enum(FILM_GOALS)).max(20)).meta({
      description: "Purposes of the film.",
      example: ["heat_reduction"],
    }),
    address: optional(line(LIMITS.address)).meta({ description: "Address of the building." }),
    message: optional(paragraph()).meta({ description: "Anything else the shop should know." }),
    property_info: optional(propertyInfo()).meta({
      description: "Facts about the property, as text or as an object; at most 4 KiB.",
      ...soft,
    }),
    consent: optional(consent()).meta({ description: "The end user's agreement." }),
  }),
);

const GLASS = glassChecks("square_footage");

/** Ask the shop for a quote. Source: spec sections 2.3 and 4.7, contract section 4. */
export const quoteRequest = defineCapability({
  id: "quote_request",
  title: "Quote request",
  description:
    "Sends the shop a quote request for film on a building: stores a lead, starts the follow-up, and answers with a ballpark when the glass area is known. Ask the end user's consent first.",
  returnsPrice: true,
  useWhen: [
    (catalog) => `The user wants a binding quote or a call back for ${buildingWork(catalog)}.`,
    "A booking or estimate is not possible online.",
  ],
  avoidWhen: [
    "The user only wants a rough price: use flat_glass_estimate.",
    "The user has not agreed to be contacted.",
  ],
  isOffered: (catalog) => words(catalog).siteTypes.length > 0,
  input: request,
  output: answer,
  status: 200,
  errors: [],
  limit: "quote_requests_per_minute",
  tool: true,
  sample: (catalog) => ({
    first_name: "Jordan",
    last_name: "Sample",
    phone: SAMPLE_PERSON.phone,
    email: SAMPLE_PERSON.email,
    service_type: words(catalog).siteTypes[0] ?? "",
    building_type: "office" as const,
    square_footage: 350.5,
    film_goals: ["heat_reduction" as const],
    consent: SAMPLE_CONSENT,
  }),
  checks: { phone: phoneFault, consent: consentFault, square_footage: GLASS.area, windows: GLASS.windows },
  async run(input, ctx) {
    const { catalog, now } = ctx;
    const sqft = areaOf(input.windows, catalog) ?? input.square_footage;
    const { made: lead } = await storeWithNewCodes(
      () =>
        newLead(
          {
            kind: "quote_request",
            name: [input.first_name, input.last_name].filter((part) => part !== undefined).join(" "),
            phone: phoneOf(input.phone, catalog),
            email: input.email,
            serviceType: input.service_type,
            details: { ...input, ...(sqft !== undefined && { square_footage: sqft }) },
          },
          null,
          ctx,
        ),
      (made) => ctx.store.addLead(made),
      (isStored) => !isStored,
    );
    // The customer can expect an answer when the shop is next open after the last follow-up step.
    const lastStep = Math.max(lead.createdAt, ...lead.jobs.map(({ dueAt }) => dueAt));
    return {
      data: {
        lead_id: lead.id,
        reference: lead.reference,
        status: "received" as const,
        received_at: rfc3339(catalog, now.epochMilliseconds),
        follow_up: { expected_by: rfc3339(catalog, nextOpenMoment(catalog, lastStep)), channel: "phone" as const },
        ballpark: sqft === undefined ? null : toBallpark(sqft, input, catalog),
      },
      suggestions: [
        ...(sqft === undefined
          ? []
          : [
              {
                action: "flat_glass_estimate" as const,
                description: "Show the customer Good, Better and Best with films while they wait for the quote.",
                input: {
                  ...(input.windows ? pick(input, "windows") : { total_sqft: sqft }),
                  site_type: input.service_type,
                  ...pick(input, "floors", "needs_ladder", "film_goals"),
                },
              },
            ]),
        {
          action: "list_faq",
          description: "Answer questions about the work meanwhile.",
          input: { category: serviceOf(catalog, input.service_type).faq_category },
        },
      ],
    };
  },
});

/** Security film is not named to the customers of a shop that does not offer it. */
function buildingWork(catalog: Catalog): string {
  const isSold = words(catalog).siteTypes.some((site) => CONCERNS.some((concern) => concern === site));
  return isSold ? "a house, office, storefront or security film" : "a house, office or storefront";
}

function toBallpark(
  sqft: number,
  { needs_ladder: ladder = false }: { needs_ladder?: boolean | undefined },
  catalog: Catalog,
) {
  const { perSqft, total } = ballparkOf(catalog, sqft, ladder);
  return {
    currency: catalog.currency,
    square_footage: sqft,
    price_per_sqft_min: toUnits(perSqft.min),
    price_per_sqft_max: toUnits(perSqft.max),
    total_min: toUnits(total.min),
    total_max: toUnits(total.max),
  };
}
