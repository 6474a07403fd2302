/** Dates and times as people type them. */
import { expect, test } from "bun:test";
import { readDates, readReportSpan, readSpan, type TypedSpan } from "../../cli/typed/date-ranges.ts";
import { readDate } from "../../cli/typed/dates.ts";
import { readWord } from "../../cli/typed/enums.ts";
import { readInstant, readMoment, readStart, readTime } from "../../cli/typed/times.ts";
import { NOW } from "../fixed-day.ts";
import { CATALOG } from "../small-shop.ts";

// A Saturday.
const TODAY = "2026-11-21";

test.each([
  ["today", "2026-11-21"],
  ["Tomorrow", "2026-11-22"],
  ["yesterday", "2026-11-20"],
  ["friday", "2026-11-27"],
  ["sat", "2026-11-28"],
  ["11/23", "2026-11-23"],
  ["1/2", "2027-01-02"],
  ["Nov 27", "2026-11-27"],
  ["2/29", "2028-02-29"],
  ["6/1/27", "2027-06-01"],
  ["Mon Nov 30,", "2026-11-30"],
  ["Fri Jan 8, 2027", "2027-01-08"],
  ["2026-12-01", "2026-12-01"],
  ["tmrw", "2026-11-22"],
  ["next fri", "2026-11-27"],
  // Nobody is booked into the past.
  ["this friday", "2026-11-27"],
  ["last monday", "2026-11-16"],
  ["in 3 days", "2026-11-24"],
  ["in a week", "2026-11-28"],
  ["day after tomorrow", "2026-11-23"],
  ["Thanksgiving", "2026-11-26"],
  ["black friday", "2026-11-27"],
  ["New Year’s Day", "2027-01-01"],
  ["Presidents' Day", "2027-02-15"],
  ["4th of July", "2027-07-04"],
  ["MLK day", "2027-01-18"],
  ["memorial day", "2027-05-31"],
  ["juneteenth", "2027-06-19"],
  ["27 november", "2026-11-27"],
  ["1st December", "2026-12-01"],
  ["2027-2-3", "2027-02-03"],
  ["xmas", "2026-12-25"],
  ["2 weeks ago", "2026-11-07"],
  ["thanksgiving 2027", "2027-11-25"],
])("the date %s", (typed, date) => {
  expect(readDate(typed, () => TODAY)).toBe(date);
});

test.each([
  ["11/20", "nearest", "2026-11-20"],
  ["Jan 8", "nearest", "2027-01-08"],
  ["1/8", "last", "2026-01-08"],
  ["friday", "last", "2026-11-20"],
  ["labor day", "nearest", "2026-09-07"],
  ["this monday", "nearest", "2026-11-16"],
  ["thanksgiving", "last", "2025-11-27"],
] as const)("%s, the %s: %s", (typed, lean, date) => {
  expect(readDate(typed, () => TODAY, lean)).toBe(date);
});

// A Thursday.
const THURSDAY = "2026-11-26";
const spans: [TypedSpan, string, string][] = [
  [{ from: "monday", to: "friday" }, "2026-11-23", "2026-11-27"],
  [{ from: "last monday", to: "friday" }, "2026-11-23", "2026-11-27"],
  [{ week: true }, "2026-11-23", "2026-11-29"],
  [{ week: "last" }, "2026-11-16", "2026-11-22"],
  [{ week: "11/30" }, "2026-11-30", "2026-12-06"],
  [{ from: "last week" }, "2026-11-16", "2026-11-22"],
  [{ month: true }, "2026-11-01", "2026-11-30"],
  [{ month: "next" }, "2026-12-01", "2026-12-31"],
  [{ date: "thanksgiving" }, "2026-11-26", "2026-11-26"],
  [{ month: "2026-02" }, "2026-02-01", "2026-02-28"],
  [{ from: "last week", to: "this week" }, "2026-11-16", "2026-11-29"],
  [{ from: "11/20", to: "11/20" }, "2026-11-20", "2026-11-20"],
];

test.each([
  ...spans,
  [{ date: "monday" }, "2026-11-30", "2026-11-30"],
  [{ from: "friday" }, "2026-11-27", "2026-12-03"],
  [{ from: "friday", to: "monday" }, "2026-11-27", "2026-11-30"],
  [{ month: "december" }, "2026-12-01", "2026-12-31"],
] as [TypedSpan, string, string][])("in a list %j is %s to %s", (typed, from, to) => {
  expect(readSpan(typed, THURSDAY, 7)).toEqual({ from, to });
});

test.each([
  ...spans,
  [{}, "2026-11-01", "2026-11-30"],
  [{ date: "monday" }, "2026-11-23", "2026-11-23"],
  [{ date: "friday" }, "2026-11-20", "2026-11-20"],
  [{ from: "monday" }, "2026-11-23", "2026-11-26"],
  [{ from: "friday" }, "2026-11-20", "2026-11-26"],
  [{ from: "friday", to: "monday" }, "2026-11-20", "2026-11-23"],
  [{ to: "friday" }, "2026-11-01", "2026-11-20"],
  [{ from: "11/1", to: "friday" }, "2026-11-01", "2026-11-20"],
  [{ month: "december" }, "2025-12-01", "2025-12-31"],
] as [TypedSpan, string, string][])("in a report %j is %s to %s", (typed, from, to) => {
  expect(readReportSpan(typed, THURSDAY)).toEqual({ from, to });
});

test.each([
  [{ week: true, month: true }, "Give either --week or --month."],
  [{ month: "2026-11", from: "11/1" }, "Give either --month, or --from and --to."],
  [{ month: "2026-13" }, "2026-13 is not a month: write it like 2026-11, november or last."],
  [{ from: "11/20", to: "11/10" }, "The last day, Tue Nov 10, is before the first, Fri Nov 20."],
] as [TypedSpan, string][])("the span %j is refused", (typed, message) => {
  expect(() => readSpan(typed, THURSDAY, 7)).toThrow(message);
});

test.each(["2/30", "2/30/2027", "1/2/345", "Tue Nov 30", "fr", "Mon Nov", "13/1"])("no date: %s", (typed) => {
  expect(() => readDate(typed, () => TODAY)).toThrow("is not a date");
});

test.each([
  ["tomorow", "tomorow is not a date; did you mean tomorrow?"],
  ["Nov", 'Nov is not a date, but a month: add the day, like 11/27 or "Nov 27".'],
  ["some day", "some day is not a date: write it like today, tomorrow, friday, next fri, in 3 days,"],
  ["", "Type a date, like today,"],
])("%s is refused with what was meant", (typed, message) => {
  expect(() => readDate(typed, () => TODAY)).toThrow(message);
});

test.each([
  ["12/24..12/26", ["2026-12-24", "2026-12-25", "2026-12-26"]],
  ["Dec 24 to Dec 25", ["2026-12-24", "2026-12-25"]],
  ["dec 31 to jan 1", ["2026-12-31", "2027-01-01"]],
])("the days %s", (typed, days) => expect<string[]>(readDates(typed, () => TODAY)).toEqual(days));

test.each(["2030-12-31..2030-12-24", "2030-12-24..", "2030-01-01..2032-01-01"])("no days: %s", (typed) =>
  expect(() => readDates(typed, () => TODAY)).toThrow(),
);

test.each([
  ["9am", "09:00"],
  ["12am", "00:00"],
  ["12 p.m.", "12:00"],
  ["2:30pm", "14:30"],
  ["noon", "12:00"],
  ["12", "12:00"],
  ["2", "14:00"],
  ["02:30", "02:30"],
  ["now", "15:00"],
])("the time %s", (typed, time) => {
  expect(readTime(typed, () => "15:00")).toBe(time);
});

test.each(["0", "now", "25:00", "13pm", "9:60", "", "morning"])("no time: %s", (typed) => {
  expect(() => readTime(typed)).toThrow(typed === "" ? "Type a time of day, like 9am" : "is not a time of day");
});

test.each([
  ["30m", "2026-11-21T14:30:00Z"],
  ["2H", "2026-11-21T13:00:00Z"],
  ["1 d", "2026-11-20T15:00:00Z"],
  // Midnight at the shop.
  ["today", "2026-11-21T05:00:00Z"],
  ["11/20", "2026-11-20T05:00:00Z"],
  ["friday", "2026-11-20T05:00:00Z"],
  ["2026-11-24T14:00:00-05:00", "2026-11-24T19:00:00Z"],
])("the moment %s", (typed, instant) => {
  expect(new Date(readMoment(typed, CATALOG, NOW)).toISOString()).toBe(new Date(instant).toISOString());
});

test.each(["", "30", "2w", "2026-02-30", "2026-11-24 14:00"])("no moment: %j", (typed) => {
  expect(() => readMoment(typed, CATALOG, NOW)).toThrow(
    typed === "" ? "Type a moment: a span back" : /is not a (moment|date)/,
  );
});

test("a moment in RFC 3339 takes no span", () => {
  expect(readInstant("2026-11-21T15:00:00Z")).toBe(NOW.epochMilliseconds);
  expect(() => readInstant("30m")).toThrow("30m is not a moment: write a time like");
});

test("where there is no word to choose, none is listed", () => {
  expect(() => readWord("an add-on", "brow", [])).toThrow("brow is not an add-on: the shop has none.");
});

test.each(["film_removal", "Film-Removal", "film removal", " FILM removal"])("the word %s", (typed) => {
  expect(readWord("a service", typed, ["automotive", "film_removal"])).toBe("film_removal");
});

const NOW_AT_SHOP = { date: TODAY, time: "15:20" };

test.each([
  ["friday 9am", "2026-11-27", "09:00"],
  ["friday", "2026-11-27", "10:30"],
  ["2pm", "2026-11-24", "14:00"],
  ["friday at 2pm", "2026-11-27", "14:00"],
  ["9", "2026-11-24", "09:00"],
  ["now", "2026-11-21", "15:20"],
])("a booking of Nov 24, 10:30 moves to %s", (typed, date, time) => {
  expect(readStart(typed, NOW_AT_SHOP, { date: "2026-11-24", time: "10:30" })).toEqual({ date, time });
});

test.each([
  ["soon", "soon is not a date: write it like"],
  ["9am friday", "9am is not a date: write it like"],
  ["friday at nine", "nine is not a time of day: write it like"],
  ["", "Type a date, like today"],
  ["Feb 30", "Feb 30 is not a date of the calendar."],
])("no day and time: %j", (typed, says) => {
  expect(() => readStart(typed, NOW_AT_SHOP, { date: "2026-11-24", time: "10:30" })).toThrow(says);
});
