import { z } from "zod";
import { derived, derivedBy } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { type AutomotiveEstimate, estimateAutomotive, type Option } from "../domain/automotive.ts";
import { formatMoney, toUnits } from "../domain/money.ts";
import { rfc3339, shopDate, startOfDay } from "../domain/schedule.ts";
import { serviceOf } from "../domain/work.ts";
import { lasting } from "../lib/json.ts";
import { keepLatest } from "../lib/latest.ts";
import { ADDONS, AUTOMOTIVE_SERVICES, COVERAGES, FILM_TYPES } from "../vocabulary.ts";
import { defineCapability } from "./core/capability.ts";
import type { Start } from "./core/diary.ts";
import { lineItem, money, timestamp, toLineItem } from "./core/shapes.ts";
import { automotiveFilm, tintLaw } from "./estimate/answer.ts";
import { estimateMatrix, toEstimateMatrix } from "./estimate/matrix.ts";
import { nextSteps } from "./estimate/next-steps.ts";
import { type EstimateRequest, estimateRequest, shadeFault, shadesOf } from "./estimate/request.ts";
import { toVehicle, vehicle } from "./shared/vehicle.ts";

const pricedServices = derived(({ services }) =>
  services.filter(({ estimate }) => estimate === "automotive").map(({ key }) => key),
);

/** An instant price for a vehicle. Source: spec sections 2.1 and 4.5, contract section 2. */
export const automotiveEstimate = defineCapability({
  id: "automotive_estimate",
  title: "Automotive estimate",
  description:
    "Instant price for tinting a vehicle, removing film, or clear windshield protection: line items, total, both films side by side, a tint-law check of the wished shade, and add-on suggestions. Nothing is stored.",
  returnsPrice: true,
  useWhen: ["The user wants to know what their car costs.", "The user asks whether a shade is legal on their vehicle."],
  avoidWhen: [
    "The glass is in a building: use flat_glass_estimate.",
    "The user wants a general price list: use list_services.",
  ],
  input: estimateRequest,
  output: () =>
    z.object({
      kind: z.literal("automotive"),
      currency: z.string(),
      vehicle: vehicle(),
      service: z.enum(AUTOMOTIVE_SERVICES),
      film_type: z.enum(FILM_TYPES).nullable(),
      coverage: z.enum(COVERAGES).nullable(),
      assumed: z
        .array(z.string())
        .meta({ description: "Fields the shop filled in because the request left them out." }),
      line_items: z.array(lineItem()),
      total: money(),
      options: z.array(
        z.object({
          film_type: z.enum(FILM_TYPES).nullable(),
          film: automotiveFilm().nullable(),
          line_items: z.array(lineItem()),
          total: money(),
          selected: z.boolean(),
        }),
      ),
      comparison: z
        .object({ price_difference: money(), ir_rejection_difference_pct: z.number(), summary: z.string() })
        .nullable()
        .meta({ description: "Ceramic against standard; null when there is no choice of film." }),
      tint_law: tintLaw(),
      addon_suggestions: z.array(
        z.object({ code: z.enum(ADDONS), label: z.string(), price: money(), reason: z.string() }),
      ),
      duration_minutes: z.int(),
      valid_until: timestamp(),
    }),
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  unknownValue: { vehicle_type: "INVALID_VEHICLE_TYPE", service: "SERVICE_NOT_FOUND" },
  alsoGet: { output: estimateMatrix, overview: toEstimateMatrix },
  formallyRequired: ["service", "film_type"],
  tool: true,
  sample: () => ({
    vehicle_type: "suv" as const,
    service: "automotive" as const,
    film_type: "ceramic" as const,
    coverage: "full" as const,
    shade: 35,
  }),
  checks: {
    service(key, catalog) {
      const priced = pricedServices(catalog);
      return key === undefined || priced.includes(key)
        ? undefined
        : { code: "SERVICE_NOT_FOUND", message: "must be a service that this shop prices by vehicle", allowed: priced };
    },
    shade: (shade, catalog) => shadeFault(shade, catalog),
    windshield_shade: (shade, catalog) => shadeFault(shade, catalog),
    jurisdiction(key, { tint_law: law }) {
      return key === undefined || Object.hasOwn(law.jurisdictions, key)
        ? undefined
        : { message: "must be a jurisdiction this shop knows", allowed: Object.keys(law.jurisdictions) };
    },
  },
  run(input, { catalog, now, diary }) {
    const { minutes, answer } = quoteOf(catalog, JSON.stringify(input));
    const validUntil = endOfValidity(catalog, shopDate(catalog, now));
    const answerWith = (start: Start | null) => answer(validUntil, start?.date, start?.time);
    const start = minutes === null ? null : diary.firstOpen(minutes, { catalog, now });
    return start instanceof Promise ? start.then(answerWith) : answerWith(start);
  },
});

/** Quotes kept, each of some kilobytes. */
const MOST_QUOTES = 300;

/** Everything about an estimate that its request, as JSON, and the catalog decide. */
const quoteOf = derivedBy(MOST_QUOTES, (catalog, json) => {
  const input: EstimateRequest = JSON.parse(json);
  const estimate = estimateAutomotive(catalog, { ...input, shades: shadesOf(input, catalog) });
  const { work } = estimate;
  const data = {
    kind: "automotive" as const,
    currency: catalog.currency,
    vehicle: toVehicle(input),
    ...toPriced(estimate, catalog),
  };
  return {
    /** Length of the work; null when it is not booked online. */
    minutes: serviceOf(catalog, work.service).bookable ? work.minutes : null,
    answer: keepLatest((valid_until: string, date: string | undefined, time: string | undefined) =>
      lasting({
        data: { ...data, valid_until },
        suggestions: nextSteps(catalog, input, work, date && time ? { date, time } : null),
        warnings: warnings(input, estimate, catalog),
      }),
    ),
  };
});

function toPriced(estimate: AutomotiveEstimate, catalog: Catalog) {
  const { work, chosen } = estimate;
  return {
    service: work.service,
    film_type: work.filmType,
    coverage: work.coverage,
    assumed: work.assumed,
    line_items: chosen.lines.map(toLineItem),
    total: toUnits(chosen.total),
    options: estimate.options.map(toOption),
    comparison: compare(estimate, catalog),
    tint_law: estimate.law,
    addon_suggestions: estimate.suggestions.map((one) => ({ ...one, price: toUnits(one.price) })),
    duration_minutes: work.minutes,
  };
}

function warnings(
  input: EstimateRequest,
  { work: { service, filmType, notApplicable }, law }: AutomotiveEstimate,
  catalog: Catalog,
) {
  const shades = (["shade", "windshield_shade"] as const).filter((field) => input[field] !== undefined);
  const isUnpriced = law.checks.some(({ reason }) => reason === "no_film_priced");
  return [
    ...notApplicable.map((code) => ({
      code: "ADDON_NOT_APPLICABLE",
      field: "addons",
      message: `${catalog.automotive.addons[code].name} (${code}) does not go with ${service} and is not charged.`,
    })),
    ...(filmType === null ? shades : []).map((field) => ({
      code: "SHADE_NOT_APPLICABLE",
      field,
      message: `No tint film is applied with ${service}, so the shade was not checked.`,
    })),
    ...(isUnpriced
      ? [
          {
            code: "SHADE_NOT_APPLICABLE",
            field: "windshield_shade",
            message:
              "No film for the full windshield was priced, so windshield_shade was not checked. Add windshield to addons to price and check it.",
          },
        ]
      : []),
  ];
}

function toOption({ filmType, film, lines, total, selected }: Option) {
  return {
    film_type: filmType,
    film: film && { ...film, description: film.description ?? null },
    line_items: lines.map(toLineItem),
    total: toUnits(total),
    selected,
  };
}

function compare({ options }: AutomotiveEstimate, catalog: Catalog) {
  const standard = options.find((option) => option.filmType === "standard");
  const ceramic = options.find((option) => option.filmType === "ceramic");
  if (!standard?.film || !ceramic?.film) return null;
  const difference = ceramic.total - standard.total;
  const [more, price] = difference < 0 ? ["less", -difference] : ["more", difference];
  return {
    price_difference: toUnits(difference),
    ir_rejection_difference_pct: ceramic.film.ir_rejection_pct - standard.film.ir_rejection_pct,
    summary: `${ceramic.film.name} rejects ${ceramic.film.ir_rejection_pct}% of infrared heat, ${standard.film.name} ${standard.film.ir_rejection_pct}%, for ${formatMoney(price, catalog.currency)} ${more}.`,
  };
}

/** The last second of the last day on which the price holds. */
const endOfValidity = derivedBy(2, (catalog, today) => {
  const after = Temporal.PlainDate.from(today).add({ days: catalog.automotive.estimate_valid_days + 1 });
  return rfc3339(catalog, startOfDay(catalog, after.toString()) - 1000);
});
