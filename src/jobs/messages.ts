/** The texts that bookings and quote requests trigger. Of a customer's own words only the name is used, and that cleaned. */
import type { Catalog } from "../catalog/schema.ts";
import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import { formatMoney } from "../domain/money.ts";
import { shopTime } from "../domain/schedule.ts";
import { nameForSms, plainName, smsText } from "./sms-text.ts";

/** What the messages of a booking speak of. */
export interface Appointment {
  code: string;
  name: string;
  service: string;
  startAt: number;
  endAt: number;
  /** Cents; null when no vehicle was named. */
  price: number | null;
}

/** The template fields of an appointment, on the shop's clock. */
export function fieldsOf(appointment: Appointment, catalog: Catalog): TemplateFields {
  const { business } = catalog;
  const start = shopTime(catalog, Temporal.Instant.fromEpochMilliseconds(appointment.startAt));
  return {
    name: plainName(appointment.name),
    date: start.toPlainDate().toLocaleString("en-US", { weekday: "short", month: "short", day: "numeric" }),
    // With a plain space: the narrow one that belongs there is not in every font.
    time: start.toPlainTime().toLocaleString("en-US", { hour: "numeric", minute: "2-digit" }).replace(/\s/g, " "),
    service: catalog.services.find(({ key }) => key === appointment.service)?.name ?? appointment.service,
    code: appointment.code,
    price: appointment.price === null ? "to be settled" : formatMoney(appointment.price, catalog.currency),
    shop: business.name,
    shop_phone: business.phone,
    address: addressOf(catalog),
  };
}

export function addressOf({ business: { address } }: Catalog): string {
  return `${address.street}, ${address.locality}, ${address.region} ${address.postal_code}`;
}

/** A template filled in as a text message; the code stays in it, however long it is. */
export function smsOf(template: string, appointment: Appointment, catalog: Catalog): string {
  const fields = { ...fieldsOf(appointment, catalog), name: nameForSms(appointment.name) };
  return smsText(fillTemplate(template, fields), appointment.code);
}

export function shopBookingText(appointment: Appointment, catalog: Catalog): string {
  return smsOf("New booking {code}: {date} {time}, {service}, {price}, {name}.", appointment, catalog);
}

export function shopQuoteText(request: {
  reference: string;
  name: string;
  serviceType: string;
  sqft: number | undefined;
}) {
  const area = request.sqft === undefined ? "" : `, ${request.sqft} sq ft`;
  const { reference } = request;
  return smsText(
    `Quote request ${reference}: ${request.serviceType}${area}, ${nameForSms(request.name)}. See tint leads show ${reference}`,
  );
}
