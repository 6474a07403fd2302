/** Quotas of bookings, and the alert of many: tests that every engine behind `Store` must pass. */
import { describe, expect, test } from "bun:test";
import type { Quota } from "../../src/store/store.ts";
import { bookingsIn, conformance, EVER, MINUTE, newBooking, newJob, newKey, T0 } from "./conformance-values.ts";

const ofNetwork = (limit: number): Quota => ({ by: "network", value: "192.0.2.1", since: 0, until: EVER, limit });
const ofPhone = (limit: number): Quota => ({ by: "phone", value: "+14045550111", since: 0, until: EVER, limit });

export const quotasConformance = conformance("quotas", (store) => {
  const { book, kindOf, traces } = bookingsIn(store);

  const at = (minute: number, given: Parameters<typeof newBooking>[0] = {}) =>
    newBooking({ startAt: T0 + minute * 60 * MINUTE, createdAt: T0 + minute * MINUTE, ...given });
  const used = async (quota: Omit<Quota, "limit">) => {
    const [use] = await store.quotaUse([{ ...quota, limit: 3 }]);
    return [use?.used, use?.oldestAt ?? null];
  };
  const usedBy = (by: Quota["by"], value: string, since = 0) => used({ by, value, since, until: EVER });

  test("count bookings made after a moment, by network, phone or key", async () => {
    await store.addKey(newKey({ id: "key_a" }));
    await store.addKey(newKey({ id: "key_b" }));
    await book(at(0));
    await book(at(1, { network: "192.0.2.2", lead: { phone: "+14045550112" } }));
    await book(at(2, { network: "192.0.2.2" }));
    await book(at(3, { keyId: "key_a" }));
    await book(at(4, { keyId: "key_a" }));

    expect(await usedBy("network", "192.0.2.1")).toEqual([1, T0]);
    expect(await usedBy("network", "192.0.2.2")).toEqual([2, T0 + MINUTE]);
    expect(await usedBy("network", "192.0.2.2", T0 + MINUTE)).toEqual([1, T0 + 2 * MINUTE]);
    expect(await usedBy("network", "192.0.2.2", T0 + MINUTE - 1)).toEqual([2, T0 + MINUTE]);
    expect(await usedBy("network", "192.0.2.3")).toEqual([0, null]);
    expect(await usedBy("phone", "+14045550111")).toEqual([2, T0]);
    expect(await usedBy("phone", "+14045550112")).toEqual([1, T0 + MINUTE]);
    // A booking with a key counts only for that key, not for the network or the phone.
    expect(await usedBy("key", "key_a")).toEqual([2, T0 + 3 * MINUTE]);
    expect(await usedBy("key", "key_b")).toEqual([0, null]);
  });

  test("come back in the order of the question, with the question", async () => {
    await book(at(0));
    const quotas: Quota[] = [
      { by: "phone", value: "+14045550111", since: 5, until: EVER, limit: 2 },
      { by: "network", value: "192.0.2.9", since: 6, until: EVER, limit: 3 },
    ];
    expect(await store.quotaUse(quotas)).toEqual([
      { by: "phone", value: "+14045550111", since: 5, until: EVER, limit: 2, used: 1, oldestAt: T0 },
      { by: "network", value: "192.0.2.9", since: 6, until: EVER, limit: 3, used: 0, oldestAt: null },
    ]);
    expect(await store.quotaUse([])).toEqual([]);
  });

  test("leave out bookings dated after `until`, which show that the clock went back", async () => {
    await book(at(0));
    await book(at(70));
    const quota = { by: "network", value: "192.0.2.1", since: 0 } as const;
    expect(await used({ ...quota, until: T0 })).toEqual([1, T0]);
    expect(await used({ ...quota, until: T0 + 69 * MINUTE })).toEqual([1, T0]);
    expect(await used({ ...quota, until: T0 + 70 * MINUTE })).toEqual([2, T0]);
  });

  test("refuse one booking too many, and say how much is used", async () => {
    const quotas = [ofNetwork(2), ofPhone(9)];
    for (const minute of [0, 1]) expect(await kindOf(at(minute), 1, quotas)).toBe("booked");
    const before = await traces(quotas);
    const outcome = await book(at(2), 1, quotas);
    expect(outcome).toEqual({ kind: "quota", quotas: before.use });
    expect(before.use.map((use) => use.used)).toEqual([2, 2]);
    expect(await traces(quotas)).toEqual(before);
  });

  test("are checked before the bays, so that a caller over quota learns nothing of the diary", async () => {
    await book(newBooking());
    const quotas = [ofNetwork(1)];
    expect(await kindOf(newBooking(), 1, quotas)).toBe("quota");
  });

  test("include the booking just made in the answer", async () => {
    const quotas = [ofNetwork(3), ofPhone(3)];
    for (const minute of [0, 1]) {
      const outcome = await book(at(minute), 1, quotas);
      expect(outcome).toEqual({ kind: "booked", used: (await store.quotaUse(quotas)).map(({ used }) => used) });
    }
  });

  test("hold for many simultaneous bookings", async () => {
    const quotas = [ofNetwork(3)];
    const outcomes = await Promise.all(Array.from({ length: 64 }, (_, i) => kindOf(at(i), 1, quotas)));
    expect(outcomes.filter((kind) => kind === "booked")).toHaveLength(3);
    expect(outcomes.filter((kind) => kind === "quota")).toHaveLength(61);
  });

  describe("of what a customer holds", () => {
    const held = (limit: number, since = T0 - MINUTE): Quota[] => [
      { by: "held_by_phone", value: "+14045550111", since, until: EVER, limit },
      { by: "held_by_email", value: "Pat@Example.COM", within: "192.0.2.1", since, until: EVER, limit },
    ];
    const holding = async (since?: number) => (await store.quotaUse(held(9, since))).map(({ used }) => used);
    const other = { phone: "+14045550112", email: "other@example.com" };

    test("count it by phone, whoever booked, and by e-mail address in any letter case within a network", async () => {
      await store.addKey(newKey({ id: "key_a" }));
      await book(at(0, { keyId: "key_a" }));
      expect(await holding()).toEqual([1, 0]);
      await book(at(1, { network: "192.0.2.1", lead: { ...other, email: "PAT@example.com" } }));
      expect(await holding()).toEqual([1, 1]);
      await book(at(2, { network: "192.0.2.8", lead: { ...other, email: "pat@example.com" } }));
      expect(await holding()).toEqual([1, 1]);
      await book(at(3, { lead: { ...other, phone: "+14045550111" } }));
      expect(await holding()).toEqual([2, 1]);
    });

    test("count the bookings of wider networks and of keys that registered themselves", async () => {
      await store.addKey(newKey({ id: "key_own", email: "own@example.com", network: "2001:db8:1:1::/64" }));
      await store.addKey(newKey({ id: "key_issued", email: "issued@example.com" }));
      await book(at(0, { network: "2001:db8:1:100::/64" }));
      await book(at(1, { network: "2001:db8:1:1ff::/64" }));
      await book(at(2, { network: "2001:db8:1:200::/64", keyId: "key_own" }));
      await book(at(3, { network: "2001:db8:1:200::/64", keyId: "key_issued" }));
      await book(at(4, { network: "192.0.2.1" }));
      const used = async (value: string) =>
        (await store.quotaUse([{ by: "networks", value, since: 0, until: EVER, limit: 9 }]))[0]?.used;
      expect(await used("56 20010db8000101")).toBe(2);
      expect(await used("48 20010db80001")).toBe(3);
      expect(await used("2001:db8:1:200::/64")).toBe(1);
      expect(await used("192.0.2.1")).toBe(1);
    });

    test("count what is not over: cancelled, completed and past bookings make room", async () => {
      const three = [at(0), at(1), at(2)];
      for (const one of three) await book(one);
      expect(await holding()).toEqual([3, 3]);
      // The first is an hour long: it counts up to its very end.
      expect(await holding(T0 + 60 * MINUTE - 1)).toEqual([3, 3]);
      expect(await holding(T0 + 60 * MINUTE)).toEqual([2, 2]);
      await store.changeBookingStatus(three[2]?.confirmationCode ?? "", "cancelled_by_customer", T0);
      expect(await holding()).toEqual([2, 2]);
      await store.changeBookingStatus(three[0]?.confirmationCode ?? "", "completed", T0);
      expect(await holding()).toEqual([1, 1]);
    });

    test("refuse one too many, and say when the earliest ends", async () => {
      for (const minute of [1, 0]) expect(await kindOf(at(minute), 1, held(2))).toBe("booked");
      const refused = await book(at(2), 1, held(2));
      expect(refused).toMatchObject({ kind: "quota", quotas: [{ used: 2, oldestAt: T0 + 60 * MINUTE }, {}] });
      // Who holds more than a limit that was lowered waits for the second to end.
      expect(await book(at(2), 1, held(1))).toMatchObject({ quotas: [{ oldestAt: T0 + 120 * MINUTE }, {}] });
      expect(await kindOf(at(2, { lead: other }), 1, [])).toBe("booked");
    });
  });

  describe("the alert of many bookings", () => {
    const HOUR = 60 * MINUTE;
    let made = 0;
    /** Books at these minutes after T0. @returns the minutes at which a warning was written */
    const warnings = async (minutes: readonly number[], above = 2): Promise<number[]> => {
      const before = (await store.waitingJobs(99, { kinds: ["bookings_alert_sms"] })).length;
      for (const minute of minutes) {
        made += 1;
        const createdAt = T0 + minute * MINUTE;
        const job = newJob("bookings_alert_sms", { dueAt: createdAt });
        const given = { startAt: T0 + made * 24 * HOUR, createdAt, alert: { above, windowMs: HOUR, job } };
        const booking = newBooking(given);
        expect(await kindOf(booking, 1)).toBe("booked");
      }
      const jobs = await store.waitingJobs(99, { kinds: ["bookings_alert_sms"] });
      return jobs.slice(before).map(({ dueAt }) => (dueAt - T0) / MINUTE);
    };

    test("is written once, with the booking that passes the rate", async () => {
      expect(await warnings([0, 1, 2, 3, 4])).toEqual([2]);
    });

    test("counts an hour back, and no further", async () => {
      expect(await warnings([0, 30, 60, 90, 120])).toEqual([]);
      expect(await warnings([149])).toEqual([149]);
    });

    test("comes again once the rate has been below for an hour, and not before", async () => {
      // The rate falls to the limit at minute 60, so a new warning is due from minute 120 on.
      expect(await warnings([0, 1, 2, 117, 118, 119])).toEqual([2]);
      // The rate was passed again at minute 119, until minute 177.
      expect(await warnings([234, 235, 236])).toEqual([]);
      expect(await warnings([400, 401, 402])).toEqual([402]);
    });

    test("comes once from machines whose clocks are 4 s apart", async () => {
      const seconds = [4, 5, 6, 0, 1, 2, 7, 3];
      expect(await warnings(seconds.map((second) => second / 60))).toEqual([6 / 60]);
    });

    test("does not stay away after the clock went back by a day", async () => {
      expect(await warnings([0, 1, 2])).toEqual([2]);
      const day = 24 * 60;
      const back = [0, 1, 2].map((minute) => minute - day);
      expect((await warnings(back)).length).toBe(1);
    });

    test("is not written for a booking that is refused, nor for the owner's own", async () => {
      const job = newJob("bookings_alert_sms");
      const alert = { above: 1, windowMs: HOUR, job };
      await book(newBooking({ createdAt: T0 }));
      expect(await kindOf(newBooking({ createdAt: T0, alert }))).toBe("taken");
      expect(await kindOf(newBooking({ createdAt: T0, startAt: T0 + HOUR }))).toBe("booked");
      expect(await store.waitingJobs(9)).toEqual([]);
      expect(await kindOf(newBooking({ createdAt: T0, startAt: T0 + 2 * HOUR, alert }))).toBe("booked");
      expect(await store.waitingJobs(9)).toHaveLength(1);
    });
  });
});
