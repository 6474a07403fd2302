/** Drafts of the catalog and forms, without a terminal. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  type Change,
  changesToSave,
  type Draft,
  isUnsaved,
  latest,
  makeChange,
  openDraft,
  rebase,
  replacedInWords,
  shown,
  undo,
} from "../../cli/screens/editor/draft.ts";
import { jobFields, requestFields } from "../../cli/screens/estimate/estimate-form.ts";
import { bindingFor } from "../../cli/screens/kit/bindings.tsx";
import { type FormState, fieldKeys, focusOn, moveBy, newState, textIn } from "../../cli/screens/kit/form.tsx";
import { lineOf } from "../../cli/screens/kit/typed-line.ts";
import {
  AT_FIRST_CELL,
  accept,
  cellText,
  correct,
  drop,
  moveCursor,
  priceGrid,
  savedText,
  type,
} from "../../cli/screens/prices/grid.ts";
import type { SpecialDay } from "../../src/catalog/edit/everyday.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";

setDefaultTimeout(20_000);

const swap = (from: string, to: string, text = CATALOG_TEXT) => text.replace(from, () => to);
const bays = (was: number, now: number): Change => ({
  kind: "value",
  what: "bays",
  path: ["scheduling", "bays"],
  was,
  now,
});
const CLOSED: SpecialDay = { date: "2026-12-31", closed: true };
const day = (was: SpecialDay | null, now: SpecialDay | null): Change => ({
  kind: "special",
  what: CLOSED.date,
  date: CLOSED.date,
  was,
  now,
});
const specialDay = (draft: Draft) =>
  latest(draft).catalog.business.special_hours.find(({ date }) => date === CLOSED.date);
const first = CATALOG.faq[0] ?? { category: "general" as const, question: "", answer: "" };

function made(draft: Draft, ...changes: Change[]): Draft {
  return changes.reduce((before, change) => {
    const after = makeChange(before, change);
    if (typeof after === "string") throw new Error(after);
    return after;
  }, draft);
}

describe("a draft", () => {
  test("changes, undoes, and sums up a place that was changed twice", () => {
    const draft = made(openDraft(CATALOG_TEXT), bays(2, 3), bays(3, 4));
    expect(latest(draft).text).toBe(swap("bays: 2 ", "bays: 4 "));
    expect(changesToSave(draft)).toEqual([bays(2, 4)]);
    expect(latest(undo(draft)).catalog.scheduling.bays).toBe(3);
    expect(changesToSave(made(draft, bays(4, 2)))).toEqual([]);
  });

  test("lies over a newer file; what that changed at the same place it replaces and names", () => {
    const draft = made(openDraft(CATALOG_TEXT), bays(2, 3), bays(3, 4));
    const elsewhere = rebase(draft, swap("grid_minutes: 60", "grid_minutes: 30"));
    expect(latest(elsewhere).catalog.scheduling).toMatchObject({ bays: 4, grid_minutes: 30 });
    expect(changesToSave(elsewhere)).toEqual([bays(2, 4)]);
    const same = rebase(draft, swap("bays: 2 ", "bays: 5 "));
    expect(latest(same).catalog.scheduling.bays).toBe(4);
    expect(changesToSave(same)).toEqual([{ ...bays(5, 4), isLater: true }]);
    expect(changesToSave(same).map(replacedInWords)).toEqual(["bays: 5, which somebody else wrote meanwhile"]);
    expect(latest(undo(undo(same))).catalog.scheduling.bays).toBe(5);
    expect(isUnsaved(rebase(made(openDraft(CATALOG_TEXT), bays(2, 3)), swap("bays: 2 ", "bays: 3 ")))).toBe(false);
  });

  test("that a newer file has no place for is refused whole", () => {
    const draft = made(openDraft(CATALOG_TEXT), {
      kind: "value",
      what: "answer",
      path: ["faq", CATALOG.faq.length - 1, "answer"],
      was: CATALOG.faq.at(-1)?.answer,
      now: "Ask us.",
    });
    const last: Change = { kind: "faq", what: "gone", was: CATALOG.faq.at(-1) ?? first, now: null };
    const newer = latest(made(openDraft(CATALOG_TEXT), last)).text;
    expect(() => rebase(draft, newer)).toThrow();
  });

  test("finds a question by its words, wherever it is in a newer file", () => {
    const change: Change = { kind: "faq", what: "question", was: first, now: { ...first, answer: "Ask us." } };
    const draft = made(openDraft(CATALOG_TEXT), change);
    expect(latest(draft).catalog.faq[0]).toEqual({ ...first, answer: "Ask us." });
    const newer = swap("faq:\n", "faq:\n  - {category: automotive, question: New?, answer: Yes.}\n");
    expect(latest(rebase(draft, newer)).catalog.faq[1]).toEqual({ ...first, answer: "Ask us." });
  });

  test("sums up a single day that was given hours and taken away again as no change", () => {
    const draft = made(openDraft(CATALOG_TEXT), day(null, CLOSED), day(CLOSED, { ...CLOSED, reason: "Inventory" }));
    expect(changesToSave(draft)).toEqual([day(null, { ...CLOSED, reason: "Inventory" })]);
    expect(changesToSave(made(draft, day({ ...CLOSED, reason: "Inventory" }, null)))).toEqual([]);
  });

  test("a new question replaces none", () => {
    const change: Change = { kind: "faq", what: "new question", was: null, now: { ...first, question: "New?" } };
    const newer = CATALOG_TEXT.replace(JSON.stringify(first.answer), '"Theirs."');
    expect(rebase(made(openDraft(CATALOG_TEXT), change), newer)).toMatchObject({ steps: [{ change }] });
  });

  test("a single day, or a question, that another editor changed or removed is as the owner wants it", () => {
    const theirDay = latest(made(openDraft(CATALOG_TEXT), day(null, { ...CLOSED, reason: "Theirs" }))).text;
    const kept = rebase(made(openDraft(CATALOG_TEXT), day(null, CLOSED)), theirDay);
    expect(specialDay(kept)).not.toHaveProperty("reason", "Theirs");
    expect(changesToSave(kept)).toMatchObject([{ isLater: true, was: { reason: "Theirs" }, now: CLOSED }]);

    const mine = { ...first, answer: "Mine." };
    const change: Change = { kind: "faq", what: "question", was: first, now: mine };
    const removal: Change = { ...change, now: null };
    const over = (one: Change, text: string) => rebase(made(openDraft(CATALOG_TEXT), one), text);
    const changed = CATALOG_TEXT.replace(JSON.stringify(first.answer), '"Theirs."');
    expect(latest(over(change, changed)).catalog.faq).toEqual(CATALOG.faq.with(0, mine));
    expect(latest(over(removal, changed)).catalog.faq).toEqual(CATALOG.faq.slice(1));
    const removed = latest(made(openDraft(CATALOG_TEXT), removal)).text;
    expect(latest(over(change, removed)).catalog.faq).toContainEqual(mine);
    expect(isUnsaved(over(removal, removed))).toBe(false);
  });
});

test("a value is shown as the owner writes it", () => {
  expect(shown(["scheduling", "bays"], undefined)).toBe("not set");
  expect(shown(["scheduling", "bays"], null)).toBe("none");
  expect(shown(["automotive", "vehicle_types", "suv", "ceramic", "full"], 599.5)).toBe("599.50");
  expect(shown(["scheduling", "bays"], 2)).toBe("2");
  expect(shown(["business", "hours", "monday"], [{ opens: "09:00", closes: "18:00" }])).toBe("9:00 AM–6:00 PM");
  expect(shown(["business", "hours", "sunday"], [])).toBe("closed");
  expect(shown([], { date: "2026-12-31", closed: true })).toBe("closed");
  expect(shown([], first)).toBe(first.question);
});

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
    expect([after("jurisdiction", "cal"), after("jurisdiction", "calgeor")]).toEqual(["US-CA", "US-GA"]);
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

  const press = (name: string) => ({ name, text: name.length === 1 ? name : "" });
  const typed = (...keys: string[]) => keys.map(press).reduce(type, AT_FIRST_CELL);

  test("what is typed is dropped, or begins with the old value", () => {
    expect(typed("1", "2", "backspace").typed).toEqual(lineOf("1"));
    expect(drop(typed("1"))).toEqual(AT_FIRST_CELL);
    expect(correct(AT_FIRST_CELL, GRID, draft).typed).toEqual(lineOf("289"));
  });

  test("a dollar sign is taken; nothing typed keeps the old value; a refusal goes with the next key", () => {
    const dollars = accept(typed(..."$301"), GRID, draft);
    expect(dollars.cursor).toEqual(AT_FIRST_CELL);
    const cell = GRID.cells[0]?.[0];
    if (!cell) throw new Error("no cell");
    expect(cellText(cell, dollars.draft)).toBe("301");
    expect(savedText(cell, dollars.draft)).toBe("289");
    expect(savedText(cell, draft)).toBeNull();
    expect(accept(typed(" "), GRID, draft)).toEqual({ cursor: AT_FIRST_CELL, draft });
    expect(accept(AT_FIRST_CELL, GRID, draft).draft).toBe(draft);
    const refused = accept(typed(..."-1"), GRID, draft);
    expect(refused.cursor).toMatchObject({
      typed: lineOf("-1"),
      refusal: expect.stringContaining("must be 0 or more"),
    });
    expect(latest(refused.draft).text).toBe(CATALOG_TEXT);
    expect(type(refused.cursor, press("2")).refusal).toBeNull();
  });
});
