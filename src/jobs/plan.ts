/** The jobs that a lead triggers: the steps of `follow_up` in the catalog, and the messages the customer agreed to. */
import type { Catalog } from "../catalog/schema.ts";
import { OWNER } from "../constants.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { newId } from "../lib/ids.ts";
import type { BookingsAlert, Delivery, LeadChange, NewJob, NewLead, Sms } from "../store/store.ts";
import { confirmationAndReminders } from "./customer-messages.ts";
import { type Appointment, bookingsAlertText, shopBookingText, shopNumber, shopQuoteText } from "./message-texts.ts";

/** A lead before its jobs are planned. */
interface Cause extends Omit<NewLead, "jobs" | "details"> {
  details: { square_footage?: number | undefined };
}

export function planJobs(lead: Cause, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  return [
    ...followUp(lead, appointment, catalog),
    ...(appointment ? confirmationAndReminders(lead, appointment, lead.createdAt, catalog) : []),
  ];
}

function followUp(lead: Cause, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  // The shop needs no text and no reminder about its own bookings.
  const steps = catalog.follow_up.filter((step) => lead.agentClass !== OWNER || step.do === "push_to_crm");
  return steps.map((step) => {
    const dueAt = lead.createdAt + step.after * MINUTE_MS;
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
      return { kind, payload: created(lead, appointment) };
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

function created(lead: Cause, appointment: Appointment | null): LeadChange {
  const event = { id: newId("evt"), lead: { ...lead, status: "new" as const }, note: null, at: lead.createdAt };
  if (!appointment) return { ...event, type: "lead.created" };
  const { code: confirmationCode, startAt, endAt } = appointment;
  const booking = {
    confirmationCode,
    status: "confirmed" as const,
    startAt,
    endAt,
    previousStartAt: null,
    reason: null,
  };
  return { ...event, type: "booking.created", booking };
}
