/** Days with nothing but their open times, for `view=compact`. Source: contract section 15. */
import { z } from "zod";
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

export function toCompactDay({
  date,
  weekday: name,
  status,
  slots,
}: DiaryDay): z.output<ReturnType<typeof compactDay>> {
  return {
    date,
    weekday: name,
    status,
    open: slots.filter((slot) => slot.status === "available").map(({ time }) => time),
  };
}
