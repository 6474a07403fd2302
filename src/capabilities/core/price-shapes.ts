/** Parts of the answers about prices: estimates, brief and whole, bookings and quote requests. */

import { z } from "zod";
import { TAX_STATUSES } from "../../catalog/sections/business.ts";
import type { Shop } from "../../catalog/shop.ts";
import { POSITIONS } from "../../constants.ts";
import {
  GLASS_NAMES,
  GLASS_STATUSES,
  type GlassStatus,
  LAW_REASONS,
  LAW_STATUSES,
  type LawReason,
  type LawStatus,
  RULES,
} from "../../domain/tint-law.ts";
import { type Cents, taxOf, toUnits } from "../../lib/money.ts";
import { capitalized } from "../../lib/text.ts";
import { inTool, linesFor, optional } from "../../schema/fields.ts";
import {
  assumed,
  bookUrlField,
  currency,
  currencyUnits,
  durationMinutes,
  durationSaid,
  termFields,
  timestamp,
} from "./shapes.ts";

export const automotiveFilm = () =>
  z
    .object({
      name: z.string().describe("Name for customers."),
      description: z.string().nullable().describe("What it is good for."),
      ir_rejection_pct: z.number().describe("Infrared heat that is kept out, in percent."),
      uv_rejection_pct: z.number().describe("UV that is blocked, in percent."),
      warranty: z.string().describe("Warranty of the maker."),
      shades: z
        .array(
          z
            .object({
              label: z.int().describe("The number on the box."),
              vlt: z.int().describe("Light that passes, in percent, as measured."),
            })
            .meta({ title: "FilmShade", description: "A shade in which the film comes." }),
        )
        .describe("The shades in which it comes, the darkest first."),
    })
    .meta({ title: "AutomotiveFilm", description: "A film for vehicles." });

export function filmOf({ priceList }: Shop, code: string) {
  const film = priceList.films.get(code);
  if (!film) throw new Error(`the catalog has no film ${code}`);
  return film.wire;
}

const glassPosition = () =>
  z.enum(POSITIONS).meta({
    title: "GlassPosition",
    description: "The glass.",
    ...linesFor(Object.fromEntries(POSITIONS.map((one) => [one, `${capitalized(GLASS_NAMES[one])}.`]))),
  });
const STATUS_LINES: Record<GlassStatus, string> = {
  not_checked: "No verdict.",
  legal: "Permitted.",
  borderline: "It depends on the glass or on the meter: have it metered.",
  illegal: "Too dark.",
  not_permitted: "No film is permitted there.",
};
const glassStatus = () =>
  z.enum(GLASS_STATUSES).meta({ title: "GlassStatus", description: "The verdict.", ...linesFor(STATUS_LINES) });
const lawRule = () =>
  z.enum(RULES).meta({
    title: "TintLawRule",
    description: "What the law asks of this glass.",
    ...linesFor<(typeof RULES)[number]>({
      minimum: "At least min_vlt must pass.",
      none: "Any shade is permitted.",
      no_film: "No film is permitted.",
      see_reason: "A strip at the top alone: see reason.",
    }),
  });
export const lawStatus = () =>
  z.enum(LAW_STATUSES).meta({
    title: "TintLawStatus",
    description: "The gravest of the checks that were made.",
    ...linesFor<LawStatus>({
      ...STATUS_LINES,
      partly_checked: "What was checked is legal, but not all glass was checked.",
    }),
  });
const minVlt = () => z.int().nullable().describe("Light that must pass, in percent; null where rule is not minimum.");
const darkestLegalField = () =>
  z.int().nullable().describe("VLT of the darkest shade of the chosen film that is legal here.");
const lawDisclaimer = () => z.string().describe("To be told with every verdict.");
export const lawJurisdiction = () => z.string().describe("The state, by its ISO 3166-2 code.");

/** A check as both forms of an estimate show it. */
const checkShapes = () => ({
  position: glassPosition(),
  status: glassStatus(),
  rule: lawRule(),
  min_vlt: minVlt(),
  darkest_legal_shade: darkestLegalField(),
});

export const tintLawShape = () =>
  z
    .object({
      jurisdiction: lawJurisdiction(),
      name: z.string().describe("Name of the state."),
      citation: z.string().nullable().describe("Where the law stands; null when it is not known."),
      confidence: z.string().meta({
        description: "How sure the rules are.",
        ...linesFor({
          official: "A government page.",
          primary_copy: "A copy of the law's text.",
          secondary: "Tables of other companies.",
          disputed: "Sources disagree.",
        }),
      }),
      reviewed_on: z.string().nullable().describe("The day the rules were last checked."),
      measure: z.enum(["net", "film", "unclear"]).meta({
        title: "TintLawMeasure",
        description: "What is measured.",
        ...linesFor({ net: "Glass and film together.", film: "The film alone.", unclear: "It is not known which." }),
      }),
      disclaimer: lawDisclaimer(),
      status: lawStatus(),
      checks: z
        .array(
          z
            .object({
              position: glassPosition(),
              film_vlt: z.int().nullable().describe("VLT of the wished film; null without a wish."),
              net_vlt: z.number().nullable().meta({
                description:
                  "Light in percent: through film and assumed factory glass, or through the film alone where measure is film.",
              }),
              glass_vlt: z.int().nullable().meta({
                description:
                  "VLT of the factory glass for net_vlt: as given, else assumed; null where measure is film.",
              }),
              rule: lawRule(),
              min_vlt: minVlt(),
              status: glassStatus(),
              reason: z.enum(LAW_REASONS).meta({
                title: "TintLawReason",
                description: "Why.",
                ...linesFor<LawReason>({
                  no_shade_given: "No shade was wished.",
                  no_film_priced: "No film for this glass is in the job.",
                  any_shade_permitted: "The law sets no limit here.",
                  meets_minimum: "Enough light passes.",
                  within_tolerance: "Below the minimum, but within what meters differ.",
                  depends_on_glass: "It is legal on clearer glass only.",
                  depends_on_class: "The vehicle can count as either class, and the verdicts differ.",
                  below_minimum: "Too little light passes.",
                  strip_only: "Film is permitted at the top alone.",
                  strip_permitted: "A strip at the top is permitted.",
                  prohibited: "No film is permitted.",
                }),
              }),
              explanation: z.string().describe("The same in a sentence."),
              darkest_legal_shade: darkestLegalField(),
            })
            .meta({ title: "TintLawCheck", description: "The verdict on one glass." }),
        )
        .describe("One for each glass that gets film."),
      notes: z.array(z.string()).describe("What else the law says."),
    })
    .meta({ title: "TintLaw", description: "What the law of a state says of the wished shade." });

export const estimateId = () =>
  z.string().optional().meta({
    description:
      "Send it when you book or ask for a quote: the price holds up to valid_until. Absent on the command line.",
  });

export const viewField = () =>
  optional(z.enum(["full", "brief"])).meta({
    description: "How much is answered. Also as a query field.",
    ...inTool("brief: totals and verdict alone."),
    ...linesFor({ full: "Everything.", brief: "Totals, verdict and the next step alone." }),
  });

export type View = z.output<ReturnType<typeof viewField>>;

// Tax, and how binding a price is. Source: contract 2.

export const taxShape = () =>
  z
    .object({
      status: z.enum(TAX_STATUSES).meta({
        title: "TaxStatus",
        description: "Whether tax is due, and where it is.",
        ...linesFor<(typeof TAX_STATUSES)[number]>({
          none: "No tax.",
          included: "The total holds it.",
          added: "It comes on top: see total_with_tax.",
        }),
      }),
      rate_pct: z.number().nullable().describe("Percent; null without tax."),
      amount: currencyUnits().nullable().meta({ description: "Of the total; null where the price is a range." }),
      note: z.string().describe("What the customer should be told."),
    })
    .meta({ title: "Tax", description: "The tax on a price." });

/** Where tax is added, what the customer pays in all. */
export const totalWithTax = () =>
  currencyUnits().optional().meta({ description: "The total and the tax that is added to it." });

export const priceNote = () => z.string().meta({ description: "How binding the price is." });

export const glassPriceNote = ({ flat_glass, price_note }: Shop) => flat_glass?.price_note ?? price_note;

/** What is said of every price, where both kinds are spoken of. */
export const allPriceNotes = (catalog: Shop) => [...new Set([catalog.price_note, glassPriceNote(catalog)])].join(" ");

/** @param total in cents; null for a range */
export function toTax(total: Cents | null, catalog: Shop): z.output<ReturnType<typeof taxShape>> {
  const { status, rate_pct: rate, note } = catalog.tax;
  return { status, rate_pct: rate ?? null, amount: total === null ? null : toUnits(taxOf(total, catalog)), note };
}

/** A price of a booking with its tax, and how binding it is. @param total in cents */
export function taxed(total: Cents, catalog: Shop) {
  if (total < 0) throw new Error("a price below zero");
  const tax = toTax(total, catalog);
  return {
    total: toUnits(total),
    tax,
    ...taxedTotal("total_with_tax", total, catalog),
    price_note: catalog.price_note,
  };
}

/** The total with the tax on top, where it is added. */
export function taxedTotal<Name extends string>(name: Name, total: Cents, catalog: Shop): { [Key in Name]?: number } {
  if (catalog.tax.status !== "added") return {};
  return { [name]: toUnits(total + taxOf(total, catalog)) } as { [Key in Name]: number };
}

// Brief answers, for `view: "brief"`: what a model needs to go on. Source: contract 15.

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
      duration: durationSaid(),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "BriefAutomotiveEstimate", description: "With view brief." });
export type BriefAutomotive = z.output<ReturnType<typeof briefAutomotive>>;

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
export type BriefFlatGlass = z.output<ReturnType<typeof briefFlatGlass>>;

/** One warning for each code, about the first field that has it, because each shade can have one. */
export function mergeWarnings<One extends { code: string; message: string }>(warnings: readonly One[]): One[] {
  return [...Map.groupBy(warnings, ({ code }) => code).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? { ...first, message: [...new Set(alike.map(({ message }) => message))].join(" ") } : [];
  });
}

/** What only the whole answers have: of a vehicle, and of flat glass. */
type Whole = { line_items: unknown } | { site_visit_required: unknown };

/** The whole answer, for callers that never ask for a brief one. */
export function wholeOf<Data extends object>(data: Data): Extract<Data, Whole> {
  if (!("line_items" in data) && !("site_visit_required" in data)) throw new Error("a brief answer");
  return data as Extract<Data, Whole>;
}
