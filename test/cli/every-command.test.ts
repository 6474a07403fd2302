/** Promises that every command keeps: an example on its help page, and `--json` that is one JSON document. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram } from "../../cli/program.ts";
import { freePort, type ShopFolder, shopFolder } from "../process/server.ts";
import { COMMANDS, shopWithEverything } from "./every-command.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

const commands: { path: string; command: Command }[] = [];
beforeAll(async () => {
  const program = await createProgram(() => true);
  const walk = (command: Command, path: string): void => {
    commands.push({ path, command });
    // Shells call `completion complete`; it is on no help page.
    for (const one of command.commands) {
      const inside = `${path} ${one.name()}`.trim();
      if (inside !== "completion complete") walk(one, inside);
    }
  };
  walk(program, "");
});

function pageOf(command: Command): string {
  let page = "";
  command
    .configureOutput({
      getOutHelpWidth: () => 80,
      writeOut: (text) => {
        page += text;
      },
    })
    .outputHelp();
  return page;
}

test("a help page fits 80 columns, except for what is to be copied; it heads its examples rightly", () => {
  const pages = commands.map(({ path, command }) => ({ path, page: pageOf(command) }));
  const issues = pages.flatMap(({ path, page }) => {
    const [, one, lines = ""] = /\n(Examples?):\n((?: .*\n)+)/.exec(page) ?? [];
    const isOne = lines.match(/^ {2}\S/gm)?.length === 1;
    const wide = page.split("\n").filter((line) => line.length > 80 && !/^ *(tint |\S+: {2}|without |\{")/.test(line));
    return [...wide, ...(one === undefined || isOne === (one === "Example") ? [] : [one])].map((issue) => [
      path,
      issue,
    ]);
  });
  expect(issues).toEqual([]);
});

test("every help page gives an example that begins with its command", () => {
  expect(commands.length).toBeGreaterThan(50);
  const without = commands.filter(({ path, command }) => {
    const [, examples = ""] = pageOf(command).split(/\nExamples?:\n/);
    // A command without a subcommand lists.
    return !examples.includes(`  tint ${path.replace(/ list$/, "")}`.trimEnd());
  });
  expect(without.map(({ path }) => path)).toEqual([]);
});

test("the table above holds every command that takes --json", () => {
  const paths = commands.filter(({ command }) => command.options.some(({ long }) => long === "--json"));
  expect(paths.map(({ path }) => path).sort()).toEqual(Object.keys(COMMANDS).sort());
});

/** Runs a command with --json. @returns the document */
async function documentOf(folder: ShopFolder, args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await tint(folder, [...args, "--json"], { env: { PORT: String(freePort()) } });
  expect({ args, status, lines: stdout.split("\n").length, stderr: status === 0 ? "" : stderr }).toEqual({
    args,
    status: 0,
    lines: 2,
    stderr: "",
  });
  expect(stdout.endsWith("\n")).toBe(true);
  return JSON.parse(stdout);
}

describe("--json prints one JSON document, on one line", () => {
  for (const [path, args] of Object.entries(COMMANDS)) {
    test(`tint ${path}`, async () => {
      using folder = await shopWithEverything();
      const document = await documentOf(folder, [...path.split(" "), ...args]);
      // No list of this shop is empty.
      if (path.endsWith(" list")) expect(Object.keys(Object(document)).length).toBeGreaterThan(0);
    });
  }

  test.each([
    ["bookings", []],
    ["leads", []],
    ["keys", []],
    ["outbox", []],
    ["faq --category commercial", []],
    ["catalog diff other.yaml", { prices: [] }],
  ])("also when there is nothing to list: tint %s", async (typed, nothing) => {
    using folder = shopFolder({ faq: [] });
    writeFileSync(join(folder.path, "other.yaml"), folder.read());
    expect(await documentOf(folder, typed.split(" "))).toEqual(nothing);
  });
});
