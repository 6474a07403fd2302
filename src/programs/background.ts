/** A server's work besides answering: messages, deposits, retention, nightly backups, the machine's clock. */
import "../messages/plan.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { confirming, depositNews } from "../capabilities/booking/hold.ts";
import { CUSTOMER, ownerPolicy } from "../capabilities/booking/policy.ts";
import { requireUsual } from "../capabilities/booking/slot.ts";
import type { Shop } from "../catalog/shop.ts";
import { READY_WARNINGS } from "../constants.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { toE164, whyNoTexts } from "../lib/phone.ts";
import { logFailure, takeTurns } from "../messages/attempts.ts";
import { type Channels, lanes } from "../messages/channels.ts";
import { deliveryRules } from "../messages/message-rules.ts";
import { startDeliveryPolling } from "../messages/twilio.ts";
import { createDeliver, startWorker } from "../messages/worker.ts";
import { type PaidPage, type Payments, PaymentsUnreachable } from "../payments/stripe.ts";
import { MOST_SKEW_MS } from "../store/postgres/clock.ts";
import type { Booking, DueDeposit, NewJob, Store } from "../store/store.ts";
import { DRAIN_MS } from "./process.ts";

// The plan of jobs is loaded here as well, because bookings need it.

interface BackgroundOptions {
  channels: Channels;
  payments: Payments | null;
  store: Store;
  catalog: () => Shop;
  log: Logger;
}

/** How often the rows of holds that are over are written so. What is over is free without it. */
const SWEEP_MS = 10_000;
const NOT_SWEPT = "holds that are over could not be swept";

/** Starts the work and loads all that it needs, which is also all that a booking needs. */
export function startBackground({ channels, payments, store, catalog, log }: BackgroundOptions): {
  stop: () => Promise<void>;
} {
  // The two functions load the numbering plans.
  toE164("", "US");
  whyNoTexts("", []);
  const deliver = createDeliver(channels, store, catalog);
  const limits = (now: number) => deliveryRules(catalog(), now);
  const { twilio, mail } = channels;
  const isMailOn = mail !== null;
  const workers = lanes(channels, catalog).map((kinds) =>
    startWorker({ store, deliver, limits, kinds, log, isMailOn }),
  );
  const polling = twilio && startDeliveryPolling({ store, twilio, isMailOn, log });
  const deposits = payments && startDeposits({ store, payments, catalog, log });
  const retention = startRetention({ store, catalog, log });
  const sweep = takeTurns(
    () => store.expireHolds().catch((err: unknown) => logFailure(log, NOT_SWEPT, { err }, performance.now())),
    SWEEP_MS,
  );
  const unwatch = watchClock({ store, log });
  return {
    async stop() {
      unwatch();
      await Promise.all([
        retention.stop(),
        sweep.stop(),
        polling?.stop(),
        deposits?.stop(),
        ...workers.map((worker) => worker.stop(DRAIN_MS)),
      ]);
    },
  };
}

/** Leads erased in one transaction, which bookings wait for. */
const BATCH = 50;
/** A larger file is not rewritten, because requests wait for that: about a second per 100 MB. */
const MOST_REWRITTEN = 32 * 1024 ** 2;
/** Requests run between two batches. */
const PAUSE_MS = 200;

interface RetentionDeps {
  store: Pick<Store, "forgetOld" | "cleanFile">;
  catalog: () => Shop;
  log: Logger;
  now?: () => number;
  /** Time between rounds. The first is at once. */
  everyMs?: number;
}

/** Starts the rounds, the first one at once. Its `stop` resolves once the running batch has ended. */
export function startRetention({ store, catalog, log, now = Date.now, everyMs = DAY_MS }: RetentionDeps) {
  // Time by the monotonic clock since the start: a clock that jumps forward must not erase the whole diary.
  const started = { at: now(), on: performance.now() };
  const steadyNow = () => Math.min(now(), started.at + performance.now() - started.on);

  const round = async (days: number, signal: AbortSignal) => {
    const at = Math.round(steadyNow());
    let forgotten = 0;
    let batch: number;
    do {
      batch = await store.forgetOld(at - days * DAY_MS, BATCH, at);
      forgotten += batch;
    } while (batch === BATCH && (await sleep(PAUSE_MS, true, { signal }).catch(() => false)));
    if (forgotten === 0) return;
    const isClean = await store.cleanFile(MOST_REWRITTEN);
    log.info({ leads: forgotten, days, isClean }, "old personal data erased");
  };

  return takeTurns(async (signal) => {
    const days = catalog().retention_days;
    if (days === null) return;
    await round(days, signal).catch((err: unknown) => log.error({ err }, "old personal data could not be erased"));
  }, everyMs);
}

/** One night may fail, as when the machine is off. */
const OLDEST_MS = 2 * DAY_MS;

interface BackupWatchOptions {
  /** Null where none was made yet. */
  lastAt: () => number | null;
  log: Logger;
  now?: () => number;
  everyMs?: number;
}

/** The warning when the nightly backup fails to come, whatever the reason; logged as an error every hour until `stop`. */
export function watchBackups({ lastAt, log, now = Date.now, everyMs = HOUR_MS }: BackupWatchOptions) {
  const warnings = (): string[] => {
    const at = lastAt();
    if (at === null || now() - at <= OLDEST_MS) return [];
    return [`${READY_WARNINGS.backup} ${Math.floor((now() - at) / DAY_MS)} days old`];
  };
  const timer = setInterval(() => {
    for (const warning of warnings()) log.error(`${warning}; see tint doctor`);
  }, everyMs);
  return { warnings, stop: () => clearInterval(timer) };
}

interface ClockWatchOptions {
  store: Pick<Store, "clockAhead">;
  log: Logger;
  everyMs?: number;
}

/** It was right at the start, and may drift. Logs an error once it is too far off the database's, and when it is right again. */
export function watchClock({ store, log, everyMs = MINUTE_MS }: ClockWatchOptions): () => void {
  let isSkewed = false;
  const look = async () => {
    try {
      const aheadMs = await store.clockAhead();
      const wasSkewed = isSkewed;
      isSkewed = Math.abs(aheadMs) > MOST_SKEW_MS;
      if (isSkewed && !wasSkewed)
        log.error({ aheadMs }, "this machine's clock is off the database's; set both by a time server");
      if (wasSkewed && !isSkewed) log.info("this machine's clock agrees with the database's again");
    } catch {
      // A database that does not answer is reported elsewhere.
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}

/** Time between two questions about a page on which somebody may be paying. */
const ASK_EVERY_MS = 3_000;
/** After a question without an answer. */
const UNANSWERED_PAUSE_MS = 20_000;
const AT_ONCE = 20;
const TURN_MS = 1_000;

interface DepositDeps {
  store: Store;
  payments: Payments;
  catalog: () => Shop;
  log: Logger;
  /** For tests, which move it. */
  now?: () => number;
  /** Time between turns; shorter in tests. */
  turnMs?: number;
}

/**
 * Asks while the server runs what became of deposits: of their pages, and of payments that go back. Each step leaves the store so
 * that the next turn goes on with it, whenever the process dies.
 */
function startDeposits({ turnMs = TURN_MS, ...deps }: DepositDeps) {
  const { log, now = Date.now } = deps;
  const failed = (err: unknown) => logFailure(log, "deposits could not be asked about", { err }, now());
  return takeTurns(() => settleDeposits(deps).catch(failed), turnMs);
}

/** One turn. @returns how many deposits were asked about */
export async function settleDeposits(deps: DepositDeps): Promise<number> {
  const { store, log, now = Date.now } = deps;
  const due = await store.dueDeposits(now(), AT_ONCE);
  await Promise.all(
    due.map((deposit) =>
      settleOne(deposit, deps).catch(async (err: unknown) => {
        const reason = err instanceof PaymentsUnreachable ? err.reason : "the program or its database failed";
        logFailure(log, "a deposit could not be settled; it is tried again", { err, reason }, now());
        await store.askDepositAt(deposit.bookingId, now() + UNANSWERED_PAUSE_MS, reason);
      }),
    ),
  );
  return due.length;
}

async function settleOne(deposit: DueDeposit, deps: DepositDeps): Promise<void> {
  const { store, payments, log, now = Date.now } = deps;
  const { bookingId, state, payUntil, pageId, paymentIntent } = deposit;
  const about = { booking: bookingId };
  if (state === "owed" && paymentIntent !== null) {
    const idempotencyKey = `all-of-${bookingId}-${paymentIntent}`;
    // Its booking may stand again by now.
    if (!(await store.askRefund(bookingId, now(), now() + UNANSWERED_PAUSE_MS))) return;
    const id = await payments.refund({ paymentIntent, idempotencyKey });
    await store.refundDeposit(bookingId, id ?? `refund of ${paymentIntent}`, now());
    log.info(about, "deposit given back");
    return;
  }
  const isAsked = state === "open" && now() < payUntil;
  const page = await (isAsked ? payments.statusOf(pageId) : payments.expire(pageId));
  if (page.kind === "open") return store.askDepositAt(bookingId, Math.min(now() + ASK_EVERY_MS, payUntil), null);
  const booking = await store.findBooking(deposit.confirmationCode);
  if (!booking) throw new Error("a deposit has no booking");
  if (page.kind === "paid") return pay(booking, page, deps);
  await store.endDepositPage(bookingId, await toldOf("expired", booking, deps), now());
  log.info({ ...about, state }, "page of a deposit ended unpaid");
}

async function pay(booking: Booking, page: PaidPage, deps: DepositDeps): Promise<void> {
  const { store, catalog, log, now = Date.now } = deps;
  const at = now();
  const shop = catalog();
  const ctx = { catalog: shop, store, now: Temporal.Instant.fromEpochMilliseconds(at) };
  // Too late, it finds no bay in hours that the owner closed meanwhile.
  const isClosed = (await requireUsual(booking, ownerPolicy({ anyway: true }), ctx)) !== null;
  const outcome = await store.payDeposit({
    confirm: await confirming(booking, CUSTOMER, ctx, isClosed ? undefined : shop.scheduling.bays, page.amount),
    payment: {
      ...{ amount: page.amount, by: "card", kind: "deposit", reference: page.paymentIntent },
      // Stripe's clock may be ahead.
      paidAt: Math.min(page.paidAt, at),
    },
    late: await toldOf("refunded", booking, deps),
  });
  log.info({ booking: booking.id, outcome: outcome.kind }, "deposit paid");
}

async function toldOf(
  what: "expired" | "refunded",
  booking: Booking,
  { store, catalog, now = Date.now }: DepositDeps,
): Promise<NewJob[]> {
  const ctx = { store, catalog: catalog(), now: Temporal.Instant.fromEpochMilliseconds(now()) };
  return depositNews(what, booking, ctx);
}
