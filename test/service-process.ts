/** Runs a service of the machine (a database, a cache) for tests, in a folder that goes away with the test run. */
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { movedClock } from "./process/server.ts";

const START_MS = 20_000;
const POLL_MS = 10;

/** PostgreSQL refuses to run as root: the services run as "nobody" then. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * The process that ends with the test run. `bun test --parallel` runs each file in a worker, and all workers have the same
 * parent; a single file runs without a worker.
 */
function runner(): number {
  const words = Bun.spawnSync(["ps", "-ww", "-o", "args=", "-p", String(process.pid)]).stdout.toString();
  return words.includes(" --test-worker ") ? process.ppid : process.pid;
}
let folderOfRun: string | undefined;

/**
 * Waits for the end of the test run, however it ends, then kills the services that are left and removes their folders. The
 * processes of connections are killed as well, because a frozen one does not notice the end of its service.
 * Bun runs no exit handlers in a test process.
 */
const CLEANER = `
while kill -0 "$1" 2>/dev/null; do sleep 0.5; done
cat "$2"/*/pid 2>/dev/null | while read -r pid; do kill -9 "$pid" $(pgrep -P "$pid") 2>/dev/null; done
rm -rf "$2" || { sleep 0.5; rm -rf "$2"; }
`;

/** The folder of this test run, made when it is first asked for. Its name is short: a socket's path has at most 107 bytes. */
export function runFolder(): string {
  if (folderOfRun) return folderOfRun;
  const pid = String(runner());
  const folder = join(tmpdir(), `tint-services-${pid}`);
  // The services of other workers go through it before it is theirs.
  if (claim(folder, 0o711)) spawnDetached(["sh", "-c", CLEANER, "sh", pid, folder], "/dev/null");
  folderOfRun = folder;
  return folder;
}

/** A new folder in the run's folder, which only the user of the services may enter. */
export function serviceFolder(): string {
  const folder = join(runFolder(), crypto.randomUUID().slice(0, 8));
  claim(folder);
  return folder;
}

/** Makes a folder. @returns false if it is there already: of several processes, one gets true */
export function claim(folder: string, mode = 0o700): boolean {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  return true;
}

/**
 * Starts a process that no test owns: at the end of a test that takes too long, Bun kills the processes that it knows.
 * @returns the process id
 */
function spawnDetached(words: string[], log: string, options: { uid?: number; gid?: number } = {}): number {
  const { stdout } = Bun.spawnSync(["sh", "-c", '"$@" </dev/null >"$LOG" 2>&1 & echo $!', "sh", ...words], {
    ...options,
    cwd: "/",
    env: { ...serviceEnv(words), LOG: log },
    detached: true,
  });
  return Number(stdout);
}

/** Runs a program to its end, as the user of the services. @throws Error with the program's words when it fails */
export function runAsService(words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(words, {
    ...asNobody,
    cwd: "/",
    env: serviceEnv(words),
    stdout: "ignore",
  });
  if (exitCode !== 0) throw new Error(`${words[0]}: ${stderr}`);
}

function serviceEnv([program = ""]: readonly string[]): Record<string, string> {
  // Another user may not open what faketime shares. Redis and Valkey do not start with it; limits need no date of theirs.
  const { FAKETIME_SHARED: _, ...clock } = /(redis|valkey)-server$/.test(program) ? {} : movedClock();
  return { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", ...clock };
}

/** Starts a service that lasts until the end of the test run. */
export async function startDetached(folder: string, words: string[], isReady: IsReady): Promise<void> {
  const log = join(folder, "log");
  const pid = spawnDetached(words, log, asNobody);
  writeFileSync(join(folder, "pid"), `${pid}\n`);
  try {
    await until(`${words[0]} to answer`, () => isReady(pid));
  } catch (error) {
    throw new Error(`${words[0]}: ${readFileSync(log, "utf8")}`, { cause: error });
  }
}

/** Whether the process of this id takes connections. */
type IsReady = (pid: number) => boolean | Promise<boolean>;

export interface Service extends AsyncDisposable {
  start: () => Promise<void>;
  /** Ends the service in order; connections are closed by it. */
  stop: () => Promise<void>;

  /** SIGKILL, for the processes of its connections as well: like a machine that loses power. `start` brings it back. */
  kill: () => Promise<void>;
  /** SIGSTOP: connections stay open, and nothing answers. */
  freeze: () => void;
  thaw: () => void;
}

/**
 * A service that is not started yet.
 * @param words the command line
 * @param stopSignal the signal by which it ends in order
 */
export function service(folder: string, words: string[], isReady: IsReady, stopSignal: "SIGINT" | "SIGTERM"): Service {
  const log = join(folder, "log");
  let child: Bun.Subprocess | undefined;

  const start = async () => {
    if (child) throw new Error(`${words[0]} runs already`);
    const started = Bun.spawn(words, {
      ...asNobody,
      cwd: folder,
      env: serviceEnv(words),
      stdio: ["ignore", Bun.file(log), Bun.file(log)],
      // Not ended by Ctrl-C at the terminal, but in order by whoever started it.
      detached: true,
    });
    started.unref();
    child = started;
    writeFileSync(join(folder, "pid"), `${started.pid}\n`);
    await until(`${words[0]} to answer`, async () => {
      if (started.exitCode !== null || started.signalCode) throw new Error(`${words[0]}: ${readFileSync(log, "utf8")}`);
      return await isReady(started.pid);
    });
  };
  const family = () => (child ? [child.pid, ...childrenOf(child.pid)] : []);
  const ended = async () => {
    await child?.exited;
    child = undefined;
    rmSync(join(folder, "pid"), { force: true });
  };
  const stop = async () => {
    signal(family(), "SIGCONT");
    child?.kill(stopSignal);
    await ended();
  };
  const kill = async () => {
    const processes = family();
    signal(processes, "SIGKILL");
    await ended();
    await until("the killed processes to be gone", () => processes.every((pid) => !isRunning(pid)));
  };
  return {
    start,
    stop,

    kill,
    freeze: () => signal(family(), "SIGSTOP"),
    thaw: () => signal(family(), "SIGCONT"),
    [Symbol.asyncDispose]: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param what the thing waited for, as the error names it */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${START_MS} ms for ${what}`);
    await Bun.sleep(POLL_MS);
  }
}

/** Whether a server takes connections there. */
export async function listens(at: { path: string } | { host: string; port: number }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(at);
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  const answer = await promise;
  socket.destroy();
  return answer;
}

function childrenOf(pid: number): number[] {
  return Bun.spawnSync(["pgrep", "-P", String(pid)])
    .stdout.toString()
    .split("\n")
    .filter(Boolean)
    .map(Number);
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process of a connection ended by itself.
    }
  }
}

/** A process that ended and that nobody waited for is a zombie, and does not run. */
function isRunning(pid: number): boolean {
  const stat = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim();
  return stat !== "" && !stat.startsWith("Z");
}
