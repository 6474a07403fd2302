/**
 * The machine's own PostgreSQL and Valkey (or Redis), for tests and benchmarks.
 *
 * They listen on unix sockets. These forms of a URL work with Bun 1.4.5. PostgreSQL asks for the password on TCP only:
 *
 * - `Bun.SQL`: `postgres://user:password@localhost/database?host=/folder/of/the/socket`, as for libpq
 * - `Bun.RedisClient`: `redis+unix://user:password@localhost/path/of/the.sock`; without a host the password is refused
 *
 * Use in a test file:
 *
 *     describe.skipIf(!hasPostgres())("…", () => {
 *       test("…", async () => {
 *         await using database = await temporaryDatabase();
 *         const store = await openStore(database.url);
 *
 * All test files of a run share one cluster, made when the first of them asks. A test that stops or kills PostgreSQL starts
 * one of its own: `await using postgres = await startPostgres()`. Everything ends with the test run, also when that is killed.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { neededPath, pathOf, postgresFolder } from "./needs.ts";
import { freePort } from "./process/server.ts";
import {
  claim,
  listens,
  runAsService,
  runFolder,
  type Service,
  service,
  serviceFolder,
  startDetached,
  until,
} from "./service-process.ts";

/** What every URL of a service holds as its password, so that a test can see that nothing prints it. */
export const SERVICE_PASSWORD = "never-shown-0171";
const USER = "tint";

interface Options {
  /** Listens on loopback at a free port instead of a unix socket, and asks for the password there. */
  tcp?: boolean;
}

interface PostgresOptions extends Options {
  /** Writes each commit to the disk before it is answered, as in a shop. Without, tests are faster. */
  durable?: boolean;
}

interface Databases {
  /** The URL of a database. @param database by default `postgres`, which every cluster has */
  url: (database?: string) => string;
  /** Makes a new, empty database. @returns the URL */
  createDatabase: () => Promise<string>;
}

export type Postgres = Service & Databases;

export interface Valkey extends Service {
  url: string;
}

/** Whether PostgreSQL is installed; where it is not, its tests are skipped, as the test command says (test/needs.ts). */
export function hasPostgres(): boolean {
  return pathOf("PostgreSQL") !== undefined;
}

/** Whether PostgreSQL ends by itself what takes too long: under `faketime` its timers never go off. */
export function hasPostgresTimers(): boolean {
  return hasPostgres() && process.env.FAKETIME === undefined;
}

/** Whether Valkey or Redis is installed, likewise. */
export function hasValkey(): boolean {
  return pathOf("Valkey or Redis") !== undefined;
}

/** An empty database in the cluster that the test files of a run share, dropped at the end of the block. */
export async function temporaryDatabase(): Promise<{ url: string } & AsyncDisposable> {
  const { url, createDatabase } = await sharedPostgres();
  const database = await createDatabase();
  return {
    url: database,
    [Symbol.asyncDispose]: () => run(url(), `DROP DATABASE ${new URL(database).pathname.slice(1)} WITH (FORCE)`),
  };
}

async function sharedPostgres(): Promise<Databases> {
  const folder = join(runFolder(), "shared");
  const [ready, failed] = [join(folder, "ready"), join(folder, "failed")];
  if (claim(folder)) {
    try {
      makeCluster(folder);
      await startDetached(folder, postgresWords(folder, {}), isPostgresReady(folder));
      writeFileSync(ready, "");
    } catch (error) {
      writeFileSync(failed, String(error));
    }
  }
  await until("the PostgreSQL of this test run", () => existsSync(ready) || existsSync(failed));
  if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"));
  return databases(folder);
}

/** Starts a PostgreSQL that belongs to the caller; it ends with the block. Takes about a second. */
export async function startPostgres({ tcp = false, durable = false }: PostgresOptions = {}): Promise<Postgres> {
  const folder = serviceFolder();
  const port = tcp ? freePort() : undefined;
  makeCluster(folder);
  const postgres = service(folder, postgresWords(folder, { port, durable }), isPostgresReady(folder), "SIGINT");
  await postgres.start();
  return { ...postgres, ...databases(folder, port) };
}

function makeCluster(folder: string): void {
  const password = join(folder, "password");
  writeFileSync(password, SERVICE_PASSWORD);
  runAsService([
    ...[
      join(postgresFolder(), "initdb"),
      "--pgdata",
      join(folder, "data"),
      "--username",
      USER,
      "--pwfile",
      password,
      "--no-sync",
    ],
    ...["--auth-local=trust", "--auth-host=scram-sha-256", "--locale=C.UTF-8", "--encoding=UTF8"],
  ]);
}

function postgresWords(folder: string, { port, durable = false }: { port?: number | undefined; durable?: boolean }) {
  const settings = {
    unix_socket_directories: folder,
    listen_addresses: port ? "127.0.0.1" : "",
    ...(port && { port }),
    max_connections: 200,
    ...(!durable && { fsync: "off", full_page_writes: "off", synchronous_commit: "off" }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return [join(postgresFolder(), "postgres"), "-D", join(folder, "data"), ...flags];
}

/** The file has the process id in the first line and the state in the last, as `pg_ctl` reads it. */
function isPostgresReady(folder: string) {
  const file = join(folder, "data", "postmaster.pid");
  return (pid: number) => {
    if (!existsSync(file)) return false;
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines[0] === String(pid) && lines.at(-1)?.trim() === "ready";
  };
}

/** The databases of the cluster in a folder. @param port on loopback, if it listens there */
function databases(folder: string, port?: number): Databases {
  const user = `${USER}:${SERVICE_PASSWORD}`;
  const url = (database = "postgres") =>
    port
      ? `postgres://${user}@127.0.0.1:${port}/${database}`
      : `postgres://${user}@localhost/${database}?host=${folder}`;
  return {
    url,
    createDatabase: async () => {
      const name = `shop_${crypto.randomUUID().replaceAll("-", "")}`;
      await run(url(), `CREATE DATABASE ${name}`);
      return url(name);
    },
  };
}

async function run(url: string, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
}

/** Starts a Valkey or Redis that belongs to the caller and keeps nothing on disk; it ends with the block. */
export async function startValkey({ tcp = false }: Options = {}): Promise<Valkey> {
  const folder = serviceFolder();
  const path = join(folder, "valkey.sock");
  const port = tcp ? freePort() : 0;
  const words = [
    ...[neededPath("Valkey or Redis"), "--bind", "127.0.0.1", "--port", String(port), "--unixsocket", path],
    ...["--requirepass", SERVICE_PASSWORD, "--save", "", "--appendonly", "no"],
  ];
  const at = tcp ? { host: "127.0.0.1", port } : { path };
  const valkey = service(folder, words, () => listens(at), "SIGTERM");
  await valkey.start();
  const user = `default:${SERVICE_PASSWORD}`;
  return {
    ...valkey,
    url: tcp ? `redis://${user}@127.0.0.1:${port}` : `redis+unix://${user}@localhost${path}`,
  };
}
