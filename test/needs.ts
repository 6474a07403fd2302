/**
 * The programs of the system that the tests start. `bun run test` looks for them first: without a needed one it ends, and what
 * is skipped without another is said once.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** By the name for people: the package of Debian, and what the program may be called. */
const PROGRAMS = {
  // The shell, which draws for no screen, takes half the time of the browser.
  Chromium: {
    debian: "chromium-headless-shell",
    names: ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
    isNeeded: true,
  },
  tmux: { debian: "tmux", names: ["tmux"], isNeeded: true },
  Python: { debian: "python3", names: ["python3"], isNeeded: true },
  curl: { debian: "curl", names: ["curl"], isNeeded: true },
  pgrep: { debian: "procps", names: ["pgrep"], isNeeded: true },
  PostgreSQL: { debian: "postgresql", names: ["initdb"], isNeeded: false },
  "Valkey or Redis": { debian: "redis-server", names: ["valkey-server", "redis-server"], isNeeded: false },
  "systemd-analyze": { debian: "systemd", names: ["systemd-analyze"], isNeeded: false },
  Caddy: { debian: "caddy", names: ["caddy"], isNeeded: false },
  nginx: { debian: "nginx-light", names: ["nginx"], isNeeded: false },
  promtool: { debian: "prometheus", names: ["promtool"], isNeeded: false },
} as const;
export type Program = keyof typeof PROGRAMS;

/** Debian keeps PostgreSQL's programs off PATH, in a folder for each version, and those of root. */
function placesOff(path: string): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : [];
  return [path, "/usr/sbin", ...versions.map((version) => join(root, version, "bin"))].join(":");
}

/** The path of a program; undefined where it is not installed. */
export function pathOf(program: Program): string | undefined {
  const PATH = placesOff(process.env.PATH ?? "");
  for (const name of PROGRAMS[program].names) {
    const found = Bun.which(name, { PATH });
    if (found) return found;
  }
  return undefined;
}

/** @throws Error that says how to install it */
export function neededPath(program: Program): string {
  const found = pathOf(program);
  if (!found) throw new Error(`${program} is not installed. ${howToInstall([program])}`);
  return found;
}

/** The folder of PostgreSQL's programs. */
export const postgresFolder = (): string => dirname(neededPath("PostgreSQL"));

function howToInstall(programs: readonly Program[]): string {
  return `On Debian: apt-get install ${packagesOf(programs)}`;
}

function packagesOf(programs: readonly Program[]): string {
  return programs.map((program) => PROGRAMS[program].debian).join(" ");
}

if (import.meta.main) {
  const missing = (Object.keys(PROGRAMS) as Program[]).filter((program) => pathOf(program) === undefined);
  // A workflow installs them, and skips nothing.
  const needed = process.env.CI ? missing : missing.filter((program) => PROGRAMS[program].isNeeded);
  const skipped = missing.filter((program) => !needed.includes(program));
  if (process.argv.includes("--packages")) process.stdout.write(`${packagesOf(missing)}\n`);
  else {
    const say = (what: string, programs: readonly Program[]) =>
      programs.length > 0 && process.stderr.write(`${what} ${programs.join(", ")}. ${howToInstall(programs)}\n`);
    say("Not installed, so what needs it is NOT tested:", skipped);
    say("The tests need what is not installed:", needed);
    process.exitCode = needed.length > 0 ? 1 : 0;
  }
}
