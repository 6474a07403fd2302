/** What a running server leaves in the data folder, so that commands find it whatever this terminal's own settings are. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makePrivate, temporaryName } from "../lib/files.ts";

const RUNNING = z.object({
  host: z.string(),
  port: z.number().int().min(1).max(65_535),
  pid: z.number().int(),
  /** The ways of sending that have no settings in the server. */
  off: z.array(z.string()),
});
export type RunningServer = z.output<typeof RUNNING>;

function fileIn(folder: string): string {
  return join(folder, "server.json");
}

/** Says where this server listens. A folder that takes no file stops no server. @returns a function that takes it back */
export function announceServer(folder: string, { host, port, off }: Omit<RunningServer, "pid">): () => void {
  const file = fileIn(folder);
  const { pid } = process;
  try {
    const temporary = temporaryName(file);
    makePrivate(temporary, `${JSON.stringify({ host, port, pid, off })}\n`);
    renameSync(temporary, file);
  } catch {
    return () => {};
  }
  return () => {
    // A later server on the same folder has put its own there.
    if (runningServer(folder)?.pid === pid) rmSync(file, { force: true });
  };
}

/** The server that was announced last; it may have been killed since, and then nothing answers there. */
export function runningServer(folder: string): RunningServer | null {
  try {
    return RUNNING.parse(JSON.parse(readFileSync(fileIn(folder), "utf8")));
  } catch {
    return null;
  }
}
