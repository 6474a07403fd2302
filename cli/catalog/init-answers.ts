/** Answers to the questions of `tint init`: how each is read, and what is wrong with one, to follow the flag. */
import { catalogSchema } from "../../src/catalog/schema.ts";
import { toE164 } from "../../src/lib/phone.ts";
import { didYouMean } from "../../src/schema/explain.ts";
import { email, line } from "../../src/schema/fields.ts";
import { knownStates, type NewShop, readTemplate } from "./new-catalog.ts";
import { readWeekHours } from "./opening-times.ts";
import usualZones from "./state-time-zones.json" with { type: "json" };
import zoneNames from "./time-zone-names.json" with { type: "json" };

const COUNTRY = "US";
const LEVEL = { least: 10, most: 1000 };
const { services, automotive } = readTemplate();
/** The services of the template. */
export const SERVICES = services.map(({ key }) => key);
/** Requests that name no service are about this one. */
const ALWAYS = automotive.defaults.service;

export function lineFault(answer: string): string | undefined {
  return line().min(1).safeParse(answer).success ? undefined : "must be 1 to 100 characters on one line";
}

/** E.164; undefined for no phone number. */
export function phoneIn(answer: string): string | undefined {
  return toE164(answer, COUNTRY);
}

export function phoneFault(answer: string): string | undefined {
  return phoneIn(answer) ? undefined : "must be a phone number with area code";
}

export function emailFault(answer: string): string | undefined {
  return email().safeParse(answer).success ? undefined : "must be an e-mail address";
}

export function zipFault(answer: string): string | undefined {
  return /^\d{5}(-\d{4})?$/.test(answer) ? undefined : "must be a ZIP code of 5 digits";
}

/** The two letters of a state. @param answer the two letters or the name */
export function stateCode(answer: string): string | undefined {
  const wanted = answer.toLowerCase();
  const found = [...knownStates()].find(([code, name]) => [code, name].some((word) => word.toLowerCase() === wanted));
  return found?.[0];
}

export function stateFault(answer: string): string | undefined {
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
export function usualTimezone(state: string): string | undefined {
  const zone = new Map(Object.entries(usualZones)).get(stateCode(state) ?? "") ?? Temporal.Now.timeZoneId();
  return timezoneFault(zone) === undefined ? zone : undefined;
}

const TIMEZONE = catalogSchema.shape.business.shape.timezone;

/** `Central` and `Central time` are America/Chicago; any other text stays as it is. */
export function timezoneIn(answer: string): string {
  const name = answer.toLowerCase().replace(/ (standard |daylight )?time$/, "");
  return new Map(Object.entries(zoneNames)).get(name) ?? answer;
}

export function timezoneFault(answer: string): string | undefined {
  if (TIMEZONE.safeParse(timezoneIn(answer)).success) return undefined;
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => TIMEZONE.safeParse(zone).success);
  const lowered = zones.map((zone) => zone.toLowerCase());
  const guess = didYouMean(answer.replaceAll(" ", "_"), lowered);
  const meant = guess && zones[lowered.indexOf(guess)];
  return `must be the time zone of a place, like America/Chicago${meant ? ` (did you mean ${meant}?)` : ""}`;
}

export function hoursFault(answer: string): string | undefined {
  const hours = readWeekHours(answer);
  return typeof hours === "string" ? hours : undefined;
}

export function levelOf(answer: string): number {
  return Number.parseInt(answer, 10);
}

export function levelFault(answer: string): string | undefined {
  return /^\d{1,4}%?$/.test(answer) && levelOf(answer) >= LEVEL.least && levelOf(answer) <= LEVEL.most
    ? undefined
    : `must be a whole percentage from ${LEVEL.least} to ${LEVEL.most}`;
}

/** Keys of services with commas between them, in any case. */
export function servicesIn(answer: string): string[] {
  return answer.split(",").map((word) => word.trim().toLowerCase().replaceAll(/[ -]+/g, "_"));
}

export function servicesFault(answer: string): string | undefined {
  const sold = servicesIn(answer);
  const unknown = sold.find((key) => !SERVICES.includes(key));
  if (unknown !== undefined) {
    const guess = didYouMean(unknown, SERVICES);
    return `must be some of ${SERVICES.join(", ")}, with commas between them${guess ? ` (did you mean ${guess}?)` : ""}`;
  }
  return sold.includes(ALWAYS) ? undefined : `must include ${ALWAYS}: films are sold by it`;
}

const BAYS = catalogSchema.shape.scheduling.shape.bays;

export function baysFault(answer: string): string | undefined {
  return /^\d+$/.test(answer) && BAYS.safeParse(Number(answer)).success
    ? undefined
    : "must be a whole number from 1 to 50";
}

export function websiteFault(answer: string): string | undefined {
  return /^https?:\/\/[^\s/?#]+\/?$/.test(answer) && URL.canParse(answer)
    ? undefined
    : "must be a web address without a path, like https://lakeside.example";
}

export function geoOf(answer: string): NewShop["geo"] {
  const [, latitude, longitude] = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(answer) ?? [];
  const geo = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(geo.latitude) <= 90 && Math.abs(geo.longitude) <= 180 ? geo : undefined;
}

export function geoFault(answer: string): string | undefined {
  return geoOf(answer) ? undefined : "must be two numbers, like 30.2672,-97.7431";
}
