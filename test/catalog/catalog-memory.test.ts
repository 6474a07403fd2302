/** A catalog that is read again: the same answers as the first time, whatever is remembered of it. */
import { expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { perCatalog } from "../../src/catalog/per-catalog.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { CATALOG, catalogWith } from "../helpers.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { CALIFORNIA_FILE } from "../shops.ts";

const memoryOf = ({ path }: ShopFolder) => join(path, "memory");
const load = (folder: ShopFolder, memory: string | null = memoryOf(folder)) =>
  loadCatalog({ ...fileSource(folder.catalog), memory });
const filesOf = (folder: ShopFolder) =>
  existsSync(memoryOf(folder)) ? readdirSync(memoryOf(folder)).map((name) => join(memoryOf(folder), name)) : [];

test("the second load reads without positions, and gives the same; a changed file is read anew", () => {
  using folder = shopFolder({ "scheduling.bays": 2 });
  const first = load(folder);
  expect(first.isParsed).toBe(true);
  const second = load(folder);
  expect(second).toEqual({ ...first, isParsed: false });
  expect(JSON.stringify(second.written)).toBe(JSON.stringify(first.written));
  expect(Object.isFrozen(second.catalog.scheduling)).toBe(true);
  expect(load(folder).catalog).toBe(second.catalog);
  folder.edit({ "scheduling.bays": 3 });
  expect([load(folder), load(folder)].map((one) => [one.isParsed, one.catalog.scheduling.bays])).toEqual([
    [true, 3],
    [false, 3],
  ]);
  expect(load(folder, null).isParsed).toBe(true);
});

test("only hashes are remembered, the last twenty, where nobody else reads them", () => {
  using folder = shopFolder();
  const text = readFileSync(CALIFORNIA_FILE, "utf8");
  const hashes = Array.from({ length: 21 }, (_, i) => {
    writeFileSync(folder.catalog, `${text}# ${i}\n`);
    return load(folder).hash;
  });
  const [file = "", ...others] = filesOf(folder);
  expect(others).toEqual([]);
  expect(readFileSync(file, "utf8").split("\n")).toEqual(hashes.reverse().slice(0, 20));
  expect([file, memoryOf(folder)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
}, 60_000);

test("values of a text that passed are checked again", () => {
  using folder = shopFolder();
  const { hash } = load(folder);
  folder.write("currency: USD\n");
  const [file = ""] = filesOf(folder);
  const refused = Bun.CryptoHasher.hash("sha256", "currency: USD\n", "hex");
  writeFileSync(file, readFileSync(file, "utf8").replace(hash, refused));
  expect(() => load(folder)).toThrow(CatalogError);
  expect(() => load(folder)).toThrow("business is missing");
});

test.each([
  ["a merge key", "<<: {map: https://marlowridge.example/other}"],
  ["a key that is a number with a fraction", "1.0: https://marlowridge.example/other"],
  ["a key that is a tilde", "~: https://marlowridge.example/other"],
])("a text that Bun's reader takes otherwise is never remembered: %s", (_, link) => {
  using folder = shopFolder();
  const text = readFileSync(folder.catalog, "utf8");
  const changed = text.replace(
    /^ {2}geo: /m,
    (line) => `  links: {${link}, map: https://marlowridge.example/map}\n${line}`,
  );
  expect(changed).not.toBe(text);
  folder.write(changed);
  const outcomes = [1, 2].map(() => {
    try {
      return Object.keys(load(folder).written.business.links).join();
    } catch (error) {
      return String(error);
    }
  });
  expect(outcomes[1]).toBe(outcomes[0] ?? "");
  expect(filesOf(folder)).toEqual([]);
});

test("plain words read alike: those of YAML 1.1 are texts, in any notation a number is that number", () => {
  const words = ["yes", "Off", "012", "0o14", "0x1F", "1_000", "+1", ".5", "1e3", "2026-11-24", "09:30", "190:20:30"];
  for (const word of words) expect([word, Bun.YAML.parse(`k: ${word}`)]).toEqual([word, parse(`k: ${word}`)]);
});

test("a memory that cannot be read or written costs nothing but time", () => {
  using folder = shopFolder();
  expect(load(folder, join(folder.catalog, "memory")).catalog.currency).toBe("USD");
  mkdirSync(memoryOf(folder));
  mkdirSync(join(memoryOf(folder), `good-catalogs-${Bun.version}`));
  expect([load(folder).isParsed, load(folder).isParsed]).toEqual([true, true]);
});

test("what Bun's reader refuses is read with positions again", () => {
  using folder = shopFolder();
  const reader = spyOn(Bun.YAML, "parse").mockImplementation(() => {
    throw new SyntaxError("refused");
  });
  try {
    expect([load(folder).isParsed, load(folder).isParsed]).toEqual([true, true]);
  } finally {
    reader.mockRestore();
  }
});

// What is worked out from a catalog, once.

test("a value is worked out once per catalog, and anew for another catalog", () => {
  let made = 0;
  const name = perCatalog(({ business }) => {
    made += 1;
    return business.name;
  });
  expect([name(CATALOG), name(CATALOG)]).toEqual([CATALOG.business.name, CATALOG.business.name]);
  expect(made).toBe(1);
  expect(name(catalogWith({ "business.name": "Other Film" }))).toBe("Other Film");
  expect(name(CATALOG)).toBe(CATALOG.business.name);
  expect(made).toBe(2);
});

test("a value may be undefined, and a failure is not kept", () => {
  let made = 0;
  const nothing = perCatalog(() => void made++);
  nothing(CATALOG);
  nothing(CATALOG);
  expect(made).toBe(1);
  let isBroken = true;
  const fragile = perCatalog(() => {
    if (isBroken) throw new Error("broken");
    return "whole";
  });
  expect(() => fragile(CATALOG)).toThrow("broken");
  isBroken = false;
  expect(fragile(CATALOG)).toBe("whole");
});

test("what the catalog says of a date is worked out once per catalog and date", () => {
  const date = "2026-11-23";
  const plan = planOf(CATALOG, date);
  expect(planOf(CATALOG, date)).toBe(plan);
  expect(planOf(CATALOG, "2026-11-24")).toMatchObject({ date: "2026-11-24" });
  expect(planOf(CATALOG, date)).toBe(plan);
  const other = catalogWith({ "scheduling.horizon_days": 10 });
  expect(planOf(other, date)).toMatchObject({ date, horizon: "2026-12-03" });
  expect(planOf(CATALOG, date)).toBe(plan);
  // More dates than are kept.
  for (let i = 0; i < 2000; i++) planOf(CATALOG, `${1000 + i}-06-01`);
  expect(planOf(CATALOG, date)).toEqual(plan);
});
