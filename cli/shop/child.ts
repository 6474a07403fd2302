/** Starts another program; the only place that does (contract 9). */

/** Where programs of the system stand, also on NixOS. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin";

/**
 * Runs a program of the system, and waits for its end. It gets nothing of this process's environment, which holds what
 * `.env` files of the shop say: without `env` Bun would even hand on what was deleted from `process.env`.
 */
export function runChild(
  words: readonly string[],
  options: { uid?: number; gid?: number } = {},
): { exitCode: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { ...options, cwd: "/", env: { PATH } });
  return { exitCode, stdout: stdout.toString().trim(), stderr: stderr.toString().trim() };
}
