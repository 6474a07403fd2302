/** Opening hours on screen: the week, single days, and refused input. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readOpeningTimes } from "../../cli/catalog/opening-times.ts";
import { CATALOG_TEXT } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { openOn, SIZES, saveChange, type Terminal } from "./render.tsx";

setDefaultTimeout(30_000);

/** Empties the line that is typed, and types another. */
function retype(terminal: Terminal, text: string): void {
  terminal.press("ctrl+u", ...text, "enter");
}

for (const size of SIZES) {
  test(`a day of the week, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "hours", size);
    expect(await terminal.see(/sunday +closed/)).toMatch(/2026-12-24 +09:00-13:00 +Christmas Eve/);
    terminal.press("enter");
    await terminal.see("monday (09:00-18:00, or closed): 09:00-18:00");
    retype(terminal, "8-12, 13-17:30");
    await terminal.see(/monday +08:00-12:00, 13:00-17:30/);
    await saveChange(terminal);
    const monday = 'monday:    [{opens: "08:00", closes: "12:00"}, {opens: "13:00", closes: "17:30"}]';
    expect(folder.read()).toBe(CATALOG_TEXT.replace('monday:    [{opens: "09:00", closes: "18:00"}]', monday));
  });
}

const REFUSED = [
  ["nine to five", "is not a span of time"],
  ["18:00-09:00", "closes must be later than opens"],
  ["25:00-26:00", "opens must be a time of day written HH:MM"],
] as const;
for (const [typed, reason] of REFUSED) {
  test(`${typed} is refused with the reason`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "hours");
    await terminal.see(/monday +09:00-18:00/);
    terminal.press("enter");
    await terminal.see("monday (09:00");
    retype(terminal, typed);
    await terminal.see(reason);
    terminal.press("esc");
    await terminal.lose(reason);
    expect(folder.read()).toBe(CATALOG_TEXT);
  });
}

test("a single day is given hours, and taken away again", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours");
  await terminal.see(/monday +09:00-18:00/);
  terminal.press("n");
  await terminal.see("Which day (YYYY-MM-DD)");
  terminal.press(..."2026-12-32", "enter");
  await terminal.see("is not a date of the calendar");
  retype(terminal, "2026-12-31");
  await terminal.see("2026-12-31, open");
  retype(terminal, "9-12");
  await terminal.see("Reason for customers");
  terminal.press(..."New Year's Eve", "enter");
  await terminal.see(/2026-12-31 +09:00-12:00 +New Year's Eve/);
  await saveChange(terminal);
  expect(folder.read()).toContain(
    '    - {date: "2026-12-31", hours: [{opens: "09:00", closes: "12:00"}], reason: New Year\'s Eve}\n    - {date: "2027',
  );
  for (let i = 0; i < 10; i++) terminal.press("down");
  terminal.press("d");
  await terminal.lose("2026-12-31");
  await saveChange(terminal);
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a day of the week cannot be removed, a single day keeps its reason when its times change", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours");
  await terminal.see(/monday +09:00-18:00/);
  terminal.press("d");
  await terminal.see("✗ A day of the week stays: press Enter and write closed.");
  for (let i = 0; i < 8; i++) terminal.press("down");
  await terminal.see("› 2026-12-24");
  terminal.press("enter");
  await terminal.see(/2026-12-24, open \(09:00-18:00, or closed\):\s+› 09:00-13:00▏/);
  retype(terminal, "10-12");
  await terminal.see("Reason for customers, or nothing: Christmas Eve");
  terminal.press("enter");
  await terminal.see(/2026-12-24 +10:00-12:00 +Christmas Eve/);
  terminal.press("u");
  await terminal.see(/2026-12-24 +09:00-13:00 +Christmas Eve/);
});

test("opening times as an owner types them", () => {
  expect(readOpeningTimes("closed")).toEqual([]);
  expect(readOpeningTimes("9-12, 13:00 – 24:00")).toEqual([
    { opens: "09:00", closes: "12:00" },
    { opens: "13:00", closes: "24:00" },
  ]);
  for (const typed of ["", "9", "9-12,", "12-9", "9-13, 12-18", "9-25"])
    expect(readOpeningTimes(typed)).toEqual(expect.any(String));
});
