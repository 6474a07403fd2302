/** Edits of the catalog's text: the value changes, and every other byte stays. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isScalar, parseDocument } from "yaml";
import {
  insertItem,
  itemsRemoved,
  pathsRemoved,
  removeItem,
  scalarSet,
  setFlow,
  setScalar,
} from "../../src/catalog/edit/changes.ts";
import { applyChanges, linesOf, nodeAt, type TextChange } from "../../src/catalog/edit/layout.ts";
import { readLayout } from "../../src/catalog/load/values.ts";
import type { Path, ScalarValue } from "../../src/catalog/path.ts";
import { EditError } from "../../src/catalog/source.ts";
import { CATALOG_TEXT } from "../small-shop.ts";

const at = (text: string, path: Path): unknown =>
  path.reduce<unknown>((value, part) => Object(value)[part], readLayout(text).source);

/** Every single value of a catalog, with the place in the text. */
const SCALARS = (() => {
  const found: { path: Path; start: number; end: number }[] = [];
  const document = parseDocument(CATALOG_TEXT, { stringKeys: true });
  const walk = (value: unknown, path: Path): void => {
    if (typeof value !== "object" || value === null) {
      const node = document.getIn(path, true);
      if (isScalar(node) && node.range) found.push({ path, start: node.range[0], end: node.range[1] });
      return;
    }
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, item] of entries) walk(item, [...path, key]);
  };
  walk(document.toJS(), []);
  return found;
})();

const anyScalar: fc.Arbitrary<ScalarValue> = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: 99_999_999 }).map((cents) => cents / 100),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 20 }),
  // Texts that YAML could read as another value.
  fc.constantFrom(
    ...`yes|null|~|09:00|2026-12-24|1e3|0x10|- a|a: b|a # b|#|'|"|*a|&a|!x|@|%|>|[a]|{a}|a,b| a |\\|---|...|?|<<`.split(
      "|",
    ),
    ..."`|".split(""),
    ...["", "a\nb", "\t", "\u2028"],
  ),
);

describe("setScalar", () => {
  test("changes one value and leaves every other byte, for any place and any value", () => {
    expect(SCALARS.length).toBeGreaterThan(300);
    fc.assert(
      fc.property(fc.constantFrom(...SCALARS), anyScalar, ({ path, start, end }, value) => {
        const edited = setScalar(CATALOG_TEXT, path, value);
        expect(edited.slice(0, start)).toBe(CATALOG_TEXT.slice(0, start));
        const tail = CATALOG_TEXT.slice(end);
        expect(edited.slice(edited.length - tail.length)).toBe(tail);
        expect(edited.slice(start, edited.length - tail.length)).not.toMatch(/\n/);
        expect(at(edited, path)).toEqual(value);
      }),
      { numRuns: 15 },
    );
  }, 120_000);

  test.each<[before: string, path: Path, value: ScalarValue, after: string]>([
    ["a: 'x'\n", ["a"], "it's", "a: 'it''s'\n"],
    ['a: "x"\n', ["a"], "y", 'a: "y"\n'],
    ["a: x # note\n", ["a"], "y z", "a: y z # note\n"],
    ["a: x\n", ["a"], "yes", 'a: "yes"\n'],
    ["a: x\n", ["a"], "2026-12-24", 'a: "2026-12-24"\n'],
    ["a: x, y\n", ["a"], "y, z", "a: y, z\n"],
    ["{ a: x }\n", ["a"], "y, z", '{ a: "y, z" }\n'],
    ['a: "x"\n', ["a"], 5, "a: 5\n"],
    ["a:\nb: 1\n", ["a"], "x", "a: x\nb: 1\n"],
    ["a:   # note\nb: 1\n", ["a"], "x", "a: x   # note\nb: 1\n"],
    ["a: |\n  one\n  two\n\nb: 1\n", ["a"], "one\nthree\n", 'a: "one\\nthree\\n"\n\nb: 1\n'],
    ["a: x\r\nb: y\r\n", ["b"], "z", "a: x\r\nb: z\r\n"],
    ["\uFEFFa: x\n", ["a"], "z", "\uFEFFa: z\n"],
    ["a: x", ["a"], "z", "a: z"],
    ['a: "x"\n', ["a"], "\u001b[31m\u202e", 'a: "\\u001b[31m\\u202e"\n'],
    ["a:\n  b: 1 # note\n\n# end\n", ["a", "c"], 2, "a:\n  b: 1 # note\n  c: 2\n\n# end\n"],
    ["a: { b: 1 }\n", ["a", "c"], "x", "a: { b: 1, c: x }\n"],
    ["a:\n  {\n    b: 1, # note\n  }\n", ["a", "c"], 2, "a:\n  {\n    b: 1, # note\n    c: 2,\n  }\n"],
    ["a:\n  {\n    b: 1 # note\n  }\n", ["a", "c"], 2, "a:\n  {\n    b: 1, # note\n    c: 2\n  }\n"],
  ])("%j %j = %j", (before, path, value, after) => {
    expect(setScalar(before, path, value)).toBe(after);
  });

  test("writes money plainly, and with cents where the price had them", () => {
    const price: Path = ["automotive", "vehicle_types", "suv", "ceramic", "full"];
    const rate: Path = ["flat_glass", "rates_per_sqft", "residential", "good"];
    const written = (path: Path, value: number) => readLayoutSource(setScalar(CATALOG_TEXT, path, value), path);
    expect([written(price, 629), written(price, 629.5), written(price, 629.05)]).toEqual(["629", "629.50", "629.05"]);
    expect(written(rate, 17)).toBe("17.00");
    expect(written(["flat_glass", "films", "silver_18", "uv"], 99.5)).toBe("99.5");
  });

  test.each<[string, string, Path]>([
    ["the value is shared", "a: &x 1\nb: *x\n", ["a"]],
    ["the block text has a note", "a: | # note\n  one\nb: 1\n", ["a"]],
    ["it is a group", "a: { b: 1 }\n", ["a"]],
    ["its group does not exist", "a: 1\n", ["b", "c"]],
    ["the file is no YAML", "a: [1\n", ["a"]],
    ["the key has no colon of its own", "{ a, b: 1 }\n", ["a"]],
  ])("refuses when %s", (_, text, path) => {
    expect(() => setScalar(text, path, 5)).toThrow(EditError);
  });
});

/** A value as written in the text. */
function readLayoutSource(text: string, path: Path): unknown {
  const node = nodeAt(readLayout(text), path);
  return isScalar(node) ? node.source : undefined;
}

describe("lists", () => {
  test.each<[before: string, index: number | undefined, value: ScalarValue | object, after: string]>([
    ["l: [] # note\n", undefined, "2026-12-24", 'l: ["2026-12-24"] # note\n'],
    [
      "l: [ ]\n",
      undefined,
      { date: "2026-12-24", reason: "New Year's Eve" },
      'l: [{ date: "2026-12-24", reason: New Year\'s Eve } ]\n',
    ],
    ["l: [a, c]\n", 1, "b", "l: [a, b, c]\n"],
    ["l: [a]\n", undefined, "b", "l: [a, b]\n"],
    ["l: [a, ]\n", undefined, "b", "l: [a, b, ]\n"],
    ["l:\n  [\n    a, # one\n    c, # three\n  ]\n", 1, "b", "l:\n  [\n    a, # one\n    b,\n    c, # three\n  ]\n"],
    ["l:\n  [\n    a, # one\n  ]\n", undefined, "b", "l:\n  [\n    a, # one\n    b,\n  ]\n"],
    ["l:\n  [\n    a\n  ]\n", undefined, "b", "l:\n  [\n    a,\n    b\n  ]\n"],
    ["l:\n  - a # one\n\n# end\n", undefined, "b", "l:\n  - a # one\n  - b\n\n# end\n"],
    ["l:\n  # first\n  - b\n", 0, "a", "l:\n  # first\n  - a\n  - b\n"],
    ["l:\n- a\n- c", undefined, "d", "l:\n- a\n- c\n- d"],
    ["l:\r\n  - a\r\n", undefined, "b", "l:\r\n  - a\r\n  - b\r\n"],
    ["l:\n  - q: 'x'\n    a: y\n", undefined, { q: "b", a: "c" }, "l:\n  - q: 'x'\n    a: y\n  - q: 'b'\n    a: c\n"],
    ["l:\n  - { d: 1 }\n", undefined, { d: 2 }, "l:\n  - { d: 1 }\n  - { d: 2 }\n"],
    ["# { a }\nl:\n  - {d: 1}\n", undefined, { d: { e: 2 } }, "# { a }\nl:\n  - {d: 1}\n  - {d: {e: 2}}\n"],
    ["m: 1\n", undefined, "a", "m: 1\nl: [a]\n"],
  ])("insertItem %j", (before, index, value, after) => {
    expect(insertItem(before, ["l"], value, index)).toBe(after);
  });

  test.each<[before: string, index: number, after: string]>([
    ["l: [a]\n", 0, "l: []\n"],
    ["l: [a, b]\n", 0, "l: [b]\n"],
    ["l: [a, b]\n", 1, "l: [a]\n"],
    ["l: [ # note\n  a ]\n", 0, "l: [ # note\n   ]\n"],
    ["l:\n  [\n    a, # one\n    b, # two\n  ]\n", 0, "l:\n  [\n    b, # two\n  ]\n"],
    ["l:\n  - a # one\n  # about b\n  - b\nm: 1\n", 0, "l:\n  # about b\n  - b\nm: 1\n"],
    ["l:\n  - a\n  - q: 1\n    # inside\n    r: 2\n\n  # next\n  - c\n", 1, "l:\n  - a\n\n  # next\n  - c\n"],
    ["l: # days\n  # about\n  - a\nm: 1\n", 0, "l: [] # days\n  # about\nm: 1\n"],
    ["l:\n  - a\n  - b", 1, "l:\n  - a"],
    ["l:\r\n  - a\r\n  - b", 1, "l:\r\n  - a"],
  ])("removeItem %j %j", (before, index, after) => {
    expect(removeItem(before, ["l"], index)).toBe(after);
  });

  test("removing what was inserted gives the file back", () => {
    for (const path of [["faq"], ["scheduling", "blocked_dates"], ["business", "special_hours"], ["services"]]) {
      const list = at(CATALOG_TEXT, path);
      const count = Array.isArray(list) ? list.length : 0;
      const value = count > 0 ? Object(list)[0] : "2026-12-24";
      const inserted = insertItem(CATALOG_TEXT, path, value);
      expect(inserted.length).toBeGreaterThan(CATALOG_TEXT.length);
      expect(removeItem(inserted, path, count)).toBe(CATALOG_TEXT);
    }
  }, 30_000);

  test.each<[string, () => string]>([
    ["no such entry", () => removeItem("l: [a]\n", ["l"], 1)],
    ["not a list", () => insertItem("l: 1\n", ["l"], "a")],
    ["a list that is elsewhere", () => insertItem("k: &k [a]\nl: *k\n", ["l"], "b")],
    ["an entry on the line of its parent", () => removeItem("l:\n  - - a\n    - b\n", ["l", 0], 0)],
    ["notes inside", () => setFlow("l:\n  - a # note\n  - b\n", ["l"], ["c"])],
  ])("refuses %s", (_, edit) => {
    expect(edit).toThrow(EditError);
  });

  test("setFlow replaces a list in either style", () => {
    expect(setFlow("l: [a] # note\nm: 1\n", ["l"], [{ opens: "09:00" }])).toBe(
      'l: [{ opens: "09:00" }] # note\nm: 1\n',
    );
    expect(setFlow("l:\n  - a\n  - b\nm: 1\n", ["l"], [])).toBe("l: []\nm: 1\n");
    expect(setFlow("l:\n  - a: 1\n    b: 2\n  - c\n", ["l", 0], { a: 3 })).toBe("l:\n  - { a: 3 }\n  - c\n");
  });
});

describe("several changes at once", () => {
  const layout = readLayout("a: 1 # one\nl: # days\n  - x\n  - y\n  - z\nb: 2\n");
  const last = { from: layout.text.indexOf("b: 2"), to: layout.text.length, insert: "" };
  const gone: TextChange = { path: ["b"], splices: [last], update: () => undefined };

  test("are applied to the one text", () => {
    const changes = [scalarSet(layout, ["a"], 100), itemsRemoved(layout, ["l"], (i) => i !== 1)];
    expect(applyChanges(layout, changes)).toBe("a: 100 # one\nl: # days\n  - y\nb: 2\n");
    expect(applyChanges(layout, [itemsRemoved(layout, ["l"], () => true)])).toBe("a: 1 # one\nl: [] # days\nb: 2\n");
  });

  test("may be removals between the same brackets", () => {
    const row = readLayout("a: {b: 1, c: 2, d: {e: 3}, f: 4}\n");
    const without = (...words: string[]) => {
      const paths = words.map((word) => ["a", word]);
      return applyChanges(row, pathsRemoved(row, paths));
    };
    expect(without("b", "d")).toBe("a: {c: 2, f: 4}\n");
    expect(without("c", "d", "f")).toBe("a: {b: 1}\n");
    expect(without("b", "c", "d", "f")).toBe("a: {}\n");
  });

  test.each([
    ["", "b: 1,\n c: 2,\n d: 3", "b: 1,\n"],
    ["without the note of what goes", "b: 1, # b\n c: 2, # c\n d: 3", "b: 1, # b\n"],
    ["before one that stays", "d: 1,\n c: 2,\n b: 3", " b: 3"],
    ["all of it", "c: 1, # c\n d: 2", ""],
  ])("may be removals of lines between brackets %s", (_, entries, left) => {
    const row = readLayout(`a: {${entries}}\n`);
    const gone = ["d", "c"].map((word) => ["a", word]);
    expect(applyChanges(row, pathsRemoved(row, gone))).toBe(`a: {${left}}\n`);
  });

  test("may remove a key", () => {
    expect(applyChanges(layout, [gone])).toBe("a: 1 # one\nl: # days\n  - x\n  - y\n  - z\n");
  });

  test.each<[string, TextChange]>([
    ["say another value than meant", { ...scalarSet(layout, ["a"], 5), update: () => 6 }],
    ["touch a second value", { path: ["a"], splices: [{ from: 0, to: 4, insert: "a: 5\nc: 1" }], update: () => 5 }],
    ["leave no YAML", { path: ["a"], splices: [{ from: 3, to: 4, insert: "[" }], update: () => 5 }],
    ["leave a key that was to go", { ...gone, splices: [] }],
  ])("are refused when they %s", (_, change) => {
    expect(() => applyChanges(layout, [change])).toThrow(/^[ab] cannot be changed without changing other lines/);
  });
});

test("linesOf prints a place with its notes", () => {
  expect(linesOf(readLayout(CATALOG_TEXT), ["scheduling", "bays"])).toMatch(/^ {2}bays: 2 +# .*\n$/);
  expect(linesOf(readLayout("l:\n  - a # one\n  - b\n"), ["l", 1])).toBe("  - b\n");
});
