/**
 * What every command keeps: an example on its help page, `--json` that is one JSON document, and the lines of the
 * pages for owners and operators, each of which is run as it is.
 */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../cli/program.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { startStripe } from "../payments/stripe.ts";
import { freePort, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { newBooking } from "../store/conformance-values.ts";
import { COMMANDS, KEY_ID, shopWithEverything } from "./every-command.ts";
import { FLAGS } from "./init-flags.ts";
import { inStore, type Run, tint } from "./run.ts";

setDefaultTimeout(60_000);

const program = await createProgram(() => true);
const commands: { path: string; command: Command }[] = [];
const walk = (command: Command, path: string): void => {
  commands.push({ path, command });
  // Shells call `completion complete`; it is on no help page.
  for (const one of command.commands) {
    const inside = `${path} ${one.name()}`.trim();
    if (inside !== "completion complete") walk(one, inside);
  }
};
walk(program, "");

function pageOf(command: Command): string {
  let page = "";
  command
    .configureOutput({
      getOutHelpWidth: () => 80,
      writeOut: (text) => {
        page += text;
      },
    })
    .outputHelp();
  return page;
}

test("a help page fits 80 columns, except for what is to be copied, and heads eight lines at most", () => {
  const pages = commands.map(({ path, command }) => ({ path, page: pageOf(command) }));
  const lines = pages.flatMap(({ page }) => page.split("\n"));
  expect(lines.filter((line) => line.length > 80 && !/^ *(tint |\S+: {2}|without |\{")/.test(line))).toEqual([]);
  // Nor is a list longer than an owner overlooks.
  const long = pages.flatMap(({ path, page }) =>
    [...page.matchAll(/^([A-Z].*):\n((?: {2,}.*\n)+)/gm)]
      .filter(
        ([, heading = "", list = ""]) => !/^Example/.test(heading) && (list.match(/^ {2}[-a-z]/gm)?.length ?? 0) > 8,
      )
      .map(([, heading]) => [path, heading]),
  );
  expect(long).toEqual([]);
});

/** Names of commands, flags and extras of the example shop that hold such a word. */
const WITH_SUCH_NAMES = /tint outbox|--jurisdiction|^ +outbox|no-fault|\{[^}]*\}/gim;

test("no help page has a word of the API", () => {
  const lines = commands.flatMap(({ command }) => pageOf(command).replace(WITH_SUCH_NAMES, "").split("\n"));
  expect(lines.filter((line) => /\b(VLT|jurisdictions?|outbox|fault|faults|faulty)\b/i.test(line))).toEqual([]);
});

test("every help page gives an example that begins with its command", () => {
  expect(commands.length).toBeGreaterThan(50);
  const without = commands.filter(({ path, command }) => {
    const [, examples = ""] = pageOf(command).split(/\nExamples?:\n/);
    // A command without a subcommand lists.
    return !examples.includes(`  tint ${path.replace(/ list$/, "")}`.trimEnd());
  });
  expect(without.map(({ path }) => path)).toEqual([]);
});

test("COMMANDS of every-command.ts holds every command that takes --json", () => {
  const paths = commands.filter(({ command }) => command.options.some(({ long }) => long === "--json"));
  expect(paths.map(({ path }) => path).sort()).toEqual(Object.keys(COMMANDS).sort());
});

/** Runs a command with --json. @returns the document */
async function documentOf(folder: ShopFolder, args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await tint(folder, [...args, "--json"], { env: { PORT: String(freePort()) } });
  expect({ args, status, lines: stdout.split("\n").length, stderr: status === 0 ? "" : stderr }).toEqual({
    args,
    status: 0,
    lines: 2,
    stderr: "",
  });
  expect(stdout.endsWith("\n")).toBe(true);
  return JSON.parse(stdout);
}

describe("--json prints one JSON document, on one line", () => {
  for (const [path, args] of Object.entries(COMMANDS)) {
    test(`tint ${path}`, async () => {
      using folder = await shopWithEverything();
      const document = await documentOf(folder, [...path.split(" "), ...args]);
      // No list of this shop is empty.
      if (path.endsWith(" list")) expect(Object.keys(Object(document)).length).toBeGreaterThan(0);
    });
  }

  test.each([
    ["bookings", []],
    ["outbox", []],
    ["faq --category commercial", []],
    ["catalog diff other.yaml", { prices: [] }],
  ])("also when there is nothing to list: tint %s", async (typed, nothing) => {
    using folder = shopFolder({ faq: [] });
    writeFileSync(join(folder.path, "other.yaml"), folder.read());
    expect(await documentOf(folder, typed.split(" "))).toEqual(nothing);
  });
});

const PAGES = [
  "README",
  ...["owner-guide", "going-live", "several-machines", "messages", "runbook"].map((page) => `docs/${page}`),
];
/** From `tint` to the end of the line, of the code or of the shell's command. */
const LINES = /(?:^|[`$(;]|[`$(;] ?(?:sudo|bun) |runuser -u \w+ -- )\s?(?:sudo )?tint ([a-z][^`\n;|&#>]*)/gm;

/** What the pages call differently than the shop of the test; the code of the booking that is edited comes with it. */
const NAMES: [RegExp, string][] = [
  [/\bbookings confirm 7F3A2B9C\b/, "bookings confirm 7F3A1B0E"],
  // A deposit can be asked for before the work begins.
  [/\bdeposit CODE\b/, "deposit 7F3A2B9C"],
  [/\bCODE\b/, "7F3A1B0C"],
  [/\bQ-7F3A2B\b/, "Q-7F3A1B"],
  [/\b404-555-0142\b|\bPHONE\b/, "+14045550111"],
  [/\bkeys revoke ID\b/, `keys revoke ${KEY_ID}`],
  [/\bID\b/, "1"],
  [/\bagent@example\.com\b/, "other@example.com"],
  [/\S*\btintdesk-\S*….db(?: --data data)?|\brestored\.db/, "yesterday.db"],
];
/** What an owner answers on the terminal, as flags. */
const ANSWERS: Record<string, string[]> = {
  // Everybody in this shop has the same e-mail address.
  forget: ["--yes", "--only"],
  book: ["suv", "--date", dateFromNow(8), "--time", "9am", "--name", "Robin", "--phone", "404-555-0149"],
  "bookings cancel": ["--yes"],
  "bookings reopen": ["7F3A1B0D"],
  "bookings complete": ["--yes"],
};
/** What runs on, changes the machine or needs a second database, and the tests that run it. */
const ELSEWHERE: Record<string, string> = {
  serve: "test/process",
  setup: "test/cli/setup.test.ts",
  service: "test/deploy/service.test.ts",
  "data copy": "test/store/copy.test.ts, test/cli/postgres.test.ts",
  // Without a server, or on this machine, a check can find something.
  doctor: "test/cli/doctor.test.ts",
};

function commandOf(words: readonly string[], from: Command = program): { command: Command; rest: readonly string[] } {
  const next = from.commands.find((one) => one.name() === words[0]);
  return next ? commandOf(words.slice(1), next) : { command: from, rest: words };
}

/** Whether the words are the name of a command that needs more of them, like `tint book` in a sentence. */
function isName(command: Command, rest: readonly string[]): boolean {
  const needed = command.registeredArguments.filter(({ required }) => required).length;
  const isGroup = command.commands.length > 0 && !command.commands.some((one) => one.name() === "list");
  const isBare = rest.length === 0;
  return (
    command === program ||
    rest.includes("…") ||
    (isBare && (needed > 0 || isGroup || command.options.some(({ mandatory }) => mandatory)))
  );
}

function wordsOf(line: string, code: string): string[] {
  const named = [...NAMES, [/\b7F3A2B9C\b/, code] as const].reduce(
    (text, [pattern, name]) => text.replace(pattern, name),
    line.trim(),
  );
  return [...named.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** The shop of the pages: two bookings by the owner, one to come and one that has begun, and one of a caller from 203.0.113.7. */
async function documentedShop() {
  const folder = await shopWithEverything({ ...OPEN_DAILY, "deposit.amount": 50, "deposit.services": ["automotive"] });
  const createdAt = NOW.epochMilliseconds;
  const time = { createdAt, startAt: createdAt + 5 * 86_400_000, date: dateFromNow(5) };
  const online = newBooking({ ...time, network: "203.0.113.7", lead: { phone: "+14045550150" } });
  await inStore(folder, (store) => store.book(online, 1, []));
  const customer = ["--name", "Robin Ellis", "--phone", "404-555-0146"];
  const book = async (days: number) => {
    const at = ["--date", dateFromNow(days), "--time", "9am", "--anyway"];
    const { stdout } = await tint(folder, ["book", "suv", ...at, ...customer, "--json"]);
    return String(JSON.parse(stdout).confirmation_code);
  };
  const [code, begun] = [await book(7), await book(-1)];
  await tint(folder, ["backup", "yesterday.db"]);
  return { folder, code, begun };
}

/** `tint init` makes a shop where there is none, so each one has a folder of its own; the same line makes one. */
async function newShop(words: readonly string[]): Promise<Run> {
  const line = words.join(" ");
  const known = newShops.get(line);
  if (known) return known;
  using folder = shopFolder();
  rmSync(folder.catalog);
  const run = await tint(folder, [...words, ...FLAGS]);
  newShops.set(line, run);
  return run;
}
const newShops = new Map<string, Run>();

test.each(PAGES)("%s", async (page) => {
  const { folder, code, begun } = await documentedShop();
  using _ = folder;
  using stripe = await startStripe(() => NOW.epochMilliseconds);
  const text = readFileSync(new URL(`../../${page}.md`, import.meta.url), "utf8");
  const ran: string[] = [];
  for (const [, line = ""] of text.matchAll(LINES)) {
    // Only a booking that has begun can be completed.
    const words = wordsOf(line, line.startsWith("bookings complete") ? begun : code);
    const { command, rest } = commandOf(words);
    const name = words.slice(0, words.length - rest.length).join(" ");
    if (isName(command, rest) || Object.keys(ELSEWHERE).some((one) => `${name} `.startsWith(`${one} `))) continue;
    const { status, stderr } =
      name === "init"
        ? await newShop(words)
        : await tint(folder, [...words, ...(ANSWERS[name] ?? [])], { env: name === "deposit" ? stripe.env : {} });
    expect([line.trim(), status, stderr]).toEqual([line.trim(), 0, stderr]);
    ran.push(line);
  }
  expect(ran).not.toEqual([]);
});
