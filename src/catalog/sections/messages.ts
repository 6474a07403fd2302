/** `follow_up` and `messages`: reminders and messages after a booking or quote request. */
import { z } from "zod";
import { FOLLOW_UP_STEPS } from "../../constants.ts";
import { time } from "../../schema/fields.ts";
import { SHOP_MESSAGES } from "./shop-messages.ts";
import { FIELDS } from "./template.ts";
import { contact, country, emailTemplate, limit, smsTemplate, template, url } from "./values.ts";

export const followUpStep = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,5}[mhd]$/, "must be a time span, like 30m, 4h or 2d")
    .transform((span) => Number.parseInt(span, 10) * { m: 1, h: 60, d: 1440 }[span.at(-1) as "m" | "h" | "d"]),
  do: z.enum(FOLLOW_UP_STEPS),
  /** Wait for the next opening when the shop is closed. */
  in_opening_hours: z.boolean().default(false),
  unless: z.enum(["contacted"]).optional(),
  /** Who is told, in place of `alerts.to`. */
  to: z.array(contact).min(1).max(20).optional(),
});

const smsMessage = (fields?: readonly string[]) => z.strictObject({ enabled: z.boolean(), text: smsTemplate(fields) });
const emailMessage = (fields?: readonly string[]) => emailTemplate(fields).extend({ enabled: z.boolean() });
export type DepositNews = "link" | "expired" | "refunded";
const paperMail = emailTemplate(FIELDS.paper).shape;
const hoursBefore = z
  .int()
  .min(1)
  .max(24 * 14);
const reminder = z.strictObject({ hours_before: hoursBefore, by: z.enum(["sms", "email"]) });

/** Messages to the shop and to customers. Without this section only the shop gets messages. */
export const messages = z.strictObject({
  /** The one mobile that the shop's news reach, where there is no `alerts.to`. */
  shop_sms_to: z
    .string()
    .regex(/^\+[1-9]\d{6,14}$/, "must be a phone number like +14045550142")
    .optional(),
  stuck_after_minutes: z.int().min(1).default(60),
  /** Customer texts go to numbers of these countries; without the list, of the country of `business.address`. */
  sms_countries: z.array(country).min(1).optional(),
  /** Texts go to customers who agreed to texts. `implied`: a confirmation goes to whoever booked and was not asked about texts. */
  sms_consent: z.enum(["explicit", "implied"]).default("explicit"),
  /** Texts to customers wait from `quiet_from` until `quiet_until` of the shop's clock; both the same: no quiet hours. */
  quiet_from: time().default("21:00"),
  quiet_until: time().default("08:00"),
  /** Whether the text that confirms a booking waits, too. */
  quiet_confirmation: z.enum(["wait", "always"]).default("wait"),
  /** The most texts to customers in any hour, and on one day of the shop. */
  sms_per_hour: limit.default(30),
  sms_per_day: limit.default(150),
  /** The most e-mails to customers in any hour, and on one day of the shop. */
  emails_per_hour: limit.default(60),
  emails_per_day: limit.default(300),
  /** The most to one address on one day where an anonymous caller gave the customer's consent. */
  emails_per_address_per_day: limit.default(5),
  /** Messages about a change go out after this time, and pushes to the CRM at most once in it; each has the last state. */
  settle_minutes: z.int().min(0).max(60).default(5),
  /** Above this many new leads in an hour, the shop gets one text for the further ones. */
  digest_above_per_hour: limit.default(12),
  ...SHOP_MESSAGES,
  confirmation_sms: smsMessage().optional(),
  /** `auto`: on where a mail server is set up. */
  confirmation_email: emailMessage()
    .extend({ enabled: z.union([z.boolean(), z.literal("auto")], { error: "must be auto, true or false" }) })
    .optional(),
  /** When customers are reminded, by which of the two messages below. */
  reminders: z.array(reminder).max(10).optional(),
  /** `hours_before`: its one time, where there is no list of reminders. */
  reminder_sms: smsMessage().extend({ hours_before: hoursBefore.optional() }).optional(),
  reminder_email: emailMessage().extend({ hours_before: hoursBefore.optional() }).optional(),
  rescheduled_sms: smsMessage(FIELDS.rescheduled).optional(),
  cancelled_sms: smsMessage().optional(),
  /** Sent by `tint bookings ready`. */
  ready_sms: smsMessage().optional(),
  /** Sent when the booking is completed. */
  aftercare_sms: smsMessage(FIELDS.aftercare)
    .extend({
      hours_after: z
        .int()
        .min(0)
        .max(24 * 14)
        .default(2),
    })
    .optional(),
  /** Sent after a completed booking, and to one number at most once in `once_in_days`. Without `url`: `business.url`. */
  review_sms: smsMessage(FIELDS.review)
    .extend({ days_after: z.int().min(0).max(60).default(3), url: url.optional(), once_in_days: limit.default(180) })
    .optional(),
  /** About a deposit: the link to pay it, unpaid in time, and paid too late. Sent by the ways in which bookings are confirmed. */
  deposit_link_sms: smsMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    text: "{shop}: a deposit of {deposit} makes your appointment {date} {time} certain. Pay it by {pay_until}: {manage_url}",
  }),
  deposit_expired_sms: smsMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    text: "{shop}: the deposit for {date} {time} was not paid in time, so nothing is booked. Book again: {book_url}",
  }),
  deposit_refunded_sms: smsMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    text: "{shop}: your deposit came too late: {date} {time} is no longer kept for you. {deposit} goes back to your card. Code {code}",
  }),
  deposit_link_email: emailMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    subject: "{shop}: pay the deposit for {date} {time}",
    text: "Hello {name},\n\na deposit of {deposit} makes your appointment for {service} on {date} at {time} certain. Pay it by {pay_until} here:\n{pay_url}\n\nYour code is {code}. Questions: {shop_phone}",
  }),
  deposit_expired_email: emailMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    subject: "{shop}: {date} {time} is not booked",
    text: "Hello {name},\n\nthe deposit for {service} on {date} at {time} was not paid in time, so nothing is booked, and nothing was charged.\n\nBook again: {book_url}\nQuestions: {shop_phone}",
  }),
  deposit_refunded_email: emailMessage(FIELDS.deposit_news).prefault({
    enabled: true,
    subject: "{shop}: your deposit goes back, {date} {time} is not booked",
    text: "Hello {name},\n\nyour deposit for {service} on {date} at {time} came too late, and the time is no longer kept for you. {deposit} goes back to your card.\n\nBook again: {book_url}\nQuestions: {shop_phone}",
  }),
  /** Stands behind the confirmation, the reminders and the news of a move, where the vehicle stays over night. */
  over_night_text: template(100, FIELDS.over_night).default(
    "Your vehicle stays with us overnight and is ready {ready_date} at {ready_time}.",
  ),
  /** What a customer's calendar says of the appointment, and how long before it reminds. */
  calendar_text: template(2000, FIELDS.changed).default(
    "{work}. Price: {price}. Your code is {code}. To see, move or cancel your booking: {manage_url}\nQuestions: {shop_phone}",
  ),
  calendar_reminder_hours: hoursBefore.default(24),
  /** The steps `reply_to_customer` and `nudge_customer` of `follow_up`: by e-mail where that is on, else by text. */
  quote_reply_email: emailMessage(FIELDS.quote).optional(),
  quote_reply_sms: smsMessage(FIELDS.quote).optional(),
  quote_nudge_email: emailMessage(FIELDS.quote).optional(),
  quote_nudge_sms: smsMessage(FIELDS.quote).optional(),
  /** Sent by `tint quote` and `tint receipt`, whose word switches them on; a text has no room for all of it. */
  paper_email: z
    .strictObject({
      enabled: z.boolean().default(true),
      subject: paperMail.subject.default("Your {paper} from {shop}"),
      text: paperMail.text.default(
        "Hello {name}, here is your {paper}.\n\n{paper_text}\n\nTo print it: {paper_url}\nQuestions: {shop_phone}",
      ),
    })
    .prefault({}),
  paper_sms: z
    .strictObject({
      enabled: z.boolean().default(true),
      text: smsTemplate(FIELDS.paper.filter((field) => field !== "paper_text")).default(
        "{shop}: your {paper}: {paper_url}",
      ),
    })
    .prefault({}),
  /** These two correct the calendar entry of `confirmation_email`, and are sent only where it is switched on. */
  rescheduled_email: emailMessage(FIELDS.rescheduled).optional(),
  cancelled_email: emailMessage().optional(),
});
