import { perCatalogAndDate } from "../../catalog/per-catalog.ts";
import { rfc3339, startOfDay } from "../../domain/schedule.ts";

/** The last day on which a price of today holds, and its last second. */
export const validityOf = perCatalogAndDate((catalog, today) => {
  const last = Temporal.PlainDate.from(today).add({ days: catalog.automotive.estimate_valid_days });
  return {
    date: last.toString(),
    until: rfc3339(catalog, startOfDay(catalog, last.add({ days: 1 }).toString()) - 1000),
  };
});
