/** The process dies before or after any step of a payment: nothing is paid twice, and no payment is lost. */
import { describe, expect, test } from "bun:test";
import { locationOf } from "../../src/store/location/location.ts";
import { openStore } from "../../src/store/location/open.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { API, BOOKING, freshPhone } from "../helpers.ts";
import { hasPostgres, temporaryDatabase } from "../services.ts";
import { CONSENT, depositShop } from "./deposit-shop.ts";
import { runOracle } from "./oracle.ts";

/** What changes something here or at the payment service, or asks there. */
const STEPS = new Set([
  ...["createPage", "statusOf", "expire", "refund"],
  ...["book", "openDeposit", "payDeposit", "endDepositPage", "refundDeposit", "askDepositAt", "askRefund"],
  "cancelBooking",
]);

/** @property at the step that the process does not survive @property after whether the step is still done */
interface Death {
  at: number;
  after: boolean;
}

/** A process that dies at a step, and does nothing more until it is started again. */
function mortal({ at, after }: Death) {
  let steps = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Error("killed");
  };
  return {
    wrap: <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get(target, name) {
          const value = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return async (...args: unknown[]) => {
            if (isDead) die();
            const isStep = STEPS.has(String(name));
            if (isStep) steps += 1;
            const isLast = isStep && steps === at;
            if (isLast && !after) die();
            const result = await value.apply(target, args);
            return isLast || isDead ? die() : result;
          };
        },
      }),
    /** @returns whether it had died */
    restart() {
      const died = isDead;
      isDead = false;
      return died;
    },
  };
}

type Shop = Awaited<ReturnType<typeof depositShop>>;

const STORIES: Record<
  string,
  (it: Shop, again: <Result>(act: () => Promise<Result>) => Promise<Result>) => Promise<void>
> = {
  async "paid in time"(it, again) {
    await again(() => book(it));
    it.pay();
    for (const _ of [1, 2, 3]) await again(it.turn);
  },
  async "never paid"(it, again) {
    await again(() => book(it));
    it.wait(31);
    for (const _ of [1, 2, 3]) await again(it.turn);
  },
  async "paid when the time was taken"(it, again) {
    await again(() => book(it));
    const first = it.stripe.pages.at(-1)?.id ?? "";
    it.wait(31);
    await again(() => book(it, { customer_phone: OTHER, booking_request_id: "other" }));
    it.stripe.pay(first);
    it.pay();
    for (const _ of [1, 2, 3, 4]) await again(it.turn);
  },
  async "cancelled in time"(it, again) {
    await again(() => book(it));
    it.pay();
    await again(it.turn);
    await again(() => cancelAll(it));
    for (const _ of [1, 2, 3]) await again(it.turn);
  },
  async "held, confirmed, paid and cancelled at once"(it, again) {
    await again(() => book(it, { hold: true }));
    await again(() => confirmAll(it));
    it.pay();
    await again(() => cancelAll(it));
    for (const _ of [1, 2, 3]) await again(it.turn);
  },
};

const OTHER = freshPhone();
const made = async ({ store }: Shop) => store.bookings({ from: "2026-01-01", to: "2027-12-31" }, 99);
const proofsOf = async (it: Shop) =>
  (await made(it)).map(({ confirmationCode, lead }) => ({ confirmation_code: confirmationCode, phone: lead.phone }));

/** A caller sends its request again until it is answered. */
async function sent(answer: { status: number }): Promise<void> {
  if (answer.status >= 500) throw new Error("no answer");
}
const book = async ({ app }: Shop, given: object = {}) =>
  sent(await app.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT, booking_request_id: "one", ...given }));
async function confirmAll(it: Shop) {
  for (const proof of await proofsOf(it)) await sent(await it.app.post(`${API}/bookings/confirm`, proof));
}
async function cancelAll(it: Shop) {
  for (const proof of await proofsOf(it)) await sent(await it.app.post(`${API}/bookings/cancel`, proof));
}

/** @returns whether the process died */
async function tell(story: keyof typeof STORIES, death: Death): Promise<boolean> {
  const process = mortal(death);
  using it = await depositShop({ wrap: process.wrap });
  let died = false;
  await STORIES[story]?.(it, async (act) => {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (!process.restart()) throw error;
        died = true;
        // Longer than the pause after a question without an answer.
        it.wait(0.5);
      }
    }
  });
  it.wait(60);
  for (const _ of [1, 2, 3]) await it.turn();
  const { stripe } = it;
  const bookings = await made(it);
  const payments = bookings.flatMap((one) => one.payments);
  const sum = payments.reduce((all, { kind, amount }) => all + (kind === "refund" ? -amount : amount), 0);
  const what = JSON.stringify({ story, death });
  const charged = stripe.pages.filter(({ status }) => status === "complete").length;
  const count = (kind: string) => payments.filter((one) => one.kind === kind).length;
  expect([what, sum, count("deposit"), count("refund")]).toEqual([what, stripe.kept(), charged, stripe.refunds.length]);
  const standing = bookings.filter(({ status }) => status === "confirmed");
  expect([what, standing.length <= 1, stripe.kept()]).toEqual([what, true, 5000 * standing.length]);
  expect([what, await it.store.dueDeposits(Number.MAX_SAFE_INTEGER, 9)]).toEqual([what, []]);
  // Nobody can pay for what is not booked any more. A page that was made as the process died is known to nobody.
  const known = await Promise.all(bookings.map(async ({ id }) => (await it.store.depositOf(id))?.pageId));
  const open = stripe.pages.filter(({ id, status }) => status === "open" && known.includes(id));
  expect([what, open]).toEqual([what, []]);
  const kinds = (await it.store.waitingJobs(99)).map(({ kind }) => kind);
  const told = kinds.filter((kind) => kind.startsWith("deposit_") || kind === "confirmation_email");
  expect([what, told.toSorted()]).toEqual([what, [...new Set(told)].sort()]);
  return died;
}

test.each(Object.keys(STORIES))(
  "%s",
  async (story) => {
    let deaths = 0;
    for (const after of [false, true]) for (let at = 1; await tell(story, { at, after }); at++) deaths += 1;
    expect(deaths).toBeGreaterThan(7);
  },
  60_000,
);

/** Something of each kind happened, so that the rules were tried. */
function expectTried({ broken, bookings, charged, refunds }: Awaited<ReturnType<typeof runOracle>>): void {
  expect(broken).toEqual([]);
  for (const status of ["confirmed", "expired", "cancelled_by_customer"])
    expect([status, bookings[status] ?? 0]).not.toEqual([status, 0]);
  expect([charged > refunds, refunds > 0]).toEqual([true, true]);
}

describe("no bay is sold twice, no money is lost or doubled, nothing is stuck", () => {
  test("SQLite", async () => {
    expectTried(await runOracle({ steps: 400, seed: 51, store: openSqliteStore(":memory:") }));
  }, 60_000);

  test.skipIf(!hasPostgres())(
    "PostgreSQL",
    async () => {
      await using database = await temporaryDatabase();
      const store = await openStore(locationOf(database.url));
      expectTried(await runOracle({ steps: 200, seed: 52, store }));
      await store.close();
    },
    60_000,
  );
});
