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
    /** For customers: one sentence. */
    note: lineOfText.max(160),
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
  });
