/** The diary: the bookings of a day, or the days of a week. */
import { useState } from "react";
import type { Shop } from "../../../src/catalog/shop.ts";
import { blocksOn, isWholeDay } from "../../../src/domain/bays.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { isBooked, isOverAndOpen, workEnd } from "../../../src/domain/lifecycle.ts";
import { addDays, datesFrom, shopDate } from "../../../src/domain/schedule.ts";
import { counted } from "../../../src/lib/text.ts";
import type { Booking } from "../../../src/store/store.ts";
import { hoursInWords } from "../../catalog/opening-times.ts";
import { blockInShort, blockKey, type DiaryRow, isBlock, withBlocks } from "../../diary/blocks.ts";
import { readStanding, standsOn } from "../../diary/entries.ts";
import { diaryColumns, endInWords } from "../../diary/entry-text.ts";
import { LEAST } from "../../terminal/columns.ts";
import { clean } from "../../terminal/output.ts";
import { mondayOf } from "../../typed/dates.ts";
import { key, pair } from "../kit/bindings.tsx";
import { Frame, ListScreen } from "../kit/frame.tsx";
import { Table, useList } from "../kit/list.tsx";
import { useNav } from "../kit/navigation.ts";
import type { ScreenProps } from "../kit/screen-stack.tsx";
import { useLive, useShop } from "../kit/shop.ts";
import { useBookingActions } from "./booking.tsx";
import { bookingColumns, isPale } from "./booking-table.tsx";
import { useBlocking } from "./day-actions.tsx";

/** @param about the date to show first; today when empty */
export function Screen({ about }: ScreenProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const [date, go] = useState(about || today);
  const [isWeek, setWeek] = useState(false);
  const place = { date, today, go, otherView: () => setWeek(!isWeek) };
  return isWeek ? <WeekView {...place} /> : <DayView {...place} />;
}

/** The day that the diary shows, and the functions that show another one. */
interface ShownDay {
  /** A date of the shop, YYYY-MM-DD. */
  date: string;
  today: string;
  go: (date: string) => void;
  /** Shows the week in place of the day, or the day. */
  otherView: () => void;
}

/** The bookings of one day, and everything that is done with them. */
function DayView({ date, today, go, otherView }: ShownDay) {
  const shop = useShop();
  const { catalog, clock, now } = shop;
  const { open } = useNav();
  const entries = useLive(({ store }) => readStanding(store, { from: date, to: date }, clock), date);
  const list = useList<DiaryRow>(entries && withBlocks(entries, { from: date, to: date }, clock), {
    id: (row) => (isBlock(row) ? blockKey(row.block) : row.booking.id),
    columns: diaryColumns(clock, now()),
    marks: {
      may: (row) => !isBlock(row) && row.booking.status === "confirmed",
      others: "Only confirmed bookings can be marked.",
    },
    about: date,
    // Home leads to a past day for what nobody closed there.
    begins: (row) => date >= today || (!isBlock(row) && isOverAndOpen(row.booking, now().epochMilliseconds)),
  });
  const { row } = list;
  const booking = row && !isBlock(row) ? row.booking : null;
  const actions = useBookingActions(list.chosen.flatMap((one) => (isBlock(one) ? [] : [one.booking])));
  const blocking = useBlocking(date, today, entries ?? [], row && isBlock(row) ? row.block : null);
  const working = list.rows.filter((one) => !isBlock(one) && isBooked(one.booking.status));
  const step = (by: number) => go(addDays(date, by));
  return (
    <ListScreen
      title={`Diary: ${dayAndDate(date, today)}${date === today ? ", today" : ""}`}
      status={[hoursInWords(catalog, date), counted(working.length, "booking")]
        .filter((part) => part !== "")
        .join(" · ")}
      about="The bookings of a day by time and bay. Bays are a proposal: cars may go to any that is free."
      list={list}
      keys={[
        pair(["left"], ["right"], { label: "← →", does: "day", help: "Go to the day before or after." }, step),
        booking && key("enter", "open", () => open("booking", booking.confirmationCode), "Open the booking."),
        ...actions.keys,
        key("n", "new booking", () => open("book", date < today ? "" : date), "Book a customer."),
        ...blocking.keys,
        key("v", "week", otherView, "Show the week."),
        date !== today && key("t", "today", () => go(today), "Go back to today."),
      ]}
      dialog={actions.dialog ?? blocking.dialog}
      columns={(width) => bookingColumns(shop, date, width)}
      isDim={isPale}
      empty="Nothing is booked on this day."
    />
  );
}

const DAYS = 7;
/** From here on the cells of a week have room for reasons. */
const WIDE = 110;

/** A week of the diary, a day on each line. */
function WeekView({ date, today, go, otherView }: ShownDay) {
  const { catalog, clock } = useShop();
  const { open } = useNav();
  const monday = mondayOf(date);
  const days = datesFrom(monday, DAYS);
  const sunday = addDays(monday, DAYS - 1);
  const entries = useLive(({ store }) => readStanding(store, { from: monday, to: sunday }, clock), monday);
  const blocking = useBlocking(date, today, entries ?? [], null);
  const step = (days: number) => (by: number) => go(addDays(date, by * days));
  const working = (entries ?? []).map(({ booking }) => booking).filter(({ status }) => isBooked(status));
  return (
    <Frame
      title={`Diary: ${dayAndDate(monday, today)} to ${dayAndDate(sunday, today)}`}
      status={counted(working.length, "booking")}
      about="A week of the diary, a day on each line."
      keys={[
        pair(["up"], ["down"], { label: "↑↓", does: "day", help: "Go to the day before or after." }, step(1)),
        pair(["left"], ["right"], { label: "← →", does: "week", help: "Go to the week before or after." }, step(DAYS)),
        { ...key("enter", "open the day", otherView), on: ["enter", "v"], help: "Show the bookings of the day." },
        key("n", "new booking", () => open("book", date < today ? "" : date), "Book a customer."),
        ...blocking.keys,
        date !== today && key("t", "today", () => go(today), "Go back to today."),
      ]}
      dialog={blocking.dialog}
    >
      {({ columns, rows }) => (
        <WeekTable
          days={days}
          selected={days.indexOf(date)}
          today={today}
          bookings={working}
          catalog={catalog}
          width={columns}
          height={rows}
        />
      )}
    </Frame>
  );
}

interface WeekTableProps {
  days: readonly string[];
  selected: number;
  today: string;
  bookings: readonly Booking[];
  catalog: Shop | null;
  width: number;
  height: number;
}

function WeekTable({ days, selected, today, bookings, catalog, width, height }: WeekTableProps) {
  const { clock } = useShop();
  const when = (booking: Booking, day: string) =>
    booking.date === day
      ? timeOfDay(booking.time)
      : `to ${endInWords({ ...booking, endAt: workEnd(booking) }, clock, day)}`;
  // First, because few fit where the terminal is narrow. A whole day that is blocked is among the opening hours.
  const blocked = (day: string) =>
    catalog === null
      ? []
      : blocksOn(catalog, day)
          .filter((block) => !isWholeDay(block))
          .map(
            (block) =>
              blockInShort(block, catalog) + (block.reason && width >= WIDE ? ` (${clean(block.reason)})` : ""),
          );
  const jobsOn = (day: string) => bookings.filter((booking) => standsOn(booking, day, clock));
  const who = (day: string) =>
    [...blocked(day), ...jobsOn(day).map((job) => `${when(job, day)} ${clean(job.lead.name)}`)].join(", ");
  return (
    <Table
      columns={[
        { name: "day", value: (day) => dayAndDate(day, today) },
        // No more than a third of the width: the rest is for the customers.
        { name: "open", value: (day) => hoursInWords(catalog, day), max: Math.floor(width / 3) },
        { name: "jobs", value: (day) => String(jobsOn(day).length || ""), align: "right" },
        { name: "who comes", value: who, min: LEAST },
      ]}
      rows={days}
      id={(day) => day}
      isDim={(day) => day < today}
      selected={selected}
      width={width}
      height={height}
      empty=""
    />
  );
}
