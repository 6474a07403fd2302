/**
 * Which database a command works on: named by a URL, of another program, or with a schema that is not that of its
 * version.
 */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cannotUse } from "../../cli/shop/database.ts";
import { CliError } from "../../cli/terminal/output.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { OutcomeUnknown, StoreTooNew, StoreTooOld, StoreUnavailable } from "../../src/store/store-errors.ts";
import { dateFromNow } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { expectRefusals, tint } from "./run.ts";

setDefaultTimeout(60_000);

const URL_WITH_PASSWORD = "postgres://tint:hunter2@db.example.com/shop";

test.each([
  [["keys"], { TINT_DATA: "mysql://u:hunter2@db/shop" }, "TINT_DATA must be a folder"],
  [["doctor"], { TINT_DATA: "postgres://u:hunter2/@db/shop" }, "TINT_DATA cannot be read as a URL"],
  [["keys", "--data", "mysql://u:hunter2@db/shop"], {}, "--data must be a folder"],
  [["restore", "copy.db", "--data", URL_WITH_PASSWORD], {}, "tint data copy copy.db URL"],
  [["service", "show", "--user", "nobody", "--data", URL_WITH_PASSWORD], {}, "must be in .env beside the catalog"],
])("tint %j says why not, without the password", async (args, env, why) => {
  using folder = shopFolder();
  const { status, stderr } = await tint(folder, args, { env });
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(stderr).not.toContain("hunter2");
});

test("a service reads the URL from .env, and its backup may reach the server", async () => {
  using folder = shopFolder();
  const setup = await tint(folder, ["setup", `TINT_DATA=${URL_WITH_PASSWORD}`, "--no-test", "--json"]);
  expect(setup).toMatchObject({ status: 0, stdout: expect.not.stringContaining("hunter2") });
  expect(readFileSync(join(folder.path, ".env"), "utf8")).toBe(`TINT_DATA=${URL_WITH_PASSWORD}\n`);
  const { status, stdout } = await tint(folder, ["service", "show", "--user", "nobody"], {
    env: { TINT_DATA: URL_WITH_PASSWORD },
  });
  const [, server = "", backup = ""] = stdout.split(/^# tintdesk[\w.-]+$/m);
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/hunter2|\/data|db\.example/);
  // The catalog is in the database, too.
  expect(server).toMatch(/^ExecStart=.* serve$/m);
  expect(server).not.toContain("ReadWritePaths");
  expect(backup).toContain(`ReadWritePaths=${join(folder.path, "backups")}\n`);
  expect(backup).toContain("RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n");
  expect(backup).not.toContain("PrivateNetwork");
});

const server = (errno: string) => Object.assign(new Error("of PostgreSQL"), { errno });
const connection = (code: string) => Object.assign(new Error("of the connection"), { code });
test.each([
  [server("28P01"), "does not let this user in"],
  [server("3D000"), "has no database of this name"],
  [server("42501"), "ALTER DATABASE"],
  [server("53300"), "no connection left"],
  [server("53100"), "the disk of PostgreSQL is full"],
  [server("25006"), "Name the primary"],
  [server("57P03"), "Try again in a moment"],
  [server("57014"), "does not answer in time"],
  [server("22021"), "U\\+0000"],
  [connection("ERR_POSTGRES_CONNECTION_REFUSED"), "nothing answers there"],
  [connection("ERR_POSTGRES_TLS_NOT_AVAILABLE"), "has no TLS"],
  [connection("ERR_POSTGRES_TLS_UPGRADE_FAILED"), "certificate of PostgreSQL is not trusted"],
  [connection("ERR_INVALID_URL"), "write / as %2F"],
  [new StoreUnavailable("no", { cause: server("53300") }), "no connection left.*Nothing was changed.$"],
  [new StoreUnavailable("no"), "cannot be written just now \\(no\\). Nothing was changed.$"],
  [new OutcomeUnknown("no", { cause: server("57P03") }), "not known whether the change was made"],
  [new StoreTooNew(99, 12), "version 99, newer than this program"],
  [new StoreTooOld(3, 12), "version 3, older than .* in an empty database.$"],
])("%o is said in words", (error, words) => {
  const said = cannotUse(error, locationOf(URL_WITH_PASSWORD));
  expect(said).toBeInstanceOf(CliError);
  expect(String(said)).toMatch(new RegExp(words));
  expect(String(said)).toContain("postgres://tint:***@db.example.com/shop");
});

/** As an earlier version left it, whose tables were in the log that was not copied with it. */
const copiedWithoutLog = (file: string) => {
  using db = new Database(file);
  db.run("PRAGMA journal_mode = WAL");
};
const ofAnotherProgram = (version: number) => (file: string) => {
  using db = new Database(file);
  db.run(`CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine'); PRAGMA user_version = ${version}`);
};

test.each([
  ["copied without its log", copiedWithoutLog],
  ["of another program", ofAnotherProgram(0)],
  ["of another program with a high version", ofAnotherProgram(900)],
])("a database %s is refused by every command with the way out", async (_, make) => {
  using folder = shopFolder();
  mkdirSync(folder.data, { recursive: true });
  make(folder.database);
  const before = readFileSync(folder.database);
  const book = ["book", "suv", "--date", dateFromNow(3), "--time", "9am", "--name", "Pat", "--phone", "404-555-0111"];
  const says = "has none of the tables of Tintdesk; copy it together with its -wal file, restore a backup";
  for (const args of ["bookings", "backup copy.db", book, "serve --port 0"])
    await expectRefusals(folder, [[args, 1, says]]);
  expect((await tint(folder, ["doctor"])).stdout).toContain("has none of the tables of Tintdesk");
  expect(readFileSync(folder.database).equals(before)).toBeTrue();
  // The way out.
  renameSync(folder.database, `${folder.database}.away`);
  expect((await tint(folder, book)).status).toBe(0);
});

test("an empty file, and one that several programs make at once, are new databases", async () => {
  using folder = shopFolder();
  mkdirSync(folder.data, { recursive: true });
  writeFileSync(folder.database, "");
  const issue = (i: number) => ["keys", "issue", "--name", "A", "--email", `a${i}@example.com`];
  expect((await tint(folder, issue(0))).status).toBe(0);
  using other = shopFolder();
  const all = await Promise.all([1, 2, 3].map((i) => tint(other, issue(i), { apart: true })));
  expect(all.map(({ status, stderr }) => (status === 0 ? 0 : stderr))).toEqual([0, 0, 0]);
  expect(JSON.parse((await tint(other, ["keys", "--json"])).stdout)).toHaveLength(3);
});

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
  ["DROP INDEX leads_by_phone", 'it lacks the index "leads_by_phone"'],
  ["ALTER TABLE leads ADD COLUMN more TEXT", 'its table "leads" is not as Tintdesk makes it'],
  ["DROP INDEX bookings_by_age; CREATE INDEX bookings_by_age ON bookings (date)", 'its index "bookings_by_age" is not'],
])("%s", async (statement, said) => {
  const { folder: shop, copy } = await shopWithCopy();
  using folder = shop;
  const db = new Database(copy);
  db.run(statement);
  db.close();
  await expectRefusals(folder, [
    ["restore copy.db", 1, `copy.db cannot be restored: ${said}`],
    ["data copy copy.db other", 1, `copy.db cannot be copied: ${said}`],
  ]);
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
  const says = 'it has the index "sqlite_autoindex_x", which Tintdesk does not make';
  await expectRefusals(folder, [["restore copy.db", 1, says]]);
});
