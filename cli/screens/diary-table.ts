/** Bookings as rows of a screen's table. */
import { type DiaryEntry, entryRow } from "../diary.ts";
import type { Column } from "./kit/list.tsx";
import type { Shop } from "./kit/shop.tsx";

const NARROW: readonly Column[] = [
  { head: "time", width: 5 },
  { head: "bay", width: 3, align: "right" },
  { head: "customer" },
  { head: "vehicle" },
  { head: "job", width: 16 },
  { head: "status", width: 12 },
];
/** Where there is room, the price and the code too. */
const WIDE: readonly Column[] = [...NARROW, { head: "price", width: 10, align: "right" }, { head: "code", width: 8 }];
const WIDE_FROM = 110;

export function dayColumns(width: number): readonly Column[] {
  return width >= WIDE_FROM ? WIDE : NARROW;
}

export function dayCells(entry: DiaryEntry, { catalog }: Shop): string[] {
  const [, time = "", bay = "", customer = "", vehicle = "", job = "", code = "", price = "", status = ""] = entryRow(
    entry,
    catalog,
  );
  return [time, bay, customer, vehicle, job, SHORT[status] ?? status, price, code];
}

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
  "no show": "no-show",
};
