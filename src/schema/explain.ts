import { closest, distance } from "fastest-levenshtein";
import type { z } from "zod";
import { wordForm } from "../lib/text.ts";

/** The candidate that a mistyped word probably means, or undefined when none is close. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0 || word.length > 64) return undefined;
  const typed = word.toLowerCase();
  const best = closest(typed, candidates as string[]);
  const budget = Math.max(1, Math.floor(Math.max(typed.length, best.length) / 3));
  return distance(typed, best) <= budget ? best : candidates.find((one) => isOneSlip(typed, one));
}

/** How many letters of a word are wrong. */
export function mistakesBetween(typed: string, word: string): number {
  return isOneSlip(typed, word) ? 1 : distance(typed, word);
}

/** A letter too many, too few, another, or two in the wrong order. */
export function isOneSlip(mistyped: string, word: string): boolean {
  if (mistyped === word) return false;
  let at = 0;
  while (mistyped[at] === word[at]) at++;
  const typed = mistyped.slice(at);
  const rest = word.slice(at);
  const isSwapped = typed[0] === rest[1] && typed[1] === rest[0] && typed.slice(2) === rest.slice(2);
  return isSwapped || typed.slice(1) === rest.slice(1) || typed.slice(1) === rest || typed === rest.slice(1);
}

/** The nearest of some words, with as many parts: one more can turn the meaning round, as in `no ceramic`, or another, as in `windshield 50`. */
export function nearest(typed: string, words: readonly unknown[] = []): string | undefined {
  const form = wordForm(typed);
  const parts = form.split(/[^\p{L}\p{N}]+/u);
  const alike: string[] = [];
  for (const word of words) {
    if (typeof word !== "string") continue;
    const own = word.split("_");
    const isNear = (part: string, i: number) => didYouMean(parts[i] ?? "", [part]) !== undefined;
    if (own.length === parts.length && own.every(isNear)) alike.push(word);
  }
  return didYouMean(form, alike);
}

/** `a, b or c` */
export const oneOf = (values: readonly unknown[]) => joinWithAnd(values, "or");

/** `a, b and c`. By hand, because every error lists words, and `Intl.ListFormat` takes longer than all else that explains a fault. */
export function joinWithAnd(values: readonly unknown[], word = "and"): string {
  const last = String(values.at(-1) ?? "");
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} ${word} ${last}`;
}

const TYPE_WORDS: Record<string, string> = {
  int: "a whole number",
  number: "a number",
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
  record: "a group of keys",
};

/** For an owner or an agent, behind the name of the field. Zod calls this where a schema has no message of its own. */
export function explainIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return isList(issue) && !["object", "record"].includes(issue.expected)
        ? SINGLE
        : `must be ${TYPE_WORDS[wantsInteger(issue) ? "int" : issue.expected] ?? issue.expected}`;
    case "invalid_value": {
      if (isList(issue)) return SINGLE;
      const values = issue.values.map(String);
      const hint = typeof issue.input === "string" ? nearest(issue.input, values) : undefined;
      return `must be ${values.length > 2 ? "one of " : ""}${oneOf(values)}${hint ? ` (did you mean ${hint}?)` : ""}`;
    }
    case "too_big":
    case "too_small":
      return size(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has keys that mean nothing here: ${issue.keys.join(", ")}`;
    case "invalid_format":
      return issue.format === "email" ? "must be an e-mail address, like name@example.com" : "has the wrong form";
    default:
      return "is not valid";
  }
}

/** A query field given twice arrives as a list. */
const SINGLE = "must be given once, as a single value";

function isList({ input }: z.core.$ZodRawIssue): boolean {
  return Array.isArray(input);
}

/** For text in place of a whole number, Zod says only that it expected a number. */
function wantsInteger({ inst }: z.core.$ZodRawIssue): boolean {
  const def: unknown = inst?._zod.def;
  return typeof def === "object" && def !== null && "format" in def && def.format === "safeint";
}

function size(issue: z.core.$ZodRawIssue & { code: "too_big" | "too_small" }): string {
  const big = issue.code === "too_big";
  const bound = big ? issue.maximum : issue.minimum;
  switch (issue.origin) {
    case "string":
      return !big && bound === 1 ? "must not be blank" : `must have at ${big ? "most" : "least"} ${bound} characters`;
    case "array":
    case "object":
    case "map":
      return `must have at ${big ? "most" : "least"} ${bound} ${bound === 1 ? "entry" : "entries"}`;
    default:
      return issue.inclusive
        ? `must be ${bound} or ${big ? "less" : "more"}`
        : `must be ${big ? "less" : "more"} than ${bound}`;
  }
}
