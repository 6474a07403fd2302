/**
 * Asks while the server runs what became of deposits: of their pages, and of payments that go back. Each step leaves the store so
 * that the next turn goes on with it, whenever the process dies.
 */
import type { Logger } from "pino";
import { confirming, depositNews } from "../capabilities/booking/hold.ts";
import { CUSTOMER, ownerPolicy } from "../capabilities/booking/policy.ts";
import { requireUsual } from "../capabilities/booking/slot.ts";
import type { Shop } from "../catalog/shop.ts";
import { logFailure, takeTurns } from "../messages/attempts.ts";
import { type PaidPage, type Payments, PaymentsUnreachable } from "../payments/stripe.ts";
import type { Booking, DueDeposit, NewJob, Store } from "../store/store.ts";

/** Time between two questions about a page on which somebody may be paying. */
const ASK_EVERY_MS = 3_000;
/** After a question without an answer. */
const PAUSE_MS = 20_000;
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

export function startDeposits({ turnMs = TURN_MS, ...deps }: DepositDeps) {
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
        await store.askDepositAt(deposit.bookingId, now() + PAUSE_MS, reason);
      }),
    ),
  );
  return due.length;
}

async function settleOne(deposit: DueDeposit, deps: DepositDeps): Promise<void> {
  const { store, payments, log, now = Date.now } = deps;
  const { bookingId, state, payUntil, pageId, paymentIntent, amount } = deposit;
  const about = { booking: bookingId };
  if (state === "owed" && paymentIntent !== null) {
    const idempotencyKey = `refund-${bookingId}-${paymentIntent}`;
    const id = await payments.refund({ paymentIntent, amount, idempotencyKey });
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
