/** Saves of the catalog: `tint catalog history` and `undo`, raised prices, and values that are probably not meant. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { keepVersion, versionsOf } from "../../src/store/catalog/history.ts";
import { freePort, shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { expectRefusals, saying, tint, tintJson, tintOnTerminal } from "./run.ts";

setDefaultTimeout(30_000);

test("a save is undone byte for byte, and the undo too", async () => {
  using folder = shopFolder();
  const before = folder.read();
  await tint(folder, ["price", "set", "suv", "ceramic", "full", "629"]);
  const after = folder.read();
  const undone = await tint(folder, "catalog undo");
  expect(undone.stdout).toMatch(
    /^As it was before the save of .*\.\n- .*suv.ceramic.full: 629\n\+ .*suv.ceramic.full: 599\n/,
  );
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
  expect((await tint(folder, "catalog undo")).stdout).toContain("As it was");
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
  const json = await tintJson(folder, ["catalog", "history"]);
  expect(json[1].changes).toEqual([{ path: "scheduling.bays", old: 2, new: 3 }]);
  expect((await tint(folder, ["catalog", "undo", "2", "--dry-run"])).stdout).toMatch(
    /\nA later save goes with it: .*\.\n/,
  );
  expect((await tint(folder, ["catalog", "undo", "--dry-run"])).stdout).not.toContain("later save");
  expect(folder.read()).toBe(now);
  await tint(folder, ["catalog", "undo", "2"]);
  expect(folder.read()).toBe(before);
  expect((await tint(folder, ["catalog", "undo", "9"])).status).toBe(1);
  expect((await tint(folder, ["catalog", "undo", "last"])).status).toBe(2);
});

test("a save of many prices is one line, and so is a list that changed in several entries", async () => {
  using folder = shopFolder();
  await tint(folder, ["price", "raise", "ceramic", "5%"]);
  await tint(folder, ["hours", "set", "sat", "9-12", "1-5"]);
  expect((await tint(folder, ["catalog", "history"])).stdout).toMatch(
    /\n1 .*M +business\.hours\.saturday\n2 .*M +automotive\.vehicle_types\.sedan\.ceramic\.full and 13 more\n$/,
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
  await tint(folder, raise);
  expect(folder.read()).not.toBe(before);
  expect((await tintOnTerminal(folder, 120, ["catalog", "undo"], {}, ["y"])).join("\n")).toMatch(
    /- automotive[\s\S]*\+ automotive[\s\S]*suv, ceramic, full[\s\S]*Go back to it\?/,
  );
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
  expect((await undo("3", "--only")).stdout).toContain(
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
  expect(refused).toMatchObject(saying(1, "a later save changed the same place"));
  expect(folder.read()).toContain("full: 649");
});

const SUV = "automotive.vehicle_types.suv";

test.each([
  [["5%"], 629],
  [["5%", "--round", "5"], 630],
  [["--", "-10%"], 539],
])("tint price raise ceramic %p", async (words, price) => {
  using folder = shopFolder();
  const get = async (path: string) => Number((await tint(folder, ["catalog", "get", path])).stdout);
  const { status, stdout, stderr } = await tint(folder, ["price", "raise", "ceramic", ...words]);
  expect([status, stderr]).toEqual([0, expect.stringContaining("Saved")]);
  expect(stdout).toMatch(/^suv ceramic full +\$599\.00 +→ +\$/m);
  // Each price stands there once.
  expect(stdout).not.toContain("suv, ceramic, full");
  expect(await get(`${SUV}.ceramic.full`)).toBe(price);
  await tint(folder, ["catalog", "undo"]);
  expect(await get(`${SUV}.ceramic.full`)).toBe(599);
});

test("the prices of one vehicle, of every film or of one", async () => {
  using folder = shopFolder();
  const get = async (path: string) => Number((await tint(folder, ["catalog", "get", path])).stdout);
  const { stdout } = await tint(folder, ["price", "raise", "--vehicle", "SUV", "7%", "--round", "5"]);
  expect(stdout).toMatch(/^suv standard full +\$349\.00 +→ +\$375\.00$/m);
  expect(stdout).toMatch(/^suv clearplex +\$475\.00 +→ +\$510\.00$/m);
  expect(stdout).not.toMatch(/^sedan/m);
  // A vehicle in place of a film is what --vehicle names.
  const suv = await tint(folder, ["price", "raise", "suv", "10%", "--dry-run"]);
  expect(suv.stdout).toMatch(/^suv ceramic full/m);
  expect(suv.stdout).not.toMatch(/^sedan/m);
  await tint(folder, ["price", "raise", "ceramic", "10%", "--vehicle", "pickup"]);
  expect(await get("automotive.vehicle_types.truck.ceramic.full")).toBe(582);
  expect((await tint(folder, ["price", "raise", "7%"])).stderr).toContain("--vehicle suv");
  const all = await tint(folder, "price raise All 10%");
  expect(all.stdout).toMatch(/^sedan standard[\s\S]*^truck standard/m);
  expect(all.stderr).toEndWith("\nTo undo it: tint catalog undo\n");
});

test("all means all: extras, removal and glass, which is rounded to the cent", async () => {
  using folder = shopFolder();
  await tint(folder, ["catalog", "set", "flat_glass.tens_from", "2000"]);
  const { stdout } = await tint(folder, ["price", "raise", "all", "10%"]);
  // From where the page rounds is no price.
  expect(stdout).not.toContain("tens from");
  expect(stdout).toMatch(/^suv film removal full +\$225\.00 +→ +\$248\.00$/m);
  expect(stdout).toMatch(/^addons sunroof price ceramic +\$129\.00 +→ +\$142\.00$/m);
  expect(stdout).toMatch(/^rates per sqft commercial better +\$16\.75 +→ +\$18\.43$/m);
  expect(stdout).toMatch(/^blocked window each +\$35\.00 +→ +\$39\.00$/m);
});

test("a dry run saves nothing; slips are named", async () => {
  using folder = shopFolder();
  const before = folder.read();
  await tint(folder, ["price", "raise", "ceramic", "5%", "--dry-run"]);
  expect(folder.read()).toBe(before);
  for (const typo of ["cermic 5%", "ceramic much", "ceramic 5% --round 0", "ceramic -- -100%"])
    await expectRefusals(folder, [[`price raise ${typo}`, 2, ""]]);
  expect(folder.read()).toBe(before);
});

/** The catalog without special days, and with pieces of text replaced. */
function edited(...edits: [from: string, to: string][]): string {
  const calm = CATALOG_TEXT.replace(/^ {2}special_hours: .*\n( {4}- .*\n)+/m, "");
  return edits.reduce((text, [from, to]) => {
    expect([from, text.split(from).length - 1]).toEqual([from, 1]);
    return text.replace(from, () => to);
  }, calm);
}

const DOUBTS: [edit: [from: string, to: string], mark: string, message: string][] = [
  [
    [
      "  reviews: null ",
      '  reviews: {rating: 4.9, count: 212, source: Google, url: "https://g.example", reviewed_on: "2020-01-01"} ',
    ],
    '"2020-01-01"',
    "site.reviews.reviewed_on were read more than 90 days ago: look at https://g.example, and set rating, count and reviewed_on.",
  ],
  [
    ["name: Marlow Ridge Window Film ", "name: Tint shop #1 in town "],
    "Tint shop #1",
    "this text ends before the #: put quotes around it if the rest belongs to it.",
  ],
  [
    ["label: Metro Atlanta", "label: “Metro Atlanta”"],
    "“Metro Atlanta”",
    'these are no quotes of YAML, so that customers see them: write "…".',
  ],
  [
    ["    sunday: []\n", '    sunday: []\n  special_hours:\n    - {date: "2020-12-25", closed: true}\n'],
    '{date: "2020-12-25"',
    "business.special_hours.0 has a day that has passed: 2020-12-25. Take it out, or correct its year.",
  ],
  [
    ["ceramic: {full: 599, front2: 239}", "ceramic: {full: 5990, front2: 239}"],
    "5990",
    "automotive.vehicle_types.suv.ceramic.full is 5990, far above 549, the middle of its column: is a digit too many?",
  ],
  [
    ["film_removal: {full: 225, front2: 80}", "film_removal: {full: 80, front2: 225}"],
    "225}",
    "automotive.vehicle_types.suv.film_removal.front2 is dearer than full, which covers more: front two windows 225, all side and rear windows 80.",
  ],
  [
    ["standard: 59, ceramic: 99}", "standard: 59, ceramic: 0}"],
    "ceramic: 0}",
    "automotive.addons.windshield_strip.price.ceramic is 0: customers are told it costs nothing.",
  ],
];

test.each(DOUBTS)("%p is noted at its line, exit 0", async (edit, mark, message) => {
  using folder = shopFolder();
  const text = edited(edit);
  folder.write(text);
  const line = text.slice(0, text.indexOf(mark)).split("\n").length;
  const { status, stderr } = await tint(folder, "catalog check");
  expect([status, stderr.split("\n").length]).toEqual([0, 2]);
  expect(stderr).toStartWith(`Note: ${folder.catalog}:${line}:`);
  expect(stderr).toContain(message);
  const json = await tint(folder, ["catalog", "check", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ valid: true, notes: [expect.stringContaining(message)] });
});

test("notes behind a text, and prices of 0 that are meant, are none", async () => {
  using folder = shopFolder();
  folder.write(
    edited(
      ["name: Marlow Ridge Window Film ", "name: Marlow Ridge # our name"],
      ["clearplex: 475}", "clearplex: 0}"],
      ["key: clearplex, ", "key: clearplex, free: true, "],
    ),
  );
  // One price of 0 among others is far from nothing: it is said to be free.
  expect(await tint(folder, ["catalog", "check"])).toMatchObject({ status: 0, stderr: "" });
});

test("doctor warns of the first, with the number of the others", async () => {
  using folder = shopFolder();
  folder.write(edited(...DOUBTS.slice(0, 3).map(([edit]) => edit)));
  const { checks } = await tintJson(folder, "doctor", { env: { PORT: String(freePort()) } });
  const [message, fix] = [
    /is good: Tint shop\. But .*catalog\.yaml:\d+:\d+: this text ends .* \(and 2 more\)$/,
    "tint catalog check names each with its line",
  ];
  expect(checks).toContainEqual({ name: "catalog", level: "warning", message: expect.stringMatching(message), fix });
});
