/** What a plain sentence to the agent asks for, in the words of the catalog: a request of a capability, or nothing but a question. */
import { isDeepStrictEqual } from "node:util";
import type { CapabilityId } from "../capabilities/core/operations.ts";
import { offers } from "../capabilities/index.ts";
import { statesNamed } from "../catalog/laws.ts";
import { BETWEEN_CARS, modelIn, namesTwoCars } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { namesOtherVehicle, withoutWords, wordsIn } from "../catalog/words.ts";
import { WEEKDAYS } from "../constants.ts";
import { shadeMeant } from "../job/shades-said.ts";
import { readDate } from "../schema/moments.ts";
import { inDigits, readNumber } from "../schema/quantities.ts";

/** What a sentence asks for. Nothing of it has been checked. */
export interface Wish {
  name: CapabilityId;
  input: Record<string, unknown>;
  /** The sentence speaks of canceling, and nothing is canceled. */
  isUndone?: true;
}

/** Characters of a sentence that are read. */
const READ = 300;

const IS_QUESTION =
  /\?\s*$|^\W*(?:do|does|did|can|could|will|would|is|are|am|was|what|whats|when|where|who|why|how|which|should|may|have|has|if)\b/i;
/** So few words name a subject. */
const SUBJECT = 5;
const WHAT_IS_OFFERED =
  /\bwhat (?:services )?(?:can|do) (?:you|i) (?:do|ask|offer)\b|^\W*(?:help|hi|hello|hey|thanks|thank you|ok|bye)\W*$/i;

/** What a sentence asks for by the words of the catalog; undefined for a question to the shop. */
export function wishIn(sentence: string, catalog: Shop, today: string): Wish | undefined {
  const text = sentence.slice(0, READ);
  const said = catalog.words.requests;
  const asksHow = /^\W*(?:how (?:do|does|can|long|early|late|far|often|many)|do i|if|what (?:if|happens))\b/i.test(
    text,
  );
  const code = codeNamed(text) ?? "";
  const isCode = /\d/.test(code) || (said.code.test(text) && wordsIn(code, "films", catalog).length === 0);
  const isMine = said.mine.test(text) || isCode;
  if (isMine && !asksHow) {
    const isOrder = (action: "cancel" | "move") =>
      said[action].test(text) && !said.denials[action].test(text) && !isDoubt(text);
    const [cancels, moves] = [isOrder("cancel"), isOrder("move")];
    const name = saysOnlyToCancel(text, said)
      ? "cancel_booking"
      : moves && !cancels
        ? "reschedule_booking"
        : (cancels || said.find.test(text) || code) && !OTHER_WORK.test(text)
          ? "find_booking"
          : undefined;
    const input = proofIn(text);
    if (name === "reschedule_booking") Object.assign(input, changeNamed(text, catalog, today));
    if (name) return { name, input, ...(name === "find_booking" && said.cancel.test(text) && { isUndone: true }) };
  }
  const work = carOfSentence(text, catalog);
  const asksToHold = said.holds.test(text) && catalog.bookings.hold_minutes > 0;
  const start = { ...dayNamed(text, catalog, today), ...startNamed(text) };
  if (asksToHold && !/\?\s*$/.test(text)) return { name: "book_appointment", input: { ...work, ...start, hold: true } };
  const isBooking = said.books.test(text) && !said.denials.book.test(text);
  if (isBooking && !asksHow && !said.hold.test(text) && !/\bwhile\b/i.test(text)) {
    // Work on a building is not booked online. "At home" and "your shop" are places for a car.
    const [site] = wordsIn(text.replace(ELSEWHERE, " "), "site_types", catalog);
    return site !== undefined && work?.vehicle_type === undefined
      ? { name: "quote_request", input: { service_type: site, message: text } }
      : { name: "book_appointment", input: { ...work, ...start } };
  }
  if (said.times.test(text) && !asksHow && !said.hold.test(text))
    return {
      name: "check_availability",
      input: {
        ...pickKeys(work ?? {}, ["service", "film_type", "coverage", "vehicle_type", "addons", "remove_old_film"]),
        ...dayNamed(text, catalog, today),
        ...partNamed(text),
      },
    };
  if (namesOtherVehicle(text, catalog) || said.lowest.test(text)) return undefined;
  const asksLaw = said.law.test(text) && (work?.shade ?? work?.windshield_shade) !== undefined;
  if (!said.price.test(text) && !asksLaw) return undefined;
  const glass = glassIn(text, catalog);
  const isSized = glass && ["total_sqft", "windows"].some((name) => Object.hasOwn(glass, name));
  const isGlass = glass && (isSized || work?.vehicle_type === undefined);
  if (isGlass) return { name: "flat_glass_estimate", input: glass };
  return work?.vehicle_type === undefined ? undefined : { name: "automotive_estimate", input: work };
}

const ELSEWHERE = /\b(?:your|the|at(?: (?:my|our))?) \w+/gi;

/** What is to change in a booking, behind the last `to`: shown and not done, as `dry_run` has it. */
function changeNamed(text: string, catalog: Shop, today: string): Record<string, unknown> {
  const [, to = ""] = /^.*\b(?:to|for|until)\b(.*)$/is.exec(text) ?? [];
  const work = pickKeys(carOfSentence(to, catalog) ?? {}, ["film_type", "coverage", "addons", "shade"]);
  const change = { ...dayNamed(to, catalog, today), ...startNamed(to), ...work };
  return Object.keys(change).length > 0 ? { ...change, dry_run: true } : {};
}

/** Whether a sentence asks about something, and orders nothing: `should I cancel?`, but `could you cancel?`. */
const isDoubt = (text: string) => /\b(?:if|whether)\b/i.test(text) || (IS_QUESTION.test(text) && !ASKS_TO.test(text));
const ASKS_TO = /\b(?:can|could|would|will) you\b/i;

/** Words beside an order to cancel. With any other word, the order may be reported, under a condition or taken back. */
const BESIDE_CANCEL =
  /^(?:please|kindly|sorry|thanks?|thank|you|hi|hello|hey|my|our|the|is|are|and|with|under|for|of|it|this|code|confirmation|phone|number|cell|mobile|e-?mail|address)$/i;

function saysOnlyToCancel(text: string, said: Shop["words"]["requests"]): boolean {
  const [order] = said.cancelOrder.exec(text) ?? [];
  if (order === undefined || (/\?/.test(text) && !ASKS_TO.test(order))) return false;
  const proof = Object.values(proofIn(text)).map(String);
  const rest = [order, ...proof].reduce((left, part) => left.replace(part, " "), text);
  const words = rest.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  return words.every((word) => BESIDE_CANCEL.test(word) || said.appointment.test(word));
}

/** Words for other work in a booking, which a sentence cannot order: to show the booking would look like a yes. */
const OTHER_WORK = /\b(?:add|remove|drop|swap|switch|upgrade|instead)\b/i;

/** The work that a sentence without any of the other words can mean: `ceramic on a 2021 Camry`, `6 windows 3x5 ft at home`. */
export function workWish(sentence: string, catalog: Shop): Wish | undefined {
  const text = sentence.slice(0, READ);
  const isOther = namesOtherVehicle(text, catalog) || namesSeveral(text, catalog);
  const work = isOther ? undefined : carOfSentence(text, catalog);
  if (work?.vehicle_type !== undefined) return { name: "automotive_estimate", input: work };
  const glass = glassIn(text, catalog);
  return glass?.windows && glass.site_type ? { name: "flat_glass_estimate", input: glass } : undefined;
}

export const asksPrice = (sentence: string, catalog: Shop) => catalog.words.requests.price.test(sentence);

export const asksWhatIsOffered = (sentence: string) => WHAT_IS_OFFERED.test(sentence);

export function isQuestion(sentence: string): boolean {
  if (asksWhatIsOffered(sentence)) return false;
  return IS_QUESTION.test(sentence) || (sentence.match(/\p{L}+/gu) ?? []).length <= SUBJECT;
}

/** Words of `4 December 2026`. */
const LONGEST_DATE = 3;

/** `afternoon`, `after 3pm`: the part of the day in the words of the sentence. */
function partNamed(text: string): { time?: string } {
  const [time] =
    /\b(?:morning|afternoon|evening|(?:after|before) (?:noon|\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b)?))/i.exec(text) ?? [];
  return time === undefined ? {} : { time };
}

/** `9am`, `at 9:30`: when a booking is to begin; not `after 3pm`. */
function startNamed(text: string): { time?: string } {
  const [time] =
    /(?<!\b(?:after|before|by|until|till) )\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|(?<=\bat )(?:\d{1,2}(?::\d\d| o'?clock|\b(?![:%]| ?(?:percent|x|by)\b))|noon))/i.exec(
      text,
    ) ?? [];
  return time === undefined ? {} : { time };
}

const pickKeys = (input: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));

/** A special day by its name, or the first such day from today on; as it was said where no day is meant, or more than one. */
function dayNamed(said: string, catalog: Shop, today: string): { date?: string } {
  const text = said.replace(OTHER_DAY, " ");
  const special = catalog.business.special_hours.find(
    ({ date, reason }) => date >= today && reason && text.toLowerCase().includes(reason.toLowerCase()),
  );
  if (special) return { date: special.date };
  const words = text.replace(/[.?!]+(?= |$)/g, "").split(/\s+/);
  for (let at = 0; at < words.length; at++)
    for (let length = LONGEST_DATE; length > 0; length--) {
      const run = words.slice(at, at + length).join(" ");
      const date = /\d/.test(run) ? readDate(run.replace(/,$/, ""), today) : undefined;
      if (date !== undefined) return { date };
    }
  const several = (DAY_OF_MONTH.exec(text) ?? DAYS_AHEAD.exec(text))?.[0];
  if (several !== undefined) return { date: several };
  const first = Temporal.PlainDate.from(today);
  const named = [...text.matchAll(DAY)].map(([day]) => {
    const word = day.toLowerCase();
    const near = ["today", "tomorrow", "day after tomorrow"].indexOf(word);
    const weekday = WEEKDAYS.map(String).indexOf(word) + 1;
    return { day, date: first.add({ days: near >= 0 ? near : (7 + weekday - first.dayOfWeek) % 7 }).toString() };
  });
  const [date, another] = new Set(named.map((one) => one.date));
  if (another !== undefined) return { date: named.map(({ day }) => day).join(" or ") };
  return date === undefined ? {} : { date };
}

const DAY = new RegExp(`\\b(?:today|(?:day after )?tomorrow|${WEEKDAYS.join("|")})\\b`, "gi");
/** A day that does not suit: `not Friday`, `I can't do Monday`. */
const OTHER_DAY = new RegExp(
  `(?:n['’]t|\\b(?:not|cannot|cant|dont|wont|except|(?:anything|any day) but|besides|instead of|other than))(?: (?:do|come|make it|work|on|for|this|next))* (?:${WEEKDAYS.join("|")}|today|tomorrow)\\b`,
  "gi",
);
/** `the 4th`, without its month; not the 2nd floor. */
const DAY_OF_MONTH =
  /\b(?:the |on )(?:3[01]|[12]?\d)(?:st|nd|rd|th)\b(?! (?:floor|stor|level|car|time|window|vehicle|row|generation))/i;

/** More days than one. */
const DAYS_AHEAD =
  /\b(?:(?:this|the|next) (?:weekend|month)|(?:in|during|early|late|mid) (?:january|february|march|april|may|june|july|august|september|october|november|december))\b/i;

/** A confirmation code. Codes lack some letters, so few words look like one; in lower case it must have a digit. */
const codeNamed = (text: string) =>
  /\b(?:(?=[A-Z]*\d)(?=\d*[A-Z])[0-9A-HJKMNP-TV-Z]{8}|[A-DF-HJKMNP-TV-Z]{8}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-hjkmnp-tv-z]{8})\b/.exec(
    text,
  )?.[0];

function proofIn(text: string): Record<string, unknown> {
  const code = codeNamed(text);
  const email = /[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+/.exec(text)?.[0];
  const phone = /(?:\+\d{1,2}[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}\b/.exec(text)?.[0];
  return { ...(code && { confirmation_code: code }), ...(email && { email }), ...(phone && { phone }) };
}

/** Runs of so many words are compared with the models. */
const LONGEST_MODEL = 6;

/** The few words behind a no: `without the strip`, `no sunroof`, `everything but the windshield`. */
const DENIED =
  /\b(?:without|except(?: for)?|excluding|minus|no|not(?! (?:only|just|sure))|(?:don'?t|do not) (?:want|need)|(?<=\b(?:all|everything|windows?|glass|car) )but(?: not)?)((?: (?!(?:and|but|for|in|on|to|with)\b)[\w'-]+){1,4})/gi;
const GLASS = /\b(?:windows?|glass|windshield|fronts?|rears?|backs?|sides?|doors?|rest)\b/i;
/** Work that is wanted by itself: `just the sunroof`, `windshield only`. */
const ALONE = [/\b(?:only|just)(?: [\w'-]+){1,3}/gi, /(?:[\w'-]+ ){1,3}(?:only|alone|by (?:itself|themselves))\b/gi];

/** Between two parts of the work: `take the old tint off and put ceramic on`. */
const BESIDE = /[,;&+]|\b(?:and|then|with|before|plus)\b/i;

const PERCENT = /\b(\d{1,2})(?: ?%| percent)/g;
const GLASS_BEHIND = "(?= (?:on |for |up )?(?:the |my )?(?:fronts?|rears?|backs?|all a?round)\\b)";
/** `20 fronts 5 rears`: a number of two digits before glass is a shade, and so is a 5 beside it; not that of an Ioniq 5. */
const BEFORE_GLASS = new RegExp(`(?<![\\w.$-])(?:5|[1-9]\\d)${GLASS_BEHIND}`, "gi");
const PERCENT_MEANT = new RegExp(`(?<![\\w.$-])[1-9]\\d${GLASS_BEHIND}`, "i");
/** With the glass behind it. */
const PERCENT_OF =
  /\b\d{1,2}(?: ?%| percent)(?: (?:on|in|for|all|the|my|up|way|a?round|fronts?|rears?|backs?|sides?|doors?|windows?|glass|rest|everywhere))*/gi;
/** `70% on the windshield` is no shade of the other glass. */
const WINDSHIELD_SHADE =
  /\b(\d{1,2})(?: ?%| percent)(?: (?:tint|film))?(?: (?:on|for))?(?: (?:the|my|a|whole|full|front))* windshield\b/i;
const BESIDE_SHADES = /[,;.!?]|\b(?:and|with)\b/i;
const ONE_WINDOW =
  /\b(?:back|rear|one|single|driver'?s?|passenger|quarter)(?:[ -]side)? (?:window|glass|windshield|door)\b/i;

function carOfSentence(text: string, catalog: Shop): Record<string, unknown> | undefined {
  const said = catalog.words.requests;
  const words = text.split(/\s+/);
  const models = words
    .map((_, at) => modelIn(words.slice(at, at + LONGEST_MODEL).join(" "), catalog))
    .filter((one) => one && isNamed(one.name, text));
  const model = models.filter((one) => one !== undefined).sort((a, b) => b.name.length - a.name.length)[0];
  const [type = model?.vehicleType, another] = wordsIn(
    withoutWords(text, "coverages", catalog),
    "vehicle_types",
    catalog,
  );
  const denied = [...text.matchAll(DENIED)].map(([, what = ""]) => what);
  const unwanted = (kind: "addons" | "films") => new Set(denied.flatMap((what) => wordsIn(what, kind, catalog)));
  const [films, extras] = [unwanted("films"), unwanted("addons")];
  const [film, otherFilm] = wordsIn(text, "films", catalog).filter((word) => !films.has(word));
  const [coverage, otherCoverage] = wordsIn(text, "coverages", catalog);
  const addons = wordsIn(text.replace(said.removes, " ").replace(ONE_WINDOW, " "), "addons", catalog).filter(
    (word) => !extras.has(word),
  );
  const isAddon = (what: string) => wordsIn(what, "addons", catalog).length > 0;
  const isPartial = denied.some((what) => GLASS.test(what) && !isAddon(what));
  const isAlone =
    coverage === undefined && ALONE.some((form) => [...text.matchAll(form)].some(([what]) => isAddon(what)));
  // The price list has no job without some of its glass and no extra by itself, and two cars are two jobs.
  if (isPartial || isAlone || otherCoverage !== undefined || namesTwoCars(text, catalog)) return undefined;
  const year = /\b(?:19[89]|20[0-4])\d\b/.exec(text)?.[0];
  const windshieldShade = WINDSHIELD_SHADE.exec(text)?.[1];
  const ofSides = text.replace(WINDSHIELD_SHADE, " ");
  const inPercent = PERCENT_MEANT.test(ofSides) ? ofSides.replace(BEFORE_GLASS, "$&%") : ofSides;
  const percents = [...inPercent.matchAll(PERCENT)].map(([, percent]) => Number(percent));
  const ofShades = inPercent.split(BESIDE_SHADES).filter((part) => part.search(PERCENT) >= 0);
  const placed = [...inPercent.matchAll(PERCENT_OF)].map(([shade]) =>
    shade.replace(/(?: (?:on|in|for|the|my|up))+$/i, ""),
  );
  const shades = shadeMeant(ofShades.join(", "), catalog) ?? shadeMeant(placed.join(", "), catalog);
  const inPercents = typeof shades === "object" || percents.length > 1 ? shades : percents[0];
  const inWords = [...text.replace(DENIED, " ").matchAll(said.shade)].map(([shade]) => shadeMeant(shade, catalog));
  // "Legal" alone is no wish for a shade, but "darkest legal" is.
  const [legal] = wordsIn(text, "shades", catalog, 2);
  const shade = inPercents ?? legal ?? inWords[0];
  // Several shades that nobody can tell apart.
  const isOther = inWords.some((one) => one === undefined || !isDeepStrictEqual(one, shade));
  if (isOther || (percents.length > 1 && shade === undefined)) return undefined;
  // "The fronts" of which the rears have a shade, too, are no coverage.
  const isAllRound = typeof shade === "object" && shade.rear_side !== undefined;
  // Glass that no coverage names is asked about in its words.
  const [oneWindow] = shade === undefined ? (ONE_WINDOW.exec(text) ?? []) : [];
  const parts = text.replace(DENIED, " ").split(BESIDE);
  const isNewFilm = (part: string) => said.anew.test(part) || wordsIn(part, "films", catalog).length > 0;
  const takesOff = parts.some((part) => said.removes.test(part));
  const isAnew = parts.some((part) => !said.removes.test(part) && isNewFilm(part));
  const removal = takesOff && !isAnew ? catalog.terms.removal : undefined;
  const states = (shade ?? windshieldShade) === undefined ? [] : statesNamed(text, catalog);
  const [make, ...rest] = model?.name.split(" ") ?? [];
  const input = {
    ...(type !== undefined && another === undefined && { vehicle_type: type }),
    ...(model && { vehicle_make: make, vehicle_model: rest.join(" ") }),
    ...(model && year && { vehicle_year: Number(year) }),
    ...(film !== undefined && otherFilm === undefined && removal === undefined && { film_type: film }),
    ...((coverage ?? oneWindow) !== undefined && !isAllRound && { coverage: coverage ?? oneWindow }),
    ...(addons.length > 0 && removal === undefined && { addons }),
    ...(shade !== undefined && removal === undefined && { shade }),
    ...(windshieldShade !== undefined && removal === undefined && { windshield_shade: Number(windshieldShade) }),
    ...(states.length === 1 && { jurisdiction: states[0] }),
    ...(removal !== undefined && { service: removal }),
    ...(takesOff && isAnew && { remove_old_film: true }),
  };
  return Object.keys(input).length > 0 ? input : undefined;
}

/** The cars of a sentence that asks for a price, times or a booking, each with its work, or what is named for all. */
export function carsAsked(sentence: string, catalog: Shop): Record<string, unknown>[] {
  const text = sentence.slice(0, READ);
  const said = catalog.words.requests;
  const isWish = [said.price, said.books, said.times, said.holds].some((request) => request.test(text));
  if (!isWish || said.mine.test(text) || !offers(catalog, "automotive_estimate")) return [];
  const parts = text.split(BETWEEN_CARS).map((part) => carOfSentence(part, catalog) ?? {});
  const [models, others] = [parts.filter(isModel), parts.filter((part) => !isModel(part))];
  // "a pickup, my F-150" is one.
  const types = others.filter(({ vehicle_type: type }) => type && !models.some((car) => car.vehicle_type === type));
  const film = parts.find((part) => part.film_type)?.film_type;
  const work: Record<string, unknown> = Object.assign(
    {},
    film && { film_type: film },
    ...others.filter(({ vehicle_type: type }) => !type),
  );
  if (statesNamed(text, catalog).length > 1) delete work.jurisdiction;
  const named = new Map([...models, ...types].map((car) => [`${car.vehicle_type} ${car.vehicle_model}`, car]));
  return [...named.values()].map((car) => ({ ...work, ...car }));
}

/** A car whose shade is asked about in several states, once for each. */
export function lawsAsked(
  { name, input }: Wish,
  sentence: string,
  catalog: Shop,
): (Wish["input"] & { jurisdiction: string })[] {
  const isOfLaw = name === "automotive_estimate" && (input.shade ?? input.windshield_shade) !== undefined;
  const states = isOfLaw ? statesNamed(sentence.slice(0, READ), catalog) : [];
  return states.length > 1 ? states.map((jurisdiction) => ({ ...input, jurisdiction })) : [];
}

/** `three trucks`, `2 of my sedans`: more cars of a type than one; not `2 door coupes`. */
const SEVERAL =
  /(?<![\w.$-])(?:[2-9]|[1-9]\d|both|couple|pair|several|few)(?: of)?(?: (?:my|our|the|these))?(?! (?:doors?|rows?)\b)(?: \w+)? (\w+s)\b/gi;

export function namesSeveral(sentence: string, catalog: Shop): boolean {
  const text = sentence.slice(0, READ).replace(/\p{L}+/gu, (word) => inDigits(word.toLowerCase()));
  return [...text.matchAll(SEVERAL)].some(([, cars = ""]) => wordsIn(cars, "vehicle_types", catalog).length > 0);
}

const isModel = ({ vehicle_model: model }: { vehicle_model?: unknown }) => model !== undefined;

/** `4 x 6 feet` names no X6, and `300 feet` no Chrysler 300. */
function isNamed(name: string, text: string): boolean {
  const [make = "", ...rest] = name.toLowerCase().split(" ");
  const model = rest.join(" ").replaceAll("-", "");
  const said = text.toLowerCase().replaceAll("-", "");
  return /[a-z]{3}/.test(model) || said.includes(make) || (/[a-z]/.test(model) && said.includes(model));
}

const LENGTH = "(?<![\\d.,])(\\d+(?:[.,]\\d{1,2})?)";
const UNIT = "(?:ft|feet|foot|in|inch|inches|cm|mm|m|'|\")";
const SIZE = new RegExp(`${LENGTH} ?(${UNIT})? ?(?:x|by|×) ?${LENGTH} ?(${UNIT})?`, "gi");
const COUNT = new RegExp(
  `(?<![\\d.,]|\\b(?:by|x|×) )\\b(\\d{1,4}) (?:(?!${UNIT} )\\w+ )?(?:windows?|panes?|panels?|doors?|skylights?|sliders?)\\b`,
  "gi",
);
const AREA = /(?<![\d.,])\d[\d.,]* ?(?:sq\.? ?(?:ft|m)\b|sqft|sqm|m2|m²|square (?:f(?:ee|oo)t|met(?:er|re)s?))/i;

function glassIn(said: string, catalog: Shop): Record<string, unknown> | undefined {
  const takesOff = catalog.words.requests.removes.test(said);
  const text = said.replace(/\p{L}+/gu, (word) => inDigits(word.toLowerCase()));
  const [site] = wordsIn(text, "site_types", catalog);
  const [area] = AREA.exec(text) ?? [];
  const [count, otherCount] = [...text.matchAll(COUNT)].map(([, number]) => number);
  const [size, otherSize] = text.matchAll(SIZE);
  // Several sizes are asked for, as rows; so is how many there are.
  const isWhole =
    !otherSize &&
    !otherCount &&
    (count !== undefined || !/\b(?:windows|panes|panels|doors|skylights|sliders)\b/i.test(text));
  const [, width, unit, height, last = unit ?? ""] = size ?? [];
  // What it costs to take film off depends on an area that no sentence tells.
  if ((site === undefined && area === undefined && !(count && size)) || takesOff) return undefined;
  const [concern] = wordsIn(text, "concerns", catalog);
  const floors = [...text.matchAll(FLOOR)].map(([floor]) => readNumber(floor, "floors")).find((floor) => floor);
  return {
    ...(site !== undefined && { site_type: site }),
    ...(area !== undefined && { total_sqft: readNumber(area, "square feet") ?? area }),
    ...(area === undefined &&
      size && { windows: isWhole ? [`${count ?? 1} of ${width} ${unit ?? last} x ${height} ${last}`] : undefined }),
    ...(concern !== undefined && { primary_concern: concern }),
    ...(floors !== undefined && { floors }),
  };
}

const FLOOR = /\b\w+[ -](?:floors?|stor(?:y|ies|eys?)|levels?)\b/gi;
