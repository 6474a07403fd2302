/** What the sections of the catalog are made of. */
import { z } from "zod";
import { isPlainLine, isPlainText } from "../../schema/fields.ts";

/** Dollars with at most 2 decimals in the file, integer cents in the program. */
export const money = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => /^-?\d+(\.\d{1,2})?$/.test(String(amount)), "must have at most 2 decimals, like 289 or 289.50")
  .transform((amount) => Math.round(amount * 100));

/** Shown to customers, assistants and the owner's terminal, so without control, invisible or direction characters. */
export const text = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine(isPlainLine, "must be one line, without control or invisible characters");
export const longText = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .refine(isPlainText, "must not contain control or invisible characters (newlines are fine)");
export const percent = z.number().min(0).max(100);
export const vlt = z.int().min(1).max(100);
export const minutes = z
  .int()
  .min(0)
  .max(24 * 60);
/** How many of something are allowed. */
export const limit = z.int().min(1).max(100_000);
/** ISO 3166. */
export const country = z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code, like US");
export const url = z.url({ protocol: /^https?$/, error: "must be a web address beginning with https://" });

/** A record that must hold every one of the given keys and no other. */
export function every<K extends string, V extends z.ZodType>(keys: readonly K[], value: V) {
  return z.strictObject(Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>);
}
