/** Rules of `business`, `services`, `scheduling`, `messages`, `synonyms` and `faq`. */
import { BUILDING_TYPES, CONCERNS } from "../../constants.ts";
import { NANP, toE164 } from "../../lib/phone.ts";
import { MOST_SEGMENTS, segments } from "../../lib/text.ts";
import { messageLinks, pageUrl, RECEIPT_PATH } from "../page-addresses.ts";
import { type Issue, type Path, referencesIn, SPOKEN_GROUPS } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { coveragesOf } from "../sections/automotive.ts";
import { fillTemplate, type TemplateFields } from "../sections/template.ts";
import { findSetting, UnknownPath } from "../settings.ts";
import { extraOf, isShown, pricedBy } from "../terms.ts";
import type { WordKind } from "../words.ts";
import { missingKeys, type Rule, repeated, unknownAt, unknownKeys } from "./rule.ts";

export const businessRules: Rule[] = [
  idsAndKeysAreUsedOnce,
  defaultServiceIsBookable,
  bookableServicesHaveAPrice,
  estimatedServicesHaveMinutes,
  minutesBelongToAService,
  jobMinutesAreComplete,
  defaultMinutesHoldTheLongestTint,
  phoneCanBeCalled,
  specialDaysAreClear,
  depositIsClear,
  synonymsLeadToWords,
  remindersHaveTimes,
  receiversStandOnce,
  linksFit,
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
  const wrongIn = ([key, length]: [string, (typeof minutes)[string]]): Issue[] => {
    const path = [...MINUTES, key];
    if (EXTRA.test(key) && typeof length === "object") return [{ path, message: "must be a whole number of minutes" }];
    if (!coverages.includes(key)) return [];
    if (length === 0) return [{ path, message: "must be 1 or more" }];
    if (typeof length === "number") return [];
    return [
      ...missingKeys(path, types, length, () => "each vehicle type needs its minutes"),
      ...unknownKeys(path, Object.keys(length), "a vehicle type", types),
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

const REMINDERS = { sms: "reminder_sms", email: "reminder_email" } as const;

/** The times are in the list, or where there is none at each message. */
function remindersHaveTimes({ messages = {} }: WrittenCatalog): Issue[] {
  const { reminders } = messages;
  const twice = repeated(reminders ?? [], (one) => JSON.stringify([one.hours_before, one.by]));
  const place: Path = ["messages", "reminders"];
  return [
    ...twice.map(({ index }) => ({ path: [...place, index], message: "is listed twice" })),
    ...Object.entries(REMINDERS).flatMap(([by, name]): Issue[] => {
      const message = messages[name];
      const listed = (reminders ?? []).findIndex((one) => one.by === by);
      if (!message)
        return listed < 0 ? [] : [{ path: [...place, listed, "by"], message: `needs a text: write messages.${name}` }];
      const isTimed = message.hours_before !== undefined;
      const twofold = "must be left out: the times are in messages.reminders";
      if (reminders) return isTimed ? [{ path: ["messages", name, "hours_before"], message: twofold }] : [];
      const untimed = `needs a time: write messages.reminders, like [{hours_before: 24, by: ${by}}]`;
      return message.enabled && !isTimed ? [{ path: ["messages", name, "enabled"], message: untimed }] : [];
    }),
  ];
}

/** A number that is changed in a line without effect would leave the owner without news. */
function receiversStandOnce({ messages = {}, alerts = {}, follow_up }: WrittenCatalog): Issue[] {
  const steps = follow_up.flatMap(({ do: step, to }, i): Issue[] =>
    to && step !== "notify_shop_sms" && step !== "remind_owner"
      ? [{ path: ["follow_up", i, "to"], message: `must be left out: ${step} does not tell the owner` }]
      : [],
  );
  if (alerts.to === undefined || messages.shop_sms_to === undefined) return steps;
  const message = "must be left out: put the number into alerts.to, the list of all who are told";
  return [...steps, { path: ["messages", "shop_sms_to"], message }];
}

/** The longest that the program writes for a customer and an appointment. */
const LONGEST = {
  name: "W".repeat(40),
  date: "Wed, Sep 30",
  time: "12:30 PM",
  old_date: "Wed, Sep 30",
  old_time: "12:30 PM",
  ready_date: "Wed, Sep 30",
  ready_time: "12:30 PM",
  code: "MMMMMMMM",
  windows_up_days: "30",
  cure_days: "30",
  work: "W".repeat(100),
  vehicle: "W".repeat(60),
  extras: "W".repeat(60),
  phone: "+1 234 567 8901 234",
  count: "10000",
  reference: "Q-MMMMMM",
  range: "$12,345.67 to $23,456.78",
  paper: "receipt",
  deposit: "$12,345.67",
  pay_until: "Wed, Sep 30, 12:30 PM",
  // No text has room for Stripe's own link; the page behind `manage_url` leads to it.
  pay_url: `https://checkout.stripe.com/c/pay/${"W".repeat(350)}`,
};

/** The texts behind which the sentence about the night stands. */
const TELLS_WHEN = /^messages\.(confirmation|reminder|rescheduled)_sms/;

const LINKS = ["manage_url", "book_url", "directions_url", "url", "paper_url", "pay_url"];

/** A link that is cut leads nowhere. A text without one may be cut: it keeps its code. */
function linksFit(catalog: WrittenCatalog): Issue[] {
  const { automotive, business, services, messages = {}, tax } = catalog;
  const { address } = business;
  const staysOvernight = services.some(({ over_night }) => over_night);
  const service = longest(services.map(({ name }) => name));
  const fields: TemplateFields = {
    ...LONGEST,
    service,
    film: longest([service, ...Object.values(automotive.films).map(({ name }) => name)]),
    coverage: longest(Object.values(coveragesOf(automotive)).map(({ name }) => name)),
    request: `${service}, 12345.5 sq ft`,
    price: tax?.status === "added" ? `$12,345.67 with ${tax.label ?? "tax"}` : "$12,345.67",
    shop: business.name,
    shop_phone: business.phone,
    address: `${address.street}, ${address.locality}, ${address.region} ${address.postal_code}`,
    url: messages.review_sms?.url ?? business.url,
    ...messageLinks(LONGEST.code, catalog),
    paper_url: `${pageUrl(catalog, RECEIPT_PATH) ?? ""}/${"W".repeat(32)}`,
  };
  return messageTexts(messages).flatMap(({ path, text }) => {
    if (!LINKS.some((field) => text.includes(`{${field}}`))) return [];
    // Characters outside of ASCII are written with up to three others.
    const whole = staysOvernight && TELLS_WHEN.test(path.join(".")) ? `${text} ${messages.over_night_text}` : text;
    const filled = fillTemplate(whole, fields).replace(/[^\x20-\x7e]/g, "...");
    if (segments(filled) <= MOST_SEGMENTS) return [];
    const message = `is too long: with the longest name and link it has ${filled.length} characters, and two text messages hold 306. Shorten it`;
    return [{ path, message }];
  });
}

function messageTexts(messages: NonNullable<WrittenCatalog["messages"]>): { path: Path; text: string }[] {
  return Object.entries(messages).flatMap(([name, message]) => {
    if (!name.endsWith("_sms")) return [];
    if (typeof message === "string") return [{ path: ["messages", name], text: message }];
    return typeof message === "object" && "text" in message && message.text !== undefined
      ? [{ path: ["messages", name, "text"], text: message.text }]
      : [];
  });
}

function longest(words: readonly string[]): string {
  return words.reduce((most, word) => (word.length > most.length ? word : most), "");
}

const WORDS: Record<WordKind, { what: string; of: (catalog: WrittenCatalog) => readonly string[] }> = {
  vehicle_types: {
    what: "a vehicle type",
    of: ({ automotive }) => Object.keys(automotive.vehicle_types),
  },
  films: { what: "a film", of: ({ automotive }) => Object.keys(automotive.films) },
  coverages: {
    what: "a coverage",
    of: ({ automotive }) => Object.keys(coveragesOf(automotive)),
  },
  addons: { what: "an add-on", of: ({ automotive }) => Object.keys(automotive.addons) },
  services: { what: "a service", of: ({ services }) => services.map(({ key }) => key) },
  site_types: {
    what: "a kind of site",
    of: ({ flat_glass: flat }) => Object.keys(flat?.rates_per_sqft ?? {}),
  },
  buildings: { what: "a kind of building", of: () => BUILDING_TYPES },
  concerns: { what: "a concern", of: () => CONCERNS },
  shades: { what: "a shade that follows from the law", of: () => ["darkest_legal"] },
};

function synonymsLeadToWords(catalog: WrittenCatalog): Issue[] {
  return (Object.keys(WORDS) as WordKind[]).flatMap((kind) => wordIssues(kind, catalog));
}

function wordIssues(kind: WordKind, catalog: WrittenCatalog): Issue[] {
  const { what, of } = WORDS[kind];
  const known = [...of(catalog)];
  return Object.entries(catalog.synonyms?.[kind] ?? {}).flatMap(([synonym, meant]) => {
    const path = ["synonyms", kind, synonym];
    if (known.includes(synonym)) {
      return [{ path, message: `must be left out: ${synonym} is ${what} itself`, at: "key" as const }];
    }
    return unknownAt(path, meant, what, known);
  });
}

/** References that have a value also where the file has none: the program words it. */
const WORDED: readonly string[] = ["price_note", "tax.note", "site.texts.payment"];

/**
 * A customer would see the braces of an unknown setting. A question about a service that the shop does not offer is not
 * shown.
 * @param reported the settings that have an issue of their own
 */
export function answersNameExistingSettings(catalog: WrittenCatalog, reported: readonly string[]): Issue[] {
  const known = new Set<string>([...SPOKEN_GROUPS, ...WORDED, ...reported]);
  return catalog.faq.flatMap((entry, i) => {
    if (!isShown(entry, catalog.services)) return [];
    return referencesIn(entry.answer)
      .filter((dotted) => !known.has(dotted))
      .flatMap((dotted) => {
        const message = referenceIssue(dotted, catalog);
        return message === undefined ? [] : [{ path: ["faq", i, "answer"], message }];
      });
  });
}

function referenceIssue(dotted: string, source: unknown): string | undefined {
  try {
    const { value } = findSetting(source, dotted);
    if (typeof value === "number" || typeof value === "string") return undefined;
    return `names {${dotted}}, which ${value === undefined ? "is not set" : "is neither a number nor a text"}`;
  } catch (error) {
    if (error instanceof UnknownPath) return `names a place in braces that is not there. ${error.message}`;
    throw error;
  }
}
