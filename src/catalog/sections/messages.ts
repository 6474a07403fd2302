/** `follow_up` and `messages`: reminders and messages after a booking or quote request. */
import { z } from "zod";
import { FOLLOW_UP_STEPS } from "../../constants.ts";
import { time } from "../../schema/fields.ts";
import { FIELDS } from "./template.ts";
import { contact, country, limit, template, url } from "./values.ts";

// Texts longer than two segments are cut.
const smsTemplate = (fields: readonly string[] = FIELDS.booking) => template(300, fields);
const emailTemplate = (fields: readonly string[] = FIELDS.booking) =>
  z.strictObject({
    subject: template(200, fields).refine((text) => !/[\r\n]/.test(text), "must be one line"),
    text: template(2000, fields),
  });

const PERSON = "Name: {name}\nPhone: {phone}\nE-mail: {email}\nNote: {note}";
const JOB =
  "Service: {service}\nVehicle: {vehicle}\nFilm: {film}\nCoverage: {coverage}\nExtras: {extras}\nPrice: {price}";
const REQUEST =
  "Request: {request}\nVehicle: {vehicle}\nFilm: {film}\nCoverage: {coverage}\nExtras: {extras}\nPrice: {price}\n{details}";
const SHOW_BOOKING = "All of it: tint bookings show {code}";
const SHOW_LEAD = "All of it: tint leads show {reference}";

/** The words of a catalog that has none of its own. The texts take one segment for a plain name. */
export const STOCK_WORDS = {
  booking: {
    sms: "New booking {code}: {date} {time}, {vehicle}, {film}, {coverage}, {extras}, {price}, {name} {phone}",
    email: {
      subject: "{shop}: new booking {code}, {date} {time}",
      text: `New booking {code}: {date} at {time}\n\n${JOB}\n\n${PERSON}\n\n${SHOW_BOOKING}`,
    },
  },
  changed: {
    sms: "The customer changed booking {code}: {date} {time}, {vehicle}, {film}, {coverage}, {extras}, {price}, {name} {phone}",
    email: {
      subject: "{shop}: booking {code} was changed, {date} {time}",
      text: `The customer changed booking {code} of {date} at {time}. The work now is:\n\n${JOB}\n\n${PERSON}\n\n${SHOW_BOOKING}`,
    },
  },
  rescheduled: {
    sms: "The customer moved booking {code} from {old_date} {old_time} to {date} {time}: {vehicle}, {name} {phone}",
    email: {
      subject: "{shop}: booking {code} was moved to {date} {time}",
      text: `The customer moved booking {code} from {old_date} at {old_time} to {date} at {time}.\n\n${JOB}\n\n${PERSON}\n\n${SHOW_BOOKING}`,
    },
  },
  cancelled: {
    sms: "The customer cancelled booking {code}: {date} {time}, {vehicle}, {film}, {name} {phone}",
    email: {
      subject: "{shop}: booking {code} was cancelled, {date} {time}",
      text: `The customer cancelled booking {code} of {date} at {time}.\n\n${JOB}\n\n${PERSON}\n\n${SHOW_BOOKING}`,
    },
  },
  quote: {
    sms: "Quote request {reference}: {request}, {vehicle}, {film}, {name} {phone}. tint leads show {reference}",
    email: {
      subject: "{shop}: quote request {reference}, {request}",
      text: `Quote request {reference}\n\n${REQUEST}\n\n${PERSON}\n\n${SHOW_LEAD}`,
    },
  },
  refunded: {
    sms: "Deposit of {code} paid too late: {date} {time} is no longer kept, so it goes back by itself. {vehicle}, {name} {phone}",
    email: {
      subject: "{shop}: deposit of {code} paid too late, {date} {time}",
      text: `The deposit of booking {code} came too late: {date} at {time} is no longer kept. It goes back by itself.\n\n${JOB}\n\n${PERSON}\n\n${SHOW_BOOKING}`,
    },
  },
  reminder: {
    sms: "Not contacted yet: {reference}, {request}, {vehicle}, {name} {phone}. tint leads show {reference}",
    email: {
      subject: "{shop}: not contacted yet: {reference}, {request}",
      text: `Nobody has contacted this customer yet: {reference}\n\n${REQUEST}\n\n${PERSON}\n\n${SHOW_LEAD}`,
    },
  },
};
export type ShopNewsKind = keyof typeof STOCK_WORDS;
export const SHOP_NEWS_KINDS = Object.keys(STOCK_WORDS) as ShopNewsKind[];

/** The texts that a catalog had from an earlier version of this program. They are no words of the owner's own. */
const EARLIER: Partial<Record<ShopNewsKind, string>> = {
  changed: "The customer changed booking {code} of {date} {time}: {work}, {price}, {name}.",
  rescheduled: "The customer moved booking {code} from {old_date} {old_time} to {date} {time}: {service}, {name}.",
  cancelled: "The customer cancelled booking {code}: {date} {time}, {service}, {name}.",
};

const mail = (fields: readonly string[]) => emailTemplate([...fields, ...FIELDS.shop_mail]).optional();
const leadMail = () => mail([...FIELDS.shop_lead, "details"]);

/** Without words for an e-mail it has the stock ones, behind the owner's own text where the catalog has one. */
const SHOP_MESSAGES = {
  shop_booking_sms: smsTemplate(FIELDS.shop).default(STOCK_WORDS.booking.sms),
  shop_booking_email: mail(FIELDS.shop),
  shop_changed_sms: smsTemplate(FIELDS.shop).default(STOCK_WORDS.changed.sms),
  shop_changed_email: mail(FIELDS.shop),
  shop_rescheduled_sms: smsTemplate(FIELDS.shop_moved).default(STOCK_WORDS.rescheduled.sms),
  shop_rescheduled_email: mail(FIELDS.shop_moved),
  shop_cancelled_sms: smsTemplate(FIELDS.shop).default(STOCK_WORDS.cancelled.sms),
  shop_cancelled_email: mail(FIELDS.shop),
  shop_refunded_sms: smsTemplate(FIELDS.shop).default(STOCK_WORDS.refunded.sms),
  shop_refunded_email: mail(FIELDS.shop),
  shop_quote_sms: smsTemplate(FIELDS.shop_lead).default(STOCK_WORDS.quote.sms),
  shop_quote_email: leadMail(),
  shop_reminder_sms: smsTemplate(FIELDS.shop_lead).default(STOCK_WORDS.reminder.sms),
  shop_reminder_email: leadMail(),
  /** Above `alerts.bookings_per_hour`. */
  shop_many_bookings_sms: smsTemplate(FIELDS.shop_alert).default(
    "More than {count} bookings within an hour, the last one {code}. Who made it: tint bookings show {code}. All of them: tint bookings cancel --since 1h",
  ),
  /** Above `digest_above_per_hour`. */
  shop_digest_sms: smsTemplate(FIELDS.digest).default("New requests: {count} since {since}. See tint leads"),
};

type ShopMessages = z.output<z.ZodObject<typeof SHOP_MESSAGES>>;

export function shopMailWords(kind: ShopNewsKind, messages: ShopMessages): { subject: string; text: string } {
  const own = messages[`shop_${kind}_email`];
  const { sms, email } = STOCK_WORDS[kind];
  const text = messages[`shop_${kind}_sms`];
  if (own || text === sms || text === EARLIER[kind]) return own ?? email;
  return { ...email, text: `${text}\n\n${email.text}` };
}

const followUpStep = z.strictObject({
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
const messages = z.strictObject({
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

export const MESSAGES = { follow_up: z.array(followUpStep), messages };
