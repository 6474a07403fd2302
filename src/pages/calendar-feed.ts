/** The diary as a calendar that the owner's phone subscribes to. Source: contract 17, `tint calendar`. */
import ical, { ICalCalendarMethod, ICalEventStatus } from "ical-generator";
import { storedConfirmation } from "../capabilities/booking/confirmation.ts";
import type { Catalog } from "../catalog/schema.ts";
import { isCancelled } from "../domain/lifecycle.ts";
import { formatMoney, toCents } from "../domain/money.ts";
import { shopTime } from "../domain/schedule.ts";
import { serviceName } from "../jobs/message-texts.ts";
import type { Booking, BookingCursor, Store } from "../store/store.ts";

const PAST_DAYS = 30;
const PAGE = 500;

/**
 * Every booking from 30 days ago to the horizon, cancelled ones too, as an ICS file. Times are UTC. The UID of a booking
 * stays, and SEQUENCE rises with each change (RFC 5545, 3.8.7.4).
 */
export async function calendarFeed(
  store: Pick<Store, "bookings">,
  catalog: Catalog,
  now: Temporal.Instant,
): Promise<string> {
  const { business, site } = catalog;
  const calendar = ical({
    name: business.name,
    prodId: { company: "Tintdesk", product: "Tintdesk", language: "EN" },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
  });
  const host = new URL(site.url).hostname;
  for await (const booking of bookingsOf(store, catalog, now)) {
    calendar.createEvent({
      id: `${booking.confirmationCode}@${host}`,
      start: new Date(booking.startAt),
      end: new Date(booking.endAt),
      stamp: new Date(now.epochMilliseconds),
      sequence: booking.changes,
      status: isCancelled(booking.status) ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...wordsOf(booking, catalog),
    });
  }
  return calendar.toString();
}

/** How often calendars are asked to look again. */
const REFRESH_SECONDS = 15 * 60;

async function* bookingsOf(
  store: Pick<Store, "bookings">,
  catalog: Catalog,
  now: Temporal.Instant,
): AsyncGenerator<Booking> {
  const today = shopTime(catalog, now).toPlainDate();
  const dates = {
    from: today.subtract({ days: PAST_DAYS }).toString(),
    to: today.add({ days: catalog.scheduling.horizon_days }).toString(),
  };
  let last: BookingCursor | undefined;
  for (;;) {
    const page = await store.bookings(dates, PAGE, last);
    yield* page;
    last = page.at(-1);
    if (page.length < PAGE) return;
  }
}

/** The words of an entry. With `details: initials` they do not tell strangers who comes. */
function wordsOf({ answer, lead, confirmationCode, service }: Booking, catalog: Catalog) {
  const confirmation = storedConfirmation.safeParse(answer).data;
  const { automotive } = catalog;
  const name = serviceName({ service }, catalog);
  const work = [
    name,
    automotive.films[confirmation?.film_type ?? ""]?.name,
    automotive.coverages[confirmation?.coverage ?? ""]?.name,
    ...(confirmation?.addons ?? []).map((code) => automotive.addons[code]?.name ?? code),
  ].filter((part) => part !== undefined);
  const car = confirmation?.vehicle?.type ?? name;
  const code = `Code ${confirmationCode}`;
  if (catalog.calendar.details === "initials")
    return { summary: `${initials(lead.name)}, ${car}`, description: [work.join(", "), code].join("\n") };
  const price = confirmation?.estimate ? priceText(confirmation.estimate, catalog) : null;
  const lines = [lead.phone, work.join(", "), price, confirmation?.special_requests, code];
  return {
    summary: `${lead.name}, ${confirmation?.vehicle?.description || car}`,
    description: lines.filter(Boolean).join("\n"),
  };
}

/** What the customer pays. */
function priceText(
  { total, total_with_tax: all = total }: { total: number; total_with_tax?: number | undefined },
  { currency }: Catalog,
): string {
  return formatMoney(toCents(all), currency);
}

/** `J. S.` */
function initials(name: string): string {
  return name
    .split(/\s+/)
    .flatMap((word) => ([...word][0] ? [`${[...word][0]}.`] : []))
    .join(" ");
}
