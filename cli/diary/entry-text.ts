/** Bookings as the owner reads them: with bay, vehicle and price. */
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { dayAndDate, dayAndTime, timeOfDay } from "../../src/domain/spoken-dates.ts";
import { spaced } from "../../src/lib/text.ts";
import { OWNER } from "../../src/vocabulary.ts";
import { coverageLabel } from "../catalog/words.ts";
import { type ShopPlace, shopPhone } from "../shop/clock.ts";
import { moneyIn } from "../terminal/amounts.ts";
import { clean } from "../terminal/text.ts";
import { momentInWords, timeInWords } from "../terminal/times.ts";
import type { DiaryEntry } from "./entries.ts";
import { entryJson } from "./entry-json.ts";

export const DIARY_HEAD = ["date", "time", "bay", "customer", "vehicle", "job", "code", "price", "status"];

/** The columns that a narrow terminal does without, the least needed first. */
export const DIARY_LEAST_NEEDED = ["price", "bay", "job", "vehicle", "status", "code"];

/** A row of the table under `DIARY_HEAD`. */
export function entryRow(entry: DiaryEntry, catalog: ShopPlace, now: Temporal.Instant): string[] {
  const facts = entryJson(entry, catalog);
  const { date, time, bay, customer, vehicle, confirmation_code, estimate, status } = facts;
  return [
    dayAndDate(date, shopDate(catalog, now)),
    timeOfDay(time),
    bay === null ? "" : String(bay),
    clean(customer.name),
    clean(vehicle?.description ?? ""),
    jobInWords(facts, catalog),
    confirmation_code,
    estimate ? moneyIn(estimate.currency)(estimate.total) : "",
    spaced(status),
  ];
}

/** Everything about a booking, as names and values. Values are not cleaned. */
export function entryFacts(
  entry: DiaryEntry,
  catalog: ShopPlace,
  now: Temporal.Instant,
): [string, string | null | undefined][] {
  const { booking, bay } = entry;
  const facts = entryJson(entry, catalog);
  const { name, phone, email } = booking.lead;
  return [
    ["Booking", `${booking.confirmationCode}, ${spaced(booking.status)}`],
    [
      "When",
      `${dayAndTime(booking.date, booking.time, shopDate(catalog, now))} to ${timeInWords(catalog, booking.endAt)}`,
    ],
    ["Bay", bay === null ? null : String(bay)],
    ["Customer", [name, shopPhone(phone, catalog), email].filter((part) => part !== "").join(", ")],
    ["Vehicle", facts.vehicle?.description],
    ["Job", jobInWords(facts, catalog)],
    ["Tint law", facts.tint_law && `${stateInWords(facts.tint_law, catalog)}: ${spaced(facts.tint_law.status)}`],
    ["Price", facts.estimate && moneyIn(facts.estimate.currency)(facts.estimate.total)],
    [
      "Paid",
      facts.paid &&
        `${moneyIn(facts.estimate?.currency ?? "USD")(facts.paid.amount)}${facts.paid.by ? `, ${facts.paid.by}` : ""}`,
    ],
    ["Wishes", facts.special_requests],
    ["Lead", booking.lead.reference],
    ["Booked", momentInWords(catalog, booking.createdAt, now)],
    ["Booked by", bookedBy(booking)],
    ["Ended", booking.endedAt === null ? null : momentInWords(catalog, booking.endedAt, now)],
    ["Reason", booking.cancelReason],
  ];
}

/** The name of a state: `Georgia`. A state that left the catalog keeps its code. */
function stateInWords({ jurisdiction }: { jurisdiction: string }, { tint_law: law }: ShopPlace): string {
  return law?.jurisdictions[jurisdiction]?.name ?? jurisdiction;
}

function bookedBy({ keyId, network, agentClass }: DiaryEntry["booking"]): string {
  if (agentClass === OWNER) return "the shop";
  const sender = agentClass === null ? "online" : `the assistant ${agentClass}`;
  return [sender, `network ${network}`, ...(keyId === null ? [] : [`key ${keyId}`])].join(", ");
}

/** In the middle of a sentence. */
export function statusInWords(status: BookingStatus): string {
  return status === "no_show" ? "marked as a no-show" : spaced(status).replace(/ by (?=shop|customer)/, " by the ");
}

type Facts = ReturnType<typeof entryJson>;

/** `ceramic tint (front two), 20%, old film off`. The usual coverage is not named. */
export function jobInWords(facts: Omit<Facts, "bay">, shop: ShopPlace): string {
  const { service, film_type, coverage } = facts;
  const work = service === "automotive" ? "tint" : spaced(service);
  const isUsual = coverage === null || coverage === (shop.automotive?.defaults.coverage ?? "full");
  const part = isUsual ? null : `(${coverageLabel(coverage, shop)})`;
  const job = [film_type && spaced(film_type), work, part].filter(Boolean).join(" ");
  return [job, shadesInWords(facts), extrasInWords(facts)].filter((part) => part !== "").join(", ");
}

function extrasInWords({ addons, remove_old_film }: Pick<Facts, "addons" | "remove_old_film">): string {
  return [...(remove_old_film ? ["old film off"] : []), ...addons.map(spaced)].join(", ");
}

function shadesInWords({ shade, windshield_shade: windshield }: Pick<Facts, "shade" | "windshield_shade">): string {
  const sides =
    shade !== null && typeof shade === "object"
      ? Object.entries(shade).map(([position, vlt]) => (vlt === null ? null : `${spaced(position)} ${vlt}%`))
      : [shade === null ? null : `${shade}%`];
  return [...sides, windshield === null ? null : `windshield ${windshield}%`].filter((one) => one !== null).join(", ");
}
