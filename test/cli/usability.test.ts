/** What went wrong when an owner tried the command line. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, shopFolder } from "../process/server.ts";
import { newBooking, newJob } from "../store/conformance-values.ts";
import { tint, tintOnTerminal } from "./run.ts";

setDefaultTimeout(30_000);

test("several days are blocked in one save; slips are refused", async () => {
  using folder = shopFolder({ "scheduling.blocked_dates": [] });
  const before = folder.read();
  for (const typo of ["2030-12-31..2030-12-24", "2030-12-24..", "2030-01-01..2032-01-01"])
    expect([typo, (await tint(folder, ["block", typo])).status]).toEqual([typo, 2]);
  expect(folder.read()).toBe(before);
  const run = await tint(folder, ["block", "2030-12-30..2031-01-01", "--reason", "Holidays"]);
  expect([run.status, run.stdout]).toEqual([0, "Mon Dec 30 to Wed Jan 1, 2031: no bookings (Holidays)\n"]);
  const blocked = JSON.parse((await tint(folder, ["catalog", "get", "scheduling.blocked_dates", "--json"])).stdout);
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
  const listed = async (...flags: string[]) => JSON.parse((await tint(folder, ["outbox", ...flags, "--json"])).stdout);
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
