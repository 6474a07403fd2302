/** The screens in a real terminal. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { shopDate } from "../../src/domain/schedule.ts";
import { childEnv, MAIN, PROGRAM, PROGRAM_IN_SHELL, type ShopFolder, shopFolder } from "../process/server.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";
import { apiOf, OPEN_DAILY } from "./shop.ts";
import { openTerminal, type RealTerminal, SIZES, type Size } from "./tmux.ts";

setDefaultTimeout(90_000);

/** Where one size stands for all: how the screens look in others is tested on a simulated terminal. */
const [size] = SIZES;

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
  await using terminal = await openTerminal(folder, { columns: 80, rows: 24 });
  await terminal.run("NO_COLOR=1 tint | cat; NO_COLOR=1 tint").see("Nobody waits for an answer.");
  expect(await terminal.coloured()).not.toContain("\u001b[");
  expect(await terminal.screen()).toContain("›");
  await terminal.press("q");
  // The run into a pipe printed the help, and its end is still on the screen.
  expect(await expectGivenBack(terminal)).toContain("completion for your shell");
});

/** Runs `tint`; the shell tells the exit status once the screens are gone. */
async function openScreens(folder: ShopFolder, args: string, size: Size): Promise<RealTerminal> {
  const terminal = await openTerminal(folder, size);
  await terminal.run(`tint ${args}; echo "left with $?"`);
  return terminal;
}

/** The title is at the top and the keys at the bottom: no line has wrapped or scrolled away. A field that is typed takes q and ?, and names neither. */
function expectWhole(screen: string, title: string, { rows }: Size): void {
  const lines = screen.split("\n");
  expect(lines[0]).toStartWith(title);
  expect(lines.slice(0, rows).findLast((line) => line !== "")).toMatch(/(\? help|q quit|a-z type {2}Tab \w+)$/);
}

test("home → prices → a cell → save → quit", async () => {
  using folder = shopFolder();
  await using terminal = await openScreens(folder, "", size);
  expectWhole(await terminal.see("Today: 0 bookings"), "Marlow Ridge Window Film", size);
  expectWhole(await terminal.press("p").see("sedan, standard, full: 289"), "Prices, USD", size);
  await terminal.press("Down", "Down", "Right", "Right").see("suv, ceramic, full: 599");
  await terminal.press("6", "2", "9").see("629▏");
  await terminal.press("Enter").see("suv, ceramic, full: 599 → 629");
  await terminal.press("s").see(/suv, ceramic, full +599 +→ +629/);
  expect(folder.read()).toBe(CATALOG_TEXT);
  expectWhole(await terminal.press("y").see("✓ Saved 1 change."), "Prices, USD", size);
  await terminal.press("Escape").see("Today: 0 bookings");
  await terminal.press("q").see("left with 0");
  expect(folder.read()).toBe(CATALOG_TEXT.replace("ceramic: {full: 599", "ceramic: {full: 629"));
});

test("the estimate form", async () => {
  using folder = shopFolder();
  await using terminal = await openScreens(folder, "estimate", size);
  expectWhole(await terminal.see(/Total +\$289\.00 +\$499\.00/), "Estimate", size);
  await terminal.press("s", "u").see(/Total +\$349\.00 +\$599\.00/);
  await terminal
    .press("Down", "Down", "Down", "Down", "Space")
    .see(/\[x\] Windshield strip[\s\S]*Total +\$408\.00 +\$698\.00/);
  expectWhole(
    await terminal.press("Down", "Down", "Down", "Down", "Down", "2", "0").see("Tint law of Georgia: illegal"),
    "Estimate",
    size,
  );
  await terminal.press("Tab").see("type it to see the price");
  expectWhole(
    await terminal.press("3", "5", "0", ".", "5").see(/Total +\$5,608\.00 +\$5,958\.50 +\$6,309\.00/),
    "Estimate",
    size,
  );
  // Where a number is typed, q is a letter too.
  await terminal.press("q").see("350.5q▏");
  await terminal.press("Down").see("q quit");
  await terminal.press("q").see("left with 0");
  expect(folder.read()).toBe(CATALOG_TEXT);
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

test("n: free times, price and law, name and phone, done", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await using terminal = await openTerminal(folder, { columns: 80, rows: 24 });
  await terminal.run("tint").see("n new booking");
  const start = performance.now();
  let keys = 0;
  const press = async (...names: string[]) => {
    keys += names.length;
    await terminal.press(...names);
  };

  await press("n");
  await terminal.see(/Free that day[\s\S]*Time +‹ \d+:\d\d [AP]M ›/);
  // "Not that day, the next; not first thing, the time after it."
  await press("Right", "Down", "Right");
  await press("Tab");
  // What the customer drives, and how dark: the customer's own data.
  await terminal.press("21 highlander").see(/‹ suv ›[\s\S]*Total +\$349\.00 +\$599\.00/);
  await press("Enter");
  await terminal.press("ceramic");
  await press("Down");
  await terminal.press("50").see(/Film +‹ ceramic ›[\s\S]*Shade +50/);
  await press("Tab");
  await terminal.press("Jordan Sample");
  await press("Down");
  const form = await terminal.press("404-555-0142").see(/Phone +404-555-0142/);
  expect(form).toContain("Tint law of Georgia");
  await press("Enter");
  const booked = await terminal.see(/✓ Booked Jordan Sample for .*, \$599\.00\. The code is \w{8}\./);
  expect(keys).toBeLessThanOrEqual(12);
  expect(performance.now() - start).toBeLessThan(30_000);
  expect(booked).toMatch(/^Booking \w{8}/);
  await terminal.press("Escape").see("Today:");
  await terminal.press("q");
  await terminal.prompt();
});

test("tint book with a name only asks for the rest", async () => {
  using folder = shopFolder(OPEN_DAILY);
  await using terminal = await openTerminal(folder, { columns: 80, rows: 24 });
  await terminal
    .run('tint book suv --name "Jordan Sample" --time 9am --date tomorrow')
    .see(/New booking[\s\S]*Time +‹ 9:00 AM ›[\s\S]*‹ suv ›[\s\S]*Name +Jordan Sample/);
  await terminal.press("Tab", "Tab", "Down", "404-555-0142", "Enter").see(/✓ Booked Jordan Sample for .* 9:00 AM/);
  await terminal.press("q");
  await terminal.prompt();
});
