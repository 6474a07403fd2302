/** Plain sentences to the agent: what is asked for, as a request of a capability, and its answer in words. */
import { type CapabilityId, requiresConsent } from "../capabilities/core/operations.ts";
import type { Call } from "../capabilities/core/protocol.ts";
import { offers, usable } from "../capabilities/index.ts";
import { searchFaq } from "../capabilities/search-faq.ts";
import { stateElsewhere } from "../catalog/laws.ts";
import { BETWEEN_CARS, modelIn, namesTwoCars } from "../catalog/models.ts";
import type { Shop } from "../catalog/shop.ts";
import { vehicleInWords } from "../catalog/terms.ts";
import { namesOtherVehicle, withoutWords, wordsIn } from "../catalog/words.ts";
import { WEEKDAYS } from "../constants.ts";
import { apiUrl } from "../discovery/common.ts";
import { requiredFields } from "../discovery/manifest.ts";
import { dayAndDate, dayAndTime, timeOfDay, weekInWords } from "../domain/dates-in-words.ts";
import { shopDate } from "../domain/schedule.ts";
import { bookUrl } from "../job/forms.ts";
import { field, isObject } from "../lib/fields.ts";
import { formatMoney, toCents } from "../lib/money.ts";
import { capitalised, spaced } from "../lib/text.ts";
import { joinWithAnd } from "../schema/explain.ts";
import { LIMITS, markedFields } from "../schema/fields.ts";
import { readDate } from "../schema/moments.ts";
import { inDigits } from "../schema/quantities.ts";

/** @param use answers a request of a capability */
export async function spokenAnswer(
  said: string,
  { catalog, now }: Pick<Call, "catalog" | "now">,
  use: (name: CapabilityId, input: object) => Promise<object>,
): Promise<{ text: string; data: object }> {
  const sentence = said.trim();
  const { business } = catalog;
  const page = bookUrl({}, catalog);
  const contact = `Open ${weekInWords(business)}. Phone ${business.phone}.${page ? ` Book: ${page}` : ""}`;
  const answer = async ({ name, input }: Wish) => {
    const data = await use(name, input);
    return { text: `${answerInWords(name, data, catalog)}\n\n${contact}`, data };
  };
  const { found, isSure } = searchFaq(sentence, catalog, now);
  const [best] = found;
  // Work that the shop says nothing about has no price here, and a question about something else is answered, surely or
  // where only the vehicle or the building is named. A booking is found and made all the same.
  const isOtherThan = (work: object[]) => {
    const isBare = work.flatMap(Object.keys).every((named) => /^vehicle_|^site_type$/.test(named));
    return best ? (isSure || isBare) && !asksPrice(best.question, catalog) : isSure;
  };
  const cars = carsAsked(sentence, catalog);
  if (cars.length > 1 && !(asksPrice(sentence, catalog) && isOtherThan(cars))) {
    const names = cars.map(({ vehicle_make, vehicle_model, vehicle_type }) =>
      vehicle_model ? `the ${vehicle_make} ${vehicle_model}` : `the ${vehicleInWords(String(vehicle_type), catalog)}`,
    );
    const message = `Prices and bookings are for one car at a time. Which one first: ${names.join(" or ")}?`;
    const next_actions = cars.map((input) => ({ capability: "automotive_estimate", input }));
    return { text: `${message}\n\n${contact}`, data: { message, next_actions } };
  }
  const wish = wishIn(sentence, catalog, shopDate(catalog, now));
  const isPrice = wish?.name === "flat_glass_estimate" || (wish?.name === "automotive_estimate" && !wish.input.service);
  if (wish && offers(catalog, wish.name) && !(isPrice && isOtherThan([wish.input]))) return answer(wish);
  const car = best || isSure || !offers(catalog, "automotive_estimate") ? undefined : carWish(sentence, catalog);
  if (car && !isQuestion(sentence)) return answer(car);
  if (!best && !isQuestion(sentence)) {
    const data = { ...skills(catalog), phone: business.phone, ...(page && { book_url: page }) };
    return {
      text: `${asksWhatIsOffered(sentence) ? "" : "I did not understand that. "}${whatToAsk(catalog)}\n\n${contact}`,
      data,
    };
  }
  const asked = await use("list_faq", { q: sentence.slice(0, LIMITS.search) || "?" });
  const data = best ? { ...asked, data: [best] } : asked;
  return { text: `${best ? `${best.question} ${best.answer}` : field(data, "message")}\n\n${contact}`, data };
}

function whatToAsk(catalog: Shop): string {
  const { vehicle_type, vehicle_make, vehicle_model } = catalog.terms.example;
  const type = vehicleInWords(vehicle_type, catalog);
  const car = [vehicle_make, vehicle_model].filter(Boolean).join(" ") || type;
  const examples: [CapabilityId, string][] = [
    ["automotive_estimate", `a price: How much is tint for a ${car}?`],
    ["check_availability", `open times: Which times are open for my ${type}?`],
    ["book_appointment", `a booking: I want to book my ${type}.`],
    ["find_booking", "a booking of yours: Find my booking, with its code and your phone."],
    ["list_faq", `a question: ${catalog.questions[0]?.question ?? "When are you open?"}`],
  ];
  const lines = examples.filter(([id]) => offers(catalog, id)).map(([, example]) => `- ${example}`);
  return ["You can ask for", ...lines, "Programs send a data part with a capability and its input."].join("\n");
}

/** The capabilities with the fields that they need, short enough for any conversation, without those that only lead to the phone. */
function skills(catalog: Shop): object {
  return {
    capabilities: usable(catalog).map((capability) => {
      const needs = [...markedFields(capability.input(catalog), "first"), ...requiredFields(capability, catalog)];
      return {
        id: capability.id,
        ...(needs.length > 0 && { needs }),
        ...(requiresConsent(capability) && { consent: true }),
      };
    }),
    manifest: apiUrl(catalog, "/capabilities"),
  };
}

/** What a sentence asks for. Nothing of it has been checked. */
interface Wish {
  name: CapabilityId;
  input: Record<string, unknown>;
}

/** Characters of a sentence that are read. */
const READ = 300;

const IS_QUESTION =
  /\?\s*$|^\W*(?:do|does|did|can|could|will|would|is|are|am|was|what|whats|when|where|who|why|how|which|should|may|have|has|if)\b/i;
/** So few words name a subject. */
const SUBJECT = 5;
const WHAT_IS_OFFERED =
  /\bwhat (?:can|do) (?:you|i) (?:do|ask|offer)\b|^\W*(?:help|hi|hello|hey|thanks|thank you|ok|bye)\W*$/i;

/** What a sentence asks for by the words of the catalog; undefined for a question to the shop. */
function wishIn(sentence: string, catalog: Shop, today: string): Wish | undefined {
  const text = sentence.slice(0, READ);
  const said = catalog.words.requests;
  const asksHow = /^\W*(?:how (?:do|does|can|long|early|late|far|often|many)|do i|if|what (?:if|happens))\b/i.test(
    text,
  );
  if (said.mine.test(text) && !asksHow) {
    const isOrder = (action: "cancel" | "move") =>
      said[action].test(text) && !said.denials[action].test(text) && !isDoubt(text);
    const [cancels, moves] = [isOrder("cancel"), isOrder("move")];
    // "cancel it, or move it" is still to be decided.
    const isOpen = cancels && moves && /\bor\b/i.test(text);
    const name =
      cancels && !isOpen
        ? "cancel_booking"
        : moves && !isOpen
          ? "reschedule_booking"
          : (said.find.test(text) || codeNamed(text)) && !OTHER_WORK.test(text)
            ? "find_booking"
            : undefined;
    if (name) return { name, input: proofIn(text) };
  }
  const work = carOfSentence(text, catalog);
  const asksToHold = said.holds.test(text) && catalog.bookings.hold_minutes > 0;
  if (asksToHold && !/\?\s*$/.test(text)) return { name: "book_appointment", input: { ...work, hold: true } };
  const isBooking = said.books.test(text) && !said.denials.book.test(text);
  if (isBooking && !asksHow && !said.hold.test(text) && !/\bwhile\b/i.test(text))
    return { name: "book_appointment", input: { ...work, ...dayNamed(text, today), ...startNamed(text) } };
  if (said.times.test(text) && !asksHow && !said.hold.test(text))
    return {
      name: "check_availability",
      input: {
        ...pickKeys(work ?? {}, ["service", "film_type", "coverage", "vehicle_type", "addons", "remove_old_film"]),
        ...dayNamed(text, today),
        ...partNamed(text),
      },
    };
  if (namesOtherVehicle(text, catalog) || said.lowest.test(text)) return undefined;
  const asksLaw = said.law.test(text) && work?.shade !== undefined;
  if (!said.price.test(text) && !asksLaw) return undefined;
  const glass = glassIn(text, catalog);
  const isSized = glass && ["total_sqft", "windows"].some((name) => Object.hasOwn(glass, name));
  const isGlass = glass && (isSized || work?.vehicle_type === undefined);
  if (isGlass) return { name: "flat_glass_estimate", input: glass };
  return work?.vehicle_type === undefined ? undefined : { name: "automotive_estimate", input: work };
}

/** Whether a sentence asks about something, and orders nothing: `should I cancel?`, but `could you cancel?`. */
const isDoubt = (text: string) =>
  /\b(?:if|whether)\b/i.test(text) || (IS_QUESTION.test(text) && !/\b(?:can|could|would|will) you\b/i.test(text));

/** Words for other work in a booking, which a sentence cannot order: to show the booking would look like a yes. */
const OTHER_WORK = /\b(?:add|remove|drop|swap|switch|upgrade|instead)\b/i;

/** The work on a car that a sentence without any of the other words can mean: `ceramic on a 2021 Camry`. */
function carWish(sentence: string, catalog: Shop): Wish | undefined {
  const text = sentence.slice(0, READ);
  const work = namesOtherVehicle(text, catalog) ? undefined : carOfSentence(text, catalog);
  return work?.vehicle_type === undefined ? undefined : { name: "automotive_estimate", input: work };
}

const asksPrice = (sentence: string, catalog: Shop) => catalog.words.requests.price.test(sentence);

const asksWhatIsOffered = (sentence: string) => WHAT_IS_OFFERED.test(sentence);

function isQuestion(sentence: string): boolean {
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
    /(?<!\b(?:after|before|by|until|till) )\b(?:\d{1,2}(?::\d\d)? ?[ap]\.?m\b|(?<=\bat )(?:\d{1,2}(?::\d\d| o'?clock)|noon))/i.exec(
      text,
    ) ?? [];
  return time === undefined ? {} : { time };
}

const pickKeys = (input: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key)));

/** The first such day from today on. */
function dayNamed(text: string, today: string): { date?: string } {
  const words = text.replace(/[.?!]+(?= |$)/g, "").split(/\s+/);
  for (let at = 0; at < words.length; at++)
    for (let length = LONGEST_DATE; length > 0; length--) {
      const run = words.slice(at, at + length).join(" ");
      const date = /\d/.test(run) ? readDate(run.replace(/,$/, ""), today) : undefined;
      if (date !== undefined) return { date };
    }
  const said = new RegExp(`\\b(?:today|tomorrow|${WEEKDAYS.join("|")})\\b`, "i").exec(text)?.[0].toLowerCase();
  if (said === undefined) return {};
  const first = Temporal.PlainDate.from(today);
  const weekday = WEEKDAYS.map(String).indexOf(said) + 1;
  const ahead = weekday === 0 ? Number(said === "tomorrow") : (7 + weekday - first.dayOfWeek) % 7;
  return { date: first.add({ days: ahead }).toString() };
}

/** A confirmation code. Codes lack some letters, so few words look like one; in lower case it must have a digit. */
const codeNamed = (text: string) =>
  /\b(?:(?=\d*[A-Z])[0-9A-HJKMNP-TV-Z]{8}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-hjkmnp-tv-z]{8})\b/.exec(text)?.[0];

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
/** Work that is wanted by itself: `windshield only`, `just the sunroof`. */
const ALONE = /\b(?:only|just)(?: [\w'-]+){1,3}|(?:[\w'-]+ ){1,3}(?:only|alone|by (?:itself|themselves))\b/gi;

/** Between two parts of the work: `take the old tint off and put ceramic on`. */
const BESIDE = /[,;&+]|\b(?:and|then|with|before|plus)\b/i;

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
  const addons = wordsIn(text.replace(said.removes, " "), "addons", catalog).filter((word) => !extras.has(word));
  const isAddon = (what: string) => wordsIn(what, "addons", catalog).length > 0;
  const isPartial = denied.some((what) => GLASS.test(what) && !isAddon(what));
  const isAlone = coverage === undefined && [...text.matchAll(ALONE)].some(([what]) => isAddon(what));
  // The price list has no job without some of its glass and no extra by itself, and two cars are two jobs.
  if (isPartial || isAlone || otherCoverage !== undefined || namesTwoCars(text, catalog)) return undefined;
  const year = /\b(?:19[89]|20[0-4])\d\b/.exec(text)?.[0];
  const [, shade] = /\b(\d{1,2})(?: ?%| percent)/.exec(text) ?? [];
  const parts = text.replace(DENIED, " ").split(BESIDE);
  const isNewFilm = (part: string) => said.anew.test(part) || wordsIn(part, "films", catalog).length > 0;
  const takesOff = parts.some((part) => said.removes.test(part));
  const isAnew = parts.some((part) => !said.removes.test(part) && isNewFilm(part));
  const removal = takesOff && !isAnew ? catalog.terms.removal : undefined;
  const jurisdiction = shade === undefined ? undefined : stateElsewhere(text, catalog);
  const [make, ...rest] = model?.name.split(" ") ?? [];
  const input = {
    ...(type !== undefined && another === undefined && { vehicle_type: type }),
    ...(model && { vehicle_make: make, vehicle_model: rest.join(" ") }),
    ...(model && year && { vehicle_year: Number(year) }),
    ...(film !== undefined && otherFilm === undefined && removal === undefined && { film_type: film }),
    ...(coverage !== undefined && { coverage }),
    ...(addons.length > 0 && removal === undefined && { addons }),
    ...(shade !== undefined && removal === undefined && { shade: Number(shade) }),
    ...(jurisdiction !== undefined && { jurisdiction }),
    ...(removal !== undefined && { service: removal }),
    ...(takesOff && isAnew && { remove_old_film: true }),
  };
  return Object.keys(input).length > 0 ? input : undefined;
}

/** The cars of a sentence that asks for a price, times or a booking, each with its work, or what is named for all. */
function carsAsked(sentence: string, catalog: Shop): Record<string, unknown>[] {
  const text = sentence.slice(0, READ);
  const said = catalog.words.requests;
  const isWish = [said.price, said.books, said.times, said.holds].some((request) => request.test(text));
  if (!isWish || said.mine.test(text) || !offers(catalog, "automotive_estimate")) return [];
  const parts = text.split(BETWEEN_CARS).map((part) => carOfSentence(part, catalog) ?? {});
  const [models, others] = [parts.filter(isModel), parts.filter((part) => !isModel(part))];
  // "a pickup, my F-150" is one.
  const types = others.filter(({ vehicle_type: type }) => type && !models.some((car) => car.vehicle_type === type));
  const film = parts.find((part) => part.film_type)?.film_type;
  const work = Object.assign({}, film && { film_type: film }, ...others.filter(({ vehicle_type: type }) => !type));
  const named = new Map([...models, ...types].map((car) => [`${car.vehicle_type} ${car.vehicle_model}`, car]));
  return [...named.values()].map((car) => ({ ...work, ...car }));
}

const isModel = ({ vehicle_model: model }: { vehicle_model?: unknown }) => model !== undefined;

/** `4 x 6 feet` names no X6, and `300 feet` no Chrysler 300. */
function isNamed(name: string, text: string): boolean {
  const [make = "", ...rest] = name.toLowerCase().split(" ");
  const model = rest.join(" ").replaceAll("-", "");
  const said = text.toLowerCase().replaceAll("-", "");
  return /[a-z]{3}/.test(model) || said.includes(make) || (/[a-z]/.test(model) && said.includes(model));
}

const UNIT = "(?:ft|feet|foot|in|inch|inches|cm|m|'|\")";

function glassIn(said: string, catalog: Shop): Record<string, unknown> | undefined {
  const text = said.replace(/\p{L}+/gu, (word) => inDigits(word.toLowerCase()));
  const [site] = wordsIn(text, "site_types", catalog);
  const [, area] = /\b(\d[\d,]*(?:\.\d+)?) ?(?:sq\.? ?ft|sqft|square f(?:ee|oo)t)/i.exec(text) ?? [];
  const [, count] = /\b(\d{1,4}) (?:\w+ )?(?:windows?|panes?|panels?)\b/i.exec(text) ?? [];
  const sizes = text.matchAll(
    new RegExp(`\\b(\\d+(?:\\.\\d+)?) ?(${UNIT})? ?(?:x|by|×) ?(\\d+(?:\\.\\d+)?) ?(${UNIT})?`, "gi"),
  );
  const [size, otherSize] = sizes;
  // Several sizes are asked for, as rows; so is how many there are.
  const isWhole = !otherSize && (count !== undefined || !/\b(?:windows|panes|panels)\b/i.test(text));
  const [, width, unit, height, last = unit ?? ""] = size ?? [];
  if (site === undefined && area === undefined && !(count && size)) return undefined;
  const [concern] = wordsIn(text, "concerns", catalog);
  return {
    ...(site !== undefined && { site_type: site }),
    ...(area !== undefined && { total_sqft: Number(area.replaceAll(",", "")) }),
    ...(area === undefined &&
      size && { windows: isWhole ? [`${count ?? 1} of ${width} ${unit ?? last} x ${height} ${last}`] : undefined }),
    ...(concern !== undefined && { primary_concern: concern }),
  };
}

/** Open times in one answer: enough to choose from. */
const MOST_DAYS = 3;
const MOST_TIMES = 4;

/** The answer of a capability in a sentence or two; undefined where data says it better. */
function answerInWords(name: CapabilityId, body: object, catalog: Shop): string {
  if (field(body, "success") !== true) return String(field(body, "message"));
  const data = field(body, "data");
  const money = (units: unknown) => formatMoney(toCents(Number(units)), catalog.currency);
  const list = (key: string) => namedList(field(data, key));
  switch (name) {
    case "automotive_estimate": {
      const prices = list("options").map((one) => {
        const film = field(field(one, "film"), "name");
        return `${film === undefined ? "" : `${film} `}${money(field(one, "total"))}`;
      });
      const lines = namedList(field(data, "line_items")).map((line) => String(field(line, "label")));
      const car = String(field(field(data, "vehicle"), "description"));
      const told = namedList(field(body, "warnings")).map((one) => String(field(one, "message")));
      const total = `${joinWithAnd(lines)}: ${money(field(data, "total"))}.`;
      const films = prices.length > 1 ? [`${car}: ${joinWithAnd(prices)}.`] : [];
      return [total, ...films, ...told, field(data, "price_note")].join(" ");
    }
    case "flat_glass_estimate": {
      const prices = list("options").map((one) => `${field(one, "label")} ${money(field(one, "total"))}`);
      return `${field(data, "total_sqft")} square feet of glass: ${joinWithAnd(prices)}. ${field(data, "price_note")}`;
    }
    case "check_availability": {
      const days = [...list("days"), ...(isObject(data) ? [data] : [])].flatMap((day) => {
        const times = namedList(field(day, "slots")).filter((slot) => field(slot, "available") === true);
        const first = times.slice(0, MOST_TIMES).map((slot) => timeOfDay(String(field(slot, "time"))));
        return first.length > 0 ? [`${dayAndDate(String(field(day, "date")))}: ${first.join(", ")}`] : [];
      });
      const open = days.slice(0, MOST_DAYS).join("; ");
      return open === "" ? "No time is open in these days." : `Open times. ${open}.`;
    }
    case "book_appointment":
    case "find_booking":
    case "reschedule_booking":
    case "cancel_booking": {
      const [date, time] = [String(field(data, "date")), String(field(data, "time"))];
      const total = field(field(data, "estimate"), "total");
      const facts = [
        dayAndTime(date, time),
        field(data, "duration"),
        field(field(data, "vehicle"), "description"),
        total === undefined ? undefined : money(total),
      ];
      const status = capitalised(spaced(String(field(data, "status"))));
      const after = [field(data, "prepare"), field(field(data, "messages"), "said")];
      const texts = (all: unknown[]) => all.filter((one) => typeof one === "string");
      return [`${status}: ${texts(facts).join(", ")}.`, ...texts(after)].join(" ");
    }
    default:
      return [field(body, "message"), field(data, "message")].find((one) => typeof one === "string") ?? "";
  }
}

const namedList = (value: unknown): object[] => (Array.isArray(value) ? value.filter(isObject) : []);
