/**
 * Durable bookings and estimates of a shop with 1, 2 and 4 servers on PostgreSQL against one server on SQLite; and the same
 * with a millisecond more for each round trip to the database. All of them share this machine's processors and disk.
 */
import { SQL } from "bun";
import { childEnv, MAIN, OPEN_DAILY, type ServerProcess, type ShopFolder, shopFolder } from "../test/process/server.ts";
import { hasPostgres, startPostgres } from "../test/services.ts";
import { booked, bookingRequests, ESTIMATE, MANY_ESTIMATES, WARM_UP_SECONDS } from "./bookings.ts";
import { benchFile, startChild, startShop } from "./children.ts";
import { ROOM, ROOMY } from "./customers.ts";
import { load } from "./load.ts";
import { type Figure, median } from "./report.ts";

const COUNTS = [1, 2, 4];
const FAR_MS = 1;

/**
 * @param seconds of estimates in each case; bookings, which come 32 at a time, get three times as long
 * @returns nothing where PostgreSQL is not installed
 */
export async function measureMachines(rounds: number, seconds: number): Promise<Figure[]> {
  if (!hasPostgres()) return [];
  await using postgres = await startPostgres({ tcp: true, durable: true });
  await using proxy = await startChild([
    ...[process.execPath, benchFile("far.ts"), new URL(postgres.url()).port, String(FAR_MS)],
  ]);
  const throughProxy = (url: string) => Object.assign(new URL(url), { port: String(proxy.port) }).href;

  await using sqlite = await openShop();
  const [nearDatabase, farDatabase] = [await postgres.createDatabase(), await postgres.createDatabase()];
  await using near = await openShop(nearDatabase);
  await using far = await openShop(farDatabase, throughProxy(farDatabase));
  const cases = [
    { name: "one on SQLite", shop: sqlite, servers: 1 },
    ...COUNTS.map((servers) => ({ name: `${servers} on PostgreSQL`, shop: near, servers })),
    ...COUNTS.map((servers) => ({ name: `${servers} on PostgreSQL, ${FAR_MS} ms further`, shop: far, servers })),
  ];

  const samples = new Map<string, number[]>();
  const note = (name: string, value: number) => samples.set(name, [...(samples.get(name) ?? []), value]);
  for (const { ports, nextBookings } of [sqlite, near, far]) {
    await nextBookings(ports.length, WARM_UP_SECONDS);
    await load({ port: ports, requests: [ESTIMATE], seconds: WARM_UP_SECONDS });
  }
  await lookAtTables(nearDatabase);
  await lookAtTables(farDatabase);
  for (let round = 0; round < rounds; round++) {
    for (const { name, shop, servers } of cases) {
      note(`bookings, ${name}`, await shop.nextBookings(servers, seconds * 3));
      const estimates = await load({ port: shop.ports.slice(0, servers), requests: [ESTIMATE], seconds });
      note(`estimates, ${name}`, estimates.perSecond);
    }
    note("near", await roundTrip(postgres.url()));
    note("far", await roundTrip(throughProxy(postgres.url())));
  }

  const of = (name: string) => samples.get(name) ?? [];
  const base = "one on SQLite";
  const others = cases.map(({ name }) => name).filter((name) => name !== base);
  const ratios = (what: string) =>
    others.map(
      (name): Figure => ({
        name: `${what}, ${name} ÷ ${base}`,
        samples: of(`${what}, ${name}`).map((value, i) => value / (of(`${what}, ${base}`)[i] ?? Number.NaN)),
        better: "more",
      }),
    );
  const plain = (name: string): Figure => ({ name, samples: of(name), better: "more", unit: "/s" });
  return [
    ...[base, ...others].map((name) => plain(`bookings, ${name}`)),
    ...ratios("bookings"),
    ...ratios("estimates"),
    { name: "a round trip to PostgreSQL", samples: of("near"), better: "less", unit: " ms" },
    { name: `a round trip, ${FAR_MS} ms further`, samples: of("far"), better: "less", unit: " ms" },
  ];
}

interface Shop extends AsyncDisposable {
  ports: readonly number[];
  /** Books with 32 connections to the first so many servers. @returns bookings a second */
  nextBookings: (servers: number, seconds: number) => Promise<number>;
}

/**
 * @param database of the shop; without it the shop has one server and a file
 * @param url by which the servers reach the database
 */
async function openShop(database?: string, url = database): Promise<Shop> {
  const folder = shopFolder({ ...OPEN_DAILY, ...MANY_ESTIMATES, ...ROOMY });
  const servers: ServerProcess[] = [];
  const close = async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  };
  try {
    const env = { TINT_TRUSTED_PROXIES: "127.0.0.1/32", ...(url && { TINT_DATA: url }) };
    if (database) importCatalog(folder, database);
    for (let i = 0; i < (database ? Math.max(...COUNTS) : 1); i++) servers.push(await startShop(folder, env));
  } catch (error) {
    await close();
    throw error;
  }
  const ports = servers.map(({ port }) => port);
  const requests = bookingRequests(ROOM);
  let made = 0;
  return {
    ports,
    async nextBookings(count, seconds) {
      const connections = 32;
      const { perSecond, sent } = await booked(
        { port: ports.slice(0, count) },
        { requests: requests.slice(made), connections, seconds },
      );
      made += sent;
      if (made >= ROOM) throw new Error(`the shop is full: fewer rounds or seconds, for ${ROOM} bookings in all`);
      return perSecond;
    },
    [Symbol.asyncDispose]: close,
  };
}

function importCatalog(folder: ShopFolder, database: string): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, MAIN, "catalog", "import", folder.catalog], {
    cwd: folder.path,
    env: childEnv({ TINT_DATA: database }),
  });
  if (exitCode !== 0) throw new Error(`the catalog was not imported:\n${stderr}`);
}

/** PostgreSQL does so by itself within a minute. Until then it plans for empty tables, and reads more rows with each booking. */
async function lookAtTables(url: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql`ANALYZE`;
}

/** Milliseconds that a small question to a database takes. */
async function roundTrip(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1 });
  const times: number[] = [];
  for (let i = 0; i < 200; i++) {
    const from = performance.now();
    await sql`SELECT 1`;
    times.push(performance.now() - from);
  }
  return median(times);
}
