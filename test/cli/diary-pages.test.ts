/** The diary is read page by page, but shown by whole days; mistyped codes are found without reading it. */
import { expect, test } from "bun:test";
import { readDiary, requireBooking } from "../../cli/diary/entries.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { CATALOG } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";

const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
const DAY = 86_400_000;
const DATES = ["2026-11-24", "2026-11-25", "2026-11-26"];
const PER_DAY = 300;

test("days that span pages stay whole, and each has bays from 1", async () => {
  const store = openSqliteStore(":memory:");
  for (const [i, date] of DATES.entries())
    for (let n = 0; n < PER_DAY; n++) await store.book(newBooking({ date, startAt: T0 + i * DAY }), PER_DAY, []);
  const days = await Array.fromAsync(diaryDays(store, "2026-11-24", "2026-11-26", CATALOG));
  expect(days.map((day) => [day[0]?.booking.date, day.length])).toEqual(DATES.map((date) => [date, PER_DAY]));
  const bays = Array.from({ length: PER_DAY }, (_, i) => i + 1);
  for (const day of days) expect(day.map(({ bay }) => bay)).toEqual(bays);
  const ids = (await readDiary(store, "2026-11-24", "2026-11-26", CATALOG)).map(({ booking }) => booking.id);
  expect(new Set(ids).size).toBe(DATES.length * PER_DAY);
  expect(await readDiary(store, "2026-11-27", "2026-11-30", CATALOG)).toEqual([]);
});

test.each([
  ["7F3A2B9D", "a wrong character"],
  ["7F3A2B9", "a missing character"],
  ["F3A2B9C", "a missing first character"],
  ["7F3A2B9CC", "an extra character"],
  ["7F3AB29C", "two characters swapped"],
  ["7f3a 2b9k", "lower case and a space"],
])("%s: %s is found", async (typed) => {
  const store = openSqliteStore(":memory:");
  await store.book(newBooking({ confirmationCode: "7F3A2B9C" }), 1, []);
  await expect(requireBooking(store, typed)).rejects.toThrow("Did you mean 7F3A2B9C?");
});

test.each([
  ["7F3A2BDD", "There is no booking 7F3A2BDD."],
  ["XXXXXXXX", "There is no booking XXXXXXXX."],
  ["7F3A2B9C".repeat(9), "is not the code of a booking"],
  ["", "Type the code of a booking"],
])("%j suggests nothing", async (typed, says) => {
  const store = openSqliteStore(":memory:");
  await store.book(newBooking({ confirmationCode: "7F3A2B9C" }), 1, []);
  const refusal = await requireBooking(store, typed).catch(String);
  expect(refusal).toContain(says);
  expect(refusal).not.toContain("Did you mean");
});
