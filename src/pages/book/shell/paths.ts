/** The addresses of the pages for customers, and the starts of appointments in them: `2026-11-24T09:00`. */
import type { Confirmation } from "../../../capabilities/booking/confirmation.ts";
import type { Start } from "../../../domain/slots.ts";

/** Followed by the confirmation code. */
export const BOOKED_PATH = "/book/booked";

interface Booked extends Pick<Confirmation, "estimate_id"> {
  /** Null in a dry run, which no page makes. */
  confirmation_code: string | null;
}

/** The page of a booking knows nothing but the code, so the signed estimate tells it the work and the price. */
export function bookedAddress({ confirmation_code: code, estimate_id: token }: Booked): string {
  const quoted = token ? `?estimate=${encodeURIComponent(token)}` : "";
  return `${BOOKED_PATH}/${code}${quoted}`;
}

/** Pictures beside the catalog; the name of one follows. */
export const PHOTOS_PATH = "/book/photos";

export const ASSET_PATHS = {
  style: "/book/style.css",
  othersStyle: "/book/others.css",
  script: "/book/book.js",
  icon: "/book/icon.svg",
  /** What browsers and phones ask for by themselves. */
  favicon: "/favicon.ico",
  touchIcon: "/apple-touch-icon.png",
  share: "/book/share.jpg",
  /** Shops write this address into their own pages, so it cannot change. */
  embed: "/book/embed.js",
};
export type AssetName = keyof typeof ASSET_PATHS;

/** @returns undefined for text that is no date and time */
export function parseStart(text: string | null): Start | undefined {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(([01]\d|2[0-3]):[0-5]\d)$/.exec(text ?? "") ?? [];
  if (date === undefined || time === undefined) return undefined;
  return Number.isNaN(Date.parse(`${date}T${time}:00Z`)) ? undefined : { date, time };
}

/** Date and time on the shop's clock, of a moment as the API writes it: `2026-11-24T13:00:00-05:00`. */
export function startOfMoment(moment: string): Start {
  return { date: moment.slice(0, 10), time: moment.slice(11, 16) };
}
