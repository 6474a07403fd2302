/** Every complete `tint` command of the owner's and the operator's pages is run as it is, in the order of its page. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import type { Command } from "commander";
import { createProgram } from "../../cli/program.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { startStripe } from "../payments/stripe.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { newBooking } from "../store/conformance-values.ts";
import { KEY_ID, shopWithEverything } from "./every-command.ts";
import { FLAGS } from "./init-flags.ts";
import { type Run, tint } from "./run.ts";

setDefaultTimeout(60_000);

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

const program = await createProgram(() => true);

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
  const store = openSqliteStore(folder.data);
  const startAt = NOW.epochMilliseconds + 5 * 86_400_000;
  await store.book(
    newBooking({
      network: "203.0.113.7",
      startAt,
      createdAt: NOW.epochMilliseconds,
      date: dateFromNow(5),
      lead: { phone: "+14045550150" },
    }),
    1,
    [],
  );
  await store.close();
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
