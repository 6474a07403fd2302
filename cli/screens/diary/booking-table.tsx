/** The columns of bookings, in the diary and on the home screen. */
import { weekdayInWords } from "../../../src/domain/dates-in-words.ts";
import { type DiaryRow, isBlock } from "../../diary/blocks.ts";
import { diaryColumns } from "../../diary/entry-text.ts";
import { type Column, pick } from "../../terminal/columns.ts";
import type { OpenShop } from "../kit/open-shop.ts";
import { isWide } from "../kit/text.tsx";

/** @param date the day that is shown; work that began before it says when @param withPhone on home: the phone, and no bay */
export function bookingColumns({ clock, now }: OpenShop, date: string, width: number, withPhone = false) {
  const all = diaryColumns(clock, now());
  const status = shortStatus(all);
  const columns = all.map(({ value, ...column }): Column<DiaryRow> => {
    // The work says more than the car where one of both has room.
    if (column.name === "vehicle") return { ...column, value, drop: 0 };
    if (column.name === "status") return { ...column, value: status };
    if (column.name !== "time") return { ...column, value };
    const began = (row: DiaryRow) =>
      isBlock(row) || row.booking.date === date ? value(row) : `from ${weekdayInWords(row.booking.date)}`;
    return { ...column, value: began };
  });
  if (isWide(width)) return pick(columns, withPhone ? WIDE.filter((name) => name !== "bay") : WIDE);
  if (!withPhone) return pick(columns, NARROW);
  // Where no column has the state, the work begins with it: a pale row says too little.
  return pick(columns, WITH_PHONE).map(({ value, ...column }): Column<DiaryRow> => {
    const work = (row: DiaryRow) => (isPale(row) ? `${status(row)}: ${value(row)}` : value(row));
    return { ...column, value: column.name === "job" ? work : value };
  });
}

/** Whether a row is a booking that is not simply to come. */
export function isPale(row: DiaryRow): boolean {
  return !isBlock(row) && row.booking.status !== "confirmed";
}

const NARROW = ["time", "bay", "customer", "vehicle", "job", "status"];
const WITH_PHONE = ["time", "customer", "phone", "vehicle", "job"];
/** A wide terminal has room for the phone and the price. */
const WIDE = ["time", "bay", "customer", "phone", "vehicle", "job", "status", "price"];

const SHORT: Record<string, string> = {
  "cancelled by shop": "cancelled",
  "cancelled by customer": "cancelled",
};

function shortStatus(columns: readonly Column<DiaryRow>[]): (row: DiaryRow) => string {
  const [status] = pick(columns, ["status"]);
  return (row) => {
    const said = status?.value(row) ?? "";
    return SHORT[said] ?? said.replace(/(\d+) (h|m)(?:in)?\b ?/g, "$1$2");
  };
}
