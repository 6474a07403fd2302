/** Customers: found by what an owner types; a row of a list, the card with everything about one, and what is known of one who comes again. */
import { storedConfirmation } from "../../src/capabilities/booking/confirmation.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { dayAndDate } from "../../src/domain/dates-in-words.ts";
import { isOff, isOverAndOpen, WITH_BOOKING } from "../../src/domain/lifecycle.ts";
import { rfc3339, shopDate } from "../../src/domain/schedule.ts";
import { readCode } from "../../src/lib/ids.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { counted, spaced } from "../../src/lib/text.ts";
import { mistakesBetween } from "../../src/schema/explain.ts";
import type { Booking, Customer, Store } from "../../src/store/store.ts";
import { inUnits, moneyInWords, sumInWords, totals } from "../diary/amounts.ts";
import { entryJson, jobInWords, stateInWords } from "../diary/entry-text.ts";
import { summary, type Taking, takingsInWords, takingsOf } from "../diary/takings.ts";
import { phoneInCell, type ShopLocale, shopPhone } from "../shop/clock.ts";
import { type Column, LEAST, NAME } from "../terminal/columns.ts";
import { csv } from "../terminal/lists.ts";
import { dayInWords, momentInWords, startInWords } from "../terminal/wording.ts";
import { mistakesIn, plain } from "../typed/cars.ts";
import { shadesTyped } from "../typed/requests.ts";
import { digitsOf, readReference, textsOf } from "../typed/values.ts";
import { carInWords, leadInFullJson } from "./lead-text.ts";

export function customerColumns(clock: ShopLocale, now: Temporal.Instant): Column<Customer>[] {
  const lastOf = ({ bookings: [last], leads: [lead] }: Customer) =>
    last ? dayAndDate(last.date, shopDate(clock, now)) : dayInWords(clock, lead?.createdAt ?? 0, now);
  return [
    { name: "name", value: (customer) => customerNames(customer)[0] ?? "", min: NAME },
    { name: "phone", value: (customer) => shopPhone(customer, clock) },
    { name: "e-mail", value: (customer) => emailsOf(customer)[0] ?? "", min: LEAST, drop: 1 },
    { name: "vehicle", value: (customer) => vehiclesOf(customer)[0] ?? "", min: LEAST, drop: 4 },
    { name: "visits", value: (customer) => String(done(customer).length), align: "right", drop: 2 },
    { name: "amount", value: (customer) => sumInWords(done(customer)), align: "right", drop: 3 },
    { name: "last", value: lastOf, drop: 5 },
  ];
}

/** Everything about a customer, as names and values. Values are not cleaned. */
export function customerFacts(customer: Customer, clock: ShopLocale, now: Temporal.Instant): [string, string][] {
  const { bookings, leads } = customer;
  return [
    ["Customer", customerNames(customer).join(", ")],
    ["Phone", shopPhone(customer, clock)],
    ["E-mail", emailsOf(customer).join(", ")],
    ["Texts", textsInWords(customer, clock, now)],
    ["Vehicle", vehiclesOf(customer).join(", ")],
    ["Completed", countAndSum(done(customer))],
    ["Paid", takingsInWords(paidBy(customer, clock.currency))],
    ["To come", countAndSum(visitsToCome(customer, now))],
    ["Not closed", countAndSum(bookings.filter((booking) => isNotClosed(booking, now)))],
    ...byVisit(bookings, now).map((one): [string, string] => [startInWords(one, now), bookingInWords(one, clock)]),
    ...leads
      .filter(({ kind }) => kind === "quote_request")
      .map(({ createdAt, reference, serviceType, status }): [string, string] => [
        momentInWords(clock, createdAt, now),
        `${reference}: asked for a quote (${spaced(serviceType)}), ${status}`,
      ]),
    ...leads
      .flatMap(({ history }) => history.filter(({ note }) => note !== null && note !== WITH_BOOKING))
      .sort((a, b) => b.at - a.at)
      .map(({ at, note }): [string, string] => [momentInWords(clock, at, now), `Note: ${note}`]),
  ];
}

/** The visits to come, the next one first, and then those of before, the last one first. */
function byVisit(bookings: readonly Booking[], now: Temporal.Instant): Booking[] {
  const [toCome, over] = [true, false].map((wanted) => bookings.filter((one) => isToCome(one, now) === wanted));
  return [...(toCome ?? []).toReversed(), ...(over ?? [])];
}

function isToCome(booking: Booking, now: Temporal.Instant): boolean {
  return booking.status === "confirmed" && !isNotClosed(booking, now);
}

function isNotClosed(booking: Booking, now: Temporal.Instant): boolean {
  return isOverAndOpen(booking, now.epochMilliseconds);
}

export function visitsToCome({ bookings }: Customer, now: Temporal.Instant): Booking[] {
  return byVisit(bookings, now).filter((booking) => isToCome(booking, now));
}

/** Empty while texts go to the customer. */
function textsInWords({ phone, optOut }: Customer, clock: ShopLocale, now: Temporal.Instant): string {
  if (!optOut) return "";
  const since = momentInWords(clock, optOut.at, now);
  return `stopped since ${since}, ${optOut.reason}; they may write START, or: tint outbox allow ${phone}`;
}

export function customerJson(customer: Customer, clock: ShopLocale, now: Temporal.Instant) {
  const { optOut } = customer;
  return {
    phone: customer.phone,
    phone_extension: customer.extension || null,
    names: customerNames(customer),
    emails: emailsOf(customer),
    vehicles: vehiclesOf(customer),
    texts_stopped: optOut && { since: rfc3339(clock, optOut.at), reason: optOut.reason },
    amounts: {
      completed: totals(done(customer)),
      to_come: totals(visitsToCome(customer, now)),
      not_closed: totals(customer.bookings.filter((booking) => isNotClosed(booking, now))),
      paid: inUnits(summary(paidBy(customer, clock.currency)).cents),
    },
    bookings: customer.bookings.map((booking) => {
      const { bay: _, ...facts } = entryJson({ booking, bay: null }, clock);
      return facts;
    }),
    leads: customer.leads.map((lead) => leadInFullJson(lead, clock)),
  };
}

const COLUMNS = ["name", "phone", "email", "vehicles", "visits", "amount", "last_date", "paid", "phone_extension"];

export function customersCsv(customers: readonly Customer[], shop: ShopLocale): string {
  const rows = customers.map((customer) => [
    customerNames(customer)[0] ?? "",
    phoneInCell(customer, shop),
    emailsOf(customer)[0] ?? "",
    vehiclesOf(customer).join("; "),
    done(customer).length,
    Object.values(totals(done(customer)))[0] ?? 0,
    customer.bookings[0]?.date ?? "",
    paidBy(customer).reduce((sum, { cents }) => sum + cents, 0) / 100,
    customer.extension,
  ]);
  return csv(COLUMNS, rows);
}

function done({ bookings }: Customer): Booking[] {
  return bookings.filter(({ status }) => status === "completed");
}

/** For bookings and won leads: each booking has a lead, too. @param currency of the shop */
function paidBy({ bookings, leads }: Customer, currency?: string): Taking[] {
  return leads.flatMap((lead) => {
    const booking = bookings.find((one) => one.lead.id === lead.id) ?? null;
    return [...takingsOf({ ...lead, booking, currency: lead.wonAmount?.currency ?? null }, currency).values()];
  });
}

function countAndSum(bookings: readonly Booking[]): string {
  if (bookings.length === 0) return "";
  const sum = sumInWords(bookings);
  return `${counted(bookings.length, "booking")}${sum ? `, ${sum}` : ""}`;
}

function bookingInWords(booking: Booking, clock: ShopLocale): string {
  const facts = entryJson({ booking, bay: null }, clock);
  const { confirmation_code, status, vehicle, estimate, special_requests: note } = facts;
  return [
    `${confirmation_code}, ${stateInWords(status)}: ${jobInWords(facts, clock)}`,
    vehicle?.description,
    moneyInWords({ estimate, booking }, clock.currency ?? "USD"),
    note && `note: ${note}`,
  ]
    .filter(Boolean)
    .join("; ");
}

function distinct(texts: readonly (string | null | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => text || []))];
}

function customerNames({ leads }: Customer): string[] {
  return distinct(leads.map(({ name }) => name));
}

function emailsOf({ leads }: Customer): string[] {
  return distinct(leads.map(({ email }) => email));
}

function vehiclesOf({ bookings, leads }: Customer): string[] {
  return distinct([
    ...bookings.map(storedVehicle),
    ...leads.filter(({ kind }) => kind === "quote_request").map(({ details }) => carInWords(details)),
  ]);
}

export function storedVehicle(booking: Booking): string | null | undefined {
  return storedConfirmation.safeParse(booking.answer).data?.vehicle.description;
}

/** The customers that fit, the newest first, else those who nearly do. @param country ISO 3166, of a number without a country code */
export async function searchCustomers(store: Store, typed: string, country: string, limit: number) {
  const named = await customerNamed(store, typed, country);
  const ids = named ? [named] : await store.findCustomers(textsOf(typed), limit);
  const found = await Promise.all(ids.map((id) => store.customer(id)));
  if (found.length === 0 && !digitsOf(typed)) return similarCustomers(store, typed, limit);
  return found.filter((customer) => customer !== null);
}

async function customerNamed(store: Store, typed: string, country: string): Promise<string | undefined> {
  const booking = await store.findBooking(readCode(typed));
  const lead = booking?.lead ?? (await store.findLead(readReference(typed)));
  const id = lead ? lead.phone || lead.reference : digitsOf(typed) && toE164(typed, country);
  return id && (await store.customer(id)) ? id : undefined;
}

/** The most customers looked at for each piece of a word, or spelling of it. */
const LOOKED_AT = 200;

/** Customers whose name, e-mail or vehicle differs by the fewest letters from what was typed. */
async function similarCustomers(store: Store, typed: string, limit: number): Promise<Customer[]> {
  const words = typed.trim().split(/\s+/);
  const [longest = ""] = words.toSorted((a, b) => b.length - a.length);
  if (mistakesIn(plain(longest)) === 0) return [];
  // A word is cut into one more piece than it may have mistakes, so one piece is right; but two swapped letters may spoil two.
  const spellings = [...piecesOf(plain(longest)), ...swapsOf(plain(longest))];
  const found = await Promise.all(spellings.map((one) => store.findCustomers([one], LOOKED_AT)));
  const customers = await Promise.all([...new Set(found.flat())].map((id) => store.customer(id)));
  const near = customers.flatMap((customer) => {
    const texts = customer ? [customerNames, emailsOf, vehiclesOf].flatMap((textsOf) => textsOf(customer)) : [];
    const wrong = slipsOfWords(words, texts);
    return customer && wrong !== null ? [{ customer, wrong }] : [];
  });
  const least = Math.min(...near.map(({ wrong }) => wrong));
  return near
    .filter(({ wrong }) => wrong === least)
    .slice(0, limit)
    .map(({ customer }) => customer);
}

/** How many letters are wrong; null when a word is too far from every word of the texts. */
function slipsOfWords(words: readonly string[], texts: readonly string[]): number | null {
  const all = texts.flatMap((text) => text.split(/[\s@.,()]+/)).map(plain);
  let sum = 0;
  for (const word of words.map(plain)) {
    const least = Math.min(...all.map((one) => mistakesBetween(word, one)));
    if (least > mistakesIn(word)) return null;
    sum += least;
  }
  return sum;
}

function piecesOf(word: string): string[] {
  const count = mistakesIn(word) + 1;
  const at = (i: number) => Math.round((word.length * i) / count);
  return Array.from({ length: count }, (_, i) => word.slice(at(i), at(i + 1)));
}

function swapsOf(word: string): string[] {
  const swapped = (i: number) => word.slice(0, i) + word.slice(i + 1, i + 2) + word.slice(i, i + 1) + word.slice(i + 2);
  return Array.from({ length: word.length - 1 }, (_, i) => swapped(i));
}

/** By field of a booking; the car as one text, as it is said. */
export type KnownFields = { customer_phone: string } & Partial<
  Record<"customer_name" | "customer_email" | "vehicle_model" | "vehicle_type" | "film_type" | "shade", string>
>;

/** Fills a new booking of a known customer: the latest name and e-mail, and car, film and shade of the last visit. */
export function knownFields(customer: Customer, catalog: Shop): KnownFields {
  const { leads } = customer;
  const name = leads.find((lead) => lead.name !== "")?.name;
  const email = leads.find((lead) => lead.email !== "")?.email;
  const visits = visitsFirst(customer).map(({ answer }) => storedConfirmation.safeParse(answer).data);
  const visit = visits.find((one) => one && (one.vehicle.model ?? one.vehicle.type) !== null);
  const car = visit?.vehicle;
  const shade = visit ? shadeTyped(visit.shade) : "";
  const said = [car?.year, car?.make, car?.model].filter((part) => part !== null && part !== undefined).join(" ");
  const type = car?.type ?? "";
  return {
    customer_phone: shopPhone(customer, catalog),
    ...(name !== undefined && { customer_name: name }),
    ...(email !== undefined && { customer_email: email }),
    ...(said !== "" && { vehicle_model: said }),
    ...(catalog.terms.vehicleTypes.includes(type) && { vehicle_type: type }),
    ...(visit?.film_type && catalog.terms.films.includes(visit.film_type) && { film_type: visit.film_type }),
    ...(shade !== "" && { shade }),
  };
}

/** Bookings that were cancelled or missed come last: they say less of a customer than a visit. */
function visitsFirst({ bookings }: Customer): Booking[] {
  const isMissed = ({ status }: Booking) => isOff(status) || status === "no_show";
  return [...bookings.filter((one) => !isMissed(one)), ...bookings.filter(isMissed)];
}

function shadeTyped(shade: unknown): string {
  if (shade === null || shade === undefined) return "";
  return typeof shade === "object" ? shadesTyped(shade) : String(shade);
}

export function knownByCar(customer: Customer, catalog: Shop): KnownFields[] {
  const each = visitsFirst(customer).map((booking) => knownFields({ ...customer, bookings: [booking] }, catalog));
  const cars = each.filter(({ vehicle_model, vehicle_type }) => vehicle_model ?? vehicle_type);
  const carOf = ({ vehicle_model = "", vehicle_type = "" }: KnownFields) =>
    `${vehicle_model.toLowerCase()} ${vehicle_type}`;
  const distinct = cars.filter((one, i) => cars.findIndex((other) => carOf(other) === carOf(one)) === i);
  return distinct.length > 0 ? distinct : [knownFields(customer, catalog)];
}

export function knownInWords(customer: Customer | null, now: Temporal.Instant): string {
  if (customer === null) return "";
  const name = customer.leads.find((lead) => lead.name !== "")?.name ?? "";
  const [last] = visitsFirst(customer);
  const work = last && storedConfirmation.safeParse(last.answer).data;
  const job = work && [work.film_type && spaced(work.film_type), shadeTyped(work.shade)].filter(Boolean).join(" ");
  const visits = last
    ? `${counted(customer.bookings.length, "booking")}, the last ${dayAndDate(last.date, now.toString())}${job ? ` (${job})` : ""}`
    : "asked before";
  const missed = customer.bookings.filter(({ status }) => status === "no_show").length;
  return `Known: ${name}, ${visits}${missed > 0 ? `; did not come ${missed === 1 ? "once" : `${missed} times`}` : ""}.`;
}
