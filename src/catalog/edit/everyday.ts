/** Everyday edits, text in, text out: prices, add-ons, hours, single days, questions and answers. */
import type { Weekday } from "../../constants.ts";
import { readLayout } from "../load/values.ts";
import type { Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { findSetting } from "../settings.ts";
import { EditError } from "../source.ts";
import { insertItem, removeItem, setFlow, setScalar } from "./changes.ts";

/** @param coverage undefined in a column with one price */
export function pricePath(vehicle: string, column: string, coverage: string | undefined): Path {
  return ["automotive", "vehicle_types", vehicle, column, ...(coverage === undefined ? [] : [coverage])];
}

export function isListPrice(path: Path): boolean {
  return path.length > 3 && path[0] === "automotive" && path[1] === "vehicle_types";
}

export function addonPath(addon: string, film: string): Path {
  return ["automotive", "addons", addon, "price", film];
}

type OpeningTimes = NonNullable<WrittenCatalog["business"]["hours"][Weekday]>;
export type SpecialDay = NonNullable<WrittenCatalog["business"]["special_hours"]>[number];
export type WrittenBlockedHours = NonNullable<WrittenCatalog["scheduling"]["blocked_hours"]>[number];
export type Faq = Pick<WrittenCatalog["faq"][number], "category" | "question" | "answer">;

const SPECIAL_HOURS: Path = ["business", "special_hours"];
const BLOCKED_DATES: Path = ["scheduling", "blocked_dates"];
const BLOCKED_HOURS: Path = ["scheduling", "blocked_hours"];
const FAQ: Path = ["faq"];

/** @param times empty for a day on which the shop is closed */
export function setHours(text: string, day: Weekday, times: OpeningTimes): string {
  return setFlow(text, ["business", "hours", day], times);
}

/** Sets the hours of a single day; special hours it had before are replaced. */
export function setSpecialDay(text: string, day: SpecialDay): string {
  return putDay(text, SPECIAL_HOURS, day.date, day);
}

export function removeSpecialDay(text: string, date: string): string {
  return removeDay(text, SPECIAL_HOURS, date, `${date} has no special hours`);
}

/** Blocks a day for bookings; a day that is blocked already gets the new reason. */
export function blockDate(text: string, date: string, reason?: string): string {
  return putDay(text, BLOCKED_DATES, date, reason === undefined ? date : { date, reason });
}

/** Takes bookings again on a day: both the block of the day and its blocked hours end. */
export function unblockDate(text: string, date: string): string {
  const hours = listAt(text, BLOCKED_HOURS).flatMap((entry, i) => (dateText(entry) === date ? [i] : []));
  // From the end, so that the places before stay where they are.
  const open = hours.reduceRight((edited, i) => removeItem(edited, BLOCKED_HOURS, i), text);
  const isBlocked = listAt(text, BLOCKED_DATES).some((entry) => dateText(entry) === date);
  return hours.length > 0 && !isBlocked ? open : removeDay(open, BLOCKED_DATES, date, `${date} is not blocked`);
}

/** Blocks hours or bays of a day; an entry for the same hours is replaced. */
export function blockHours(text: string, entry: WrittenBlockedHours): string {
  const entries = listAt(text, BLOCKED_HOURS);
  const known = entries.findIndex((one) => spanText(one) === spanText(entry));
  if (known >= 0) return setFlow(text, [...BLOCKED_HOURS, known], entry);
  const later = entries.findIndex((one) => spanText(one) > spanText(entry));
  return insertItem(text, BLOCKED_HOURS, entry, later < 0 ? undefined : later);
}

export function unblockHours(text: string, entry: WrittenBlockedHours): string {
  const known = listAt(text, BLOCKED_HOURS).findIndex((one) => spanText(one) === spanText(entry));
  if (known < 0) throw new EditError("These hours are not blocked any more.");
  return removeItem(text, BLOCKED_HOURS, known);
}

/** Date, hours and the number of the bay as text in calendar order. */
function spanText(entry: unknown): string {
  const { from = "", to = "", bay = "" } = Object(entry);
  return `${dateText(entry)} ${from} ${to} ${bay}`.trimEnd();
}

/** Adds a question after the last one of its category, with its optional keys where it was in the file before. */
export function addFaq(text: string, faq: Faq): string {
  const { category, question } = faq;
  const same = listAt(text, FAQ).findIndex(
    (entry) => plainQuestion(Object(entry).question) === plainQuestion(question),
  );
  if (same >= 0) {
    throw new EditError(`That is question ${same + 1} already. Change its answer with \`tint faq edit ${same + 1}\`.`);
  }
  const last = listAt(text, FAQ).findLastIndex((entry) => Object(entry).category === category);
  return insertItem(text, FAQ, faq, last < 0 ? undefined : last + 1);
}

/** A question in the form in which questions are compared: small letters, no extra spaces. */
function plainQuestion(question: unknown): string {
  return String(question).trim().replace(/\s+/g, " ").toLowerCase();
}

export function editFaq(text: string, index: number, changes: Partial<Faq>): string {
  requireFaq(text, index);
  return Object.entries(changes).reduce(
    (edited, [key, value]) => (value === undefined ? edited : setScalar(edited, [...FAQ, index, key], value)),
    text,
  );
}

export function removeFaq(text: string, index: number): string {
  requireFaq(text, index);
  return removeItem(text, FAQ, index);
}

function requireFaq(text: string, index: number): void {
  const count = listAt(text, FAQ).length;
  if (index < 0 || index >= count) {
    throw new EditError(`There is no question ${index + 1}; the last one is ${count}. \`tint faq list\` numbers them.`);
  }
}

/** Puts a day into a list that stays in calendar order, or replaces the entry of that day. */
function putDay(text: string, path: Path, date: string, entry: string | SpecialDay): string {
  const days = listAt(text, path).map(dateText);
  const known = days.indexOf(date);
  if (known >= 0) {
    const place = [...path, known];
    return typeof entry === "string" ? text : setFlow(text, place, entry);
  }
  const later = days.findIndex((other) => other > date);
  return insertItem(text, path, entry, later < 0 ? undefined : later);
}

function removeDay(text: string, path: Path, date: string, otherwise: string): string {
  const days = listAt(text, path).map(dateText);
  const index = days.indexOf(date);
  if (index < 0)
    throw new EditError(`${otherwise}${days.length > 0 ? `. The days in the file are: ${days.join(", ")}` : ""}.`);
  return removeItem(text, path, index);
}

function dateText(entry: unknown): string {
  return String(typeof entry === "object" && entry !== null && "date" in entry ? entry.date : entry);
}

/** The entries of a list as written in the file; empty when the optional list is missing. */
function listAt(text: string, path: Path): unknown[] {
  const { value } = findSetting(readLayout(text).source, path.join("."));
  return Array.isArray(value) ? value : [];
}
