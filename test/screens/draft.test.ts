/** The draft behind the catalog's screens: changes, undo, and another editor who saves meanwhile. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Change, shown } from "../../cli/screens/editor/change.ts";
import {
  changesToSave,
  clashAt,
  type Draft,
  isUnsaved,
  keepMine,
  latest,
  makeChange,
  openDraft,
  rebase,
  takeTheirs,
  undo,
} from "../../cli/screens/editor/draft.ts";
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
const grid = (was: number, now: number): Change => ({
  kind: "value",
  what: "grid",
  path: ["scheduling", "grid_minutes"],
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

  test("finds a question by its words, wherever it is in a newer file", () => {
    const change: Change = { kind: "faq", what: "question", was: first, now: { ...first, answer: "Ask us." } };
    const draft = made(openDraft(CATALOG_TEXT), change);
    expect(latest(draft).catalog.faq[0]).toEqual({ ...first, answer: "Ask us." });
    const newer = swap("faq:\n", "faq:\n  - {category: automotive, question: New?, answer: Yes.}\n");
    expect(latest(rebase(draft, newer)).catalog.faq[1]).toEqual({ ...first, answer: "Ask us." });
    const gone = rebase(draft, newer.replace(JSON.stringify(first.answer), '"Other."'));
    expect(gone.clashes.length).toBe(1);
  });

  test("a change to the value that stands there already is no step", () => {
    const draft = openDraft(CATALOG_TEXT);
    expect(makeChange(draft, bays(2, 2))).toBe(draft);
  });

  test("undo takes back the last step; without steps it drops the last clash", () => {
    const two = made(openDraft(CATALOG_TEXT), bays(2, 3), grid(60, 30));
    expect(undo(two).steps.map(({ change }) => change.what)).toEqual(["bays"]);
    const clashing = rebase(two, swap("bays: 2 ", "bays: 5 "));
    expect(clashing).toMatchObject({ steps: [{ change: grid(60, 30) }], clashes: [{ theirs: 5 }] });
    const onlyClash = undo(clashing);
    expect(onlyClash).toMatchObject({ steps: [], clashes: [{ theirs: 5 }] });
    expect(isUnsaved(onlyClash)).toBe(true);
    expect(isUnsaved(undo(onlyClash))).toBe(false);
    expect(undo(undo(onlyClash))).toEqual(undo(onlyClash));
  });

  test("a value typed in sight of the other editor's decides that clash and no other", () => {
    const draft = made(openDraft(CATALOG_TEXT), bays(2, 3), grid(60, 30));
    const both = rebase(draft, swap("bays: 2 ", "bays: 5 ", swap("grid_minutes: 60", "grid_minutes: 20")));
    expect(both.clashes.map(({ theirs }) => theirs)).toEqual([5, 20]);
    const decided = made(both, bays(5, 4));
    expect(decided.clashes.map(({ change }) => change.what)).toEqual(["grid"]);
    expect(clashAt(decided, ["scheduling", "grid_minutes"])?.theirs).toBe(20);
    expect(clashAt(decided, ["scheduling", "bays"])).toBeUndefined();
  });

  test("sums up a single day that was given hours and taken away again as no change", () => {
    const draft = made(openDraft(CATALOG_TEXT), day(null, CLOSED), day(CLOSED, { ...CLOSED, reason: "Inventory" }));
    expect(changesToSave(draft)).toEqual([day(null, { ...CLOSED, reason: "Inventory" })]);
    expect(changesToSave(made(draft, day({ ...CLOSED, reason: "Inventory" }, null)))).toEqual([]);
  });

  test("a single day that another editor gave other hours clashes; either can be kept", () => {
    const draft = made(openDraft(CATALOG_TEXT), day(null, CLOSED));
    const theirs = latest(made(openDraft(CATALOG_TEXT), day(null, { ...CLOSED, reason: "Theirs" }))).text;
    const clashing = rebase(draft, theirs);
    expect(clashing.clashes).toMatchObject([{ theirs: { reason: "Theirs" } }]);
    const mine = keepMine(clashing);
    if (typeof mine === "string") throw new Error(mine);
    expect(specialDay(mine)).toEqual(specialDay(draft));
    expect(specialDay(takeTheirs(clashing))).toMatchObject({ reason: "Theirs" });
  });

  test("a question that another editor changed: the owner's words or removal can be kept", () => {
    const mine = { ...first, answer: "Mine." };
    const newer = CATALOG_TEXT.replace(JSON.stringify(first.answer), '"Theirs."');
    const change: Change = { kind: "faq", what: "question", was: first, now: mine };
    const kept = keepMine(rebase(made(openDraft(CATALOG_TEXT), change), newer));
    if (typeof kept === "string") throw new Error(kept);
    expect(latest(kept).catalog.faq).toEqual(CATALOG.faq.with(0, mine));
    const removal: Change = { ...change, now: null };
    const removed = keepMine(rebase(made(openDraft(CATALOG_TEXT), removal), newer));
    if (typeof removed === "string") throw new Error(removed);
    expect(latest(removed).catalog.faq).toEqual(CATALOG.faq.slice(1));
  });

  test("a question that another editor removed: the owner's words can be kept, a removal is done already", () => {
    const mine = { ...first, answer: "Mine." };
    const newer = latest(made(openDraft(CATALOG_TEXT), { kind: "faq", what: "gone", was: first, now: null })).text;
    const change: Change = { kind: "faq", what: "question", was: first, now: mine };
    const clashing = rebase(made(openDraft(CATALOG_TEXT), change), newer);
    expect(clashing.clashes).toMatchObject([{ theirs: null }]);
    const kept = keepMine(clashing);
    if (typeof kept === "string") throw new Error(kept);
    expect(latest(kept).catalog.faq).toContainEqual(mine);
    const removal: Change = { ...change, now: null };
    expect(rebase(made(openDraft(CATALOG_TEXT), removal), newer)).toMatchObject({ steps: [], clashes: [] });
  });

  test("a new question never clashes", () => {
    const change: Change = { kind: "faq", what: "new question", was: null, now: { ...first, question: "New?" } };
    const newer = CATALOG_TEXT.replace(JSON.stringify(first.answer), '"Theirs."');
    expect(rebase(made(openDraft(CATALOG_TEXT), change), newer)).toMatchObject({ steps: [{ change }], clashes: [] });
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
