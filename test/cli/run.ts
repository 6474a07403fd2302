/** Runs the `tint` command as a process of its own, with a catalog and a data folder that belong to the test. */
import { childEnv, MAIN, type ShopFolder } from "../process/server.ts";

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
}

/** @param preload a module that Bun loads before the command */
export async function tint(
  folder: ShopFolder,
  args: readonly string[],
  { env = {}, preload }: { env?: Record<string, string>; preload?: string } = {},
): Promise<Run> {
  const child = Bun.spawn([process.execPath, ...(preload ? ["--preload", preload] : []), MAIN, ...args], {
    cwd: folder.path,
    env: childEnv({ TINT_CATALOG: folder.catalog, TINT_DATA: folder.data, ...env }),
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
