/** Dates, moments and lengths of time as the owner reads them. */
import { rfc3339, type ShopClock } from "../../src/domain/schedule.ts";

/** `Tue 24 Nov 2026`. */
export function dayAndDate(date: string): string {
  return Temporal.PlainDate.from(date)
    .toLocaleString("en-GB", {
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    })
    .replace(",", "");
}

/** `Tue 24 Nov 2026 09:00`, by the shop's clock. */
export function momentInWords(catalog: ShopClock, epochMs: number): string {
  const moment = rfc3339(catalog, epochMs);
  return `${dayAndDate(moment.slice(0, 10))} ${moment.slice(11, 16)}`;
}

/** How long ago something was, to the largest unit: `3 h`. */
export function age(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** How far off a moment is: `in 3 h`, `2 d late`. */
export function dueIn(at: number, now: number): string {
  return at >= now ? `in ${age(at - now)}` : `${age(now - at)} late`;
}

/** A length of time: `2 h 15 min`. */
export function durationInWords(minutes: number): string {
  const [whole, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(whole > 0 ? [`${whole} h`] : []), ...(rest > 0 || whole === 0 ? [`${rest} min`] : [])].join(" ");
}
