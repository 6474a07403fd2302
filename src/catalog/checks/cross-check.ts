/** Rules of the catalog that span several keys, of a file whose values the schema found good. They read it as the owner wrote it. */
import type { Issue } from "../path.ts";
import type { WrittenCatalog } from "../schema.ts";
import { automotiveRules } from "./automotive.ts";
import { businessRules } from "./business.ts";
import { flatGlassRules } from "./flat-glass.ts";
import { messageRules } from "./messages.ts";
import { priceRules } from "./prices.ts";
import { answersNameExistingSettings, synonymRules } from "./words.ts";

const RULES = [
  ...flatGlassRules,
  ...businessRules,
  ...priceRules,
  ...automotiveRules,
  ...synonymRules,
  ...messageRules,
];

export function crossCheck(source: WrittenCatalog): Issue[] {
  const issues = RULES.flatMap((check) => check(source));
  // A setting that an answer names may be missing: that is reported once, where it is missing.
  return [
    ...issues,
    ...answersNameExistingSettings(
      source,
      issues.map(({ path }) => path.join(".")),
    ),
  ];
}
