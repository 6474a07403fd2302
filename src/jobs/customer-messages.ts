/** Messages to a customer about an appointment: only if they agreed, and only those that the owner switched on. */

import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import type { CUSTOMER_EMAILS, CUSTOMER_TEXTS, JobKind } from "../constants.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { fieldsOf } from "../lib/fields.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { Mail, NewJob } from "../store/store.ts";
import { type CalendarMethod, calendarFile } from "./calendar-file.ts";
import {
  type Appointment,
  afterWorkValues,
  overNightText,
  smsOf,
  templateValues,
  textCountries,
} from "./message-texts.ts";

/** Who gets the messages. */
export interface Recipient {
  /** E.164; empty for a walk-in who left none. */
  phone: string;
  /** Empty where the shop asked for none. */
  email: string;
  /** Null when they agreed to nothing. */
  consent: object | null;
  /** Of their lead, for the shop's own messages about it. */
  reference?: string;
}

/** Plans the messages of an event of a booking. @param at when it happened, in epoch milliseconds */
export type MessagePlan = (customer: Recipient, appointment: Appointment, at: number, catalog: Shop) => NewJob[];

type TextKind = Exclude<(typeof CUSTOMER_TEXTS)[number], `quote_${string}`>;
type MailKind = Exclude<(typeof CUSTOMER_EMAILS)[number], `quote_${string}`>;

/** @param at when the booking was made */
export const confirmationAndReminders: MessagePlan = (customer, appointment, at, catalog) => {
  const messages = writer(customer, appointment, at, catalog);
  return [
    ...messages.text("confirmation_sms", at),
    ...messages.mail("confirmation_email", at),
    ...reminders(appointment, messages, catalog),
  ];
};

/** @param at when the booking was moved */
export const newTimeAndReminders: MessagePlan = (customer, appointment, at, catalog) => {
  const messages = writer(customer, appointment, at, catalog);
  const isNews = appointment.previousStartAt !== appointment.startAt;
  const then = settledAt(at, catalog);
  return [
    ...(isNews ? messages.text("rescheduled_sms", then) : []),
    ...(isNews && correctsCalendars(catalog) ? messages.mail("rescheduled_email", then) : []),
    ...reminders(appointment, messages, catalog),
  ];
};

/** @param at when the booking was cancelled */
export const cancellation: MessagePlan = (customer, appointment, at, catalog) => {
  const messages = writer(customer, appointment, at, catalog);
  const then = settledAt(at, catalog);
  return [
    ...messages.text("cancelled_sms", then),
    ...(correctsCalendars(catalog) ? messages.mail("cancelled_email", then, "CANCEL") : []),
  ];
};

/** A booking that stands again, for a customer who was told that it was cancelled. @param at when it was reopened */
export const reopening: MessagePlan = (customer, appointment, at, catalog) => {
  const messages = writer(customer, appointment, at, catalog);
  return [...messages.text("confirmation_sms", at), ...messages.mail("confirmation_email", at)];
};

/** When the message about a change goes out; until then a later change replaces it. */
export function settledAt(at: number, { messages }: Shop): number {
  return at + messages.settle_minutes * MINUTE_MS;
}

/** The text that the vehicle can be picked up. @param at when it is sent; epoch milliseconds */
export const ready: MessagePlan = (customer, appointment, at, catalog) =>
  writer(customer, appointment, at, catalog).text("ready_sms", at);

/** Advice and the wish for a review. @param at when the booking was completed; epoch milliseconds */
export const afterWork: MessagePlan = (customer, appointment, at, catalog) => {
  const { text } = writer(customer, appointment, at, catalog);
  const { aftercare_sms: aftercare, review_sms: review } = catalog.messages;
  const values = afterWorkValues(catalog);
  return [
    ...(aftercare ? text("aftercare_sms", at + aftercare.hours_after * HOUR_MS, values) : []),
    ...(review ? text("review_sms", nextOpenMoment(catalog, at + review.days_after * DAY_MS), values) : []),
  ];
};

/** The messages that tell the customer of a change. */
const NEWS = {
  booked: ["confirmation_sms", "confirmation_email"],
  rescheduled: ["rescheduled_sms", "rescheduled_email"],
  cancelled: ["cancelled_sms", "cancelled_email"],
  completed: ["aftercare_sms", "review_sms"],
} as const satisfies Record<string, readonly (TextKind | MailKind)[]>;
export type News = keyof typeof NEWS;

/** Whether a message is the news of a change, which an owner may keep from the customer. */
export function isNewsOf(what: News, kind: JobKind): boolean {
  return NEWS[what].some((one) => one === kind);
}

/** Whether a change may be told to a customer: the shop tells of it, and has their phone or e-mail. */
export function tellsCustomers(what: News, { phone, email }: Omit<Recipient, "consent">, catalog: Shop): boolean {
  const { messages } = catalog;
  return NEWS[what].some((kind) => {
    if (messages[kind]?.enabled !== true) return false;
    if (kind.endsWith("_sms")) return phone !== "";
    return email !== "" && (what === "booked" || correctsCalendars(catalog));
  });
}

/** Whether a message to customers is switched on and ever goes out: e-mails about a change correct the entry of the confirmation. */
export function goesOut(
  kind: (typeof CUSTOMER_TEXTS)[number] | (typeof CUSTOMER_EMAILS)[number],
  catalog: Shop,
): boolean {
  if (catalog.messages[kind]?.enabled !== true) return false;
  return (kind !== "rescheduled_email" && kind !== "cancelled_email") || correctsCalendars(catalog);
}

/** Only the confirmation brings an entry into the customer's calendar. */
function correctsCalendars({ messages }: Shop): boolean {
  return messages.confirmation_email?.enabled ?? false;
}

function reminders(appointment: Appointment, { text, mail }: Writer, { messages }: Shop): NewJob[] {
  return reminderTimes(messages).flatMap((one) => {
    const at = remindedAt(appointment, one);
    return one.by === "sms" ? text("reminder_sms", at) : mail("reminder_email", at);
  });
}

function remindedAt({ startAt }: Appointment, { hours_before }: Reminder): number {
  return startAt - hours_before * HOUR_MS;
}

/** The list of the catalog, or the one time that stands at each of the two messages. */
function reminderTimes({ reminders, reminder_sms, reminder_email }: Shop["messages"]): Reminder[] {
  const own = (by: Reminder["by"], message: { hours_before?: number | undefined } | undefined) =>
    message?.hours_before === undefined ? [] : [{ by, hours_before: message.hours_before }];
  return reminders ?? [...own("sms", reminder_sms), ...own("email", reminder_email)];
}
type Reminder = NonNullable<Shop["messages"]["reminders"]>[number];

/**
 * Texts need a consent of their own (contract 22), which may be implied where nobody was asked. A consent that was stored
 * before there was one is none to texts.
 */
export function mayBeTexted(
  { consent }: Pick<Recipient, "consent">,
  kind: (typeof CUSTOMER_TEXTS)[number],
  { messages }: Shop,
): boolean {
  const { sms } = fieldsOf(consent);
  if (typeof sms === "boolean") return sms;
  return messages.sms_consent === "implied" && kind === "confirmation_sms" && consent !== null;
}

/** The e-mail that takes the place of a text that cannot be delivered. */
const INSTEAD: Partial<Record<TextKind, MailKind>> = {
  confirmation_sms: "confirmation_email",
  reminder_sms: "reminder_email",
};

/** The messages that tell customers when to come, and so, where the vehicle stays over night, until when. */
const TELLS_WHEN: readonly (TextKind | MailKind)[] = [
  ...(["confirmation_sms", "reminder_sms", "rescheduled_sms"] as const),
  ...(["confirmation_email", "reminder_email", "rescheduled_email"] as const),
];

type Writer = ReturnType<typeof writer>;

/** Each message that goes out, as a list of one job. */
function writer(customer: Recipient, appointment: Appointment, at: number, catalog: Shop) {
  const { messages } = catalog;
  // A reminder that was due before the booking was made or moved is not needed: the customer got a message a moment ago.
  const isWanted = (kind: TextKind | MailKind, dueAt: number) =>
    customer.consent !== null && messages[kind]?.enabled === true && dueAt >= at;
  const overNight = overNightText(appointment, catalog);
  /** Its text, with a sentence about the night behind it. @param between stands before the sentence */
  const told = (kind: TextKind | MailKind, text: string, between: string) =>
    overNight !== "" && TELLS_WHEN.includes(kind) ? text + between + overNight : text;
  const mailOf = (kind: MailKind, message: { subject: string; text: string }, method: CalendarMethod): Mail => {
    const fields = templateValues(appointment, catalog);
    return {
      to: customer.email,
      subject: fillTemplate(message.subject, fields),
      text: told(kind, fillTemplate(message.text, fields), "\n"),
      calendar: calendarFile(appointment, at, catalog, method),
      method,
    };
  };
  const { previousStartAt: movedFrom } = appointment;
  const moved = (kind: TextKind | MailKind) =>
    movedFrom !== undefined && (kind === "rescheduled_sms" || kind === "rescheduled_email") ? { movedFrom } : {};
  const isMailedAt = (kind: MailKind, dueAt: number) =>
    messages[kind]?.enabled === true &&
    (kind !== "reminder_email" ||
      reminderTimes(messages).some((one) => one.by === "email" && remindedAt(appointment, one) === dueAt));
  /** The e-mail in place of a text that cannot be delivered, unless the customer gets that e-mail at that time anyway. */
  const mailInstead = (kind: TextKind, text: string, dueAt: number): Mail | undefined => {
    const mailKind = INSTEAD[kind];
    if (!mailKind || customer.email === "" || isMailedAt(mailKind, dueAt)) return undefined;
    return mailOf(mailKind, messages[mailKind] ?? { subject: "{shop}", text }, "PUBLISH");
  };
  return {
    text(kind: TextKind, dueAt: number, more: Partial<TemplateFields> = {}): NewJob[] {
      const message = messages[kind];
      if (!message || !isWanted(kind, dueAt) || !mayBeTexted(customer, kind, catalog)) return [];
      if (whyNoTexts(customer.phone, textCountries(catalog)) !== undefined) return [];
      const instead = mailInstead(kind, message.text, dueAt);
      const text = smsOf(told(kind, message.text, " "), appointment, catalog, more);
      const payload = { to: customer.phone, text, ...(instead && { instead }), ...moved(kind) };
      return [{ kind, payload, dueAt, unless: null }];
    },
    mail(kind: MailKind, dueAt: number, method: CalendarMethod = "PUBLISH"): NewJob[] {
      const message = messages[kind];
      if (!message || customer.email === "" || !isWanted(kind, dueAt)) return [];
      return [{ kind, payload: { ...mailOf(kind, message, method), ...moved(kind) }, dueAt, unless: null }];
    },
  };
}
