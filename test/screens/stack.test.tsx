/** The stack of screens, at every size of the terminal. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/screen.ts";
import { addFilm } from "../../src/catalog/edit/terms.ts";
import { inStore } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { newLead } from "../store/conformance-values.ts";
import { openOn } from "./render.tsx";
import { apiOf } from "./shop.ts";

setDefaultTimeout(90_000);

async function addLeads(folder: ShopFolder, ...names: string[]): Promise<void> {
  for (const [i, name] of names.entries()) {
    const known = { id: `lead_${name}`, reference: `Q-${name}`, name, createdAt: NOW.epochMilliseconds - i * 60_000 };
    await inStore(folder, (store) => store.addLead(newLead({ kind: "quote_request", ...known })));
  }
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
  await inStore(folder, (store) => store.moveLead({ id: "lead_Bob", to: "lost", at: NOW.epochMilliseconds }));
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

/** As long as a person takes for a few keys. */
const SLOW = { storeWaits: () => Bun.sleep(80) };

test("keys typed ahead wait for the list that they are for, and for a question that comes after others", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann", "Bob", "Cyd");
  const terminal = await openOn(folder, "home", { ...SLOW, sees: "l  Leads" });
  await terminal.press("l", "down", "down", "enter").see(/^Lead Q-Cyd/);
  await terminal.press("m", "w", ..."450", "enter", ..."Called", "enter").see("won: $450.00; Called");
  await terminal.press("esc").see("Leads: open");
  await terminal.press(..."/Bob", "enter", "enter").see(/^Lead Q-Bob/);
});

test("keys wait no longer than a second, and Ctrl+C not for ever", async () => {
  using folder = shopFolder();
  await addLeads(folder, "Ann");
  const terminal = await openOn(folder, "leads", { storeWaits: () => new Promise(() => {}), sees: "One moment" });
  await terminal.press("?").see("Leads: open: help");
  terminal.press("ctrl+c");
  await terminal.leave();
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

/** Where the screen is not called as in the menu. */
const HEADS: Partial<Record<ScreenName, RegExp>> = {
  catalog: /^Change the catalog/,
  keys: /^Keys|^API keys/,
};

test("every screen fits 60×20", async () => {
  const size = { columns: 60, rows: 20 };
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const code = await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.ask();
  const home = await openOn(folder, "home", size);
  expect(await home.see(/Today: 1/)).toContain("? help");
  for (const { key, title, name } of screens.menu) {
    const frame = await home.press(key).see(HEADS[name] ?? new RegExp(`^${title.split(" ")[0]}`));
    expect(frame).toMatch(/\?|Enter/);
    await home.press("esc").see(/Today: 1/);
  }
  await openOn(folder, "booking", { ...size, about: code, sees: "Jordan Sample" });
  const book = await openOn(folder, "book", size);
  const form = await book.see(/about 2 h 30 min/);
  // On a narrow terminal prices and times are under the form.
  expect(form).toMatch(
    /^› Day .*\n[\s\S]*more…[\s\S]*\n\* standard \$289\.00 · ceramic \$499\.00, about 2 h 30 min *\n(Free: .*\d)$/m,
  );
  const estimate = await openOn(folder, "estimate", size);
  expect(await estimate.see("Takes about")).toMatch(/Tint law of Georgia: /);
  await openOn(folder, "leads", { ...size, sees: /Q-\w{6} +new .* Robin/ });
});

test("home shows menu and warnings, and a cancelled booking without colour", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const code = await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.store.changeBookingStatus(code, "cancelled_by_customer", NOW.epochMilliseconds);
  const server = { at: "127.0.0.1:9000", says: undefined };
  const home = await openOn(folder, "home", { columns: 80, rows: 20, server });
  const frame = await home.see("nothing answers on 127.0.0.1:9000");
  expect(frame).toMatch(/Jordan Sample.*cancelled: /);
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
});

test("four films at 80 columns: each with its name and price, and what the chosen one is made of", async () => {
  using folder = shopFolder();
  for (const film of ["carbon", "crystal"]) folder.write(addFilm(folder.read(), film, "standard", { name: film }));
  for (const name of ["estimate", "book"] as const) {
    const terminal = await openOn(folder, name);
    const prices = await terminal.see(/The job +\$289\.00/);
    expect(prices).toMatch(
      /\* Standard film +\$289\.00 *\n.* Ceramic IR film +\$499\.00 *\n.* carbon +\$289\.00 *\n.* crystal +\$289\.00/,
    );
  }
});

test("at 60×20 warnings leave the whole menu, a booking and a lead", async () => {
  using folder = shopFolder({ "messages.confirmation_sms.enabled": true });
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  for (const name of ["Jordan Sample", "Ann Second"])
    await api.book({ date: "2026-11-21", time: "10:00", customer_name: name });
  await api.ask();
  const server = { at: "127.0.0.1:9000", says: undefined };
  const home = await openOn(folder, "home", { columns: 60, rows: 20, server });
  const frame = await home.see("nothing answers on 127.0.0.1:9000");
  expect(frame).toMatch(/Today: [\s\S]*(Jordan|Ann)[\s\S]*Open quote requests: 1[\s\S]*Robin/);
  for (const { key, title } of screens.menu) expect(frame).toMatch(new RegExp(`${key}  ${title}`));
});

test("a window that is too small says so, takes no keys, and shows the screen again once it is large", async () => {
  using folder = shopFolder();
  const home = await openOn(folder, "home", { columns: 59, rows: 20, sees: "This window is too small (59×20)." });
  expect(home.frame()).toMatch(/Make\sit 60×20 or larger/);
  home.press("d");
  home.resize({ columns: 60, rows: 19 });
  await home.see("too small (60×19)");
  home.resize({ columns: 80, rows: 24 });
  const frame = await home.see("Open quote requests: 0");
  expect(frame).not.toContain("too small");
  home.resize({ columns: 20, rows: 5 });
  await home.see("small (20×5)");
  home.press("ctrl+c");
  await home.leave();
});

test("however many screens are open, as many listen to the size: Node warns of many, over what is drawn", async () => {
  using folder = shopFolder();
  const home = await openOn(folder, "home", { sees: "Open quote requests: 0" });
  const before = home.listeners();
  for (const name of ["diary", "leads", "prices"])
    await home.press(":", ...name, "enter").see(new RegExp(`^${name}`, "i"));
  expect(home.listeners()).toBe(before);
});
