/** What an owner types into a field that the API has too. */
import type { z } from "zod";
import { explain } from "../../src/schema/explain.ts";
import { normalise } from "../../src/schema/fields.ts";

/** A text, tidied and judged as the API judges the same field: its value, or a predicate saying what is wrong. */
export function readField(
  schema: z.ZodType<string>,
  typed: string,
): { value: string; fault?: undefined } | { value?: undefined; fault: string } {
  const read = schema.safeParse(normalise(typed), { error: explain });
  return read.success ? { value: read.data } : { fault: read.error.issues[0]?.message ?? "is not valid" };
}
