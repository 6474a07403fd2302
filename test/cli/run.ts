/**
 * Runs the `tint` command with a catalog and a data folder that belong to the test: in this process, where coverage sees
 * it and where it starts at once, or as a process of its own.
 */
import { expect, setSystemTime, spyOn } from "bun:test";
import { runCommandLine } from "../../cli/program.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { childEnv, MAIN, PROGRAM, programWith, type ShopFolder } from "../process/server.ts";

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
}

interface Options {
  env?: Record<string, string>;
  /** As a process of its own: where several run at once, or where starting and ending are tested. */
  apart?: boolean;
  /** A module that Bun loads before the command, which is then a process of its own. */
  preload?: string;
  /** What the clock shows; without it the fixed clock of the shop. A process of its own has the machine's. */
  now?: Temporal.Instant | "machine";
}

/** The words of a command, or a line of them without quotes. */
type Words = readonly string[] | string;

const ran = new WeakMap<ShopFolder, number>();

/** The fixed clock of a shop goes on by a second with each command, so that one comes after the other. */
function nextSecond(folder: ShopFolder): Temporal.Instant {
  const seconds = 1 + (ran.get(folder) ?? 0);
  ran.set(folder, seconds);
  return NOW.add({ seconds });
}

export async function tint(
  folder: ShopFolder,
  line: Words,
  { env = {}, apart = false, preload, now = nextSecond(folder) }: Options = {},
): Promise<Run> {
  const args = typeof line === "string" ? line.split(" ") : line;
  const whole = childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data, ...env });
  return apart || preload
    ? await runInProcess(folder, args, whole, preload)
    : await inTurn(() => runHere(folder, args, whole, now));
}

/** By the machine's clock: beside a server, PostgreSQL or a process of its own, which have it too. */
export const tintToday: typeof tint = (folder, args, options) => tint(folder, args, { ...options, now: "machine" });

/** The document that a command prints with `--json`. */
export async function tintJson(folder: ShopFolder, args: Words, options?: Options) {
  const words = typeof args === "string" ? args.split(" ") : args;
  return JSON.parse((await tint(folder, [...words, "--json"], options)).stdout);
}

/** Commands that are refused: with this status, these words among others, and nothing on standard output. */
export async function expectRefusals(
  folder: ShopFolder,
  cases: readonly (readonly [args: Words, status: number, says: string | RegExp])[],
): Promise<void> {
  for (const [args, status, says] of cases) {
    const stderr = typeof says === "string" ? expect.stringContaining(says) : expect.stringMatching(says);
    expect({ args, ...(await tint(folder, args)) }).toEqual({ args, status, stdout: "", stderr });
  }
}

/** Books a car for Jordan Sample at nine on the third day, unless told otherwise. @returns the booking's code */
export async function booked(folder: ShopFolder, ...more: string[]): Promise<string> {
  const who = ["--name", "Jordan Sample", "--phone", "404-555-0142", "--date", dateFromNow(3), "--time", "9am"];
  return (await tintJson(folder, ["book", "suv", ...who, ...more])).confirmation_code;
}

/** What a run that ends with this status says among other things. */
export const saying = (status: number, words: string) => ({ status, stderr: expect.stringContaining(words) });

/** Reads or changes what the shop stores. */
export async function inStore<T>(folder: ShopFolder, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(folder.data);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Runs a command with `--csv`, whose bytes must be those of a file for spreadsheets: the mark in front, each line with CRLF. */
export async function tintCsv(folder: ShopFolder, args: Words, options?: Options): Promise<Run> {
  const words = typeof args === "string" ? args.split(" ") : args;
  const run = await tint(folder, [...words, "--csv"], options);
  expect(run.stdout).toMatch(/^\uFEFF(?:[^\r\n]*\r\n)+$/);
  return { ...run, stdout: run.stdout.slice(1).replaceAll("\r\n", "\n") };
}

async function runInProcess(
  folder: ShopFolder,
  args: readonly string[],
  env: Record<string, string>,
  preload?: string,
): Promise<Run> {
  const child = Bun.spawn([...programWith(preload), ...args], {
    cwd: folder.path,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { status, stdout, stderr };
}

/** What a command writes on a terminal of this width, line by line. @param answers typed one at each question */
export async function tintOnTerminal(
  folder: ShopFolder,
  columns: number,
  args: readonly string[],
  env: Record<string, string> = {},
  answers: readonly string[] = [],
): Promise<string[]> {
  const left = [...answers];
  const decoder = new TextDecoder();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let screen = "";
  const child = Bun.spawn([...PROGRAM, ...args], {
    cwd: folder.path,
    env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data, ...env }),
    terminal: {
      cols: columns,
      data: (terminal, bytes) => {
        screen += decoder.decode(bytes, { stream: true });
        // The cursor is put behind a question once it is written.
        const isAsked = /: .{1,3}\d+G$/s.test(screen);
        const answer = isAsked ? left.shift() : undefined;
        if (answer !== undefined) terminal.write(`${answer}\r`);
      },
      exit: () => close(),
    },
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  await Promise.all([child.exited, closed]);
  return screen.trimEnd().split("\r\n");
}

/** The process has one environment, one working folder and one output, so one command at a time. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work);
  last = turn.catch(() => {});
  return turn;
}

async function runHere(
  folder: ShopFolder,
  args: readonly string[],
  env: Record<string, string>,
  now: Temporal.Instant | "machine",
): Promise<Run> {
  const before = { cwd: process.cwd(), env: { ...process.env } };
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const collect = (texts: string[]) => (text: unknown) => {
    texts.push(String(text));
    return true;
  };
  const spies = [
    spyOn(process.stdout, "write").mockImplementation(collect(stdout)),
    spyOn(process.stderr, "write").mockImplementation(collect(stderr)),
    // The library that makes completion scripts prints them itself.
    spyOn(console, "log").mockImplementation((text: unknown) => void stdout.push(`${text}\n`)),
    spyOn(Bun, "write").mockImplementation(async (target: unknown, text: unknown) => {
      if (target !== Bun.stdout) throw new Error("a command writes a file in a way that the tests do not know");
      // A pipe takes the text a little later: a command that does not wait for it has printed nothing.
      await new Promise(setImmediate);
      stdout.push(String(text));
      return String(text).length;
    }),
  ];
  // As in a pipe: no command asks questions or fits lines to a terminal.
  const asIfPiped = [
    overlay(process.stdin, { isTTY: false }),
    overlay(process.stdout, { isTTY: false, columns: 0 }),
    overlay(process.stderr, { isTTY: false }),
  ];
  try {
    process.chdir(folder.path);
    setEnv(env);
    if (now !== "machine") setSystemTime(now.epochMilliseconds);
    process.exitCode = 0;
    const status = await runCommandLine([process.execPath, MAIN, ...args]);
    return { status, stdout: stdout.join(""), stderr: stderr.join("") };
  } finally {
    setSystemTime();
    process.exitCode = 0;
    process.stdout.removeAllListeners("error");
    setEnv(before.env);
    process.chdir(before.cwd);
    for (const restore of asIfPiped) restore();
    for (const spy of spies) spy.mockRestore();
  }
}

function setEnv(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Puts properties over an object's own. @returns a function that removes them */
function overlay(target: object, properties: Record<string, unknown>): () => void {
  const before = Object.keys(properties).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const);
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
  };
}
