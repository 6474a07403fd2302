/** The texts that customers get, with their preview. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";

setDefaultTimeout(60_000);

test("a text is previewed, reworded, switched on and saved; a wrong field is refused", async () => {
  using folder = shopFolder({ "messages.ready_sms.text": "{shop}: your vehicle is ready, {name}." });
  const terminal = await openOn(folder, "home", { sees: "t  Texts" });
  await terminal
    .press("t")
    .see(/› confirmation text +off[\s\S]*Preview of the confirmation text \(\d+ characters, \d texts?\)/);
  await terminal.press("down", "down", "down", "down").see("your vehicle is ready, Jordan Sample.");
  terminal.press("enter", "ctrl+u", ..."Come, {nam}! {code}", "enter");
  // What was typed stays, with the reason beside it.
  expect(await terminal.see(/did you mean \{name\}\?/)).toContain("Text: Come, {nam}! {code}▏");
  await terminal.press(...Array(9).fill("left"), "e", "enter").see(/^Come, Jordan Sample! \w{8}$/m);
  await terminal.press(" ").see(/› text that the vehicle is ready +on/);
  await terminal.press("s").see("Write this to catalog.yaml?");
  await terminal.see(/ready_sms\.text: it lacks the link \{directions_url\}/);
  await terminal.press("y").see("✓ Saved 2 changes.");
  expect(folder.read()).toMatch(/ready_sms:.*\n +enabled: true\n +text: "Come, \{name\}! \{code\}"/);
});

test("while texts are off, a message that is on says so, and none was told by text", async () => {
  using folder = shopFolder({ "messages.confirmation_sms.enabled": true });
  const server = { at: "127.0.0.1:8080", says: { status: "ready", jobs: { off: ["sms"] } } };
  const texts = await openOn(folder, "texts", { server, sees: /confirmation text +on, but texts are off/ });
  expect(texts.frame()).toMatch(/confirmation e-mail +o(n|ff)$/m);
  await openOn(folder, "texts", { server, columns: 40, rows: 20, sees: /confirmation text +texts off/ });
  const messages = await openOn(folder, "messages", { server, sees: "Texts are off: nobody is told by text" });
  expect(messages.frame()).not.toContain("Everybody");
});

test("the line breaks of an e-mail stay", async () => {
  using folder = shopFolder({ "messages.reminder_email.text": "Hello {name},\nsee you on {date}. {code}" });
  const terminal = await openOn(folder, "texts", { sees: "confirmation text" });
  expect(
    await terminal.press(...Array(8).fill("down")).see("you asked us about Commercial window film, 120 sq ft"),
  ).not.toContain("{");
  await terminal.press("down", "down").see(/Hello Jordan Sample, *\nsee you on /);
  await terminal.press("enter").see("Text: Hello {name},\\nsee you on");
  await terminal.press(..."!", "enter").see(/Hello Jordan Sample, *\nsee you on .*!/);
});
