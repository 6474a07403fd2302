/** The automotive estimate: base price, add-ons, tint law. Pure; all money in cents. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { AutomotiveFilm } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf, priceAt, vehicleInWords } from "../catalog/terms.ts";
import { POSITIONS, type Position } from "../constants.ts";
import { isBarred } from "./glass-law.ts";
import type { Cents } from "./money.ts";
import { checkTintLaw, type Shades, type Verdict } from "./tint-law.ts";
import { type PricedWork, pricedByOf, resolveWork, serviceOf, type Work, type WorkRequest } from "./work.ts";

export interface AutomotiveRequest extends WorkRequest {
  vehicle_type: string;
  /** VLT by position. */
  shades?: Shades;
  /** VLT of the bare factory glass by position, as far as it is known. */
  glass?: Shades;
  /** A key of `tint_law.jurisdictions`; default: the jurisdiction of the shop. */
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
  filmType: string | null;
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
  suggestions: { code: string; label: string; price: Cents; reason: string }[];
}

export function estimateAutomotive(catalog: Shop, request: AutomotiveRequest): AutomotiveEstimate {
  const work = resolveWork(catalog, request);
  const options = priceOptions(catalog, request.vehicle_type, work);
  return {
    work,
    options,
    chosen: chosenOf(options),
    law: lawOf(catalog, request, work),
    suggestions: suggestAddons(catalog, request, work),
  };
}

/** The tint law alone, without prices. */
export function verdictOn(catalog: Shop, request: AutomotiveRequest): Verdict {
  return lawOf(catalog, request, resolveWork(catalog, request));
}

function chosenOf(options: Option[]): Option {
  const chosen = options.find(({ selected }) => selected);
  if (!chosen) throw new Error("no option is selected");
  return chosen;
}

function priceOptions(catalog: Shop, vehicleType: string, work: Work): Option[] {
  const alternatives: PricedWork[] =
    work.filmType === null ? [work] : catalog.terms.films.map((filmType) => ({ ...work, filmType }));
  // Add-ons are priced by film, even when the service itself applies none: then by the shop's default.
  const { film_type: addonFilm } = catalog.automotive.defaults;
  return alternatives.map((one): Option => {
    const lines = [
      baseLine(catalog, vehicleType, one),
      ...removalLine(catalog, vehicleType, work),
      ...work.addons.map((code) => addonLine(catalog, code, one.filmType ?? addonFilm)),
    ];
    return {
      filmType: one.filmType,
      film: one.filmType === null ? null : entryOf(catalog.automotive.films, one.filmType),
      lines,
      total: lines.reduce((sum, line) => sum + line.amount, 0),
      selected: one.filmType === work.filmType,
    };
  });
}

/** Price without add-ons. */
export function basePrice(catalog: Shop, vehicleType: string, { service, filmType, coverage }: PricedWork): Cents {
  const price = priceAt(catalog, vehicleType, filmType ?? service);
  if (typeof price === "number") return price;
  if (coverage === null) throw new Error(`${service} is priced by coverage`);
  return entryOf(price, coverage);
}

/** The line of the work itself. Made once for each service, film, coverage and vehicle of the catalog. */
function baseLine(catalog: Shop, vehicleType: string, work: PricedWork): LineItem {
  const { service, filmType, coverage } = work;
  const known = baseLines(catalog);
  const key = `${service} ${filmType} ${coverage} ${vehicleType}`;
  let line = known.get(key);
  if (!line) {
    const film = filmType === null ? null : entryOf(catalog.automotive.films, filmType);
    const what = film?.name ?? serviceOf(catalog, service).name;
    const where = coverage === null ? "" : `, ${entryOf(catalog.automotive.coverages, coverage).name}`;
    line = oneLine(
      service,
      `${what}, ${vehicleInWords(vehicleType, catalog)}${where}`,
      basePrice(catalog, vehicleType, work),
    );
    known.set(key, line);
  }
  return line;
}

const baseLines = perCatalog(() => new Map<string, LineItem>());

/** Old film that is taken off first, on the glass that is tinted. */
function removalLine(catalog: Shop, vehicleType: string, { removal, coverage }: Work): LineItem[] {
  if (removal === null) return [];
  const isPricedByGlass = pricedByOf(catalog, removal) === "coverage";
  return [
    baseLine(catalog, vehicleType, { service: removal, filmType: null, coverage: isPricedByGlass ? coverage : null }),
  ];
}

function addonLine(catalog: Shop, code: string, film: string): LineItem {
  const addon = entryOf(catalog.automotive.addons, code);
  return oneLine(code, addon.name, entryOf(addon.price, film));
}

function oneLine(code: string, label: string, price: Cents): LineItem {
  return { code, label, quantity: 1, unitPrice: price, amount: price };
}

function lawOf(
  catalog: Shop,
  request: AutomotiveRequest,
  { filmType, coverage, addons }: Pick<Work, "filmType" | "coverage" | "addons">,
): Verdict {
  const positions = tintedPositions(catalog, { filmType, coverage, addons });
  const shades: Shades = { ...request.shades };
  if (positions.includes("windshield")) shades.windshield ??= catalog.automotive.windshield_default_vlt;
  return checkTintLaw(catalog, {
    jurisdiction: request.jurisdiction ?? catalog.tint_law.home,
    vehicleType: request.vehicle_type,
    positions,
    unpriced: filmType !== null && shades.windshield !== undefined ? ["windshield"] : [],
    strip: addonPositions(catalog, addons).includes("windshield_strip"),
    shades,
    glass: request.glass ?? {},
    usualRearGlass: catalog.automotive.vehicle_facts[request.vehicle_type]?.usual_rear_glass ?? null,
    available: stockedVlts(catalog, filmType ?? catalog.automotive.defaults.film_type),
  });
}

/** The VLTs in which a film is sold. */
function stockedVlts(catalog: Shop, film: string): readonly number[] {
  return vltsByFilm(catalog).get(film) ?? [];
}

const vltsByFilm = perCatalog(
  ({ automotive }) =>
    new Map(Object.entries(automotive.films).map(([film, { shades }]) => [film, shades.map(({ vlt }) => vlt)])),
);

/** Where the work puts film. */
export function tintedPositions(
  catalog: Shop,
  { filmType, coverage, addons }: Pick<Work, "filmType" | "coverage" | "addons">,
): Position[] {
  const { coverages } = catalog.automotive;
  const covered = filmType === null || coverage === null ? [] : entryOf(coverages, coverage).positions;
  const added = addonPositions(catalog, addons);
  return POSITIONS.filter((position) => covered.includes(position) || added.includes(position));
}

/** The glass that each add-on covers; null for one that covers none. */
export function addonPositions({ automotive }: Shop, addons: readonly string[]) {
  return addons.map((code) => entryOf(automotive.addons, code).position);
}

/** The add-ons that go with the work, were not asked for, and would not break the law. */
function suggestAddons(catalog: Shop, request: AutomotiveRequest, work: Work): AutomotiveEstimate["suggestions"] {
  return fittingAddons(catalog, request, work).filter(({ code }) => !work.addons.includes(code));
}

/**
 * The add-ons that go with the work and that the law permits beside it, in the shade they have when none is wished. Worked out
 * once for each jurisdiction, vehicle, service, film and coverage of the catalog.
 */
function fittingAddons(
  catalog: Shop,
  { vehicle_type, jurisdiction = catalog.tint_law.home }: AutomotiveRequest,
  { service, filmType, coverage }: PricedWork,
): AutomotiveEstimate["suggestions"] {
  const { addons, defaults } = catalog.automotive;
  const known = addonTables(catalog);
  const key = `${jurisdiction} ${vehicle_type} ${service} ${filmType} ${coverage}`;
  const before = known.get(key);
  if (before) return before;
  const isPermitted = (code: string) =>
    !lawOf(catalog, { vehicle_type, jurisdiction }, { filmType, coverage, addons: [code] }).checks.some(isBarred);
  const fitting = catalog.terms.addons
    .filter((code) => entryOf(addons, code).applies_to.includes(service) && isPermitted(code))
    .map((code) => {
      const { name, price, suggest, terms, minutes } = entryOf(addons, code);
      return {
        code,
        label: name,
        price: entryOf(price, filmType ?? defaults.film_type),
        reason: suggest ?? terms ?? `Can be added${minutes > 0 ? ` and takes about ${minutes} minutes more` : ""}.`,
      };
    });
  known.set(key, fitting);
  return fitting;
}

const addonTables = perCatalog(() => new Map<string, AutomotiveEstimate["suggestions"]>());
