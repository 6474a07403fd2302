/** The hours of night in which customers get no texts. */
import type { Catalog } from "../catalog/schema.ts";
import { addDays, momentOf, shopDate } from "../domain/schedule.ts";

/** @returns when the quiet hours end in which a moment lies; null outside of them */
export function quietUntil(catalog: Catalog, at: number): number | null {
  const { quiet_from: from, quiet_until: until } = catalog.messages;
  const today = shopDate(catalog, Temporal.Instant.fromEpochMilliseconds(at));
  // The night may have begun yesterday.
  for (const first of [addDays(today, -1), today]) {
    const last = from < until ? first : addDays(first, 1);
    const end = momentOf(catalog, last, until);
    if (from !== until && momentOf(catalog, first, from) <= at && at < end) return end;
  }
  return null;
}
