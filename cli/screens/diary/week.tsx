import { isCancelled } from "../../../src/domain/lifecycle.ts";
import { datesFrom } from "../../../src/domain/schedule.ts";
import { type DiaryEntry, readDiary } from "../../diary/entries.ts";
import { clean } from "../../terminal/text.ts";
import { dayAndDate } from "../../terminal/times.ts";
import { key, pair } from "../kit/input/keyboard.tsx";
import { useLive, useShop } from "../kit/shell/shop.ts";
import { Frame } from "../kit/widgets/frame.tsx";
import { type Column, Table } from "../kit/widgets/list.tsx";
import { addDays, type DiaryPlace, dayInWords, useBlocking } from "./day-status.tsx";

const DAYS = 7;
/** The opening times are shown whole where that leaves room for who comes. */
function columnsFor(openings: readonly string[], width: number): Column[] {
  const longest = Math.max(...openings.map((text) => Bun.stringWidth(text)));
  return [
    { head: "day", width: 15 },
    { head: "open", width: Math.min(Math.max(longest, 12), Math.floor(width / 3)) },
    { head: "jobs", width: 4, align: "right" },
    { head: "who comes" },
  ];
}

export function WeekView({ date, today, go, openDay }: DiaryPlace & { openDay: () => void }) {
  const { catalog } = useShop();
  const monday = addDays(date, 1 - Temporal.PlainDate.from(date).dayOfWeek);
  const days = datesFrom(monday, DAYS);
  const sunday = addDays(monday, DAYS - 1);
  const entries = useLive(({ store }) => readDiary(store, monday, sunday), monday);
  const blocking = useBlocking(date, today);
  const step = (days: number) => (by: number) => go(addDays(date, by * days));
  const openings = days.map((day) => dayInWords(catalog, day));
  const working = (entries ?? []).filter(({ booking }) => !isCancelled(booking.status));
  return (
    <Frame
      title={`Diary: ${dayAndDate(monday)} to ${dayAndDate(sunday)}`}
      status={`${working.length} ${working.length === 1 ? "booking" : "bookings"}`}
      about="A week of the diary, a day on each line."
      keys={[
        pair(["up", "k"], ["down", "j"], { label: "↑↓", does: "day", help: "Go to the day before or after." }, step(1)),
        pair(["left"], ["right"], { label: "← →", does: "week", help: "Go to the week before or after." }, step(DAYS)),
        { ...key("enter", "open the day", openDay), on: ["enter", "w"], help: "Show the bookings of the day." },
        ...blocking.keys,
        ...(date === today ? [] : [key("t", "today", () => go(today), "Go back to today.")]),
      ]}
      dialog={blocking.dialog}
    >
      {({ columns, rows }) => (
        <Table
          columns={columnsFor(openings, columns)}
          rows={days.map((day, i) => {
            const jobs = working.filter(({ booking }) => booking.date === day);
            return {
              key: day,
              cells: [
                dayAndDate(day),
                openings[i] ?? "",
                jobs.length === 0 ? "" : String(jobs.length),
                jobs.map(inShort).join(", "),
              ],
              dim: day < today,
            };
          })}
          selected={days.indexOf(date)}
          width={columns}
          height={rows}
          empty=""
        />
      )}
    </Frame>
  );
}

function inShort({ booking }: DiaryEntry): string {
  return `${booking.time} ${clean(booking.lead.name)}`;
}
