/** The work on a car: which service, film and glass, which add-ons, and how long it takes. Pure. */
import type { ListedWork, PricedService } from "../catalog/price-list.ts";
import type { Service } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import type { PricedBy } from "../catalog/terms.ts";

/** Work with a base price. Only tinting has a choice of film; some services always cover the same glass. */
export interface PricedWork {
  service: string;
  filmType: string | null;
  coverage: string | null;
}

/** The work as a caller asks for it. The shop's defaults replace absent fields. */
export interface WorkRequest {
  vehicle_type?: string;
  service?: string;
  film_type?: string;
  coverage?: string;
  addons?: readonly string[];
  /** Take old film off first, in the same visit. */
  remove_old_film?: boolean;
}

export type Work = PricedWork & {
  /** Fields that the shop's defaults filled in. */
  assumed: string[];
  /** Add-ons asked for that go with the service, each once, in the order of an estimate. */
  addons: string[];
  /** Add-ons asked for that do not go with the service; they are not charged. */
  notApplicable: string[];
  /** The service that takes old film off first; null when that was not asked for, or does not go with the service. */
  removal: string | null;
  /** Length with add-ons and removal. */
  minutes: number;
  /** Whether it may pause when the shop closes, and go on when it opens. */
  overNight: boolean;
};

export function resolveWork(catalog: Shop, request: WorkRequest): Work {
  const { defaults } = catalog.automotive;
  const service = request.service ?? defaults.service;
  const { by, work, service: entry } = pricedService(catalog, service);
  const filmType = by === "film" ? (request.film_type ?? defaults.film_type) : null;
  const coverage = by === "vehicle" ? null : (request.coverage ?? defaults.coverage);
  const assumed: string[] = [];
  if (request.service === undefined) assumed.push("service");
  if (filmType !== null && request.film_type === undefined) assumed.push("film_type");
  if (coverage !== null && request.coverage === undefined) assumed.push("coverage");

  const listed = work.get(filmType)?.get(coverage);
  if (!listed) throw new Error(`${service} with ${filmType}, ${coverage} is not in the price list`);
  let { minutes } = listed.vehicles.get(request.vehicle_type ?? "") ?? listed;
  const removal = (request.remove_old_film && filmType !== null && catalog.terms.removal) || null;
  if (removal !== null) minutes += removalWork(catalog, removal, coverage).minutes;
  const addons: string[] = [];
  const notApplicable: string[] = [];
  if (request.addons?.length)
    for (const [code, addon] of catalog.priceList.addons) {
      if (!request.addons.includes(code)) continue;
      if (addon.services.has(service)) {
        addons.push(code);
        minutes += addon.minutes;
      } else notApplicable.push(code);
    }
  const overNight = entry.over_night ?? false;
  return { service, filmType, coverage, assumed, addons, notApplicable, removal, minutes, overNight };
}

/** A service in the price list. @throws Error for one without a price for vehicles */
export function pricedService({ priceList }: Shop, key: string): PricedService {
  const priced = priceList.priced.get(key);
  if (!priced) throw new Error(`${key} has no price for vehicles`);
  return priced;
}

/** Taking off the old film, on the glass that is tinted. */
export function removalWork(catalog: Shop, service: string, coverage: string | null): ListedWork {
  const { by, work } = pricedService(catalog, service);
  const listed = work.get(null)?.get(by === "coverage" ? coverage : null);
  if (!listed) throw new Error(`${service} of ${coverage} is not in the price list`);
  return listed;
}

/** How a service is priced. @throws Error for a service without a price for vehicles */
export function pricedByOf(catalog: Shop, service: string): PricedBy {
  return pricedService(catalog, service).by;
}

/** Whether work of a service may pause over night; false for one that the shop has given up. */
export function mayStayOverNight({ priceList }: Shop, key: string): boolean {
  return priceList.services.get(key)?.over_night ?? false;
}

/** The catalog's entry for a service. @throws Error when there is none */
export function serviceOf({ priceList }: Shop, key: string): Service {
  const service = priceList.services.get(key);
  if (!service) throw new Error(`no service ${key}`);
  return service;
}

/** VLT of a shade as callers write it, from 1 to 100: 35, "35", "35%" or a trade word like "limo". */
export function parseShade(shade: number | string, { automotive }: Shop): number | undefined {
  if (typeof shade === "number") return shade;
  const words = automotive.shade_words;
  const word = shade.toLowerCase();
  if (Object.hasOwn(words, word)) return words[word];
  const digits = /^(\d{1,3}) ?%?$/.exec(word)?.[1];
  const vlt = Number(digits);
  return digits !== undefined && vlt >= 1 && vlt <= 100 ? vlt : undefined;
}

/** The glass that a shade may name. The windshield has a field of its own. */
export const SIDE_POSITIONS = ["front_side", "rear_side", "rear_window"] as const;
export type Side = (typeof SIDE_POSITIONS)[number];
