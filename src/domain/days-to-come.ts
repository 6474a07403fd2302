/** The shop without the special days that have passed. */
import { perCatalog } from "../catalog/per-catalog.ts";
import { derive, type Shop } from "../catalog/shop.ts";
import { shopDate } from "./schedule.ts";

/**
 * The catalog without some special days. Cached, because it is a shop of its own, and what was made from it (documents, lists)
 * is found again by it.
 */
const daysToCome = perCatalog(() => new Map<number, Shop>());

/** The catalog without the special days that have passed, for answers that list them. */
export function withDaysToCome(catalog: Shop, now: Temporal.Instant): Shop {
  const { business } = catalog;
  const today = shopDate(catalog, now);
  const ahead = business.special_hours.filter(({ date }) => date >= today);
  if (ahead.length === business.special_hours.length) return catalog;
  const made = daysToCome(catalog);
  const reduced = made.get(ahead.length) ?? derive({ ...catalog, business: { ...business, special_hours: ahead } });
  made.clear();
  made.set(ahead.length, reduced);
  return reduced;
}
