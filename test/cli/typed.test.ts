/** Dates and times as people type them. */
import { expect, test } from "bun:test";
import { readDate } from "../../cli/typed/dates.ts";
import { readTime } from "../../cli/typed/times.ts";

// A Saturday.
const TODAY = "2026-11-21";

test.each([
  ["today", "2026-11-21"],
  ["Tomorrow", "2026-11-22"],
  ["friday", "2026-11-27"],
  ["sat", "2026-11-28"],
  ["11/23", "2026-11-23"],
  ["1/2", "2027-01-02"],
  ["Nov 27", "2026-11-27"],
  ["27 november", "2026-11-27"],
  ["2/29", "2028-02-29"],
  ["2026-12-01", "2026-12-01"],
])("the date %s", (typed, date) => {
  expect(readDate(typed, () => TODAY)).toBe(date);
});

test.each(["2/30", "fr", "Nov", "yesterday", "", "13/1"])("no date: %s", (typed) => {
  expect(() => readDate(typed, () => TODAY)).toThrow("is not a date");
});

test.each([
  ["9am", "09:00"],
  ["9 AM", "09:00"],
  ["12am", "00:00"],
  ["12 p.m.", "12:00"],
  ["2:30pm", "14:30"],
  ["noon", "12:00"],
  ["14:00", "14:00"],
  ["9:05", "09:05"],
  ["15", "15:00"],
])("the time %s", (typed, time) => {
  expect(readTime(typed)).toBe(time);
});

test.each(["9", "25:00", "13pm", "9:60", "", "morning"])("no time: %s", (typed) => {
  expect(() => readTime(typed)).toThrow("is not a time of day");
});
