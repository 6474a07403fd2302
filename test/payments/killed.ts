/** A real server that is killed (kill -9) while deposits are paid, beside a stand-in of Stripe, which lives on. */
import { Database } from "bun:sqlite";
import { bookingOf, OPEN_SHOP } from "../../bench/requests.ts";
import { API } from "../helpers.ts";
import { until } from "../jobs/outbox.ts";
import { freePort, jsonOf, shopFolder, startServer } from "../process/server.ts";
import { CONSENT, EDITS } from "./deposit-shop.ts";
import { startStripe } from "./stripe.ts";

const SETTLING_MS = 60_000;

export type KilledShop = Awaited<ReturnType<typeof killedShop>>;

/** @param lifetimeMs of each server */
export async function killedShop(lifetimeMs?: number) {
  const folder = shopFolder({ ...OPEN_SHOP, ...EDITS });
  const stripe = await startStripe();
  const env = { ...stripe.env, PORT: String(freePort()) };
  const start = () => startServer(folder, { env, ...(lifetimeMs !== undefined && { lifetimeMs }) });
  let server = await start();
  const db = new Database(folder.database, { readonly: true });
  let restarted = Promise.resolve();
  const restart = async () => {
    await server.exited;
    server = await start();
  };
  return {
    stripe,
    db,
    /** Nothing more is done by the process from here on. */
    kill() {
      server.signal("SIGKILL");
      restarted = restart();
    },
    up: () => restarted,
    /** Sends a request until it is answered, as a caller would whose answer got lost. */
    async ask(path: string, body: object) {
      for (;;) {
        await restarted;
        const sent = { method: "POST", body: JSON.stringify(body) };
        const answer = await fetch(new URL(API + path, server.url), sent).catch(() => null);
        // The server is being killed.
        const json = answer && answer.status < 500 && (await jsonOf(answer).catch(() => null));
        if (!json) await Bun.sleep(5);
        else if (json.success) return json.data;
        else throw new Error(`${path}: ${JSON.stringify(json)}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await restarted;
      db.close();
      await server[Symbol.asyncDispose]();
      stripe[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** What a customer does after booking. */
export type Act = "pay" | "cancel";

/** Books, and does these things, until nothing is open. @param before called as each of them begins */
export async function customer(it: KilledShop, i: number, acts: readonly Act[], before = (_: "book" | Act) => {}) {
  const id = `killed-${i}`;
  const wish = { ...bookingOf(i), consent: CONSENT, booking_request_id: id };
  const row = () =>
    it.db
      .query<{ state: string; askAt: number | null }, [string]>(
        `SELECT state, ask_at AS askAt FROM deposits JOIN bookings ON bookings.id = booking_id WHERE request_id = ?`,
      )
      .get(id);
  before("book");
  const { confirmation_code, payment } = await it.ask("/bookings", wish);
  for (const act of acts) {
    before(act);
    if (act === "cancel") await it.ask("/bookings/cancel", { confirmation_code, phone: wish.customer_phone });
    else it.stripe.pay(/(cs_test_\w+)/.exec(payment.url)?.[1] ?? "");
    await until(row, (deposit) => deposit?.askAt === null, SETTLING_MS);
  }
  return id;
}

/** What must never be, counted once nothing is open. */
export function verdict({ db, stripe }: KilledShop) {
  const all = <Row>(sql: string) => db.query<Row, []>(sql).all();
  const bookings = all<Record<"leadId" | "status" | "date" | "time" | "state" | "pageId", string> & { open: number }>(
    `SELECT lead_id AS leadId, bookings.status, date, time, state, page_id AS pageId, ask_at IS NOT NULL AS open
     FROM bookings LEFT JOIN deposits ON booking_id = bookings.id`,
  );
  const payments = all<{ leadId: string; kind: string; reference: string }>(
    "SELECT lead_id AS leadId, kind, reference FROM payments WHERE undone_at IS NULL",
  );
  const told = all<{ leadId: string }>("SELECT lead_id AS leadId FROM jobs WHERE kind = 'confirmation_email'");
  const charged = stripe.pages.filter(({ status }) => status === "complete").map(({ intent }) => intent?.id ?? "");
  const written = (kind: string, reference?: string) =>
    payments.filter((one) => one.kind === kind && (reference === undefined || one.reference === reference)).length;
  const of = (list: readonly { leadId: string }[], leadId: string) =>
    list.filter((one) => one.leadId === leadId).length;
  const paid = new Set(payments.filter(({ kind }) => kind === "deposit").map(({ leadId }) => leadId));
  const standing = bookings.filter(({ status }) => status === "confirmed");
  const known = new Set(bookings.map(({ pageId }) => pageId));
  const never = {
    lost: charged.filter((id) => written("deposit", id) !== 1).length,
    invented: written("deposit") - charged.length,
    refundsLost: stripe.refunds.filter(({ id }) => written("refund", id) !== 1).length,
    refundsInvented: written("refund") - stripe.refunds.length,
    /** Cents that are neither a booking's deposit nor given back. */
    moneyLeft: Math.abs(stripe.kept() - 5000 * standing.length),
    soldTwice: standing.length - new Set(standing.map(({ date, time }) => `${date} ${time}`)).size,
    unpaidBooked: standing.filter(({ state, leadId }) => state !== "paid" || !paid.has(leadId)).length,
    stuck: bookings.filter(({ status, open }) => open || status === "held").length,
    stillPayable: stripe.pages.filter(({ id, status }) => status === "open" && known.has(id)).length,
    /** Customers who paid and were told not exactly once, or did not pay and were told. */
    wronglyTold: bookings.filter(({ leadId }) => of(told, leadId) !== (paid.has(leadId) ? 1 : 0)).length,
  };
  return { bookings: bookings.length, charged: charged.length, refunds: stripe.refunds.length, never };
}
