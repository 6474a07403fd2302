/** Days with nothing but their open times, for `view=compact`. Source: contract 15. */
import { z } from "zod";
import { isOpen } from "../../domain/slots.ts";
import type { Suggestion } from "../core/capability.ts";
import type { DiaryDay } from "../core/diary.ts";
import { bookUrlField, calendarDate, clockTime, dayStatus, timezone, weekday } from "../core/shapes.ts";

const compactDay = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      open: z.array(clockTime()).meta({ description: "Start times that can be booked." }),
      over_night: z
        .array(clockTime())
        .optional()
        .meta({ description: "Of these, the starts whose work goes on on another day: the vehicle stays over night." }),
      reason: z.string().optional().meta({ description: "Why the day is not open, or what is special about it." }),
    })
    .meta({ title: "CompactDay", description: "A day with its open times." });
type CompactDay = z.output<ReturnType<typeof compactDay>>;

export const compactAnswer = () =>
  z
    .object({
      today: calendarDate().describe("Today at the shop."),
      timezone: timezone(),
      duration_minutes: z.int().meta({ description: "Length of the work for which these times are open." }),
      book_url: bookUrlField(),
      days: z.array(compactDay()).describe("One entry for each day."),
    })
    .describe("With view compact.");
export type CompactHead = Omit<z.output<ReturnType<typeof compactAnswer>>, "days">;

export function toCompactDay({ date, weekday: name, status, reason, slots }: DiaryDay): CompactDay {
  const open = slots.filter(isOpen);
  const paused = open.filter(({ parts }) => parts !== undefined);
  return {
    date,
    weekday: name,
    status,
    open: open.map(({ time }) => time),
    ...(paused.length > 0 && { over_night: paused.map(({ time }) => time) }),
    ...(reason !== null && { reason }),
  };
}

/** The most bytes that a whole compact answer may have (contract 15). */
const MOST_BYTES = 3.5 * 1024;
/** What the envelope and the next step take, where days are left out. */
const REST_BYTES = 800;
const ENVELOPE = '{"success":true,"data":,"next_actions":[]}';

/**
 * As many of the days as fit, and a next step that asks for the others.
 * @param head what the answer says besides the days
 * @param work fields of the next query
 */
export function compactly(
  found: readonly DiaryDay[],
  head: CompactHead,
  work: object,
): { data: CompactHead & { days: CompactDay[] }; suggestions: Suggestion[] } {
  const days = found.map(toCompactDay);
  const data = { ...head, days };
  if (bytesOf(data) + ENVELOPE.length <= MOST_BYTES) return { data, suggestions: [] };
  let room = MOST_BYTES - REST_BYTES - bytesOf(head);
  const count = days.findIndex((day) => {
    room -= bytesOf(day) + ",".length;
    return room < 0;
  });
  const left = days.length - count;
  return {
    data: { ...head, days: days.slice(0, count) },
    suggestions: [
      {
        action: "check_availability",
        description: `This answer holds ${count} of ${days.length} days: ask for the other ${left} where they matter.`,
        input: { ...work, from: days[count]?.date, days: left, view: "compact" },
      },
    ],
  };
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
