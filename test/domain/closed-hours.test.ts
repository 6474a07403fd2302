/** Closed hours: which starts stay open, who may use the closed bays, and work that pauses meanwhile. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { blockInTheWay, blockInWords } from "../../src/domain/bays.ts";
import { dayOf, momentOf } from "../../src/domain/schedule.ts";
import { endWithPauses, partsOf, slotsOf, workedMinutes } from "../../src/domain/slots.ts";
import { API, bookingOn, catalogWith, NOW, testApp } from "../helpers.ts";

setDefaultTimeout(60_000);

/** A Tuesday, open 09:00 to 18:00, with 2 bays. */
const DATE = "2026-11-24";

function openTimes(blocked: object[], minutes = 60, busy: string[] = []) {
  const catalog = catalogWith({ "scheduling.blocked_hours": blocked });
  const occupied = busy.map((time) => {
    const startAt = Temporal.ZonedDateTime.from(`${DATE}T${time}[America/New_York]`).epochMilliseconds;
    return { startAt, busyUntil: startAt + 75 * 60_000 };
  });
  const slots = slotsOf(catalog, dayOf(catalog, DATE, NOW), { minutes }, occupied, NOW);
  return slots.map(
    ({ time, status, remaining }) => `${time.slice(0, 2)} ${status === "available" ? remaining : status}`,
  );
}

test("hours of all bays are blocked; work may end when they begin, and begin when they end", () => {
  expect(openTimes([{ date: DATE, from: "12:00", to: "14:00" }])).toEqual(
    "09 2, 10 2, 11 2, 12 blocked, 13 blocked, 14 2, 15 2, 16 2, 17 2".split(", "),
  );
  expect(openTimes([{ date: DATE, from: "12:00", to: "14:00" }], 120)).toEqual(
    "09 2, 10 2, 11 blocked, 12 blocked, 13 blocked, 14 2, 15 2, 16 2".split(", "),
  );
  expect(openTimes([{ date: DATE, from: "12:00" }]).slice(-6)).toEqual(
    ["12", "13", "14", "15", "16", "17"].map((hour) => `${hour} blocked`),
  );
  expect(openTimes([{ date: "2026-11-25", from: "09:00" }])).not.toContain("09 blocked");
});

test("a closed bay leaves the others; with work in them the time is taken", () => {
  const one = [{ date: DATE, from: "12:00", to: "14:00", bays: 1 }];
  expect(openTimes(one).slice(2, 6)).toEqual(["11 2", "12 1", "13 1", "14 2"]);
  expect(openTimes(one, 60, ["12:00"]).slice(2, 6)).toEqual(["11 1", "12 booked", "13 booked", "14 2"]);
  expect(openTimes([{ date: DATE, bays: 1 }])[0]).toBe("09 1");
  // More bays than the shop has are all of them.
  expect(openTimes([{ date: DATE, bays: 9 }])[0]).toBe("09 blocked");
  // One bay by its number is one of them, unless the shop has given it up.
  expect(openTimes([{ date: DATE, from: "12:00", to: "14:00", bay: 2 }]).slice(2, 6)).toEqual(
    openTimes(one).slice(2, 6),
  );
  expect(openTimes([{ date: DATE, bay: 3 }])[0]).toBe("09 2");
});

test("one bay that two entries close is one bay, where they overlap too", () => {
  const twice = [
    { date: DATE, from: "12:00", to: "14:00", bay: 2 },
    { date: DATE, from: "13:00", to: "15:00", bay: 2 },
  ];
  expect(openTimes(twice).slice(2, 7)).toEqual(["11 2", "12 1", "13 1", "14 1", "15 2"]);
  expect(openTimes([{ date: DATE, bay: 2 }, ...twice]).every((slot) => slot.endsWith(" 1"))).toBe(true);
  expect(openTimes([{ date: DATE, bay: 1 }, ...twice]).slice(2, 7)).toEqual([
    ...["11 1", "12 blocked", "13 blocked", "14 blocked", "15 1"],
  ]);
});

test("work may end when a block begins that is shorter than the buffer", () => {
  const short = [{ date: DATE, from: "12:00", to: "12:10" }];
  expect(openTimes(short).slice(1, 5)).toEqual(["10 2", "11 2", "12 blocked", "13 2"]);
  expect(openTimes(short, 120).slice(0, 4)).toEqual(["09 2", "10 2", "11 blocked", "12 blocked"]);
});

test("a block is in the way only where it alone takes the last bay", () => {
  const catalog = catalogWith({ "scheduling.blocked_hours": [{ date: DATE, bays: 1, reason: "Sam is ill" }] });
  const at = Temporal.ZonedDateTime.from(`${DATE}T12:00[America/New_York]`).epochMilliseconds;
  const work = { startAt: at, busyUntil: at + 75 * 60_000 };
  expect(blockInTheWay(catalog, work, [])).toBeNull();
  expect(blockInTheWay(catalog, work, [work])).toBe("1 of 2 bays is closed all day (Sam is ill)");
  expect(blockInTheWay(catalog, work, [work, work])).toBeNull();
  expect(blockInWords({ date: DATE, to: "12:00" }, catalog)).toBe("no work is taken until 12:00 PM");
});

test("the API shows and refuses blocked hours, in a dry run and for real", async () => {
  const app = testApp({
    catalog: catalogWith({ "scheduling.blocked_hours": [{ date: DATE, from: "09:00", to: "12:00", bays: 1 }] }),
  });
  const booking = (time: string, more: object = {}) => ({
    ...bookingOn(DATE, time),
    ...{ vehicle_type: "sedan", film_type: undefined, coverage: "front2" },
    ...more,
  });
  const post = async (body: object) => (await app.post(`${API}/bookings`, body)).status;
  expect(await post(booking("10:00"))).toBe(201);
  expect(await post(booking("11:00"))).toBe(409);
  expect(await post(booking("11:00", { dry_run: true }))).toBe(409);
  const { json } = await app.get(`${API}/availability?date=${DATE}&vehicle_type=sedan&coverage=front2`);
  const shown = json.data.slots.map(
    (slot: { status: string; remaining: number }) => `${slot.status} ${slot.remaining}`,
  );
  expect(shown.slice(0, 4)).toEqual([...Array(3).fill("booked 0"), "available 2"]);
  expect(await post(booking("12:00"))).toBe(201);
});

// Work that pauses when the shop closes.

const HOURS = [
  { opens: "09:00", closes: "12:00" },
  { opens: "13:00", closes: "18:00" },
];
const CATALOG = catalogWith({
  "business.hours": {
    ...{ monday: HOURS, tuesday: HOURS, wednesday: HOURS, thursday: HOURS, friday: HOURS, saturday: [], sunday: [] },
  },
  "business.special_hours": [],
  "scheduling.blocked_dates": [{ date: "2026-12-02" }],
});
const at = (date: string, time: string) => momentOf(CATALOG, date, time);

test.each([
  ["the same day", "2026-11-30", "14:00", 240, "2026-11-30", "18:00"],
  ["the next day", "2026-11-30", "14:00", 241, "2026-12-01", "09:01"],
  ["past a blocked day", "2026-12-01", "14:00", 300, "2026-12-03", "10:00"],
  ["past a weekend", "2026-12-04", "17:00", 120, "2026-12-07", "10:00"],
  ["days in a row", "2026-11-30", "09:00", 2 * 540 + 60, "2026-12-03", "10:00"],
])("ends %s", (_what, date, time, minutes, endDate, endTime) => {
  const startAt = at(date, time);
  const endAt = endWithPauses(CATALOG, startAt, minutes);
  expect(endAt).toBe(at(endDate, endTime));
  expect(workedMinutes(CATALOG, { startAt, endAt: endAt ?? 0 })).toBe(minutes);
});

test("not outside opening hours, and not longer than a week", () => {
  expect(endWithPauses(CATALOG, at("2026-11-30", "20:00"), 60)).toBeNull();
  expect(endWithPauses(CATALOG, at("2026-11-30", "09:00"), 7 * 540)).toBeNull();
});

test("the parts are the days; work that runs on while the shop is closed is one", () => {
  const days = partsOf(CATALOG, { startAt: at("2026-12-01", "14:00"), endAt: at("2026-12-03", "10:00") });
  expect(days).toEqual([
    { startAt: at("2026-12-01", "14:00"), endAt: at("2026-12-01", "18:00") },
    { startAt: at("2026-12-03", "09:00"), endAt: at("2026-12-03", "10:00") },
  ]);
  const late = { startAt: at("2026-12-01", "17:00"), endAt: at("2026-12-02", "01:00") };
  expect(partsOf(CATALOG, late)).toEqual([late]);
});
