/** Starts `tint serve` as a process of its own, on a free port, with a catalog and a database that belong to the test. */

import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { $ } from "bun";
import { catalogText } from "../small-shop.ts";

export const MAIN = new URL("../../cli/main.ts", import.meta.url).pathname;
/** How to start `tint`: the executable that `bun run test` has built, which is ready in half the time, else its source. */
export const PROGRAM: readonly string[] = process.env.TEST_PROGRAM
  ? [new URL(`../../${process.env.TEST_PROGRAM}`, import.meta.url).pathname]
  : [process.execPath, MAIN];

export const PROGRAM_IN_SHELL = PROGRAM.map((part) => $.escape(part)).join(" ");

/** @param preload a module that Bun loads before the program, which then runs from source */
export const programWith = (preload: string | undefined): readonly string[] =>
  preload === undefined ? PROGRAM : [process.execPath, "--preload", preload, MAIN];

/** Not the developer's own cache, nor that of another file of tests that runs at the same time. */
const CACHE = new URL(`../../node_modules/.cache/tests-${process.pid % 16}`, import.meta.url).pathname;
/** Where the program remembers which texts of catalogs were good. */
export const CATALOG_MEMORY = join(CACHE, "tintdesk");
const START_MS = 10_000;
/** A process that a test forgets is killed after this time. */
const LIFETIME_MS = 120_000;

/**
 * Edits that make a test independent of the day it runs on and of the limits: the shop is open from 09:00 to 18:00
 * every day, and the limits are out of reach.
 */
export const OPEN_DAILY = {
  "business.special_hours": [],
  ...Object.fromEntries(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((day) => [
      `business.hours.${day}`,
      [{ opens: "09:00", closes: "18:00" }],
    ]),
  ),
};
/** Texts go out at any hour of the test. */
export const NO_QUIET = { "messages.quiet_from": "00:00", "messages.quiet_until": "00:00" };
export const NO_LIMITS = {
  "rate_limits.anonymous_per_minute": 100_000,
  "rate_limits.bookings_per_10_minutes": 100_000,
  "rate_limits.bookings_per_phone_per_day": 100_000,
  "rate_limits.wrong_codes_per_10_minutes": 100_000,
  "rate_limits.wrong_codes_per_code_per_day": 100_000,
  "bookings.open_per_customer": 100_000,
  "messages.digest_above_per_hour": 100_000,
  "alerts.bookings_per_hour": 100_000,
  ...NO_QUIET,
  "messages.settle_minutes": 0,
};

/** A date at the shop, by the machine's clock, for what a server is asked. @param days from today; take 3 or more, so that neither lead time nor midnight matters */
export function dateIn(days: number): string {
  return Temporal.Now.plainDateISO("America/New_York").add({ days }).toString();
}

/** An empty folder, removed with everything in it at the end of the block. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "tintdesk-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A folder with a shop's catalog in it, edited, and room for a database. @param textWith the small shop's, or the example shop's */
export function shopFolder(edits: Record<string, unknown> = {}, textWith = catalogText) {
  const folder = temporaryFolder();
  const catalog = join(folder.path, "catalog.yaml");
  const write = (text: string) => {
    // In one step, like an editor that saves by renaming.
    writeFileSync(`${catalog}.new`, text);
    renameSync(`${catalog}.new`, catalog);
  };
  const writeEdited = (changes: Record<string, unknown>) => {
    const text = textWith(changes);
    rememberAsGood(text);
    write(text);
  };
  writeEdited(edits);
  return {
    ...folder,
    catalog,
    data: join(folder.path, "data"),
    database: join(folder.path, "data", "tintdesk.db"),
    write,
    edit: (changes: Record<string, unknown>) => writeEdited({ ...edits, ...changes }),
    read: () => readFileSync(catalog, "utf8"),
  };
}
export type ShopFolder = ReturnType<typeof shopFolder>;

/** Commands read the text in a tenth of the time, as the second one in a shop does. A text with faults is read as ever. */
function rememberAsGood(text: string): void {
  good.unshift(Bun.CryptoHasher.hash("sha256", text, "hex"));
  const file = join(CATALOG_MEMORY, `good-catalogs-${Bun.version}`);
  mkdirSync(CATALOG_MEMORY, { recursive: true });
  writeFileSync(`${file}.new`, good.slice(0, 20).join("\n"));
  renameSync(`${file}.new`, file);
}
const good: string[] = [];

export interface Exit {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/**
 * The environment of a child process, without the settings of this one. Children of a test check every answer against its
 * schema; children of a benchmark do not.
 */
export function childEnv(more: Record<string, string> = {}): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR, TINT_CHECK_ANSWERS } = process.env;
  return {
    PATH,
    HOME,
    XDG_CACHE_HOME: CACHE,
    ...(TMPDIR && { TMPDIR }),
    ...movedClock(),
    ...(TINT_CHECK_ANSWERS && { TINT_CHECK_ANSWERS }),
    ...more,
  };
}

/** What moves the clock of a program that a test starts, where `faketime` moves the test's; else nothing. */
export function movedClock(): Record<string, string> {
  const { FAKETIME, FAKETIME_SHARED, LD_PRELOAD } = process.env;
  return FAKETIME && FAKETIME_SHARED && LD_PRELOAD ? { FAKETIME, FAKETIME_SHARED, LD_PRELOAD } : {};
}

interface LaunchOptions {
  /** A file descriptor that gets the log; the test does not follow it then. */
  stderr?: number | undefined;
  /** How many file handles the process may have. */
  handles?: number | undefined;
  /** A module that Bun loads before the program, which then runs from source. */
  preload?: string;
  /** When the process is killed, if the test forgets it. */
  lifetimeMs?: number;
}

function launch(
  folder: ShopFolder,
  env: Record<string, string>,
  args: readonly string[],
  { stderr, handles, preload, lifetimeMs = LIFETIME_MS }: LaunchOptions = {},
) {
  const limit = handles === undefined ? [] : ["sh", "-c", `ulimit -n ${handles}; exec "$@"`, "sh"];
  const child = Bun.spawn([...limit, ...programWith(preload), "serve", ...args], {
    // Not in the checkout, which may hold a .env and data of its own.
    cwd: folder.path,
    env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data, ...env }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: stderr ?? "pipe",
    timeout: lifetimeMs,
    killSignal: "SIGKILL",
  });
  const log = followLines(child.stderr instanceof ReadableStream ? child.stderr : new Response("").body);
  const stdout = new Response(child.stdout).text();
  const exited = (async (): Promise<Exit> => {
    const code = await child.exited;
    await log.ended;
    return {
      code: child.signalCode ? null : code,
      signal: child.signalCode ? String(child.signalCode) : null,
      stdout: await stdout,
      stderr: log.text(),
    };
  })();
  return { child, log, exited };
}

/** The body of an answer, for tests to look into. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export async function jsonOf(response: Response): Promise<any> {
  return await response.json();
}

interface LogLine {
  level: number;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: log lines carry fields of every shape
  [field: string]: any;
}

/** Reads a stream line by line; `find` waits for a JSON line that fits. */
function followLines(stream: ReadableStream<Uint8Array> | null) {
  let text = "";
  const lines: LogLine[] = [];
  let rest = "";
  let watchers: (() => void)[] = [];
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const parts = (rest + piece).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) if (part.startsWith("{")) lines.push(JSON.parse(part));
      for (const wake of watchers.splice(0)) wake();
    }
    for (const wake of watchers) wake();
    watchers = [];
  })();
  const find = async (fits: (line: LogLine) => boolean, withinMs = 5_000): Promise<LogLine> => {
    const deadline = performance.now() + withinMs;
    for (let i = 0; ; ) {
      for (; i < lines.length; i++) {
        const line = lines[i];
        if (line && fits(line)) return line;
      }
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`no such log line within ${withinMs} ms:\n${text}`);
      await Promise.race([new Promise<void>((wake) => watchers.push(wake)), Bun.sleep(left)]);
    }
  };
  return { lines, find, ended, text: () => text };
}

/** A port that was free a moment ago, below those that the system gives to any connection. */
export function freePort(): number {
  for (let tries = 0; tries < 100; tries++) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Somebody listens there.
    }
  }
  throw new Error("no port is free");
}

/** Waits until a server without a log answers. */
async function answering(port: number): Promise<{ url: string }> {
  const url = `http://127.0.0.1:${port}/`;
  const deadline = performance.now() + START_MS;
  for (;;) {
    const alive = await fetch(`${url}livez`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (alive) return { url };
    if (performance.now() > deadline) throw new Error(`nothing answers at ${url}`);
    await Bun.sleep(20);
  }
}

export interface ServerProcess extends AsyncDisposable {
  url: string;
  port: number;
  pid: number;
  /** The parsed log so far. */
  lines: readonly LogLine[];
  logged: (fits: (line: LogLine) => boolean, withinMs?: number) => Promise<LogLine>;
  fetch: (path: string, init?: RequestInit) => Promise<Response>;
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  signal: (name: "SIGTERM" | "SIGINT" | "SIGKILL") => void;
  exited: Promise<Exit>;
}

/**
 * A server that listens. At the end of the block it is killed, if it still runs.
 * @param quiet without a log, which costs time; nothing is `logged` then
 */
export async function startServer(
  folder: ShopFolder,
  {
    env = {},
    args = [],
    quiet = false,
    ...options
  }: { env?: Record<string, string>; args?: string[]; quiet?: boolean } & LaunchOptions = {},
): Promise<ServerProcess> {
  const isSilent = quiet || options.stderr !== undefined;
  const port = isSilent ? freePort() : 0;
  const { child, log, exited } = launch(
    folder,
    { PORT: String(port), ...(quiet && { LOG_LEVEL: "error" }), ...env },
    args,
    options,
  );
  const dispose = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    const died = exited.then(({ code, stderr }) => {
      throw new Error(`the server ended with ${code} before it listened:\n${stderr}`);
    });
    died.catch(() => {});
    const listening = isSilent
      ? answering(port)
      : log.find(({ msg }) => msg === "Tintdesk is listening", START_MS).then(({ url }) => ({ url: String(url) }));
    const { url } = await Promise.race([listening, died]);
    const at = (path: string) => new URL(path, url);
    const request: ServerProcess["fetch"] = async (path, init) => {
      try {
        return await fetch(at(path), init);
      } catch (error) {
        // Adds the log to the error: a refused connection does not say why the server ended.
        const exit = await Promise.race([exited, Bun.sleep(100)]);
        if (!exit) throw error;
        const { code, signal, stderr } = exit;
        throw new Error(`the server is gone (${signal ?? code}):\n${stderr.slice(-2000)}`, { cause: error });
      }
    };
    return {
      url,
      port: Number(new URL(url).port),
      pid: child.pid,
      lines: log.lines,
      logged: log.find,
      fetch: request,
      post: (path, body, headers) =>
        request(path, { method: "POST", body: JSON.stringify(body), headers: headers ?? {} }),
      signal: (name) => child.kill(name),
      exited,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Runs a server that should end by itself. */
export async function failToStart(
  folder: ShopFolder,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: string[] } = {},
): Promise<Exit> {
  const { child, exited } = launch(folder, { PORT: "0", ...env }, args);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
  }
}

/** What a query finds in a database file. */
export function rowsIn<T>(file: string, sql: string, ...values: (string | number)[]): T[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.query<T, (string | number)[]>(sql).all(...values);
  } finally {
    db.close();
  }
}

export interface RawAnswer {
  /** Everything that the server has sent so far. */
  text: string;
  closed: boolean;
}

/** The first answer in the raw text of a connection; undefined until all of it has arrived. */
export function answerIn(text: string, hasBody = true) {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...fields] = text.slice(0, end).split("\r\n");
  const headers = new Headers(
    fields.map((field): [string, string] => [
      field.slice(0, field.indexOf(":")),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  const length = hasBody ? Number(headers.get("content-length") ?? 0) : 0;
  const rest = text.slice(end + 4);
  return rest.length < length
    ? undefined
    : { status: Number(first.split(" ")[1]), headers, body: Buffer.from(rest.slice(0, length), "latin1").toString() };
}

/** A TCP connection to a server, for bytes that no client library would send. */
export async function rawConnection(port: number) {
  let text = "";
  let closed = false;
  let wake = () => {};
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, bytes) {
        text += bytes.toString("latin1");
        wake();
      },
      close() {
        closed = true;
        wake();
      },
      error() {
        closed = true;
        wake();
      },
    },
  });
  return {
    send: (bytes: string) => {
      socket.write(bytes);
      socket.flush();
    },
    /** Waits until the answer fits, or the connection is closed. */
    async receive(fits: (text: string) => boolean = () => false, withinMs = 5_000): Promise<RawAnswer> {
      const deadline = performance.now() + withinMs;
      while (!closed && !fits(text)) {
        const left = deadline - performance.now();
        if (left <= 0) throw new Error(`no such answer within ${withinMs} ms: ${JSON.stringify(text)}`);
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
          Bun.sleep(left),
        ]);
      }
      return { text, closed };
    },
    reset: () => socket.terminate(),
    [Symbol.dispose]: () => socket.terminate(),
  };
}
