/** The questions of `tint init`: how each answer is read, and the shop that the answers describe. */
import { z } from "zod";
import { catalogSchema } from "../../src/catalog/schema.ts";
import { estimateAutomotive } from "../../src/domain/automotive.ts";
import { formatMoney } from "../../src/lib/money.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { spaced } from "../../src/lib/text.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { email, line, normalize } from "../../src/schema/fields.ts";
import { UsageError } from "../terminal/output.ts";
import { issueIn, readContacts } from "../typed/values.ts";
import { readWeekHours, type WeekHours } from "./opening-times.ts";
import taxNames from "./state-taxes.json" with { type: "json" };
import usualZones from "./state-time-zones.json" with { type: "json" };
import { knownStates, readTemplate } from "./terms.ts";
import zoneNames from "./time-zone-names.json" with { type: "json" };

interface Asked {
  question: string;
  example: string;
  /** The answer of a bare Enter on a terminal. It may depend on earlier answers. */
  usual?: (earlier: Record<string, string | undefined>) => string | undefined;
  isOptional?: true;
  /** @throws UsageError when the answer is wrong, with a message to follow the flag: "must be a ZIP code" */
  read: (answer: string) => unknown;
}

const COUNTRY = "US";
const LEVEL = { least: 10, most: 1000 };
const EXAMPLE_SHOP = readTemplate();
const SERVICES = EXAMPLE_SHOP.services.map(({ key }) => key);
/** Requests that name no service are about this one. */
const ALWAYS = EXAMPLE_SHOP.automotive.defaults.service;
const { business, scheduling, site } = catalogSchema.shape;

const readLine = reading(line().min(1), "must be 1 to 100 characters", normalize);

const ASKED = {
  name: { question: "Name of the shop", example: '"Lakeside Tint"', read: readLine },
  phone: {
    question: "Phone",
    example: "512-555-0142",
    read: (answer: string) => toE164(answer, COUNTRY) ?? refuse("must be a phone number with area code"),
  },
  email: { question: "E-mail", example: "hello@example.com", read: reading(email(), "must be an e-mail address") },
  street: { question: "Street and number", example: '"12 Main Street"', read: readLine },
  city: { question: "Town", example: "Austin", read: readLine },
  state: { question: "State, for the address and the tint law", example: "TX", read: readState },
  zip: {
    question: "ZIP code",
    example: "78701",
    read: reading(z.string().regex(/^\d{5}(-\d{4})?$/), "must be a ZIP code of 5 digits"),
  },
  timezone: {
    question: "Time zone",
    example: "America/Chicago",
    usual: ({ state = "" }) => usualTimezone(state),
    read: readTimezone,
  },
  hours: {
    question: "Opening hours",
    example: '"mon-fri 9am-6pm, sat 9am-3pm"',
    usual: () => "mon-fri 9am-6pm, sat 9am-3pm",
    read: readHours,
  },
  priceLevel: {
    question: `Prices, as a percentage of the example shop's, whose ${examplePrice()}`,
    example: "110",
    usual: () => "100",
    read: reading(
      z
        .string()
        .regex(/^\d{1,4}%?$/)
        .transform(Number.parseFloat)
        .pipe(z.number().min(LEVEL.least).max(LEVEL.most)),
      `must be a whole percentage from ${LEVEL.least} to ${LEVEL.most}`,
    ),
  },
  tax: {
    question: "Sales tax: none, or a rate that is added to your prices, or included in them",
    example: '"added 8.25%"',
    usual: ({ state = "" }) => (taxName(state) === null ? "none" : undefined),
    isOptional: true,
    read: readTax,
  },
  services: {
    question: "Services you sell",
    example: '"automotive, film_removal", or all',
    usual: () => SERVICES.join(", "),
    isOptional: true,
    read: readServices,
  },
  bays: {
    question: "Bays: vehicles worked on at the same time",
    example: "2",
    usual: () => "1",
    isOptional: true,
    read: reading(
      z.string().regex(/^\d+$/).transform(Number).pipe(scheduling.shape.bays),
      "must be a whole number from 1 to 50",
    ),
  },
  alertsTo: {
    question:
      "Who is told of every booking and quote request: mobile, e-mail, https address (ntfy); several with commas",
    example: "512-555-0143, desk@lakeside.example",
    usual: ({ phone }) => phone,
    isOptional: true,
    read: (answer: string): readonly string[] => readContacts(answer, COUNTRY),
  },
  facts: {
    question: "What speaks for you, at most three, with ; between them",
    example: '"Lifetime warranty; Family-owned since 2009"',
    isOptional: true,
    read: reading(site.shape.facts, "must be 1 to 3 facts of at most 80 characters", (answer) =>
      answer.split(";").map((fact) => fact.trim()),
    ),
  },
  reviews: {
    question: "Your reviews: stars, how many, on which site, its address",
    example: '"4.9, 212, Google, https://maps.google.com/?cid=1"',
    isOptional: true,
    read: readReviews,
  },
  website: { question: "Website", example: "https://lakeside.example", isOptional: true, read: readWebsite },
  geo: {
    question: "Map position, latitude and longitude",
    example: "30.2672,-97.7431",
    isOptional: true,
    read: readGeo,
  },
} as const satisfies Record<string, Asked>;

type Key = keyof typeof ASKED;
type Read = { [key in Key]: ReturnType<(typeof ASKED)[key]["read"]> };
type Optional = { [key in Key]: (typeof ASKED)[key] extends { isOptional: true } ? key : never }[Key];

/** Defaults of a new shop: all services of the template, one bay, and the shop's phone as who is told of bookings. */
export type NewShop = Omit<Read, Optional> & Partial<Pick<Read, Optional>>;
export type Answers = { [key in Key]?: string | undefined };

export interface Question extends Asked {
  key: Key;
  flag: string;
  /** The fault of an answer, as the words behind its flag. */
  issue: (answer: string) => string | undefined;
}

export const QUESTIONS = Object.entries<Asked>(ASKED).map(
  ([key, asked]): Question => ({
    ...asked,
    key: key as Key,
    flag: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    issue: (answer) => issueIn(() => asked.read(answer)) ?? undefined,
  }),
);

export function answerIssues(given: Answers): string[] {
  return QUESTIONS.flatMap(({ key, flag, issue }) => {
    const answer = given[key];
    const wrong = answer === undefined ? undefined : issue(String(normalize(answer)));
    return wrong === undefined ? [] : [`--${flag} ${wrong}.`];
  });
}

/** @param given an answer to every question that is not optional @returns the shop, or a sentence for each wrong answer */
export function readAnswers(given: Answers): NewShop | string[] {
  const issues = answerIssues(given);
  if (issues.length > 0) return issues;
  const facts = QUESTIONS.map(({ key, read }) => {
    const answer = given[key];
    return [key, answer === undefined ? undefined : read(String(normalize(answer)))];
  });
  // Each question reads the fact of its own key.
  const shop = Object.fromEntries(facts) as NewShop;
  const label = taxName(shop.state) ?? "Sales tax";
  const tax = shop.tax && shop.tax.status !== "none" ? { ...shop.tax, label } : shop.tax;
  return { ...shop, ...(tax && { tax }), street: streetAlone(shop) };
}

/** The street without the town, state and ZIP code that were typed behind it: `12 main st marietta ga`. */
function streetAlone({ street, city, state, zip }: NewShop): string {
  const names = [state, knownStates().get(state) ?? state].map(RegExp.escape).join("|");
  const behind = `(?:[, ]+${RegExp.escape(zip)}(?:-\\d{4})?)?$`;
  // A town alone may be the name of a street, as in 12 Old Marietta.
  const town = new RegExp(`(?:, *${RegExp.escape(city)}|[, ]+${RegExp.escape(city)}[, ]+(?:${names}))${behind}`, "i");
  return street.replace(new RegExp(`, *(?:${names})${behind}`, "i"), "").replace(town, "") || street;
}

export function asCommand(answers: Answers): string {
  const flags = QUESTIONS.flatMap(({ key, flag }) => {
    const answer = answers[key];
    return answer === undefined ? [] : [`--${flag} '${answer.replaceAll("'", `'\\''`)}'`];
  });
  return ["tint init", ...flags].join(" ");
}

/** `sedan in standard film costs $289`. */
function examplePrice(): string {
  const { vehicle_type, film_type } = EXAMPLE_SHOP.terms.example;
  const { total } = estimateAutomotive(EXAMPLE_SHOP, { vehicle_type, film_type }).chosen;
  return `${spaced(vehicle_type)} in ${spaced(film_type)} film costs ${formatMoney(total, EXAMPLE_SHOP.currency)}`;
}

function refuse(reason: string): never {
  throw new UsageError(reason);
}

/** Makes the reader of a schema. @param must said of every answer that does not fit @param tidy the answer, before it is checked */
function reading<Value>(schema: z.ZodType<Value>, must: string, tidy = (answer: string): unknown => answer) {
  return (answer: string): Value => schema.safeParse(tidy(answer)).data ?? refuse(must);
}

/** ` (did you mean America/Denver?)`; empty where no name is near. @param shown by the name in small letters */
function nearest(typed: string, shown: ReadonlyMap<string, string>): string {
  const guess = shown.get(didYouMean(typed, [...shown.keys()]) ?? "");
  return guess === undefined ? "" : ` (did you mean ${guess}?)`;
}

function stateCode(answer: string): string | undefined {
  const wanted = answer.toLowerCase();
  return [...knownStates()].find((words) => words.some((word) => word.toLowerCase() === wanted))?.[0];
}

function readState(answer: string): string {
  const names = new Map([...knownStates()].map(([code, name]) => [name.toLowerCase(), `${code}, ${name}`]));
  return stateCode(answer) ?? refuse(`must be a state of the US, in two letters${nearest(answer, names)}`);
}

/** The usual time zone of a state; undefined where it is not known. */
export function zoneOfState(state: string): string | undefined {
  return new Map(Object.entries(usualZones)).get(stateCode(state) ?? "");
}

/** The time zone of the state; of this computer when the state is not in the table. */
function usualTimezone(state: string): string | undefined {
  const zone = zoneOfState(state) ?? Temporal.Now.timeZoneId();
  return issueIn(() => readTimezone(zone)) === null ? zone : undefined;
}

/** `Central` and `Central time` are America/Chicago. */
function readTimezone(answer: string): string {
  const { timezone } = business.shape;
  const name = answer.toLowerCase().replace(/ (standard |daylight )?time$/, "");
  const zone = new Map(Object.entries(zoneNames)).get(name) ?? answer;
  if (timezone.safeParse(zone).success) return zone;
  const zones = Intl.supportedValuesOf("timeZone").filter((one) => timezone.safeParse(one).success);
  const lowered = new Map(zones.map((one) => [one.toLowerCase(), one]));
  const meant = nearest(answer.replaceAll(" ", "_"), lowered);
  return refuse(`must be the time zone of a place, like America/Chicago${meant}`);
}

function readHours(answer: string): WeekHours {
  const hours = readWeekHours(answer);
  return typeof hours === "string" ? refuse(hours) : hours;
}

/** The name of a state's sales tax; null where the state has none. */
function taxName(state: string): string | null {
  const { [stateCode(state) ?? ""]: name = "Sales tax" }: Readonly<Record<string, string | null>> = taxNames;
  return name;
}

type Tax = { status: "none" | "added" | "included"; rate_pct?: number; label?: string };

/** `added 8.25%`, `included 7`, `8.25%` (added), `none`. */
function readTax(answer: string): Tax {
  if (/^(none|no)$/i.test(answer)) return { status: "none" };
  const [, word = "", rate] = /^(added|included)?\s*(\d+(?:\.\d+)?)\s*%?$/i.exec(answer) ?? [];
  const tax: Tax = { status: /^i/i.test(word) ? "included" : "added", rate_pct: Number(rate), label: "Sales tax" };
  const isGood = catalogSchema.shape.tax.safeParse(tax).success;
  return isGood ? tax : refuse("must be none, or like added 8.25% or included 8.25%");
}

/** Keys of services with commas between them, in any case; their beginnings and synonyms too, like `auto`. */
function readServices(answer: string): readonly string[] {
  if (/^all$/i.test(answer)) return SERVICES;
  const typed = answer.split(/,|&|\band\b/);
  const sold = [...new Set(typed.map((word) => serviceNamed(word.trim().toLowerCase().replaceAll(/[ -]+/g, "_"))))];
  const unknown = sold.find((key) => !SERVICES.includes(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, new Map(SERVICES.map((key) => [key, key])));
    refuse(`must be some of ${SERVICES.join(", ")}, with commas between them${meant}`);
  }
  return sold.includes(ALWAYS) ? sold : refuse(`must include ${ALWAYS}: films are sold by it`);
}

/** The key that a word stands for; the word itself where it stands for none, or for several. */
function serviceNamed(word: string): string {
  const begun = word.length >= 3 ? SERVICES.filter((key) => key.startsWith(word)) : [];
  const synonyms: Readonly<Record<string, string>> = EXAMPLE_SHOP.synonyms.services;
  return (SERVICES.includes(word) ? word : begun.length === 1 ? begun[0] : synonyms[word]) ?? word;
}

function readWebsite(answer: string): string {
  // A host alone, as people say it.
  const address = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/?$/i.test(answer) ? `https://${answer}` : answer;
  const isGood = /^https?:\/\/[^\s/?#]+\/?$/.test(address) && URL.canParse(address);
  return isGood
    ? address.replace(/\/$/, "")
    : refuse("must be a web address without a path, like https://lakeside.example");
}

function readReviews(answer: string) {
  const [rating = "", count = "", source = "", url = ""] = answer.split(/,\s*/);
  const reviews = { rating: Number(rating), count: Number(count), source, url };
  const isGood = site.shape.reviews.safeParse({ ...reviews, reviewed_on: "2026-01-01" }).success;
  return isGood
    ? reviews
    : refuse("must be stars, how many, the site and its address, like 4.9, 212, Google, https://…");
}

function readGeo(answer: string) {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(answer) ?? [];
  const geo = { latitude: Number(latitude), longitude: Number(longitude) };
  const isGood = Math.abs(geo.latitude) <= 90 && Math.abs(geo.longitude) <= 180;
  return isGood ? geo : refuse("must be two numbers, like 30.2672,-97.7431");
}
