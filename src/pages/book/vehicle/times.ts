/** The open times, each a button that leads on with everything chosen so far. */
import type { z } from "zod";
import type { checkAvailability } from "../../../capabilities/check-availability.ts";
import type { Envelope } from "../../../capabilities/core/invoke.ts";
import { startText } from "../../../capabilities/shared/page-links.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { addDays, laterDate } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { DAY_MS } from "../../../lib/durations.ts";
import { type Html, html } from "../../markup/html.ts";
import { dayIn, shortClock } from "../shell/wording.ts";
import type { Choices } from "./choices.ts";

type Availability = Envelope<z.output<ReturnType<typeof checkAvailability.output>>>;

/** Days shown at a time. */
export const DAYS = 7;

export interface OpenDay {
  date: string;
  status: string;
  open: string[];
}

/** The days of a compact answer. */
export function daysOf({ data }: Availability): OpenDay[] {
  return "days" in data ? data.days.flatMap((day) => ("open" in day ? [day] : [])) : [];
}

/** The first day shown, in steps from today, so that the chosen time is among them; undefined for the next days. */
export function firstShown({ from, start }: Choices, today: string, { scheduling }: Catalog): string | undefined {
  // The date stands in the address and may not exist; then this is NaN, and the next days are shown.
  const ahead = start ? (Date.parse(start.date) - Date.parse(today)) / DAY_MS : 0;
  return (
    from ?? (ahead >= DAYS && ahead <= scheduling.horizon_days ? addDays(today, ahead - (ahead % DAYS)) : undefined)
  );
}

/**
 * The chosen start, or where it is not free the nearest of the days shown. A start on other days is left as it is, because
 * nobody looked there.
 */
export function nearestOpen({ start, from }: Choices, answer: Availability): Start | undefined {
  if (!start) return undefined;
  const days = daysOf(answer);
  const [first, last] = [days[0]?.date ?? "", days.at(-1)?.date ?? ""];
  if (from !== undefined && (start.date < first || start.date > last)) return start;
  const open = days.flatMap(({ date, open: free }) => free.map((time) => ({ date, time })));
  const distance = (one: Start) => Math.abs(minutesOf(one) - minutesOf(start));
  return open.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** For comparing starts with each other, so the time zone does not matter. */
function minutesOf({ date, time }: Start): number {
  return Date.parse(`${date}T${time}:00Z`);
}

/** The first day with an open time, where the days of the answer have none. */
function nextOpen({ next_actions: steps = [] }: Availability): string | undefined {
  const from = steps.map(({ sample_request: sample }) => sample.from).find((one) => typeof one === "string");
  return typeof from === "string" ? from : undefined;
}

export function times({ start }: Choices, answer: Availability, today: string, catalog: Catalog): Html {
  const days = daysOf(answer);
  const [first, last] = [days[0]?.date ?? today, days.at(-1)?.date ?? today];
  const isNone = days.every(({ open }) => open.length === 0);
  const next = isNone ? nextOpen(answer) : addDays(last, 1);
  const isEnd = days.at(-1)?.status === "beyond_horizon";
  return html`<section class="times" id="times" aria-labelledby="times-title"><h2 id="times-title" tabindex="-1">Pick a time</h2>
${isNone ? html`<p class="notice">There is no open time from ${dayIn("day", first, catalog)} to ${dayIn("day", last, catalog)}.</p>` : html`<ul class="days">${days.filter(({ status }) => status !== "past" && status !== "beyond_horizon").map((day) => dayRow(day, start && startText(start), catalog))}</ul>`}
<p class="more">${first > today && html`<button class="quiet" name="from" value="${laterDate(today, addDays(first, -DAYS))}" formaction="/book#times">Earlier days</button>`}${next !== undefined && !isEnd && html`<button class="quiet" name="from" value="${next}" formaction="/book#times">${isNone ? `Next open day: ${dayIn("day", next, catalog)}` : "Later days"}</button>`}</p></section>`;
}

function dayRow({ date, status, open }: OpenDay, chosen: string | undefined, catalog: Catalog): Html {
  const name = html`<span class="day"><b>${dayIn("weekday", date, catalog)}</b> ${dayIn("dayOfMonth", date, catalog)}</span>`;
  if (open.length === 0)
    return html`<li class="none">${name}<span class="none-text">${status === "open" ? "No time left" : "Closed"}</span></li>`;
  return html`<li>${name}<span class="slots">${open.map((time) => {
    const value = startText({ date, time });
    return html`<button class="slot" name="start" value="${value}" formaction="/book#details"${value === chosen && html` aria-pressed="true"`} aria-label="${dayIn("day", date, catalog)}, ${shortClock(time, catalog)}">${shortClock(time, catalog)}</button>`;
  })}</span></li>`;
}
