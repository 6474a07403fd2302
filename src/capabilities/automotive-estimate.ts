/** An instant price for a vehicle, with the law and the next steps. Source: contract 2. */

import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import { type AutomotiveEstimate, type LineItem, type Option, suggestAddons } from "../domain/automotive.ts";
import { planOf, shopDate } from "../domain/schedule.ts";
import type { Start } from "../domain/slots.ts";
import { isBarred, type Verdict } from "../domain/tint-law.ts";
import { serviceOf } from "../domain/work.ts";
import { bookUrl, holdsWork, jobToken, toRequest } from "../job/forms.ts";
import {
  CAR_NAME,
  estimateOf,
  type Job,
  type JobRequest,
  jobFields,
  jobOf,
  jurisdictionIssue,
  sampleShade,
  toVehicle,
  vehicle,
  vehicleFields,
} from "../job/job.ts";
import { lawWarnings, typeWarnings, workWarnings } from "../job/warnings.ts";
import { pick } from "../lib/fields.ts";
import { formatMoney, toUnits } from "../lib/money.ts";
import { capitalized, durationInWords } from "../lib/text.ts";
import { MARKS, optional, soft } from "../schema/fields.ts";
import { defineCapability, type Suggestion } from "./core/capability.ts";
import {
  automotiveFilm,
  type BriefAutomotive,
  briefAutomotive,
  estimateId,
  mergeWarnings,
  priceNote,
  taxedTotal,
  taxShape,
  tintLawShape,
  toTax,
  totalWithTax,
  viewField,
} from "./core/price-shapes.ts";
import { bookingStep, lawfully, toShop } from "./core/samples.ts";
import {
  assumed,
  bookUrlField,
  currency,
  currencyUnits,
  durationMinutes,
  durationSaid,
  lineItem,
  termFields,
  timestamp,
} from "./core/shapes.ts";
import { forOtherGlass } from "./core/ways-on.ts";
import { estimateMatrix, toEstimateMatrix } from "./estimate-matrix.ts";

const estimateRequest = (catalog: Shop) => {
  const { vehicleType, service, filmType, coverage, addon } = termFields(catalog);
  const { example } = catalog.terms;
  const { defaults } = catalog.automotive;
  return z.object({
    vehicle_type: vehicleType.meta({ description: "Body type.", example: example.vehicle_type }),
    service: optional(service)
      .meta({ description: "The service wanted; else the shop's default.", example: defaults.service, ...soft })
      .register(MARKS, { formal: true }),
    film_type: optional(filmType)
      .meta({
        description: `The film; else the shop's default. The answer prices ${catalog.phrases.allFilms}.`,
        example: example.film_type,
        ...soft,
      })
      .register(MARKS, { formal: true }),
    coverage: optional(coverage).meta({
      description: "The glass to be covered; else the shop's default.",
      example: defaults.coverage,
    }),
    ...vehicleFields(catalog),
    ...jobFields(catalog, addon),
    view: viewField(),
  });
};

const values = {
  price_difference: currencyUnits().describe("What it costs more."),
  ir_rejection_difference_pct: z.number().describe("How much more infrared heat it keeps out, in points of percent."),
  summary: z.string().describe("The same in a sentence."),
};

/** With more than two films, `each` has one entry for each dearer film. */
function comparisonShape(catalog: Shop) {
  const { films, referenceFilm } = catalog.terms;
  const others = films.filter((film) => film !== referenceFilm);
  const description =
    others.length === 1
      ? `${capitalized(others[0] ?? "")} against ${referenceFilm}; null when there is no choice of film.`
      : `A dearer film against ${referenceFilm}, the chosen one where it is dearer; null when there is no choice of film.`;
  const each = z.array(z.object({ film_type: termFields(catalog).filmType, ...values }));
  return z
    .object({ ...values, each: each.optional().meta({ description: `Every dearer film against ${referenceFilm}.` }) })
    .pick({
      price_difference: true,
      ir_rejection_difference_pct: true,
      summary: true,
      ...(others.length > 1 && { each: true }),
    })
    .nullable()
    .meta({ description });
}

export const automotiveEstimate = defineCapability({
  id: "automotive_estimate",
  title: "Automotive estimate",
  description: (catalog) =>
    `Instant price for ${catalog.phrases.vehicleServices}: line items, ${catalog.phrases.allFilms} side by side, a tint-law check, and add-ons that fit.`,
  inTools: ["Exact price and length of work on a vehicle with each film, and whether a shade is legal."],
  returnsPrice: true,
  useWhen: ["The user wants to know what their car costs.", "The user asks whether a shade is legal."],
  avoidWhen: [
    "The glass is in a building: use {tool:flat_glass_estimate}.",
    "The user wants a general price list: use {tool:list_services}.",
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
      duration: durationSaid(),
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
  sample(catalog) {
    const { vehicle_type, film_type } = catalog.terms.example;
    const { service, coverage } = catalog.automotive.defaults;
    const shade = sampleShade(catalog);
    return { vehicle_type, service, film_type, coverage, ...(shade !== undefined && { shade }) };
  },
  checks: { jurisdiction: jurisdictionIssue },
  async run(input, { catalog, now, diary, signing }) {
    const job = jobOf({ ...input, service_type: input.service }, catalog);
    const { work } = job;
    const estimate = estimateOf(job, catalog);
    const { chosen } = estimate;
    const isBookable = serviceOf(catalog, work.service).bookable;
    const [start, secret] = await Promise.all([
      isBookable ? diary.firstOpen(work, { catalog, now }) : null,
      signing?.recent(),
    ]);
    const { date: validUntil, until } = planOf(catalog, shopDate(catalog, now)).priceHolds;
    const amounts: number[] = [];
    for (const { amount } of chosen.lines) amounts.push(amount);
    const terms = { validUntil, total: chosen.total, amounts, minutes: work.minutes };
    const token = secret === undefined ? undefined : jobToken(job, terms, catalog.tint_law.home, secret);
    const id = token?.id;
    const asked = toRequest(job, id);
    const isBrief = input.view === "brief";
    // A brief answer does not say again what its estimate holds.
    const next = isBrief && token ? withoutHeld(asked, token.holds) : asked;
    const page = isBookable ? bookUrl(next, catalog) : undefined;
    const rest = { valid_until: until, ...(id && { estimate_id: id }), ...(page && { book_url: page }) };
    const warnings = [
      ...workWarnings(job, catalog, input.view),
      ...typeWarnings(job, catalog, input.view),
      ...lawWarnings(estimate.law, input.view),
    ];
    const tellsGlass = work.filmType !== null && start !== null;
    const glass = { service_type: work.service, vehicle_type: input.vehicle_type };
    return {
      data: { ...(isBrief ? briefCarAnswer : wholeCarAnswer)(job, estimate, catalog), ...rest },
      warnings: isBrief ? mergeWarnings(warnings) : warnings,
      suggestions: [
        ...nextSteps(next, isBookable, start, page, isBrief ? BRIEFLY : AT_LENGTH, estimate.law, catalog),
        ...(tellsGlass ? [forOtherGlass(glass, isBrief)] : []),
      ],
    };
  },
});

function wholeCarAnswer(job: Job, estimate: AutomotiveEstimate, catalog: Shop) {
  const { work, chosen, law } = estimate;
  const { vehicle_type = "", jurisdiction } = job;
  const addons = [];
  for (const { wire } of suggestAddons(catalog, { vehicle_type, jurisdiction }, work)) addons.push(wire);
  const options = [];
  let chosenLines: LineItem["wire"][] = [];
  for (const { filmType, lines, total, selected } of estimate.options) {
    const line_items = [];
    for (const { wire } of lines) line_items.push(wire);
    if (selected) chosenLines = line_items;
    options.push({
      film_type: filmType,
      film: filmType === null ? null : (catalog.priceList.films.get(filmType)?.wire ?? null),
      line_items,
      total: toUnits(total),
      ...taxedTotal("total_with_tax", total, catalog),
      selected,
    });
  }
  return {
    kind: "automotive" as const,
    currency: catalog.currency,
    vehicle: toVehicle(job, catalog),
    service: work.service,
    film_type: work.filmType,
    coverage: work.coverage,
    assumed: assumedIn(job),
    line_items: chosenLines,
    total: toUnits(chosen.total),
    tax: toTax(chosen.total, catalog),
    ...taxedTotal("total_with_tax", chosen.total, catalog),
    price_note: catalog.price_note,
    options,
    comparison: compareFilms(estimate.options, catalog),
    tint_law: law,
    addon_suggestions: addons,
    duration_minutes: work.minutes,
    duration: durationInWords(work.minutes),
  };
}

function briefCarAnswer(job: Job, estimate: AutomotiveEstimate, catalog: Shop): Omit<BriefAutomotive, "valid_until"> {
  const { work, chosen, law } = estimate;
  const options = [];
  for (const { filmType, film, total } of estimate.options)
    options.push({ film_type: filmType, name: film?.name ?? null, total: toUnits(total) });
  const checks = [];
  for (const { position, status, rule, min_vlt, darkest_legal_shade } of law.checks)
    checks.push({ position, status, rule, min_vlt, darkest_legal_shade });
  return {
    kind: "automotive",
    currency: catalog.currency,
    total: toUnits(chosen.total),
    film_type: work.filmType,
    coverage: work.coverage,
    assumed: assumedIn(job),
    tax: toTax(chosen.total, catalog),
    ...taxedTotal("total_with_tax", chosen.total, catalog),
    options,
    tint_law: {
      jurisdiction: law.jurisdiction,
      status: law.status,
      checks,
      disclaimer: catalog.tint_law.brief_disclaimer ?? law.disclaimer,
    },
    duration_minutes: work.minutes,
    duration: durationInWords(work.minutes),
  };
}

/** A request without what its estimate holds. */
function withoutHeld(request: JobRequest, held: ReturnType<typeof jobToken>["holds"]): JobRequest {
  if (held === "digest") return request;
  const name = held === "all" ? {} : pick(request, ...CAR_NAME);
  return { ...name, ...(request.estimate_id && { estimate_id: request.estimate_id }) };
}

function assumedIn({ work, jurisdiction }: Job): string[] {
  return jurisdiction === undefined ? [...work.assumed, "jurisdiction"] : work.assumed;
}

/** Null without a film to compare. With two films they are compared whichever is dearer. */
function compareFilms(options: readonly Option[], catalog: Shop) {
  let reference: Option | undefined;
  for (const option of options) if (option.filmType === catalog.terms.referenceFilm) reference = option;
  if (!reference) return null;
  let first: ReturnType<typeof against> | undefined;
  const each = [];
  for (const option of options) {
    if (option === reference || option.filmType === null) continue;
    if (options.length > 2 && option.total <= reference.total) continue;
    const difference = against(reference, option, catalog);
    each.push({ film_type: option.filmType, ...difference });
    if (!first || option.selected) first = difference;
  }
  if (!first) return null;
  return options.length > 2 ? { ...first, each } : first;
}

function against(reference: Option, option: Option, { currency }: Shop) {
  if (!reference.film || !option.film) throw new Error("a service without film has nothing to compare");
  const [base, film] = [reference.film, option.film];
  const difference = option.total - reference.total;
  const price = formatMoney(Math.abs(difference), currency);
  const forPrice = difference === 0 ? "the same price" : `${price} ${difference < 0 ? "less" : "more"}`;
  return {
    price_difference: toUnits(difference),
    // The difference of two decimals is inexact: 93.3 - 55.1 is 38.19999….
    ir_rejection_difference_pct: Number((film.ir_rejection_pct - base.ir_rejection_pct).toFixed(3)),
    summary: `${film.name} rejects ${film.ir_rejection_pct}% of infrared heat, ${base.name} ${base.ir_rejection_pct}%, for ${forPrice}.`,
  };
}

/** The words of the next steps; a brief answer has few. */
const AT_LENGTH = {
  times: "See when the shop has time for this work.",
  booking: "Book this work once the customer agrees, at an open time.",
};
const BRIEFLY = { times: "Times.", booking: "Book." };

/** Open times, and a booking filled in with the choices of the caller. @param start an open time; null where there is none */
function nextSteps(
  request: JobRequest,
  isBookable: boolean,
  start: Start | null,
  page: string | undefined,
  says: typeof AT_LENGTH,
  law: Verdict,
  catalog: Shop,
): Suggestion[] {
  if (!isBookable) return [CALL];
  if (!start) return [CALL_FOR_A_TIME];
  const { service_type = "", factory_glass: _, shade, ...query } = request;
  const booking = bookingStep(says.booking, request, start, page);
  const { vehicle_type, estimate_id } = query;
  // A query has no good form for a shade of each glass, and the estimate holds it.
  const isHeld = typeof shade === "object" && estimate_id !== undefined && holdsWork(estimate_id);
  return [
    {
      action: "check_availability",
      description: says.times,
      input: {
        // Without its vehicle type the job is held by the estimate.
        ...(vehicle_type !== undefined && { service: serviceOf(catalog, service_type).id }),
        ...query,
        ...(shade !== undefined && !isHeld && { shade }),
      },
    },
    // Where something is to be accepted first, a brief answer leads there by the times.
    ...(!isBarred(law) ? [booking] : says === BRIEFLY ? [] : lawfully(booking, law, catalog)),
  ];
}

const CALL = toShop("This service is not booked online: call the shop.");
const CALL_FOR_A_TIME = toShop(
  "No time that can be booked online is long enough and open for this work: call the shop.",
);
