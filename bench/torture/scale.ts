/** What waits for the database, with a thousand bookings in it and with half a million: medians in milliseconds. */
import type { Database } from "bun:sqlite";
import { claimJobs, hasDueJobs } from "../../src/store/queries/claims.ts";
import { closeDatabase, openDatabase } from "../../src/store/sqlite/database.ts";
import { perform } from "../../src/store/sqlite/perform.ts";
import { JOB_KINDS } from "../../src/vocabulary.ts";
import {
  childEnv,
  dateIn,
  NO_LIMITS,
  OPEN_DAILY,
  type ShopFolder,
  shopFolder,
  startServer,
} from "../../test/process/server.ts";
import { fillDiary } from "../many-bookings.ts";
import { median } from "../report.ts";
import { tint } from "../start.ts";

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

export type ScaleRow = Record<string, number>;

/** @returns a row for each number of bookings */
export async function measureScale(sizes: readonly number[] = SIZES): Promise<Record<string, ScaleRow>> {
  const table: Record<string, ScaleRow> = {};
  for (const size of sizes) {
    using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "scheduling.bays": 50, "scheduling.horizon_days": 365 });
    const future = Math.round(size * AHEAD);
    await fillDiary(folder, { past: size - future, future, days: 360 });
    table[size] = { ...claimTimes(folder), "/readyz": await readinessTime(folder), ...commandTimes(folder) };
  }
  return table;
}

const rounded = (times: number[]) => Number(median(times).toFixed(2));

function timeOf(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

const repeated = (times: number, work: () => number) => rounded(Array.from({ length: times }, work));

function claimTimes({ data }: ShopFolder): ScaleRow {
  const db = openDatabase(data);
  try {
    // By then more than 100 jobs are due even in the smallest database, and tens of thousands in the largest.
    const now = Date.now() + CLAIM_AHEAD_MS;
    const claim = { kinds: JOB_KINDS, now, lastsMs: CLAIM_MS, fresh: 100, retries: 8, running: [] };
    return {
      hasDueJobs: repeated(QUERIES, () => timeOf(() => perform(db, hasDueJobs(claim)))),
      claimJobs: repeated(QUERIES, () => timeOf(() => undone(db, () => perform(db, claimJobs(claim))))),
    };
  } finally {
    closeDatabase(db);
  }
}

/** Runs the work in a transaction that leaves nothing behind. */
function undone(db: Database, work: () => void): void {
  db.run("BEGIN IMMEDIATE");
  try {
    work();
  } finally {
    db.run("ROLLBACK");
  }
}

async function readinessTime(folder: ShopFolder): Promise<number> {
  await using server = await startServer(folder, { quiet: true });
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const from = performance.now();
    await (await server.fetch("/readyz")).arrayBuffer();
    times.push(performance.now() - from);
    await Bun.sleep(READINESS_PAUSE_MS);
  }
  return rounded(times);
}

function commandTimes({ catalog, data }: ShopFolder): ScaleRow {
  const run = (...words: string[]) =>
    repeated(COMMANDS, () =>
      timeOf(() => {
        const command = [...tint, ...words, "--catalog", catalog, "--data", data];
        Bun.spawnSync(command, { env: childEnv(), stdout: "ignore", stderr: "ignore" });
      }),
    );
  return {
    "tint --version": run("--version"),
    "tint bookings show (unknown code)": run("bookings", "show", "ZZZZ9999"),
    "tint bookings (a year)": run("bookings", "--from", dateIn(0), "--to", dateIn(364)),
    "tint doctor": run("doctor"),
  };
}
