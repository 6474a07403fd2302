/** What the schema says of a catalog, as faults an owner can read. */
import type { z } from "zod";
import { didYouMean } from "../../schema/explain.ts";
import type { Fault } from "../path.ts";
import { placeAt } from "../places.ts";

/** One fault per unknown key, so that each gets its own line and caret. */
export function schemaFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  // The key of a record is itself at fault; why, its own issues say.
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message, at: "key" }];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  const known = placeAt(path)?.keys ?? [];
  return issue.keys.map((key) => {
    const guess = didYouMean(key, known);
    const hint = guess ? `; did you mean ${guess}?` : "";
    return { path: [...path, key], message: `is not a key of the catalog${hint}`, at: "key" };
  });
}
