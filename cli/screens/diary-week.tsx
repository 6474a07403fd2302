import { isCancelled } from "../../src/domain/lifecycle.ts";
import { datesFrom } from "../../src/domain/schedule.ts";
import { type DiaryEntry, dayAndDate, readDiary } from "../diary.ts";
import { clean } from "../text.ts";
import { addDays, type DiaryPlace, dayInWords, useBlocking } from "./diary-place.tsx";
import { Frame } from "./kit/frame.tsx";
import { key } from "./kit/keys.tsx";
import { type Column, Table } from "./kit/list.tsx";
import { useLive, useShop } from "./kit/shop.tsx";

const DAYS = 7;
const COLUMNS: readonly Column[] = [
  { head: "day", width: 15 },
  { head: "open", width: 20 },
  { head: "jobs", width: 4, align: "right" },
  { head: "who comes" },
];

export function WeekView({ date, today, go, openDay }: DiaryPlace & { openDay: () => void }) {
  const { catalog } = useShop();
  const monday = addDays(date, 1 - Temporal.PlainDate.from(date).dayOfWeek);
  const days = datesFrom(monday, DAYS);
  const sunday = addDays(monday, DAYS - 1);
  const entries = useLive(({ store }) => readDiary(store, monday, sunday), monday);
  const blocking = useBlocking(date, today);
  const working = (entries ?? []).filter(({ booking }) => !isCancelled(booking.status));
  return (
    <Frame
      title={`Diary: ${dayAndDate(monday)} to ${dayAndDate(sunday)}`}
      status={`${working.length} ${working.length === 1 ? "booking" : "bookings"}`}
      about="A week of the diary, a day on each line."
      keys={[
        { on: ["up", "k"], label: "↑↓", does: "day", help: "Go to the day before.", run: () => go(addDays(date, -1)) },
        { on: ["down", "j"], label: "↓", does: null, help: "Go to the next day.", run: () => go(addDays(date, 1)) },
        { on: ["left"], label: "← →", does: "week", help: "Go a week back.", run: () => go(addDays(date, -DAYS)) },
        { on: ["right"], label: "→", does: null, help: "Go a week on.", run: () => go(addDays(date, DAYS)) },
        { ...key("enter", "open the day", openDay), on: ["enter", "w"], help: "Show the bookings of the day." },
        ...blocking.keys,
        ...(date === today ? [] : [key("t", "today", () => go(today), "Go back to today.")]),
      ]}
      dialog={blocking.dialog}
    >
      {({ columns, rows }) => (
        <Table
          columns={COLUMNS}
          rows={days.map((day) => {
            const jobs = working.filter(({ booking }) => booking.date === day);
            return {
              key: day,
              cells: [
                dayAndDate(day),
                dayInWords(catalog, day),
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
