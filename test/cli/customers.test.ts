/** `tint find` and `tint forget`: customers by name, phone, e-mail or code, and how their data is erased. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { csv } from "../../cli/terminal/lists.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { openTerminal } from "../screens/tmux.ts";
import { newBooking, newJob, newKey, newLead } from "../store/conformance-values.ts";
import { expectRefusals, inStore, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const GARCIA = { customer_name: "José García", customer_phone: "(404) 555-0171", customer_email: "jose@example.com" };

/** A customer with two bookings, one of them completed, and a quote request with a note; and somebody else. */
async function shopWithGarcia(): Promise<{ folder: ShopFolder; code: string }> {
  const folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const car = { vehicle_year: 2019, vehicle_make: "Toyota", vehicle_model: "Camry", vehicle_type: "sedan" };
  const code = await api.book({ ...GARCIA, ...car, date: "2026-11-23", time: "09:00" });
  await api.store.changeBookingStatus(code, "completed", Date.parse("2026-11-23T19:00:00Z"));
  await api.book({ ...GARCIA, customer_name: "Jose Garcia", date: "2026-11-24", time: "09:00" });
  await api.ask({ first_name: "José", phone: "+1 404 555 0171" });
  const lead = (await api.store.leads(["new"], 9)).find(({ kind }) => kind === "quote_request");
  const note = "wants the office done too";
  await api.store.moveLead({ id: lead?.id ?? "", to: "contacted", note, at: NOW.epochMilliseconds });
  await api.book({ customer_name: "Ann Other", date: "2026-11-24", time: "14:00" });
  return { folder, code };
}

test("a customer is found by name, phone, e-mail, car or code, also with a slip, and shown on one card", async () => {
  const { folder, code } = await shopWithGarcia();
  using _ = folder;
  const cards = new Set<string>();
  for (const typed of [
    ...["garcia", "Garcia jose", "404.555.0171", "+1 404 555 0171", "555-0171", "JOSE@example", "2019 camry"],
    ...["garzia", "jose gracía", code.toLowerCase()],
  ]) {
    const run = await tint(folder, `find ${typed}`);
    expect({ typed, ...run }).toMatchObject({ typed, status: 0, stderr: "" });
    cards.add(run.stdout);
  }
  const [stdout = "", ...others] = cards;
  expect(others).toEqual([]);
  expect(stdout).toMatch(/^Customer +José García, Jose Garcia, José$/m);
  expect(stdout).toMatch(/^Phone +\(404\) 555-0171$/m);
  expect(stdout).toMatch(/^Vehicle .*2019 Toyota Camry \(sedan\)/m);
  expect(stdout).toMatch(/^Completed +1 booking, \$\d/m);
  expect(stdout).toMatch(/^To come +1 booking, \$\d/m);
  expect(stdout).toContain(`${code}, completed: ceramic tint`);
  expect(stdout).toContain("asked for a quote (commercial), contacted");
  expect(stdout.match(/Note: .*/g)).toEqual(["Note: wants the office done too"]);
});

test("several customers are a table, JSON and CSV; nobody is exit status 1", async () => {
  const { folder, code } = await shopWithGarcia();
  using _ = folder;
  const listed = await tint(folder, ["find", "example.com"]);
  expect(listed.stdout).toMatch(/^name +phone +e-mail +vehicle +visits +amount +last\n.*\n.*\n$/);
  const json = await tintJson(folder, ["find", "example.com"]);
  expect(json.map(({ names }: { names: string[] }) => names[0])).toEqual(["Ann Other", "José García"]);
  expect(json[1].bookings.at(-1)).toMatchObject({ confirmation_code: code, status: "completed" });
  expect(json[1].amounts.completed.USD).toBeGreaterThan(0);
  const { stdout } = await tintCsv(folder, ["find", "example.com"]);
  expect(stdout).toMatch(
    /^name,phone,email,vehicles,visits,amount,last_date,paid,phone_extension\nAnn Other,\(404\) 555-\d+,.*,0,0,2026-11-24,0,\n/,
  );
  expect(stdout).toMatch(/\nJosé García,\(404\) 555-0171,.*,1,\d+,2026-11-24,0,\n$/);
  const limited = await tint(folder, ["find", "example.com", "--limit", "1"]);
  expect(limited).toMatchObject({ stdout: expect.stringContaining("Ann"), stderr: expect.stringContaining("--limit") });
  expect(await tint(folder, ["find", "nobody"])).toEqual({ status: 1, stdout: "", stderr: "Nobody fits nobody.\n" });
  expect((await tint(folder, ["find", "nobody", "--json"])).stdout).toBe("[]\n");
});

test("a cell of a spreadsheet is quoted where needed, and never a formula", () => {
  const CASES: [string | number | null, string][] = [
    ['say "hi", Pat', '"say ""hi"", Pat"'],
    ["=1+1", "'=1+1"],
    [" =cmd", "' =cmd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["＋1-2", "'＋1-2"],
    ["－x", "'－x"],
    ["-x", "'-x"],
    ["＝1+1", "'＝1+1"],
    ["1MAR2026", "'1MAR2026"],
    ["1.50", "'1.50"],
    ["two\nlines", "two lines"],
    ["+14045550171", "'+14045550171"],
    ["12345E67", "'12345E67"],
    ["12345678", "12345678"],
    ["3-4", "'3-4"],
    ["2026-11-24", "2026-11-24"],
    ["علی\u200cرضا 👨\u200d👩\u200d👧", "علی\u200cرضا 👨\u200d👩\u200d👧"],
    [" ＠SUM(A1)", "' ＠SUM(A1)"],
    ["a;=1+1; ＠b", "\"a;'=1+1;' ＠b\""],
    ['a;"=1+1', '"a;\'""=1+1"'],
    [-12.5, "-12.5"],
    [null, ""],
  ];
  for (const [value, written] of CASES) expect(csv(["a"], [[value]])).toBe(`a\r\n${written}\r\n`);
});

test("on the card, the next visit first, Enter opens it, keys name it, and l opens the last lead; / looks for somebody else", async () => {
  const { folder } = await shopWithGarcia();
  using _ = folder;
  const terminal = await openOn(folder, "home", { sees: "/  Find" });
  await terminal.press("/").see("Name, phone, e-mail, vehicle or code");
  await terminal.press(..."garcia", "enter").see("Enter open");
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 60 }));
  await api.book({ ...GARCIA, date: "2026-12-01", time: "09:00" });
  const card = await terminal.press("enter").see("Enter next visit");
  expect(card).toMatch(/Tue Nov 24, 9:00 AM[\s\S]*Tue Dec 1, 9:00 AM[\s\S]*Mon Nov 23, 9:00 AM/);
  expect(card).toMatch(/n book again {2}m move Tue Nov 24, 9:00 AM, SUV {2}Tab other visit/);
  await terminal.press("enter").see(/^Booking \w{8}[\s\S]*Jose Garcia/);
  await terminal.press("esc").see("l lead");
  await terminal.press("l").see(/^Lead \S+[\s\S]*Jos[eé]/);
  await terminal.press("esc").see("Customer (404) 555-0171");
  await terminal.press("esc").see("Find: garcia");
  await terminal.press("/").see("Name, phone, e-mail, vehicle or code");
  await terminal.press("ctrl+u", "enter").see("Type a part of it, or press Esc.");
  await terminal.press(..."zzz", "enter").see("Nobody fits zzz.");
  await terminal.press("/", "esc", "esc").see("/  Find");
});

test("a number without a customer says so, and offers nothing to open", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "customer", { about: "+14045550199" });
  const frame = await terminal.see("Nothing is stored under this number.");
  expect(frame).not.toContain("last booking");
});

test("a typo or a missing apostrophe finds nobody else than the nearest; a walk-in is found by name and code", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const people = [
    ["Ana Gonzales", "--phone", "404-555-0161"],
    ["Pat O'Brien", "--phone", "404-555-0162"],
    ["Walker Innes"],
    ["Maria Vega"],
    ["Karen Holt"],
  ];
  for (const [i, who] of people.entries())
    await tintJson(folder, ["book", "suv", "--date", dateFromNow(3 + i), "--time", "9am", "--name", ...who]);
  const found = async (typed: string) => (await tint(folder, ["find", typed])).stdout.match(/^Customer +(.*)$/m)?.[1];
  expect(await found("gonsales")).toBe("Ana Gonzales");
  expect(await found("obrien")).toBe("Pat O'Brien");
  expect(await found("inness")).toBe("Walker Innes");
  expect(await found("gonsbles")).toBe("Ana Gonzales");
  expect(await found("gensbler")).toBeUndefined();
  // Two swapped letters are one mistake, wherever they stand.
  for (const typed of ["marai", "maira", "amria", "mraia"])
    expect([typed, await found(typed)]).toEqual([typed, "Maria Vega"]);
  for (const typed of ["kraen", "akren"]) expect([typed, await found(typed)]).toEqual([typed, "Karen Holt"]);
});

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

test.each([["404-555-0111"], ["PAT@example.com"]])("tint forget %s", async (typed) => {
  using folder = await shopWithPat();
  const { status, stdout, stderr } = await tint(folder, ["forget", typed, "--yes", "--json"]);
  expect(status).toBe(0);
  expect(stderr).toEndWith("\nErased: 2 leads, 1 booking, 1 message that now lapses.\n");
  expect(JSON.parse(stdout)).toEqual({ leads: 2, bookings: 1, messages: 1, keys: 0, file_clean: true, copies: [] });
  expect(await namesIn(folder)).toEqual(["(forgotten)", "(forgotten)", "Sam Rivera"]);
  for (const line of ["leads", "bookings --date 2026-11-24", "outbox --all"])
    expect(await tint(folder, line)).toMatchObject({ status: 0, stdout: expect.not.stringContaining("Pat") });
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

test("copies in the data folder, beside the catalog and among the nightly backups that still hold the person are named, others are not", async () => {
  using folder = await shopWithPat();
  const inData = (name: string) => join(folder.data, name);
  await tint(folder, ["backup", inData("monday.db")]);
  await tint(folder, ["restore", inData("monday.db")]);
  const beside = join(folder.path, "monday.db");
  await tint(folder, ["backup", beside]);
  // Whoever opens it waits for a writer.
  Bun.spawnSync(["mkfifo", join(folder.path, "pipe")]);
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
  const all = [...named.map(inData), beside, ...holding].sort();
  expect(all).toHaveLength(5);
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
    await expectRefusals(folder, [[["forget", ...args], status, says]]);
    expect(await namesIn(folder)).toEqual(["Pat Example", "Pat Example", "Sam Rivera"]);
  });

  test("while a booking is to come, unless told --anyway", async () => {
    using folder = shopFolder();
    const booking = newBooking({ startAt: NOW.epochMilliseconds + 86_400_000, confirmationCode: "7F3A1B0C" });
    await inStore(folder, (store) => store.book(booking, 1, []));
    const says =
      "Still booked for Pat Example: 7F3A1B0C, Tue Nov 24, 9:00 AM. Cancel it first with tint bookings cancel";
    await expectRefusals(folder, [["forget pat@example.com --yes", 1, says]]);
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
