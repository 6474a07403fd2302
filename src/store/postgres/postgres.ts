import { DAY_MS } from "../../lib/durations.ts";
import { readsAndWrites } from "../queries/reads-and-writes.ts";
import type { Store } from "../store.ts";
import { createWriteQueue, type WriteTimes } from "../write-queue.ts";
import { ClockSkewed, clockAhead, MOST_SKEW_MS } from "./clock.ts";
import { createCommit, LEAST_MS, NotStored } from "./commit.ts";
import { answerWithin, isNotReadyYet, RETRY_PAUSE_MS, withAdvice } from "./errors.ts";
import { migrate } from "./migrate.ts";
import { createPool, createReader, READ_MS, type SqlConnection } from "./pool.ts";

const OPEN_MS = 8_000;
/** `/readyz` knows within a second, and reuses an answer for a part of that. */
const CHECK_MS = 600;
/** Other machines wait for the end of a transaction. */
const MOST_WRITES_TOGETHER = 32;

export interface PostgresOptions {
  /** Connections for reading; the driver opens all of them at the first query. A command needs only one. */
  readers?: number;
  onCommit?: WriteTimes;
  /** This machine's clock, which is compared with the database's. */
  now?: (() => number) | undefined;
}

/**
 * The store in PostgreSQL, for any number of processes on any number of machines.
 * @param url `postgres://…`
 * @throws StoreTooNew, StoreTooOld, ClockSkewed, or the error of a database that cannot be used
 */
export async function openPostgresStore(
  url: string,
  { readers: connections = 1, onCommit, now = Date.now }: PostgresOptions = {},
): Promise<Omit<Store, "copyTo">> {
  const readers = createPool(url, connections);
  // Writes have a connection of their own: while they wait for other machines, they would hold up reads behind them.
  const writer = createPool(url, 1);
  const close = async () => void (await Promise.allSettled([readers.close(), writer.close()]));
  try {
    await answerWithin(OPEN_MS, prepareOnceReady());
  } catch (error) {
    await close();
    throw withAdvice(error);
  }

  /** A database that starts up together with this program is waited for. */
  async function prepareOnceReady(): Promise<void> {
    const deadline = performance.now() + OPEN_MS;
    for (;;) {
      try {
        return await prepare();
      } catch (error) {
        if (!isNotReadyYet(error) || performance.now() + RETRY_PAUSE_MS > deadline) throw error;
        await Bun.sleep(RETRY_PAUSE_MS);
      }
    }
  }

  async function prepare(): Promise<void> {
    const ahead = await clockAhead(readers.current(), now);
    if (Math.abs(ahead) > MOST_SKEW_MS) throw new ClockSkewed(ahead);
    await migrate(readers.current());
    await readers.current().unsafe("DELETE FROM writers WHERE at < $1", [Date.now() - DAY_MS]);
  }

  const { read, ask } = createReader(readers);
  const queue = createWriteQueue(createCommit(writer), {
    mayRetry: (error) => error instanceof NotStored,
    unavailable: "the database does not answer",
    pauseMs: RETRY_PAUSE_MS,
    mostTogether: MOST_WRITES_TOGETHER,
    leastMs: LEAST_MS,
    onCommit,
  });
  return {
    ...readsAndWrites({ read, write: queue.add }),
    /** Asks a connection for reads, so that it does not wait for the writes of other machines. */
    async checkWritable() {
      await ask([{ text: "UPDATE heartbeat SET beats = beats + 1", values: [], gives: "changes" }], CHECK_MS);
    },
    cleanFile: (mostBytes) => rewriteTables(readers.current(), mostBytes),
    clockAhead: () => answerWithin(READ_MS, clockAhead(readers.current(), now)),
    async dataVersion() {
      const [[row]] = (await ask(
        [{ text: "SELECT writes FROM shop WHERE id = 1", values: [], gives: "rows" }],
        READ_MS,
      )) as [[{ writes: number }]];
      return row.writes;
    },
    async close() {
      await queue.idle();
      await close();
    },
  };
}

const TABLES_WITH_PEOPLE = ["leads", "lead_events", "bookings", "jobs", "api_keys", "text_stops"];

/** Erased rows stay in the files of the tables until these are rewritten. Backups and the log of the database keep them longer. */
async function rewriteTables(sql: SqlConnection, mostBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
  try {
    const sizes = TABLES_WITH_PEOPLE.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
    const [row] = await sql.unsafe(`SELECT ${sizes} AS bytes`);
    if (Number(row?.bytes) > mostBytes) return false;
    await sql.unsafe(`VACUUM (FULL) ${TABLES_WITH_PEOPLE.join(", ")}`);
    return true;
  } catch {
    return false;
  }
}
