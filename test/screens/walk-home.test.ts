/** Home, diary and a booking in a real terminal, which is given back however the screens end. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { shopDate } from "../../src/domain/schedule.ts";
import { MAIN, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { apiOf, OPEN_DAILY } from "./shop.ts";
import { openTerminal, type RealTerminal, SIZES } from "./tmux.ts";

setDefaultTimeout(60_000);

async function expectGivenBack(terminal: RealTerminal): Promise<string> {
  const shell = await terminal.prompt();
  expect(await terminal.isAlternate()).toBe(false);
  expect(await terminal.isCursorShown()).toBe(true);
  return shell;
}

for (const { columns, rows } of SIZES) {
  test(`home, diary, a booking, back and out at ${columns}×${rows}; live meanwhile`, async () => {
    using folder = shopFolder(OPEN_DAILY);
    const now = Temporal.Now.instant();
    const today = shopDate(CATALOG, now);
    await using api = apiOf(folder, OPEN_DAILY, now.subtract({ hours: 48 }));
    const code = await api.book({ date: today, time: "09:00", customer_name: "Jordan Sample" });
    await using terminal = await openTerminal(folder, { columns, rows });
    await terminal.run("echo before; printf early; tint; echo status $?");

    const home = await terminal.see("Today: 1 booking");
    expect(home).toStartWith("Marlow Ridge Window Film");
    expect(home).toMatch(/› +9:00 AM +Jordan Sample/);
    expect(home.trimEnd().split("\n").length).toBe(rows);
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
}

describe("the terminal is given back", () => {
  const [size] = SIZES;

  test.each([
    ["TERM", 143],
    ["HUP", 129],
    ["INT", 130],
  ])("on SIG%s", async (signal, status) => {
    using folder = shopFolder();
    await using terminal = await openTerminal(folder, size);
    // The shell writes its process id, then becomes the program.
    await terminal
      .run(`bash -c 'echo $$ > pid; exec ${process.execPath} ${MAIN}'; echo status $?`)
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
  await using terminal = await openTerminal(folder, { columns: 80, rows: 24 });
  await terminal.run("NO_COLOR=1 tint | cat; NO_COLOR=1 tint").see("Nobody waits for an answer.");
  expect(await terminal.coloured()).not.toContain("\u001b[");
  expect(await terminal.screen()).toContain("›");
  await terminal.press("q");
  // The run into a pipe printed the help, and its end is still on the screen.
  expect(await expectGivenBack(terminal)).toContain("completion for your shell");
});
