/** What a plain sentence to the agent asks for, in the words of the catalog: a request of a capability, or nothing but a question. */
import type { CapabilityId } from "../capabilities/core/operations.ts";
import { offers } from "../capabilities/index.ts";
import { statesNamed } from "../catalog/laws.ts";
import { BETWEEN_CARS } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { otherVehicleIn, wordsIn } from "../catalog/words.ts";
import { WEEKDAYS } from "../constants.ts";
import { defined, pick } from "../lib/fields.ts";
import { readClock, readDate } from "../schema/moments.ts";
import { sentenceInDigits } from "../schema/quantities.ts";
import { carWork, glassWork, namesSeveral } from "./work-named.ts";

/** What a sentence asks for. Nothing of it has been checked. */
export interface Wish {
  name: CapabilityId;
  input: Record<string, unknown>;
  /** The sentence speaks of canceling, and nothing is canceled. */
  isUndone?: true;
}

/** Characters of a sentence that are read. */
export const READ = 300;

const IS_QUESTION =
  /\?\s*$|^\W*(?:do|does|did|can|could|will|would|is|are|am|was|what|whats|when|where|who|why|how|which|should|may|have|has|if)\b/i;
/** So few words name a subject. */
const SUBJECT = 5;
const WHAT_IS_OFFERED =
  /\bwhat (?:services )?(?:can|do) (?:you|i) (?:do|ask|offer)\b|^\W*(?:help|hi|hello|hey|thanks|thank you|ok|bye)\W*$/i;

/** What a sentence asks for by the words of the catalog; undefined for a question to the shop. */
export function wishIn(text: string, catalog: Shop, today: string): Wish | undefined {
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
        : (cancels || said.find.test(text) || (code && !namesWork(withoutProof(text), catalog))) &&
            !OTHER_WORK.test(text)
          ? "find_booking"
          : undefined;
    const input = proofIn(text);
    if (name === "reschedule_booking") Object.assign(input, changeNamed(text, catalog, today));
    if (name) return { name, input, ...(name === "find_booking" && said.cancel.test(text) && { isUndone: true }) };
  }
  const other = otherVehicleIn(text, catalog);
  const work = carWork(text, catalog);
  const { phone, email } = proofIn(text);
  const asksToHold = said.holds.test(text) && catalog.bookings.hold_minutes > 0;
  const booking = {
    ...work,
    ...(other && { vehicle_type: other }),
    ...dayNamed(text, catalog, today),
    ...timeNamed(text),
    ...defined({ customer_phone: phone, customer_email: email }),
  };
  if (asksToHold && !/\?\s*$/.test(text)) return { name: "book_appointment", input: { ...booking, hold: true } };
  const isBooking = said.books.test(text) && !said.denials.book.test(text);
  if (isBooking && !asksHow && !said.hold.test(text) && !/\bwhile\b/i.test(text)) {
    // Work on a building is not booked online. "At home" and "your shop" are places for a car.
    const [site] = wordsIn(text.replace(ELSEWHERE, " "), "site_types", catalog);
    return site !== undefined && work?.vehicle_type === undefined
      ? { name: "quote_request", input: { service_type: site, message: text, ...defined({ phone, email }) } }
      : { name: "book_appointment", input: booking };
  }
  if (said.times.test(text) && !asksHow && !said.hold.test(text))
    return {
      name: "check_availability",
      input: {
        ...pick(work ?? {}, "service", "film_type", "coverage", "vehicle_type", "addons", "remove_old_film"),
        ...dayNamed(text, catalog, today),
        ...timeNamed(text),
      },
    };
  if (other || said.lowest.test(text)) return undefined;
  const asksLaw = said.law.test(text) && (work?.shade ?? work?.windshield_shade) !== undefined;
  if (!said.price.test(text) && !asksLaw) return undefined;
  const glass = glassWork(text, catalog);
  const isSized = glass && ["total_sqft", "windows"].some((name) => Object.hasOwn(glass, name));
  const isGlass = glass && (isSized || work?.vehicle_type === undefined);
  if (isGlass) return { name: "flat_glass_estimate", input: glass };
  return work?.vehicle_type === undefined ? undefined : { name: "automotive_estimate", input: work };
}

const ELSEWHERE = /\b(?:your|the|at(?: (?:my|our|your|the))?) \w+/gi;

/** The change that a sentence orders, read behind its `to` or behind the code. It is a dry run: a sentence only shows a change. */
function changeNamed(text: string, catalog: Shop, today: string): Record<string, unknown> {
  const { move, appointment } = catalog.words.requests;
  const order = new RegExp(`^(.*?${move.source}.*?\\b(?:to|for|until)\\b)(.*)$`, "is").exec(text);
  const [before = "", behind = ""] = text.split(codeNamed(text) ?? /$/);
  const wished = [order?.[2] ?? "", behind].map((said) => withoutProof(said).replace(AS_IT_IS, " "));
  const work = wished.map((said) => workChanged(said, catalog, today)).find((one) => Object.keys(one).length > 0);
  // A part may stand before the order: "at 2pm instead, move it to Friday", "drop the strip and move it to Friday".
  const asBooked = new RegExp(`\\b(?:my|our|the) (?:[\\w:]+ ){0,3}?${appointment.source}${STARTS}`, "gi");
  const clauses = withoutProof(order?.[1] ?? before)
    .replace(AS_IT_IS, " ")
    .replace(asBooked, " ")
    .split(BETWEEN_CLAUSES);
  const half = clauses.filter((said) => !UNSUITABLE.test(said)).join(", ");
  const start = { ...dayNamed(half, catalog, today), ...timeNamed(half) };
  const change = { ...(OTHER_WORK.test(half) ? workChanged(half, catalog, today) : start), ...work };
  if (Object.keys(change).length > 0) return { ...change, dry_run: true };
  // Words that name no work are asked for as the day of the change.
  const unread = wished.map((said) => ownWords(said).join(" "));
  return defined({ date: unread.find((said) => said !== "") });
}

/** Extras that are named come to those that are booked, or go from them. */
function workChanged(text: string, catalog: Shop, today: string): Record<string, unknown> {
  const remove_addons = [...text.matchAll(TAKEN_OUT)].flatMap(([said]) => wordsIn(said, "addons", catalog));
  const said = remove_addons.length > 0 ? text.replace(TAKEN_OUT, " ") : text;
  const { addons, ...work } = (namesSeveral(said, catalog) ? undefined : carWork(said, catalog)) ?? {};
  const other = otherVehicleIn(said, catalog);
  return {
    ...work,
    ...(other && { vehicle_type: other }),
    ...defined({ add_addons: addons }),
    ...(remove_addons.length > 0 && { remove_addons }),
    ...dayNamed(said, catalog, today),
    ...timeNamed(said),
  };
}

/** `drop the windshield strip`, `without the sunroof` */
const TAKEN_OUT =
  /\b(?:remove|drop|lose|skip|without|take (?:off|out))(?: (?!(?:and|but|for|in|on|to|with)\b)[\w'-]+){1,4}/gi;
/** Behind a booking: the start that it has. */
const STARTS = `(?: (?:is|was|on|at|for|this|next|today|tomorrow|${WEEKDAYS.join("|")}|\\d{1,2}(?::\\d\\d)?(?: ?[ap]\\.?m)?))*`;
const BETWEEN_CLAUSES = /[.,;!?\n]|\b(?:so|but|because|since)\b/i;
/** Of a day or time that cannot be. */
const UNSUITABLE = /n['’]t\b|\b(?:no|not|never|cannot|cant|dont|wont|rather than|booked|busy)\b/i;

/** Parts of a sentence that name what stays or was before: `and keep the rest`, `from Tuesday 9am`. */
const AS_IT_IS =
  /\b(?:(?:and )?(?:(?:keep|leave) )?(?:(?:everything|all) else|the rest)\b|from\b.*?(?=\bto\b|[,.;]|$))/gi;

/** Whether a sentence asks about something, and orders nothing: `should I cancel?`, but `could you cancel?`. */
const isDoubt = (text: string) => /\b(?:if|whether)\b/i.test(text) || (IS_QUESTION.test(text) && !ASKS_TO.test(text));
const ASKS_TO = /\b(?:can|could|would|will) you\b/i;

/** Words beside an order. With any other word, one to cancel may be reported, under a condition or taken back. */
const BESIDE_ORDER =
  /^(?:please|kindly|sorry|thanks?|thank|you|hi|hello|hey|my|our|the|is|are|and|with|under|for|of|it|this|code|confirmation|phone|number|cell|mobile|e-?mail|address)$/i;

function saysOnlyToCancel(text: string, said: Shop["words"]["requests"]): boolean {
  const [order] = said.cancelOrder.exec(text) ?? [];
  // The text behind READ characters may hold a condition.
  const isCut = text.length === READ;
  if (isCut || order === undefined || (/\?/.test(text) && !ASKS_TO.test(order))) return false;
  return ownWords(text.replace(order, " ")).every((word) => said.appointment.test(word));
}

function namesWork(text: string, catalog: Shop): boolean {
  return Object.keys(carWork(text, catalog) ?? {}).some((name) => !name.startsWith("vehicle_"));
}

/** Words for other work in a booking, which a sentence cannot order: to show the booking would look like a yes. */
const OTHER_WORK = /\b(?:add|remove|drop|swap|switch|upgrade|instead)\b/i;

/** The work that a sentence without any of the other words can mean: `ceramic on a 2021 Camry`, `6 windows 3x5 ft at home`. */
export function workWish(text: string, catalog: Shop): Wish | undefined {
  const isOther = otherVehicleIn(text, catalog) || namesSeveral(text, catalog);
  const work = isOther ? undefined : carWork(text, catalog);
  if (work?.vehicle_type !== undefined) return { name: "automotive_estimate", input: work };
  const glass = glassWork(text, catalog);
  return glass?.windows && glass.site_type ? { name: "flat_glass_estimate", input: glass } : undefined;
}

export const asksPrice = (sentence: string, catalog: Shop) => catalog.words.requests.price.test(sentence);

export const asksWhatIsOffered = (sentence: string) => WHAT_IS_OFFERED.test(sentence);

export function isQuestion(sentence: string): boolean {
  if (asksWhatIsOffered(sentence)) return false;
  return IS_QUESTION.test(sentence) || (sentence.match(/\p{L}+/gu) ?? []).length <= SUBJECT;
}

/** When work is to begin, as it was said where that is a part of the day, or one of several times. */
function timeNamed(text: string): { time?: string } {
  const starts = new Set([...sentenceInDigits(text).matchAll(START)].map(([time]) => time));
  const [time = PART_OF_DAY.exec(text)?.[0], another] = starts;
  if (another !== undefined) return { time: [...starts].join(" or ") };
  const said = time && /^\d+$/.test(time) ? `${time}:00` : time;
  return defined({ time: said && (readClock(said) ?? said) });
}

/** `9am`, `at 9:30`, `at 9 or 10`; not `after 3pm`. */
const START =
  /(?<!\b(?:after|before|by|until|till|around|about) )\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\d{1,2}(?::\d\d| o'?clock)\b|(?<=\bat )(?:\d{1,2}(?:\b(?![:%]| ?(?:percent|x|by)\b))(?: or \d{1,2}(?: ?[ap]\.?m\b)?)?|noon))/gi;
const PART_OF_DAY =
  /\b(?:morning|afternoon|evening|(?:after|before) (?:noon|work|\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b)?))/i;

/** A special day by its name, or the day that is read; as it was said where no day is meant, or more than one. */
function dayNamed(said: string, catalog: Shop, today: string): { date?: string } {
  const text = said.replace(OTHER_DAY, " ").trim();
  const special = catalog.business.special_hours.find(
    ({ date, reason }) => date >= today && reason && text.toLowerCase().includes(reason.toLowerCase()),
  );
  if (special) return { date: special.date };
  const words = text.replace(/[.?!]+(?= |$)/g, "").split(/\s+/);
  const named = new Map<string, string>();
  for (let at = 0; at < words.length; at++)
    for (let length = LONGEST_DATE; length > 0; length--) {
      const run = words
        .slice(at, at + length)
        .join(" ")
        .replace(/,$/, "");
      const date = /\d/.test(run) ? readDate(run, today) : undefined;
      if (date === undefined) continue;
      named.set(date, run);
      at += length - 1;
      break;
    }
  const several = (DAY_OF_MONTH.exec(text) ?? DAYS_AHEAD.exec(text))?.[0];
  if (named.size === 0 && several !== undefined) return { date: several };
  if (named.size === 0) for (const [day] of text.matchAll(DAY)) named.set(readDate(day, today) ?? day, day);
  const [date, another] = named.keys();
  return another === undefined ? defined({ date }) : { date: [...named.values()].join(" or ") };
}

/** Words of `Tuesday 4 December 2026`. */
const LONGEST_DATE = 4;

const DAY = new RegExp(`\\b(?:today|(?:day after )?tomorrow|(?:next )?(?:${WEEKDAYS.join("|")}))\\b`, "gi");
/** A day that does not suit: `not Friday`, `I can't do Monday`. */
const OTHER_DAY = new RegExp(
  `(?:n['’]t|\\b(?:not|cannot|cant|dont|wont|except|(?:anything|any day) but|besides|instead of|other than))(?: (?:do|come|make it|work|on|for|this|next))* (?:${WEEKDAYS.join("|")}|today|tomorrow)\\b`,
  "gi",
);
/** `the 4th`, without its month; not the 2nd floor. */
const DAY_OF_MONTH =
  /\b(?:the |on )(?:3[01]|[12]?\d)(?:st|nd|rd|th)\b(?! (?:floor|stor|level|car|time|window|vehicle|row|generation))/i;

/** More days than one, and `for 11/27`, which is not the same day everywhere. */
const DAYS_AHEAD =
  /\b(?:(?:this|the|next) (?:weekend|month)|(?:in|during|early|late|mid) (?:january|february|march|april|may|june|july|august|september|october|november|december))\b|(?<=\b(?:on|for|to|until) )\d{1,2}\/\d{1,2}(?:\/\d{2,4})?\b/i;

/** A confirmation code. Codes lack some letters, so few words look like one; in lower case it must have a digit. */
const codeNamed = (text: string) =>
  /\b(?:(?=[A-Z]*\d)(?=\d*[A-Z])[0-9A-HJKMNP-TV-Z]{8}|[A-DF-HJKMNP-TV-Z]{8}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-hjkmnp-tv-z]{8})\b/.exec(
    text,
  )?.[0];

function proofIn(text: string): Record<string, unknown> {
  const code = codeNamed(text);
  const email = /[^\s@<>,;()]+@[^\s@<>,;()]+\.[^\s@<>,;.():]+/.exec(text)?.[0];
  const phone = /(?:\+\d{1,2}[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}\b/.exec(text)?.[0];
  return { ...(code && { confirmation_code: code }), ...(email && { email }), ...(phone && { phone }) };
}

const ownWords = (text: string) =>
  (withoutProof(text).match(/[\p{L}\p{N}'’-]+/gu) ?? []).filter((word) => !BESIDE_ORDER.test(word));

const withoutProof = (text: string) =>
  Object.values(proofIn(text)).reduce<string>((left, part) => left.replace(String(part), " "), text);

/** The cars of a sentence that asks for a price, times or a booking, each with its work, or what is named for all. */
export function carsAsked(text: string, catalog: Shop): Record<string, unknown>[] {
  const said = catalog.words.requests;
  const isWish = [said.price, said.books, said.times, said.holds].some((request) => request.test(text));
  if (!isWish || said.mine.test(text) || !offers(catalog, "automotive_estimate")) return [];
  const parts = text.split(BETWEEN_CARS).map((part) => carWork(part, catalog) ?? {});
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
  text: string,
  catalog: Shop,
): (Wish["input"] & { jurisdiction: string })[] {
  const isOfLaw = name === "automotive_estimate" && (input.shade ?? input.windshield_shade) !== undefined;
  const states = isOfLaw ? statesNamed(text, catalog) : [];
  return states.length > 1 ? states.map((jurisdiction) => ({ ...input, jurisdiction })) : [];
}

const isModel = ({ vehicle_model: model }: { vehicle_model?: unknown }) => model !== undefined;
