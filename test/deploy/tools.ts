/** Programs of the system that validate the files in deploy/ and run the commands in docs/. */

const PACKAGES = {
  "systemd-analyze": "systemd",
  caddy: "caddy",
  curl: "curl",
  jq: "jq",
  nginx: "nginx-light",
  promtool: "prometheus",
} as const;

/**
 * The path of a tool. Without it a person is told what is not checked; in CI that is an error.
 * @returns undefined when the tool is missing
 */
export function toolOrWarn(name: keyof typeof PACKAGES): string | undefined {
  // nginx stands where only root looks.
  const found = Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin` });
  if (found) return found;
  const missing = `${name} is not installed, so what needs it is NOT checked: apt-get install ${PACKAGES[name]}`;
  if (process.env.CI) throw new Error(missing);
  process.stderr.write(`\n*** ${missing}\n`);
  return undefined;
}

/** Runs a tool. @returns the status and all that it said */
export function runTool(words: string[], cwd?: string): { status: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(words, {
    ...(cwd && { cwd }),
    env: { ...process.env, HOME: cwd ?? "/tmp" },
  });
  return { status: exitCode, said: `${stdout}${stderr}` };
}
