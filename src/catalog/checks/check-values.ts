/** Checks the values of a catalog: each by the schema, then, where those are good, rules that span several keys. */
import type { z } from "zod";
import { didYouMean, explainIssue } from "../../schema/explain.ts";
import type { Issue, Path } from "../path.ts";
import { type Catalog, catalogSchema, type WrittenCatalog } from "../schema.ts";
import { settingAt } from "../settings.ts";
import { answersNameExistingSettings, businessRules } from "./business.ts";
import { workRules } from "./work.ts";

const RULES = [...businessRules, ...workRules];

/** @param source as the owner wrote it, with money in dollars */
function crossCheck(source: WrittenCatalog): Issue[] {
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

export function checkValues(source: unknown): { catalog: Catalog } | { issues: Issue[] } {
  const parsed = catalogSchema.safeParse(source, { error: explainIssue, reportInput: true });
  const issues = parsed.success
    ? crossCheck(source as WrittenCatalog)
    : parsed.error.issues.flatMap((zodIssue) => schemaIssues(zodIssue));
  return parsed.success && issues.length === 0 ? { catalog: parsed.data } : { issues: firstOfEach(issues) };
}

/** One mistake may break several rules; the first says enough. */
function firstOfEach(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.toReversed().map((issue) => [issue.path.join("\0"), issue])).values()].reverse();
}

/** A value of a kind that one of the alternatives accepts has issues inside it; any other is an issue itself. */
function unionIssues(zodIssue: z.core.$ZodIssueInvalidUnion, path: Path): Issue[] {
  const inside =
    zodIssue.errors.find((zodIssues) => zodIssues.length > 0 && zodIssues.every((one) => one.path.length > 0)) ?? [];
  const issues = inside
    .flatMap((one) => schemaIssues(one))
    .map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
  return issues.length > 0 ? issues : [{ path, message: zodIssue.message }];
}

/** Explains a key that comes from a usual mistake in typing; undefined for any other key. */
function typoIn(key: string): Pick<Issue, "message" | "kind"> | undefined {
  if (/^\d+$/.test(key))
    return {
      message: "is a number where a word is expected: write amounts without a comma inside, like",
      kind: "amount",
    };
  return key.includes(":") ? { message: "needs a space after its colon" } : undefined;
}

/** How to write the value, for a value that reads as another kind than it was meant. */
function remedy({ code, input, ...zodIssue }: z.core.$ZodIssue): string {
  const expected = code === "invalid_type" && "expected" in zodIssue ? zodIssue.expected : "";
  if (expected === "string" && typeof input === "number") return "; put it in quotes";
  if (expected === "string" && input === null) return "; one that begins with # or & needs quotes";
  if (!["number", "int"].includes(String(expected)) || typeof input !== "string") return "";
  const [, whole = input, cents] = /^(.*\d),(\d{1,2})\s*\$?$/.exec(input) ?? [];
  const amount = cents === undefined ? input.replace(/[$,\s]/g, "") : `${whole.replace(/[$.\s]/g, "")}.${cents}`;
  return /^\d+(?:\.\d+)?$/.test(amount) ? `; write ${amount}, without quotes, commas and signs` : "";
}

/** @returns one issue for each unknown key, so that each is shown at its own line; one for any other issue */
function schemaIssues(zodIssue: z.core.$ZodIssue): Issue[] {
  const path = zodIssue.path.filter((part) => typeof part !== "symbol");
  // A record's key breaks the rule for keys; zod gives the rule's own message one level down.
  if (zodIssue.code === "invalid_key")
    return [
      { path, message: zodIssue.issues[0]?.message ?? zodIssue.message, ...typoIn(String(path.at(-1))), at: "key" },
    ];
  if (zodIssue.code === "invalid_union") return unionIssues(zodIssue, path);
  if (zodIssue.code === "invalid_type" && zodIssue.input === undefined)
    return [{ path, message: zodIssue.message, kind: "missing" }];
  if (zodIssue.code !== "unrecognized_keys") return [{ path, message: `${zodIssue.message}${remedy(zodIssue)}` }];
  const known = settingAt(path)?.keys ?? [];
  return zodIssue.keys.map((key) => {
    const guess = didYouMean(key, known);
    const hint = guess ? `; did you mean ${guess}?` : "";
    return { path: [...path, key], message: `is not a key of the catalog${hint}`, ...typoIn(key), at: "key" };
  });
}
