/** `tint day`: the day's sheet, and phone numbers in the diary. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { sheetText } from "../../cli/diary/day-sheet.ts";
import { NOW } from "../helpers.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { tint } from "./run.ts";

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
  await api.store.moveBooking(other, "cancelled_by_shop", NOW.epochMilliseconds);
  return { folder, code };
}

test("the sheet has everything for the technician, on 80 columns", async () => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  const { status, stdout, stderr } = await tint(folder, ["day", MONDAY]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
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
  await api.store.moveBooking(code, "no_show", Temporal.Instant.from("2026-11-23T23:00:00Z").epochMilliseconds);
  const { stdout } = await tint(folder, ["day", MONDAY]);
  expect(stdout).toContain("· 1 booking, 1 no-show · $");
  expect(Number(await sum())).toBeLessThan(Number(both));
  expect(stdout).toContain("(no show)");
});

test("bays stand below each other, however long the times", () => {
  const job = { bay: "bay 1", name: "Pat", phone: "", vehicle: "suv", work: "tint", price: "", note: "", code: "X" };
  const times = ["9:00 AM–9:30 AM", "10:00 AM–12:45 PM"];
  const text = sheetText({ title: "T", summary: "S", jobs: times.map((time) => ({ ...job, time })) });
  const columns = text.split("\n").flatMap((line) => [...line.matchAll(/bay 1|suv/g)].map(({ index }) => index));
  expect(columns).toEqual([20, 20, 20, 20]);
});

test("as a web page, escaped; as JSON; of an empty day; of a slip", async () => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  const { stdout } = await tint(folder, ["day", MONDAY, "--html"]);
  expect(stdout).toStartWith("<!doctype html>");
  expect(stdout).toContain("<td>Pat &lt;Example&gt;</td><td>(404) 555-0171</td>");
  expect(stdout).not.toMatch(/Gone|<script/);
  const json = JSON.parse((await tint(folder, ["day", MONDAY, "--json"])).stdout);
  expect(json).toMatchObject({ date: MONDAY, bookings: [{ confirmation_code: code, bay: 1 }] });
  expect((await tint(folder, ["day", "Nov", "26"])).stdout).toContain("\nclosed · 0 bookings\n");
  expect((await tint(folder, ["day", "mondy"])).status).toBe(2);
});

test.each([
  [80, false],
  [120, true],
  [150, true],
])("on %d columns the diary shows phones: %p; Enter always does", async (columns, isShown) => {
  const { folder, code } = await shopWithMonday();
  using _ = folder;
  const terminal = await openOn(folder, "diary", { about: MONDAY, columns });
  const diary = await terminal.see("Pat <Ex");
  expect(diary.includes("(404) 555-0171")).toBe(isShown);
  expect(diary.includes(code)).toBe(columns === 150);
  terminal.press("enter");
  expect(await terminal.see(`Booking ${code}`)).toBeString();
  expect(await terminal.see("(404) 555-0171")).toMatch(/Tint law +Georgia: /);
});
