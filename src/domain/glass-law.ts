/** Tint law for one glass: what its rule says of each shade, on the factory glass that is assumed or known. VLT in percent. */
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Jurisdiction, TintRule } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { entryOf } from "../catalog/terms.ts";
import type { Position, VEHICLE_CLASSES } from "../constants.ts";
import { explainVerdict, type LawReason } from "./tint-law-wording.ts";

/** The statuses of one glass, the mildest first. `not_checked`: no shade was given, or the glass has no priced film. */
export const GLASS_STATUSES = ["not_checked", "legal", "borderline", "illegal", "not_permitted"] as const;

export type GlassStatus = (typeof GLASS_STATUSES)[number];

/** `none`: any shade is permitted. `see_reason`: only a strip is. */
export const RULES = ["minimum", "none", "no_film", "see_reason"] as const;

const RULE_OF = { min_vlt: "minimum", any: "none", prohibited: "no_film", strip: "see_reason" } as const;

export interface GlassCheck {
  position: Position;
  film_vlt: number | null;
  /**
   * Light in percent, to a tenth: through film and the assumed factory glass, or through the film alone where `measure`
   * is film. Null when no shade was given.
   */
  net_vlt: number | null;
  /** The glass that `net_vlt` was worked out with: given, else assumed. Null where the law measures the film alone. */
  glass_vlt: number | null;
  /** What the law says of this glass, so that a missing minimum never means two things. */
  rule: (typeof RULES)[number];
  min_vlt: number | null;
  status: GlassStatus;
  reason: LawReason;
  /** The reason as a sentence. */
  explanation: string;
  darkest_legal_shade: number | null;
}

/** Whether the law does not let a glass have its film, on any factory glass that is considered. */
export function isBarred({ status }: Pick<GlassCheck, "status">): boolean {
  return status === "illegal" || status === "not_permitted";
}

type VehicleClass = (typeof VEHICLE_CLASSES)[number];

/** The verdict on one shade, in words too. */
type ShadeVerdict = Pick<GlassCheck, "net_vlt" | "status" | "reason" | "explanation">;

/** The law of one glass. */
interface GlassLaw {
  about: Glass;
  /** By VLT, 0 to 100. */
  shades: (vlt: number) => ShadeVerdict;
  /** Where no shade was given. */
  unknown: ShadeVerdict;
  /** The sentence for glass whose film has no price. */
  notPriced: string;
}

/**
 * For each alternative of a law, the law of each glass. Worked out once per catalog, jurisdiction, class of vehicle and
 * usual glass behind the driver.
 */
export function lawTable(
  catalog: Shop,
  key: string,
  vehicleClass: VehicleClass,
  usual: number | null,
): readonly Record<Position, GlassLaw>[] {
  const known = lawTables(catalog);
  const name = `${key} ${vehicleClass} ${usual}`;
  let table = known.get(name);
  if (!table) {
    table = toLawTable(catalog, entryOf(catalog.tint_law.jurisdictions, key), vehicleClass, usual);
    known.set(name, table);
  }
  return table;
}

const lawTables = perCatalog(() => new Map<string, readonly Record<Position, GlassLaw>[]>());

function toLawTable(
  { tint_law: law }: Shop,
  jurisdiction: Jurisdiction,
  vehicleClass: VehicleClass,
  usual: number | null,
) {
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
        usualVlt: position === "rear_side" || position === "rear_window" ? usual : null,
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
  /** VLT of the factory glass that is assumed. */
  glassVlt: number;
  /** VLT of the clearest factory glass. */
  clearestVlt: number;
  /** VLT of the glass that such vehicles usually have there; null where it is the assumed one. */
  usualVlt: number | null;
}

/** The law of glass whose VLT is known: no other is considered. */
export function onGlass(about: Glass, vlt: number): GlassLaw {
  return toGlassLaw({ ...about, glassVlt: vlt, clearestVlt: vlt, usualVlt: null });
}

function toGlassLaw(about: Glass): GlassLaw {
  const { jurisdiction, rule, glassVlt, clearestVlt, usualVlt } = about;
  const { measure } = jurisdiction;
  const verdictOn = (filmVlt: number): ShadeVerdict => {
    const verdict = checkShade(about, filmVlt);
    const net = netVlt(jurisdiction, glassVlt, filmVlt);
    const usual =
      verdict.onUsual && usualVlt !== null ? { usualVlt, usualNet: netVlt(jurisdiction, usualVlt, filmVlt) } : {};
    // Where the glass is known, the sentence speaks of no clearer one.
    const clearest = clearestVlt > glassVlt ? { clearestVlt } : {};
    const explanation = explainVerdict(verdict.reason, rule, {
      filmVlt,
      net,
      glassVlt,
      ...clearest,
      measure,
      ...usual,
    });
    return { net_vlt: net, status: verdict.status, reason: verdict.reason, explanation };
  };
  return {
    about,
    shades: lazily(verdictOn),
    unknown: {
      net_vlt: null,
      status: "not_checked",
      reason: "no_shade_given",
      explanation: explainVerdict("no_shade_given", rule),
    },
    notPriced: explainVerdict("no_film_priced", rule),
  };
}

/** @param isPriced whether the estimate has film on this glass */
export function checkGlass(
  position: Position,
  { about: { rule, glassVlt, jurisdiction }, shades, unknown, notPriced }: GlassLaw,
  filmVlt: number | undefined,
  available: readonly number[],
  isPriced: boolean,
): GlassCheck {
  const verdict = filmVlt === undefined ? unknown : shades(filmVlt);
  let darkest: number | null = null;
  for (const vlt of available)
    if (vlt < (darkest ?? Number.POSITIVE_INFINITY) && shades(vlt).status === "legal") darkest = vlt;
  return {
    position,
    film_vlt: filmVlt ?? null,
    net_vlt: verdict.net_vlt,
    glass_vlt: jurisdiction.measure === "film" ? null : glassVlt,
    rule: RULE_OF[rule.rule],
    min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
    status: isPriced ? verdict.status : "not_checked",
    reason: isPriced ? verdict.reason : "no_film_priced",
    explanation: isPriced ? verdict.explanation : notPriced,
    darkest_legal_shade: darkest,
  };
}

/** Works every verdict out at its first use: a car whose glass is known needs few of them. */
function lazily(verdictOn: (vlt: number) => ShadeVerdict): (vlt: number) => ShadeVerdict {
  const known: ShadeVerdict[] = [];
  return (vlt) => {
    const verdict = known[vlt] ?? verdictOn(vlt);
    known[vlt] = verdict;
    return verdict;
  };
}

/** Whether a rule says of a strip at the top of the windshield whether it is permitted. */
export function isOnStrip(rule: TintRule): boolean {
  return rule.rule !== "min_vlt" || rule.inches !== undefined || rule.as1 === true;
}

/** A strip at the top of the windshield is ordered: how deep it may be, or that the law permits no film there. */
export function stripCheck(rule: TintRule): GlassCheck {
  const isBarred = rule.rule === "prohibited";
  const reason = isBarred ? "prohibited" : "strip_permitted";
  return {
    position: "windshield",
    film_vlt: null,
    net_vlt: null,
    glass_vlt: null,
    rule: RULE_OF[rule.rule],
    min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
    status: isBarred ? "not_permitted" : "legal",
    reason,
    explanation: explainVerdict(reason, rule),
    darkest_legal_shade: null,
  };
}

/** @returns `onUsual`: the verdict on the glass that such vehicles usually have is another one */
function checkShade(
  { jurisdiction: { measure, tolerance }, rule, glassVlt, clearestVlt, usualVlt }: Glass,
  filmVlt: number,
): { status: GlassStatus; reason: LawReason; onUsual?: boolean } {
  if (rule.rule === "any") return { status: "legal", reason: "any_shade_permitted" };
  if (rule.rule === "strip") return { status: "not_permitted", reason: "strip_only" };
  if (rule.rule === "prohibited") return { status: "not_permitted", reason: "prohibited" };
  // Compare in whole hundredths of a percent: rounding must not decide what is legal.
  const through = (glass: number) => (measure === "film" ? filmVlt * 100 : glass * filmVlt);
  const min = rule.vlt * 100;
  const floor = min - (tolerance ?? 0) * 100;
  const verdictOn = (vlt: number, clearest: number): { status: GlassStatus; reason: LawReason } => {
    if (through(vlt) >= min) return { status: "legal", reason: "meets_minimum" };
    if (through(vlt) >= floor) return { status: "borderline", reason: "within_tolerance" };
    if (through(clearest) >= floor) return { status: "borderline", reason: "depends_on_glass" };
    return { status: "illegal", reason: "below_minimum" };
  };
  const verdict = verdictOn(glassVlt, clearestVlt);
  if (usualVlt === null || measure === "film" || verdictOn(usualVlt, usualVlt).status === verdict.status)
    return verdict;
  return { status: "borderline", reason: "depends_on_glass", onUsual: true };
}

/** Light through film and glass in percent, rounded half up to a tenth. */
function netVlt({ measure }: Jurisdiction, glassVlt: number, filmVlt: number): number {
  return measure === "film" ? filmVlt : Math.floor((glassVlt * filmVlt + 5) / 10) / 10;
}
