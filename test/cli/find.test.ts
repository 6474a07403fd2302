/** `tint find` and the screens behind `/`: customers with bookings, leads, amounts and notes. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { csv } from "../../cli/terminal/lists.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { apiOf } from "../screens/shop.ts";
import { tint, tintCsv } from "./run.ts";

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
  await api.store.moveLead(lead?.id ?? "", "contacted", "wants the office done too", NOW.epochMilliseconds);
  await api.book({ customer_name: "Ann Other", date: "2026-11-24", time: "14:00" });
  return { folder, code };
}

test.each([
  ["garcia"],
  ["Garcia jose"],
  ["404.555.0171"],
  ["+1 404 555 0171"],
  ["555-0171"],
  ["JOSE@example"],
  ["2019 camry"],
  ["garzia"],
  ["jose gracía"],
  ["CODE"],
])("tint find %s shows the one customer on one card", async (typed) => {
  const { folder, code } = await shopWithGarcia();
  using _ = folder;
  const { status, stdout, stderr } = await tint(folder, [
    "find",
    ...typed.replace("CODE", code.toLowerCase()).split(" "),
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
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
  const json = JSON.parse((await tint(folder, ["find", "example.com", "--json"])).stdout);
  expect(json.map(({ names }: { names: string[] }) => names[0])).toEqual(["Ann Other", "José García"]);
  expect(json[1].bookings.at(-1)).toMatchObject({ confirmation_code: code, status: "completed" });
  expect(json[1].amounts.completed.USD).toBeGreaterThan(0);
  const { stdout } = await tintCsv(folder, ["find", "example.com"]);
  expect(stdout).toMatch(
    /^name,phone,email,vehicles,visits,amount,last_date,paid,phone_extension\nAnn Other,\(404\) 555-\d+,.*,0,0,2026-11-24,0,\n/,
  );
  expect(stdout).toMatch(/\nJosé García,\(404\) 555-0171,.*,1,\d+,2026-11-24,0,\n$/);
  const limited = await tint(folder, ["find", "example.com", "--limit", "1"]);
  expect([limited.stdout, limited.stderr]).toEqual([
    expect.stringContaining("Ann"),
    expect.stringContaining("--limit"),
  ]);
  expect(await tint(folder, ["find", "nobody"])).toEqual({ status: 1, stdout: "", stderr: "Nobody fits nobody.\n" });
  expect((await tint(folder, ["find", "nobody", "--json"])).stdout).toBe("[]\n");
  expect((await tint(folder, ["find"])).status).toBe(2);
});

test("a cell of a spreadsheet is quoted where needed, and never a formula", () => {
  const CASES: [string | number | null, string][] = [
    ["plain", "plain"],
    ['say "hi", Pat', '"say ""hi"", Pat"'],
    ["=1+1", "'=1+1"],
    [" =cmd", "' =cmd"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["+1-2", "'+1-2"],
    ["-x", "'-x"],
    ["two\nlines", "two lines"],
    ["+14045550171", "'+14045550171"],
    ["(404) 555-0171", "(404) 555-0171"],
    ["12345E67", "'12345E67"],
    ["00123456", "'00123456"],
    ["12345678", "12345678"],
    ["1MAR2026", "'1MAR2026"],
    ["7F3A1B04", "7F3A1B04"],
    ["3-4", "'3-4"],
    ["1.50", "'1.50"],
    ["2026-11-24", "2026-11-24"],
    ["علی\u200cرضا 👨\u200d👩\u200d👧", "علی\u200cرضا 👨\u200d👩\u200d👧"],
    ["＝1+1", "'＝1+1"],
    ["＋1-2", "'＋1-2"],
    ["－x", "'－x"],
    [" ＠SUM(A1)", "' ＠SUM(A1)"],
    ["red; blue", '"red; blue"'],
    ["a;=1+1; ＠b", "\"a;'=1+1;' ＠b\""],
    ['a;"=1+1', '"a;\'""=1+1"'],
    [-12.5, "-12.5"],
    [null, ""],
  ];
  for (const [value, written] of CASES) expect(csv(["a"], [[value]])).toBe(`a\r\n${written}\r\n`);
});

test(": on a list finds a customer, whom / there only filters; Enter shows the card, Esc goes back", async () => {
  const { folder } = await shopWithGarcia();
  using _ = folder;
  const terminal = await openOn(folder, "leads", { sees: "Leads: open" });
  await terminal.press("/", ..."garcia", "enter").see("Leads: open, only garcia");
  expect(terminal.frame()).not.toContain("José");
  expect(await terminal.press("esc").lose("only garcia")).toContain("José");
  await terminal.press(":").see("Go to a screen, a day, a code or a customer");
  for (const letter of "garcia") terminal.press(letter);
  await terminal.press("enter").see("Find: garcia");
  expect(await terminal.see("(404) 555-0171")).toContain("José García");
  await terminal.press("enter").see("Customer (404) 555-0171");
  expect(await terminal.see("To come")).toContain("Note: wants the office done too");
  await terminal.press("esc").see("Find: garcia");
  await terminal.press("esc").see("Leads: open");
  await terminal.press(":", ..."garcia", "enter").see("Find: garcia");
  // The next search begins empty.
  await terminal.press("/").see("vehicle or code: ▏");
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

test("Esc before anything was typed goes back at once", async () => {
  using folder = shopFolder();
  const home = await openOn(folder, "home", { sees: "/  Find" });
  await home.press("/").see("Name, phone, e-mail, vehicle or code");
  await home.press("esc").see("/  Find");
  const leads = await openOn(folder, "leads", { sees: "Leads: open" });
  await leads.press(":").see("Go to a screen, a day, a code or a customer");
  expect(await leads.press("esc").lose("Go to a screen, a day")).toContain("Leads: open");
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
  for (const [i, who] of people.entries()) {
    const args = ["book", "suv", "--date", dateFromNow(3 + i), "--time", "9am", "--name", ...who];
    expect((await tint(folder, args)).stderr).toContain("Booked");
  }
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
