/** The test command says before anything else which programs it needs, and what it skips. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scripts } from "../package.json" with { type: "json" };
import { temporaryFolder } from "./process/server.ts";

const NEEDED = ["chromium", "tmux", "curl", "pgrep", "python3"];

/** Looks on a machine that has these programs. */
function look(programs: readonly string[], env: Record<string, string> = {}) {
  using folder = temporaryFolder();
  for (const name of programs) writeFileSync(join(folder.path, name), "#!/bin/sh\n", { mode: 0o755 });
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, join(import.meta.dir, "needs.ts")], {
    env: { PATH: folder.path, ...env },
  });
  return { exitCode, said: stderr.toString() };
}

test("without Chromium or tmux the test command ends at once, and says how to install them", () => {
  expect(scripts.test).toStartWith("bun test/needs.ts && ");
  const { exitCode, said } = look(["curl", "pgrep", "python3", "valkey-server"]);
  expect(exitCode).toBe(1);
  expect(said).toContain(
    "The tests need what is not installed: Chromium, tmux. On Debian: apt-get install chromium tmux\n",
  );
});

test("what is skipped is said once, in one line; a workflow skips nothing", () => {
  const skipped = look(NEEDED);
  expect(skipped.exitCode).toBe(0);
  expect(skipped.said).toMatch(
    /^Not installed, so what needs it is NOT tested: (PostgreSQL, )?Valkey or Redis, .*\. On Debian: apt-get install .*redis-server.*\n$/,
  );
  expect(look([...NEEDED, "redis-server"]).said).not.toContain("Valkey");
  const inWorkflow = look(NEEDED, { CI: "1" });
  expect(inWorkflow).toEqual({ exitCode: 1, said: expect.stringContaining("The tests need what is not installed:") });
});
