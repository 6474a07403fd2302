/** `/book`: from a vehicle to a booked appointment. */
import { automotiveEstimate } from "../../../capabilities/automotive-estimate.ts";
import { bookAppointment } from "../../../capabilities/book-appointment.ts";
import { canChangeUntil } from "../../../capabilities/booking/policy.ts";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { Context } from "../../../capabilities/core/capability.ts";
import { REPEAT_MS } from "../../../capabilities/core/idempotency.ts";
import { wholeOf } from "../../../capabilities/core/price-shapes.ts";
import { likelyDomain } from "../../../capabilities/core/stored-requests.ts";
import { BOOK_PATH, MANAGE_PATH } from "../../../catalog/page-addresses.ts";
import { type Shop, textsOf } from "../../../catalog/shop.ts";
import { heldAsOf } from "../../../domain/lifecycle.ts";
import { momentOf, shopDate } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { serviceOf } from "../../../domain/work.ts";
import { ERRORS } from "../../../errors.ts";
import type { PageAnswer, Visit } from "../../../http/pages.ts";
import { readToken, startText } from "../../../job/forms.ts";
import { nameOf } from "../../../job/job.ts";
import { pick } from "../../../lib/fields.ts";
import { type Html, html } from "../../../lib/html.ts";
import { isFreshId } from "../../../lib/ids.ts";
import { toE164 } from "../../../lib/phone.ts";
import { asTool, consentOf, given, hidden, keptFields, type Sent, sendLink, visibleText } from "../shell/forms.ts";
import { page, seeOther } from "../shell/layout.ts";
import { opened } from "../shell/pass.ts";
import { bookedAddress } from "../shell/paths.ts";
import { notice, otherStarts, problemBox, trouble } from "../shell/problems.ts";
import { DETAILS, FILM, STAGE, TIMES, VEHICLE } from "../shell/texts.ts";
import { moment, untilMoment, wholePrice } from "../shell/wording.ts";
import { bookingTexts, details, SURE } from "./appointment.ts";
import {
  asOffered,
  type Choices,
  chosenJob,
  chosenWork,
  pricedChoices,
  promised,
  quotedAddress,
  readChoices,
  toQuery,
} from "./choices.ts";
import { DAYS, daysOf, firstShown, isFree, MONTH_DAYS, nextTime, shownIn, times } from "./days.ts";
import {
  extras,
  films,
  heading,
  type Offer,
  type PagePart,
  questions,
  servicePrices,
  serviceTabs,
  span,
  vehicles,
} from "./offer.ts";
import { legalLabel, legally, nearestNote, shades, stocked } from "./shades.ts";
import { front, stage } from "./stage.ts";

export async function choose(visit: Visit): Promise<PageAnswer> {
  return show(visit, await chosen(visit.query, visit.ctx));
}

function chosen(given: URLSearchParams, ctx: Visit["ctx"]): Promise<Choices> {
  const choices = stocked(readChoices(given, ctx.catalog), ctx.catalog);
  return legally(choices, given.get("legal"), ctx);
}

async function show(visit: Visit, choices: Choices, sent?: Sent, status = 200): Promise<PageAnswer> {
  const { catalog } = visit.ctx;
  const hasVehicle = choices.vehicle_type !== undefined;
  const body = hasVehicle ? await withVehicle(choices, visit, sent) : await withoutVehicle(choices, visit);
  const { title, intro, ...listed } = served(choices.service_type, hasVehicle, catalog);
  const main = html`<div class="intro"><h1>${title}</h1><p>${intro}</p></div>${serviceTabs(choices.service_type, catalog)}${body}
${questions(choices.service_type, catalog)}${trouble()}`;
  return page({ title, main, status, content: "choose", isForVehicles: true, ...(!sent && { listed }) }, visit);
}

/** What a service's page is called, and what search engines show of it. */
function served(key: string, isVariant: boolean, catalog: Shop) {
  const { title, intro } = textsOf(key, catalog);
  const price = span(servicePrices(key, catalog), catalog);
  if (key === catalog.automotive.defaults.service)
    return { title, intro, path: BOOK_PATH, description: `${intro} ${price}`, isVariant };
  const { name, description = intro } = serviceOf(catalog, key);
  const path = `${BOOK_PATH}?service_type=${key}`;
  return { title: name, intro: description, path, description: `${price}. ${description}`, isVariant };
}

/** The first question, with the fields for it; what an address says beside them is carried on. */
async function withoutVehicle(choices: Choices, visit: Visit): Promise<Html> {
  const { catalog } = visit.ctx;
  const next = await nextTime(choices.service_type, visit);
  const carried = [...new URLSearchParams(toQuery(choices))]
    .filter(([name]) => !/^(car|car_before|vehicle_type|film_type)$/.test(name))
    .map(([name, value]) => hidden(name, value));
  const parts = numbered([vehicles({ choices, catalog }), films({ choices, catalog })]);
  return html`<div class="configurator">${front(choices, catalog, visit.ctx.now, next)}
<form class="options" id="choose" method="get" action="${BOOK_PATH}#price">${carried}${parts}
<p class="update"><button>${VEHICLE.show}</button></p></form></div>`;
}

async function withVehicle(wished: Choices, visit: Visit, sent: Sent | undefined): Promise<Html> {
  const { ctx, use } = visit;
  const { catalog } = ctx;
  const work = chosenWork(wished);
  const { service_type: service, ...job } = chosenJob(wished, catalog);
  const priced = await use(automotiveEstimate, { ...job, service });
  if (!priced.ok) return notice(priced.error, catalog);
  const today = wholeOf(priced.outcome.body.data);
  const { estimate, kept, line } = await promised(wished, today, visit);
  const date = shopDate(catalog, ctx.now);
  const from = wished.month ?? firstShown(wished, date, catalog);
  const sought = { ...work, service: serviceOf(catalog, service).id, view: "compact" as const };
  const days = wished.month ? MONTH_DAYS : DAYS;
  const open = await use(checkAvailability, { ...sought, days, ...(from && { from }) });
  const start = await freeStart(wished.start, open.ok ? daysOf(open.outcome.body) : [], sought, visit);
  const choices = { ...asOffered(wished, estimate, catalog), start };
  const unfree = wished.start && !start && TIMES.notFree(moment(wished.start, catalog));
  const about = unfree ? html`<p class="notice" role="status">${unfree}</p>` : undefined;
  const until = start ? changeUntil(start, visit) : null;
  const offer = { choices, catalog, estimate, until, legal: await legalLabel(choices, ctx) };
  const darkness = shades(offer, start !== undefined);
  const parts = [
    vehicles(offer),
    films(offer, start !== undefined || (choices.front ?? choices.rear) !== undefined),
    darkness,
    extras(offer),
    open.ok ? times({ start, wished: wished.start }, shownIn(open.outcome.body), date, about, catalog) : undefined,
  ].filter((part) => part !== undefined);
  // What was typed about a person is sent in a body, and never is in an address.
  const method = start || sent ? "post" : "get";
  const update = html`<button class="hidden" tabindex="-1" formaction="${BOOK_PATH}#price">${FILM.update}</button>`;
  const carried = [
    hidden("service_type", service),
    keptFields(kept),
    start && hidden("start", startText(start)),
    choices.from && hidden("from", choices.from),
    choices.windshield && hidden("windshield_shade", String(choices.windshield)),
    darkness === undefined && choices.jurisdiction && hidden("jurisdiction", choices.jurisdiction),
  ];
  const person = details(offer, sent, parts.length + 1);
  const asked = [update, carried, numbered(parts), !open.ok && notice(open.error, catalog), person];
  const attributes = html`method="${method}" novalidate action="${BOOK_PATH}#details"${asTool(bookAppointment, catalog)}`;
  const form = html`<form class="options" id="choose" ${attributes}>${asked}</form>`;
  const picture = stage(offer, html`${line}${nearestNote(offer)}${sendLink(quotedAddress(choices, estimate))}`);
  return html`<div class="configurator" id="price">${picture}${form}${priceBar(offer)}</div>`;
}

/** The wished time, unless it is not free for this work. @param days those that are shown, which may not be the wished one */
async function freeStart(start: Start | undefined, days: ReturnType<typeof daysOf>, sought: object, { use }: Visit) {
  if (!start || isFree(start, days)) return start;
  if (days.some(({ date }) => date === start.date)) return undefined;
  const day = await use(checkAvailability, { ...sought, date: start.date });
  return day.ok && isFree(start, daysOf(day.outcome.body)) ? start : undefined;
}

function changeUntil({ date, time }: Start, { ctx }: Visit): string | null {
  const startAt = momentOf(ctx.catalog, date, time);
  const until = canChangeUntil({ status: "confirmed", startAt, createdAt: ctx.now.epochMilliseconds }, ctx);
  return until === null ? null : untilMoment(until, ctx);
}

/** The price in sight on a small screen, with the way to the times. */
function priceBar({ choices, estimate, catalog }: Offer): Html | undefined {
  if (choices.start) return undefined;
  return html`<p class="bar"><span>${wholePrice(estimate, catalog)}</span><a class="button" href="#times">${STAGE.pick}</a></p>`;
}

/** The form was sent: by the button that books or, without a script, by one that changes the choices. */
export async function send(visit: Visit): Promise<PageAnswer> {
  const { form, ctx } = visit;
  const choices = await chosen(form, ctx);
  if (form.get("do")?.startsWith("book")) return book(choices, visit);
  return hasTyped(form) ? show(visit, choices, { typed: form }) : seeOther(`${BOOK_PATH}?${toQuery(choices)}`);
}

async function book(choices: Choices, visit: Visit): Promise<PageAnswer> {
  const { form: typed, ctx, use } = visit;
  const { catalog } = ctx;
  const { start } = choices;
  const { BAD_REQUEST, SLOT_TAKEN, IDEMPOTENCY_CONFLICT } = ERRORS;
  const again = (text: string, { status }: { status: number }, asked?: Sent["asked"]) => {
    const about = html`<p class="notice bad" role="alert" id="problem">${text}</p>`;
    return show(visit, choices, { typed, about, ...(asked && { asked }) }, status);
  };
  if (!start) return show(visit, choices, { typed }, BAD_REQUEST.status);
  // The price on the button was of other choices.
  if (typed.get("shown") !== pricedChoices(choices, catalog)) return again(DETAILS.changed, SLOT_TAKEN);
  const isHold = typed.get("do") === "book_hold";
  const isAnyway = typed.get("do") === "book_anyway";
  const reason = isAnyway ? reasonIn(typed) : undefined;
  if (isAnyway && reason === undefined) return again(DETAILS.noReason, BAD_REQUEST);
  const slip = slipIn(typed, catalog);
  if (slip !== undefined) return again(DETAILS.sure, BAD_REQUEST, ["customer_email", slip]);
  // Asked first: the same form may be booking at this moment.
  const justNow = await doneJustNow(typed, ctx);
  const before = await bookedBefore(typed, ctx);
  if (justNow === "booked" && !before) return askAgain(secondNotice(start, catalog));
  if (before?.isOver) typed.delete("booking_request_id");
  const second = before && secondNotice(start, catalog, before);
  if (before && !before.isOver && !before.isOfPhone) return askAgain(second);
  // What is held is confirmed on its own page.
  if (before?.heldUntil) return opened(ctx, before.code, {}, before.heldUntil);
  const note = [reason, visibleText(typed, "special_requests")].filter(Boolean).join(" ");
  const used = await use(bookAppointment, {
    ...start,
    ...given(typed, "customer_name", "customer_phone", "customer_email"),
    ...given(typed, "special_requests", "postal_code", "booking_request_id"),
    ...(reason && { accept_not_legal: true, special_requests: note }),
    ...workSent(chosenJob(choices, catalog), typed.get("priced")),
    ...(typed.has("another") && { another: true }),
    ...(isHold && { hold: true }),
    consent: consentOf(typed, catalog.site.texts.consent, bookingTexts(catalog), true),
  });
  if (used.ok) {
    const { data, warnings = [] } = used.outcome.body;
    const { confirmation_code: code } = data;
    if (data.held_until !== undefined) return opened(ctx, code, {}, Date.parse(data.held_until));
    // What another tab held is booked by this one.
    if (code !== null && justNow !== "held" && warnings.some((warning) => warning.code === "REPEATED"))
      return askAgain(secondNotice(start, catalog, { ...data, code }));
    return seeOther(bookedAddress(data));
  }
  const { error, status } = used;
  if (ERRORS[error.error_code].about === "request id" && before) return askAgain(second);
  const taken = takenNotice(error, catalog);
  const about = taken?.about ?? notice(error, catalog);
  return show(visit, { ...choices, start: taken?.chosen ?? start }, { typed, error, about }, status);

  /** The form comes back with a new id, so that sent again it books a second appointment. */
  function askAgain(about: Html | undefined): Promise<PageAnswer> {
    typed.delete("booking_request_id");
    return show(visit, choices, { typed, ...(about && { about }) }, IDEMPOTENCY_CONFLICT.status);
  }
}

/** The fields about the person, which are never in an address. */
const PERSON = ["customer_name", "customer_phone", "customer_email", "postal_code", "special_requests"] as const;

function hasTyped(form: URLSearchParams): boolean {
  return PERSON.some((name) => (form.get(name) ?? "") !== "");
}

/** The e-mail address that was likely meant; undefined where none is, or where it was asked before. */
function slipIn(form: URLSearchParams, catalog: Shop): string | undefined {
  const meant = meantBy(visibleText(form, "customer_email"), catalog);
  if (meant === undefined || form.get(SURE) === meant) return undefined;
  form.set(SURE, meant);
  return DETAILS.meant(meant);
}

/** `pat@gmail.com` for `pat@gmial.com` or `pat@gmail.con`. */
function meantBy(email: string, catalog: Shop): string | undefined {
  const [, person, typed = ""] = /^(.+)@([^@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  const host = typed.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, ".com");
  const meant = likelyDomain(host, catalog) ?? host;
  return person === undefined || meant === typed ? undefined : `${person}@${meant}`;
}

/** The signed estimate holds the work, or stands beside what is too long for it. Without one the price is that of today. */
function workSent(job: ReturnType<typeof chosenJob>, estimate_id: string | null) {
  if (!estimate_id) return job;
  const lock = readToken(estimate_id);
  if (lock?.kind !== "automotive") return { ...job, estimate_id };
  return { estimate_id, ...(nameOf(lock.job) === "" && pick(job, "vehicle_model")) };
}

/** Why a customer takes film that is not legal, as the shop reads it; undefined where none was ticked. */
function reasonIn(form: URLSearchParams): string | undefined {
  return Object.entries(DETAILS.reasons).find(([reason]) => reason === form.get("not_legal_reason"))?.[1];
}

/** Where the chosen time is not free: the nearest ones, of which the first is chosen; undefined where there are none. */
function takenNotice(error: Parameters<typeof otherStarts>[0], catalog: Shop) {
  const [chosen, ...rest] = otherStarts(error);
  if (!chosen) return undefined;
  const others = rest
    .toSorted((a, b) => (startText(a) < startText(b) ? -1 : 1))
    .map((one) => html`<button class="quiet" name="start" value="${startText(one)}">${moment(one, catalog)}</button>`);
  const instead = html`<p><strong>${DETAILS.taken}</strong> ${DETAILS.takenInstead(moment(chosen, catalog))}</p>`;
  const list = html`<p class="pills" role="group" aria-label="${DETAILS.otherTimes}">${others}</p>`;
  return { chosen, about: problemBox([instead, others.length > 0 && list]) };
}

/** This browser booked already: sent again, the form says that it is another vehicle. @param booked where the tab knows what */
function secondNotice(wished: Start, catalog: Shop, booked?: Start & { code: string }): Html {
  const code = booked ? `code=${booked.code}&` : "";
  const move = html`<a href="${`${MANAGE_PATH}?${code}start=${startText(wished)}`}">${DETAILS.move}</a>`;
  const already = booked ? DETAILS.already(moment(booked, catalog)) : DETAILS.justNow;
  const text = html`<p><strong>${already}</strong> ${move}, ${DETAILS.second}</p>`;
  return problemBox([hidden("another", "yes"), text], html` data-second`);
}

/**
 * A tab without a script knows nothing of another one, so the store is asked. Only who sends phone and e-mail of the booking from
 * its network is told, and not what was booked. Nobody is told of a hold, so the phone is enough for one.
 */
async function doneJustNow(form: URLSearchParams, { store, catalog, now, caller }: Context) {
  const phone = toE164(visibleText(form, "customer_phone"), catalog.business.address.country);
  if (phone === undefined || form.has("another")) return undefined;
  const at = now.epochMilliseconds;
  const any = { limit: 1, until: Number.MAX_SAFE_INTEGER };
  const [holds, ...bookings] = await store.quotaUse([
    { by: "hold", value: phone, since: at, ...any },
    { by: "phone", value: phone, since: at - REPEAT_MS, ...any },
    { by: "held_by_email", value: visibleText(form, "customer_email"), within: caller.network, since: at, ...any },
  ]);
  if (holds?.used) return "held";
  return form.get("booked") === "" && bookings.every(({ used }) => used > 0) ? "booked" : undefined;
}

/**
 * The booking is known by the form's own id, which only the tab that was given it can send. It is never looked up by phone or
 * e-mail alone, nor by the id of another program, which can be guessed: that would tell strangers what a person has booked.
 */
async function bookedBefore(form: URLSearchParams, { store, catalog, now }: Context) {
  const id = form.get("booking_request_id");
  if (!id || !isFreshId(id)) return undefined;
  const phone = toE164(visibleText(form, "customer_phone"), catalog.business.address.country);
  const ofPhone = phone === undefined ? undefined : (await store.findEarlier(phone, id))?.booking;
  const kept = form.get("booked");
  const found = ofPhone ?? (kept ? await store.findBooking(kept) : null);
  // The code that the tab kept must be of a booking with the same id.
  if (!found || (!ofPhone && Object(found.answer).booking_request_id !== id)) return undefined;
  const { confirmationCode: code, date, time, endAt } = found;
  // When it is cancelled or done, the customer may book again.
  const { status: is } = heldAsOf(found, now.epochMilliseconds);
  const isOver = (is !== "confirmed" && is !== "held") || endAt <= now.epochMilliseconds;
  const heldUntil = is === "held" ? found.heldUntil : null;
  // Made for the same phone, so the same form sent again gets the first answer.
  return { code, date, time, isOver, heldUntil, isOfPhone: ofPhone !== undefined };
}

function numbered(parts: readonly (PagePart | undefined)[]): Html {
  return html`${parts.filter((part) => part !== undefined).map((part, i) => onePart(part, i + 1))}`;
}

function onePart({ id, title, line, isFolded, content }: PagePart, number: number): Html {
  const head = heading(id, title, number);
  // The script sends every choice by itself, and a time is chosen by its own button.
  const button = html`<button class="quiet" formaction="${BOOK_PATH}#price">${FILM.update}</button>`;
  const all = html`${content}${id !== "times" && html`<p class="update">${button}</p>`}`;
  if (!isFolded || line === undefined)
    return html`<fieldset class="part" id="${id}"><legend>${head}</legend>${all}</fieldset>`;
  return html`<details class="part" id="${id}"><summary class="part-line">${head}<span class="line-of-part">${line}</span>
<span class="change">${FILM.change}</span></summary>
<fieldset><legend class="hidden">${title}</legend>${all}</fieldset></details>`;
}
