/** `scheduling`: bays, starting times, how far ahead customers can book, and how long the work takes. */
import { z } from "zod";
import { date, time } from "../../schema/fields.ts";
import { byWord, lineOfText, minutes } from "./values.ts";

export const scheduling = z.strictObject({
  bays: z.int().min(1).max(50),
  grid_minutes: z.int().min(5).max(720),
  buffer_minutes: minutes,
  lead_minutes: z
    .int()
    .min(0)
    .max(60 * 24 * 30),
  horizon_days: z.int().min(1).max(365),
  blocked_dates: z.array(
    z
      .union([date(), z.strictObject({ date: date(), reason: lineOfText.optional() })], {
        error: "must be a date written YYYY-MM-DD, or {date, reason}",
      })
      .transform((entry): { date: string; reason?: string } => (typeof entry === "string" ? { date: entry } : entry)),
  ),
  /**
   * Hours of a day in which one bay, some, or all take no work. Without `from` they begin with the day, without `to` they
   * end with it. `bay` is one bay by its number, `bays` how many of them; without either all are closed.
   */
  blocked_hours: z
    .array(
      z
        .strictObject({
          date: date(),
          from: time().optional(),
          to: time().optional(),
          bay: z.int().min(1).max(50).optional(),
          bays: z.int().min(1).max(50).optional(),
          reason: lineOfText.optional(),
        })
        .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
          path: ["to"],
          error: "must be later than from",
        })
        .refine(({ bay, bays }) => bay === undefined || bays === undefined, {
          path: ["bays"],
          error: "must be left out beside bay, which is one bay by its number",
        })
        .refine(({ from, to, bay, bays }) => [from, to, bay, bays].some((one) => one !== undefined), {
          error: "must name hours or bays; a whole day belongs into blocked_dates",
        }),
    )
    .default([]),
  default_minutes: z.record(z.string().regex(/^\d+$/, "must be the id of a service"), minutes.min(1)),
  /**
   * The length of a tint job, by coverage: one number, or a number for each vehicle type. Where the number depends on
   * the vehicle, a film may take longer: `<film>_extra`.
   */
  job_minutes: byWord(
    z.union([minutes, byWord(minutes.min(1))], { error: "must be minutes, or minutes for each vehicle type" }),
  ),
  cure: z.strictObject({ keep_windows_up_days: z.int().min(0), full_cure_days: z.int().min(0) }),
});
