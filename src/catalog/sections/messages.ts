/** `follow_up` and `messages`: what a lead sets going. */
import { z } from "zod";
import { oneOf } from "../../explain.ts";
import { TEMPLATE_FIELDS, unknownFields } from "../../template.ts";
import { FOLLOW_UP_STEPS } from "../../vocabulary.ts";
import { longText } from "./values.ts";

export const followUpStep = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,5}[mhd]$/, "must be a time span, like 30m, 4h or 2d")
    .transform((span) => Number.parseInt(span, 10) * { m: 1, h: 60, d: 1440 }[span.at(-1) as "m" | "h" | "d"]),
  do: z.enum(FOLLOW_UP_STEPS),
  /** Put off to the next opening when the shop is closed. */
  in_opening_hours: z.boolean().default(false),
  unless: z.enum(["contacted"]).optional(),
});

const template = longText.refine((text) => unknownFields(text).length === 0, {
  error: ({ input }) =>
    `names ${oneOf(unknownFields(String(input)).map((field) => `{${field}}`))}, which is not known; known are ${oneOf(TEMPLATE_FIELDS.map((field) => `{${field}}`))}`,
});
const smsMessage = z.strictObject({ enabled: z.boolean(), text: template });
const emailMessage = z.strictObject({ enabled: z.boolean(), subject: template, text: template });
const hoursBefore = z
  .int()
  .min(1)
  .max(24 * 14);

/** Texts that go out; without this section only the shop is told. */
export const messages = z.strictObject({
  shop_sms_to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number like +14045550142")
    .optional(),
  stuck_after_minutes: z.int().min(1).default(60),
  confirmation_sms: smsMessage.optional(),
  confirmation_email: emailMessage.optional(),
  reminder_sms: smsMessage.extend({ hours_before: hoursBefore }).optional(),
  reminder_email: emailMessage.extend({ hours_before: hoursBefore }).optional(),
});
