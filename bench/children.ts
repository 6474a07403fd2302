/** Starts the programs that a benchmark measures, each as a process of its own, and kills them at the end of the block. */
import { join } from "node:path";
import {
  childEnv,
  MAIN,
  movedClock,
  type ServerProcess,
  type ShopFolder,
  startServer,
} from "../test/process/server.ts";

export interface Child extends AsyncDisposable {
  port: number;
  pid: number;
}

/** A program that prints the port it listens on. @param command words of the command line */
export async function startChild(command: readonly string[], env: Record<string, string> = {}): Promise<Child> {
  const child = Bun.spawn([...command], { env: childEnv(env), stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const { value } = await child.stdout.getReader().read();
  const port = Number(new TextDecoder().decode(value).trim());
  if (!(port > 0)) throw new Error(`${command.join(" ")} did not say its port`);
  return {
    port,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

export function benchFile(name: string): string {
  return new URL(name, import.meta.url).pathname;
}

/** Runs a program to its end. @returns what it printed. @throws Error with its own words when it fails */
export function outputOf(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { env: childEnv(), ...options });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stderr}`);
  return stdout.toString();
}

/** A server without a log, which lives as long as a benchmark takes: one of a test is killed after two minutes. */
export function startShop(folder: ShopFolder, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer(folder, { quiet: true, env, lifetimeMs: 3_600_000 });
}

/** Puts the shop's catalog into a PostgreSQL. Not with `spawnSync`: the way there may lead through this process. */
export async function importCatalog({ path, catalog }: ShopFolder, url: string): Promise<void> {
  const command = [process.execPath, MAIN, "catalog", "import", catalog];
  const env = childEnv({ TINT_DATA: url });
  const child = Bun.spawn(command, { cwd: path, env, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`the catalog was not imported:\n${said}`);
}

export const startBare = () => startChild([process.execPath, benchFile("bare.ts")]);

/**
 * Puts a library of C between a program and the system.
 * @returns the environment of the program; null without a C compiler or Linux
 */
export function preload(source: string, folder: string): Record<string, string> | null {
  const compiler = Bun.which("cc") ?? Bun.which("gcc");
  if (!compiler || process.platform !== "linux") return null;
  const library = join(folder, "preload.so");
  outputOf([compiler, "-O1", "-shared", "-fPIC", "-o", library, benchFile(source)]);
  const { LD_PRELOAD: others = "" } = movedClock();
  return { LD_PRELOAD: `${library} ${others}`.trim() };
}

/** Resident memory of a process, bytes; from /proc, so on Linux alone. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
