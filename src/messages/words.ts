/** The facts of an appointment or a request in words, for templates, and the form of a text message. */
import anyAscii from "any-ascii";
import { fillTemplate, parseTemplate, type Template, type TemplateFields } from "../catalog/sections/template.ts";
import type { Shop } from "../catalog/shop.ts";
import { dateAndTime } from "../domain/dates-in-words.ts";
import { rfc3339 } from "../domain/schedule.ts";
import { partsOf } from "../domain/slots.ts";
import { fieldsOf } from "../lib/fields.ts";
import { addsTax, formatMoney, type Range, toCents } from "../lib/money.ts";
import { contactInWords, type Phone } from "../lib/phone.ts";
import { CHAINED, capitalized, inOneLine, MOST_SEGMENTS, segments, spaced } from "../lib/text.ts";
import type { NewLead } from "../store/store.ts";

export interface Appointment {
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
  previousStartAt?: number;
  /** What the shop's own messages tell beside. */
  job?: Job;
  /** What the customer wrote with the booking, or why they cancelled it. */
  note?: string | null;
  /** That the deposit is paid, or what becomes of it as the booking is cancelled, in a sentence. */
  deposit?: string;
}

/** What is done to which vehicle, and whom to call. */
interface Job extends Phone {
  email: string;
  vehicle: { type: string | null; year: number | null; make: string | null; model: string | null };
  /** The words of the catalog; null where no film is applied, or no coverage chosen. */
  film: string | null;
  coverage: string | null;
}

/** A request as the shop is told of it. */
interface Asked extends Pick<NewLead, "reference" | "name" | "phone" | "extension" | "email" | "serviceType"> {
  details: object;
  /** The first figure, in cents. */
  range?: Range | undefined;
}

type Fields = Partial<TemplateFields>;

/** The values of a template's fields: for e-mails, and for texts, which have other letters and less room. */
export interface Words {
  mail: Fields;
  text: Fields;
}

/** Times are on the shop's clock. */
export function appointmentWords(appointment: Appointment, shop: Shop): Words {
  const { code, name, startAt, endAt, previousStartAt, price, withTax, extras = [], job, note } = appointment;
  const old = previousStartAt === undefined ? undefined : dateAndTime(rfc3339(shop, previousStartAt));
  const end = partsOf(shop, appointment).length > 1 ? dateAndTime(rfc3339(shop, endAt)) : undefined;
  const service = serviceName(appointment.service, shop);
  const { manage } = shop.pages;
  const tax = withTax === undefined ? "" : ` with ${shop.tax.label ?? "tax"}`;
  // Of work that pauses over night, also until when the vehicle stays.
  const all = end ? [...extras, `stays overnight until ${end.date}, ${end.time}`] : extras;
  const fields = {
    ...shop.messaging.fields,
    ...dateAndTime(rfc3339(shop, startAt)),
    ...(old && { old_date: old.date, old_time: old.time }),
    ...(end && { ready_date: end.date, ready_time: end.time }),
    name: plainName(name),
    service,
    work: [service, ...all].join(", "),
    extras: all.join(", "),
    code,
    price: price === null ? "to be settled" : formatMoney(withTax ?? price, shop.currency) + tax,
    manage_url: manage === undefined ? shop.business.url : manage + code,
    note: note ? inOneLine(note) : "",
  };
  const { mail, text } = jobWords(job, shop);
  return {
    mail: { ...fields, ...mail },
    // Work without a film is named by its service.
    text: { ...fields, ...text, name: plainName(toGsm7(name)), film: text.film || service },
  };
}

export function requestWords({ details, ...asked }: Asked, shop: Shop): Words {
  const { estimate, ...given } = fieldsOf(details);
  const { addons = fieldsOf(estimate).addons, square_footage: sqft } = given;
  const { total } = fieldsOf(estimate);
  const quoted = quoteFields({ ...asked, range: asked.range, sqft: typeof sqft === "number" ? sqft : undefined }, shop);
  const isExact = asked.range === undefined && typeof total === "number";
  const range = isExact ? formatMoney(toCents(total), shop.currency) : quoted.range;
  const extras = (Array.isArray(addons) ? addons : [])
    .map((code) => shop.automotive.addons[String(code)]?.name ?? spaced(String(code)))
    .join(", ");
  const work = [quoted.request, extras].filter((part) => part !== "").join(", ");
  const fields = { ...quoted, range, price: range, extras, service: quoted.request, work };
  const { mail, text } = jobWords({ ...asked, ...jobIn(given) }, shop);
  return { mail: { ...fields, ...mail }, text: { ...fields, ...text, name: plainName(toGsm7(asked.name)) } };
}

export function quoteFields(
  {
    reference,
    name,
    serviceType,
    sqft,
    range,
  }: Omit<Asked, "phone" | "extension" | "email" | "details"> & { sqft?: number | undefined },
  shop: Shop,
) {
  const { business, currency, tax } = shop;
  const plus = addsTax(shop) ? ` plus ${tax.label ?? "tax"}` : "";
  return {
    ...shop.messaging.fields,
    shop_phone: business.phone,
    name: plainName(name),
    reference,
    request: `${serviceName(serviceType, shop)}${sqft === undefined ? "" : `, ${sqft} sq ft`}`,
    range: range
      ? `${formatMoney(range.min, currency)} to ${formatMoney(range.max, currency)}${plus}`
      : "to be settled",
  };
}

export function afterWorkFields({ scheduling: { cure }, messages, business }: Shop) {
  return {
    windows_up_days: String(cure.keep_windows_up_days),
    cure_days: String(cure.full_cure_days),
    url: messages.review_sms?.url ?? business.url,
  };
}

/** The name of a service; of one that the shop has given up, its word. */
export function serviceName(key: string, { services }: Pick<Shop, "services">): string {
  return services.find((one) => one.key === key)?.name ?? capitalized(spaced(key));
}

function jobWords(job: Job | undefined, shop: Shop): Words {
  const none = { phone: "", email: "", vehicle: "", film: "", coverage: "" };
  if (!job) return { mail: none, text: none };
  const { email, vehicle, film, coverage } = job;
  const { films, coverages } = shop.automotive;
  const said = {
    phone: contactInWords(job, shop.business.address.country),
    film: film === null ? "" : (films[film]?.name ?? spaced(film)),
  };
  return {
    mail: {
      ...{ ...said, email, vehicle: vehicleWords(vehicle, false, shop) },
      coverage: coverage === null ? "" : (coverages[coverage]?.name ?? spaced(coverage)),
    },
    text: {
      ...{ ...said, vehicle: vehicleWords(vehicle, true, shop) },
      coverage: coverage === null ? "" : (shop.terms.coverageLabels.get(coverage) ?? spaced(coverage)),
    },
  };
}

/** `2021 Toyota Highlander (SUV)`, or the part that is known. */
function vehicleWords({ type, year, make, model }: Job["vehicle"], isText: boolean, shop: Shop): string {
  const kind = shop.terms.vehicleNames.get(type ?? "") ?? plainModel(type ?? "", isText);
  const name = `${year ?? ""} ${plainModel(`${make ?? ""} ${model ?? ""}`, isText)}`.trim();
  return name && kind ? `${name} (${kind})` : name || kind;
}

function jobIn(given: Readonly<Record<string, unknown>>): Omit<Job, "phone" | "extension" | "email"> {
  const { vehicle_type, vehicle_year, vehicle_make, vehicle_model, film_type, coverage } = given;
  return {
    vehicle: {
      type: textOrNull(vehicle_type),
      year: typeof vehicle_year === "number" ? vehicle_year : null,
      make: textOrNull(vehicle_make),
      model: textOrNull(vehicle_model),
    },
    film: textOrNull(film_type),
    coverage: textOrNull(coverage),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A filled-in template as a text message. A long text is cut, but keeps the link or the code that it names. */
export function toSms(template: string | Template, fields: Fields): string {
  const parts = typeof template === "string" ? parseTemplate(template) : template;
  const filled = fillTemplate(parts, fields);
  for (const field of KEPT) if (parts.includes(field)) return toGsm7(filled, fields[field]);
  return toGsm7(filled);
}
const KEPT = ["manage_url", "paper_url", "url", "code", "reference"] as const;

/**
 * A text of at most two segments in GSM-7. One emoji or curly quote would turn the message into UCS-2, which holds less
 * than half as much, so every character outside ASCII is transliterated. Line breaks become spaces.
 * @param kept plain ASCII that a text keeps when it is cut: a code or a link
 */
export function toGsm7(text: string, kept = ""): string {
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  const plain = (isAscii ? text : anyAscii(text).replace(/[^\x20-\x7e]+/g, " "))
    .replaceAll("`", "'")
    .replace(/ {2,}/g, " ")
    .trim();
  if (segments(plain) <= MOST_SEGMENTS) return plain;
  const cut = cutOff(plain, "...");
  return cut.includes(kept) ? cut : cutOff(plain, `... ${kept}`);
}

/** The beginning of a text, cut so that `end` still fits behind it. */
function cutOff(text: string, end: string): string {
  // A first cut by characters, so that the loop has little left to do.
  let cut = text.slice(0, MOST_SEGMENTS * CHAINED);
  while (segments(cut + end) > MOST_SEGMENTS) cut = cut.slice(0, -1);
  return cut.trimEnd() + end;
}

/** Shortened, without links, braces, or a number that somebody could call, however it is split up. In texts: `plainName(toGsm7(name))`. */
export function plainName(name: string): string {
  return cleanWords(name, MOST_DIGITS) || "customer";
}

/** The make and model of a vehicle, as `plainName`: empty where nothing is left. Models have up to four digits. */
function plainModel(text: string, isText: boolean): string {
  return cleanWords(isText ? toGsm7(text) : text, MOST_DIGITS_OF_MODEL);
}

function cleanWords(text: string, mostDigits: number): string {
  const normal = text.normalize("NFC").replace(/\s+/g, " ");
  const digits = normal.match(/\p{N}/gu)?.length ?? 0;
  const plain = (digits > mostDigits ? normal.replace(/\p{N}/gu, "") : normal)
    .replace(/[^\p{L}\p{M}\p{Nd} '’-]/gu, "")
    // Hyphens that join nothing, as those of a number.
    .replace(/(?<![\p{L}\p{M}\p{Nd}])-+|-+(?![\p{L}\p{M}\p{Nd}])/gu, "")
    .replace(/ {2,}/g, " ")
    .trim();
  return [...plain].slice(0, LONGEST_NAME).join("").trim();
}
const LONGEST_NAME = 40;
/** The shortest numbers that can be called have three. */
const MOST_DIGITS = 2;
const MOST_DIGITS_OF_MODEL = 4;
