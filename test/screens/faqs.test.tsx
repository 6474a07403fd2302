/** Questions and answers on screen: the list by category, the form, removing and undoing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { CATALOG, CATALOG_TEXT } from "../helpers.ts";
import { shopFolder } from "../process/server.ts";
import { openOn, SIZES, saveChange } from "./render.tsx";

setDefaultTimeout(90_000);

const FIRST = CATALOG.faq[0]?.question ?? "";

for (const size of SIZES) {
  test(`a question is added behind those of its category, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "faqs", size);
    await terminal.see(FIRST);
    terminal.press("right");
    await terminal.see(FIRST);
    terminal.press("right");
    await terminal.lose(FIRST);
    terminal.press("n");
    await terminal.see("‹ residential ›");
    terminal.press(..."Do you come to us?", "enter", ..."Yes, in Cobb.");
    await terminal.see("Yes, in Cobb.▏");
    terminal.press("enter");
    await terminal.see("1 unsaved change");
    await saveChange(terminal);
    const added = '  - category: residential\n    question: "Do you come to us?"\n    answer: "Yes, in Cobb."\n';
    const text = folder.read();
    expect(text).toContain(added);
    expect(text.replace(added, "")).toBe(CATALOG_TEXT);
  });
}

test("the answer below the list is the one that customers read; the form has it as it is written", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs");
  await terminal.see(FIRST);
  terminal.press("down");
  expect(await terminal.see("Wait about 4 days")).not.toContain("{scheduling");
  terminal.press("enter");
  await terminal.see("{scheduling.cure.keep_windows_up_days}");
});

test("an answer is changed and nothing else", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs");
  await terminal.see(FIRST);
  terminal.press("down", "enter");
  await terminal.see("Change a question");
  terminal.press("down", "ctrl+u", ..."After 5 days.", "ctrl+s");
  await terminal.see("1 unsaved change");
  await saveChange(terminal);
  const old = CATALOG.faq[1]?.answer ?? "";
  expect(folder.read()).toBe(CATALOG_TEXT.replace(JSON.stringify(old), () => '"After 5 days."'));
});

test("a question is removed, and brought back", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs");
  await terminal.see(FIRST);
  terminal.press("d");
  await terminal.lose(FIRST);
  terminal.press("u");
  await terminal.see(FIRST);
  terminal.press("d");
  await terminal.lose(FIRST);
  await saveChange(terminal);
  expect(folder.read()).not.toContain(FIRST);
});

test("an empty question is refused; what was typed is not dropped by the first Esc", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs");
  await terminal.see(FIRST);
  terminal.press("n");
  await terminal.see("A new question");
  terminal.press("ctrl+s");
  await terminal.see("✗ Write the question");
  terminal.press("W", "h", "y");
  await terminal.see("Why▏");
  terminal.press("esc");
  await terminal.see("✗ What you typed here is lost");
  terminal.press("esc");
  await terminal.see(FIRST);
  expect(folder.read()).toBe(CATALOG_TEXT);
});
