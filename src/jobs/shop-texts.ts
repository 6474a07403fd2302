/**
 * What the shop is told of bookings, requests and people to call back, in the words of the catalog: a text, and an e-mail
 * in the customer's own letters. Of what a customer typed the text repeats only name and car, cleaned.
 */

import { type ShopNewsKind, shopMailWords } from "../catalog/sections/shop-messages.ts";
import { fillTemplate, type TemplateFields } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { coverageLabel, vehicleInWords } from "../catalog/terms.ts";
import { formatMoney, toCents } from "../domain/money.ts";
import { fieldsOf } from "../lib/fields.ts";
import { phoneInWords } from "../lib/phone.ts";
import { spaced } from "../lib/text.ts";
import { inOneLine, withoutGaps } from "../store/request-in-words.ts";
import type { NewLead, ShopNews } from "../store/store.ts";
import { modelForSms, nameForSms, plainModel } from "./gsm7.ts";
import { type Appointment, extrasInWords, type Job, templateValues, toSms } from "./message-texts.ts";
import { quoteValues } from "./quote-messages.ts";

type Words = Pick<ShopNews, "text" | "mail">;
type BookingNews = "booking" | "changed" | "rescheduled" | "cancelled";

/** A fact by field: for the e-mail, and for the text where that has other letters or less room. */
interface Facts {
  mail: Partial<TemplateFields>;
  text: Partial<TemplateFields>;
}

export function bookingNews(kind: BookingNews, appointment: Appointment, catalog: Shop): Words {
  return wordsOf(kind, factsOf(appointment, catalog), catalog);
}

/** A request as the shop is told of it. */
export interface Asked extends Pick<NewLead, "reference" | "name" | "phone" | "email" | "serviceType"> {
  details: object;
  /** The first figure, in cents. */
  range?: { min: number; max: number } | undefined;
}

export function quoteNews(asked: Asked, catalog: Shop): Words {
  return wordsOf("quote", factsOfRequest(asked, catalog), catalog);
}

/** Told after hours or days in which nobody contacted the customer. @param about their request, or the booking of a lead */
export function reminderNews(about: Asked | { reference: string; appointment: Appointment }, catalog: Shop): Words {
  if (!("appointment" in about)) return wordsOf("reminder", factsOfRequest(about, catalog), catalog);
  const { mail, text } = factsOf(about.appointment, catalog);
  const lead = {
    reference: about.reference,
    request: mail.service ?? "",
    range: mail.price ?? "",
    note: "",
    details: "",
  };
  return wordsOf(
    "reminder",
    { mail: { ...mail, ...lead }, text: { ...text, film: mail.film ?? "", ...lead } },
    catalog,
  );
}

/** The code of the last booking makes the text unique, so that Twilio can be asked about it. */
export function bookingsAlertText(last: Appointment, above: number, catalog: Shop): string {
  const { text } = factsOf(last, catalog);
  return toSms(catalog.messages.shop_many_bookings_sms, { ...text, count: String(above) });
}

function wordsOf(kind: ShopNewsKind, { mail, text }: Facts, { messages }: Shop): Words {
  const words = shopMailWords(kind, messages);
  const letter = { subject: fillTemplate(words.subject, mail), text: withoutGaps(fillTemplate(words.text, mail)) };
  // What a request says is stored once, with its lead.
  const isOpen = mail.note === undefined;
  return {
    text: toSms(messages[`shop_${kind}_sms`], text),
    mail: { ...letter, ...(isOpen && { lacksRequest: true }) },
  };
}

function factsOf(appointment: Appointment, catalog: Shop): Facts {
  const { name, job, note } = appointment;
  const { mail, text } = factsOfJob(job, catalog);
  const fields = {
    ...templateValues(appointment, catalog),
    extras: extrasInWords(appointment, catalog).join(", "),
    note: inOneLine(note ?? ""),
  };
  return {
    mail: { ...fields, ...mail },
    // Work without a film is named by its service.
    text: { ...fields, ...text, name: nameForSms(name), film: text.film || fields.service },
  };
}

function factsOfRequest({ details, ...asked }: Asked, catalog: Shop): Facts {
  const { estimate, ...given } = fieldsOf(details);
  const { addons = fieldsOf(estimate).addons, square_footage: sqft } = given;
  const { total } = fieldsOf(estimate);
  const quoted = quoteValues(
    { ...asked, sqft: typeof sqft === "number" ? sqft : undefined, range: asked.range },
    catalog,
  );
  const range =
    asked.range === undefined && typeof total === "number"
      ? formatMoney(toCents(total), catalog.currency)
      : quoted.range;
  const extras = (Array.isArray(addons) ? addons : [])
    .map((code) => catalog.automotive.addons[String(code)]?.name ?? spaced(String(code)))
    .join(", ");
  const job = factsOfJob({ phone: asked.phone, email: asked.email, ...jobIn(given) }, catalog);
  const fields = {
    ...{ ...quoted, range, price: range, extras, service: quoted.request },
    work: [quoted.request, extras].filter((part) => part !== "").join(", "),
  };
  return { mail: { ...fields, ...job.mail }, text: { ...fields, ...job.text, name: nameForSms(asked.name) } };
}

function factsOfJob(job: Job | undefined, catalog: Shop): Facts {
  const none = { phone: "", email: "", vehicle: "", film: "", coverage: "" };
  if (!job) return { mail: none, text: none };
  const { phone, email, vehicle, film, coverage } = job;
  const { films, coverages } = catalog.automotive;
  const said = {
    phone: phone === "" ? "" : phoneInWords(phone, catalog.business.address.country),
    film: film === null ? "" : (films[film]?.name ?? spaced(film)),
  };
  return {
    mail: {
      ...said,
      email,
      vehicle: vehicleText(vehicle, plainModel, catalog),
      coverage: coverage === null ? "" : (coverages[coverage]?.name ?? spaced(coverage)),
    },
    text: {
      ...said,
      vehicle: vehicleText(vehicle, modelForSms, catalog),
      coverage: coverage === null ? "" : coverageLabel(coverage, catalog),
    },
  };
}

/** `2021 Toyota Highlander (SUV)`, or the part that is known. */
function vehicleText({ type, year, make, model }: Job["vehicle"], clean: (text: string) => string, catalog: Shop) {
  const isOurs = type !== null && Object.hasOwn(catalog.automotive.vehicle_types, type);
  const kind = isOurs ? vehicleInWords(type, catalog) : clean(type ?? "");
  const name = [year, clean(`${make ?? ""} ${model ?? ""}`)].filter((part) => part !== null && part !== "").join(" ");
  return name && kind ? `${name} (${kind})` : name || kind;
}

/** The work on a vehicle in the fields of a request. */
function jobIn(given: Readonly<Record<string, unknown>>): Omit<Job, "phone" | "email"> {
  const { vehicle_type, vehicle_year, vehicle_make, vehicle_model, film_type, coverage } = given;
  return {
    vehicle: {
      type: textOf(vehicle_type),
      year: typeof vehicle_year === "number" ? vehicle_year : null,
      make: textOf(vehicle_make),
      model: textOf(vehicle_model),
    },
    film: textOf(film_type),
    coverage: textOf(coverage),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
