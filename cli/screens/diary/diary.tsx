/** The diary: the bookings of a day, or the days of a week; and the key that blocks a day, hours or a bay. */
import { useState } from "react";
import { blockDate, blockHours, unblockDate, unblockHours } from "../../../src/catalog/edit/everyday.ts";
import type { Shop } from "../../../src/catalog/shop.ts";
import { type BlockedHours, blockInWords, blocksOn, isWholeDay } from "../../../src/domain/bays.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/dates-in-words.ts";
import { isBooked, isOverAndOpen, workEnd } from "../../../src/domain/lifecycle.ts";
import { addDays, datesFrom, planOf, shopDate } from "../../../src/domain/schedule.ts";
import { counted } from "../../../src/lib/text.ts";
import type { DiaryEntry } from "../../../src/store/diary-days.ts";
import type { Booking } from "../../../src/store/store.ts";
import { hoursInWords } from "../../catalog/opening-times.ts";
import {
  blockedTime,
  blockInShort,
  blockKey,
  type DiaryRow,
  isBlock,
  touchedBy,
  whichBays,
  withBlocks,
} from "../../diary/blocks.ts";
import { readStanding, standsOn } from "../../diary/entries.ts";
import { diaryColumns, endInWords } from "../../diary/entry-text.ts";
import { type Column, LEAST } from "../../terminal/columns.ts";
import { clean } from "../../terminal/output.ts";
import { firstOf } from "../../terminal/wording.ts";
import { readDayPart } from "../../typed/blocks.ts";
import { mondayOf } from "../../typed/dates.ts";
import { startNow } from "../../typed/times.ts";
import { editAndName } from "../editor/editor.tsx";
import { key, pair } from "../kit/bindings.tsx";
import { Frame, ListScreen } from "../kit/frame.tsx";
import { Table, useList } from "../kit/list.tsx";
import type { OpenShop } from "../kit/open-shop.ts";
import { type ScreenProps, undoable, useLive, useNav, useScreen, useShop } from "../kit/screen.ts";
import { useBookingActions } from "./booking.tsx";
import { bookingColumns, isPale } from "./booking-table.tsx";

/** @param about the date to show first; today when empty */
export function Screen({ about }: ScreenProps) {
  const { clock, now } = useShop();
  const today = shopDate(clock, now());
  const [date, go] = useState(about || today);
  const [isWeek, setWeek] = useState(false);
  const place = { date, today, go, otherView: () => setWeek(!isWeek) };
  return isWeek ? <WeekView {...place} /> : <DayView {...place} />;
}

interface ShownDay {
  date: string;
  today: string;
  go: (date: string) => void;
  /** Shows the week in place of the day, or the day. */
  otherView: () => void;
}

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
        pair(["left"], ["right"], "← →", "day", "Go to the day before or after.", step),
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

function WeekView({ date, today, go, otherView }: ShownDay) {
  const shop = useShop();
  const { clock } = shop;
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
        pair(["up"], ["down"], "↑↓", "day", "Go to the day before or after.", step(1)),
        pair(["left"], ["right"], "← →", "week", "Go to the week before or after.", step(DAYS)),
        { ...key("enter", "open the day", otherView), on: ["enter", "v"], help: "Show the bookings of the day." },
        key("n", "new booking", () => open("book", date < today ? "" : date), "Book a customer."),
        ...blocking.keys,
        date !== today && key("t", "today", () => go(today), "Go back to today."),
      ]}
      dialog={blocking.dialog}
    >
      {({ columns, rows }) => (
        <Table
          columns={weekColumns(shop, working, today, columns)}
          rows={days}
          id={(day) => day}
          isDim={(day) => day < today}
          selected={days.indexOf(date)}
          width={columns}
          height={rows}
          empty=""
        />
      )}
    </Frame>
  );
}

function weekColumns({ catalog, clock }: OpenShop, bookings: readonly Booking[], today: string, width: number) {
  const when = (booking: Booking, day: string) =>
    booking.date === day
      ? timeOfDay(booking.time)
      : `to ${endInWords({ ...booking, endAt: workEnd(booking) }, clock, day)}`;
  const blockedOn = (day: string, shop: Shop) =>
    blocksOn(shop, day)
      .filter((block) => !isWholeDay(block))
      .map((block) => blockInShort(block, shop) + (block.reason && width >= WIDE ? ` (${clean(block.reason)})` : ""));
  const jobsOn = (day: string) => bookings.filter((booking) => standsOn(booking, day, clock));
  // What is blocked comes first, because few fit where the terminal is narrow. A whole day is among the opening hours.
  const who = (day: string) =>
    [
      ...(catalog ? blockedOn(day, catalog) : []),
      ...jobsOn(day).map((job) => `${when(job, day)} ${clean(job.lead.name)}`),
    ].join(", ");
  const columns: Column<string>[] = [
    { name: "day", value: (day) => dayAndDate(day, today) },
    // No more than a third of the width: the rest is for the customers.
    { name: "open", value: (day) => hoursInWords(catalog, day), max: Math.floor(width / 3) },
    { name: "jobs", value: (day) => String(jobsOn(day).length || ""), align: "right" },
    { name: "who comes", value: who, min: LEAST },
  ];
  return columns;
}

/** Blocks a day, hours or a bay, or opens what is blocked. @param selected the hours or bays that the selection is on */
function useBlocking(date: string, today: string, entries: readonly DiaryEntry[], selected: BlockedHours | null) {
  const { catalog, clock, now, act, ask } = useScreen();
  if (!catalog || date < today) return { keys: [], dialog: ask.dialog };
  const block = selected ?? planOf(catalog, date).block ?? null;
  const bookings = entries.map(({ booking }) => booking);
  const whatOf = (one: BlockedHours) => (isWholeDay(one) ? "" : ` ${blockedTime(one)}, ${whichBays(one, catalog)}`);
  const unblock = async (one: BlockedHours) => {
    const day = dayAndDate(one.date, today);
    const yes = isWholeDay(one) ? "unblock the day" : "unblock";
    if (!(await ask.yes(`Take bookings again on ${day}${whatOf(one)}?`, yes))) return;
    const back = closing(one, true, `${day}${whatOf(one)} is closed again.`);
    await act(undoable({ redo: closing(one, false, `${day}${whatOf(one)}: bookings as usual.`), undo: back }));
  };
  const closeSome = async () => {
    const standing = touchedBy({ date }, bookings, catalog);
    const some = await ask.read((typed) => readDayPart(typed, date, catalog, () => startNow(clock, now())), {
      label: `Block ${dayAndDate(date, today)}: 1 to 3 PM, afternoon, bay 2 …; Enter for all day${standing.length === 0 ? "" : `. ${counted(standing.length, "booking")} ${staying(standing)}`}`,
      submit: "next",
    });
    if (!some) return;
    const touched = touchedBy(some, bookings, catalog);
    const day = dayAndDate(some.date, today);
    const what = isWholeDay(some) ? "no bookings" : blockInWords(some, catalog);
    const left = touched.length === 0 ? "" : `; ${staying(touched)}`;
    const reason = await ask.text({
      label: `${day}, ${what}${left}. A reason for customers, if you like`,
      submit: "block",
    });
    if (reason === undefined) return;
    const one = { ...some, ...(reason && { reason }) };
    const back = closing(one, false, `${day}${whatOf(some)}: bookings as usual.`);
    await act(undoable({ redo: closing(one, true, `${day}: ${what}.`), undo: back }));
  };
  return {
    dialog: ask.dialog,
    keys: [
      key(
        "o",
        block === null ? "close" : isWholeDay(block) ? "open the day" : "open",
        () => (block === null ? closeSome() : unblock(block)),
        "Take no bookings on this day, in some of its hours or in a bay, or take them again. Bookings already made stay.",
      ),
    ],
  };
}

/** Closes a day, hours or a bay in the catalog, or takes bookings again. */
function closing(block: BlockedHours, isClosed: boolean, said: string) {
  const { date, reason } = block;
  const closed = (text: string) => {
    if (!isWholeDay(block)) return (isClosed ? blockHours : unblockHours)(text, block);
    return isClosed ? blockDate(text, date, reason) : unblockDate(text, date);
  };
  return async (shop: OpenShop) => said + (await editAndName(shop, closed)).conflicts;
}

const MOST_NAMED = 3;

/** `stay: 9:00 AM Jordan Sample, 1:00 PM Sam Rivera`. */
function staying(bookings: readonly Booking[]): string {
  const named = bookings.map(({ time, lead }) => `${timeOfDay(time)} ${clean(lead.name)}`);
  return `${bookings.length === 1 ? "stays" : "stay"}: ${firstOf(named, MOST_NAMED).join(", ")}`;
}
