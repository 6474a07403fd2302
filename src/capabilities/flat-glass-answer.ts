/** The answer to a flat-glass estimate in full: its shape, and how the estimate fills it. */
import { z } from "zod";
import type { Shop } from "../catalog/shop.ts";
import {
  type FlatGlassEstimate,
  type FlatGlassLine,
  type FlatGlassOption,
  type FlatGlassRequest,
  flatGlassOf,
} from "../domain/flat-glass.ts";
import { formatMoney, toUnits } from "../lib/money.ts";
import { capitalized, spaced } from "../lib/text.ts";
import { linesFor } from "../schema/fields.ts";
import {
  type BriefFlatGlass,
  estimateId,
  glassPriceNote,
  priceNote,
  taxedTotal,
  taxShape,
  toTax,
  totalWithTax,
} from "./core/price-shapes.ts";
import {
  assumed,
  bookUrlField,
  currency,
  currencyUnits,
  flatGlassFilm,
  termFields,
  timestamp,
  toFlatGlassFilm,
} from "./core/shapes.ts";
import { concern } from "./glass-fields.ts";

const flatGlassLine = () =>
  z
    .object({
      code: z.string().describe("What it is."),
      label: z.string().describe("What it is, in words."),
      quantity: z.number().describe("How many units."),
      unit: z.enum(["sq ft", "window", "job"]).meta({
        description: "What is counted.",
        ...linesFor({ "sq ft": "Square feet of glass.", window: "Windows.", job: "The whole job." }),
      }),
      unit_price: currencyUnits()
        .optional()
        .describe("Price of a unit; of a range unit_price_min and unit_price_max instead."),
      amount: currencyUnits().meta({
        description:
          "Where the line is a range, beside amount_min and amount_max: its middle. The amounts add up to the total.",
      }),
      unit_price_min: currencyUnits().optional().describe("From."),
      unit_price_max: currencyUnits().optional().describe("To."),
      amount_min: currencyUnits().optional().describe("From."),
      amount_max: currencyUnits().optional().describe("To."),
    })
    .meta({ title: "FlatGlassLine", description: "One line of a price." });

export const flatGlassAnswer = (catalog: Shop) =>
  z
    .object({
      kind: z.literal("flat_glass").describe("A price for glass in a building."),
      currency: currency(),
      site_type: termFields(catalog).siteType,
      total_sqft: z.number().describe("Area of the glass."),
      windows: z
        .array(
          z
            .object({
              label: z.string().describe("Name of these windows."),
              quantity: z.int().describe("Panes."),
              sqft: z.number().describe("Area of all of them."),
            })
            .meta({ title: "WindowArea", description: "The windows of one row." }),
        )
        .optional()
        .meta({ description: "The area of each row; absent when only the total was given." }),
      perimeter_ft: z.number().optional().meta({ description: "Edges of all panes together, in feet." }),
      primary_concern: concern(catalog).meta({ title: "Concern", description: "What the films were chosen for." }),
      ladder_required: z.boolean().describe("Whether ladder work is priced."),
      assumed: assumed(),
      options: z
        .array(
          z
            .object({
              tier: termFields(catalog).tier,
              label: z.string().describe("Name of the option."),
              film: flatGlassFilm(),
              price_per_sqft: currencyUnits().describe("Film with installation."),
              line_items: z.array(flatGlassLine()).describe("The lines; their amounts add up to the total."),
              total_min: currencyUnits().describe("From."),
              total_max: currencyUnits().describe("To."),
              total: currencyUnits().meta({ description: "The middle of the range." }),
              total_with_tax: totalWithTax(),
              total_min_with_tax: totalWithTax(),
              total_max_with_tax: totalWithTax(),
              recommended: z.boolean().describe("Whether the shop proposes it first."),
              why: z.string().describe("Why this film."),
            })
            .meta({ title: "TierOption", description: "One of the options." }),
        )
        .length(catalog.terms.tiers.length)
        .describe("The options, from the cheapest."),
      tax: taxShape(),
      price_note: priceNote(),
      site_visit_required: z.boolean().describe("Whether the shop has to see the site first."),
      notes: z.array(z.string()).describe("What the customer should know."),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "FlatGlassEstimate", description: "The whole answer." });

/** @param validity when the price ends, and the token that holds it, none where prices are not held, and the page for people */
export function wholeGlassAnswer(estimate: FlatGlassEstimate, { site_type }: FlatGlassRequest, catalog: Shop) {
  const { recommendedTier: recommended } = catalog.terms;
  return {
    kind: "flat_glass" as const,
    currency: catalog.currency,
    site_type,
    total_sqft: estimate.sqft,
    ...(estimate.glazing && { windows: estimate.glazing.rows, perimeter_ft: estimate.glazing.perimeterFt }),
    primary_concern: estimate.concern,
    ladder_required: estimate.ladderRequired,
    assumed: estimate.assumed,
    options: estimate.options.map((option) => ({
      tier: option.tier,
      label: labelOf(option.tier),
      film: toFlatGlassFilm(option.film),
      price_per_sqft: toUnits(option.pricePerSqft),
      line_items: option.lines.map(glassLine),
      total_min: toUnits(option.total.min),
      total_max: toUnits(option.total.max),
      total: toUnits(option.middle),
      ...rangeWithTax(option, catalog),
      recommended: option.tier === recommended,
      why: why(option, estimate, catalog),
    })),
    tax: toTax(recommendedIn(estimate, catalog)?.middle ?? null, catalog),
    price_note: glassPriceNote(catalog),
    site_visit_required: estimate.siteVisitRequired,
    notes: notes(estimate, catalog),
  };
}

/** The brief answer: of the recommended option, and what the others cost. */
export function briefGlassAnswer(
  estimate: FlatGlassEstimate,
  _: FlatGlassRequest,
  catalog: Shop,
): Omit<BriefFlatGlass, "valid_until"> {
  const recommended = recommendedIn(estimate, catalog);
  if (!recommended) throw new Error("no option is recommended");
  const { total, middle } = recommended;
  return {
    kind: "flat_glass",
    currency: catalog.currency,
    total_sqft: estimate.sqft,
    total: toUnits(middle),
    total_min: toUnits(total.min),
    total_max: toUnits(total.max),
    assumed: estimate.assumed,
    tax: toTax(middle, catalog),
    ...rangeWithTax(recommended, catalog),
    options: estimate.options.map(({ tier, film, middle: price }) => ({
      tier,
      name: film.name,
      total: toUnits(price),
    })),
  };
}

function recommendedIn({ options }: FlatGlassEstimate, { terms }: Shop): FlatGlassOption | undefined {
  return options.find(({ tier }) => tier === terms.recommendedTier);
}

function rangeWithTax({ middle, total }: FlatGlassOption, catalog: Shop) {
  return {
    ...taxedTotal("total_with_tax", middle, catalog),
    ...taxedTotal("total_min_with_tax", total.min, catalog),
    ...taxedTotal("total_max_with_tax", total.max, catalog),
  };
}

export function labelOf(tier: string): string {
  return capitalized(spaced(tier));
}

function glassLine({ code, label, quantity, unit, unitPrice, amount, middle }: FlatGlassLine) {
  const head = { code, label, quantity, unit };
  return amount.min === amount.max && unitPrice.min === unitPrice.max
    ? { ...head, unit_price: toUnits(unitPrice.min), amount: toUnits(middle) }
    : {
        ...head,
        amount: toUnits(middle),
        unit_price_min: toUnits(unitPrice.min),
        unit_price_max: toUnits(unitPrice.max),
        amount_min: toUnits(amount.min),
        amount_max: toUnits(amount.max),
      };
}

function why({ film }: FlatGlassOption, { concern }: FlatGlassEstimate, catalog: Shop): string {
  const facts = [
    film.tser !== null && `keeps out ${film.tser}% of solar heat`,
    film.glare !== null && `cuts glare by ${film.glare}%`,
    film.uv !== null && `blocks ${film.uv}% of UV`,
    film.vlt !== null && `lets ${film.vlt}% of light in`,
    film.mil !== null && `is ${film.mil} mil thick${film.anchored ? " and attached to the frame" : ""}`,
  ].filter((fact) => fact !== false);
  const reason = facts.length > 0 ? `it ${facts.join(", ")}` : (film.note ?? "it suits that");
  return `Chosen for ${flatGlassOf(catalog).concern_names[concern]}: ${reason}.`;
}

function notes(estimate: FlatGlassEstimate, catalog: Shop): string[] {
  const isRange = estimate.options.some(({ total }) => total.min < total.max);
  const prices = flatGlassOf(catalog);
  return [
    ...(estimate.siteVisitRequired
      ? [
          `From ${prices.survey_floors_min} floors up a lift may be needed. Its cost is not included; it is settled after a site visit.`,
        ]
      : []),
    ...(isRange ? ["The range comes from removing old film: some film takes longer to remove."] : []),
    ...(prices.minimum_job_charge > 0
      ? [`The shop's minimum job charge is ${formatMoney(prices.minimum_job_charge, catalog.currency)}.`]
      : []),
  ];
}
