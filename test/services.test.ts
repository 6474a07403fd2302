/** The services that other tests rely on: they start, answer, come back, and leave nothing behind. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RedisClient, SQL } from "bun";
import { scripts } from "../package.json" with { type: "json" };
import { temporaryFolder } from "./process/server.ts";
import { isRunning, until } from "./service-process.ts";
import { hasPostgres, hasValkey, SERVICE_PASSWORD, startPostgres, startValkey, temporaryDatabase } from "./services.ts";

setDefaultTimeout(60_000);

async function query(url: string, statement: string): Promise<unknown[]> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 5 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.close({ timeout: 0 });
  }
}

test.skipIf(!hasPostgres())("each test has an empty database of its own, in one cluster for all", async () => {
  await using one = await temporaryDatabase();
  await using other = await temporaryDatabase();
  await query(one.url, "CREATE TABLE bookings (id text)");
  expect(await query(one.url, "SELECT count(*)::int AS n FROM bookings")).toEqual([{ n: 0 }]);
  await expect(query(other.url, "SELECT * FROM bookings")).rejects.toThrow("does not exist");
  // No file of the suite starts a second one by asking for a database.
  const started = "SELECT pg_postmaster_start_time()::text AS t";
  expect(await query(one.url, started)).toEqual(await query(other.url, started));
  expect(await query(one.url, "SELECT datcollate AS c FROM pg_database WHERE datname = current_database()")).toEqual([
    { c: "C.UTF-8" },
  ]);
});

test.skipIf(!hasPostgres())(
  "PostgreSQL is killed, started, restarted, frozen, and asks for its password on TCP",
  async () => {
    await using postgres = await startPostgres({ tcp: true, durable: true });
    const url = await postgres.createDatabase();
    await expect(query(url.replace(SERVICE_PASSWORD, "wrong"), "SELECT 1")).rejects.toThrow("password");
    await query(url, "CREATE TABLE kept (n int)");
    await query(url, "INSERT INTO kept VALUES (1)");
    await postgres.kill();
    await expect(query(url, "SELECT 1")).rejects.toThrow();
    await postgres.start();
    expect(await query(url, "SELECT n FROM kept")).toEqual([{ n: 1 }]);
    await postgres.restart();
    const sql = new SQL(url, { max: 1 });
    await sql`SELECT 1`;
    postgres.freeze();
    const answer = sql`SELECT n FROM kept`.execute();
    expect(await Promise.race([answer, Bun.sleep(50)])).toBeUndefined();
    postgres.thaw();
    expect([...(await answer)]).toEqual([{ n: 1 }]);
    await sql.close();
  },
);

test.skipIf(!hasValkey()).each([false, true])("Valkey answers, with TCP %p, and comes back empty", async (tcp) => {
  await using valkey = await startValkey({ tcp });
  const client = async (use: (client: RedisClient) => Promise<unknown>) => {
    const opened = new RedisClient(valkey.url, { autoReconnect: false });
    try {
      return await use(opened);
    } finally {
      opened.close();
    }
  };
  expect(await client((valkey) => valkey.send("PING", []))).toBe("PONG");
  await client((valkey) => valkey.set("n", "1"));
  await valkey.restart();
  expect(await client((valkey) => valkey.get("n"))).toBeNull();
  const stranger = new RedisClient(valkey.url.replace(SERVICE_PASSWORD, "wrong"), { autoReconnect: false });
  await expect(stranger.get("n")).rejects.toThrow();
  stranger.close();
});

test.skipIf(!hasPostgres() || !hasValkey())(
  "a test process that is killed leaves no process and no folder",
  async () => {
    const script = `
    import { startValkey, temporaryDatabase } from ${JSON.stringify(join(import.meta.dir, "services.ts"))};
    await temporaryDatabase();
    const valkey = await startValkey();
    console.log(new URL(valkey.url).pathname);
    await new Promise(() => setInterval(() => {}, 1000));
  `;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    const { value } = await child.stdout.getReader().read();
    const folder = dirname(dirname(new TextDecoder().decode(value).trim()));
    const pids = readdirSync(folder).map((name) => Number(readFileSync(join(folder, name, "pid"), "utf8")));
    expect(pids).toHaveLength(2);
    child.kill("SIGKILL");
    await until("the folder to be gone", () => !existsSync(folder));
    await until("the processes to be gone", () => !pids.some(isRunning));
  },
);

// The test command says before anything else which programs it needs, and what it skips.

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
    "The tests need what is not installed: Chromium, tmux. On Debian: apt-get install chromium-headless-shell tmux\n",
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
