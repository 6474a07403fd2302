/** Delivers the messages of the store. A claim lasts a limited time: when the process dies, the job is tried again as doubtful. */
import type { Logger } from "pino";
import type { Shop } from "../catalog/shop.ts";
import { CUSTOMER_EMAILS, CUSTOMER_TEXTS, type JobKind, SHOP_NEWS } from "../constants.ts";
import { DAY_MS, HOUR_MS } from "../lib/durations.ts";
import { whyNoTexts } from "../lib/phone.ts";
import { isOfKinds } from "../store/queries/jobs.ts";
import type { DueJob, Mail, MessageRules, Settled, Sms, Store } from "../store/store.ts";
import { type AttemptResult, logFailure, takeTurns, unanswered } from "./attempts.ts";
import { type Channels, copiesOf, receiverOf } from "./channels.ts";
import { type MailSettings, sendMail } from "./mail.ts";
import { hasWrittenStart, sendSms, type TwilioSettings } from "./twilio.ts";
import { pushText, pushToCrm } from "./webhook.ts";

/** A turn settles what has ended and claims what is due, in at most two transactions, because bookings wait for the disk meanwhile. */
export const TURN_MS = 200;
const ATTEMPT_MS = 15_000;
/** A claim lasts this many times as long as an attempt may, so that it does not expire before the result is stored. */
const CLAIM_LENGTH = 4 / 3;
/** Attempts at the same time. First attempts have places of their own, so that a new job does not wait for retries that hang. */
const FRESH_AT_ONCE = 100;
const RETRIES_AT_ONCE = 8;

type Deliver = (job: DueJob, signal: AbortSignal) => Promise<AttemptResult>;

interface WorkerDeps {
  store: Store;
  deliver: Deliver;
  kinds: () => readonly JobKind[];
  log: Logger;
  /** For tests, which move it. When left out, the store's own clock. */
  now?: () => number;
  /** The limits of messages at a moment. No message is limited without them. */
  limits?: (now: number) => MessageRules;
  /** Whether e-mails can go out: then they take the place of texts that cannot be delivered. */
  isMailOn?: boolean;
  attemptMs?: number;
  /** Time between turns; shorter in tests. */
  turnMs?: number;
}

export function startWorker({
  store,
  deliver,
  kinds,
  log,
  now,
  limits,
  isMailOn = false,
  attemptMs = ATTEMPT_MS,
  turnMs = TURN_MS,
}: WorkerDeps) {
  const running = { fresh: new Map<number, Promise<void>>(), retries: new Map<number, Promise<void>>() };
  const breakOff = new AbortController();
  let ended: { job: DueJob; how: Settled }[] = [];

  const failed = (message: string, facts: object) => logFailure(log, message, facts, now?.() ?? performance.now());

  // The monotonic clock: the wall clock may jump during an attempt.
  const start = (job: DueJob, mostMs: number) => {
    const started = performance.now();
    const room = running[job.attempts === 1 ? "fresh" : "retries"];
    const signal = AbortSignal.any([AbortSignal.timeout(mostMs), breakOff.signal]);
    const work = tryOnce(job, deliver, signal).then((outcome) => {
      ended.push({ job, how: afterwards(job, outcome, performance.now() - started, now?.()) });
      room.delete(job.id);
    });
    room.set(job.id, work);
  };

  const claim = async () => {
    const asked = performance.now();
    const claimedAt = now?.();
    const jobs = await store.claimJobs({
      kinds: kinds(),
      now: claimedAt,
      lastsMs: Math.round(attemptMs * CLAIM_LENGTH),
      fresh: FRESH_AT_ONCE - running.fresh.size,
      retries: RETRIES_AT_ONCE - running.retries.size,
      running: [...running.fresh.keys(), ...running.retries.keys(), ...ended.map(({ job }) => job.id)],
      ...(limits && { limits: limits(claimedAt ?? Date.now()) }),
    });
    // The claims already count down while the database answers, or while this process sleeps.
    const left = attemptMs - Math.round(performance.now() - asked);
    if (left > 0) for (const job of jobs) start(job, left);
    else if (jobs.length > 0) {
      const late = jobs.map(({ id }) => id);
      log.warn(
        { jobs: late },
        "the claims of jobs were answered too late; the jobs come back when their claims expire",
      );
    }
  };

  const settle = async () => {
    const batch = ended;
    ended = [];
    if (batch.length === 0) return;
    try {
      const written = await store.settleJobs(
        batch.map(({ how }) => how),
        isMailOn,
      );
      for (const [i, { job, how }] of batch.entries()) report(job, how, written[i] ?? false, log);
    } catch (err) {
      const jobs = batch.map(({ job }) => job.id);
      failed("the results of jobs could not be stored; the jobs come back when their claims expire", { jobs, err });
    }
  };

  const turns = takeTurns(async () => {
    await settle();
    await claim().catch((err: unknown) => failed("jobs could not be claimed", { err }));
  }, turnMs);

  return {
    /** Claims nothing more and waits for running attempts. Aborts those that still run after `withinMs`. */
    async stop(withinMs: number) {
      const ended = turns.stop();
      const timer = setTimeout(() => breakOff.abort(), withinMs);
      await ended;
      await Promise.all([...running.fresh.values(), ...running.retries.values()]);
      clearTimeout(timer);
      await settle();
    },
  };
}

/** @param tookMs length of the attempt @param at when it ended, if not by the store's own clock */
export function afterwards(job: DueJob, outcome: AttemptResult, tookMs: number, at?: number): Settled {
  const { id, attempts, dueAt } = job;
  if (outcome.kind === "done") return { id, kind: "done", messageSid: outcome.messageSid ?? null };
  if (outcome.kind === "spread") {
    const { copies } = outcome;
    const doubtful = job.doubtful && { doubtfulSince: job.firstTriedAt };
    return { id, attempts, dueAt, kind: "spread", copies, ...doubtful, ...(at !== undefined && { at }) };
  }
  const { reason } = outcome;
  if (outcome.kind === "failed")
    return { id, attempts, dueAt, kind: "failed", reason, ...(outcome.isOptOut && { isOptOut: true }) };
  const pauseMs = Math.max(pauseAfter(job.attempts), (outcome.afterSeconds ?? 0) * 1000);
  const triedMs = job.triedMs + (outcome.isOff ? 0 : Math.round(tookMs) + pauseMs);
  if (triedMs > GIVE_UP_MS) return { id, attempts, dueAt, kind: "failed", reason };
  return { id, attempts, dueAt, kind: "postponed", reason, at, pauseMs, doubtful: outcome.doubtful ?? false, triedMs };
}

function report({ id, kind, attempts }: DueJob, how: Settled, isWritten: boolean, log: Logger): void {
  const about = { job: id, kind, attempts };
  if (!isWritten)
    log.warn({ ...about, result: how.kind }, "the result of a job came too late: another attempt settles it");
  else if (how.kind === "done" || how.kind === "spread") log.info(about, "job done");
  else if (how.kind === "failed") log.error({ ...about, reason: how.reason }, "job failed for good; see tint outbox");
  else log.warn({ ...about, reason: how.reason, againInMs: how.pauseMs }, "job postponed");
}

/** One attempt, ended by the signal at the latest. One that threw or was aborted is doubtful. */
async function tryOnce(job: DueJob, deliver: Deliver, signal: AbortSignal): Promise<AttemptResult> {
  // A race, because name look-ups and mail ignore the signal.
  const { promise: brokenOff, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([deliver(job, signal), brokenOff]);
  } catch (error) {
    return unanswered(error);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

// Pauses between attempts: from 1 second, doubled each time up to 1 hour, for 3 days in all.
const SHORTEST_MS = 1_000;
const LONGEST_MS = HOUR_MS;
/** Waiting for a server or for settings does not count. */
const GIVE_UP_MS = 3 * DAY_MS;

/** In milliseconds. Jitter spreads jobs that failed at the same time. @param attempts made so far, at least 1 */
export function pauseAfter(attempts: number, random = Math.random()): number {
  const longest = Math.min(LONGEST_MS, 2 * SHORTEST_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(longest * (0.5 + random / 2));
}

/** @param catalog the current one; it says where texts may go at the time they are sent */
export function createDeliver(
  channels: Channels,
  store: Pick<Store, "settledMessages" | "optOutOf" | "allowTexts">,
  catalog: () => Shop,
): Deliver {
  const { twilio, crm, mail, push } = channels;
  const text = (sms: Sms, job: DueJob, settings: TwilioSettings, signal: AbortSignal) =>
    sendSms(sms, settings, {
      doubtful: job.doubtful,
      since: job.firstTriedAt,
      settled: (sids) => store.settledMessages(sids, job.id),
      signal,
    });
  return async (job, signal) => {
    if (isOfKinds(job, SHOP_NEWS)) {
      const copies = copiesOf(job.payload, channels, catalog());
      return copies.length === 0 ? OFF : { kind: "spread", copies };
    }
    const mailed = (one: Mail, by: MailSettings) =>
      sendMail(messageId(job), job.kind, one, catalog().business.email, by);
    if (isOfKinds(job, CUSTOMER_EMAILS)) return mail ? mailed(job.payload, mail) : OFF;
    if (isOfKinds(job, CUSTOMER_TEXTS)) {
      if (!twilio) return OFF;
      const { to } = job.payload;
      const reason = whyNoTexts(to, catalog().messaging.textCountries);
      if (reason !== undefined) return { kind: "failed", reason };
      return (await ifOptedOut(to, job, twilio, store, signal)) ?? text(job.payload, job, twilio, signal);
    }
    if (job.kind === "push_to_crm") return crm ? pushToCrm(job.payload, crm, signal) : OFF;
    if (job.kind === "remind_owner") return OFF;
    const to = receiverOf(job.payload, catalog());
    if (to === undefined) return { kind: "failed", reason: "alerts.to names this receiver no more" };
    if (job.kind === "shop_sms") return twilio ? text({ ...job.payload, to }, job, twilio, signal) : OFF;
    if (job.kind === "shop_email") return mail ? mailed({ ...job.payload, to }, mail) : OFF;
    return push ? pushText({ ...job.payload, to }, messageId(job), push, signal) : OFF;
  };
}

/** A customer who wrote STOP gets texts again once they wrote START. @returns undefined when nothing stops the text */
async function ifOptedOut(
  phone: string,
  { doubtful }: DueJob,
  twilio: TwilioSettings,
  store: Pick<Store, "optOutOf" | "allowTexts">,
  signal: AbortSignal,
): Promise<AttemptResult | undefined> {
  const stop = await store.optOutOf(phone);
  if (!stop) return undefined;
  try {
    if (!(await hasWrittenStart(phone, stop.at, twilio, signal)))
      return { kind: "failed", reason: "this customer wants no more texts; see tint outbox allow" };
  } catch (error) {
    return { kind: "retry", reason: unanswered(error).reason, doubtful };
  }
  await store.allowTexts(phone);
  return undefined;
}

/** The id of a message, the same at every attempt. */
function messageId({ id, createdAt }: DueJob): string {
  return `job-${id}-${createdAt}`;
}

const OFF: AttemptResult = { kind: "retry", reason: "this channel is not configured", isOff: true };
