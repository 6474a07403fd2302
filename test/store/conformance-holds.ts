/** Holds: a time that is kept until it is confirmed, and free from the millisecond of its end: tests that every engine behind `Store` must pass. */
import { expect, test } from "bun:test";
import type { Booking, NewBooking, Quota, Store } from "../../src/store/store.ts";
import {
  bookingsIn,
  cancelling,
  conformance,
  EVER,
  MINUTE,
  movedTo,
  newBooking,
  newJob,
  T0,
} from "./conformance-values.ts";

/** When holds are made; the appointment is a day later. */
const NOW = T0 - 24 * 60 * MINUTE;
const END = NOW + 60 * MINUTE;

export const holdsConformance = conformance("holds", (store) => {
  const { book, kindOf } = bookingsIn(store);
  const hold = (given: Partial<NewBooking> = {}) =>
    newBooking({ createdAt: NOW, heldUntil: END, answer: { status: "held" }, ...given });
  const held = async (given: Partial<NewBooking> = {}) => {
    const one = hold(given);
    expect((await book(one, 9)).kind).toBe("booked");
    return one.confirmationCode;
  };
  const found = async (code: string) => (await store.findBooking(code)) as Booking;
  const confirm = async (confirmationCode: string, at: number, bays?: number) => {
    const changes = (await found(confirmationCode))?.changes ?? 0;
    const jobs = [newJob("confirmation_sms")];
    return store.confirmHeld({ confirmationCode, at, jobs, answer: { is: "confirmed" }, bays, changes });
  };
  const busyAt = async (now: number) => (await store.busyBetween(T0, T0 + MINUTE, now)).length;

  test("a hold keeps its bay until the millisecond of its end, whether or not it was swept", async () => {
    const code = await held();
    expect(await found(code)).toMatchObject({ status: "held", heldUntil: END, endedAt: null });
    expect([await busyAt(NOW), await busyAt(END - 1), await busyAt(END)]).toEqual([1, 1, 0]);
    expect(await kindOf(newBooking({ createdAt: END - 1 }))).toBe("taken");
    expect(await store.expireHolds(END - 1)).toBe(0);
    expect(await kindOf(newBooking({ createdAt: END }))).toBe("booked");
    expect(await busyAt(NOW)).toBe(1);
  });

  test("whoever sells the time of a hold that is over ends it: by no slower clock is it confirmed afterwards", async () => {
    const code = await held();
    expect(await kindOf(newBooking({ createdAt: END }))).toBe("booked");
    expect(await found(code)).toMatchObject({ status: "expired", endedAt: END });
    expect((await confirm(code, END - 1)).kind).toBe("over");
    expect((await store.findLead((await found(code)).lead.id))?.status).toBe("lost");
  });

  test("so does whoever moves a booking there", async () => {
    const code = await held();
    const other = newBooking({ createdAt: NOW, startAt: T0 + 90 * MINUTE });
    expect(await kindOf(other)).toBe("booked");
    const move = (at: number) => store.rescheduleBooking(movedTo(other.confirmationCode, T0, { at }), 1);
    expect((await move(END - 1)).kind).toBe("taken");
    expect((await move(END)).kind).toBe("changed");
    expect((await confirm(code, END - 1)).kind).toBe("over");
  });

  test("is confirmed once, with its messages, and stays confirmed after its end", async () => {
    const code = await held();
    const all = await Promise.all(Array.from({ length: 8 }, () => confirm(code, END - 1)));
    expect(all.every(({ kind }) => kind === "confirmed")).toBe(true);
    expect(all.filter((one) => one.kind === "confirmed" && one.isNew)).toHaveLength(1);
    expect(await store.waitingJobs(9)).toHaveLength(1);
    expect(await found(code)).toMatchObject({ status: "confirmed", heldUntil: END, answer: { is: "confirmed" } });
    expect(await store.expireHolds(EVER)).toBe(0);
    expect(await busyAt(EVER)).toBe(1);
    expect((await confirm("NOSUCH00", NOW)).kind).toBe("unknown");
  });

  test("is not confirmed from its end on; the owner may while a bay is free", async () => {
    const code = await held();
    expect((await confirm(code, END)).kind).toBe("over");
    expect(await store.waitingJobs(9)).toEqual([]);
    const other = newBooking({ createdAt: END });
    expect(await kindOf(other)).toBe("booked");
    expect((await confirm(code, END + 1, 1)).kind).toBe("taken");
    await store.changeBookingStatus(other.confirmationCode, "cancelled_by_shop", END + 1);
    expect((await confirm(code, END + 2, 1)).kind).toBe("confirmed");
    const { status, endedAt, lead } = await found(code);
    expect([status, endedAt, (await store.findLead(lead.id))?.status]).toEqual(["confirmed", null, "new"]);
    expect(await kindOf(newBooking({ createdAt: END + 2 }))).toBe("taken");
  });

  test("the sweep writes what is over, and the lead is lost", async () => {
    const code = await held();
    const later = await held({ heldUntil: END + 1 });
    expect(await store.expireHolds(END)).toBe(1);
    expect(await found(code)).toMatchObject({ status: "expired", endedAt: END });
    expect((await store.findLead((await found(code)).lead.id))?.status).toBe("lost");
    expect((await found(later)).status).toBe("held");
  });

  test("can be cancelled until its end, not moved, completed or missed", async () => {
    const code = await held();
    expect((await store.rescheduleBooking(movedTo(code, T0 + MINUTE, { at: NOW }), 9)).kind).toBe("outdated");
    for (const to of ["completed", "no_show"] as const)
      expect((await store.changeBookingStatus(code, to, NOW)).kind).toBe("refused");
    expect((await store.reopenBookings([code], 9, NOW))[0]?.kind).toBe("refused");
    const cancel = (at: number) => store.cancelBooking(cancelling(code, { at }));
    expect((await cancel(END)).kind).toBe("outdated");
    expect((await store.changeBookingStatus(code, "cancelled_by_shop", END)).kind).toBe("refused");
    expect((await cancel(END - 1)).kind).toBe("changed");
    expect([await busyAt(NOW), (await confirm(code, NOW)).kind]).toEqual([0, "over"]);
  });

  test("quotas: one open hold of a phone, one of a date, and both kinds of booking are held", async () => {
    const phone = "+14045550111";
    const at = (by: Quota["by"], since: number, within?: string): Quota => ({
      ...{ by, since, value: phone, until: EVER, limit: 9 },
      ...(within !== undefined && { within }),
    });
    const used = async (now: number) => {
      const ofDays = ["2026-11-24", "2026-11-25"].map((date) => at("hold_of_day", 0, date));
      const byEmail = { ...at("held_by_email", now, "192.0.2.1"), value: "PAT@example.com" };
      const uses = await store.quotaUse([at("hold", now), ...ofDays, at("held_by_phone", now), byEmail]);
      return uses.map((one) => one.used);
    };
    const code = await held();
    expect(await used(END - 1)).toEqual([1, 1, 0, 1, 1]);
    expect(await used(END)).toEqual([0, 1, 0, 0, 0]);
    await confirm(code, NOW);
    expect(await used(END)).toEqual([0, 1, 0, 1, 1]);
  });

  test("the same asked for again finds the hold while it lasts", async () => {
    const since = NOW - MINUTE;
    const same = { phone: "+14045550111", hash: "s", since, now: END - 1, caller: "192.0.2.1", email: "" };
    const code = await held({ same });
    expect((await store.findSame({ ...same, since: END - 9 }))?.booking.confirmationCode).toBe(code);
    expect(await store.findSame({ ...same, now: END })).toBeNull();
  });

  test("of many at once exactly the bays are sold: holds, bookings and confirmations of what is over", async () => {
    const codes = await Promise.all([held(), held(), held()]);
    const outcomes = await Promise.all([
      ...Array.from({ length: 24 }, (_, i) =>
        kindOf(i % 2 ? hold({ createdAt: END, heldUntil: END + MINUTE }) : newBooking({ createdAt: END }), 3),
      ),
      ...codes.map(async (code) => (await confirm(code, END - 1)).kind),
    ]);
    const sold = outcomes.filter((kind) => kind === "booked" || kind === "confirmed");
    expect(sold).toHaveLength(3);
    expect(await busyAt(END)).toBe(3);
  });

  test("a person who was forgotten has no hold to come", async () => {
    const code = await held();
    const who = { by: "phone", value: "+14045550111" } as const;
    expect((await store.tracesOf(who, END - 1)).upcoming.map(({ confirmationCode }) => confirmationCode)).toEqual([
      code,
    ]);
    expect((await store.forget(who, END - 1, false)).kind).toBe("booked");
    expect((await store.forget(who, END, false)).kind).toBe("forgotten");
  });

  test("in random order with bookings, cancellations, moves of the clock and sweeps, as an oracle says", async () => {
    expect(await againstOracle(store, 120, 7)).toEqual([]);
  });
});

/** What the oracle knows of a booking. */
interface Known {
  code: string;
  from: number;
  status: "held" | "confirmed" | "off";
  heldUntil: number;
}

/**
 * Random holds, bookings, confirmations, cancellations and sweeps, whose machines' clocks differ by up to two seconds, against a
 * model in a few lines. @returns what differs
 */
export async function againstOracle(
  store: Omit<Store, "copyTo">,
  steps: number,
  seed: number,
  bays = 2,
): Promise<string[]> {
  const faults: string[] = [];
  const known: Known[] = [];
  let clock = NOW;
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const isOver = ({ status, heldUntil }: Known, at: number) => status === "held" && heldUntil <= at;
  const keeps = (one: Known, at: number) => one.status !== "off" && !isOver(one, at);
  /** All starts are whole hours of a day, and work takes one, so that a bay is a count. */
  const inHour = (from: number) => known.filter((one) => one.from === from && one.status !== "off");
  for (let step = 0; step < steps; step++) {
    clock += random(4) === 0 ? random(20) * MINUTE : random(3);
    const at = clock + random(4_000) - 2_000;
    const one = known[random(known.length || 1)];
    const check = (what: string, is: unknown, should: unknown) => {
      if (is !== should) faults.push(`step ${step}, ${what}: ${is}, the oracle says ${should}`);
    };
    const what = random(8);
    if (what < 4 || !one) {
      const from = T0 + random(6) * 60 * MINUTE;
      const heldUntil = what % 2 === 0 ? at + random(60) * MINUTE + 1 : null;
      const booking = newBooking({ startAt: from, createdAt: at, heldUntil });
      const isFree = inHour(from).filter((other) => keeps(other, at)).length < bays;
      const { kind } = await store.book(booking, bays, []);
      check("book", kind, isFree ? "booked" : "taken");
      if (!isFree) continue;
      // Whoever sells it ends what was over by their clock.
      for (const other of inHour(from)) if (isOver(other, at)) other.status = "off";
      const status = heldUntil === null ? "confirmed" : "held";
      known.push({ code: booking.confirmationCode, from, status, heldUntil: heldUntil ?? 0 });
    } else if (what < 6) {
      const { kind } = await store.confirmHeld({ confirmationCode: one.code, at, jobs: [], answer: {}, changes: 0 });
      const should = one.status === "confirmed" || (one.status === "held" && !isOver(one, at)) ? "confirmed" : "over";
      check("confirm", kind, should);
      if (should === "confirmed") one.status = "confirmed";
    } else if (what === 6) {
      const { kind } = await store.changeBookingStatus(one.code, "cancelled_by_customer", at);
      const should = keeps(one, at) ? "moved" : "refused";
      check("cancel", kind, should);
      if (should === "moved") one.status = "off";
    } else {
      const over = known.filter((other) => isOver(other, at));
      check("sweep", await store.expireHolds(at), over.length);
      for (const other of over) other.status = "off";
    }
    for (let hour = 0; hour < 6; hour++) {
      const from = T0 + hour * 60 * MINUTE;
      const sold = inHour(from).filter((other) => keeps(other, at)).length;
      const busy = (await store.busyBetween(from, from + MINUTE, at)).length;
      check(`busy ${hour}`, busy, sold);
      if (inHour(from).filter(({ status }) => status === "confirmed").length > bays)
        faults.push(`step ${step}: sold twice`);
    }
  }
  await store.expireHolds(EVER);
  const rows = await store.bookings({ from: "2026-11-24", to: "2026-11-24" }, steps + 1);
  if (rows.some(({ status }) => status === "held")) faults.push("a hold outlives its end");
  return faults;
}
