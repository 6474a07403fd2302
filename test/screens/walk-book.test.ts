/** A booking by phone in a real terminal, from the home screen: at most 12 keys beside the words that are typed. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { OPEN_DAILY } from "./shop.ts";
import { openTerminal } from "./tmux.ts";

setDefaultTimeout(60_000);

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
