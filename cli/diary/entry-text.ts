/** Bookings as the owner reads them: with bay, vehicle and price. */
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import type { ShopClock } from "../../src/domain/schedule.ts";
import { moneyIn } from "../terminal/amounts.ts";
import { clean } from "../terminal/text.ts";
import { dayAndDate, momentInWords } from "../terminal/times.ts";
import type { DiaryEntry } from "./entries.ts";
import { entryJson } from "./entry-json.ts";

export const DIARY_HEAD = ["date", "time", "bay", "customer", "vehicle", "job", "code", "price", "status"];

/** A row of the table under `DIARY_HEAD`. */
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

/** Everything about a booking, as names and values. Values are not cleaned. */
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
    ["Booked by", bookedBy(booking)],
    ["Ended", booking.endedAt === null ? null : momentInWords(catalog, booking.endedAt)],
    ["Reason", booking.cancelReason],
  ];
}

function bookedBy({ keyId, network, agentClass }: DiaryEntry["booking"]): string {
  return [keyId === null ? "no key" : `key ${keyId}`, `network ${network}`, agentClass ?? "no known agent"].join(", ");
}

export function statusInWords(status: BookingStatus): string {
  return status === "no_show" ? "marked as a no-show" : status.replaceAll("_", " ");
}

function jobInWords({ service, film_type, coverage }: ReturnType<typeof entryJson>): string {
  const work = service === "automotive" ? "tint" : service.replaceAll("_", " ");
  return [film_type, work, coverage === "front2" ? "(front two)" : null].filter((word) => word !== null).join(" ");
}
