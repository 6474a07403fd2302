/** Schemas of domain values that several capabilities share, with their conversion to the wire, and fields of the shop's own terms. */
import { z } from "zod";
import type { FlatGlassFilm } from "../../catalog/schema.ts";
import type { Shop } from "../../catalog/shop.ts";
import { entryOf, vehicleInWords } from "../../catalog/terms.ts";
import { PLACES, WEEKDAYS } from "../../constants.ts";
import { DAY_STATUSES, rfc3339, type ShopClock } from "../../domain/schedule.ts";
import { pauseInWords, SLOT_STATUSES, type Slot, type WorkPart } from "../../domain/slots.ts";
import { MINUTE_MS } from "../../lib/durations.ts";
import { type Cents, toUnits } from "../../lib/money.ts";
import { capitalized, sentence, spaced } from "../../lib/text.ts";
import { joinWithAnd } from "../../schema/explain.ts";
import { linesFor, wordField } from "../../schema/fields.ts";

export const currencyUnits = () => z.number().meta({ description: "Currency units, at most 2 decimals." });
export const timestamp = () =>
  z.string().meta({ format: "date-time", description: "RFC 3339 with the shop's UTC offset." });
export const calendarDate = () => z.string().meta({ format: "date", description: "The shop's own calendar date." });
export const clockTime = () => z.string().meta({ description: "HH:MM on the shop's clock.", example: "09:00" });
export const weekday = () =>
  z.enum(WEEKDAYS).meta({
    title: "Weekday",
    description: "On the shop's calendar.",
    ...linesFor(Object.fromEntries(WEEKDAYS.map((day) => [day, `${capitalized(day)}.`]))),
  });
export const currency = () => z.string().describe("ISO 4217 code of every amount in this answer.");
/** `3 h 30 min`. */
export const durationSaid = () => z.string().describe("The same as people say it.");

export const durationMinutes = () => z.int().describe("Length of the work.");
export const timezone = () => z.string().describe("IANA name of the shop's time zone.");
export const assumed = () =>
  z.array(z.string()).meta({ description: "Fields that the shop filled in because the request left them out." });
export const serviceRef = () =>
  z
    .object({
      id: z.int().describe("Its number, as check_availability takes it."),
      key: z.string().describe("Its word, as estimates and bookings take it."),
      name: z.string().describe("Its name for customers."),
    })
    .meta({ title: "ServiceReference", description: "A service of the shop." });

export const workPlace = () =>
  z.enum(PLACES).meta({
    title: "Place",
    description: "Where the work is done.",
    ...linesFor<(typeof PLACES)[number]>({
      shop: "The customer comes to the shop.",
      customer: "The shop comes to the customer.",
    }),
  });

export const address = () =>
  z
    .object({
      street: z.string().describe("House number and street."),
      locality: z.string().describe("City."),
      region: z.string().describe("State."),
      postal_code: z.string().describe("ZIP or postal code."),
      country: z.string().meta({ description: "ISO 3166 code." }),
    })
    .meta({ title: "Address", description: "Postal address." });

const percentOrNull = () => z.number().nullable();
export const flatGlassFilm = () =>
  z
    .object({
      name: z.string().describe("Name for customers."),
      family: z.string().describe("Kind of film."),
      vlt: percentOrNull().describe("Visible light that passes."),
      tser: percentOrNull().describe("Solar heat that is kept out."),
      glare: percentOrNull().describe("Glare that is kept out."),
      uv: percentOrNull().describe("UV that is blocked."),
      ext_reflect: percentOrNull().describe("Mirror effect from outside."),
      mil: z.number().nullable().describe("Thickness in thousandths of an inch."),
      anchored: z.boolean().describe("Whether it is attached to the window frame."),
      frosted: z.boolean().describe("Whether light passes without a view."),
      note: z.string().nullable().describe("What a customer should know about it."),
    })
    .meta({
      title: "FlatGlassFilm",
      description:
        "A film for buildings, with figures in percent on single clear glass; null where there is no figure.",
    });

export const lineItem = () =>
  z
    .object({
      code: z.string().describe("The service, or the add-on."),
      label: z.string().describe("What it is, in the shop's words."),
      quantity: z.number().describe("How many."),
      unit_price: currencyUnits().describe("Price of one."),
      amount: currencyUnits().describe("The line's part of the total."),
    })
    .meta({ title: "LineItem", description: "One line of a price." });

export const bookUrlField = () =>
  z.string().optional().meta({
    format: "uri",
    description: "The page where a person confirms this, with everything filled in. Opening it changes nothing.",
  });

/** The days of work that pauses when the shop closes. */
export const split = () =>
  z
    .array(z.object({ start: timestamp(), end: timestamp() }))
    .optional()
    .meta({
      description: "Only where the work continues on another day: each day's part. The vehicle stays over night.",
    });

export function toSplit(catalog: ShopClock, parts: readonly WorkPart[] | undefined) {
  if (parts === undefined || parts.length < 2) return {};
  return {
    split: parts.map(({ startAt, endAt }) => ({ start: rfc3339(catalog, startAt), end: rfc3339(catalog, endAt) })),
  };
}

export const slot = () =>
  z
    .object({
      date: calendarDate().describe("Day of the start."),
      time: clockTime().describe("Time of the start; goes into a booking as it is."),
      start: timestamp().describe("The start."),
      end: timestamp().describe("The end of the work."),
      duration_minutes: durationMinutes(),
      split: split(),
      available: z.boolean().describe("Whether it can be booked now."),
      status: z.enum(SLOT_STATUSES).meta({
        title: "SlotStatus",
        description: "Why it can be booked, or not.",
        ...linesFor<(typeof SLOT_STATUSES)[number]>({
          available: "It can be booked.",
          booked: "Every bay is taken for some of the work, or for the pause between two jobs.",
          blocked: "The shop is closed then, or closes before the work is done.",
          too_soon: "The shop needs more notice.",
          past: "It has passed.",
        }),
      }),
      remaining: z.int().meta({ description: "Bays that are free for the whole work." }),
      reason: z
        .string()
        .optional()
        .meta({ description: "Where only the pause between two jobs is in the way: how long it is." }),
    })
    .meta({ title: "Slot", description: "A time at which the work could begin." });
export const dayStatus = () =>
  z.enum(DAY_STATUSES).meta({
    title: "DayStatus",
    description: "Whether the day can be booked at all.",
    ...linesFor<(typeof DAY_STATUSES)[number]>({
      open: "The shop works; single times may be taken.",
      closed: "The shop is closed on this weekday, or on this special day.",
      blocked: "The shop takes no bookings on this day.",
      past: "The day has passed.",
      beyond_horizon: "Bookings are not taken so far ahead.",
    }),
  });

export function toSlot(catalog: Shop, { date, time, startAt, endAt, status, remaining, parts, isPause }: Slot) {
  const minutes = (parts ?? [{ startAt, endAt }]).reduce(
    (sum, part) => sum + (part.endAt - part.startAt) / MINUTE_MS,
    0,
  );
  return {
    date,
    time,
    start: rfc3339(catalog, startAt),
    end: rfc3339(catalog, endAt),
    duration_minutes: minutes,
    ...toSplit(catalog, parts),
    available: status === "available",
    status,
    remaining,
    ...(isPause && { reason: sentence(capitalized(pauseInWords(catalog))) }),
  };
}

/** Field by field, so that nothing an owner or a later version adds to an entry of the catalog becomes public by itself. */
export function toAddress({ street, locality, region, postal_code, country }: Shop["business"]["address"]) {
  return { street, locality, region, postal_code, country };
}

export function toFlatGlassFilm(film: FlatGlassFilm) {
  const { name, family, vlt, tser, glare, uv, ext_reflect, mil, anchored, frosted, note } = film;
  return { name, family, vlt, tser, glare, uv, ext_reflect, mil, anchored, frosted, note };
}

/** Prices in currency units, from prices in cents. */
export function unitsOf<K extends string>(prices: Record<K, Cents>): Record<K, number> {
  return Object.fromEntries(Object.entries<Cents>(prices).map(([key, cents]) => [key, toUnits(cents)])) as Record<
    K,
    number
  >;
}

/** Work that is none of the shop's services, in quote requests. */
export const OTHER_WORK = "other";

/** The fields that hold the shop's own terms. Each is made when it is read, because a schema needs few of them. */
export function termFields(catalog: Shop) {
  const { terms, automotive, services } = catalog;
  const serviceName = (key: string) => services.find((one) => one.key === key)?.name ?? key;
  const field = (title: string, description: string, list: readonly string[], lineOf: (word: string) => string) =>
    wordField(list).meta({
      description,
      // Of a list without a word, documents would show a text with this name.
      ...(list.length > 0 && {
        title,
        ...linesFor(Object.fromEntries(list.map((word) => [word, sentence(lineOf(word))]))),
      }),
    });
  return {
    get vehicleType() {
      const about = (type: string) => automotive.vehicle_facts[type]?.about;
      return field(
        "VehicleType",
        "Body type.",
        terms.vehicleTypes,
        (type) => about(type) ?? capitalized(vehicleInWords(type, catalog)),
      );
    },
    get filmType() {
      return field("FilmType", "Film for vehicles.", terms.films, (film) => entryOf(automotive.films, film).name);
    },
    get coverage() {
      return field("Coverage", "The glass that is covered.", terms.coverages, (word) => {
        const { name, glass } = entryOf(automotive.coverages, word);
        return capitalized(glass ?? name);
      });
    },
    get addon() {
      return field("Addon", "An extra.", terms.addons, (word) => entryOf(automotive.addons, word).name);
    },
    get service() {
      return field("PricedService", "A service with prices for vehicles.", terms.services, serviceName);
    },
    get siteType() {
      return field("SiteType", "Kind of site.", terms.siteTypes, serviceName);
    },
    get quoted() {
      const list = new Set([...terms.siteTypes, ...services.map(({ key }) => key), OTHER_WORK]);
      return field("QuotedWork", "The work.", [...list], (key) =>
        key === OTHER_WORK ? "Work that is none of the shop's services" : serviceName(key),
      );
    },
    get tier() {
      return field("Tier", "Step of price and film.", terms.tiers, (tier) => `The option ${capitalized(spaced(tier))}`);
    },
    get faqCategory() {
      const categories = terms.faqCategories;
      return z.enum(categories).meta({
        title: "FaqCategory",
        description: "Subject of a question.",
        ...linesFor(Object.fromEntries(categories.map((category) => [category, nameSubject(category, catalog)]))),
      });
    },
  };
}

const GENERAL = "general";

/** The services that the questions of a category are about. */
function nameSubject(category: string, { services }: Shop): string {
  const names = services.filter(({ faq_category }) => faq_category === category).map(({ name }) => name);
  return `About ${joinWithAnd([...(category === GENERAL || names.length === 0 ? ["the shop"] : []), ...names])}.`;
}

/** An object with one property for each word. */
export function eachWord<V extends z.ZodType>(list: readonly string[], value: V) {
  return z.object(Object.fromEntries(list.map((word) => [word, value])));
}
