/** Rules of `business` and of `services`, with the defaults and lengths of work that belong to a service. */
import { NANP, toE164 } from "../../lib/phone.ts";
import type { Issue, Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { extraOf, pricedBy } from "../terms.ts";
import { missingKeys, type Rule, repeated, unknownAt, unknownKeys } from "./rule.ts";

export const businessRules: Rule[] = [
  idsAndKeysAreUsedOnce,
  defaultServiceIsBookable,
  bookableServicesHaveAPrice,
  onlyBookedWorkStaysOverNight,
  estimatedServicesHaveMinutes,
  minutesBelongToAService,
  jobMinutesAreComplete,
  defaultMinutesHoldTheLongestTint,
  phoneCanBeCalled,
  specialDaysAreClear,
  depositIsClear,
];

/** Bookings and callers name a service by its id or its key. */
function idsAndKeysAreUsedOnce({ services }: WrittenCatalog): Issue[] {
  return (["id", "key"] as const).flatMap((name) =>
    repeated(services, (service) => service[name]).map(({ item, index }) => ({
      path: ["services", index, name],
      message: `is used twice: ${item[name]}`,
    })),
  );
}

/** A request that names no service is priced and booked as the default one. */
function defaultServiceIsBookable({ services, automotive: { defaults } }: WrittenCatalog): Issue[] {
  if (services.some(({ key, bookable }) => bookable && key === defaults.service)) return [];
  return [{ path: ["automotive", "defaults", "service"], message: "must be the key of a bookable service" }];
}

/** A booking confirms a price, so there must be one for the vehicle. */
function bookableServicesHaveAPrice({ services }: WrittenCatalog): Issue[] {
  return services.flatMap(({ key, bookable, estimate }, i) => {
    const message = `must be false: ${key} has no price to book at (the estimate is ${estimate})`;
    return bookable && estimate !== "automotive" ? [{ path: ["services", i, "bookable"], message }] : [];
  });
}

/** Customers are offered the times of bookable services alone. */
function onlyBookedWorkStaysOverNight({ services }: WrittenCatalog): Issue[] {
  return services.flatMap(({ key, bookable, over_night }, i) => {
    const message = `must be false: customers cannot book ${key} (bookable is false)`;
    return over_night === true && !bookable ? [{ path: ["services", i, "over_night"], message }] : [];
  });
}

/** Every estimate by vehicle says how long the work takes. */
function estimatedServicesHaveMinutes({ services, scheduling }: WrittenCatalog): Issue[] {
  return services
    .filter(({ id, estimate }) => estimate === "automotive" && scheduling.default_minutes[id] === undefined)
    .map(({ id, name }) => ({
      path: ["scheduling", "default_minutes"],
      message: `must have an entry for service ${id} (${name}): an estimate says how long the service takes`,
    }));
}

/** Minutes under a mistyped id would never be found. */
function minutesBelongToAService({ services, scheduling }: WrittenCatalog): Issue[] {
  return Object.keys(scheduling.default_minutes)
    .filter((id) => !services.some((service) => String(service.id) === id))
    .map((id) => ({ path: ["scheduling", "default_minutes", id], message: "is not the id of a service", at: "key" }));
}

const EXTRA = /_extra$/;
const MINUTES: Path = ["scheduling", "job_minutes"];

/** A job of each coverage has a length, for each vehicle type where the length depends on it. */
function jobMinutesAreComplete({ automotive, scheduling }: WrittenCatalog): Issue[] {
  const minutes = scheduling.job_minutes;
  const coverages = Object.keys(coveragesOf(automotive));
  const types = Object.keys(automotive.vehicle_types);
  const extras = Object.keys(automotive.films).map(extraOf);
  const vehicles = Object.keys(automotive.vehicle_types);
  const wrongIn = ([key, length]: [string, (typeof minutes)[string]]): Issue[] => {
    const path = [...MINUTES, key];
    if (EXTRA.test(key) && typeof length === "object") return [{ path, message: "must be a whole number of minutes" }];
    if (!coverages.includes(key)) return [];
    if (length === 0) return [{ path, message: "must be 1 or more" }];
    if (typeof length === "number") return [];
    return [
      ...missingKeys(path, types, length, () => "each vehicle type needs its minutes"),
      ...unknownKeys(path, Object.keys(length), "a vehicle type", vehicles),
    ];
  };
  return [
    ...missingKeys(MINUTES, coverages, minutes, () => "each coverage needs its minutes"),
    ...Object.entries(minutes).flatMap(wrongIn),
    ...unknownKeys(MINUTES, Object.keys(minutes), "a coverage, or a film with _extra behind it", [
      ...coverages,
      ...extras,
    ]),
  ];
}

/** A slot for an unnamed vehicle must be long enough for any vehicle. */
function defaultMinutesHoldTheLongestTint({ services, scheduling, automotive }: WrittenCatalog): Issue[] {
  const { default_minutes: defaults, job_minutes: work } = scheduling;
  const tinting = services.find(
    ({ key, estimate }) => estimate === "automotive" && pricedBy(key, automotive.vehicle_types) === "film",
  );
  const minutes = tinting && defaults[tinting.id];
  if (!tinting || minutes === undefined) return [];
  const coverages = Object.keys(coveragesOf(automotive));
  const extra = Math.max(
    0,
    ...Object.entries(work).map(([key, one]) => (EXTRA.test(key) && typeof one === "number" ? one : 0)),
  );
  const lengths = coverages.flatMap((coverage) => {
    const length = work[coverage] ?? 0;
    return typeof length === "number" ? [length] : Object.values(length).map((one) => one + extra);
  });
  const longest = Math.max(...lengths);
  if (minutes >= longest) return [];
  const message = `must be at least ${longest}, the longest tint job, so that a time offered to anyone fits every vehicle`;
  return [{ path: ["scheduling", "default_minutes", String(tinting.id)], message }];
}

/** A number with its country code, and nothing else but an extension. */
const WRITTEN_PHONE = /^\+[\d ()./-]+(,? *(ext\.?|x) *\d{1,6})?$/i;

/** Customers and assistants from everywhere are sent to this number whenever a booking cannot be made or changed online. */
function phoneCanBeCalled({ business: { phone, address } }: WrittenCatalog): Issue[] {
  // Loading the numbering plans would slow down a quick quote. The usual North American form needs none.
  const isUsual = NANP.test(phone.replace(/[ ().-]/g, ""));
  const number = isUsual ? phone : toE164(phone, address.country);
  if (number !== undefined && WRITTEN_PHONE.test(phone)) return [];
  const hint = number === undefined ? "" : `: write "${number}"`;
  const message = `must be a number with its country code, like "+1-404-555-0142"${hint}`;
  return [{ path: ["business", "phone"], message }];
}

/** A day that is listed twice, or both closed and open, has no clear meaning. */
function specialDaysAreClear({ business: { special_hours: days = [] } }: WrittenCatalog): Issue[] {
  const again = new Set(repeated(days, ({ date }) => date).map(({ index }) => index));
  return days.flatMap(({ date, closed, hours = [] }, i) => {
    const path = ["business", "special_hours", i];
    if (again.has(i)) return [{ path, message: `is a second entry for ${date}` }];
    if (closed && hours.length > 0) return [{ path, message: "must be either closed or have hours, not both" }];
    if (!closed && hours.length === 0) return [{ path, message: "must have hours, or closed: true" }];
    return [];
  });
}

/** A deposit is one amount, of services that can be booked, in a currency that Stripe counts in hundredths. */
function depositIsClear({ deposit, services, bookings, currency }: WrittenCatalog): Issue[] {
  if (!deposit) return [];
  const bookable = services.filter((one) => one.bookable).map(({ key }) => key);
  const digits = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  return [
    ...(bookings.self_service?.enabled === false
      ? [
          {
            path: ["deposit"],
            message: "needs bookings.self_service.enabled: customers pay on the page of their booking",
          },
        ]
      : []),
    ...((deposit.amount === undefined) === (deposit.percent === undefined)
      ? [{ path: ["deposit"], message: "must have either amount or percent" }]
      : []),
    ...(digits === 2 ? [] : [{ path: ["deposit"], message: `cannot be taken in ${currency}: it has no cents` }]),
    ...deposit.services.flatMap((key, i) =>
      unknownAt(["deposit", "services", i], key, "the key of a bookable service", bookable),
    ),
  ];
}
