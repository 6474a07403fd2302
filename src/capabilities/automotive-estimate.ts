import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import type { AutomotiveEstimate, Option } from "../domain/automotive.ts";
import { toUnits } from "../domain/money.ts";
import { shopDate } from "../domain/schedule.ts";
import { serviceOf } from "../domain/work.ts";
import { type Answer, defineCapability } from "./core/capability.ts";
import {
  assumed,
  bookUrlField,
  currency,
  currencyUnits,
  durationMinutes,
  lineItem,
  termFields,
  timestamp,
  toLineItem,
} from "./core/shapes.ts";
import { automotiveFilm, filmOf, tintLawShape } from "./estimate/answer.ts";
import { type BriefAutomotive, briefAutomotive, briefly, toBriefAutomotive } from "./estimate/brief.ts";
import { compare, comparisonShape } from "./estimate/comparison.ts";
import { jobWarnings, lawWarnings } from "./estimate/job-warnings.ts";
import { estimateMatrix, toEstimateMatrix } from "./estimate/matrix.ts";
import { bookingFieldsOf, estimateNextSteps, linkFields } from "./estimate/next-steps.ts";
import { type EstimateRequest, estimateRequest } from "./estimate/request.ts";
import { typeWarnings } from "./estimate/vehicle-warnings.ts";
import { toFields } from "./lock/job-fields.ts";
import { estimateId, toToken, validityOf } from "./lock/token.ts";
import { estimateOfJob, JOB_CHECKS, sampleShade } from "./shared/job.ts";
import { bookUrl } from "./shared/page-links.ts";
import { allFilms, vehicleServices } from "./shared/phrases.ts";
import { priceNote, taxShape, toTax, totalWithTax, withTax } from "./shared/tax.ts";
import { toVehicle, vehicle } from "./shared/vehicle.ts";

/** An instant price for a vehicle. Source: contract 2. */
export const automotiveEstimate = defineCapability({
  id: "automotive_estimate",
  title: "Automotive estimate",
  description: (catalog) =>
    `Instant price for ${vehicleServices(catalog)}: line items, total, ${allFilms(catalog)} side by side, a tint-law check of the shade, and add-ons that fit.`,
  returnsPrice: true,
  useWhen: ["The user wants to know what their car costs.", "The user asks whether a shade is legal."],
  avoidWhen: [
    "The glass is in a building: use flat_glass_estimate.",
    "The user wants a general price list: use list_services.",
  ],
  input: estimateRequest,
  output: (catalog) => {
    const { vehicleType, service, filmType, coverage, addon } = termFields(catalog);
    const whole = z.object({
      kind: z.literal("automotive").describe("A price for a vehicle."),
      currency: currency(),
      vehicle: vehicle(vehicleType),
      service,
      film_type: filmType.nullable(),
      coverage: coverage.nullable(),
      assumed: assumed(),
      line_items: z.array(lineItem()).describe("The lines; their amounts add up to the total."),
      total: currencyUnits(),
      tax: taxShape(),
      total_with_tax: totalWithTax(),
      price_note: priceNote(),
      options: z
        .array(
          z
            .object({
              film_type: filmType.nullable(),
              film: automotiveFilm().nullable(),
              line_items: z.array(lineItem()).describe("The lines with this film."),
              total: currencyUnits(),
              total_with_tax: totalWithTax(),
              selected: z.boolean().describe("Whether it is the one asked for."),
            })
            .meta({ title: "FilmOption", description: "The same work with one film." }),
        )
        .describe("Every film, fully priced; one entry without a film for other work."),
      comparison: comparisonShape(catalog),
      tint_law: tintLawShape(),
      addon_suggestions: z
        .array(
          z
            .object({
              code: addon,
              label: z.string().describe("Its name for customers."),
              price: currencyUnits().describe("What it adds."),
              reason: z.string().describe("Why it fits."),
            })
            .meta({ title: "AddonSuggestion", description: "An extra that fits the work." }),
        )
        .describe("Extras that fit the work and are not in it."),
      duration_minutes: durationMinutes(),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    });
    return z.union([
      whole.meta({ title: "AutomotiveEstimate", description: "The whole answer." }),
      briefAutomotive(catalog),
    ]);
  },
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE", service: "SERVICE_NOT_FOUND" },
  alsoGet: { output: estimateMatrix, overview: toEstimateMatrix },
  queryFields: ["view"],
  formallyRequired: ["service", "film_type"],
  sample(catalog) {
    const { vehicle_type, film_type } = catalog.terms.example;
    const { service, coverage } = catalog.automotive.defaults;
    const shade = sampleShade(catalog);
    return { vehicle_type, service, film_type, coverage, ...(shade !== undefined && { shade }) };
  },
  checks: JOB_CHECKS,
  async run(input, { catalog, now, diary, signing }) {
    const estimate = estimateOfJob(catalog, input);
    const { work } = estimate;
    const isBookable = serviceOf(catalog, work.service).bookable;
    const [start, secret] = await Promise.all([
      isBookable ? diary.firstOpen(work, { catalog, now }) : null,
      signing?.recent(),
    ]);
    const { date: validUntil, until } = validityOf(catalog, shopDate(catalog, now));
    const { total, lines } = estimate.chosen;
    const amounts = lines.map(({ amount }) => amount);
    const terms = { kind: "automotive", validUntil, total, amounts, minutes: work.minutes } as const;
    const estimateId = secret && toToken(terms, toFields(input, work, catalog), secret);
    const job = bookingFieldsOf(input, work, estimateId);
    const linked = linkFields(job, input.view);
    const page = isBookable ? bookUrl({ ...linked, service_type: work.service }, catalog) : undefined;
    return inView(input, {
      data: {
        kind: "automotive" as const,
        currency: catalog.currency,
        vehicle: toVehicle(input, catalog),
        ...toPriced(input, estimate, catalog),
        valid_until: until,
        ...(estimateId && { estimate_id: estimateId }),
        ...(page && { book_url: page }),
      },
      suggestions: estimateNextSteps(job, linked, start, page, input.view, catalog),
      warnings: [
        ...jobWarnings(work, input, catalog, input.view),
        ...typeWarnings(input, catalog, input.view),
        ...lawWarnings(estimate.law, input.view),
      ],
    });
  },
});

function inView<Data extends Parameters<typeof toBriefAutomotive>[0]>(
  { view }: EstimateRequest,
  answer: Answer<Data>,
): Answer<Data | BriefAutomotive> {
  return view === "brief" ? briefly(answer, toBriefAutomotive) : answer;
}

function toPriced({ jurisdiction }: EstimateRequest, estimate: AutomotiveEstimate, catalog: Shop) {
  const { work, chosen } = estimate;
  return {
    service: work.service,
    film_type: work.filmType,
    coverage: work.coverage,
    assumed: [...work.assumed, ...(jurisdiction === undefined ? ["jurisdiction"] : [])],
    line_items: chosen.lines.map(toLineItem),
    total: toUnits(chosen.total),
    tax: toTax(chosen.total, catalog),
    ...withTax("total_with_tax", chosen.total, catalog),
    price_note: catalog.price_note,
    options: estimate.options.map((option) => toOption(option, catalog)),
    comparison: compare(estimate.options, catalog),
    tint_law: estimate.law,
    addon_suggestions: estimate.suggestions.map(({ code, label, price, reason }) => ({
      code,
      label,
      price: toUnits(price),
      reason,
    })),
    duration_minutes: work.minutes,
  };
}

function toOption({ filmType, lines, total, selected }: Option, catalog: Shop) {
  return {
    film_type: filmType,
    film: filmType === null ? null : filmOf(catalog, filmType),
    line_items: lines.map(toLineItem),
    total: toUnits(total),
    ...withTax("total_with_tax", total, catalog),
    selected,
  };
}
