/** API keys: issued and shown once, rotated, revoked. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { issueKey } from "../../cli/server/keys.ts";
import { hashSecret } from "../../src/lib/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";

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
  await store.close();
});

test("an address that has a key already is refused in words", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys");
  for (const name of ["One", "Two"]) {
    await terminal.see("n new key");
    terminal.press("n", name, "enter", "same@example.com", "enter", "enter");
    if (name === "Two") break;
    await terminal.see("Copy it now");
    terminal.press("enter");
  }
  expect(await terminal.see("has a key already")).toContain("Issue a key");
  await terminal.press("esc").see("Leave? What was typed is lost.");
  expect(await terminal.press("y").see("n new key")).not.toContain("Two");
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

test("the columns are as wide as the longest cell in all rows, as printed, and stay while the list scrolls", async () => {
  using folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const long = "The Assistant With The Long Name";
  for (let i = 0; i < 30; i++) {
    const name = i === 0 ? long : `Bot ${i}`;
    await issueKey(store, { name, email: `bot${i}@example.com`, useCase: null, ratePerMinute: null, createdAt: i });
  }
  await store.close();
  const terminal = await openOn(folder, "keys", { columns: 120, rows: 24, sees: "Bot 29" });
  const headOf = (frame: string) => frame.split("\n").find((line) => /name +email/.test(line));
  const head = headOf(terminal.frame());
  expect(head).toContain(`  name${" ".repeat(long.length - 4)}  email`);
  expect(terminal.frame()).not.toContain(long);
  expect(headOf(await terminal.press("end").see(long))).toBe(head);
});
