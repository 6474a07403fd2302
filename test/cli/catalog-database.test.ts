/**
 * With PostgreSQL the catalog is in the database: `tint catalog import`, `export`, `history`, and edits from any
 * machine.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { openPostgresCatalogs } from "../../src/store/postgres/catalogs.ts";
import { dateIn, type ShopFolder, shopFolder } from "../process/server.ts";
import { hasPostgres, SERVICE_PASSWORD, temporaryDatabase } from "../services.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { saying, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const CERAMIC_SUV = ["automotive", "vehicle_types", "suv", "ceramic", "full"] as const;

test("where no database answers, every command says so, without the password", async () => {
  using folder = shopFolder();
  const env = { TINT_DATA: "postgres://tint:hunter2@127.0.0.1:1/shop" };
  for (const line of [
    "estimate suv",
    "catalog history",
    "catalog set scheduling.bays 3",
    `block ${dateIn(9)}`,
    "serve",
  ]) {
    const { status, stderr } = await tintToday(folder, line, { env });
    expect([line, status, stderr]).toEqual([line, 1, expect.stringMatching(/^The database .* nothing answers there/)]);
    expect(stderr).not.toContain("hunter2");
  }
  const undo = await tintToday(folder, ["catalog", "undo"], { env });
  expect(undo.status).toBe(1);
  const doctor = await tintToday(folder, ["doctor"], { env });
  expect(doctor.stdout).toMatch(
    /^catalog +problem +The database .*nothing answers there.*\n +→ see the line database$/m,
  );
  expect((await tintToday(folder, ["--version"], { env })).status).toBe(0);
});

describe.skipIf(!hasPostgres())("the catalog in the database", () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let folder: ShopFolder;
  let catalogs: Awaited<ReturnType<typeof openPostgresCatalogs>>;
  /** A text that an editor on Windows saved, with a byte-order mark. */
  const text = `\uFEFF${CATALOG_TEXT}# naïve — 窓\n`.replaceAll("\n", "\r\n");
  beforeAll(async () => {
    database = await temporaryDatabase();
    folder = shopFolder();
    catalogs = await openPostgresCatalogs(database.url);
  });
  afterAll(async () => {
    await catalogs.close();
    folder[Symbol.dispose]();
    await database[Symbol.asyncDispose]();
  });
  const desk = async (...args: string[]) => {
    const ran = await tintToday(folder, args, { env: { TINT_DATA: database.url } });
    expect(ran.stdout + ran.stderr).not.toContain(SERVICE_PASSWORD);
    return ran;
  };
  const at = (name: string, content: string) => {
    const file = join(folder.path, name);
    writeFileSync(file, content);
    return file;
  };

  test("before the first import each command says how to make it; the file beside is not read", async () => {
    for (const line of ["estimate suv", "serve", "catalog check", "price set suv ceramic full 1"])
      expect(await desk(...line.split(" "))).toMatchObject(
        saying(1, "To put one there: tint catalog import catalog.yaml"),
      );
    expect((await desk("serve", "--catalog", folder.catalog)).status).toBe(2);
    expect((await desk("catalog", "history")).stderr).toBe("No catalog was saved yet.\n");
  });

  test("a faulty file is refused with each fault's place, and --dry-run saves nothing", async () => {
    const faulty = CATALOG_TEXT.replace("bays: 2", "bays: two").replace("currency: USD", "currency: 1");
    const broken = at("faulty.yaml", faulty);
    const refused = await desk("catalog", "import", broken);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/faulty\.yaml:\d+:9: scheduling\.bays must/);
    expect(refused.stderr).toContain("has 2 mistakes");
    expect((await desk("catalog", "import", at("good.yaml", text), "--dry-run")).status).toBe(0);
    expect(await catalogs.latest()).toBe(0);
  });

  test("import, and export gives the very bytes; the same text again makes no version", async () => {
    const imported = await desk("catalog", "import", at("good.yaml", text), "--json");
    expect(JSON.parse(imported.stdout)).toMatchObject({ catalog_version: 1, saved: true, differences: [] });
    expect((await desk("catalog", "import", at("good.yaml", text))).stderr).toContain("has that text already");
    const out = join(folder.path, "out.yaml");
    expect((await desk("catalog", "export", out)).status).toBe(0);
    expect(readFileSync(out)).toEqual(Buffer.from(text));
    expect((await desk("catalog", "export", out)).stderr).toContain("exists already");
    expect((await desk("catalog", "check")).stdout).toStartWith("The catalog in the database (version 1) is good: ");
    expect((await desk("estimate", "suv", "--film", "ceramic")).stdout).toContain("$599.00");
  });

  test("an edit is a version; history names who and what; undo goes back; a file of an older version is refused", async () => {
    const edited = await desk("price", "set", "suv", "ceramic", "full", "629");
    expect(edited.stderr).toBe("Saved the catalog in the database (version 2).\n");
    const refused = await desk("catalog", "set", "scheduling.bays", "none");
    expect(refused.stderr).toMatch(/the catalog in the database:\d+:9: scheduling\.bays/);
    const back = await desk("catalog", "undo");
    expect(back.stdout).toContain("+ automotive.vehicle_types.suv.ceramic.full: 599");
    expect((await catalogs.read())?.text).toBe(text);
    const path = CERAMIC_SUV.join(".");
    expect(JSON.parse((await desk("catalog", "history", "--json")).stdout)).toMatchObject([
      { version: 3, changed: `undo: ${path}`, saved_by: expect.any(String) },
      { version: 2, changed: path },
      { version: 1, changed: expect.stringContaining("import of ") },
    ]);
    expect((await desk("catalog", "history")).stdout).toMatch(/^version +saved +by +changed\n3 /);
    expect((await desk("catalog", "undo", "1", "--dry-run")).stdout).toMatch(/^A later save goes with it: .+\.$/m);
    expect((await desk("catalog", "undo", "2", "--dry-run")).stdout).not.toContain("with it");
    expect((await desk("catalog", "export", "--version", "2")).stdout).toContain("629");
    const stale = await desk("catalog", "import", at("good.yaml", text), "--based-on", "2");
    const who = Bun.spawnSync(["id", "-un"]).stdout.toString().trim();
    expect([stale.status, stale.stderr]).toEqual([
      1,
      expect.stringContaining(`version 3 is in force, saved by ${who} on `),
    ]);
    expect((await desk("catalog", "export", "--version", "9")).stderr).toContain("There is no version 9");
  });

  test("of several machines at once, one makes a version", async () => {
    const before = await catalogs.latest();
    const machines = await Promise.all(Array.from({ length: 3 }, () => openPostgresCatalogs(database.url)));
    // The compare-and-set itself: one of those that saw the same version saves.
    const next = { version: before + 1, text: "x", hash: "x", madeAt: 1, note: "" };
    const saved = await Promise.all(machines.map((store, i) => store.add({ ...next, madeBy: `machine ${i}` })));
    expect(saved.filter(Boolean)).toHaveLength(1);
    // A lost answer: the same version again is the one that was saved.
    const winner = saved.indexOf(true);
    expect(await machines[winner]?.add({ ...next, madeBy: `machine ${winner}` })).toBeTrue();
    expect(await catalogs.latest()).toBe(before + 1);
    await Promise.all(machines.map((store) => store.close()));
  });

  test("a connection that was cut is made again, and a save is not made twice", async () => {
    const before = await catalogs.latest();
    const admin = new SQL(database.url, { max: 1 });
    const cut = () =>
      admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await cut();
    expect(await catalogs.latest()).toBe(before);
    const next = { version: before + 1, text: "y", hash: "y", madeAt: 1, madeBy: "a machine", note: "" };
    const [saved] = await Promise.all([catalogs.add(next), cut()]);
    expect([saved, await catalogs.latest()]).toEqual([true, before + 1]);
    await admin.close();
  });
});
