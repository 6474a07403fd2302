/** Checks shades against the rules in `tint_law` and says why each is legal or not. VLT (visible light transmission) is a percentage. */
import type { VehicleLaw } from "../catalog/laws.ts";
import type { Jurisdiction, TintRule } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { POSITIONS, type Position } from "../constants.ts";

/** The statuses of one glass, the mildest first. `not_checked`: no shade was given, or the glass has no priced film. */
export const GLASS_STATUSES = ["not_checked", "legal", "borderline", "illegal", "not_permitted"] as const;
export type GlassStatus = (typeof GLASS_STATUSES)[number];

/** The statuses of all glass together. `partly_checked`: what was checked is legal, and some glass was not checked. */
export const LAW_STATUSES = [...GLASS_STATUSES, "partly_checked"] as const;
export type LawStatus = (typeof LAW_STATUSES)[number];

/** `none`: any shade is permitted. `see_reason`: only a strip is. */
export const RULES = ["minimum", "none", "no_film", "see_reason"] as const;

const RULE_NAMES = { min_vlt: "minimum", any: "none", prohibited: "no_film", strip: "see_reason" } as const;

export const LAW_REASONS = [
  "no_shade_given",
  "no_film_priced",
  "any_shade_permitted",
  "meets_minimum",
  "within_tolerance",
  "depends_on_glass",
  "depends_on_class",
  "below_minimum",
  "strip_only",
  "strip_permitted",
  "prohibited",
] as const;
export type LawReason = (typeof LAW_REASONS)[number];

/** A reason by the rules of one class, finer than answers tell it: on the glass that such vehicles usually have, the verdict is another one. */
type Finding = Exclude<LawReason, "depends_on_class"> | "depends_on_usual_glass";

export interface GlassCheck {
  position: Position;
  film_vlt: number | null;
  /** Light in percent, to a tenth: through film and glass, or film alone where `measure` says so. Null without a shade. */
  net_vlt: number | null;
  /** The glass that `net_vlt` was worked out with: given, else assumed. Null where the law measures the film alone. */
  glass_vlt: number | null;
  /** What the law says of this glass, so that a missing minimum never means two things. */
  rule: (typeof RULES)[number];
  min_vlt: number | null;
  status: GlassStatus;
  reason: LawReason;
  explanation: string;
  darkest_legal_shade: number | null;
}

/** The statuses of glass that the law does not let have its film, on any factory glass that is considered. */
const BARRED: readonly LawStatus[] = ["illegal", "not_permitted"] satisfies GlassStatus[];

/** Whether the law does not permit the film of a glass, or some film of a job. */
export function isBarred(law: { status: LawStatus } | null | undefined): boolean {
  return law ? BARRED.includes(law.status) : false;
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

interface LawQuestion {
  jurisdiction: string;
  vehicleType: string;
  /** The class of the type is not in doubt. */
  isClassKnown?: boolean;
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

/** The bare factory glass at a position, by VLT. */
interface Glass {
  /** As it was given, else as the law's check assumes it. */
  vlt: number;
  /** The clearest that is considered: no other where the glass was given. */
  clearest: number;
  /** What such vehicles usually have there; null where it is the assumed one. */
  usual: number | null;
}

/** A rule applied to one glass, before it is put into words. */
interface Judgment {
  position: Position;
  rule: TintRule;
  finding: Finding;
  /** Undefined where no shade was given. */
  film: number | undefined;
  /** Null for a strip, whose shade nobody is asked for. */
  glass: Glass | null;
}

export function checkTintLaw(catalog: Shop, question: LawQuestion): Verdict {
  const { jurisdiction, classes, doubt, notes } = lawFor(catalog, question);
  const { clearest_glass_vlt: clearest, disclaimer } = catalog.tint_law;
  const { positions, unpriced = [], strip, shades, glass: given = {}, usualRearGlass = null } = question;
  const checks: GlassCheck[] = [];
  for (const { vehicleClass, alternatives, glass: assumed } of question.isClassKnown ? [classes[0]] : classes) {
    // Dark factory glass comes with multipurpose vehicles alone: one that has it is no car.
    const usualRear = classes.length > 1 && vehicleClass === "passenger" ? null : usualRearGlass;
    let judgments: Judgment[] | undefined;
    for (const rules of alternatives) {
      const found: Judgment[] = [];
      for (const position of POSITIONS) {
        const isCovered = positions.includes(position);
        const isStrip = strip && position === "windshield" && !isCovered;
        if (!isCovered && !isStrip && !unpriced.includes(position)) continue;
        const rule = rules[position];
        const known = given[position];
        const usual = position === "rear_side" || position === "rear_window" ? usualRear : null;
        const glass =
          known === undefined
            ? { vlt: assumed[position], clearest, usual }
            : { vlt: known, clearest: known, usual: null };
        if (isStrip) {
          const finding = judge(jurisdiction, rule, glass, "strip");
          const isUnknown = finding === "no_shade_given";
          found.push({ position, rule, finding, film: undefined, glass: isUnknown ? glass : null });
          continue;
        }
        const film = shades[position];
        let finding: Finding = "no_film_priced";
        if (isCovered) finding = film === undefined ? "no_shade_given" : judge(jurisdiction, rule, glass, film);
        found.push({ position, rule, finding, film, glass });
      }
      if (!judgments || isMilder(found, judgments)) judgments = found;
    }
    for (const [i, judgment] of (judgments ?? []).entries()) {
      const { rule, finding, glass } = judgment;
      // The same glass is judged in each class, in the same order.
      const usual = checks[i];
      const isSame =
        usual?.status === STATUS_BY_FINDING[finding] &&
        usual.rule === RULE_NAMES[rule.rule] &&
        usual.min_vlt === (rule.rule === "min_vlt" ? rule.vlt : null) &&
        (usual.glass_vlt ?? glass?.vlt) === glass?.vlt;
      if (isSame) continue;
      const check = toCheck(judgment, jurisdiction, question.available);
      checks[i] = usual ? inEitherClass(usual, check, classes, doubt) : check;
    }
  }

  return {
    jurisdiction: question.jurisdiction,
    name: jurisdiction.name,
    citation: jurisdiction.citation,
    confidence: jurisdiction.confidence,
    reviewed_on: jurisdiction.reviewed_on,
    measure: jurisdiction.measure,
    disclaimer,
    status: gravestStatus(checks),
    checks,
    // Work without film on glass that the law speaks of needs no advice on shades.
    notes: checks.length > 0 ? notes : [],
  };
}

/** Of a vehicle that can count as either class: borderline where the verdicts differ, with the stricter rule. */
function inEitherClass(
  usual: GlassCheck,
  other: GlassCheck,
  classes: VehicleLaw["classes"],
  doubt: string,
): GlassCheck {
  const [first, second] = [usual.darkest_legal_shade, other.darkest_legal_shade];
  const darkest_legal_shade = first === null || second === null ? null : Math.max(first, second);
  const isMilder = GLASS_STATUSES.indexOf(usual.status) <= GLASS_STATUSES.indexOf(other.status);
  const [milder, stricter] = isMilder ? [usual, other] : [other, usual];
  if (usual.status === other.status || milder.status === "not_checked") return { ...usual, darkest_legal_shade };
  if (BARRED.includes(milder.status)) return { ...milder, darkest_legal_shade };
  const [one, another = one] = classes;
  const asOne = `As ${CLASS_NAMES[one.vehicleClass]}: ${usual.explanation}`;
  const asOther = `As ${CLASS_NAMES[another.vehicleClass]}: ${other.explanation}`;
  return {
    ...stricter,
    status: "borderline",
    reason: "depends_on_class",
    explanation: `${asOne} ${asOther} ${doubt}`,
    darkest_legal_shade,
  };
}

type Place = Pick<LawQuestion, "jurisdiction" | "vehicleType">;

/** Whether every alternative of a law bars the windshield from its film, in a class that the vehicle can count as. @param film its VLT, or a strip at the top */
export function isWindshieldBarred(catalog: Shop, place: Place, film: number | "strip"): boolean {
  const { jurisdiction, classes } = lawFor(catalog, place);
  const { clearest_glass_vlt: clearest } = catalog.tint_law;
  for (const { alternatives, glass: assumed } of classes) {
    const glass = { vlt: assumed.windshield, clearest, usual: null };
    let isPermitted = false;
    for (const { windshield: rule } of alternatives)
      isPermitted ||= !BARRED.includes(STATUS_BY_FINDING[judge(jurisdiction, rule, glass, film)]);
    if (!isPermitted) return true;
  }
  return false;
}

/** @throws Error for a jurisdiction or a vehicle type that was not checked */
function lawFor({ laws }: Shop, { jurisdiction, vehicleType }: Place): VehicleLaw {
  const law = laws.get(jurisdiction)?.get(vehicleType);
  if (!law) throw new Error(`no law of ${jurisdiction} for a ${vehicleType}`);
  return law;
}

const STATUS_BY_FINDING: Record<Finding, GlassStatus> = {
  no_shade_given: "not_checked",
  no_film_priced: "not_checked",
  any_shade_permitted: "legal",
  meets_minimum: "legal",
  strip_permitted: "legal",
  within_tolerance: "borderline",
  depends_on_glass: "borderline",
  depends_on_usual_glass: "borderline",
  below_minimum: "illegal",
  strip_only: "not_permitted",
  prohibited: "not_permitted",
};

/** What a rule says of a film on a glass, or of a strip at the top of the windshield. */
function judge({ measure, tolerance }: Jurisdiction, rule: TintRule, glass: Glass, film: number | "strip"): Finding {
  if (rule.rule === "prohibited") return "prohibited";
  if (film === "strip") {
    // A minimum that names no depth holds for a strip, too, whose shade nobody was asked for.
    const isSilent = rule.rule === "min_vlt" && rule.inches === undefined && rule.as1 !== true;
    return isSilent ? "no_shade_given" : "strip_permitted";
  }
  if (rule.rule === "any") return "any_shade_permitted";
  if (rule.rule === "strip") return "strip_only";
  // Compare in whole hundredths of a percent: rounding must not decide what is legal.
  const min = rule.vlt * 100;
  const floor = min - (tolerance ?? 0) * 100;
  const light = film * (measure === "film" ? 100 : glass.vlt);
  const most = film * (measure === "film" ? 100 : glass.clearest);
  let finding: Finding = "below_minimum";
  if (light >= min) finding = "meets_minimum";
  else if (light >= floor) finding = "within_tolerance";
  else if (most >= floor) finding = "depends_on_glass";
  if (glass.usual === null || measure === "film") return finding;
  const usually = film * glass.usual;
  const status = usually >= min ? "legal" : usually >= floor ? "borderline" : "illegal";
  return status === STATUS_BY_FINDING[finding] ? finding : "depends_on_usual_glass";
}

function toCheck({ position, rule, finding, film, glass }: Judgment, law: Jurisdiction, available: readonly number[]) {
  const isFilmAlone = law.measure === "film";
  const net = film === undefined || glass === null ? null : isFilmAlone ? film : lightThrough(glass.vlt, film);
  const check: GlassCheck = {
    position,
    film_vlt: film ?? null,
    net_vlt: net,
    glass_vlt: isFilmAlone || glass === null ? null : glass.vlt,
    rule: RULE_NAMES[rule.rule],
    min_vlt: rule.rule === "min_vlt" ? rule.vlt : null,
    status: STATUS_BY_FINDING[finding],
    reason: finding === "depends_on_usual_glass" ? "depends_on_glass" : finding,
    explanation: explainFinding(finding, rule, { film, net, glass, isFilmAlone }),
    darkest_legal_shade: null,
  };
  if (glass === null || rule.rule === "strip" || rule.rule === "prohibited") return check;
  // A shade is legal where enough light passes on the assumed glass, and on the usual one.
  const through = isFilmAlone ? 100 : Math.min(glass.vlt, glass.usual ?? glass.vlt);
  const min = rule.rule === "any" ? 0 : rule.vlt * 100;
  for (const vlt of available)
    if (through * vlt >= min && vlt < (check.darkest_legal_shade ?? Number.POSITIVE_INFINITY))
      check.darkest_legal_shade = vlt;
  return check;
}

/** The gravest status of the checks that were made. */
function gravestStatus(checks: readonly GlassCheck[]): LawStatus {
  let gravest = 0;
  let isPartial = false;
  for (const { status, reason } of checks) {
    // A strip that is permitted is no verdict on a shade.
    if (reason === "strip_permitted") continue;
    if (status === "not_checked") isPartial = true;
    gravest = Math.max(gravest, GLASS_STATUSES.indexOf(status));
  }
  const status = GLASS_STATUSES[gravest] ?? "not_checked";
  return status === "legal" && isPartial ? "partly_checked" : status;
}

/** Indexes into `GLASS_STATUSES`, the worst first. */
function gravities(judgments: readonly Judgment[]): number[] {
  return judgments.map(({ finding }) => GLASS_STATUSES.indexOf(STATUS_BY_FINDING[finding])).sort((a, b) => b - a);
}

/** A law with alternatives is obeyed when one of them is. The worst positions are compared first; on a tie, the next worst. */
function isMilder(judgments: readonly Judgment[], than: readonly Judgment[]): boolean {
  const theirs = gravities(than);
  const difference = gravities(judgments)
    .map((gravity, i) => gravity - (theirs[i] ?? 0))
    .find((one) => one !== 0);
  return difference !== undefined && difference < 0;
}

// The law in words.

/** The glass in words that end a sentence. */
export const GLASS_NAMES: Readonly<Record<Position, string>> = {
  front_side: "front side windows",
  rear_side: "rear side windows",
  rear_window: "rear window",
  windshield: "windshield",
};

/** The film and the factory glass that a finding is about, by VLT, and the light through both. */
interface Light {
  film: number | undefined;
  net: number | null;
  glass: { vlt: number; clearest: number; usual: number | null } | null;
  /** The law measures the film alone. */
  isFilmAlone: boolean;
}

const CLASS_NAMES = { passenger: "a passenger car", multipurpose: "a multipurpose vehicle" } as const;

function explainFinding(finding: Finding, rule: TintRule, { film = 0, net, glass, isFilmAlone }: Light): string {
  switch (finding) {
    case "no_shade_given":
      return `No shade was given; ${ruleInWords(rule)}.`;
    case "no_film_priced":
      return `No film for this glass is priced, so its shade was not judged; ${ruleInWords(rule)}.`;
    case "any_shade_permitted":
      return "Any shade is permitted here.";
    case "strip_permitted":
      return rule.rule === "strip" || rule.rule === "min_vlt"
        ? `A strip is permitted at the top of the windshield${stripDepth(rule)}.`
        : "Any film is permitted on the windshield.";
    case "strip_only":
    case "prohibited":
      return `Not permitted: ${ruleInWords(rule)}.`;
  }
  const through = isFilmAlone
    ? `The film lets ${film}% of light through, and the law measures the film alone`
    : `${film}% film on ${glass?.vlt}% glass lets ${net}% of light through`;
  const minimum = rule.rule === "min_vlt" ? `the minimum is ${rule.vlt}%` : "";
  switch (finding) {
    case "meets_minimum":
      return `${through}; ${minimum}.`;
    case "within_tolerance":
      return `${through}; ${minimum}, and this is within the tolerance of the meter. Have it metered.`;
    case "depends_on_glass":
      return `${through}; ${minimum}. On clearer glass it can pass, so it depends on the glass: have it metered before installing.`;
    case "depends_on_usual_glass": {
      const usual = glass?.usual ?? 0;
      return `${through}, on the ${usual}% glass that such vehicles often have behind the driver only ${lightThrough(usual, film)}%; ${minimum}. So it depends on the glass: have it metered before installing.`;
    }
    case "below_minimum": {
      // Where the glass is known, the sentence speaks of no clearer one.
      const isClearest = isFilmAlone || !glass || glass.clearest <= glass.vlt;
      return `${through}; ${minimum}${isClearest ? "" : `. Even the clearest factory glass (${glass.clearest}%) does not make it legal`}.`;
    }
  }
}

/** Light through film and glass in percent, rounded half up to a tenth. */
function lightThrough(glass: number, film: number): number {
  return Math.floor((glass * film + 5) / 10) / 10;
}

/** A rule in words that can end a sentence, like `at least 32% of visible light (VLT) must pass`. */
export function ruleInWords(rule: TintRule): string {
  switch (rule.rule) {
    case "strip":
      return `only a strip is permitted here${stripDepth(rule)}`;
    case "prohibited":
      return "no film is permitted here";
    case "any":
      return "any shade is permitted here";
    case "min_vlt":
      return `at least ${rule.vlt}% of visible light (VLT) must pass`;
  }
}

function stripDepth({ inches, as1 }: Extract<TintRule, { rule: "strip" | "min_vlt" }>): string {
  const depths = [...(as1 ? ["the AS-1 line"] : []), ...(inches ? [`${inches} inches`] : [])];
  return depths.length > 0 ? `, down to ${depths.join(" or ")}` : "";
}
