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
import {
  categoriesOf,
  type FaqForm,
  faqRows,
  nextFilter,
  onFormKey,
  openForm,
} from "../../cli/screens/shop/faq-form.ts";
import { removeService } from "../../src/catalog/edit/services.ts";
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

describe("the form of a question", () => {
  const categories = categoriesOf(openDraft(CATALOG_TEXT));
  const taken = () => null;
  const press = (form: FaqForm | null, ...names: string[]) =>
    names.reduce<FaqForm | null>(
      (one, name) => one && onFormKey(one, { name, text: name.length === 1 ? name : "" }, taken),
      form,
    );
  const faq = CATALOG.faq[0] ?? null;

  test("the arrows stop at the first and last field; left and right choose a category, going round", () => {
    const form = openForm(faq, "all", categories);
    expect(press(form, "up", "up", "up")?.field).toBe("category");
    expect(press(form, "down", "tab", "down")?.field).toBe("answer");
    expect(press(form, "backtab")?.field).toBe("category");
    const [firstCategory = "general", last] = [categories[0], categories.at(-1)];
    const general = { ...form, field: "category" as const, category: firstCategory };
    expect(press(general, "left")?.category).toBe(last as FaqForm["category"]);
    expect(press(general, "left", "right")?.category).toBe(firstCategory);
    expect(press(general, "x")).toEqual({ ...general, refusal: null });
  });

  test("Esc drops an untouched form at once, a touched one only when pressed again", () => {
    expect(press(openForm(faq, "all", categories), "esc")).toBeNull();
    const touched = press(openForm(faq, "all", categories), "!");
    expect(press(touched, "esc")?.refusal).toContain("Esc again drops it");
    expect(press(touched, "esc", "esc")).toBeNull();
    expect(press(touched, "esc", "!", "esc")?.refusal).toContain("Esc again drops it");
    const moved = press({ ...openForm(faq, "all", categories), field: "category" }, "right");
    expect(press(moved, "esc")).not.toBeNull();
    const fresh = press({ ...openForm(null, "all", categories), field: "category" }, "right");
    expect(press(fresh, "esc")).toBeNull();
  });

  test("Enter accepts after the answer only; a refused change keeps the form", () => {
    const form = openForm(faq, "all", categories);
    expect(press(form, "enter")?.field).toBe("answer");
    expect(press(form, "enter", "enter")).toBeNull();
    const refused = onFormKey({ ...form, field: "answer" }, { name: "enter", text: "" }, () => "No.");
    expect(refused).toMatchObject({ field: "answer", refusal: "No." });
    expect(press(openForm(null, "all", categories), "?", "ctrl+s")?.refusal).toBe("Write the answer.");
  });

  test("a new question begins in the category that is shown; the categories go round", () => {
    expect(openForm(null, "residential", categories).category).toBe("residential");
    expect(openForm(null, "all", categories).category).toBe("general");
    expect(nextFilter("all", -1, categories)).toBe(categories.at(-1) ?? "all");
    const rows = faqRows(openDraft(CATALOG_TEXT), "residential");
    expect(rows).toEqual(CATALOG.faq.filter(({ category }) => category === "residential"));
  });
});

test("a shop without work on buildings has no categories for it, unless the file has questions of them", () => {
  const sold = ["residential", "commercial", "security"].reduce(removeService, CATALOG_TEXT);
  expect(categoriesOf(openDraft(sold))).toEqual(["automotive", "general"]);
  const none = sold.replace(/^faq:\n[\s\S]*?\n# -/m, "faq: []\n# -");
  expect(categoriesOf(openDraft(none))).toEqual(["automotive", "general"]);
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
