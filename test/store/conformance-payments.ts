/** Payments, deposits, and jobs that nobody closed: tests that every engine behind `Store` must pass. */
import { expect, test } from "bun:test";
import { bookedAs } from "../../src/domain/lifecycle.ts";
import { standing } from "../../src/domain/payments.ts";
import type { Booking, Deposit, NewBooking } from "../../src/store/store.ts";
import { bookingsIn, conformance, MINUTE, newBooking, newJob, newLead, T0 } from "./conformance-values.ts";

export const paymentsConformance = conformance("payments", (store) => {
  async function booked(): Promise<string> {
    const booking = newBooking();
    expect((await store.book(booking, 2, [])).kind).toBe("booked");
    return booking.confirmationCode;
  }

  test("payments are records: before, at and after the end, taken back with a trace, found by the time they were paid", async () => {
    const code = await booked();
    const lead = (await store.findBooking(code))?.lead.id ?? "";
    const now = T0 + 9 * MINUTE;
    const deposit = { amount: 10000, by: "card", kind: "deposit", reference: "pi_1", note: "by phone" } as const;
    const [first] = await store.addPayments(lead, [deposit], T0);
    const inCash = { amount: 40000, by: "cash", kind: "payment", takenBy: "Dana" } as const;
    const payments = [inCash, { amount: 2000, by: "cash", kind: "tip" } as const];
    await store.changeBookingStatus(code, "completed", T0 + MINUTE, { payments });
    await store.addPayments(lead, [{ amount: 6000, by: "card", kind: "refund", paidAt: T0 - MINUTE }], now);
    const all = (await store.findBooking(code))?.payments ?? [];
    expect(all.map(({ amount, kind, paidAt, recordedAt }) => [amount, kind, paidAt, recordedAt])).toEqual([
      [6000, "refund", T0 - MINUTE, now],
      [10000, "deposit", T0, T0],
      [40000, "payment", T0 + MINUTE, T0 + MINUTE],
      [2000, "tip", T0 + MINUTE, T0 + MINUTE],
    ]);
    const expected = { ...deposit, id: first?.id ?? 0, paidAt: T0, recordedAt: T0, undoneAt: null, takenBy: null };
    expect(all[1]).toEqual(expected);
    expect(all[2]?.takenBy).toBe("Dana");
    expect((await store.findLead(lead))?.payments).toEqual(all);
    expect((await store.bookings({ from: "2000-01-01", to: "2099-01-01" }, 9))[0]?.payments).toEqual(all);

    expect(await store.undoPayment(lead, first?.id ?? 0, now)).toBe(true);
    expect(await store.undoPayment(lead, first?.id ?? 0, now)).toBe(false);
    expect(await store.undoPayment("lead_other", all[0]?.id ?? 0, now)).toBe(false);
    // What was paid before and after the end stays when the booking is reopened.
    await store.reopenBookings([code], 1, now);
    const stand = standing((await store.findBooking(code))?.payments ?? []);
    expect(stand.map(({ kind }) => kind)).toEqual(["refund"]);

    const inFirstMinute = await store.payers(T0, T0 + 1);
    expect(inFirstMinute.map(({ booking, payments }) => [booking?.confirmationCode, payments.length])).toEqual([
      [code, 4],
    ]);
    expect(await store.payers(T0 + 2 * MINUTE, T0 + 8 * MINUTE)).toEqual([]);
  });

  test("a won lead is paid without a booking; its note goes with the person, its amount stays", async () => {
    const lead = newLead({ kind: "quote_request", phone: "+14045550177" });
    await store.addLead(lead);
    await store.moveLead({ id: lead.id, to: "won", at: T0, amount: { cents: 120000, currency: "USD" } });
    await store.addPayments(lead.id, [{ amount: 50000, by: "other", kind: "deposit", note: "Ann's check" }], T0);
    expect(await store.payers(T0, T0 + 1)).toMatchObject([
      { booking: null, currency: "USD", payments: [{ amount: 50000 }] },
    ]);
    await store.forget({ by: "phone", value: "+14045550177" }, T0 + 1, false);
    expect((await store.findLead(lead.id))?.payments).toMatchObject([{ amount: 50000, note: null }]);
  });

  test("what a lead brought to its booking is its own again without it, and the deposit by hand less", async () => {
    const lead = newLead({ kind: "quote_request" });
    await store.addLead(lead);
    const paid = { by: "cash", kind: "deposit" } as const;
    await store.addPayments(lead.id, [{ ...paid, amount: 10000 }], 1);
    const code = await booked();
    const win = { id: lead.id, to: "won", at: T0, note: bookedAs(code), wonBy: code } as const;
    await store.moveLead(win);
    const { id, lead: own } = (await store.findBooking(code)) as Booking;
    const page = { amount: 5000, currency: "USD", pageId: "cs_own", url: "", payUntil: T0, refundHours: 0 };
    await store.openDeposit(code, page, null, T0);
    // While its page is open there is no other one.
    await store.openDeposit(code, { ...page, pageId: "cs_other" }, null, T0);
    expect((await store.depositOf(id))?.pageId).toBe("cs_own");
    const confirm = { confirmationCode: code, at: T0, jobs: [], answer: {}, changes: 0 };
    await store.settleDeposit(confirm, { ...paid, amount: 5000 });
    const amounts = async () => [
      ...[(await store.findLead(lead.id))?.payments, (await store.findLead(own.id))?.payments].map((all) =>
        all?.map(({ amount }) => amount),
      ),
      (await store.depositOf(id))?.amount,
    ];
    expect(await amounts()).toEqual([[], [10000, 5000], 15000]);
    // What the payment service gave back is none of it.
    await store.addPayments(own.id, [{ amount: 700, by: "card", kind: "refund", reference: "re_own" }], T0);
    expect((await store.undoLeadMove(lead.id, "won", T0)).kind).toBe("moved");
    expect(await amounts()).toEqual([[10000], [5000, 700], 5000]);
    await store.moveLead(win);
    await store.moveLead({ id: lead.id, to: "contacted", at: T0 });
    expect(await amounts()).toEqual([[10000], [5000, 700], 5000]);
  });

  test("jobs whose time is over and that nobody closed", async () => {
    const code = await booked();
    const { endAt } = (await store.findBooking(code)) ?? { endAt: 0 };
    expect(await store.notClosed(endAt - 1)).toEqual([]);
    expect((await store.notClosed(endAt)).map(({ confirmationCode }) => confirmationCode)).toEqual([code]);
    await store.changeBookingStatus(code, "completed", endAt);
    expect(await store.notClosed(endAt)).toEqual([]);
  });
});

/** When deposits are asked for; the appointment is two days later. */
const NOW = T0 - 48 * 60 * MINUTE;
const END = NOW + 30 * MINUTE;
const HOUR = 60 * MINUTE;

export const depositsConformance = conformance("deposits", (store) => {
  const { book, kindOf } = bookingsIn(store);
  let pages = 0;
  const page = () => {
    pages += 1;
    const [pageId, url] = [`cs_${pages}`, `https://checkout.stripe.com/${pages}`];
    return { amount: 5000, currency: "USD", pageId, url, payUntil: END, refundHours: 24 };
  };
  const wait = async (given: Partial<NewBooking> = {}): Promise<Booking> => {
    const one = newBooking({ createdAt: NOW, heldUntil: END, deposit: page(), answer: { status: "held" }, ...given });
    expect((await book(one, 9)).kind).toBe("booked");
    return found(one.confirmationCode);
  };
  const found = async (code: string) => (await store.findBooking(code)) as Booking;
  const deposit = async ({ id }: Booking) => (await store.depositOf(id)) as Deposit;
  const confirmOf = async ({ confirmationCode }: Booking, at: number) => ({
    ...{ confirmationCode, at, bays: 1, changes: (await found(confirmationCode)).changes },
    jobs: [newJob("confirmation_sms")],
    answer: { is: "confirmed" },
  });
  const pay = async (booking: Booking, at: number) =>
    store.payDeposit({
      confirm: await confirmOf(booking, at),
      payment: { amount: 5000, by: "card", kind: "deposit", paidAt: at, reference: `pi_${booking.id}` },
      late: [newJob("cancelled_sms")],
    });
  const cash = (amount: number) => ({ amount, by: "cash", kind: "deposit" }) as const;
  const kinds = async () => (await store.waitingJobs(99)).map(({ kind }) => kind).sort();
  const states = async (booking: Booking) => [
    (await found(booking.confirmationCode)).status,
    (await deposit(booking)).state,
    (await found(booking.confirmationCode)).payments.map(({ kind, amount }) => `${kind} ${amount}`),
  ];

  test("is asked about until it is paid; then the booking is confirmed, once", async () => {
    const booking = await wait();
    expect(await deposit(booking)).toMatchObject({ state: "open", amount: 5000, askAt: NOW, paymentIntent: null });
    expect(await store.dueDeposits(NOW - 1, 9)).toEqual([]);
    expect(await store.dueDeposits(NOW, 9)).toMatchObject([{ confirmationCode: booking.confirmationCode }]);
    await store.askDepositAt(booking.id, NOW + 5000, "no answer");
    expect(await store.dueDeposits(NOW + 4999, 9)).toEqual([]);
    // The clock was set back an hour.
    expect((await store.dueDeposits(NOW - HOUR, 9)).length).toBe(1);
    expect((await deposit(booking)).lastError).toBe("no answer");
    expect((await pay(booking, END - 1)).kind).toBe("paid");
    expect((await pay(booking, END - 1)).kind).toBe("known");
    expect(await states(booking)).toEqual(["confirmed", "paid", ["deposit 5000"]]);
    expect(await kinds()).toEqual(["confirmation_sms"]);
    expect(await store.dueDeposits(END * 2, 9)).toEqual([]);
  });

  test("unpaid it expires, and the customer is told once", async () => {
    const booking = await wait();
    await store.endDepositPage(booking.id, [newJob("cancelled_sms")], END);
    await store.endDepositPage(booking.id, [newJob("cancelled_sms")], END);
    expect(await states(booking)).toEqual(["expired", "expired", []]);
    expect([await kinds(), await store.dueDeposits(END * 2, 9)]).toEqual([["cancelled_sms"], []]);
    expect((await pay(booking, END)).kind).toBe("paid");
    expect(await states(booking)).toEqual(["confirmed", "paid", ["deposit 5000"]]);
  });

  test("paid too late it is confirmed while a bay is free, else the payment goes back", async () => {
    const [early, late] = [await wait(), await wait({ startAt: T0 + 5 * HOUR })];
    expect((await pay(early, END)).kind).toBe("paid");
    expect(await kindOf(newBooking({ createdAt: END, startAt: T0 + 5 * HOUR }))).toBe("booked");
    expect((await pay(late, END)).kind).toBe("owed");
    expect(await states(late)).toEqual(["expired", "owed", ["deposit 5000"]]);
    expect(await kinds()).toEqual(["cancelled_sms", "confirmation_sms"]);
    await store.endDepositPage(late.id, [newJob("cancelled_sms")], END);
    const [due] = await store.dueDeposits(END, 9);
    expect(due).toMatchObject({ bookingId: late.id, state: "owed", paymentIntent: `pi_${late.id}` });
    await store.refundDeposit(late.id, "re_1", END + 1);
    await store.refundDeposit(late.id, "re_1", END + 1);
    expect(await states(late)).toEqual(["expired", "refunded", ["deposit 5000", "refund 5000"]]);
    expect(await store.dueDeposits(END * 2, 9)).toEqual([]);
  });

  test.each([
    ["cancelled_by_customer", T0 - 24 * HOUR, "owed"],
    ["cancelled_by_customer", T0 - 24 * HOUR + 1, "kept"],
    ["cancelled_by_shop", T0 - 1, "owed"],
    ["no_show", T0 + 1, "kept"],
    ["completed", T0 + 1, "paid"],
  ] as const)("%s at %d: %s", async (to, at, state) => {
    const booking = await wait();
    await pay(booking, NOW);
    expect((await store.changeBookingStatus(booking.confirmationCode, to, at)).kind).toBe("moved");
    expect((await deposit(booking)).state).toBe(state);
    expect((await store.dueDeposits(at, 9)).length).toBe(state === "owed" ? 1 : 0);
    if (to === "completed") return;
    expect((await store.reopenBookings([booking.confirmationCode], 9, at)).map(({ kind }) => kind)).toEqual([
      "reopened",
    ]);
    expect(await deposit(booking)).toMatchObject({ state: "paid", askAt: null });
  });

  test("a hold that is cancelled is asked about until its page has ended; what was paid goes back", async () => {
    const [unpaid, paid] = [await wait(), await wait()];
    await store.changeBookingStatus(unpaid.confirmationCode, "cancelled_by_customer", NOW + 1);
    await store.changeBookingStatus(paid.confirmationCode, "cancelled_by_shop", NOW + 1);
    expect((await store.dueDeposits(NOW + 1, 9)).map(({ state }) => state)).toEqual(["expired", "expired"]);
    await store.endDepositPage(unpaid.id, [newJob("cancelled_sms")], NOW + 2);
    expect((await pay(paid, NOW + 2)).kind).toBe("owed");
    expect(await states(paid)).toEqual(["cancelled_by_shop", "owed", ["deposit 5000"]]);
    expect((await store.dueDeposits(NOW + 2, 9)).map(({ bookingId }) => bookingId)).toEqual([paid.id]);
  });

  test("a hold leads to its payment; the first page counts", async () => {
    const one = newBooking({ createdAt: NOW, heldUntil: NOW + MINUTE });
    await book(one, 9);
    const [first, second] = [page(), page()];
    for (const given of [first, second])
      expect((await store.openDeposit(one.confirmationCode, given, { url: given.url }, NOW + 1)).kind).toBe("open");
    const booking = await found(one.confirmationCode);
    expect(booking).toMatchObject({ status: "held", heldUntil: END, answer: { url: first.url } });
    expect((await deposit(booking)).pageId).toBe(first.pageId);
    expect((await store.openDeposit(one.confirmationCode, second, {}, END)).kind).toBe("over");
    expect((await store.openDeposit("NOSUCH00", second, {}, NOW)).kind).toBe("unknown");
  });

  test("by hand it is confirmed and its page ends; what was paid there meanwhile goes back", async () => {
    const [taken, waived] = [await wait(), await wait()];
    expect((await store.settleDeposit(await confirmOf(taken, NOW + 1), cash(3000))).kind).toBe("confirmed");
    expect((await store.settleDeposit({ ...(await confirmOf(waived, NOW + 1)), bays: 9 }, null)).kind).toBe(
      "confirmed",
    );
    expect(await states(taken)).toEqual(["confirmed", "paid", ["deposit 3000"]]);
    expect(await states(waived)).toEqual(["confirmed", "waived", []]);
    expect((await store.dueDeposits(NOW + 1, 9)).length).toBe(2);
    await store.endDepositPage(waived.id, [newJob("cancelled_sms")], NOW + 2);
    expect((await pay(taken, NOW + 2)).kind).toBe("owed");
    expect(await kinds()).not.toContain("cancelled_sms");
    expect((await found(taken.confirmationCode)).status).toBe("confirmed");
    const { confirmationCode: code, lead } = taken;
    await store.changeBookingStatus(code, "cancelled_by_shop", NOW + 3);
    await store.refundDeposit(taken.id, "re_2", NOW + 3);
    expect(await deposit(taken)).toMatchObject({ state: "owed", amount: 3000, paymentIntent: null });
    await store.reopenBookings([code], 9, NOW + 4);
    expect((await store.openDeposit(code, page(), null, NOW + 4)).kind).toBe("open");
    expect(await states(taken)).toEqual(["confirmed", "paid", ["deposit 3000", "deposit 5000", "refund 5000"]]);
    expect(await states(waived)).toEqual(["confirmed", "waived", []]);
    expect(await store.dueDeposits(END * 2, 9)).toEqual([]);
    // The page of a deposit that is taken anew is not asked about again.
    const { payments } = await found(code);
    await store.undoPayment(lead.id, payments.find(({ by }) => by === "cash")?.id ?? 0, NOW + 5);
    await store.settleDeposit(await confirmOf(taken, NOW + 5), cash(2000));
    expect(await store.dueDeposits(END, 9)).toEqual([]);
  });

  test("by hand it is as much as was written down, corrected and paid back", async () => {
    const booking = await wait();
    const { id: lead } = booking.lead;
    const settle = async (amount: number) => store.settleDeposit(await confirmOf(booking, NOW), cash(amount));
    const now = async () => Object.values(await deposit(booking)).slice(1, 4);
    const last = async () => (await found(booking.confirmationCode)).payments.at(-1)?.id ?? 0;
    const moveTo = (to: "no_show" | "cancelled_by_shop", at: number) =>
      store.changeBookingStatus(booking.confirmationCode, to, at);
    await settle(50000);
    expect((await settle(5000)).kind).toBe("paid");
    await store.undoPayment(lead, await last(), NOW + 1);
    expect(await now()).toEqual([50000, "USD", "expired"]);
    await settle(3000);
    expect(await now()).toEqual([3000, "USD", "paid"]);
    await moveTo("cancelled_by_shop", NOW + 2);
    await store.addPayments(lead, [{ amount: 3000, by: "cash", kind: "refund" }], NOW + 3);
    expect(await now()).toEqual([3000, "USD", "refunded"]);
    await store.undoPayment(lead, await last(), NOW + 4);
    expect(await now()).toEqual([3000, "USD", "owed"]);
    await store.reopenBookings([booking.confirmationCode], 9, NOW + 5);
    await moveTo("no_show", T0 + 1);
    await store.addPayments(lead, [{ amount: 1000, by: "cash", kind: "refund" }], T0 + 2);
    expect(await now()).toEqual([2000, "USD", "kept"]);
  });

  test("a refund without an answer may have been made: a booking that is reopened stands without it", async () => {
    const booking = await wait();
    await pay(booking, NOW);
    await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", NOW + 1);
    expect(await store.askRefund(booking.id, NOW + 2, NOW + 3)).toBe(true);
    await store.reopenBookings([booking.confirmationCode], 9, NOW + 3);
    expect((await store.dueDeposits(NOW + 3, 9)).map(({ state }) => state)).toEqual(["owed"]);
    await store.refundDeposit(booking.id, "re_5", NOW + 4);
    expect(await states(booking)).toEqual(["confirmed", "refunded", ["deposit 5000", "refund 5000"]]);
  });

  test.each(["by card", "by hand"])(
    "one that was paid %s stands with its booking: no refund was asked for",
    async (how) => {
      const booking = await wait();
      if (how === "by card") await pay(booking, NOW);
      else await store.settleDeposit(await confirmOf(booking, NOW), cash(5000));
      await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", NOW + 1);
      // The page, or the payment, was looked for without an answer.
      await store.askDepositAt(booking.id, NOW + 2, "no answer");
      await store.reopenBookings([booking.confirmationCode], 9, NOW + 3);
      expect(await states(booking)).toEqual(["confirmed", "paid", ["deposit 5000"]]);
      expect(await store.askRefund(booking.id, NOW + 4, NOW + 5)).toBe(false);
    },
  );

  test.each([
    [[], 5000],
    [[{ amount: 2000, by: "card" as const }], 3000],
    [[{ amount: 2000, by: "cash" as const }], 5000],
    [[{ amount: 5000, by: "card" as const }], 0],
  ])("of what the owner wrote down as given back by card, nothing is written down twice: %j", async (back, amount) => {
    const booking = await wait();
    await pay(booking, NOW);
    const refunds = back.map((one) => ({ ...one, kind: "refund" as const }));
    await store.addPayments(booking.lead.id, refunds, NOW + 1);
    await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", NOW + 2);
    await store.refundDeposit(booking.id, "re_4", NOW + 3);
    const { payments } = await found(booking.confirmationCode);
    expect(payments.find(({ reference }) => reference === "re_4")?.amount ?? 0).toBe(amount);
    expect((await deposit(booking)).state).toBe("refunded");
  });

  test.each(["waived", "given back"])("one that was %s is taken by hand after all", async (before) => {
    const booking = await wait();
    if (before === "waived") await store.settleDeposit(await confirmOf(booking, NOW), null);
    else {
      await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_customer", NOW);
      await pay(booking, NOW + 1);
      await store.refundDeposit(booking.id, "re_3", NOW + 2);
      expect((await deposit(booking)).state).toBe("refunded");
    }
    expect((await store.settleDeposit(await confirmOf(booking, NOW + 3), cash(3000))).kind).toBe("confirmed");
    expect(await deposit(booking)).toMatchObject({ state: "paid", amount: 3000, paymentIntent: null });
    await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", NOW + 4);
    expect(await deposit(booking)).toMatchObject({ state: "owed", amount: 3000 });
  });
});
