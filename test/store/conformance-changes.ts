/** The tests of customers' own changes that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import { type JobKind, jobsThatAre, MESSAGES_TO_COME } from "../../src/constants.ts";
import { bookedAs } from "../../src/domain/lifecycle.ts";
import { standing } from "../../src/domain/payments.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import type { LeadChange, Rescheduling } from "../../src/store/store.ts";
import { CATALOG } from "../helpers.ts";
import {
  attemptOf,
  cancelling,
  claimOf,
  conformance,
  correcting,
  done,
  leadChange,
  MINUTE,
  movedTo,
  newBooking,
  newJob,
  quoteLead,
  T0,
} from "./conformance-values.ts";

const NEXT_DAY = T0 + 24 * 60 * MINUTE;

export const changesConformance = conformance("changes by customers", (store) => {
  async function booked(given: Parameters<typeof newBooking>[0] = {}): Promise<string> {
    const booking = newBooking(given);
    expect((await store.book(booking, 2, [])).kind).toBe("booked");
    return booking.confirmationCode;
  }

  const waiting = async (kind?: JobKind) =>
    (await store.waitingJobs(99, kind && { kinds: [kind] })).map(({ kind, content }) => [kind, content?.payload]);

  test("says who may change a booking, by the exact code", async () => {
    const code = await booked({ network: "192.0.2.77", lead: { email: "Pat@Example.com" } });
    const expected = { phone: "+14045550111", email: "pat@example.com", network: "192.0.2.77" };
    expect(await store.contactOf(code)).toEqual(expected);
    expect(await store.contactOf(code.toLowerCase())).toBeNull();
    // Of the codes around it, the next one is read for the sake of time, and not given.
    for (const other of ["", "00000000", code.slice(0, -1), `${code}0`])
      expect(await store.contactOf(other)).toBeNull();
    await store.forget({ by: "phone", value: "+14045550111" }, T0, true);
    expect(await store.contactOf(code)).toMatchObject({ phone: "", email: "" });
  });

  test("a lead follows its booking and comes back with it; what was paid is kept until then", async () => {
    const code = await booked();
    const lead = (await store.findBooking(code))?.lead.id ?? "";
    const status = async () => (await store.findLead(lead))?.status;
    for (const [end, follows] of [
      ["completed", "won"],
      ["no_show", "lost"],
      ["cancelled_by_shop", "lost"],
    ] as const) {
      const paid = { amount: 54900, by: "card", kind: "payment" } as const;
      await store.changeBookingStatus(code, end, T0 + MINUTE, { payments: end === "completed" ? [paid] : [] });
      const stand = async () => standing((await store.findBooking(code))?.payments ?? []);
      expect(await stand()).toMatchObject(end === "completed" ? [{ ...paid, paidAt: T0 + MINUTE }] : []);
      expect(await status()).toBe(follows);
      await store.reopenBookings([code], 1, T0 + MINUTE);
      expect(await stand()).toEqual([]);
      expect(await status()).toBe("new");
    }
    await store.moveLead({ id: lead, to: "contacted", at: T0 });
    await store.moveLead({ id: lead, to: "won", at: T0 });
    await store.changeBookingStatus(code, "no_show", T0 + MINUTE);
    await store.reopenBookings([code], 1, T0 + MINUTE);
    expect(await status()).toBe("won");
  });

  test("a customer's changes are counted by the day, and those above the limit are refused; the owner's are not counted", async () => {
    const code = await booked();
    const count = async () => {
      const { changedOn, changedTimes } = (await store.findBooking(code)) ?? {};
      return [changedOn, changedTimes];
    };
    const move = async (changes: number, given: Partial<Rescheduling> = {}) =>
      (await store.rescheduleBooking(movedTo(code, T0 + changes * MINUTE, { changes, ...given }), 1)).kind;
    expect(await count()).toEqual([null, 0]);
    const monday = { changedOn: "2026-11-23", mostChanges: 2 };
    await store.addCall((await store.findBooking(code))?.id ?? "", T0, T0);
    expect(await move(0, monday)).toBe("changed");
    expect(await store.callsToMake()).toEqual([]);
    expect(await move(1)).toBe("changed");
    expect(await count()).toEqual(["2026-11-23", 1]);
    expect(await move(2, monday)).toBe("changed");
    expect(await move(3, monday)).toBe("too_often");
    expect(await count()).toEqual(["2026-11-23", 2]);
    expect(await move(3, { ...monday, changedOn: "2026-11-24" })).toBe("changed");
    expect(await count()).toEqual(["2026-11-24", 1]);
    expect((await store.cancelBooking(cancelling(code, { changes: 4, changedOn: "2026-11-24" }))).kind).toBe("changed");
    expect(await count()).toEqual(["2026-11-24", 2]);
  });

  test("lists leads of one kind", async () => {
    await booked();
    expect(await store.leads(["new"], 9, undefined, ["quote_request"])).toEqual([]);
    expect(await store.leads(["new"], 9, undefined, ["booking"])).toHaveLength(1);
  });

  test("a move keeps everything but the time, and counts", async () => {
    const code = await booked({ answer: { price: 549 } });
    const before = await store.findBooking(code);
    const change = movedTo(code, NEXT_DAY);
    const outcome = await store.rescheduleBooking(change, 1);
    const { date, time, startAt, endAt, busyUntil } = change;
    const after = { ...before, date, time, startAt, endAt, busyUntil, changes: 1 };
    expect(outcome).toEqual({ kind: "changed", booking: after } as typeof outcome);
    expect(await store.findBooking(code)).toEqual(after as typeof before);
    expect(await store.busyBetween(T0, T0 + MINUTE)).toEqual([]);
    expect(await store.busyBetween(NEXT_DAY, NEXT_DAY + MINUTE)).toEqual([{ startAt, busyUntil }]);
  });

  test("a move is judged without the booking's own time, and with everybody else's", async () => {
    const code = await booked();
    expect((await store.rescheduleBooking(movedTo(code, T0 + 30 * MINUTE), 1)).kind).toBe("changed");
    const other = await booked({ startAt: NEXT_DAY });
    expect((await store.rescheduleBooking(movedTo(other, T0, { changes: 0 }), 1)).kind).toBe("taken");
    expect(await store.findBooking(other)).toMatchObject({ startAt: NEXT_DAY, changes: 0 });
    expect((await store.rescheduleBooking(movedTo(other, T0), 2)).kind).toBe("changed");
  });

  test("a closed bay takes neither a new booking nor a moved one", async () => {
    const closed = [{ startAt: NEXT_DAY, busyUntil: NEXT_DAY + 60 * MINUTE }];
    expect((await store.book(newBooking({ startAt: NEXT_DAY }), 1, [], closed)).kind).toBe("taken");
    const code = await booked();
    expect((await store.rescheduleBooking(movedTo(code, NEXT_DAY), 1, closed)).kind).toBe("taken");
    expect((await store.rescheduleBooking(movedTo(code, NEXT_DAY), 2, closed)).kind).toBe("changed");
    expect((await store.book(newBooking({ startAt: NEXT_DAY + 80 * MINUTE }), 1, [], closed)).kind).toBe("booked");
  });

  test("the calendar has one address at a time, or none", async () => {
    expect(await store.calendarHash()).toBeNull();
    expect(await store.setCalendarHash("first", T0)).toBe(false);
    expect(await store.setCalendarHash("second", T0 + 1)).toBe(true);
    expect(await store.calendarHash()).toBe("second");
    expect(await store.setCalendarHash(null, T0)).toBe(true);
    expect(await store.calendarHash()).toBeNull();
    expect(await store.lockSecret()).not.toBe("");
  });

  test("of many moves to one time, as many succeed as there are bays", async () => {
    const codes: string[] = [];
    for (let i = 1; i <= 6; i++) codes.push(await booked({ startAt: T0 + i * 120 * MINUTE }));
    const moves = codes.map((code) => store.rescheduleBooking(movedTo(code, NEXT_DAY), 2));
    const bookings = codes.map((_, i) => store.book(newBooking({ startAt: NEXT_DAY + i * MINUTE }), 2, []));
    const kinds = (await Promise.all([...moves, ...bookings])).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "changed" || kind === "booked")).toHaveLength(2);
    expect(kinds.filter((kind) => kind === "taken")).toHaveLength(10);
  });

  test("a change that was planned for another state is refused, and writes nothing", async () => {
    const code = await booked();
    const job = newJob("notify_shop_sms");
    expect((await store.rescheduleBooking(movedTo("NOSUCH00", NEXT_DAY, { jobs: [job] }), 2)).kind).toBe("outdated");
    expect((await store.rescheduleBooking(movedTo(code, NEXT_DAY, { changes: 1, jobs: [job] }), 2)).kind).toBe(
      "outdated",
    );
    expect((await store.cancelBooking(cancelling(code, { changes: 1, jobs: [job] }))).kind).toBe("outdated");
    expect(await store.findBooking(code)).toMatchObject({ startAt: T0, changes: 0, status: "confirmed" });
    await store.changeBookingStatus(code, "cancelled_by_shop", T0);
    expect((await store.rescheduleBooking(movedTo(code, NEXT_DAY, { jobs: [job] }), 2)).kind).toBe("outdated");
    expect((await store.cancelBooking(cancelling(code, { jobs: [job] }))).kind).toBe("outdated");
    expect(await waiting()).toEqual([]);
  });

  test("of the same change many times at once, one is made", async () => {
    const code = await booked();
    const moves = await Promise.all([1, 2, 3].map(() => store.rescheduleBooking(movedTo(code, NEXT_DAY), 2)));
    expect(moves.map(({ kind }) => kind).sort()).toEqual(["changed", "outdated", "outdated"]);
    const ends = await Promise.all([1, 2, 3].map(() => store.cancelBooking(cancelling(code, { changes: 1 }))));
    expect(ends.map(({ kind }) => kind).sort()).toEqual(["changed", "outdated", "outdated"]);
  });

  test("a move lapses the messages that name the old time, sent or not, and writes the new ones", async () => {
    const jobs = [...MESSAGES_TO_COME, "remind_owner", "notify_shop_sms"] as const;
    const code = await booked({ lead: { jobs: jobs.map((kind) => newJob(kind, { dueAt: T0 - 60 * MINUTE })) } });
    const [failed] = await store.claimJobs(claimOf(["reminder_sms"], T0 - 30 * MINUTE, { lastsMs: 30 * MINUTE }));
    await store.settleJobs([{ ...attemptOf(failed), kind: "failed", reason: "no" }]);
    const reminder = newJob("reminder_email", { dueAt: NEXT_DAY - 60 * MINUTE });
    await store.rescheduleBooking(movedTo(code, NEXT_DAY, { jobs: [newJob("notify_shop_sms"), reminder] }), 1);
    const left = (await store.waitingJobs(99)).map(({ kind, dueAt }) => [kind, dueAt]);
    expect(left).toEqual([
      ["remind_owner", T0 - 60 * MINUTE],
      ["notify_shop_sms", T0 - 60 * MINUTE],
      ["notify_shop_sms", T0],
      ["reminder_email", NEXT_DAY - 60 * MINUTE],
    ]);
    expect(await store.failedJobs(9)).toEqual([]);
  });

  test("while the shop's text about a booking waits: a move rewords it, the end of the booking lapses it", async () => {
    const news = (text: string) => [newJob("notify_shop_sms", { payload: { to: "+14045550142", text } })];
    const waitingTexts = async () =>
      (await waiting("notify_shop_sms")).map(([, payload]) => (payload as { text: string }).text);
    const jobs = news("new");
    const code = await booked({ lead: { jobs } });
    const moved = (changes: number, startAt: number) =>
      movedTo(code, startAt, { changes, jobs: news("moved"), reworded: news(`new at ${startAt - T0}`) });
    await store.rescheduleBooking(moved(0, NEXT_DAY), 1);
    expect(await waitingTexts()).toEqual([`new at ${NEXT_DAY - T0}`]);
    await store.cancelBooking(cancelling(code, { changes: 1, jobs: news("cancelled") }));
    expect(await waitingTexts()).toEqual([]);

    // Once the first text was tried, the shop hears of each change, and of the last move only.
    const other = await booked({ lead: { jobs } });
    const [tried] = await store.claimJobs(claimOf(["notify_shop_sms"], T0, { lastsMs: 1 }));
    await store.settleJobs([done(tried)]);
    for (const [changes, startAt] of [NEXT_DAY, T0].entries())
      await store.rescheduleBooking({ ...moved(changes, startAt), confirmationCode: other }, 1);
    expect(await waitingTexts()).toEqual(["moved"]);
    await store.changeBookingStatus(other, "cancelled_by_shop", T0);
    expect(await waitingTexts()).toEqual([]);
  });

  test("a correction rewords the messages that wait", async () => {
    // Whom a step of `follow_up` names is told of the correction, too.
    const receivers = ["tech@example.com"];
    const toTech = newJob("notify_shop_sms", { payload: { text: "t", receivers } });
    const jobs = [toTech, newJob("confirmation_sms"), newJob("reminder_email"), newJob("remind_owner_notice")];
    const code = await booked({ lead: { jobs } });
    const sms = { to: "+14045550142", text: "in new words" };
    const reworded = [
      newJob("notify_shop_sms", { payload: { text: sms.text } }),
      newJob("remind_owner_notice", { payload: { text: sms.text } }),
      newJob("confirmation_sms", { payload: sms }),
    ];
    const edit = correcting(code, { phone: "+14045550199", email: "pat@example.com", reworded });
    expect((await store.editBooking(edit)).kind).toBe("changed");
    expect(await waiting("notify_shop_sms")).toEqual([["notify_shop_sms", { text: sms.text, receivers }]]);
    expect(await waiting("remind_owner_notice")).toEqual([["remind_owner_notice", { text: sms.text }]]);
    expect(await waiting("confirmation_sms")).toEqual([["confirmation_sms", { ...sms, to: "+14045550199" }]]);
    expect(await waiting("reminder_email")).toHaveLength(1);
    // Planned for the booking before the first, it is outdated. Without an address no e-mail goes out.
    expect(await store.editBooking({ ...edit, email: "" })).toEqual({ kind: "outdated" });
    await store.editBooking({ ...edit, changes: 1, email: "", reworded: [] });
    expect(await waiting("reminder_email")).toEqual([]);
    expect(await waiting("confirmation_sms")).toHaveLength(1);
  });

  test("what a booking won is won for the price that the booking has, and only that", async () => {
    const code = await booked();
    const won = async () => (await store.findLead("lead_a"))?.wonAmount;
    const edit = async (total: number | null) => {
      const changes = (await store.findBooking(code))?.changes ?? 0;
      const answer = { estimate: total === null ? null : { total, currency: "USD" } };
      await store.editBooking(correcting(code, { changes, answer }));
    };
    await store.addLead(quoteLead(T0));
    await edit(500);
    expect(await won()).toBeNull();
    const amount = { cents: 42_900, currency: "USD" };
    await store.moveLead({ id: "lead_a", to: "won", at: T0 });
    await store.moveLead({ id: "lead_a", to: "won", note: bookedAs(code), at: T0, amount, wonBy: code });
    await edit(399.5);
    expect(await won()).toEqual({ cents: 39_950, currency: "USD" });
    await edit(null);
    expect(await won()).toBeNull();
    await edit(299);
    await store.undoLeadMove("lead_a", "won", T0);
    expect(await won()).toEqual({ cents: 29_900, currency: "USD" });
  });

  test("a message is added once while it waits; those after the work lapse unless it is done", async () => {
    const code = await booked();
    const lead = async (code: string) => (await store.findBooking(code))?.lead.id ?? "";
    expect(await store.addMessage(await lead(code), newJob("ready_sms"), T0)).toBe("added");
    expect(await store.addMessage(await lead(code), newJob("ready_sms"), T0)).toBe("waits");
    expect(await store.addMessage("lead_0", newJob("ready_sms"), T0)).toBe("unknown");
    const ofTheEnd = jobsThatAre({ to: "customer", event: "completed" });
    const kinds = ["ready_sms", ...ofTheEnd] as const;
    const claim = claimOf(kinds, T0 + MINUTE);
    const claimed = async () => (await store.claimJobs(claim)).map(({ kind }) => kind);
    expect(await claimed()).toEqual(["ready_sms"]);
    const after = ofTheEnd.map((kind) => newJob(kind));
    await store.changeBookingStatus(code, "completed", T0, { jobs: after });
    await store.reopenBookings([code], 1, T0);
    expect(await claimed()).toEqual([]);
    await store.changeBookingStatus(code, "completed", T0, { jobs: [newJob("review_sms")] });
    expect(await claimed()).toEqual(["review_sms"]);
    expect((await store.lapsedJobs(kinds, 9)).map(({ kind, lastError }) => [kind, lastError])).toEqual([
      ...ofTheEnd.toReversed().map((kind) => [kind, "its booking was reopened"]),
    ]);
    expect(await store.lapsedJobs(kinds, 1)).toHaveLength(1);
    const other = await booked();
    for (const job of [newJob("ready_sms"), ...after]) await store.addMessage(await lead(other), job, T0);
    await store.changeBookingStatus(other, "no_show", T0);
    expect(await claimed()).toEqual([]);
  });

  test("a cancelling frees the bay, keeps the reason, and its messages go out although no booking is confirmed", async () => {
    const jobs = [newJob("reminder_sms"), newJob("remind_owner"), newJob("remind_owner_notice")];
    const code = await booked({ lead: { jobs } });
    const told = [newJob("cancelled_sms"), newJob("cancelled_email"), newJob("notify_shop_sms")];
    const outcome = await store.cancelBooking(cancelling(code, { reason: "sold", jobs: told, at: T0 }));
    expect(outcome).toMatchObject({ kind: "changed", booking: { status: "cancelled_by_customer", endedAt: T0 } });
    expect(await store.findBooking(code)).toMatchObject({ cancelReason: "sold", changes: 1 });
    expect(await store.busyBetween(0, Number.MAX_SAFE_INTEGER)).toEqual([]);
    const reminders = ["reminder_sms", "remind_owner", "remind_owner_notice"] as const;
    const kinds = [...reminders, "cancelled_sms", "cancelled_email", "notify_shop_sms"] as const;
    const claim = claimOf(kinds, T0 + 90 * MINUTE, { lastsMs: 9 * MINUTE });
    expect((await store.claimJobs(claim)).map(({ kind }) => kind).sort()).toEqual(told.map(({ kind }) => kind).sort());
  });

  test("reopened, the booking has no reason any more; forgotten, the reason is erased", async () => {
    const [first, second] = [await booked(), await booked()];
    for (const code of [first, second]) await store.cancelBooking(cancelling(code, { reason: "Pat moves away" }));
    await store.reopenBookings([first], 2, T0);
    expect(await store.findBooking(first)).toMatchObject({ status: "confirmed", cancelReason: null, changes: 2 });
    await store.forget({ by: "phone", value: "+14045550111" }, T0, true);
    expect(await store.findBooking(second)).toMatchObject({ status: "cancelled_by_customer", cancelReason: null });
  });

  describe("a CRM that knows of the booking", () => {
    const pushes = (now: number, more: object = {}) => store.claimJobs(claimOf(["push_to_crm"], now, more));
    const created = (code: string): LeadChange =>
      leadChange({
        type: "booking.created",
        booking: {
          ...{ confirmationCode: code, status: "confirmed", startAt: T0, endAt: T0 + 60 * MINUTE },
          ...{ previousStartAt: null, reason: null },
        },
      });
    /** A booking of which the CRM was told. */
    async function known(now = T0 - 10 * MINUTE): Promise<string> {
      const confirmationCode = `KNOWN${crypto.randomUUID()}`;
      const push = newJob("push_to_crm", { payload: created(confirmationCode), dueAt: now });
      await booked({ confirmationCode, createdAt: now, lead: { jobs: [push] } });
      for (const job of await pushes(now)) await store.settleJobs([done(job)]);
      return confirmationCode;
    }
    /** Type, state, start and earlier start of the pushes that wait. */
    const unsent = async (): Promise<unknown[]> =>
      (await store.waitingJobs(9, { kinds: ["push_to_crm"] })).map(({ content }) => {
        if (content?.kind !== "push_to_crm") return null;
        const { type, booking } = content.payload;
        return [type, booking?.status, booking?.startAt, booking?.previousStartAt];
      });
    const change = {
      move: (startAt: number) => async (code: string, changes: number) => {
        expect((await store.rescheduleBooking(movedTo(code, startAt, { changes }), 2)).kind).toBe("changed");
      },
      async cancel(code: string, changes: number) {
        expect((await store.cancelBooking(cancelling(code, { changes }))).kind).toBe("changed");
      },
      async reopen(code: string) {
        expect((await store.reopenBookings([code], 2, T0 - MINUTE))[0]?.kind).toBe("reopened");
      },
    };
    const { move, cancel, reopen } = change;

    test.each<[string, ((code: string, changes: number) => Promise<void>)[], unknown[]]>([
      ["a move", [move(NEXT_DAY)], [["booking.rescheduled", "confirmed", NEXT_DAY, T0]]],
      [
        "three moves",
        [move(NEXT_DAY), move(NEXT_DAY + MINUTE), move(NEXT_DAY + 2 * MINUTE)],
        [["booking.rescheduled", "confirmed", NEXT_DAY + 2 * MINUTE, T0]],
      ],
      ["there and back", [move(NEXT_DAY), move(T0)], []],
      ["moved and cancelled", [move(NEXT_DAY), cancel], [["booking.cancelled", "cancelled_by_customer", NEXT_DAY, T0]]],
      ["cancelled and reopened", [cancel, reopen], []],
      [
        "moved, cancelled, reopened",
        [move(NEXT_DAY), cancel, reopen],
        [["booking.rescheduled", "confirmed", NEXT_DAY, T0]],
      ],
    ])("hears of changes in quick succession once, with the last state: %s", async (_, steps, expected) => {
      const code = await known();
      for (const step of steps) await step(code, (await store.findBooking(code))?.changes ?? 0);
      expect(await unsent()).toEqual(expected);
    });

    test("and heard that it was cancelled, hears that it stands again, also when it moves meanwhile", async () => {
      const code = await known();
      await cancel(code, 0);
      const [job] = await pushes(T0);
      await store.settleJobs([done(job)]);
      await reopen(code);
      await move(NEXT_DAY)(code, 2);
      await move(T0)(code, 3);
      expect(await unsent()).toEqual([["lead.updated", "confirmed", T0, T0]]);
    });

    test("but not yet, hears first of the booking as it is by then", async () => {
      const confirmationCode = "UNTOLD1";
      const push = newJob("push_to_crm", { payload: created(confirmationCode) });
      const code = await booked({ confirmationCode, lead: { jobs: [push] } });
      await move(NEXT_DAY)(code, 0);
      await store.moveLead({ id: (await store.findBooking(code))?.lead.id ?? "", to: "contacted", at: T0 });
      const [first] = await store.waitingJobs(9, { kinds: ["push_to_crm"] });
      expect(first?.content?.payload).toMatchObject({
        type: "booking.created",
        lead: { status: "contacted" },
        booking: { startAt: NEXT_DAY, previousStartAt: null },
      });
    });

    test("a moment ago, hears of the next change at the end of the pause; a CRM that does not know it hears nothing", async () => {
      const code = await known(T0 - 10 * MINUTE);
      await booked();
      const limits = deliveryRules(CATALOG, T0);
      expect(limits.pushPauseMs).toBe(5 * MINUTE);
      const claimAt = (now: number) => pushes(now, { limits });
      await move(NEXT_DAY)(code, 0);
      const [sent] = await claimAt(T0);
      await store.settleJobs([done(sent)]);
      await move(NEXT_DAY + MINUTE)(code, 1);
      expect(await claimAt(T0 + MINUTE)).toEqual([]);
      await move(NEXT_DAY + 2 * MINUTE)(code, 2);
      expect(await claimAt(T0 + 5 * MINUTE - 1)).toEqual([]);
      expect(await unsent()).toEqual([["booking.rescheduled", "confirmed", NEXT_DAY + 2 * MINUTE, NEXT_DAY]]);
      expect(await claimAt(T0 + 5 * MINUTE)).toHaveLength(1);
      const stranger = await booked();
      await move(NEXT_DAY + 3 * MINUTE)(stranger, 0);
      expect(await store.waitingJobs(9, { kinds: ["push_to_crm"] })).toHaveLength(1);
    });
  });
});
