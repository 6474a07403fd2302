/** The short answer of both estimates, for `view: "brief"`: what a model needs to go on. Source: contract 15. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { pick } from "../../lib/fields.ts";
import { linesFor, optional } from "../../schema/fields.ts";
import type { Answer } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import {
  assumed,
  bookUrlField,
  currency,
  currencyUnits,
  durationMinutes,
  termFields,
  timestamp,
} from "../core/shapes.ts";
import { estimateId } from "../lock/token.ts";
import { taxShape, totalWithTax } from "../shared/tax.ts";
import { checkShapes, lawDisclaimer, lawJurisdiction, lawStatus } from "./answer.ts";

export const viewField = () =>
  optional(z.enum(["full", "brief"])).meta({
    description: "brief: totals, verdict and the next step alone. Also as a query field.",
    ...linesFor({ full: "Everything.", brief: "Totals, verdict and the next step alone." }),
  });

export const briefAutomotive = (catalog: Shop) =>
  z
    .object({
      kind: z.literal("automotive").describe("A price for a vehicle."),
      currency: currency(),
      total: currencyUnits(),
      film_type: termFields(catalog).filmType.nullable(),
      coverage: termFields(catalog).coverage.nullable(),
      assumed: assumed(),
      tax: taxShape(),
      total_with_tax: totalWithTax(),
      options: z
        .array(
          z
            .object({
              film_type: termFields(catalog).filmType.nullable(),
              name: z.string().nullable().describe("Name of the film."),
              total: currencyUnits().describe("Price with this film."),
            })
            .meta({ title: "BriefFilmOption", description: "The same work with one film." }),
        )
        .describe("Every film."),
      tint_law: z
        .object({
          jurisdiction: lawJurisdiction(),
          status: lawStatus(),
          checks: z
            .array(
              z.object(checkShapes()).meta({ title: "BriefTintLawCheck", description: "The verdict on one glass." }),
            )
            .describe("One for each glass that gets film."),
          disclaimer: lawDisclaimer(),
        })
        .meta({ title: "BriefTintLaw", description: "What the law of a state says of the wished shade." }),
      duration_minutes: durationMinutes(),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "BriefAutomotiveEstimate", description: "With view brief." });
export type BriefAutomotive = z.output<ReturnType<typeof briefAutomotive>>;

type WholeAutomotive = Omit<BriefAutomotive, "options"> & {
  options: readonly (Omit<BriefAutomotive["options"][number], "name"> & { film: { name: string } | null })[];
};

/** @param data of the whole answer */
export function toBriefAutomotive(data: WholeAutomotive): BriefAutomotive {
  const { kind, currency, total, film_type, coverage, assumed, tax, total_with_tax, options, tint_law: law } = data;
  const { duration_minutes, valid_until, estimate_id, book_url } = data;
  return {
    kind,
    currency,
    total,
    film_type,
    coverage,
    assumed,
    tax,
    ...(total_with_tax !== undefined && { total_with_tax }),
    options: options.map((option) => ({
      film_type: option.film_type,
      name: option.film?.name ?? null,
      total: option.total,
    })),
    tint_law: {
      jurisdiction: law.jurisdiction,
      status: law.status,
      checks: law.checks.map(({ position, status, rule, min_vlt, darkest_legal_shade }) => ({
        position,
        status,
        rule,
        min_vlt,
        darkest_legal_shade,
      })),
      disclaimer: shortened(law.disclaimer),
    },
    duration_minutes,
    valid_until,
    ...(estimate_id && { estimate_id }),
    ...(book_url && { book_url }),
  };
}

/** The first part of the catalog's sentence. */
function shortened(disclaimer: string): string {
  return disclaimer.split(";", 1).join("");
}

export const briefFlatGlass = (catalog: Shop) =>
  z
    .object({
      kind: z.literal("flat_glass").describe("A price for glass in a building."),
      currency: currency(),
      total_sqft: z.number().describe("Area of the glass."),
      total: currencyUnits().meta({ description: "Of the recommended option." }),
      total_min: currencyUnits().describe("From; of the recommended option."),
      total_max: currencyUnits().describe("To; of the recommended option."),
      assumed: assumed(),
      tax: taxShape(),
      total_with_tax: totalWithTax(),
      total_min_with_tax: totalWithTax(),
      total_max_with_tax: totalWithTax(),
      options: z
        .array(
          z
            .object({
              tier: termFields(catalog).tier,
              name: z.string().describe("Name of the film."),
              total: currencyUnits().describe("Price with this film."),
            })
            .meta({ title: "BriefTierOption", description: "One of the options." }),
        )
        .describe("The options, from the cheapest."),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "BriefFlatGlassEstimate", description: "With view brief." });
type BriefFlatGlass = z.output<ReturnType<typeof briefFlatGlass>>;

const WITH_TAX = ["total_with_tax", "total_min_with_tax", "total_max_with_tax"] as const;
type Totals = "total" | "total_min" | "total_max" | (typeof WITH_TAX)[number];

type WholeFlatGlass = Omit<BriefFlatGlass, "options" | Totals> & {
  options: readonly (Pick<BriefFlatGlass, Totals> & {
    tier: BriefFlatGlass["options"][number]["tier"];
    film: { name: string };
    recommended: boolean;
  })[];
};

/** @param data of the whole answer */
export function toBriefFlatGlass(whole: WholeFlatGlass): BriefFlatGlass {
  const { kind, currency, total_sqft, assumed, tax, options, valid_until, estimate_id, book_url } = whole;
  const recommended = options.find((option) => option.recommended);
  if (!recommended) throw new Error("no option is recommended");
  return {
    kind,
    currency,
    total_sqft,
    total: recommended.total,
    total_min: recommended.total_min,
    total_max: recommended.total_max,
    assumed,
    tax,
    ...pick(recommended, ...WITH_TAX),
    options: options.map(({ tier, film, total }) => ({ tier, name: film.name, total })),
    valid_until,
    ...(estimate_id && { estimate_id }),
    ...(book_url && { book_url }),
  };
}

/** An answer cut down to its brief data, its first two next steps and its warnings. */
export function briefly<Data, Brief>(
  { suggestions, warnings = [], ...answer }: Answer<Data>,
  cut: (data: Data) => Brief,
): Answer<Brief> {
  return {
    ...answer,
    data: cut(answer.data),
    warnings: together(warnings),
    ...(suggestions && { suggestions: suggestions.slice(0, 2) }),
  };
}

/** One warning for each code, about the first field that has it, because each shade can have one. */
function together(warnings: readonly Warning[]): Warning[] {
  return [...Map.groupBy(warnings, ({ code }) => code).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? { ...first, message: [...new Set(alike.map(({ message }) => message))].join(" ") } : [];
  });
}

/** What only the whole answers have: of a vehicle, and of flat glass. */
type Whole = { line_items: unknown } | { site_visit_required: unknown };

/**
 * The whole answer, for callers that never ask for a brief one.
 * @throws Error for a brief answer
 */
export function wholeOf<Data extends object>(data: Data): Extract<Data, Whole> {
  if (!("line_items" in data) && !("site_visit_required" in data)) throw new Error("a brief answer");
  return data as Extract<Data, Whole>;
}
