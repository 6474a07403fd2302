/** The jobs that a lead triggers: the steps of `follow_up` in the catalog, and the messages the customer agreed to. */
import type { Shop } from "../catalog/shop.ts";
import { OWNER } from "../constants.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { newId } from "../lib/ids.ts";
import type { BookingsAlert, LeadChange, NewJob, NewLead } from "../store/store.ts";
import { confirmationAndReminders } from "./customer-messages.ts";
import type { Appointment } from "./message-texts.ts";
import { type Quoted, quoteMessage } from "./quote-messages.ts";
import { bookingNews, bookingsAlertText, quoteNews, reminderNews } from "./shop-texts.ts";

/** A lead before its jobs are planned. */
interface Cause extends Omit<NewLead, "jobs" | "details"> {
  details: { square_footage?: number | undefined };
}

/** @param range the first figure that somebody got who asked for a quote, in cents */
export function planJobs(
  lead: Cause,
  appointment: Appointment | null,
  catalog: Shop,
  range?: Quoted["range"],
): NewJob[] {
  return [
    ...followUp({ ...lead, range }, appointment, catalog),
    ...(appointment ? confirmationAndReminders(lead, appointment, lead.createdAt, catalog) : []),
  ];
}

function followUp(lead: Cause & Pick<Quoted, "range">, appointment: Appointment | null, catalog: Shop): NewJob[] {
  // The shop needs no text and no reminder about its own bookings.
  const steps = catalog.follow_up.filter((step) => lead.agentClass !== OWNER || step.do === "push_to_crm");
  const jobs = steps.flatMap((step) => {
    const after = lead.createdAt + step.after * MINUTE_MS;
    const dueAt = step.in_opening_hours ? nextOpenMoment(catalog, after) : after;
    return stepJobs(step, { dueAt, unless: step.unless ?? null }, lead, appointment, catalog);
  });
  // Reminders of one night would come together when the shop opens: one says it all.
  return jobs.filter(
    (job, i) => job.kind !== "remind_owner_notice" || !jobs.slice(0, i).some((before) => Bun.deepEquals(before, job)),
  );
}

function stepJobs(
  { do: kind, to: receivers }: Shop["follow_up"][number],
  when: Pick<NewJob, "dueAt" | "unless">,
  lead: Cause & Pick<Quoted, "range">,
  appointment: Appointment | null,
  catalog: Shop,
): NewJob[] {
  const named = receivers && { receivers: [...receivers] };
  switch (kind) {
    case "notify_shop_sms": {
      const news = appointment ? bookingNews("booking", appointment, catalog) : quoteNews(lead, catalog);
      return [{ ...when, kind, payload: { ...news, ...named } }];
    }
    case "push_to_crm":
      return [{ ...when, kind, payload: created(lead, appointment) }];
    case "reply_to_customer":
    case "nudge_customer": {
      const quoted = { ...lead, sqft: lead.details.square_footage };
      return appointment
        ? []
        : quoteMessage(kind === "nudge_customer" ? "nudge" : "reply", quoted, when.dueAt, catalog);
    }
    case "remind_owner": {
      // The reminder stands in the owner's lists until the lead is contacted. Whom the step names hears of it then, all
      // others when the shop is open.
      const unless = when.unless ?? "contacted";
      const told = appointment ? { reference: lead.reference, appointment } : lead;
      const dueAt = named ? when.dueAt : nextOpenMoment(catalog, when.dueAt);
      return [
        { ...when, kind, payload: {} },
        { kind: "remind_owner_notice", unless, dueAt, payload: { ...reminderNews(told, catalog), ...named } },
      ];
    }
  }
}

/** The text to the owner that a booking sends when it passes `alerts.bookings_per_hour`. */
export function bookingsAlert(last: Appointment, createdAt: number, catalog: Shop): BookingsAlert {
  const above = catalog.alerts.bookings_per_hour;
  const payload = { text: bookingsAlertText(last, above, catalog) };
  const job = { kind: "bookings_alert_sms" as const, payload, dueAt: createdAt, unless: null };
  return { above, windowMs: HOUR_MS, job };
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
