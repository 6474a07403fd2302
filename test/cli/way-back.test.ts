/** What is lost comes back: a catalog that is gone, the one beside a backup, who was erased since; and a shop is found again. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastUsedShop } from "../../cli/shop/catalog.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { shopFolder } from "../process/server.ts";
import { newBooking, newLead } from "../store/conformance-values.ts";
import { FLAGS } from "./init-flags.ts";
import { tint, tintJson } from "./run.ts";

setDefaultTimeout(60_000);

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
  ["HI", "4.712", "General excise tax", "added"],
  ["TX", "included 8.25", "Sales tax", "included"],
])("init in %s with --tax %p: %s, %s", async (state, typed, label, status) => {
  using folder = shopFolder();
  rmSync(folder.catalog);
  const flags = FLAGS.with(FLAGS.indexOf("--state") + 1, state);
  const { stderr } = await tint(folder, ["init", ...flags, "--tax", typed]);
  expect(stderr).toMatch(/Read three things, then start with tint serve:\n {2}1\. .*\n {2}2\. .*\n {2}3\. .*\n$/);
  const tax = await tintJson(folder, ["catalog", "get", "tax"]);
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
