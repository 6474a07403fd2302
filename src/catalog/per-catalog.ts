import type { Shop } from "./shop.ts";

/** Worked out once per catalog, which is held weakly. `make` must depend on the catalog alone; what throws is not kept. */
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
