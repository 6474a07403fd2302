/** `tint day`: the day's sheet, and phone numbers in the diary. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { expectRefusals, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const MONDAY = "2026-11-23";

/** Two bookings on Monday, one of them cancelled. */
async function shopWithMonday(): Promise<{ folder: ShopFolder; code: string }> {
  const folder = shopFolder();
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  const code = await api.book({
    ...{ date: MONDAY, time: "09:00", customer_name: "Pat <Example>", customer_phone: "404 555 0171" },
    ...{ vehicle_year: 2019, vehicle_make: "Toyota", vehicle_model: "Camry", vehicle_type: "sedan", shade: 35 },
    ...{ addons: ["sunroof"], special_requests: "ring the\nbell" },
  });
  const other = await api.book({ date: MONDAY, time: "14:00", customer_name: "Gone Guest" });
  await api.store.changeBookingStatus(other, "cancelled_by_shop", NOW.epochMilliseconds);
  return { folder, code };
}

test("the sheet has everything for the technician, on 80 columns", async () => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  const { stdout } = await tint(folder, ["day", MONDAY]);
  const lines = stdout.split("\n");
  expect(lines[0]).toStartWith("Marlow Ridge Window Film, Mon");
  expect(lines[1]).toMatch(/^9:00 AM–6:00 PM · 1 booking · \$\d+\.00$/);
  expect(stdout).toMatch(/\n9:00 AM–\d+:\d\d [AP]M {3}bay 1 {3}Pat <Example> {3}\(404\) 555-0171\n/);
  for (const part of ["2019 Toyota Camry (sedan)", "ceramic tint, 35%, sunroof", code, "Note: ring the bell"])
    expect(stdout).toContain(part);
  expect(stdout).not.toContain("Gone Guest");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("the sum leaves out who did not come", async () => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
  await api.book({ date: MONDAY, time: "14:00" });
  const sum = async () =>
    /· \$([\d,]+)\.00$/m.exec((await tint(folder, ["day", MONDAY])).stdout)?.[1]?.replace(",", "");
  const both = await sum();
  await api.store.changeBookingStatus(code, "no_show", Temporal.Instant.from("2026-11-23T23:00:00Z").epochMilliseconds);
  const { stdout } = await tint(folder, ["day", MONDAY]);
  expect(stdout).toContain("· 1 booking, 1 no-show · $");
  expect(Number(await sum())).toBeLessThan(Number(both));
  expect(stdout).toContain("(no-show)");
});

test("as a web page, escaped; as JSON; of an empty day; of a slip", async () => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  const { stdout } = await tint(folder, ["day", MONDAY, "--html"]);
  expect(stdout).toStartWith("<!doctype html>");
  expect(stdout).toContain("<td>Pat &lt;Example&gt;</td><td>(404) 555-0171</td>");
  expect(stdout).not.toMatch(/Gone|<script/);
  const json = await tintJson(folder, ["day", MONDAY]);
  expect(json).toMatchObject({ date: MONDAY, bookings: [{ confirmation_code: code, bay: 1 }] });
  folder.edit({ "scheduling.blocked_dates": [{ date: "2026-11-25", reason: "Stocktaking" }] });
  expect((await tint(folder, "day 2026-11-25")).stdout).toContain("\nblocked: Stocktaking · 0 bookings\n");
  expect((await tint(folder, ["day", "Nov", "26"])).stdout).toContain("\nclosed (Thanksgiving) · 0 bookings\n");
  expect((await tint(folder, ["day", "mondy"])).status).toBe(2);
});

test("in the night in which an hour comes twice the sheet says which; an hour that is skipped is refused with the reason", async () => {
  using folder = shopFolder();
  const suv = ["book", "suv", "--film", "ceramic", "--phone", "404-555-0171", "--anyway"];
  const night = [...suv, "--date", "2027-11-07", "--minutes", "60"];
  for (const [time, name] of [
    ["00:30", "Owl"],
    ["01:30", "Bat"],
    ["12:00", "Lark"],
  ] as const)
    expect(await tint(folder, [...night, "--time", time, "--name", name])).toMatchObject({ status: 0 });
  const sheet = (await tint(folder, ["day", "2027-11-07"])).stdout;
  expect(sheet).toMatch(/\n12:30 AM–1:30 AM EDT +bay 1 {3}Owl/);
  expect(sheet).toMatch(/\n1:30 AM EDT–1:30 AM EST +bay \d {3}Bat/);
  expect(sheet).toMatch(/\n12:00 PM–1:00 PM +bay \d {3}Lark/);
  const list = (await tint(folder, ["bookings", "--date", "2027-11-07"])).stdout;
  expect(list).toMatch(/Sun Nov 7, 2027 +1:30 AM EDT +\d +Bat/);
  const skipped = [...suv, "--date", "2027-03-14", "--time", "02:30", "--name", "Moth"];
  await expectRefusals(folder, [[skipped, 2, "Clocks jump over 2:30 AM on 2027-03-14."]]);
});

describe("work past midnight", () => {
  /** A booking from Monday 10:00 PM to Tuesday 2:00 AM, and one on Tuesday that would take the same bay. */
  async function shopAtNight(): Promise<ShopFolder> {
    const folder = shopFolder();
    const who = (name: string) => ["--name", name, "--phone", "404-555-0171", "--anyway"];
    const suv = ["book", "suv", "--film", "ceramic"];
    await tint(folder, [...suv, "--date", MONDAY, "--time", "22:00", ...who("Night Owl")]);
    await tint(folder, [...suv, "--date", "2026-11-24", "--time", "01:00", ...who("Early Bird")]);
    return folder;
  }

  test("stands on the sheets of both days, with its end, its bay and one amount", async () => {
    using folder = await shopAtNight();
    const monday = (await tint(folder, ["day", MONDAY])).stdout;
    expect(monday).toMatch(/\n10:00 PM–Tue 2:00 AM {3}bay 1 {3}Night Owl/);
    expect(monday).toContain("· 1 booking · $599.00\n");
    const tuesday = (await tint(folder, ["day", "2026-11-24"])).stdout;
    expect(tuesday).toMatch(/\nMon 10:00 PM–Tue 2:00 AM {3}bay 1 {3}Night Owl/);
    expect(tuesday).toMatch(/\n1:00 AM–5:00 AM +bay 2 {3}Early Bird/);
    expect(tuesday).toContain("· 2 bookings · $599.00\n");
    const list = await tint(folder, ["bookings", "--date", "2026-11-24"]);
    expect(list.stdout).toMatch(/Mon Nov 23 +10:00 PM +1 +Night Owl +SUV +to Tue 2:00 AM, ceramic tint/);
    const csv = await tintCsv(folder, ["bookings", "--date", "2026-11-24"]);
    expect(csv.stdout).not.toContain("Night Owl");
    // Without dates a file for the books has every booking; with a limit it says so.
    const all = await tintCsv(folder, ["bookings"]);
    expect([all.stdout.split("\n").length, all.stderr]).toEqual([4, ""]);
    const few = await tintCsv(folder, ["bookings", "--limit", "1"]);
    expect(few.stderr).toBe("Only the first 1 are shown; --limit shows more.\n");
  });

  test("is in the diary, the week and home on 60 columns", async () => {
    using folder = await shopAtNight();
    const size = { columns: 60, rows: 24 };
    const diary = await openOn(folder, "diary", {
      ...size,
      about: MONDAY,
      sees: /10:00 PM +1 +Night Owl.* to Tue 2:00 AM/,
    });
    await diary.press("right").see(/from Mon +1 +Night Owl.* to Tue 2:00 AM/);
    const week = await diary.press("v").see(/Tue Nov 24.* 2 +to 2:00 AM/);
    expect(week).toMatch(/Mon Nov 23.* 1 +10:00 PM/);
    const now = () => Temporal.Instant.from("2026-11-24T06:30:00Z");
    const home = await openOn(folder, "home", { ...size, now });
    expect(await home.see("from Mon")).toContain("Today: 2 bookings");
  });
});
