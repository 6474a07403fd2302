/** The state of the forms and the price grid, without drawing. */
import { describe, expect, test } from "bun:test";
import { latest, openDraft } from "../../cli/screens/editor/draft.ts";
import {
  type EstimateField,
  type EstimateForm,
  editField,
  eraseTyped as eraseIn,
  estimateFields,
  moveBy,
  newForm,
  otherTab,
  requestFields,
  selectedField,
  tabsOf,
  takesQ,
  turn,
  typeInField,
  withSearch,
} from "../../cli/screens/estimate/estimate-form.ts";
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
const TABS = tabsOf(CATALOG);

test("the estimate form: rows go round, choices turn and are found by their letters, blanks are left out", () => {
  const fields = estimateFields(CATALOG, "vehicle");
  const vehicle = fields[0];
  const law = fields.at(-1);
  if (!vehicle || !law) throw new Error("no fields");
  const form = newForm(CATALOG);
  expect(moveBy(form, fields, -1).row.vehicle).toBe(fields.length - 1);
  expect(turn(form, vehicle, -1).values.vehicle_type).toBe("van");
  const found = [..."new j"].reduce((one, letter) => typeInField(one, law, letter), form);
  expect(found.values.jurisdiction).toBe("US-NJ");
  // A real car finds its class, with digits and a q in it; letters that name a class still do.
  const typed = (text: string) => [...text].reduce((one, letter) => typeInField(one, vehicle, letter), form);
  for (const [car, type] of [
    ["highlander", "suv"],
    ["civic", "sedan"],
    ["f150", "truck"],
    ["rav4", "crossover"],
    ["honda odyssey", "van"],
    ["suv", "suv"],
    ["suvv", "van"],
  ])
    expect([car, typed(car ?? "").values.vehicle_type]).toEqual([car, type]);
  const begun = typed("highl");
  expect([begun.values.vehicle_type, withSearch("sedan", begun, vehicle)]).toEqual(["sedan", "sedan: highl"]);
  // The first character in a shade that stands there replaces it; after an arrow it goes on.
  const shade = fields.find(({ name }) => name === "shade");
  if (!shade) throw new Error("no shade");
  const dark = { ...form, values: { ...form.values, shade: "20" } };
  const over = (from: EstimateForm) => typeInField(typeInField(from, shade, "3"), shade, "5").values.shade;
  expect([over(dark), over(editField(dark, shade)), eraseIn(dark, shade).values.shade]).toEqual(["35", "2035", "2"]);
  expect([takesQ(form, vehicle), takesQ(typed("chevrolet e"), vehicle)]).toEqual([false, true]);
  expect(Object.fromEntries(requestFields(form, fields))).toEqual({
    vehicle_type: ["sedan"],
    service: ["automotive"],
    coverage: ["full"],
    film_type: ["standard"],
    jurisdiction: ["US-GA"],
  });
});

describe("the estimate form", () => {
  const vehicle = estimateFields(CATALOG, "vehicle");
  const named = (name: string, fields: readonly EstimateField[] = vehicle) => {
    const field = fields.find((one) => (one.toggle ?? one.name) === name);
    if (!field) throw new Error(`no field ${name}`);
    return field;
  };
  const typing = (form: EstimateForm, field: EstimateField, text: string) =>
    [...text].reduce((one, letter) => typeInField(one, field, letter), form);

  test("a typed value has an end, and its letters are taken back one by one", () => {
    const shade = named("shade");
    const long = typing(newForm(CATALOG), shade, `35 front 20 back ${"5".repeat(99)}`);
    expect(long.values.shade).toMatch(/^35 front 20 back 5{1,60}$/);
    expect(eraseIn(long, shade).values.shade).toBe(long.values.shade?.slice(0, -1));
    const choice = named("film_type");
    expect(eraseIn(newForm(CATALOG), choice).values.film_type).toBe("standard");
  });

  test("an add-on goes on and off by space and by the arrows, not by letters", () => {
    const strip = named("windshield_strip");
    const on = typing(newForm(CATALOG), strip, " ");
    expect(Object.fromEntries(requestFields(on, vehicle)).addons).toEqual(["windshield_strip"]);
    expect(turn(on, strip, -1).values.windshield_strip).toBe("");
    expect(typing(on, strip, "x")).toEqual(on);
  });

  test("a search for a choice begins anew after a letter that fits nothing so far, and after moving", () => {
    const law = named("jurisdiction");
    expect(typing(newForm(CATALOG), law, "tefl").values.jurisdiction).toBe("US-FL");
    const moved = moveBy(typing(newForm(CATALOG), law, "new"), vehicle, 1);
    expect(moved.search).toBe("");
    expect(otherTab(typing(newForm(CATALOG), law, "new"), TABS).search).toBe("");
  });

  test("each tab keeps its own row and its values", () => {
    const form = moveBy(newForm(CATALOG), vehicle, 2);
    const building = otherTab(form, TABS);
    const fields = estimateFields(CATALOG, "building");
    expect(selectedField(building, fields)?.name).toBe("total_sqft");
    expect(selectedField(otherTab(moveBy(building, fields, 1), TABS), vehicle)?.name).toBe("coverage");
    const filled = typing(building, named("total_sqft", fields), "350");
    expect(Object.fromEntries(requestFields(filled, fields))).toMatchObject({ total_sqft: ["350"] });
    expect(Object.fromEntries(requestFields(filled, fields))).not.toHaveProperty("needs_ladder");
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
