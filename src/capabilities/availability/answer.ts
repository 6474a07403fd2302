/** The answer about open times: whole days with every slot, or in the compact form. */
import { z } from "zod";
import type { Shop } from "../../catalog/shop.ts";
import { isOpen } from "../../domain/slots.ts";
import type { DiaryDay } from "../core/diary.ts";
import {
  bookUrlField,
  calendarDate,
  dayStatus,
  serviceRef,
  slot,
  timestamp,
  timezone,
  toSlot,
  weekday,
} from "../core/shapes.ts";
import { type CompactHead, compactAnswer, toCompactDay } from "./compact.ts";

const common = () => ({
  timezone: timezone(),
  generated_at: timestamp(),
  service: serviceRef(),
  book_url: bookUrlField(),
});
const day = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      reason: z.string().optional().meta({ description: "Why the day is not open, or what is special about it." }),
      available_count: z.int().describe("Slots that can be booked."),
      slots: z.array(slot()).describe("Every time of the grid on this day."),
    })
    .meta({ title: "AvailabilityDay", description: "A day with its times." });

export const availability = () =>
  z.union([
    z.object({ ...common(), ...day().omit({ available_count: true }).shape }).describe("One day, where date is given."),
    z
      .object({
        ...common(),
        from: calendarDate().describe("First day of the answer."),
        to: calendarDate().describe("Last day of the answer."),
        days: z.array(day()).describe("One entry for each day."),
      })
      .describe("Several days."),
    compactAnswer(),
  ]);

type Data = z.output<ReturnType<typeof availability>>;
type Head = Pick<Extract<Data, { service: unknown }>, "timezone" | "generated_at" | "service" | "book_url">;

/** The days found, in the form the query asks for: with a `date`, that day alone. */
export function toData(
  { date, view }: { date?: string; view?: "full" | "compact" },
  head: Head,
  compactHead: CompactHead,
  found: readonly DiaryDay[],
  catalog: Shop,
): Data {
  if (view === "compact") return { ...compactHead, days: found.map(toCompactDay) };
  const days = found.map((day) => toDay(catalog, day));
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) throw new Error("no days");
  return date === undefined ? { ...head, from: first.date, to: last.date, days } : { ...head, ...withoutCount(first) };
}

function toDay(catalog: Shop, { date, weekday, status, reason, slots }: DiaryDay) {
  return {
    date,
    weekday,
    status,
    ...(reason !== null && { reason }),
    available_count: slots.filter(isOpen).length,
    slots: slots.map((one) => toSlot(catalog, one)),
  };
}

function withoutCount<T extends { available_count: number }>({ available_count: _, ...rest }: T) {
  return rest;
}
