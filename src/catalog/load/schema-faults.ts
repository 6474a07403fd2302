/** The schema's complaints about a catalog, as faults an owner can read. */
import type { z } from "zod";
import { didYouMean } from "../../schema/explain.ts";
import type { Fault, Path } from "../path.ts";
import { placeAt } from "../places.ts";

/** A value of a kind that one of the alternatives accepts has faults inside it; any other is a fault itself. */
function unionFaults(issue: z.core.$ZodIssueInvalidUnion, path: Path): Fault[] {
  const inside = issue.errors.find((issues) => issues.length > 0 && issues.every((one) => one.path.length > 0)) ?? [];
  const faults = inside
    .flatMap((one) => schemaFaults(one))
    .map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
  return faults.length > 0 ? faults : [{ path, message: issue.message }];
}

/** @returns one fault for each unknown key, so that each is shown at its own line; one for any other issue */
export function schemaFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  // A record's key breaks the rule for keys; zod gives the rule's own message one level down.
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message, at: "key" }];
  if (issue.code === "invalid_union") return unionFaults(issue, path);
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  const known = placeAt(path)?.keys ?? [];
  return issue.keys.map((key) => {
    const guess = didYouMean(key, known);
    const hint = guess ? `; did you mean ${guess}?` : "";
    return { path: [...path, key], message: `is not a key of the catalog${hint}`, at: "key" };
  });
}
