/** The questions of `tint init`, and how the answers are read. */
import { catalogSchema } from "../../src/catalog/schema.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { email, line, normalise } from "../../src/schema/fields.ts";
import { knownStates, type NewShop, readTemplate } from "./new-catalog.ts";
import { readWeekHours } from "./opening-times.ts";
import usualZones from "./state-time-zones.json" with { type: "json" };

type Key =
  | "name"
  | "phone"
  | "email"
  | "street"
  | "city"
  | "state"
  | "zip"
  | "timezone"
  | "hours"
  | "priceLevel"
  | "services"
  | "bays"
  | "alertsTo"
  | "website"
  | "geo";
export type Answers = { [key in Key]?: string | undefined };

export interface Question {
  key: Key;
  flag: string;
  question: string;
  example: string;
  /** The answer of a bare Enter on a terminal. It may depend on earlier answers. */
  usual?: (earlier: Answers) => string | undefined;
  isOptional?: boolean;
  /** A message when the answer is wrong, to follow the flag: "must be a ZIP code". */
  fault: (answer: string) => string | undefined;
}

const COUNTRY = "US";
const LEVEL = { least: 10, most: 1000 };
const { services, automotive } = readTemplate();
/** The services of the template. */
const SERVICES = services.map(({ key }) => key);
/** Requests that name no service are about this one. */
const ALWAYS = automotive.defaults.service;

export const QUESTIONS: Question[] = [
  { key: "name", flag: "name", question: "Name of the shop", example: '"Lakeside Tint"', fault: lineFault },
  {
    key: "phone",
    flag: "phone",
    question: "Phone",
    example: "512-555-0142",
    fault: phoneFault,
  },
  {
    key: "email",
    flag: "email",
    question: "E-mail",
    example: "hello@example.com",
    fault: (answer) => (email().safeParse(answer).success ? undefined : "must be an e-mail address"),
  },
  { key: "street", flag: "street", question: "Street and number", example: '"12 Main Street"', fault: lineFault },
  { key: "city", flag: "city", question: "Town", example: "Austin", fault: lineFault },
  {
    key: "state",
    flag: "state",
    question: "State, for the address and the tint law",
    example: "TX",
    fault: stateFault,
  },
  {
    key: "zip",
    flag: "zip",
    question: "ZIP code",
    example: "78701",
    fault: (answer) => (/^\d{5}(-\d{4})?$/.test(answer) ? undefined : "must be a ZIP code of 5 digits"),
  },
  {
    key: "timezone",
    flag: "timezone",
    question: "Time zone",
    example: "America/Chicago",
    usual: usualTimezone,
    fault: timezoneFault,
  },
  {
    key: "hours",
    flag: "hours",
    question: "Opening hours",
    example: '"mon-fri 09:00-18:00, sat 09:00-15:00"',
    usual: () => "mon-fri 09:00-18:00, sat 09:00-15:00",
    fault: (answer) => {
      const hours = readWeekHours(answer);
      return typeof hours === "string" ? hours : undefined;
    },
  },
  {
    key: "priceLevel",
    flag: "price-level",
    question: "Prices, as a percentage of the example shop's",
    example: "110",
    usual: () => "100",
    fault: (answer) =>
      /^\d{1,4}%?$/.test(answer) && levelOf(answer) >= LEVEL.least && levelOf(answer) <= LEVEL.most
        ? undefined
        : `must be a whole percentage from ${LEVEL.least} to ${LEVEL.most}`,
  },
  {
    key: "services",
    flag: "services",
    question: "Services you sell",
    example: '"automotive, film_removal"',
    usual: () => SERVICES.join(", "),
    isOptional: true,
    fault: servicesFault,
  },
  {
    key: "bays",
    flag: "bays",
    question: "Bays: vehicles worked on at the same time",
    example: "2",
    usual: () => "1",
    isOptional: true,
    fault: (answer) =>
      /^\d+$/.test(answer) && BAYS.safeParse(Number(answer)).success
        ? undefined
        : "must be a whole number from 1 to 50",
  },
  {
    key: "alertsTo",
    flag: "alerts-to",
    question: "Mobile that gets a text for every booking and quote request",
    example: "512-555-0143",
    usual: ({ phone }) => phone,
    isOptional: true,
    fault: phoneFault,
  },
  {
    key: "website",
    flag: "website",
    question: "Website",
    example: "https://lakeside.example",
    isOptional: true,
    fault: (answer) =>
      /^https?:\/\/[^\s/?#]+\/?$/.test(answer) && URL.canParse(answer)
        ? undefined
        : "must be a web address without a path, like https://lakeside.example",
  },
  {
    key: "geo",
    flag: "geo",
    question: "Map position, latitude and longitude",
    example: "30.2672,-97.7431",
    isOptional: true,
    fault: (answer) => (geoOf(answer) ? undefined : "must be two numbers, like 30.2672,-97.7431"),
  },
];

/** A sentence for each wrong answer, beginning with the flag. */
export function faultsOf(given: Answers): string[] {
  return QUESTIONS.flatMap(({ key, flag, fault }) => {
    const answer = given[key];
    const wrong = answer === undefined ? undefined : fault(String(normalise(answer)));
    return wrong === undefined ? [] : [`--${flag} ${wrong}.`];
  });
}

/** @returns the shop, or a sentence for each wrong answer */
export function readAnswers(given: Answers): NewShop | string[] {
  const answer = (key: Key) => String(normalise(given[key] ?? ""));
  const faults = faultsOf(given);
  if (faults.length > 0) return faults;
  const hours = readWeekHours(answer("hours"));
  if (typeof hours === "string") return [`--hours ${hours}.`];
  return {
    name: answer("name"),
    phone: toE164(answer("phone"), COUNTRY) ?? answer("phone"),
    email: answer("email"),
    street: answer("street"),
    city: answer("city"),
    state: stateCode(answer("state")) ?? "",
    zip: answer("zip"),
    timezone: answer("timezone"),
    hours,
    priceLevel: levelOf(answer("priceLevel")),
    services: given.services === undefined ? undefined : servicesIn(answer("services")),
    bays: given.bays === undefined ? undefined : Number(answer("bays")),
    alertsTo: given.alertsTo === undefined ? undefined : (toE164(answer("alertsTo"), COUNTRY) ?? undefined),
    website: given.website === undefined ? undefined : answer("website").replace(/\/$/, ""),
    geo: given.geo === undefined ? undefined : geoOf(answer("geo")),
  };
}

/** The answers as a shell command, to go on later. */
export function asCommand(answers: Answers): string {
  const flags = QUESTIONS.flatMap(({ key, flag }) => {
    const answer = answers[key];
    return answer === undefined ? [] : [`--${flag} '${answer.replaceAll("'", `'\\''`)}'`];
  });
  return ["tint init", ...flags].join(" ");
}

function lineFault(answer: string): string | undefined {
  return line().min(1).safeParse(answer).success ? undefined : "must be 1 to 100 characters on one line";
}

function phoneFault(answer: string): string | undefined {
  return toE164(answer, COUNTRY) ? undefined : "must be a phone number with area code";
}

/** The two letters of a state. @param answer the two letters or the name */
function stateCode(answer: string): string | undefined {
  const wanted = answer.toLowerCase();
  const found = [...knownStates()].find(([code, name]) => [code, name].some((word) => word.toLowerCase() === wanted));
  return found?.[0];
}

function stateFault(answer: string): string | undefined {
  if (stateCode(answer)) return undefined;
  const states = knownStates();
  const guess = didYouMean(
    answer,
    [...states.values()].map((name) => name.toLowerCase()),
  );
  const meant = [...states].find(([, name]) => name.toLowerCase() === guess);
  return `must be a state of the US, in two letters${meant ? ` (did you mean ${meant[0]}, ${meant[1]}?)` : ""}`;
}

/** The time zone of the state; of this computer when the state is not in the table. */
function usualTimezone({ state = "" }: Answers): string | undefined {
  const zone = new Map(Object.entries(usualZones)).get(stateCode(state) ?? "") ?? Temporal.Now.timeZoneId();
  return timezoneFault(zone) === undefined ? zone : undefined;
}

const BAYS = catalogSchema.shape.scheduling.shape.bays;
const TIMEZONE = catalogSchema.shape.business.shape.timezone;

function timezoneFault(answer: string): string | undefined {
  if (TIMEZONE.safeParse(answer).success) return undefined;
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => TIMEZONE.safeParse(zone).success);
  const lowered = zones.map((zone) => zone.toLowerCase());
  const guess = didYouMean(answer.replaceAll(" ", "_"), lowered);
  const meant = guess && zones[lowered.indexOf(guess)];
  return `must be the time zone of a place, like America/Chicago${meant ? ` (did you mean ${meant}?)` : ""}`;
}

/** Keys of services with commas between them, in any case. */
function servicesIn(answer: string): string[] {
  return answer.split(",").map((word) => word.trim().toLowerCase().replaceAll(/[ -]+/g, "_"));
}

function servicesFault(answer: string): string | undefined {
  const sold = servicesIn(answer);
  const unknown = sold.find((key) => !SERVICES.includes(key));
  if (unknown !== undefined) {
    const guess = didYouMean(unknown, SERVICES);
    return `must be some of ${SERVICES.join(", ")}, with commas between them${guess ? ` (did you mean ${guess}?)` : ""}`;
  }
  return sold.includes(ALWAYS) ? undefined : `must include ${ALWAYS}: films are sold by it`;
}

function levelOf(answer: string): number {
  return Number.parseInt(answer, 10);
}

function geoOf(answer: string): NewShop["geo"] {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(answer) ?? [];
  const geo = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(geo.latitude) <= 90 && Math.abs(geo.longitude) <= 180 ? geo : undefined;
}
