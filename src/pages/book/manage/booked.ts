/** The page after a booking or a change. Its address holds the code alone, so it shows nothing about the person. */
import type { z } from "zod";
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { wholeOf } from "../../../capabilities/estimate/brief.ts";
import { toJob } from "../../../capabilities/lock/job-fields.ts";
import { verified } from "../../../capabilities/lock/verified.ts";
import { bookingStatus } from "../../../capabilities/managing/booking-status.ts";
import { appointmentOf } from "../../../capabilities/managing/store-change.ts";
import { toShades } from "../../../capabilities/shared/job.ts";
import { taxed } from "../../../capabilities/shared/tax.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { addressOf } from "../../../jobs/message-texts.ts";
import { type Html, html } from "../../markup/html.ts";
import { page } from "../shell/layout.ts";
import { problemPage } from "../shell/problems.ts";
import { jobFacts, lawFacts, priceFacts, summary, workName } from "../shell/summary.ts";
import { longMoment, phoneLink, serviceName } from "../shell/wording.ts";

type Status = z.output<ReturnType<typeof bookingStatus.output>>;

/** The facts of a page without a booking. */
const TITLE = "Your booking";

export async function show(visit: Visit): Promise<PageAnswer> {
  const { fields, query, ctx, isFramed, use } = visit;
  const { catalog } = ctx;
  const found = await use(bookingStatus, fields);
  if (!found.ok) {
    const more = html`<p><a class="button" href="/book/manage">Look it up</a></p>`;
    return problemPage(TITLE, found, catalog, isFramed, more);
  }
  const booking = found.outcome.body.data;
  const title = headline(booking);
  const job = await jobOf(query.get("estimate"), visit);
  const main = html`<div class="narrow">${ticket(booking, title, job, catalog)}</div>`;
  return page({ title, main }, catalog, isFramed);
}

function headline({ status }: Status): string {
  switch (status) {
    case "confirmed":
      return "You are booked";
    case "cancelled_by_customer":
    case "cancelled_by_shop":
      return "This appointment is cancelled";
    default:
      return "This appointment is over";
  }
}

function ticket(booking: Status, title: string, job: Job | undefined, catalog: Catalog): Html {
  const { confirmation_code: code, status, service } = booking;
  const { business, site, bookings } = catalog;
  const isOn = status === "confirmed";
  return html`<article class="ticket${!isOn && " over"}"${isOn && html` data-booked`}><header><p class="tick" aria-hidden="true">${isOn ? "✓" : "×"}</p><h1>${title}</h1>${isOn && html`<p>${site.texts.booked}</p>`}</header>
<p class="code"><span class="code-label">Your code</span><b>${code}</b></p>
${summary(
  ["When", longMoment(booking, catalog)],
  ["What", job?.what ?? serviceName(service, catalog)],
  ...(job?.facts ?? []),
  ...(job?.law ?? []),
  ...(job ? priceFacts(job.price, catalog) : []),
  ["Where", html`${business.name}<br>${addressOf(catalog)}`],
  ["Phone", phoneLink(business)],
)}
<p class="actions">${isOn && html`<a class="button" href="/book/booked/${code}/calendar.ics" download>Add to my calendar</a>`}${isOn && bookings.self_service.enabled && html`<a class="button quiet" href="/book/manage?code=${code}">Change or cancel</a>`}${!isOn && html`<a class="button" href="/book">Book another time</a>`}</p>
${isOn && html`<p class="soft">Keep the code: with it and your phone number or e-mail you can change the appointment.</p>`}</article>`;
}

interface Job {
  what: string;
  facts: ReturnType<typeof jobFacts>;
  law: ReturnType<typeof lawFacts>;
  price: ReturnType<typeof taxed>;
}

/** The work, its verdict and the price, from the estimate that was booked; undefined unless this shop signed it. */
async function jobOf(token: string | null, { ctx, use }: Visit): Promise<Job | undefined> {
  if (!token) return undefined;
  const { lock } = await verified(token, "automotive", ctx).catch(() => ({ lock: undefined }));
  if (!lock?.fields) return undefined;
  const { service_type, ...held } = toJob(lock.fields);
  const { vehicle_type, film_type = null, coverage = null, ...job } = held;
  const priced = await use(automotiveEstimate, { ...held, service: service_type });
  const { catalog } = ctx;
  return {
    what: workName({ service: service_type, film_type, coverage, vehicle: { type: vehicle_type } }, catalog),
    facts: jobFacts({ ...job, film_type, shade: toShades(job, catalog).shade }, catalog),
    // The shop may have given up one of the words since.
    law: priced.ok ? lawFacts(wholeOf(priced.outcome.body.data).tint_law, film_type, catalog) : [],
    price: taxed(lock.total, catalog),
  };
}

/** The appointment for the customer's calendar, without their name. */
export async function calendar(visit: Visit): Promise<PageAnswer> {
  const { fields, ctx, use, isFramed } = visit;
  const found = await use(bookingStatus, fields);
  if (!found.ok) return problemPage(TITLE, found, ctx.catalog, isFramed);
  const booking = await ctx.store.findBooking(found.outcome.body.data.confirmation_code);
  // Forgotten between the two look-ups.
  if (!booking) return show(visit);
  const { calendarFile } = await import("../../../jobs/calendar-file.ts");
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
