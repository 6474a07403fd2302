/** Questions and answers on screen: the list by category, the form, removing and undoing. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { CATALOG, CATALOG_TEXT } from "../small-shop.ts";
import { openOn, SIZES, saveChange } from "./render.tsx";

setDefaultTimeout(90_000);

const FIRST = CATALOG.faq[0]?.question ?? "";

for (const size of SIZES) {
  test(`a question is added behind those of its category, at ${size.columns} columns`, async () => {
    using folder = shopFolder();
    const terminal = await openOn(folder, "faqs", { ...size, sees: FIRST });
    await terminal.press("right").see(FIRST);
    await terminal.press("right").lose(FIRST);
    await terminal.press("n").see("‹ residential ›");
    await terminal.press(..."Do you come to us?", "enter", ..."Yes, in Cobb.").see("Yes, in Cobb.▏");
    await terminal.press("enter").see("1 unsaved change");
    await saveChange(terminal);
    const added = '  - category: residential\n    question: "Do you come to us?"\n    answer: "Yes, in Cobb."\n';
    const text = folder.read();
    expect(text).toContain(added);
    expect(text.replace(added, "")).toBe(CATALOG_TEXT);
  });
}

test("the answer below the list is the one that customers read; the form has it as it is written", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  expect(await terminal.press("down").see("Wait about 4 days")).not.toContain("{scheduling");
  await terminal.press("enter").see("{scheduling.cure.keep_windows_up_days}");
});

test("an answer is changed and nothing else", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("down", "enter").see("Change a question");
  await terminal.press("down", "ctrl+u", ..."After 5 days.", "ctrl+s").see("1 unsaved change");
  await saveChange(terminal);
  const old = CATALOG.faq[1]?.answer ?? "";
  expect(folder.read()).toBe(CATALOG_TEXT.replace(JSON.stringify(old), () => '"After 5 days."'));
});

test("a question is removed, and brought back", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("x").lose(FIRST);
  await terminal.press("u").see(FIRST);
  await terminal.press("up", "x").lose(FIRST);
  await saveChange(terminal);
  expect(folder.read()).not.toContain(FIRST);
});

test("an empty question is refused; what was typed is not dropped by the first Esc", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "faqs", { sees: FIRST });
  await terminal.press("n").see("A new question");
  await terminal.press("ctrl+s").see("✗ Question is missing");
  await terminal.press("W", "h", "y").see("Why▏");
  await terminal.press("esc").see("What was typed is lost.");
  await terminal.press("y").see(FIRST);
  expect(folder.read()).toBe(CATALOG_TEXT);
});
