/** What the schema says of a catalog, as faults an owner can read. */
import type { z } from "zod";
import { didYouMean } from "../explain.ts";
import type { Fault, Path } from "./cross-checks.ts";
import { catalogSchema } from "./schema.ts";

/** One fault per unknown key, so that each gets its own line and caret. */
export function toFaults(issue: z.core.$ZodIssue): Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  // The key of a record is itself at fault; why, its own issues say.
  if (issue.code === "invalid_key") return [{ path, message: issue.issues[0]?.message ?? issue.message, at: "key" }];
  if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
  const known = knownKeys(path);
  return issue.keys.map((key) => {
    const guess = didYouMean(key, known);
    const hint = guess ? `; did you mean ${guess}?` : "";
    return { path: [...path, key], message: `is not a key of the catalog${hint}`, at: "key" };
  });
}

/** The keys the schema has at a path, for "did you mean". */
function knownKeys(path: Path): string[] {
  let schema: unknown = catalogSchema;
  for (const part of path) {
    const def = defOf(schema);
    schema = def?.shape?.[part] ?? def?.element ?? def?.valueType;
  }
  return Object.keys(defOf(schema)?.shape ?? {});
}

interface SchemaDef {
  shape?: Record<string | number, unknown>;
  element?: unknown;
  valueType?: unknown;
  innerType?: unknown;
}
/** Zod's own description of a schema, defaults and optionals taken off. */
function defOf(schema: unknown): SchemaDef | undefined {
  const def = (schema as { _zod?: { def: SchemaDef } } | undefined)?._zod?.def;
  return def?.innerType ? defOf(def.innerType) : def;
}
