/** Numbers, lengths, areas, yes and no as people write them; undefined where a text can mean more than one thing. Source: contract 1. */
import { scalarText } from "../lib/text.ts";

/** Superscripts, fractions and digits in circles: their plain form would be another number. */
const OTHER_NUMBER = /\p{No}/u;

/** A text in plain letters and digits, as `３０` and `٣٠` are 30. Source: Unicode NFKC. */
export function plainText(text: string): string {
  return OTHER_NUMBER.test(text) ? text : text.normalize("NFKC").replace(/(?!\d)\p{Nd}/gu, digitIn);
}

/** Digits of all scripts stand in tens, from zero to nine. */
function digitIn(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

/** What the number of a field counts. */
type Unit =
  | "inches"
  | "inches wide"
  | "inches high"
  | "square feet"
  | "percent"
  | "pieces"
  | "pieces or none"
  | "floors"
  | "days"
  | "year"
  | "none";

export function unitOf(field: string): Unit {
  if (field === "width_in" || field === "height_in") return field === "width_in" ? "inches wide" : "inches high";
  if (field.endsWith("_in")) return "inches";
  if (field.endsWith("sqft") || field === "square_footage") return "square feet";
  return UNITS.get(field) ?? (OF_LIGHT.test(field) ? "percent" : "none");
}

const UNITS = new Map<string, Unit>([
  ["quantity", "pieces"],
  ["window_count", "pieces"],
  ["blocked_windows", "pieces or none"],
  ["curtain_windows", "pieces or none"],
  ["floors", "floors"],
  ["days", "days"],
  ["vehicle_year", "year"],
]);

const OF_LIGHT = /^(?:(?:windshield_)?shade|factory_glass|front_side|rear_side|rear_window)$/;

/** With or without commas of thousands. `1,5` and `0,500` are neither. */
const NUMBER = "(?:[1-9]\\d{0,2}(?:,\\d{3}){1,3}|\\d{1,9})(?:\\.\\d{1,6})?";
/** Before a unit, also with a decimal comma: `1,5 m`, `0,125 m`, `1.200,5 mm`. */
const MEASURE = `(?:(?:0,\\d{1,6}|(?:\\d{1,3}(?:\\.\\d{3}){1,2}|\\d{1,9}),\\d{1,2})(?= ?["'a-z])|${NUMBER})`;
const ABOUT = /^(?:about|around|approx\.?|approximately|roughly|circa|~|≈)\s*/i;

const BARE = new RegExp(`^(${NUMBER})$`);
const PERCENT = new RegExp(`^(?:vlt:? ?)?(${NUMBER}) ?(?:%|percent|pct)?(?: ?vlt)?(?: ?(?:tint|film|shade))?$`);
const PIECES = new RegExp(`^(?:x ?)?(${NUMBER}) ?(?:x|pcs?|pieces?|panes?|windows?|units?|ea|each)?(?: of them)?$`);
const FLOORS = new RegExp(`^(${NUMBER}) ?(?:st|nd|rd|th)?[ -]?(?:floors?|stor(?:y|ies|eys?)|levels?)?$`);
const DAYS = new RegExp(`^(${NUMBER}) ?(days?|weeks?)?$`);
/** `'21` is 2021 and `'98` 1998; what lies between them can be either. */
const YEAR = /^'(?:([0-3]\d)|([6-9]\d))$/;
const FRACTION = "(?: (\\d{1,2})/(\\d{1,2}))?";
const INCHES = new RegExp(`^(${MEASURE})${FRACTION} ?(?:"|in\\.?|inch|inches)?$`);
const FEET = new RegExp(
  `^(${MEASURE})${FRACTION} ?(?:'|ft\\.?|foot|feet)(?: ?(?:and )?(${MEASURE})${FRACTION} ?(?:"|in\\.?|inch|inches)?)?$`,
);
const METRIC = new RegExp(`^(${MEASURE}) ?(mm|cm|m|millimet(?:er|re)s?|centimet(?:er|re)s?|met(?:er|re)s?)$`);
const SQUARE_FEET = new RegExp(`^(${MEASURE}) ?(?:sf|sqft|sq\\.? ?ft\\.?|square (?:foot|feet|ft)|ft2)?(?: of glass)?$`);
const SQUARE_METERS = new RegExp(`^(${MEASURE}) ?(?:sqm|sq\\.? ?m|m2|square met(?:er|re)s?)$`);
/** Three decimals are thousands elsewhere, unless they are those of a length. */
const THOUSAND_OR_POINT = /^\d{1,3}\.\d{3}(?![\d,])/;

/** Inches of a unit, by its first two letters. */
const IN_INCHES = new Map(
  Object.entries({ mm: 1 / 25.4, mi: 1 / 25.4, cm: 1 / 2.54, ce: 1 / 2.54, m: 100 / 2.54, me: 100 / 2.54 }),
);
const SQUARE_FEET_PER_METER = 10.7639104;

/** A text as a number in a unit: `4 ft` is 48 inches, `1,200` is 1200, `3 pcs` is 3. */
export function readNumber(text: string, unit: Unit): number | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = inHundreds(numeral(text), unit.startsWith("inches") ? " " : " '");
  switch (unit) {
    case "inches":
      return readLength(plain);
    case "inches wide":
    case "inches high": {
      const { size, way } = labeled(plain);
      return way === undefined || way === unit.slice("inches ".length) ? readLength(size) : undefined;
    }
    case "square feet": {
      const area = numeral(plain.replace(ABOUT, ""));
      const meters = numberIn(SQUARE_METERS.exec(area)?.[1]);
      if (THOUSAND_OR_POINT.test(area)) return undefined;
      return meters === undefined
        ? numberIn(SQUARE_FEET.exec(area)?.[1])
        : Math.round(meters * SQUARE_FEET_PER_METER * 100) / 100;
    }
    case "percent":
      return /\d/.test(text) ? numberIn(PERCENT.exec(plain)?.[1]) : undefined;
    case "pieces":
      return THOUSAND_OR_POINT.test(plain) ? undefined : numberIn(PIECES.exec(numeral(plain.replace(ABOUT, "")))?.[1]);
    case "pieces or none":
      return plain === "no" || plain === "zero" ? 0 : readNumber(text, "pieces");
    case "floors":
      return numberIn(FLOORS.exec(plain)?.[1]);
    case "days": {
      const [, days, of = ""] = DAYS.exec(plain) ?? [];
      return days === undefined ? undefined : Number(numberIn(days)) * (of.startsWith("week") ? 7 : 1);
    }
    case "year": {
      const [, late, early] = YEAR.exec(plain) ?? [];
      if (late !== undefined) return 2000 + Number(late);
      if (early !== undefined) return 1900 + Number(early);
      return numberIn(BARE.exec(plain.replace(/ model(?: year)?$/, ""))?.[1]);
    }
    case "none":
      return numberIn(BARE.exec(plain)?.[1]);
  }
}

/** A number whose thousands are apart, without what is between them: `1 200` and, where it marks no feet, `1'200`. */
function inHundreds(plain: string, between: string): string {
  const [apart] = new RegExp(`^\\d{1,3}(?:([${between}])\\d{3}(?:\\1\\d{3}){0,2})(?!\\d)`).exec(plain) ?? [];
  return apart === undefined ? plain : apart.replace(/[ ']/g, "") + plain.slice(apart.length);
}

/** Longer texts are no values. */
export const LONGEST = 60;

/** Small letters, plain digits for digits of other scripts, the usual fractions, and for a number in words its digits. */
export function numeral(text: string): string {
  const plain = plainText(text.replace(/(?<=[a-z])²/gi, "2").replace(/[½¼¾]/g, (one) => ` ${FRACTIONS.get(one)}`));
  const written = plain
    .trim()
    .toLowerCase()
    .replace(/″|”|“|''|′′/g, '"')
    .replace(/[′’‘]/g, "'")
    .replace(/(?<=\d)-(?=[a-z])/g, " ")
    .replace(/\s+/g, " ");
  return written.replace(WORDS_OF_NUMBER, (words) => String(numberSaid(words) ?? words));
}

const FRACTIONS = new Map(Object.entries({ "½": "1/2", "¼": "1/4", "¾": "3/4" }));

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ");
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map<string, number>([
  ...SMALL.map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, 20 + 10 * i] as const),
]);
const OF_TIMES = new Map(Object.entries({ dozen: 12, hundred: 100, thousand: 1000 }));
const ONE_WORD = [...NUMBER_WORDS.keys()].toSorted((a, b) => b.length - a.length).join("|");
/** A number at the beginning: `six`, `two hundred and fifty`, `a dozen`, `second`; not `one` of `one third`. */
const WORDS_OF_NUMBER = new RegExp(
  `^(?:an? (?:dozen|hundred|thousand|week|pair)|half a dozen|single|(?:${ORDINALS.join("|")})|(?:${ONE_WORD})(?:(?:[ -]| and )(?:${ONE_WORD}|dozen|hundred|thousand)){0,6})\\b`,
);

function numberSaid(said: string): number | string | undefined {
  if (ORDINALS.includes(said)) return `${ORDINALS.indexOf(said)}th`;
  if (said === "single") return 1;
  if (said === "a pair") return 2;
  if (said === "half a dozen") return 6;
  if (said === "a week") return "1 week";
  let whole = 0;
  let part = 0;
  let last = Number.POSITIVE_INFINITY;
  for (const word of said.replace(/^an? /, "one ").split(/ and |[ -]/)) {
    const times = OF_TIMES.get(word);
    const value = NUMBER_WORDS.get(word) ?? 0;
    if (times === undefined) {
      // `two two` is no number, nor is `nine fifty`.
      if (last <= 12 || (last < 100 && value > 9)) return undefined;
      part += value;
      last = value > 19 ? 20 : value > 0 ? 1 : 0;
    } else if (times === 1000) {
      whole += part * times;
      part = 0;
      last = times;
    } else {
      part *= times;
      last = times === 12 ? 0 : times;
    }
  }
  return whole + part;
}

/** The digits of a number word up to twelve; any other word as it is. */
export function inDigits(word: string): string {
  const number = NUMBER_WORDS.get(word);
  return number !== undefined && number > 0 && number <= 12 ? String(number) : word;
}

/** A sentence with the digits of its numbers, which transcripts of speech have in words: `thirty five percent`, `nine am`. */
export function sentenceInDigits(sentence: string): string {
  return sentence.replace(ANY_NUMBER, (said) => String(numberSaid(said.toLowerCase()) ?? said));
}

const ANY_NUMBER = new RegExp(`\\b(?:${ONE_WORD})(?:[ -](?:${ONE_WORD}))?\\b`, "gi");

function numberIn(digits: string | undefined): number | undefined {
  const [, whole, part] = DECIMAL_COMMA.exec(digits ?? "") ?? [];
  if (whole !== undefined) return Number(`${whole.replaceAll(".", "")}.${part}`);
  return digits === undefined ? undefined : Number(digits.replaceAll(",", ""));
}

const DECIMAL_COMMA = /^([\d.]+),(\d{1,2}|(?<=^0,)\d{1,6})$/;

function readLength(plain: string): number | undefined {
  const [, feet, over, under, inches = "0", top, bottom] = FEET.exec(plain) ?? [];
  const more = (numberIn(inches) ?? 0) + fraction(top, bottom);
  // 4 feet 18 inches is a slip, or something else.
  if (feet !== undefined && more >= 12) return undefined;
  if (feet !== undefined) return rounded(((numberIn(feet) ?? 0) + fraction(over, under)) * 12 + more);
  const [, metric, unit = ""] = METRIC.exec(plain) ?? [];
  if (metric !== undefined) return rounded((numberIn(metric) ?? 0) * (IN_INCHES.get(unit.slice(0, 2)) ?? 1));
  const [, whole, part, of] = INCHES.exec(plain) ?? [];
  return whole === undefined ? undefined : rounded((numberIn(whole) ?? 0) + fraction(part, of));
}

function fraction(top = "0", bottom = "1"): number {
  return Number(bottom) === 0 ? Number.NaN : Number(top) / Number(bottom);
}

/** To a hundredth, which is finer than any tape measure. NaN becomes undefined. */
function rounded(inches: number): number | undefined {
  return Number.isFinite(inches) ? Math.round(inches * 100) / 100 : undefined;
}

interface Pane {
  width_in: number;
  height_in: number;
  quantity: number;
}

/** How many there are, before or after the sizes. The last is a number alone behind a unit. */
const COUNTED: readonly RegExp[] = [
  /^(?<size>.{3,60})$/,
  /^\(?(?<count>\d{1,5})\)?(?: ?(?:@|x|at|of(?: them)?|(?:pcs|pieces|panes|windows?|units)(?: of| @)?))?[:,;]? (?:(?:each|about|around|approximately|roughly) )?(?<size>.{3,60})$/,
  /^(?<size>.{3,60}?),? \(?(?:[x×] ?|qty\.?:? ?|quantity:? ?|times )(?<count>\d{1,5})\)?$/,
  /^(?<size>.{3,60}?),? \(?(?<count>\d{1,5})\)? (?:pcs|pieces|panes|windows|units|of them)$/,
  /^(?<size>.{3,60}["'a-z]) (?<count>\d{1,5})$/,
  /^(?<size>.{3,60}) \((?<count>[a-z\d]{1,9})\)$/,
];

/** A pane as `30x40`, `4 ft by 6 ft`, `six 4x6 ft windows` or `3 @ 30" x 40"`. */
export function readPane(text: string): Pane | undefined {
  if (text.length > LONGEST) return undefined;
  const said = numeral(text.replace(ABOUT, ""));
  const plain = said.replace(/(?<=\d["']?|[a-z]) (?:each|ea\.?|windows?|panes?)$/, "");
  let found: Pane | undefined;
  // `, 4 panes` behind the sizes counts.
  for (const groups of [plain, said].flatMap((one) => COUNTED.map((form) => form.exec(one)?.groups))) {
    const { size = "", count = "1" } = groups ?? {};
    const sizes = sizesIn(size);
    if (!sizes) continue;
    const pane = { ...sizes, quantity: Number(numeral(count)) };
    if (Number.isNaN(pane.quantity)) continue;
    if (found && Object.keys(pane).some((key) => Object(found)[key] !== Object(pane)[key])) return undefined;
    found = pane;
  }
  return found;
}

function sizesIn(text: string): Omit<Pane, "quantity"> | undefined {
  const parts = text.split(/ ?(?:(?<![a-z])x(?![a-z])|(?<=ft|in|cm|mm|m|h|w)x(?=[ \d])|[×*]|\bby\b) ?/);
  const [first = "", second = "", more] =
    parts.length === 1 ? text.split(/(?<=\b(?:wide|width|high|tall|height|w|h)),?(?: and)? (?=\d)/) : parts;
  if (more !== undefined) return undefined;
  const one = labeled(numeral(first));
  const other = labeled(numeral(second));
  if (one.way !== undefined && one.way === other.way) return undefined;
  const [a, b] = inOneUnit(one.size, other.size);
  if (a === undefined || b === undefined) return undefined;
  const isTurned = one.way === "high" || other.way === "wide";
  return isTurned ? { width_in: b, height_in: a } : { width_in: a, height_in: b };
}

/** Two lengths; a unit behind both counts for both. One behind the first alone may be for both, or not. */
function inOneUnit(first: string, second: string): (number | undefined)[] {
  const [, unit] = /^[\d.,/ ]{1,20}(["'a-z.]{1,12})$/.exec(second) ?? [];
  const hasUnit = (side: string) => /["'a-z]/.test(side);
  if (!hasUnit(first) && hasUnit(second))
    return unit === undefined ? [] : [readLength(`${first} ${unit}`), readLength(second)];
  if (hasUnit(first) && !hasUnit(second) && !/^[\d.,/ ]{1,20}(?:"|in|inch|inches)$/.test(first)) return [];
  const lengths = [readLength(first), readLength(second)];
  // `3x5` of a window is in feet as a rule.
  const isSmall = !hasUnit(first) && !hasUnit(second) && lengths.every((one = 0) => one < SMALLEST_PANE);
  return isSmall ? [] : lengths;
}

/** Inches. */
const SMALLEST_PANE = 12;

/** A size and which one it is, as in `30 inches wide`. */
function labeled(text: string): { size: string; way?: "wide" | "high" | undefined } {
  const [, size = text, wide, high] =
    /^(.{1,40}?) ?(?<![a-z])(?:(?:in )?(?:(wide|width|w)|(high|tall|height|h)))$/.exec(text) ?? [];
  return { size: size.trim(), way: wide ? "wide" : high ? "high" : undefined };
}

/** A text as panes: one, or several with the strongest mark that parts them. */
export function splitPanes(text: string): string[] {
  if (text.length <= LONGEST && readPane(text)) return [text];
  for (const mark of [/[;\n]/, /[&+]|\band\b/i, /,(?!\d)/, /,/]) {
    const parts = text.split(mark).map((part) => part.trim());
    const isLast = mark.source === "," || parts.length > MOST_PANES;
    if (parts.length > 1) return isLast ? parts : parts.flatMap(splitPanes);
  }
  return [text.trim()];
}

/** A hostile text has any number. */
const MOST_PANES = 200;

const YES = new Set("true,yes,y,t,1,on,yep,yeah,yup,sure,absolutely,definitely,of course,do it".split(","));
const NO = new Set("false,no,n,f,0,off,nope,never,not needed,not necessary".split(","));
const POLITE = /,? (?:please(?: do)?|thanks|thank you|do)[.!]?$|[.!]$/;

export function readYesNo(value: string | number): boolean | undefined {
  const word = plainText(String(value)).trim().toLowerCase().replace(POLITE, "");
  return YES.has(word) ? true : NO.has(word) ? false : undefined;
}

/** With which programs say that there is no value; the last of a change, which keeps what is left out. */
const NOTHING = new Set(
  "null,none,nil,n/a,undefined,nothing,no extras,no addons,no add-ons,same time,same date,same day".split(","),
);

export function isNothing(text: string): boolean {
  return NOTHING.has(text.trim().toLowerCase().replace(POLITE, ""));
}

/** Whether something is wished, as `yes`, `no` and `none` say. */
export function readWish(value: unknown): boolean | undefined {
  const text = scalarText(value);
  return isNothing(text) ? false : readYesNo(text);
}

/** A unit of length in the short form in which numbers are read. */
export function unitIn(text: unknown): string | undefined {
  return typeof text === "string" && readNumber(`1 ${text}`, "inches") !== undefined
    ? text.trim().toLowerCase()
    : undefined;
}

export function isInches(unit: string): boolean {
  return /^(?:in\.?|inch|inches|")$/.test(unit);
}
