/** The automotive estimate: base price, add-ons, law, duration. Pure; all money in cents. */
import type { AutomotiveFilm, Catalog } from "../catalog/schema.ts";
import {
  ADDONS,
  type Addon,
  type AutomotiveService,
  type Coverage,
  FILM_TYPES,
  type FilmType,
  POSITIONS,
  type Position,
  type VehicleType,
} from "../vocabulary.ts";
import type { Cents } from "./money.ts";
import { jobMinutes } from "./schedule.ts";
import { checkTintLaw, type Shades, type Verdict } from "./tint-law.ts";

export interface AutomotiveRequest {
  vehicle_type: VehicleType;
  service?: AutomotiveService;
  film_type?: FilmType;
  coverage?: Coverage;
  addons?: readonly Addon[];
  /** VLT by position. */
  shades?: Shades;
  /** A key of `tint_law.jurisdictions`; default the shop's own. */
  jurisdiction?: string;
}

export interface LineItem {
  code: string;
  label: string;
  quantity: number;
  unitPrice: Cents;
  amount: Cents;
}

export interface Option {
  filmType: FilmType | null;
  film: AutomotiveFilm | null;
  lines: LineItem[];
  total: Cents;
  selected: boolean;
}

export interface AutomotiveEstimate {
  service: AutomotiveService;
  filmType: FilmType | null;
  coverage: Coverage | null;
  assumed: string[];
  options: Option[];
  /** The option that was asked for, or assumed. */
  chosen: Option;
  law: Verdict;
  suggestions: { code: Addon; label: string; price: Cents; reason: string }[];
  /** Add-ons asked for that the service does not take; not charged. */
  notApplicable: Addon[];
  durationMinutes: number;
}

export function estimateAutomotive(catalog: Catalog, request: AutomotiveRequest): AutomotiveEstimate {
  const { automotive } = catalog;
  const service = request.service ?? automotive.defaults.service;
  const tinting = service === "automotive";
  // Film is chosen only when glass is tinted; the clear protective film covers the windshield and has no coverage.
  const filmType = tinting ? (request.film_type ?? automotive.defaults.film_type) : null;
  const coverage = service === "clearplex" ? null : (request.coverage ?? automotive.defaults.coverage);
  const assumed = [
    ...(request.service === undefined ? ["service"] : []),
    ...(filmType !== null && request.film_type === undefined ? ["film_type"] : []),
    ...(coverage !== null && request.coverage === undefined ? ["coverage"] : []),
  ];

  const asked = ADDONS.filter((code) => request.addons?.includes(code));
  const addons = asked.filter((code) => automotive.addons[code].applies_to.includes(service));
  const priced = tinting ? FILM_TYPES : [null];
  const options = priced.map((film): Option => {
    const lines = [
      baseLine(catalog, request.vehicle_type, service, film, coverage),
      ...addons.map((code) => addonLine(catalog, code, film ?? request.film_type ?? automotive.defaults.film_type)),
    ];
    return {
      filmType: film,
      film: film && automotive.films[film],
      lines,
      total: lines.reduce((sum, line) => sum + line.amount, 0),
      selected: film === filmType,
    };
  });
  const chosen = options.find(({ selected }) => selected);
  if (!chosen) throw new Error("no option is selected");

  const law = lawOf(catalog, request, { filmType, coverage, addons });
  return {
    service,
    filmType,
    coverage,
    assumed,
    options,
    chosen,
    law,
    suggestions: suggestAddons(catalog, request, { service, filmType, coverage, addons }),
    notApplicable: asked.filter((code) => !addons.includes(code)),
    durationMinutes:
      jobMinutes(catalog, { service, vehicleType: request.vehicle_type, coverage, filmType }) +
      addons.reduce((sum, code) => sum + automotive.addons[code].minutes, 0),
  };
}

/** Price of the bare job. `film` is null unless glass is tinted, `coverage` is null for clearplex. */
export function basePrice(
  catalog: Catalog,
  vehicleType: VehicleType,
  service: AutomotiveService,
  film: FilmType | null,
  coverage: Coverage | null,
): Cents {
  const prices = catalog.automotive.vehicle_types[vehicleType];
  if (service === "clearplex") return prices.clearplex;
  return prices[service === "film_removal" ? "film_removal" : (film ?? "standard")][coverage ?? "full"];
}

const COVERAGE_WORDS: Record<Coverage, string> = { full: "all side and rear windows", front2: "front two windows" };

function baseLine(
  catalog: Catalog,
  vehicleType: VehicleType,
  service: AutomotiveService,
  film: FilmType | null,
  coverage: Coverage | null,
): LineItem {
  const what = film ? catalog.automotive.films[film].name : serviceName(catalog, service);
  const where = coverage ? `, ${COVERAGE_WORDS[coverage]}` : "";
  return oneLine(service, `${what}, ${vehicleType}${where}`, basePrice(catalog, vehicleType, service, film, coverage));
}

function addonLine(catalog: Catalog, code: Addon, film: FilmType): LineItem {
  const addon = catalog.automotive.addons[code];
  return oneLine(code, addon.name, addon.price[film]);
}

function oneLine(code: string, label: string, price: Cents): LineItem {
  return { code, label, quantity: 1, unitPrice: price, amount: price };
}

function serviceName(catalog: Catalog, key: string): string {
  return catalog.services.find((service) => service.key === key)?.name ?? key;
}

interface Choice {
  filmType: FilmType | null;
  coverage: Coverage | null;
  addons: readonly Addon[];
}

function lawOf(catalog: Catalog, request: AutomotiveRequest, { filmType, coverage, addons }: Choice): Verdict {
  const added = addons.map((code) => catalog.automotive.addons[code].position);
  const shades: Shades = { ...request.shades };
  if (added.includes("windshield")) shades.windshield ??= catalog.automotive.windshield_default_vlt;
  const sides: Position[] = coverage === "front2" ? ["front_side"] : ["front_side", "rear_side", "rear_window"];
  const tinted = filmType === null ? [] : sides;
  return checkTintLaw(catalog, {
    jurisdiction: request.jurisdiction ?? catalog.tint_law.home,
    vehicleType: request.vehicle_type,
    positions: POSITIONS.filter((position) => tinted.includes(position) || added.includes(position)),
    unpriced: filmType !== null && shades.windshield !== undefined ? ["windshield"] : [],
    strip: added.includes("windshield_strip"),
    shades,
    available: catalog.automotive.films[filmType ?? catalog.automotive.defaults.film_type].shades.map(({ vlt }) => vlt),
  });
}

/** The add-ons that fit the job, were not asked for, and would not break the law. */
function suggestAddons(
  catalog: Catalog,
  request: AutomotiveRequest,
  choice: Choice & { service: AutomotiveService },
): AutomotiveEstimate["suggestions"] {
  const { automotive } = catalog;
  return ADDONS.filter((code) => {
    if (choice.addons.includes(code) || !automotive.addons[code].applies_to.includes(choice.service)) return false;
    const law = lawOf(catalog, { ...request, shades: {} }, { ...choice, addons: [code] });
    return law.status !== "not_permitted";
  }).map((code) => {
    const addon = automotive.addons[code];
    return {
      code,
      label: addon.name,
      price: addon.price[choice.filmType ?? automotive.defaults.film_type],
      reason:
        addon.suggest ??
        addon.terms ??
        `Can be added to this job${addon.minutes > 0 ? `; takes about ${addon.minutes} minutes more` : ""}.`,
    };
  });
}
