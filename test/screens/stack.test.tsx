import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { screens } from "../../cli/screens/index.ts";
import type { ScreenName } from "../../cli/screens/kit/screen.ts";
import { shopDate } from "../../src/domain/schedule.ts";
import { inStore } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { childEnv, MAIN, PROGRAM, PROGRAM_IN_SHELL, type ShopFolder, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { newLead } from "../store/conformance-values.ts";
import { openOn } from "./render.tsx";
import { apiOf, OPEN_DAILY, openShop } from "./shop.ts";
import { openTerminal, type RealTerminal } from "./tmux.ts";

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
  await using api = openShop();
  const code = await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.ask();
  const home = await openOn(api.folder, "home", size);
  expect(await home.see(/Today: 1/)).toContain("? help");
  for (const { key, title, name } of screens.menu) {
    const frame = await home.press(key).see(HEADS[name] ?? new RegExp(`^${title.split(" ")[0]}`));
    expect(frame).toMatch(/\?|Enter/);
    await home.press("esc").see(/Today: 1/);
  }
  await openOn(api.folder, "booking", { ...size, about: code, sees: "Jordan Sample" });
  // On a narrow terminal prices and times are under the form.
  const under = /more…[\s\S]*\n\* standard \$289\.00 · ceramic \$499\.00, about 2 h 30 min *\n(Free: .*\d)$/m;
  await openOn(api.folder, "book", { ...size, sees: under });
  await openOn(api.folder, "leads", { ...size, sees: /Q-\w{6} +new .* Robin/ });
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

describe("in a real terminal", () => {
  const size = { columns: 80, rows: 24 };

  async function expectGivenBack(terminal: RealTerminal): Promise<string> {
    const shell = await terminal.prompt();
    expect(await terminal.isAlternate()).toBe(false);
    expect(await terminal.isCursorShown()).toBe(true);
    return shell;
  }

  test("home, diary, a booking, back and out; live meanwhile", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const now = Temporal.Now.instant();
    const today = shopDate(CATALOG, now);
    await using api = apiOf(folder, OPEN_DAILY, now.subtract({ hours: 48 }));
    const code = await api.book({ date: today, time: "09:00", customer_name: "Jordan Sample" });
    await using terminal = await openTerminal(folder, size);
    await terminal.run("echo before; printf early; tint; echo status $?");

    const home = await terminal.see("Today: 1 booking");
    expect(home).toStartWith("Marlow Ridge Window Film");
    expect(home).toMatch(/› +9:00 AM +Jordan Sample/);
    expect(home.trimEnd().split("\n").length).toBe(size.rows);
    expect(home).toContain("q quit");
    expect(await terminal.isAlternate()).toBe(true);

    const start = performance.now();
    await api.book({ date: today, time: "14:00", customer_name: "Second Guest" });
    await terminal.see("Second Guest");
    expect(performance.now() - start).toBeLessThan(2_000);

    expect(await terminal.press("d").see(/^Diary: /)).toMatch(/← → day/);
    await terminal.see(/› +9:00 AM/);
    const green = "\u001b[32m";
    expect(await terminal.coloured()).toContain(`${green}confirmed`);
    const booking = await terminal.press("Enter").see(/Customer +Jordan Sample/);
    expect(booking).toContain(`Booking ${code}`);
    await terminal.press("Escape").see(/^Diary: /);
    await terminal.press("Escape").see("Today: 2 bookings");
    await terminal.press("q");

    const shell = await expectGivenBack(terminal);
    expect(shell).toContain("before\nstatus 0\n");
    expect(shell).not.toContain("Diary");
  });

  describe("the terminal is given back", () => {
    test.each([
      ["TERM", 143],
      ["HUP", 129],
      ["INT", 130],
    ])("on SIG%s", async (signal, status) => {
      using folder = shopFolder();
      await using terminal = await openTerminal(folder, size);
      // The shell writes its process id, then becomes the program.
      await terminal
        .run(`bash -c 'echo $$ > pid; exec ${PROGRAM_IN_SHELL}'; echo status $?`)
        .see("Nobody waits for an answer.");
      const pid = Number(await Bun.file(`${folder.path}/pid`).text());
      process.kill(pid, `SIG${signal}`);
      expect(await expectGivenBack(terminal)).toContain(`status ${status}\n`);
    });

    test("on Ctrl+C", async () => {
      using folder = shopFolder();
      await using terminal = await openTerminal(folder, size);
      await terminal.run("tint; echo status $?").see("Nobody waits for an answer.");
      await terminal.press("C-c");
      expect(await expectGivenBack(terminal)).toContain("status 130\n");
    });

    test("on a fault of the program, which can then be read", async () => {
      using folder = shopFolder();
      const issue = `import { existsSync } from "node:fs";
      setInterval(() => { if (existsSync("now")) throw new Error("a fault of the test"); }, 20);`;
      await Bun.write(`${folder.path}/fault.ts`, issue);
      await using terminal = await openTerminal(folder, size);
      await terminal
        .run(`${process.execPath} --preload ./fault.ts ${MAIN}; echo status $?`)
        .see("Nobody waits for an answer.");
      await Bun.write(`${folder.path}/now`, "");
      await terminal.see("a fault of the test");
      expect(await expectGivenBack(terminal)).toContain("status 1\n");
    });
  });

  test("NO_COLOR is obeyed, and the selection is visible without colours", async () => {
    using folder = shopFolder();
    await using terminal = await openTerminal(folder, size);
    await terminal.run("NO_COLOR=1 tint | cat; NO_COLOR=1 tint").see("Nobody waits for an answer.");
    expect(await terminal.coloured()).not.toContain("\u001b[");
    expect(await terminal.screen()).toContain("›");
    await terminal.press("q");
    // The run into a pipe printed the help, and its end is still on the screen.
    expect(await expectGivenBack(terminal)).toContain("completion for your shell");
  });

  test("without a terminal the form and the catalog's screen are wrong usage", async () => {
    using folder = shopFolder();
    for (const args of [["estimate"], ["catalog", "edit"]]) {
      const child = Bun.spawn([...PROGRAM, ...args], {
        cwd: folder.path,
        env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data }),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
      expect(await child.exited).toBe(2);
      expect(await new Response(child.stdout).text()).toBe("");
    }
  });

  test("tint book with a name only asks for the rest", async () => {
    using folder = shopFolder(OPEN_DAILY);
    await using terminal = await openTerminal(folder, size);
    await terminal
      .run('tint book suv --name "Jordan Sample" --time 9am --date tomorrow')
      .see(/New booking[\s\S]*Time +‹ 9:00 AM ›[\s\S]*‹ suv ›[\s\S]*Name +Jordan Sample/);
    await terminal.press("Tab", "Tab", "Down", "404-555-0142", "Enter").see(/✓ Booked Jordan Sample for .* 9:00 AM/);
    await terminal.press("q");
    await terminal.prompt();
  });
});
