/** Places of the catalog: the schema knows them all, also in sections that are optional or have defaults. */
import { describe, expect, test } from "bun:test";
import { setScalar } from "../../src/catalog/edit/changes.ts";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { changesForLog } from "../../src/catalog/load/values.ts";
import type { Path } from "../../src/catalog/path.ts";
import { readTyped, settingAt } from "../../src/catalog/settings.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { CATALOG_TEXT as SMALL_TEXT } from "../small-shop.ts";

function scalarsOf(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, item]) => scalarsOf(item, [...path, key]));
}
const SCALARS = scalarsOf(Bun.YAML.parse(CATALOG_TEXT));

test("the schema knows the place of every value of the stock catalog, and a value typed there is read as the same kind", () => {
  expect(SCALARS.length).toBeGreaterThan(1500);
  const unknown = SCALARS.filter(({ path }) => settingAt(path) === undefined);
  expect(unknown.map(({ path }) => path.join("."))).toEqual([]);
  const misread = SCALARS.filter(({ path, value }) => !Object.is(readTyped(path, String(value)), value));
  expect(misread.map(({ path }) => path.join("."))).toEqual([]);
});

test("money is held as whole cents, and none is lost", () => {
  const money = SCALARS.filter(({ path, value }) => typeof value === "number" && settingAt(path)?.money);
  for (const { path, value } of money) {
    const held = path.reduce<unknown>((inside, key) => Object(inside)[key], CATALOG);
    expect([path.join("."), held]).toEqual([path.join("."), Number(`${value}e2`)]);
    expect(held).toSatisfy(Number.isSafeInteger);
  }
  const glass = "ballpark_per_sqft blocked_window_each curtain_window_each ladder minimum_job_charge rates_per_sqft";
  expect([...new Set(money.map(({ path }) => path.slice(0, 2).join(".")))].sort()).toEqual([
    ...["automotive.addons", "automotive.vehicle_types"],
    ...[...glass.split(" "), "removal_per_sqft"].map((key) => `flat_glass.${key}`),
    "tint_law.jurisdictions",
  ]);
});

describe("a place", () => {
  const CASES: [path: string, type: string, money: boolean][] = [
    ["messages", "object", false],
    ["messages.stuck_after_minutes", "number", false],
    ["messages.sms_countries", "array", false],
    ["alerts.bookings_per_hour", "number", false],
    ["retention_days", "number", false],
    ["messages.confirmation_sms", "object", false],
    ["messages.confirmation_sms.enabled", "boolean", false],
    ["messages.reminder_email.hours_before", "number", false],
    ["automotive.vehicle_types.suv.ceramic.full", "number", true],
    ["automotive.shade_words.limo", "number", false],
    ["flat_glass.default_concern", "enum", false],
    ["automotive.vehicle_types.suv.clearplex", "union", true],
    ["flat_glass.films.dual_10.vlt", "number", false],
    ["scheduling.blocked_dates.0.reason", "string", false],
    ["follow_up.0.after", "string", false],
    ["tint_law.jurisdictions.US-GA.classes.passenger.0.front_side.vlt", "number", false],
    ["tint_law.jurisdictions.US-GA.exemptions.0.fee", "number", true],
  ];
  test.each(CASES)("%s is a %s", (dotted, type, money) => {
    const path = dotted.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    expect(settingAt(path)).toMatchObject({ type, money } as object);
  });

  test.each(["messages.nothing", "messages.stuck_after_minutes.more", "nothing", "automotive.films.silk.thread"])(
    "%s is no place",
    (dotted) => {
      expect(settingAt(dotted.split("."))).toBeUndefined();
    },
  );
});

test.each([
  ["messages.stuck_after_minutes", "30", 30],
  ["bookings.open_per_customer", "2", 2],
  ["retention_days", "730", 730],
  ["retention_days", "null", null],
  ["messages.confirmation_sms.enabled", "true", true],
] as const)("%s can be set as typed", (dotted, typed, value) => {
  const path = dotted.split(".");
  const text = setScalar(SMALL_TEXT, path, readTyped(path, typed) as typeof value);
  const catalog = parseCatalog(Buffer.from(text), "catalog.yaml");
  expect(path.reduce<unknown>((inside, part) => Object(inside)[part], catalog)).toBe(value);
});

// What the log of a reload tells of a change. The program works it out in a thread.

test("each value that changed stands there, old and new", () => {
  const was = { business: { phone: "+1-404-555-0142", name: "Marlow" }, prices: { suv: 599 } };
  const now = { business: { phone: "+1-404-555-0143", name: "Marlow", motto: "Shade" }, prices: { suv: 629 } };
  expect(changesForLog(was, now)).toEqual([
    'business.phone: "+1-404-555-0142" → "+1-404-555-0143"',
    'business.motto: none → "Shade"',
    "prices.suv: 599 → 629",
  ]);
  expect(changesForLog(was, was)).toEqual([]);
});

test("an entry of a list is told as that entry, one more or less as a whole", () => {
  const faq = [{ question: "Why?", answer: "So." }, { question: "How?" }];
  expect(changesForLog({ faq }, { faq: [{ question: "Why?", answer: "Thus." }, faq[1]] })).toEqual([
    'faq.0.answer: "So." → "Thus."',
  ]);
  expect(changesForLog({ faq }, { faq: faq.slice(1) })).toEqual(['faq: {"question":"Why?","answer":"So."} → none']);
});

test("long values are cut, many are counted, and whom alerts reach is not told", () => {
  const long = changesForLog({ text: "a" }, { text: "b".repeat(500) });
  expect(long).toEqual([`text: "a" → "${"b".repeat(59)}…`]);
  const many = (value: number) => Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`price${i}`, value]));
  expect(changesForLog(many(1), many(2)).slice(-2)).toEqual(["price19: 1 → 2", "and 5 more"]);
  expect(changesForLog({ alerts: { to: ["+14045550101"] } }, { alerts: { to: ["+14045550102"] } })).toEqual([
    "alerts.to.0: changed",
  ]);
});
