import type { Catalog } from "./schema.ts";

/**
 * The synonyms of the words that a field holds, by the name of the field. A map and no object, because callers may name
 * a field `toString`.
 */
const KINDS = new Map<string, keyof Catalog["synonyms"]>(
  Object.entries({
    vehicle_type: "vehicle_types",
    film_type: "films",
    coverage: "coverages",
    addons: "addons",
    service: "services",
    service_type: "services",
    primary_concern: "concerns",
  } as const),
);

/** The word of the catalog that a synonym means in a field; undefined when it is none. */
export function synonymOf(word: string, field: string, { synonyms }: Catalog): string | undefined {
  const kind = KINDS.get(field);
  const group: Readonly<Record<string, string>> = kind ? synonyms[kind] : {};
  return Object.hasOwn(group, word) ? group[word] : undefined;
}
