/** The screens in a real terminal. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { shopDate } from "../../src/domain/schedule.ts";
import { childEnv, MAIN, PROGRAM, PROGRAM_IN_SHELL, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { apiOf, OPEN_DAILY } from "./shop.ts";
import { openTerminal, type RealTerminal } from "./tmux.ts";

setDefaultTimeout(90_000);

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
