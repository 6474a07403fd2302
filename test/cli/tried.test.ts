/** What went wrong when an owner tried the command line. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { shopFolder } from "../process/server.ts";
import { tint, tintOnTerminal } from "./run.ts";

setDefaultTimeout(30_000);

test("several days are blocked in one save; slips are refused", async () => {
  using folder = shopFolder({ "scheduling.blocked_dates": [] });
  const before = folder.read();
  for (const slip of ["2030-12-31..2030-12-24", "2030-12-24..", "2030-01-01..2032-01-01"])
    expect([slip, (await tint(folder, ["block", slip])).status]).toEqual([slip, 2]);
  expect(folder.read()).toBe(before);
  const run = await tint(folder, ["block", "2030-12-30..2031-01-01", "--reason", "Holidays"]);
  expect([run.status, run.stdout]).toEqual([0, "2030-12-30 to 2031-01-01: no bookings (Holidays)\n"]);
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
  const { status, stdout, stderr } = await tint(folder, ["bookings"]);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("cannot be used (");
});
