/** The catalog screen: it opens the other screens, and changes any single value by its path. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { catalogStoreWith } from "../store/fake-catalogs.ts";
import { openOn, SIZES, type Terminal } from "./render.tsx";

setDefaultTimeout(90_000);

/** Asks for a value by its path; what is typed then replaces the old one. */
async function askFor(terminal: Terminal, path: string, value: string): Promise<void> {
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press(path, "enter").see(`${path}: [${value}]`);
}

for (const size of SIZES) {
  test(`a value is found by its path, changed, and saved with the difference, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "catalog", size);
    const menu = await terminal.see("Any value");
    for (const title of ["Prices", "Add-ons", "Opening hours", "Questions"]) expect(menu).toContain(title);
    await askFor(terminal, "scheduling.bays", "2");
    expect(await terminal.press("3", "enter").see("scheduling.bays: 2 → 3")).toContain("1 unsaved change");
    expect(folder.read()).toBe(CATALOG_TEXT);
    expect(await terminal.press("s").see("Write this to catalog.yaml?")).toMatch(/scheduling\.bays +2 +→ +3/);
    await terminal.press("y").see("✓ Saved 1 change.");
    expect(folder.read()).toBe(CATALOG_TEXT.replace("bays: 2 ", "bays: 3 "));
  });
}

test("Enter on the last line asks for a path; on the others it opens their screens", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("end", "enter").see("Path, like scheduling.bays:");
  await terminal.press("esc").see("q quit");
  await terminal.press("home", "enter").see("sedan, standard, full: 289");
  await terminal.press("esc").see("Any value");
  await terminal.press("down", "down", "enter").see(/monday +9:00 AM–6:00 PM/);
});

test("a bad value is refused with the reason, and nothing waits to be saved", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  expect(await terminal.press("many", "enter").see("✗ scheduling.bays must be a whole number")).not.toContain(
    "unsaved",
  );
  // What was typed is still there.
  expect(terminal.frame()).toContain("scheduling.bays: many▏");
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a wrong path and a group are explained in full", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press("schedulin", "enter").see(/✗ .*schedulin/);
  await terminal.press("g", ".", "job_minutes", "enter").see("scheduling.job_minutes is a group: it has full, front2,");
  expect(await terminal.see("ceramic_extra")).not.toContain("…");
});

test("another screen is not opened over changes that are not saved", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  await terminal.press("3", "enter").see("1 unsaved change");
  await terminal.press("enter").see("✗ Save the changes made here first (s), or take them back (u).");
  await terminal.press("u", "enter").see("sedan, standard, full: 289");
});

test("Ctrl+C in the middle of a path asks, and the path is still there", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press("business", "ctrl+c").see("Leave? What is being typed is lost.");
  await terminal.press("esc").see("Path, like scheduling.bays: business▏");
});

test("while the file has a mistake nothing can be changed; the place of the mistake is shown", async () => {
  using folder = shopFolder();
  folder.write(CATALOG_TEXT.replace("version: 1", "version: 9"));
  const terminal = await openOn(folder, "catalog");
  const frame = await terminal.see("Fix it in a text editor");
  expect(frame).toMatch(/catalog\.yaml:\d+:\d+: version must be 1/);
  // The caret is under the value.
  expect(frame).toMatch(/\| version: 9.*\n.*\| {10}\^/);
  folder.write(CATALOG_TEXT);
  await terminal.see("Any value");
});

test("in a database: an edit from another machine goes beneath the unsaved one, a save is a version, and u goes back", async () => {
  using folder = shopFolder();
  const { open, put, versions } = catalogStoreWith(CATALOG_TEXT);
  const terminal = await openOn(folder, "catalog", { catalogSource: await open(), sees: "Any value" });
  await askFor(terminal, "scheduling.bays", "2");
  await terminal.press("3", "enter").see("scheduling.bays: 2 → 3");
  put(CATALOG_TEXT.replace("lead_minutes: 120", "lead_minutes: 240"));
  await terminal.press("s").see("Write this to the catalog?");
  await terminal.press("y").see("✓ Saved 1 change.");
  expect(versions.map(({ note }) => note)).toEqual(["", "", "scheduling.bays"]);
  expect(versions[2]?.text).toContain("lead_minutes: 240");
  await terminal.press("u").see("scheduling.bays: 3 → 2. U does it again.");
  // Somebody else saves before it is done again.
  put(versions[3]?.text.replace("lead_minutes: 240", "lead_minutes: 300") ?? "");
  await terminal.press("U").see("Somebody else changed the catalog in the meantime");
  expect(versions).toHaveLength(5);
});

test("a database without a catalog: the screen says how to bring one in, and goes on once it is there", async () => {
  using folder = shopFolder();
  const { open, put } = catalogStoreWith();
  const terminal = await openOn(folder, "catalog", { catalogSource: await open(), sees: "tint catalog import" });
  put(CATALOG_TEXT);
  await terminal.see("Any value");
});
