/** Behaviour that every screen shares: the stack, the keyboard, the help, notices, and leaving. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { NOW } from "../fixed-day.ts";
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
  const terminal = await openOn(folder, "leads", { sees: /› Q-Ann/ });
  await terminal.press("down", "enter").see(/^Lead Q-Bob/);
  await terminal.press("down", "down", "m", "w").see("Q-Bob is won for how much?");
  await terminal.press("esc").lose("for how much?");
  expect(await terminal.press("esc").see("Leads: open")).toContain("› Q-Bob");
});

test("the selection stays in a list that gets shorter", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann", "Bob");
  const terminal = await openOn(folder, "leads", { sees: /› Q-Ann/ });
  await terminal.press("end").see(/› Q-Bob/);
  const store = openSqliteStore(folder.data);
  await store.moveLead("lead_Bob", "lost", null, NOW.epochMilliseconds);
  await store.close();
  await terminal.lose("Q-Bob");
  expect(terminal.frame()).toContain("› Q-Ann");
  await terminal.press("enter").see(/^Lead Q-Ann/);
});

test("a notice stays until the next key", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices", { sees: "sedan, standard, full: 289" });
  await terminal.press("s").see("There is nothing to save.");
  await terminal.press("down").lose("There is nothing to save.");
});

test("control keys count in a text that arrives at once, but not in a paste", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "find", { sees: "Find" });
  await terminal.press("wrong").see("wrong");
  await terminal.press("\u0015right").lose("wrong");
  await terminal.press("\u001b[200~\u0015more\u001b[201~").see("rightmore");
});

test("a line break in pasted text does not press Enter", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  await terminal.press("\u001b[200~one\ntwo\u001b[201~").see("Path, like scheduling.bays: one two▏");
});

test("keys without a meaning are not typed", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "catalog", { sees: "Any value" });
  await terminal.press("e").see("Path, like scheduling.bays:");
  // Alt+x, Ctrl+B, and a control character.
  await terminal.press("a", "\u001bx", "\u0002", "\u0001", "b").see("Path, like scheduling.bays: b▏a");
});

test("the help scrolls on a small terminal", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann");
  const terminal = await openOn(folder, "leads", { columns: 60, rows: 20, sees: "› Q-Ann" });
  expect(await terminal.press("?").see("↑↓ scroll")).not.toContain("Leave the program.");
  await terminal.press("end").see("Leave the program.");
  await terminal.press("esc").see("› Q-Ann");
});

test("q and Ctrl+C leave the program, Esc goes back to the screen behind", async () => {
  using folder = shopFolder();
  const back = await openOn(folder, "home", { sees: "Nothing is booked for today." });
  await back.press("d").see("Diary: ");
  await back.press("esc").see("Nothing is booked for today.");
  expect(back.hasLeft()).toBe(false);
  back.press("q");
  await back.leave();
  const interrupted = await openOn(folder, "diary", { sees: "Nothing is booked" });
  interrupted.press("ctrl+c");
  await interrupted.leave();
});

test("a second Ctrl+C leaves whatever was asked, unless another key came between", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "prices", { sees: "sedan, standard, full: 289" });
  await terminal.press("1", "enter", "ctrl+c").see("Leave with 1 unsaved change?");
  await terminal.press("esc").see("sedan, standard, full: 289 → 1");
  await terminal.press("ctrl+c").see("Leave with 1 unsaved change?");
  expect(terminal.hasLeft()).toBe(false);
  terminal.press("ctrl+c");
  await terminal.leave();
});

test("two quick Esc, which arrive as one text, go back twice", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann");
  const terminal = await openOn(folder, "home", { sees: "Open quote requests:" });
  await terminal.press("l").see(/^Leads: open[\s\S]*Q-Ann/);
  await terminal.press("enter").see(/^Lead Q-Ann/);
  await terminal.press("\u001b\u001b").see("Open quote requests:");
});
