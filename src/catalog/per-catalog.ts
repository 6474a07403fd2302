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
