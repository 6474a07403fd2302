/**
 * Checks shades against tint law, to inform: the result never blocks a booking. The rules stand in `tint_law` of the
 * catalog. VLT (visible light transmission) is a percentage everywhere.
 */
import type { Catalog, Jurisdiction, TintRule } from "../catalog/schema.ts";
import { entryOf } from "../catalog/words.ts";
import { POSITIONS, type Position } from "../vocabulary.ts";
import { lawNotes } from "./tint-law-notes.ts";
import { explain, type LawReason } from "./tint-law-words.ts";

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
  const vehicleClass = entryOf(law.vehicle_class, question.vehicleType);
  // A class without its own rules uses the passenger rules, which are stricter.
  const alternatives = jurisdiction.classes[vehicleClass] ?? jurisdiction.classes.passenger;
  const glass = law.glass_vlt[vehicleClass];

  const verdicts = alternatives.map((rules) => {
    const barsStrip = question.strip && rules.windshield.rule === "prohibited";
    return POSITIONS.flatMap((position) => {
      const clearestVlt = law.clearest_glass_vlt;
      const about = { jurisdiction, position, rule: rules[position], glassVlt: glass[position], clearestVlt };
      const isCovered = question.positions.includes(position);
      if (!isCovered && position === "windshield" && barsStrip) return [barredStrip(rules.windshield)];
      if (!isCovered && !question.unpriced?.includes(position)) return [];
      const check = checkGlass({ ...about, available: question.available, filmVlt: question.shades[position] });
      return [isCovered ? check : notPriced(check, rules[position])];
    });
  });
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

interface Glass {
  jurisdiction: Jurisdiction;
  position: Position;
  rule: TintRule;
  /** Of the factory glass that is assumed. */
  glassVlt: number;
  /** Of the clearest factory glass. */
  clearestVlt: number;
  filmVlt: number | undefined;
  available: readonly number[];
}

function checkGlass(glass: Glass): GlassCheck {
  const { jurisdiction, position, rule, glassVlt, clearestVlt, filmVlt, available } = glass;
  const judge = (vlt: number) => judgeShade(glass, vlt);
  const legal = available.filter((vlt) => judge(vlt).status === "legal");
  const verdict =
    filmVlt === undefined ? ({ status: "not_checked", reason: "no_shade_given" } as const) : judge(filmVlt);
  const net = filmVlt === undefined ? null : netVlt(jurisdiction, glassVlt, filmVlt);
  return {
    position,
    film_vlt: filmVlt ?? null,
    net_vlt: net,
    min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
    ...verdict,
    explanation: explain(verdict.reason, rule, { filmVlt, net, glassVlt, clearestVlt, measure: jurisdiction.measure }),
    darkest_legal_shade: legal.length > 0 ? Math.min(...legal) : null,
  };
}

function notPriced(check: GlassCheck, rule: TintRule): GlassCheck {
  return {
    ...check,
    status: "not_checked",
    reason: "no_film_priced",
    explanation: explain("no_film_priced", rule),
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

function judgeShade(
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
