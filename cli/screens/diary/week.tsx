/** A week of the diary, a day on each line. */
import type { Catalog } from "../../../src/catalog/schema.ts";
import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { addDays, datesFrom } from "../../../src/domain/schedule.ts";
import { dayAndDate, timeOfDay } from "../../../src/domain/spoken-dates.ts";
import { counted } from "../../../src/lib/text.ts";
import type { Booking } from "../../../src/store/store.ts";
import { readDiary } from "../../diary/entries.ts";
import { clean } from "../../terminal/text.ts";
import { key, pair } from "../kit/input/bindings.ts";
import { useNav } from "../kit/shell/navigation.ts";
import { useLive, useShop } from "../kit/shell/shop.ts";
import { Frame } from "../kit/widgets/frame.tsx";
import { type Column, Table } from "../kit/widgets/list.tsx";
import { useBlocking } from "./blocking.tsx";
import { useDatePrompt } from "./date-prompt.tsx";
import { type DiaryPlace, hoursInWords, mondayOf } from "./days.ts";

const DAYS = 7;

export function WeekView({ date, today, go, openDay }: DiaryPlace & { openDay: () => void }) {
  const { catalog } = useShop();
  const { open } = useNav();
  const monday = mondayOf(date);
  const days = datesFrom(monday, DAYS);
  const sunday = addDays(monday, DAYS - 1);
  const entries = useLive(({ store }) => readDiary(store, monday, sunday), monday);
  const blocking = useBlocking(date, today);
  const dates = useDatePrompt(today, go);
  const step = (days: number) => (by: number) => go(addDays(date, by * days));
  const working = (entries ?? []).map(({ booking }) => booking).filter(({ status }) => !isCancelled(status));
  return (
    <Frame
      title={`Diary: ${dayAndDate(monday, today)} to ${dayAndDate(sunday, today)}`}
      status={counted(working.length, "booking")}
      about="A week of the diary, a day on each line."
      keys={[
        pair(["up", "k"], ["down", "j"], { label: "↑↓", does: "day", help: "Go to the day before or after." }, step(1)),
        pair(["left"], ["right"], { label: "← →", does: "week", help: "Go to the week before or after." }, step(DAYS)),
        { ...key("enter", "open the day", openDay), on: ["enter", "w"], help: "Show the bookings of the day." },
        key("n", "new booking", () => open("book", date < today ? "" : date), "Book a customer."),
        ...blocking.keys,
        ...dates.keys,
        ...(date === today ? [] : [key("t", "today", () => go(today), "Go back to today.")]),
      ]}
      dialog={blocking.dialog ?? dates.dialog}
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
  catalog: Catalog | null;
  width: number;
  height: number;
}

function WeekTable({ days, selected, today, bookings, catalog, width, height }: WeekTableProps) {
  const openings = days.map((day) => hoursInWords(catalog, day));
  return (
    <Table
      columns={columnsFor(openings, width)}
      rows={days.map((day, i) => {
        const jobs = bookings.filter((booking) => booking.date === day);
        return {
          key: day,
          cells: [
            dayAndDate(day, today),
            openings[i] ?? "",
            jobs.length === 0 ? "" : String(jobs.length),
            jobs.map(({ time, lead }) => `${timeOfDay(time)} ${clean(lead.name)}`).join(", "),
          ],
          dim: day < today,
        };
      })}
      selected={selected}
      width={width}
      height={height}
      empty=""
    />
  );
}

/** Opening times are shown in full, but in no more than a third of the width: the rest is for the customers. */
function columnsFor(openings: readonly string[], width: number): Column[] {
  const longest = Math.max(...openings.map((text) => Bun.stringWidth(text)));
  return [
    { head: "day", width: 15 },
    { head: "open", width: Math.min(Math.max(longest, 12), Math.floor(width / 3)) },
    { head: "jobs", width: 4, align: "right" },
    { head: "who comes" },
  ];
}
