/** Whoever owns a folder cannot have another file written, given away or made by links in it. */
import { expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { leaveToOwner, makePrivate, removeTemporaries, temporaryName } from "../../src/lib/files.ts";
import { takeFolder } from "../../src/store/sqlite/file-lock.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { temporaryFolder } from "../process/server.ts";

test("a private file is new: nothing that is in its place is written, emptied or followed", () => {
  using folder = temporaryFolder();
  const victim = join(folder.path, "victim");
  writeFileSync(victim, "precious", { mode: 0o644 });
  const [file, link, dangling] = ["file", "link", "dangling"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  symlinkSync(victim, link);
  symlinkSync(join(folder.path, "absent"), dangling);
  for (const taken of [victim, link, dangling]) expect(() => makePrivate(taken, "mine")).toThrow("EEXIST");
  expect(readFileSync(victim, "utf8")).toBe("precious");
  expect(existsSync(join(folder.path, "absent"))).toBe(false);
  makePrivate(file, "mine");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["mine", 0o600]);
});

test("a file for which the disk has no room is not left in part", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "catalog.yaml");
  const program = `const { makeFile } = require(process.argv[1]); makeFile(process.argv[2], "x".repeat(100_000))`;
  // Stands in for a full disk: no file may grow past 40 KiB.
  const limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 40; "$0" "$@"', process.execPath, "-e", program];
  const { exitCode, stderr } = Bun.spawnSync([...limited, require.resolve("../../src/lib/files.ts"), file]);
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("EFBIG")]);
  expect(readdirSync(folder.path)).toEqual([]);
});

test("names of temporary files cannot be guessed, and what a killed program left under them goes", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "tintdesk.db");
  const names = [temporaryName(file), temporaryName(file)];
  expect(new Set(names).size).toBe(2);
  expect(names.map(dirname)).toEqual([folder.path, folder.path]);
  for (const name of names) expect(basename(name)).toMatch(/^\.tintdesk\.db\.[0-9a-f-]{36}\.tmp$/);
  for (const name of [...names, `${names[0]}-journal`, join(folder.path, ".tintdesk.db.tmp")]) makePrivate(name);
  removeTemporaries(file);
  expect(readdirSync(folder.path)).toEqual([".tintdesk.db.tmp"]);
});

test("a second name of another file is not given away", () => {
  using folder = temporaryFolder();
  const victim = join(folder.path, "victim");
  const shop = join(folder.path, "shop");
  mkdirSync(shop);
  makePrivate(victim);
  const before = lstatSync(victim).uid;
  linkSync(victim, join(shop, "one.db"));
  if (process.getuid?.() === 0) chownSync(shop, 65_534, 65_534);
  leaveToOwner(join(shop, "one.db"));
  expect(lstatSync(victim).uid).toBe(before);
});

test("a link in place of the database or of the lock makes no file elsewhere", async () => {
  using folder = temporaryFolder();
  const elsewhere = join(folder.path, "elsewhere");
  const data = join(folder.path, "data");
  mkdirSync(data);
  symlinkSync(elsewhere, join(data, "tintdesk.db"));
  expect(() => openSqliteStore(data)).toThrow();
  expect(existsSync(elsewhere)).toBe(false);
  const locked = join(folder.path, "locked");
  mkdirSync(locked);
  symlinkSync(elsewhere, join(locked, "tintdesk.lock"));
  takeFolder(locked)();
  expect(existsSync(elsewhere)).toBe(false);
});
