/** The diary as a calendar that the owner's phone subscribes to. Source: contract 17, `tint calendar`. */
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { extrasOf, storedConfirmation } from "../capabilities/booking/confirmation.ts";
import type { Shop } from "../catalog/shop.ts";
import { blockInWords, blocksOn, isWholeDay } from "../domain/bays.ts";
import { type BookingStatus, heldAsOf } from "../domain/lifecycle.ts";
import { addDays, datesFrom, momentOf, planOf, shopDate } from "../domain/schedule.ts";
import { doneParts } from "../domain/slots.ts";
import { formatMoney, toCents } from "../lib/money.ts";
import { withExtension } from "../lib/phone.ts";
import { capitalized } from "../lib/text.ts";
import { withLastLine } from "../messages/calendar-file.ts";
import { serviceName } from "../messages/words.ts";
import { type DiaryEntry, diaryDays } from "../store/diary-days.ts";
import type { Store } from "../store/store.ts";

const PAST_DAYS = 30;

/**
 * Every booking from 30 days ago to the horizon, cancelled and missed ones as such, as an ICS file. Times are UTC. The UID of a booking
 * stays, and SEQUENCE rises with each change (RFC 5545, 3.8.7.4).
 */
export async function calendarFeed(store: Pick<Store, "bookings">, catalog: Shop, now: Temporal.Instant) {
  const { business, site } = catalog;
  const calendar = ical({
    name: business.name,
    prodId: { company: "Tintdesk", product: "Tintdesk", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  const host = new URL(site.url).hostname;
  const today = shopDate(catalog, now);
  const dates = [addDays(today, -PAST_DAYS), addDays(today, catalog.scheduling.horizon_days)] as const;
  for await (const day of diaryDays(store, ...dates, catalog))
    for (const entry of day) {
      const { confirmationCode: code, changes, status } = heldAsOf(entry.booking, now.epochMilliseconds);
      // What was held and never booked is no news.
      if (status === "expired") continue;
      // Work that pauses overnight is an entry on each of its days.
      for (const [i, part] of doneParts(catalog, entry.booking).entries())
        calendar.createEvent({
          id: `${code}${i === 0 ? "" : `-${i + 1}`}@${host}`,
          start: new Date(part.startAt),
          end: new Date(part.endAt),
          stamp: new Date(now.epochMilliseconds),
          sequence: changes,
          status: STATES[status] ?? ICalEventStatus.CANCELLED,
          ...entryText(entry, catalog),
        });
    }
  addBlocks(calendar, catalog, now, host);
  return withLastLine(calendar.toString());
}

const STATES: Partial<Record<BookingStatus, ICalEventStatus>> = {
  held: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  completed: ICalEventStatus.CONFIRMED,
};

/** What is blocked from today on, each day, hours or bay as an entry. */
function addBlocks(calendar: ReturnType<typeof ical>, catalog: Shop, now: Temporal.Instant, host: string): void {
  const today = shopDate(catalog, now);
  for (const date of datesFrom(today, catalog.scheduling.horizon_days + 1))
    for (const block of blocksOn(catalog, date)) {
      const { from, to, bay, bays, reason } = block;
      const hours = planOf(catalog, date).hours;
      const [begins, ends] = [from ?? hours[0]?.opens ?? "00:00", to ?? hours.at(-1)?.closes ?? "24:00"];
      const name = ["blocked", date, begins, bay ?? bays ?? "all"].join("-").replaceAll(":", "");
      calendar.createEvent({
        id: `${name}@${host}`,
        start: new Date(momentOf(catalog, date, begins)),
        // A block before the shop opens, or after it closes, still has its length.
        end: new Date(momentOf(catalog, date, ends > begins ? ends : "24:00")),
        stamp: new Date(now.epochMilliseconds),
        summary: `Blocked${reason === undefined ? "" : `: ${reason}`}`,
        description: isWholeDay(block)
          ? "No bookings on this day"
          : capitalized(blockInWords({ ...block, reason: undefined }, catalog)),
      });
    }
}

const REFRESH_SECONDS = 15 * 60;

/** The words of an entry. With `details: initials` they do not tell strangers who comes. */
function entryText({ booking: { answer, lead, confirmationCode, service }, bay }: DiaryEntry, catalog: Shop) {
  const confirmation = storedConfirmation.safeParse(answer).data;
  const { automotive, calendar, currency } = catalog;
  const isShort = calendar.details === "initials";
  const name = serviceName(service, catalog);
  const { estimate, vehicle } = confirmation ?? {};
  const work = [
    name,
    automotive.films[confirmation?.film_type ?? ""]?.name,
    automotive.coverages[confirmation?.coverage ?? ""]?.name,
    ...(confirmation ? extrasOf(confirmation, catalog) : []),
  ];
  const lines = [
    !isShort && withExtension(lead.phone, lead.extension),
    work.filter((part) => part !== undefined).join(", "),
    bay !== null && `Bay ${bay}`,
    !isShort && estimate && formatMoney(toCents(estimate.total_with_tax ?? estimate.total), currency),
    !isShort && confirmation?.special_requests,
    `Code ${confirmationCode}`,
  ];
  const car = (!isShort && vehicle?.description) || (vehicle?.type ?? name);
  return {
    summary: `${isShort ? initials(lead.name) : lead.name}, ${car}`,
    description: lines.filter(Boolean).join("\n"),
  };
}

/** `J. S.` */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .flatMap((word) => ([...word][0] ? [`${[...word][0]}.`] : []))
    .join(" ");
}
