/** Text that an owner types into a field that the API has too. */
import type { z } from "zod";
import { explain } from "../../src/schema/explain.ts";
import { normalise } from "../../src/schema/fields.ts";

/** Checks typed text by the API's own rule. @returns the tidied value, or a fault like `must be an e-mail address` */
export function readField(
  schema: z.ZodType<string>,
  typed: string,
): { value: string; fault?: undefined } | { value?: undefined; fault: string } {
  const read = schema.safeParse(normalise(typed), { error: explain });
  return read.success ? { value: read.data } : { fault: read.error.issues[0]?.message ?? "is not valid" };
}
