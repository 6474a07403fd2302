/** Sentences about tint law: what a rule permits, and why a shade is legal or not. */
import type { Jurisdiction, TintRule } from "../catalog/schema.ts";
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

/** The light that passes, in percent; as far as the reason speaks of it. */
interface Light {
  filmVlt?: number;
  glassVlt?: number;
  clearestVlt?: number;
  net?: number | null;
  /** VLT of the glass that such vehicles usually have there, and the light through it and the film. */
  usualVlt?: number;
  usualNet?: number;
  measure?: Jurisdiction["measure"];
}

/** A reason as a sentence. */
export function explainVerdict(reason: LawReason, rule: TintRule, light: Light = {}): string {
  const filmAlone = light.measure === "film";
  const through = filmAlone
    ? `The film lets ${light.filmVlt}% of light through, and the law measures the film alone`
    : `${light.filmVlt}% film on ${light.glassVlt}% glass lets ${light.net}% of light through`;
  const minimum = rule.rule === "min_vlt" ? `the minimum is ${rule.vlt}%` : "";
  switch (reason) {
    case "no_shade_given":
      return `No shade was given; ${ruleInWords(rule)}.`;
    case "no_film_priced":
      return `No film for this glass is priced, so its shade was not judged; ${ruleInWords(rule)}.`;
    case "any_shade_permitted":
      return "Any shade is permitted here.";
    case "meets_minimum":
      return `${through}; ${minimum}.`;
    case "within_tolerance":
      return `${through}; ${minimum}, and this is within the tolerance of the meter. Have it metered.`;
    case "depends_on_glass":
      if (light.usualVlt !== undefined)
        return `${through}, on the ${light.usualVlt}% glass that such vehicles often have behind the driver only ${light.usualNet}%; ${minimum}. So it depends on the glass: have it metered before installing.`;
      return `${through}; ${minimum}. On clearer glass it can pass, so it depends on the glass: have it metered before installing.`;
    case "below_minimum":
      return `${through}; ${minimum}${filmAlone || light.clearestVlt === undefined ? "" : `. Even the clearest factory glass (${light.clearestVlt}%) does not make it legal`}.`;
    case "strip_permitted":
      return rule.rule === "strip" || rule.rule === "min_vlt"
        ? `A strip is permitted at the top of the windshield${stripDepth(rule)}.`
        : "Any film is permitted on the windshield.";
    case "strip_only":
    case "prohibited":
      return `Not permitted: ${ruleInWords(rule)}.`;
  }
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
