import { z } from "zod";
import { type Context, defineCapability, type FieldFault, type Suggestion } from "../capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { type AutomotiveEstimate, estimateAutomotive, type Option } from "../domain/automotive.ts";
import { formatMoney, toUnits } from "../domain/money.ts";
import { rfc3339, shopTime } from "../domain/schedule.ts";
import { parseShade } from "../domain/shade.ts";
import { LAW_REASONS, LAW_STATUSES, type Shades } from "../domain/tint-law.ts";
import { coverage, filmType, line, optional, soft, vehicleType, vehicleYear } from "../fields.ts";
import { ADDONS, AUTOMOTIVE_SERVICES, COVERAGES, FILM_TYPES, POSITIONS } from "../vocabulary.ts";
import {
  isBookable,
  lineItem,
  money,
  pick,
  sampleBooking,
  timestamp,
  toLineItem,
  toVehicle,
  vehicle,
} from "./shapes.ts";

const scalarShade = () => z.union([z.int().min(1).max(100), line(20)], { error: SHADE_WORDING });
const SHADE_WORDING =
  'must be a VLT percentage from 1 to 100, like 35 or "35%", or a shade word such as limo, dark, medium or light';
const sideShades = () =>
  z.object({
    front_side: optional(scalarShade()),
    rear_side: optional(scalarShade()),
    rear_window: optional(scalarShade()),
  });
const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;

const estimateRequest = z.object({
  vehicle_type: vehicleType().meta({ description: "Body type.", example: "suv" }),
  service: optional(z.enum(AUTOMOTIVE_SERVICES)).meta({
    description: "Default automotive (tinting).",
    example: "automotive",
    ...soft,
  }),
  film_type: optional(filmType()).meta({
    description: "Default standard; the answer prices both films.",
    example: "ceramic",
    ...soft,
  }),
  coverage: optional(coverage()).meta({
    description: "full (default) or front2, the front two windows only.",
    example: "full",
  }),
  vehicle_year: optional(vehicleYear()).meta({ description: "Model year, for display.", example: 2024 }),
  vehicle_make: optional(line()).meta({ description: "For display.", example: "Toyota" }),
  vehicle_model: optional(line()).meta({ description: "For display.", example: "Highlander" }),
  addons: optional(z.array(z.enum(ADDONS)).max(20)).meta({
    description: "Extras; duplicates are charged once.",
    example: ["windshield_strip"],
  }),
  shade: optional(
    z.union([scalarShade(), sideShades()], {
      error: `${SHADE_WORDING}, or an object with front_side, rear_side and rear_window`,
    }),
  ).meta({
    description:
      "Wished VLT of side and rear glass, checked against tint law: a percentage for all of it, or one per position.",
    example: 35,
  }),
  windshield_shade: optional(scalarShade()).meta({ description: "Wished VLT of the windshield.", example: 70 }),
  jurisdiction: optional(line()).meta({
    description: "Whose tint law to check, like US-GA; default the shop's own.",
    example: "US-GA",
  }),
});
type EstimateRequest = z.output<typeof estimateRequest>;

const film = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    ir_rejection_pct: z.number(),
    uv_rejection_pct: z.number(),
    warranty: z.string(),
    shades: z.array(z.object({ label: z.int(), vlt: z.int() })),
  })
  .meta({ title: "AutomotiveFilm" });

const tintLaw = z
  .object({
    jurisdiction: z.string(),
    name: z.string(),
    citation: z.string().nullable(),
    confidence: z.string(),
    reviewed_on: z.string().nullable(),
    measure: z.enum(["net", "film", "unclear"]),
    disclaimer: z.string(),
    status: z.enum(LAW_STATUSES).meta({ description: "The gravest of the checks." }),
    checks: z.array(
      z
        .object({
          position: z.enum(POSITIONS),
          film_vlt: z.int().nullable(),
          net_vlt: z
            .number()
            .nullable()
            .meta({ description: "Percent of light through film and assumed factory glass." }),
          min_vlt: z.int().nullable(),
          status: z.enum(LAW_STATUSES),
          reason: z.enum(LAW_REASONS),
          explanation: z.string(),
          darkest_legal_shade: z
            .int()
            .nullable()
            .meta({ description: "VLT of the darkest shade of the chosen film that is legal here." }),
        })
        .meta({ title: "TintLawCheck" }),
    ),
    notes: z.array(z.string()),
  })
  .meta({ title: "TintLaw" });

/** An instant price for a vehicle. Source: spec sections 2.1 and 4.5, contract section 2. */
export const automotiveEstimate = defineCapability({
  id: "automotive_estimate",
  operationId: "estimate_price",
  title: "Automotive estimate",
  method: "POST",
  path: "/estimates",
  description:
    "Instant price for tinting a vehicle, removing film, or clear windshield protection: line items, total, both films side by side, a tint-law check of the wished shade, and add-on suggestions. Nothing is stored.",
  sideEffect: "none",
  returnsPrice: true,
  useWhen: ["The user wants to know what their car costs.", "The user asks whether a shade is legal on their vehicle."],
  avoidWhen: [
    "The glass is in a building: use flat_glass_estimate.",
    "The user wants a general price list: use list_services.",
  ],
  input: estimateRequest,
  output: z.object({
    kind: z.literal("automotive"),
    currency: z.string(),
    vehicle: vehicle(),
    service: z.enum(AUTOMOTIVE_SERVICES),
    film_type: z.enum(FILM_TYPES).nullable(),
    coverage: z.enum(COVERAGES).nullable(),
    assumed: z.array(z.string()).meta({ description: "Fields the shop filled in because the request left them out." }),
    line_items: z.array(lineItem()),
    total: money(),
    options: z.array(
      z.object({
        film_type: z.enum(FILM_TYPES).nullable(),
        film: film.nullable(),
        line_items: z.array(lineItem()),
        total: money(),
        selected: z.boolean(),
      }),
    ),
    comparison: z
      .object({ price_difference: money(), ir_rejection_difference_pct: z.number(), summary: z.string() })
      .nullable()
      .meta({ description: "Ceramic against standard; null when there is no choice of film." }),
    tint_law: tintLaw,
    addon_suggestions: z.array(
      z.object({ code: z.enum(ADDONS), label: z.string(), price: money(), reason: z.string() }),
    ),
    duration_minutes: z.int(),
    valid_until: timestamp(),
  }),
  status: 200,
  errors: ["SERVICE_NOT_FOUND", "INVALID_VEHICLE_TYPE"],
  alsoGet: true,
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
    shade: (shade, catalog) => shadeFault(shade, catalog),
    windshield_shade: (shade, catalog) => shadeFault(shade, catalog),
    jurisdiction(key, { tint_law: law }) {
      return key === undefined || Object.hasOwn(law.jurisdictions, key)
        ? undefined
        : { message: "must be a jurisdiction this shop knows", allowed: Object.keys(law.jurisdictions) };
    },
  },
  run(input, ctx) {
    const { catalog } = ctx;
    const estimate = estimateAutomotive(catalog, { ...input, shades: shadesOf(input, catalog) });
    const { automotive } = catalog;
    return {
      data: {
        kind: "automotive" as const,
        currency: catalog.currency,
        vehicle: toVehicle(input),
        service: estimate.service,
        film_type: estimate.filmType,
        coverage: estimate.coverage,
        assumed: estimate.assumed,
        line_items: estimate.chosen.lines.map(toLineItem),
        total: toUnits(estimate.chosen.total),
        options: estimate.options.map(toOption),
        comparison: compare(estimate, catalog),
        tint_law: estimate.law,
        addon_suggestions: estimate.suggestions.map((one) => ({ ...one, price: toUnits(one.price) })),
        duration_minutes: estimate.durationMinutes,
        valid_until: rfc3339(catalog, endOfValidity(ctx)),
      },
      suggestions: suggest(input, estimate, ctx),
      warnings: [
        ...estimate.notApplicable.map((code) => ({
          code: "ADDON_NOT_APPLICABLE",
          field: "addons",
          message: `${automotive.addons[code].name} (${code}) does not go with ${estimate.service} and is not charged.`,
        })),
        ...(estimate.filmType === null && (input.shade !== undefined || input.windshield_shade !== undefined)
          ? [
              {
                code: "SHADE_NOT_APPLICABLE",
                field: "shade",
                message: `No tint film is applied with ${estimate.service}, so the shade was not checked.`,
              },
            ]
          : []),
      ],
    };
  },
});

function shadeFault(shade: EstimateRequest["shade"], catalog: Catalog): FieldFault | undefined {
  const shades = typeof shade === "object" ? Object.values(shade) : [shade];
  return shades.some((one) => one !== undefined && parseShade(one, catalog) === undefined)
    ? { message: SHADE_WORDING }
    : undefined;
}

function shadesOf({ shade, windshield_shade: windshield }: EstimateRequest, catalog: Catalog): Shades {
  const vlt = (one: number | string | undefined) => (one === undefined ? undefined : parseShade(one, catalog));
  const shades: [string, number | undefined][] = SIDE_POSITIONS.map((position) => [
    position,
    vlt(typeof shade === "object" ? shade[position] : shade),
  ]);
  return Object.fromEntries(
    [...shades, ["windshield", vlt(windshield)] as const].filter(([, value]) => value !== undefined),
  );
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

/** The last second of the day up to which the shop stands by a price. */
function endOfValidity({ catalog, now }: Context): number {
  const day = shopTime(catalog, now)
    .toPlainDate()
    .add({ days: catalog.automotive.estimate_valid_days + 1 });
  return day.toZonedDateTime(catalog.business.timezone).epochMilliseconds - 1000;
}

function suggest(input: EstimateRequest, estimate: AutomotiveEstimate, { catalog, now }: Context): Suggestion[] {
  const service = catalog.services.find(({ key }) => key === estimate.service);
  if (!service || !isBookable(catalog, service.key)) {
    return [
      { action: "business_location", description: "This service is not booked online: call the shop.", input: {} },
    ];
  }
  const job = {
    ...pick(input, "vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model"),
    film_type: estimate.filmType,
    coverage: estimate.coverage,
  };
  return [
    {
      action: "check_availability",
      description: "See when the shop has time for this job.",
      input: { service: service.id, ...pick(job, "vehicle_type", "film_type", "coverage") },
    },
    {
      action: "book_appointment",
      description:
        "Book this job once the customer agrees: put in a time from check_availability and the customer's own name, phone and e-mail.",
      input: sampleBooking(catalog, now, {
        ...job,
        service: service.key,
        special_requests: wishes(input, catalog) || undefined,
      }),
    },
  ];
}

/** What a booking has no field for, as a note to the shop. */
function wishes(
  { addons = [], shade, windshield_shade: windshield }: EstimateRequest,
  { automotive }: Catalog,
): string {
  const names = ADDONS.filter((code) => addons.includes(code)).map((code) => automotive.addons[code].name);
  const wished =
    typeof shade === "object"
      ? Object.entries(shade).map(([where, vlt]) => `${where.replace("_", " ")} ${vlt}`)
      : shade === undefined
        ? []
        : [`${shade}`];
  if (windshield !== undefined) wished.push(`windshield ${windshield}`);
  return [
    ...(names.length > 0 ? [`Add-ons: ${names.join(", ")}.`] : []),
    ...(wished.length > 0 ? [`Shade: ${wished.join(", ")}.`] : []),
  ].join(" ");
}
