import type { Command } from "commander";
import { readEnv } from "../../src/env.ts";
import { Failure, Misuse } from "../program.ts";

export function configure(command: Command): void {
  command
    .option("--port <number>", "port to listen on (default: $PORT or 3000)")
    .option("--host <address>", "address to listen on (default: $HOST or 127.0.0.1)")
    .addHelpText("after", "\nExamples:\n  tint serve\n  tint serve --port 8080 --host 0.0.0.0")
    .action(async (options: { port?: string; host?: string; catalog?: string; data?: string }) => {
      if (options.port !== undefined && !(/^\d{1,5}$/.test(options.port) && Number(options.port) <= 65_535)) {
        throw new Misuse("--port must be a port number from 0 to 65535.");
      }
      const env = readEnv(options);
      const { serve } = await import("../../src/main.ts");
      try {
        await serve(env);
      } catch (error) {
        throw inWords(error, env);
      }
    });
}

const NO_ADDRESS = ["EACCES", "EADDRNOTAVAIL", "EINVAL", "ENOTFOUND"];
const NO_FOLDER = ["ENOENT", "ENOTDIR", "EEXIST", "EROFS", "EPERM"];

/** Why a server cannot run, for the owner. */
export function inWords(error: unknown, { port, host, data }: { port: number; host: string; data: string }): unknown {
  const { code } = error as { code?: unknown };
  if (code === "EADDRINUSE") {
    return new Failure(
      `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
  }
  if (typeof code === "string" && NO_ADDRESS.includes(code))
    return new Failure(`Cannot listen on ${host}:${port} (${code}).`);
  if (code === "SQLITE_BUSY") return new Failure(`The database in ${data} is held by another program. Try again.`);
  if (typeof code === "string" && (code.startsWith("SQLITE_") || NO_FOLDER.includes(code))) {
    return new Failure(`The database in ${data} cannot be opened (${code}). Check that the folder can be written.`);
  }
  return error;
}
