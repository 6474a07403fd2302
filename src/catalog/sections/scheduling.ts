/** `scheduling`: bays, starting times, how far ahead customers can book, and how long the work takes. */
import { z } from "zod";
import { date, every } from "../../schema/fields.ts";
import { VEHICLE_TYPES } from "../../vocabulary.ts";
import { minutes, text } from "./values.ts";

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
      .union([date(), z.strictObject({ date: date(), reason: text.optional() })], {
        error: "must be a date written YYYY-MM-DD, or {date, reason}",
      })
      .transform((entry): { date: string; reason?: string } => (typeof entry === "string" ? { date: entry } : entry)),
  ),
  default_minutes: z.record(z.string().regex(/^\d+$/, "must be the id of a service"), minutes.min(1)),
  job_minutes: z.strictObject({
    full: every(VEHICLE_TYPES, minutes.min(1)),
    front2: minutes.min(1),
    ceramic_extra: minutes,
  }),
  cure: z.strictObject({ keep_windows_up_days: z.int().min(0), full_cure_days: z.int().min(0) }),
});
