/** `/book/manage`: a customer finds, moves or cancels a booking with its code and their phone number or e-mail. */
import type { z } from "zod";
import type { Context } from "../../../capabilities/core/capability.ts";
import type { ErrorBody } from "../../../capabilities/core/envelope.ts";
import { cancelBooking, rescheduleBooking } from "../../../capabilities/managing/change-booking.ts";
import { findBooking, timesToMove } from "../../../capabilities/managing/find-booking.ts";
import type { ManagedBooking } from "../../../capabilities/managing/managed-booking.ts";
import { MANAGE_PATH as PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { shopDate } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { ERRORS } from "../../../errors.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { isSigned, payloadOf, signed, startText } from "../../../job/forms.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, type HtmlPart, html } from "../../markup/html.ts";
import {
  asTool,
  given,
  hidden,
  inputField,
  issuesByField,
  notice,
  otherStarts,
  type Problem,
  textArea,
  visibleText,
} from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { BOOKED_PATH, parseStart, startOfMoment } from "../shell/paths.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import {
  carName,
  factList,
  jobFacts,
  longMoment,
  moment,
  phoneLink,
  priceFacts,
  readyAbout,
  workName,
} from "../shell/wording.ts";
import { firstShown, isFree, times } from "../vehicle/appointment.ts";
import { DAYS, MONTH_DAYS } from "../vehicle/days.ts";

const SAID = PAGE_TEXTS.manage;
const TITLE = SAID.title;

type Managed = z.output<ReturnType<typeof findBooking.output>>;
/** A booking, and what a change took out of it. */
interface Found {
  data: Managed;
  warnings?: readonly { message: string }[] | undefined;
}

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
  const pass = visit.query.get("pass");
  const proof = pass === null ? undefined : await proofBy(pass, visit.ctx);
  const found = proof && (await visit.use(findBooking, proof));
  if (!found) return ask(visit);
  if (!found.ok) return ask(visit, { error: found.error, typed: visit.form }, found.status);
  return shown(visit, pass ?? "", found.outcome.body);
}

/** @param problem of a look-up that failed */
function ask({ query, ctx: { catalog }, isFramed }: Visit, problem?: Problem, status = 200): PageAnswer {
  const { enabled } = catalog.bookings.self_service;
  const pass = query.get("pass");
  const call = html`<p>${SAID.byPhone} ${phoneLink(catalog.business)}.</p>`;
  const about = problem
    ? notice(problem.error, catalog)
    : pass !== null && html`<p class="notice" role="status">${SAID.ended}</p>`;
  const code = query.get("code") ?? codeIn(pass ?? "") ?? null;
  const main = html`<div class="narrow"><div class="intro"><h1>${TITLE}</h1></div>${enabled ? lookUp(code, parseStart(query.get("start")), problem, about, catalog) : call}</div>`;
  return page({ title: TITLE, main, status }, catalog, isFramed);
}

function lookUp(
  code: string | null,
  start: Start | undefined,
  problem: Problem | undefined,
  about: HtmlPart,
  catalog: Shop,
): Html {
  const issues = issuesByField(problem?.error);
  const typed = problem?.typed;
  return html`${about}<form class="sheet" method="post" action="${PATH}${start && `?start=${startText(start)}`}"${asTool(findBooking, catalog)}><div class="fields">
${inputField({ name: "confirmation_code", label: SAID.code, value: typed?.get("confirmation_code") ?? code, issue: issues.get("confirmation_code"), required: true, maxlength: 20, autocomplete: "off", autocapitalize: "characters", spellcheck: "false", hint: SAID.codeHint })}
${inputField({ name: "contact", label: SAID.contact, value: typed?.get("contact") ?? null, issue: issues.get("phone") ?? issues.get("email"), required: true, maxlength: LIMITS.email, hint: SAID.contactHint })}
</div><button class="act">${SAID.find}</button></form>`;
}

export async function find(visit: Visit): Promise<PageAnswer> {
  const { query, ctx, use } = visit;
  const found = await use(findBooking, await proofOf(visit));
  if (!found.ok) return ask(visit, { error: found.error, typed: visit.form }, found.status);
  const start = query.get("start");
  return opened(ctx, found.outcome.body.data.confirmation_code, start ? { start } : {});
}

/** @param error of a change that was refused */
async function shown(
  visit: Visit,
  pass: string,
  { data: booking, warnings = [] }: Found,
  error?: ErrorBody,
  status = 200,
): Promise<PageAnswer> {
  const { ctx, isFramed } = visit;
  const { catalog } = ctx;
  const proof = hidden("pass", pass);
  const until = booking.can_change_until;
  const canChange = until !== null && Date.parse(until) >= ctx.now.epochMilliseconds;
  const isOn = booking.status === "confirmed";
  const was = isOn ? parseStart(visit.query.get("was")) : undefined;
  const title = was ? SAID.moved : booking.status.startsWith("cancelled") ? SAID.cancelled : TITLE;
  const main = html`<div class="narrow"><div class="intro"><h1>${title}</h1></div>${error && notice(error, catalog, otherTimes(error, proof, visit))}
${warnings.map(({ message }) => html`<p class="notice">${message}</p>`)}${bookingFacts(booking, was, catalog)}
${isOn && html`<p class="actions"><a class="button quiet" href="${BOOKED_PATH}/${booking.confirmation_code}/calendar.ics" download>${SAID.calendar}</a></p>`}
${
  canChange
    ? html`<p class="soft">${SAID.until(moment(startOfMoment(until), catalog))}</p>${await moving(visit, booking, proof)}${cancelling(visit, proof)}`
    : html`<p>${isOn ? SAID.tooLate : SAID.over} ${SAID.questions} ${phoneLink(catalog.business)}.</p>${!isOn && html`<p class="actions"><a class="button" href="/book" data-anew>${SAID.again}</a></p>`}`
}</div>`;
  return page({ title, main, status }, catalog, isFramed);
}

/** @param was the start before it was moved */
function bookingFacts(booking: ManagedBooking, was: Start | undefined, catalog: Shop): Html {
  const { facts } = PAGE_TEXTS;
  const { status, vehicle, estimate, customer, confirmation_code: code } = booking;
  const car = carName(vehicle);
  return factList(
    [SAID.code, html`<b class="mono">${code}</b>`],
    // In a dry run, which no page makes, there is no status of a booking.
    [SAID.status, status === "dry_run" ? "" : SAID.statuses[status]],
    [SAID.name, customer.name],
    was && [SAID.reschedule.before, html`<s>${longMoment(was, catalog)}</s>`],
    [was ? SAID.reschedule.now : SAID.when, longMoment(booking, catalog)],
    status === "confirmed" &&
      booking.split && [facts.ready, facts.readyAfterNight(readyAbout(booking, Date.parse(booking.end), catalog))],
    [SAID.what, workName(booking, catalog)],
    ...jobFacts(booking, catalog),
    car !== "" && [SAID.car, car],
    ...(estimate ? priceFacts(estimate, catalog) : []),
  );
}

/** The nearest times instead of one that was taken meanwhile. */
function otherTimes(error: ErrorBody, proof: Html, { ctx: { catalog } }: Visit): Html | undefined {
  const starts = otherStarts(error);
  if (starts.length === 0) return undefined;
  return html`<form class="pills" method="post" action="${PATH}/move">${proof}${starts.map((start) => html`<button class="slot" name="start" value="${startText(start)}">${moment(start, catalog)}</button>`)}</form>`;
}

/** Days and times to move to. The one that is picked is beside the old one, above the button that moves. */
async function moving({ ctx, query }: Visit, booking: Managed, proof: Html): Promise<Html | undefined> {
  const { catalog, now } = ctx;
  const { reschedule: said } = SAID;
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
  const about =
    start && !isPicked ? html`<p class="notice">${PAGE_TEXTS.times.notFree(moment(start, catalog))}</p>` : undefined;
  const shown = times({ start: isPicked ? start : undefined }, open, today, about, catalog, PATH);
  const confirm =
    isPicked &&
    html`<form class="sheet" id="confirm" method="post" action="${PATH}/move"${asTool(rescheduleBooking, catalog)}>${proof}${hidden("start", startText(start))}${factList([said.before, html`<s>${longMoment(booking, catalog)}</s>`], [said.next, longMoment(start, catalog)])}<button class="act" data-busy="${said.busy}">${said.act(moment(start, catalog))}</button></form>`;
  return html`${confirm}<form class="part" id="times" method="get" action="${PATH}#confirm"><h2>${said.title}</h2>${proof}${shown.content}</form>`;
}

function cancelling({ form, ctx: { catalog } }: Visit, proof: Html): Html {
  return html`<details class="sheet"><summary>${SAID.cancel.title}</summary><form method="post" action="${PATH}/cancel"${asTool(cancelBooking, catalog)}>${proof}<div class="fields">${textArea({ name: "reason", label: SAID.cancel.why, value: form.get("reason"), maxlength: LIMITS.text })}</div><button class="act danger" data-busy="${SAID.cancel.busy}">${SAID.cancel.act}</button></form></details>`;
}

export async function move(visit: Visit): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const proof = await proofOf(visit);
  const before = await use(findBooking, proof);
  const used = await use(rescheduleBooking, { ...proof, ...parseStart(form.get("start")) });
  if (!used.ok) return refused(visit, used);
  const was: Record<string, string> = before.ok ? { was: startText(before.outcome.body.data) } : {};
  return opened(ctx, used.outcome.body.data.confirmation_code, was);
}

export async function cancel(visit: Visit): Promise<PageAnswer> {
  const { form, ctx, use } = visit;
  const used = await use(cancelBooking, { ...(await proofOf(visit)), ...given(form, "reason") });
  return used.ok ? opened(ctx, used.outcome.body.data.confirmation_code) : refused(visit, used);
}

/** The page of the booking as it is now. @param code null in a dry run, which no page makes @param more of its address */
async function opened(ctx: Visit["ctx"], code: string | null, more: Record<string, string> = {}): Promise<PageAnswer> {
  return seeOther(`${PATH}?${new URLSearchParams({ pass: await passFor(code ?? "", ctx), ...more })}`);
}

/** The booking as it is, with the error; without the right code and contact, the form that asks for them. */
async function refused(visit: Visit, { error, status }: { error: ErrorBody; status: number }): Promise<PageAnswer> {
  const { about } = ERRORS[error.error_code];
  const found = about === "proof" || about === "limit" ? undefined : await visit.use(findBooking, await proofOf(visit));
  if (!found?.ok) return ask(visit, { error, typed: visit.form }, status);
  const { body } = found.outcome;
  const pass = visit.form.get("pass") ?? (await passFor(body.data.confirmation_code, visit.ctx));
  return shown(visit, pass, body, error, status);
}

// A pass opens one booking for half an hour, for whoever proved its contact. It is in the address of the page, so that
// the page can be reloaded and its forms need no contact; it holds nothing about the person. The shop's secret signs it,
// like an estimate, whose tokens begin with another letter.

const MINUTES = 30;

type Needs = Pick<Context, "signing" | "now" | "store">;

async function passFor(code: string, { signing, now }: Pick<Needs, "signing" | "now">): Promise<string> {
  const until = now.add({ minutes: MINUTES }).epochMilliseconds.toString(36);
  return signed(`m.${code}.${until}`, (await signing?.current()) ?? "");
}

/** The code in a pass, which is not checked. */
function codeIn(pass: string): string | undefined {
  return /^m\.([0-9A-Z]{8})\./.exec(payloadOf(pass))?.[1];
}

/** Code and phone of the booking that a pass opens; undefined for one that ran out, was cut off or made up. */
async function proofBy(pass: string, { signing, now, store }: Needs) {
  const [, code = "", until = ""] = /^m\.([0-9A-Z]{8})\.([0-9a-z]{1,9})$/.exec(payloadOf(pass)) ?? [];
  const secret = await signing?.current();
  if (secret === undefined || !isSigned(pass, secret) || Number.parseInt(until, 36) < now.epochMilliseconds)
    return undefined;
  const contact = await store.contactOf(code);
  return contact ? { confirmation_code: code, phone: contact.phone } : undefined;
}
