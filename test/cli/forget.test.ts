/** `tint forget`: asks, refuses unclear requests, and erases. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openTerminal } from "../screens/tmux.ts";
import { newBooking, newJob, newKey, newLead } from "../store/conformance-values.ts";
import { tint } from "./run.ts";

setDefaultTimeout(30_000);

async function inStore<T>(folder: ShopFolder, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(folder.data);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A lead of Pat with a message that waits, a past booking of Pat, and a lead of somebody else. */
async function shopWithPat(): Promise<ShopFolder> {
  const folder = shopFolder();
  await inStore(folder, async (store) => {
    await store.addLead(newLead({ jobs: [newJob()] }));
    await store.book(newBooking({ startAt: NOW.epochMilliseconds - 3_600_000 }), 1, []);
    await store.addLead(newLead({ name: "Sam Rivera", phone: "+14045550199", email: "sam@example.com" }));
  });
  return folder;
}
const namesIn = (folder: ShopFolder) =>
  inStore(folder, async (store) => (await store.leads(["new"], 9)).map(({ name }) => name).sort());

test.each([["404-555-0111"], ["+1 404 555 0111"], ["PAT@example.com"]])("tint forget %s", async (typed) => {
  using folder = await shopWithPat();
  const { status, stdout, stderr } = await tint(folder, ["forget", typed, "--yes", "--json"]);
  expect(status).toBe(0);
  expect(stderr).toEndWith("\nErased: 2 leads, 1 booking, 1 message that now lapses.\n");
  expect(JSON.parse(stdout)).toEqual({ leads: 2, bookings: 1, messages: 1, keys: 0, file_clean: true, copies: [] });
  expect(await namesIn(folder)).toEqual(["(forgotten)", "(forgotten)", "Sam Rivera"]);
  for (const args of [["leads"], ["bookings", "--date", "2026-11-24"], ["outbox", "--all"]]) {
    const list = await tint(folder, args);
    expect(list.status).toBe(0);
    expect(list.stdout).not.toContain("Pat");
  }
});

test.each([["404-555-0111"], ["pat@example.com"]])(
  "tint forget %s lists what is under the other contacts too; without a terminal it stops there",
  async (typed) => {
    using folder = await shopWithPat();
    await inStore(folder, async (store) => {
      await store.addLead(newLead({ name: "Pat at work", phone: "+14045550122" }));
      await store.addLead(newLead({ name: "Pat at home", email: "home@example.com" }));
      await store.addKey(newKey({ name: "Pat's agent", email: "pat@example.com" }));
    });
    const listed = await tint(folder, ["forget", typed]);
    expect(listed).toMatchObject({ status: 1, stdout: "" });
    const [from, left] = typed.includes("@") ? ["Pat at home", "home@"] : ["Pat at work", "(404) 555-0122"];
    for (const words of [from, left, "Pat's agent", "pat@example.com", "Found: 4 leads, 1 booking,", "1 API key"])
      expect(listed.stderr).toContain(words);
    expect(listed.stderr).not.toContain("Sam Rivera");
    expect(listed.stderr).toContain("Nothing was erased: say --yes");
    expect(await namesIn(folder)).not.toContain("(forgotten)");

    const only = await tint(folder, ["forget", typed, "--only"]);
    expect(only.stderr).toContain("Found: 3 leads, 1 booking,");
    expect(only.stderr).not.toContain(from);
    expect((await tint(folder, ["forget", typed, "--yes"])).stderr).toContain("Erased: 4 leads, 1 booking,");
    expect((await namesIn(folder)).filter((name) => name.startsWith("Pat"))).toEqual([]);
    expect((await tint(folder, ["forget", "pat@example.com", "--yes"])).stderr).toContain("Nothing is stored");
  },
);

test("copies in the data folder and among the nightly backups that still hold the person are named, others are not", async () => {
  using folder = await shopWithPat();
  const inData = (name: string) => join(folder.data, name);
  await tint(folder, ["backup", inData("monday.db")]);
  await tint(folder, ["restore", inData("monday.db")]);
  await tint(folder, ["forget", "404-555-0111", "--yes"]);
  await tint(folder, ["backup", inData("clean.db")]);
  writeFileSync(inData("notes.txt"), "no database");
  writeFileSync(inData("tintdesk-replaced-20261121T140000123Z.db"), "damaged");
  const backups = join(folder.path, "backups");
  const nightly = async () => {
    await tint(folder, ["backup", "--keep", "14", backups]);
    return readdirSync(backups).filter((name) => name.endsWith(".db"));
  };
  const [clean] = await nightly();
  await inStore(folder, (store) => store.addLead(newLead()));
  const holding = (await nightly()).filter((name) => name !== clean).map((name) => join(backups, name));
  const { stderr, stdout } = await tint(folder, ["forget", "pat@example.com", "--yes", "--json"]);
  const named = readdirSync(folder.data).filter((name) => /^(monday|tintdesk-replaced-.*)\.db$/.test(name));
  expect(named).toHaveLength(3);
  const all = [...named.map(inData), ...holding].sort();
  expect(all).toHaveLength(4);
  expect(JSON.parse(stdout).copies).toEqual(all);
  expect(stderr).toContain(`The person is still in ${all.join(", ")}.`);
});

describe("refused, with nothing erased", () => {
  const CASES: [string[], number, string][] = [
    [["404-555-0111"], 1, "say --yes"],
    [["404-555-0142", "--yes"], 1, "Nothing is stored about +14045550142."],
    [["nobody@example.com", "--yes"], 1, "Nothing is stored about nobody@example.com."],
    [["Pat", "--yes"], 2, "neither a phone number nor an e-mail address"],
    [["pat@", "--yes"], 2, "pat@ must be an e-mail address"],
    [["--yes"], 2, "missing required argument"],
  ];
  test.each(CASES)("tint forget %p", async (args, status, says) => {
    using folder = await shopWithPat();
    const run = await tint(folder, ["forget", ...args]);
    expect(run).toMatchObject({ status, stdout: "" });
    expect(run.stderr).toContain(says);
    expect(await namesIn(folder)).toEqual(["Pat Example", "Pat Example", "Sam Rivera"]);
  });

  test("while a booking is to come, unless told --anyway", async () => {
    using folder = shopFolder();
    const booking = newBooking({ startAt: NOW.epochMilliseconds + 86_400_000, confirmationCode: "7F3A1B0C" });
    await inStore(folder, (store) => store.book(booking, 1, []));
    const refused = await tint(folder, ["forget", "pat@example.com", "--yes"]);
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toContain(
      "Still booked for Pat Example: 7F3A1B0C, Tue Nov 24, 9:00 AM. Cancel it first with tint bookings cancel CODE.",
    );
    expect(await namesIn(folder)).toEqual(["Pat Example"]);
    expect((await tint(folder, ["forget", "pat@example.com", "--yes", "--anyway"])).status).toBe(0);
    expect(await namesIn(folder)).toEqual(["(forgotten)"]);
    expect((await tint(folder, ["bookings", "show", "7F3A1B0C"])).stdout).toContain("(forgotten)");
  });
});

test("a terminal is asked, and only yes erases", async () => {
  using folder = await shopWithPat();
  await using terminal = await openTerminal(folder, { columns: 160, rows: 30 });
  for (const [answer, names] of [
    ["n", ["Pat Example", "Pat Example", "Sam Rivera"]],
    ["yes", ["(forgotten)", "(forgotten)", "Sam Rivera"]],
  ] as const) {
    await terminal
      .run("clear; tint forget pat@example.com; echo status $?")
      .see("It cannot be undone. Type y for yes:");
    await terminal.run(answer).see(answer === "yes" ? "status 0" : "Nothing was erased.");
    expect(await namesIn(folder)).toEqual([...names]);
  }
});
