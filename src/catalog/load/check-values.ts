/** Checks the values that a catalog file holds: each by the schema, then all together. */
import { explain } from "../../schema/explain.ts";
import { crossCheck } from "../checks/cross-check.ts";
import type { Fault } from "../path.ts";
import { type Catalog, catalogSchema, type WrittenCatalog } from "../schema.ts";
import { schemaFaults } from "./schema-faults.ts";

/** @returns every fault at once, those of the schema and those of the rules that span keys */
export function checkValues(source: unknown): { catalog: Catalog } | { faults: Fault[] } {
  const parsed = catalogSchema.safeParse(source, { error: explain, reportInput: true });
  const found = parsed.success ? [] : parsed.error.issues.flatMap((issue) => schemaFaults(issue));
  const paths = found.map(({ path }) => path);
  // The rules read only what the schema found sound, so the source has the declared shape wherever they look.
  const faults = firstOfEach([...found, ...crossCheck(source as WrittenCatalog, paths)]);
  return parsed.success && faults.length === 0 ? { catalog: parsed.data } : { faults };
}

/** One mistake may break several rules; the first says enough. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.path.join("\0"), fault])).values()].reverse();
}
