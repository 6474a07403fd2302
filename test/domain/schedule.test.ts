/** The diary: days, starts and bays, against counting minute by minute, and on days when clocks change. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearestStarts } from "../../src/capabilities/booking/slot.ts";
import type { Shop } from "../../src/catalog/shop.ts";
import { mostAtOnce, type Occupancy } from "../../src/domain/bays.ts";
import { datesFrom, dayOf, nextOpenMoment, rfc3339, startOfDay } from "../../src/domain/schedule.ts";
import { ANY_TIME, firstStart, type Slot, slotAt, slotsOf, whyUnusual } from "../../src/domain/slots.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG, catalogWith, NOW } from "../helpers.ts";
import { newBooking } from "../store/conformance-values.ts";

const MINUTE = 60_000;
const instant = (text: string) => Temporal.Instant.from(text);
const ms = (text: string) => instant(text).epochMilliseconds;

/** Slots of a date, as shown at `now`. */
function slots(catalog: Shop, date: string, options: { minutes?: number; busy?: Occupancy[]; now?: string } = {}) {
  const { minutes = 60, busy = [], now = NOW.toString() } = options;
  return slotsOf(catalog, dayOf(catalog, date, instant(now)), { minutes }, busy, instant(now));
}
const times = (list: Slot[]) => list.map(({ time }) => time).join(" ");
/** The starts with their offsets, without the date. */
const starts = (catalog: Shop, list: Slot[]) =>
  list.map(({ startAt }) => rfc3339(catalog, startAt).slice(11)).join(" ");

/** Open every night, because clocks change at night. */
function nightShop(timezone: string, options: { grid?: number; closes?: string; opens?: string } = {}) {
  const { grid = 60, opens = "00:00", closes = "06:00" } = options;
  const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  return catalogWith({
    "business.timezone": timezone,
    ...Object.fromEntries(days.map((day) => [`business.hours.${day}`, [{ opens, closes }]])),
    "business.special_hours": [],
    "scheduling.grid_minutes": grid,
    "scheduling.lead_minutes": 0,
    "scheduling.horizon_days": 365,
  });
}

describe("when clocks change", () => {
  const NEW_YORK = nightShop("America/New_York");
  const before = (date: string) => `${Temporal.PlainDate.from(date).subtract({ days: 2 })}T12:00:00Z`;

  test("New York, clocks forward: no start in the gap, and an hour less before closing", () => {
    const list = slots(NEW_YORK, "2027-03-14", { now: before("2027-03-14") });
    expect(starts(NEW_YORK, list)).toBe("00:00:00-05:00 01:00:00-05:00 03:00:00-04:00 04:00:00-04:00 05:00:00-04:00");
    // Three hours from 01:00 end at 05:00. There is no 02:00, and three hours from 03:00 end after closing.
    expect(times(slots(NEW_YORK, "2027-03-14", { minutes: 180, now: before("2027-03-14") }))).toBe("00:00 01:00 03:00");
    expect(times(slots(NEW_YORK, "2027-03-14", { minutes: 300, now: before("2027-03-14") }))).toBe("00:00");
    expect(times(slots(NEW_YORK, "2027-03-14", { minutes: 301, now: before("2027-03-14") }))).toBe("");
  });

  test("New York, clocks back: each start once, at its first occurrence, and an hour more before closing", () => {
    const list = slots(NEW_YORK, "2027-11-07", { now: before("2027-11-07") });
    expect(starts(NEW_YORK, list)).toBe(
      "00:00:00-04:00 01:00:00-04:00 02:00:00-05:00 03:00:00-05:00 04:00:00-05:00 05:00:00-05:00",
    );
    expect(times(slots(NEW_YORK, "2027-11-07", { minutes: 420, now: before("2027-11-07") }))).toBe("00:00");
    expect(times(slots(NEW_YORK, "2027-11-07", { minutes: 421, now: before("2027-11-07") }))).toBe("");
    // One hour from the first 01:00 ends at the second 01:00.
    const first = list[1];
    expect(rfc3339(NEW_YORK, first?.endAt ?? 0)).toBe("2027-11-07T01:00:00-05:00");
  });

  test("Lord Howe, where clocks move half an hour", () => {
    const howe = nightShop("Australia/Lord_Howe", { grid: 15, opens: "01:00", closes: "03:00" });
    const spring = slots(howe, "2027-10-03", { minutes: 15, now: before("2027-10-03") });
    expect(times(spring)).toBe("01:00 01:15 01:30 01:45 02:30 02:45");
    expect(spring.map(({ startAt }, i) => startAt - (spring[i - 1]?.startAt ?? startAt - 15 * MINUTE))).toEqual(
      Array(6).fill(15 * MINUTE),
    );
    const autumn = slots(howe, "2027-04-04", { minutes: 15, now: before("2027-04-04") });
    expect(times(autumn)).toBe("01:00 01:15 01:30 01:45 02:00 02:15 02:30 02:45");
    expect(starts(howe, autumn)).toContain(" 01:45:00+11:00 02:00:00+10:30 ");
  });

  const ZONES = ["America/New_York", "Australia/Lord_Howe", "America/Santiago"];
  for (const zone of ZONES) {
    test(`${zone}: on every day of a year starts exist, in order, on the wall clock, and work ends by closing`, () => {
      const shop = nightShop(zone, { grid: 30 });
      const now = instant("2026-12-31T12:00:00Z");
      for (const date of datesFrom("2027-01-01", 365)) {
        const list = slotsOf(shop, dayOf(shop, date, now), { minutes: 45 }, [], now);
        const closing = Temporal.ZonedDateTime.from(`${date}T06:00[${zone}]`).epochMilliseconds;
        let last = -Infinity;
        for (const { time, startAt, endAt, status } of list) {
          expect(rfc3339(shop, startAt).slice(0, 16)).toBe(`${date}T${time}`);
          expect(startAt).toBeGreaterThan(last);
          expect(endAt).toBe(startAt + 45 * MINUTE);
          expect(endAt).toBeLessThanOrEqual(closing);
          expect(status).toBe("available");
          last = startAt;
        }
        // Eleven half hours from 00:00 to 05:00; a gap removes one or two.
        expect(list.length).toBeGreaterThanOrEqual(9);
        expect(list.length).toBeLessThanOrEqual(11);
        expect(startOfDay(shop, date)).toBeLessThanOrEqual(list[0]?.startAt ?? Infinity);
      }
    });
  }
});

describe("days", () => {
  const dated = catalogWith({
    "scheduling.blocked_dates": ["2026-11-30", { date: "2026-12-01", reason: "Stocktaking" }, "2026-12-06"],
  });
  const day = (date: string, now = NOW.toString()) => {
    const { status, reason } = dayOf(dated, date, instant(now));
    return [status, reason];
  };

  test("past, closed, special, blocked, beyond the horizon", () => {
    expect(day("2026-11-20")).toEqual(["past", expect.any(String)]);
    expect(day("2026-11-21")).toEqual(["open", null]);
    expect(day("2026-11-22")).toEqual(["closed", "The shop is closed on Sundays."]);
    expect(day("2026-11-26")).toEqual(["closed", "Thanksgiving"]);
    expect(day("2026-12-24")).toEqual(["open", "Christmas Eve"]);
    expect(day("2026-11-30")).toEqual(["blocked", expect.any(String)]);
    expect(day("2026-12-01")).toEqual(["blocked", "Stocktaking"]);
    expect(day("2027-01-20")).toEqual(["open", null]);
    expect(day("2027-01-21")).toEqual(["beyond_horizon", expect.any(String)]);
  });

  test("a holiday without a reason is told as that one day", () => {
    const closed = catalogWith({ "business.special_hours": [{ date: "2026-12-29", closed: true }] });
    expect(dayOf(closed, "2026-12-29", NOW).reason).toBe("The shop is closed on Tue, Dec 29.");
    // An open Sunday among closed ones changes nothing for the others.
    expect(dayOf(closed, "2026-12-27", NOW).reason).toBe("The shop is closed on Sundays.");
  });

  test("a day begins at the shop's midnight, not the server's", () => {
    // These are 23:59 and 00:00 in New York.
    expect(day("2026-11-20", "2026-11-21T04:59:59Z")[0]).toBe("open");
    expect(day("2026-11-20", "2026-11-21T05:00:00Z")[0]).toBe("past");
    expect(day("2027-01-20", "2026-11-21T04:59:59Z")[0]).toBe("beyond_horizon");
    expect(day("2027-01-20", "2026-11-21T05:00:00Z")[0]).toBe("open");
  });

  test("special hours replace the hours of the weekday", () => {
    expect(times(slots(dated, "2026-12-24"))).toBe("09:00 10:00 11:00 12:00");
    expect(slots(dated, "2026-11-26")).toEqual([]);
    const opened = catalogWith({
      "business.special_hours": [{ date: "2026-11-22", hours: [{ opens: "10:00", closes: "12:00" }] }],
    });
    expect(times(slots(opened, "2026-11-22"))).toBe("10:00 11:00");
  });

  test("a blocked day shows its times as blocked, a past day as past, a day beyond the horizon shows none", () => {
    const blocked = slots(dated, "2026-11-30");
    expect(blocked.length).toBe(9);
    expect(blocked.map(({ status, remaining }) => [status, remaining])).toEqual(Array(9).fill(["blocked", 0]));
    expect(new Set(slots(dated, "2026-11-20").map(({ status }) => status))).toEqual(new Set(["past"]));
    expect(slots(dated, "2027-01-21")).toEqual([]);
    // A Sunday: blocked, but closed as well.
    expect(slots(dated, "2026-12-06")).toEqual([]);
  });

  test("several openings a day; work does not run through the break", () => {
    const siesta = catalogWith({
      "business.hours.tuesday": [
        { opens: "08:30", closes: "12:00" },
        { opens: "14:00", closes: "18:00" },
      ],
    });
    expect(times(slots(siesta, "2026-11-24", { minutes: 60 }))).toBe("08:30 09:30 10:30 14:00 15:00 16:00 17:00");
    expect(times(slots(siesta, "2026-11-24", { minutes: 150 }))).toBe("08:30 09:30 14:00 15:00");
    expect(times(slots(siesta, "2026-11-24", { minutes: 240 }))).toBe("14:00");
    expect(times(slots(siesta, "2026-11-24", { minutes: 241 }))).toBe("");
  });

  test("closing at 24:00", () => {
    const late = catalogWith({ "business.hours.tuesday": [{ opens: "21:00", closes: "24:00" }] });
    const list = slots(late, "2026-11-24", { minutes: 120 });
    expect(times(list)).toBe("21:00 22:00");
    expect(rfc3339(late, list[1]?.endAt ?? 0)).toBe("2026-11-25T00:00:00-05:00");
  });

  test("the buffer keeps the bay empty after a booking, but may run past closing", () => {
    const list = slots(CATALOG, "2026-11-24", { minutes: 540 });
    expect(times(list)).toBe("09:00");
    expect(list[0]?.busyUntil).toBe((list[0]?.endAt ?? 0) + 15 * MINUTE);
    expect(rfc3339(CATALOG, list[0]?.endAt ?? 0)).toBe("2026-11-24T18:00:00-05:00");
    expect(times(slots(CATALOG, "2026-11-24", { minutes: 541 }))).toBe("");
  });

  test("the buffer of new work counts against the next booking", () => {
    const oneBay = catalogWith({ "scheduling.bays": 1 });
    const noon = { startAt: ms("2026-11-24T17:00:00Z"), busyUntil: ms("2026-11-24T18:15:00Z") };
    const status = (minutes: number) =>
      slots(oneBay, "2026-11-24", { minutes, busy: [noon] }).find(({ time }) => time === "11:00")?.status;
    expect(status(45)).toBe("available");
    expect(status(46)).toBe("booked");
    const after = slots(oneBay, "2026-11-24", { minutes: 30, busy: [noon] });
    expect(after.filter(({ status }) => status === "booked").map(({ time }) => time)).toEqual(["12:00", "13:00"]);
  });
});

describe("lead time and now, to the minute", () => {
  // 14:00 in New York is 19:00 in UTC.
  const at = (now: string) => slots(CATALOG, "2026-11-24", { now }).find(({ time }) => time === "14:00")?.status;
  test("120 minutes ahead is early enough, a moment later is too soon, at the start it is past", () => {
    expect(at("2026-11-24T16:59:00Z")).toBe("available");
    expect(at("2026-11-24T17:00:00Z")).toBe("available");
    expect(at("2026-11-24T17:00:00.001Z")).toBe("too_soon");
    expect(at("2026-11-24T18:59:59.999Z")).toBe("too_soon");
    expect(at("2026-11-24T19:00:00Z")).toBe("past");
  });

  test("without lead time a slot is open until it starts", () => {
    const eager = catalogWith({ "scheduling.lead_minutes": 0 });
    const status = (now: string) => slots(eager, "2026-11-24", { now }).find(({ time }) => time === "14:00")?.status;
    expect(status("2026-11-24T18:59:59.999Z")).toBe("available");
    expect(status("2026-11-24T19:00:00Z")).toBe("past");
  });

  test("the last day of the horizon is offered in full, the next day not at all", () => {
    expect(slots(CATALOG, "2027-01-20").every(({ status }) => status === "available")).toBe(true);
    expect(slots(CATALOG, "2027-01-21")).toEqual([]);
    expect(firstStart(CATALOG, NOW, { minutes: 60 })).toEqual({ date: "2026-11-21", time: "12:00" });
  });
});

/** Small numbers of minutes, so that bookings touch and overlap. */
const stretch = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 30 }))
  .map(([start, length]): Occupancy => ({ startAt: start, busyUntil: start + length }));

function bruteMost(busy: readonly Occupancy[], from: number, until: number, step = 1): number {
  let most = 0;
  for (let minute = from; minute < until; minute += step) {
    most = Math.max(most, busy.filter((job) => job.startAt <= minute && minute < job.busyUntil).length);
  }
  return most;
}

describe("bays", () => {
  test("the highest number at once equals counting minute by minute", () => {
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 12 }), stretch, (busy, { startAt, busyUntil }) => {
        expect(mostAtOnce(busy, startAt, busyUntil)).toBe(bruteMost(busy, startAt, busyUntil));
      }),
      { numRuns: 500 },
    );
  });

  const DATE = "2026-11-24";
  const OPENS = ms("2026-11-24T14:00:00Z");
  /** A booking of the day, in quarter hours from an hour before opening. */
  const job = fc.tuple(fc.integer({ min: -4, max: 36 }), fc.integer({ min: 1, max: 20 })).map(([start, length]) => ({
    startAt: OPENS + start * 15 * MINUTE,
    busyUntil: OPENS + (start + length) * 15 * MINUTE,
  }));
  const SHOPS = [1, 2, 3].map((bays) => catalogWith({ "scheduling.bays": bays, "scheduling.grid_minutes": 30 }));
  const shop = fc.constantFrom(...SHOPS);
  const length = fc.constantFrom(30, 60, 90, 150, 240, 270);

  test("the remaining bays of a slot equal counting minute by minute", () => {
    fc.assert(
      fc.property(shop, fc.array(job, { maxLength: 10 }), length, (catalog, busy, minutes) => {
        const { bays, buffer_minutes } = catalog.scheduling;
        const list = slots(catalog, DATE, { minutes, busy });
        expect(times(list)).toBe(times(slots(catalog, DATE, { minutes })));
        for (const slot of list) {
          const until = slot.startAt + (minutes + buffer_minutes) * MINUTE;
          expect(slot.busyUntil).toBe(until);
          const free = Math.max(0, bays - bruteMost(busy, slot.startAt, until, MINUTE));
          expect([slot.time, slot.remaining, slot.status]).toEqual([
            slot.time,
            free,
            free > 0 ? "available" : "booked",
          ]);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("bookings taken by the store never exceed the bays, and a slot shown as available can be booked", async () => {
    await fc.assert(
      fc.asyncProperty(
        shop,
        fc.array(fc.tuple(length, fc.nat()), { minLength: 1, maxLength: 20 }),
        async (catalog, wishes) => {
          const { bays } = catalog.scheduling;
          const store = openSqliteStore(":memory:");
          const taken: Occupancy[] = [];
          for (const [minutes, pick] of wishes) {
            const busy = await store.busyBetween(OPENS - 86_400_000, OPENS + 2 * 86_400_000);
            const list = slots(catalog, DATE, { minutes, busy });
            const slot = list[pick % list.length];
            if (!slot) continue;
            const { startAt, endAt, busyUntil, date, time } = slot;
            const outcome = await store.book(newBooking({ startAt, endAt, busyUntil, date, time }), bays, []);
            expect([slot.status, outcome.kind]).toEqual(
              slot.status === "available" ? ["available", "booked"] : ["booked", "taken"],
            );
            if (outcome.kind === "booked") taken.push({ startAt, busyUntil });
          }
          expect(bruteMost(taken, OPENS, OPENS + 12 * 60 * MINUTE, MINUTE)).toBeLessThanOrEqual(bays);
          await store.close();
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("the nearest open slots", () => {
  const soon = catalogWith({ "scheduling.horizon_days": 30 });
  /** The three nearest slots, and each stretch of time whose bookings were read, in days. */
  const search = async (catalog: Shop, wished: number, minutes: number, busy: readonly Occupancy[]) => {
    const read: number[] = [];
    const store = {
      async busyBetween(from: number, until: number) {
        read.push((until - from) / (24 * 60 * MINUTE));
        return busy.filter(({ startAt, busyUntil }) => startAt < until && busyUntil > from);
      },
    };
    const found = await nearestStarts(wished, 3, { minutes }, { catalog, now: NOW, store });
    return { found, read };
  };
  const busyDay = fc
    .tuple(fc.integer({ min: 0, max: 30 * 24 }), fc.integer({ min: 1, max: 300 }))
    .map(([start, hours]) => ({
      startAt: NOW.epochMilliseconds + start * 60 * MINUTE,
      busyUntil: NOW.epochMilliseconds + (start + hours) * 60 * MINUTE,
    }));

  test("are the first of all open slots, sorted by distance", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(busyDay, { maxLength: 25 }),
        fc.integer({ min: 0, max: 50 }),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom(60, 150, 270),
        async (busy, days, hour, minutes) => {
          const date = datesFrom("2026-11-20", 51)[days] ?? "";
          const time = `${String(hour).padStart(2, "0")}:00`;
          const wish = Temporal.ZonedDateTime.from(`${date}T${time}[America/New_York]`).epochMilliseconds;
          const { found } = await search(soon, wish, minutes, busy);
          const all = datesFrom("2026-11-20", 50)
            .flatMap((one) => slots(soon, one, { minutes, busy }))
            .filter(({ status }) => status === "available");
          const distances = all.map(({ startAt }) => Math.abs(startAt - wish)).sort((a, b) => a - b);
          expect(found.map(({ startAt }) => Math.abs(startAt - wish))).toEqual(distances.slice(0, 3));
          expect(new Set(found.map(({ startAt }) => startAt)).size).toBe(found.length);
          for (const slot of found) expect(all).toContainEqual(slot);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("are sought around the wish, and further away only where the days around it are full", async () => {
    const wished = NOW.epochMilliseconds + 15 * 24 * 60 * MINUTE;
    const { bays } = soon.scheduling;
    const full = (days: number) =>
      Array.from({ length: bays }, () => ({
        startAt: wished - days * 24 * 60 * MINUTE,
        busyUntil: wished + days * 24 * 60 * MINUTE,
      }));
    const readDays = async (days: number) => (await search(soon, wished, 60, full(days))).read.map(Math.round);
    expect(await readDays(0)).toEqual([4]);
    expect(await readDays(5)).toEqual([4, 6, 10, 18]);
    expect(await readDays(30)).toEqual([4, 6, 10, 18, 32]);
  });

  test("none when the shop never opens", async () => {
    const never = Object.fromEntries(
      ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].map((day) => [`business.hours.${day}`, []]),
    );
    const shut = catalogWith(never);
    const closed = catalogWith({ "business.hours": {}, "business.special_hours": [] });
    expect((await search(closed, NOW.epochMilliseconds, 60, [])).found).toEqual([]);
    expect(firstStart(closed, NOW, { minutes: 60 })).toBeNull();
    // Only Christmas Eve has special hours.
    expect(firstStart(shut, NOW, { minutes: 60 })).toEqual({ date: "2026-12-24", time: "09:00" });
    const until = (days: number) => catalogWith({ ...never, "scheduling.horizon_days": days });
    expect(firstStart(until(33), NOW, { minutes: 60 })).toEqual({ date: "2026-12-24", time: "09:00" });
    expect(firstStart(until(32), NOW, { minutes: 60 })).toBeNull();
    expect(nextOpenMoment(closed, NOW.epochMilliseconds)).toBe(NOW.epochMilliseconds);
  });
});

test("the next open moment: now while open, else the next opening", () => {
  const next = (text: string) => rfc3339(CATALOG, nextOpenMoment(CATALOG, ms(text)));
  expect(next("2026-11-21T15:00:00Z")).toBe("2026-11-21T10:00:00-05:00");
  expect(next("2026-11-21T13:00:00Z")).toBe("2026-11-21T09:00:00-05:00");
  expect(next("2026-11-21T19:59:59Z")).toBe("2026-11-21T14:59:59-05:00");
  // At closing time on Saturday; Sunday is closed.
  expect(next("2026-11-21T20:00:00Z")).toBe("2026-11-23T09:00:00-05:00");
  // Thanksgiving is closed.
  expect(next("2026-11-26T15:00:00Z")).toBe("2026-11-27T09:00:00-05:00");
});

test("the slot of one time is the one in the list of the day", () => {
  const catalog = catalogWith({
    "scheduling.blocked_hours": [{ date: "2026-11-23", from: "12:00", to: "14:00" }],
    "scheduling.blocked_dates": [{ date: "2026-11-24" }],
    "scheduling.lead_minutes": 180,
  });
  const times = ["09:00", "12:00", "13:00", "17:00", "17:20", "23:00"];
  const seen = new Set<string>();
  for (const date of datesFrom("2026-11-19", 12)) {
    const day = dayOf(catalog, date, NOW);
    const list = slotsOf(catalog, day, { minutes: 60 }, [], NOW);
    for (const time of times) {
      const slot = slotAt(catalog, { date, time }, { minutes: 60 }, NOW);
      expect(slot).toEqual(list.find((one) => one.time === time));
      seen.add(slot?.status ?? "no start");
    }
  }
  expect([...seen].sort()).toEqual(["available", "blocked", "no start", "past", "too_soon"]);
});

test.each([
  [0, null],
  [14, null],
  [15, "that time has passed"],
])("a walk-in of %d minutes ago: %p", (minutes, why) => {
  const slot = slotAt(CATALOG, { date: "2026-11-23", time: "10:18" }, { minutes: 60, ...ANY_TIME }, NOW);
  if (!slot) throw new Error("no slot");
  const now = Temporal.Instant.fromEpochMilliseconds(slot.startAt).add({ minutes, seconds: 25 });
  expect(whyUnusual(CATALOG, slot, now)).toBe(why);
});
