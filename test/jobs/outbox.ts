/** A store with a worker that sends to the stand-ins, on a clock that the test moves. */
import { Database } from "bun:sqlite";
import { onTestFinished } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { Shop } from "../../src/catalog/shop.ts";
import { type Channels, lanes } from "../../src/messages/channels.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { startDeliveryPolling } from "../../src/messages/twilio.ts";
import { createDeliver, startWorker } from "../../src/messages/worker.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { JobContent } from "../../src/store/store.ts";
import { CATALOG } from "../helpers.ts";
import { newLead } from "../store/conformance-values.ts";

export interface JobState {
  id: number;
  kind: string;
  status: string;
  attempts: number;
  doubtful: number;
  last_error: string | null;
  due_at: number;
  next_at: number;
  message_sid: string | null;
  arrival: string | null;
  ask_at: number | null;
  payload: string;
}

/** Shorter than the program's, because most tests wait for a turn. */
const SHORT_TURN_MS = 10;

/** Asks again and again until the answer fits. */
export async function until<T>(ask: () => T | Promise<T>, fits: (answer: T) => boolean, withinMs = 8_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(answer)} after ${withinMs} ms`);
    await Bun.sleep(10);
  }
}

/** Asks again and again until the answer is this one. */
export async function untilIs<T>(ask: () => T | Promise<T>, wanted: T, withinMs?: number): Promise<void> {
  await until(ask, (answer) => answer === wanted, withinMs);
}

/** A booked appointment of one hour, as messages are planned for it. */
export function appointmentAt(startAt: number) {
  const endAt = startAt + 3_600_000;
  return { code: "7F3A1B2C", name: "Pat", service: "automotive", startAt, endAt, price: 1 };
}

/**
 * @param attemptMs the longest an attempt may take
 * @param catalog gives the limits of messages; without it, none is limited
 * @param asks whether Twilio is asked what became of texts
 */
export function startOutbox(
  given: Partial<Channels>,
  {
    // Long enough for a busy machine; a test in which something hangs waits for less.
    attemptMs = 5_000,
    turnMs = SHORT_TURN_MS,
    catalog,
    asks = false,
  }: { attemptMs?: number; turnMs?: number; catalog?: () => Shop; asks?: boolean } = {},
) {
  const channels: Channels = { twilio: null, crm: null, mail: null, push: null, ...given };
  const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
  const store = openSqliteStore(folder);
  const db = new Database(join(folder, "tintdesk.db"));
  const logs: Record<string, unknown>[] = [];
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  const deliver = createDeliver(channels, store, catalog ?? (() => CATALOG));
  const limits = catalog && ((at: number) => deliveryRules(catalog(), at));
  const isMailOn = channels.mail !== null;
  const start = () =>
    lanes(channels, catalog ?? (() => CATALOG)).map((kinds) =>
      startWorker({ store, deliver, kinds, log, now, attemptMs, turnMs, isMailOn, ...(limits && { limits }) }),
    );
  const { twilio } = channels;
  const ask = () => (twilio && asks ? [startDeliveryPolling({ store, twilio, isMailOn, log, now, turnMs })] : []);
  let workers = start();
  let polling = ask();
  const stop = async (withinMs = 0) => {
    await Promise.all([...workers.map((worker) => worker.stop(withinMs)), ...polling.map((one) => one.stop())]);
    workers = [];
    polling = [];
  };
  onTestFinished(async () => {
    await stop();
    db.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const jobs = () => db.query<JobState, []>("SELECT * FROM jobs ORDER BY id").all();
  const job = (id: number) => {
    const found = jobs().find((one) => one.id === id);
    if (!found) throw new Error(`there is no job ${id}`);
    return found;
  };
  return {
    store,
    db,
    logs,
    now,
    jobs,
    stop,
    restart: () => {
      workers = start();
      polling = ask();
    },
    /** Adds a lead with one job that is due. */
    async add(delivery: JobContent): Promise<number> {
      const createdAt = now();
      await store.addLead(newLead({ createdAt, jobs: [{ ...delivery, dueAt: createdAt, unless: null }] }));
      return Math.max(...jobs().map(({ id }) => id));
    },
    /** Waits until this many attempts of a job are settled. */
    tried: (id: number, attempts: number) =>
      until(
        () => ({ ...job(id), claimed: isClaimed(db, id) }),
        (state) => state.attempts >= attempts && !state.claimed,
      ),
    /** Moves the clock, as a correction of the system time does. */
    jump: (ms: number) => {
      ahead += ms;
    },
    /** Moves the clock past the next attempt. */
    skipPause: (id: number) => {
      ahead += Math.max(0, job(id).next_at - now()) + 1;
    },
    /** Skips every pause of a job until the job no longer waits. */
    async settled(id: number, withinMs = 8_000): Promise<JobState> {
      return await until(
        () => {
          const state = job(id);
          if (state.status === "waiting" && !isClaimed(db, id)) ahead += Math.max(0, state.next_at - now());
          return state;
        },
        ({ status }) => status !== "waiting",
        withinMs,
      );
    },
  };
}

function isClaimed(db: Database, id: number): boolean {
  return db.query("SELECT 1 FROM jobs WHERE id = ? AND claimed_until IS NOT NULL").get(id) !== null;
}
