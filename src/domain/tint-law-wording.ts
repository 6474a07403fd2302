/** Sentences about tint law: what a rule permits, and why a shade is legal or not. */
import type { TintRule } from "../catalog/schema.ts";
import type { Position } from "../constants.ts";

export const LAW_REASONS = [
  "no_shade_given",
  "no_film_priced",
  "any_shade_permitted",
  "meets_minimum",
  "within_tolerance",
  "depends_on_glass",
  "below_minimum",
  "strip_only",
  "strip_permitted",
  "prohibited",
] as const;
export type LawReason = (typeof LAW_REASONS)[number];

/** The glass in words that end a sentence. */
export const GLASS_NAMES: Readonly<Record<Position, string>> = {
  front_side: "front side windows",
  rear_side: "rear side windows",
  rear_window: "rear window",
  windshield: "windshield",
};

/** A reason, finer than answers tell it: on the glass that such vehicles usually have, the verdict is another one. */
export type Finding = LawReason | "depends_on_usual_glass";

/** The film and the factory glass that a finding is about, by VLT, and the light through both. */
interface Light {
  film: number | undefined;
  net: number | null;
  glass: { vlt: number; clearest: number; usual: number | null } | null;
  /** The law measures the film alone. */
  isFilmAlone: boolean;
}

/** A finding as a sentence. */
export function explainFinding(finding: Finding, rule: TintRule, { film = 0, net, glass, isFilmAlone }: Light): string {
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
export function lightThrough(glass: number, film: number): number {
  return Math.floor((glass * film + 5) / 10) / 10;
}

/** A rule in words that can end a sentence, like `at least 32% VLT (visible light) must pass`. */
export function ruleInWords(rule: TintRule): string {
  switch (rule.rule) {
    case "strip":
      return `only a strip is permitted here${stripDepth(rule)}`;
    case "prohibited":
      return "no film is permitted here";
    case "any":
      return "any shade is permitted here";
    case "min_vlt":
      return `at least ${rule.vlt}% VLT (visible light) must pass`;
  }
}

function stripDepth({ inches, as1 }: Extract<TintRule, { rule: "strip" | "min_vlt" }>): string {
  const depths = [...(as1 ? ["the AS-1 line"] : []), ...(inches ? [`${inches} inches`] : [])];
  return depths.length > 0 ? `, down to ${depths.join(" or ")}` : "";
}
