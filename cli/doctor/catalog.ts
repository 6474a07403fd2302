/** Checks of a good catalog: hours in which nothing can be booked, and examples that `tint init` filled in. */
import { isExample } from "../../src/catalog/at-site.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { WEEKDAYS } from "../../src/constants.ts";
import { minutesOf } from "../../src/domain/schedule.ts";
import { resolveWork } from "../../src/domain/work.ts";
import { joinWithAnd } from "../../src/schema/explain.ts";
import { openingTimesInWords } from "../catalog/opening-times.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const NAME = "hours";

/** Days that are open, but too short for any job that customers book online, and vehicles too long a job for every day. */
export function checkHours(catalog: Shop, today: Temporal.PlainDate): Finding {
  const jobs = jobsOnline(catalog);
  if (jobs.length === 0) return ok(NAME, "all work that customers book may stay over night");
  const shortest = Math.min(...jobs.map(({ minutes }) => minutes));
  const { hours, special_hours: special } = catalog.business;
  const week = WEEKDAYS.map((day) => ({ day: `on ${day}`, times: hours[day] }));
  const ahead = special
    .filter(({ date, closed }) => !closed && Temporal.PlainDate.compare(date, today) >= 0)
    .map(({ date, hours: times }) => ({ day: `on ${date}`, times }));
  const isOpen = ({ times }: (typeof week)[number]) => times.length > 0;
  const longest = ({ times }: (typeof week)[number]) =>
    Math.max(0, ...times.map(({ opens, closes }) => minutesOf(closes) - minutesOf(opens)));
  const fits = (day: (typeof week)[number]) => longest(day) >= shortest;
  if (!week.some(isOpen)) return problem(NAME, "the shop is closed all week", "tint hours set mon-fri 9-18");
  const fix = `the shortest job takes ${shortest} minutes: open longer without a break (tint hours), or shorten scheduling.job_minutes`;
  if (!week.some(fits)) return problem(NAME, "no job fits into the hours of any day, so nobody can book", fix);
  const tooShort = [...week, ...ahead].filter((one) => isOpen(one) && !fits(one));
  if (tooShort.length === 0) {
    const room = Math.max(...week.map(longest));
    const tooLong = jobs.filter(({ minutes }) => minutes > room);
    if (tooLong.length === 0) return ok(NAME, "every open day has room for a job");
    const vehicles = joinWithAnd([...new Set(tooLong.map(({ vehicle }) => vehicle))]);
    const most = Math.max(...tooLong.map(({ minutes }) => minutes));
    const message = `customers cannot book every job for ${vehicles}: some take up to ${most} minutes, and no day is open for more than ${room} at a stretch`;
    return warning(NAME, message, "open longer without a break (tint hours), or shorten scheduling.job_minutes");
  }
  const days = tooShort.map(({ day, times }) => `${day} (${openingTimesInWords(times)})`).join(", ");
  return warning(NAME, `no job fits ${days}`, fix);
}

/** Work that may stay over night fits any day. */
function jobsOnline(catalog: Shop): { vehicle: string; minutes: number }[] {
  const { vehicleTypes, coverages, films } = catalog.terms;
  const glass = coverages.flatMap((coverage) => films.map((film_type) => ({ coverage, film_type })));
  const minutesOf = (service: string, vehicle: string) =>
    glass.map((one) => resolveWork(catalog, { service, vehicle_type: vehicle, ...one }).minutes);
  return catalog.services
    .filter(({ bookable, over_night }) => bookable && !over_night)
    .flatMap(({ key }) =>
      vehicleTypes.flatMap((vehicle) => minutesOf(key, vehicle).map((minutes) => ({ vehicle, minutes }))),
    );
}

const SITE_ADDRESSES = [
  ["url", "where your booking page is"],
  ["base_url", "where programs ask for prices and times"],
  ["agent_proxy_url", "where assistants ask for them"],
  ["mcp_url", "where assistants connect that speak MCP"],
] as const;

export function checkPlaceholders({ business, site }: Shop): Finding {
  const { latitude, longitude } = business.geo;
  const addresses = [
    { path: "business.url", address: business.url, use: "your website, which customers are sent to" },
    ...Object.entries(business.links).map(([key, address]) => ({
      ...{ path: `business.links.${key}`, address, use: "a page about your shop elsewhere" },
    })),
    ...SITE_ADDRESSES.map(([key, use]) => ({ path: `site.${key}`, address: site[key], use })),
  ];
  const left = [
    ...addresses.filter(({ address }) => isExample(address)),
    ...(latitude === 0 && longitude === 0 ? [{ path: "business.geo", use: "your place on the map" }] : []),
  ];
  const [first] = left;
  if (!first) return ok("addresses", "the shop's own");
  // The place has two numbers, set one by one.
  const fix = `set each to your own, like: tint catalog set ${first.path}${first.path === "business.geo" ? ".latitude" : ""} …`;
  return warning("addresses", `still examples: ${left.map(({ path, use }) => `${path} (${use})`).join(", ")}`, fix);
}
