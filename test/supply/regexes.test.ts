/**
 * No text makes a regular expression of the program run for long. `recheck` validates each of them. Its answers are kept in
 * validated-regexes.json, because all of them take half a minute: commit that file after you changed an expression, and remove
 * it to have everything validated anew.
 */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkSync } from "recheck/lib/browser.js";
import ts from "typescript-5";
import { devDependencies } from "../../package.json" with { type: "json" };

const ROOT = new URL("../..", import.meta.url).pathname;
const JUDGED = join(import.meta.dir, "judged-regexes.json");
const LONGEST_CHECK_MS = 20_000;
/** The texts that are tried make a slow expression take a billion steps. */
const SLOW_MS = 50;

interface Pattern {
  source: string;
  flags: string;
}

const literals = new Map<string, Pattern & { file: string }>();
const built: string[] = [];

for (const file of ["src", "cli"].flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)])) {
  const kind = file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true, kind);
  const walk = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) literals.set(node.text, { file, ...patternOf(node.text) });
    if (ts.isNewExpression(node) && node.expression.getText() === "RegExp")
      built.push(node.getText().replace(/\$\{(.*?)\}/g, "<$1>"));
    ts.forEachChild(node, walk);
  };
  walk(tree);
}

function patternOf(literal: string): Pattern {
  const end = literal.lastIndexOf("/");
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

const kept: { recheck: string; verdicts: Record<string, string> } = existsSync(JUDGED)
  ? JSON.parse(readFileSync(JUDGED, "utf8"))
  : { recheck: "", verdicts: {} };
/** Another version of `recheck` validates everything anew. */
const judged = kept.recheck === devDependencies.recheck ? kept.verdicts : {};

/**
 * For large expressions `recheck` guesses, by trying texts on a machine of its own. Such a guess counts when the text that it
 * found is slow here as well.
 */
function judge({ source, flags }: Pattern): string {
  const key = `/${source}/${flags}`;
  if (!judged[key]) {
    const verdict = checkSync(source, flags, { timeout: LONGEST_CHECK_MS, randomSeed: 1 });
    const isWrongGuess =
      verdict.status === "vulnerable" &&
      verdict.checker === "fuzz" &&
      timeOf(new RegExp(source, flags), verdict.attack.string) < SLOW_MS;
    judged[key] = isWrongGuess ? "safe" : verdict.status;
  }
  return judged[key];
}

/** Milliseconds; the best of three, because the machine may be busy. */
function timeOf(pattern: RegExp, text: string): number {
  const times = [1, 2, 3].map(() => {
    const from = performance.now();
    text.search(pattern);
    return performance.now() - from;
  });
  return Math.min(...times);
}

/** Keeps the answers about expressions that still exist. */
function keepAnswers(): void {
  const verdicts = Object.fromEntries(
    [...literals.keys()].sort().flatMap((literal) => (judged[literal] ? [[literal, judged[literal]]] : [])),
  );
  const text = `${JSON.stringify({ recheck: devDependencies.recheck, verdicts }, null, 2)}\n`;
  if (JSON.stringify(verdicts) !== JSON.stringify(kept.verdicts)) writeFileSync(JUDGED, text);
}

test("every regular expression of src and cli is safe", () => {
  const issues = [...literals.values()].filter((one) => judge(one) !== "safe");
  keepAnswers();
  expect(issues).toEqual([]);
  expect(literals.size).toBeGreaterThan(100);
}, 300_000);

/** What each is made of: a class of characters, ids of capabilities and tools, names of fields, a category of questions, escaped words, the kinds of words of a language. */
const BUILT = [
  'new RegExp(INVISIBLE, "gu")',
  'new RegExp(`\\\\b(?:<mentions.join("|")>)\\\\b`, "g")',
  'new RegExp(`\\\\b<RegExp.escape(spaced(name))>s?\\\\b`, "i")',
  "new RegExp(`\\\\b<RegExp.escape(word)>\\\\b`)",
  'new RegExp(`\\\\b<field>\\\\b`, "g")',
  "new RegExp(`\\\\b<id>\\\\b`)",
  'new RegExp(`\\\\n?^ *# <service.faq_category>\\\\r?\\\\n`, "m")',
  'new RegExp(`^(<Object.keys(INSTEAD).join("|")>)$`)',
  "new RegExp(`^\\\\.<RegExp.escape(basename(target))>\\\\.[0-9a-f-]{36}\\\\.tmp$`)",
  'new RegExp(kinds.join("|"), "gm")',
];
test("expressions put together at run time hold escaped words or fixed parts alone", () => {
  expect(built.sort()).toEqual(BUILT);
});

test("an unsafe expression is found", () => {
  expect(judge({ source: "^(a+)+$", flags: "" })).toBe("vulnerable");
});
