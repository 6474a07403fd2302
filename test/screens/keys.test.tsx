/** API keys: issued and shown once, rotated, revoked. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { hashSecret } from "../../src/lib/api-keys.ts";
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
  const terminal = await openOn(folder, "keys");
  await terminal.see("No keys yet. Press i to issue one.");
  terminal.press("i");
  await terminal.see("who the key is for");
  terminal.press("Example Bot", "enter", "nonsense", "enter", "600");
  expect(await terminal.see("600")).toContain("Enter issue the key");
  terminal.press("enter");
  // Back on the line that is wrong.
  const refused = await terminal.see("✗ E-mail must be an e-mail address, like name@example.com");
  expect(refused).toMatch(/› E-mail +nonsense▏/);
  expect(refused).not.toContain("tint_live_");
  for (let i = 0; i < "nonsense".length; i++) terminal.press("backspace");
  terminal.press("bot@example.com", "enter", "enter");
  const first = keyIn(await terminal.see("Copy it now"));
  expect(await store.findKey(hashSecret(first))).toMatchObject({ ratePerMinute: 600, isRevoked: false });

  terminal.press("c");
  await terminal.see("Sent to the clipboard, if your terminal allows it.");
  expect(terminal.written()).toContain(`\u001b]52;c;${btoa(first)}\u0007`);
  terminal.press("q");
  await terminal.see("It cannot be shown again.");
  terminal.press("enter");
  const list = await terminal.see(/Example Bot +bot@example.com +600/);
  expect(list).not.toMatch(KEY);

  terminal.press("r", "n");
  await terminal.see("i issue a key");
  terminal.press("r", "y");
  const second = keyIn(await terminal.see("Copy it now"));
  expect(second).not.toBe(first);
  expect(await store.findKey(hashSecret(first))).toBeNull();
  terminal.press("enter");
  await terminal.see("x revoke");
  terminal.press("x");
  await terminal.see("Revoke the key of Example Bot");
  terminal.press("enter");
  expect(terminal.frame()).not.toContain("revoked ");
  terminal.press("y");
  await terminal.see("✓ The key of Example Bot is revoked.");
  expect(await store.findKey(hashSecret(second))).toMatchObject({ isRevoked: true });
  expect(await terminal.see(/600 +Sat Nov 21 +revoked/)).not.toContain("x revoke");
  await store.close();
});

test("an address that has a key already is refused in words", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys");
  for (const name of ["One", "Two"]) {
    await terminal.see("i issue a key");
    terminal.press("i", name, "enter", "same@example.com", "enter", "enter");
    if (name === "Two") break;
    await terminal.see("Copy it now");
    terminal.press("enter");
  }
  expect(await terminal.see("has a key already")).toContain("Issue a key");
  terminal.press("esc");
  expect(await terminal.see("i issue a key")).not.toContain("Two");
});

test("in the form every letter is typed; Esc and Ctrl+C work as elsewhere", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys");
  await terminal.see("i issue a key");
  terminal.press("i", "q?", "down", "j", "up", "end", "k");
  expect(await terminal.see(/› Name +q\?k▏/)).toMatch(/E-mail +j/);
  terminal.press("up", "esc");
  await terminal.see("No keys yet.");
  terminal.press("i");
  await terminal.see("who the key is for");
  terminal.press("ctrl+c");
  await terminal.leave();
});

test("a rate that is no number of requests is refused in its line; none means the usual one", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "keys");
  await terminal.see("i issue a key");
  terminal.press("i", "Example Bot", "enter", "bot@example.com", "enter", "0", "enter");
  await terminal.see("✗ Requests a minute must be a whole number from 1 to");
  terminal.press("backspace", "enter");
  await terminal.see("Copy it now");
  terminal.press("enter");
  await terminal.see(/Example Bot +bot@example.com +\d+/);
  const store = openSqliteStore(folder.data);
  expect((await store.keys()).map(({ ratePerMinute }) => ratePerMinute)).toEqual([null]);
  await store.close();
});
