/** A day of the diary, and whether the shop is open on it. */
import type { Catalog } from "../../../src/catalog/schema.ts";
import { addDays, hoursOf } from "../../../src/domain/schedule.ts";
import { openingTimesInWords } from "../../catalog/opening-times.ts";

/** The day that the diary shows, and the functions that show another one. */
export interface DiaryPlace {
  /** A date of the shop, YYYY-MM-DD. */
  date: string;
  today: string;
  go: (date: string) => void;
}

export function mondayOf(date: string): string {
  return addDays(date, 1 - Temporal.PlainDate.from(date).dayOfWeek);
}

/** `9:00 AM–6:00 PM`, `closed (Thanksgiving)`, `blocked: Stocktaking`; empty while there is no good catalog. */
export function hoursInWords(catalog: Catalog | null, date: string): string {
  if (!catalog) return "";
  const blocked = catalog.scheduling.blocked_dates.find((entry) => entry.date === date);
  if (blocked) return `blocked${blocked.reason ? `: ${blocked.reason}` : ""}`;
  const special = catalog.business.special_hours.find((entry) => entry.date === date);
  const reason = special?.reason ? ` (${special.reason})` : "";
  return openingTimesInWords(hoursOf(catalog, date)) + reason;
}
