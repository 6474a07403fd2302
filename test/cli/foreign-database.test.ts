/** A `tintdesk.db` that holds none of our tables is left as it is. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dateFromNow } from "../fixed-day.ts";
import { failToStart, shopFolder } from "../process/server.ts";
import { tint } from "./run.ts";

setDefaultTimeout(60_000);

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
  ["of another program with a version like ours", ofAnotherProgram(20)],
  ["of another program with a high version", ofAnotherProgram(900)],
])("a database %s is refused by every command with the way out", async (_, make) => {
  using folder = shopFolder();
  mkdirSync(folder.data, { recursive: true });
  make(folder.database);
  const before = readFileSync(folder.database);
  const book = ["book", "suv", "--date", dateFromNow(3), "--time", "9am", "--name", "Pat", "--phone", "404-555-0111"];
  for (const args of [
    ["bookings"],
    ["find", "pat"],
    ["keys"],
    ["backup", "copy.db"],
    ["report"],
    book,
    ["forget", "pat@example.com"],
  ]) {
    const { status, stdout, stderr } = await tint(folder, args);
    expect({ args, status, stdout, stderr }).toEqual({
      ...{ args, status: 1, stdout: "" },
      stderr: expect.stringMatching(
        /has none of the tables of Tintdesk; copy it together with its -wal file, restore a backup/,
      ),
    });
  }
  expect((await tint(folder, ["doctor"])).stdout).toContain("has none of the tables of Tintdesk");
  const { code, stderr } = await failToStart(folder);
  expect([code, stderr]).toEqual([1, expect.stringContaining("has none of the tables of Tintdesk")]);
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
