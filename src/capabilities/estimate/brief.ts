/** The short answer of both estimates, for `view: "brief"`: what a model needs to go on. Source: contract 15. */
import { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { optional } from "../../schema/fields.ts";
import type { Answer } from "../core/capability.ts";
import type { Warning } from "../core/envelope.ts";
import { bookUrlField, money, timestamp } from "../core/shapes.ts";
import { wordFields } from "../core/word-fields.ts";
import { estimateId } from "../lock/shapes.ts";
import { glassPosition, glassStatus, lawStatus } from "./answer.ts";

export const viewField = () =>
  optional(z.enum(["full", "brief"])).meta({
    description: "brief: totals, verdict and the next step alone. Also as a query field.",
  });

export const briefAutomotive = (catalog: Catalog) =>
  z
    .object({
      kind: z.literal("automotive"),
      currency: z.string(),
      total: money(),
      options: z.array(
        z
          .object({ film_type: wordFields(catalog).filmType.nullable(), total: money() })
          .meta({ title: "BriefFilmOption" }),
      ),
      tint_law: z
        .object({
          jurisdiction: z.string(),
          status: lawStatus(),
          checks: z.array(
            z
              .object({
                position: glassPosition(),
                status: glassStatus(),
                min_vlt: z.int().nullable(),
                darkest_legal_shade: z.int().nullable(),
              })
              .meta({ title: "BriefTintLawCheck" }),
          ),
        })
        .meta({ title: "BriefTintLaw" }),
      duration_minutes: z.int(),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "BriefAutomotiveEstimate" });
export type BriefAutomotive = z.output<ReturnType<typeof briefAutomotive>>;

/** @param data of the whole answer */
export function toBriefAutomotive(data: BriefAutomotive): BriefAutomotive {
  const { kind, currency, total, options, tint_law: law, duration_minutes, valid_until, estimate_id, book_url } = data;
  return {
    kind,
    currency,
    total,
    options: options.map((option) => ({ film_type: option.film_type, total: option.total })),
    tint_law: {
      jurisdiction: law.jurisdiction,
      status: law.status,
      checks: law.checks.map(({ position, status, min_vlt, darkest_legal_shade }) => ({
        position,
        status,
        min_vlt,
        darkest_legal_shade,
      })),
    },
    duration_minutes,
    valid_until,
    ...(estimate_id && { estimate_id }),
    ...(book_url && { book_url }),
  };
}

export const briefFlatGlass = (catalog: Catalog) =>
  z
    .object({
      kind: z.literal("flat_glass"),
      currency: z.string(),
      total_sqft: z.number(),
      total: money().meta({ description: "Of the recommended option." }),
      options: z.array(z.object({ tier: wordFields(catalog).tier, total: money() }).meta({ title: "BriefTierOption" })),
      valid_until: timestamp(),
      estimate_id: estimateId(),
      book_url: bookUrlField(),
    })
    .meta({ title: "BriefFlatGlassEstimate" });
type BriefFlatGlass = z.output<ReturnType<typeof briefFlatGlass>>;

type WholeFlatGlass = Omit<BriefFlatGlass, "options" | "total"> & {
  options: readonly (BriefFlatGlass["options"][number] & { recommended: boolean })[];
};

/** @param data of the whole answer */
export function toBriefFlatGlass(whole: WholeFlatGlass): BriefFlatGlass {
  const { kind, currency, total_sqft, options, valid_until, estimate_id, book_url } = whole;
  const recommended = options.find((option) => option.recommended);
  if (!recommended) throw new Error("no option is recommended");
  return {
    kind,
    currency,
    total_sqft,
    total: recommended.total,
    options: options.map(({ tier, total }) => ({ tier, total })),
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

/** One warning for each code and field, because each shade of an object can have one. */
function together(warnings: readonly Warning[]): Warning[] {
  return [...Map.groupBy(warnings, ({ code, field }) => `${code} ${field}`).values()].flatMap((alike) => {
    const [first] = alike;
    return first ? { ...first, message: alike.map(({ message }) => message).join(" ") } : [];
  });
}

/**
 * The whole answer, for callers that never ask for a brief one. The cast is safe: of the two, only the whole answer has
 * `assumed`.
 * @throws Error for a brief answer
 */
export function wholeOf<Data extends object>(data: Data): Extract<Data, { assumed: unknown }> {
  if (!("assumed" in data)) throw new Error("a brief answer");
  return data as Extract<Data, { assumed: unknown }>;
}
