/** The days and their open times, each a button that leads on with everything chosen so far. */
import type { z } from "zod";
import type { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { Envelope } from "../../../capabilities/core/invoke.ts";
import { BOOK_PATH } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { addDays, laterDate } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { startText } from "../../../job/forms.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { type Html, html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { dayIn, moment, nearDay, phoneLink, shortClock } from "../shell/wording.ts";
import type { Choices } from "./choices.ts";
import type { PagePart } from "./offer.ts";

type Availability = Envelope<z.output<ReturnType<typeof checkAvailability.output>>>;

/** Days shown at a time. */
export const DAYS = 7;

export interface OpenDay {
  date: string;
  status: string;
  open: string[];
  /** Of these, those whose work goes on on another day. */
  over_night?: string[] | undefined;
  reason?: string | undefined;
}

/** The days of a compact answer. */
export function daysOf({ data }: Availability): OpenDay[] {
  return "days" in data ? data.days.flatMap((day) => ("open" in day ? [day] : [])) : [];
}

/** The first day shown, in steps from today, so that the chosen time is among them; undefined for the next days. */
export function firstShown(
  { from, start }: Pick<Choices, "from" | "start">,
  today: string,
  { scheduling }: Shop,
): string | undefined {
  // The date stands in the address and may not exist; then this is NaN, and the next days are shown.
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
  return { days: daysOf(answer), next: typeof from === "string" ? from : undefined };
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
  const days = all.filter(({ status }) => status !== "past" && status !== "beyond_horizon");
  const [first, last] = [all[0]?.date ?? today, all.at(-1)?.date ?? today];
  const free = days.find(({ open }) => open.length > 0);
  const next = free ? addDays(last, 1) : nextOpen;
  const isEnd = all.at(-1)?.status === "beyond_horizon";
  const shown = days.find(({ date, open }) => date === wished?.date && open.length > 0) ?? free;
  const content = free
    ? html`${!start && firstFree(free, today, catalog)}<div class="days" role="radiogroup" aria-label="${said.days}">${days.map((day) => dayCell(day, day === shown, catalog))}</div>${reasons(days, catalog)}<div class="times-of-days">${days.map((day) => timesOf(day, start, catalog))}</div>`
    : html`<p class="notice">${said.none(dayIn("day", first, catalog), dayIn("day", last, catalog))} ${phoneLink(catalog.business)}</p>`;
  const more = html`${first > today && turn(laterDate(today, addDays(first, -DAYS)), said.earlier, path)}${next !== undefined && !isEnd && turn(next, free ? said.later : said.next(dayIn("day", next, catalog)), path)}`;
  return {
    id: "times",
    title: said.title,
    line: start && moment(start, catalog),
    isFolded: start !== undefined,
    content: html`${about}${content}<p class="more">${more}</p>`,
  };
}

/** A button that shows other days. */
function turn(from: string, name: string, path: string): Html {
  return html`<button class="quiet" name="from" value="${from}" formaction="${path}#times">${name}</button>`;
}

function firstFree({ date, open: [time = ""] }: OpenDay, today: string, catalog: Shop): Html {
  const { times: said } = PAGE_TEXTS;
  const day = nearDay(date, today);
  const clock = shortClock(time, catalog);
  const name = day ? said.at(day, clock) : `${dayIn("day", date, catalog)}, ${clock}`;
  return html`<p class="first-free">${said.firstFree} <button class="quiet" name="start" value="${startText({ date, time })}">${name}</button></p>`;
}

/** The radio button belongs to no form, because the shop need not know which day a visitor looks at. */
function dayCell({ date, status, open }: OpenDay, isShown: boolean, catalog: Shop): Html {
  const { times: said } = PAGE_TEXTS;
  const state = open.length > 0 ? said.free : status === "open" ? said.full : said.closed;
  return html`<label class="day${open.length > 0 && " free"}"><input type="radio" id="day-${date}" name="day" form="looking"${isShown && html` checked`}><span>${dayIn("weekday", date, catalog)}</span><b>${dayIn("dayOfMonth", date, catalog)}</b><small>${state}</small></label>`;
}

/** Why days are closed, where it is not what every week has. */
function reasons(days: readonly OpenDay[], catalog: Shop): Html | undefined {
  const closed = days.filter(({ open, reason }) => open.length === 0 && reason !== undefined);
  const special = closed.filter(({ date, status }) => status !== "closed" || isSpecial(date, catalog));
  if (special.length === 0) return undefined;
  return html`<ul class="reasons">${special.map(({ date, reason = "" }) => html`<li>${PAGE_TEXTS.times.reason(dayIn("day", date, catalog), reason)}</li>`)}</ul>`;
}

function isSpecial(date: string, { business }: Shop): boolean {
  return business.special_hours.some((entry) => entry.date === date);
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
