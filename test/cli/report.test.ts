import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readReport } from "../../cli/diary/report.ts";
import { reportText } from "../../cli/diary/report-text.ts";
import { NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { CATALOG } from "../small-shop.ts";
import { expectRefusals, inStore, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const MONDAY = "2026-11-23";
const NOVEMBER = ["report", "--month", "2026-11"];

/** Four bookings on Monday and Tuesday: completed (with an add-on), to come, cancelled, and missed. */
async function shopWithNovember(): Promise<ShopFolder> {
  const folder = shopFolder();
  await using api = apiOf(folder, { "rate_limits.bookings_per_10_minutes": 99 }, NOW.subtract({ hours: 26 }));
  const sedan = { vehicle_type: "sedan", film_type: "ceramic", date: MONDAY } as const;
  const done = await api.book({ ...sedan, time: "09:00", ...{ addons: ["sunroof"] } });
  const missed = await api.book({ ...sedan, time: "09:00" });
  const gone = await api.book({ ...sedan, time: "14:00" });
  await api.book({ ...sedan, film_type: "standard", date: "2026-11-24", time: "09:00" });
  await api.ask();
  const at = Temporal.Instant.from("2026-11-23T23:00:00Z").epochMilliseconds;
  await api.store.changeBookingStatus(done, "completed", at);
  await api.store.changeBookingStatus(missed, "no_show", at);
  await api.store.changeBookingStatus(gone, "cancelled_by_customer", at);
  const [lead] = (await api.store.leads(["new"], 9)).filter(({ kind }) => kind === "quote_request");
  await api.store.moveLead({ id: lead?.id ?? "", to: "won", at, amount: { cents: 129900, currency: "USD" } });
  return folder;
}

test("the month in number and amount, and prices of later do not change it", async () => {
  using folder = await shopWithNovember();
  const { status, stdout, stderr } = await tint(folder, NOVEMBER);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^booked +4$/m);
  expect(stdout).toMatch(/^completed +1 +\$\d+\.00$/m);
  for (const state of ["to come", "cancelled", "no-show"]) expect(stdout).toMatch(new RegExp(`^${state} +1 +\\$`, "m"));
  expect(stdout).toMatch(/^Bays used: \d+ h of \d+ h open, \d+%$/m);
  expect(stdout).toMatch(/^sunroof +1 +\$\d+\.00$/m);
  // Who books at once is no inquiry.
  expect(stdout).toMatch(/^came through +inquiries +won +lost\nno known assistant +1 +1 +0$/m);
  expect(stdout).toEndWith("\nWon of quote requests: 1, $1,299.00\n");
  expect((await tintCsv(folder, [...NOVEMBER])).stdout).toEndWith("\nwon,1,1299,USD,\n");
  const before = await tintJson(folder, [...NOVEMBER]);
  expect(before).toMatchObject({ from: "2026-11-01", to: "2026-11-30", booked: { count: 4 }, completed: { count: 1 } });
  expect(before.won).toEqual({ count: 1, amounts: { USD: 1299 } });
  // What was booked is a number, what was earned an amount.
  expect(before.booked).toEqual({ count: 4 });
  expect(before.earned).toEqual({ amounts: before.completed.amounts });
  expect(stdout).toContain(`\nEarned: $${before.completed.amounts.USD}.00\n`);
  await tint(folder, ["price", "set", "sedan", "ceramic", "full", "999"]);
  expect(await tintJson(folder, [...NOVEMBER])).toEqual(before);
});

test("a day that is blocked or closed has no open hours, and is said to be so", async () => {
  using folder = shopFolder({ "scheduling.blocked_dates": [{ date: "2026-11-30", reason: "Inventory" }] });
  const bays = async (date: string) =>
    (await tint(folder, ["report", "--from", date, "--to", date])).stdout.match(/Bays.*/)?.[0];
  expect(await bays("2026-11-30")).toBe("Bays: blocked: Inventory");
  expect(await bays("2026-11-29")).toBe("Bays: closed");
  expect(await bays("2026-12-01")).toMatch(/^Bays used: 0 h of \d+ h open, 0%$/);
});

test("work in a bay that is closed counts as open, so that no more is used than there is", async () => {
  using folder = shopFolder();
  const book = ["book", "sedan", "--date", "2026-11-30", "--minutes", "120", "--anyway", "--phone", "404-555-0177"];
  for (const name of ["Ray Ortiz", "Kim Oak"])
    expect((await tint(folder, [...book, "--time", "09:00", "--name", name])).status).toBe(0);
  await tint(folder, ["block", "2026-11-30", "--from", "9am", "--to", "close"]);
  const day = ["report", "--date", "2026-11-30"];
  const used = 2 * (120 + CATALOG.scheduling.buffer_minutes);
  const use = { used_minutes: used, open_minutes: used };
  expect((await tintJson(folder, [...day])).bay_use).toEqual(use);
  expect((await tint(folder, day)).stdout).toMatch(/^Bays used: (\d+ h) of \1 open, 100%$/m);
});

test("bays are used and open only in the open hours of each day, and a bay by its number is one bay", async () => {
  using folder = shopFolder();
  const job = ["book", "sedan", "--date", "2026-11-30", "--time", "09:00", "--minutes", "720"];
  const booked = await tint(folder, [...job, "--name", "Ray Ortiz", "--phone", "404-555-0177", "--json"]);
  const use = async (date: string) => {
    const { stdout } = await tint(folder, ["report", "--date", date, "--json"]);
    return JSON.parse(stdout).bay_use;
  };
  const [monday, tuesday] = [await use("2026-11-30"), await use("2026-12-01")];
  const buffer = CATALOG.scheduling.buffer_minutes;
  expect([monday.used_minutes, tuesday.used_minutes]).toEqual([9 * 60, 3 * 60 + buffer]);
  await tint(folder, ["block", "2026-11-30", "1", "to", "3", "pm,", "bay", "2"]);
  await tint(folder, ["block", "2026-11-30", "2", "to", "4", "pm,", "bay", "2"]);
  expect((await use("2026-11-30")).open_minutes).toBe(monday.open_minutes - 180);
  // Done within a minute: minutes are whole ones.
  const { confirmation_code: code } = JSON.parse(booked.stdout);
  const now = Temporal.Instant.from("2026-11-30T16:00:20Z");
  expect((await tint(folder, ["bookings", "complete", code], { now })).status).toBe(0);
  expect((await use("2026-11-30")).used_minutes).toBe(120);
});

test("in groups", async () => {
  using folder = await shopWithNovember();
  for (const [by, groups] of [
    ["film", "ceramic 3, standard 1"],
    ["weekday", "monday 3, tuesday 1"],
    ["source", "online 4"],
    ["agent", "unknown 4"],
    ["service", "automotive 4"],
  ] as const) {
    const { groups: found } = await tintJson(folder, [...NOVEMBER, "--by", by]);
    const counts = found.map((one: { name: string; booked: { count: number } }) => `${one.name} ${one.booked.count}`);
    expect(counts.join(", ")).toBe(groups);
    const { stdout } = await tint(folder, [...NOVEMBER, "--by", by]);
    expect(stdout).toMatch(new RegExp(`^${by} +booked +completed +to come +cancelled +no-show +earned$`, "m"));
  }
});

test("on 50 columns the groups have every column, in parts", async () => {
  using folder = await shopWithNovember();
  const span = { from: "2026-11-01", to: "2026-11-30", by: "agent" } as const;
  const text = reportText(await inStore(folder, (store) => readReport(store, span, CATALOG, CATALOG, NOW)), 50);
  for (const heads of [/^agent +booked +completed +to come$/m, /^agent +cancelled +no-show +earned$/m])
    expect(text).toMatch(heads);
  expect(Math.max(...text.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(50);
});

test("for a spreadsheet, for some days, and slips", async () => {
  using folder = await shopWithNovember();
  const { stdout } = await tintCsv(folder, [...NOVEMBER, "--by", "film"]);
  expect(stdout).toEndWith("\n,won,1,1299,USD,\n");
  expect(stdout).toStartWith("film,state,number,amount,currency,tax\nceramic,booked,3,");
  const days = await tintCsv(folder, ["report", "--from", "2026-11-24", "--to", "2026-11-24"]);
  expect(days.stdout).toMatch(/^state,number,amount,currency,tax\nbooked,1,,,\ncompleted,0,0,,0\n/);
  for (const typo of ["--month 11", "--month 2026-13", "--month 2026-11 --from today", "--by flim"])
    await expectRefusals(folder, [[`report ${typo}`, 2, ""]]);
});

describe("money taken", () => {
  /** Two days on which bookings were paid in cash and otherwise, and a completed booking without a payment. */
  async function shopWithPayments(): Promise<ShopFolder> {
    const folder = shopFolder();
    await using api = apiOf(folder, { "rate_limits.bookings_per_10_minutes": 99 }, NOW.subtract({ hours: 26 }));
    const ways = [
      [MONDAY, "09:00", 20050, "cash"],
      [MONDAY, "14:00", 10000, "other"],
      ["2026-11-24", "09:00", 30000, "cash"],
      ["2026-11-24", "14:00", 0, "cash"],
    ] as const;
    for (const [date, time, amount, by] of ways) {
      const code = await api.book({ vehicle_type: "sedan", date, time });
      const payments = amount === 0 ? [] : [{ amount, by, kind: "payment" } as const];
      await api.store.changeBookingStatus(code, "completed", Date.parse(`${date}T22:00:00Z`), { payments });
    }
    return folder;
  }

  test("by way, day and month", async () => {
    using folder = await shopWithPayments();
    const { stdout } = await tint(folder, [...NOVEMBER, "--by", "payment"]);
    expect(stdout).toMatch(
      /^Taken: \$600\.50 \(cash \$500\.50, other \$100\.00\)\nWithout a payment: 1 completed, \$\d+\.00$/m,
    );
    expect(stdout).toMatch(/^Not as priced: Pat Example −\$298\.50, Pat Example −\$399\.00, .+ −\$199\.00$/m);
    expect(stdout).toMatch(/^payment +cash +other +taken$/m);
    expect(stdout).toMatch(/^Mon Nov 23 +\$200\.50 +\$100\.00 +\$300\.50$/m);
    expect(stdout).toMatch(/^Tue Nov 24 +\$300\.00 +\$300\.00$/m);
    expect(stdout).toMatch(/^Nov 2026 +\$500\.50 +\$100\.00 +\$600\.50$/m);
    const week = ["report", "--from", MONDAY, "--to", "2026-11-25", "--by", "payment"];
    expect((await tint(folder, week)).stdout).toMatch(/^together +\$500\.50 +\$100\.00 +\$600\.50$/m);
    const csv = await tintCsv(folder, [...NOVEMBER, "--by", "payment"]);
    expect(csv.stdout).toBe(
      "date,payment,number,amount,currency,kind,tax\n2026-11-23,cash,1,200.5,USD,payment,0\n2026-11-23,other,1,100,USD,payment,0\n2026-11-24,cash,1,300,USD,payment,0\n",
    );
    expect((await tintCsv(folder, [...NOVEMBER])).stdout).toEndWith("\ntaken,3,600.5,USD,0\n");
    const json = await tintJson(folder, [...NOVEMBER, "--by", "payment"]);
    expect(json).toMatchObject({
      taken: { count: 3, amounts: { USD: 600.5 }, cash: { count: 2, amounts: { USD: 500.5 } }, card: { count: 0 } },
      unpaid: { count: 1 },
      not_as_priced: [{ difference: -298.5 }, { difference: -399 }, { difference: -199, currency: "USD" }],
      days: [{ date: MONDAY }, { date: "2026-11-24", cash: { amounts: { USD: 300 } } }],
      months: [{ month: "2026-11", other: { amounts: { USD: 100 } } }],
    });
  });

  test("the evening's cash-up on r, in the smallest window that has a screen", async () => {
    using folder = await shopWithPayments();
    const now = () => Temporal.Instant.from("2026-11-24T23:00:00Z");
    const terminal = await openOn(folder, "report", { columns: 60, rows: 20, now, sees: "Report: Nov 2026" });
    await terminal.press("t").see("Report: Tue Nov 24");
    for (let i = 0; i < 40 && !/Tue Nov 24 +\$300\.00 +\$300\.00/.test(terminal.frame()); i++) {
      terminal.press("down");
      await Bun.sleep(20);
    }
    await terminal.see(/^Tue Nov 24 +\$300\.00 +\$300\.00$/m);
    await terminal.press("left").see("Report: Mon Nov 23");
    await terminal.press("v", "v").see("Report: Mon Nov 23 to Sun Nov 29");
  });
});

test("on the screen Tab shows other groups, and the month before is empty", async () => {
  using folder = await shopWithNovember();
  const terminal = await openOn(folder, "report", { sees: /automotive[\s\S]*█/ });
  await terminal.press("tab").see(/^film +booked[\s\S]*ceramic/m);
  await terminal.press("left").see(/Report: Oct 2026[\s\S]*^booked +0/m);
});

test("a booking of the shop stays its own when the customer is forgotten", async () => {
  using folder = shopFolder();
  const when = ["--date", "2026-11-24", "--time", "09:00", "--anyway"];
  await tint(folder, ["book", "sedan", ...when, "--name", "Ray Ortiz", "--phone", "404-555-0177"]);
  expect((await tint(folder, ["forget", "404-555-0177", "--anyway", "--yes"])).stderr).toContain("Erased");
  expect((await tint(folder, [...NOVEMBER, "--by", "source"])).stdout).toMatch(/^the shop itself +1/m);
});

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

  test("is in the diary, the week and home", async () => {
    using folder = await shopAtNight();
    const diary = await openOn(folder, "diary", { about: MONDAY, sees: /10:00 PM +1 +Night Owl.* to Tue 2:00 AM/ });
    await diary.press("right").see(/from Mon +1 +Night Owl.* to Tue 2:00 AM/);
    expect(await diary.press("v").see(/Tue Nov 24.* 2 +to 2:00 AM/)).toMatch(/Mon Nov 23.* 1 +10:00 PM/);
    const now = () => Temporal.Instant.from("2026-11-24T06:30:00Z");
    await openOn(folder, "home", { now, sees: /Today: 2 bookings[\s\S]*from Mon/ });
  });

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
});
