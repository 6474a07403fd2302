/** Bookings as a table, in the diary and on the home screen. */
import type { BlockedHours } from "../../../src/domain/blocked-hours.ts";
import { weekdayInWords } from "../../../src/domain/dates-in-words.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import { blockCells, blockKey, type DiaryRow, isBlock } from "../../diary/blocks.ts";
import { entryRow } from "../../diary/entry-text.ts";
import { shopPhone } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { type Column, Table, type TableProps } from "../kit/list.tsx";
import { useShop } from "../kit/shop.ts";

interface BookingTableProps extends Omit<TableProps, "columns" | "rows"> {
  entries: readonly DiaryRow[];
  /** The day that is shown. Of work that began before it, the table tells the day when. */
  date: string;
  /** Shows the phone instead of the status where there is no room for both. */
  withPhone?: boolean;
}

export function BookingTable({ entries, date, withPhone = false, ...place }: BookingTableProps) {
  const { catalog, clock, now } = useShop();
  const columns = columnsAt(place.width, withPhone);
  const cells = (entry: DiaryEntry): string[] => {
    const [, began, bay, customer, vehicle, job, code, price, status = ""] = entryRow(entry, clock, now());
    const { booking } = entry;
    const time = booking.date === date ? began : `from ${weekdayInWords(booking.date)}`;
    const phone = clean(shopPhone(booking.lead, clock));
    const short = SHORT[status] ?? status.replace(/(\d+) (h|m)(?:in)?\b ?/g, "$1$2");
    const values = { time, bay, customer, phone, vehicle, job, code, price, status: short };
    // Where no column has the state, the work begins with it, or it takes the place of the phone: a pale row says too little.
    const has = (head: string) => columns.some((column) => column.head === head);
    const isOff = booking.status !== "confirmed" && !has("status");
    const off = has("job") ? { job: `${short}: ${job}` } : { phone: short };
    const facts = new Map(Object.entries(isOff ? { ...values, ...off } : values));
    return columns.map(({ head }) => facts.get(head) ?? "");
  };
  const blocked = (block: BlockedHours): string[] => {
    const facts: Partial<Record<string, string>> = catalog ? blockCells(block, catalog, date) : {};
    return columns.map(({ head }) => facts[head] ?? "");
  };
  return (
    <Table
      columns={columns}
      rows={entries.map((row) =>
        isBlock(row)
          ? { key: blockKey(row.block), cells: blocked(row.block) }
          : { key: row.booking.id, cells: cells(row), dim: row.booking.status !== "confirmed" },
      )}
      {...place}
    />
  );
}

function columnsAt(width: number, withPhone: boolean): readonly Column[] {
  if (width >= WIDEST_FROM) return WIDEST;
  if (width >= WIDE_FROM) return WIDE;
  if (width >= NARROW_FROM) return withPhone ? WITH_PHONE : NARROW;
  if (width >= SMALL_FROM) return withPhone ? SMALL_WITH_PHONE : SMALL;
  return withPhone ? TINY_WITH_PHONE : TINY;
}

/** The columns by their heads, which name the facts in them. */
const COLUMNS = {
  time: { head: "time", width: 8, align: "right" },
  bay: { head: "bay", width: 3, align: "right" },
  customer: { head: "customer" },
  phone: { head: "phone", width: 15, grows: true },
  vehicle: { head: "vehicle" },
  job: { head: "job", width: 16 },
  moreJob: { head: "job", width: 19 },
  wholeJob: { head: "job", width: 28 },
  status: { head: "status", width: 9 },
  price: { head: "price", width: 10, align: "right" },
  code: { head: "code", width: 8 },
} as const satisfies Record<string, Column>;
const { time, bay, customer, phone, vehicle, job, moreJob, wholeJob, status, price, code } = COLUMNS;
/** The smallest terminals have room for a name instead of the vehicle. */
const SMALL: readonly Column[] = [time, bay, customer, job, status];
const SMALL_WITH_PHONE: readonly Column[] = [time, customer, phone, job];
const SMALL_FROM = 54;
/** Here the work is left to the screen of the booking. */
const TINY: readonly Column[] = [time, customer, status];
const TINY_WITH_PHONE: readonly Column[] = [time, customer, phone];
const NARROW_FROM = 72;
const NARROW: readonly Column[] = [time, bay, customer, vehicle, moreJob, status];
const WITH_PHONE: readonly Column[] = [time, bay, customer, phone, vehicle, job];
/** A wide terminal has room for the phone and the price; the widest for the whole job and the code. */
const WIDE: readonly Column[] = [time, bay, customer, phone, vehicle, moreJob, status, price];
const WIDE_FROM = 110;
const WIDEST: readonly Column[] = [time, bay, customer, phone, vehicle, wholeJob, status, price, code];
const WIDEST_FROM = 140;

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
  "no show": "no-show",
};
