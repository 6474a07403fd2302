/** Times and dates as people write them; undefined where a text can mean more than one thing. Source: contract 1, "Understood". */
import { inDigits, LONGEST, numeral, plainText } from "./quantities.ts";

const CLOCK =
  /^(\d{1,2})(?:([:.h])(\d{2}))?(:00)?(?: ?(h))?(?: ?o'?clock)? ?(am|pm|a\.m\.|p\.m\.|a|p|in the morning|in the afternoon|in the evening)?$/;
const NOON = /^(?:12 ?|12:00 )?(?:noon|midday)$/;
const AROUND_TIME = /^at |,? (?:sharp|exactly|please)$/g;

export type IsOpen = (time: string) => boolean;

/** As HH:MM: `9am`, `2 in the afternoon`, `1400`, `noon`. `2:00` is the one of morning and evening at which the shop is open. */
export function readClock(text: string, isOpen: IsOpen = () => false): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = numeral(text)
    .replace(AROUND_TIME, "")
    .replace(/^half past ([a-z]+|\d{1,2})/, (_, hour) => `${inDigits(hour)}:30`);
  if (NOON.test(plain)) return "12:00";
  const military = /^([01]\d|2[0-3])([0-5]\d)(?: ?(?:h|hrs?|hours))?$/.exec(plain);
  if (military) return `${military[1]}:${military[2]}`;
  const [, hours = "", mark, minutes = "00", seconds, h, half] = CLOCK.exec(plain) ?? [];
  const hour = Number(hours);
  if (hours === "" || Number(minutes) > 59 || hour > 23) return undefined;
  const at = (one: number) => `${String(one).padStart(2, "0")}:${minutes}`;
  if (half !== undefined) {
    if (hour < 1 || hour > 12 || seconds || h) return undefined;
    const isLate = half.startsWith("p") || half.endsWith("afternoon") || half.endsWith("evening");
    return at((hour % 12) + (isLate ? 12 : 0));
  }
  // `2h` may be a length of time, `02:00` and `7:30` are those of a clock of 24 hours.
  const isSpan = (mark === "h" || h !== undefined) && hour < MORNING;
  if (isSpan) return undefined;
  if (hour > 12 || hours.startsWith("0") || (mark !== undefined && hour >= MORNING)) return at(hour);
  // A number alone may be anything.
  if (mark === undefined && !plain.includes("clock")) return undefined;
  const [one, other] = [at(hour % 12), at((hour % 12) + 12)].filter(isOpen);
  return other === undefined ? one : undefined;
}

export interface PartOfDay {
  after?: string;
  before?: string;
}

const PARTS_OF_DAY: readonly (readonly [names: RegExp, part: PartOfDay])[] = [
  [/^morning$/, { before: "12:00" }],
  [/^afternoon$/, { after: "12:00" }],
  [/^(?:evening|after work)$/, { after: "17:00" }],
];
const AROUND_PART = /^(?:(?:in|during|any ?time|some ?time|early|late|the|this|that) )+|s$/g;

/** `afternoon`, `in the morning`, `before noon`, `after 3pm` and `between 1 and 3pm`. `after` counts from that time on. */
export function readPartOfDay(text: string, isOpen: IsOpen = () => false): PartOfDay | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = numeral(text).replace(AROUND_TIME, "").replace(AROUND_PART, "");
  const named = PARTS_OF_DAY.find(([names]) => names.test(plain));
  if (named) return named[1];
  const clock = (said = "") => readClock(said, isOpen) ?? readClock(`${said}:00`, isOpen);
  const [, from, to] = /^(?:between |from )?(.+?) ?(?:-|–|to|and|until|till) ?(.+)$/.exec(plain) ?? [];
  if (to !== undefined) {
    const [half = ""] = /[ap]\.?m\.?$/.exec(to) ?? [];
    const [before, after] = [
      clock(to),
      [from, `${from}${half}`].map(clock).find((one) => one && one < (clock(to) ?? "")),
    ];
    return after && before ? { after, before } : undefined;
  }
  const [, until] = /^(?:before|until|till|earlier than) (.+)$/.exec(plain) ?? [];
  const [, since] = /^(?:after|from|past|since|not before) (.+?)(?: on| onwards?)?$/.exec(plain) ?? [];
  const [before, after] = [until && clock(until), since && clock(since)];
  return before ? { before } : after ? { after } : undefined;
}

export function inPart(time: string, { after = "00:00", before = "24:00" }: PartOfDay): boolean {
  return after <= time && time < before;
}

/** From this hour on nobody means the evening. */
const MORNING = 7;

export const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS_OF_WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WEEKDAY = "(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?";
const ONE_WEEKDAY = new RegExp(`^${WEEKDAY}$`);
/** A date with the day of the week before or behind it. */
const WITH_WEEKDAY = new RegExp(`^(?:${WEEKDAY}\\.?,? )?(.*\\d.*?)(?:,? \\(?${WEEKDAY}\\.?\\)?)?$`);
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const MONTH_FIRST = new RegExp(`^${MONTH}[ -](\\d{1,2})(?:st|nd|rd|th)?(?:(?:, ?|[ -])(\\d{4}))?$`);
const DAY_FIRST = new RegExp(`^(?:the )?(\\d{1,2})(?:st|nd|rd|th|\\.)?(?: of)?[ -]${MONTH}(?:(?:, ?|[ -])(\\d{4}))?$`);
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/;

/** As YYYY-MM-DD: `Dec 4, 2026`, `2026/12/4`; with `today` also `Dec 4`, `Friday`, `tomorrow`. `12/04/2026` can mean two days. */
export function readDate(text: string, today?: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = plainText(text)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[‐‑–—]/g, "-");
  const [, before, bare = "", weekday = before] = WITH_WEEKDAY.exec(plain) ?? [];
  const [, month, day, year] = MONTH_FIRST.exec(bare) ?? [];
  if (month !== undefined) return dateFromParts(year, monthNumber(month), day, weekday, today);
  const [, dayBefore, monthAfter, yearAfter] = DAY_FIRST.exec(bare) ?? [];
  if (monthAfter !== undefined) return dateFromParts(yearAfter, monthNumber(monthAfter), dayBefore, weekday, today);
  const [, ofYear, separator, number, ofMonth] = YEAR_FIRST.exec(bare) ?? [];
  const isWhole = separator !== "" || bare.length === 8;
  if (ofYear !== undefined) return isWhole ? dateFromParts(ofYear, Number(number), ofMonth, weekday) : undefined;
  return today === undefined ? undefined : nextDay(plain, today);
}

/** `Tuesday afternoon` as the day and the part of it. */
export function dayWithPart(text: string): { day: string; part: string } | undefined {
  const [, day, part] = /^(.{1,50}?),? (?:in the )?(morning|afternoon|evening)$/i.exec(text.trim()) ?? [];
  return day !== undefined && part !== undefined && !/^(?:this|that|in|in the|the)$/i.test(day)
    ? { day, part }
    : undefined;
}

/** A day of the week, if it is another one than today: who says Friday on a Friday can mean either. */
function nextDay(plain: string, today: string): string | undefined {
  const from = Temporal.PlainDate.from(today);
  const said = plain.replace(/^(?:on |the |this (?:coming )?)/, "");
  const days = ["today", "tomorrow", "day after tomorrow"].indexOf(said);
  if (days >= 0) return from.add({ days }).toString();
  if (!ONE_WEEKDAY.test(said)) return undefined;
  const ahead = (DAYS_OF_WEEK.indexOf(said.slice(0, 3)) + 1 - from.dayOfWeek + 7) % 7;
  return ahead === 0 ? undefined : from.add({ days: ahead }).toString();
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

/** Undefined for a day that does not exist, or that is another day of the week. @param today after which it is, without a year */
function dateFromParts(
  year: string | undefined,
  month: number,
  day = "",
  weekday?: string,
  today?: string,
): string | undefined {
  if (year === undefined) {
    if (today === undefined) return undefined;
    const thisYear = Number(today.slice(0, 4));
    const next = [thisYear, thisYear + 1].map((one) => dateFromParts(String(one), month, day));
    const found = next.find((date) => date !== undefined && date >= today);
    return found === undefined ? undefined : dateFromParts(found.slice(0, 4), month, day, weekday);
  }
  try {
    const date = Temporal.PlainDate.from({ year: Number(year), month, day: Number(day) }, { overflow: "reject" });
    const isOther = weekday !== undefined && DAYS_OF_WEEK.indexOf(weekday.slice(0, 3)) !== date.dayOfWeek - 1;
    return isOther ? undefined : date.toString();
  } catch {
    return undefined;
  }
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Of `Dec 4, 2026 2pm`, or RFC 3339. With another zone's offset, the reading at which the shop is open. */
export function readMoment(
  text: string,
  timezone: string,
  isOpen: IsOpen = () => false,
): { date: string; time: string } | undefined {
  const plain = text.slice(0, LONGEST).trim();
  const [, date = "", time = "", offset] = MOMENT.exec(plain) ?? [];
  if (date === "") return readPhrase(plain, isOpen);
  try {
    const written = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" }).toZonedDateTime(timezone);
    if (offset === undefined || written.offset.replace(":", "") === offset.replace(":", "")) return { date, time };
    const same = Temporal.Instant.from(`${date}T${time}:00${offset}`).toZonedDateTimeISO(timezone);
    const moved = { date: same.toPlainDate().toString(), time: same.toPlainTime().toString().slice(0, 5) };
    const [one, other] = [{ date, time }, moved].filter((moment) => isOpen(moment.time));
    return other === undefined ? one : undefined;
  } catch {
    return undefined;
  }
}

/** A date with a time behind it. */
function readPhrase(text: string, isOpen: IsOpen): { date: string; time: string } | undefined {
  const words = text.split(/\s+/);
  for (let at = 1; at < words.length; at++) {
    const date = readDate(words.slice(0, at).join(" ").replace(/,$/, ""));
    const time = date === undefined ? undefined : readClock(words.slice(at).join(" "), isOpen);
    if (date !== undefined && time !== undefined) return { date, time };
  }
  return undefined;
}
