/** Opening hours of a week as an owner would say them: `mon-fri 09:00-18:00, sat 09:00-15:00`. */
import { WEEKDAYS, type Weekday } from "../src/vocabulary.ts";

export type WeekHours = Record<Weekday, { opens: string; closes: string }[]>;

const PART = /^([a-z]+)(?:\s*-\s*([a-z]+))?\s+(\d{1,2}(?::\d{2})?)\s*-\s*(\d{1,2}(?::\d{2})?)$/i;

const OPENS = /^([01]\d|2[0-3]):[0-5]\d$/;
const CLOSES = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Days that are not named are closed; a day named twice has a break in between. @returns what is wrong, as text */
export function readWeekHours(typed: string): WeekHours | string {
  const hours = Object.fromEntries(WEEKDAYS.map((day): [string, WeekHours[Weekday]] => [day, []])) as WeekHours;
  for (const part of typed.split(",").map((one) => one.trim())) {
    const [, first = "", last = first, opens = "", closes = ""] = PART.exec(part) ?? [];
    const from = dayNumber(first);
    const to = dayNumber(last);
    if (from < 0 || to < 0) return `cannot read "${part}"; write it like mon-fri 09:00-18:00, sat 09:00-15:00`;
    const times = { opens: clockTime(opens), closes: clockTime(closes) };
    if (!OPENS.test(times.opens) || !CLOSES.test(times.closes))
      return `cannot read the times of "${part}"; write them like 09:00-18:00`;
    if (times.opens >= times.closes) return `closes before it opens: "${part}"`;
    // A range may run over the end of the week: fri-mon.
    for (let i = from; ; i = (i + 1) % 7) {
      hours[WEEKDAYS[i] ?? "monday"].push(times);
      if (i === to) break;
    }
  }
  return hours;
}

function dayNumber(word: string): number {
  return word.length < 2 ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(word.toLowerCase()));
}

/** `9` and `9:00` mean 09:00. */
function clockTime(typed: string): string {
  const [hours = "", minutes = "00"] = typed.split(":");
  return `${hours.padStart(2, "0")}:${minutes}`;
}
