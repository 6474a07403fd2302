/** The page after a booking or a change. Its address holds the code alone, so it shows nothing about the person. */
import type { z } from "zod";
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { appointmentOf, type Confirmation, storedConfirmation } from "../../../capabilities/booking/confirmation.ts";
import { canChangeUntil } from "../../../capabilities/booking/policy.ts";
import { bookedJob } from "../../../capabilities/booking/work.ts";
import { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { PAPER_STYLE, paperBy, paperHtml } from "../../../capabilities/desk/paper.ts";
import { bookingStatus } from "../../../capabilities/managing/find-booking.ts";
import { addressOf } from "../../../catalog/messaging.ts";
import { BOOK_PATH, MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import { type Shop, textsOf } from "../../../catalog/shop.ts";
import { noSuchPath } from "../../../http/not-found.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { readToken } from "../../../job/forms.ts";
import { type Html, html } from "../../../lib/html.ts";
import { serviceName } from "../../../messages/words.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import type { Booking } from "../../../store/store.ts";
import { inlineSource, pagePolicy } from "../../markup/page.ts";
import { page } from "../shell/layout.ts";
import { BOOKED_PATH } from "../shell/paths.ts";
import { problemPage } from "../shell/problems.ts";
import { BOOKED, DETAILS, FACTS, STAGE } from "../shell/texts.ts";
import {
  carName,
  factList,
  factsOfJob,
  longMoment,
  phoneLink,
  readyFact,
  ticket,
  untilMoment,
} from "../shell/wording.ts";

type Status = z.output<ReturnType<typeof bookingStatus.output>>;

export async function show(visit: Visit): Promise<PageAnswer> {
  const { fields, query, ctx, use } = visit;
  const found = await use(bookingStatus, fields);
  if (!found.ok) {
    const more = html`<p><a class="button" href="${MANAGE_PATH}">${BOOKED.lookUp}</a></p>`;
    return problemPage(BOOKED.none, found, visit, more);
  }
  const status = found.outcome.body.data;
  const title = HEADLINES[status.status] ?? BOOKED.over;
  const booking = await ctx.store.findBooking(status.confirmation_code);
  const job = booking ? await agreedJob(query.get("estimate"), booking, visit) : undefined;
  const until = booking && canChangeUntil(booking, ctx);
  const isChangeable = until != null && until > ctx.now.epochMilliseconds;
  const sent = storedConfirmation.safeParse(booking?.answer).data?.messages ?? { text: [], email: [] };
  const told = { title, job, sent, changeUntil: isChangeable ? untilMoment(until, ctx) : null };
  const main = html`<div class="narrow">${bookedTicket(status, told, ctx.catalog)}</div>`;
  return page({ title, main }, visit);
}

const HEADLINES: Partial<Record<Status["status"], string>> = {
  confirmed: BOOKED.booked,
  held: BOOKED.held,
  cancelled_by_customer: BOOKED.cancelled,
  cancelled_by_shop: BOOKED.cancelled,
};

interface Told {
  title: string;
  /** The work, its verdict and the price. */
  job: Awaited<ReturnType<typeof agreedJob>>;
  sent: Omit<Confirmation["messages"], "said">;
  /** Null where the booking is changed by phone only. */
  changeUntil: string | null;
}

/** Which messages come, and where to; without any, that the page is to be kept. */
function sentences({ text, email }: Told["sent"]): string {
  const [confirmed, reminded] = (["confirmation", "reminder"] as const).map((name) => [
    ...(email.includes(name) ? [BOOKED.toEmail] : []),
    ...(text.includes(name) ? [BOOKED.toPhone] : []),
  ]);
  return [
    confirmed?.length ? BOOKED.confirmation(joinWithAnd(confirmed)) : BOOKED.save,
    reminded?.length ? BOOKED.reminder(joinWithAnd(reminded)) : "",
  ].join(" ");
}

function bookedTicket(booking: Status, { title, job, sent, changeUntil }: Told, catalog: Shop): Html {
  const { confirmation_code: code, status, service, end } = booking;
  const { business, site } = catalog;
  const isOn = status === "confirmed";
  const isHeld = status === "held";
  const place = addressOf(catalog);
  const { map } = business.links;
  const list = factList(
    [FACTS.when, longMoment(booking, catalog)],
    isOn && readyFact(booking, Date.parse(end), catalog),
    ...(job ?? [[FACTS.what, serviceName(service, catalog)] as const]),
    isOn && [FACTS.pay, textsOf(service, catalog).payment],
    [FACTS.where, html`${business.name}<br>${map ? html`<a href="${map}">${place}</a>` : place}`],
    [DETAILS.phone, phoneLink(business)],
    isOn && [FACTS.messages, sentences(sent)],
  );
  const quiet = (href: string, text: string, more?: Html) =>
    html`<a class="button quiet" href="${href}"${more}>${text}</a>`;
  const actions = [
    isOn && html`<a class="button" href="${BOOKED_PATH}/${code}/calendar.ics" download>${BOOKED.calendar}</a>`,
    isOn && map && quiet(map, STAGE.directions),
    (isOn || isHeld) &&
      changeUntil !== null &&
      quiet(`${MANAGE_PATH}?code=${code}`, isHeld ? BOOKED.confirm : BOOKED.change),
    quiet(BOOK_PATH, isOn ? BOOKED.another : BOOKED.again, html` data-anew`),
  ];
  const promise = isOn && (changeUntil === null ? BOOKED.changeByPhone : BOOKED.changeUntil(changeUntil));
  const content = html`${list}<p class="actions">${actions}</p>${promise && html`<p class="soft">${promise}</p>`}`;
  const head = { title, sign: isOn ? "✓" : "×", isOn, text: site.texts.booked, attributes: isOn && html` data-booked` };
  return ticket(head, [BOOKED.code, code], content);
}

/** The work, its verdict and the price, as they are booked; undefined unless the address has the estimate of the booking. */
async function agreedJob(token: string | null, { answer }: Booking, { ctx, use }: Visit) {
  const booked = storedConfirmation.safeParse(answer).data;
  if (!token || booked?.estimate_id !== token) return undefined;
  const lock = readToken(token);
  const { factory_glass } = lock?.kind === "automotive" ? lock.job : {};
  // The shop may have given up one of the words since.
  const priced = await use(automotiveEstimate, { ...bookedJob(booked), service: booked.service, factory_glass });
  const law = priced.ok ? wholeOf(priced.outcome.body.data).tint_law : undefined;
  return factsOfJob(booked, { car: carName(booked.vehicle), law, price: booked.estimate }, ctx.catalog);
}

/** The appointment for the customer's calendar, without their name. */
export async function calendar(visit: Visit): Promise<PageAnswer> {
  const { fields, ctx, use } = visit;
  const found = await use(bookingStatus, fields);
  if (!found.ok) return problemPage(BOOKED.none, found, visit);
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

/** A quote or receipt to print, by its signed link. @throws ApiError NOT_FOUND for one that is broken, made up, or another shop's */
export async function showPaper({ fields: { token = "" }, ctx }: Visit): Promise<PageAnswer> {
  const paper = await paperBy(token, ctx);
  if (!paper) throw noSuchPath();
  const headers = { ...pagePolicy({ "style-src": inlineSource(PAPER_STYLE) }), "X-Robots-Tag": "noindex" };
  return { status: 200, body: paperHtml(paper), headers };
}
