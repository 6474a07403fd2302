/**
 * The texts that bookings and leads set going. Templates are the owner's, in `messages` of the catalog; they know a fixed
 * set of fields, written `{name}`. Of a customer's own words only the name is used, and that cleaned.
 */
import type { Catalog } from "../catalog/schema.ts";
import { type Cents, formatMoney } from "../domain/money.ts";
import { shopTime } from "../domain/schedule.ts";
import { nameForSms, smsText } from "./sms-text.ts";

/** The fields a template may use. */
export const TEMPLATE_FIELDS = [
  "name",
  "date",
  "time",
  "service",
  "code",
  "price",
  "shop",
  "shop_phone",
  "address",
] as const;
type TemplateField = (typeof TEMPLATE_FIELDS)[number];

/** The fields of a template that do not exist. */
export function unknownFields(template: string): string[] {
  const used = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, field]) => field ?? "");
  return used.filter((field) => !(TEMPLATE_FIELDS as readonly string[]).includes(field));
}

/** What the messages of a booking speak of. */
export interface BookedJob {
  code: string;
  name: string;
  service: string;
  startAt: number;
  /** Null when no vehicle was named. */
  price: Cents | null;
}

/** The fields of one booking, as they stand in a text. */
function fieldsOf(booking: BookedJob, { business, currency, ...catalog }: Catalog): Record<TemplateField, string> {
  const start = shopTime({ business, currency, ...catalog }, Temporal.Instant.fromEpochMilliseconds(booking.startAt));
  const { street, locality, region, postal_code } = business.address;
  return {
    name: nameForSms(booking.name),
    date: start.toPlainDate().toLocaleString("en-US", { weekday: "short", month: "short", day: "numeric" }),
    time: start.toPlainTime().toLocaleString("en-US", { hour: "numeric", minute: "2-digit" }),
    service: serviceName(catalog.services, booking.service),
    code: booking.code,
    price: booking.price === null ? "to be settled" : formatMoney(booking.price, currency),
    shop: business.name,
    shop_phone: business.phone,
    address: `${street}, ${locality}, ${region} ${postal_code}`,
  };
}

function serviceName(services: Catalog["services"], key: string): string {
  return services.find((service) => service.key === key)?.name ?? key;
}

/** A template with its fields filled in; what a field holds is never read as a template itself. */
export function fillTemplate(template: string, booking: BookedJob, catalog: Catalog): string {
  const fields = fieldsOf(booking, catalog);
  return template.replace(/\{([a-z_]+)\}/g, (whole, field: string) =>
    Object.hasOwn(fields, field) ? fields[field as TemplateField] : whole,
  );
}

/** The text to the shop about a booking. */
export function shopBookingText(booking: BookedJob, catalog: Catalog): string {
  return smsText(fillTemplate("New booking {code}: {date} {time}, {service}, {price}, {name}.", booking, catalog));
}

/** The text to the shop about a quote request. */
export function shopQuoteText(quote: {
  reference: string;
  name: string;
  serviceType: string;
  sqft: number | undefined;
}): string {
  const area = quote.sqft === undefined ? "" : `, ${quote.sqft} sq ft`;
  return smsText(
    `Quote request ${quote.reference}: ${quote.serviceType}${area}, ${nameForSms(quote.name)}. See: tint leads show ${quote.reference}`,
  );
}
