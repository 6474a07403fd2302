/**
 * Rules of the catalog that span several keys. They read the file as the owner wrote it. A rule is skipped while one of
 * the keys it reads is faulty, so that every issue is reported at once and none twice.
 */
import { type Issue, isWithin, type Path } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { automotiveRules } from "./automotive.ts";
import { businessRules } from "./business.ts";
import { flatGlassRules } from "./flat-glass.ts";
import { messageRules } from "./messages.ts";
import { priceRules } from "./prices.ts";
import type { IsSound, Rule } from "./rule.ts";
import { faqRules, synonymRules } from "./words.ts";

const RULES = [
  ...flatGlassRules,
  ...businessRules,
  ...priceRules,
  ...automotiveRules,
  ...synonymRules,
  ...messageRules,
];

/**
 * @param faulty the paths at which the schema found issues
 * @returns the issues of every rule whose keys are sound
 */
export function crossCheck(source: WrittenCatalog, broken: readonly Path[]): Issue[] {
  const issues = issuesOf(RULES, source, broken);
  // A setting that an answer names may be missing: that is reported once, where it is missing.
  return [...issues, ...issuesOf(faqRules, source, [...broken, ...issues.map(({ path }) => path)])];
}

function issuesOf(rules: readonly Rule[], source: WrittenCatalog, broken: readonly Path[]): Issue[] {
  const dotted = broken.map((path) => path.join("."));
  const isSound: IsSound = (place, part) =>
    !dotted.some((path) => path === "" || (part === "itself" ? isWithin(place, path) : overlaps(path, place)));
  return rules
    .filter(
      ({ needs = [], groups = [] }) =>
        needs.every((place) => isSound(place)) && groups.every((place) => isSound(place, "itself")),
    )
    .flatMap(({ check }) => check(source, isSound));
}

/** Whether one of two dotted paths lies inside the other. */
function overlaps(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}
