/**
 * Payments as records: `tint pay`, `bookings complete`, and the drawer that counts them on the day when they were
 * paid.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readPayments } from "../../cli/customers/payments.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { OPEN_DAILY } from "../screens/shop.ts";
import { booked, expectRefusals, saying, tint, tintCsv, tintJson } from "./run.ts";

setDefaultTimeout(30_000);

const YESTERDAY = dateFromNow(-1);
const TODAY = dateFromNow(0);
const TOMORROW = dateFromNow(1);

/** @returns the code of a booking of $349.00 */
const booking = (folder: ShopFolder, date = YESTERDAY) => booked(folder, "--date", date, "--anyway");

const drawer = async (folder: ShopFolder, date: string, now?: Temporal.Instant) =>
  (await tintJson(folder, ["report", "--date", date], now && { now })).taken;

describe("what was paid, as it is typed", () => {
  const pay = (amount: number, by: string, kind = "payment") => ({ amount, by, kind });
  test.each([
    ["509", "cash", [pay(50900, "cash")]],
    ["300 cash 250 card", null, [pay(30000, "cash"), pay(25000, "card")]],
    ["$1,300.50 cash, 250 by card and 5 other", null, [pay(130050, "cash"), pay(25000, "card"), pay(500, "other")]],
    ["300 cash 250 card +20", null, [pay(30000, "cash"), pay(25000, "card"), pay(2000, "card", "tip")]],
    ["599+41", "card", [pay(59900, "card"), pay(4100, "card", "tip")]],
    ["deposit 100 card", null, [pay(10000, "card", "deposit")]],
    ["60 cash refund, deposit 100 card", null, [pay(6000, "cash", "refund"), pay(10000, "card", "deposit")]],
  ] as const)("%s", (typed, by, payments) => {
    expect(readPayments(typed, by)).toEqual([...payments] as ReturnType<typeof readPayments>);
  });

  test.each([
    ["", "Type what was paid, like 300 cash 250 card +20."],
    ["cash 300", "cash 300 is not what was paid: write it like 300 cash 250 card +20."],
    ["300 cash tip tip", "300 cash tip tip is not what was paid: write it like 300 cash 250 card +20."],
    ["300 zelle", "zelle is not a way of paying: it must be cash, card or other."],
    ["0 cash 250 card", "0 is no payment: leave it out."],
    ["300", "Say how it was paid, like 300 cash 250 card +20: cash, card, other."],
  ])("%p is refused", (typed, message) => {
    expect(() => readPayments(typed, null)).toThrow(message);
  });
});

test("a deposit counts on the day when it was paid; what is left is due at the work, in two ways with a tip", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booking(folder, TOMORROW);
  const deposit = await tint(folder, ["pay", code, "100", "--by", "cash", "--as", "deposit", "--note", "by hand"]);
  expect(deposit).toMatchObject({ status: 0, stdout: "" });
  expect(deposit.stderr).toMatch(/: deposit of \$100\.00 cash\. Due: \$249\.00\. To undo it: tint pay \w+ --undo 1\n$/);
  const [first] = await tintJson(folder, ["pay", code, "--list"]);
  expect(first).toEqual({
    ...{ id: 1, amount: 100, by: "cash", kind: "deposit", note: "by hand", undone_at: null },
    ...{ paid_at: expect.stringContaining(TODAY), taken_by: expect.any(String) },
  });
  expect(await tintJson(folder, ["bookings", "show", code])).toMatchObject({
    ...{ paid: { amount: 100, by: "cash" }, due: 249, payments: [{ id: 1 }] },
  });
  const later = NOW.add({ hours: 28 });
  const args = ["bookings", "complete", code, "--paid", "149 cash", "--paid", "100 card", "--tip", "20"];
  const { stderr } = await tint(folder, args, { now: later });
  expect(stderr).toContain(" Paid $149.00 cash + $100.00 card, tip $20.00. To undo it:");
  expect((await tint(folder, ["bookings", "show", code])).stdout).toMatch(
    /^Price +\$349\.00 · paid \$249\.00 cash \+ \$100\.00 card · tip \$20\.00$/m,
  );
  expect(await drawer(folder, TODAY, later)).toMatchObject({
    ...{ count: 1, amounts: { USD: 100 }, cash: { count: 1, amounts: { USD: 100 } }, card: { count: 0, amounts: {} } },
    deposits: { count: 1, amounts: { USD: 100 } },
  });
  expect(await drawer(folder, TOMORROW, later)).toMatchObject({
    ...{ count: 3, amounts: { USD: 269 }, cash: { amounts: { USD: 149 } }, card: { amounts: { USD: 120 } } },
    ...{ tips: { count: 1, amounts: { USD: 20 } }, deposits: { count: 0 }, refunds: { count: 0, amounts: {} } },
  });
  const text = (await tint(folder, ["report", "--date", TOMORROW], { now: later })).stdout;
  expect(text).toContain("\nTaken: $269.00 (cash $149.00, card $120.00), of it tips $20.00\n");
  const books = (await tintCsv(folder, ["bookings"], { now: later })).stdout;
  expect(books).toMatch(/,369,"cash; card",349,,\n$/);
  // The tip is none of the price.
  expect(text).not.toContain("Not as priced");
  const csv = (await tintCsv(folder, ["report", "--date", TOMORROW, "--by", "payment"], { now: later })).stdout;
  expect(csv).toBe(
    `date,payment,number,amount,currency,kind,tax\n${TOMORROW},card,1,100,USD,payment,0\n${TOMORROW},card,1,20,USD,tip,0\n${TOMORROW},cash,1,149,USD,payment,0\n`,
  );
});

test("a cancellation says what was paid and how it is given back, for one and for several", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booking(folder, TOMORROW);
  await tint(folder, ["pay", code, "100", "card", "--as", "deposit"]);
  const back = `Paid for ${code}: $100.00. To give it back: tint pay ${code} 100 card --as refund\n`;
  for (const which of [[code], ["--since", "2h", "--yes"]]) {
    expect((await tint(folder, ["bookings", "cancel", ...which])).stderr).toEndWith(back);
    await tint(folder, ["bookings", "reopen", code]);
  }
  const terminal = await openOn(folder, "booking", { about: code, sees: "confirmed" });
  await terminal.press("x", "s").see(new RegExp(back.trim().replace("$", "\\$").replaceAll(" ", "\\s+")));
  await tint(folder, ["bookings", "reopen", code]);
  expect(await tint(folder, ["pay", code, "100", "card", "--as", "refund"])).toMatchObject({ status: 0 });
  expect((await tint(folder, ["bookings", "cancel", code])).stderr).not.toContain("Paid");
  // Each part goes back in the way in which it came.
  const parts = await booking(folder, TOMORROW);
  await tint(folder, ["pay", parts, "100 cash", "249 card", "+20"]);
  const back2 = `tint pay ${parts} 100 cash 249 card --as refund\n`;
  expect((await tint(folder, ["bookings", "cancel", parts])).stderr).toEndWith(back2);
  expect(await tint(folder, back2.trim().split(" ").slice(1))).toMatchObject({ status: 0 });
  expect(await drawer(folder, TODAY)).toMatchObject({ cash: { amounts: { USD: 0 } }, card: { amounts: { USD: 20 } } });
  const late = await tint(folder, ["pay", parts, "5", "cash"]);
  expect(late.stderr).toContain("$5.00 cash. Note: the booking is cancelled by the shop. To undo it:");
});

test("what changes a day that is over names it, at once and in its report", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booking(folder);
  const evening = NOW.subtract({ hours: 17 });
  const args = ["bookings", "complete", code, "--paid", "349", "--by", "cash"];
  const less = await tint(folder, args.with(4, "340"), { now: evening });
  expect([less.status, less.stderr]).toEqual([
    2,
    expect.stringContaining("$340.00 is $9.00 less than the price, $349.00."),
  ]);
  expect(await tint(folder, args, { now: evening })).toMatchObject({ status: 0 });
  expect((await drawer(folder, YESTERDAY)).cash).toEqual({ count: 1, amounts: { USD: 349 } });
  expect((await tintJson(folder, ["report", "--date", YESTERDAY])).changed).toEqual([]);
  // A refund is of today.
  const refund = await tint(folder, ["pay", code, "60", "--by", "cash", "--as", "refund"]);
  expect(refund.stderr).toMatch(/: refund of \$60\.00 cash\. To undo it: tint pay \w+ --undo 2\n$/);
  // Nobody is asked again for what was paid back.
  const card = (await tint(folder, ["bookings", "show", code])).stdout;
  expect(card).toMatch(/^Price +\$349\.00 · paid \$349\.00 cash · refunded \$60\.00$/m);
  expect((await tint(folder, ["pay", code])).stderr).toBe("Nothing more is due.\n");
  expect((await drawer(folder, YESTERDAY)).cash.amounts).toEqual({ USD: 349 });
  expect(await drawer(folder, TODAY)).toMatchObject({
    cash: { amounts: { USD: -60 } },
    refunds: { amounts: { USD: 60 } },
  });
  // To people with a minus, to programs with a hyphen.
  expect((await tint(folder, ["report", "--date", TODAY])).stdout).toContain("Taken: −$60.00 (cash −$60.00)");
  expect((await tintCsv(folder, ["report", "--date", TODAY, "--by", "payment"])).stdout).toContain("cash,1,-60,USD");
  // Forgotten yesterday, and taken back today: both are changes of yesterday.
  const forgotten = await tint(folder, ["pay", code, "15", "--by", "card", "--as", "tip", "--at", "yesterday 5pm"]);
  expect(forgotten.stderr).toContain("This changes Fri Nov 20, which is over: +$15.00 card.");
  const undone = await tint(folder, ["pay", code, "--undo", "1"]);
  expect(undone.stderr).toMatch(
    /: payment of \$349\.00 cash taken back\. This changes Fri Nov 20, which is over: −\$349\.00 cash\.\n$/,
  );
  const report = await tintJson(folder, ["report", "--date", YESTERDAY]);
  expect(report.taken).toMatchObject({ amounts: { USD: 15 }, cash: { count: 0 } });
  expect(report.changed).toEqual([
    { date: YESTERDAY, on: TODAY, by: "card", currency: "USD", amount: 15 },
    { date: YESTERDAY, on: TODAY, by: "cash", currency: "USD", amount: -349 },
  ]);
  expect((await tint(folder, ["report", "--date", YESTERDAY])).stdout).toContain(
    "\nFri Nov 20 changed on Sat Nov 21: −$349.00 cash\n",
  );
  const list = await tintJson(folder, ["pay", code]);
  expect(list.map((one: { id: number; undone_at: string | null }) => [one.id, one.undone_at !== null])).toEqual([
    [1, true],
    [3, false],
    [2, false],
  ]);
  expect((await tint(folder, ["pay", code])).stdout).toMatch(/^1 .* payment, taken back Sat Nov 21/m);
  await expectRefusals(folder, [
    [`pay ${code} --undo 1`, 1, "has no payment 1 that stands"],
    [`pay ${code} --undo 1.5`, 2, `1.5 is not the number of a payment. See tint pay ${code} --list.\n`],
    [["pay", code, "5", "--by", "cash", "--at", "tomorrow 9am"], 2, "is still to come"],
  ]);
});

test("a sum above what is due is asked about, a part of it is not, and nothing is paid back that was not paid", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booking(folder, TOMORROW);
  const more = "$3,490.00 is $3,141.00 more than the price, $349.00. Was that paid? Then say --yes.";
  await expectRefusals(folder, [
    [`pay ${code} 3490 --by cash`, 2, more],
    [`pay ${code} 60 --by cash --as refund`, 2, "$60.00 is more than was paid, $0.00."],
    [`pay ${code} 60`, 2, "Say how it was paid"],
    // Work of tomorrow cannot be completed, whatever was paid.
    [["bookings", "complete", code, "--paid", "60 cash"], 1, "which is still to come"],
    [`pay ${code} 60 --by cash --list`, 2, "one of them"],
  ]);
  expect(await tint(folder, ["pay", code, "300", "cash"])).toMatchObject({ status: 0 });
  await expectRefusals(folder, [[`pay ${code} 60 --by cash`, 2, "$60.00 is $11.00 more than what is due, $49.00."]]);
  expect(await tint(folder, ["pay", code, "60", "--by", "cash", "--yes"])).toMatchObject({ status: 0 });
  expect(await tintJson(folder, ["bookings", "show", code])).toMatchObject({ due: -11 });
  await expectRefusals(folder, [[`pay ${code} 5 --by cash`, 2, "$5.00 is $5.00 more than what is due, $0.00."]]);
});

test("a won lead is paid; one that is open is not yet", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const asked = ["leads", "add", "--name", "Ann Oak", "--phone", "404-555-0177", "--service", "residential"];
  const { reference } = await tintJson(folder, asked);
  const pay = ["pay", reference, "500", "--by", "other", "--as", "deposit"];
  expect(await tint(folder, pay)).toMatchObject(saying(1, `tint leads won ${reference}`));
  await tint(folder, ["leads", "won", reference, "--amount", "1200"]);
  expect((await tint(folder, pay)).stderr).toContain("deposit of $500.00 other. Due: $700.00.");
  expect((await tint(folder, ["leads", reference])).stdout).toMatch(
    /^Paid +paid \$500\.00 otherwise · due \$700\.00$/m,
  );
  expect((await tintJson(folder, ["leads", reference])).payments).toMatchObject([{ amount: 500, kind: "deposit" }]);
  expect(await drawer(folder, TODAY)).toMatchObject({ other: { count: 1, amounts: { USD: 500 } } });
  expect((await tintCsv(folder, ["report", "--date", TODAY, "--by", "service"])).stdout).toContain(
    "residential,taken,1,500,USD,0\n",
  );
  expect((await tint(folder, ["find", "oak"])).stdout).toMatch(
    /^Paid +\$500\.00 \(other \$500\.00\), of it deposits \$500\.00$/m,
  );
});

test("what is due for a won lead is what its paper says, with the tax that is added", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, tax: { status: "added", rate_pct: 7.5, label: "Sales tax" } });
  const asked = ["leads", "add", "--name", "Ann Oak", "--phone", "404-555-0177", "--service", "residential"];
  const { reference } = await tintJson(folder, asked);
  await tint(folder, ["leads", "won", reference, "--amount", "1299"]);
  expect((await tint(folder, ["quote", reference])).stdout).toMatch(/^With tax +\$1,396\.43$/m);
  const paid = await tint(folder, ["pay", reference, "500", "--by", "card", "--as", "deposit"]);
  expect(paid.stderr).toContain("Due: $896.43.");
  expect((await tint(folder, ["leads", reference])).stdout).toMatch(/^Paid +paid \$500\.00 card · due \$896\.43$/m);
  await tint(folder, ["pay", reference, "896.43", "cash"]);
  await tint(folder, ["pay", reference, "60", "cash", "refund"]);
  expect((await tint(folder, ["pay", reference])).stderr).toBe("Nothing more is due.\n");
});

test("what was paid for a lead goes into the booking that is made of it", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const asked = ["leads", "add", "--name", "Ann Oak", "--phone", "404-555-0177", "--vehicle", "suv"];
  const { reference } = await tintJson(folder, asked);
  await tint(folder, ["leads", "won", reference, "--amount", "349"]);
  await tint(folder, ["pay", reference, "100", "cash", "deposit"]);
  const when = ["--date", TOMORROW, "--time", "9am", "--anyway"];
  const { confirmation_code: code } = await tintJson(folder, ["leads", "book", reference, "suv", ...when]);
  expect(await tintJson(folder, ["bookings", "show", code])).toMatchObject({ due: 249, paid: { amount: 100 } });
  expect(await drawer(folder, TODAY)).toMatchObject({ count: 1, deposits: { amounts: { USD: 100 } } });
  // By the lead's name it is found there, too.
  expect((await tint(folder, ["pay", reference, "49", "card"])).stderr).toMatch(
    new RegExp(`^Booking ${code} .*: payment of .49.00 card\\. Due: .200.00\\.`),
  );
  expect((await tint(folder, ["leads", reference])).stdout).toMatch(new RegExp(`^Booking +${code}$`, "m"));
  expect((await tint(folder, ["quote", reference])).stdout).toMatch(/^Deposit paid +\$100\.00$/m);
});

describe("a booking of a lead that is taken back", () => {
  /** A lead that was won by hand for $300 and paid $100, booked for that. */
  async function bookedLead(folder: ShopFolder) {
    const asked = ["leads", "add", "--name", "Ann Oak", "--phone", "404-555-0177", "--vehicle", "suv"];
    const { reference } = await tintJson(folder, asked);
    const run = async (line: string) => (await tint(folder, line.split(" "))).stderr;
    await run(`leads won ${reference} --amount 300`);
    await run(`pay ${reference} 100 cash deposit`);
    const book = async (at: string) =>
      (await tintJson(folder, ["leads", "book", reference, "suv", "--date", TOMORROW, "--time", at, "--anyway"]))
        .confirmation_code;
    const dueOf = async (code: string) => (await tint(folder, ["pay", code])).stderr;
    return { reference, run, book, dueOf, code: await book("9am") };
  }
  const back = "Its own again: paid $100.00 cash.\n";

  test("gives back what the lead brought, with the price it was won for, in whatever order it is taken back", async () => {
    for (const isCancelledFirst of [true, false]) {
      using folder = shopFolder(OPEN_DAILY);
      const { reference, run, dueOf, code } = await bookedLead(folder);
      expect(await dueOf(code)).toBe("Due: $200.00.\n");
      await run(`pay ${code} 20 card`);
      if (isCancelledFirst) expect(await run(`bookings cancel ${code}`)).toContain(`Paid for ${code}: $120.00.`);
      const from = isCancelledFirst ? ": lost → won, $300.00." : " stays won.";
      expect(await run(`leads reopen ${reference}`)).toBe(`Lead ${reference} (Ann Oak)${from} ${back}`);
      expect(await dueOf(reference)).toBe("Due: $200.00.\n");
      if (!isCancelledFirst) expect(await run(`bookings cancel ${code}`)).toContain(`Paid for ${code}: $20.00.`);
      expect((await tintJson(folder, ["leads", reference])).history.at(-1).note).toBe(`no longer booked as ${code}`);
      expect(await drawer(folder, TODAY)).toMatchObject({ amounts: { USD: 120 }, cash: { amounts: { USD: 100 } } });
      expect(await run(`leads reopen ${reference}`)).toContain(": won → new.");
      const giveBack = `Paid for ${reference}: $100.00. To give it back: tint pay ${reference} 100 cash --as refund.`;
      expect(await run(`leads lost ${reference}`)).toContain(`: new → lost. 1 reminder stopped. ${giveBack}`);
    }
  });

  test("gives it to the next booking, too; not what was given back", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const { reference, run, book, dueOf, code } = await bookedLead(folder);
    await run(`bookings cancel ${code}`);
    const next = await book("2pm");
    expect(await dueOf(next)).toBe("Due: $249.00.\n");
    expect((await tint(folder, ["pay", code])).stderr).toBe("No payments.\n");
    await run(`bookings cancel ${next}`);
    await run(`pay ${next} 40 cash --as refund`);
    expect(await run(`leads won ${reference} --amount 300`)).not.toContain("own again");
    expect((await tintJson(folder, ["pay", next])).length).toBe(2);
    expect(await drawer(folder, TODAY)).toMatchObject({ amounts: { USD: 60 }, refunds: { amounts: { USD: 40 } } });
  });
});

describe("nothing is to come that is over", () => {
  test("a past job that is still confirmed is named apart in the report, on the customer's card and by doctor", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const code = await booking(folder);
    await booking(folder, TOMORROW);
    const week = ["report", "--from", YESTERDAY, "--to", TOMORROW];
    const report = await tintJson(folder, week);
    expect(report).toMatchObject({
      ...{ to_come: { count: 1, amounts: { USD: 349 } }, not_closed: { count: 1, amounts: { USD: 349 } } },
    });
    expect((await tint(folder, week)).stdout).toMatch(/^not closed +1 +\$349\.00$/m);
    expect((await tintCsv(folder, week)).stdout).toContain("\nnot_closed,1,349,USD,0\n");
    const card = (await tint(folder, ["find", "jordan"])).stdout;
    expect(card).toMatch(/^To come +1 booking, \$349\.00$/m);
    expect(card).toMatch(/^Not closed +1 booking, \$349\.00$/m);
    const doctor = async () =>
      (await tintJson(folder, ["doctor"])).checks.find(({ name }: { name: string }) => name === "jobs");
    expect(await doctor()).toMatchObject({
      level: "warning",
      message: "1 job of past days is still open, the first of Fri Nov 20, 2026",
    });
    await tint(folder, ["bookings", "no-show", code]);
    expect(await doctor()).toBeUndefined();
    expect(await tintJson(folder, week)).toMatchObject({ not_closed: { count: 0, amounts: {} } });
    expect((await tint(folder, week)).stdout).not.toContain("not closed");
  });
});

test("two days of cash, card and other: the drawer agrees to the cent each evening, and says what a later day changed", async () => {
  const tax = { status: "added", rate_pct: 8.25, label: "sales tax", note: "Sales tax of 8.25% is added." };
  using folder = shopFolder({ ...OPEN_DAILY, tax });
  const at = (day: number, hour: number) => NOW.add({ hours: 24 * day + hour - 10 });
  const run = (day: number, hour: number, line: string, ...more: string[]) =>
    tint(folder, [...line.split(" "), ...more], { now: at(day, hour) });
  const booked = async (day: number, hour: number) => {
    const who = ["--date", dateFromNow(day), "--time", `${hour}:00`, "--price", "599", "--json", "--anyway"];
    return JSON.parse((await run(0, 8, "book suv --film ceramic --name C", ...who)).stdout).confirmation_code;
  };
  const taken = async (day: number, of: number) => {
    const { stdout } = await run(day, 20, `report --date ${dateFromNow(of)} --json`);
    const { taken: all, changed } = JSON.parse(stdout);
    const usd = ({ amounts }: { amounts: { USD?: number } }) => amounts.USD ?? 0;
    const { cash, card, other, tips, deposits, refunds } = all;
    return { all: usd(all), tax: all.tax.USD, parts: [cash, card, other, tips, deposits, refunds].map(usd), changed };
  };
  const [one, two, three] = [await booked(0, 9), await booked(0, 9), await booked(1, 10)];
  await run(0, 9, `pay ${three} 100 --by card --as deposit`);
  await run(0, 14, `bookings complete ${one} --tip 20 --paid`, "300 cash", "--paid", "348.42 card");
  await run(0, 15, `bookings complete ${two} --paid 648.42 --by other`);
  await run(0, 16, `pay ${two} 60 --by cash --as refund`);
  // 49.42 of one, 44.85 of what was kept of two, 7.62 in the deposit.
  const evening = { all: 1356.84, tax: 101.89, parts: [240, 468.42, 648.42, 20, 100, 60], changed: [] };
  expect(await taken(0, 0)).toEqual(evening);
  const today = `report --date ${dateFromNow(0)}`;
  expect((await run(0, 20, today)).stdout).toContain("\nTax: $101.89 in what was taken\n");
  expect((await run(0, 20, `${today} --csv`)).stdout).toMatch(/\ntaken,\d,1356\.84,USD,101\.89\r\n/);
  const payments = JSON.parse((await run(1, 9, `pay ${one} --list --json`)).stdout);
  const { id } = payments.find(({ by, kind }: { by: string; kind: string }) => by === "card" && kind === "payment");
  await run(1, 9, `pay ${one} --undo ${id}`);
  await run(1, 9, `pay ${one} 348.42 --by cash --at`, "yesterday 2pm");
  await run(1, 14, `bookings complete ${three} --tip 10 --paid`, "548.42 card");
  await run(1, 15, `pay ${one} 20 --by card --as refund`);
  // 41.80 left of three, less 1.52 that went back with the refund.
  expect(await taken(1, 1)).toEqual({ all: 538.42, tax: 40.28, parts: [0, 538.42, 0, 10, 0, 20], changed: [] });
  const change = { date: dateFromNow(0), on: dateFromNow(1), currency: "USD" };
  expect(await taken(1, 0)).toEqual({
    ...evening,
    parts: [588.42, 120, 648.42, 20, 100, 60],
    changed: [
      { ...change, by: "card", amount: -348.42 },
      { ...change, by: "cash", amount: 348.42 },
    ],
  });
});
