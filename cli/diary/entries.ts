/** Bookings as the owner reads them: with bay, vehicle and price. */
import { bookAppointment } from "../../src/capabilities/book-appointment.ts";
import { assignBays } from "../../src/domain/bays.ts";
import { type BookingStatus, isCancelled } from "../../src/domain/lifecycle.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { clean } from "../terminal/text.ts";

export interface DiaryEntry {
  booking: Booking;
  /** From 1; null for a cancelled job. */
  bay: number | null;
}

/** The diary of the shop's dates [from, to], by day, time and bay. */
export async function readDiary(store: Store, from: string, to: string): Promise<DiaryEntry[]> {
  const bookings = await store.bookings({ from, to });
  const working = bookings.filter(({ status }) => !isCancelled(status));
  const bays = assignBays(working);
  const bayOf = new Map(working.map(({ id }, i) => [id, bays[i] ?? null]));
  return bookings
    .map((booking) => ({ booking, bay: bayOf.get(booking.id) ?? null }))
    .sort((a, b) => a.booking.startAt - b.booking.startAt || (a.bay ?? Number.MAX_VALUE) - (b.bay ?? Number.MAX_VALUE));
}

/** A booking with its bay, which depends on the other jobs of the day. */
export async function entryOf(store: Store, booking: Booking): Promise<DiaryEntry> {
  const day = await readDiary(store, booking.date, booking.date);
  return { booking, bay: day.find((entry) => entry.booking.id === booking.id)?.bay ?? null };
}

/** An entry as `--json` prints it. What an answer of another version does not tell is null: it must not hide the diary. */
export function entryJson({ booking, bay }: DiaryEntry, catalog: ShopClock) {
  const { answer, lead, ...facts } = booking;
  const told = bookAppointment.output.safeParse(answer).data;
  return {
    confirmation_code: facts.confirmationCode,
    booking_id: facts.id,
    status: facts.status,
    date: facts.date,
    time: facts.time,
    start: rfc3339(catalog, facts.startAt),
    end: rfc3339(catalog, facts.endAt),
    bay,
    service: facts.service,
    vehicle: told?.vehicle ?? null,
    film_type: told?.film_type ?? null,
    coverage: told?.coverage ?? null,
    estimate: told?.estimate ?? null,
    special_requests: told?.special_requests ?? null,
    customer: { name: lead.name, phone: lead.phone, email: lead.email },
    lead: { id: lead.id, reference: lead.reference },
    booking_request_id: told?.booking_request_id ?? null,
    created_at: rfc3339(catalog, facts.createdAt),
    ended_at: facts.endedAt === null ? null : rfc3339(catalog, facts.endedAt),
  };
}

export const DIARY_HEAD = ["date", "time", "bay", "customer", "vehicle", "job", "code", "price", "status"];

/** An entry as a row of the table. */
export function entryRow(entry: DiaryEntry, catalog: ShopClock): string[] {
  const facts = entryJson(entry, catalog);
  const { date, time, bay, customer, vehicle, confirmation_code, estimate, status } = facts;
  return [
    dayAndDate(date),
    time,
    bay === null ? "" : String(bay),
    clean(customer.name),
    clean(vehicle?.description ?? ""),
    jobInWords(facts),
    confirmation_code,
    estimate ? inMoney(estimate.total, estimate.currency) : "",
    status.replaceAll("_", " "),
  ];
}

/** Everything about an entry; names and values, the latter as they were typed. */
export function entryFacts(entry: DiaryEntry, catalog: ShopClock): [string, string | null | undefined][] {
  const { booking, bay } = entry;
  const facts = entryJson(entry, catalog);
  return [
    ["Booking", `${booking.confirmationCode}, ${booking.status.replaceAll("_", " ")}`],
    ["When", `${dayAndDate(booking.date)} ${booking.time} to ${facts.end.slice(11, 16)}`],
    ["Bay", bay === null ? null : String(bay)],
    ["Customer", `${booking.lead.name}, ${booking.lead.phone}, ${booking.lead.email}`],
    ["Vehicle", facts.vehicle?.description],
    ["Job", jobInWords(facts)],
    ["Price", facts.estimate && inMoney(facts.estimate.total, facts.estimate.currency)],
    ["Wishes", facts.special_requests],
    ["Lead", booking.lead.reference],
    ["Booked", momentInWords(catalog, booking.createdAt)],
    ["Ended", booking.endedAt === null ? null : momentInWords(catalog, booking.endedAt)],
  ];
}

export function statusInWords(status: BookingStatus): string {
  return status === "no_show" ? "marked as a no-show" : status.replaceAll("_", " ");
}

function jobInWords({ service, film_type, coverage }: ReturnType<typeof entryJson>): string {
  const work = service === "automotive" ? "tint" : service.replaceAll("_", " ");
  return [film_type, work, coverage === "front2" ? "(front two)" : null].filter((word) => word !== null).join(" ");
}

/** `Tue 24 Nov 2026`. */
export function dayAndDate(date: string): string {
  return Temporal.PlainDate.from(date)
    .toLocaleString("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    })
    .replace(",", "");
}

/** `Tue 24 Nov 2026 09:00`, by the shop's clock. */
export function momentInWords(catalog: ShopClock, epochMs: number): string {
  const moment = rfc3339(catalog, epochMs);
  return `${dayAndDate(moment.slice(0, 10))} ${moment.slice(11, 16)}`;
}

function inMoney(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
}
