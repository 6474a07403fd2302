/** The texts that customers get, with their preview. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
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
  const texts = await openOn(folder, "texts", { server, rows: 40, sees: /confirmation text +on, but texts are off/ });
  expect(texts.frame()).toMatch(/confirmation e-mail +o(n|ff)$/m);
  const messages = await openOn(folder, "messages", { server, sees: "Texts are off: nobody is told by text" });
  expect(messages.frame()).not.toContain("Everybody");
});

test("the line breaks of an e-mail stay", async () => {
  using folder = shopFolder({ "messages.reminder_email.text": "Hello {name},\nsee you on {date}. {code}" });
  const terminal = await openOn(folder, "texts", { sees: "confirmation text" });
  expect(
    await terminal.press(...Array(8).fill("down")).see("you asked us about Commercial window film, 120 sq ft"),
  ).not.toContain("{");
  await terminal.press(...Array(8).fill("down")).see(/Hello Jordan Sample, *\nsee you on /);
  await terminal.press("enter").see("Text: Hello {name},\\nsee you on");
  await terminal.press(..."!", "enter").see(/Hello Jordan Sample, *\nsee you on .*!/);
});

test("what the shop is told is there, too: previewed, with the fields that it may name, also in a catalog without words of its own", async () => {
  const all = Object.keys(CATALOG.messages).filter((key) => key.startsWith("shop_"));
  using folder = shopFolder(Object.fromEntries(all.map((key) => [`messages.${key}`, undefined])));
  const terminal = await openOn(folder, "texts", {
    sees: "e-mail to the shop: nobody was called",
    rows: 80,
    columns: 120,
  });
  for (const name of ["text", "e-mail"])
    for (const about of ["a new booking", "a booking was changed", "a quote request", "nobody was called yet"])
      expect(terminal.frame()).toContain(`${name} to the shop: ${about}`);
  for (const about of ["many bookings", "many requests"]) expect(terminal.frame()).toContain(`to the shop: ${about}`);
  const goTo = async (name: string) => {
    const lines = terminal.frame().split("\n");
    const at = lines.findIndex((line) => line.startsWith("›"));
    const steps = lines.findIndex((line) => line.slice(2).startsWith(name)) - at;
    await terminal.press(...Array(steps).fill("down")).see(`› ${name}`);
  };
  await goTo("text to the shop: a new booking");
  expect(terminal.frame()).toMatch(
    /New booking \w{8}: .*2024 Toyota Highlander \(SUV\), Ceramic IR film, full, \$599, Jordan/,
  );
  await terminal.press("enter").see(/It may name [\s\S]*\{vehicle\} \{film\} \{coverage\} \{extras\} \{phone\}/);
  await terminal.press("ctrl+u", ..."{vehicle}!", "enter").see(/^2024 Toyota Highlander \(SUV\)!$/m);
  await goTo("e-mail to the shop: a quote request");
  expect(terminal.frame()).toMatch(/Quote request Q-7F3A1B\s+Request: Commercial window film, 120 sq ft/);
  terminal.press("enter", "ctrl+u", ..."{code}", "enter");
  await terminal.see(/names \{code\}, which is not known/);
  await terminal.press("ctrl+u", ..."{phone} {note}", "enter").see(/^\(404\) 555-0123 *$/m);
  await terminal.press("s").see("Write this to catalog.yaml?");
  await terminal.press("y").see("✓ Saved 2 changes.");
  expect(folder.read()).toContain('shop_booking_sms: "{vehicle}!"');
  expect(folder.read()).toMatch(
    /shop_quote_email: \{.*subject: .*quote request \{reference\}.*text: .*\{phone\} \{note\}/,
  );
});
