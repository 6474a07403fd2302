/** `tint backup`: a consistent copy, also while a server writes. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import * as fs from "node:fs";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { childEnv, PROGRAM, shopFolder } from "../process/server.ts";
import { newBooking } from "../store/conformance-values.ts";
import { expectRefusals, inStore, saying, tint } from "./run.ts";

setDefaultTimeout(30_000);

test("the copy is complete, private and sound while another process writes", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  await store.book(newBooking({ confirmationCode: "C0" }), 1_000_000, []);
  let writing = true;
  const writer = (async () => {
    for (let i = 1; writing; i++) {
      await store.book(newBooking({ confirmationCode: `C${i}` }), 1_000_000, []);
      await Bun.sleep(0);
    }
  })();
  for (const name of ["one.db", "two.db", "three.db"]) {
    const { status, stdout, stderr } = await tint(folder, ["backup", name]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(
      new RegExp(`^${name}: .*iB, checked, with the catalog in ${name.replace(".db", "")}.catalog.yaml.\n$`),
    );
    const file = join(folder.path, name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = new Database(file, { readonly: true });
    const count = (table: string) => copy.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
    // A booking and its lead are written together.
    expect(count("bookings")).toBeGreaterThan(0);
    expect(count("bookings")).toBe(count("leads"));
    expect(copy.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    copy.close();
  }
  writing = false;
  await writer;
  await store.close();

  // The copy is a database that the program opens.
  const restored = join(folder.path, "restored");
  mkdirSync(restored);
  writeFileSync(join(restored, "tintdesk.db"), readFileSync(join(folder.path, "three.db")));
  const again = openSqliteStore(restored);
  expect((await again.bookings({ from: "0000-01-01", to: "9999-12-31" }, 1)).length).toBeGreaterThan(0);
  await again.close();
});

test("a copy with faults is refused and not kept", async () => {
  using folder = shopFolder();
  await inStore(folder, (store) => store.book(newBooking(), 1, []));
  const db = new Database(folder.database);
  db.run("PRAGMA foreign_keys = OFF");
  db.run("DELETE FROM leads");
  db.close();
  await expectRefusals(folder, [
    ["backup copy.db --json", 1, "The copy is faulty, so it was not kept: a row of bookings"],
  ]);
  expect(readdirSync(folder.path).sort()).toEqual(["catalog.yaml", "data"]);
});

test("nothing is overwritten without --force, and no temporary file is left", async () => {
  using folder = shopFolder();
  await expectRefusals(folder, [["backup copy.db", 1, "There is no database"]]);
  expect(existsSync(folder.data)).toBe(false);

  await openSqliteStore(folder.data).close();
  const file = join(folder.path, "copy.db");
  expect((await tint(folder, ["backup", "copy.db"])).status).toBe(0);
  await expectRefusals(folder, [["backup copy.db", 1, "--force"]]);
  const forced = await tint(folder, ["backup", "--force", "copy.db", "--json"]);
  const made = { file: "copy.db", bytes: statSync(file).size, checked: true, catalog: "copy.catalog.yaml", dropped: 0 };
  expect(JSON.parse(forced.stdout)).toEqual(made);

  expect(await tint(folder, ["backup", "no/such/place.db"])).toMatchObject({ status: 1, stdout: "" });
  fs.symlinkSync(folder.data, join(folder.path, "link"));
  fs.linkSync(folder.database, join(folder.path, "second.db"));
  const live = ["", "-wal", "-shm", "-journal"].flatMap((ending) => [
    `${folder.database}${ending}`,
    join(folder.path, "link", `tintdesk.db${ending}`),
  ]);
  for (const file of [...live, "second.db"]) {
    await expectRefusals(folder, [
      [`backup --force ${file}`, 1, "The copy cannot take the place of the database itself.\n"],
    ]);
  }
  rmSync(join(folder.path, "link"));
  rmSync(join(folder.path, "second.db"));
  expect((await tint(folder, ["backup"])).status).toBe(2);
  expect(readdirSync(folder.path).sort()).toEqual(["catalog.yaml", "copy.catalog.yaml", "copy.db", "data"]);
});

test("--force replaces nothing but an earlier copy", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const place = (name: string) => join(folder.path, name);
  writeFileSync(place("notes.txt"), "mine");
  new Database(place("other.db")).run("CREATE TABLE leads (id)");
  mkdirSync(place("folder"));
  await tint(folder, ["backup", "used.db"]);
  writeFileSync(place("used.db-wal"), "");
  const CASES: [string, string][] = [
    ["notes.txt", "not a copy made with tint backup"],
    ["catalog.yaml", "not a copy made with tint backup"],
    ["other.db", "not a copy made with tint backup"],
    ["used.db", "is a database in use"],
    ["folder", "is a folder"],
  ];
  for (const [name, says] of CASES) {
    const before = name === "folder" ? null : readFileSync(place(name));
    await expectRefusals(folder, [[`backup --force ${name}`, 1, says]]);
    if (before) expect(readFileSync(place(name)).equals(before)).toBe(true);
  }
});

test("a full disk is reported for the target, not for the database", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  // Stands in for a full disk: no file may grow past 40 KiB.
  const child = Bun.spawn(["bash", "-c", 'trap "" XFSZ; ulimit -f 40; "$0" "$@"', ...PROGRAM, "backup", "copy.db"], {
    cwd: folder.path,
    env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data }),
    stderr: "pipe",
  });
  const stderr = await new Response(child.stderr).text();
  expect(await child.exited).toBe(1);
  expect(stderr).toMatch(/^copy\.db cannot be written: the disk .*\. Nothing was kept\.\n$/);
  expect(existsSync(join(folder.path, "copy.db"))).toBe(false);
});

test("the catalog goes along, and a restore says where it is", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const copy = join(folder.path, "monday.db");
  const made = await tint(folder, ["backup", copy, "--json"]);
  expect(made).toMatchObject(saying(0, "with the catalog in monday.catalog.yaml"));
  const beside = join(folder.path, "monday.catalog.yaml");
  expect(JSON.parse(made.stdout)).toMatchObject({ catalog: beside });
  expect(readFileSync(beside, "utf8")).toBe(folder.read());
  expect(statSync(beside).mode & 0o777).toBe(0o600);
  // An owner's own file of that name stays.
  rmSync(copy);
  expect(await tint(folder, ["backup", copy])).toMatchObject(saying(1, "exists already"));
  expect((await tint(folder, ["backup", copy, "--force"])).status).toBe(0);
  const restored = await tint(folder, ["restore", copy]);
  expect(restored).toMatchObject(saying(0, "monday.catalog.yaml; the one in use stays"));
  rmSync(folder.catalog);
  const without = await tint(folder, ["backup", join(folder.path, "bare.db")]);
  expect(without).toMatchObject(saying(0, "is not there to copy"));
});

test("on a schedule the newest copies are kept, and nothing else in the folder is touched", async () => {
  using folder = shopFolder();
  await openSqliteStore(folder.data).close();
  const backups = join(folder.path, "off", "backups");
  const names = () => readdirSync(backups).sort();
  for (let i = 0; i < 2; i++) expect((await tint(folder, ["backup", "--keep", "2", backups])).status).toBe(0);
  const [oldest, , newest] = names();
  writeFileSync(join(backups, "tintdesk-mine.db"), "mine");
  expect((await tint(folder, ["backup", "--keep", "2", backups, "--json"])).stdout).toContain('"dropped":1');
  expect(names()).toHaveLength(5);
  expect(names()).toContain("tintdesk-mine.db");
  expect(names()).toContain(newest ?? "");
  expect(names()).not.toContain(oldest ?? "");
  // A copy that was made while the clock was a year ahead.
  const copy = (newest ?? "").replace(".catalog.yaml", ".db");
  const ahead = copy.replace(/\d{4}/, (year) => String(Number(year) + 1));
  fs.renameSync(join(backups, copy), join(backups, ahead));
  const dropped = (await tint(folder, ["backup", "--keep", "1", backups, "--json"])).stdout;
  expect(names()).toContain(basename(JSON.parse(dropped).file));
  expect(names()).not.toContain(ahead);
  for (const wrong of ["--keep 0", "--keep many", "--keep 2 --force"])
    await expectRefusals(folder, [[`backup ${backups} ${wrong}`, 2, ""]]);
});
