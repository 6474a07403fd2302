/** The versions of the catalog in PostgreSQL. */

import type { CatalogStore, StoredCatalog } from "../catalog/stored-catalog.ts";
import { all, get, run, type Steps } from "../queries/steps.ts";
import { OutcomeUnknown } from "../store-errors.ts";
import { lookAtTables, migrate } from "./migrate.ts";
import {
  answerWithin,
  createPool,
  createReader,
  ENDS_WITH_ITS_MACHINE,
  isPassing,
  NoAnswer,
  READ_MS,
  RETRY_PAUSE_MS,
  runSteps,
  withAdvice,
} from "./pool.ts";

type Facts = Omit<StoredCatalog, "text">;
const FACTS = "version, hash, made_at AS madeAt, made_by AS madeBy, note";

/**
 * On a connection of its own, so that a busy server sees a new version as soon as an idle one.
 * @param isLook the tables stay as they are; without any there is no catalog
 */
export async function openPostgresCatalogs(url: string, isLook = false): Promise<CatalogStore> {
  const pool = createPool(url, 1);
  let hasTables = true;
  try {
    if (isLook) hasTables = await lookAtTables(pool.current());
    else await migrate(pool.current());
  } catch (error) {
    await pool.close();
    throw withAdvice(error);
  }

  const { read } = createReader(pool);
  return {
    latest: () => read(latestVersion()),
    read: async (version) => {
      if (!hasTables) return null;
      return read(
        version === undefined
          ? get<StoredCatalog>(`SELECT ${FACTS}, text FROM catalogs ORDER BY version DESC LIMIT 1`)
          : get<StoredCatalog>(`SELECT ${FACTS}, text FROM catalogs WHERE version = ?`, [version]),
      );
    },
    history: (limit) => read(all<Facts>(`SELECT ${FACTS} FROM catalogs ORDER BY version DESC LIMIT ?`, [limit])),
    async add(next) {
      const deadline = performance.now() + READ_MS;
      for (;;) {
        const sql = pool.current();
        try {
          const added = sql.begin("ISOLATION LEVEL READ COMMITTED", async (tx) => {
            await tx.unsafe(`SET LOCAL statement_timeout = ${READ_MS}; ${ENDS_WITH_ITS_MACHINE}`);
            return runSteps(tx, addVersion(next));
          });
          return await answerWithin(deadline - performance.now(), added);
        } catch (error) {
          if (!isPassing(error)) throw error;
          if (error instanceof NoAnswer) pool.replace(sql);
          if (performance.now() + RETRY_PAUSE_MS > deadline)
            throw new OutcomeUnknown("the database does not answer", { cause: error });
          await Bun.sleep(RETRY_PAUSE_MS);
        }
      }
    },
    close: () => pool.close(),
  };
}

function* addVersion(next: StoredCatalog): Steps<boolean> {
  // Takes the turn among all machines.
  yield* run("UPDATE shop SET writes = writes + 1 WHERE id = 1");
  const there = yield* get<Facts>(`SELECT ${FACTS} FROM catalogs WHERE version = ?`, [next.version]);
  // An earlier try was committed, but its answer was lost.
  if (there) return there.hash === next.hash && there.madeAt === next.madeAt && there.madeBy === next.madeBy;
  if ((yield* latestVersion()) + 1 !== next.version) return false;
  const { version, text, hash, madeAt, madeBy, note } = next;
  yield* run("INSERT INTO catalogs (version, text, hash, made_at, made_by, note) VALUES (?, ?, ?, ?, ?, ?)", [
    version,
    text,
    hash,
    madeAt,
    madeBy,
    note,
  ]);
  return true;
}

function* latestVersion(): Steps<number> {
  return (yield* get<{ version: number | null }>("SELECT max(version) AS version FROM catalogs"))?.version ?? 0;
}
