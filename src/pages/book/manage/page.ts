/** `/book/manage`: a customer finds, moves or cancels a booking with its code and their phone number or e-mail. */
import type { z } from "zod";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import { cancelBooking } from "../../../capabilities/managing/cancel-booking.ts";
import { findBooking } from "../../../capabilities/managing/find-booking.ts";
import { workOf } from "../../../capabilities/managing/next-steps.ts";
import { rescheduleBooking } from "../../../capabilities/managing/reschedule-booking.ts";
import type { ManagedBooking } from "../../../capabilities/managing/shapes.ts";
import { startText } from "../../../capabilities/shared/page-links.ts";
import { MANAGE_PATH as PATH } from "../../../catalog/page-addresses.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import type { Start } from "../../../domain/slots.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { field, given, hidden, textArea, visibleText } from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { bookedAddress, readStart, startOf } from "../shell/paths.ts";
import { issuesOf, notice, otherStarts, type Problem } from "../shell/problems.ts";
import { jobFacts, priceFacts, summary, workName } from "../shell/summary.ts";
import { dayIn, longMoment, moment, phoneLink } from "../shell/wording.ts";
import { daysOf } from "../vehicle/times.ts";

const TITLE = "Change your booking";

type Managed = z.output<ReturnType<typeof findBooking.output>>;

/** The code, and one contact: with an @ it is an e-mail address, else a phone number. */
function proofOf(form: URLSearchParams): Record<string, string> {
  const contact = visibleText(form, "contact");
  const kind = contact.includes("@") ? "email" : "phone";
  return { ...given(form, "confirmation_code"), ...(contact !== "" && { [kind]: contact }) };
}

/** @param problem of a look-up that failed */
export function ask({ query, ctx: { catalog }, isFramed }: Visit, problem?: Problem, status = 200): PageAnswer {
  const { enabled } = catalog.bookings.self_service;
  const call = html`<p>Bookings are changed by phone here: ${phoneLink(catalog.business)}.</p>`;
  const main = html`<div class="narrow"><div class="intro"><h1>${TITLE}</h1></div>${enabled ? lookUp(query.get("code"), readStart(query.get("start")), problem, problem && notice(problem.error, catalog)) : call}</div>`;
  return page({ title: TITLE, main, status }, catalog, isFramed);
}

function lookUp(
  code: string | null,
  start: Start | undefined,
  problem: Problem | undefined,
  about: Html | undefined,
): Html {
  const issues = issuesOf(problem?.error);
  const typed = problem?.typed;
  return html`${about}<form class="sheet" method="post" action="${PATH}${start && `?start=${startText(start)}`}"><div class="fields">
${field({ name: "confirmation_code", label: "Code", value: typed?.get("confirmation_code") ?? code, issue: issues.get("confirmation_code"), required: true, maxlength: 20, autocomplete: "off", hint: "8 letters and digits, from your confirmation" })}
${field({ name: "contact", label: "Phone or e-mail", value: typed?.get("contact") ?? null, issue: issues.get("phone") ?? issues.get("email"), required: true, maxlength: LIMITS.email, hint: "the one you booked with" })}
</div><button class="act">Find my booking</button></form>`;
}

export async function find(visit: Visit): Promise<PageAnswer> {
  const found = await visit.use(findBooking, proofOf(visit.form));
  if (!found.ok) return ask(visit, { error: found.error, typed: visit.form }, found.status);
  return shown(visit, found.outcome.body.data);
}

/** @param error of a change that was refused */
async function shown(visit: Visit, booking: Managed, error?: ErrorBody, status = 200): Promise<PageAnswer> {
  const { ctx, form, isFramed } = visit;
  const { catalog } = ctx;
  const proof = html`${hidden("confirmation_code", booking.confirmation_code)}${hidden("contact", form.get("contact") ?? "")}`;
  const until = booking.can_change_until;
  const canChange = until !== null && Date.parse(until) >= ctx.now.epochMilliseconds;
  const main = html`<div class="narrow"><div class="intro"><h1>${TITLE}</h1></div>${error && notice(error, catalog, otherTimes(error, proof, visit))}
${bookingFacts(booking, catalog)}
${
  canChange
    ? html`<p class="soft">You can change it here until ${moment(startOf(until), catalog)}.</p>${await moving(visit, booking, proof)}${cancelling(visit, proof)}`
    : html`<p>${booking.status === "confirmed" ? "It can no longer be changed online." : "It is over or cancelled."} Questions? Call ${phoneLink(catalog.business)}. <a href="/book">Book another time</a></p>`
}</div>`;
  return page({ title: TITLE, main, status }, catalog, isFramed);
}

const STATUS: Readonly<Record<string, string>> = {
  confirmed: "Booked",
  completed: "Done",
  no_show: "Missed",
  cancelled_by_shop: "Cancelled by the shop",
  cancelled_by_customer: "Cancelled",
};

function bookingFacts(booking: ManagedBooking, catalog: Catalog): Html {
  const { status, vehicle, estimate, customer, confirmation_code: code } = booking;
  const car = [vehicle.year, vehicle.make, vehicle.model].filter((part) => part !== null).join(" ");
  return summary(
    ["Code", html`<b class="mono">${code}</b>`],
    ["Status", STATUS[status] ?? status],
    ["Name", customer.name],
    ["When", longMoment(booking, catalog)],
    ["What", workName(booking, catalog)],
    ...jobFacts(booking, catalog),
    car !== "" && ["Car", car],
    ...(estimate ? priceFacts(estimate, catalog) : []),
  );
}

/** The nearest times instead of one that was taken meanwhile. */
function otherTimes(error: ErrorBody, proof: Html, { ctx: { catalog } }: Visit): Html | undefined {
  const starts = otherStarts(error);
  if (starts.length === 0) return undefined;
  return html`<form class="pills" method="post" action="${PATH}/move">${proof}${starts.map((start) => html`<button class="slot" name="start" value="${startText(start)}">${moment(start, catalog)}</button>`)}</form>`;
}

async function moving({ use, ctx, query }: Visit, booking: Managed, proof: Html): Promise<Html | undefined> {
  const { catalog } = ctx;
  const { service } = booking;
  const open = await use(checkAvailability, { service, ...workOf(booking, catalog), days: 14, view: "compact" });
  const days = open.ok ? daysOf(open.outcome.body).filter((day) => day.open.length > 0) : [];
  if (days.length === 0) return undefined;
  return html`<form class="sheet" method="post" action="${PATH}/move">${proof}<div class="field"><label for="start">Move it to</label><select id="start" name="start" required><option value="">Choose a time</option>${days.map(
    ({ date, open: times }) => {
      return html`<optgroup label="${dayIn("day", date, catalog)}">${times.map((time) => html`<option value="${startText({ date, time })}"${startText({ date, time }) === query.get("start") && html` selected`}>${moment({ date, time }, catalog)}</option>`)}</optgroup>`;
    },
  )}</select></div><button class="act" data-busy="Moving…">Move my booking</button></form>`;
}

function cancelling({ form }: Visit, proof: Html): Html {
  return html`<details class="sheet"><summary>Cancel my booking</summary><form method="post" action="${PATH}/cancel">${proof}<div class="fields">${textArea({ name: "reason", label: "Why? (not needed)", value: form.get("reason"), maxlength: LIMITS.text })}</div><button class="act danger" data-busy="Cancelling…">Cancel this appointment</button></form></details>`;
}

export async function move(visit: Visit): Promise<PageAnswer> {
  const { form, use } = visit;
  const used = await use(rescheduleBooking, { ...proofOf(form), ...readStart(form.get("start")) });
  return used.ok ? seeOther(bookedAddress(used.outcome.body.data)) : refused(visit, used);
}

export async function cancel(visit: Visit): Promise<PageAnswer> {
  const { form, use } = visit;
  const used = await use(cancelBooking, { ...proofOf(form), ...given(form, "reason") });
  return used.ok ? seeOther(bookedAddress(used.outcome.body.data)) : refused(visit, used);
}

/** The booking as it is, with the error; without the right code and contact, the form that asks for them. */
async function refused(visit: Visit, { error, status }: { error: ErrorBody; status: number }): Promise<PageAnswer> {
  const isAboutProof = error.error_code === "BOOKING_NOT_FOUND" || error.error_code === "RATE_LIMITED";
  const found = isAboutProof ? undefined : await visit.use(findBooking, proofOf(visit.form));
  return found?.ok
    ? shown(visit, found.outcome.body.data, error, status)
    : ask(visit, { error, typed: visit.form }, status);
}
