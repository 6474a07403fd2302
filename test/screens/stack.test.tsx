/** Behaviour that every screen shares: the stack, the keyboard, the help, notices, and leaving. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../helpers.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { newLead } from "../store/conformance-values.ts";
import { openOn } from "./render.tsx";

setDefaultTimeout(90_000);

async function addLeads(folder: ShopFolder, ...names: string[]): Promise<void> {
  const store = openSqliteStore(folder.data);
  for (const [i, name] of names.entries())
    await store.addLead(
      newLead({
        kind: "quote_request",
        id: `lead_${name}`,
        reference: `Q-${name}`,
        name,
        createdAt: NOW.epochMilliseconds - i * 60_000,
      }),
    );
  await store.close();
}

test("a screen behind another keeps its selection and gets no keys", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann", "Bob", "Cyd");
  const terminal = await openOn(folder, "leads");
  await terminal.see(/› Q-Ann/);
  terminal.press("down", "enter");
  await terminal.see(/^Lead Q-Bob/);
  terminal.press("down", "down", "w");
  await terminal.see("Q-Bob is won; a note");
  terminal.press("esc");
  await terminal.lose("a note, if you like");
  terminal.press("esc");
  expect(await terminal.see("Leads: open")).toContain("› Q-Bob");
});

test("the selection stays in a list that gets shorter", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann", "Bob");
  const terminal = await openOn(folder, "leads");
  await terminal.see(/› Q-Ann/);
  terminal.press("end");
  await terminal.see(/› Q-Bob/);
  const store = openSqliteStore(folder.data);
  await store.moveLead("lead_Bob", "lost", null, NOW.epochMilliseconds);
  await store.close();
  await terminal.lose("Q-Bob");
  expect(terminal.frame()).toContain("› Q-Ann");
  terminal.press("enter");
  await terminal.see(/^Lead Q-Ann/);
});

test("a notice stays until the next key", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await terminal.see("sedan, standard, full: 289");
  terminal.press("s");
  await terminal.see("There is nothing to save.");
  terminal.press("down");
  await terminal.lose("There is nothing to save.");
});

test("a line break in pasted text does not press Enter", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog");
  await terminal.see("Any value");
  terminal.press("v");
  await terminal.see("Path, like scheduling.bays:");
  terminal.press("\u001b[200~one\ntwo\u001b[201~");
  await terminal.see("Path, like scheduling.bays: one two▏");
});

test("keys without a meaning are not typed", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog");
  await terminal.see("Any value");
  terminal.press("v");
  await terminal.see("Path, like scheduling.bays:");
  // Alt+x, Ctrl+B, and a control character.
  terminal.press("a", "\u001bx", "\u0002", "\u0001", "b");
  await terminal.see("Path, like scheduling.bays: b▏a");
});

test("the help scrolls on a small terminal", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann");
  const terminal = await openOn(folder, "leads", { rows: 16 });
  await terminal.see("› Q-Ann");
  terminal.press("?");
  expect(await terminal.see("↑↓ scroll")).not.toContain("Leave the program.");
  terminal.press("end");
  await terminal.see("Leave the program.");
  terminal.press("esc");
  await terminal.see("› Q-Ann");
});

test("q and Ctrl+C leave the program, Esc goes back to the screen behind", async () => {
  using folder = shopFolder();
  const back = await openOn(folder, "home");
  await back.see("Nothing is booked for today.");
  back.press("d");
  await back.see("Diary: ");
  back.press("esc");
  await back.see("Nothing is booked for today.");
  expect(back.hasLeft()).toBe(false);
  back.press("q");
  await back.leave();
  const interrupted = await openOn(folder, "diary");
  await interrupted.see("Nothing is booked");
  interrupted.press("ctrl+c");
  await interrupted.leave();
});

test("a second Ctrl+C leaves whatever was asked, unless another key came between", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices");
  await terminal.see("sedan, standard, full: 289");
  terminal.press("1", "enter", "ctrl+c");
  await terminal.see("Leave with 1 unsaved change?");
  terminal.press("esc");
  await terminal.see("sedan, standard, full: 289 → 1");
  terminal.press("ctrl+c");
  await terminal.see("Leave with 1 unsaved change?");
  expect(terminal.hasLeft()).toBe(false);
  terminal.press("ctrl+c");
  await terminal.leave();
});

test("two quick Esc, which arrive as one text, go back twice", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann");
  const terminal = await openOn(folder, "home");
  await terminal.see("Open quote requests:");
  terminal.press("l");
  await terminal.see(/^Leads: open[\s\S]*Q-Ann/);
  terminal.press("enter");
  await terminal.see(/^Lead Q-Ann/);
  terminal.press("\u001b\u001b");
  await terminal.see("Open quote requests:");
});
