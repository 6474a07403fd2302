/**
 * Numbers, lengths, areas, yes and no, times and dates as people write them in English. Each reader answers undefined where
 * a text can mean more than one thing, or nothing. Source: contract 1, "Understood".
 */

/** Superscripts, fractions and digits in circles: their plain form would be another number. */
const OTHER_NUMBER = /\p{No}/u;

/** A text in plain letters and digits, as `３０` is 30. Source: Unicode NFKC. */
export function plainText(text: string): string {
  return OTHER_NUMBER.test(text) ? text : text.normalize("NFKC");
}

/** What the number of a field counts. */
export type Unit = "inches" | "square feet" | "percent" | "pieces" | "floors" | "days" | "none";

/** The unit of a field, as its name tells. */
export function unitOf(field: string): Unit {
  if (field.endsWith("_in")) return "inches";
  if (field.endsWith("sqft") || field === "square_footage") return "square feet";
  return UNITS.get(field) ?? "none";
}

const UNITS = new Map<string, Unit>([
  ["quantity", "pieces"],
  ["window_count", "pieces"],
  ["blocked_windows", "pieces"],
  ["curtain_windows", "pieces"],
  ["floors", "floors"],
  ["days", "days"],
  ["shade", "percent"],
  ["windshield_shade", "percent"],
  ["factory_glass", "percent"],
  ["front_side", "percent"],
  ["rear_side", "percent"],
  ["rear_window", "percent"],
]);

/** With or without separators of thousands. `1,5` is neither. */
const NUMBER = "(?:\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,9})(?:\\.\\d{1,6})?";
const ABOUT = /^(?:about|around|approx\.?|approximately|roughly|circa|~|≈)\s*/;

const BARE = new RegExp(`^(${NUMBER})$`);
const PERCENT = new RegExp(`^(?:vlt )?(${NUMBER}) ?(?:%|percent|pct)?(?: ?vlt)?(?: ?(?:tint|film|shade))?$`);
const PIECES = new RegExp(`^(?:x ?)?(${NUMBER}) ?(?:x|pcs?|pieces?|panes?|windows?|units?|ea|each)?(?: of them)?$`);
const FLOORS = new RegExp(`^(${NUMBER}) ?(?:st|nd|rd|th)?[ -]?(?:floors?|stor(?:y|ies|eys?)|levels?)?$`);
const DAYS = new RegExp(`^(${NUMBER}) ?(?:days?)?$`);
const INCHES = new RegExp(`^(${NUMBER})(?: (\\d{1,2})/(\\d{1,2}))? ?(?:"|in\\.?|inch|inches)?$`);
const FEET = new RegExp(
  `^(${NUMBER}) ?(?:'|ft\\.?|foot|feet)(?: ?(?:and )?(${NUMBER})(?: (\\d{1,2})/(\\d{1,2}))? ?(?:"|in\\.?|inch|inches)?)?$`,
);
const METRIC = new RegExp(`^(${NUMBER}) ?(mm|cm|m|millimet(?:er|re)s?|centimet(?:er|re)s?|met(?:er|re)s?)$`);
const SQUARE_FEET = new RegExp(`^(${NUMBER}) ?(?:sf|sqft|sq\\.? ?ft\\.?|square (?:foot|feet|ft)|ft2)?(?: of glass)?$`);
const SQUARE_METERS = new RegExp(`^(${NUMBER}) ?(?:sqm|sq\\.? ?m|m2|square met(?:er|re)s?)$`);

/** Inches of a unit, by its first two letters. */
const IN_INCHES = new Map([
  ["mm", 1 / 25.4],
  ["mi", 1 / 25.4],
  ["cm", 1 / 2.54],
  ["ce", 1 / 2.54],
  ["m", 100 / 2.54],
  ["me", 100 / 2.54],
]);
const SQUARE_FEET_PER_METER = 10.7639104;

/** A text as a number in a unit: `4 ft` is 48 inches, `1,200` is 1200, `3 pcs` is 3. */
export function readNumber(text: string, unit: Unit): number | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = numeral(text);
  switch (unit) {
    case "inches":
      return readLength(plain);
    case "square feet": {
      const area = plain.replace(ABOUT, "");
      const meters = numberIn(SQUARE_METERS.exec(area)?.[1]);
      return meters === undefined
        ? numberIn(SQUARE_FEET.exec(area)?.[1])
        : Math.round(meters * SQUARE_FEET_PER_METER * 100) / 100;
    }
    case "percent":
      return /\d/.test(text) ? numberIn(PERCENT.exec(plain)?.[1]) : undefined;
    case "pieces":
      return numberIn(PIECES.exec(plain.replace(ABOUT, ""))?.[1]);
    case "floors":
      return numberIn(FLOORS.exec(plain)?.[1]);
    case "days":
      return numberIn(DAYS.exec(plain)?.[1]);
    case "none":
      return numberIn(BARE.exec(plain)?.[1]);
  }
}

const LONGEST = 60;

/** Small letters, plain digits for digits of other scripts, words up to twelve and the usual fractions. */
function numeral(text: string): string {
  const plain = plainText(text.replace(/(?<=[a-z])²/gi, "2").replace(/[½¼¾]/g, (one) => ` ${FRACTIONS.get(one)}`));
  return plain
    .trim()
    .toLowerCase()
    .replace(/″|”|“|''|′′/g, '"')
    .replace(/[′’]/g, "'")
    .replace(/(?<=\d)-(?=[a-z])/g, " ")
    .replace(/^[a-z]{2,7}\b/, (word) => String(NUMBER_WORDS.get(word) ?? word))
    .replace(/\s+/g, " ");
}

const FRACTIONS = new Map([
  ["½", "1/2"],
  ["¼", "1/4"],
  ["¾", "3/4"],
]);

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"].map((word, i) => [
    word,
    i + 1,
  ]),
);

/** The digits of a number word up to twelve; any other word as it is. */
export function inDigits(word: string): string {
  return String(NUMBER_WORDS.get(word) ?? word);
}

function numberIn(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replaceAll(",", ""));
}

function readLength(plain: string): number | undefined {
  const [, feet, more = "0", top, bottom] = FEET.exec(plain) ?? [];
  if (feet !== undefined) return rounded((numberIn(feet) ?? 0) * 12 + (numberIn(more) ?? 0) + fraction(top, bottom));
  const [, metric, unit = ""] = METRIC.exec(plain) ?? [];
  if (metric !== undefined) return rounded((numberIn(metric) ?? 0) * (IN_INCHES.get(unit.slice(0, 2)) ?? 1));
  const [, inches, over, under] = INCHES.exec(plain) ?? [];
  return inches === undefined ? undefined : rounded((numberIn(inches) ?? 0) + fraction(over, under));
}

function fraction(top = "0", bottom = "1"): number {
  return Number(bottom) === 0 ? Number.NaN : Number(top) / Number(bottom);
}

/** To a hundredth, which is finer than any tape measure. NaN becomes undefined. */
function rounded(inches: number): number | undefined {
  return Number.isFinite(inches) ? Math.round(inches * 100) / 100 : undefined;
}

/** A pane as `30x40`, `4 ft by 6 ft` or `3 @ 30" x 40"`. */
export function readPane(text: string): { width_in: number; height_in: number; quantity: number } | undefined {
  if (text.length > LONGEST) return undefined;
  const [, count = "1", sizes = ""] =
    /^(?:(\d{1,5}) ?(?:@|of|pcs|panes|windows) )?(.{3,50})$/.exec(numeral(text)) ?? [];
  const sides = sizes.replace(/(?<=[\d"' a-z])(?:[x×*]| by )(?=[\d ])/, "|").split("|");
  const [width, height] = sides.map((side) => readLength(side.trim()));
  return sides.length === 2 && width !== undefined && height !== undefined
    ? { width_in: width, height_in: height, quantity: Number(count) }
    : undefined;
}

const YES = new Set(["true", "yes", "y", "t", "1", "on"]);
const NO = new Set(["false", "no", "n", "f", "0", "off"]);

export function readYesNo(value: string | number): boolean | undefined {
  const word = plainText(String(value)).trim().toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** Words with which programs say that there is no value. */
const NOTHING = new Set(["null", "none", "nil", "n/a", "undefined"]);

export function isNothing(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase());
}

const CLOCK =
  /^(?:at )?(\d{1,2})(?:[:.h](\d{2}))?(:00)?(?: ?o'?clock)? ?(am|pm|a\.m\.|p\.m\.|a|p|in the morning|in the afternoon|in the evening)?$/;
const NOON = /^(?:at )?(?:12 ?)?(?:noon|midday)$/;

/** `9:00`, `9am`, `2 in the afternoon`, `1400`, `14` and `noon` as HH:MM. `9` can be morning or evening. */
export function readClock(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = numeral(text);
  if (NOON.test(plain)) return "12:00";
  const military = /^([01]\d|2[0-3])([0-5]\d)(?: ?(?:h|hrs?|hours))?$/.exec(plain);
  if (military) return `${military[1]}:${military[2]}`;
  const [, hours = "", minutes, seconds, half] = CLOCK.exec(plain) ?? [];
  const hour = Number(hours);
  if (hours === "" || Number(minutes ?? 0) > 59) return undefined;
  const rest = minutes ?? "00";
  if (half === undefined) {
    const isClear = minutes !== undefined || hour > 12;
    return isClear && hour < 24 ? `${hours.padStart(2, "0")}:${rest}` : undefined;
  }
  if (hour < 1 || hour > 12 || seconds) return undefined;
  const isLate = half.startsWith("p") || half.endsWith("afternoon") || half.endsWith("evening");
  return `${String((hour % 12) + (isLate ? 12 : 0)).padStart(2, "0")}:${rest}`;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS_OF_WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const WEEKDAY = "(?:(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\\.?,? )?";
const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const MONTH_FIRST = new RegExp(`^${WEEKDAY}${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})$`);
const DAY_FIRST = new RegExp(`^${WEEKDAY}(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? (\\d{4})$`);
const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/;

/** `Dec 4, 2026`, `4 December 2026` and `2026/12/4` as YYYY-MM-DD. `12/04/2026` can mean two days. */
export function readDate(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = plainText(text).trim().toLowerCase().replace(/\s+/g, " ");
  const [, first, month, day, year] = MONTH_FIRST.exec(plain) ?? [];
  if (month !== undefined) return dateOf(year, monthOf(month), day, first);
  const [, weekday, dayBefore, monthAfter, yearAfter] = DAY_FIRST.exec(plain) ?? [];
  if (monthAfter !== undefined) return dateOf(yearAfter, monthOf(monthAfter), dayBefore, weekday);
  const [, ofYear, separator, number, ofMonth] = YEAR_FIRST.exec(plain) ?? [];
  const isWhole = separator !== "" || plain.length === 8;
  return ofYear !== undefined && isWhole ? dateOf(ofYear, Number(number), ofMonth) : undefined;
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3)) + 1;
}

/** Undefined for a day that does not exist, or that is another day of the week. */
function dateOf(year = "", month: number, day = "", weekday?: string): string | undefined {
  try {
    const date = Temporal.PlainDate.from({ year: Number(year), month, day: Number(day) }, { overflow: "reject" });
    const isOther = weekday !== undefined && DAYS_OF_WEEK.indexOf(weekday.slice(0, 3)) !== date.dayOfWeek - 1;
    return isOther ? undefined : date.toString();
  } catch {
    return undefined;
  }
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Date and time of a moment like `2026-12-04T14:00:00-05:00`. Undefined where its offset is not that of the time zone then:
 * it may be meant either way.
 */
export function readMoment(text: string, timezone: string): { date: string; time: string } | undefined {
  const [, date = "", time = "", offset] = MOMENT.exec(text.slice(0, LONGEST).trim()) ?? [];
  if (date === "") return undefined;
  try {
    const there = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" }).toZonedDateTime(timezone);
    const isSame = offset === undefined || there.offset.replace(":", "") === offset.replace(":", "");
    return isSame ? { date, time } : undefined;
  } catch {
    return undefined;
  }
}
