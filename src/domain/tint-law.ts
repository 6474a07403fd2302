/**
 * Checks shades against tint law, to inform: the result never blocks a booking. The rules stand in `tint_law` of the
 * catalog. VLT (visible light transmission) is a percentage everywhere.
 */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Catalog, Jurisdiction, TintRule } from "../catalog/schema.ts";
import { entryOf } from "../catalog/terms.ts";
import { POSITIONS, type Position, type VEHICLE_CLASSES } from "../constants.ts";
import { lawNotes } from "./tint-law-notes.ts";
import { explain, type LawReason } from "./tint-law-wording.ts";

/** Of one glass, the mildest first. `not_checked`: no shade was given, or the glass has no priced film. */
export const GLASS_STATUSES = ["not_checked", "legal", "borderline", "illegal", "not_permitted"] as const;
export type GlassStatus = (typeof GLASS_STATUSES)[number];

/** Of all glass together. `partly_checked`: what was checked is legal, and some glass was not checked. */
export const LAW_STATUSES = [...GLASS_STATUSES, "partly_checked"] as const;
export type LawStatus = (typeof LAW_STATUSES)[number];

export interface GlassCheck {
  position: Position;
  film_vlt: number | null;
  /**
   * Light in percent, to a tenth: through film and the assumed factory glass, or through the film alone where `measure`
   * is film. Null when no shade was given.
   */
  net_vlt: number | null;
  min_vlt: number | null;
  status: GlassStatus;
  reason: LawReason;
  /** The reason as a sentence. */
  explanation: string;
  darkest_legal_shade: number | null;
}

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
  /** VLTs in which the chosen film is sold. */
  available: readonly number[];
}

/** @param question.jurisdiction a key of `tint_law.jurisdictions` */
export function checkTintLaw(catalog: Catalog, question: LawQuestion): Verdict {
  const law = catalog.tint_law;
  const jurisdiction = law.jurisdictions[question.jurisdiction];
  if (!jurisdiction) throw new Error(`no jurisdiction ${question.jurisdiction}`);
  const verdicts = lawTable(catalog, question.jurisdiction, entryOf(law.vehicle_class, question.vehicleType)).map(
    (glasses) =>
      POSITIONS.flatMap((position): GlassCheck[] => {
        const glass = glasses[position];
        const isCovered = question.positions.includes(position);
        const isBarred = position === "windshield" && question.strip && glass.rule.rule === "prohibited";
        if (!isCovered && isBarred) return [barredStrip(glass.rule)];
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
    notes: lawNotes(catalog, jurisdiction, question.vehicleType),
  };
}

/** The gravest status of the checks that were made. */
function statusOf(checks: readonly GlassCheck[]): LawStatus {
  const gravest = GLASS_STATUSES.findLast((status) => checks.some((check) => check.status === status));
  const isPartial = checks.some(({ status }) => status === "not_checked");
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

type VehicleClass = (typeof VEHICLE_CLASSES)[number];

/** The verdict on one shade, in words too. */
type ShadeVerdict = Pick<GlassCheck, "net_vlt" | "status" | "reason" | "explanation">;

/** The law of one glass. */
interface GlassLaw {
  rule: TintRule;
  /** By VLT, 0 to 100. */
  shades: readonly ShadeVerdict[];
  /** Where no shade was given. */
  unknown: ShadeVerdict;
  /** The sentence for glass whose film has no price. */
  notPriced: string;
}

/** For each alternative of a law, the law of each glass. Worked out once per catalog, jurisdiction and class of vehicle. */
function lawTable(catalog: Catalog, key: string, vehicleClass: VehicleClass): readonly Record<Position, GlassLaw>[] {
  const known = lawTables(catalog);
  const name = `${key} ${vehicleClass}`;
  const table = known.get(name) ?? toLawTable(catalog, entryOf(catalog.tint_law.jurisdictions, key), vehicleClass);
  known.set(name, table);
  return table;
}

const lawTables = perCatalog(() => new Map<string, readonly Record<Position, GlassLaw>[]>());

function toLawTable({ tint_law: law }: Catalog, jurisdiction: Jurisdiction, vehicleClass: VehicleClass) {
  // A class without its own rules uses the passenger rules, which are stricter.
  const alternatives = jurisdiction.classes[vehicleClass] ?? jurisdiction.classes.passenger;
  const glass = law.glass_vlt[vehicleClass];
  return alternatives.map((rules) => {
    const lawOf = (position: Position) =>
      toGlassLaw({
        jurisdiction,
        rule: rules[position],
        glassVlt: glass[position],
        clearestVlt: law.clearest_glass_vlt,
      });
    return {
      front_side: lawOf("front_side"),
      rear_side: lawOf("rear_side"),
      rear_window: lawOf("rear_window"),
      windshield: lawOf("windshield"),
    };
  });
}

interface Glass {
  jurisdiction: Jurisdiction;
  rule: TintRule;
  /** Of the factory glass that is assumed. */
  glassVlt: number;
  /** Of the clearest factory glass. */
  clearestVlt: number;
}

function toGlassLaw(about: Glass): GlassLaw {
  const { jurisdiction, rule, glassVlt, clearestVlt } = about;
  const { measure } = jurisdiction;
  const verdictOn = (filmVlt: number): ShadeVerdict => {
    const verdict = checkShade(about, filmVlt);
    const net = netVlt(jurisdiction, glassVlt, filmVlt);
    const explanation = explain(verdict.reason, rule, { filmVlt, net, glassVlt, clearestVlt, measure });
    return { net_vlt: net, ...verdict, explanation };
  };
  return {
    rule,
    shades: Array.from({ length: 101 }, (_, vlt) => verdictOn(vlt)),
    unknown: {
      net_vlt: null,
      status: "not_checked",
      reason: "no_shade_given",
      explanation: explain("no_shade_given", rule),
    },
    notPriced: explain("no_film_priced", rule),
  };
}

/** @param isPriced whether the estimate has film on this glass */
function checkGlass(
  position: Position,
  { rule, shades, unknown, notPriced }: GlassLaw,
  filmVlt: number | undefined,
  available: readonly number[],
  isPriced: boolean,
): GlassCheck {
  const verdict = (filmVlt === undefined ? undefined : shades[filmVlt]) ?? unknown;
  const legal = available.filter((vlt) => shades[vlt]?.status === "legal");
  return {
    position,
    film_vlt: filmVlt ?? null,
    net_vlt: verdict.net_vlt,
    min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
    status: isPriced ? verdict.status : "not_checked",
    reason: isPriced ? verdict.reason : "no_film_priced",
    explanation: isPriced ? verdict.explanation : notPriced,
    darkest_legal_shade: legal.length > 0 ? Math.min(...legal) : null,
  };
}

/** A strip is ordered, but the law permits no film on the windshield. */
function barredStrip(rule: TintRule): GlassCheck {
  return {
    position: "windshield",
    film_vlt: null,
    net_vlt: null,
    min_vlt: null,
    status: "not_permitted",
    reason: "prohibited",
    explanation: explain("prohibited", rule),
    darkest_legal_shade: null,
  };
}

function checkShade(
  { jurisdiction: { measure, tolerance }, rule, glassVlt, clearestVlt }: Glass,
  filmVlt: number,
): { status: GlassStatus; reason: LawReason } {
  if (rule.rule === "any") return { status: "legal", reason: "any_shade_permitted" };
  if (rule.rule === "strip") return { status: "not_permitted", reason: "strip_only" };
  if (rule.rule === "prohibited") return { status: "not_permitted", reason: "prohibited" };
  // Compare in whole hundredths of a percent: rounding must not decide what is legal.
  const through = (glass: number) => (measure === "film" ? filmVlt * 100 : glass * filmVlt);
  const min = rule.vlt * 100;
  const floor = min - (tolerance ?? 0) * 100;
  if (through(glassVlt) >= min) return { status: "legal", reason: "meets_minimum" };
  if (through(glassVlt) >= floor) return { status: "borderline", reason: "within_tolerance" };
  if (through(clearestVlt) >= floor) return { status: "borderline", reason: "depends_on_glass" };
  return { status: "illegal", reason: "below_minimum" };
}

/** Light through film and glass in percent, rounded half up to a tenth. */
function netVlt({ measure }: Jurisdiction, glassVlt: number, filmVlt: number): number {
  return measure === "film" ? filmVlt : Math.floor((glassVlt * filmVlt + 5) / 10) / 10;
}
