/** The pure parts behind the catalog's screens: drafts, opening times, the estimate form. */
import { describe, expect, test } from "bun:test";
import { readOpeningTimes } from "../../cli/catalog/opening-times.ts";
import type { Change } from "../../cli/screens/editor/change.ts";
import {
  type Draft,
  keepMine,
  latest,
  makeChange,
  openDraft,
  rebase,
  summary,
  takeTheirs,
  undo,
} from "../../cli/screens/editor/draft.ts";
import { fieldsOf, moveBy, newForm, requestOf, turn, typeInField } from "../../cli/screens/estimate/estimate-form.ts";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";

const swap = (from: string, to: string, text = CATALOG_TEXT) => text.replace(from, () => to);
const bays = (was: number, now: number): Change => ({
  kind: "value",
  what: "bays",
  path: ["scheduling", "bays"],
  was,
  now,
});
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
    expect(summary(draft)).toEqual([bays(2, 4)]);
    expect(latest(undo(draft)).catalog.scheduling.bays).toBe(3);
    expect(summary(made(draft, bays(4, 2)))).toEqual([]);
  });

  test("refuses what the catalog refuses, by the name of the cell", () => {
    expect(makeChange(openDraft(CATALOG_TEXT), bays(2, -1))).toStartWith("bays must be ");
  });

  test("lies over a newer file, except where that changed the same place", () => {
    const draft = made(openDraft(CATALOG_TEXT), bays(2, 3));
    const elsewhere = rebase(draft, swap("grid_minutes: 60", "grid_minutes: 30"));
    expect(elsewhere.clashes).toEqual([]);
    expect(latest(elsewhere).catalog.scheduling).toMatchObject({ bays: 3, grid_minutes: 30 });
    const same = rebase(draft, swap("bays: 2 ", "bays: 5 "));
    expect(same.clashes).toMatchObject([{ theirs: 5 }]);
    expect(latest(same).catalog.scheduling.bays).toBe(5);
    expect(latest(takeTheirs(same)).catalog.scheduling.bays).toBe(5);
    expect(keepMine(same)).toMatchObject({ clashes: [], steps: [{ change: bays(5, 3) }] });
    expect(rebase(draft, swap("bays: 2 ", "bays: 3 "))).toMatchObject({ clashes: [], steps: [] });
  });

  test("finds a question by its words, wherever it stands in a newer file", () => {
    const change: Change = { kind: "faq", what: "question", was: first, now: { ...first, answer: "Ask us." } };
    const draft = made(openDraft(CATALOG_TEXT), change);
    expect(latest(draft).catalog.faq[0]).toEqual({ ...first, answer: "Ask us." });
    const newer = swap("faq:\n", "faq:\n  - {category: automotive, question: New?, answer: Yes.}\n");
    expect(latest(rebase(draft, newer)).catalog.faq[1]).toEqual({ ...first, answer: "Ask us." });
    const gone = rebase(draft, newer.replace(JSON.stringify(first.answer), '"Other."'));
    expect(gone.clashes.length).toBe(1);
  });
});

test("opening times as an owner types them", () => {
  expect(readOpeningTimes("closed")).toEqual([]);
  expect(readOpeningTimes("9-12, 13:00 – 24:00")).toEqual([
    { opens: "09:00", closes: "12:00" },
    { opens: "13:00", closes: "24:00" },
  ]);
  for (const typed of ["", "9", "9-12,", "12-9", "9-13, 12-18", "9-25"])
    expect(readOpeningTimes(typed)).toEqual(expect.any(String));
});

test("the estimate form: rows go round, choices turn and are found by their letters, blanks are left out", () => {
  const fields = fieldsOf(CATALOG, "vehicle");
  const vehicle = fields[0];
  const law = fields.at(-1);
  if (!vehicle || !law) throw new Error("no fields");
  const form = newForm(CATALOG);
  expect(moveBy(form, fields, -1).row.vehicle).toBe(fields.length - 1);
  expect(turn(form, vehicle, -1).values.vehicle_type).toBe("van");
  const found = [..."new j"].reduce((one, letter) => typeInField(one, law, letter), form);
  expect(found.values.jurisdiction).toBe("US-NJ");
  expect(Object.fromEntries(requestOf(form, fields))).toEqual({
    vehicle_type: ["sedan"],
    service: ["automotive"],
    coverage: ["full"],
    film_type: ["standard"],
    jurisdiction: ["US-GA"],
  });
});
