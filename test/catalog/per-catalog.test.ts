import { expect, test } from "bun:test";
import { perCatalog, perCatalogAndDate } from "../../src/catalog/per-catalog.ts";
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
  const made: string[] = [];
  const greeting = perCatalogAndDate(({ business }, date) => {
    made.push(date);
    return `${date} ${business.name}`;
  });
  const other = catalogWith({ "business.name": "Other Film" });
  const dates = ["2026-11-21", "2026-11-22", "2026-11-21"];
  expect(dates.map((date) => greeting(CATALOG, date))).toEqual(dates.map((date) => `${date} ${CATALOG.business.name}`));
  expect(made).toEqual(["2026-11-21", "2026-11-22"]);
  expect(greeting(other, "2026-11-21")).toBe("2026-11-21 Other Film");
  // More dates than are kept.
  for (let i = 0; i < 2000; i++) greeting(CATALOG, `date ${i}`);
  expect(greeting(CATALOG, "2026-11-21")).toBe(`2026-11-21 ${CATALOG.business.name}`);
});
