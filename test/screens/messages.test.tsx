/** What goes to customers, on the screens: messages that wait, paper, and texts. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { KIND_WORDS } from "../../cli/server/outbox.ts";
import { templateFieldsAt } from "../../src/catalog/settings.ts";
import { CUSTOMER_MESSAGES } from "../../src/constants.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { tint, tintJson } from "../cli/run.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { attemptOf, newJob, newLead } from "../store/conformance-values.ts";
import { openOn, type Terminal } from "./render.tsx";

setDefaultTimeout(60_000);

const BLOCKED = "the carrier blocks texts from unregistered senders (30034)";

/** A shop with a lead for each name; the text about it failed for all but the last. */
async function shopWithFailed(...names: string[]) {
  const folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const now = NOW.epochMilliseconds;
  for (const name of names)
    await store.addLead(
      newLead({ name, createdAt: now, jobs: [newJob("notify_shop_sms", { dueAt: now - 3_600_000 })] }),
    );
  const fresh = names.length - 1;
  const claim = { kinds: ["notify_shop_sms" as const], now, lastsMs: 1_000, fresh, retries: 9, running: [] };
  const jobs = await store.claimJobs(claim);
  await store.settleJobs(jobs.map((job) => ({ ...attemptOf(job), kind: "failed", reason: BLOCKED })));
  await store.close();
  return folder;
}

test("who was not reached and why; tried again, dropped, and all failed ones dropped after a yes", async () => {
  using folder = await shopWithFailed("Ann First", "Bob Second", "Cem Third", "Dee Fourth");
  const home = await openOn(folder, "home", { sees: "m shows them" });
  const all = await home.press("m").see(/Messages +3 failed, 1 waits/);
  expect(all).toMatch(/› Ann First +failed +news for the shop\n[\s\S]*Why: the carrier blocks texts .*\(30034\)\nTo /);
  await home.press("r").see(/Messages +2 failed, 2 wait[\s\S]*✓ Message 1 is due now/);
  await home.press("home", "x").see("Never send this message to Bob Second?");
  await home.press("y").see(/Messages +1 failed, 2 wait[\s\S]*✓ Message 2 is dropped/);
  await home.press("X").see("Never send the failed message?");
  await home.press("n").see("1 failed");
  await home.press("X", "y").see(/Messages +0 failed, 2 wait[\s\S]*✓ 1 failed message is dropped/);
  const never = await home.press("right").see(/Messages that were never sent +2/);
  expect(never).toMatch(/Cem Third +lapsed[\s\S]*Why: dropped by the shop/);
});

test("p on the card asks which paper; Enter sends it", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143"];
  const booked = await tint(folder, ["book", "suv", ...args, "--email", "robin@example.com", "--json"]);
  const { confirmation_code: code } = JSON.parse(booked.stdout);
  const terminal = await openOn(folder, "booking", { about: code, sees: "p paper" });
  await terminal.press("p").see("Which paper does the customer get?");
  await terminal.press("p").see(/^Receipt +[\s\S]*Page +\S+\/book\/receipt\//);
  await terminal.press("enter").see("How does Robin get the receipt?");
  await terminal.press("e").see("to Robin, robin@example.com, waits: e-mails are off");
  await terminal.press("enter", "e").see("the same e-mail waits already");
  await terminal.press("esc").see("p paper");
  await terminal.press("p", "q").see(/^Quote +[\s\S]*Valid until/);
  const mails = await tintJson(folder, ["outbox"]);
  expect(mails.filter(({ kind }: { kind: string }) => kind === "paper_email")).toHaveLength(1);
});

test("a lead's p shows its quote", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const { stdout } = await tint(folder, ["leads", "add", "--name", "Kim", "--vehicle", "21 camry", "--json"]);
  const { reference } = JSON.parse(stdout);
  const terminal = await openOn(folder, "lead", { about: reference, sees: "p paper" });
  await terminal.press("p").see(/^Quote +[\s\S]*For +Kim[\s\S]*Valid until/);
});

test("y after a move that nothing tells of: the customer asked for it, and need not be called", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const args = ["--date", dateFromNow(3), "--time", "09:00", "--name", "Robin", "--phone", "404-555-0143"];
  const { confirmation_code: code } = await tintJson(folder, ["book", "suv", ...args]);
  const terminal = await openOn(folder, "booking", { about: code, sees: "m move" });
  await terminal.press("m", ..."2pm", "enter").see(/Nobody is told[\s\S]*y the customer knows/);
  await terminal.press("y").see("Robin need not be called.");
  expect(await tintJson(folder, ["calls"])).toEqual([]);
  // Of a cancellation the customer knows nothing by the move before it.
  await terminal.press("m", ..."10am", "enter").see(/10:00 AM[\s\S]*y the customer knows/);
  await terminal.press("x", "s").see(/cancelled by the\s+shop[\s\S]*Nobody is told/);
  expect(terminal.frame()).not.toContain("y the customer knows");
});

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

/** Goes to a message further down in the list. */
async function goTo(terminal: Terminal, name: string): Promise<void> {
  const lines = terminal.frame().split("\n");
  const at = lines.findIndex((line) => line.startsWith("›"));
  const steps = lines.findIndex((line) => line.slice(2).startsWith(name)) - at;
  await terminal.press(...Array(steps).fill("down")).see(`› ${name}`);
}

test("the line breaks of an e-mail stay", async () => {
  using folder = shopFolder({ "messages.reminder_email.text": "Hello {name},\nsee you on {date}. {code}" });
  const terminal = await openOn(folder, "texts", { rows: 80, sees: "confirmation text" });
  await goTo(terminal, "reminder e-mail");
  await terminal.see(/Hello Jordan Sample, *\nsee you on /);
  await terminal.press("enter").see("Text: Hello {name},\\nsee you on");
  await terminal.press(..."!", "enter").see(/Hello Jordan Sample, *\nsee you on .*!/);
});

test.each([undefined, { services: ["automotive"], amount: 40 }])(
  "no preview has a brace left, with deposit: %p",
  async (deposit) => {
    // Texts have no room for all of them.
    const long = ["address", "service", "book_url", "directions_url", "pay_url"];
    const words = (kind: string, part: string) => {
      const fields = templateFieldsAt(["messages", kind, part]);
      return fields
        .filter((field) => kind.endsWith("email") || !long.includes(field))
        .map((field) => `{${field}}`)
        .join(" ");
    };
    const messages = CUSTOMER_MESSAGES.map((kind) => {
      const subject = words(kind, "subject");
      return [`messages.${kind}`, { enabled: true, text: words(kind, "text"), ...(subject && { subject }) }];
    });
    using folder = shopFolder({ ...Object.fromEntries(messages), deposit });
    const terminal = await openOn(folder, "texts", { columns: 200, rows: 80, sees: "confirmation text" });
    for (const kind of CUSTOMER_MESSAGES.slice(1)) {
      const frame = await terminal.press("down").see(`Preview of the ${KIND_WORDS[kind]}`);
      expect(frame).not.toMatch(/[{}]/);
      if (kind.startsWith("deposit_link")) expect(frame).toContain(deposit ? "$40 " : "$50 ");
    }
  },
);

test("what the shop is told is there, too: previewed, with the fields that it may name, also in a catalog without words of its own", async () => {
  const all = Object.keys(CATALOG.messages).filter((key) => key.startsWith("shop_"));
  using folder = shopFolder(Object.fromEntries(all.map((key) => [`messages.${key}`, undefined])));
  const terminal = await openOn(folder, "texts", {
    sees: "e-mail to the shop: nobody was called",
    rows: 80,
    columns: 120,
  });
  for (const about of ["a new booking", "a booking was changed", "a quote request", "many bookings", "many requests"])
    expect(terminal.frame()).toContain(`to the shop: ${about}`);
  await goTo(terminal, "text to the shop: a new booking");
  expect(terminal.frame()).toMatch(
    /New booking \w{8}: .*2024 Toyota Highlander \(SUV\), Ceramic IR film, full, \$599, Jordan/,
  );
  await terminal.press("enter").see(/It may name [\s\S]*\{vehicle\} \{film\} \{coverage\} \{extras\} \{phone\}/);
  await terminal.press("ctrl+u", ..."{vehicle}!", "enter").see(/^2024 Toyota Highlander \(SUV\)!$/m);
  await goTo(terminal, "e-mail to the shop: a quote request");
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
