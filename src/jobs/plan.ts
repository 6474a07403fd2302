/** Which jobs a lead sets going: the steps of the catalog's `follow_up`, and the messages the customer agreed to. */
import type { Catalog } from "../catalog/schema.ts";
import { crmEvent } from "../domain/crm-event.ts";
import { nextOpenMoment } from "../domain/schedule.ts";
import { newId } from "../ids.ts";
import { toE164 } from "../phone.ts";
import type { NewJob, NewLead } from "../store/store.ts";
import { fillTemplate } from "../template.ts";
import type { CUSTOMER_MESSAGES } from "../vocabulary.ts";
import { calendarFile } from "./calendar-file.ts";
import { type Appointment, addressOf, fieldsOf, shopBookingText, shopQuoteText } from "./messages.ts";
import { smsText } from "./sms-text.ts";

export function planJobs(lead: Omit<NewLead, "jobs">, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  return [
    ...followUp(lead, appointment, catalog),
    ...(appointment ? customerMessages(lead, appointment, catalog) : []),
  ];
}

function followUp(lead: Omit<NewLead, "jobs">, appointment: Appointment | null, catalog: Catalog): NewJob[] {
  return catalog.follow_up.map((step) => {
    const dueAt = lead.createdAt + step.after * 60_000;
    return {
      kind: step.do,
      dueAt: step.in_opening_hours ? nextOpenMoment(catalog, dueAt) : dueAt,
      unless: step.unless ?? null,
      payload: {
        notify_shop_sms: () => shopSms(lead, appointment, catalog),
        push_to_crm: () => ({
          id: newId("evt"),
          event: crmEvent("lead.created", { ...lead, status: "new" }, lead.createdAt),
        }),
        remind_owner: () => ({}),
      }[step.do](),
    };
  });
}

function shopSms(lead: Omit<NewLead, "jobs">, appointment: Appointment | null, catalog: Catalog) {
  const { business, messages } = catalog;
  const sqft = (lead.details as { square_footage?: number }).square_footage;
  return {
    to: messages.shop_sms_to ?? toE164(business.phone, business.address.country) ?? business.phone,
    text: appointment ? shopBookingText(appointment, catalog) : shopQuoteText({ ...lead, sqft }),
  };
}

/** Only to customers who agreed, and only what the owner switched on. */
function customerMessages(lead: Omit<NewLead, "jobs">, appointment: Appointment, catalog: Catalog): NewJob[] {
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
    text: smsText(fillTemplate(text, fields)),
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

function appointmentFile(
  lead: Omit<NewLead, "jobs">,
  { code, startAt, endAt, service }: Appointment,
  catalog: Catalog,
): string {
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
