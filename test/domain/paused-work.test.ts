/** Work that pauses when the shop closes. */
import { expect, test } from "bun:test";
import { momentOf } from "../../src/domain/schedule.ts";
import { endWithPauses, partsOf, workedMinutes } from "../../src/domain/slots.ts";
import { catalogWith } from "../helpers.ts";

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
