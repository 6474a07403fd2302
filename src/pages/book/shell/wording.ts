/** Amounts, dates and names as customers read them, in the way of the shop's country. */
import { perCatalog } from "../../../catalog/per-catalog.ts";
import type { Shop } from "../../../catalog/shop.ts";
import { entryOf, vehicleInWords } from "../../../catalog/terms.ts";
import type { Drawing } from "../../../constants.ts";
import { slotAtAnyTime } from "../../../domain/owner-slots.ts";
import { addDays, momentOf, rfc3339 } from "../../../domain/schedule.ts";
import type { Start } from "../../../domain/slots.ts";
import { mayStayOverNight } from "../../../domain/work.ts";
import { MINUTE_MS } from "../../../lib/durations.ts";
import { phoneInWords } from "../../../lib/phone.ts";
import { capitalised, spaced } from "../../../lib/text.ts";
import { type Html, html } from "../../markup/html.ts";
import { startOfMoment } from "./paths.ts";
import { PAGE_TEXTS } from "./texts.ts";

/** Made once per catalog, because making a format takes a hundred times as long as using it. */
const formats = perCatalog(({ currency, business }) => {
  const locale = `en-${business.address.country}`;
  const money = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  // Dates and times are the shop's own already, so no time zone may move them.
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  return {
    whole: money(0),
    exact: money(2),
    day: date({ weekday: "short", month: "short", day: "numeric" }),
    longDay: date({ weekday: "long", month: "long", day: "numeric" }),
    weekday: date({ weekday: "short" }),
    dayOfMonth: date({ month: "short", day: "numeric" }),
    time: date({ hour: "numeric", minute: "2-digit" }),
  };
});

/** @param units of the currency, as in answers of the API */
export function amount(units: number, catalog: Shop): string {
  const { whole, exact } = formats(catalog);
  return (Number.isInteger(units) ? whole : exact).format(units);
}

/** `$599 – $649`, or one amount where both ends are the same. Units of the currency, as in answers of the API. */
export function amounts(min: number, max: number, catalog: Shop): string {
  return min === max ? amount(min, catalog) : `${amount(min, catalog)} – ${amount(max, catalog)}`;
}

type DayForm = "day" | "longDay" | "weekday" | "dayOfMonth";

/** @param date like `2026-11-24` */
export function dayIn(form: DayForm, date: string, catalog: Shop): string {
  return formats(catalog)[form].format(Date.parse(`${date}T00:00:00Z`));
}

/** @param time like `09:00` */
function clock(time: string, catalog: Shop): string {
  // A plain space: some fonts lack the narrow one that the format writes.
  return formats(catalog)
    .time.format(Date.parse(`1970-01-01T${time}:00Z`))
    .replace(/\s/g, " ");
}

/** As short as the clock allows: `9 AM`, `9:30 AM`, `13:00`. */
export function shortClock(time: string, catalog: Shop): string {
  return clock(time, catalog).replace(/:00(?= [ap]m)/i, "");
}

/** `Tue, Nov 24, 9:00 AM`. */
export function moment({ date, time }: Start, catalog: Shop): string {
  return `${dayIn("day", date, catalog)}, ${clock(time, catalog)}`;
}

/** `Tuesday, November 24, 9:00 AM`. */
export function longMoment({ date, time }: Start, catalog: Shop): string {
  return `${dayIn("longDay", date, catalog)}, ${clock(time, catalog)}`;
}

/** `today` or `tomorrow`; undefined for any other day. @param today the date at the shop */
export function nearDay(date: string, today: string): string | undefined {
  if (date === today) return PAGE_TEXTS.units.today;
  return date === addDays(today, 1) ? PAGE_TEXTS.units.tomorrow : undefined;
}

/** When the vehicle is ready, to the half hour after the work: `1 PM`, or `Tue, Nov 24, 11 AM` on another day than it begins. */
export function readyAbout({ date }: Pick<Start, "date">, endAt: number, catalog: Shop): string {
  const ready = startOfMoment(rfc3339(catalog, Math.ceil(endAt / HALF_AN_HOUR) * HALF_AN_HOUR));
  const clock = shortClock(ready.time, catalog);
  return ready.date === date ? clock : `${dayIn("day", ready.date, catalog)}, ${clock}`;
}

/** When the work of an estimate ends that begins then. */
export function endOf(
  { date, time }: Start,
  { service, duration_minutes: minutes }: { service: string; duration_minutes: number },
  catalog: Shop,
): number {
  const startAt = momentOf(catalog, date, time);
  return slotAtAnyTime(catalog, date, time, minutes, mayStayOverNight(catalog, service))?.endAt ?? startAt;
}
const HALF_AN_HOUR = 30 * MINUTE_MS;

/** `3½ hours`, `50 minutes`. */
export function duration(minutes: number): string {
  const { units } = PAGE_TEXTS;
  if (minutes < 90 && minutes !== 60) return units.minutes(minutes);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts: Record<number, string> = { 0: "", 15: "¼", 30: "½", 45: "¾" };
  const part = parts[rest];
  if (part === undefined) return units.hoursAndMinutes(hours, rest);
  return (minutes === 60 ? units.hour : units.hours)(`${hours}${part}`);
}

/** A word of the catalog, as a sentence begins. */
export function capital(word: string): string {
  return capitalised(spaced(word));
}

/** The name of a service; of one that the shop has given up, its word. */
export function serviceName(key: string, { services }: Pick<Shop, "services">): string {
  return services.find((one) => one.key === key)?.name ?? capital(key);
}

export function vehicleName(type: string, catalog: Pick<Shop, "automotive">): string {
  return capitalised(vehicleInWords(type, catalog));
}

export function drawingOf(type: string | undefined, { automotive, tint_law }: Shop): Drawing {
  if (type === undefined) return "car";
  return automotive.drawings[type] ?? (entryOf(tint_law.vehicle_class, type) === "passenger" ? "car" : "tall");
}

export function phoneAddress({ phone }: Shop["business"]): string {
  return `tel:${phone.replace(/[^\d+]/g, "")}`;
}

/** The shop's number as people of its country write it. */
export function phoneName({ phone, address }: Shop["business"]): string {
  return phoneInWords(phone, address.country);
}

/** The shop's number, to be called. */
export function phoneLink(business: Shop["business"]): Html {
  return html`<a class="phone" href="${phoneAddress(business)}">${phoneName(business)}</a>`;
}

/**
 * The number under which a shade of a film is sold. What the film lets through, which the API speaks of, can differ by some
 * points.
 */
export function shadeLabel(vlt: number, film: string | null | undefined, { automotive }: Shop): number {
  return automotive.films[film ?? ""]?.shades.find((shade) => shade.vlt === vlt)?.label ?? vlt;
}
