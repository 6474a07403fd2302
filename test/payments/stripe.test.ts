/** Pages to pay a deposit on, at a stand-in of Stripe that fails as Stripe and the way there do. */
import { describe, expect, test } from "bun:test";
import { PaymentsUnreachable, stripePayments } from "../../src/payments/stripe.ts";
import { type Fate, startStripe } from "./stripe.ts";

const MINUTE = 60_000;
const page = (more: object = {}) => ({
  code: "7K2MQ9XA",
  amount: 5000,
  currency: "USD",
  description: "Deposit for Lakeside Tint, 7K2MQ9XA",
  expiresAt: Date.now() + 40 * MINUTE,
  returnUrl: "https://book.lakeside.example/book/manage?code=7K2MQ9XA",
  idempotencyKey: "page-7K2MQ9XA-1",
  ...more,
});

test("a page is paid once, and its payment given back once", async () => {
  using stripe = await startStripe();
  const payments = stripePayments(stripe.settings);
  const { id, url } = await payments.createPage(page());
  expect(url).toStartWith("https://checkout.stripe.com/");
  expect(stripe.pages).toMatchObject([{ code: "7K2MQ9XA", amount: 5000, currency: "usd" }]);
  expect(await payments.statusOf(id)).toEqual({ kind: "open" });
  stripe.pay(id);
  const paid = await payments.statusOf(id);
  expect(paid).toMatchObject({ kind: "paid", amount: 5000 });
  if (paid.kind !== "paid") throw new Error("not paid");
  expect(Math.abs(paid.paidAt - Date.now())).toBeLessThan(MINUTE);
  const back = { paymentIntent: paid.paymentIntent, idempotencyKey: "refund-1" };
  stripe.let(() => "failed");
  await expect(payments.refund(back)).rejects.toThrow("it could not give the payment back");
  stripe.let(() => "ok");
  // The owner gave some of it back.
  stripe.refunds.push({ id: "re_owner", intent: paid.paymentIntent, amount: 2000 });
  expect(await payments.refund(back)).toStartWith("re_");
  expect(await payments.refund(back)).toStartWith("re_");
  expect(await payments.refund({ ...back, idempotencyKey: "after the key was forgotten" })).toBeNull();
  expect([stripe.refunds.length, stripe.kept()]).toEqual([2, 0]);
});

test.each(["requires_payment_method", "requires_action"] as const)(
  "a card that %s leaves the page open",
  async (how) => {
    using stripe = await startStripe();
    const payments = stripePayments(stripe.settings);
    const { id } = await payments.createPage(page());
    stripe.fail(id, how);
    expect(await payments.statusOf(id)).toEqual({ kind: "open" });
    expect(await payments.expire(id)).toEqual({ kind: "expired" });
    expect(stripe.pay(id)).toBe(false);
    expect(await payments.statusOf(id)).toEqual({ kind: "expired" });
  },
);

test("a page that was paid, or that ended by itself, is not ended: the answer says what it is", async () => {
  let ahead = 0;
  using stripe = await startStripe(() => Date.now() + ahead);
  const payments = stripePayments(stripe.settings);
  const paid = await payments.createPage(page());
  const ended = await payments.createPage(page({ idempotencyKey: "page-2" }));
  stripe.pay(paid.id);
  ahead = 50 * MINUTE;
  expect((await payments.expire(paid.id)).kind).toBe("paid");
  expect((await payments.expire(ended.id)).kind).toBe("expired");
});

describe("lost on the way", () => {
  const once = (fate: Fate) => (_: unknown, nth: number) => (nth === 1 ? fate : "ok");

  // Most of their time is waiting.
  test.concurrent.each(["drop", "drop_taken", "error", "error_taken", "limit"] as const)(
    "%s: nothing is done twice",
    async (fate) => {
      using stripe = await startStripe();
      const payments = stripePayments(stripe.settings);
      stripe.let(once(fate));
      const { id } = await payments.createPage(page()).catch(() => payments.createPage(page()));
      expect(stripe.pages.map((one) => one.id)).toEqual([id]);
      stripe.pay(id);
      const paid = await payments.statusOf(id).catch(() => payments.statusOf(id));
      if (paid.kind !== "paid") throw new Error("not paid");
      const back = { paymentIntent: paid.paymentIntent, idempotencyKey: "refund-1" };
      await payments.refund(back).catch(() => payments.refund(back));
      expect([stripe.refunds.length, stripe.kept()]).toEqual([1, 0]);
      expect(stripe.asks.filter(({ what, key }) => what !== "status" && key === undefined)).toEqual([]);
    },
  );

  test.concurrent("who cannot be reached is named, without a secret", async () => {
    using stripe = await startStripe();
    const { baseUrl, secretKey } = stripe.settings;
    const reasonOf = (one: Promise<unknown>) =>
      one.then(
        () => "",
        (error: unknown) => (error instanceof PaymentsUnreachable ? `${error.reason} ${error}` : "another error"),
      );
    stripe.let(() => "error");
    expect(await reasonOf(stripePayments(stripe.settings).createPage(page()))).toContain("it answered 500");
    const wrong = { secretKey: "sk_live_wrongwrong1234", baseUrl };
    expect(await reasonOf(stripePayments(wrong).createPage(page()))).toContain("the key is wrong");
    const nobody = { secretKey, baseUrl: "http://127.0.0.1:1" };
    expect(await reasonOf(stripePayments(nobody).createPage(page()))).toContain("no answer");
    stripe.let(() => "ok");
    expect(await reasonOf(stripePayments(stripe.settings).createPage(page({ amount: 3 })))).not.toContain("sk_");
  });
});

test("half an hour by a clock that is behind is too short for Stripe: the page gets Stripe's own length", async () => {
  using stripe = await startStripe(() => Date.now() + 20 * MINUTE);
  const { id } = await stripePayments(stripe.settings).createPage(page());
  expect(stripe.pages.map((one) => one.id)).toEqual([id]);
});
