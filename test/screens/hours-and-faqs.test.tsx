/** The screens of opening hours and of questions and answers. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { tint } from "../cli/run.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";
import { openOn, saveChange, type Terminal } from "./render.tsx";

setDefaultTimeout(90_000);

/** Empties the line that is typed, and types another. */
function retype(terminal: Terminal, text: string): void {
  terminal.press("ctrl+u", ...text, "enter");
}

test("a day of the week", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours");
  const week = await terminal.see(/sunday +closed/);
  expect(week).toContain("reason, for customers");
  expect(week).toMatch(/Thu Dec 24, 2026 +9:00 AM–1:00 PM +Christmas Eve/);
  const asked = await terminal.press("enter").see("monday (like 9am-6pm, or closed): [9:00 AM–6:00 PM]");
  expect(asked).toContain("Enter accept  Esc cancel  a-z replace, ←→ edit  Ctrl+U empty");
  await terminal.press(..."8-12, 13-17:30", "enter").see(/monday +8:00 AM–12:00 PM, 1:00 PM–5:30 PM/);
  await saveChange(terminal);
  const monday = 'monday:    [{opens: "08:00", closes: "12:00"}, {opens: "13:00", closes: "17:30"}]';
  expect(folder.read()).toBe(CATALOG_TEXT.replace('monday:    [{opens: "09:00", closes: "18:00"}]', monday));
});

test("times that cannot be are refused with the reason", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours", { sees: /monday +9:00 AM–6:00 PM/ });
  await terminal.press("enter").see("monday (like");
  retype(terminal, "18:00-09:00");
  await terminal.see("closes must be later than opens");
  await terminal.press("esc").lose("closes must be later than opens");
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a single day is given hours, and taken away again", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours", { sees: /monday +9:00 AM–6:00 PM/ });
  await terminal.press("n", ..."yesterday", "enter").see("is past: its hours would change nothing.");
  await terminal.press("esc").lose("Which day");
  await terminal.press("n").see("Which day, like Dec 24 or 12/24");
  await terminal.press(..."2026-12-32", "enter").see("is not a date of the calendar");
  retype(terminal, "2026-12-31");
  await terminal.see("Thu Dec 31, open");
  retype(terminal, "9-12");
  await terminal.see("Reason for customers");
  await terminal.press(..."New Year's Eve", "enter").see(/Thu Dec 31, 2026 +9:00 AM–12:00 PM +New Year's Eve/);
  await saveChange(terminal);
  expect(folder.read()).toContain(
    '    - {date: "2026-12-31", hours: [{opens: "09:00", closes: "12:00"}], reason: New Year\'s Eve}\n    - {date: "2027',
  );
  for (let i = 0; i < 10; i++) terminal.press("down");
  await terminal.press("x").lose("Thu Dec 31");
  await saveChange(terminal);
  expect(folder.read()).toBe(CATALOG_TEXT);
});

test("a day of the week cannot be removed, a single day keeps its reason when its times change", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "hours", { sees: /monday +9:00 AM–6:00 PM/ });
  await terminal.press("x").see("✗ A day of the week stays: press Enter and write closed.");
  for (let i = 0; i < 8; i++) terminal.press("down");
  await terminal.see("› Thu Dec 24, 2026");
  await terminal.press("enter").see(/Thu Dec 24, open \(like 9am-6pm, or closed\):\s+› \[9:00 AM–1:00 PM\]/);
  retype(terminal, "10-12");
  await terminal.see("Reason for customers, or nothing: [Christmas Eve]");
  await terminal.press("enter").see(/Thu Dec 24, 2026 +10:00 AM–12:00 PM +Christmas Eve/);
  await terminal.press("s").see(/ Thu Dec 24, 2026 +9:00 AM–1:00 PM +→ +10:00 AM–12:00 PM/);
  await terminal.press("n").see(/Thu Dec 24, 2026 +10:00 AM–12:00 PM +Christmas Eve/);
  await terminal.press("u").see(/Thu Dec 24, 2026 +9:00 AM–1:00 PM +Christmas Eve/);
});

test("blocked days and hours are shown, and where to change them is said", async () => {
  using folder = shopFolder({
    "scheduling.blocked_dates": [{ date: "2026-12-30", reason: "Stocktaking" }],
    "scheduling.blocked_hours": [{ date: "2026-12-31", from: "12:00", to: "14:00", bays: 1, reason: "Sam is ill" }],
  });
  const terminal = await openOn(folder, "hours", {
    columns: 120,
    rows: 40,
    sees: /Wed Dec 30, 2026 +no bookings +Stocktaking/,
  });
  await terminal.see(/Thu Dec 31, 2026 +1 of 2 bays is closed from 12:00 PM to 2:00 PM +Sam is ill/);
  // Special and blocked days stand by date.
  expect(terminal.frame()).toMatch(/Dec 25, 2026[\s\S]*Dec 30, 2026[\s\S]*Dec 31, 2026[\s\S]*Jan 1, 2027/);
  expect((await tint(folder, ["hours"])).stdout).toMatch(
    /Dec 25, 2026.*\nWed Dec 30, 2026.*\nThu Dec 31, 2026.*\nFri Jan 1, 2027/,
  );
  await terminal.press("end", "up", "x").see("Blocked days are changed in the diary");
});

const FIRST = CATALOG.faq[0]?.question ?? "";

test("a question is added behind those of its category", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("right").see(FIRST);
  await terminal.press("right").lose(FIRST);
  await terminal.press("n").see("‹ residential ›");
  await terminal.press(..."Do you come to us?", "enter", ..."Yes, in Cobb.").see("Yes, in Cobb.▏");
  await terminal.press("enter").see("1 unsaved change");
  await saveChange(terminal);
  const added = '  - {category: residential, question: Do you come to us?, answer: "Yes, in Cobb."}\n';
  const text = folder.read();
  expect(text).toContain(added);
  expect(text.replace(added, "")).toBe(CATALOG_TEXT);
});

test("the answer below the list is the one that customers read; the form has it as it is written", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  expect(await terminal.press("down").see("Wait about 4 days")).not.toContain("{scheduling");
  await terminal.press("enter").see("{scheduling.cure.keep_windows_up_days}");
});

test("an answer is changed and nothing else", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("down", "enter").see("Change a question");
  await terminal.press("down", "ctrl+u", ..."After 5 days.", "ctrl+s").see("1 unsaved change");
  await saveChange(terminal);
  const old = CATALOG.faq[1]?.answer ?? "";
  expect(folder.read()).toBe(CATALOG_TEXT.replace(JSON.stringify(old), () => '"After 5 days."'));
});

test("a question is removed, and brought back", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("x").lose(FIRST);
  await terminal.press("u").see(FIRST);
  await terminal.press("up", "x").lose(FIRST);
  await saveChange(terminal);
  expect(folder.read()).not.toContain(FIRST);
  await terminal.press("/", ..."boat", "enter").see("Nothing here has boat.");
});

test("an empty question is refused; what was typed is not dropped by the first Esc", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("n").see("A new question");
  await terminal.press("ctrl+s").see("✗ Question is missing");
  await terminal.press("W", "h", "y").see("Why▏");
  await terminal.press("esc").see("What was typed is lost.");
  await terminal.press("y").see(FIRST);
  expect(folder.read()).toBe(CATALOG_TEXT);
});
