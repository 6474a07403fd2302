/** `messages.shop_…`: what the shop is told, by text and by e-mail. */
import type { z } from "zod";
import { FIELDS } from "./template.ts";
import { emailTemplate, smsTemplate } from "./values.ts";

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
export const SHOP_MESSAGES = {
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
