/** `tax`: whether prices hold sales tax, or it comes on top. */
import { z } from "zod";
import { lineOfText } from "./values.ts";

export const TAX_STATUSES = ["none", "included", "added"] as const;

export const tax = z
  .strictObject({
    status: z.enum(TAX_STATUSES),
    /** Percent, with at most 3 decimals. */
    rate_pct: z.number().min(0.001).max(50).multipleOf(0.001).optional(),
    /** The name of the tax, like Sales tax. */
    label: lineOfText.max(40).optional(),
    /** For customers: one sentence; without it one that follows from the rest. */
    note: lineOfText.max(160).optional(),
  })
  .refine(({ status, rate_pct: rate }) => status === "none" || rate !== undefined, {
    error: "must have a rate_pct, because tax is included or added",
    path: ["rate_pct"],
  })
  .refine(({ status, rate_pct: rate }) => status !== "none" || rate === undefined, {
    error: "must be left out, because status is none: or set status to included or added",
    path: ["rate_pct"],
  })
  .refine(({ status, label }) => status === "none" || label !== undefined, {
    error: "must have a label, like Sales tax, because tax is included or added",
    path: ["label"],
  })
  .refine(({ status, note = "" }) => status !== "added" || !/\bno (\w+ )?tax\b/i.test(note), {
    error: "says that there is no tax, but status is added: change it, or leave it out",
    path: ["note"],
  })
  .transform((tax) => ({ ...tax, note: tax.note ?? usualNote(tax) }));

function usualNote({ status, rate_pct, label }: { status: string; rate_pct?: number; label?: string }): string {
  if (status === "none") return "The price is what you pay: no tax is added.";
  const named = `${label} of ${rate_pct}%`;
  return status === "included" ? `The price includes ${named}.` : `${named} is added to the price.`;
}
