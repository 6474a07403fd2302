/** The worker starts jobs soon, gives up late, stops in time, and recovers from a crash. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { pino } from "pino";
import type { AttemptResult } from "../../src/messages/attempts.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { startDeliveryPolling } from "../../src/messages/twilio.ts";
import { createDeliver, startWorker, TURN_MS } from "../../src/messages/worker.ts";
import { startRetention } from "../../src/programs/background.ts";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import type { DueJob, Settled } from "../../src/store/store.ts";
import { CATALOG, catalogWith } from "../helpers.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { claimOf, leadChange, newJob, newLead } from "../store/conformance-values.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { startCrm, startSilence } from "./receivers.ts";
import { type Fate, startTwilio } from "./twilio.ts";
import { measureWorkers } from "./two-workers.ts";

setDefaultTimeout(60_000);

const SMS = { to: "+14045550142", text: "Quote request Q-7F3A1B." };
const HOUR = 3_600_000;
const PUSH = leadChange();

/** Adds a job and waits for its first attempt. @returns the milliseconds between */
async function timeToStart(add: () => Promise<unknown>, starts: () => number): Promise<number> {
  const before = starts();
  await add();
  const committed = performance.now();
  await until(starts, (count) => count > before);
  return performance.now() - committed;
}

test("a new job starts within a second of the commit, even while a receiver hangs", async () => {
  using twilio = await startTwilio(() => "hang");
  using crm = startCrm();
  const outbox = startOutbox({ twilio: twilio.settings, crm: crm.settings }, { attemptMs: 15_000, turnMs: TURN_MS });
  const text = (nth: number) => outbox.add({ kind: "shop_sms", payload: { ...SMS, text: `text ${nth}` } });
  for (let i = 0; i < 24; i++) await text(i);
  const committed = performance.now();
  await untilIs(twilio.posts, 24);
  expect(performance.now() - committed).toBeLessThan(1_000);
  for (let i = 24; i < 27; i++) expect(await timeToStart(() => text(i), twilio.posts)).toBeLessThan(1_000);
  for (let i = 0; i < 3; i++) {
    const push = () => outbox.add({ kind: "push_to_crm", payload: { ...PUSH, id: `evt_${i}` } });
    expect(await timeToStart(push, () => crm.pushed.length)).toBeLessThan(1_000);
  }
});

test("retries that hang take a bounded number of places and none of new jobs", async () => {
  using twilio = await startTwilio(() => "hang");
  const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs: 15_000 });
  await outbox.stop();
  for (let i = 0; i < 30; i++) await outbox.add({ kind: "shop_sms", payload: { ...SMS, text: `text ${i}` } });
  outbox.db.run("UPDATE jobs SET attempts = 1");
  outbox.restart();
  await untilIs(twilio.posts, 8);
  for (let i = 0; i < 3; i++) {
    const add = () => outbox.add({ kind: "shop_sms", payload: { ...SMS, text: `new ${i}` } });
    expect(await timeToStart(add, twilio.posts)).toBeLessThan(1_000);
  }
  expect(twilio.posts()).toBe(11);
  const started = outbox.db.query<{ attempts: number; n: number }, []>(
    "SELECT attempts, count(*) AS n FROM jobs WHERE claimed_until IS NOT NULL GROUP BY attempts",
  );
  expect(started.all()).toEqual([
    { attempts: 1, n: 3 },
    { attempts: 2, n: 8 },
  ]);
});

test("a job is tried for three days, then given up with an error in the log; a retry by hand looks first", async () => {
  let isDown = true;
  using twilio = await startTwilio((): Fate => (isDown ? "error" : "ok"));
  const outbox = startOutbox({ twilio: twilio.settings });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  await outbox.tried(id, 1);
  // Writes most of the three days into the row, so that the test skips those attempts.
  outbox.db.run("UPDATE jobs SET attempts = 80, tried_ms = ?, next_at = 0 WHERE id = ?", [70 * HOUR, id]);
  const before = outbox.now();
  const failed = await outbox.settled(id);
  expect(failed).toMatchObject({ status: "failed", last_error: "Twilio answered 500 (20500: see its list of errors)" });
  expect(outbox.now() - before).toBeWithin(HOUR, 2 * HOUR + 60_000);
  expect(outbox.logs).toContainEqual(
    expect.objectContaining({ level: 50, msg: "job failed for good; see tint outbox" }),
  );

  isDown = false;
  const looks = twilio.lookUps();
  expect(await outbox.store.retryJob(id, outbox.now())).toEqual({ kind: "due" });
  expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 1, last_error: null });
  expect(twilio.lookUps()).toBe(looks + 1);
  expect(twilio.messages).toHaveLength(1);
});

test("stopping waits for running attempts and starts no others", async () => {
  using twilio = await startTwilio();
  const outbox = startOutbox({ twilio: twilio.settings });
  const ids = [];
  for (let i = 0; i < 20; i++) ids.push(await outbox.add({ kind: "shop_sms", payload: { ...SMS, text: `text ${i}` } }));
  await untilIs(() => twilio.messages.length > 0, true);
  await outbox.stop(5_000);
  const claimed = outbox.db.query("SELECT id FROM jobs WHERE claimed_until IS NOT NULL").all();
  expect(claimed).toEqual([]);
  const sent = twilio.messages.length;
  expect(outbox.jobs().filter(({ status }) => status === "done")).toHaveLength(sent);
  await outbox.add({ kind: "shop_sms", payload: { ...SMS, text: "later" } });
  await Bun.sleep(0);
  expect(twilio.messages).toHaveLength(sent);

  outbox.restart();
  await untilIs(() => twilio.messages.length, 21);
  expect(new Set(twilio.messages.map(({ body }) => body)).size).toBe(21);
});

test("stopping ends after the results are stored", async () => {
  const outbox = startOutbox({});
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  const { promise: outcome, resolve: answer } = Promise.withResolvers<AttemptResult>();
  let isTried = false;
  const written: Settled[] = [];
  const worker = startWorker({
    store: {
      ...outbox.store,
      async settleJobs(jobs) {
        // A disk that is slower than the worker.
        await new Promise(setImmediate);
        written.push(...jobs);
        return jobs.map(() => true);
      },
    },
    deliver: () => {
      isTried = true;
      return outcome;
    },
    kinds: () => ["shop_sms"],
    log: pino({ enabled: false }),
    now: outbox.now,
  });
  await untilIs(() => isTried, true);
  const stopped = worker.stop(5_000);
  answer({ kind: "done" });
  await stopped;
  expect(written).toEqual([{ id, kind: "done", messageSid: null }]);
});

test("stopping aborts attempts that hang, and the next start looks before it sends", async () => {
  using twilio = await startTwilio((nth) => (nth === 1 ? "hang_taken" : "ok"));
  const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs: 15_000 });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  await untilIs(twilio.posts, 1);
  const started = performance.now();
  await outbox.stop(200);
  expect(performance.now() - started).toBeWithin(150, 2_000);
  expect(outbox.jobs()).toMatchObject([{ id, status: "waiting", doubtful: 1 }]);
  outbox.restart();
  expect(await outbox.settled(id)).toMatchObject({ status: "done" });
  expect(twilio.posts()).toBe(1);
});

test("a clock that jumps forward during an attempt neither repeats the attempt nor uses up the days of trying", async () => {
  using twilio = await startTwilio((nth) => (nth === 1 ? "hang" : "ok"));
  const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs: 1_500 });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  await untilIs(twilio.posts, 1);
  outbox.jump(4 * 24 * HOUR);
  // When a later job is sent, the worker has had a turn since the jump.
  await outbox.add({ kind: "shop_sms", payload: { ...SMS, text: "later" } });
  await untilIs(twilio.posts, 2);
  expect(outbox.jobs().find((job) => job.id === id)).toMatchObject({ attempts: 1 });
  expect(await outbox.tried(id, 1)).toMatchObject({ status: "waiting", attempts: 1 });
  expect(await outbox.settled(id)).toMatchObject({ status: "done" });
  expect(twilio.messages.filter(({ body }) => body === SMS.text)).toHaveLength(1);
});

test("mail that hangs is aborted too", async () => {
  using silence = await startSilence();
  const mail = { url: `smtp://127.0.0.1:${silence.port}`, from: "desk@example.com", allowPlain: false };
  const outbox = startOutbox({ mail }, { attemptMs: 200 });
  const payload = { to: "pat@example.com", subject: "s", text: "t", calendar: "" };
  const id = await outbox.add({ kind: "confirmation_email", payload });
  expect(await outbox.tried(id, 1)).toMatchObject({ status: "waiting", last_error: "no answer in time" });
});

test("jobs of a channel without settings are left alone", async () => {
  using crm = startCrm();
  const outbox = startOutbox({ crm: crm.settings });
  const sms = await outbox.add({ kind: "shop_sms", payload: SMS });
  const reminder = await outbox.add({ kind: "remind_owner", payload: {} });
  const push = await outbox.add({ kind: "push_to_crm", payload: PUSH });
  expect(await outbox.settled(push)).toMatchObject({ status: "done" });
  for (const id of [sms, reminder])
    expect(outbox.jobs().find((job) => job.id === id)).toMatchObject({ status: "waiting", attempts: 0 });
});

test("a locked store is reported in the log, and the work goes on", async () => {
  using crm = startCrm();
  const outbox = startOutbox({ crm: crm.settings });
  await outbox.stop();
  const id = await outbox.add({ kind: "push_to_crm", payload: PUSH });
  outbox.db.run("BEGIN IMMEDIATE");
  outbox.restart();
  await untilIs(() => outbox.logs.some(({ msg }) => msg === "jobs could not be claimed"), true);
  outbox.db.run("COMMIT");
  expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 1 });
});

test("a loop that fails logs at once, then at most one line a minute with how often it failed", async () => {
  using twilio = await startTwilio();
  let asked = 0;
  const fail = () => {
    asked++;
    return Promise.reject(new Error("no disk"));
  };
  const logs: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  let at = 0;
  const common = { log, now: () => at, turnMs: 1 };
  const store = { ...startOutbox({}).store, claimJobs: fail, claimUnconfirmedTexts: fail };
  const delivery = { deliver: () => fail(), kinds: () => ["shop_sms"] as const };
  const workers = [1, 2].map(() => startWorker({ store, ...delivery, ...common }));
  const polling = startDeliveryPolling({ store, twilio: twilio.settings, isMailOn: false, ...common });
  const MESSAGES = ["jobs could not be claimed", "the state of texts could not be asked for"];
  const failMore = async () => {
    const before = asked;
    await untilIs(() => asked > before + 30, true);
  };
  const said = (message: string) => logs.filter(({ msg }) => msg === message).map(({ times }) => times ?? 1);
  await failMore();
  expect(MESSAGES.map((message) => said(message))).toEqual([[1], [1]]);
  at = 59_999;
  await failMore();
  expect(logs).toHaveLength(2);
  at = 60_000;
  await failMore();
  for (const message of MESSAGES) expect(said(message)).toEqual([1, expect.any(Number)]);
  expect(Math.min(...MESSAGES.map((message) => Number(said(message)[1])))).toBeGreaterThan(1);
  await Promise.all([...workers.map((worker) => worker.stop(0)), polling.stop()]);
});

// Two workers on one database; the long form is `bun run torture workers`.

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
  await untilIs(() => outbox.jobs()[0]?.status, "done");
  await worker.stop(0);
  expect(tried).toMatchObject([{ id, doubtful: true }]);
  expect(lines[0]).toMatchObject({ jobs: [id], msg: expect.stringContaining("answered too late") });
});

describe.skipIf(!hasPostgres())("two processes on one PostgreSQL", () => {
  test("one is killed while it sends: its jobs come back, none is lost, and no text goes out twice", async () => {
    const metrics = await measureWorkers({ jobs: 40, attemptMs: 1_500, fault: "killed" });
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
        const jobs = [newJob("confirmation_sms", { payload: { to: phone, text: "t" }, dueAt: now })];
        return one.addLead(newLead({ phone, createdAt: now, jobs, agentClass: "owner" }));
      });
      await Promise.all(texts);
      const limits = deliveryRules(catalogWith({ "messages.sms_per_hour": 5 }), now);
      const claim = claimOf(["confirmation_sms"], now, { fresh: 40, limits });
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
      await untilIs(() => lines.reduce((sum, { leads = 0 }) => sum + leads, 0) >= 70, true);
      await Promise.all(retentions.map(({ stop }) => stop()));
      expect(lines.reduce((sum, { leads = 0 }) => sum + leads, 0)).toBe(70);
      expect(lines.map(({ msg }) => msg)).toEqual(lines.map(() => "old personal data erased"));
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
