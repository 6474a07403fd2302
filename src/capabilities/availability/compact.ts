/** Days with nothing but their open times, for `view=compact`, in at most 3 kB. Source: contract section 15. */
import { z } from "zod";
import { isOpen } from "../../domain/slots.ts";
import type { Suggestion } from "../core/capability.ts";
import type { DiaryDay } from "../core/diary.ts";
import { calendarDate, clockTime, dayStatus, weekday } from "../core/shapes.ts";

export const compactDay = () =>
  z
    .object({
      date: calendarDate(),
      weekday: weekday(),
      status: dayStatus(),
      open: z.array(clockTime()).meta({ description: "Start times that can be booked." }),
    })
    .meta({ title: "CompactDay" });
type CompactDay = z.output<ReturnType<typeof compactDay>>;

export function toCompactDay({ date, weekday: name, status, slots }: DiaryDay): CompactDay {
  return {
    date,
    weekday: name,
    status,
    open: slots.filter(isOpen).map(({ time }) => time),
  };
}

/** The most bytes that a whole compact answer may have (contract section 15). */
const MOST_BYTES = 3 * 1024;
/** The envelope and the next step, where days are left out. */
const REST_BYTES = 550;
const ENVELOPE = '{"success":true,"data":{"days":},"next_actions":[]}';

/**
 * As many of the days as fit, and a next step that asks for the others.
 * @param work fields of the next query
 */
export function compactly(
  found: readonly DiaryDay[],
  work: object,
): { data: { days: CompactDay[] }; suggestions: Suggestion[] } {
  const days = found.map(toCompactDay);
  if (bytesOf(days) + ENVELOPE.length <= MOST_BYTES) return { data: { days }, suggestions: [] };
  let room = MOST_BYTES - REST_BYTES;
  const count = days.findIndex((day) => {
    room -= bytesOf(day) + ",".length;
    return room < 0;
  });
  const left = days.length - count;
  return {
    data: { days: days.slice(0, count) },
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
