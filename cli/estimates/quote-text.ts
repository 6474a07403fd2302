/** Estimates as tables and sentences for a terminal, and the words that the screens share with them. */
import type { z } from "zod";
import type { automotiveEstimate } from "../../src/capabilities/automotive-estimate.ts";
import type { Capability } from "../../src/capabilities/core/capability.ts";
import { TO_PEOPLE, type Warning } from "../../src/capabilities/core/envelope.ts";
import type { Envelope } from "../../src/capabilities/core/invoke.ts";
import { wholeOf } from "../../src/capabilities/core/price-shapes.ts";
import { validate } from "../../src/capabilities/core/validate.ts";
import type { flatGlassEstimate } from "../../src/capabilities/flat-glass-estimate.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { entryOf } from "../../src/catalog/terms.ts";
import type { Verdict } from "../../src/domain/tint-law.ts";
import { capitalized, durationInWords, spaced } from "../../src/lib/text.ts";
import { textTable } from "../terminal/columns.ts";
import { clean } from "../terminal/output.ts";
import { moneyIn, rangeInWords } from "../terminal/wording.ts";
import { shadesTyped } from "../typed/requests.ts";

type Automotive = z.output<ReturnType<typeof automotiveEstimate.output>>;
type FlatGlass = z.output<ReturnType<typeof flatGlassEstimate.output>>;
type WholeGlass = ReturnType<typeof wholeOf<FlatGlass>>;

export function automotiveQuote({ data, warnings }: Envelope<Automotive>, catalog: Shop): string {
  const quote = wholeOf(data);
  const money = moneyIn(quote.currency);
  // The options share the rows, but label the first line with their own film: name the work there instead.
  const rows = quote.line_items.map(({ label }, i) => [
    i === 0 ? workInWords(quote, catalog) : label,
    ...quote.options.map((option) => money(option.line_items[i]?.amount ?? 0)),
  ]);
  const head = [
    "",
    ...quote.options.map(
      ({ film, selected }) => `${film?.name ?? "Price"}${selected && quote.options.length > 1 ? " *" : ""}`,
    ),
  ];
  return [
    clean(quote.vehicle.description ?? ""),
    textTable(head, [
      ...rows,
      ["Total", ...quote.options.map(({ total }) => money(total))],
      ...(quote.total_with_tax === undefined
        ? []
        : [[withTax(catalog), ...quote.options.map(({ total, total_with_tax: all = total }) => money(all))]]),
    ]).trimEnd(),
    ...(quote.options.length > 1 ? ["* asked for, or the shop's usual"] : []),
    ...(quote.assumed.length > 0 ? [`Assumed: ${quote.assumed.map(fieldInWords).join(", ")}`] : []),
    `Takes about ${durationInWords(quote.duration_minutes)}`,
    `${quote.tax.note} ${quote.price_note}`,
    ...law(quote.tint_law),
    ...notesOf(warnings).map((note) => `Note: ${note}`),
    "",
  ].join("\n");
}

function withTax({ tax }: Shop): string {
  return `With ${tax.label ?? "tax"}`;
}

function fieldInWords(field: string): string {
  return { film_type: "film", jurisdiction: "state", addons: "add-ons", vehicle_type: "class" }[field] ?? spaced(field);
}

function workInWords({ service, coverage }: { service: string; coverage: string | null }, catalog: Shop): string {
  const glass = coverage === null ? "" : `, ${entryOf(catalog.automotive.coverages, coverage).name}`;
  return `${spaced(service)}${glass}`;
}

function law({ name, citation, status, checks, disclaimer, notes }: Verdict): string[] {
  const checked = checks.filter((check) => check.status !== "not_checked");
  if (checked.length === 0) return [];
  const head = `Tint law of ${name}${citation ? ` (${citation})` : ""}: ${spaced(status)}`;
  if (status === "legal") return [head];
  return [
    "",
    head,
    ...checked.map(({ position, status, explanation }) => `  ${spaced(position)}: ${spaced(status)}. ${explanation}`),
    ...notes.map((note) => `  ${note}`),
    `  ${disclaimer}`,
  ];
}

/** A row for the price by the square foot, one for each line item, and the total; a column for each option. */
export function glassRows({ options, currency }: WholeGlass, withTax: string, decimals: 0 | 2 = 2): string[][] {
  const money = moneyIn(currency, decimals);
  const row = (name: string, cellOf: (option: WholeGlass["options"][number]) => string) => [
    name,
    ...options.map(cellOf),
  ];
  const items = new Map(options.flatMap(({ line_items }) => line_items.map(({ code, label }) => [code, label])));
  return [
    row("Per sq ft", ({ price_per_sqft: price }) => money(price)),
    ...[...items].map(([code, label]) =>
      row(SHORT[code] ?? label, ({ line_items }) => {
        const item = line_items.find((one) => one.code === code);
        return item ? rangeInWords(item.amount_min ?? item.amount, item.amount_max ?? item.amount, money) : "";
      }),
    ),
    row("Total", ({ total_min, total_max }) => rangeInWords(total_min, total_max, money)),
    ...(options.some(({ total_with_tax: all }) => all !== undefined)
      ? [row(withTax, ({ total_min_with_tax: min = 0, total_max_with_tax: max = 0 }) => rangeInWords(min, max, money))]
      : []),
  ];
}

/** Labels for line items by code, short enough to be beside three columns of prices on 80 columns. */
const SHORT: Record<string, string> = {
  film: "Film, installed",
  blocked_windows: "Blocked windows",
  curtain_windows: "With curtains",
  removal: "Old film removed",
  minimum_adjustment: "Minimum charge",
};

export function flatGlassQuote({ data, warnings }: Envelope<FlatGlass>, catalog: Shop): string {
  const quote = wholeOf(data);
  return [
    `${quote.total_sqft} sq ft, ${quote.site_type}, for ${quote.primary_concern}`,
    ...(quote.windows ?? []).map(({ label, quantity, sqft }) => `  ${quantity} of ${clean(label)}: ${sqft} sq ft`),
    textTable(
      ["", ...quote.options.map(({ label, recommended }) => `${label}${recommended ? " *" : ""}`)],
      [["Film", ...quote.options.map(({ film }) => film.name)], ...glassRows(quote, withTax(catalog))],
    ).trimEnd(),
    "* recommended",
    `${quote.tax.note} ${quote.price_note}`,
    ...quote.notes,
    ...notesOf(warnings).map((note) => `Note: ${note}`),
    "",
  ].join("\n");
}

export function notesOf(warnings: readonly Warning[] = []): string[] {
  return warnings.map(({ message, field = "", [TO_PEOPLE]: understood }) => {
    if (!understood) return clean(message);
    const { said, meant } = understood;
    // Words that are quoted need no field.
    const subject = said.startsWith('"') ? "" : `${fieldInWords(field)} `;
    return clean(`${capitalized(subject)}${said}${partsTyped(meant)}.`);
  });
}

function partsTyped(meant: object | undefined): string {
  if (Array.isArray(meant) && meant.every((part) => typeof part !== "object")) return meant.join(", ");
  return meant ? shadesTyped(meant) || JSON.stringify(meant) : "";
}

/** Words of a request that were understood although they are not the proper ones, in a sentence each. */
export function understoodIn(capability: Capability, raw: object, catalog: Shop): string[] {
  const { warnings } = validate(capability, raw, catalog);
  return notesOf(warnings.filter(({ code }) => code === "UNDERSTOOD"));
}
