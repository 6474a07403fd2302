/** The shop without the special days that have passed. */
import { derive, type Shop } from "../catalog/shop.ts";
import { shopDate } from "./schedule.ts";

/** Kept, because it is a shop of its own, by which what was made from it (documents, lists) is found again. */
let last: { catalog: Shop; days: number; reduced: Shop } | undefined;

/** The catalog without the special days that have passed, for answers that list them. */
export function withDaysToCome(catalog: Shop, now: Temporal.Instant): Shop {
  const { business } = catalog;
  const today = shopDate(catalog, now);
  const ahead = business.special_hours.filter(({ date }) => date >= today);
  const days = ahead.length;
  if (days === business.special_hours.length) return catalog;
  if (last?.catalog !== catalog || last.days !== days)
    last = { catalog, days, reduced: derive({ ...catalog, business: { ...business, special_hours: ahead } }) };
  return last.reduced;
}
