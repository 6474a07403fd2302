/** The comparison of the other films with the shop's reference film. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import type { Option } from "../../domain/automotive.ts";
import { formatMoney, toUnits } from "../../domain/money.ts";
import { capitalised } from "../../lib/text.ts";
import { currencyUnits, termFields } from "../core/shapes.ts";

const values = {
  price_difference: currencyUnits().describe("What it costs more."),
  ir_rejection_difference_pct: z.number().describe("How much more infrared heat it keeps out, in points of percent."),
  summary: z.string().describe("The same in a sentence."),
};

/** With more than two films, `each` has one entry for each dearer film. */
export function comparisonShape(catalog: Shop) {
  const { films, referenceFilm } = catalog.terms;
  const others = films.filter((film) => film !== referenceFilm);
  const description =
    others.length === 1
      ? `${capitalised(others[0] ?? "")} against ${referenceFilm}; null when there is no choice of film.`
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

/** Null without a film to compare. With two films they are compared whichever is dearer. */
export function compare(options: readonly Option[], catalog: Shop) {
  const { referenceFilm } = catalog.terms;
  const reference = options.find(({ filmType }) => filmType === referenceFilm);
  if (!reference) return null;
  const others = options.filter((option) => option !== reference);
  const shown = others.length > 1 ? others.filter(({ total }) => total > reference.total) : others;
  const first = shown.find(({ selected }) => selected) ?? shown[0];
  if (!first) return null;
  if (others.length === 1) return against(reference, first, catalog);
  const each = shown.flatMap((option) =>
    option.filmType === null ? [] : [{ film_type: option.filmType, ...against(reference, option, catalog) }],
  );
  return { ...against(reference, first, catalog), each };
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
