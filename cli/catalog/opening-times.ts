/** Opening times as an owner types them: `9-18`, `9-5`, `9am-2pm`, `9:00-12:00, 13:00-18:00`, `mon-fri 9-18, sat 9-14`, `closed`. */
import { type Catalog, catalogSchema } from "../../src/catalog/schema.ts";
import { timeSpan } from "../../src/domain/spoken-dates.ts";
import { explain } from "../../src/schema/explain.ts";
import { WEEKDAYS, type Weekday } from "../../src/vocabulary.ts";

export type WeekHours = Catalog["business"]["hours"];
export type OpeningTimes = WeekHours[Weekday];

/** The catalog's rule for one day. */
const RULE = catalogSchema.shape.business.shape.hours.shape.monday;
const SPAN = /^(\d{1,2}(?::\d\d)?(?:[ap]m)?)-(\d{1,2}(?::\d\d)?(?:[ap]m)?)$/;
const LIKE = "write 9am-6pm, 9:00-18:00, or closed";

/** Reads the times of one day. @returns a sentence when they cannot be read */
export function readOpeningTimes(typed: string): OpeningTimes | string {
  const text = tidy(typed);
  if (text === "") return "Write the times like 9am-6pm, or closed.";
  if (text === "closed") return [];
  const times: OpeningTimes = [];
  for (const span of text.split(/, ?| /)) {
    const [, opens, closes] = SPAN.exec(span) ?? [];
    if (!opens || !closes) return `"${span}" is not a span of time: ${LIKE}.`;
    // Midnight ends a day as 24:00.
    times.push({ opens: clockTime(opens), closes: closingTime(opens, closes).replace("00:00", "24:00") });
  }
  const fault = RULE.safeParse(times, { error: explain }).error?.issues[0];
  return fault ? `${String(fault.path.at(-1) ?? "The day")} ${fault.message}: ${LIKE}.` : times;
}

/**
 * Reads the times of a week. Days that are not named are closed; a day named twice has a break.
 * @returns a message when they cannot be read, to follow the name of the answer: "must have …"
 */
export function readWeekHours(typed: string): WeekHours | string {
  const hours = Object.fromEntries(WEEKDAYS.map((day): [Weekday, OpeningTimes] => [day, []])) as WeekHours;
  for (const part of tidy(typed).split(/, ?/)) {
    const [, named = "", times = ""] = /^([a-z-]+) (.+)$/.exec(part) ?? [];
    const days = readDays(named);
    if (!days) return `must be like mon-fri 9am-6pm, sat 9am-2pm; "${part}" is not`;
    const opening = readOpeningTimes(times);
    if (typeof opening === "string") return `must have times for "${part}" that can be read: ${opening.slice(0, -1)}`;
    for (const day of days) hours[day] = [...hours[day], ...opening];
  }
  const wrong = WEEKDAYS.find((day) => !RULE.safeParse(hours[day]).success);
  return wrong ? `must have the times of ${wrong} in order, without overlap` : hours;
}

/** Reads `sat` or `mon-fri`. A range may run over the end of the week: `fri-mon`. */
export function readDays(typed: string): Weekday[] | undefined {
  const [first = "", last = first] = tidy(typed).split("-");
  const [from, to] = [dayNumber(first), dayNumber(last)];
  if (from < 0 || to < 0) return undefined;
  const count = ((to - from + 7) % 7) + 1;
  return Array.from({ length: count }, (_, i) => WEEKDAYS[(from + i) % 7] ?? "monday");
}

export function openingTimesInWords(times: readonly OpeningTimes[number][]): string {
  return times.length === 0 ? "closed" : times.map(timeSpan).join(", ");
}

/** Small letters, without spaces around dashes and before am and pm. */
function tidy(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/ ?(?:[-–—]|\bto\b) ?/g, "-")
    .replace(/(\d) (?=[ap]m\b)/g, "$1");
}

function dayNumber(word: string): number {
  return word.length < 2 ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(word));
}

/** After a morning the end of `9-5` is in the afternoon. */
function closingTime(opens: string, closes: string): string {
  const [from, to] = [clockTime(opens), clockTime(closes)];
  const isAfternoon = /^[1-9][^m]*$/.test(closes) && to < "12:00" && to <= from && from < "13:00";
  return isAfternoon ? clockTime(`${closes}pm`) : to;
}

/** `9`, `9:00` and `9am` mean 09:00. */
function clockTime(typed: string): string {
  const [, hours = "", minutes = "00", half] = /^(\d+)(?::(\d\d))?([ap]m)?$/.exec(typed) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  return `${String(hour).padStart(2, "0")}:${minutes}`;
}
