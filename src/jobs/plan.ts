/** The jobs that a lead triggers: the steps of `follow_up` in the catalog, and the messages the customer agreed to. */
import type { Catalog } from "../catalog/schema.ts";
import { fillTemplate } from "../catalog/sections/template.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { newId } from "../lib/ids.ts";
import { whyNoTexts } from "../lib/phone.ts";
import type { BookingsAlert, Delivery, LeadChange, Mail, NewJob, NewLead, Sms } from "../store/store.ts";
import { calendarFile } from "./calendar-file.ts";
import {
  type Appointment,
  bookingsAlertText,
  shopBookingText,
  shopNumber,
  shopQuoteText,
  smsOf,
  templateValues,
  textCountries,
} from "./messages.ts";

const HOUR_MS = 3_600_000;

/** A lead before its jobs are planned. */
interface Cause extends Omit<NewLead, "jobs" | "details"> {
  details: { square_footage?: number | undefined };
}

export function planJobs(lead: Cause, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  return [
    ...followUp(lead, appointment, catalog),
    ...(appointment ? customerMessages(lead, appointment, catalog) : []),
  ];
}

function followUp(lead: Cause, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  return catalog.follow_up.map((step) => {
    const dueAt = lead.createdAt + step.after * 60_000;
    return {
      dueAt: step.in_opening_hours ? nextOpenMoment(catalog, dueAt) : dueAt,
      unless: step.unless ?? null,
      ...stepDelivery(step.do, lead, appointment, catalog),
    };
  });
}

function stepDelivery(
  kind: Catalog["follow_up"][number]["do"],
  lead: Cause,
  appointment: Appointment | null,
  catalog: Catalog,
): Delivery {
  switch (kind) {
    case "notify_shop_sms":
      return { kind, payload: shopSms(lead, appointment, catalog) };
    case "push_to_crm":
      return { kind, payload: created(lead) };
    case "remind_owner":
      return { kind, payload: {} };
  }
}

/** The text to the owner that a booking sends when it passes `alerts.bookings_per_hour`. */
export function bookingsAlert(code: string, createdAt: number, catalog: Catalog): BookingsAlert {
  const above = catalog.alerts.bookings_per_hour;
  const payload = { to: shopNumber(catalog), text: bookingsAlertText(code, above) };
  const job = { kind: "bookings_alert_sms" as const, payload, dueAt: createdAt, unless: null };
  return { above, windowMs: HOUR_MS, job };
}

function shopSms(lead: Cause, appointment: Appointment | null, catalog: Catalog): Sms {
  return {
    to: shopNumber(catalog),
    text: appointment
      ? shopBookingText(appointment, catalog)
      : shopQuoteText({ ...lead, sqft: lead.details.square_footage }),
  };
}

function created(lead: Cause): LeadChange {
  return { id: newId("evt"), type: "lead.created", lead: { ...lead, status: "new" }, note: null, at: lead.createdAt };
}

/** Only for customers who agreed, and only messages that the owner switched on. */
function customerMessages(lead: Cause, appointment: Appointment, catalog: Catalog): NewJob[] {
  if (!lead.consent) return [];
  const { messages } = catalog;
  const fields = templateValues(appointment, catalog);
  const sms = ({ text }: { text: string }): Sms => ({ to: lead.phone, text: smsOf(text, appointment, catalog) });
  const mail = ({ subject, text }: { subject: string; text: string }): Mail => ({
    to: lead.email,
    subject: fillTemplate(subject, fields),
    text: fillTemplate(text, fields),
    calendar: calendarFile(appointment, lead.createdAt, catalog),
  });
  const { confirmation_sms, confirmation_email, reminder_sms, reminder_email } = messages;
  const jobs: NewJob[] = [];
  const add = (dueAt: number, delivery: Delivery) => {
    // A booking made after its reminder was due needs none: the confirmation has just said the same.
    if (dueAt >= lead.createdAt) jobs.push({ ...delivery, dueAt, unless: null });
  };
  const before = (hours: number) => appointment.startAt - hours * HOUR_MS;
  const getsTexts =
    (confirmation_sms?.enabled || reminder_sms?.enabled) &&
    whyNoTexts(lead.phone, textCountries(catalog)) === undefined;
  if (getsTexts && confirmation_sms?.enabled)
    add(lead.createdAt, { kind: "confirmation_sms", payload: sms(confirmation_sms) });
  if (confirmation_email?.enabled)
    add(lead.createdAt, { kind: "confirmation_email", payload: mail(confirmation_email) });
  if (getsTexts && reminder_sms?.enabled)
    add(before(reminder_sms.hours_before), { kind: "reminder_sms", payload: sms(reminder_sms) });
  if (reminder_email?.enabled)
    add(before(reminder_email.hours_before), { kind: "reminder_email", payload: mail(reminder_email) });
  return jobs;
}
