/** Promises that every command keeps: an example on its help page, and `--json` that is one JSON document. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../cli/program.ts";
import { keepVersion } from "../../src/catalog/file/history.ts";
import { newId } from "../../src/lib/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { freePort, type ShopFolder, shopFolder } from "../process/server.ts";
import { newBooking, newLead } from "../store/conformance.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const HOUR = 3_600_000;
const KEY_ID = newId("key");

/** One blocked day, one booking that has begun, one lead with a text to the shop, one key, and another catalog. */
async function shopWithEverything(): Promise<ShopFolder> {
  const folder = shopFolder({
    "scheduling.blocked_dates": [{ date: "2030-12-31" }],
    // No answer and no sample needs a word that a command removes.
    "automotive.example.film_type": "standard",
    "messages.ready_sms.enabled": true,
    faq: [{ category: "general", question: "Is there tea?", answer: "Yes." }],
  });
  const store = openSqliteStore(folder.data);
  const now = Date.now();
  const booking = newBooking({
    confirmationCode: "7F3A1B0C",
    startAt: now - HOUR,
    lead: { createdAt: now, consent: {} },
  });
  await store.book(booking, 2, []);
  const job = {
    kind: "notify_shop_sms",
    dueAt: now,
    unless: null,
    payload: { to: "+14045550142", text: "A lead" },
  } as const;
  await store.addLead(newLead({ id: "lead_a", reference: "Q-7F3A1B", createdAt: now - HOUR, jobs: [job] }));
  const cancelled = newBooking({ confirmationCode: "7F3A1B0D", startAt: now + 24 * HOUR, lead: { createdAt: now } });
  await store.book(cancelled, 1, []);
  await store.moveBooking(cancelled.confirmationCode, "cancelled_by_shop", now);
  await store.addKey({
    id: KEY_ID,
    hash: "hash",
    prefix: "tint_live_7F",
    name: "Example Assistant",
    email: "agent@example.com",
    useCase: null,
    ratePerMinute: null,
    network: null,
    createdAt: now,
  });
  await store.copyTo(join(folder.path, "earlier.db"));
  await store.close();
  writeFileSync(join(folder.path, "other.yaml"), folder.read());
  keepVersion(folder.data, folder.catalog, folder.read().replace("Is there tea?", "Is there milk?"));
  return folder;
}

const NEW_SHOP = {
  catalog: "new.yaml",
  name: "Lakeside Tint",
  phone: "512-555-0142",
  email: "hello@lakeside.example",
  street: "12 Main Street",
  city: "Austin",
  state: "TX",
  zip: "78701",
  timezone: "America/Chicago",
  hours: "mon-fri 9-17",
  "price-level": "100",
};

/** Arguments for each command that takes --json. */
const COMMANDS: Record<string, string[]> = {
  estimate: ["suv"],
  "estimate flat": ["--sqft", "200", "--site", "commercial"],
  "catalog check": [],
  "catalog show": ["business"],
  "catalog get": ["scheduling.bays"],
  "catalog set": ["scheduling.bays", "3"],
  "catalog diff": ["other.yaml"],
  "catalog history": [],
  "catalog import": ["other.yaml"],
  "catalog undo": ["--dry-run"],
  "price list": [],
  "price set": ["suv", "ceramic", "full", "629"],
  "price raise": ["ceramic", "5%"],
  "addon list": [],
  "addon set": ["sunroof", "ceramic", "139"],
  "addon add": ["brow", "--price", "60", "--minutes", "20"],
  "addon remove": ["nofault"],
  "film list": [],
  "film add": ["carbon", "--like", "standard"],
  "film remove": ["ceramic"],
  "vehicle list": [],
  "vehicle add": ["minivan", "--like", "van"],
  "vehicle remove": ["crossover"],
  "hours list": [],
  "hours set": ["mon-fri", "9-17"],
  "hours special": ["2030-12-31", "closed"],
  "faq list": [],
  "faq add": ["--category", "general", "--question", "Is there coffee?", "--answer", "Yes."],
  "faq edit": ["1", "--answer", "Yes."],
  "faq remove": ["1"],
  block: ["2030-12-30"],
  unblock: ["2030-12-31"],
  book: ["suv", "--date", "tomorrow", "--time", "9am", "--name", "Robin", "--phone", "404-555-0143", "--anyway"],
  "bookings list": ["--from", "2000-01-01", "--to", "2100-01-01"],
  "bookings show": ["7F3A1B0C"],
  "bookings cancel": ["7F3A1B0C"],
  "bookings move": ["7F3A1B0C", "tomorrow", "9am", "--anyway"],
  "bookings edit": ["7F3A1B0C", "--name", "Robin"],
  "bookings reopen": ["7F3A1B0D"],
  "bookings complete": ["7F3A1B0C"],
  "bookings no-show": ["7F3A1B0C"],
  "bookings ready": ["7F3A1B0C"],
  "leads list": ["--status", "all"],
  "leads show": ["Q-7F3A1B"],
  "leads contacted": ["Q-7F3A1B"],
  "leads quoted": ["Q-7F3A1B"],
  "leads won": ["Q-7F3A1B"],
  "leads book": ["Q-7F3A1B", "suv", "--date", "2000-01-03", "--time", "9am", "--anyway"],
  "leads lost": ["Q-7F3A1B"],
  "leads note": ["Q-7F3A1B", "calls back"],
  report: [],
  day: ["tomorrow"],
  "calendar link": [],
  "calendar rotate": [],
  "calendar off": [],
  find: ["pat"],
  setup: ["PORT=3001", "--no-test"],
  forget: ["+14045550111", "--yes"],
  "keys list": [],
  "keys issue": ["--name", "Other", "--email", "other@example.com"],
  "keys revoke": [KEY_ID],
  "keys rotate": [KEY_ID],
  "keys rotate-signing": [],
  "outbox list": [],
  "outbox retry": ["1"],
  "outbox drop": ["1"],
  backup: ["copy.db"],
  "data copy": ["data", "elsewhere"],
  restore: ["earlier.db"],
  doctor: [],
  init: Object.entries(NEW_SHOP).flatMap(([flag, value]) => [`--${flag}`, value]),
};

const commands: { path: string; command: Command }[] = [];
beforeAll(async () => {
  const program = await createProgram(() => true);
  const walk = (command: Command, path: string): void => {
    commands.push({ path, command });
    // Shells call `completion complete`; it is on no help page.
    for (const one of command.commands) {
      const inside = `${path} ${one.name()}`.trim();
      if (inside !== "completion complete") walk(one, inside);
    }
  };
  walk(program, "");
});

test("every help page gives an example that begins with its command", () => {
  expect(commands.length).toBeGreaterThan(50);
  const without = commands.filter(({ path, command }) => {
    let page = "";
    command
      .configureOutput({
        writeOut: (text) => {
          page += text;
        },
      })
      .outputHelp();
    const [, examples = ""] = page.split(/\nExamples?:\n/);
    // A command without a subcommand lists.
    return !examples.includes(`  tint ${path.replace(/ list$/, "")}`.trimEnd());
  });
  expect(without.map(({ path }) => path)).toEqual([]);
});

test("the table above holds every command that takes --json", () => {
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
    ["leads", []],
    ["keys", []],
    ["outbox", []],
    ["faq --category commercial", []],
    ["catalog diff other.yaml", { prices: [] }],
  ])("also when there is nothing to list: tint %s", async (typed, nothing) => {
    using folder = shopFolder({ faq: [] });
    writeFileSync(join(folder.path, "other.yaml"), folder.read());
    expect(await documentOf(folder, typed.split(" "))).toEqual(nothing);
  });
});
