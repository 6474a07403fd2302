/** `tint restore`: the database is replaced as a whole or not at all. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { rowsIn, type ShopFolder, shopFolder, startServer } from "../process/server.ts";
import { newBooking, newJob, newLead } from "../store/conformance-values.ts";
import { inStore, tint } from "./run.ts";

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
  const refused = await tint(folder, ["restore", "copy.db"]);
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(`remove its notes (rm -r ${notes})`)]);
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
    const { status, stdout, stderr } = await tint(folder, ["restore", "copy.db", "--json"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(says);
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
    const refused = await tint(folder, ["restore", "copy.db"]);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain("is in use. Stop the server");
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
