/** A copy whose schema is not that of its version is refused by name: a stranger's trigger would run with the next booking. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

async function shopWithCopy(): Promise<{ folder: ShopFolder; copy: string }> {
  const folder = shopFolder();
  await tint(folder, ["keys", "issue", "--name", "A", "--email", "a@agent.example"]);
  expect((await tint(folder, ["backup", "copy.db"])).status).toBe(0);
  return { folder, copy: join(folder.path, "copy.db") };
}

test.each([
  [
    "CREATE TRIGGER spy AFTER INSERT ON leads BEGIN DELETE FROM jobs; END",
    'it has the trigger "spy", which Tintdesk does not make',
  ],
  ["CREATE VIEW everyone AS SELECT * FROM leads", 'it has the view "everyone", which Tintdesk does not make'],
  ["CREATE TABLE extra (a)", 'it has the table "extra", which Tintdesk does not make'],
  ["DROP INDEX leads_by_phone", 'it lacks the index "leads_by_phone"'],
  ["ALTER TABLE leads ADD COLUMN more TEXT", 'its table "leads" is not as Tintdesk makes it'],
  ["DROP INDEX bookings_by_age; CREATE INDEX bookings_by_age ON bookings (date)", 'its index "bookings_by_age" is not'],
])("%s", async (statement, said) => {
  const { folder: shop, copy } = await shopWithCopy();
  using folder = shop;
  const db = new Database(copy);
  db.run(statement);
  db.close();
  const restored = await tint(folder, ["restore", "copy.db"]);
  expect([restored.status, restored.stderr]).toEqual([
    1,
    expect.stringContaining(`copy.db cannot be restored: ${said}`),
  ]);
  const copied = await tint(folder, ["data", "copy", "copy.db", "other"]);
  expect([copied.status, copied.stderr]).toEqual([1, expect.stringContaining(`copy.db cannot be copied: ${said}`)]);
  expect(existsSync(join(folder.path, "other", "tintdesk.db"))).toBe(false);
});

test("several differences are counted, and what SQLite counts for itself is none", async () => {
  const { folder: shop, copy } = await shopWithCopy();
  using folder = shop;
  const db = new Database(copy);
  db.run("ANALYZE");
  expect((await tint(folder, ["restore", "copy.db"])).status).toBe(0);
  for (const name of ["a", "b", "c", "d\u001b"]) db.run(`CREATE VIEW "${name}" AS SELECT 1`);
  db.close();
  const { stderr } = await tint(folder, ["restore", "copy.db"]);
  expect(stderr).toContain("; and 1 more");
  expect(stderr).not.toContain("\u001b");
});

test("an index that an edited file calls one of SQLite's own is refused", async () => {
  const { folder: shop, copy } = await shopWithCopy();
  using folder = shop;
  const db = new Database(copy);
  // It would refuse the second booking. SQLite makes no index of such a name, so the file is edited.
  db.run("CREATE UNIQUE INDEX edited_autoindex_x ON leads (service_type)");
  db.close();
  writeFileSync(copy, readFileSync(copy, "latin1").replaceAll("edited_autoindex_x", "sqlite_autoindex_x"), "latin1");
  const { status, stderr } = await tint(folder, ["restore", "copy.db"]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('it has the index "sqlite_autoindex_x", which Tintdesk does not make'),
  ]);
});
