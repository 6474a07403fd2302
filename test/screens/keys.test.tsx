/** Keys on every screen: read, counted, named, and what the parts of the screens do with them. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
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
import { issueKey } from "../../cli/server/keys.ts";
import { hashSecret } from "../../src/lib/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { inStore } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";
import { openShop } from "./shop.ts";

setDefaultTimeout(90_000);

const KEY = /tint_live_\w{38}/;

function keyIn(frame: string): string {
  return KEY.exec(frame)?.[0] ?? "";
}

test("a key is issued by a form, shown once, rotated and revoked", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const terminal = await openOn(folder, "keys", { sees: "No keys yet. Press n to issue one." });
  await terminal.press("n").see("who the key is for");
  expect(await terminal.press("Example Bot", "enter", "nonsense", "enter", "600").see("600")).toContain(
    "Enter issue the key",
  );
  terminal.press("enter");
  // Back on the line that is wrong.
  const refused = await terminal.see("✗ E-mail must be an e-mail address, like name@example.com");
  expect(refused).toMatch(/› E-mail +nonsense▏/);
  expect(refused).not.toContain("tint_live_");
  for (let i = 0; i < "nonsense".length; i++) terminal.press("backspace");
  const first = keyIn(await terminal.press("bot@example.com", "enter", "enter").see("Copy it now"));
  expect(await store.findKey(hashSecret(first))).toMatchObject({ ratePerMinute: 600, isRevoked: false });

  await terminal.press(" ").see("Sent to the clipboard, if your terminal allows it.");
  expect(terminal.written()).toContain(`\u001b]52;c;${btoa(first)}\u0007`);
  await terminal.press("q").see("It cannot be shown again.");
  const list = await terminal.press("enter").see(/Example Bot +bot@example.com +600/);
  expect(list).not.toMatch(KEY);

  await terminal.press("x", "esc").see("n new key");
  const second = keyIn(await terminal.press("x", "r").see("Copy it now"));
  expect(second).not.toBe(first);
  expect(await store.findKey(hashSecret(first))).toBeNull();
  await terminal.press("enter").see("x revoke");
  await terminal.press("x").see("End the key of Example Bot");
  terminal.press("enter");
  expect(terminal.frame()).not.toContain("revoked ");
  await terminal.press("y").see("✓ The key of Example Bot is revoked.");
  expect(await store.findKey(hashSecret(second))).toMatchObject({ isRevoked: true });
  expect(await terminal.see(/600 +Sat Nov 21 +revoked/)).not.toContain("y yes, revoke");
  // Nothing stands before it that `u` could take back.
  expect(terminal.frame()).not.toContain("u undo");
  await store.close();
});

test("u does not take back the step before a change that stays, but says so first", async () => {
  await using api = openShop({}, NOW);
  const code = await api.book();
  const bot = { name: "Old Bot", email: "bot@example.com", useCase: null, ratePerMinute: null, createdAt: 0 };
  await issueKey(api.store, bot);
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => NOW, sees: "x cancel" });
  await terminal.press("x", "s").see(/cancelled by the shop|u undoes it/);
  await terminal.press(":", ..."api", "enter").see("Old Bot");
  await terminal.press("x", "y").see("✓ The key of Old Bot is revoked.");
  await terminal.press("u").see("✗ This cannot be undone: The key of Old Bot is revoked. u goes on");
  expect((await api.store.findBooking(code))?.status).toBe("cancelled_by_shop");
  await terminal.press("u").see("U does it again.");
  expect((await api.store.findBooking(code))?.status).toBe("confirmed");
});

test("an address that has a key already is refused in the form", async () => {
  using folder = shopFolder();
  const usual = { useCase: null, ratePerMinute: null, createdAt: 0 };
  await inStore(folder, (store) => issueKey(store, { name: "One", email: "same@example.com", ...usual }));
  const terminal = await openOn(folder, "keys", { sees: "n new key" });
  terminal.press("n", "Two", "enter", "same@example.com", "enter", "enter");
  expect(await terminal.see("has a key already")).toContain("Issue a key");
});

test("in the form every letter is typed; Esc and Ctrl+C work as elsewhere", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys", { sees: "n new key" });
  expect(await terminal.press("n", "q?", "down", "j", "up", "end", "k").see(/› Name +q\?k▏/)).toMatch(/E-mail +j/);
  // What was typed is not lost by a key pressed by mistake.
  await terminal.press("down", "up", "esc").see("Leave? What was typed is lost.");
  await terminal.press("x", "esc").see(/› Name +\[q\?k\][\s\S]*Enter next/);
  await terminal.press("ctrl+c").see("Leave? What was typed is lost.");
  expect(terminal.hasLeft()).toBe(false);
  await terminal.press("y").lose("Leave?");
  await terminal.leave();
  const empty = await openOn(folder, "keys", { sees: "n new key" });
  await empty.press("n").see("who the key is for");
  await empty.press("esc").see("No keys yet.");
  await empty.press("n").see("who the key is for");
  empty.press("ctrl+c");
  await empty.leave();
});

test("a rate that is no number of requests is refused in its line; none means the usual one", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys", { sees: "n new key" });
  await terminal
    .press("n", "Example Bot", "enter", "bot@example.com", "enter", "0", "enter")
    .see("✗ Requests a minute must be a whole number from 1 to");
  await terminal.press("backspace", "enter").see("Copy it now");
  await terminal.press("enter").see(/Example Bot +bot@example.com +\d+/);
  const store = openSqliteStore(folder.data);
  expect((await store.keys()).map(({ ratePerMinute }) => ratePerMinute)).toEqual([null]);
  await store.close();
});

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

test("a footer takes two lines at most, and always says go to, help, back and quit", () => {
  const many = Array.from({ length: 30 }, (_, i) => key(`${i}`, "something to do", () => {}));
  const always = { ":": "go to", "?": "help", esc: "back", q: "quit" };
  const closing = Object.entries(always).map(([on, does]) => key(on, does, () => {}));
  const lines = footerLines([...many, ...closing], 80);
  expect(lines.length).toBe(2);
  expect(lines.join("  ")).toEndWith(": go to  ? help  Esc back  q quit");
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
  expect(footerLines(closing, 80)).toEqual([": go to  ? help  Esc back  q quit"]);
});
