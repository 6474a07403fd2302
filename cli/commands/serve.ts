import type { Command } from "commander";
import { readEnv } from "../../src/env.ts";
import { Failure } from "../program.ts";

export function configure(command: Command): void {
  command
    .option("--port <number>", "port to listen on (default: $PORT or 3000)")
    .option("--host <address>", "address to listen on (default: $HOST or 127.0.0.1)")
    .addHelpText("after", "\nExamples:\n  tint serve\n  tint serve --port 8080 --host 0.0.0.0")
    .action(async (options: { port?: string; host?: string; catalog?: string; data?: string }) => {
      const env = readEnv(options);
      const { serve } = await import("../../src/main.ts");
      try {
        await serve(env);
      } catch (error) {
        throw inWords(error, env);
      }
    });
}

function inWords(error: unknown, { port, host, data }: { port: number; host: string; data: string }): unknown {
  const { code } = error as { code?: unknown };
  if (code === "EADDRINUSE") {
    return new Failure(
      `Port ${port} of ${host} is in use by another program. Stop it, or choose another port with --port.`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL") return new Failure(`Cannot listen on ${host}:${port} (${code}).`);
  if (
    typeof code === "string" &&
    (code.startsWith("SQLITE_") || code === "ENOTDIR" || code === "EEXIST" || code === "EROFS")
  ) {
    return new Failure(
      `The database in ${data} cannot be opened (${code}). Check that the folder exists and can be written.`,
    );
  }
  return error;
}
