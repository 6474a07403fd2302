/** The questions of `tint init`, and the shop that the answers describe. */
import { normalise } from "../../src/schema/fields.ts";
import {
  baysFault,
  emailFault,
  geoFault,
  geoOf,
  hoursFault,
  levelFault,
  levelOf,
  lineFault,
  phoneFault,
  phoneIn,
  SERVICES,
  servicesFault,
  servicesIn,
  stateCode,
  stateFault,
  timezoneFault,
  timezoneIn,
  usualTimezone,
  websiteFault,
  zipFault,
} from "./init-answers.ts";
import type { NewShop } from "./new-catalog.ts";
import { readWeekHours } from "./opening-times.ts";

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

export const QUESTIONS: Question[] = [
  { key: "name", flag: "name", question: "Name of the shop", example: '"Lakeside Tint"', fault: lineFault },
  { key: "phone", flag: "phone", question: "Phone", example: "512-555-0142", fault: phoneFault },
  { key: "email", flag: "email", question: "E-mail", example: "hello@example.com", fault: emailFault },
  { key: "street", flag: "street", question: "Street and number", example: '"12 Main Street"', fault: lineFault },
  { key: "city", flag: "city", question: "Town", example: "Austin", fault: lineFault },
  {
    key: "state",
    flag: "state",
    question: "State, for the address and the tint law",
    example: "TX",
    fault: stateFault,
  },
  { key: "zip", flag: "zip", question: "ZIP code", example: "78701", fault: zipFault },
  {
    key: "timezone",
    flag: "timezone",
    question: "Time zone",
    example: "America/Chicago",
    usual: ({ state = "" }) => usualTimezone(state),
    fault: timezoneFault,
  },
  {
    key: "hours",
    flag: "hours",
    question: "Opening hours",
    example: '"mon-fri 9am-6pm, sat 9am-3pm"',
    usual: () => "mon-fri 9am-6pm, sat 9am-3pm",
    fault: hoursFault,
  },
  {
    key: "priceLevel",
    flag: "price-level",
    question: "Prices, as a percentage of the example shop's",
    example: "110",
    usual: () => "100",
    fault: levelFault,
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
    fault: baysFault,
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
    fault: websiteFault,
  },
  {
    key: "geo",
    flag: "geo",
    question: "Map position, latitude and longitude",
    example: "30.2672,-97.7431",
    isOptional: true,
    fault: geoFault,
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
    phone: phoneIn(answer("phone")) ?? answer("phone"),
    email: answer("email"),
    street: answer("street"),
    city: answer("city"),
    state: stateCode(answer("state")) ?? "",
    zip: answer("zip"),
    timezone: timezoneIn(answer("timezone")),
    hours,
    priceLevel: levelOf(answer("priceLevel")),
    services: given.services === undefined ? undefined : servicesIn(answer("services")),
    bays: given.bays === undefined ? undefined : Number(answer("bays")),
    alertsTo: given.alertsTo === undefined ? undefined : phoneIn(answer("alertsTo")),
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
