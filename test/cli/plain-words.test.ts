/** The owner's words and forms, on every help page and every screen. Source: docs/words.md. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Command } from "commander";
import { createProgram } from "../../cli/program.ts";
import { screens } from "../../cli/screens/index.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { tint } from "./run.ts";

setDefaultTimeout(120_000);

const FORBIDDEN = /\b(VLT|jurisdictions?|outbox|fault|faults|faulty)\b/i;
/** Names of commands, flags and extras of the example shop that hold such a word. */
const NAMES = /tint outbox|--jurisdiction|^ +outbox|no-fault|\{[^}]*\}/gim;
/** A date or a time in a form for programs. */
const FOR_PROGRAMS = /\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d\b(?! ?[AP]M)/;

function pathsOf(command: Command, path: string[] = []): string[][] {
  const inside = command.commands.filter((one) => one.name() !== "help");
  return [path, ...inside.flatMap((one) => pathsOf(one, [...path, one.name()]))];
}

test("no help page has a word of the API", async () => {
  using folder = shopFolder();
  const wrong: string[] = [];
  for (const path of pathsOf(await createProgram(() => true))) {
    const { stdout } = await tint(folder, [...path, "--help"]);
    const lines = stdout.replace(NAMES, "").split("\n");
    wrong.push(...lines.filter((line) => FORBIDDEN.test(line)).map((line) => `${path.join(" ")}: ${line.trim()}`));
  }
  expect(wrong).toEqual([]);
});

test("no screen has a word, a date or a time of the API", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.ask();
  const home = await openOn(folder, "home", { columns: 120, rows: 40, sees: "Today: 1" });
  // The screen that finds a customer begins with a question, which takes every key.
  for (const { key } of screens.menu.filter(({ name }) => name !== "find")) {
    await home.press(key).lose("Today: 1");
    await home.lose("One moment…");
    await home.press("?").see("Esc close the help");
    await home.press("esc").lose("Esc close the help");
    await home.press("esc").see("Today: 1");
  }
  const wrong = home.frames().flatMap((frame) => {
    const lines = frame.replace(NAMES, "").split("\n");
    return lines.filter((line) => FORBIDDEN.test(line) || FOR_PROGRAMS.test(line)).map((line) => line.trim());
  });
  expect([...new Set(wrong)]).toEqual([]);
});
