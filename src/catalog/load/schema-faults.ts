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

/** Explains a key that comes from a usual mistake in typing; undefined for any other key. */
function slipIn(key: string): string | undefined {
  if (/^\d+$/.test(key)) return "is a number where a word must stand: write amounts without a comma inside, like 1200";
  return key.includes(":") ? "needs a space after its colon" : undefined;
}

/** How to write the value, for a value that reads as another kind than it was meant. */
function remedy({ code, input, ...issue }: z.core.$ZodIssue): string {
  const expected = code === "invalid_type" && "expected" in issue ? issue.expected : "";
  if (expected === "string" && typeof input === "number") return "; put it in quotes";
  if (expected === "string" && input === null) return "; one that begins with # or & needs quotes";
  if (!["number", "int"].includes(String(expected)) || typeof input !== "string") return "";
  const amount = input.replace(/[$,\s]/g, "");
  return /^\d+(?:\.\d+)?$/.test(amount) ? `; write ${amount}, without quotes, commas and signs` : "";
}

/** @returns one fault for each unknown key, so that each is shown at its own line; one for any other issue */
export function schemaFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  // A record's key breaks the rule for keys; zod gives the rule's own message one level down.
  if (issue.code === "invalid_key")
    return [{ path, message: slipIn(String(path.at(-1))) ?? issue.issues[0]?.message ?? issue.message, at: "key" }];
  if (issue.code === "invalid_union") return unionFaults(issue, path);
  if (issue.code !== "unrecognized_keys") return [{ path, message: `${issue.message}${remedy(issue)}` }];
  const known = placeAt(path)?.keys ?? [];
  return issue.keys.map((key) => {
    const guess = didYouMean(key, known);
    const hint = guess ? `; did you mean ${guess}?` : "";
    return { path: [...path, key], message: slipIn(key) ?? `is not a key of the catalog${hint}`, at: "key" };
  });
}
