/** Days and their open times: the next free one, before a vehicle is named; a week, with each time as a button; and a month. */
import type { z } from "zod";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { Envelope } from "../../../capabilities/core/invoke.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { addDays, laterDate, planOf, shopDate } from "../../../domain/schedule.ts";
import { DAY_OVER, type Start, saysFull } from "../../../domain/slots.ts";
import { serviceOf } from "../../../domain/work.ts";
import type { Visit } from "../../../http/pages.ts";
import { startText } from "../../../job/forms.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { type Html, html } from "../../../lib/html.ts";
import { TIMES } from "../shell/texts.ts";
import { dayIn, moment, nearDay, phoneLink, shortClock } from "../shell/wording.ts";
import type { Choices } from "./choices.ts";
import type { PagePart } from "./offer.ts";

export type Availability = Envelope<z.output<ReturnType<typeof checkAvailability.output>>>;

export const DAYS = 7;
export const MONTH_DAYS = 28;

type OpenDay = ReturnType<typeof daysOf>[number];

export function daysOf({ data }: Availability) {
  return "days" in data ? data.days.flatMap((day) => ("open" in day ? [day] : [])) : [];
}

/** `Next: tomorrow 9 AM`, for the longest usual work; undefined where no time is free soon. */
export async function nextTime(service: string, { ctx, use }: Visit): Promise<Html | undefined> {
  const { catalog, now } = ctx;
  const sought = { service: serviceOf(catalog, service).id, days: DAYS, view: "compact" as const };
  const open = await use(checkAvailability, sought);
  const free = open.ok && daysOf(open.outcome.body).find(({ open: times }) => times.length > 0);
  const at = free && freeAt(free, shopDate(catalog, now), catalog);
  return at ? html`<p class="next">${TIMES.nextFree} <b>${at}</b></p>` : undefined;
}

/** `tomorrow 9 AM`, or `Mon, Nov 30, 9 AM`. */
function freeAt({ date, open: [time = ""] }: OpenDay, today: string, catalog: Shop): string {
  const day = nearDay(date, today);
  const clock = shortClock(time, catalog);
  return day ? TIMES.at(day, clock) : `${dayIn("day", date, catalog)}, ${clock}`;
}

/** The first day shown, in steps from today, so that the chosen time is among them; undefined for the next days. */
export function firstShown({ from, start }: Pick<Choices, "from" | "start">, today: string, { scheduling }: Shop) {
  // The date is in the address and may not exist; then this is NaN, and the next days are shown.
  const ahead = start ? (Date.parse(start.date) - Date.parse(today)) / DAY_MS : 0;
  const isLater = ahead >= DAYS && ahead <= scheduling.horizon_days;
  return from ?? (isLater ? addDays(today, ahead - (ahead % DAYS)) : undefined);
}

export function isFree({ date, time }: Start, days: readonly OpenDay[]): boolean {
  return days.some((day) => day.date === date && day.open.includes(time));
}

/** The days of a compact answer, and the first one with an open time, to which its next steps lead where these have none. */
export function shownIn(answer: Availability) {
  const froms = answer.next_actions?.map(({ sample_request: sample }) => sample.from);
  return { days: daysOf(answer), next: froms?.find((one) => typeof one === "string") };
}

/**
 * The days, and the times of the chosen or wished one; the style sheet shows another day's. More days than a week are a month.
 * @param about what is to be said beforehand @param path of the page that shows other days
 */
export function times(
  { start, wished = start }: { start: Start | undefined; wished?: Start | undefined },
  { days: all, next: nextOpen }: ReturnType<typeof shownIn>,
  today: string,
  about: Html | undefined,
  catalog: Shop,
  path = BOOK_PATH,
): PagePart {
  const inReach = all.filter(({ status }) => status !== "beyond_horizon");
  const [first, last] = [all[0]?.date ?? today, all.at(-1)?.date ?? today];
  const isEnd = all.at(-1)?.status === "beyond_horizon";
  const turn = (field: "from" | "month", day: string, name: string) =>
    html`<button class="quiet" name="${field}" value="${day}" formaction="${path}#times">${name}</button>`;
  const before = (field: "from" | "month", days: number) =>
    first > today && turn(field, laterDate(today, addDays(first, -days)), TIMES.earlier);
  const part = (content: Html, more: Html): PagePart => ({
    id: "times",
    title: TIMES.title,
    line: start && moment(start, catalog),
    isFolded: start !== undefined && all.length <= DAYS,
    content: html`${content}<p class="more">${more}</p>`,
  });
  if (all.length > DAYS) {
    const later = !isEnd && turn("month", addDays(first, MONTH_DAYS), TIMES.later);
    return part(month(inReach, path, catalog), html`${before("month", MONTH_DAYS)}${later}`);
  }
  const days = inReach.filter(({ status }) => status !== "past");
  const free = days.find(({ open }) => open.length > 0);
  const next = free ? addDays(last, 1) : nextOpen;
  const shown = days.find(({ date, open }) => date === wished?.date && open.length > 0) ?? free;
  const content = free
    ? html`${!start && firstFree(free, today, catalog)}${week(days, shown, start, catalog)}`
    : html`<p class="notice">${TIMES.none(dayIn("day", first, catalog), dayIn("day", last, catalog))} ${phoneLink(catalog.business)}</p>`;
  const leadOn = (to: string) =>
    free ? turn("month", first, TIMES.later) : turn("from", to, TIMES.next(dayIn("day", to, catalog)));
  return part(html`${about}${content}`, html`${before("from", DAYS)}${next && !isEnd && leadOn(next)}`);
}

function firstFree(free: OpenDay, today: string, catalog: Shop): Html {
  const value = startText({ date: free.date, time: free.open[0] ?? "" });
  const button = html`<button class="quiet" name="start" value="${value}">${freeAt(free, today, catalog)}</button>`;
  return html`<p class="first-free">${TIMES.firstFree} ${button}</p>`;
}

/** The radio buttons belong to no form, because the shop need not know which day a visitor looks at. */
function week(days: readonly OpenDay[], shown: OpenDay | undefined, start: Start | undefined, catalog: Shop): Html {
  const cells = days.map((day) => {
    const button = html`<input type="radio" id="day-${day.date}" name="day" form="looking"${day === shown && html` checked`}>`;
    return html`<label class="day${day.open.length > 0 && " free"}">${button}${dayCell(day, catalog)}</label>`;
  });
  return html`<div class="days" role="radiogroup" aria-label="${TIMES.days}">${cells}</div>${reasons(days, catalog)}
<div class="times-of-days">${days.map((day) => timesOf(day, start, catalog))}</div>`;
}

function dayCell(day: OpenDay, catalog: Shop): Html {
  const [weekday, date] = [dayIn("weekday", day.date, catalog), dayIn("dayOfMonth", day.date, catalog)];
  return html`<span>${weekday}</span><b>${date}</b><small>${dayState(day, catalog)}</small>`;
}

function dayState({ status, open, reason = "" }: OpenDay, catalog: Shop): string {
  if (open.length > 0) return TIMES.free;
  if (status === "past" || reason === DAY_OVER) return TIMES.over;
  return status !== "open" ? TIMES.closed : saysFull(reason, catalog) ? TIMES.full : TIMES.noTime;
}

function timesOf({ date, reason, ...times }: OpenDay, start: Start | undefined, catalog: Shop): Html {
  const { open, over_night: paused = [] } = times;
  const day = dayIn("day", date, catalog);
  if (open.length === 0) return html`<p class="none">${reason ?? TIMES.noneOn}</p>`;
  const slots = open.map((time) => {
    const value = startText({ date, time });
    const [clock, isPaused] = [shortClock(time, catalog), paused.includes(time)];
    const pressed = start !== undefined && startText(start) === value && html` aria-pressed="true"`;
    const label = `${day}, ${clock}${isPaused ? `, ${TIMES.overNight}` : ""}`;
    const text = html`${clock}${isPaused && html` <small>${TIMES.overNight}</small>`}`;
    return html`<button class="slot" name="start" value="${value}"${pressed} aria-label="${label}">${text}</button>`;
  });
  return html`<div class="slots" role="group" aria-label="${TIMES.timesOf(day)}">${slots}</div>`;
}

/** Why days are closed, where it is not what every week has. */
function reasons(days: readonly OpenDay[], catalog: Shop): Html | undefined {
  const closed = days.filter(({ open, reason }) => open.length === 0 && reason !== undefined);
  const special = closed.filter(({ date, status }) => status !== "closed" || planOf(catalog, date).special);
  const said = special.map(({ date, reason = "" }) => TIMES.reason(dayIn("day", date, catalog), reason));
  return said.length === 0 ? undefined : html`<ul class="reasons">${said.map((one) => html`<li>${one}</li>`)}</ul>`;
}

/** Four weeks side by side: a free day leads to its times, and the others say why they do not. */
function month(days: readonly OpenDay[], path: string, catalog: Shop): Html {
  const cells = days.map((day) => {
    const content = dayCell(day, catalog);
    if (day.open.length === 0) return html`<li class="day">${content}</li>`;
    const to = html`name="from" value="${day.date}" formaction="${path}#times"`;
    return html`<li><button class="day free" ${to}>${content}</button></li>`;
  });
  return html`<ul class="month" aria-label="${TIMES.days}">${cells}</ul>${reasons(days, catalog)}`;
}
