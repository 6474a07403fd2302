/** The work on a car: which service, film and glass, which add-ons, and how long it takes. Pure. */
import type { Service } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, extraOf, type PricedBy } from "../catalog/terms.ts";

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
  const { addons: entries, defaults } = catalog.automotive;
  const work = pricedWork(catalog, request, defaults);
  const asked = catalog.terms.addons.filter((code) => request.addons?.includes(code));
  const addons = asked.filter((code) => entryOf(entries, code).applies_to.includes(work.service));
  const assumed = [
    request.service === undefined && "service",
    work.filmType !== null && request.film_type === undefined && "film_type",
    work.coverage !== null && request.coverage === undefined && "coverage",
  ];
  const removal = (request.remove_old_film && work.filmType !== null && catalog.terms.removal) || null;
  return {
    ...work,
    assumed: assumed.filter((field) => field !== false),
    addons,
    notApplicable: asked.filter((code) => !addons.includes(code)),
    removal,
    overNight: mayStayOverNight(catalog, work.service),
    minutes: addons.reduce(
      (sum, code) => sum + entryOf(entries, code).minutes,
      bareMinutes(catalog, work, request.vehicle_type) + (removal === null ? 0 : defaultMinutes(catalog, removal)),
    ),
  };
}

function pricedWork(catalog: Shop, request: WorkRequest, defaults: Shop["automotive"]["defaults"]): PricedWork {
  const service = request.service ?? defaults.service;
  const by = pricedByOf(catalog, service);
  return {
    service,
    filmType: by === "film" ? (request.film_type ?? defaults.film_type) : null,
    coverage: by === "vehicle" ? null : (request.coverage ?? defaults.coverage),
  };
}

/** How a service is priced. @throws Error for a service without a price for vehicles */
export function pricedByOf(catalog: Shop, service: string): PricedBy {
  const by = catalog.terms.pricedBy.get(service);
  if (!by) throw new Error(`${service} has no price for vehicles`);
  return by;
}

/** Length without add-ons: by vehicle where a known one is tinted, otherwise `default_minutes` of the service. */
function bareMinutes(catalog: Shop, work: PricedWork, vehicleType: string | undefined): number {
  const { job_minutes: tinting } = catalog.scheduling;
  const { filmType, coverage } = work;
  if (filmType !== null && coverage !== null && vehicleType) {
    const minutes = entryOf(tinting, coverage);
    if (typeof minutes === "number") return minutes;
    const extra = tinting[extraOf(filmType)];
    return entryOf(minutes, vehicleType) + (typeof extra === "number" ? extra : 0);
  }
  const longest = filmType === null || coverage === null ? Number.POSITIVE_INFINITY : longestMinutes(catalog, coverage);
  return Math.min(defaultMinutes(catalog, work.service), longest);
}

/** The longest job of a coverage, whatever the vehicle and the film. */
function longestMinutes(catalog: Shop, coverage: string): number {
  const { films, vehicleTypes } = catalog.terms;
  const { service } = catalog.automotive.defaults;
  const lengths = films.flatMap((filmType) =>
    vehicleTypes.map((vehicle) => bareMinutes(catalog, { service, filmType, coverage }, vehicle)),
  );
  return Math.max(...lengths);
}

function defaultMinutes(catalog: Shop, service: string): number {
  const minutes = catalog.scheduling.default_minutes[serviceOf(catalog, service).id];
  if (!minutes) throw new Error(`no default_minutes for ${service}`);
  return minutes;
}

/** Whether work of a service may pause over night; false for one that the shop has given up. */
export function mayStayOverNight({ services }: Shop, key: string): boolean {
  return services.find((one) => one.key === key)?.over_night ?? false;
}

/** The catalog's entry for a service. @throws Error when there is none */
export function serviceOf({ services }: Shop, key: string): Service {
  const service = services.find((one) => one.key === key);
  if (!service) throw new Error(`no service ${key}`);
  return service;
}
