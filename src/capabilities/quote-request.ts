import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { JOBS } from "../constants.ts";
import { type Ballpark, ballparkOf } from "../domain/flat-glass.ts";
import { OPEN_LEADS } from "../domain/lifecycle.ts";
import { nextOpenMoment, rfc3339 } from "../domain/schedule.ts";
import { tokenIssue } from "../job/price.ts";
import { pick } from "../lib/fields.ts";
import { toUnits } from "../lib/money.ts";
import type { Phone } from "../lib/phone.ts";
import { linesFor } from "../schema/fields.ts";
import type { EarlierLead, Idempotency } from "../store/store.ts";
import { type Answer, type Context, defineCapability } from "./core/capability.ts";
import type { Warning } from "./core/envelope.ts";
import { idempotencyBy } from "./core/idempotency.ts";
import { glassPriceNote, priceNote, taxedTotal, taxShape, toTax, totalWithTax } from "./core/price-shapes.ts";
import { SAMPLE_PERSON } from "./core/samples.ts";
import { currency, currencyUnits, timestamp } from "./core/shapes.ts";
import {
  asDryRun,
  consentIssue,
  contactDoubts,
  freeTextIssue,
  nameIssue,
  newLead,
  ownData,
  phoneIssue,
  phoneOf,
  storeWithNewCodes,
} from "./core/stored-requests.ts";
import {
  glassChecks,
  goalWarnings,
  isBuilding,
  type QuoteRequest,
  quoteInput,
  sampleService,
  sizeWarnings,
  sqftOf,
  worksOnBuildings,
} from "./glass-fields.ts";
import { estimateForRequest, quoteNextSteps } from "./quote-estimate.ts";

const quoteRequestAnswer = () =>
  z
    .object({
      lead_id: z.string().nullable().meta({ description: "Null in a dry run." }),
      reference: z.string().nullable().meta({ description: "A short name for the request, to say on the phone." }),
      status: z.enum(["received", "dry_run"]).meta({
        description: "What became of it.",
        ...linesFor({ received: "The shop has it.", dry_run: "Nothing was stored." }),
      }),
      received_at: timestamp().describe("When it came."),
      follow_up: z
        .object({
          expected_by: timestamp().describe("By then the shop gets in touch."),
          channel: z.enum(["phone"]).describe("How."),
        })
        .meta({ title: "FollowUp", description: "What the shop does next." }),
      ballpark: z
        .object({
          currency: currency(),
          square_footage: z.number().describe("Area of the glass."),
          price_per_sqft_min: currencyUnits().describe("Lower end of the rate."),
          price_per_sqft_max: currencyUnits().describe("Upper end of the rate."),
          total_min: currencyUnits().describe("From."),
          total_max: currencyUnits().describe("To."),
          tax: taxShape(),
          total_min_with_tax: totalWithTax(),
          total_max_with_tax: totalWithTax(),
          price_note: priceNote(),
        })
        .nullable()
        .describe("A first figure; null without the area of the glass."),
    })
    .meta({ title: "QuoteReceipt", description: "The request as the shop has it." });

const idempotent = idempotencyBy({
  field: "quote_request_id",
  phoneField: "phone",
  makes: "quote request",
  find: (store, { scope, id, bodyHash }) => store.findEarlierLead(scope, id, bodyHash),
  ended: ({ status }: EarlierLead) => (OPEN_LEADS.includes(status) ? undefined : "was closed"),
});
const ownDataIssue = ownData("email");
const GLASS = glassChecks("square_footage");

/** Ask the shop for a quote. Source: contract 4. */
export const quoteRequest = defineCapability({
  id: "quote_request",
  title: "Quote request",
  description: (catalog) =>
    `Sends the shop a quote request: stores a lead${worksOnBuildings(catalog) ? ", answers with a ballpark when the glass is known" : ""}. Ask the end user's consent first.`,
  inTools: ["Asks the shop for a binding quote or a call back. Ask the end user first."],
  returnsPrice: true,
  useWhen: ["The user wants a binding quote or a call back.", "A booking or estimate is not possible online."],
  avoidWhen: ["The user only wants a price: use an estimate."],
  input: quoteInput,
  output: quoteRequestAnswer,
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
      : { service_type: sampleService(catalog), ...pick(catalog.terms.example, "vehicle_type", "film_type") }),
    dry_run: true,
  }),
  demands: ["consent"],
  checks: {
    first_name: (name, catalog, body) =>
      nameIssue(name, catalog) ?? ownDataIssue(name, body, SAMPLE_PERSON.first_name, SAMPLE_PERSON.name),
    last_name: (name, _catalog, body) => ownDataIssue(name, body, SAMPLE_PERSON.last_name),
    phone: (phone, catalog, body) => ownDataIssue(phone, body, SAMPLE_PERSON.phone) ?? phoneIssue(phone, catalog),
    email: (email, _catalog, body) => ownDataIssue(email, body, SAMPLE_PERSON.email),
    message: (text, _catalog, body) => freeTextIssue(text, body),
    property_info: (info, _catalog, body) => freeTextIssue(info, body),
    consent: (consent, catalog, body) =>
      consentIssue(consent, catalog, body) ?? freeTextIssue(consent?.statement, body),
    square_footage: GLASS.area,
    windows: GLASS.windows,
    blocked_windows: GLASS.blocked,
    curtain_windows: GLASS.curtain,
    estimate_id: (token) => tokenIssue(token),
  },
  async replay(input, ctx) {
    const found = await idempotent.replayOf(input, input.phone, ctx);
    return found && repeatedQuote(found.earlier, input, found.request, ctx.catalog);
  },
  async run(input, ctx) {
    const { catalog, store } = ctx;
    const phone = phoneOf(input.phone, catalog);
    const repeat = idempotent.of(input, phone, ctx);
    const asked = { request: repeat, input, phone };
    const earlier = await idempotent.earlier(asked, ctx);
    if (earlier) return repeatedQuote(earlier, input, repeat, catalog);
    const quoted =
      input.estimate_id === undefined ? undefined : await estimateForRequest(input, input.estimate_id, ctx);
    const make = () => newQuoteRequest({ ...input, ...quoted?.filled }, quoted, phone, ctx);
    if (input.dry_run) return quoteDryRun((await make()).answer, input, repeat, catalog);
    const { made, outcome } = await storeWithNewCodes(async () => {
      const made = await make();
      const request = repeat && { ...repeat, answer: made.answer, network: ctx.caller.network };
      return { made, outcome: await store.addLead({ ...made.lead, request }) };
    });
    if (outcome.kind === "earlier") {
      await idempotent.requireSame(outcome.earlier, asked, ctx);
      return repeatedQuote(outcome.earlier, input, repeat, catalog);
    }
    return {
      data: made.answer,
      suggestions: quoteNextSteps(input, catalog),
      warnings: warningsOf(input, catalog),
    };
  },
});

type QuoteAnswer = z.output<ReturnType<typeof quoteRequestAnswer>>;

function repeatedQuote(
  { answer: stored }: EarlierLead,
  input: QuoteRequest,
  repeat: Idempotency | null,
  catalog: Shop,
): Answer<QuoteAnswer> {
  const data = quoteRequestAnswer().parse(stored);
  if (input.dry_run) return quoteDryRun(data, input, repeat, catalog);
  const warnings = warningsOf(input, catalog);
  return { data, suggestions: quoteNextSteps(input, catalog), warnings, replayed: true };
}

function quoteDryRun(
  data: QuoteAnswer,
  input: QuoteRequest,
  repeat: Idempotency | null,
  catalog: Shop,
): Answer<QuoteAnswer> {
  const answer = { ...data, lead_id: null, reference: null, status: "dry_run" as const };
  return { ...asDryRun("quote_request", input, answer, { id: repeat?.id }), warnings: warningsOf(input, catalog) };
}

function warningsOf(input: QuoteRequest, catalog: Shop): Warning[] {
  const sqft = isBuilding(input, catalog) ? sqftOf(input, catalog) : undefined;
  return [
    ...goalWarnings(input.film_goals),
    ...(sqft === undefined ? [] : sizeWarnings(input, sqft, catalog)),
    ...contactDoubts({ phone: phoneOf(input.phone, catalog).phone, email: input.email }, catalog),
  ];
}

async function newQuoteRequest(
  input: QuoteRequest,
  { estimate, range }: { estimate?: object; range?: Ballpark | undefined } = {},
  phone: Phone,
  ctx: Context<never>,
) {
  const { catalog, now } = ctx;
  const sqft = sqftOf(input, catalog);
  const { dry_run: _, ...details } = input;
  const ballpark =
    sqft === undefined || !isBuilding(input, catalog) ? undefined : (range ?? ballparkOf(catalog, sqft, input));
  const { lead } = await newLead(
    {
      kind: "quote_request",
      name: [input.first_name, input.last_name].filter((part) => part !== undefined).join(" "),
      ...phone,
      email: input.email,
      serviceType: input.service_type,
      details: { ...details, ...(sqft !== undefined && { square_footage: sqft }), ...(estimate && { estimate }) },
    },
    null,
    ctx,
    ballpark?.total,
  );
  // The customer can expect an answer when the shop is next open after the last follow-up step.
  const ownSteps = lead.jobs.filter(({ kind }) => JOBS[kind].event !== "quoted");
  const lastStep = Math.max(lead.createdAt, ...ownSteps.map(({ dueAt }) => dueAt));
  const answer: QuoteAnswer = {
    lead_id: lead.id,
    reference: lead.reference,
    status: "received",
    received_at: rfc3339(catalog, now.epochMilliseconds),
    follow_up: { expected_by: rfc3339(catalog, nextOpenMoment(catalog, lastStep)), channel: "phone" },
    ballpark: sqft === undefined || !ballpark ? null : toBallpark(sqft, ballpark, catalog),
  };
  return { lead, answer };
}

function toBallpark(sqft: number, { perSqft, total }: Ballpark, catalog: Shop) {
  return {
    currency: catalog.currency,
    square_footage: sqft,
    price_per_sqft_min: toUnits(perSqft.min),
    price_per_sqft_max: toUnits(perSqft.max),
    total_min: toUnits(total.min),
    total_max: toUnits(total.max),
    tax: toTax(null, catalog),
    ...taxedTotal("total_min_with_tax", total.min, catalog),
    ...taxedTotal("total_max_with_tax", total.max, catalog),
    price_note: glassPriceNote(catalog),
  };
}
