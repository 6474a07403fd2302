/** Days with their open times: the next free one, before a vehicle is named; what each says of itself; and a month of them. */
import type { z } from "zod";
import { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { Envelope } from "../../../capabilities/core/invoke.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { addDays, planOf, shopDate } from "../../../domain/schedule.ts";
import { DAY_OVER, saysFull } from "../../../domain/slots.ts";
import { serviceOf } from "../../../domain/work.ts";
import type { Visit } from "../../../http/pages.ts";
import { type Html, html } from "../../markup/html.ts";
import { PAGE_TEXTS } from "../shell/texts.ts";
import { dayIn, nearDay, shortClock } from "../shell/wording.ts";

const { times: said } = PAGE_TEXTS;

export type Availability = Envelope<z.output<ReturnType<typeof checkAvailability.output>>>;

export const DAYS = 7;

export interface OpenDay {
  date: string;
  status: string;
  open: string[];
  /** Of these, those whose work continues on another day. */
  over_night?: string[] | undefined;
  reason?: string | undefined;
}

export function daysOf({ data }: Availability): OpenDay[] {
  return "days" in data ? data.days.flatMap((day) => ("open" in day ? [day] : [])) : [];
}

/** `Next: tomorrow 9 AM`, for the longest usual work; undefined where no time is free soon. */
export async function nextTime(service: string, { ctx, use }: Visit): Promise<Html | undefined> {
  const { catalog, now } = ctx;
  const open = await use(checkAvailability, {
    service: serviceOf(catalog, service).id,
    days: DAYS,
    view: "compact" as const,
  });
  const free = open.ok && daysOf(open.outcome.body).find(({ open: times }) => times.length > 0);
  return free
    ? html`<p class="next">${said.nextFree} <b>${freeAt(free, shopDate(catalog, now), catalog)}</b></p>`
    : undefined;
}

/** `tomorrow 9 AM`, or `Mon, Nov 30, 9 AM`. */
export function freeAt({ date, open: [time = ""] }: OpenDay, today: string, catalog: Shop): string {
  const day = nearDay(date, today);
  const clock = shortClock(time, catalog);
  return day ? said.at(day, clock) : `${dayIn("day", date, catalog)}, ${clock}`;
}

export function dayState({ status, open, reason = "" }: OpenDay, catalog: Shop): string {
  if (open.length > 0) return said.free;
  if (status === "past" || reason === DAY_OVER) return said.over;
  return status !== "open" ? said.closed : saysFull(reason, catalog) ? said.full : said.noTime;
}

/** Why days are closed, where it is not what every week has. */
export function reasons(days: readonly OpenDay[], catalog: Shop): Html | undefined {
  const closed = days.filter(({ open, reason }) => open.length === 0 && reason !== undefined);
  const special = closed.filter(({ date, status }) => status !== "closed" || planOf(catalog, date).special);
  if (special.length === 0) return undefined;
  return html`<ul class="reasons">${special.map(({ date, reason = "" }) => html`<li>${PAGE_TEXTS.times.reason(dayIn("day", date, catalog), reason)}</li>`)}</ul>`;
}

export const MONTH_DAYS = 28;

/** Four weeks side by side: a free day leads to its times, and the others say why they do not. */
export function month(days: readonly OpenDay[], path: string, catalog: Shop): Html {
  const cells = days.map((day) => {
    const { date, open } = day;
    const content = html`<span>${dayIn("weekday", date, catalog)}</span><b>${dayIn("dayOfMonth", date, catalog)}</b><small>${dayState(day, catalog)}</small>`;
    return open.length > 0
      ? html`<li><button class="day free" name="from" value="${date}" formaction="${path}#times">${content}</button></li>`
      : html`<li class="day">${content}</li>`;
  });
  return html`<ul class="month" aria-label="${said.days}">${cells}</ul>${reasons(days, catalog)}`;
}

/** The way to the month before and after. */
export function months(first: string, today: string, isEnd: boolean, path: string): Html {
  const turn = (from: string, name: string) =>
    html`<button class="quiet" name="month" value="${from}" formaction="${path}#times">${name}</button>`;
  const before = addDays(first, -MONTH_DAYS);
  return html`<p class="more">${first > today && turn(before > today ? before : today, said.earlier)}${!isEnd && turn(addDays(first, MONTH_DAYS), said.later)}</p>`;
}
