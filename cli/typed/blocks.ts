/** Hours and bays that take no work, as an owner types them: `1 to 3 PM, bay 2`, `afternoon`, `from 2 PM`, `1 bay`. */
import type { WrittenBlockedHours } from "../../src/catalog/edit/everyday.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { dayAndDate, timeOfDay } from "../../src/domain/dates-in-words.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { counted } from "../../src/lib/text.ts";
import { clean, UsageError } from "../terminal/output.ts";
import { readDates } from "./date-ranges.ts";
import { readTime } from "./times.ts";
import { issueIn } from "./values.ts";

export const PART_FORMS = "1 to 3 PM, afternoon, from 2 PM, until noon, bay 2 or 1 bay";

/** The hours and bays of a day; nothing for the whole day. */
export type BlockedPart = Omit<WrittenBlockedHours, "date" | "reason">;

const NUMBERS = ["one", "two", "three", "four"];
const BAY = /\bbay (?:no\.? ?|number ?|# ?)?(\d{1,2})\b/;
const BAYS = /\b(\d{1,2}|one|two|three|four) bays?\b/;

/** @param now HH:MM, called only when needed @returns nothing for an empty text and for `all day` @throws UsageError */
export function readPart(typed: string, date: string, catalog: Shop, now?: () => string): BlockedPart {
  const text = ` ${typed.toLowerCase()} `.replace(/[,;]/g, " ").replace(/\s+/g, " ");
  const [, number] = BAY.exec(text) ?? [];
  const [, many] = (number === undefined && BAYS.exec(text)) || [];
  const words = text
    .replace(BAY, "")
    .replace(BAYS, "")
    .replace(/ (?:only|in|on|and)(?= )/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const { to, ...hours } = readBlockedHours(words, { date, catalog, now, typed });
  return {
    ...hours,
    // A block without an end lasts as long as the day.
    ...(to !== undefined && to !== "24:00" && { to }),
    ...(number !== undefined && { bay: goodBay(number, catalog) }),
    ...(many !== undefined && { bays: goodCount(many, catalog) }),
  };
}

/** The days, and the words about hours and bays behind them: `friday`, `1 to 3 pm`. @throws UsageError */
export function readBlock(typed: string, today: () => string): { days: readonly [string, ...string[]]; words: string } {
  const whole = issueIn(() => readDates(typed, today));
  if (whole === null) return { days: readDates(typed, today), words: "" };
  const words = typed.split(/(?<=,) *| +/);
  for (let count = words.length - 1; count > 0; count--) {
    const head = words.slice(0, count).join(" ").replace(/,$/, "");
    const tail = words.slice(count).join(" ");
    // The end of a stretch of days that cannot be read is none of an afternoon.
    if (issueIn(() => readDates(head, today)) === null && !/^to\b/.test(tail))
      return { days: readDates(head, today), words: tail };
  }
  throw new UsageError(whole);
}

/** Hours and bays of the day shown in the diary, or of another day that is typed in front of them. @throws UsageError */
export function readDayPart(typed: string, shown: string, catalog: Shop, now: () => { date: string; time: string }) {
  const partOf = (date: string, words: string) => ({ date, ...readPart(words, date, catalog, () => now().time) });
  const issue = issueIn(() => partOf(shown, typed));
  if (issue === null) return partOf(shown, typed);
  const other = () => readBlock(typed, () => now().date);
  // What begins with no day is about the hours of this one.
  if (issueIn(other) !== null) throw new UsageError(issue);
  const { days, words } = other();
  if (days.length > 1) throw new UsageError("The diary blocks one day at a time; tint block takes several.");
  return partOf(days[0], words);
}

/** A bay by its number. @throws UsageError for one that the shop does not have */
export function goodBay(typed: string, { scheduling: { bays } }: Shop): number {
  const bay = /^\d{1,2}$/.test(typed) ? Number(typed) : 0;
  if (bay >= 1 && bay <= bays) return bay;
  throw new UsageError(`There is no bay ${clean(typed)}: the shop has ${counted(bays, "bay")}.`);
}

/** How many bays. @throws UsageError for more than the shop has */
export function goodCount(typed: string, { scheduling: { bays } }: Shop): number {
  const count = NUMBERS.indexOf(typed) + 1 || (/^\d{1,2}$/.test(typed) ? Number(typed) : 0);
  if (count >= 1 && count <= bays) return count;
  throw new UsageError(`${clean(typed)} is not a number of bays: the shop has ${counted(bays, "bay")}.`);
}

interface Day {
  date: string;
  catalog: Shop;
  now?: (() => string) | undefined;
}

function readBlockedHours(words: string, { typed, ...day }: Day & { typed: string }): BlockedPart {
  if (/^(?:all day|the (?:whole|entire) day|)$/.test(words)) return {};
  if (/^(?:the )?morning$/.test(words)) return orderTimes(timeEdge("open", day), "12:00");
  if (/^(?:the )?afternoon$/.test(words)) return orderTimes("12:00", timeEdge("close", day));
  const [, from, to] = /^(?:from )?(.+?) ?(?:-|–|\bto\b|\buntil\b|\btill\b) ?(.+)$/.exec(words) ?? [];
  if (from && to) return orderTimes(timeEdge(withHalf(from, to), day), timeEdge(to, day));
  const [, end] = /^(?:until|till|to|before) (.+)$/.exec(words) ?? [];
  if (end) return { to: timeEdge(end, day) };
  const [, begin] = /^(?:from|after) (.+?)(?: on)?$/.exec(words) ?? [];
  if (begin) return { from: timeEdge(begin, day) };
  throw new UsageError(`${clean(typed.trim())} does not say which hours or bay: write it like ${PART_FORMS}.`);
}

/** `6` of `6 to 8 PM` is in the evening too, where that comes first. */
function withHalf(from: string, to: string): string {
  const [half] = /[ap]\.?m?\.?$/.exec(to) ?? [];
  const both = `${from}${half ?? ""}`;
  const isBefore = half !== undefined && issueIn(() => readTime(both)) === null && readTime(both) < readTime(to);
  return isBefore ? both : from;
}

export function orderTimes(from: string, to: string): { from: string; to: string } {
  if (to > from) return { from, to };
  throw new UsageError(`The end, ${timeOfDay(to)}, must be later than the beginning, ${timeOfDay(from)}.`);
}

/** A time of the day, or `open` and `close` for the shop's own hours. @throws UsageError */
export function timeEdge(typed: string, { date, catalog, now }: Day): string {
  const [, edge] = /^(open|clos)(?:e|es|ing|ing time)?$/i.exec(typed.trim()) ?? [];
  if (edge === undefined) return readTime(typed, now);
  const hours = planOf(catalog, date).hours;
  const at = edge.toLowerCase() === "open" ? hours[0]?.opens : hours.at(-1)?.closes;
  if (at === undefined) throw new UsageError(`The shop is closed on ${dayAndDate(date)} anyway.`);
  return at;
}
