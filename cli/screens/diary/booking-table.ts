/** Bookings as rows of a screen's table. */

import type { ShopClock } from "../../../src/domain/schedule.ts";
import type { DiaryEntry } from "../../diary/entries.ts";
import { entryRow } from "../../diary/entry-text.ts";
import type { Column } from "../kit/widgets/list.tsx";

const columnsWith = (jobWidth: number): Column[] => [
  { head: "time", width: 5 },
  { head: "bay", width: 3, align: "right" },
  { head: "customer" },
  { head: "vehicle" },
  { head: "job", width: jobWidth },
  { head: "status", width: 12 },
];
const NARROW = columnsWith(16);
/** Where there is room, the job in full, the price and the code too. */
const WIDE: readonly Column[] = [
  ...columnsWith(25),
  { head: "price", width: 10, align: "right" },
  { head: "code", width: 8 },
];
const WIDE_FROM = 110;

export function dayColumns(width: number): readonly Column[] {
  return width >= WIDE_FROM ? WIDE : NARROW;
}

export function dayCells(entry: DiaryEntry, clock: ShopClock): string[] {
  const [, time = "", bay = "", customer = "", vehicle = "", job = "", code = "", price = "", status = ""] = entryRow(
    entry,
    clock,
  );
  return [time, bay, customer, vehicle, job, SHORT[status] ?? status, price, code];
}

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
  "no show": "no-show",
};
