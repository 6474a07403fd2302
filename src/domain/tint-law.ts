/**
 * Checks the shades of a vehicle against tint law, to inform: the result never blocks a booking. The rules stand in
 * `tint_law` of the catalog. VLT (visible light transmission) is a percentage everywhere.
 */
import type { Jurisdiction } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import { POSITIONS, type Position } from "../constants.ts";
import { checkGlass, GLASS_STATUSES, type GlassCheck, isOnStrip, lawTable, onGlass, stripCheck } from "./glass-law.ts";
import { lawNotes } from "./tint-law-notes.ts";

/** The statuses of all glass together. `partly_checked`: what was checked is legal, and some glass was not checked. */
export const LAW_STATUSES = [...GLASS_STATUSES, "partly_checked"] as const;
export type LawStatus = (typeof LAW_STATUSES)[number];

export interface Verdict {
  jurisdiction: string;
  name: string;
  citation: string | null;
  confidence: string;
  reviewed_on: string | null;
  measure: Jurisdiction["measure"];
  disclaimer: string;
  status: LawStatus;
  checks: GlassCheck[];
  notes: string[];
}

/** VLT of the film at each position; a position without a wished shade is absent. */
export type Shades = Partial<Record<Position, number>>;

export interface LawQuestion {
  jurisdiction: string;
  vehicleType: string;
  /** The positions to be covered with film. */
  positions: readonly Position[];
  /** Positions with a wished shade but without a priced film; they are listed as `not_checked`. */
  unpriced?: readonly Position[];
  /** A strip at the top of the windshield is ordered. */
  strip: boolean;
  shades: Shades;
  /** VLT of the bare factory glass, as far as the customer knows it. */
  glass?: Shades;
  /** VLT of the glass behind the driver that vehicles of this type usually have; null where none is usual. */
  usualRearGlass?: number | null;
  /** VLTs in which the chosen film is sold. */
  available: readonly number[];
}

/** @param question.jurisdiction a key of `tint_law.jurisdictions` */
export function checkTintLaw(catalog: Shop, question: LawQuestion): Verdict {
  const law = catalog.tint_law;
  const jurisdiction = law.jurisdictions[question.jurisdiction];
  if (!jurisdiction) throw new Error(`no jurisdiction ${question.jurisdiction}`);
  const vehicleClass = entryOf(law.vehicle_class, question.vehicleType);
  const { glass: given = {}, usualRearGlass = null } = question;
  const verdicts = lawTable(catalog, question.jurisdiction, vehicleClass, usualRearGlass).map((glasses) =>
    POSITIONS.flatMap((position): GlassCheck[] => {
      const known = given[position];
      const glass = known === undefined ? glasses[position] : onGlass(glasses[position].about, known);
      const isCovered = question.positions.includes(position);
      const { rule } = glass.about;
      if (position === "windshield" && question.strip && !isCovered)
        // A minimum that names no depth holds for a strip, too, whose shade nobody was asked for.
        return [isOnStrip(rule) ? stripCheck(rule) : checkGlass(position, glass, undefined, question.available, true)];
      if (!isCovered && !question.unpriced?.includes(position)) return [];
      return [checkGlass(position, glass, question.shades[position], question.available, isCovered)];
    }),
  );
  const checks = verdicts.reduce((best, next) => (isBetter(next, best) ? next : best));

  return {
    jurisdiction: question.jurisdiction,
    name: jurisdiction.name,
    citation: jurisdiction.citation,
    confidence: jurisdiction.confidence,
    reviewed_on: jurisdiction.reviewed_on,
    measure: jurisdiction.measure,
    disclaimer: law.disclaimer,
    status: statusOf(checks),
    checks,
    // Work without film on glass that the law speaks of needs no advice on shades.
    notes: checks.length > 0 ? lawNotes(catalog, jurisdiction, question.vehicleType) : [],
  };
}

/** The gravest status of the checks that were made. */
function statusOf(checks: readonly GlassCheck[]): LawStatus {
  // A strip that is permitted is no verdict on a shade.
  const shades = checks.filter(({ reason }) => reason !== "strip_permitted");
  const gravest = GLASS_STATUSES.findLast((status) => shades.some((check) => check.status === status));
  const isPartial = shades.some(({ status }) => status === "not_checked");
  return gravest === "legal" && isPartial ? "partly_checked" : (gravest ?? "not_checked");
}

/** Indexes into `GLASS_STATUSES`, the worst first. */
function gravities(checks: readonly GlassCheck[]): number[] {
  return checks.map(({ status }) => GLASS_STATUSES.indexOf(status)).sort((a, b) => b - a);
}

/**
 * Whether one set of rules gives a milder result than another. A law with alternatives is obeyed when one of them is.
 * The worst positions are compared first; on a tie, the next worst.
 */
function isBetter(checks: readonly GlassCheck[], than: readonly GlassCheck[]): boolean {
  const theirs = gravities(than);
  const difference = gravities(checks)
    .map((gravity, i) => gravity - (theirs[i] ?? 0))
    .find((one) => one !== 0);
  return difference !== undefined && difference < 0;
}
