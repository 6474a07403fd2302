/** How the command line speaks to an owner: in plain words, on any terminal, for a spreadsheet. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { screens } from "../../cli/screens/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { dateIn, OPEN_DAILY, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { newBooking, newJob } from "../store/conformance-values.ts";
import { tint, tintCsv, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(120_000);

const FORBIDDEN = /\b(VLT|jurisdictions?|outbox|fault|faults|faulty)\b/i;
/** Names of commands, flags and extras of the example shop that hold such a word. */
const NAMES = /tint outbox|--jurisdiction|^ +outbox|no-fault|\{[^}]*\}/gim;
/** A date or a time in a form for programs. */
const FOR_PROGRAMS = /\b\d{4}-\d\d-\d\d\b|\b\d\d:\d\d\b(?! ?[AP]M)/;

test("no screen has a word, a date or a time of the API", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  await api.book({ date: "2026-11-21", time: "10:00", customer_name: "Jordan Sample" });
  await api.ask();
  const home = await openOn(folder, "home", { columns: 120, rows: 40, sees: "Today: 1" });
  // The screen that finds a customer begins with a question, which takes every key.
  for (const { key } of screens.menu.filter(({ name }) => name !== "find")) {
    await home.press(key).lose("Today: 1");
    await home.lose("One moment…");
    await home.press("?").see("Esc close the help");
    await home.press("esc").lose("Esc close the help");
    await home.press("esc").see("Today: 1");
  }
  const wrong = home.frames().flatMap((frame) => {
    const lines = frame.replace(NAMES, "").split("\n");
    return lines.filter((line) => FORBIDDEN.test(line) || FOR_PROGRAMS.test(line)).map((line) => line.trim());
  });
  expect([...new Set(wrong)]).toEqual([]);
});

const HOURS = "9:00 AM–";

test.each([
  [{ LANG: "en_US.ISO-8859-1" }, false],
  [{ LC_CTYPE: "POSIX", LANG: "en_US.UTF-8" }, false],
  [{ LC_ALL: "C.utf8", LANG: "C" }, true],
  [{}, true],
])("with %j", async (env, hasMarks) => {
  using folder = shopFolder(OPEN_DAILY);
  const day = ["day", dateIn(3)];
  const suv = ["book", "suv", "--film", "ceramic", "--name", "José", "--phone", "404-555-0171", "--anyway"];
  expect((await tintToday(folder, [...suv, "--date", dateIn(3), "--time", "09:00"])).status).toBe(0);
  const sheet = (await tintOnTerminal(folder, 80, day, { LC_ALL: "", LC_CTYPE: "", LANG: "", ...env })).join("\n");
  expect(sheet).toContain("José");
  expect(sheet.includes(HOURS)).toBe(hasMarks);
  expect(sheet.includes(HOURS.replace("–", "-"))).toBe(!hasMarks);
  expect(sheet.includes(" · 1 booking")).toBe(hasMarks);
  // A file or a pipe is UTF-8 wherever it is written.
  expect((await tint(folder, day, { env, now: "machine" })).stdout).toContain(HOURS);
});

/** A half-space between the two parts, as Persian writes it. */
const PERSIAN = "علی\u200cرضا";

test("every list keeps names, phones and codes as they are", async () => {
  using folder = shopFolder();
  await using api = apiOf(folder, {}, NOW);
  const booked = { date: "2026-11-24", time: "09:00", customer_email: "ali@example.com" };
  await api.book({ ...booked, customer_name: `${PERSIAN} 👨\u200d👩\u200d👧`, customer_phone: "+1 678 231 7001" });
  await api.book({ ...booked, customer_name: "Kate", customer_phone: "+44 20 7946 0958", time: "14:00" });
  await api.ask({ first_name: PERSIAN, phone: "+1 678 231 7001" });
  await tint(folder, ["keys", "issue", "--name", "=cmd", "--email", "agent@example.com"]);
  using db = new Database(folder.database);
  db.run("UPDATE bookings SET confirmation_code = '12345E67' WHERE start_at = (SELECT max(start_at) FROM bookings)");

  const { stdout: bookings } = await tintCsv(folder, ["bookings"]);
  expect(bookings).toContain(`,${PERSIAN} 👨\u200d👩\u200d👧,(678) 231-7001,ali@example.com,`);
  expect(bookings).toContain(",'12345E67,Kate,(+44) 20 7946 0958,ali@example.com,");
  const { stdout: leads } = await tintCsv(folder, ["leads", "--status", "all"]);
  expect(leads).toContain(`,${PERSIAN},(678) 231-7001,`);
  expect((await tintCsv(folder, ["find", "kate"])).stdout).toContain("\nKate,(+44) 20 7946 0958,");
  const { stdout: keys } = await tintCsv(folder, ["keys"]);
  expect(keys).toMatch(
    /^key,prefix,name,email,use_case,per_minute,issued_at,network,revoked_at\nkey_\w+,tint_\w+,'=cmd,agent@example.com,,\d+,2\S+,,\n$/,
  );
  const { stdout: outbox } = await tintCsv(folder, ["outbox"]);
  expect(outbox).toMatch(/^id,state,what,due,lead,name,tries,reason,to,text\n/);
  expect(outbox).toContain(`,${PERSIAN},`);
  await tintCsv(folder, ["report"]);
  // What the cells hold finds the customer again, and lists on the screen show the same name.
  for (const cell of ["'12345E67", "(+44) 20 7946 0958"])
    expect((await tint(folder, ["find", cell])).stdout).toContain("Kate");
  expect((await tint(folder, ["leads"])).stdout).toContain(PERSIAN);
  expect((await tint(folder, ["leads", "--json"])).stdout).toStartWith("[{");
});

test("several days are blocked in one save; slips are refused", async () => {
  using folder = shopFolder({ "scheduling.blocked_dates": [] });
  const before = folder.read();
  for (const typo of ["2030-12-31..2030-12-24", "2030-12-24..", "2030-01-01..2032-01-01"])
    expect([typo, (await tint(folder, ["block", typo])).status]).toEqual([typo, 2]);
  expect(folder.read()).toBe(before);
  const run = await tint(folder, ["block", "2030-12-30..2031-01-01", "--reason", "Holidays"]);
  expect([run.status, run.stdout]).toEqual([0, "Mon Dec 30, 2030 to Wed Jan 1, 2031: no bookings (Holidays)\n"]);
  const blocked = await tintJson(folder, ["catalog", "get", "scheduling.blocked_dates"]);
  expect(blocked).toEqual(["2030-12-30", "2030-12-31", "2031-01-01"].map((date) => ({ date, reason: "Holidays" })));
  await tint(folder, ["catalog", "undo"]);
  expect(folder.read()).toBe(before);
});

test("TERM=dumb gets the help in place of the home screen", async () => {
  using folder = shopFolder();
  const lines = await tintOnTerminal(folder, 80, [], { TERM: "dumb" });
  expect(lines[0]).toStartWith("Usage: tint");
});

test("a data folder that cannot be looked into is no empty shop", async () => {
  using folder = shopFolder();
  symlinkSync(folder.data, folder.data);
  // Nor does a copy look for another folder, and a word that bookings to come may need is not removed.
  for (const line of ["bookings", "backup copy.db", "addon remove sunroof"]) {
    const { status, stdout, stderr } = await tint(folder, line.split(" "));
    expect([line, status, stdout, stderr]).toEqual([line, 1, "", expect.stringContaining("cannot be used (")]);
  }
});

test("in a folder without a catalog nothing is made, and the folder is named", async () => {
  using folder = shopFolder();
  rmSync(folder.catalog);
  const data = join(folder.path, "wrong");
  for (const args of [["keys", "issue", "--name", "A", "--email", "a@example.com"], ["calendar", "link"], ["book"]]) {
    const { status, stderr } = await tint(folder, [...args, "--data", data]);
    expect([args[0], status, stderr.includes(`Looked in ${folder.path}.`)]).toEqual([args[0], 1, true]);
  }
  expect(readdirSync(folder.path)).not.toContain("wrong");
});

test("hours in which no job fits are told by catalog check", async () => {
  using folder = shopFolder({
    "business.special_hours": [],
    "business.hours.monday": [{ opens: "09:00", closes: "09:30" }],
  });
  const { status, stdout, stderr } = await tint(folder, ["catalog", "check", "--json"]);
  expect([status, JSON.parse(stdout).notes.length]).toEqual([0, 1]);
  expect(stderr).toContain("no job fits on monday");
});

test("the address of the calendar says so while no phone reaches it", async () => {
  using folder = shopFolder();
  const link = async (env: Record<string, string>) => (await tint(folder, ["calendar", "link"], { env })).stderr;
  expect(await link({})).toContain("no phone reaches this address");
  expect((await tint(folder, ["calendar", "off"])).status).toBe(0);
  expect(await link({ TINT_SITE_URL: "https://book.lakeside.test" })).not.toContain("Note");
});

test("messages that lapsed are listed with the reason; waiting texts show the shop's number of today", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "alerts.to": ["+14045550199"] });
  const store = openSqliteStore(folder.data);
  const jobs = [newJob("notify_shop_sms", { dueAt: NOW.epochMilliseconds })];
  const startAt = NOW.epochMilliseconds + 86_400_000;
  const [kept, gone] = ["7F3A1B0C", "7F3A1B0D"].map((confirmationCode) =>
    newBooking({ confirmationCode, startAt, lead: { jobs } }),
  );
  for (const booking of [kept, gone]) if (booking) await store.book(booking, 2, []);
  await store.close();
  await tint(folder, ["bookings", "cancel", "7F3A1B0D"]);
  const listed = async (...flags: string[]) => await tintJson(folder, ["outbox", ...flags]);
  expect(await listed()).toMatchObject([{ lead: kept?.lead.reference, status: "waiting", to: "+14045550199" }]);
  expect((await tint(folder, ["outbox"])).stdout).toContain("(404) 555-0199");
  expect(await listed("--lapsed")).toMatchObject([
    { lead: gone?.lead.reference, status: "lapsed", last_error: "its booking ended before the text was sent" },
  ]);
});

test("no sentence ends twice", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "scheduling.blocked_dates": [dateFromNow(3)] });
  const args = ["book", "suv", "--date", dateFromNow(3), "--time", "9am", "--name", "Pat", "--phone", "404-555-0142"];
  const { stderr } = await tint(folder, args);
  expect(stderr).toContain("blocked");
  expect(stderr).not.toMatch(/\.\)?\./);
});
