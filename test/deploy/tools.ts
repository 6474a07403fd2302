/** Programs of the system that validate the files in deploy/. */

/** Runs a tool. @returns the status and all that it said */
export function runTool(words: string[], cwd?: string): { status: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, {
    ...(cwd && { cwd }),
    env: { ...process.env, HOME: cwd ?? "/tmp" },
  });
  return { status: exitCode, said: `${stdout}${stderr}` };
}
