import type { Shop } from "./shop.ts";

/**
 * A function of the catalog that is worked out once per catalog, at the first request that needs the result.
 * The memo holds a catalog weakly: after a reload the old results go with the old catalog.
 * @param make must depend on the catalog alone; when it throws, nothing is cached
 */
export function perCatalog<T>(make: (catalog: Shop) => T): (catalog: Shop) => T {
  const memo = new WeakMap<Shop, { value: T }>();
  return (catalog) => {
    let entry = memo.get(catalog);
    if (!entry) {
      entry = { value: make(catalog) };
      memo.set(catalog, entry);
    }
    return entry.value;
  };
}

/** Dates cached per catalog: enough for the longest horizon, and for a few callers who ask for dates outside it. */
const MOST_DATES = 500;

/**
 * Like `perCatalog`, for what the catalog says about a date: opening times, starts, the last day of a price.
 * @param make must depend on catalog and date alone; when it throws, nothing is cached
 */
export function perCatalogAndDate<T>(make: (catalog: Shop, date: string) => T): (catalog: Shop, date: string) => T {
  const dates = perCatalog(() => new Map<string, { value: T }>());
  return (catalog, date) => {
    const known = dates(catalog);
    let entry = known.get(date);
    if (!entry) {
      entry = { value: make(catalog, date) };
      if (known.size >= MOST_DATES) known.clear();
      known.set(date, entry);
    }
    return entry.value;
  };
}
