/**
 * The appointment: days and their open times, each a button that leads on with everything chosen so far; and the last step, with
 * a summary, who comes, the button that books, and whether this tab booked already.
 */
import type { Context } from "../../../capabilities/core/capability.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { BOOKING_TEXTS } from "../../../constants.ts";
import { addDays, laterDate, momentOf } from "../../../domain/schedule.ts";
import { partsOf, type Start } from "../../../domain/slots.ts";
import { isBarred } from "../../../domain/tint-law.ts";
import { startText } from "../../../job/forms.ts";
import { barredInWords } from "../../../job/warnings.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { isFreshId } from "../../../lib/ids.ts";
import { toE164 } from "../../../lib/phone.ts";
import { joinWithAnd } from "../../../schema/explain.ts";
import { LIMITS } from "../../../schema/fields.ts";
import { type Html, html } from "../../markup/html.ts";
import { formAfter, hidden, otherStarts, type Sent, textArea, textsBox, visibleText } from "../shell/forms.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import {
  amount,
  dayIn,
  endOf,
  factList,
  jobFacts,
  lawFacts,
  longMoment,
  moment,
  phoneLink,
  priceFacts,
  readyAbout,
  shadeLabel,
  shortClock,
  workName,
} from "../shell/wording.ts";
import { type Choices, pricedChoices } from "./choices.ts";
import { type Availability, DAYS, dayState, daysOf, freeAt, month, months, type OpenDay, reasons } from "./days.ts";
import { type Estimate, heading, type PagePart } from "./offer.ts";
import { legalButton } from "./shades.ts";
import { SURE } from "./slip.ts";

/** The first day shown, in steps from today, so that the chosen time is among them; undefined for the next days. */
export function firstShown(
  { from, start }: Pick<Choices, "from" | "start">,
  today: string,
  { scheduling }: Shop,
): string | undefined {
  // The date is in the address and may not exist; then this is NaN, and the next days are shown.
  const ahead = start ? (Date.parse(start.date) - Date.parse(today)) / DAY_MS : 0;
  return (
    from ?? (ahead >= DAYS && ahead <= scheduling.horizon_days ? addDays(today, ahead - (ahead % DAYS)) : undefined)
  );
}

/** Whether the days show that work can begin then. */
export function isFree({ date, time }: Start, days: readonly OpenDay[]): boolean {
  return days.some((day) => day.date === date && day.open.includes(time));
}

interface ShownDays {
  days: readonly OpenDay[];
  /** The first day with an open time, where these have none. */
  next: string | undefined;
}

/** The days of a compact answer, and the one to which its next steps lead. */
export function shownIn(answer: Availability): ShownDays {
  const steps = answer.next_actions ?? [];
  const from = steps.map(({ sample_request: sample }) => sample.from).find((one) => typeof one === "string");
  return { days: daysOf(answer), next: from };
}

/**
 * The days side by side, and the times of the one that is chosen or, where its time is not free, was wished; the style sheet
 * shows another day's when it is.
 * @param about what is to be said beforehand @param path of the page that shows other days
 */
export function times(
  { start, wished = start }: { start: Start | undefined; wished?: Start | undefined },
  { days: all, next: nextOpen }: ShownDays,
  today: string,
  about: Html | undefined,
  catalog: Shop,
  path = BOOK_PATH,
): PagePart {
  const { times: said } = PAGE_TEXTS;
  const inReach = all.filter(({ status }) => status !== "beyond_horizon");
  const days = inReach.filter(({ status }) => status !== "past");
  const [first, last] = [all[0]?.date ?? today, all.at(-1)?.date ?? today];
  const free = days.find(({ open }) => open.length > 0);
  const next = free ? addDays(last, 1) : nextOpen;
  const isEnd = all.at(-1)?.status === "beyond_horizon";
  if (all.length > DAYS) {
    const content = html`${month(inReach, path, catalog)}${months(first, today, isEnd, path)}`;
    return { id: "times", title: said.title, isFolded: false, content };
  }
  const shown = days.find(({ date, open }) => date === wished?.date && open.length > 0) ?? free;
  const content = free
    ? html`${!start && firstFree(free, today, catalog)}<div class="days" role="radiogroup" aria-label="${said.days}">${days.map((day) => dayCell(day, day === shown, catalog))}</div>${reasons(days, catalog)}<div class="times-of-days">${days.map((day) => timesOf(day, start, catalog))}</div>`
    : html`<p class="notice">${said.none(dayIn("day", first, catalog), dayIn("day", last, catalog))} ${phoneLink(catalog.business)}</p>`;
  const isNext = next !== undefined && !isEnd;
  const more = html`${first > today && turn("from", laterDate(today, addDays(first, -DAYS)), said.earlier, path)}${isNext && (free ? turn("month", first, said.later, path) : turn("from", next, said.next(dayIn("day", next, catalog)), path))}`;
  return {
    id: "times",
    title: said.title,
    line: start && moment(start, catalog),
    isFolded: start !== undefined,
    content: html`${about}${content}<p class="more">${more}</p>`,
  };
}

function turn(field: "from" | "month", day: string, name: string, path: string): Html {
  return html`<button class="quiet" name="${field}" value="${day}" formaction="${path}#times">${name}</button>`;
}

function firstFree(free: OpenDay, today: string, catalog: Shop): Html {
  const {
    date,
    open: [time = ""],
  } = free;
  return html`<p class="first-free">${PAGE_TEXTS.times.firstFree} <button class="quiet" name="start" value="${startText({ date, time })}">${freeAt(free, today, catalog)}</button></p>`;
}

/** The radio button belongs to no form, because the shop need not know which day a visitor looks at. */
function dayCell(day: OpenDay, isShown: boolean, catalog: Shop): Html {
  const { date, open } = day;
  return html`<label class="day${open.length > 0 && " free"}"><input type="radio" id="day-${date}" name="day" form="looking"${isShown && html` checked`}><span>${dayIn("weekday", date, catalog)}</span><b>${dayIn("dayOfMonth", date, catalog)}</b><small>${dayState(day, catalog)}</small></label>`;
}

function timesOf(
  { date, open, over_night: paused = [], reason }: OpenDay,
  start: Start | undefined,
  catalog: Shop,
): Html {
  const { times: said } = PAGE_TEXTS;
  const day = dayIn("day", date, catalog);
  if (open.length === 0) return html`<p class="none">${reason ?? said.noneOn}</p>`;
  return html`<div class="slots" role="group" aria-label="${said.timesOf(day)}">${open.map((time) => {
    const value = startText({ date, time });
    const isPaused = paused.includes(time);
    const isChosen = start !== undefined && startText(start) === value;
    return html`<button class="slot" name="start" value="${value}"${isChosen && html` aria-pressed="true"`} aria-label="${day}, ${shortClock(time, catalog)}${isPaused && `, ${said.overNight}`}">${shortClock(time, catalog)}${isPaused && html` <small>${said.overNight}</small>`}</button>`;
  })}</div>`;
}

/** The fields about the person, which never are in an address. */
const PERSON = ["customer_name", "customer_phone", "customer_email", "postal_code", "special_requests"] as const;

export function hasTyped(form: URLSearchParams): boolean {
  return PERSON.some((name) => (form.get(name) ?? "") !== "");
}

interface LastStep {
  sent: Sent | undefined;
  number: number;
  /** The last moment for a change; null where bookings are changed by phone. */
  until: Start | null;
  /** What the button says that makes the shades legal. */
  legal: string | undefined;
}

export function details(choices: Choices, estimate: Estimate, step: LastStep, catalog: Shop): Html {
  const { details: said } = PAGE_TEXTS;
  const { business, bookings } = catalog;
  const { sent, number } = step;
  if (bookings.require_api_key) {
    return html`<section class="details" id="details"><h2>${said.byPhone}</h2><p>${said.phoneOnly} ${phoneLink(business)}.</p></section>`;
  }
  const { start } = choices;
  if (!start && !sent) return html`<section class="details" id="details"></section>`;
  const { typed, issue, id, line } = formAfter(sent, "booking_request_id");
  const hasMore = ["postal_code", "special_requests"].some((name) => typed.get(name) || issue(name));
  return html`<section class="details sheet" id="details" aria-labelledby="details-title">${heading("details", said.title, number)}
${sent?.about}
${start && inOneLine(start, estimate, catalog)}
${id}${hidden("priced", estimate.estimate_id ?? "")}${hidden("shown", pricedChoices(choices, catalog))}${hidden("booked", "")}${hidden(SURE, typed.get(SURE) ?? "")}
<div class="fields">
${line("customer_name", said.name, { autocomplete: "name", required: true, maxlength: LIMITS.name })}
${line("customer_phone", said.phone, { type: "tel", autocomplete: "tel", required: true, maxlength: LIMITS.phone })}
${line("customer_email", said.email, { type: "email", autocomplete: "email", required: true, maxlength: LIMITS.email })}
</div>
${start ? lastButton(start, estimate, typed, step.legal, catalog) : html`<p class="notice">${PAGE_TEXTS.times.pickFirst}</p>`}
<details class="more-fields"${hasMore && html` open`}><summary>${said.more} <span class="aside">${said.optional}</span></summary><div class="fields">
${line("postal_code", said.zip, { autocomplete: "postal-code", maxlength: 12 })}
${textArea({ name: "special_requests", label: said.note, value: typed.get("special_requests"), issue: issue("special_requests"), maxlength: LIMITS.text - LONGEST_REASON })}
</div></details>
${start && html`<details><summary>${said.all}</summary>${appointment(start, step.until, choices, estimate, catalog)}</details>`}</section>`;
}

/** `Mon, Nov 30, 11 AM · ready about 2 PM · $499 · pay at the shop`. */
function inOneLine(start: Start, estimate: Estimate, catalog: Shop): Html {
  const { facts } = PAGE_TEXTS;
  const price = amount(estimate.total_with_tax ?? estimate.total, catalog);
  const ready = facts.readyShort(readyAbout(start, endOf(start, estimate, catalog), catalog));
  return html`<p class="at"><b>${dayIn("day", start.date, catalog)}, ${shortClock(start.time, catalog)}</b> · ${ready} · <b>${price}</b> · ${uncapitalised(catalog.site.texts.pay)}</p>`;
}

/** As it is within a line. */
function uncapitalised(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Whether a box asks for texts: the shop sends some. */
export function asksForTexts({ messages }: Shop): boolean {
  return BOOKING_TEXTS.some((kind) => messages[kind]?.enabled);
}

/** The button is the consent to the booking, so its sentence stands with it. Texts have a box of their own (contract 18). */
function lastButton(
  start: Start,
  estimate: Estimate,
  typed: URLSearchParams,
  legal: string | undefined,
  catalog: Shop,
): Html {
  const { details: said } = PAGE_TEXTS;
  const { site, tint_law: law } = catalog;
  const price = amount(estimate.total_with_tax ?? estimate.total, catalog);
  const texts = asksForTexts(catalog) && textsBox(site.texts.sms_consent, typed.has("consent_sms"));
  const act = (name: string, value: string, kind = "act") =>
    html`<button class="${kind}" name="do" value="${value}" data-busy="${said.booking}" aria-describedby="consent">${name}</button><p class="soft" id="consent">${site.texts.consent}</p>`;
  const isAsked = isBarred(estimate.tint_law) && law.not_legal !== "warn";
  if (!isAsked) return html`${texts}${act(said.book(moment(start, catalog), price), "book")}`;
  const labelOf = (vlt: number) => shadeLabel(vlt, estimate.film_type, catalog);
  const barred = estimate.tint_law.checks.filter(isBarred).map(({ film_vlt: vlt }) => vlt);
  const shades = [...new Set(barred)].map((vlt) => (vlt === null ? said.anyFilm : `${labelOf(vlt)}%`));
  const which = barredInWords(estimate.tint_law, labelOf)?.which;
  const reasons = Object.entries(said.reasons).map(
    ([reason, words]) =>
      html`<label class="reason"><input type="radio" id="reason-${reason}" name="not_legal_reason" value="${reason}" required${typed.get("not_legal_reason") === reason && html` checked`}>${words}</label>`,
  );
  return html`<div class="not-legal"><p><b>${which}.</b> ${site.texts.illegal}</p>${legal && legalButton(legal, "#details", "wide")}${law.not_legal === "ask" && html`<fieldset><legend>${said.why}</legend>${reasons}</fieldset>${texts}${act(said.anyway(joinWithAnd(shades)), "book_anyway", "act quiet")}`}</div>`;
}

/** Why a customer takes film that is not legal, as the shop reads it; undefined where none was ticked. */
export function reasonIn(form: URLSearchParams): string | undefined {
  const { reasons }: { reasons: Readonly<Record<string, string>> } = PAGE_TEXTS.details;
  const reason = form.get("not_legal_reason") ?? "";
  return Object.hasOwn(reasons, reason) ? reasons[reason] : undefined;
}

/** It stands before the customer's own note. */
const LONGEST_REASON = 60;

function appointment(start: Start, until: Start | null, choices: Choices, estimate: Estimate, catalog: Shop): Html {
  const { facts } = PAGE_TEXTS;
  const { address, name, links } = catalog.business;
  const { map } = links;
  const place = `${name}, ${address.street}, ${address.locality}`;
  const { front = null, rear = null, addons, remove_old_film } = choices;
  const { film_type, tint_law } = estimate;
  const endAt = endOf(start, estimate, catalog);
  const isPaused = partsOf(catalog, { startAt: momentOf(catalog, start.date, start.time), endAt }).length > 1;
  const shade = film_type === null ? null : { front_side: front, rear_side: rear, rear_window: rear };
  return factList(
    [facts.when, longMoment(start, catalog)],
    [facts.ready, (isPaused ? facts.readyAfterNight : facts.readyAbout)(readyAbout(start, endAt, catalog))],
    [facts.what, workName(estimate, catalog)],
    choices.car !== undefined && [facts.car, choices.car],
    ...jobFacts({ film_type, addons, shade, remove_old_film }, catalog),
    ...lawFacts(tint_law, film_type, catalog),
    ...priceFacts(estimate, catalog),
    [facts.pay, catalog.site.texts.payment],
    until && [facts.changes, facts.freeUntil(moment(until, catalog))],
    [facts.where, map ? html`<a href="${map}" target="_blank">${place}</a>` : place],
  );
}

/**
 * The chosen time is not free: what happened, and the nearest free times, of which the first is chosen.
 * @returns undefined where the refusal offers none
 */
export function takenNotice(error: Parameters<typeof otherStarts>[0], catalog: Shop) {
  const { details: said } = PAGE_TEXTS;
  const [chosen, ...rest] = otherStarts(error);
  if (!chosen) return undefined;
  const others = rest.toSorted((a, b) => (startText(a) < startText(b) ? -1 : 1));
  const about = html`<div class="notice bad" role="alert" id="problem"><p><strong>${said.taken}</strong> ${said.takenInstead(moment(chosen, catalog))}</p>${others.length > 0 && html`<p class="pills" role="group" aria-label="${said.otherTimes}">${others.map((start) => html`<button class="quiet" name="start" value="${startText(start)}">${moment(start, catalog)}</button>`)}</p>`}</div>`;
  return { chosen, about };
}

/** This browser booked already: sent again, the form says that it is another vehicle. @param code of that booking */
export function secondNotice(code: string, at: Start, wished: Start, catalog: Shop): Html {
  const { details: said } = PAGE_TEXTS;
  const address = `/book/manage?code=${code}&start=${startText(wished)}`;
  return html`<div class="notice bad" role="alert" id="problem" data-second>${hidden("another", "yes")}<p><strong>${said.already(moment(at, catalog))}</strong> <a href="${address}">${said.move}</a>, ${said.second}</p></div>`;
}

/**
 * The booking is known by the form's own id, which only the tab that was given it can send. It is never looked up by phone or
 * e-mail alone, nor by the id of another program, which can be guessed: that would tell strangers what a person has booked.
 */
export async function bookedBefore(
  form: URLSearchParams,
  { store, catalog, now }: Pick<Context, "store" | "catalog" | "now">,
) {
  const id = form.get("booking_request_id");
  if (!id || !isFreshId(id)) return undefined;
  const phone = toE164(visibleText(form, "customer_phone"), catalog.business.address.country);
  const ofPhone = phone === undefined ? undefined : (await store.findEarlier(phone, id))?.booking;
  const kept = form.get("booked");
  const found = ofPhone ?? (kept ? await store.findBooking(kept) : null);
  // The code that the tab kept must be of a booking with the same id.
  if (!found || (!ofPhone && Object(found.answer).booking_request_id !== id)) return undefined;
  const { confirmationCode: code, date, time, status, endAt } = found;
  // When it is cancelled or done, the customer may book again.
  const isOver = status !== "confirmed" || endAt <= now.epochMilliseconds;
  // Made for the same phone, so the same form sent again gets the first answer.
  return { code, date, time, isOver, isOfPhone: ofPhone !== undefined };
}
