/** Bookings as the owner reads them: with bay, vehicle and price. */
import { bookAppointment } from "../../src/capabilities/book-appointment.ts";
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";
import { moneyIn } from "../terminal/amounts.ts";
import { clean } from "../terminal/text.ts";
import { dayAndDate, momentInWords } from "../terminal/times.ts";
import type { DiaryEntry } from "./entries.ts";

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
    estimate ? moneyIn(estimate.currency)(estimate.total) : "",
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
    ["Price", facts.estimate && moneyIn(facts.estimate.currency)(facts.estimate.total)],
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
