/** The texts that bookings and quote requests trigger. They repeat only the cleaned name of what a customer typed. */
import { messageLinks } from "../catalog/page-addresses.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Catalog } from "../catalog/schema.ts";
import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import { clockWords } from "../domain/dates-in-words.ts";
import { formatMoney } from "../domain/money.ts";
import { partsOf } from "../domain/paused-work.ts";
import { phoneInWords, toE164 } from "../lib/phone.ts";
import { nameForSms, plainName, toGsm7 } from "./gsm7.ts";

/** The facts of a booking that messages and calendar files tell. */
export interface Appointment {
  /** Confirmation code. */
  code: string;
  name: string;
  service: string;
  startAt: number;
  endAt: number;
  /** Cents; null when no vehicle was named. */
  price: number | null;
  /** Cents, where tax is added to the price. */
  withTax?: number;
  /** Add-ons and shades, for the shop. */
  extras?: readonly string[];
  /** How often it was changed; 0 when left out. */
  changes?: number;
  /** The start before it was moved. */
  previousStartAt?: number;
}

const shopClock = perCatalog(({ business }) => clockWords(business.timezone));

/** The template fields of an appointment. Times are on the shop's clock. */
export function templateValues(appointment: Appointment, catalog: Catalog): TemplateFields {
  const { business } = catalog;
  const { previousStartAt } = appointment;
  const old = previousStartAt === undefined ? undefined : momentInWords(previousStartAt, catalog);
  return {
    name: plainName(appointment.name),
    ...momentInWords(appointment.startAt, catalog),
    ...(old && { old_date: old.date, old_time: old.time }),
    service: serviceOfAppointment(appointment, catalog),
    work: workInWords(appointment, catalog),
    code: appointment.code,
    price: priceInWords(appointment, catalog),
    shop: business.name,
    shop_phone: shopPhone(catalog),
    address: addressOf(catalog),
    ...messageLinks(appointment.code, catalog),
  };
}

/** The shop's number as people there write it: `(770) 555-0142`. */
function shopPhone({ business: { phone, address } }: Catalog): string {
  const number = toE164(phone, address.country);
  return number === undefined ? phone : phoneInWords(number, address.country);
}

/** The template fields of the messages after the work alone. */
export function afterWorkValues({ scheduling: { cure }, messages, business }: Catalog) {
  return {
    windows_up_days: String(cure.keep_windows_up_days),
    cure_days: String(cure.full_cure_days),
    url: messages.review_sms?.url ?? business.url,
  };
}

function momentInWords(at: number, catalog: Catalog): { date: string; time: string } {
  const { date, time } = shopClock(catalog);
  return { date: date(at), time: time(at) };
}

/** What the customer pays: `$598`, or `$633.88 with Sales tax`. */
function priceInWords({ price, withTax }: Appointment, { currency, tax }: Catalog): string {
  if (price === null) return "to be settled";
  return withTax === undefined
    ? formatMoney(price, currency)
    : `${formatMoney(withTax, currency)} with ${tax.label ?? "tax"}`;
}

export function serviceOfAppointment({ service }: Pick<Appointment, "service">, { services }: Catalog): string {
  return services.find(({ key }) => key === service)?.name ?? service;
}

/** Until when the vehicle stays where work pauses over night, as the owner words it for customers; empty for other work. */
export function overNightText(appointment: Appointment, catalog: Catalog): string {
  const { messages, business } = catalog;
  if (partsOf(catalog, appointment).length === 1) return "";
  const { date: ready_date, time: ready_time } = momentInWords(appointment.endAt, catalog);
  return fillTemplate(messages.over_night_text, {
    ...{ ready_date, ready_time, shop: business.name, shop_phone: shopPhone(catalog) },
  });
}

/** The service with its extras and shades; of work that pauses over night, until when the vehicle stays. */
function workInWords(appointment: Appointment, catalog: Catalog): string {
  const isPaused = partsOf(catalog, appointment).length > 1;
  const end = momentInWords(appointment.endAt, catalog);
  const stay = isPaused ? [`stays overnight until ${end.date}, ${end.time}`] : [];
  return [serviceOfAppointment(appointment, catalog), ...(appointment.extras ?? []), ...stay].join(", ");
}

export function addressOf({ business: { address } }: Catalog): string {
  return `${address.street}, ${address.locality}, ${address.region} ${address.postal_code}`;
}

/** The countries whose numbers get customer texts. */
export function textCountries({ business, messages }: Catalog): readonly string[] {
  return messages.sms_countries ?? [business.address.country];
}

/**
 * A filled-in template as a text message. A long text is cut, but keeps the link or the code that it names.
 * @param more fields of this message alone
 */
export function smsOf(
  template: string,
  appointment: Appointment,
  catalog: Catalog,
  more: Partial<TemplateFields> = {},
): string {
  const fields = { ...templateValues(appointment, catalog), ...more, name: nameForSms(appointment.name) };
  return toGsm7(fillTemplate(template, fields), keptIn(template, fields));
}

function keptIn(template: string, fields: TemplateFields): string | undefined {
  const kept = KEPT.find((field) => template.includes(`{${field}}`));
  return kept && fields[kept];
}
const KEPT = ["manage_url", "url", "code"] as const;

export function shopBookingText(appointment: Appointment, catalog: Catalog): string {
  const { code, name, startAt } = appointment;
  const { date, time } = momentInWords(startAt, catalog);
  const work = workInWords(appointment, catalog);
  return toGsm7(
    `New booking ${code}: ${date} ${time}, ${work}, ${priceInWords(appointment, catalog)}, ${nameForSms(name)}.`,
    code,
  );
}

export function shopQuoteText(request: {
  reference: string;
  name: string;
  serviceType: string;
  sqft: number | undefined;
}) {
  const area = request.sqft === undefined ? "" : `, ${request.sqft} sq ft`;
  const { reference } = request;
  return toGsm7(
    `Quote request ${reference}: ${request.serviceType}${area}, ${nameForSms(request.name)}. See tint leads show ${reference}`,
  );
}

/** Told after hours or days in which nobody contacted the customer. */
export function callBackText({ reference, name }: { reference: string; name: string }): string {
  return toGsm7(`Not contacted yet: ${reference}, ${nameForSms(name)}. See tint leads show ${reference}`);
}

/** The code of the last booking makes the text unique, so that Twilio can be asked about it. */
export function bookingsAlertText(code: string, above: number): string {
  return toGsm7(
    `More than ${above} bookings within an hour, the last one ${code}. Who made it: tint bookings show ${code}. All of them: tint bookings cancel --since 1h`,
  );
}
