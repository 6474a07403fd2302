/** The automotive estimate: base price, add-ons, tint law. Pure; all money in cents. */
import { basePriceAt, type LineItem, type ListedWork, type Suggestion } from "../catalog/price-list.ts";
import type { AutomotiveFilm } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { POSITIONS, type Position } from "../constants.ts";
import type { Cents } from "../lib/money.ts";
import { checkTintLaw, isWindshieldBarred, type Shades, type Verdict } from "./tint-law.ts";
import { type PricedWork, pricedService, removalWork, resolveWork, type Work, type WorkRequest } from "./work.ts";

export type { LineItem } from "../catalog/price-list.ts";

export interface AutomotiveRequest extends WorkRequest, LawRequest {
  vehicle_type: string;
}

interface LawRequest {
  vehicle_type: string;
  /** VLT by position. */
  shades?: Shades;
  /** VLT of the bare factory glass by position, as far as it is known. */
  glass?: Shades;
  /** A key of `tint_law.jurisdictions`; default: the jurisdiction of the shop. */
  jurisdiction?: string | undefined;
  /** Make and model settle the class of a type that can count as either. */
  isClassKnown?: boolean;
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
}

export function estimateAutomotive(catalog: Shop, request: AutomotiveRequest): AutomotiveEstimate {
  return estimateWork(catalog, request, resolveWork(catalog, request));
}

/** @param request the vehicle, and what the law is asked; its work is resolved already */
export function estimateWork(catalog: Shop, request: LawRequest, work: Work): AutomotiveEstimate {
  const { vehicle_type: vehicle } = request;
  const { automotive, priceList } = catalog;
  const { coverage, removal } = work;
  const removalLine = removal === null ? null : baseLine(removalWork(catalog, removal, coverage), vehicle);
  const options: Option[] = [];
  let chosen: Option | undefined;
  for (const [filmType, byCoverage] of pricedService(catalog, work.service).work) {
    const lines = [baseLine(byCoverage.get(coverage), vehicle)];
    if (removalLine) lines.push(removalLine);
    // Add-ons are priced by film, even when the service itself applies none: then by the shop's default.
    const addonFilm = filmType ?? automotive.defaults.film_type;
    for (const code of work.addons) {
      const line = priceList.addons.get(code)?.lines.get(addonFilm);
      if (!line) throw new Error(`no price of ${code} with ${addonFilm}`);
      lines.push(line);
    }
    let total = 0;
    for (const { amount } of lines) total += amount;
    const film = filmType === null ? null : (priceList.films.get(filmType)?.film ?? null);
    const option = { filmType, film, lines, total, selected: filmType === work.filmType };
    options.push(option);
    if (option.selected) chosen = option;
  }
  if (!chosen) throw new Error("no option is selected");
  return { work, options, chosen, law: lawOf(catalog, request, work) };
}

/** The tint law alone, without prices. */
export function verdictOn(catalog: Shop, request: AutomotiveRequest): Verdict {
  return lawOf(catalog, request, resolveWork(catalog, request));
}

export function basePrice(catalog: Shop, vehicleType: string, { service, filmType, coverage }: PricedWork): Cents {
  return basePriceAt(catalog, vehicleType, filmType ?? service, coverage);
}

function baseLine(listed: ListedWork | undefined, vehicle: string): LineItem {
  const job = listed?.vehicles.get(vehicle);
  if (!job) throw new Error(`no price for a ${vehicle}`);
  return job.line;
}

function lawOf(catalog: Shop, request: LawRequest, work: Work): Verdict {
  const { automotive, priceList, tint_law } = catalog;
  const { filmType, addons } = work;
  const positions = tintedPositions(catalog, work);
  let shades: Shades = request.shades ?? {};
  if (shades.windshield === undefined && positions.includes("windshield"))
    shades = { ...shades, windshield: automotive.windshield_default_vlt };
  return checkTintLaw(catalog, {
    jurisdiction: request.jurisdiction ?? tint_law.home,
    vehicleType: request.vehicle_type,
    isClassKnown: request.isClassKnown ?? false,
    positions,
    unpriced: filmType !== null && shades.windshield !== undefined ? ["windshield"] : [],
    strip: addonPositions(catalog, addons).includes("windshield_strip"),
    shades,
    glass: request.glass ?? {},
    usualRearGlass: automotive.vehicle_facts[request.vehicle_type]?.usual_rear_glass ?? null,
    available: priceList.films.get(filmType ?? automotive.defaults.film_type)?.vlts ?? [],
  });
}

export function tintedPositions(
  catalog: Shop,
  { filmType, coverage, addons }: Pick<Work, "filmType" | "coverage" | "addons">,
): Position[] {
  const covered = (filmType !== null && catalog.priceList.coverages.get(coverage ?? "")) || [];
  const added = addonPositions(catalog, addons);
  const tinted: Position[] = [];
  for (const position of POSITIONS) if (covered.includes(position) || added.includes(position)) tinted.push(position);
  return tinted;
}

/** The glass that each add-on covers; null for one that covers none. */
export function addonPositions({ priceList }: Shop, addons: readonly string[]) {
  const positions: Shop["automotive"]["addons"][string]["position"][] = [];
  for (const code of addons) positions.push(priceList.addons.get(code)?.position ?? null);
  return positions;
}

/** The add-ons that go with the work, were not asked for, and that the law permits in the shade they have when none is wished. */
export function suggestAddons(
  catalog: Shop,
  {
    vehicle_type: vehicleType,
    jurisdiction = catalog.tint_law.home,
  }: Pick<LawRequest, "vehicle_type" | "jurisdiction">,
  { service, filmType, coverage, addons: asked }: Work,
): Suggestion[] {
  const { defaults, windshield_default_vlt: shade } = catalog.automotive;
  const covered = filmType === null ? undefined : catalog.priceList.coverages.get(coverage ?? "");
  const strip = covered?.includes("windshield") ? shade : "strip";
  const place = { jurisdiction, vehicleType };
  const found: Suggestion[] = [];
  for (const [code, addon] of catalog.priceList.addons) {
    const { services, position, suggestions } = addon;
    if (!services.has(service) || asked.includes(code)) continue;
    // Of other glass no shade is known that the law could bar.
    const film = position === "windshield" ? shade : position === "windshield_strip" ? strip : null;
    if (film !== null && isWindshieldBarred(catalog, place, film)) continue;
    const suggestion = suggestions.get(filmType ?? defaults.film_type);
    if (suggestion) found.push(suggestion);
  }
  return found;
}
