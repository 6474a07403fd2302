/** What a server says of its health: /readyz, metrics, stuck messages, and a nightly backup that does not come. */
import { expect, onTestFinished, test } from "bun:test";
import { pino } from "pino";
import { CUSTOMER_EMAILS, JOB_KINDS, type JobKind } from "../../src/constants.ts";
import { healthPlugin } from "../../src/http/health.ts";
import { overdueJobs } from "../../src/messages/message-rules.ts";
import { watchBackups } from "../../src/programs/background.ts";
import { createMetrics } from "../../src/programs/metrics.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, NOW } from "../helpers.ts";
import { startOutbox, untilIs } from "../jobs/outbox.ts";
import { startMailServer } from "../jobs/receivers.ts";
import { attemptOf, claimOf, newJob, newLead } from "../store/conformance-values.ts";
import { jsonOf } from "./server.ts";

const READY = new Request("http://localhost/readyz");
const NO_JOBS = { kinds: () => [], off: [], overdueAfterMinutes: () => 60 };

function emptyStore() {
  const store = openSqliteStore(":memory:");
  onTestFinished(store.close);
  return store;
}

test("/readyz says that the store cannot be written; the log says why", async () => {
  const logs: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  const store = emptyStore();
  store.checkWritable = () => Promise.reject(new Error("disk full"));
  const health = healthPlugin({ store, catalogHash: () => "abc", now: () => NOW, jobs: NO_JOBS, log });
  const answer = await health.handle(READY);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    status: "unready",
    checks: { store: "cannot be written", catalog: "ok abc" },
  });
  expect(logs).toMatchObject([{ level: 50, err: { message: "disk full" } }]);
});

test("/readyz costs at most a tenth of the time, however often it is asked; bad news is checked every 400 ms", async () => {
  const store = emptyStore();
  let time = 0;
  let checks = 0;
  let isFull = false;
  store.checkWritable = async () => {
    checks += 1;
    time += 300;
    if (isFull) throw new Error("disk full");
  };
  const given = { catalogHash: () => "abc", now: () => NOW, jobs: NO_JOBS, log: pino({ level: "silent" }) };
  const health = healthPlugin({ store, ...given, clock: () => time });
  const askAt = async (moment: number) => {
    time = moment;
    await Promise.all(Array.from({ length: 20 }, () => health.handle(READY)));
    return checks;
  };
  expect(await askAt(0)).toBe(1);
  expect(await askAt(1_500)).toBe(1);
  expect(await askAt(3_000)).toBe(1);
  isFull = true;
  expect(await askAt(3_001)).toBe(2);
  expect(await askAt(3_701)).toBe(2);
  expect(await askAt(3_702)).toBe(3);
});

const DAY = 86_400_000;
const mailTo = (to: string) => ({
  kind: "confirmation_email" as const,
  payload: { to, subject: "Booked", text: "See you.", calendar: "BEGIN:VCALENDAR" },
});

test("an address that answers 450 for days is a warning: the server stays ready, and other mail goes out", async () => {
  using mail = await startMailServer((to) => (to === "stuck@example.com" ? 450 : undefined));
  const outbox = startOutbox({ mail: mail.settings });
  const readiness = async () => {
    const jobs = { ...NO_JOBS, kinds: () => CUSTOMER_EMAILS };
    const now = () => Temporal.Instant.fromEpochMilliseconds(outbox.now());
    const log = pino({ level: "silent" });
    const answer = await healthPlugin({ store: outbox.store, catalogHash: () => "abc", now, jobs, log }).handle(READY);
    const { status, warnings, checks } = await jsonOf(answer);
    return { code: answer.status, status, warnings, checks };
  };
  const checks = { store: "ok", catalog: "ok abc" };
  const stuck = await outbox.add(mailTo("stuck@example.com"));
  await outbox.tried(stuck, 1);
  expect(await readiness()).toEqual({ code: 200, status: "ready", warnings: [], checks });
  outbox.jump(2 * DAY);
  await outbox.tried(stuck, 2);
  await outbox.add(mailTo("pat@example.com"));
  await untilIs(() => mail.mails.map(({ to }) => to[0]).join() === "pat@example.com", true);
  expect(await readiness()).toEqual({
    code: 200,
    status: "ready",
    warnings: ["the oldest unsent message is 2880 minutes late"],
    checks,
  });
});

function metricsOfShop() {
  return createMetrics({
    catalog: () => ({ hash: "abc", catalog: CATALOG }),
    kinds: () => CUSTOMER_EMAILS,
    channels: { twilio: null, crm: null, mail: null, push: null },
    droppedLines: () => 0,
  });
}

test("metrics tell how long a commit was, that the database cannot be read, and that an older catalog is in force", async () => {
  const store = emptyStore();
  store.countDueJobs = () => Promise.reject(new Error("disk I/O error"));
  const metrics = metricsOfShop();
  metrics.commit(2, 3);
  metrics.catalogRefused(true);
  metrics.limitsLocal(true);
  const text = await metrics.text(store);
  const commit = ["commit_seconds_sum 0.002", "commit_writes_sum 3"];
  for (const line of [...commit, "store_up 0", "catalog_refused 1", "limits_apart 1"])
    expect(text).toContain(`tintdesk_${line}\n`);
});

test("metrics count the late messages", async () => {
  const store = emptyStore();
  const metrics = metricsOfShop();
  const late = () => metrics.text(store).then((text) => /^tintdesk_jobs_late (\d+)$/m.exec(text)?.[1]);
  expect(await late()).toBe("0");
  const dueAt = Date.now() - DAY;
  await store.addLead(newLead({ createdAt: dueAt, jobs: [{ ...mailTo("pat@example.com"), dueAt, unless: null }] }));
  expect(await late()).toBe("1");
});

// The one rule for stuck jobs, which the home screen, `tint doctor` and `/readyz` share.

const AT = NOW.epochMilliseconds;
const HOUR = 3_600_000;

/** A store with one job of each kind, all due since the same moment. */
async function storeWithJobs(dueAt: number) {
  const store = openSqliteStore(":memory:");
  await store.addLead(newLead({ createdAt: dueAt, jobs: JOB_KINDS.map((kind) => newJob(kind, { dueAt })) }));
  const rule = { now: AT, afterMinutes: 60 };
  const overdue = async (on?: readonly JobKind[]) =>
    (await overdueJobs(store, on ? { ...rule, on } : rule)).map(({ kind }) => kind).sort();
  return { store, overdue };
}

/** Everything that is sent, except pushes. */
const MESSAGES = JOB_KINDS.filter((kind) => kind !== "push_to_crm" && kind !== "remind_owner").sort();

test("a message that is due for longer than the limit is stuck; a reminder never is", async () => {
  expect(await (await storeWithJobs(AT - HOUR)).overdue()).toEqual([]);
  expect(await (await storeWithJobs(AT - HOUR - 1)).overdue()).toEqual(MESSAGES);
});

test("where the channels are known, only the jobs of those that are on count", async () => {
  const { overdue } = await storeWithJobs(AT - 2 * HOUR);
  expect(await overdue(["push_to_crm"])).toEqual(["push_to_crm"]);
  expect(await overdue([])).toEqual([]);
});

test("where they are not known, a push counts once it was tried", async () => {
  const { store, overdue } = await storeWithJobs(AT - 2 * HOUR);
  await store.claimJobs(claimOf(["push_to_crm"], AT));
  expect(await overdue()).toEqual([...MESSAGES, "push_to_crm" as const].sort());
});

test("a job that was given up is stuck at once", async () => {
  const { store, overdue } = await storeWithJobs(AT);
  const [job] = await store.claimJobs(claimOf(["reminder_sms"], AT));
  await store.settleJobs([{ ...attemptOf(job), kind: "failed", reason: "no such number" }]);
  expect(await overdue()).toEqual(["reminder_sms"]);
});

test("a backup of the last two days is no news, an older one is logged; before the first there is nothing to miss", async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  let lastAt: number | null = null;
  const { warnings, stop } = watchBackups({ lastAt: () => lastAt, log, now: () => 10 * DAY, everyMs: 5 });
  expect(warnings()).toEqual([]);
  lastAt = 8 * DAY;
  expect(warnings()).toEqual([]);
  lastAt = 7 * DAY;
  expect(warnings()).toEqual(["the last nightly backup is 3 days old"]);
  await untilIs(() => lines.length > 0, true);
  stop();
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, msg: expect.stringContaining("3 days old") });
});
