/** Starts the programs that a benchmark measures, each as a process of its own, and kills them at the end of the block. */
import { childEnv, type ServerProcess, type ShopFolder, startServer } from "../test/process/server.ts";

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

/** A server without a log, which lives as long as a benchmark takes: one of a test is killed after two minutes. */
export function startShop(folder: ShopFolder, env: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer(folder, { quiet: true, env, lifetimeMs: 3_600_000 });
}

export const startBare = () => startChild([process.execPath, benchFile("bare.ts")]);

/** Resident memory of a process, bytes; from /proc, so on Linux alone. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}
