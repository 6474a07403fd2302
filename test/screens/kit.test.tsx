/** The kit: fitting text, typing, lists, footers. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { footerLines, key } from "../../cli/screens/kit/bindings.tsx";
import { visible } from "../../cli/screens/kit/list.tsx";
import { cut, cutLine, fit, wrap, wrapTo } from "../../cli/screens/kit/text.tsx";
import {
  lineOf,
  selected,
  shownLine,
  type TypedLine,
  trimmedText,
  typeInto,
} from "../../cli/screens/kit/typed-line.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";

const text = fc.string({ unit: "grapheme", maxLength: 60 });

describe("fit", () => {
  test("is exactly as wide as asked, for any text", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (given, width) => {
        expect(Bun.stringWidth(fit(given, width))).toBe(width);
        expect(fit(given, width)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        // A single character may be wider than a very narrow line.
        for (const line of wrap(given, width + 8)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width + 8);
      }),
    );
  });

  test.each([
    ["Jordan", 6, "Jordan"],
    ["Jordan", 5, "Jord…"],
    ["山田太郎", 5, "山田…"],
    ["山田太郎", 4, "山…"],
    ["a\u001b[2Jb\nc", 20, "a [2Jb c"],
  ])("cut %j to %d", (given, width, expected) => expect(cut(given, width)).toBe(expected));

  test("wrap keeps every word", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(wrap("", 3)).toEqual([""]);
    expect(wrapTo("one two three", 7, 2)).toEqual(["one two", "three"]);
    expect(wrapTo("one two three four", 7, 2)).toEqual(["one two", "three…"]);
  });

  test("a quoted line keeps its spaces", () => expect(cutLine("  7 |   a:  b", 11)).toBe("  7 |   a:…"));
});

describe("a line being typed", () => {
  const typed = (...presses: string[]) =>
    presses.reduce((line, name) => typeInto(line, { name, text: name.length === 1 ? name : "" }), lineOf("ab"));

  test.each([
    [["c"], "abc"],
    [["left", "c"], "acb"],
    [["home", "c"], "cab"],
    [["backspace"], "a"],
    [["home", "backspace"], "ab"],
    [["home", "delete"], "b"],
    [["left", "ctrl+u"], "b"],
    [["up"], "ab"],
  ])("%j", (presses, expected) => expect(typed(...presses).characters.join("")).toBe(expected));

  test.each([
    [["c", "d"], "cd"],
    [["up", "c"], "c"],
    [["right", "c"], "abc"],
    [["left", "c"], "acb"],
    [["end", "c"], "abc"],
    [["backspace", "c"], "ac"],
    [["ctrl+u", "c"], "c"],
  ])("selected: %j", (presses, expected) => {
    const pressed = (line: TypedLine, name: string) => typeInto(line, { name, text: name.length === 1 ? name : "" });
    expect(trimmedText(presses.reduce(pressed, selected(lineOf("ab"))))).toBe(expected);
    expect(trimmedText(typeInto(selected(lineOf("ab")), { name: "paste", text: "pasted" }))).toBe("pasted");
    expect(shownLine(selected(lineOf("ab")), 6, true)).toBe("[ab]  ");
  });

  test("shows the part around the caret, exactly as wide as asked", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 20 }), fc.nat(60), (given, width, steps) => {
        let line = lineOf(given);
        for (let i = 0; i < steps; i++) line = typeInto(line, { name: "left", text: "" });
        const shown = shownLine(line, width, true);
        expect(Bun.stringWidth(shown)).toBe(width);
        expect(shown).toContain("▏");
      }),
    );
  });
});

test("the selected row of a list is always drawn, and all rows fit the room", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 40 }), fc.nat(199), (total, room, at) => {
      const selected = at % total;
      const { first, count, above, below } = visible(total, selected, room);
      expect(selected).toBeGreaterThanOrEqual(first);
      expect(selected).toBeLessThan(first + count);
      if (room > 2) expect({ all: above + count + below, first }).toEqual({ all: total, first: above });
      expect(count + Number(above > 0) + Number(below > 0)).toBeLessThanOrEqual(room);
    }),
  );
});

test("a footer takes two lines at most, and always says help, back and quit", () => {
  const many = Array.from({ length: 30 }, (_, i) => key(`${i}`, "something to do", () => {}));
  const closing = [key("?", "help", () => {}), key("esc", "back", () => {}), key("q", "quit", () => {})];
  const lines = footerLines([...many, ...closing], 80);
  expect(lines.length).toBe(2);
  expect(lines.join("  ")).toEndWith("? help  Esc back  q quit");
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expect(footerLines(closing, 80)).toEqual(["? help  Esc back  q quit"]);
});

test("? explains every key, and its keys close it again", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "diary", { sees: "Nothing is booked" });
  for (const close of ["?", "esc", "q"]) {
    const help = await terminal.press("?").see("Esc close the help");
    expect(help).toContain("Show the week.");
    expect(help).toContain("Leave the program.");
    await terminal.press(close).see("Nothing is booked");
  }
  expect(terminal.frame()).toContain("9:00 AM–3:00 PM");
});
