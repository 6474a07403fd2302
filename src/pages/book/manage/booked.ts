/** The page after a booking or a change. Its address holds the code alone, so it shows nothing about the person. */
import type { z } from "zod";
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { appointmentOf, type Confirmation, storedConfirmation } from "../../../capabilities/booking/confirmation.ts";
import { canChangeUntil } from "../../../capabilities/booking/policy.ts";
import { taxed, wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { bookingStatus } from "../../../capabilities/managing/find-booking.ts";
import { addressOf } from "../../../catalog/messaging.ts";
import { BOOK_PATH, MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { partsOf } from "../../../domain/slots.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { toShades } from "../../../job/job.ts";
import { verified } from "../../../job/price.ts";
import { type Html, html } from "../../../lib/html.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import type { Booking } from "../../../store/store.ts";
import { problemPage } from "../shell/forms.ts";
import { page } from "../shell/layout.ts";
import { BOOKED_PATH } from "../shell/paths.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import {
  carName,
  factList,
  jobFacts,
  lawFacts,
  longMoment,
  phoneLink,
  priceFacts,
  readyAbout,
  serviceName,
  ticket,
  untilMoment,
  workName,
} from "../shell/wording.ts";

type Status = z.output<ReturnType<typeof bookingStatus.output>>;

const { booked: said } = PAGE_TEXTS;

export async function show(visit: Visit): Promise<PageAnswer> {
  const { fields, query, ctx, isFramed, use } = visit;
  const { catalog } = ctx;
  const found = await use(bookingStatus, fields);
  if (!found.ok) {
    const more = html`<p><a class="button" href="${MANAGE_PATH}">${said.lookUp}</a></p>`;
    return problemPage(said.none, found, catalog, isFramed, more);
  }
  const status = found.outcome.body.data;
  const title = HEADLINES[status.status] ?? said.over;
  const booking = await ctx.store.findBooking(status.confirmation_code);
  const job = booking ? await jobOf(query.get("estimate"), booking, visit) : undefined;
  const until = booking && canChangeUntil(booking, ctx);
  const isChangeable = until != null && until > ctx.now.epochMilliseconds;
  const promises = {
    sent: storedConfirmation.safeParse(booking?.answer).data?.messages ?? NONE,
    changeUntil: isChangeable ? untilMoment(until, ctx) : null,
  };
  const main = html`<div class="narrow">${bookedTicket(status, title, { job, ...promises }, catalog)}</div>`;
  return page({ title, main }, catalog, isFramed);
}

const HEADLINES: Partial<Record<Status["status"], string>> = {
  confirmed: said.booked,
  held: said.held,
  cancelled_by_customer: said.cancelled,
  cancelled_by_shop: said.cancelled,
};

/** What the page promises besides the time: messages, and until when the booking can be changed. */
interface Promises {
  sent: Omit<Confirmation["messages"], "said">;
  /** Null where it is changed by phone only. */
  changeUntil: string | null;
}
const NONE: Promises["sent"] = { text: [], email: [] };

/** Which messages come, and where to; without any, that the page is to be kept. */
function sentences({ text, email }: Promises["sent"]): string {
  const [confirmed, reminded] = (["confirmation", "reminder"] as const).map((name) => [
    ...(email.includes(name) ? [said.toEmail] : []),
    ...(text.includes(name) ? [said.toPhone] : []),
  ]);
  return [
    confirmed?.length ? said.confirmation(joinWithAnd(confirmed)) : said.save,
    reminded?.length ? said.reminder(joinWithAnd(reminded)) : "",
  ].join(" ");
}

function bookedTicket(
  booking: Status,
  title: string,
  { job, sent, changeUntil }: Promises & { job: Job | undefined },
  catalog: Shop,
): Html {
  const { facts } = PAGE_TEXTS;
  const { confirmation_code: code, status, service, start, end } = booking;
  const [startAt, endAt] = [Date.parse(start), Date.parse(end)];
  const isPaused = partsOf(catalog, { startAt, endAt }).length > 1;
  const { business, site } = catalog;
  const isOn = status === "confirmed";
  const isHeld = status === "held";
  const place = addressOf(catalog);
  const { map } = business.links;
  const list = factList(
    [facts.when, longMoment(booking, catalog)],
    isOn && [facts.ready, (isPaused ? facts.readyAfterNight : facts.readyAbout)(readyAbout(booking, endAt, catalog))],
    [facts.what, job?.what ?? serviceName(service, catalog)],
    job !== undefined && job.car !== "" && [facts.car, job.car],
    ...(job?.facts ?? []),
    ...(job?.law ?? []),
    ...(job ? priceFacts(job.price, catalog) : []),
    isOn && [facts.pay, site.texts.payment],
    [facts.where, html`${business.name}<br>${map ? html`<a href="${map}">${place}</a>` : place}`],
    [PAGE_TEXTS.details.phone, phoneLink(business)],
    isOn && [facts.messages, sentences(sent)],
  );
  const quiet = (href: string, text: string, more?: Html) =>
    html`<a class="button quiet" href="${href}"${more}>${text}</a>`;
  const actions = [
    isOn && html`<a class="button" href="${BOOKED_PATH}/${code}/calendar.ics" download>${said.calendar}</a>`,
    isOn && map && quiet(map, PAGE_TEXTS.place.directions),
    (isOn || isHeld) &&
      changeUntil !== null &&
      quiet(`${MANAGE_PATH}?code=${code}`, isHeld ? said.confirm : said.change),
    quiet(BOOK_PATH, isOn ? said.another : said.again, html` data-anew`),
  ];
  const promise = isOn && (changeUntil === null ? said.changeByPhone : said.changeUntil(changeUntil));
  const content = html`${list}<p class="actions">${actions}</p>${promise && html`<p class="soft">${promise}</p>`}`;
  const head = { title, sign: isOn ? "✓" : "×", isOn, text: site.texts.booked, attributes: isOn && html` data-booked` };
  return ticket(head, [said.code, code], content);
}

type Job = NonNullable<Awaited<ReturnType<typeof jobOf>>>;

/** The work, its verdict and the price, from the estimate in the address; undefined unless the booking has its price. */
async function jobOf(token: string | null, { answer }: Booking, { ctx, use }: Visit) {
  const booked = storedConfirmation.safeParse(answer).data;
  if (!token || booked?.estimate_id !== token || !booked.estimate?.locked) return undefined;
  const { lock } = await verified(token, "automotive", ctx).catch(() => ({ lock: undefined }));
  if (lock?.kind !== "automotive") return undefined;
  const { service_type, ...held } = lock.job;
  const { vehicle_type, film_type = null, coverage = null, ...job } = held;
  const priced = await use(automotiveEstimate, { ...held, service: service_type });
  const { catalog } = ctx;
  return {
    what: workName({ service: service_type, film_type, coverage, vehicle: { type: vehicle_type } }, catalog),
    car: carName(booked.vehicle),
    facts: jobFacts({ ...job, film_type, shade: toShades(job).shade }, catalog),
    // The shop may have given up one of the words since.
    law: priced.ok ? lawFacts(wholeOf(priced.outcome.body.data).tint_law, film_type, catalog) : [],
    price: taxed(lock.total, catalog),
  };
}

/** The appointment for the customer's calendar, without their name. */
export async function calendar(visit: Visit): Promise<PageAnswer> {
  const { fields, ctx, use, isFramed } = visit;
  const found = await use(bookingStatus, fields);
  if (!found.ok) return problemPage(said.none, found, ctx.catalog, isFramed);
  const booking = await ctx.store.findBooking(found.outcome.body.data.confirmation_code);
  // The booking was erased between the two look-ups.
  if (!booking) return show(visit);
  const { calendarFile } = await import("../../../messages/calendar-file.ts");
  const appointment = { ...appointmentOf(booking, ctx.catalog), name: "" };
  return {
    status: 200,
    body: calendarFile(appointment, ctx.now.epochMilliseconds, ctx.catalog),
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": `attachment; filename="appointment-${appointment.code}.ics"`,
      "X-Robots-Tag": "noindex",
    },
  };
}
