import { z } from "zod";
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { words } from "../catalog/words.ts";
import { ballparkOf } from "../domain/flat-glass.ts";
import { toUnits } from "../domain/money.ts";
import { nextOpenMoment, rfc3339 } from "../domain/schedule.ts";
import { toE164 } from "../lib/phone.ts";
import { pick } from "../lib/pick.ts";
import {
  consent,
  count,
  email,
  LIMITS,
  line,
  optional,
  paragraph,
  personName,
  phone,
  propertyInfo,
  soft,
  sqft,
  vehicleYear,
} from "../schema/fields.ts";
import type { StoredAnswer } from "../store/store.ts";
import { BUILDING_TYPES, CONCERNS } from "../vocabulary.ts";
import { type Answer, type Context, defineCapability, type Suggestion } from "./core/capability.ts";
import { money, timestamp } from "./core/shapes.ts";
import { wordFields } from "./core/word-fields.ts";
import { toGlass } from "./lock/glass-fields.ts";
import { contradictions, toJob } from "./lock/job-fields.ts";
import { MAX_TOKEN } from "./lock/token.ts";
import { failContradiction, tokenFault, verified } from "./lock/verified.ts";
import { consentFault, ownData, phoneFault, phoneOf } from "./shared/customer.ts";
import { dryRun, rehearsal } from "./shared/dry-run.ts";
import { filmGoals, goalWarnings } from "./shared/goals.ts";
import { newLead, storeWithNewCodes } from "./shared/leads.ts";
import { repeatsBy } from "./shared/repeats.ts";
import { SAMPLE_PERSON } from "./shared/sample-person.ts";
import { areaOf, glassChecks, windowRows } from "./shared/windows.ts";

const answer = () =>
  z
    .object({
      lead_id: z.string().nullable().meta({ description: "Null in a dry run." }),
      reference: z.string().nullable().meta({ description: "A short name for the request, to say on the phone." }),
      status: z.enum(["received", "dry_run"]),
      received_at: timestamp(),
      follow_up: z.object({ expected_by: timestamp(), channel: z.enum(["phone"]) }).meta({ title: "FollowUp" }),
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
    })
    .meta({ title: "QuoteReceipt" });

/** The vehicle may be one that the shop has no price for, like a motorcycle. */
const vehicleFields = (catalog: Catalog) => ({
  vehicle_type: optional(line()).meta({ description: "Of work on a vehicle: its body type, in any words." }),
  vehicle_year: optional(vehicleYear()).meta({ description: "Model year." }),
  vehicle_make: optional(line()).meta({ description: "Make." }),
  vehicle_model: optional(line()).meta({ description: "Model." }),
  coverage: optional(wordFields(catalog).coverage).meta({ description: "Glass to be covered." }),
  film_type: optional(wordFields(catalog).filmType).meta({ description: "The film wished for." }),
});

const whole = (catalog: Catalog) =>
  z.object({
    first_name: personName().meta({ description: "Customer's first name.", example: SAMPLE_PERSON.first_name }),
    last_name: optional(line(LIMITS.name)).meta({
      description: "Customer's last name.",
      example: SAMPLE_PERSON.last_name,
    }),
    phone: phone().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.phone }),
    email: email().meta({ description: "For the follow-up.", example: SAMPLE_PERSON.email }),
    service_type: wordFields(catalog).quoted.meta({
      description: "The work: a service of the shop, or other.",
      example: sampleService(catalog),
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
    film_goals: filmGoals("Purposes of the film."),
    ...vehicleFields(catalog),
    address: optional(line(LIMITS.address)).meta({ description: "Address of the building." }),
    message: optional(paragraph()).meta({ description: "Anything else the shop should know." }),
    property_info: optional(propertyInfo()).meta({
      description: "Facts about the property, as text or as an object; at most 4 KiB.",
      ...soft,
    }),
    quote_request_id: optional(line(LIMITS.bookingRequestId)).meta({
      description:
        "Your own id for this request: sending it again with the same body gives the same answer and no second request. The Idempotency-Key header is an alias.",
      example: "order-7f3a",
    }),
    estimate_id: optional(line(MAX_TOKEN)).meta({
      description:
        "From an estimate: the shop sees what was quoted, and it fills in the work that this request leaves out.",
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
  film_goals: true,
  address: true,
  property_info: true,
} as const;

const request = derived((catalog) => (worksOnBuildings(catalog) ? whole(catalog) : forVehicles(whole(catalog))));

/** Safe: every field left out is optional, so a request without them is a request. */
function forVehicles(schema: ReturnType<typeof whole>): ReturnType<typeof whole> {
  return schema.omit(BUILDING_FIELDS) as z.ZodType as ReturnType<typeof whole>;
}

function worksOnBuildings(catalog: Catalog): boolean {
  return words(catalog).siteTypes.length > 0;
}

const repeats = repeatsBy("quote_request_id");
const ownFault = ownData("email");
const GLASS = glassChecks("square_footage");

/** Ask the shop for a quote. Source: spec sections 2.3 and 4.7, contract section 4. */
export const quoteRequest = defineCapability({
  id: "quote_request",
  title: "Quote request",
  description: (catalog) =>
    `Sends the shop a quote request: stores a lead, starts the follow-up${worksOnBuildings(catalog) ? ", answers with a ballpark when the glass is known" : ""}. Ask the end user's consent first.`,
  returnsPrice: true,
  useWhen: [
    (catalog) => `The user wants a binding quote or a call back${buildingWork(catalog)}.`,
    "A booking or estimate is not possible online.",
  ],
  avoidWhen: ["The user only wants a price: use an estimate."],
  input: request,
  output: answer,
  status: 200,
  errors: ["IDEMPOTENCY_CONFLICT"],
  limit: "quote_requests_per_minute",
  sample: (catalog) => ({
    first_name: SAMPLE_PERSON.first_name,
    last_name: SAMPLE_PERSON.last_name,
    phone: SAMPLE_PERSON.phone,
    email: SAMPLE_PERSON.email,
    ...(worksOnBuildings(catalog)
      ? { service_type: sampleService(catalog), square_footage: 350.5, film_goals: ["heat_reduction"] }
      : { service_type: sampleService(catalog), ...pick(words(catalog).example, "vehicle_type", "film_type") }),
    dry_run: true,
  }),
  checks: {
    first_name: (name, _catalog, body) => ownFault(name, body, SAMPLE_PERSON.first_name, SAMPLE_PERSON.name),
    last_name: (name, _catalog, body) => ownFault(name, body, SAMPLE_PERSON.last_name),
    phone: (phone, catalog, body) => ownFault(phone, body, SAMPLE_PERSON.phone) ?? phoneFault(phone, catalog),
    email: (email, _catalog, body) => ownFault(email, body, SAMPLE_PERSON.email),
    consent: consentFault,
    square_footage: GLASS.area,
    windows: GLASS.windows,
    estimate_id: (token) => tokenFault(token, ["flat_glass", "automotive"]),
  },
  async replay(input, ctx) {
    const phone = toE164(input.phone, ctx.catalog.business.address.country);
    const repeat = phone === undefined ? null : repeats.of(input, phone, ctx);
    const earlier = repeat && (await ctx.store.findEarlierLead(repeat.scope, repeat.id));
    return earlier?.bodyHash === repeat?.bodyHash && earlier ? repeated(earlier, input, ctx.catalog) : undefined;
  },
  async run(input, ctx) {
    const { catalog, store } = ctx;
    const phone = phoneOf(input.phone, catalog);
    const repeat = repeats.of(input, phone, ctx);
    const earlier = repeat && (await store.findEarlierLead(repeat.scope, repeat.id));
    const answerTo = (found: StoredAnswer) => {
      repeats.requireSame(found, repeat, ctx);
      return repeated(found, input, catalog);
    };
    if (earlier) return answerTo(earlier);
    const quoted = input.estimate_id === undefined ? undefined : await estimateOf(input, input.estimate_id, ctx);
    const make = () => newQuoteRequest({ ...input, ...quoted?.filled }, quoted?.estimate, phone, ctx);
    if (input.dry_run) return rehearsed((await make()).answer, input);
    const { made, outcome } = await storeWithNewCodes(
      make,
      ({ lead, answer }) => store.addLead({ ...lead, request: repeat && { ...repeat, answer } }),
      ({ kind }) => kind === "code_in_use",
    );
    if (outcome.kind === "earlier") return answerTo(outcome.earlier);
    return {
      data: made.answer,
      suggestions: nextSteps({ ...input, ...quoted?.filled }, catalog),
      warnings: goalWarnings(input.film_goals),
    };
  },
});

/** The estimate as the lead shows it, and the fields that it fills in. @throws ApiError BAD_REQUEST */
async function estimateOf(input: QuoteRequest, token: string, ctx: Context<never>) {
  const { lock } = await verified(token, "any", ctx);
  const shown = { total: toUnits(lock.total), valid_until: lock.validUntil };
  if (!lock.fields) return { estimate: shown, filled: {} };
  if (lock.kind === "automotive") {
    const job = toJob(lock.fields);
    const asked = pick(input, "service_type", "vehicle_type", "film_type", "coverage");
    const other = contradictions(asked, job, ctx.catalog);
    if (other.length > 0) failContradiction(ctx, other);
    return { estimate: { ...shown, ...job }, filled: pick(job, "vehicle_type", "film_type", "coverage") };
  }
  const { site_type, square_footage, ...glass } = toGlass(lock.fields);
  const sqft = sqftOf(input, ctx.catalog);
  const differing = [
    ...(input.service_type === site_type ? [] : [{ field: "service_type", held: site_type }]),
    ...(sqft === undefined || sqft === square_footage ? [] : [{ field: "square_footage", held: square_footage }]),
  ];
  if (differing.length > 0) failContradiction(ctx, differing);
  const { needs_ladder = glass.needs_ladder } = input;
  return { estimate: { ...shown, ...glass }, filled: { square_footage, needs_ladder } };
}

type QuoteRequest = z.output<ReturnType<typeof request>>;
type QuoteAnswer = z.output<ReturnType<typeof answer>>;

function repeated({ answer: stored }: StoredAnswer, input: QuoteRequest, catalog: Catalog): Answer<QuoteAnswer> {
  const data = answer().parse(stored);
  return input.dry_run ? rehearsed(data, input) : { data, suggestions: nextSteps(input, catalog), replayed: true };
}

function rehearsed(data: QuoteAnswer, input: QuoteRequest): Answer<QuoteAnswer> {
  const answer = { ...data, lead_id: null, reference: null, status: "dry_run" as const };
  return { ...rehearsal("quote_request", input, answer), warnings: goalWarnings(input.film_goals) };
}

/** The glass area in square feet, from the windows where they are given. */
function sqftOf({ windows, square_footage }: QuoteRequest, catalog: Catalog): number | undefined {
  return areaOf(windows, catalog) ?? square_footage;
}

async function newQuoteRequest(input: QuoteRequest, estimate: object | undefined, phone: string, ctx: Context<never>) {
  const { catalog, now } = ctx;
  const sqft = sqftOf(input, catalog);
  const { dry_run: _, ...details } = input;
  const lead = await newLead(
    {
      kind: "quote_request",
      name: [input.first_name, input.last_name].filter((part) => part !== undefined).join(" "),
      phone,
      email: input.email,
      serviceType: input.service_type,
      details: { ...details, ...(sqft !== undefined && { square_footage: sqft }), ...(estimate && { estimate }) },
    },
    null,
    ctx,
  );
  // The customer can expect an answer when the shop is next open after the last follow-up step.
  const lastStep = Math.max(lead.createdAt, ...lead.jobs.map(({ dueAt }) => dueAt));
  const answer: QuoteAnswer = {
    lead_id: lead.id,
    reference: lead.reference,
    status: "received",
    received_at: rfc3339(catalog, now.epochMilliseconds),
    follow_up: { expected_by: rfc3339(catalog, nextOpenMoment(catalog, lastStep)), channel: "phone" },
    ballpark: sqft === undefined || !isBuilding(input, catalog) ? null : toBallpark(sqft, input, catalog),
  };
  return { lead, answer };
}

function nextSteps(input: QuoteRequest, catalog: Catalog): Suggestion[] {
  const category = catalog.services.find(({ key }) => key === input.service_type)?.faq_category;
  return [
    ...pricing(input, catalog),
    {
      action: "list_faq",
      description: "Answer questions about the work meanwhile.",
      input: { ...(category && { category }) },
    },
  ];
}

/** A price meanwhile, where the request says enough for one. */
function pricing(input: QuoteRequest, catalog: Catalog): Suggestion[] {
  const { services, vehicleTypes } = words(catalog);
  const sqft = sqftOf(input, catalog);
  if (isBuilding(input, catalog)) {
    if (sqft === undefined) return [];
    const area = input.windows ? pick(input, "windows") : { total_sqft: sqft };
    return [
      {
        action: "flat_glass_estimate",
        description: "Show the customer Good, Better and Best with films while they wait for the quote.",
        input: { ...area, site_type: input.service_type, ...pick(input, "floors", "needs_ladder", "film_goals") },
      },
    ];
  }
  const { vehicle_type: type, service_type: service } = input;
  if (!services.includes(service) || type === undefined || !vehicleTypes.includes(type)) return [];
  const vehicle = pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model");
  return [
    {
      action: "automotive_estimate",
      description: "Show the customer the price while they wait; the answer leads on to open times.",
      input: { ...vehicle, service, ...pick(input, "coverage", "film_type") },
    },
  ];
}

function isBuilding({ service_type }: QuoteRequest, catalog: Catalog): boolean {
  return words(catalog).siteTypes.includes(service_type);
}

/** ` for a house, …`; a kind of film or work is not named to the customers of a shop that does not offer it. */
function buildingWork(catalog: Catalog): string {
  if (!worksOnBuildings(catalog)) return "";
  const isSold = words(catalog).siteTypes.some((site) => CONCERNS.some((concern) => concern === site));
  return ` for ${isSold ? "a house, office, storefront or security film" : "a house, office or storefront"}`;
}

function sampleService(catalog: Catalog): string {
  return words(catalog).siteTypes[0] ?? catalog.automotive.defaults.service;
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
