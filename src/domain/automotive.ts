/** The automotive estimate: base price, add-ons, tint law. Pure; all money in cents. */
import type { AutomotiveFilm, Catalog } from "../catalog/schema.ts";
import {
  ADDONS,
  type Addon,
  type Coverage,
  FILM_TYPES,
  type FilmType,
  POSITIONS,
  type Position,
  type VehicleType,
} from "../vocabulary.ts";
import type { Cents } from "./money.ts";
import { checkTintLaw, type Shades, type Verdict } from "./tint-law.ts";
import { type PricedWork, resolveWork, serviceOf, type Work, type WorkRequest } from "./work.ts";

export interface AutomotiveRequest extends WorkRequest {
  vehicle_type: VehicleType;
  /** VLT by position. */
  shades?: Shades;
  /** A key of `tint_law.jurisdictions`; default: the jurisdiction of the shop. */
  jurisdiction?: string | undefined;
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
  work: Work;
  /** Every film, where film is applied; otherwise the one price. */
  options: Option[];
  /** The option with the film of `work`. */
  chosen: Option;
  law: Verdict;
  suggestions: { code: Addon; label: string; price: Cents; reason: string }[];
}

export function estimateAutomotive(catalog: Catalog, request: AutomotiveRequest): AutomotiveEstimate {
  const work = resolveWork(catalog, request);
  const options = priceOptions(catalog, request, work);
  return {
    work,
    options,
    chosen: chosenOf(options),
    law: lawOf(catalog, request, work),
    suggestions: suggestAddons(catalog, request, work),
  };
}

/** The price of the work that was asked for, without the law and suggestions of an estimate. */
export function priceAutomotive(catalog: Catalog, request: AutomotiveRequest): Option {
  return chosenOf(priceOptions(catalog, request, resolveWork(catalog, request)));
}

function chosenOf(options: Option[]): Option {
  const chosen = options.find(({ selected }) => selected);
  if (!chosen) throw new Error("no option is selected");
  return chosen;
}

function priceOptions(catalog: Catalog, request: AutomotiveRequest, work: Work): Option[] {
  const alternatives: PricedWork[] =
    work.service === "automotive" ? FILM_TYPES.map((filmType) => ({ ...work, filmType })) : [work];
  // Add-ons are priced by film, even when the service itself applies none.
  const addonFilm = request.film_type ?? catalog.automotive.defaults.film_type;
  return alternatives.map((one): Option => {
    const lines = [
      baseLine(catalog, request.vehicle_type, one),
      ...work.addons.map((code) => addonLine(catalog, code, one.filmType ?? addonFilm)),
    ];
    return {
      filmType: one.filmType,
      film: one.filmType && catalog.automotive.films[one.filmType],
      lines,
      total: lines.reduce((sum, line) => sum + line.amount, 0),
      selected: one.filmType === work.filmType,
    };
  });
}

/** Price without add-ons. */
export function basePrice(catalog: Catalog, vehicleType: VehicleType, work: PricedWork): Cents {
  const prices = catalog.automotive.vehicle_types[vehicleType];
  switch (work.service) {
    case "automotive":
      return prices[work.filmType][work.coverage];
    case "film_removal":
      return prices.film_removal[work.coverage];
    case "clearplex":
      return prices.clearplex;
  }
}

const COVERAGE_WORDS: Record<Coverage, string> = { full: "all side and rear windows", front2: "front two windows" };

function baseLine(catalog: Catalog, vehicleType: VehicleType, work: PricedWork): LineItem {
  const { service, filmType, coverage } = work;
  const what = filmType ? catalog.automotive.films[filmType].name : serviceOf(catalog, service).name;
  const where = coverage ? `, ${COVERAGE_WORDS[coverage]}` : "";
  return oneLine(service, `${what}, ${vehicleType}${where}`, basePrice(catalog, vehicleType, work));
}

function addonLine(catalog: Catalog, code: Addon, film: FilmType): LineItem {
  const addon = catalog.automotive.addons[code];
  return oneLine(code, addon.name, addon.price[film]);
}

function oneLine(code: string, label: string, price: Cents): LineItem {
  return { code, label, quantity: 1, unitPrice: price, amount: price };
}

function lawOf(
  catalog: Catalog,
  request: AutomotiveRequest,
  { filmType, coverage, addons }: Pick<Work, "filmType" | "coverage" | "addons">,
): Verdict {
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

/** The add-ons that go with the work, were not asked for, and would not break the law. */
function suggestAddons(catalog: Catalog, request: AutomotiveRequest, work: Work): AutomotiveEstimate["suggestions"] {
  const { automotive } = catalog;
  return ADDONS.filter((code) => {
    if (work.addons.includes(code) || !automotive.addons[code].applies_to.includes(work.service)) return false;
    const law = lawOf(catalog, { ...request, shades: {} }, { ...work, addons: [code] });
    return law.status !== "not_permitted";
  }).map((code) => {
    const addon = automotive.addons[code];
    return {
      code,
      label: addon.name,
      price: addon.price[work.filmType ?? automotive.defaults.film_type],
      reason:
        addon.suggest ??
        addon.terms ??
        `Can be added${addon.minutes > 0 ? ` and takes about ${addon.minutes} minutes more` : ""}.`,
    };
  });
}
