/** Messages to a customer about an appointment: only if they agreed, and only those that the owner switched on. */
import type { Catalog } from "../catalog/schema.ts";
import { fillTemplate } from "../catalog/sections/template.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { NewJob } from "../store/store.ts";
import { type CalendarMethod, calendarFile } from "./calendar-file.ts";
import { type Appointment, smsOf, templateValues, textCountries } from "./messages.ts";

const HOUR_MS = 3_600_000;

/** Who gets the messages. */
export interface Customer {
  /** E.164. */
  phone: string;
  /** Empty where the shop asked for none. */
  email: string;
  /** Null when they agreed to nothing. */
  consent: object | null;
}

type TextKind = "confirmation_sms" | "reminder_sms" | "rescheduled_sms" | "cancelled_sms";
type MailKind = "confirmation_email" | "reminder_email" | "rescheduled_email" | "cancelled_email";

/** @param at when the booking was made; epoch milliseconds */
export function confirmationAndReminders(
  customer: Customer,
  appointment: Appointment,
  at: number,
  catalog: Catalog,
): NewJob[] {
  const messages = writer(customer, appointment, at, catalog);
  return [
    ...messages.text("confirmation_sms", at),
    ...messages.mail("confirmation_email", at),
    ...reminders(appointment, messages, catalog),
  ];
}

/** @param at when the booking was moved; epoch milliseconds */
export function newTimeAndReminders(
  customer: Customer,
  appointment: Appointment,
  at: number,
  catalog: Catalog,
): NewJob[] {
  const messages = writer(customer, appointment, at, catalog);
  return [
    ...messages.text("rescheduled_sms", at),
    ...(correctsCalendars(catalog) ? messages.mail("rescheduled_email", at) : []),
    ...reminders(appointment, messages, catalog),
  ];
}

/** @param at when the booking was cancelled; epoch milliseconds */
export function cancellation(customer: Customer, appointment: Appointment, at: number, catalog: Catalog): NewJob[] {
  const messages = writer(customer, appointment, at, catalog);
  return [
    ...messages.text("cancelled_sms", at),
    ...(correctsCalendars(catalog) ? messages.mail("cancelled_email", at, "CANCEL") : []),
  ];
}

/** Only the confirmation brings an entry into the customer's calendar. */
function correctsCalendars({ messages }: Catalog): boolean {
  return messages.confirmation_email?.enabled ?? false;
}

function reminders({ startAt }: Appointment, { text, mail }: Writer, { messages }: Catalog): NewJob[] {
  const before = (hours: number) => startAt - hours * HOUR_MS;
  return [
    ...(messages.reminder_sms ? text("reminder_sms", before(messages.reminder_sms.hours_before)) : []),
    ...(messages.reminder_email ? mail("reminder_email", before(messages.reminder_email.hours_before)) : []),
  ];
}

type Writer = ReturnType<typeof writer>;

/** Each message that goes out, as a list of one job. */
function writer(customer: Customer, appointment: Appointment, at: number, catalog: Catalog) {
  const { messages } = catalog;
  // A reminder that was due before the booking was made or moved is not needed: the customer was told a moment ago.
  const isWanted = (kind: TextKind | MailKind, dueAt: number) =>
    customer.consent !== null && messages[kind]?.enabled === true && dueAt >= at;
  return {
    text(kind: TextKind, dueAt: number): NewJob[] {
      const message = messages[kind];
      if (!message || !isWanted(kind, dueAt)) return [];
      if (whyNoTexts(customer.phone, textCountries(catalog)) !== undefined) return [];
      const payload = { to: customer.phone, text: smsOf(message.text, appointment, catalog) };
      return [{ kind, payload, dueAt, unless: null }];
    },
    mail(kind: MailKind, dueAt: number, method: CalendarMethod = "PUBLISH"): NewJob[] {
      const message = messages[kind];
      if (!message || customer.email === "" || !isWanted(kind, dueAt)) return [];
      const fields = templateValues(appointment, catalog);
      const payload = {
        to: customer.email,
        subject: fillTemplate(message.subject, fields),
        text: fillTemplate(message.text, fields),
        calendar: calendarFile(appointment, at, catalog, method),
        method,
      };
      return [{ kind, payload, dueAt, unless: null }];
    },
  };
}
