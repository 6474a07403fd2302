/** `/book/manage`: a customer finds, moves or cancels a booking with its code and their phone number or e-mail. */
import type { z } from "zod";
import { type PaidDeposit, type Payment, paidDeposit } from "../../../capabilities/booking/deposit.ts";
import type { Context } from "../../../capabilities/core/capability.ts";
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import type { Envelope } from "../../../capabilities/core/invoke.ts";
import {
  cancelBooking,
  confirmBooking,
  findBooking,
  rescheduleBooking,
  timesToMove,
} from "../../../capabilities/managing/find-booking.ts";
import type { ManagedBooking } from "../../../capabilities/managing/managed-booking.ts";
import { MANAGE_PATH as PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { shopDate } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { ERRORS } from "../../../errors.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { isSigned, payloadOf, startText } from "../../../job/forms.ts";
import { type Html, type HtmlPart, html } from "../../../lib/html.ts";
import { formatMoney, toCents } from "../../../lib/money.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { asTool, formAfter, given, hidden, visibleText } from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { opened, passFor } from "../shell/pass.ts";
import { BOOKED_PATH, bookedAddress, parseStart } from "../shell/paths.ts";
import { notice, otherStarts, type Problem } from "../shell/problems.ts";
import { BOOKED, DETAILS, FACTS, MANAGE, TIMES } from "../shell/texts.ts";
import {
  carName,
  factList,
  factsOfJob,
  longMoment,
  moment,
  phoneLink,
  readyFact,
  untilMoment,
} from "../shell/wording.ts";
import { DAYS, firstShown, isFree, MONTH_DAYS, times } from "../vehicle/days.ts";

type Managed = z.output<ReturnType<typeof findBooking.output>>;
/** A booking, and what a change took out of it. */
type Found = Pick<Envelope<Managed>, "data" | "warnings">;

/** Code and contact, from the pass of the page or as they were typed: with an @ it is an e-mail address, else a phone number. */
async function proofOf({ form, ctx }: Visit): Promise<Record<string, string>> {
  const opened = await proofBy(form.get("pass") ?? "", ctx);
  if (opened) return opened;
  const contact = visibleText(form, "contact");
  const kind = contact.includes("@") ? "email" : "phone";
  return { ...given(form, "confirmation_code"), ...(contact !== "" && { [kind]: contact }) };
}

/** The booking that the pass in the address opens; without one, the form that asks for code and contact. */
export async function show(visit: Visit): Promise<PageAnswer> {
  const pass = visit.query.get("pass") ?? "";
  const proof = await proofBy(pass, visit.ctx);
  const found = proof && (await visit.use(findBooking, proof));
  return found?.ok ? shown(visit, pass, found.outcome.body) : ask(visit, found);
}

/** @param refused what was asked of a page whose pass has ended is no fault of its fields */
async function ask(visit: Visit, refused?: Problem): Promise<PageAnswer> {
  const { query, form, ctx } = visit;
  const { business, bookings } = ctx.catalog;
  const pass = form.get("pass") ?? query.get("pass");
  const isEnded = pass !== null && (await proofBy(pass, ctx)) === undefined;
  const error = isEnded ? undefined : refused?.error;
  const about = isEnded
    ? html`<p class="notice" role="status">${MANAGE.ended}</p>`
    : error && notice(error, ctx.catalog);
  const content = bookings.self_service.enabled
    ? html`${about}${lookUp(visit, pass, error)}`
    : html`<p>${MANAGE.byPhone} ${phoneLink(business)}.</p>`;
  const main = html`<div class="narrow"><div class="intro"><h1>${MANAGE.title}</h1></div>${content}</div>`;
  // An address with a code or a pass is a person's.
  const listed = query.size === 0 && !refused && { path: PATH, description: MANAGE.about(business.name) };
  return page({ title: MANAGE.title, main, status: refused?.status, ...(listed && { listed }) }, visit);
}

function lookUp({ query, form, ctx: { catalog } }: Visit, pass: string | null, error: ErrorBody | undefined): Html {
  const { typed, issue, line } = formAfter({ typed: form, ...(error && { error }) }, "pass");
  const code = query.get("code") ?? codeIn(pass ?? "") ?? null;
  const start = parseStart(form.get("start") ?? query.get("start"));
  const codeField = line("confirmation_code", MANAGE.code, {
    ...{ value: typed.get("confirmation_code") ?? code, required: true, maxlength: 20, autocomplete: "off" },
    ...{ autocapitalize: "characters", spellcheck: "false", hint: MANAGE.codeHint },
  });
  const contactField = line("contact", MANAGE.contact, {
    ...{ issue: issue("phone") ?? issue("email"), required: true, maxlength: LIMITS.email, hint: MANAGE.contactHint },
  });
  const action = html`action="${PATH}${start && `?start=${startText(start)}`}"`;
  return html`<form class="sheet" method="post" ${action}${asTool(findBooking, catalog)}><div class="fields">
${codeField}
${contactField}
</div><button class="act">${MANAGE.find}</button></form>`;
}

export async function find(visit: Visit): Promise<PageAnswer> {
  const found = await visit.use(findBooking, await proofOf(visit));
  if (!found.ok) return ask(visit, found);
  const start = visit.query.get("start");
  return opened(visit.ctx, found.outcome.body.data.confirmation_code, start ? { start } : {});
}

async function shown(visit: Visit, pass: string, { data: booking, warnings = [] }: Found, refused?: Problem) {
  const { ctx, query } = visit;
  const { catalog } = ctx;
  const proof = hidden("pass", pass);
  const { status, payment, can_change_until: until } = booking;
  const last = until !== null && Date.parse(until) >= ctx.now.epochMilliseconds && untilMoment(Date.parse(until), ctx);
  const isOn = status === "confirmed";
  const was = isOn ? parseStart(query.get("was")) : undefined;
  const title = was ? MANAGE.moved : (TITLES[status] ?? MANAGE.title);
  const file = `${BOOKED_PATH}/${booking.confirmation_code}/calendar.ics`;
  const calendar = html`<p class="actions"><a class="button quiet" href="${file}" download>${BOOKED.calendar}</a></p>`;
  const again = html`<p class="actions"><a class="button" href="/book" data-anew>${BOOKED.again}</a></p>`;
  const call = html`<p>${isOn ? MANAGE.tooLate : MANAGE.over} ${MANAGE.questions} ${phoneLink(catalog.business)}.</p>${!isOn && again}`;
  const ways =
    last &&
    (status === "held"
      ? (payLink(`${MANAGE.held.until(last)} ${MANAGE.held.unpaid} ${MANAGE.held.justPaid}`, payment) ??
        confirmForm(last, payment, proof, catalog))
      : await moving(visit, booking, proof));
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div>
${refused && notice(refused.error, catalog, otherTimes(refused.error, proof, visit))}
${warnings.map(({ message }) => html`<p class="notice">${message}</p>`)}${depositNotice(booking.deposit)}
${bookingFacts(booking, was, catalog)}${isOn && calendar}
${isOn && payLink(MANAGE.held.justPaid, payment)}
${last ? status !== "held" && html`<p class="soft">${MANAGE.until(last)}</p>` : call}
${ways}
${last && (await cancelling(visit, booking, proof))}</div>`;
  return page({ title, main, status: refused?.status }, visit);
}

const TITLES: Partial<Record<Managed["status"], string>> = {
  held: MANAGE.held.title,
  cancelled_by_shop: MANAGE.cancelled,
  cancelled_by_customer: MANAGE.cancelled,
};

function bookingFacts(booking: ManagedBooking, was: Start | undefined, catalog: Shop): Html {
  const { status, vehicle, estimate, customer, confirmation_code: code } = booking;
  return factList(
    [MANAGE.code, html`<b class="mono">${code}</b>`],
    // In a dry run, which no page makes, there is no status of a booking.
    [MANAGE.status, status === "dry_run" ? "" : MANAGE.statuses[status]],
    [DETAILS.name, customer.name],
    was && [MANAGE.reschedule.before, html`<s>${longMoment(was, catalog)}</s>`],
    [was ? MANAGE.reschedule.now : FACTS.when, longMoment(booking, catalog)],
    status === "confirmed" && booking.split && readyFact(booking, Date.parse(booking.end), catalog),
    ...factsOfJob(booking, { car: carName(vehicle), price: estimate }, catalog),
  );
}

function otherTimes(error: ErrorBody, proof: Html, { ctx: { catalog } }: Visit): Html | undefined {
  const starts = otherStarts(error);
  if (starts.length === 0) return undefined;
  const slots = starts.map(
    (start) => html`<button class="slot" name="start" value="${startText(start)}">${moment(start, catalog)}</button>`,
  );
  return html`<form class="pills" method="post" action="${PATH}/move">${proof}${slots}</form>`;
}

/** Days and times to move to. The one that is picked is beside the old one, above the button that moves. */
async function moving({ ctx, query }: Visit, booking: Managed, proof: Html): Promise<Html | undefined> {
  const { catalog, now } = ctx;
  const { reschedule: said } = MANAGE;
  const today = shopDate(catalog, now);
  const start = parseStart(query.get("start"));
  const month = parseStart(`${query.get("month")}T00:00`)?.date;
  const from =
    month ??
    firstShown({ from: parseStart(`${query.get("from")}T00:00`)?.date, start: start ?? booking }, today, catalog);
  const stored = await ctx.store.findBooking(booking.confirmation_code);
  // It was erased since it was looked up.
  if (!stored) return undefined;
  const open = await timesToMove(stored, from, month ? MONTH_DAYS : DAYS, ctx);
  const isPicked = start !== undefined && isFree(start, open.days);
  const about = start && !isPicked ? html`<p class="notice">${TIMES.notFree(moment(start, catalog))}</p>` : undefined;
  const shown = times({ start: isPicked ? start : undefined }, open, today, about, catalog, PATH);
  const pick = html`<form class="part" id="times" method="get" action="${PATH}#confirm"><h2>${said.title}</h2>
${proof}${shown.content}</form>`;
  if (!isPicked) return pick;
  const facts = factList(
    [said.before, html`<s>${longMoment(booking, catalog)}</s>`],
    [said.next, longMoment(start, catalog)],
  );
  return html`<form class="sheet" id="confirm" method="post" action="${PATH}/move"${asTool(rescheduleBooking, catalog)}>
${proof}${hidden("start", startText(start))}${facts}
<button class="act" data-busy="${said.busy}">${said.act(moment(start, catalog))}</button></form>${pick}`;
}

function depositNotice(deposit: PaidDeposit | undefined): HtmlPart {
  return deposit && html`<p class="notice" role="status">${deposit.said}</p>`;
}

async function cancelling({ form, ctx }: Visit, booking: Managed, proof: Html): Promise<Html> {
  const { catalog, store } = ctx;
  const { title, why, act, busy } = MANAGE.cancel;
  const stored = booking.deposit ? await store.findBooking(booking.confirmation_code) : null;
  const deposit = stored ? await paidDeposit(stored, ctx, "cancelled_by_customer") : undefined;
  const reason = formAfter({ typed: form }, "pass").note("reason", why, LIMITS.text);
  return html`<details class="sheet"><summary>${title}</summary>
<form method="post" action="${PATH}/cancel"${asTool(cancelBooking, catalog)}>
${proof}${depositNotice(deposit)}<div class="fields">${reason}</div>
<button class="act danger" data-busy="${busy}">${act}</button></form></details>`;
}

/** The button is the agreement, as on the page that held the time. */
function confirmForm(until: string, payment: Payment | undefined, proof: Html, catalog: Shop): Html {
  const { held: said } = MANAGE;
  return html`<p class="notice" role="status">${said.until(until)}</p>
<form class="sheet" method="post" action="${PATH}/confirm"${asTool(confirmBooking, catalog)}>${proof}
<button class="act" data-busy="${DETAILS.booking}" aria-describedby="consent">${said.act}</button>
<p class="soft" id="consent">${payment && `${payment.note} `}${catalog.site.texts.consent}</p></form>`;
}

/** The page to pay on is no frame's, so it takes the whole window; afterwards it leads back here. */
function payLink(about: string, payment: Payment | undefined): Html | undefined {
  const { held: said } = MANAGE;
  if (!payment?.url) return undefined;
  const amount = formatMoney(toCents(payment.amount), payment.currency);
  return html`<p class="notice" role="status">${about}</p>
<p class="actions"><a class="button" href="${payment.url}" target="_top" rel="noreferrer">${said.pay(amount)}</a></p>
<p class="soft">${payment.note}</p>`;
}

export async function confirm(visit: Visit): Promise<PageAnswer> {
  const used = await visit.use(confirmBooking, await proofOf(visit));
  if (!used.ok) return refuse(visit, used);
  const { data } = used.outcome.body;
  if (data.held_until === undefined) return seeOther(bookedAddress(data));
  return opened(visit.ctx, data.confirmation_code, {}, Date.parse(data.held_until));
}

export async function move(visit: Visit): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const proof = await proofOf(visit);
  const before = await use(findBooking, proof);
  const used = await use(rescheduleBooking, { ...proof, ...parseStart(form.get("start")) });
  if (!used.ok) return refuse(visit, used);
  const was: Record<string, string> = before.ok ? { was: startText(before.outcome.body.data) } : {};
  return opened(ctx, used.outcome.body.data.confirmation_code, was);
}

export async function cancel(visit: Visit): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const used = await use(cancelBooking, { ...(await proofOf(visit)), ...given(form, "reason") });
  return used.ok ? opened(ctx, used.outcome.body.data.confirmation_code) : refuse(visit, used);
}

/** The booking as it is, with the error; without the right code and contact, the form that asks for them. */
async function refuse(visit: Visit, refused: Problem): Promise<PageAnswer> {
  const { about } = ERRORS[refused.error.error_code];
  const found = about === "proof" || about === "limit" ? undefined : await visit.use(findBooking, await proofOf(visit));
  if (!found?.ok) return ask(visit, refused);
  const { body } = found.outcome;
  const pass = visit.form.get("pass") ?? (await passFor(body.data.confirmation_code, visit.ctx));
  return shown(visit, pass, body, refused);
}

/** The code in a pass, which is not checked. */
function codeIn(pass: string): string | undefined {
  return /^m\.([0-9A-Z]{8})\./.exec(payloadOf(pass))?.[1];
}

/** Code and phone of the booking that a pass opens; undefined for one that ran out, was cut off or made up. */
async function proofBy(pass: string, { signing, now, store }: Context) {
  const [, code = "", until = ""] = /^m\.([0-9A-Z]{8})\.([0-9a-z]{1,9})$/.exec(payloadOf(pass)) ?? [];
  const secret = await signing?.current();
  if (secret === undefined || !isSigned(pass, secret) || Number.parseInt(until, 36) < now.epochMilliseconds)
    return undefined;
  const contact = await store.contactOf(code);
  return contact ? { confirmation_code: code, phone: contact.phone } : undefined;
}
