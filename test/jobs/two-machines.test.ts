/** Two workers on one database: one sleeps past its claim, or is killed. The long form is `bun run torture workers`. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { createDeliver, startWorker } from "../../src/messages/worker.ts";
import { startRetention } from "../../src/programs/background.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import type { DueJob } from "../../src/store/store.ts";
import { CATALOG, catalogWith } from "../helpers.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { leadChange, newLead } from "../store/conformance-values.ts";
import { startOutbox, until } from "./outbox.ts";
import { startTwilio } from "./twilio.ts";
import { measureWorkers } from "./two-workers.ts";

setDefaultTimeout(60_000);

test("a worker that sleeps past its claim settles nothing; the next one finds the text and sends no other", async () => {
  using twilio = await startTwilio();
  const outbox = startOutbox({ twilio: twilio.settings });
  await outbox.stop();
  const id = await outbox.add({ kind: "shop_sms", payload: { to: "+14045550142", text: "Once." } });
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
    deliver: createDeliver({ twilio: twilio.settings, crm: null, mail: null, push: null }, outbox.store, () => CATALOG),
    kinds: () => ["shop_sms"],
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

test("a claim that is answered after its attempt would be over is not used; the job comes back doubtful", async () => {
  const outbox = startOutbox({});
  const id = await outbox.add({ kind: "push_to_crm", payload: leadChange() });
  const attemptMs = 600;
  const tried: DueJob[] = [];
  const lines: { msg: string; jobs?: number[] }[] = [];
  const worker = startWorker({
    store: {
      ...outbox.store,
      async claimJobs(claim) {
        const jobs = await outbox.store.claimJobs(claim);
        if (jobs.some(({ attempts }) => attempts === 1)) await Bun.sleep(attemptMs);
        return jobs;
      },
    },
    deliver: async (job) => {
      tried.push(job);
      return { kind: "done" };
    },
    kinds: () => ["push_to_crm"],
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }),
    attemptMs,
  });
  await until(
    () => outbox.jobs(),
    ([job]) => job?.status === "done",
  );
  await worker.stop(0);
  expect(tried).toMatchObject([{ id, doubtful: true }]);
  expect(lines[0]).toMatchObject({ jobs: [id], msg: expect.stringContaining("answered too late") });
});

describe.skipIf(!hasPostgres())("two processes on one PostgreSQL", () => {
  test("one is killed while it sends: its jobs come back, none is lost, and no text goes out twice", async () => {
    const metrics = await measureWorkers({ jobs: 200, attemptMs: 1_500, fault: "killed" });
    expect(metrics).toMatchObject({ lost: 0, textedTwice: 0, pushedTwiceWithoutCause: 0 });
    // The push that was being answered, at least.
    expect(metrics.cameBack).toBeGreaterThan(0);
  });

  test("work for the whole shop is done once: limits of texts, the warning about them, old data erased", async () => {
    await using database = await temporaryDatabase();
    const [one, other] = await Promise.all([1, 2].map(() => openStore(locationOf(database.url))));
    if (!one || !other) throw new Error("two stores are due");
    try {
      const now = Temporal.Instant.from("2026-11-25T17:00:00Z").epochMilliseconds;
      const texts = Array.from({ length: 70 }, (_, nth) => {
        const phone = `+1404${2_000_000 + nth}`;
        const payload = { to: phone, text: "t" };
        const jobs = [{ kind: "confirmation_sms" as const, payload, dueAt: now, unless: null }];
        return one.addLead(newLead({ phone, createdAt: now, jobs, agentClass: "owner" }));
      });
      await Promise.all(texts);
      const rules = deliveryRules(catalogWith({ "messages.sms_per_hour": 5 }), now);
      const kinds = ["confirmation_sms"] as const;
      const claim = { kinds, now, lastsMs: 60_000, fresh: 40, retries: 4, running: [], limits: rules };
      const claims = await Promise.all([one, other, one, other].map((store) => store.claimJobs(claim)));
      expect(claims.flat()).toHaveLength(5);
      expect(await one.waitingJobs(9, { kinds: ["text_limit_sms"] })).toHaveLength(1);

      const lines: { msg: string; leads?: number }[] = [];
      const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
      const catalog = catalogWith({ retention_days: 30 });
      const later = now + 31 * 86_400_000;
      const retentions = [one, other].map((store) =>
        startRetention({ store, catalog: () => catalog, log, now: () => later }),
      );
      await until(
        () => lines.reduce((sum, { leads = 0 }) => sum + leads, 0),
        (erased) => erased >= 70,
      );
      await Promise.all(retentions.map(({ stop }) => stop()));
      expect(lines.reduce((sum, { leads = 0 }) => sum + leads, 0)).toBe(70);
      expect(lines.map(({ msg }) => msg)).toEqual(lines.map(() => "old personal data erased"));
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
