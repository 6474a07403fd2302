/** Bookings: bays, repeats, what a refused or failed one leaves: tests that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import { JOB_KINDS } from "../../src/constants.ts";
import type { Booking, NewBooking, Quota } from "../../src/store/store.ts";
import {
  ALWAYS,
  bookingsIn,
  cancelling,
  conformance,
  correcting,
  EVER,
  MINUTE,
  movedTo,
  newBooking,
  newJob,
  newLead,
  T0,
} from "./conformance-values.ts";

export const bookingsConformance = conformance("bookings", (store) => {
  const { book, kindOf, traces } = bookingsIn(store);

  test("fills every bay and no more; a bay is free from the end of a booking", async () => {
    expect(await kindOf(newBooking(), 2)).toBe("booked");
    expect(await kindOf(newBooking(), 2)).toBe("booked");
    expect(await kindOf(newBooking(), 2)).toBe("taken");
    expect(await kindOf(newBooking({ startAt: T0 + 59 * MINUTE }), 2)).toBe("taken");
    expect(await kindOf(newBooking({ startAt: T0 - 59 * MINUTE }), 2)).toBe("taken");
    expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }), 2)).toBe("booked");
    expect(await kindOf(newBooking({ startAt: T0 - 60 * MINUTE }), 2)).toBe("booked");
  });

  test("keeps the bay until busyUntil, after the end", async () => {
    const buffered = newBooking({ busyUntil: T0 + 75 * MINUTE });
    expect(await kindOf(buffered)).toBe("booked");
    expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }))).toBe("taken");
    expect(await kindOf(newBooking({ startAt: T0 + 75 * MINUTE }))).toBe("booked");
    // The buffer of the new booking counts too.
    const before = { startAt: T0 - 60 * MINUTE, endAt: T0, busyUntil: T0 + 15 * MINUTE };
    expect(await kindOf(newBooking(before))).toBe("taken");
  });

  test("counts the most bookings at one moment, not all overlaps", async () => {
    // Two short bookings in a row share one bay, so a long one fits into the second bay.
    expect(await kindOf(newBooking({ startAt: T0 }), 2)).toBe("booked");
    expect(await kindOf(newBooking({ startAt: T0 + 60 * MINUTE }), 2)).toBe("booked");
    expect(await kindOf(newBooking({ startAt: T0, endAt: T0 + 120 * MINUTE }), 2)).toBe("booked");
    expect(await kindOf(newBooking({ startAt: T0 + 90 * MINUTE }), 2)).toBe("taken");
  });

  for (const by of ["cancelled_by_shop", "cancelled_by_customer"] as const) {
    test(`${by}: the time is free again, and the booking still counts for its network`, async () => {
      const booking = newBooking({ idempotency: { scope: "", id: "r", bodyHash: "h" } });
      const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 9 }];
      const ofPhone: Quota[] = [{ by: "phone", value: booking.lead.phone, since: 0, until: EVER, limit: 9 }];
      await book(booking, 1, quotas);
      expect(await kindOf(newBooking())).toBe("taken");
      expect((await store.changeBookingStatus(booking.confirmationCode, by, T0)).kind).toBe("moved");
      expect(await store.busyBetween(...ALWAYS)).toEqual([]);
      expect((await store.quotaUse(quotas))[0]?.used).toBe(1);
      expect((await store.quotaUse(ofPhone))[0]?.used).toBe(by === "cancelled_by_shop" ? 1 : 0);
      expect(await store.findEarlier("", "r")).toMatchObject({ bodyHash: "h", answer: booking.answer });
      expect(await kindOf(newBooking())).toBe("booked");
      expect(await kindOf(newBooking())).toBe("taken");
    });
  }

  describe("replay", () => {
    const request = (bodyHash = "h", scope = "", id = "r") => ({ idempotency: { scope, id, bodyHash } });

    test("returns the earlier answer for any body, before quotas and bays are checked", async () => {
      const first = newBooking(request());
      expect(await kindOf(first)).toBe("booked");
      const full: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 1 }];
      const before = await traces(full);
      for (const bodyHash of ["h", "another"]) {
        const outcome = await book(newBooking(request(bodyHash)), 1, full);
        expect(outcome).toMatchObject({ kind: "earlier", earlier: { bodyHash: "h", answer: first.answer } });
      }
      expect(await traces(full)).toEqual(before);
    });

    test("returns the booking as it is beside the first answer: moved, edited, cancelled, taken up again", async () => {
      const first = newBooking({ ...request(), network: "203.0.113.7" });
      await book(first);
      const code = first.confirmationCode;
      const outcome = async () => book(newBooking(request("another")));
      const seen = async () => {
        const found = await store.findEarlier("", "r");
        // The same in the transaction of a booking.
        expect(await outcome()).toEqual({ kind: "earlier", earlier: found as NonNullable<typeof found> });
        expect(found).toMatchObject({ bodyHash: "h", answer: first.answer, network: "203.0.113.7", isErased: false });
        expect(found?.booking).toEqual((await store.findBooking(code)) as Booking);
        return found && { ...found.booking, isChanged: found.isChanged };
      };
      expect(await seen()).toMatchObject({ isChanged: false, status: "confirmed", startAt: T0 });
      const startAt = T0 + 60 * MINUTE;
      expect((await store.rescheduleBooking(movedTo(code, startAt), 1)).kind).toBe("changed");
      expect(await seen()).toMatchObject({ isChanged: true, startAt, date: "2026-11-25" });
      await store.editBooking(correcting(code, { changes: 1, name: "Pat Corrected", answer: { total: 1 } }));
      expect(await seen()).toMatchObject({ answer: { total: 1 }, lead: { name: "Pat Corrected", extension: "7" } });
      await store.cancelBooking(cancelling(code, { changes: 2 }));
      expect(await seen()).toMatchObject({ status: "cancelled_by_customer" });
      await store.reopenBookings([code], 1, T0);
      expect(await seen()).toMatchObject({ status: "confirmed", isChanged: true });
    });

    test("a booking that the owner edited without a move is changed, too", async () => {
      const first = newBooking(request());
      await book(first);
      await store.editBooking(correcting(first.confirmationCode, { answer: { total: 2 } }));
      const found = await store.findEarlier("", "r");
      expect(found).toMatchObject({ answer: first.answer, isChanged: true, booking: { answer: { total: 2 } } });
    });

    test("of the same under another id: by phone, digest and caller or e-mail, while it stands", async () => {
      const same = { phone: "+14045550111", hash: "s", since: T0 - MINUTE, now: T0, caller: "192.0.2.1", email: "" };
      const first = newBooking({ ...request(), same, createdAt: T0 });
      expect(await store.findSame(same)).toBeNull();
      await book(first, 9);
      const found = await store.findSame(same);
      expect(found).toMatchObject({ isSame: true, booking: { confirmationCode: first.confirmationCode } });
      const again = () => book(newBooking({ ...request("other", "", "r2"), same, createdAt: T0 }), 9);
      expect(await again()).toEqual({ kind: "earlier", earlier: found as NonNullable<typeof found> });
      expect(await store.findSame({ ...same, caller: "key_1", email: first.lead.email.toUpperCase() })).not.toBeNull();
      for (const other of [
        ...[{ phone: "+14045550112" }, { hash: "t" }, { since: T0 }, { since: null }],
        ...[{ caller: "192.0.2.2" }, { caller: "192.0.2.2", email: "other@example.com" }],
      ])
        expect(await store.findSame({ ...same, ...other })).toBeNull();
      await store.cancelBooking(cancelling(first.confirmationCode));
      expect(await store.findSame(same)).toBeNull();
      const many = await Promise.all(Array.from({ length: 16 }, again));
      expect(many.filter(({ kind }) => kind === "booked")).toHaveLength(1);
      expect((await book(newBooking({ ...request("o", "", "r3"), same: { ...same, since: null } }), 9)).kind).toBe(
        "booked",
      );
    });

    test("of a quote request returns the earlier answer, and adds no second lead", async () => {
      const answer = { reference: "Q-1" };
      const request = { scope: "+14045550111", id: "q", bodyHash: "h", answer, network: "192.0.2.1" };
      const earlier = { bodyHash: "h", answer: request.answer, network: "192.0.2.1", status: "new", isErased: false };
      expect(await store.findEarlierLead(request.scope, request.id)).toBeNull();
      const add = (more: object = {}) => store.addLead(newLead({ request: { ...request, ...more } }));
      expect(await add()).toEqual({ kind: "added" });
      expect(await add({ bodyHash: "another" })).toMatchObject({ kind: "earlier", earlier });
      expect(await store.findEarlierLead(request.scope, request.id)).toMatchObject(earlier);
      expect(await add({ scope: "+14045550112" })).toEqual({ kind: "added" });
      expect(await store.leads(["new"], 9)).toHaveLength(2);
    });

    test("compares scopes and ids exactly", async () => {
      await book(newBooking(request("h", "key_1", "Order 1")));
      expect(await store.findEarlier("key_1", "Order 1")).not.toBeNull();
      for (const scope of ["", "key_2", "KEY_1"]) expect(await store.findEarlier(scope, "Order 1")).toBeNull();
      for (const id of ["order 1", "Order 1 ", "", "%"]) expect(await store.findEarlier("key_1", id)).toBeNull();
      const later = { startAt: T0 + 120 * MINUTE };
      expect(await kindOf(newBooking({ ...request("h", "key_2", "Order 1"), ...later }))).toBe("booked");
    });

    test("one of many simultaneous copies books; the others get the same answer", async () => {
      const outcomes = await Promise.all(Array.from({ length: 64 }, () => book(newBooking(request()), 99)));
      expect(outcomes.filter(({ kind }) => kind === "booked")).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === "earlier")).toHaveLength(63);
      expect(await store.busyBetween(...ALWAYS)).toHaveLength(1);
    });
  });

  test("a refused booking writes nothing: no lead, no job, no occupied time, no replay record", async () => {
    const jobs = [newJob()];
    const quotas: Quota[] = [{ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit: 1 }];
    const idempotency = { scope: "", id: "r", bodyHash: "h" };
    await book(newBooking({ lead: { jobs } }));
    const before = await traces(quotas);
    expect(before.count.count).toBe(1);

    const taken = newBooking({ idempotency, lead: { jobs } });
    expect(await kindOf(taken)).toBe("taken");
    const overQuota = newBooking({ idempotency, startAt: T0 + 90 * MINUTE, lead: { jobs } });
    expect(await kindOf(overQuota, 1, quotas)).toBe("quota");
    expect(await traces(quotas)).toEqual(before);
    // No lead was written, so the same lead can be written now.
    await store.addLead(taken.lead);
    await store.addLead(overQuota.lead);
    expect((await store.countDueJobs(JOB_KINDS, Number.MAX_SAFE_INTEGER)).count).toBe(3);
  });

  test("a code or reference that is in use is refused, and nothing is written", async () => {
    const first = newBooking();
    await book(first);
    const before = await traces();
    const startAt = T0 + 90 * MINUTE;
    const idempotency = { scope: "", id: "r", bodyHash: "h" };
    const lead = { jobs: [newJob()] };
    const { confirmationCode } = first;
    expect(await kindOf(newBooking({ confirmationCode, startAt, idempotency, lead }))).toBe("code_in_use");
    const sameReference = { ...lead, reference: first.lead.reference };
    expect(await kindOf(newBooking({ startAt, idempotency, lead: sameReference }))).toBe("code_in_use");
    expect(await store.addLead(newLead(sameReference))).toEqual({ kind: "code_in_use" });
    expect(await traces()).toEqual(before);
    expect(await store.addLead(newLead(lead))).toEqual({ kind: "added" });
  });

  test("says which codes and references are in use", async () => {
    const booking = newBooking();
    await book(booking);
    const { confirmationCode, lead } = booking;
    expect(await store.codesInUse(["NOSUCH", confirmationCode, lead.reference])).toEqual([confirmationCode]);
    expect(await store.referencesInUse(["NOSUCH", confirmationCode, lead.reference])).toEqual([lead.reference]);
    expect(await store.codesInUse([])).toEqual([]);
  });

  test("writes that come together do not touch one another: refusals, faults and bookings", async () => {
    const full = [{ by: "phone" as const, value: "+14045550111", since: 0, until: EVER, limit: 0 }];
    const jobs = [newJob("push_to_crm")];
    const later = (hours: number, given: Partial<NewBooking> = {}) =>
      newBooking({ startAt: T0 + hours * 60 * MINUTE, ...given, lead: { ...newLead({ jobs }), ...given.lead } });
    const first = later(0);
    await book(first);
    const ends = await Promise.allSettled([
      kindOf(later(0)),
      kindOf(later(1, { id: first.id })),
      kindOf(later(2)),
      kindOf(later(3), 1, full),
      kindOf(later(4, { confirmationCode: first.confirmationCode })),
      store.addLead(newLead({ jobs, keyId: "key_of_nobody" })),
      store.addLead(newLead({ jobs })).then(({ kind }) => kind),
      kindOf(later(5)),
    ]);
    const kinds = ends.map((end) => (end.status === "fulfilled" ? String(end.value) : "fault"));
    expect(kinds).toEqual(["taken", "fault", "booked", "quota", "code_in_use", "fault", "added", "booked"]);
    const busy = await store.busyBetween(...ALWAYS);
    expect(busy.map(({ startAt }) => (startAt - T0) / (60 * MINUTE)).sort()).toEqual([0, 2, 5]);
    expect(await store.waitingJobs(99)).toHaveLength(4);
    expect(await store.leads(["new"], 99)).toHaveLength(4);
  });

  test("busyBetween leaves out bookings that only touch the stretch", async () => {
    const busyUntil = T0 + 75 * MINUTE;
    await book(newBooking({ busyUntil }));
    const found = async (from: number, until: number) => (await store.busyBetween(from, until)).length;
    expect(await store.busyBetween(T0, busyUntil)).toEqual([{ startAt: T0, busyUntil }]);
    expect(await found(busyUntil - 1, busyUntil)).toBe(1);
    expect(await found(busyUntil, busyUntil + 1)).toBe(0);
    expect(await found(T0 - 1, T0)).toBe(0);
    expect(await found(T0 - 1, T0 + 1)).toBe(1);
    expect(await found(T0 + 1, T0 + 2)).toBe(1);
    expect(await found(0, Number.MAX_SAFE_INTEGER)).toBe(1);
  });

  test("busyBetween finds a long booking that began long before, beside many short ones", async () => {
    const long = newBooking({ startAt: T0 - 600 * MINUTE, endAt: T0 + MINUTE });
    await book(long, 9);
    for (let i = 1; i < 20; i++) await book(newBooking({ startAt: T0 - 60 * i * MINUTE }), 9);
    expect(await store.busyBetween(T0, T0 + MINUTE)).toEqual([{ startAt: long.startAt, busyUntil: long.busyUntil }]);
    await store.changeBookingStatus(long.confirmationCode, "cancelled_by_shop", T0);
    expect(await store.busyBetween(T0, T0 + MINUTE)).toEqual([]);
  });

  test("stores any text unchanged", async () => {
    const text = 'O\'Brien; DROP TABLE leads; -- 日本 😀 "q" \\ %_';
    const answer = { text, deep: { list: [text, 1.5, true, null] } };
    const given = { answer, idempotency: { scope: text, id: text, bodyHash: text }, lead: { name: text } };
    const booking = newBooking(given);
    expect(await kindOf(booking)).toBe("booked");
    expect(await store.findEarlier(text, text)).toMatchObject({ bodyHash: text, answer });
  });
});
