import { expect, test } from "bun:test";
import { derived, derivedBy } from "../../src/catalog/derived.ts";
import { CATALOG, catalogWith } from "../helpers.ts";

test("a value is worked out once per catalog, and anew for another catalog", () => {
  let made = 0;
  const name = derived(({ business }) => {
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
  const nothing = derived(() => void made++);
  nothing(CATALOG);
  nothing(CATALOG);
  expect(made).toBe(1);
  let isBroken = true;
  const fragile = derived(() => {
    if (isBroken) throw new Error("broken");
    return "whole";
  });
  expect(() => fragile(CATALOG)).toThrow("broken");
  isBroken = false;
  expect(fragile(CATALOG)).toBe("whole");
});

test("a value by key is worked out once per catalog and key; too many keys drop what was kept", () => {
  const made: string[] = [];
  const greeting = derivedBy(2, ({ business }, key) => {
    made.push(key);
    return `${key} ${business.name}`;
  });
  const other = catalogWith({ "business.name": "Other Film" });
  const { name } = CATALOG.business;
  const ask = (...keys: string[]) => keys.map((key) => greeting(CATALOG, key));
  expect(ask("a", "b", "a", "b")).toEqual([`a ${name}`, `b ${name}`, `a ${name}`, `b ${name}`]);
  expect(made).toEqual(["a", "b"]);
  expect(greeting(other, "a")).toBe("a Other Film");
  expect(made).toEqual(["a", "b", "a"]);
  ask("c", "a", "c");
  expect(made).toEqual(["a", "b", "a", "c", "a"]);
});
