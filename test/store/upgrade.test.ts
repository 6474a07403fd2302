/** Databases of every version ever released, opened by this program. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { shareFolder } from "../../src/store/sqlite/folder-lock.ts";
import { inspectDatabase } from "../../src/store/sqlite/inspect.ts";
import { DATABASE_VERSION } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Upgrade } from "../../src/store/sqlite/upgrade.ts";
import { tint } from "../cli/run.ts";
import { shopFolder, startServer } from "../process/server.ts";
import { schemaFile, schemaText } from "./schemas/make.ts";

const VERSIONS = Array.from({ length: DATABASE_VERSION }, (_, i) => i + 1);
const EARLIER = VERSIONS.slice(0, -1);

/** Makes the database of an earlier version where a shop has its own. */
function makeOld(database: string, version: number): void {
  mkdirSync(dirname(database), { recursive: true });
  const db = new Database(database);
  db.run(readFileSync(schemaFile(version), "utf8"));
  db.close();
}

const objectsOf = (file: string) => {
  const db = new Database(file, { readonly: true });
  const rows = db
    .query<{ type: string; name: string; sql: string | null }, []>(
      "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name",
    )
    .all();
  db.close();
  return rows.map(({ sql, ...row }) => ({ ...row, sql: sql?.replace(/\s+/g, " ") }));
};

test.each(VERSIONS)("version %d is kept as text, and its migration was not edited since", (version) => {
  // A version that was never released may still change: then its file is removed and made anew.
  if (!existsSync(schemaFile(version))) throw new Error("run bun test/store/schemas/make.ts");
  expect(readFileSync(schemaFile(version), "utf8")).toBe(schemaText(version));
});

test.each(EARLIER)(
  "a database of version %d becomes what a new one is, with all that was in it, and is kept",
  async (version) => {
    using folder = shopFolder();
    using fresh = shopFolder();
    await openSqliteStore(fresh.data).close();
    makeOld(folder.database, version);
    const upgrades: Upgrade[] = [];
    const store = openSqliteStore(folder.data, { onUpgrade: (upgrade) => upgrades.push(upgrade) });
    expect(await store.findBooking("A1B2C3D4")).toMatchObject({ lead: { name: "Pat", phone: "+14045550111" } });
    expect(await store.findLead("Q-OLD002")).toMatchObject({ name: "Robin" });
    expect(await store.waitingJobs(10)).toHaveLength(1);
    expect(await store.keys()).toHaveLength(1);
    await store.close();
    expect(inspectDatabase(folder.database)).toMatchObject({ faults: [], version: DATABASE_VERSION });
    expect(objectsOf(folder.database)).toEqual(objectsOf(fresh.database));
    expect(upgrades).toMatchObject([{ from: version, to: DATABASE_VERSION }]);
    const [{ kept }] = upgrades as [Upgrade];
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const copy = new Database(kept, { readonly: true });
    expect(copy.query("PRAGMA user_version").values()).toEqual([[version]]);
    expect(copy.query("SELECT confirmation_code FROM bookings").values()).toEqual([["A1B2C3D4"]]);
    copy.close();
  },
);

describe("two versions on one folder", () => {
  const last = EARLIER.at(-1) ?? 1;

  test("while an earlier program runs nothing is changed, and the owner is told to stop it", async () => {
    using folder = shopFolder();
    using ofFirst = shopFolder();
    makeOld(folder.database, last);
    const leave = shareFolder(folder.data);
    // Release 1.0.0 locks no folder, so only its hold on the database shows it.
    makeOld(ofFirst.database, 1);
    const first = new Database(ofFirst.database);
    first.run("PRAGMA journal_mode = WAL");
    first.query("SELECT count(*) FROM bookings").get();
    // Apart, because each waits some seconds for the other program.
    const refused = await Promise.all([folder, ofFirst].map((one) => tint(one, ["bookings"], { apart: true })));
    for (const { status, stderr } of refused)
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("Stop it, update its program") });
    expect(first.query("PRAGMA user_version").values()).toEqual([[1]]);
    first.close();
    leave();
    const told = await tint(folder, ["bookings", "--date", "2026-11-24"]);
    expect(told.stderr).toContain(`brought from version ${last} to ${DATABASE_VERSION}`);
    expect(told.stdout).toContain("A1B2C3D4");
  }, 30_000);

  test("a program that copies the database, like Litestream, does not stop an update", async () => {
    using folder = shopFolder();
    makeOld(folder.database, last);
    using copying = new Database(folder.database);
    copying.run("PRAGMA journal_mode = WAL");
    copying.query("SELECT count(*) FROM bookings").get();
    await openSqliteStore(folder.data).close();
    expect(copying.query("PRAGMA user_version").values()).toEqual([[DATABASE_VERSION]]);
  });

  test("an earlier program on a newer database says what to do; the way back is a restore of the copy", async () => {
    using folder = shopFolder();
    makeOld(folder.database, last);
    let kept = "";
    await openSqliteStore(folder.data, { onUpgrade: (upgrade) => (kept = upgrade.kept) }).close();
    const newer = new Database(folder.database);
    newer.run("PRAGMA user_version = 99");
    newer.close();
    const refused = await tint(folder, ["bookings"]);
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("restore the copy that the update kept"),
    });
    expect((await tint(folder, ["restore", kept])).status).toBe(0);
    expect((await tint(folder, ["bookings", "--date", "2026-11-24"])).stdout).toContain("A1B2C3D4");
  }, 30_000);

  test("a server upgrades, and its log says where the copy is", async () => {
    using folder = shopFolder();
    makeOld(folder.database, 1);
    await using server = await startServer(folder);
    const line = await server.logged(({ kept }) => kept !== undefined);
    expect(line).toMatchObject({ from: 1, to: DATABASE_VERSION, level: 40 });
  }, 30_000);
});
