import type { SQL } from "bun";
import { SCHEMA_VERSION, statementsSince } from "../migrations.ts";
import { addSecret } from "../queries/secrets.ts";
import { StoreDiffers } from "../store-errors.ts";
import { ownDifference, versionOf } from "./compare-schema.ts";
import { ENDS_WITH_ITS_MACHINE, sqlStateOf } from "./errors.ts";
import { runSteps } from "./pool.ts";
import { SHOP, TABLES } from "./schema.ts";

/** SQLSTATEs that a process gets when another one has just made the same table. */
const MADE_TWICE = ["42P07", "23505", "42710"];

/** Brings the tables to this program's version. Any number of processes may do so at once. @throws StoreTooNew, StoreTooOld, StoreDiffers */
export async function migrate(sql: SQL): Promise<void> {
  // Every command opens the database, so the usual case must not cost a write.
  if ((await versionOf(sql)) === SCHEMA_VERSION) return;
  await makeShop(sql);
  await sql.begin(async (tx) => {
    await tx.unsafe(ENDS_WITH_ITS_MACHINE);
    // Others wait here until the first has migrated.
    const [row] = await tx.unsafe("SELECT version FROM shop WHERE id = 1 FOR UPDATE");
    const version = Number(row?.version);
    if (version === SCHEMA_VERSION) return;
    const difference = await ownDifference(tx, version);
    if (difference !== undefined) throw new StoreDiffers(version, difference);
    for (const statements of statementsSince(version, "postgres", TABLES)) await tx.unsafe(statements);
    if (version === 0) await runSteps(tx, addSecret());
    await tx.unsafe(`UPDATE shop SET version = ${SCHEMA_VERSION}, writes = writes + 1 WHERE id = 1`);
  });
}

async function makeShop(sql: SQL): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await sql.unsafe(SHOP);
      return;
    } catch (error) {
      if (tries === 20 || !MADE_TWICE.includes(sqlStateOf(error) ?? "")) throw error;
    }
  }
}
