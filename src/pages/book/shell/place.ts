/** Where the shop is and when it is open: a line for today, and the week. */
import { directionsUrl } from "../../../catalog/page-addresses.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { WEEKDAYS } from "../../../constants.ts";
import { nextOpenMoment, planOf, rfc3339, shopDate } from "../../../domain/schedule.ts";
import { type Html, html } from "../../../lib/html.ts";
import { startOfMoment } from "./paths.ts";
import { PAGE_TEXTS } from "./texts.ts";
import { dayIn, nearDay, shortClock } from "./wording.ts";

const SAID = PAGE_TEXTS.place;

/** `Open today until 6 PM · Marietta · Directions`. */
export function placeLine(catalog: Shop, now: Temporal.Instant): Html {
  const { business } = catalog;
  const way = html`<a href="${directionsUrl(business)}" target="_blank">${SAID.directions}</a>`;
  return html`<p class="soft here">${openLine(catalog, now)} · ${business.address.locality} · ${way}</p>`;
}

function openLine(catalog: Shop, now: Temporal.Instant): string {
  const today = shopDate(catalog, now);
  const moment = now.epochMilliseconds;
  const atShop = (one: number) => startOfMoment(rfc3339(catalog, one));
  const next = nextOpenMoment(catalog, moment);
  const open = planOf(catalog, today).openings.find(({ opensAt, closesAt }) => opensAt <= next && next < closesAt);
  if (open && next === moment) return SAID.openUntil(shortClock(atShop(open.closesAt).time, catalog));
  const { date, time } = atShop(next);
  return SAID.opens(nearDay(date, today) ?? dayIn("day", date, catalog), shortClock(time, catalog));
}

/** The week, with days of the same hours in one line, and the days that differ. */
export function hoursOfWeek(catalog: Shop): Html {
  const { hours } = catalog.business;
  const said = (times: readonly { opens: string; closes: string }[]) =>
    times.map(({ opens, closes }) => `${shortClock(opens, catalog)} – ${shortClock(closes, catalog)}`).join(", ") ||
    SAID.closed;
  // A week that begins on Monday.
  const names = WEEKDAYS.map((_, i) => dayIn("weekday", `2024-01-0${i + 1}`, catalog));
  const rows: { first: number; last: number; text: string }[] = [];
  for (const [i, day] of WEEKDAYS.entries()) {
    const text = said(hours[day]);
    const before = rows.at(-1);
    if (before?.text === text) before.last = i;
    else rows.push({ first: i, last: i, text });
  }
  const lines = rows.map(({ first, last, text }) => {
    const days = last > first ? `${names[first]} – ${names[last]}` : names[first];
    return html`<span>${days} ${text}</span> `;
  });
  return html`<p class="hours" id="hours">${lines}</p>`;
}
