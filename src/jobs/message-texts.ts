/** The texts that bookings and quote requests trigger. They repeat only the cleaned name of what a customer typed. */
import { messageLinks } from "../catalog/page-addresses.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { clockWords } from "../domain/dates-in-words.ts";
import { formatMoney } from "../domain/money.ts";
import { partsOf } from "../domain/slots.ts";
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
  /** What the shop's own messages tell beside. */
  job?: Job;
  /** What the customer wrote with the booking, or why they cancelled it. */
  note?: string | null;
}

/** What is done to which vehicle, and whom to call. */
export interface Job {
  /** E.164; empty for a walk-in who left none. */
  phone: string;
  email: string;
  vehicle: { type: string | null; year: number | null; make: string | null; model: string | null };
  /** The words of the catalog; null where no film is applied, or no coverage chosen. */
  film: string | null;
  coverage: string | null;
}

const shopClock = perCatalog(({ business }) => clockWords(business.timezone));

/** The template fields of an appointment. Times are on the shop's clock. */
export function templateValues(appointment: Appointment, catalog: Shop): TemplateFields {
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
function shopPhone({ business: { phone, address } }: Shop): string {
  const number = toE164(phone, address.country);
  return number === undefined ? phone : phoneInWords(number, address.country);
}

/** The template fields of the messages after the work alone. */
export function afterWorkValues({ scheduling: { cure }, messages, business }: Shop) {
  return {
    windows_up_days: String(cure.keep_windows_up_days),
    cure_days: String(cure.full_cure_days),
    url: messages.review_sms?.url ?? business.url,
  };
}

function momentInWords(at: number, catalog: Shop): { date: string; time: string } {
  const { date, time } = shopClock(catalog);
  return { date: date(at), time: time(at) };
}

/** What the customer pays: `$598`, or `$633.88 with Sales tax`. */
function priceInWords({ price, withTax }: Appointment, { currency, tax }: Shop): string {
  if (price === null) return "to be settled";
  return withTax === undefined
    ? formatMoney(price, currency)
    : `${formatMoney(withTax, currency)} with ${tax.label ?? "tax"}`;
}

export function serviceOfAppointment({ service }: Pick<Appointment, "service">, { services }: Shop): string {
  return services.find(({ key }) => key === service)?.name ?? service;
}

/** Until when the vehicle stays where work pauses over night, as the owner words it for customers; empty for other work. */
export function overNightText(appointment: Appointment, catalog: Shop): string {
  const { messages, business } = catalog;
  if (partsOf(catalog, appointment).length === 1) return "";
  const { date: ready_date, time: ready_time } = momentInWords(appointment.endAt, catalog);
  return fillTemplate(messages.over_night_text, {
    ...{ ready_date, ready_time, shop: business.name, shop_phone: shopPhone(catalog) },
  });
}

/** The service with its extras and shades. */
function workInWords(appointment: Appointment, catalog: Shop): string {
  return [serviceOfAppointment(appointment, catalog), ...extrasInWords(appointment, catalog)].join(", ");
}

/** Add-ons and shades; of work that pauses over night, until when the vehicle stays. */
export function extrasInWords(appointment: Appointment, catalog: Shop): string[] {
  const isPaused = partsOf(catalog, appointment).length > 1;
  const end = momentInWords(appointment.endAt, catalog);
  return [...(appointment.extras ?? []), ...(isPaused ? [`stays overnight until ${end.date}, ${end.time}`] : [])];
}

export function addressOf({ business: { address } }: Shop): string {
  return `${address.street}, ${address.locality}, ${address.region} ${address.postal_code}`;
}

/** The countries whose numbers get customer texts. */
export function textCountries({ business, messages }: Shop): readonly string[] {
  return messages.sms_countries ?? [business.address.country];
}

/**
 * A filled-in template as a text message. A long text is cut, but keeps the link or the code that it names.
 * @param more fields of this message alone
 */
export function smsOf(
  template: string,
  appointment: Appointment,
  catalog: Shop,
  more: Partial<TemplateFields> = {},
): string {
  const fields = { ...templateValues(appointment, catalog), ...more, name: nameForSms(appointment.name) };
  return toSms(template, fields);
}

/** Fields filled into a template, as a text message. */
export function toSms(template: string, fields: Partial<TemplateFields>): string {
  return toGsm7(fillTemplate(template, fields), keptIn(template, fields));
}

function keptIn(template: string, fields: Partial<TemplateFields>): string | undefined {
  const kept = KEPT.find((field) => template.includes(`{${field}}`));
  return kept && fields[kept];
}
const KEPT = ["manage_url", "url", "code", "reference"] as const;
