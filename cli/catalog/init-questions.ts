/** The questions of `tint init`: how each answer is read, and the shop that the answers describe. */
import { catalogSchema } from "../../src/catalog/schema.ts";
import { estimateAutomotive } from "../../src/domain/automotive.ts";
import { formatMoney } from "../../src/lib/money.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { spaced } from "../../src/lib/text.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { email, line, normalize } from "../../src/schema/fields.ts";
import { UsageError } from "../terminal/output.ts";
import { issueIn, readContacts } from "../typed/values.ts";
import { knownStates, type NewShop, readTemplate } from "./new-catalog.ts";
import { readWeekHours, type WeekHours } from "./opening-times.ts";
import taxNames from "./state-taxes.json" with { type: "json" };
import usualZones from "./state-time-zones.json" with { type: "json" };
import zoneNames from "./time-zone-names.json" with { type: "json" };

export type Answers = { [key in keyof NewShop]?: string | undefined };

interface Asked {
  key: keyof NewShop;
  question: string;
  example: string;
  /** The answer of a bare Enter on a terminal. It may depend on earlier answers. */
  usual?: (earlier: Answers) => string | undefined;
  isOptional?: boolean;
  /** @throws UsageError when the answer is wrong, with a message to follow the flag: "must be a ZIP code" */
  read: (answer: string) => NewShop[keyof NewShop];
}

export interface Question extends Asked {
  flag: string;
  /** What is wrong with an answer, to follow the flag. */
  issue: (answer: string) => string | undefined;
}

const COUNTRY = "US";
const LEVEL = { least: 10, most: 1000 };
const TEMPLATE = readTemplate();
const SERVICES = TEMPLATE.services.map(({ key }) => key);
/** Requests that name no service are about this one. */
const ALWAYS = TEMPLATE.automotive.defaults.service;
const { business, scheduling, site } = catalogSchema.shape;

/** `sedan in standard film costs $289`. */
function examplePrice(): string {
  const { vehicle_type, film_type } = TEMPLATE.terms.example;
  const { total } = estimateAutomotive(TEMPLATE, { vehicle_type, film_type }).chosen;
  return `${spaced(vehicle_type)} in ${spaced(film_type)} film costs ${formatMoney(total, TEMPLATE.currency)}`;
}

const ASKED: Asked[] = [
  { key: "name", question: "Name of the shop", example: '"Lakeside Tint"', read: readLine },
  { key: "phone", question: "Phone", example: "512-555-0142", read: readPhone },
  { key: "email", question: "E-mail", example: "hello@example.com", read: readEmail },
  { key: "street", question: "Street and number", example: '"12 Main Street"', read: readLine },
  { key: "city", question: "Town", example: "Austin", read: readLine },
  { key: "state", question: "State, for the address and the tint law", example: "TX", read: readState },
  { key: "zip", question: "ZIP code", example: "78701", read: readZip },
  {
    key: "timezone",
    question: "Time zone",
    example: "America/Chicago",
    usual: ({ state = "" }) => usualTimezone(state),
    read: readTimezone,
  },
  {
    key: "hours",
    question: "Opening hours",
    example: '"mon-fri 9am-6pm, sat 9am-3pm"',
    usual: () => "mon-fri 9am-6pm, sat 9am-3pm",
    read: readHours,
  },
  {
    key: "priceLevel",
    question: `Prices, as a percentage of the example shop's, whose ${examplePrice()}`,
    example: "110",
    usual: () => "100",
    read: readLevel,
  },
  {
    key: "tax",
    question: "Sales tax: none, or a rate that is added to your prices, or included in them",
    example: '"added 8.25%"',
    usual: ({ state = "" }) => (taxName(state) === null ? "none" : undefined),
    isOptional: true,
    read: readTax,
  },
  {
    key: "services",
    question: "Services you sell",
    example: '"automotive, film_removal", or all',
    usual: () => SERVICES.join(", "),
    isOptional: true,
    read: readServices,
  },
  {
    key: "bays",
    question: "Bays: vehicles worked on at the same time",
    example: "2",
    usual: () => "1",
    isOptional: true,
    read: readBays,
  },
  {
    key: "alertsTo",
    question:
      "Who is told of every booking and quote request: mobile, e-mail, https address (ntfy); several with commas",
    example: "512-555-0143, desk@lakeside.example",
    usual: ({ phone }) => phone,
    isOptional: true,
    read: (answer) => readContacts(answer, COUNTRY),
  },
  {
    key: "facts",
    question: "What speaks for you, at most three, with ; between them",
    example: '"Lifetime warranty; Family-owned since 2009"',
    isOptional: true,
    read: readFacts,
  },
  {
    key: "reviews",
    question: "Your reviews: stars, how many, on which site, its address",
    example: '"4.9, 212, Google, https://maps.google.com/?cid=1"',
    isOptional: true,
    read: readReviews,
  },
  { key: "website", question: "Website", example: "https://lakeside.example", isOptional: true, read: readWebsite },
  {
    key: "geo",
    question: "Map position, latitude and longitude",
    example: "30.2672,-97.7431",
    isOptional: true,
    read: readGeo,
  },
];

export const QUESTIONS = ASKED.map(
  (asked): Question => ({
    ...asked,
    flag: asked.key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    issue: (answer) => issueIn(() => asked.read(answer)) ?? undefined,
  }),
);

/** A sentence for each wrong answer, beginning with the flag. */
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

/** The answers as a shell command, to go on later. */
export function asCommand(answers: Answers): string {
  const flags = QUESTIONS.flatMap(({ key, flag }) => {
    const answer = answers[key];
    return answer === undefined ? [] : [`--${flag} '${answer.replaceAll("'", `'\\''`)}'`];
  });
  return ["tint init", ...flags].join(" ");
}

function refuse(reason: string): never {
  throw new UsageError(reason);
}

function readLine(answer: string): string {
  return line().min(1).safeParse(normalize(answer)).data ?? refuse("must be 1 to 100 characters");
}

/** In E.164 form. */
function readPhone(answer: string): string {
  return toE164(answer, COUNTRY) ?? refuse("must be a phone number with area code");
}

function readEmail(answer: string): string {
  return email().safeParse(answer).success ? answer : refuse("must be an e-mail address");
}

function readZip(answer: string): string {
  return /^\d{5}(-\d{4})?$/.test(answer) ? answer : refuse("must be a ZIP code of 5 digits");
}

/** The two letters of a state. @param answer the two letters or the name */
function stateCode(answer: string): string | undefined {
  const wanted = answer.toLowerCase();
  const found = [...knownStates()].find(([code, name]) => [code, name].some((word) => word.toLowerCase() === wanted));
  return found?.[0];
}

function readState(answer: string): string {
  const code = stateCode(answer);
  if (code) return code;
  const states = [...knownStates()];
  const guess = didYouMean(
    answer,
    states.map(([, name]) => name.toLowerCase()),
  );
  const meant = states.find(([, name]) => name.toLowerCase() === guess);
  return refuse(`must be a state of the US, in two letters${meant ? ` (did you mean ${meant[0]}, ${meant[1]}?)` : ""}`);
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
  const lowered = zones.map((one) => one.toLowerCase());
  const guess = didYouMean(answer.replaceAll(" ", "_"), lowered);
  const meant = guess && zones[lowered.indexOf(guess)];
  return refuse(`must be the time zone of a place, like America/Chicago${meant ? ` (did you mean ${meant}?)` : ""}`);
}

function readHours(answer: string): WeekHours {
  const hours = readWeekHours(answer);
  return typeof hours === "string" ? refuse(hours) : hours;
}

/** The name of a state's sales tax; null where the state has none. */
function taxName(state: string): string | null {
  const names: Readonly<Record<string, string | null>> = taxNames;
  const name = names[stateCode(state) ?? ""];
  return name === undefined ? "Sales tax" : name;
}

/** `added 8.25%`, `included 7`, `8.25%` (added), `none`. */
function readTax(answer: string): NewShop["tax"] {
  if (/^(none|no)$/i.test(answer)) return { status: "none" };
  const [, word, rate] = /^(added|included)?\s*(\d+(?:\.\d+)?)\s*%?$/i.exec(answer) ?? [];
  const status = word?.toLowerCase() === "included" ? "included" : "added";
  const made = { status, rate_pct: Number(rate), label: "Sales tax" };
  const isGood = rate !== undefined && catalogSchema.shape.tax.safeParse(made).success;
  return isGood ? { status, rate_pct: Number(rate) } : refuse("must be none, or like added 8.25% or included 8.25%");
}

function readLevel(answer: string): number {
  const level = /^\d{1,4}%?$/.test(answer) ? Number.parseInt(answer, 10) : 0;
  if (level >= LEVEL.least && level <= LEVEL.most) return level;
  return refuse(`must be a whole percentage from ${LEVEL.least} to ${LEVEL.most}`);
}

/** Keys of services with commas between them, in any case; their beginnings and synonyms too, like `auto`. */
function readServices(answer: string): string[] {
  if (/^all$/i.test(answer)) return SERVICES;
  const typed = answer
    .split(/,|&|\band\b/)
    .map((word) => serviceNamed(word.trim().toLowerCase().replaceAll(/[ -]+/g, "_")));
  const sold = [...new Set(typed)];
  const unknown = sold.find((key) => !SERVICES.includes(key));
  if (unknown !== undefined) {
    const guess = didYouMean(unknown, SERVICES);
    refuse(
      `must be some of ${SERVICES.join(", ")}, with commas between them${guess ? ` (did you mean ${guess}?)` : ""}`,
    );
  }
  return sold.includes(ALWAYS) ? sold : refuse(`must include ${ALWAYS}: films are sold by it`);
}

/** The key that a word stands for; the word itself where it stands for none, or for several. */
function serviceNamed(word: string): string {
  const begun = word.length >= 3 ? SERVICES.filter((key) => key.startsWith(word)) : [];
  const synonyms: Readonly<Record<string, string>> = TEMPLATE.synonyms.services;
  return (SERVICES.includes(word) ? word : begun.length === 1 ? begun[0] : synonyms[word]) ?? word;
}

function readBays(answer: string): number {
  const isGood = /^\d+$/.test(answer) && scheduling.shape.bays.safeParse(Number(answer)).success;
  return isGood ? Number(answer) : refuse("must be a whole number from 1 to 50");
}

function readWebsite(answer: string): string {
  // A host alone, as people say it.
  const address = /^[a-z0-9-]+(\.[a-z0-9-]+)+\/?$/i.test(answer) ? `https://${answer}` : answer;
  const isGood = /^https?:\/\/[^\s/?#]+\/?$/.test(address) && URL.canParse(address);
  return isGood
    ? address.replace(/\/$/, "")
    : refuse("must be a web address without a path, like https://lakeside.example");
}

function readFacts(answer: string): string[] {
  const facts = answer.split(";").map((fact) => fact.trim());
  return site.shape.facts.safeParse(facts).success ? facts : refuse("must be 1 to 3 facts of at most 80 characters");
}

function readReviews(answer: string): NewShop["reviews"] {
  const [rating = "", count = "", source = "", url = ""] = answer.split(/,\s*/);
  const reviews = { rating: Number(rating), count: Number(count), source, url };
  const isGood = site.shape.reviews.safeParse({ ...reviews, reviewed_on: "2026-01-01" }).success;
  return isGood
    ? reviews
    : refuse("must be stars, how many, the site and its address, like 4.9, 212, Google, https://…");
}

function readGeo(answer: string): NewShop["geo"] {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(answer) ?? [];
  const geo = { latitude: Number(latitude), longitude: Number(longitude) };
  const isGood = Math.abs(geo.latitude) <= 90 && Math.abs(geo.longitude) <= 180;
  return isGood ? geo : refuse("must be two numbers, like 30.2672,-97.7431");
}
