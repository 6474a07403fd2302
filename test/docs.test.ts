/** Whatever the pages for maintainers and operators name is there: files, commands, settings, metrics, messages. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { NAMED } from "../bench/mutants/named.ts";
import { createProgram } from "../cli/program.ts";
import { scripts } from "../package.json" with { type: "json" };
import { SETTINGS } from "../src/env/env.ts";
import { listen } from "./agents/listen.ts";
import { NOW } from "./helpers.ts";
import { temporaryFolder } from "./process/server.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const PAGES = ["README.md", "CHANGELOG.md", ...new Bun.Glob("docs/**/*.md").scanSync({ cwd: ROOT })];

test.each(PAGES)("%s", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  // A name in capitals stands for one that the reader chooses.
  const paths = found(/`((?:src|cli|test|bench|docs)\/[\w./-]+)`/g).filter((path) => !/[A-Z]{4}\./.test(path));
  const map = found(/^((?:src|cli|test|bench|docs)\/[\w./-]*)(?:,.*?)? {2,}\S/gm);
  expect([...paths, ...map].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);

  const links = found(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g);
  expect(links.filter((link) => !existsSync(join(ROOT, dirname(page), link)))).toEqual([]);

  const commands = found(/\bbun run ([\w:]+)/g);
  expect(commands.filter((name) => !(name in scripts))).toEqual([]);
});

test("every citation of the contract leads to one of its sections", () => {
  const sections = new Set(
    [...readFileSync(join(ROOT, "docs/contract.md"), "utf8").matchAll(/^## (\d+)\. /gm)].map(([, number]) => number),
  );
  const files = new Bun.Glob("{src,cli,test,bench,docs}/**/*.{ts,tsx,js,md}").scanSync({ cwd: ROOT });
  const cited = [...files].flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\bcontract (\d+(?:(?:, | and )\d+)*)/gi)].flatMap(
      ([, list = ""]) => list.split(/, | and /).map((number) => ({ file, number })),
    ),
  );
  expect(cited.length).toBeGreaterThan(80);
  expect(cited.filter(({ number }) => !sections.has(number))).toEqual([]);
});

const SETTINGS_PAGE = readFileSync(join(ROOT, "docs/going-live.md"), "utf8");
const OPERATORS_PAGES = [
  "README.md",
  ...["api", "owner-guide", "going-live", "several-machines", "messages"].map((page) => `docs/${page}.md`),
  "docs/runbook.md",
  "docs/RELIABILITY.md",
  "docs/SECURITY.md",
  ...new Bun.Glob("deploy/**/*").scanSync({ cwd: ROOT }),
];
const pages = new Map(OPERATORS_PAGES.map((page) => [page, readFileSync(join(ROOT, page), "utf8")]));
const sources = [...new Bun.Glob("{src,cli}/**/*.{ts,tsx}").scanSync({ cwd: ROOT })]
  .map((file) => readFileSync(join(ROOT, file), "utf8"))
  .join("\n");

test("the faults that RELIABILITY counts by name can still be made in the code", () => {
  const texts = Object.values(NAMED).map((fault) => fault.split(" ⇒ ")[0] ?? "");
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => !sources.includes(text))).toEqual([]);
});

test("README, the contract and all of docs are short", () => {
  const words = (pages: readonly string[]) =>
    pages.reduce((sum, page) => sum + readFileSync(join(ROOT, page), "utf8").trim().split(/\s+/).length, 0);
  expect(words(["README.md"])).toBeLessThanOrEqual(1200);
  expect(words(["docs/contract.md"])).toBeLessThanOrEqual(3400);
  expect(words(PAGES.filter((page) => page.startsWith("docs/")))).toBeLessThanOrEqual(24_000);
});

test.each([NOW.toString(), "2028-02-29T15:00:00Z"])("the four calls of README work as they are, on %s", async (at) => {
  const [, part = ""] = /^## Four calls\n(.*?)^## /ms.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  const calls = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, call = ""]) => call);
  expect(calls).toHaveLength(4);
  await using server = listen({ now: Temporal.Instant.from(at) });
  using folder = temporaryFolder();
  const answers = [];
  // One after the other in one folder, as they are typed.
  for (const call of calls) {
    const typed = call.replaceAll("http://127.0.0.1:3000", server.url);
    const shell = Bun.spawn(["sh", "-ec", typed], { cwd: folder.path, stdout: "pipe" });
    answers.push(JSON.parse(await new Response(shell.stdout).text()).data);
  }
  const [estimate, times, dryRun, manifest] = answers;
  expect(estimate).toMatchObject({ kind: "automotive", book_url: expect.any(String) });
  expect(times.days.length).toBeGreaterThan(0);
  expect(dryRun).toMatchObject({ status: "dry_run", start: expect.stringMatching(/T09:00/) });
  expect(manifest.capabilities).toHaveLength(9);
});

test("each promise and each threat in SECURITY names its test", () => {
  const text = readFileSync(join(ROOT, "docs/SECURITY.md"), "utf8");
  const testsIn = (part: string) => [...part.matchAll(/`(test\/[^`]+)`/g)].map(([, file = ""]) => file);
  const [, promises = ""] = /^## What is promised$(.*?)^What is not promised/ms.exec(text) ?? [];
  const bullets = promises.split(/^- /m).slice(1);
  expect(bullets.length).toBeGreaterThan(5);
  const rows = text.split("\n").filter((line) => /^\|(?! (?:Asset|---))/.test(line) && !line.startsWith("|---"));
  expect(rows.length).toBeGreaterThan(40);
  expect([...bullets, ...rows].filter((part) => testsIn(part).length === 0)).toEqual([]);
  expect(testsIn(text).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

test("names in the recipes of CONTRIBUTING are those of the code", () => {
  const text = readFileSync(join(ROOT, "docs/CONTRIBUTING.md"), "utf8").replace(/^```.*?^```/gms, "");
  const names = [...text.matchAll(/`([A-Z]\w*|[a-z]+[A-Z]\w*)`/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(30);
  const tests = [...new Bun.Glob("test/**/*.ts").scanSync({ cwd: ROOT })].map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  );
  const code = [sources, ...tests].join("\n");
  // Examples that a recipe makes up.
  const examples = ["listAddons", "NAME", "PART"];
  expect(names.filter((name) => !examples.includes(name) && !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
});

test("the table of settings has every variable that the program reads, and no other", () => {
  const [, table = ""] = /^## Settings\n(.*)/ms.exec(SETTINGS_PAGE) ?? [];
  const rows = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, names = ""]) => names);
  const listed = rows.flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.toSorted()).toEqual(["TINT_CATALOG", ...Object.keys(SETTINGS)].toSorted());
});

test("metrics, variables and log lines that the operator's pages name are the program's", () => {
  const caddy = ["Caddyfile", "Caddyfile.cluster"].map((name) => pages.get(`deploy/${name}`));
  const variables = [sources, ...caddy].join("\n");
  const metrics = new Set([...sources.matchAll(/\b(?:counter|gauge|histogram)\(\s*"(\w+)"/g)].map(([, name]) => name));
  for (const [page, text] of pages) {
    const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
    const unknown = {
      metrics: named(/\btintdesk_(\w+)/g).filter((name) => !metrics.has(name.replace(/_(bucket|sum|count)$/, ""))),
      variables: named(/\b((?:TINT|TWILIO|CRM|SMTP)_\w+)/g).filter((name) => !variables.includes(name)),
      // In backticks, or in parentheses and quotation marks.
      lines: named(/(?:(?:says|logs?) `|\(")([A-Za-z][^`"]* [^`"]*?)[.]?(?:`|"\))/g).filter(
        (line) => !sources.includes(line),
      ),
    };
    expect([page, unknown]).toEqual([page, { metrics: [], variables: [], lines: [] }]);
  }
});

/** Command lines in a text, from `tint` to the end of the line, the code or the shell's command. */
const LINES =
  /(?:^|[`$(;]|[`$(;] ?(?:sudo|bun) |runuser -u \w+ -- )\s?(?:sudo )?tint ((?:[a-z]+ )*[a-z]+[^`\n;|&#>]*)/gm;

test("commands and options that the operator's pages name are there", async () => {
  const program = await createProgram(() => true);
  const find = (words: readonly string[], from = program): [Command, readonly string[]] => {
    const next = from.commands.find((one) => one.name() === words[0]);
    return next ? find(words.slice(1), next) : [from, words];
  };
  /** Of the command, of the ones above it, and of `list`, which a group does when no other is named. */
  const optionsOf = (command: Command): string[] => [
    ...command.options.flatMap(({ long }) => long ?? []),
    ...(command.commands.find((one) => one.name() === "list")?.options.flatMap(({ long }) => long ?? []) ?? []),
    ...(command.parent ? optionsOf(command.parent) : ["--help"]),
  ];
  let count = 0;
  for (const [page, text] of pages)
    for (const [, line = ""] of text.matchAll(LINES)) {
      const [command, rest] = find(line.trim().split(/\s+/));
      // A sentence may begin with the word.
      if (command === program && !line.includes("--")) continue;
      count += 1;
      const options = rest.flatMap((word) => /^--[a-z][\w-]*/.exec(word)?.[0] ?? []);
      expect([page, line, options.filter((option) => !optionsOf(command).includes(option))]).toEqual([page, line, []]);
    }
  expect(count).toBeGreaterThan(60);
});
