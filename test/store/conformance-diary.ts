/** The diary: tests that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import { bookingsIn, conformance, MINUTE, newBooking, newJob, newKey, T0 } from "./conformance-values.ts";

export const diaryConformance = conformance("diary", (store) => {
  const { book, kindOf } = bookingsIn(store);

  test("lists the bookings of some dates by start, and finds one by code", async () => {
    const later = newBooking({ startAt: T0 + 120 * MINUTE, time: "11:00", lead: { name: "Second" } });
    const sooner = newBooking({ lead: { name: "First" } });
    const nextDay = newBooking({ startAt: T0 + 24 * 60 * MINUTE, date: "2026-11-25" });
    for (const booking of [later, sooner, nextDay]) await book(booking);
    const codes = async (from: string, to: string) =>
      (await store.bookings({ from, to }, 99)).map(({ confirmationCode }) => confirmationCode);
    expect(await codes("2026-11-24", "2026-11-24")).toEqual([sooner.confirmationCode, later.confirmationCode]);
    expect(await codes("2026-11-24", "2026-11-25")).toHaveLength(3);
    expect(await codes("2026-11-25", "2026-11-30")).toEqual([nextDay.confirmationCode]);
    expect(await codes("2026-11-26", "2026-11-30")).toEqual([]);
    expect(await codes("2026-11-25", "2026-11-24")).toEqual([]);

    const { id, confirmationCode, service, date, time, startAt, endAt, busyUntil, answer, createdAt } = sooner;
    const { id: leadId, reference, phone, email } = sooner.lead;
    expect(await store.findBooking(confirmationCode)).toEqual({
      ...{ id, confirmationCode, service, date, time, startAt, endAt, busyUntil, answer, createdAt },
      status: "confirmed",
      ...{ heldUntil: null, endedAt: null, changes: 0, changedOn: null, changedTimes: 0 },
      ...{ cancelReason: null, payments: [] },
      ...{ network: sooner.network, keyId: null, agentClass: null },
      lead: { id: leadId, reference, name: "First", phone, extension: "", email },
    });
    expect(await store.findBooking("NOSUCH00")).toBeNull();
  });

  test("says of a booking which key, network and agent made it", async () => {
    await store.addKey(newKey({ id: "key_a" }));
    const by = { keyId: "key_a", network: "2001:db8::/64" };
    const booking = newBooking({ ...by, lead: { agentClass: "openai" } });
    await book(booking);
    expect(await store.findBooking(booking.confirmationCode)).toMatchObject({ ...by, agentClass: "openai" });
  });

  test("comes in pages, even when bookings begin at the same moment", async () => {
    for (let i = 0; i < 7; i++) await book(newBooking({ createdAt: T0 - (i % 2) }), 9);
    await book(newBooking({ startAt: T0 + MINUTE }), 9);
    await book(newBooking({ startAt: T0 + 24 * 60 * MINUTE, date: "2026-11-25" }), 9);
    const dates = { from: "2026-11-24", to: "2026-11-25" };
    const all = await store.bookings(dates, 99);
    expect(all).toHaveLength(9);
    const pages: string[] = [];
    let page = await store.bookings(dates, 2);
    while (page.length > 0) {
      expect(page.length).toBeLessThanOrEqual(2);
      pages.push(...page.map(({ id }) => id));
      page = await store.bookings(dates, 2, page.at(-1));
    }
    expect(pages).toEqual(all.map(({ id }) => id));
  });

  const ENDS = ["completed", "no_show", "cancelled_by_shop", "cancelled_by_customer"] as const;
  for (const end of ENDS) {
    test(`a confirmed booking becomes ${end}, and then nothing else`, async () => {
      const booking = newBooking();
      const code = booking.confirmationCode;
      await book(booking);
      const before = await store.findBooking(code);
      expect(await store.changeBookingStatus(code, "confirmed", T0)).toMatchObject({ kind: "refused" });
      const moved = await store.changeBookingStatus(code, end, T0 + 5);
      // A cancellation counts, because the calendar entry that it corrects needs a higher number.
      const changes = end.startsWith("cancelled") ? 1 : 0;
      expect(moved).toEqual({ kind: "moved", booking: { ...before, status: end, endedAt: T0 + 5, changes } as never });
      for (const other of ["confirmed", ...ENDS] as const) {
        const expected = { kind: "refused", booking: { status: end, endedAt: T0 + 5 } };
        expect(await store.changeBookingStatus(code, other, T0 + 9)).toMatchObject(expected);
      }
      expect(await store.findBooking(code)).toEqual({ ...before, status: end, endedAt: T0 + 5, changes } as never);
      // Only cancelling frees the bay from the beginning.
      expect(await kindOf(newBooking())).toBe(end.startsWith("cancelled") ? "booked" : "taken");
    });
  }

  for (const end of ["completed", "no_show"] as const) {
    test(`a booking that has not begun is not yet ${end}; it can be cancelled`, async () => {
      const booking = newBooking();
      await book(booking);
      const before = await store.findBooking(booking.confirmationCode);
      const moved = await store.changeBookingStatus(booking.confirmationCode, end, T0 - 1);
      expect(moved).toEqual({ kind: "too_early", booking: before as never });
      expect(await store.findBooking(booking.confirmationCode)).toEqual(before);
      expect(await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", T0 - 1)).toMatchObject({
        kind: "moved",
      });
      expect(await store.changeBookingStatus(booking.confirmationCode, end, T0 - 1)).toMatchObject({ kind: "refused" });
    });
  }

  describe("several at once", () => {
    const three = async () => {
      const bookings = [0, 60, 120].map((minute) =>
        newBooking({ startAt: T0 + minute * MINUTE, lead: { jobs: [newJob("remind_owner")] } }),
      );
      for (const booking of bookings) await book(booking);
      return bookings.map(({ confirmationCode }) => confirmationCode) as [string, string, string];
    };
    const codes = async (after: number, ...statuses: BookingStatus[]) =>
      (await store.upcoming(after, statuses)).map(({ confirmationCode }) => confirmationCode);
    const kinds = (outcomes: readonly { kind: string }[]) => outcomes.map(({ kind }) => kind);
    const cancel = async (...ended: string[]) => {
      const outcomes: { kind: string }[] = [];
      for (const code of ended) outcomes.push(await store.changeBookingStatus(code, "cancelled_by_shop", T0));
      return outcomes;
    };

    test("those to come are listed by state and start", async () => {
      const [first, second, third] = await three();
      expect(await codes(T0 - 1, "confirmed")).toEqual([first, second, third]);
      expect(await codes(T0, "confirmed")).toEqual([second, third]);
      await store.changeBookingStatus(second, "cancelled_by_shop", T0);
      expect(await codes(T0 - 1, "confirmed")).toEqual([first, third]);
      expect(await codes(T0 - 1, "cancelled_by_shop")).toEqual([second]);
      expect(await codes(T0 - 1, "cancelled_by_shop", "confirmed")).toEqual([first, second, third]);
      expect(await codes(T0 - 1)).toEqual([]);
    });

    test("are cancelled and reopened, each with its own outcome", async () => {
      const [first, second, third] = await three();
      const cancelled = await cancel(first, "NOSUCH00", first, third);
      expect(kinds(cancelled)).toEqual(["moved", "unknown", "refused", "moved"]);
      expect((await store.waitingJobs(9)).length).toBe(1);
      expect(kinds(await store.reopenBookings([third, second, "NOSUCH00", first], 1, T0))).toEqual([
        ...["reopened", "refused", "unknown", "reopened"],
      ]);
      expect(await codes(T0 - 1, "confirmed")).toEqual([first, second, third]);
      expect(await store.findBooking(first)).toMatchObject({ status: "confirmed", endedAt: null });
      // The reminders that lapsed wait again.
      expect((await store.waitingJobs(9)).length).toBe(3);
    });

    test("are reopened only while a bay is free, counting those reopened before", async () => {
      const [first, second, third] = await three();
      await cancel(first, second, third);
      expect(await kindOf(newBooking({ startAt: T0 + 30 * MINUTE, endAt: T0 + 90 * MINUTE }))).toBe("booked");
      expect(kinds(await store.reopenBookings([first, second, third], 1, T0))).toEqual(["taken", "taken", "reopened"]);
      expect(await codes(T0 - 1, "cancelled_by_shop")).toEqual([first, second]);
      expect(kinds(await store.reopenBookings([first], 2, T0))).toEqual(["reopened"]);
    });

    test("a completed or missed one gives its bay back at once, and takes it again while it is free", async () => {
      const week = 7 * 24 * 60 * MINUTE;
      let weeks = 0;
      // Work that pauses overnight keeps its bay until it is done, too.
      for (const [end, length, done] of [
        ["completed", 240, 90],
        ["no_show", 240, 15],
        ["completed", 26 * 60, 25 * 60],
      ] as const) {
        weeks += 1;
        const startAt = T0 + weeks * week;
        const at = startAt + done * MINUTE;
        const lasting = { startAt, endAt: startAt + length * MINUTE, busyUntil: startAt + (length + 15) * MINUTE };
        const booking = newBooking(lasting);
        const code = booking.confirmationCode;
        const next = (from: number, minutes: number) =>
          newBooking({ startAt: from, endAt: from + minutes * MINUTE, busyUntil: from + minutes * MINUTE });
        await book(booking);
        await store.changeBookingStatus(code, end, at);
        expect(await store.busyBetween(startAt, lasting.busyUntil)).toEqual([{ startAt, busyUntil: at }]);
        expect(await store.busyBetween(at, lasting.busyUntil)).toEqual([]);
        expect(await kindOf(next(at - MINUTE, 30))).toBe("taken");
        expect(kinds(await store.reopenBookings([code], 1, at + MINUTE))).toEqual(["reopened"]);
        expect(await store.busyBetween(startAt, lasting.busyUntil)).toEqual([
          { startAt, busyUntil: lasting.busyUntil },
        ]);
        await store.changeBookingStatus(code, end, at);
        expect(await kindOf(next(at, 30))).toBe("booked");
        expect(kinds(await store.reopenBookings([code], 1, at + MINUTE))).toEqual(["taken"]);
        expect(kinds(await store.reopenBookings([code], 2, at + MINUTE))).toEqual(["reopened"]);
        await store.changeBookingStatus(code, end, at);
        // What was in the bay meanwhile is over.
        expect(kinds(await store.reopenBookings([code], 1, at + 30 * MINUTE))).toEqual(["reopened"]);
      }
    });

    test("a completed or missed one is reopened in the bay it kept, and its lead's own end stays", async () => {
      const [first, second] = await three();
      const lead = (await store.findBooking(second))?.lead.id ?? "";
      await store.moveLead({ id: lead, to: "contacted", at: T0 });
      // What is undefined is as if left out.
      await store.changeBookingStatus(first, "completed", T0 + 300 * MINUTE, undefined);
      await store.changeBookingStatus(second, "no_show", T0 + 300 * MINUTE);
      expect(kinds(await store.reopenBookings([first, second], 1, T0))).toEqual(["reopened", "reopened"]);
      // The second customer was reached, so only the first and the third want a reminder.
      expect((await store.waitingJobs(9)).length).toBe(2);
    });
  });
});
