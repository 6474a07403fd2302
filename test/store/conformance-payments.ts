/** The tests of payments, and of jobs that nobody closed, that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import { standing } from "../../src/domain/payments.ts";
import type { Store } from "../../src/store/store.ts";
import { newBooking, newLead, type Open, openForEach } from "./conformance-values.ts";

const MINUTE = 60_000;
const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;

/** @param open opens an empty store; it is closed after each test */
export function paymentsConformance(name: string, open: Open): void {
  describe(`store, payments: ${name}`, () => {
    let store: Store;
    openForEach(open, (opened) => (store = opened));

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
      await store.changeBookingStatus(code, "completed", T0 + MINUTE, {
        payments: [
          { amount: 40000, by: "cash", kind: "payment", takenBy: "Dana" },
          { amount: 2000, by: "cash", kind: "tip" },
        ],
      });
      await store.addPayments(lead, [{ amount: 6000, by: "card", kind: "refund", paidAt: T0 - MINUTE }], now);
      const all = (await store.findBooking(code))?.payments ?? [];
      expect(all.map(({ amount, kind, paidAt, recordedAt }) => [amount, kind, paidAt, recordedAt])).toEqual([
        [6000, "refund", T0 - MINUTE, now],
        [10000, "deposit", T0, T0],
        [40000, "payment", T0 + MINUTE, T0 + MINUTE],
        [2000, "tip", T0 + MINUTE, T0 + MINUTE],
      ]);
      expect(all[1]).toEqual({
        ...deposit,
        id: first?.id ?? 0,
        paidAt: T0,
        recordedAt: T0,
        undoneAt: null,
        takenBy: null,
      });
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
      await store.moveLead(lead.id, "won", null, T0, { cents: 120000, currency: "USD" });
      await store.addPayments(lead.id, [{ amount: 50000, by: "other", kind: "deposit", note: "Ann's check" }], T0);
      expect(await store.payers(T0, T0 + 1)).toMatchObject([
        { booking: null, currency: "USD", payments: [{ amount: 50000 }] },
      ]);
      await store.forget({ by: "phone", value: "+14045550177" }, T0 + 1, false);
      expect((await store.findLead(lead.id))?.payments).toMatchObject([{ amount: 50000, note: null }]);
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
}
