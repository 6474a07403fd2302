/** The `tint` command: help, exit statuses, and the use of both output streams. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createProgram } from "../../cli/program.ts";
import type { Command } from "../../cli/terminal/command.ts";
import { flatGlassOf } from "../../src/domain/flat-glass.ts";
import { VERSION } from "../../src/lib/version.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, BOOKING_JOBS } from "../helpers.ts";
import { childEnv, PROGRAM, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { tint, tintOnTerminal } from "./run.ts";

setDefaultTimeout(20_000);

const COMMANDS = ["serve", "estimate", "catalog", "outbox"];

/** A shop without special days, of which none has passed on any date. */
const NONE_PASSED = { "business.special_hours": [] };

test("without arguments and without a terminal: the help, exit 0", async () => {
  using folder = shopFolder();
  for (const args of [[], ["--help"], ["-h"], ["help"]]) {
    const { status, stdout, stderr } = await tint(folder, args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toStartWith("Usage: tint");
    for (const command of COMMANDS) expect(stdout).toContain(`  ${command} `);
  }
});

test("bun tint prints what the command prints, keeps its exit status, and no line of the package manager", () => {
  const cwd = new URL("../..", import.meta.url).pathname;
  const run = (...args: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "tint", ...args], { cwd, env: childEnv() });
    return [exitCode, stdout.toString(), stderr.toString()];
  };
  expect(run("--version")).toEqual([0, `${VERSION}\n`, ""]);
  expect(run("pric")).toEqual([2, "", expect.stringMatching(/^unknown command 'pric'/)]);
});

test("no command has more than eight options under one heading, in the order in which an owner thinks", async () => {
  const program = async (name: string, args: string[]) => (await createProgram((one) => one === name, args)).commands;
  const names = (await program("", [])).map((command) => command.name());
  const calls = [...names.map((name) => [name]), ["estimate", "flat"], ["leads", "book"]];
  const pages: Record<string, Record<string, number>> = {};
  for (const [name = "", ...args] of calls) {
    const visit = (command: Command, path: string) => {
      const groups = [...command.helpInformation().matchAll(/^([A-Z].*):\n((?: {2,}.*\n)+)/gm)];
      const sizes = groups.map(
        ([, heading = "", lines = ""]) => [heading, lines.match(/^ {2}-/gm)?.length ?? 0] as const,
      );
      pages[path] = Object.fromEntries(sizes.filter(([, size]) => size > 0));
      for (const one of command.commands) visit(one, `${path} ${one.name()}`);
    };
    for (const command of await program(name, args)) if (command.name() === name) visit(command, name);
  }
  expect(Object.entries(pages).filter(([, groups]) => Object.values(groups).some((size) => size > 8))).toEqual([]);
  const last = ["Output and questions", "Everywhere"];
  const inBook = ["When", "Car", "Work", "Building", "Customer", "Price and length", ...last];
  expect(Object.keys(pages.book ?? {}), "GROUPS of cli/terminal/help.ts names an option's heading").toEqual(inBook);
  expect(Object.keys(pages["leads book"] ?? {})).toEqual(inBook);
  expect(Object.keys(pages.init ?? {})).toEqual(["The shop", "How it works", "What customers see", ...last]);
  expect(Object.keys(pages.report ?? {})).toEqual(["When", "Which", ...last]);
  for (const page of ["pay", "bookings complete"])
    expect(Object.keys(pages[page] ?? {})).toEqual(["What was paid", ...last]);
  // A short list needs no headings.
  expect(Object.keys(pages.find ?? {})).toEqual(["Options"]);
});

test("the help groups the commands by what an owner does, at most eight in each", async () => {
  using folder = shopFolder();
  const { stdout } = await tint(folder, ["--help"]);
  const groups = [...stdout.matchAll(/^([\w ]+):\n((?: {2}\w.*\n)+)/gm)];
  const names = groups.map(([, name]) => name);
  expect(names).toEqual(["Day", "Customers", "Prices", "Money", "Shop", "Upkeep", "For programmers", "Examples"]);
  for (const [, name, list = ""] of groups) expect([name, list.split("\n").length - 1 <= 8]).toEqual([name, true]);
});

test("the help is as wide as the terminal, and 80 columns in a pipe", async () => {
  using folder = shopFolder();
  const widest = (lines: readonly string[]) => Math.max(...lines.map((line) => Bun.stringWidth(line)));
  const { stdout } = await tint(folder, ["--help"], { apart: true });
  expect(widest(stdout.split("\n"))).toBeWithin(70, 81);
  expect(widest(await tintOnTerminal(folder, 120, ["--help"]))).toBeWithin(81, 121);
});

test("tint help COMMAND says what tint COMMAND --help says, which needs no catalog", async () => {
  using folder = shopFolder();
  for (const command of ["serve", "estimate", "outbox", "price set"]) {
    const words = command.split(" ");
    const asked = await tint(folder, ["help", ...words]);
    // In processes of their own, so that each loads only its own command.
    expect(asked).toEqual(await tint(folder, [...words, "--help"], { apart: true }));
    const usage = { status: 0, stdout: expect.stringContaining(`Usage: tint ${command} `), stderr: "" };
    expect(asked).toEqual(usage);
    expect(await tint(folder, [...words, "--help"], { env: { TINT_CATALOG: "nowhere.yaml" } })).toEqual(usage);
  }
});

test("--version", async () => {
  using folder = shopFolder();
  expect(await tint(folder, ["--version"])).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: "" });
});

test("--catalog and --data may be anywhere, and their values are not taken for a command", async () => {
  using folder = shopFolder(NONE_PASSED);
  const env = { TINT_CATALOG: "nowhere.yaml", TINT_DATA: "nowhere" };
  const at = folder.catalog;
  for (const args of [
    ["--catalog", at, "catalog", "check"],
    [`--catalog=${at}`, "--data", "price", "catalog", "check"],
    ["catalog", `--catalog=${at}`, "check"],
    ["catalog", "check", "--catalog", at],
    ["--data=d", "estimate", "suv", "--catalog", at],
  ]) {
    const { status, stderr } = await tint(folder, args, { env });
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: "" });
  }
  expect((await tint(folder, ["--data", "x"])).stdout).toStartWith("Usage: tint");
});

test("every option stands once on a help page, and the page of a command shows the options of its list", async () => {
  using folder = shopFolder();
  for (const command of ["bookings", "leads", "estimate", "estimate flat", "outbox", "catalog set"]) {
    const { stdout } = await tint(folder, [...command.split(" "), "--help"]);
    for (const option of ["--catalog <file>", "--data <place>", "--json"])
      expect({ command, option, count: stdout.split(`  ${option} `).length - 1 }).toEqual({
        command,
        option,
        count: 1,
      });
  }
  const { stdout } = await tint(folder, ["bookings", "--help"]);
  for (const option of ["--date", "--from", "--to", "--status"]) expect(stdout).toContain(`  ${option} `);
  expect((await tint(folder, ["leads", "--help"])).stdout).toContain("  --status ");
});

test("without a catalog, tint init is named", async () => {
  using folder = shopFolder();
  const env = { TINT_CATALOG: "none.yaml" };
  for (const args of [
    ["price"],
    ["estimate", "suv"],
    ["catalog", "check"],
    ["serve", "--port", "0"],
    ["hours", "set", "mon", "9-5pm"],
  ])
    expect((await tint(folder, args, { env })).stderr).toContain("To make the catalog of a new shop: tint init");
  expect((await tint(folder, ["bookings"], { env })).stderr).toContain(
    "none.yaml does not exist, so times are those of this computer; tint init makes one.",
  );
});

test("a full disk behind standard output: one sentence", async () => {
  using folder = shopFolder();
  const child = Bun.spawn(["sh", "-c", '"$0" "$@" > /dev/full', ...PROGRAM, "price"], {
    env: childEnv({ TINT_CATALOG: folder.catalog }),
    stderr: "pipe",
  });
  expect(await new Response(child.stderr).text()).toBe("Standard output cannot be written: the disk is full.\n");
  expect(await child.exited).toBe(1);
});

test("a database that a newer Tintdesk wrote: a sentence, no stack", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const db = new Database(folder.database, { readwrite: true });
  db.run("PRAGMA user_version = 99");
  db.close();
  for (const args of [["outbox"], ["serve", "--port", "0"]]) {
    const { status, stderr } = await tint(folder, args);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /: the database is of version 99, newer than this program \(\d+\); update Tintdesk, or restore .+\.\n$/,
    );
    expect(stderr).not.toMatch(/^\s*at /m);
  }
});

test("a damaged database, or a file in place of the folder: a sentence with advice", async () => {
  using folder = shopFolder();
  mkdirSync(folder.data);
  writeFileSync(folder.database, "this is no database".repeat(500));
  const damaged = await tint(folder, ["outbox"]);
  expect(damaged).toMatchObject({ status: 1, stdout: "" });
  expect(damaged.stderr).toContain("put back the last good copy: tint restore FILE");
  const file = await tint(folder, ["outbox", "--data", folder.catalog]);
  expect(file).toMatchObject({ status: 1, stderr: `${folder.catalog} is a file, not the folder of a database.\n` });
});

test("a damaged page: serve does not start, and a command that reads it fails", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const db = new Database(folder.database);
  const { page, size } = db
    .query<{ page: number; size: number }, []>(
      "SELECT rootpage AS page, page_size AS size FROM sqlite_schema, pragma_page_size WHERE name = 'bookings_by_date'",
    )
    .get() ?? { page: 0, size: 0 };
  db.close();
  const bytes = readFileSync(folder.database);
  writeFileSync(folder.database, bytes.fill(0, (page - 1) * size, page * size));
  const advice = {
    status: 1,
    stdout: "",
    stderr: `The database in ${folder.data} is damaged: stop the server, then put back the last good copy: tint restore FILE\n`,
  };
  expect(await tint(folder, ["serve", "--port", "0"], { apart: true })).toEqual(advice);
  expect(await tint(folder, ["bookings"])).toEqual(advice);
});

const USAGE_ERRORS: { args: string[]; says: string }[] = [
  { args: ["estmate"], says: "Did you mean estimate?" },
  { args: ["xyzzy"], says: "xyzzy" },
  { args: ["--json"], says: "--json" },
  { args: ["estmate", "--help"], says: "Did you mean estimate?" },
  { args: ["help", "estmate"], says: "Did you mean estimate?" },
  { args: ["price", "lst"], says: "Did you mean list?" },
  { args: ["addon", "lst"], says: "Did you mean list?" },
  { args: ["faq", "lst"], says: "Did you mean list?" },
  { args: ["hours", "monday", "9-17"], says: "Did you mean tint hours set monday 9-17?" },
  { args: ["foo"], says: "See tint --help." },
  { args: ["price", "lst", "--help"], says: "Did you mean list?" },
  { args: ["completion", "bahs"], says: "did you mean bash?" },
  { args: ["completion", "tcsh"], says: "it must be bash, zsh or fish" },
  { args: ["bookings", "mvoe"], says: "Did you mean move?" },
  { args: ["film", "mvoe"], says: "Did you mean move?" },
  { args: ["bookings", "edit", "7F3A2B9C", "--date", "friday"], says: "tint bookings move CODE friday 9am" },
  { args: ["bookings", "--status", "complet"], says: "Did you mean completed?" },
  { args: ["pri\u001b[31mce"], says: "pri [31mce" },
  { args: ["price", "l\u202est"], says: "There is no tint price l st." },
  { args: ["catalog"], says: "check" },
  { args: ["catalog", "chek"], says: "Did you mean check?" },
  { args: ["catalog", "check", "extra"], says: "too many arguments" },
  { args: ["catalog", "check", "--catalog"], says: "--catalog" },
  { args: ["outbox", "lst"], says: "lst" },
  { args: ["outbox", "--jsn"], says: "Did you mean --json?" },
  { args: ["serve", "extra"], says: "too many arguments" },
  { args: ["serve", "--prot", "0"], says: "Did you mean --port?" },
  { args: ["serve", "--port", "abc"], says: "port" },
];
for (const { args, says } of USAGE_ERRORS) {
  test(`wrong usage: tint ${args.join(" ")}`, async () => {
    using folder = shopFolder();
    const { status, stdout, stderr } = await tint(folder, args);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(says);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
}

test("catalog check: a good one", async () => {
  using folder = shopFolder(NONE_PASSED);
  const plain = await tint(folder, ["catalog", "check"]);
  expect(plain).toMatchObject({ status: 0, stderr: "" });
  expect(plain.stdout).toContain(`${folder.catalog} is good`);

  const { status, stdout, stderr } = await tint(folder, ["catalog", "check", "--json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual({
    valid: true,
    file: folder.catalog,
    services: CATALOG.services.length,
    flat_glass_films: Object.keys(flatGlassOf(CATALOG).films).length,
    faqs: CATALOG.faq.length,
    jurisdictions: Object.keys(CATALOG.tint_law.jurisdictions).length,
    notes: [],
  });
});

test("catalog check: every mistake with its line, exit 1", async () => {
  using folder = shopFolder({
    "scheduling.bays": 0,
    "automotive.films.ceramic.uv_rejection_pct": 101,
    "business.phon": "x",
  });
  const lines = folder.read().split("\n");
  const locationOf = (key: string) => `${folder.catalog}:${lines.findIndex((line) => line.includes(`${key}: `)) + 1}:`;

  const plain = await tint(folder, ["catalog", "check"]);
  expect(plain.status).toBe(1);
  expect(plain.stdout).toBe("");
  expect(plain.stderr).toContain("3 mistakes");
  expect(plain.stderr).toContain(locationOf("  bays"));
  expect(plain.stderr).toContain("business.phon");
  expect(plain.stderr).toContain("did you mean phone?");
  expect(plain.stderr).toContain(locationOf("  phon"));
  expect(plain.stderr).toMatch(/\n +\| +\^/);
  expect(plain.stderr).not.toMatch(/^\s+at /m);

  const { status, stdout } = await tint(folder, ["catalog", "check", "--json"]);
  expect(status).toBe(1);
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ valid: false, file: folder.catalog });
  expect(answer.issues).toHaveLength(3);
});

test("catalog check: the file named by the flag comes before the environment's; a missing one is exit 1", async () => {
  using folder = shopFolder();
  const env = { TINT_CATALOG: "nowhere.yaml" };
  expect((await tint(folder, ["catalog", "check", "--catalog", folder.catalog], { env })).status).toBe(0);
  expect((await tint(folder, ["catalog", "--catalog", folder.catalog, "check"], { env })).status).toBe(0);
  const { status, stdout, stderr } = await tint(folder, ["catalog", "check"], { env });
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain("nowhere.yaml");
  // Without flag and variable, the catalog of the working folder is read.
  expect((await tint(folder, ["catalog", "check"], { env: { TINT_CATALOG: "" } })).status).toBe(0);
});

test("outbox: empty, and the jobs of a booking", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  expect(await tint(folder, ["outbox"])).toEqual({ status: 0, stdout: "", stderr: "Nothing waits.\n" });
  expect(await tint(folder, ["outbox", "list", "--json"])).toEqual({ status: 0, stdout: "[]\n", stderr: "" });

  const app = testApp({ store, catalog: CATALOG });
  expect((await app.post(`${API}/bookings`, { ...BOOKING, customer_name: "Zoë Quux" })).status).toBe(201);
  await store.close();

  const asJson = await tint(folder, ["outbox", "--json"]);
  expect(asJson).toMatchObject({ status: 0, stderr: "" });
  const jobs: Record<string, unknown>[] = JSON.parse(asJson.stdout);
  expect(jobs.map(({ kind }) => kind).sort()).toEqual(BOOKING_JOBS.toSorted());
  for (const job of jobs) {
    expect(job).toMatchObject({ name: "Zoë Quux", attempts: 0, last_error: null });
    expect(job.lead).toMatch(/^B-[0-9A-Z]{6}$/);
    expect(job.due).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+-0[45]:00$/);
  }

  const all = ["outbox", "list", "--all", "--data", folder.data];
  const plain = await tint(folder, all, { env: { TINT_DATA: "nowhere" } });
  expect(plain).toMatchObject({ status: 0, stderr: "" });
  for (const { lead } of jobs) expect(plain.stdout).toContain(String(lead));
  for (const what of ["news for the shop", "lead to your CRM", "reminder to call"])
    expect(plain.stdout).toContain(what);
  expect(plain.stdout.trim().split("\n")).toHaveLength(jobs.length + 1);
});

test("outbox: control characters from a stranger are never printed", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  await testApp({ store, catalog: CATALOG }).post(`${API}/bookings`, BOOKING);
  await store.close();
  const db = new Database(folder.database);
  db.run("UPDATE leads SET name = ?", ["Eve\u001b[31m\u001b]0;owned\u0007\r\n\u202eevil\u0085x"]);
  db.run("UPDATE jobs SET last_error = ?", ["\u001b[2J\nfailed"]);
  db.close();
  const { status, stdout } = await tint(folder, ["outbox", "--all"]);
  expect(status).toBe(0);
  expect(stdout).toContain("Eve");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  expect(stdout.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(stdout.trim().split("\n")).toHaveLength(BOOKING_JOBS.length + 1);
});

test("outbox: looking makes no database where there is none", async () => {
  using folder = shopFolder();
  await tint(folder, ["outbox"]);
  expect(existsSync(folder.data)).toBe(false);
});

test("no colours without a terminal, with NO_COLOR and without it", async () => {
  using folder = shopFolder();
  for (const env of [{}, { NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }] as Record<string, string>[]) {
    for (const args of [
      [],
      ["estimate", "suv", "--shade", "5"],
      ["estimate", "suvv"],
      ["catalog", "check"],
      ["xyzzy"],
    ]) {
      const { stdout, stderr } = await tint(folder, args, { env });
      expect(stdout + stderr).not.toContain("\u001b");
    }
  }
});

test("an answer goes behind what a file holds, also an empty one", async () => {
  using folder = shopFolder();
  await tint(folder, ["book", "suv", "--date", "tomorrow", "--time", "9am", "--name", "Jordan", "--anyway"]);
  const file = `${folder.path}/all.txt`;
  for (const list of ["calls", "bookings --held", "day tomorrow"]) {
    const command = `echo before >${file}; "$@" >>${file}`;
    const child = Bun.spawn(["sh", "-c", command, "sh", ...PROGRAM, ...list.split(" ")], {
      env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data }),
      stderr: "ignore",
    });
    expect({ list, status: await child.exited }).toEqual({ list, status: 0 });
    expect({ list, text: readFileSync(file, "utf8") }).toEqual({ list, text: expect.stringMatching(/^before\n/) });
  }
});

test("a closed pipe prints no stack trace", async () => {
  using folder = shopFolder();
  const child = Bun.spawn(["sh", "-c", `"$0" "$@" | head -c 1`, ...PROGRAM, "estimate", "suv"], {
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? "", TINT_CATALOG: folder.catalog },
    stdout: "pipe",
    stderr: "pipe",
  });
  const stderr = await new Response(child.stderr).text();
  expect(await child.exited).toBe(0);
  expect(stderr).toBe("");
});

test("no list of subcommands is longer than eight", async () => {
  const program = await createProgram(() => true);
  const lists = program.commands.flatMap((command) =>
    Object.entries(Object.groupBy(command.createHelp().visibleCommands(command), (one) => one.helpGroup())).map(
      ([group, commands = []]) => ({ list: `${command.name()} ${group}`, length: commands.length }),
    ),
  );
  expect(lists).toContainEqual({ list: "leads How it went:", length: 6 });
  expect(lists.filter(({ length }) => length > 8)).toEqual([]);
});
