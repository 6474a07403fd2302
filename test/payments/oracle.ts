/** What customers, the owner and the server do in random order, beside the few rules that always hold. */
import { confirming } from "../../src/capabilities/booking/hold.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { heldAsOf } from "../../src/domain/lifecycle.ts";
import { paidToward, standing } from "../../src/domain/payments.ts";
import type { Booking, Store } from "../../src/store/store.ts";
import { API, BOOKING, catalogWith, freshPhone } from "../helpers.ts";
import { randomFrom } from "../torture/random.ts";
import { CONSENT, depositShop, EDITS } from "./deposit-shop.ts";

const BAYS = 2;
const NO_LIMITS = {
  "rate_limits.bookings_per_10_minutes": 100_000,
  "rate_limits.anonymous_per_minute": 100_000,
};
const TIMES = ["09:00", "10:00", "13:00", "14:00"];

/** @returns what was done how often, and the rules that were broken */
export async function runOracle({ steps, seed, store }: { steps: number; seed: number; store: Store }) {
  const random = randomFrom(seed);
  const catalog = catalogWith({ ...EDITS, ...NO_LIMITS, "scheduling.bays": BAYS });
  using it = await depositShop({ catalog, store });
  const { app, stripe } = it;
  const broken: string[] = [];
  const done: Record<string, number> = {};
  const known: { code: string; phone: string }[] = [];
  const proof = () => {
    const { code, phone } = random.pick(known);
    return { confirmation_code: code, phone };
  };
  const book = async (given: object) => {
    const phone = freshPhone();
    const wish = { ...BOOKING, customer_phone: phone, customer_email: `${phone.slice(1)}@example.com`, ...given };
    const today = app.now().toZonedDateTimeISO(catalog.business.timezone).toPlainDate();
    const date = today.add({ days: 2 + random.int(12) }).toString();
    const { json } = await app.post(`${API}/bookings`, { ...wish, consent: CONSENT, date, time: random.pick(TIMES) });
    if (json.success) known.push({ code: json.data.confirmation_code, phone });
  };
  const cancelled = new Set<string>();
  const cancel = async () => {
    const { json } = await app.post(`${API}/bookings/cancel`, proof());
    if (json.data?.status === "cancelled_by_customer") cancelled.add(json.data.confirmation_code);
  };
  /** Bookings that the owner had in hand: they may stand without a deposit. */
  const byOwner = new Set<string>();
  const owns = async (act: (booking: Booking, at: number) => unknown) => {
    const booking = known.length > 0 ? await store.findBooking(random.pick(known.slice(-20)).code) : null;
    if (!booking) return;
    byOwner.add(booking.confirmationCode);
    await act(booking, app.now().epochMilliseconds);
  };
  const settle = (amount: number | null) =>
    owns(async (booking) => {
      const ctx = { catalog, store, now: app.now() };
      const confirm = await confirming(booking, ownerPolicy({ anyway: true }), ctx, BAYS);
      await store.settleDeposit(confirm, amount === null ? null : { amount, by: "cash", kind: "deposit" });
    });
  const handed = ({ payments }: Booking) =>
    paidToward(standing(payments).filter(({ reference }) => reference === null));
  const giveBack = (one: Booking, at: number) =>
    /^canc/.test(one.status) &&
    handed(one) > 0 &&
    store.addPayments(one.lead.id, [{ amount: handed(one), by: "cash", kind: "refund" }], at);
  const undo = ({ lead, payments }: Booking, at: number) => {
    const last = standing(payments).findLast(({ reference }) => reference === null);
    return last && store.undoPayment(lead.id, last.id, at);
  };
  const end = ({ confirmationCode: code }: Booking, at: number) =>
    store.changeBookingStatus(code, random.pick(["cancelled_by_shop", "no_show"]), at);
  const acts: [share: number, name: string, act: () => unknown][] = [
    [2, "by hand", () => settle(random.pick([3000, 5000]))],
    [1, "waive", () => settle(null)],
    [1, "end", () => owns(end)],
    [1, "reopen", () => owns(({ confirmationCode: code }, at) => store.reopenBookings([code], BAYS, at))],
    [1, "give back", () => owns(giveBack)],
    [1, "undo", () => owns(undo)],
    [3, "book", () => book({})],
    [2, "hold", () => book({ hold: true })],
    [2, "confirm", () => known.length > 0 && app.post(`${API}/bookings/confirm`, proof())],
    [2, "cancel", () => known.length > 0 && cancel()],
    [4, "pay", () => stripe.pages.length > 0 && stripe.pay(random.pick(stripe.pages.slice(-8)).id)],
    [2, "decline", () => stripe.pages.length > 0 && stripe.fail(random.pick(stripe.pages).id, "requires_action")],
    [3, "wait", () => it.wait(random.pick([0.1, 1, 5, 31]))],
    [1, "wait a day", () => random.chance(0.1) && it.wait(24 * 60)],
    [4, "turn", it.turn],
    [
      1,
      "fault",
      () => stripe.let((_, nth) => (nth % 25 === 0 ? random.pick(["error_taken", "drop_taken", "limit"]) : "ok")),
    ],
    [2, "no fault", () => stripe.let(() => "ok")],
  ];
  const all = acts.flatMap(([share, ...act]) => Array.from({ length: share }, () => act));
  const bookings = () => store.bookings({ from: "2026-01-01", to: "2030-01-01" }, 100_000);
  const check = async (step: number) => {
    const now = app.now().epochMilliseconds;
    const list = (await bookings()).map((one) => heldAsOf(one, now));
    const on = list.filter(({ status }) => status === "confirmed" || status === "held");
    for (const one of on) {
      const beside = on.filter(({ startAt, busyUntil }) => startAt < one.busyUntil && busyUntil > one.startAt);
      // Those that begin when this one does, or stand then.
      const at = beside.filter(({ startAt, busyUntil }) => startAt <= one.startAt && busyUntil > one.startAt);
      if (at.length > BAYS) broken.push(`step ${step}: ${at.length} in ${BAYS} bays at ${one.date} ${one.time}`);
    }
    const paid = list.flatMap(({ payments }) => payments);
    const references = paid.flatMap(({ reference }) => reference ?? []);
    if (new Set(references).size < references.length) broken.push(`step ${step}: a payment is written down twice`);
    return { list, paid };
  };
  for (let step = 1; step <= steps; step++) {
    const [name, act] = random.pick(all);
    done[name] = (done[name] ?? 0) + 1;
    await act();
    if (step % 50 === 0) await check(step);
  }
  stripe.let(() => "ok");
  it.wait(24 * 60);
  for (let turns = 0; turns < 1_000 && (await it.turn()) > 0; turns++) it.wait(0.5);
  const { list, paid } = await check(steps);
  const charged = stripe.pages.filter(({ status }) => status === "complete");
  const byCard = paid.filter(({ reference }) => reference !== null);
  const sum = (kind: string) => byCard.filter((one) => one.kind === kind).reduce((all, { amount }) => all + amount, 0);
  if (sum("deposit") !== charged.reduce((all, { amount }) => all + amount, 0))
    broken.push("deposits are lost or doubled");
  if (sum("deposit") - sum("refund") !== stripe.kept()) broken.push("refunds are lost or doubled");
  for (const booking of list) {
    const deposit = await store.depositOf(booking.id);
    const what = `${booking.confirmationCode} ${booking.status} ${deposit?.state}`;
    const isByHand = deposit?.paymentIntent === null;
    const settled = ["paid", "expired", "refunded", "kept", "waived", ...(isByHand ? ["owed"] : [])];
    if (deposit && (!settled.includes(deposit.state) || deposit.askAt !== null)) broken.push(`${what} is stuck`);
    const isLeft = deposit?.state === "paid" || deposit?.state === "owed" || deposit?.state === "kept";
    if (isByHand && handed(booking) !== (isLeft ? deposit.amount : 0)) broken.push(`${what} by hand is told wrong`);
    if (booking.status === "held") broken.push(`${what} is held for ever`);
    if (byOwner.has(booking.confirmationCode)) continue;
    if (booking.status === "confirmed" && cancelled.has(booking.confirmationCode)) broken.push(`${what} was cancelled`);
    if (booking.status === "confirmed" && deposit?.state !== "paid")
      broken.push(`${what} is booked without its deposit`);
    if (booking.status === "expired" && !["expired", "refunded", undefined].includes(deposit?.state))
      broken.push(`${what} cost money`);
  }
  const states = Object.groupBy(list, ({ status }) => status);
  const counts = Object.fromEntries(Object.entries(states).map(([status, some]) => [status, some?.length ?? 0]));
  return { seed, done, bookings: counts, charged: charged.length, refunds: stripe.refunds.length, broken };
}
