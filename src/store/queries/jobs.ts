/** Jobs (the outbox). Functions that write run inside the transaction of their caller. */
import { JOB_KINDS, type JobKind } from "../../constants.ts";
import type { LeadStatus } from "../../domain/lifecycle.ts";
import type { JobContent, LeadChange } from "./payloads.ts";
import { all, allFor, get, run, type Statement, type Steps, together } from "./steps.ts";

export const jobQueries = {
  reads: {
    waitingJobs: (limit: number, filter?: JobFilter) => jobsThat("waiting", limit, filter),
    failedJobs: (limit: number) => jobsThat("failed", limit),
    lapsedJobs,
    countDueJobs,
    settledMessages,
  },
  writes: { retryJob, dropJob },
};

/** A message or reminder that a lead triggers. */
export type NewJob = JobContent & {
  dueAt: number;
  /** The job lapses when the lead reaches this state. */
  unless: LeadStatus | null;
  /** Since when an attempt of an earlier job may have sent it. */
  doubtfulSince?: number;
};

export interface WaitingJob {
  id: number;
  kind: JobKind;
  dueAt: number;
  attempts: number;
  lastError: string | null;
  /** What became of a text that Twilio took. */
  deliveryStatus: DeliveryStatus | null;
  /** Null when the stored payload cannot be read. */
  content: JobContent | null;
  lead: Pick<LeadChange["lead"], "id" | "reference" | "kind" | "name">;
}

interface JobFilter {
  /** All kinds when left out. */
  kinds?: readonly JobKind[];
  /** Only jobs due before this moment. */
  dueBefore?: number;
  /** Only jobs that were tried at least once. */
  tried?: boolean;
}

type JobOver = { kind: "refused"; status: "done" | "lapsed" } | { kind: "unknown" };

export type DropOutcome = { kind: "dropped" } | JobOver;

export type RetryOutcome =
  | { kind: "due" }
  /** A reminder to the owner: now shown as due, but never sent. */
  | { kind: "reminder" }
  | JobOver;

/** `sent`: Twilio took it, and has not said yet, or never said, whether it arrived. */
export type DeliveryStatus = "sent" | "delivered" | "undelivered";

export function insertJob(leadId: string, job: NewJob, createdAt: number): Steps<void> {
  return insertJobs(leadId, [job], createdAt);
}

export function* insertJobs(leadId: string, jobs: readonly NewJob[], createdAt: number): Steps<void> {
  if (jobs.length > 0) yield jobs.map((job) => jobInsert(leadId, job, createdAt));
}

function jobInsert(leadId: string, job: NewJob, createdAt: number): Statement {
  const { kind, unless, payload, dueAt, doubtfulSince } = job;
  // A job for a later moment keeps that moment, so it has no touched_at that a clock jump could move.
  const touchedAt = dueAt === createdAt ? createdAt : null;
  return {
    text: `INSERT INTO jobs (lead_id, kind, unless, payload, due_at, next_at, touched_at, created_at, doubtful, first_tried_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    values: [
      ...[leadId, kind, unless, JSON.stringify(payload), dueAt, dueAt, touchedAt, createdAt],
      ...(doubtfulSince === undefined ? [0, null] : [1, doubtfulSince]),
    ],
    gives: "changes",
  };
}

type JobRow = Omit<WaitingJob, "content" | "lead"> &
  Omit<WaitingJob["lead"], "id" | "kind"> & { payload: string; leadId: string; leadKind: WaitingJob["lead"]["kind"] };

/** The partial indices fit only these literal conditions. */
const LISTS = {
  fresh: "jobs.status = 'waiting' AND attempts = 0",
  tried: "jobs.status = 'waiting' AND attempts > 0",
  failed: "jobs.status = 'failed'",
};
const WAITING = [LISTS.fresh, LISTS.tried];

/** @param index by which SQLite finds them, where it would not choose it */
const jobs = (index = "") => `SELECT jobs.id, jobs.kind, due_at AS dueAt, attempts, last_error AS lastError,
    arrival AS deliveryStatus, payload, lead_id AS leadId, reference, leads.kind AS leadKind, name
  FROM jobs${index} JOIN leads ON leads.id = lead_id`;
const JOBS = jobs();
const LAPSED_JOBS = jobs(" INDEXED BY jobs_lapsed");

/** Jobs that wait or were given up, longest due first. */
function* jobsThat(
  status: "waiting" | "failed",
  limit: number,
  { kinds = JOB_KINDS, dueBefore = Number.MAX_SAFE_INTEGER, tried = false }: JobFilter = {},
): Steps<WaitingJob[]> {
  const lists = status === "failed" ? [LISTS.failed] : tried ? [LISTS.tried] : WAITING;
  const list = (which: string) =>
    allFor<JobRow>(
      `${JOBS} WHERE ${which} AND jobs.kind = ? AND due_at < ? ORDER BY due_at, jobs.id LIMIT ?`,
      kinds.map((kind) => [kind, dueBefore, limit]),
    );
  const found = yield* together(...lists.map(list));
  return found
    .flat()
    .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
    .slice(0, limit)
    .map(toJob);
}

/** Jobs of these kinds that lapsed and are never sent, the newest first; `lastError` says why. */
function* lapsedJobs(kinds: readonly JobKind[], limit: number): Steps<WaitingJob[]> {
  return (yield* all<JobRow>(
    `${LAPSED_JOBS} WHERE jobs.status = 'lapsed' AND jobs.kind IN (SELECT value FROM json_each(?))
       ORDER BY jobs.id DESC LIMIT ?`,
    [JSON.stringify(kinds), limit],
  )).map(toJob);
}

function toJob({ payload, leadId, reference, leadKind, name, ...job }: JobRow): WaitingJob {
  return { ...job, content: readContent(job.kind, payload), lead: { id: leadId, reference, kind: leadKind, name } };
}

export function isOfKinds<Content extends { kind: JobKind }, Kind extends JobKind>(
  content: Content,
  kinds: readonly Kind[],
): content is Content & { kind: Kind } {
  return kinds.some((kind) => kind === content.kind);
}

/** The content that a row of the database holds; null when the payload does not fit the kind. */
export function readContent(kind: JobKind, payload: string): JobContent | null {
  // Loaded for the first job: zod takes half of the memory of the thread that writes.
  const { jobContent }: typeof import("./payloads.ts") = require("./payloads.ts");
  return jobContent.safeParse({ kind, payload: JSON.parse(payload) }).data ?? null;
}

/** Counting stops here, so that a long outbox costs no more than a short one. */
const MOST_COUNTED = 10_000;

/** Waiting jobs of these kinds that are due; counted up to 10,000. */
function* countDueJobs(kinds: readonly JobKind[], now: number): Steps<{ count: number; oldestDueAt: number | null }> {
  const due = (which: string) =>
    allFor<{ count: number; oldest: number | null }>(
      `SELECT count(*) AS count, min(due_at) AS oldest FROM
         (SELECT due_at FROM jobs WHERE ${which} AND kind = ? AND due_at <= ? ORDER BY due_at LIMIT ?) AS due`,
      kinds.map((kind) => [kind, now, MOST_COUNTED]),
    );
  const found = (yield* together(...WAITING.map(due))).flat();
  const dueAts = found.flatMap(({ oldest }) => oldest ?? []);
  return {
    count: Math.min(
      found.reduce((sum, { count }) => sum + count, 0),
      MOST_COUNTED,
    ),
    oldestDueAt: dueAts.length === 0 ? null : Math.min(...dueAts),
  };
}

/** Why a job can be neither tried again nor dropped; null for one that waits or failed. */
function* whyOver(id: number): Steps<JobOver | null> {
  const job = yield* get<{ status: "waiting" | "failed" | "done" | "lapsed" }>("SELECT status FROM jobs WHERE id = ?", [
    id,
  ]);
  if (!job) return { kind: "unknown" };
  return job.status === "done" || job.status === "lapsed" ? { kind: "refused", status: job.status } : null;
}

/** Makes a waiting or failed job due at `at`, with the attempts counted anew; doubtful if it was tried. */
function* retryJob(id: number, at: number): Steps<RetryOutcome> {
  const refusal = yield* whyOver(id);
  if (refusal) return refusal;
  // The three days of trying start again. Doubtful, because an earlier attempt may have arrived.
  const [job] = yield* all<{ kind: JobKind }>(
    `UPDATE jobs SET status = 'waiting', due_at = ?2, next_at = ?2, touched_at = ?2, doubtful = CASE WHEN doubtful = 1 OR attempts > 0 THEN 1 ELSE 0 END,
       attempts = 0, tried_ms = 0, arrival = NULL, ask_at = NULL
     WHERE id = ?1 RETURNING kind`,
    [id, at],
  );
  return { kind: job?.kind === "remind_owner" ? "reminder" : "due" };
}

/** Gives up a waiting or failed job: it is never sent. An attempt in progress may still arrive. */
function* dropJob(id: number): Steps<DropOutcome> {
  const refusal = yield* whyOver(id);
  if (refusal) return refusal;
  yield* lapseJob(id, "dropped by the shop");
  return { kind: "dropped" };
}

export function* setPayload(id: number, payload: object): Steps<void> {
  yield* run("UPDATE jobs SET payload = ? WHERE id = ?", [JSON.stringify(payload), id]);
}

/** Ends a job without an attempt. @param reason a fixed text */
export function* lapseJob(id: number, reason: string): Steps<void> {
  yield* run(`UPDATE jobs SET ${lapse(reason)} WHERE id = ?`, [id]);
}

/** Ends those jobs of a lead that a condition names. INDEXED BY: SQLite would read all waiting jobs of a kind. */
export function lapseOf(leadId: string, reason: string, which: string, ...values: string[]): Steps<number> {
  const text = `UPDATE jobs INDEXED BY jobs_by_lead SET ${lapse(reason)} WHERE lead_id = ? AND ${which}`;
  return run(text, [leadId, ...values]);
}

/** Nothing sends these jobs again, so their messages about people are erased. `reason`: a fixed text, for the owner. */
export const lapse = (reason: string) => `status = 'lapsed', payload = '{}', last_error = '${reason}'`;

/** Which of these Twilio messages belong to another job that is done. @param except the id of the job that asks */
function* settledMessages(sids: readonly string[], except: number): Steps<string[]> {
  return (yield* all<{ sid: string }>(
    "SELECT message_sid AS sid FROM jobs WHERE message_sid IN (SELECT value FROM json_each(?)) AND id <> ?",
    [JSON.stringify(sids), except],
  )).map(({ sid }) => sid);
}

/** A message counts from its attempt on, unless the other side is known to have refused it. */
export const COUNTS = "(jobs.status = 'done' OR arrival IS NOT NULL OR doubtful = 1 OR claimed_until IS NOT NULL)";

/** The job is not late while it waits for room, so it becomes due then. An attempt that may have arrived keeps its date. */
export function* postpone(id: number, until: number, now: number, reason: string): Steps<void> {
  yield* run(
    `UPDATE jobs SET next_at = ?2, due_at = ?2, last_error = ?4,
       touched_at = CASE WHEN doubtful = 1 OR claimed_until IS NOT NULL THEN touched_at ELSE ?3 END
     WHERE id = ?1`,
    [id, until, now, reason],
  );
}
