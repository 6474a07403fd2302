/**
 * A wall clock that jumps while messages are sent. Jumps of seconds to days, both ways, must neither send a message twice
 * nor put off the ones that wait.
 */
import { pino } from "pino";
import { startWorker } from "../../src/messages/worker.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { until } from "../../test/jobs/outbox.ts";
import { temporaryFolder } from "../../test/process/server.ts";
import { newJob, newLead } from "../../test/store/conformance-values.ts";
import { randomFrom } from "../../test/torture/random.ts";
import { brokenOf } from "../report.ts";

const JUMPS_MS = [1_500, 30_000, 3_600_000, 26 * 3_600_000];
/** Each jump comes while about so many messages are on their way. */
const JOBS_PER_JUMP = 8;
/** Longer than a turn of the worker, so that it looks for due jobs while attempts run. */
const LONGEST_ATTEMPT_MS = 700;
const ATTEMPT_LIMIT_MS = 2_000;
/** This share of the messages is refused once; the pause before the next attempt is 1 to 2 seconds. */
const REFUSED_ONCE = 0.1;
/** From the last jump until everything has been sent. Pauses are seconds; a jump that counted would add hours. */
const SETTLING_MS = 30_000;

export async function measureClock({ jumps, seed }: { jumps: number; seed: number }) {
  const random = randomFrom(seed);
  using folder = temporaryFolder();
  const store = openSqliteStore(folder.path);
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const sent = new Map<number, number>();
  const refused = new Set<number>();
  const worker = startWorker({
    store,
    kinds: () => ["shop_sms"],
    log: pino({ level: "silent" }),
    now,
    attemptMs: ATTEMPT_LIMIT_MS,
    deliver: async ({ id }) => {
      await Bun.sleep(random.int(LONGEST_ATTEMPT_MS));
      if (!refused.has(id) && random.chance(REFUSED_ONCE)) {
        refused.add(id);
        return { kind: "retry", reason: "busy" };
      }
      sent.set(id, (sent.get(id) ?? 0) + 1);
      return { kind: "done" };
    },
  });
  const sentAtLeast = (count: number) =>
    until(
      () => sent.size,
      (size) => size >= count,
      SETTLING_MS,
    );
  const jobs = jumps * JOBS_PER_JUMP;
  try {
    for (let jump = 0; jump < jumps; jump++) {
      for (let i = 0; i < JOBS_PER_JUMP; i++) {
        const createdAt = now();
        const job = newJob("shop_sms", { dueAt: createdAt });
        await store.addLead(newLead({ createdAt, jobs: [job] }));
      }
      // In the middle of a batch: after some of its attempts have ended, before others.
      await sentAtLeast(sent.size + random.int(JOBS_PER_JUMP / 2));
      ahead += random.pick(JUMPS_MS) * (random.chance(0.5) ? 1 : -1);
    }
    const lastJump = performance.now();
    await sentAtLeast(jobs).catch(() => {});
    const settledMs = Math.round(performance.now() - lastJump);
    await worker.stop(ATTEMPT_LIMIT_MS);
    const sentTwice = [...sent.values()].filter((times) => times > 1).length;
    // Long after their pause.
    const waiting = jobs - sent.size;
    return { jumps, jobs, sentTwice, waiting, settledMs, broken: brokenOf({ sentTwice, waiting }) };
  } finally {
    await worker.stop(0);
    await store.close();
  }
}
