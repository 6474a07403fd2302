/** Tax and how binding a price is, as answers say it. Source: contract 2. */
import { z } from "zod";
import { TAX_STATUSES } from "../../catalog/sections/tax.ts";
import type { Shop } from "../../catalog/shop.ts";
import { addsTax, type Cents, taxOf, toUnits } from "../../domain/money.ts";
import { linesFor } from "../../schema/fields.ts";
import { currencyUnits } from "../core/shapes.ts";

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

/** @param total in cents; null for a range */
export function toTax(total: Cents | null, catalog: Shop): z.output<ReturnType<typeof taxShape>> {
  const { status, rate_pct: rate, note } = catalog.tax;
  return { status, rate_pct: rate ?? null, amount: total === null ? null : toUnits(taxOf(total, catalog)), note };
}

/** A price of a booking with its tax, and how binding it is. @param total in cents */
export function taxed(total: Cents, catalog: Shop) {
  if (total < 0) throw new Error("a price below zero");
  const tax = toTax(total, catalog);
  return { total: toUnits(total), tax, ...withTax("total_with_tax", total, catalog), price_note: catalog.price_note };
}

/** The total with the tax on top, where it is added. */
export function withTax<Name extends string>(name: Name, total: Cents, catalog: Shop): { [Key in Name]?: number } {
  if (!addsTax(catalog)) return {};
  return { [name]: toUnits(total + taxOf(total, catalog)) } as { [Key in Name]: number };
}
