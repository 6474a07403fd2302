/** The price list as estimates need it: lines in cents and as they are sent, the length of the work, the films as they are sent. */

import type { Position } from "../constants.ts";
import { type Cents, toUnits } from "../lib/money.ts";
import { durationInWords } from "../lib/text.ts";
import { joinWithAnd, oneOf } from "../schema/explain.ts";
import type { AutomotiveFilm, Catalog, Service } from "./schema.ts";
import { entryOf, extraOf, type PricedBy, priceAt, type Terms, vehicleInWords } from "./terms.ts";

export interface LineItem {
  code: string;
  label: string;
  amount: Cents;
  /** The line in an answer, in currency units. Not frozen: JSON.stringify takes three times as long for what is. */
  wire: { code: string; label: string; quantity: number; unit_price: number; amount: number };
}

interface ListedJob {
  line: LineItem;
  minutes: number;
}

/** A service with one film on the glass of one coverage. */
export interface ListedWork {
  /** Length where the vehicle is not known. */
  minutes: number;
  vehicles: ReadonlyMap<string, ListedJob>;
}

export interface PricedService {
  service: Service;
  by: PricedBy;
  /** By film, then by coverage; null where the service has no choice of it. */
  work: ReadonlyMap<string | null, ReadonlyMap<string | null, ListedWork>>;
}

export interface Suggestion {
  /** As it stands in an answer, in currency units. */
  wire: { code: string; label: string; price: number; reason: string };
}

type Addon = Catalog["automotive"]["addons"][string];

interface ListedAddon {
  services: ReadonlySet<string>;
  minutes: number;
  position: Addon["position"];
  /** By film. */
  lines: ReadonlyMap<string, LineItem>;
  suggestions: ReadonlyMap<string, Suggestion>;
}

interface ListedFilm {
  film: AutomotiveFilm;
  wire: ReturnType<typeof toFilm>;
  vlts: readonly number[];
  /** By a wished VLT from 0 to 100: the nearest two of its shades in words; null where it comes in that one. */
  nearest: readonly ({ full: string; brief: string } | null)[];
}

/** Lists are copies: the catalog's own are frozen, and reading those takes five times as long. */
interface PriceList {
  /** By their keys all services, and those with a price for vehicles. */
  services: ReadonlyMap<string, Service>;
  priced: ReadonlyMap<string, PricedService>;
  coverages: ReadonlyMap<string, readonly Position[]>;
  /** In the order of an estimate. */
  addons: ReadonlyMap<string, ListedAddon>;
  films: ReadonlyMap<string, ListedFilm>;
}

export function priceListOf(catalog: Catalog, terms: Terms): PriceList {
  const {
    services,
    automotive: { films, coverages, addons },
  } = catalog;
  return {
    services: new Map(services.map((service) => [service.key, service])),
    priced: new Map(
      services.flatMap((service) => {
        const by = terms.pricedBy.get(service.key);
        return by ? [[service.key, { service, by, work: pricedWork(catalog, terms, service, by) }]] : [];
      }),
    ),
    coverages: new Map(Object.entries(coverages).map(([key, { positions }]) => [key, [...positions]])),
    addons: new Map(Object.entries(addons).map(([code, addon]) => [code, listedAddon(code, addon)])),
    films: new Map(
      Object.entries(films).map(([code, film]) => [
        code,
        {
          film,
          wire: toFilm(film),
          vlts: film.shades.map(({ vlt }) => vlt),
          nearest: Array.from({ length: 101 }, (_, vlt) => nearestShades(film, vlt)),
        },
      ]),
    ),
  };
}

function listedAddon(code: string, addon: Addon): ListedAddon {
  const prices = Object.entries(addon.price);
  return {
    services: new Set(addon.applies_to),
    minutes: addon.minutes,
    position: addon.position,
    lines: new Map(prices.map(([film, price]) => [film, toLine(code, addon.name, price)])),
    suggestions: new Map(prices.map(([film, price]) => [film, toSuggestion(code, addon, price)])),
  };
}

export function toLine(code: string, label: string, price: Cents): LineItem {
  const units = toUnits(price);
  const wire = { code, label, quantity: 1, unit_price: units, amount: units };
  return { code, label, amount: price, wire };
}

function toSuggestion(code: string, { name, suggest, terms, minutes }: Addon, price: Cents): Suggestion {
  const more = minutes > 0 ? ` and takes about ${durationInWords(minutes)} more` : "";
  const reason = suggest ?? terms ?? `Can be added${more}.`;
  return { wire: { code, label: name, price: toUnits(price), reason } };
}

/** A film on the wire, without `reference`, which answers show as a comparison. */
function toFilm({ name, description, ir_rejection_pct, uv_rejection_pct, warranty, shades }: AutomotiveFilm) {
  // A copy, because the list in the catalog is frozen.
  return { name, description: description ?? null, ir_rejection_pct, uv_rejection_pct, warranty, shades: [...shades] };
}

function nearestShades({ shades }: AutomotiveFilm, wished: number): ListedFilm["nearest"][number] {
  if (shades.some(({ label, vlt }) => label === wished || vlt === wished)) return null;
  const nearest = shades
    .toSorted((a, b) => Math.abs(a.vlt - wished) - Math.abs(b.vlt - wished))
    .slice(0, 2)
    .toSorted((a, b) => a.vlt - b.vlt);
  return {
    full: joinWithAnd(nearest.map(({ label, vlt }) => (label === vlt ? `${label}%` : `${label} (measured ${vlt}%)`))),
    brief: oneOf(nearest.map(({ label }) => String(label))),
  };
}

function pricedWork(catalog: Catalog, terms: Terms, service: Service, by: PricedBy): PricedService["work"] {
  const films = by === "film" ? terms.films : [null];
  const coverages = by === "vehicle" ? [null] : terms.coverages;
  return new Map(
    films.map((film) => [
      film,
      new Map(coverages.map((coverage) => [coverage, workWith(catalog, terms, service, film, coverage)])),
    ]),
  );
}

function workWith(
  catalog: Catalog,
  { vehicleTypes, films }: Terms,
  { id, key, name }: Service,
  film: string | null,
  coverage: string | null,
): ListedWork {
  const { automotive, scheduling } = catalog;
  const usual = entryOf(scheduling.default_minutes, String(id));
  const what = film === null ? name : entryOf(automotive.films, film).name;
  const where = coverage === null ? "" : `, ${entryOf(automotive.coverages, coverage).name}`;
  const tinting = film === null || coverage === null ? null : { film, coverage };
  const longest = tinting && longestMinutes(catalog, vehicleTypes, films, tinting.coverage);
  const jobOn = (vehicle: string): ListedJob => ({
    line: toLine(
      key,
      `${what}, ${vehicleInWords(vehicle, catalog)}${where}`,
      basePriceAt(catalog, vehicle, film ?? key, coverage),
    ),
    minutes: tinting ? tintMinutes(catalog, vehicle, tinting.film, tinting.coverage) : usual,
  });
  return {
    minutes: longest === null ? usual : Math.min(usual, longest),
    vehicles: new Map(vehicleTypes.map((vehicle) => [vehicle, jobOn(vehicle)])),
  };
}

/** The price of a film or a service. @throws Error for one that is priced by coverage, without a coverage */
export function basePriceAt(catalog: Catalog, vehicle: string, column: string, coverage: string | null): Cents {
  const price = priceAt(catalog, vehicle, column);
  if (typeof price === "number") return price;
  if (coverage === null) throw new Error(`${column} is priced by coverage`);
  return entryOf(price, coverage);
}

/** Length of a tint job: one number for a coverage, or one for each vehicle, to which a film may add. */
function tintMinutes({ scheduling: { job_minutes: all } }: Catalog, vehicle: string, film: string, coverage: string) {
  const minutes = entryOf(all, coverage);
  if (typeof minutes === "number") return minutes;
  const extra = all[extraOf(film)];
  return entryOf(minutes, vehicle) + (typeof extra === "number" ? extra : 0);
}

/** The longest job of a coverage, whatever the vehicle and the film. */
function longestMinutes(catalog: Catalog, vehicles: readonly string[], films: readonly string[], coverage: string) {
  return Math.max(...films.flatMap((film) => vehicles.map((vehicle) => tintMinutes(catalog, vehicle, film, coverage))));
}
