/** Schemas that several answers share, and the conversion of domain values to wire values. */
import { z } from "zod";
import type { Catalog } from "../../catalog/schema.ts";
import { PLACES, WEEKDAYS } from "../../constants.ts";
import type { LineItem } from "../../domain/automotive.ts";
import { type Cents, toUnits } from "../../domain/money.ts";
import { DAY_STATUSES, rfc3339 } from "../../domain/schedule.ts";
import { SLOT_STATUSES, type Slot } from "../../domain/slots.ts";
import { MINUTE_MS } from "../../lib/durations.ts";

export const money = () => z.number().meta({ description: "Currency units, at most 2 decimals." });
export const timestamp = () =>
  z.string().meta({ format: "date-time", description: "RFC 3339 with the shop's UTC offset." });
export const calendarDate = () => z.string().meta({ format: "date", description: "The shop's own calendar date." });
export const clockTime = () => z.string().meta({ description: "HH:MM on the shop's clock.", example: "09:00" });
export const weekday = () => z.enum(WEEKDAYS).meta({ title: "Weekday" });
export const serviceRef = () =>
  z.object({ id: z.int(), key: z.string(), name: z.string() }).meta({ title: "ServiceReference" });

export const place = () =>
  z.enum(PLACES).meta({
    title: "Place",
    description:
      "Where the work is done: shop = the customer comes to the shop, customer = the shop comes to the customer.",
  });

export const address = () =>
  z
    .object({
      street: z.string(),
      locality: z.string(),
      region: z.string(),
      postal_code: z.string(),
      country: z.string().meta({ description: "ISO 3166 code." }),
    })
    .meta({ title: "Address" });

const percent = () => z.number().nullable();
/** Percentages on single clear glass, thickness in thousandths of an inch; null where there is no figure. */
export const flatGlassFilm = () =>
  z
    .object({
      name: z.string(),
      family: z.string(),
      vlt: percent(),
      tser: percent(),
      glare: percent(),
      uv: percent(),
      ext_reflect: percent(),
      mil: z.number().nullable(),
      anchored: z.boolean(),
      note: z.string().nullable(),
    })
    .meta({ title: "FlatGlassFilm" });

export const lineItem = () =>
  z
    .object({ code: z.string(), label: z.string(), quantity: z.number(), unit_price: money(), amount: money() })
    .meta({ title: "LineItem" });

export function toLineItem({ code, label, quantity, unitPrice, amount }: LineItem) {
  return { code, label, quantity, unit_price: toUnits(unitPrice), amount: toUnits(amount) };
}

/** Source: contract 21. */
export const bookUrlField = () =>
  z.string().optional().meta({
    format: "uri",
    description: "The page where a person confirms this, with everything filled in. Opening it changes nothing.",
  });

export const slot = () =>
  z
    .object({
      date: calendarDate(),
      time: clockTime(),
      start: timestamp(),
      end: timestamp(),
      duration_minutes: z.int(),
      available: z.boolean(),
      status: z.enum(SLOT_STATUSES).meta({ title: "SlotStatus" }),
      remaining: z.int().meta({ description: "Bays that are free for the whole work." }),
    })
    .meta({ title: "Slot" });
export const dayStatus = () => z.enum(DAY_STATUSES).meta({ title: "DayStatus" });

export function toSlot(catalog: Catalog, { date, time, startAt, endAt, status, remaining }: Slot) {
  return {
    date,
    time,
    start: rfc3339(catalog, startAt),
    end: rfc3339(catalog, endAt),
    duration_minutes: (endAt - startAt) / MINUTE_MS,
    available: status === "available",
    status,
    remaining,
  };
}

export function unitsOf<K extends string>(prices: Record<K, Cents>): Record<K, number> {
  return Object.fromEntries(Object.entries<Cents>(prices).map(([key, cents]) => [key, toUnits(cents)])) as Record<
    K,
    number
  >;
}
