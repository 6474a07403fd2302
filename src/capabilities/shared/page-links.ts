/** Addresses of the customers' page with the choices filled in, for agents to hand on. Source: contract 21. */
import { BOOK_PATH, GLASS_PATH, manageUrl, pageUrl } from "../../catalog/page-addresses.ts";
import type { Shop } from "../../catalog/shop.ts";
import type { Start } from "../../domain/slots.ts";
import type { Glazing, WindowRow } from "../../domain/window-area.ts";
import { type JobRequest, shadesOf } from "./job.ts";
import { nameOf, type VehicleFields } from "./vehicle.ts";

/** What an address of the page can say about a vehicle's job. Nothing in it is about a person. */
export interface LinkedJob extends Partial<Omit<JobRequest, "windshield_shade">>, VehicleFields {
  service_type?: string | undefined;
  film_type?: string | undefined;
  coverage?: string | undefined;
  estimate_id?: string | undefined;
  /** The first day of the times that the page shows. */
  from?: string | undefined;
}

/** The page where a person books this job. @returns undefined where the shop switched it off */
export function bookUrl(job: LinkedJob, catalog: Shop): string | undefined {
  const base = pageUrl(catalog, BOOK_PATH);
  if (base === undefined) return undefined;
  const shades = shadesOf(job, catalog);
  const name = nameOf(job) || undefined;
  return withQuery(base, [
    // Without a vehicle the estimate holds the work.
    ["service_type", job.estimate_id && !job.vehicle_type ? undefined : job.service_type],
    ["car", name],
    // The page takes the class of a car that was just named; here it was chosen.
    ["car_before", job.vehicle_type && name],
    ["vehicle_type", job.vehicle_type],
    ["film_type", job.film_type],
    ["coverage", job.coverage],
    ["front_shade", shades.front_side],
    ["rear_shade", shades.rear_side ?? shades.rear_window],
    ...(job.addons ?? []).map((code) => ["addons", code] as const),
    ["remove_old_film", job.remove_old_film || undefined],
    ["jurisdiction", job.jurisdiction],
    ["from", job.from],
    ["estimate_id", job.estimate_id],
  ]);
}

/** The same page, with a start chosen. */
export function withStart(page: string | undefined, start: Start): string | undefined {
  return page && withQuery(page, [["start", startText(start)]]);
}

export interface LinkedGlass {
  site_type: string;
  primary_concern?: string | undefined;
  floors?: number | undefined;
  windows?: readonly WindowRow[] | undefined;
  /** What the windows add up to. */
  glazing?: Pick<Glazing, "blocked" | "curtain"> | null;
  total_sqft?: number | undefined;
  needs_ladder?: boolean | undefined;
  blocked_windows?: number | undefined;
  curtain_windows?: number | undefined;
  existing_film_sqft?: number | undefined;
  estimate_id?: string | undefined;
}

/** The most rows of windows that the page takes. */
export const MOST_ROWS = 40;
/** The most that an address holds: one with more would take most of a brief answer. */
const MOST_LINKED_ROWS = 12;

/**
 * The page where a person asks for a quote for these windows.
 * @param mostRows so many windows the address holds; of more it holds the area
 * @returns undefined where the shop switched it off
 */
export function glassUrl(
  { site_type, primary_concern, floors, windows = [], glazing, total_sqft, estimate_id, ...extras }: LinkedGlass,
  catalog: Shop,
  mostRows = MOST_LINKED_ROWS,
): string | undefined {
  const base = pageUrl(catalog, GLASS_PATH);
  const rows = windows.length > mostRows ? [] : windows;
  // Rows that are left out take their marks along.
  const counted = rows.length === 0 ? glazing : null;
  return (
    base &&
    withQuery(base, [
      ["site_type", site_type],
      ["primary_concern", primary_concern],
      ["floors", floors],
      ...rows.flatMap(({ width_in, height_in, quantity, blocked, curtain }, i) => [
        ["width", width_in] as const,
        ["height", height_in] as const,
        ["quantity", quantity] as const,
        ["blocked", blocked ? i : undefined] as const,
        ["curtain", curtain ? i : undefined] as const,
      ]),
      ["total_sqft", rows.length === 0 ? total_sqft : undefined],
      ["needs_ladder", extras.needs_ladder],
      ["blocked_windows", extras.blocked_windows ?? (counted?.blocked || undefined)],
      ["curtain_windows", extras.curtain_windows ?? (counted?.curtain || undefined)],
      ["existing_film_sqft", extras.existing_film_sqft],
      ["estimate_id", estimate_id],
    ])
  );
}

/** The page of a booking, with the start to which it is to move. */
export function moveUrl(code: string, start: Start, catalog: Shop): string | undefined {
  const page = manageUrl(code, catalog);
  return page && withQuery(page, [["start", startText(start)]]);
}

function withQuery(
  base: string,
  pairs: readonly (readonly [name: string, value: string | number | boolean | undefined])[],
): string {
  let url = base;
  let mark = base.includes("?") ? "&" : "?";
  for (const [name, value] of pairs) {
    if (value === undefined) continue;
    url += `${mark}${name}=${encode(String(value))}`;
    mark = "&";
  }
  return url;
}

/** A colon may stand in a query as it is (RFC 3986, 3.4), and so a time stays readable. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%20", "+");
}

/** A start in an address: `2026-11-24T09:00`. */
export function startText({ date, time }: Start): string {
  return `${date}T${time}`;
}
