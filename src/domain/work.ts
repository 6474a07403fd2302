/** The work on a car: which service, film and glass, which add-ons, and how long it takes. Pure. */
import type { Catalog, Service } from "../catalog/schema.ts";
import {
  ADDONS,
  type Addon,
  AUTOMOTIVE_SERVICES,
  type AutomotiveService,
  type Coverage,
  type FilmType,
  type VehicleType,
} from "../vocabulary.ts";

/** Work with a base price. Only tinting has a choice of film; the clear protective film covers the windshield alone. */
export type PricedWork =
  | { service: "automotive"; filmType: FilmType; coverage: Coverage }
  | { service: "film_removal"; filmType: null; coverage: Coverage }
  | { service: "clearplex"; filmType: null; coverage: null };

/** The work as a caller asks for it. The shop's defaults replace absent fields. */
export interface WorkRequest {
  vehicle_type?: VehicleType | undefined;
  service?: AutomotiveService | undefined;
  film_type?: FilmType | undefined;
  coverage?: Coverage | undefined;
  addons?: readonly Addon[] | undefined;
}

export type Work = PricedWork & {
  /** Fields that the shop's defaults filled in. */
  assumed: string[];
  /** Add-ons asked for that go with the service, each once, in the order of an estimate. */
  addons: Addon[];
  /** Add-ons asked for that do not go with the service; they are not charged. */
  notApplicable: Addon[];
  /** Length with add-ons. */
  minutes: number;
};

export function resolveWork(catalog: Catalog, request: WorkRequest): Work {
  const { automotive } = catalog;
  const work = pricedWork(request, automotive.defaults);
  const asked = ADDONS.filter((code) => request.addons?.includes(code));
  const addons = asked.filter((code) => automotive.addons[code].applies_to.includes(work.service));
  const assumed = [
    request.service === undefined && "service",
    work.filmType !== null && request.film_type === undefined && "film_type",
    work.coverage !== null && request.coverage === undefined && "coverage",
  ];
  return {
    ...work,
    assumed: assumed.filter((field) => field !== false),
    addons,
    notApplicable: asked.filter((code) => !addons.includes(code)),
    minutes: addons.reduce(
      (sum, code) => sum + automotive.addons[code].minutes,
      bareMinutes(catalog, work, request.vehicle_type),
    ),
  };
}

function pricedWork(request: WorkRequest, defaults: Catalog["automotive"]["defaults"]): PricedWork {
  const service = request.service ?? defaults.service;
  const coverage = request.coverage ?? defaults.coverage;
  switch (service) {
    case "automotive":
      return { service, filmType: request.film_type ?? defaults.film_type, coverage };
    case "film_removal":
      return { service, filmType: null, coverage };
    case "clearplex":
      return { service, filmType: null, coverage: null };
  }
}

/** Length without add-ons: by vehicle where a known one is tinted, otherwise `default_minutes` of the service. */
function bareMinutes(catalog: Catalog, work: PricedWork, vehicleType: VehicleType | undefined): number {
  const { job_minutes: tinting, default_minutes: defaults } = catalog.scheduling;
  if (work.service === "automotive" && vehicleType) {
    if (work.coverage === "front2") return tinting.front2;
    return tinting.full[vehicleType] + (work.filmType === "ceramic" ? tinting.ceramic_extra : 0);
  }
  const minutes = defaults[serviceOf(catalog, work.service).id];
  if (!minutes) throw new Error(`no default_minutes for ${work.service}`);
  return minutes;
}

/** The catalog's entry for a service that it prices. @throws Error when there is none */
export function serviceOf({ services }: Catalog, key: AutomotiveService): Service {
  const service = services.find((one) => one.key === key);
  if (!service) throw new Error(`no service ${key}`);
  return service;
}

/** Narrows the key of a bookable service. The checks of the catalog allow no other service to be bookable. */
export function automotiveService(key: string): AutomotiveService {
  const service = AUTOMOTIVE_SERVICES.find((one) => one === key);
  if (!service) throw new Error(`${key} has no price to book at`);
  return service;
}
