import type { Catalog } from "./schema.ts";

/**
 * A function of the catalog that is worked out once per catalog, at the first request that needs the result.
 * The memo holds a catalog weakly: after a reload the old results go with the old catalog.
 * @param make must depend on the catalog alone; when it throws, nothing is kept
 */
export function derived<T>(make: (catalog: Catalog) => T): (catalog: Catalog) => T {
  const memo = new WeakMap<Catalog, { value: T }>();
  return (catalog) => {
    let entry = memo.get(catalog);
    if (!entry) {
      entry = { value: make(catalog) };
      memo.set(catalog, entry);
    }
    return entry.value;
  };
}

/**
 * Like `derived`, for a function of the catalog and a key, such as a date.
 * @param most results kept per catalog; when there are more keys than that, all results are dropped
 * @param make must depend on catalog and key alone; when it throws, nothing is kept
 */
export function derivedBy<T>(
  most: number,
  make: (catalog: Catalog, key: string) => T,
): (catalog: Catalog, key: string) => T {
  const memos = derived(() => new Map<string, { value: T }>());
  return (catalog, key) => {
    const memo = memos(catalog);
    let entry = memo.get(key);
    if (!entry) {
      entry = { value: make(catalog, key) };
      if (memo.size >= most) memo.clear();
      memo.set(key, entry);
    }
    return entry.value;
  };
}
