/** Bookings as a table, in the diary and on the home screen. */
import type { BlockedHours } from "../../../src/domain/bays.ts";
import { weekdayInWords } from "../../../src/domain/dates-in-words.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import { blockCells, blockKey, type DiaryRow, isBlock } from "../../diary/blocks.ts";
import { entryRow } from "../../diary/entry-text.ts";
import { shopPhone } from "../../shop/clock.ts";
import { clean } from "../../terminal/output.ts";
import { type Column, Table, type TableProps } from "../kit/list.tsx";
import { useShop } from "../kit/shop.ts";
import { isWide } from "../kit/text.tsx";

interface BookingTableProps extends Omit<TableProps, "columns" | "rows"> {
  entries: readonly DiaryRow[];
  /** The day that is shown. Of work that began before it, the table tells the day when. */
  date: string;
  /** On home: shows the phone instead of the status where there is no room for both, and no bay. */
  withPhone?: boolean;
}

export function BookingTable({ entries, date, withPhone = false, ...place }: BookingTableProps) {
  const { catalog, clock, now } = useShop();
  const wide = withPhone ? WIDE.filter((one) => one !== bay) : WIDE;
  const columns = isWide(place.width) ? wide : withPhone ? WITH_PHONE : NARROW;
  const cells = (entry: DiaryEntry): string[] => {
    const [, began, bay, customer, vehicle, job, , price, status = ""] = entryRow(entry, clock, now());
    const { booking } = entry;
    const time = booking.date === date ? began : `from ${weekdayInWords(booking.date)}`;
    const phone = clean(shopPhone(booking.lead, clock));
    const short = SHORT[status] ?? status.replace(/(\d+) (h|m)(?:in)?\b ?/g, "$1$2");
    const values = { time, bay, customer, phone, vehicle, job, price, status: short };
    // Where no column has the state, the work begins with it: a pale row says too little.
    const isOff = booking.status !== "confirmed" && !columns.some((column) => column.head === "status");
    const facts = new Map(Object.entries(isOff ? { ...values, job: `${short}: ${job}` } : values));
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

/** The columns by their heads, which name the facts in them. */
const COLUMNS = {
  time: { head: "time", width: 8, align: "right" },
  bay: { head: "bay", width: 3, align: "right", yields: true },
  customer: { head: "customer" },
  phone: { head: "phone", width: 15, grows: true },
  vehicle: { head: "vehicle", yields: true },
  job: { head: "job", width: 16 },
  moreJob: { head: "job", width: 19 },
  status: { head: "status", width: 9 },
  price: { head: "price", width: 10, align: "right" },
} as const satisfies Record<string, Column>;
const { time, bay, customer, phone, vehicle, job, moreJob, status, price } = COLUMNS;
const NARROW: readonly Column[] = [time, bay, customer, vehicle, job, status];
const WITH_PHONE: readonly Column[] = [time, customer, phone, vehicle, job];
/** A wide terminal has room for the phone and the price. */
const WIDE: readonly Column[] = [time, bay, customer, phone, vehicle, moreJob, status, price];

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
  "no show": "no-show",
};
