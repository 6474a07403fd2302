/** `tint catalog history` and `undo`: every save keeps the version before it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { keepVersion, versionsOf } from "../../src/catalog/file/history.ts";
import { shopFolder } from "../process/server.ts";
import { tint, tintOnTerminal } from "./run.ts";

setDefaultTimeout(30_000);

test("a save is undone byte for byte, and the undo too", async () => {
  using folder = shopFolder();
  const before = folder.read();
  await tint(folder, ["price", "set", "suv", "ceramic", "full", "629"]);
  const after = folder.read();
  const undone = await tint(folder, ["catalog", "undo"]);
  expect(undone.status).toBe(0);
  expect(undone.stderr).toContain("- automotive.vehicle_types.suv.ceramic.full: 629\n");
  expect(undone.stderr).toContain("+ automotive.vehicle_types.suv.ceramic.full: 599\n");
  expect(undone.stdout).toContain("The catalog is as it was before the save of");
  expect(folder.read()).toBe(before);
  await tint(folder, ["catalog", "undo"]);
  expect(folder.read()).toBe(after);
});

test("a file that a typing mistake has broken is undone, too; an edit of it says what is wrong once", async () => {
  using folder = shopFolder();
  const before = folder.read();
  await tint(folder, ["price", "set", "suv", "ceramic", "full", "629"]);
  const broken = folder.read().replace("currency: USD", "currency: [USD");
  writeFileSync(folder.catalog, broken);
  const blocked = await tint(folder, ["block", "11/27"]);
  expect(blocked.stderr.split("\n").slice(1)).toEqual([
    "The catalog cannot be read: a bracket [ or brace { that was opened above is not closed. Run `tint catalog check` to see where.",
    "",
  ]);
  expect(await tint(folder, ["catalog", "undo"])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("as it was"),
  });
  expect(folder.read()).toBe(before);
});

test("the history names what each save changed; an older version by its number; --dry-run saves nothing", async () => {
  using folder = shopFolder();
  expect((await tint(folder, ["catalog", "history"])).stderr).toBe("No save was made yet.\n");
  expect((await tint(folder, ["catalog", "undo"])).status).toBe(1);
  const before = folder.read();
  await tint(folder, ["catalog", "set", "scheduling.bays", "3"]);
  await tint(folder, ["block", "2099-12-31"]);
  const now = folder.read();
  const { stdout } = await tint(folder, ["catalog", "history"]);
  expect(stdout).toMatch(/^version +saved +changed\n1 .* scheduling\.blocked_dates\n2 .* scheduling\.bays\n$/);
  const json = JSON.parse((await tint(folder, ["catalog", "history", "--json"])).stdout);
  expect(json[1].changes).toEqual([{ path: "scheduling.bays", old: 2, new: 3 }]);
  expect((await tint(folder, ["catalog", "undo", "2", "--dry-run"])).stderr).toMatch(
    /\nA later save goes with it: .*\.\n/,
  );
  expect((await tint(folder, ["catalog", "undo", "--dry-run"])).stderr).not.toContain("later save");
  expect(folder.read()).toBe(now);
  await tint(folder, ["catalog", "undo", "2"]);
  expect(folder.read()).toBe(before);
  expect((await tint(folder, ["catalog", "undo", "9"])).status).toBe(1);
  expect((await tint(folder, ["catalog", "undo", "last"])).status).toBe(2);
});

test("a list that changed in several entries is named once", async () => {
  using folder = shopFolder();
  await tint(folder, ["hours", "set", "sat", "9-12", "1-5"]);
  const { stdout } = await tint(folder, ["catalog", "history"]);
  expect(stdout).toMatch(/^version +saved +changed\n1 .*M +business\.hours\.saturday\n$/);
});

test("a save of many prices is one line", async () => {
  using folder = shopFolder();
  await tint(folder, ["price", "raise", "ceramic", "5%"]);
  expect((await tint(folder, ["catalog", "history"])).stdout).toMatch(
    /^version +saved +changed\n1 .*M +automotive\.vehicle_types\.sedan\.ceramic\.full and 13 more\n$/,
  );
});

test("on a terminal an undo and a raise are asked about; y is yes", async () => {
  using folder = shopFolder();
  const before = folder.read();
  const raise = ["price", "raise", "ceramic", "5%"];
  const refused = await tintOnTerminal(folder, 120, raise, {}, ["n"]);
  expect(refused.join("\n")).toMatch(
    /suv ceramic full +\$599\.00 +→ +\$629\.00[\s\S]*Save these prices\?[\s\S]*Nothing was saved/,
  );
  expect(folder.read()).toBe(before);
  await tintOnTerminal(folder, 120, raise, {}, ["y"]);
  expect(folder.read()).not.toBe(before);
  expect((await tintOnTerminal(folder, 120, ["catalog", "undo"], {}, ["y"])).join("\n")).toContain("Go back to it?");
  expect(folder.read()).toBe(before);
});

test("50 versions of each catalog are kept", () => {
  using folder = shopFolder();
  const other = `${folder.catalog}.copy.yaml`;
  writeFileSync(other, folder.read());
  for (let i = 1; i <= 60; i++) keepVersion(folder.data, folder.catalog, `${i}`);
  keepVersion(folder.data, other, "other");
  const texts = versionsOf(folder.data, folder.catalog).map(({ text }) => text);
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([50, "60", "11"]);
  expect(versionsOf(folder.data, other).map(({ text }) => text)).toEqual(["other"]);
});

test("a save goes on where the version before cannot be kept, and says so", async () => {
  using folder = shopFolder();
  writeFileSync(folder.data, "a file where the folder should be");
  const { status, stderr } = await tint(folder, ["catalog", "set", "scheduling.bays", "3"]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("could not be kept")]);
});

test("one save is taken back alone, beside later ones in the same row; what a later save changed again stays", async () => {
  using folder = shopFolder();
  const before = folder.read();
  const set = (...args: string[]) => tint(folder, ["price", "set", "suv", ...args]);
  const undo = (...args: string[]) => tint(folder, ["catalog", "undo", ...args]);
  await set("ceramic", "full", "629");
  await set("standard", "full", "359");
  await tint(folder, ["block", "2099-12-31"]);
  const blocked = folder.read();
  expect((await undo("3", "--only")).stderr).toContain(
    "- automotive.vehicle_types.suv.ceramic.full: 629\n+ automotive.vehicle_types.suv.ceramic.full: 599\n",
  );
  expect(folder.read()).toBe(blocked.replace("full: 629", "full: 599"));
  // That was a save, too: the block is now the second.
  await undo("2", "--only");
  await undo("4", "--only");
  expect(folder.read()).toBe(before);
  await set("ceramic", "full", "639");
  await set("ceramic", "full", "649");
  const refused = await undo("2", "--only");
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("a later save changed the same place") });
  expect(folder.read()).toContain("full: 649");
});
