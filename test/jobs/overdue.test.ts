/** The one rule for stuck jobs, which the home screen, `tint doctor` and `/readyz` share. */
import { expect, test } from "bun:test";
import { JOB_KINDS, type JobKind } from "../../src/constants.ts";
import { overdueJobs } from "../../src/messages/message-rules.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { attemptOf, newJob, newLead } from "../store/conformance-values.ts";

const NOW = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
const HOUR = 3_600_000;

/** A store with one job of each kind, all due since the same moment. */
async function storeWithJobs(dueAt: number) {
  const store = openSqliteStore(":memory:");
  await store.addLead(newLead({ createdAt: dueAt, jobs: JOB_KINDS.map((kind) => newJob(kind, { dueAt })) }));
  const rule = { now: NOW, afterMinutes: 60 };
  const overdue = async (on?: readonly JobKind[]) =>
    (await overdueJobs(store, on ? { ...rule, on } : rule)).map(({ kind }) => kind).sort();
  return { store, overdue };
}

/** Everything that is sent, except pushes. */
const MESSAGES = JOB_KINDS.filter((kind) => kind !== "push_to_crm" && kind !== "remind_owner").sort();

test("a message that is due for longer than the limit is stuck; a reminder never is", async () => {
  expect(await (await storeWithJobs(NOW - HOUR)).overdue()).toEqual([]);
  expect(await (await storeWithJobs(NOW - HOUR - 1)).overdue()).toEqual(MESSAGES);
});

test("where the channels are known, only the jobs of those that are on count", async () => {
  const { overdue } = await storeWithJobs(NOW - 2 * HOUR);
  expect(await overdue(["push_to_crm"])).toEqual(["push_to_crm"]);
  expect(await overdue([])).toEqual([]);
});

test("where they are not known, a push counts once it was tried", async () => {
  const { store, overdue } = await storeWithJobs(NOW - 2 * HOUR);
  const claim = { now: NOW, lastsMs: 1, fresh: 9, retries: 9, running: [] };
  await store.claimJobs({ ...claim, kinds: ["push_to_crm"] });
  expect(await overdue()).toEqual([...MESSAGES, "push_to_crm" as const].sort());
});

test("a job that was given up is stuck at once", async () => {
  const { store, overdue } = await storeWithJobs(NOW);
  const claim = { now: NOW, lastsMs: 1, fresh: 9, retries: 9, running: [] };
  const [job] = await store.claimJobs({ ...claim, kinds: ["reminder_sms"] });
  await store.settleJobs([{ ...attemptOf(job), kind: "failed", reason: "no such number" }]);
  expect(await overdue()).toEqual(["reminder_sms"]);
});
