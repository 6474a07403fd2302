/** The texts that customers get, with their preview. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";

setDefaultTimeout(60_000);

test("a text is previewed, reworded, switched on and saved; a wrong field is refused", async () => {
  using folder = shopFolder({ "messages.ready_sms.text": "{shop}: your vehicle is ready, {name}." });
  const terminal = await openOn(folder, "home");
  await terminal.see("t  Texts");
  terminal.press("t");
  await terminal.see(/› confirmation text +off[\s\S]*Preview of the confirmation text \(\d+ characters, \d texts?\)/);
  terminal.press("down", "down", "down", "down");
  await terminal.see("your vehicle is ready, Jordan Sample.");
  terminal.press("enter", "ctrl+u", ..."Come, {nam}! {code}", "enter");
  // What was typed stays, with the reason beside it.
  expect(await terminal.see(/did you mean \{name\}\?/)).toContain("Text: Come, {nam}! {code}▏");
  terminal.press(...Array(9).fill("left"), "e", "enter");
  await terminal.see(/^Come, Jordan Sample! \w{8}$/m);
  terminal.press(" ");
  await terminal.see(/› text that the vehicle is ready +on/);
  terminal.press("s");
  await terminal.see("Write this to catalog.yaml?");
  await terminal.see(/ready_sms\.text: it lacks the link \{directions_url\}/);
  terminal.press("y");
  await terminal.see("✓ Saved 2 changes.");
  expect(folder.read()).toMatch(/ready_sms:.*\n +enabled: true\n +text: "Come, \{name\}! \{code\}"/);
});

test("the line breaks of an e-mail stay", async () => {
  using folder = shopFolder({ "messages.reminder_email.text": "Hello {name},\nsee you on {date}. {code}" });
  const terminal = await openOn(folder, "texts");
  await terminal.see("confirmation text");
  terminal.press(...Array(8).fill("down"));
  expect(await terminal.see("you asked us about Commercial window film, 120 sq ft")).not.toContain("{");
  terminal.press("down", "down");
  await terminal.see(/Hello Jordan Sample, *\nsee you on /);
  terminal.press("enter");
  await terminal.see("Text: Hello {name},\\nsee you on");
  terminal.press(..."!", "enter");
  await terminal.see(/Hello Jordan Sample, *\nsee you on .*!/);
});
