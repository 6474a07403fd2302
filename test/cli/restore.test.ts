/** `tint restore`: the database is replaced as a whole or not at all; and the other ways back to what is lost. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastUsedShop } from "../../cli/shop/catalog.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { rowsIn, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { newBooking, newJob, newLead } from "../store/conformance-values.ts";
import { FLAGS } from "./init-flags.ts";
import { expectRefusals, inStore, tint } from "./run.ts";

setDefaultTimeout(30_000);

async function add(folder: ShopFolder, ...codes: string[]): Promise<void> {
  for (const confirmationCode of codes)
    await inStore(folder, (store) => store.book(newBooking({ confirmationCode }), 99, []));
}

/** The confirmation codes in the database of a folder. */
async function codesIn(folder: ShopFolder): Promise<string[]> {
  const bookings = await inStore(folder, (store) => store.bookings({ from: "0000-01-01", to: "9999-12-31" }, 99));
  return bookings.map(({ confirmationCode }) => confirmationCode).sort();
}

/** Writes a booking and ends without a checkpoint, so that the booking is only in the log. */
async function addToLog(folder: ShopFolder, code: string): Promise<void> {
  const aside = join(folder.path, "aside");
  const store = openSqliteStore(folder.data);
  await store.book(newBooking({ confirmationCode: code }), 99, []);
  fs.cpSync(folder.data, aside, { recursive: true });
  await store.close();
  fs.rmSync(folder.data, { recursive: true });
  fs.renameSync(aside, folder.data);
  expect(fs.statSync(`${folder.database}-wal`).size).toBeGreaterThan(0);
}

/** A shop whose copy.db holds OLD, and whose database holds OLD and, only in its log, NEW. */
async function shopWithCopy(): Promise<ShopFolder> {
  const folder = shopFolder();
  await add(folder, "OLD");
  expect((await tint(folder, ["backup", "copy.db"])).status).toBe(0);
  await addToLog(folder, "NEW");
  return folder;
}

const keptIn = (folder: ShopFolder) =>
  fs
    .readdirSync(folder.data)
    .filter((name) => /^tintdesk-replaced-\d{8}T\d{9}Z\.db$/.test(name))
    .map((name) => join(folder.data, name));

test("the copy is the database, private, and the old one is kept with its log", async () => {
  using folder = await shopWithCopy();
  const { status, stdout, stderr } = await tint(folder, ["restore", "copy.db", "--json"]);
  const kept = keptIn(folder)[0] ?? "";
  expect(status).toBe(0);
  const bytes = fs.statSync(join(folder.path, "copy.db")).size;
  expect(JSON.parse(stdout)).toEqual({ file: "copy.db", bytes, version: SCHEMA_VERSION, checked: true, kept });
  expect(stderr).toContain("checked, is now the database in");
  expect(fs.existsSync(`${folder.database}-wal`)).toBe(false);
  expect(await codesIn(folder)).toEqual(["OLD"]);
  for (const name of fs.readdirSync(folder.data))
    expect([name, fs.statSync(join(folder.data, name)).mode & 0o777]).toEqual([name, 0o600]);

  // The kept database is complete: restoring it undoes the restore.
  expect((await tint(folder, ["restore", kept])).status).toBe(0);
  expect(await codesIn(folder)).toEqual(["NEW", "OLD"]);
  expect(keptIn(folder)).toHaveLength(2);
});

test.each([
  ["data", ["restore", "copy.db"]],
  ["elsewhere", ["data", "copy", "copy.db", "elsewhere"]],
])(
  "in %s, what a copy holds as due may have gone out since: it is looked for before it is sent",
  async (place, args) => {
    using folder = shopFolder();
    const texts = [1, Number.MAX_SAFE_INTEGER].map((dueAt) => newJob("confirmation_sms", { dueAt }));
    // News to the shop is not looked for: it could not be told in one text with other news then.
    const jobs = [...texts, newJob("notify_shop_sms", { dueAt: 1 })];
    await inStore(folder, (store) => store.addLead(newLead({ createdAt: 5, jobs })));
    expect((await tint(folder, ["backup", "copy.db"])).status).toBe(0);
    expect((await tint(folder, args)).status).toBe(0);
    const query = "SELECT doubtful, first_tried_at FROM jobs ORDER BY id";
    expect(rowsIn(join(folder.path, place, "tintdesk.db"), query)).toEqual([
      { doubtful: 1, first_tried_at: 5 },
      { doubtful: 0, first_tried_at: null },
      { doubtful: 0, first_tried_at: null },
    ]);
  },
);

test("while Litestream's notes are beside the database, nothing is restored", async () => {
  using folder = await shopWithCopy();
  const notes = join(folder.data, ".tintdesk.db-litestream");
  fs.mkdirSync(notes);
  await expectRefusals(folder, [["restore copy.db", 1, `remove its notes (rm -r ${notes})`]]);
  expect(await codesIn(folder)).toEqual(["NEW", "OLD"]);
  fs.rmdirSync(notes);
  expect((await tint(folder, ["restore", "copy.db"])).status).toBe(0);
});

test("into a folder without a database", async () => {
  using folder = await shopWithCopy();
  fs.rmSync(folder.data, { recursive: true });
  const { status, stdout } = await tint(folder, ["restore", "copy.db", "--json"]);
  expect({ status, kept: JSON.parse(stdout).kept }).toEqual({ status: 0, kept: null });
  expect(await codesIn(folder)).toEqual(["OLD"]);
  expect(fs.statSync(folder.data).mode & 0o777).toBe(0o700);
});

test("a damaged database with a log of its own is replaced and kept", async () => {
  using folder = await shopWithCopy();
  fs.writeFileSync(folder.database, "this is no database".repeat(500));
  const damaged = await tint(folder, ["bookings"]);
  expect(damaged.stderr).toContain("tint restore FILE");
  const log = fs.readFileSync(`${folder.database}-wal`);
  expect((await tint(folder, ["restore", "copy.db"])).status).toBe(0);
  expect(await codesIn(folder)).toEqual(["OLD"]);
  const [kept = ""] = keptIn(folder);
  expect(fs.readFileSync(kept, "utf8")).toStartWith("this is no database");
  expect(fs.readFileSync(`${kept}-wal`).equals(log)).toBe(true);
});

describe("refused, with nothing changed", () => {
  const before = (folder: ShopFolder) =>
    fs
      .readdirSync(folder.data)
      .filter((name) => name !== "tintdesk.lock")
      .map((name) => [name, Bun.hash(fs.readFileSync(join(folder.data, name))).toString()]);

  const CASES: [string, (file: string) => void, RegExp][] = [
    ["no file", (file) => fs.rmSync(file), /^There is no file copy\.db\.\n$/],
    ["no database", (file) => fs.writeFileSync(file, "my notes"), /not a copy made with tint backup/],
    // As on a disk that can only be read.
    [
      "without room for its log",
      inUseOnce,
      /could not be restored: the file cannot be opened\..*Copy it, with its -wal,/,
    ],
    ["cut short", (file) => fs.truncateSync(file, fs.statSync(file).size / 2), /cannot be restored: .*damaged/],
    ["rows without their lead", (file) => change(file, "DELETE FROM leads"), /is damaged: a row of bookings/],
    [
      "a newer version",
      (file) => change(file, "PRAGMA user_version = 99"),
      /is of version 99, newer than this program/,
    ],
  ];
  test.each(CASES)("%s", async (_, spoil, says) => {
    using folder = await shopWithCopy();
    spoil(join(folder.path, "copy.db"));
    const files = before(folder);
    await expectRefusals(folder, [["restore copy.db --json", 1, says]]);
    expect(before(folder)).toEqual(files);
  });

  test("the database itself, and no file named", async () => {
    using folder = await shopWithCopy();
    expect((await tint(folder, ["restore", folder.database])).stderr).toContain("is the database itself");
    expect((await tint(folder, ["restore"])).status).toBe(2);
  });

  test("while a server runs on the folder, idle or not; not after it was killed", async () => {
    using folder = await shopWithCopy();
    await using server = await startServer(folder);
    await expectRefusals(folder, [["restore copy.db", 1, "is in use. Stop the server"]]);
    expect(keptIn(folder)).toEqual([]);
    server.signal("SIGKILL");
    await server.exited;
    expect((await tint(folder, ["restore", "copy.db"])).status).toBe(0);
    expect(await codesIn(folder)).toEqual(["OLD"]);
  });

  function inUseOnce(file: string): void {
    change(file, "PRAGMA journal_mode = WAL");
    fs.mkdirSync(`${file}-wal`);
  }

  function change(file: string, statement: string): void {
    const db = new Database(file, { readwrite: true });
    db.run("PRAGMA foreign_keys = OFF");
    db.run(statement);
    db.close();
  }
});

test("a power cut at any step leaves the old database or the new one, and what was there is kept", async () => {
  const outcomes: string[][] = [];
  for (let step = 1; ; step++) {
    using folder = await shopWithCopy();
    let steps = 0;
    const cut = <Change extends (...args: never[]) => unknown>(change: Change) =>
      ((...args) => {
        steps += 1;
        if (steps >= step) throw Object.assign(new Error("power cut"), { code: "EIO" });
        return change(...args);
      }) as Change;
    const { renameSync, linkSync, chmodSync, fsyncSync } = fs;
    const spies = [
      spyOn(fs, "renameSync").mockImplementation(cut(renameSync)),
      spyOn(fs, "linkSync").mockImplementation(cut(linkSync)),
      spyOn(fs, "chmodSync").mockImplementation(cut(chmodSync)),
      spyOn(fs, "fsyncSync").mockImplementation(cut(fsyncSync)),
    ];
    const { status } = await tint(folder, ["restore", "copy.db"]);
    for (const spy of spies) spy.mockRestore();
    // `tint doctor` looks at the database without finishing the restore.
    if (fs.existsSync(folder.database)) inspectDatabase(folder.database);
    const codes = await codesIn(folder);
    outcomes.push(codes);
    expect([["NEW", "OLD"], ["OLD"]]).toContainEqual(codes);
    if (codes.length === 1) {
      const [kept = ""] = keptIn(folder);
      expect((await tint(folder, ["restore", kept])).status).toBe(0);
      expect(await codesIn(folder)).toEqual(["NEW", "OLD"]);
    }
    if (status === 0) break;
  }
  // The power cuts hit both phases: before and after the copy was ready.
  expect(new Set(outcomes.map((codes) => codes.length))).toEqual(new Set([1, 2]));
  expect(outcomes.length).toBeGreaterThan(6);
});

describe("what is lost comes back", () => {
  test("a catalog that is gone is brought back by catalog undo, before a new one is made", async () => {
    using folder = shopFolder();
    const before = folder.read();
    expect((await tint(folder, ["price", "set", "suv", "ceramic", "full", "629"])).status).toBe(0);
    rmSync(folder.catalog);
    const { stderr } = await tint(folder, ["price", "list"]);
    expect(stderr).toMatch(
      /There is no file .*To bring it back as it was before its last save: tint catalog undo\. For a/,
    );
    expect((await tint(folder, ["catalog", "undo"])).stderr).toContain("is back, as it was before its last save.");
    expect(folder.read()).toBe(before);
  });

  test("without an earlier version, the newest backup is named", async () => {
    using folder = shopFolder();
    const text = folder.read();
    mkdirSync(join(folder.path, "backups"));
    cpSync(folder.catalog, join(folder.path, "backups", "monday.catalog.yaml"));
    rmSync(folder.catalog);
    expect((await tint(folder, ["hours"])).stderr).toContain("as in the backup");
    expect((await tint(folder, ["catalog", "undo"])).status).toBe(0);
    expect(folder.read()).toBe(text);
  });

  test("restore puts the catalog beside the copy in place where there is none, and names who was erased since", async () => {
    using folder = shopFolder();
    const store = openSqliteStore(folder.data);
    await store.book(
      newBooking({
        confirmationCode: "OLD",
        lead: newLead({ id: "lead_a", reference: "B-AAAAAA", name: "Jim Kowalski", phone: "+14045550142" }),
      }),
      99,
      [],
    );
    await store.close();
    expect((await tint(folder, ["backup", "copy.db"])).status).toBe(0);
    expect((await tint(folder, ["forget", "404-555-0142", "--yes", "--anyway"])).status).toBe(0);
    const text = folder.read();
    rmSync(folder.catalog);
    const { stderr, status } = await tint(folder, ["restore", "copy.db"]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/There was no catalog: .* is now the one of that day, copy\.catalog\.yaml\./);
    expect(stderr).toMatch(
      /Jim Kowalski was erased on .*, and is in this copy again\.\nTo erase again:\n {2}tint forget \+14045550142/,
    );
    expect(readFileSync(folder.catalog, "utf8")).toBe(text);
  });

  test.each([
    ["TX", "added 8.25%", "Sales tax", "added"],
    ["HI", "4.712", "General excise tax", "added"],
    ["TX", "included 8.25", "Sales tax", "included"],
  ])("init in %s with --tax %p: %s, %s", async (state, typed, label, status) => {
    using folder = shopFolder();
    rmSync(folder.catalog);
    const flags = FLAGS.with(FLAGS.indexOf("--state") + 1, state);
    const { stderr } = await tint(folder, ["init", ...flags, "--tax", typed]);
    expect(stderr).toMatch(/Read three things, then start with tint serve:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n$/);
    const tax = JSON.parse((await tint(folder, ["catalog", "get", "tax", "--json"])).stdout);
    expect(tax).toMatchObject({ status, label });
    expect((await tint(folder, ["estimate", "suv", "--film", "ceramic"])).stdout).toContain(`${label} of`);
  });

  test("a rate that is none is refused", async () => {
    using folder = shopFolder();
    rmSync(folder.catalog);
    const { status, stderr } = await tint(folder, ["init", ...FLAGS, "--tax", "a lot"]);
    expect([status, stderr]).toEqual([2, "--tax must be none, or like added 8.25% or included 8.25%.\n"]);
    expect(existsSync(folder.catalog)).toBe(false);
  });

  test("init goes on where Ctrl-C left it; elsewhere the shop of the last folder is found, and said", async () => {
    using folder = shopFolder();
    rmSync(folder.catalog);
    await using terminal = await openTerminal(folder, { columns: 120, rows: 40 });
    await terminal.run(`unset TINT_CATALOG TINT_DATA; export XDG_STATE_HOME=${join(folder.path, "state")}`);
    await terminal.run("clear; tint init").see("Name of the shop");
    await terminal.run("Lakeside Tint").see("2 of");
    await terminal.press("C-c");
    await terminal.see("tint init goes on from here.");
    await terminal.run("clear; tint init").see(/Going on where you stopped; answered: name\.[\s\S]*1 of \d+ {2}Phone/);
    await terminal.press("C-c");
    expect((await tint(folder, ["init", ...FLAGS])).status).toBe(0);
    await terminal.run("clear; tint price list").see("sedan");
    await terminal
      .run("mkdir -p other; cd other; clear; tint price list")
      .see(/The shop is in .*, the folder that was used last\.[\s\S]*sedan/);
  });

  /** Runs work in a folder, at a terminal, with a state folder of its own. */
  function atTerminal<T>(folder: string, state: string, work: () => T): T {
    const was = { folder: process.cwd(), state: process.env.XDG_STATE_HOME };
    const streams = [process.stdin, process.stdout] as const;
    const before = streams.map((stream) => stream.isTTY);
    process.chdir(folder);
    process.env.XDG_STATE_HOME = state;
    for (const stream of streams) stream.isTTY = true;
    try {
      return work();
    } finally {
      process.chdir(was.folder);
      if (was.state === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = was.state;
      for (const [i, stream] of streams.entries()) stream.isTTY = before[i] ?? false;
    }
  }

  test("the folder used last is remembered in it, and taken in one without a shop, unless something says where", () => {
    using shop = shopFolder();
    using other = shopFolder();
    rmSync(other.catalog);
    const state = join(other.path, "state");
    const nothing = { catalog: undefined, data: undefined };
    const found = (folder: string, given: Parameters<typeof lastUsedShop>[0] = nothing) =>
      atTerminal(folder, state, () => lastUsedShop(given));
    expect(found(other.path)).toEqual([]);
    expect(found(shop.path)).toEqual([]);
    expect(found(other.path)).toEqual(["--catalog", shop.catalog, "--data", join(shop.path, "data")]);
    expect(found(other.path, { ...nothing, data: "elsewhere" })).toEqual([]);
    rmSync(shop.catalog);
    expect(found(other.path)).toEqual([]);
  });
});
