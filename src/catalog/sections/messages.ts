/** `follow_up` and `messages`: reminders and messages after a booking or quote request. */
import { z } from "zod";
import { FOLLOW_UP_STEPS } from "../../vocabulary.ts";
import { templateFault } from "./template.ts";
import { country, limit } from "./values.ts";

export const followUpStep = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,5}[mhd]$/, "must be a time span, like 30m, 4h or 2d")
    .transform((span) => Number.parseInt(span, 10) * { m: 1, h: 60, d: 1440 }[span.at(-1) as "m" | "h" | "d"]),
  do: z.enum(FOLLOW_UP_STEPS),
  /** Wait for the next opening when the shop is closed. */
  in_opening_hours: z.boolean().default(false),
  unless: z.enum(["contacted"]).optional(),
});

const template = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => templateFault(text) === undefined, { error: ({ input }) => templateFault(String(input)) });
const smsMessage = z.strictObject({
  enabled: z.boolean(),
  // The code finds a message at Twilio when its outcome is in doubt. Texts longer than two segments are cut.
  text: template(300).refine((text) => text.includes("{code}"), "must contain {code}"),
});
const emailMessage = z.strictObject({
  enabled: z.boolean(),
  subject: template(200).refine((text) => !/[\r\n]/.test(text), "must be one line"),
  text: template(2000),
});
const hoursBefore = z
  .int()
  .min(1)
  .max(24 * 14);

/** Messages to the shop and to customers. Without this section only the shop gets messages. */
export const messages = z.strictObject({
  shop_sms_to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number like +14045550142")
    .optional(),
  stuck_after_minutes: z.int().min(1).default(60),
  /** Customer texts go to numbers of these countries; without the list, of the country of `business.address`. */
  sms_countries: z.array(country).min(1).optional(),
  /** The most texts to customers in any hour, and on one day of the shop. */
  sms_per_hour: limit.default(30),
  sms_per_day: limit.default(150),
  /** Above this many new leads in an hour, the shop gets one text for the further ones. */
  digest_above_per_hour: limit.default(12),
  confirmation_sms: smsMessage.optional(),
  confirmation_email: emailMessage.optional(),
  reminder_sms: smsMessage.extend({ hours_before: hoursBefore }).optional(),
  reminder_email: emailMessage.extend({ hours_before: hoursBefore }).optional(),
});
