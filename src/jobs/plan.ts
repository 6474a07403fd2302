/** Which jobs a lead triggers: the steps of the catalog's `follow_up`, and the messages the customer agreed to. */
import type { Catalog } from "../catalog/schema.ts";
import { fillTemplate } from "../catalog/sections/template.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { newId } from "../lib/ids.ts";
import { toE164 } from "../lib/phone.ts";
import type { LeadChange, NewJob, NewLead } from "../store/store.ts";
import type { CUSTOMER_MESSAGES } from "../vocabulary.ts";
import { calendarFile } from "./calendar-file.ts";
import { type Appointment, addressOf, fieldsOf, shopBookingText, shopQuoteText, smsOf } from "./messages.ts";

/** A lead without its jobs. */
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
      kind: step.do,
      dueAt: step.in_opening_hours ? nextOpenMoment(catalog, dueAt) : dueAt,
      unless: step.unless ?? null,
      payload: {
        notify_shop_sms: () => shopSms(lead, appointment, catalog),
        push_to_crm: () => created(lead),
        remind_owner: () => ({}),
      }[step.do](),
    };
  });
}

function shopSms(lead: Cause, appointment: Appointment | null, catalog: Catalog) {
  const { business, messages } = catalog;
  return {
    to: messages.shop_sms_to ?? toE164(business.phone, business.address.country) ?? business.phone,
    text: appointment
      ? shopBookingText(appointment, catalog)
      : shopQuoteText({ ...lead, sqft: lead.details.square_footage }),
  };
}

function created(lead: Cause): LeadChange {
  return { id: newId("evt"), type: "lead.created", lead: { ...lead, status: "new" }, note: null, at: lead.createdAt };
}

/** Only to customers who agreed, and only what the owner switched on. */
function customerMessages(lead: Cause, appointment: Appointment, catalog: Catalog): NewJob[] {
  if (!lead.consent) return [];
  const { messages } = catalog;
  const fields = fieldsOf(appointment, catalog);
  const job = (kind: (typeof CUSTOMER_MESSAGES)[number], dueAt: number, payload: object): NewJob => ({
    kind,
    dueAt,
    unless: null,
    payload,
  });
  const sms = ({ text }: { text: string }) => ({
    to: lead.phone,
    text: smsOf(text, appointment, catalog),
  });
  const mail = ({ subject, text }: { subject: string; text: string }) => ({
    to: lead.email,
    subject: fillTemplate(subject, fields),
    text: fillTemplate(text, fields),
    calendar: appointmentFile(lead, appointment, catalog),
  });
  const before = (hours: number) => appointment.startAt - hours * 3_600_000;
  const { confirmation_sms, confirmation_email, reminder_sms, reminder_email } = messages;
  return [
    ...(confirmation_sms?.enabled ? [job("confirmation_sms", lead.createdAt, sms(confirmation_sms))] : []),
    ...(confirmation_email?.enabled ? [job("confirmation_email", lead.createdAt, mail(confirmation_email))] : []),
    ...(reminder_sms?.enabled ? [job("reminder_sms", before(reminder_sms.hours_before), sms(reminder_sms))] : []),
    ...(reminder_email?.enabled
      ? [job("reminder_email", before(reminder_email.hours_before), mail(reminder_email))]
      : []),
    // Booked within the reminder's time, a reminder would only repeat the confirmation.
  ].filter(({ dueAt }) => dueAt >= lead.createdAt);
}

function appointmentFile(lead: Cause, { code, startAt, endAt, service }: Appointment, catalog: Catalog): string {
  const name = catalog.services.find(({ key }) => key === service)?.name ?? service;
  return calendarFile({
    code,
    startAt,
    endAt,
    createdAt: lead.createdAt,
    title: `${name} at ${catalog.business.name}`,
    shop: catalog.business.name,
    address: addressOf(catalog),
    url: catalog.site.url,
  });
}
