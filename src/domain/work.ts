/** The work on a car: which service, film and glass, which add-ons, and how long it takes. Pure. */
import type { Service } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, type PricedBy } from "../catalog/terms.ts";

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
  const { defaults, addons: entries } = catalog.automotive;
  const service = request.service ?? defaults.service;
  const by = pricedByOf(catalog, service);
  const filmType = by === "film" ? (request.film_type ?? defaults.film_type) : null;
  const coverage = by === "vehicle" ? null : (request.coverage ?? defaults.coverage);
  const assumed: string[] = [];
  if (request.service === undefined) assumed.push("service");
  if (filmType !== null && request.film_type === undefined) assumed.push("film_type");
  if (coverage !== null && request.coverage === undefined) assumed.push("coverage");

  let minutes = baseMinutes(catalog, { service, filmType, coverage }, request.vehicle_type);
  const removal = (request.remove_old_film && filmType !== null && catalog.terms.removal) || null;
  if (removal !== null) minutes += baseMinutes(catalog, removalWork(catalog, removal, coverage));
  const addons: string[] = [];
  const notApplicable: string[] = [];
  if (request.addons?.length)
    for (const code of catalog.terms.addons) {
      if (!request.addons.includes(code)) continue;
      const addon = entryOf(entries, code);
      if (addon.applies_to.includes(service)) {
        addons.push(code);
        minutes += addon.minutes;
      } else notApplicable.push(code);
    }
  const overNight = mayStayOverNight(catalog, service);
  return { service, filmType, coverage, assumed, addons, notApplicable, removal, minutes, overNight };
}

/** Length without add-ons: by vehicle where a known one is tinted, otherwise the usual one of the service. */
function baseMinutes(catalog: Shop, { service, filmType, coverage }: PricedWork, vehicle?: string): number {
  const listed = catalog.priceList.services.get(service)?.work.get(filmType)?.get(coverage);
  const job = filmType !== null && vehicle ? listed?.vehicles.get(vehicle) : listed;
  if (!job) throw new Error(`no length of ${service} with ${filmType}, ${coverage}, ${vehicle}`);
  return job.minutes;
}

/** Taking off the old film, on the glass that is tinted. */
export function removalWork(catalog: Shop, service: string, coverage: string | null): PricedWork {
  return { service, filmType: null, coverage: pricedByOf(catalog, service) === "coverage" ? coverage : null };
}

/** How a service is priced. @throws Error for a service without a price for vehicles */
export function pricedByOf(catalog: Shop, service: string): PricedBy {
  const by = catalog.terms.pricedBy.get(service);
  if (!by) throw new Error(`${service} has no price for vehicles`);
  return by;
}

/** Whether work of a service may pause over night; false for one that the shop has given up. */
export function mayStayOverNight({ priceList }: Shop, key: string): boolean {
  return priceList.services.get(key)?.service.over_night ?? false;
}

/** The catalog's entry for a service. @throws Error when there is none */
export function serviceOf({ priceList }: Shop, key: string): Service {
  const listed = priceList.services.get(key);
  if (!listed) throw new Error(`no service ${key}`);
  return listed.service;
}
