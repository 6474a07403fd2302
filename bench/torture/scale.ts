/** What waits for the database, with a thousand bookings in it and with half a million: medians in milliseconds. */

import { JOB_KINDS } from "../../src/constants.ts";
import { claimQueries } from "../../src/store/queries/claims.ts";
import { closeDatabase, openDatabase } from "../../src/store/sqlite/database.ts";
import { runSteps } from "../../src/store/sqlite/migrate.ts";
import { childEnv, dateIn, type ShopFolder, shopFolder } from "../../test/process/server.ts";
import { startShop } from "../children.ts";
import { fillDiary } from "../many-bookings.ts";
import { median } from "../report.ts";
import { OPEN_SHOP } from "../requests.ts";
import { TINT } from "../start.ts";

const SIZES = [1_000, 50_000, 500_000];
/** This share of the bookings lies ahead, over a year. */
const AHEAD = 0.2;
const QUERIES = 15;
const REQUESTS = 5;
const COMMANDS = 3;
/** A readiness answer is reused for a while; after this pause the server looks anew. */
const READINESS_PAUSE_MS = 1_500;
const CLAIM_MS = 20_000;
const CLAIM_AHEAD_MS = 200 * 86_400_000;

type Row = Record<string, number>;

/** @returns a row for each number of bookings */
export async function measureScale() {
  const table: Record<string, Row> = {};
  for (const size of SIZES) {
    using folder = shopFolder(OPEN_SHOP);
    const future = Math.round(size * AHEAD);
    await fillDiary(folder, { past: size - future, future, days: 360 });
    table[size] = { ...claimTimes(folder), "/readyz": await readinessTime(folder), ...commandTimes(folder) };
  }
  return { table, broken: [] };
}

const rounded = (times: number[]) => Number(median(times).toFixed(2));
const timeOf = (work: () => unknown) => {
  const from = performance.now();
  work();
  return performance.now() - from;
};
const repeated = (times: number, work: () => number) => rounded(Array.from({ length: times }, work));

function claimTimes({ data }: ShopFolder): Row {
  const db = openDatabase(data);
  // By then more than 100 jobs are due even in the smallest database, and tens of thousands in the largest.
  const now = Date.now() + CLAIM_AHEAD_MS;
  const claim = { kinds: JOB_KINDS, now, lastsMs: CLAIM_MS, fresh: 100, retries: 8, running: [] };
  /** In a transaction that leaves nothing behind. */
  const claimed = () => {
    db.run("BEGIN IMMEDIATE");
    try {
      runSteps(db, claimQueries.writes.claimJobs(claim));
    } finally {
      db.run("ROLLBACK");
    }
  };
  try {
    return {
      hasDueJobs: repeated(QUERIES, () => timeOf(() => runSteps(db, claimQueries.reads.hasDueJobs(claim)))),
      claimJobs: repeated(QUERIES, () => timeOf(claimed)),
    };
  } finally {
    closeDatabase(db);
  }
}

async function readinessTime(folder: ShopFolder): Promise<number> {
  await using server = await startShop(folder);
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const from = performance.now();
    await (await server.fetch("/readyz")).arrayBuffer();
    times.push(performance.now() - from);
    await Bun.sleep(READINESS_PAUSE_MS);
  }
  return rounded(times);
}

function commandTimes({ catalog, data }: ShopFolder): Row {
  const run = (...words: string[]) => {
    const command = [...TINT, ...words, "--catalog", catalog, "--data", data];
    // `tint doctor` and an unknown code end with 1.
    return repeated(COMMANDS, () => timeOf(() => Bun.spawnSync(command, { env: childEnv() })));
  };
  return {
    "tint --version": run("--version"),
    "tint bookings show (unknown code)": run("bookings", "show", "ZZZZ9999"),
    "tint bookings (a year)": run("bookings", "--from", dateIn(0), "--to", dateIn(364)),
    "tint doctor": run("doctor"),
  };
}
