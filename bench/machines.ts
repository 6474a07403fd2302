/**
 * Durable bookings and estimates of a shop with 1, 2 and 4 servers on PostgreSQL against one server on SQLite. All of them
 * share this machine's processors and disk.
 */
import { SQL } from "bun";
import { shopFolder } from "../test/process/server.ts";
import { hasPostgres, startPostgres } from "../test/services.ts";
import { booked, WARM_UP_SECONDS } from "./bookings.ts";
import { importCatalog, startShop } from "./children.ts";
import { load } from "./load.ts";
import { createSamples, type Metric, noTarget } from "./report.ts";
import { BOOKING_SHOP, bookingRequests, MANY_CALLERS, ROOM, unseenEstimates } from "./requests.ts";

const COUNTS = [1, 2, 4];
const MOST_PER_SECOND = 60_000;

/**
 * @param seconds of estimates in each case; bookings, which come 32 at a time, get three times as long
 * @returns nothing where PostgreSQL is not installed
 */
export async function measureMachines(rounds: number, seconds: number): Promise<Metric[]> {
  if (!hasPostgres()) return [];
  await using postgres = await startPostgres({ durable: true });
  const database = await postgres.createDatabase();
  using folder = shopFolder(BOOKING_SHOP);
  await importCatalog(folder, database);
  await using servers = new AsyncDisposableStack();
  const started = async (env: Record<string, string>) =>
    servers.use(await startShop(folder, { ...env, ...MANY_CALLERS })).port;
  const alone = shopOf([await started({})]);
  const machines: number[] = [];
  while (machines.length < Math.max(...COUNTS)) machines.push(await started({ TINT_DATA: database }));
  const together = shopOf(machines);

  for (const { measure } of [alone, together]) await measure(machines.length, WARM_UP_SECONDS);
  // PostgreSQL does so by itself within a minute. Until then it plans for empty tables, and reads more rows with each booking.
  await using sql = new SQL(database, { max: 1 });
  await sql`ANALYZE`;

  const { note, metrics } = createSamples();
  for (let round = 0; round < rounds; round++) {
    const base = await alone.measure(1, seconds);
    for (const count of COUNTS) {
      const { bookings, estimates } = await together.measure(count, seconds);
      note(`bookings, ${count} on PostgreSQL ÷ one on SQLite`, noTarget, bookings / base.bookings);
      note(`estimates, ${count} on PostgreSQL ÷ one on SQLite`, noTarget, estimates / base.estimates);
    }
  }
  return metrics();
}

function shopOf(ports: readonly number[]) {
  const requests = bookingRequests(ROOM);
  let made = 0;
  return {
    /** Bookings and estimates a second by the first so many servers. */
    async measure(servers: number, seconds: number) {
      const port = ports.slice(0, servers);
      const bookings = await booked({ port, requests: requests.slice(made), seconds: seconds * 3 });
      made += bookings.sent;
      if (made >= ROOM) throw new Error(`the shop is full: fewer rounds or seconds, for ${ROOM} bookings in all`);
      const estimates = await load({ port, requests: unseenEstimates(seconds * MOST_PER_SECOND), seconds });
      return { bookings: bookings.perSecond, estimates: estimates.perSecond };
    },
  };
}
