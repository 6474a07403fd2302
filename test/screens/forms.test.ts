/** The state of the forms and the price grid, without drawing. */
import { describe, expect, test } from "bun:test";
import { latest, openDraft } from "../../cli/screens/editor/draft.ts";
import { jobFields, requestFields } from "../../cli/screens/estimate/estimate-form.ts";
import { bindingFor } from "../../cli/screens/kit/bindings.tsx";
import { type FormState, fieldKeys, focusOn, moveBy, newState, textIn } from "../../cli/screens/kit/form.tsx";
import {
  AT_FIRST_CELL,
  accept,
  cellText,
  correct,
  drop,
  eraseInCell,
  moveCursor,
  priceGrid,
  savedText,
  type,
} from "../../cli/screens/prices/grid.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";

const GRID = priceGrid(CATALOG);

describe("the fields of an estimate", () => {
  const fields = jobFields(CATALOG, "vehicle");
  const fresh = newState(fields);
  const named = (name: string) => {
    const field = fields.find((one) => one.name === name);
    if (!field) throw new Error(`no field ${name}`);
    return field;
  };
  /** @returns the form after keys on a field; a key without a binding does nothing there */
  const press = (name: string, keys: Iterable<string>, from = fresh): FormState =>
    [...keys].reduce(
      (state, key) => {
        let next = state;
        const bindings = fieldKeys(named(name), state, (change) => {
          next = change(state);
        });
        const typed = { name: key === " " ? "space" : key, text: key.length === 1 ? key : "" };
        bindingFor(bindings, typed)?.run(typed);
        return next;
      },
      focusOn(from, named(name)),
    );
  const after = (name: string, keys: Iterable<string>, from?: FormState) => textIn(press(name, keys, from), name);

  test("rows go round, choices turn, blanks are left out", () => {
    expect(moveBy(fresh, fields, -1).at).toBe("jurisdiction");
    expect([after("vehicle_type", ["left"]), after("vehicle_type", " ")]).toEqual(["van", "coupe"]);
    expect(Object.fromEntries(requestFields(fresh, fields))).toEqual({
      vehicle_type: ["sedan"],
      service: ["automotive"],
      coverage: ["full"],
      film_type: ["standard"],
      jurisdiction: ["US-GA"],
    });
    const building = jobFields(CATALOG, "building");
    expect(Object.fromEntries(requestFields(newState(building), building))).not.toHaveProperty("needs_ladder");
  });

  test("a choice is found by its letters, a class by a car: with digits, a space and a q in it", () => {
    for (const [car, type] of [
      ["highlander", "suv"],
      ["civic", "sedan"],
      ["f150", "truck"],
      ["rav4", "crossover"],
      ["honda odyssey", "van"],
      ["suv", "suv"],
      ["suvv", "van"],
      ["chevrolet equinox", "crossover"],
    ] as const)
      expect([car, after("vehicle_type", car)]).toEqual([car, type]);
    expect([after("jurisdiction", "new j"), after("jurisdiction", "teco")]).toEqual(["US-NJ", "US-CO"]);
    // `q` is the key that leaves, but in a name.
    const begun = press("vehicle_type", "highl");
    expect([begun.search, moveBy(begun, fields, 1).search]).toEqual(["highl", ""]);
    const quits = bindingFor(
      fieldKeys(named("vehicle_type"), fresh, () => {}),
      { name: "q", text: "q" },
    );
    expect(quits).toBeUndefined();
  });

  test("the first character replaces a value that stands there; after an arrow it is edited", () => {
    const dark = press("shade", "20");
    expect([after("shade", "35", dark), after("shade", ["right", "3", "5"], dark)]).toEqual(["35", "2035"]);
    expect(after("shade", ["right", "backspace"], dark)).toBe("2");
    expect(after("film_type", ["backspace"])).toBe("standard");
  });

  test("an add-on goes on and off by space and by the arrows, not by letters", () => {
    const on = press("windshield_strip", " ");
    expect(Object.fromEntries(requestFields(on, fields)).addons).toEqual(["windshield_strip"]);
    expect([after("windshield_strip", ["left"], on), after("windshield_strip", "x", on)]).toEqual(["", "yes"]);
  });
});

describe("the price grid", () => {
  const draft = openDraft(CATALOG_TEXT);
  const lastRow = GRID.rows.length - 1;
  const lastColumn = GRID.columns.length - 1;

  test("the cursor stops at the edges", () => {
    expect(moveCursor(AT_FIRST_CELL, GRID, -1, 0)).toEqual(AT_FIRST_CELL);
    expect(moveCursor(AT_FIRST_CELL, GRID, 0, -1)).toEqual(AT_FIRST_CELL);
    const corner = { ...AT_FIRST_CELL, row: lastRow, column: lastColumn };
    expect(moveCursor(corner, GRID, 1, 0)).toEqual(corner);
    expect(moveCursor(corner, GRID, 0, 1)).toEqual(corner);
  });

  test("a letter begins no value, a digit does; a value has an end and is taken back digit by digit", () => {
    expect(type(AT_FIRST_CELL, "x")).toEqual(AT_FIRST_CELL);
    const typed = [..."12345678901"].reduce(type, AT_FIRST_CELL);
    expect(typed.typed).toBe("1234567890");
    expect(eraseInCell(typed).typed).toBe("123456789");
    expect(eraseInCell(AT_FIRST_CELL)).toEqual(AT_FIRST_CELL);
    expect(drop(typed)).toEqual(AT_FIRST_CELL);
    expect(correct(AT_FIRST_CELL, GRID, draft).typed).toBe("289");
  });

  test("a dollar sign is taken; nothing typed keeps the old value; a refusal goes with the next key", () => {
    const dollars = accept([..."$301"].reduce(type, AT_FIRST_CELL), GRID, draft);
    expect(dollars.cursor).toEqual(AT_FIRST_CELL);
    const cell = GRID.cells[0]?.[0];
    if (!cell) throw new Error("no cell");
    expect(cellText(cell, dollars.draft)).toBe("301");
    expect(savedText(cell, dollars.draft)).toBe("289");
    expect(savedText(cell, draft)).toBeNull();
    expect(accept({ ...AT_FIRST_CELL, typed: " " }, GRID, draft)).toEqual({ cursor: AT_FIRST_CELL, draft });
    expect(accept(AT_FIRST_CELL, GRID, draft).draft).toBe(draft);
    const refused = accept(type(AT_FIRST_CELL, "-1"), GRID, draft);
    expect(refused.cursor).toMatchObject({ typed: "-1", refusal: expect.stringContaining("must be 0 or more") });
    expect(latest(refused.draft).text).toBe(CATALOG_TEXT);
    expect(type(refused.cursor, "2").refusal).toBeNull();
    expect(eraseInCell(refused.cursor).refusal).toBeNull();
  });
});
