/** Two workers on one database: one sleeps past its claim, or is killed. The long form is `bun run torture workers`. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import { measureWorkers } from "../../bench/torture/workers.ts";
import { createDeliver } from "../../src/jobs/deliver.ts";
import { startWorker } from "../../src/jobs/worker.ts";
import { CATALOG } from "../helpers.ts";
import { hasPostgres } from "../services.ts";
import { startOutbox, until } from "./outbox.ts";
import { startTwilio } from "./twilio.ts";

setDefaultTimeout(60_000);

test("a worker that sleeps past its claim settles nothing; the next one finds the text and sends no other", async () => {
  using twilio = await startTwilio();
  const outbox = startOutbox({ twilio: twilio.settings });
  await outbox.stop();
  const id = await outbox.add({ kind: "notify_shop_sms", payload: { to: "+14045550142", text: "Once." } });
  const awake = Promise.withResolvers<void>();
  const lines: { msg: string; job?: number }[] = [];
  const sleeper = startWorker({
    store: {
      ...outbox.store,
      async settleJobs(settled) {
        await awake.promise;
        return outbox.store.settleJobs(settled);
      },
    },
    deliver: createDeliver({ twilio: twilio.settings, crm: null, mail: null }, outbox.store, () => CATALOG),
    kinds: ["notify_shop_sms"],
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    now: outbox.now,
  });
  await until(twilio.posts, (posts) => posts === 1);
  outbox.jump(60_000);
  outbox.restart();
  expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 2, doubtful: 1 });
  awake.resolve();
  await sleeper.stop(1_000);
  expect(lines).toContainEqual(expect.objectContaining({ job: id, msg: expect.stringContaining("came too late") }));
  expect([twilio.posts(), twilio.lookUps()]).toEqual([1, 1]);
});

describe.skipIf(!hasPostgres())("two processes on one PostgreSQL", () => {
  test("one is killed while it sends: its jobs come back, none is lost, and no text goes out twice", async () => {
    const { lost, cameBack, textedTwice, pushedTwiceWithoutCause } = await measureWorkers({
      jobs: 300,
      attemptMs: 1_500,
    });
    expect({ lost, textedTwice, pushedTwiceWithoutCause }).toEqual({
      lost: 0,
      textedTwice: 0,
      pushedTwiceWithoutCause: 0,
    });
    // The push that was being answered, at least.
    expect(cameBack).toBeGreaterThan(0);
  });
});
