/** A booking that is certain once its deposit is paid (contract 6). */
import { describe, expect, test } from "bun:test";
import { PaymentsUnreachable, stripePayments } from "../../src/payments/stripe.ts";
import { type Answer, API, BOOKING, catalogWith, type TestApp, testApp } from "../helpers.ts";
import { until } from "../jobs/outbox.ts";
import { CATALOG, CONSENT, depositShop, EDITS } from "../payments/deposit-shop.ts";
import { cancel, confirm, kindsOf, lookup, proofOf, reschedule, somebody } from "./manage-requests.ts";

const MINUTES = 30;

const book = (app: TestApp, given: object = {}) =>
  app.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT, ...given });
const statusOf = async (app: TestApp, made: Answer) => (await lookup(app, proofOf(made))).json.data.status;
const paid = async ({ store }: TestApp, { json }: Answer) =>
  (await store.findBooking(json.data.confirmation_code))?.payments.map(
    ({ kind, amount, by, reference }) => [kind, amount, by, reference?.slice(0, 3)] as const,
  );

describe("a booking with a deposit", () => {
  test("waits for its payment, and is booked by it with all its messages", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const made = await book(app);
    const { status, held_until, payment, messages } = made.json.data;
    expect([made.status, status, held_until]).toEqual([201, "held", "2026-11-21T10:30:00-05:00"]);
    expect(payment).toMatchObject({ amount: 50, currency: "USD", pay_until: held_until });
    expect(payment.url).toStartWith("https://checkout.stripe.com/");
    expect(payment.note).toContain("A deposit of $50 is part of the price");
    expect(payment.note).toContain("at least 24 hours before");
    expect(messages).toMatchObject({ text: [], email: [] });
    expect(made.json.next_actions[0]).toMatchObject({ action: "find_booking" });
    expect(made.json.next_actions[0].description).toContain("payment.url");
    expect(stripe.pages).toMatchObject([{ code: made.json.data.confirmation_code, amount: 5000, currency: "usd" }]);
    expect((await book(app, somebody())).json.error_code).toBe("SLOT_TAKEN");
    expect(stripe.pages.length).toBe(1);
    await it.turn();
    expect([await statusOf(app, made), await kindsOf(app)]).toEqual(["held", []]);
    it.pay();
    it.wait(1);
    await it.turn();
    const shown = (await lookup(app, proofOf(made))).json.data;
    expect([shown.status, "payment" in shown, "held_until" in shown]).toEqual(["confirmed", false, false]);
    expect(await paid(app, made)).toEqual([["deposit", 5000, "card", "pi_"]]);
    expect(shown.deposit).toEqual({ amount: 50, currency: "USD", state: "paid", said: "Your deposit of $50 is paid." });
    const mail = (await app.store.waitingJobs(99)).find(({ kind }) => kind === "confirmation_email");
    expect(JSON.stringify(mail?.content)).toContain("Your deposit of $50 is paid.");
    expect(await kindsOf(app)).toContain("confirmation_email");
    expect(await kindsOf(app)).toContain("notify_shop_sms");
    it.wait(60);
    expect(await it.turn()).toBe(0);
    expect(stripe.kept()).toBe(5000);
    // Also once the shop asks for none any more.
    app.setCatalog(catalogWith());
    expect((await lookup(app, proofOf(made))).json.data.deposit).toEqual(shown.deposit);
  });

  test("Stripe without an answer, or not asked at all, is a warning of /readyz", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const warns = (wanted: boolean) =>
      until(
        async () => (await app.get("/readyz")).json.warnings,
        ({ length }) => length === Number(wanted),
      );
    await book(app);
    await it.turn();
    await warns(false);
    stripe.let(() => "limit");
    it.wait(1);
    await it.turn();
    expect(await warns(true)).toEqual(["deposits about which Stripe gave no answer: 1"]);
    stripe.let(() => "ok");
    it.wait(1);
    await it.turn();
    await warns(false);
    it.wait(6);
    await warns(true);
  });

  test("a request sent again gets the same link, then the booking", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const request = { booking_request_id: "once" };
    const [made, again] = [await book(app, request), await book(app, request)];
    expect(again.json.data.payment).toEqual(made.json.data.payment);
    // Without an id too.
    expect((await book(app)).json.data.payment).toEqual(made.json.data.payment);
    const expected = { status: "held", payment: made.json.data.payment };
    expect((await confirm(app, proofOf(made))).json.data).toMatchObject(expected);
    expect(stripe.pages.length).toBe(1);
    it.pay();
    it.wait(1);
    await it.turn();
    expect((await book(app, request)).json.data.status).toBe("confirmed");
    expect((await confirm(app, proofOf(made))).json.data.status).toBe("confirmed");
  });

  test.each(["paid", "confirmed"])("who is corrected as it is %s gets its messages", async (how) => {
    const services = [how === "paid" ? "automotive" : "clearplex"];
    using it = await depositShop({ catalog: catalogWith({ ...EDITS, "deposit.services": services }) });
    const { app, store } = it;
    const made = await book(app, { hold: how === "confirmed" });
    const { findLead } = store;
    store.findLead = async (id) => {
      Object.assign(store, { findLead });
      const lead = await findLead(id);
      const booking = await store.findBooking(made.json.data.confirmation_code);
      const { phone, extension } = booking?.lead ?? { phone: "", extension: "" };
      const person = { name: "Sam", phone, extension, email: "sam@example.com", details: {} };
      if (booking) await store.editBooking({ ...booking, ...person, answer: Object(booking.answer) });
      return lead;
    };
    if (how === "paid") it.pay();
    else await confirm(app, proofOf(made));
    for (const _ of [1, 2]) await it.turn();
    expect(await statusOf(app, made)).toBe("confirmed");
    const mail = (await store.waitingJobs(99)).find(({ kind }) => kind === "confirmation_email");
    expect(JSON.stringify(mail)).toContain("sam@example.com");
  });

  test("unpaid it expires at its minute, and the customer is told once", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const made = await book(app);
    stripe.fail(stripe.pages[0]?.id ?? "", "requires_action");
    it.wait(MINUTES);
    expect(await statusOf(app, made)).toBe("expired");
    for (const _ of [1, 2]) await it.turn();
    expect([it.pay(), await kindsOf(app)]).toEqual([false, ["deposit_expired_email"]]);
    expect((await book(app, somebody())).json.data.status).toBe("held");
  });

  test("paid too late it is booked while the bay is free", async () => {
    using it = await depositShop();
    const { app } = it;
    const made = await book(app);
    it.wait(MINUTES);
    it.pay();
    await it.turn();
    expect(await statusOf(app, made)).toBe("confirmed");
    expect(await paid(app, made)).toEqual([["deposit", 5000, "card", "pi_"]]);
  });

  test("paid too late, and the time is taken: it goes back by itself, and shop and customer are told", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const made = await book(app);
    it.wait(MINUTES);
    const page = stripe.pages[0]?.id ?? "";
    expect((await book(app, somebody())).json.data.status).toBe("held");
    stripe.pay(page);
    for (const _ of [1, 2, 3]) await it.turn();
    expect([await statusOf(app, made), stripe.kept()]).toEqual(["expired", 0]);
    expect(await paid(app, made)).toEqual([
      ["deposit", 5000, "card", "pi_"],
      ["refund", 5000, "card", "re_"],
    ]);
    expect(await kindsOf(app)).toEqual(["deposit_refunded_email", "notify_shop_sms"]);
  });

  test.each([
    { "scheduling.blocked_dates": [{ date: BOOKING.date }] },
    { "scheduling.blocked_hours": [{ date: BOOKING.date, from: BOOKING.time }] },
    { "business.special_hours": [{ date: BOOKING.date, closed: true }] },
  ])("paid too late, and the owner closed the time meanwhile: it goes back %#", async (closed) => {
    using it = await depositShop();
    const { app, stripe } = it;
    const made = await book(app);
    it.wait(MINUTES);
    it.pay();
    for (const _ of [1, 2]) await it.turn(catalogWith({ ...EDITS, ...closed }));
    expect([await statusOf(app, made), stripe.kept()]).toEqual(["expired", 0]);
    expect(await kindsOf(app)).toEqual(["deposit_refunded_email", "notify_shop_sms"]);
  });

  test.each([
    [24 * 60 + 1, 0],
    [24 * 60 - 1, 5000],
  ])("cancelled %d minutes before: of the deposit %d cents are kept", async (before, kept) => {
    using it = await depositShop({ catalog: catalogWith({ ...EDITS, "bookings.self_service.cutoff_hours": 0 }) });
    const { app, stripe } = it;
    const made = await book(app);
    it.pay();
    await it.turn();
    const toStart = (Date.parse(made.json.data.start) - app.now().epochMilliseconds) / 60_000;
    it.wait(toStart - before);
    const isBack = kept === 0;
    const said = isBack ? "Your deposit of $50 goes back to your card." : "The deposit of $50 is kept: ";
    const state = isBack ? "goes_back" : "kept";
    const ended = { amount: 50, currency: "USD", state, said: expect.stringContaining(said) };
    const asked = await app.post(`${API}/bookings/cancel`, { ...proofOf(made), dry_run: true });
    expect(asked.json.data).toMatchObject({ status: "dry_run", deposit: ended });
    expect((await lookup(app, proofOf(made))).json.data.deposit).toMatchObject({ state: "paid" });
    const cancelled = (await cancel(app, proofOf(made))).json.data;
    expect(cancelled).toMatchObject({ status: "cancelled_by_customer", deposit: ended });
    const mail = (await app.store.waitingJobs(99)).find(({ kind }) => kind === "cancelled_email");
    expect(JSON.stringify(mail?.content)).toContain(said);
    for (const _ of [1, 2]) await it.turn();
    expect((await lookup(app, proofOf(made))).json.data.deposit).toEqual(cancelled.deposit);
    expect([stripe.kept(), stripe.refunds.length]).toEqual([kept, kept === 0 ? 1 : 0]);
  });

  test("reopened after the server died with its refund under way, it stands without the deposit", async () => {
    using it = await depositShop();
    const { app, store, stripe, payments } = it;
    const made = await book(app);
    it.pay();
    await it.turn();
    await cancel(app, proofOf(made));
    const { refund } = payments;
    // The answer comes when nobody hears it any more.
    const asked = new Promise<void>((done) => {
      payments.refund = (one) => {
        void refund(one).finally(done);
        return new Promise(() => {});
      };
    });
    void it.turn();
    await asked;
    payments.refund = refund;
    await store.reopenBookings([made.json.data.confirmation_code], 1, app.now().epochMilliseconds);
    it.wait(1);
    await it.turn();
    const { status, deposit } = (await lookup(app, proofOf(made))).json.data;
    expect([status, deposit.state, stripe.kept()]).toEqual(["confirmed", "goes_back", 0]);
    expect((await paid(app, made))?.map(([kind]) => kind)).toEqual(["deposit", "refund"]);
  });

  test("a sentence over A2A is told where it is paid, and that it goes back", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const say = async (text: string) => {
      const message = { messageId: "1", role: "ROLE_USER", parts: [{ text }] };
      const params = { message, configuration: { acceptedOutputModes: ["text/plain"] } };
      return (await app.post("/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params })).text;
    };
    const made = await book(app);
    const { confirmation_code: code, phone } = proofOf(made);
    expect(await say(`my booking ${code}, phone ${phone}`)).toContain(made.json.data.payment.url);
    stripe.pay(stripe.pages[0]?.id ?? "");
    await it.turn();
    expect(await say(`cancel ${code}, phone ${phone}`)).toContain("Your deposit of $50 goes back to your card.");
  });

  test("an unpaid one is cancelled, never moved, and nobody can pay for it afterwards", async () => {
    using it = await depositShop();
    const { app } = it;
    const made = await book(app);
    const moved = await reschedule(app, { ...proofOf(made), date: BOOKING.date, time: "13:00" });
    expect(moved.json.error_code).toBe("TOO_LATE_TO_CHANGE");
    const { status, deposit } = (await cancel(app, proofOf(made))).json.data;
    expect([status, deposit]).toEqual(["cancelled_by_customer", undefined]);
    await it.turn();
    expect([it.pay(), await it.turn()]).toEqual([false, 0]);
  });

  test("a hold names its deposit, and leads to its payment when it is confirmed", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const held = await book(app, { hold: true });
    expect(held.json.data).toMatchObject({ status: "held", payment: { amount: 50, url: null, pay_until: null } });
    expect([stripe.pages.length, held.json.next_actions[0].action]).toEqual([0, "confirm_booking"]);
    it.wait(10);
    const asked = await confirm(app, proofOf(held));
    expect(asked.json.data).toMatchObject({ status: "held", held_until: "2026-11-21T10:40:00-05:00" });
    expect(asked.json.data.payment).toMatchObject({ amount: 50, pay_until: "2026-11-21T10:40:00-05:00" });
    expect((await confirm(app, proofOf(held))).json.data).toEqual(asked.json.data);
    it.pay();
    await it.turn();
    expect([await statusOf(app, held), stripe.pages.length]).toEqual(["confirmed", 1]);
  });

  test("a hold asks for the deposit that it named, as long as the shop asks for any", async () => {
    const none = catalogWith({ ...EDITS, "deposit.services": ["clearplex"] });
    const dearer = catalogWith({ ...EDITS, "deposit.amount": 80 });
    for (const [before, after, expected] of [
      [none, CATALOG, { status: "confirmed" }],
      [CATALOG, none, { status: "confirmed" }],
      [CATALOG, dearer, { status: "held", payment: { amount: 50 } }],
    ] as const) {
      using it = await depositShop({ catalog: before });
      const held = await book(it.app, { hold: true });
      it.app.setCatalog(after);
      expect((await confirm(it.app, proofOf(held))).json.data).toMatchObject(expected);
    }
  });

  test("while Stripe cannot be reached nothing is kept, and the answer says so", async () => {
    using it = await depositShop();
    const { app, payments } = it;
    const { createPage } = payments;
    payments.createPage = () => Promise.reject(new PaymentsUnreachable("no answer"));
    const refused = await book(app);
    expect([refused.status, refused.json.error_code]).toEqual([503, "BOOKING_FAILED"]);
    expect(refused.json.message).toContain("cannot be paid just now");
    expect((await book(app, { dry_run: true })).json.data).toMatchObject({ status: "dry_run", payment: { url: null } });
    const held = await book(app, { hold: true });
    expect((await confirm(app, proofOf(held))).status).toBe(503);
    expect(await statusOf(app, held)).toBe("held");
    payments.createPage = createPage;
    expect((await confirm(app, proofOf(held))).json.data.payment.url).toStartWith("https:");
  });

  test("a percentage is of the price, of the lowest where the vehicle is not known", async () => {
    const { "deposit.amount": _, ...edits } = EDITS;
    using it = await depositShop({ catalog: catalogWith({ ...edits, "deposit.percent": 20 }) });
    const { app } = it;
    const { data } = (await book(app, { dry_run: true })).json;
    expect(data.payment.amount).toBe(Math.round(data.estimate.total * 20) / 100);
    // Of a dollar Stripe takes no less than half.
    using little = await depositShop({ catalog: catalogWith({ ...EDITS, "deposit.amount": 0.5 }) });
    expect((await book(little.app)).json.data.payment.amount).toBe(0.5);
    expect(() => catalogWith({ ...EDITS, "deposit.amount": 0.49 })).toThrow("0.50 or more");
    const { vehicle_type: _type, ...unknown } = BOOKING;
    const least = await app.post(`${API}/bookings`, { ...unknown, consent: CONSENT, dry_run: true });
    expect(least.json.data.estimate).toBeNull();
    expect(least.json.data.payment.amount).toBeGreaterThan(0);
    expect(least.json.data.payment.amount).toBeLessThanOrEqual(data.payment.amount);
  });

  test("without payments, and of other services, a booking is confirmed as without a deposit", async () => {
    const made = await book(testApp({ catalog: CATALOG }));
    expect([made.json.data.status, "payment" in made.json.data]).toEqual(["confirmed", false]);
    using it = await depositShop({ catalog: catalogWith({ ...EDITS, "deposit.services": ["clearplex"] }) });
    expect((await book(it.app)).json.data.status).toBe("confirmed");
  });

  test("the secret is in no answer and no log line", async () => {
    using it = await depositShop();
    const { app, stripe } = it;
    const wrong = stripePayments({ ...stripe.settings, secretKey: "sk_live_wrongwrongwrong" });
    it.payments.createPage = wrong.createPage;
    const refused = await book(app);
    expect(refused.status).toBe(503);
    expect(refused.text + JSON.stringify(app.logs)).not.toContain("sk_");
  });
});
