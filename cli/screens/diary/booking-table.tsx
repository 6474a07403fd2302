/** Bookings as a table, in the diary and on the home screen. */
import type { DiaryEntry } from "../../diary/entries.ts";
import { entryRow } from "../../diary/entry-text.ts";
import { useShop } from "../kit/shell/shop.ts";
import { type Column, Table } from "../kit/widgets/list.tsx";

interface BookingTableProps {
  entries: readonly DiaryEntry[];
  /** From 0; -1 for none. */
  selected: number;
  width: number;
  /** Rows of the terminal, including the heading. */
  height: number;
  /** Shown instead of an empty table. */
  empty: string;
}

export function BookingTable({ entries, selected, width, height, empty }: BookingTableProps) {
  const { clock } = useShop();
  const cells = (entry: DiaryEntry) => {
    const [, time = "", bay = "", customer = "", vehicle = "", job = "", code = "", price = "", status = ""] = entryRow(
      entry,
      clock,
    );
    return [time, bay, customer, vehicle, job, SHORT[status] ?? status, price, code];
  };
  return (
    <Table
      columns={width >= WIDE_FROM ? WIDE : NARROW}
      rows={entries.map((entry) => ({
        key: entry.booking.id,
        cells: cells(entry),
        dim: entry.booking.status !== "confirmed",
      }))}
      selected={selected}
      width={width}
      height={height}
      empty={empty}
    />
  );
}

const columnsWith = (jobWidth: number): Column[] => [
  { head: "time", width: 5 },
  { head: "bay", width: 3, align: "right" },
  { head: "customer" },
  { head: "vehicle" },
  { head: "job", width: jobWidth },
  { head: "status", width: 12 },
];
const NARROW = columnsWith(16);
/** A wide terminal has room for the whole job, the price and the code. */
const WIDE: readonly Column[] = [
  ...columnsWith(25),
  { head: "price", width: 10, align: "right" },
  { head: "code", width: 8 },
];
const WIDE_FROM = 110;

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
  "no show": "no-show",
};
