/** The versions of the catalog in PostgreSQL. */
import type { SQL } from "bun";
import { OutcomeUnknown, StoreUnavailable } from "../store-errors.ts";
import type { CatalogStore, StoredCatalog } from "../stored-catalog.ts";
import { migrate } from "./migrate.ts";
import {
  answerWithin,
  createPool,
  ENDS_WITH_ITS_MACHINE,
  isPassing,
  NoAnswer,
  READ_MS,
  RETRY_PAUSE_MS,
  resultOf,
  type SqlConnection,
  withAdvice,
} from "./pool.ts";

type Facts = Omit<StoredCatalog, "text">;
const FACTS = 'version, hash, made_at AS "madeAt", made_by AS "madeBy", note';

/** On a connection of its own, so that a busy server sees a new version as soon as an idle one. */
export async function openPostgresCatalogs(url: string): Promise<CatalogStore> {
  const pool = createPool(url, 1);
  try {
    await answerWithin(READ_MS * 2, migrate(pool.current()));
  } catch (error) {
    await pool.close();
    throw withAdvice(error);
  }

  async function ask<Answer>(
    question: (sql: SQL) => Promise<Answer>,
    tooLate: (cause: unknown) => Error = (cause) => new StoreUnavailable("the database does not answer", { cause }),
  ): Promise<Answer> {
    const deadline = performance.now() + READ_MS;
    for (;;) {
      const sql = pool.current();
      try {
        return await answerWithin(deadline - performance.now(), question(sql));
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (error instanceof NoAnswer && pool.current() === sql) pool.replace();
        if (performance.now() + RETRY_PAUSE_MS > deadline) throw tooLate(error);
        await Bun.sleep(RETRY_PAUSE_MS);
      }
    }
  }

  return {
    latest: () => ask(latestOf),
    read: (version) =>
      ask(async (sql) => {
        const place = version === undefined ? "(SELECT max(version) FROM catalogs)" : "$1";
        const values = version === undefined ? [] : [version];
        const [found] = await rows<StoredCatalog>(
          sql,
          `SELECT ${FACTS}, text FROM catalogs WHERE version = ${place}`,
          values,
        );
        return found ?? null;
      }),
    history: (limit) =>
      ask((sql) => rows<Facts>(sql, `SELECT ${FACTS} FROM catalogs ORDER BY version DESC LIMIT $1`, [limit])),
    add: (next) =>
      ask(
        (sql) => sql.begin("ISOLATION LEVEL READ COMMITTED", (tx) => addIn(tx, next)),
        (cause) => new OutcomeUnknown("the database does not answer", { cause }),
      ),
    close: () => pool.close(),
  };
}

async function addIn(tx: SqlConnection, next: StoredCatalog): Promise<boolean> {
  await tx.unsafe(`SET LOCAL statement_timeout = ${READ_MS}; ${ENDS_WITH_ITS_MACHINE}`);
  // Takes the turn among all machines.
  await tx.unsafe("UPDATE shop SET writes = writes + 1 WHERE id = 1");
  const [there] = await rows<Facts>(tx, `SELECT ${FACTS} FROM catalogs WHERE version = $1`, [next.version]);
  // An earlier try was committed, but its answer was lost.
  if (there) return there.hash === next.hash && there.madeAt === next.madeAt && there.madeBy === next.madeBy;
  if ((await latestOf(tx)) + 1 !== next.version) return false;
  const { version, text, hash, madeAt, madeBy, note } = next;
  await tx.unsafe(
    "INSERT INTO catalogs (version, text, hash, made_at, made_by, note) VALUES ($1, $2, $3, $4, $5, $6)",
    [version, text, hash, madeAt, madeBy, note],
  );
  return true;
}

async function latestOf(on: SqlConnection): Promise<number> {
  const [row] = await rows<{ version: number | null }>(on, "SELECT max(version) AS version FROM catalogs");
  return row?.version ?? 0;
}

async function rows<Row>(on: SqlConnection, text: string, values: (string | number)[] = []): Promise<Row[]> {
  // Safe, because the texts above name the columns of the rows.
  return (await resultOf(on, { text, values, gives: "rows" })) as Row[];
}
