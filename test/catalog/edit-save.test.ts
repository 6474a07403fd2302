/** Saving an edit: only a good result, one program at a time, all or nothing. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeItem, setScalar } from "../../src/catalog/edit/changes.ts";
import { addFaq, blockDate, unblockDate } from "../../src/catalog/edit/everyday.ts";
import { editCatalog, previewEdit } from "../../src/catalog/edit/save.ts";
import { CatalogError } from "../../src/catalog/load/document.ts";
import { loadCatalog } from "../../src/catalog/load/load.ts";
import { EditError } from "../../src/catalog/source.ts";
import { datesFrom } from "../../src/domain/schedule.ts";
import { fileSource } from "../../src/store/catalog/file-source.ts";
import { takeFile } from "../../src/store/sqlite/file-lock.ts";
import { childEnv } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tint-edit-"));
  file = join(folder, "catalog.yaml");
  writeFileSync(file, CATALOG_TEXT);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bays = (count: number) => (text: string) => setScalar(text, ["scheduling", "bays"], count);

test("an edit is saved, with the catalog before and after", async () => {
  const edit = await editCatalog(fileSource(file), bays(3));
  expect([edit.before?.scheduling.bays, edit.after.scheduling.bays, edit.changed]).toEqual([2, 3, true]);
  expect(readFileSync(file, "utf8")).toBe(CATALOG_TEXT.replace("bays: 2 ", "bays: 3 "));
  expect(readdirSync(folder)).toEqual(["catalog.yaml"]);
});

test("what an edit saved is no news to the next reader", async () => {
  const source = { ...fileSource(file), memory: join(folder, "memory") };
  await editCatalog(source, bays(3));
  expect(loadCatalog(source)).toMatchObject({ isParsed: false, catalog: { scheduling: { bays: 3 } } });
});

test("a save sweeps away what killed saves left, and nothing else", async () => {
  const left = `.catalog.yaml.${crypto.randomUUID()}.tmp`;
  const others = [".catalog.yaml.mine.tmp", `.other.yaml.${crypto.randomUUID()}.tmp`, "catalog.yaml.bak"];
  for (const name of [left, ...others]) writeFileSync(join(folder, name), "half a cat");
  previewEdit(fileSource(file), bays(3));
  expect(readdirSync(folder)).toContain(left);
  await editCatalog(fileSource(file), bays(3));
  expect(readdirSync(folder).toSorted()).toEqual(["catalog.yaml", ...others].toSorted());
});

test("an edit that changes nothing leaves the file alone", async () => {
  const before = statSync(file);
  expect((await editCatalog(fileSource(file), bays(2))).changed).toBeFalse();
  expect(statSync(file).ino).toBe(before.ino);
});

describe("a broken edit is refused and the file stays as it was", () => {
  const price = ["automotive", "vehicle_types", "suv", "ceramic", "full"];
  test.each<[string, (text: string) => string, RegExp]>([
    ["a price that is no number", (text) => setScalar(text, price, "abc"), /full must be a number/],
    [
      "a rule of two keys",
      (text) => setScalar(text, ["flat_glass", "ballpark_per_sqft", "low"], 17),
      /must lie between 17 and 18/,
    ],
    [
      "a service that bookings need",
      (text) => removeItem(text, ["services"], 0),
      /has 3 mistakes|must be the key of a bookable service/,
    ],
    ["text that is no catalog", () => "a: 1\n", /is missing/],
    ["text that is no YAML", (text) => text.slice(0, 5000).replace("hours:", "hours: ["), /mistakes/],
  ])("%s", async (_, change, reason) => {
    await expect(editCatalog(fileSource(file), change)).rejects.toThrow(reason);
    expect(readFileSync(file, "utf8")).toBe(CATALOG_TEXT);
    expect(readdirSync(folder)).toEqual(["catalog.yaml"]);
  });

  test("faults of the catalog and refusals of the edit are different errors", async () => {
    await expect(editCatalog(fileSource(file), bays(0))).rejects.toBeInstanceOf(CatalogError);
    await expect(editCatalog(fileSource(file), (text) => unblockDate(text, "2026-12-31"))).rejects.toBeInstanceOf(
      EditError,
    );
  });
});

test("an edit can mend a faulty catalog", async () => {
  writeFileSync(file, CATALOG_TEXT.replace("bays: 2 ", "bays: two "));
  const edit = await editCatalog(fileSource(file), bays(2));
  expect(edit.before).toBeNull();
  expect(readFileSync(file, "utf8")).toBe(CATALOG_TEXT);
});

test("the file keeps its mode, and a link its target", async () => {
  chmodSync(file, 0o640);
  const link = join(folder, "link.yaml");
  symlinkSync("catalog.yaml", link);
  await editCatalog(fileSource(link), bays(4));
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readlinkSync(link)).toBe("catalog.yaml");
  expect(loadCatalog(fileSource(file)).catalog.scheduling.bays).toBe(4);
});

test("a byte-order mark and Windows line ends are kept", async () => {
  const text = `\uFEFF${CATALOG_TEXT.replaceAll("\n", "\r\n")}`;
  writeFileSync(file, text);
  await editCatalog(fileSource(file), bays(3));
  expect(readFileSync(file, "utf8")).toBe(text.replace("bays: 2 ", "bays: 3 "));
  await editCatalog(fileSource(file), (now) => blockDate(now, "2026-12-31", "Stocktaking"));
  await editCatalog(fileSource(file), (now) => addFaq(now, { category: "general", question: "Q?", answer: "A." }));
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines.slice(0, -1).filter((line) => !line.endsWith("\r"))).toEqual([]);
});

test("a file that is missing or not text is named", async () => {
  await expect(editCatalog(fileSource(join(folder, "other.yaml")), bays(3))).rejects.toThrow(
    /There is no .*other\.yaml/,
  );
  writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
  await expect(editCatalog(fileSource(file), bays(3))).rejects.toThrow("is not UTF-8 text");
});

describe("two editors at once", () => {
  test("in one program: no change is lost", async () => {
    const dates = datesFrom("2027-03-01", 4);
    await Promise.all(
      dates.map((date) => editCatalog(fileSource(file), (text) => blockDate(text, date), { waitMs: 60_000 })),
    );
    expect(loadCatalog(fileSource(file)).catalog.scheduling.blocked_dates.map(({ date }) => date)).toEqual(dates);
  }, 30_000);

  test("an edit does not wait for ever for another program", async () => {
    const release = takeFile(`${file}.lock`);
    await expect(editCatalog(fileSource(file), bays(3), { waitMs: 100 })).rejects.toThrow(
      "is being changed by another program",
    );
    expect(readFileSync(file, "utf8")).toBe(CATALOG_TEXT);
    release?.();
    await editCatalog(fileSource(file), bays(3), { waitMs: 0 });
    expect(readdirSync(folder)).toEqual(["catalog.yaml"]);
  });

  test("a program that was killed while it saved holds up no other", async () => {
    const locks = new URL("../../src/store/sqlite/file-lock.ts", import.meta.url).pathname;
    const hold = `(await import(${JSON.stringify(locks)})).takeFile(${JSON.stringify(`${file}.lock`)}); console.log("held"); await Bun.sleep(60_000);`;
    const killed = Bun.spawn([process.execPath, "-e", hold], { env: childEnv(), stdout: "pipe", stderr: "ignore" });
    await killed.stdout.getReader().read();
    await expect(editCatalog(fileSource(file), bays(3), { waitMs: 0 })).rejects.toThrow("by another program");
    killed.kill("SIGKILL");
    await killed.exited;
    expect(existsSync(`${file}.lock`)).toBeTrue();
    await editCatalog(fileSource(file), bays(3), { waitMs: 0 });
    expect(readdirSync(folder)).toEqual(["catalog.yaml"]);
  });

  test("a lock of release 1.0.0 that was left behind locks nobody out; one that cannot be made is the system's error", async () => {
    writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, host: "shop", id: crypto.randomUUID() }));
    await editCatalog(fileSource(file), (text) => blockDate(text, "2026-12-30"), { waitMs: 2000 });
    expect(existsSync(`${file}.lock`)).toBeFalse();
    expect(() => takeFile(join(file, "catalog.yaml.lock"))).toThrow("ENOTDIR");
  });

  test("a lock file that was taken away meanwhile locks nobody else out", () => {
    const release = takeFile(`${file}.lock`);
    rmSync(`${file}.lock`);
    const other = takeFile(`${file}.lock`);
    expect(other).toBeDefined();
    release?.();
    other?.();
    expect(readdirSync(folder)).toEqual(["catalog.yaml"]);
  });
});
