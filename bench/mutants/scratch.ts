/** A copy of the tree in a temporary folder, in which faults are made and tests run. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript-5";
import { temporaryFolder } from "../../test/process/server.ts";
import { blocksOf, type Fault, parse } from "./faults.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

/** The files of the tree, those not yet committed too; read once, so that the tree may go on changing meanwhile. */
const BYTES = new Map(
  Bun.spawnSync(["git", "ls-files", "-co", "--exclude-standard", "--deduplicate"], { cwd: ROOT })
    .stdout.toString()
    .split("\n")
    .filter((file) => lstatSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile())
    .map((file) => [file, readFileSync(join(ROOT, file))]),
);
export const FILES: readonly string[] = [...BYTES.keys()];
export const SOURCES = FILES.filter((file) => /^(src|cli)\/.*(?<!\.d)\.tsx?$/.test(file));

export function read(file: string): string {
  return BYTES.get(file)?.toString() ?? "";
}

/** For one test of a file, on a machine that is busy. */
const SLOWEST_MS = 60_000;

interface Run {
  verdict: "passed" | "failed" | "timed out";
  ms: number;
}

export interface Scratch extends Disposable {
  test: (file: string, timeoutMs: number) => Promise<Run>;
  typeCheck: () => Promise<Run>;
  /** Makes a fault for as long as `work` takes. */
  withFault: <T>(fault: Fault, work: () => Promise<T>) => Promise<T>;
  /** Makes every block report that it was entered, in whatever process. */
  trace: () => Trace;
}

export interface Trace {
  /** The blocks entered since the last time. */
  take: () => Set<string>;
  end: () => void;
}

export function createScratch(): Scratch {
  const { path: folder, [Symbol.dispose]: remove } = temporaryFolder();
  for (const [file, bytes] of BYTES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), bytes);
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const put = (file: string, text: string) => writeFileSync(join(folder, file), text);
  return {
    test: (file, timeoutMs) =>
      run([process.execPath, "test", `./${file}`, "--bail", `--timeout=${SLOWEST_MS}`], folder, timeoutMs),
    typeCheck: () => run([process.execPath, "x", "tsc", "--noEmit"], folder, 300_000),
    async withFault({ file, start, end, replacement }, work) {
      const text = read(file);
      put(file, text.slice(0, start) + replacement + text.slice(end));
      try {
        return await work();
      } finally {
        put(file, text);
      }
    },
    trace() {
      const log = join(folder, "entered.log");
      for (const file of SOURCES) put(file, traced(file, read(file), log));
      return {
        take() {
          const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
          rmSync(log, { force: true });
          return new Set(lines);
        },
        end() {
          for (const file of SOURCES) put(file, read(file));
        },
      };
    },
    [Symbol.dispose]: remove,
  };
}

/** A file that writes `file#block` into a log for each block entered, once a process, and `file#-1` when it is loaded. */
function traced(file: string, text: string, log: string): string {
  const inserts = blocksOf(parse(file, text)).flatMap((block, i): [at: number, text: string][] =>
    ts.isBlock(block)
      ? [[block.getStart() + 1, `entered(${i});`]]
      : [
          [block.getStart(), `(entered(${i}), `],
          [block.end, ")"],
        ],
  );
  let out = text;
  // Apply from the end, so that positions stay right; at one place, the inner insert first.
  for (const [at, piece] of inserts.toSorted(([a], [b]) => b - a)) out = out.slice(0, at) + piece + out.slice(at);
  const report = `import { appendFileSync as appendEntered } from "node:fs";
var enteredBlocks: Set<number>;
function entered(block: number) {
  enteredBlocks ??= new Set();
  if (enteredBlocks.has(block)) return;
  enteredBlocks.add(block);
  appendEntered(${JSON.stringify(log)}, \`${file}#\${block}\\n\`);
}
entered(-1);`;
  return `${out}\n${report}\n`;
}

/** Runs a command with everything it starts; what takes too long is killed. */
async function run(command: string[], cwd: string, timeoutMs: number): Promise<Run> {
  const started = performance.now();
  const options = { cwd, timeout: Math.ceil(timeoutMs), killSignal: "SIGKILL", detached: true } as const;
  const child = Bun.spawn(command, { ...options, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  const code = await child.exited;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // All that it started has ended already.
  }
  const verdict = child.signalCode === "SIGKILL" ? "timed out" : code === 0 ? "passed" : "failed";
  return { verdict, ms: performance.now() - started };
}
