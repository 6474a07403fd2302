import { expect, test } from "bun:test";
import { perCatalog } from "../../src/catalog/per-catalog.ts";
import { planOf } from "../../src/domain/schedule.ts";
import { CATALOG, catalogWith } from "../helpers.ts";

test("a value is worked out once per catalog, and anew for another catalog", () => {
  let made = 0;
  const name = perCatalog(({ business }) => {
    made += 1;
    return business.name;
  });
  expect([name(CATALOG), name(CATALOG)]).toEqual([CATALOG.business.name, CATALOG.business.name]);
  expect(made).toBe(1);
  expect(name(catalogWith({ "business.name": "Other Film" }))).toBe("Other Film");
  expect(name(CATALOG)).toBe(CATALOG.business.name);
  expect(made).toBe(2);
});

test("a value may be undefined, and a failure is not kept", () => {
  let made = 0;
  const nothing = perCatalog(() => void made++);
  nothing(CATALOG);
  nothing(CATALOG);
  expect(made).toBe(1);
  let isBroken = true;
  const fragile = perCatalog(() => {
    if (isBroken) throw new Error("broken");
    return "whole";
  });
  expect(() => fragile(CATALOG)).toThrow("broken");
  isBroken = false;
  expect(fragile(CATALOG)).toBe("whole");
});

test("what the catalog says of a date is worked out once per catalog and date", () => {
  const date = "2026-11-23";
  const plan = planOf(CATALOG, date);
  expect(planOf(CATALOG, date)).toBe(plan);
  expect(planOf(CATALOG, "2026-11-24")).toMatchObject({ date: "2026-11-24" });
  expect(planOf(CATALOG, date)).toBe(plan);
  const other = catalogWith({ "scheduling.horizon_days": 10 });
  expect(planOf(other, date)).toMatchObject({ date, horizon: "2026-12-03" });
  expect(planOf(CATALOG, date)).toBe(plan);
  // More dates than are kept.
  for (let i = 0; i < 2000; i++) planOf(CATALOG, `${1000 + i}-06-01`);
  expect(planOf(CATALOG, date)).toEqual(plan);
});
