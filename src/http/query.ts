/** Reads the query of a request. */
import type { Capability } from "../capabilities/core/capability.ts";
import type { Shop } from "../catalog/shop.ts";
import { coerceFields } from "../schema/coerce.ts";
import { jsonSchema } from "../schema/json-schema.ts";

/** The query of a request, without the question mark. */
export function queryOf({ url }: Request): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** The fields of a query or a form, in the types of the capability. */
export function readQuery(query: string, capability: Capability, catalog: Shop): object {
  if (query === "") return {};
  // Grouped, because to look each name up would take quadratic time.
  const fields = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return coerceFields(
    [...fields].map(([name, pairs]) => [name, pairs.map(([, value]) => value)] as const),
    jsonSchema(capability.input(catalog), "input"),
  );
}
