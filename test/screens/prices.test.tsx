/**
 * The price grids, of films and of add-ons: editing in place, refusals, undo, saving with the difference, and another
 * editor at work meanwhile.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { addFilm, addVehicleType } from "../../src/catalog/edit/terms.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { CATALOG_TEXT } from "../small-shop.ts";
import { openOn, saveChange, type Terminal } from "./render.tsx";

setDefaultTimeout(90_000);

const swap = (text: string, from: string, to: string) => text.replace(from, () => to);

/** Goes to the cell suv, ceramic, full and types a new value. */
async function typeSuvCeramic(terminal: Terminal, value: string): Promise<void> {
  await terminal.see("sedan, standard, full: 289");
  await terminal.press("down", "down", "right", "right").see("suv, ceramic, full: 599");
  await terminal.press(...value).see(`${value}▏`);
}

async function changeSuvCeramic(terminal: Terminal, value: string): Promise<void> {
  await typeSuvCeramic(terminal, value);
  await terminal.press("enter").see(`suv, ceramic, full: 599 → ${value}`);
}

test("a price is changed and saved, and nothing else of the file", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await changeSuvCeramic(terminal, "629.50");
  expect(await terminal.see("1 unsaved change")).toContain("629.50*");
  expect(folder.read()).toBe(CATALOG_TEXT);
  const asked = await terminal.press("s").see("Write this to catalog.yaml?");
  expect(asked).toMatch(/suv, ceramic, full +599 +→ +629\.50/);
  // Each price stands there once.
  expect(asked.match(/ceramic, full/g)).toHaveLength(1);
  expect(folder.read()).toBe(CATALOG_TEXT);
  await terminal.press("y").see("✓ Saved 1 change.");
  expect(folder.read()).toBe(swap(CATALOG_TEXT, "ceramic: {full: 599", "ceramic: {full: 629.50"));
});

/** A shop with more films and vehicle types than any terminal has columns and lines for. */
function shopWithManyWords(): ShopFolder {
  const folder = shopFolder();
  const films = ["carbon", "nano", "crystal"].reduce(
    (text, film) => addFilm(text, film, "standard", { name: film }),
    CATALOG_TEXT,
  );
  const types = ["minivan", "pickup", "limousine", "bus", "tractor", "camper", "hearse", "boat"];
  folder.write(types.reduce((text, type) => addVehicleType(text, type, "van"), films));
  return folder;
}

test("a grid that does not fit scrolls with the cursor", async () => {
  using folder = shopWithManyWords();
  const terminal = await openOn(folder, "prices", { columns: 60, rows: 20 });
  expect(await terminal.see("sedan, standard, full: 289")).toMatch(/^\d+ more →[\s\S]*↓ \d+ more/m);
  const right = await terminal.press("end").see("sedan, Clear windshield protective film: 425");
  expect([right.includes("← "), right.includes("more →")]).toEqual([true, false]);
  const last = await terminal.press("pagedown").see("boat, Clear windshield protective film: 495");
  expect([/↑ \d+ more/.test(last), /^↓/m.test(last)]).toEqual([true, false]);
  await terminal.press("left", "left", "left").see("boat, crystal, front two: 139");
  expect(await terminal.press("1", "4", "5", "enter").see("boat, crystal, front two: 139 → 145")).toContain("145*");
  await saveChange(terminal);
  expect(folder.read()).toMatch(/boat: .*crystal: \{full: 379, front2: 145\}/);
  await terminal.press("home", "pageup").see("sedan, standard, full: 289");
  // Every cell is reached by the arrows alone.
  await terminal.press(...Array(12).fill("right")).see("sedan, Clear windshield protective film: 425");
});

test("Esc drops what was typed; u takes back what was accepted", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await typeSuvCeramic(terminal, "1");
  await terminal.press("esc").lose("New value");
  await terminal.press("2", "0", "enter").see("suv, ceramic, full: 599 → 20");
  await terminal.press("u").lose("unsaved");
  await terminal.press("s").see("There is nothing to save.");
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("of two editors the later save wins, says what it replaced; u undoes it, U does it again", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await changeSuvCeramic(terminal, "601");
  const theirs = swap(CATALOG_TEXT, "ceramic: {full: 599", "ceramic: {full: 611");
  folder.write(theirs);
  await terminal.see("suv, ceramic, full: 611 → 601");
  const asked = await terminal.press("s").see("Write this to catalog.yaml?");
  expect(asked).toMatch(/611 +→ +601/);
  expect(asked.replace(/\s+/g, " ")).toContain(
    "This replaces suv, ceramic, full: 611, which somebody else wrote meanwhile.",
  );
  const saved = await terminal.press("y").see("✓ Saved 1 change");
  expect(saved.replace(/\s+/g, " ")).toContain(
    "Saved 1 change, in place of suv, ceramic, full: 611, which somebody else wrote meanwhile. u undoes it.",
  );
  expect(folder.read()).toBe(swap(theirs, "ceramic: {full: 611", "ceramic: {full: 601"));
  await terminal.press("u").see("601 → 611. U does it again.");
  expect(folder.read()).toBe(theirs);
  await terminal.press("U").see("611 → 601. u undoes it.");
  expect(folder.read()).toBe(swap(theirs, "ceramic: {full: 611", "ceramic: {full: 601"));
});

test("an arrow accepts the value and moves; a refused value keeps the cursor", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices", { sees: "sedan, standard, full: 289" });
  const frame = await terminal.press("2", "9", "1", "right").see("sedan, standard, front two: 129");
  expect(frame).toContain("1 unsaved change");
  await terminal.press("backtab").see("sedan, standard, full: 289 → 291");
  await terminal.press("-", "1", "down").see("✗ sedan, standard, full must be 0 or more");
  await terminal.press("esc").lose("New value");
  await terminal.press("enter", "backspace", "2", "down").see("coupe, standard, full");
  await terminal.press("up").see("sedan, standard, full: 289 → 292");
});

test("back to home: y drops the changes, s saves them first", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "home", { sees: "Nothing is booked for today." });
  terminal.press("p");
  await changeSuvCeramic(terminal, "601");
  await terminal.press("esc").see("Leave with 1 unsaved change?");
  await terminal.press("y").see("Nothing is booked for today.");
  expect(folder.read()).toBe(CATALOG_TEXT);
  terminal.press("p");
  await changeSuvCeramic(terminal, "602");
  await terminal.press("esc").see("Leave with 1 unsaved change?");
  await terminal.press("s").see("Write this to catalog.yaml?");
  await terminal.press("y").see("✓ Saved 1 change.");
  expect(folder.read()).toBe(swap(CATALOG_TEXT, "ceramic: {full: 599", "ceramic: {full: 602"));
  // Nothing is unsaved any more: u takes the save itself back, and Esc no longer asks.
  await terminal.press("u").see("602 → 599. U does it again.");
  await terminal.press("esc").see("Nothing is booked for today.");
});

test("a save is refused while the file has a mistake; the changes stay and can be saved later", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await changeSuvCeramic(terminal, "601");
  const broken = swap(CATALOG_TEXT, "version: 1", "version: 9");
  folder.write(broken);
  await terminal.see("catalog.yaml has a mistake");
  await terminal.press("s").see("Write this to catalog.yaml?");
  await terminal.press("y").see(/✗ Not saved, because then [\s\S]*version must be 1/);
  expect(folder.read()).toBe(broken);
  expect(terminal.frame()).toContain("1 unsaved change");
  folder.write(CATALOG_TEXT);
  await terminal.lose("catalog.yaml has a mistake");
  await saveChange(terminal);
  expect(folder.read()).toBe(swap(CATALOG_TEXT, "ceramic: {full: 599", "ceramic: {full: 601"));
});

test("a price that is probably a slip is named before it is saved", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices", { sees: "Prices, USD" });
  const question = await terminal.press(..."28", "down", ..."24", "enter", "s").see("Write this to catalog.yaml?");
  expect(question).toContain("sedan, standard, full: that is a change by more than half.");
  expect(question).toMatch(/coupe, standard, full: standard full is 24, far below 319, the middle of its\s+column/);
});

test("+ raises a column, shows the difference before it is saved, and u undoes the save", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices", { sees: "Prices, USD" });
  await terminal.press("+").see(/c the column, standard full +r the row, sedan/);
  await terminal.press("r", ..."10%", "enter").see("7 prices changed, not saved yet");
  await terminal.see(/425 → 468/);
  // The row and the column share a cell.
  await terminal.press("+", "c").see("by, like 5%, -2.5%, or 7% rounded to 5");
  await terminal
    .press(..."10% rounded to 5", "enter")
    .see(/one of them on top of an unsaved change \(sedan, standard,\s+full: 289 → 318 → 350\)/);
  await terminal.press("u", "u").lose("unsaved");
  await terminal.press("+", "a", ..."10%", "enter").see("49 prices changed, not saved yet");
  await terminal.press("u").lose("unsaved");
  await terminal.press("+", "c", ..."much", "enter").see("much is not a percentage");
  await terminal.press("ctrl+u", ..."5% to 5", "enter").see("7 prices changed, not saved yet");
  // 289 and 5% are 303.45.
  await terminal.see(/sedan, standard, full: 289 → 305/);
  await terminal.press("s").see(/sedan, standard, full +289 +→ +305/);
  await terminal.see("Write this to catalog.yaml?");
  await terminal.press("y").see("✓ Saved 7 changes. u undoes it.");
  expect(folder.read()).toContain("full: 305");
  await terminal.press("u").see(/sedan\.standard\.full: 305 → 289;\s+auto/);
  expect(folder.read()).not.toContain("full: 305");
});

test("a price and the minutes of an add-on", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "addons", { sees: "Windshield strip, standard: 59" });
  await terminal.press("down", "down", "right").see("Sunroof film, ceramic: 129");
  await terminal.press("1", "3", "9", "enter").see("Sunroof film, ceramic: 129 → 139");
  await terminal.press("right", "6", "0", "enter").see("Sunroof film, minutes: 45 → 60");
  const asked = await terminal.press("s").see("Write this to catalog.yaml?");
  expect(asked).toMatch(/suv, ceramic, sunroof +\$129\.00 +→ +\$139\.00/);
  await terminal.press("y").see("✓ Saved 2 changes.");
  expect(folder.read()).toBe(swap(swap(CATALOG_TEXT, "ceramic: 129", "ceramic: 139"), "minutes: 45", "minutes: 60"));
});
