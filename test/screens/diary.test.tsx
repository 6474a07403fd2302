/** The diary: by day and week, with the keys that change a booking or block a day. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { BookingStatus } from "../../src/domain/lifecycle.ts";
import { tint, tintJson } from "../cli/run.ts";
import { NOW } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { openOn } from "./render.tsx";
import { apiOf, OPEN_DAILY, openShop } from "./shop.ts";

setDefaultTimeout(90_000);

const BEFORE = NOW.subtract({ hours: 26 });
const MONDAY = "2026-11-23";

test("day by day with the arrows, week and back, today again", async () => {
  await using api = openShop();
  await api.book({ date: MONDAY, time: "09:00", customer_name: "Monday Guest" });
  const terminal = await openOn(api.folder, "diary");
  expect(await terminal.see("Nothing is booked")).toContain("Sat Nov 21, today");
  await terminal.press("right").see(/Sun Nov 22[\s\S]*closed · 0 bookings/);
  await terminal.press("right").see("Monday Guest");
  await terminal.press("v").see("Mon Nov 23 to Sun Nov 29");
  // The bookings come a moment after the week.
  const week = await terminal.see(/› Mon Nov 23 +9:00 AM–6:00 PM +1 +9:00 AM Monday Guest/);
  expect(week).toMatch(/Thu Nov 26 +closed \(Thanksgiving\)/);
  await terminal.press("left", "down", "enter").see("Diary: Tue Nov 17");
  expect(terminal.frame()).not.toContain("close");
  await terminal.press("t").see("Sat Nov 21, today");
});

test("what is held is shown with the time left, and y books it", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00", hold: true });
  const now = BEFORE.add({ minutes: 18 });
  const terminal = await openOn(api.folder, "diary", { about: MONDAY, now: () => now, sees: "held" });
  expect(terminal.frame()).toMatch(/held \d+/);
  await terminal.press("y").see("Book what is held?");
  await terminal.press("y").see(`✓ Booking ${code}`);
  expect((await api.store.findBooking(code))?.status).toBe("confirmed");
});

const MOVES: [first: string, second: string, question: string, shown: string, stored: BookingStatus][] = [
  ["c", "y", "Is the work done?", "completed", "completed"],
  ["c", "n", "Is the work done?", "no-show", "no_show"],
  ["x", "c", "Who cancels?", "cancelled", "cancelled_by_customer"],
];
/** After the booking has begun. */
const LATER = Temporal.Instant.from("2026-11-23T20:00:00Z");
for (const [first, second, question, status, stored] of MOVES) {
  test(`${first} then ${second}: ${stored}`, async () => {
    await using api = openShop();
    const code = await api.book({ date: MONDAY, time: "09:00" });
    const terminal = await openOn(api.folder, "diary", { about: MONDAY, now: () => LATER, sees: "confirmed" });
    expect(await terminal.press(first).see(question)).not.toContain("? help");
    expect(await terminal.press("esc").see("? help")).toContain("confirmed");
    await terminal.press(first, second).see(`✓ Booking ${code}`);
    expect(await terminal.see(new RegExp(`tint +${status}`))).not.toContain("c done");
    expect((await api.store.findBooking(code))?.status).toBe(stored);
  });
}

test.each([
  ["n", []],
  ["y", ["cancelled_email", "rescheduled_email"]],
])("where the shop tells customers of changes, a move and a cancelling ask whether to: %s", async (answer, told) => {
  const edits = { "messages.confirmation_email.enabled": true };
  await using api = openShop(edits);
  const consent = { confirmed_by_user: true };
  const code = await api.book({ date: MONDAY, time: "09:00", consent });
  const terminal = await openOn(api.folder, "diary", { about: MONDAY, sees: "x cancel" });
  await terminal.press("m").see("To which day and time");
  terminal.press("13:00");
  await terminal.press("enter").see("Tell the customer?");
  await terminal.press(answer).see(/u\s+undoes\s+it\./);
  expect((await api.store.findBooking(code))?.time).toBe("13:00");
  await terminal.press("x", "s").see("Tell the customer?");
  await terminal.press(answer).see(/tint +cancelled/);
  const kinds = (await api.store.waitingJobs(99)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => /^(cancelled|rescheduled)_/.test(kind)).sort()).toEqual(told as typeof kinds);
});

test("a booking that has not begun is neither done nor missed: no key offers it", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00" });
  const terminal = await openOn(api.folder, "diary", { about: MONDAY });
  const frame = await terminal.see("x cancel");
  expect(frame).not.toContain("c done");
  await terminal.press("c", "y", "m").see("To which day and time");
  expect((await api.store.findBooking(code))?.status).toBe("confirmed");
});

test("the selection stays with its booking when one comes before it", async () => {
  await using api = openShop();
  const short = { date: MONDAY, coverage: "front2" };
  await api.book({ ...short, time: "09:00", customer_name: "First Guest" });
  await api.book({ ...short, time: "13:00", customer_name: "Last Guest" });
  const terminal = await openOn(api.folder, "diary", { about: MONDAY, sees: "Last Guest" });
  await terminal.press("down").see(/› +1:00 PM .*Last Guest/);
  await api.book({ ...short, time: "10:00", customer_name: "Middle Guest" });
  expect(await terminal.see("Middle Guest")).toMatch(/› +1:00 PM .*Last Guest/);
  await terminal.press("up").see(/› +10:00 AM .*Middle Guest/);
});

test("hours and a bay are blocked in words, are at their time in day, week, list and sheet, and are opened again", async () => {
  await using api = openShop(OPEN_DAILY, NOW.subtract({ hours: 48 }));
  const before = api.folder.read();
  await api.book({ date: "2026-11-24", time: "09:00", customer_name: "Jordan Sample", vehicle_type: "coupe" });
  await api.book({ date: "2026-11-24", time: "13:00", customer_name: "Robin Ellis", vehicle_type: "coupe" });
  const terminal = await openOn(api.folder, "diary", { about: "2026-11-24", sees: "o close" });
  await terminal.press("o", ..."never", "enter").see("never does not say which hours or bay");
  await terminal
    .press(...Array(5).fill("backspace"), ..."noon to 3 pm, bay 1", "enter")
    .see("bay 1 is closed from 12:00 PM to 3:00 PM. A reason");
  terminal.press(..."Sam is ill", "enter");
  const row = / {2}12:00 PM +1 +closed to 3 PM .*Sam is ill +blocked/;
  await terminal.see(row);
  // The proposal of bays leaves the closed one out, and takes it before.
  await terminal.see(/9:00 AM +1 +Jordan Sample[\s\S]*12:00 PM +1 +closed[\s\S]*1:00 PM +2 +Robin Ellis/);
  await terminal.press("v").see(/Tue Nov 24.* 2 +bay 1 closed 12–3 PM, 9:00 AM/);
  await terminal.press("enter", "down").see(/› +12:00 PM +1 +closed/);
  await terminal.press(" ").see("✗ Only confirmed bookings can be marked.");
  const list = await tint(api.folder, ["bookings", "--date", "2026-11-24"]);
  expect(list.stdout).toMatch(/Tue Nov 24 +12:00 PM +1 +closed to 3 PM +Sam is ill +blocked/);
  const sheet = await tint(api.folder, ["day", "2026-11-24"]);
  expect(sheet.stdout).toMatch(/\n12:00 PM–3:00 PM +bay 1 +blocked\n +Sam is ill\n/);
  const json = await tintJson(api.folder, ["day", "2026-11-24"]);
  expect(json.blocked).toEqual([{ from: "12:00", to: "15:00", bay: 1, bays: null, reason: "Sam is ill" }]);
  await terminal.press("o").see("Take bookings again on Tue Nov 24 12:00 PM–3:00 PM, bay 1?");
  await terminal.press("y").see("Tue Nov 24 12:00 PM–3:00 PM, bay 1: bookings as usual.");
  expect(api.folder.read()).toBe(before);
});

test("a question stays with its booking, whatever is booked meanwhile", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "11:00", customer_name: "Asked About" });
  const terminal = await openOn(api.folder, "diary", { about: MONDAY, sees: /› +11:00 AM/ });
  await terminal.press("x").see("Who cancels? (Mon Nov 23, 11:00 AM, Asked About)");
  const earlier = await api.book({ date: MONDAY, time: "09:00", customer_name: "Came Later" });
  await terminal.see("Came Later");
  await terminal.press("s").see(`✓ Booking ${code}`);
  expect((await api.store.findBooking(code))?.status).toBe("cancelled_by_shop");
  expect((await api.store.findBooking(earlier))?.status).toBe("confirmed");
});

test("a booking that was cancelled while the question was open is refused in words", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => LATER, sees: "c done" });
  await terminal.press("c").see("Is the work done?");
  await api.store.changeBookingStatus(code, "cancelled_by_customer", NOW.epochMilliseconds);
  await terminal.press("y").see(new RegExp(`✗ Booking ${code} is cancelled by the customer already`));
  await terminal.lose("c done");
  expect((await api.store.findBooking(code))?.status).toBe("cancelled_by_customer");
});

test("what was paid is typed, and a sum other than the price is asked about once", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => LATER, sees: "c done" });
  await terminal.press("c", "k").see("Paid by card: [599.00]");
  await terminal.press("end", "9", "enter").see("599.009 is not an amount");
  await terminal
    .press("ctrl+u", ..."5990", "enter")
    .see("$5,990.00 is $5,391.00 more than the price, $599.00. Was that paid?");
  await terminal.press("c").see("Paid by card: [599.00]");
  await terminal.press(..."570", "enter").see("$570.00 is $29.00 less than the price, $599.00. Was that paid?");
  await terminal.press("c").see("Paid by card: [599.00]");
  await terminal.press(..."640", "enter").see("$640.00 is $41.00 more");
  await terminal.press("t").see("$599.00 · paid $599.00 card · tip $41.00");
  expect((await api.store.findBooking(code))?.payments).toMatchObject([
    { amount: 59900, by: "card", kind: "payment" },
    { amount: 4100, by: "card", kind: "tip" },
  ]);
});

test("c proposes what is due after a deposit, beside the note, and takes two ways and a tip in one go", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00", special_requests: "wants a receipt" });
  const lead = (await api.store.findBooking(code))?.lead.id ?? "";
  await api.store.addPayments(lead, [{ amount: 10000, by: "card", kind: "deposit" }], NOW.epochMilliseconds);
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => LATER, sees: "c done" });
  await terminal.see("$599.00 · paid $100.00 card · due $499.00");
  await terminal.press("c").see("Due: $499.00. Note: wants a receipt.");
  await terminal.press("c").see(/Note: wants a receipt\. Paid in cash[\s\S]*499\.00/);
  await terminal.press(..."300 cash 199 cheque", "enter").see("cheque is not a way of paying");
  await terminal.press("ctrl+u", ..."300, 199 card +20", "enter").see("paid $300.00 cash + $299.00 card · tip $20.00");
  expect((await api.store.findBooking(code))?.payments.slice(1)).toMatchObject([
    { amount: 30000, by: "cash", kind: "payment" },
    { amount: 19900, by: "card", kind: "payment" },
    { amount: 2000, by: "card", kind: "tip" },
  ]);
  // What was paid as it was completed goes with the completion; the deposit stays.
  await terminal.see(/completed\.\s+Paid\s+\$300\.00 cash \+ \$199\.00 card,\s+tip \$20\.00\./);
  await terminal.press("u").see("Taken back, too: paid $300.00 cash + $199.00 card, tip $20.00.");
  await terminal.see("$599.00 · paid $100.00 card · due $499.00");
});

test("work that is reopened by mistake is completed again by u, with what was paid then", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => LATER, sees: "c done" });
  await terminal
    .press("c", "o", ..."300 cash 299 card +20", "enter")
    .see("paid $300.00 cash + $299.00 card · tip $20.00");
  await terminal.press("c").see("y reopen it");
  await terminal.press("y").see("Taken back, too: paid $300.00 cash + $299.00 card, tip $20.00.");
  await terminal.press("u").see("confirmed → completed");
  const standing = (await api.store.findBooking(code))?.payments.filter(({ undoneAt }) => undoneAt === null);
  expect(standing?.map(({ amount, by, kind }) => `${amount} ${by} ${kind}`)).toEqual([
    "30000 cash payment",
    "29900 card payment",
    "2000 card tip",
  ]);
  await terminal.press("U").see("Taken back, too: paid $300.00 cash + $299.00 card, tip $20.00.");
});

test("$ writes down a deposit before the work and a refund after it", async () => {
  await using api = openShop();
  const code = await api.book({ date: MONDAY, time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, now: () => LATER, sees: "$ pay" });
  await terminal.press("$", ..."deposit 1000 cash", "enter").see("more than the price, $599.00. Was that paid?");
  await terminal.press("n").see("$ pay");
  await terminal.press("$", ..."deposit 100 cash", "enter").see("$599.00 · paid $100.00 cash · due $499.00");
  await terminal.press("u").lose("paid $100.00");
  await terminal.press("U").see(/Pat Example\): deposit of \$100\.00 cash\.\s+Due: \$499\.00\. u/);
  await terminal.press("$", ..."20 cash 30 card", "enter").see("due $449.00");
  await terminal.press("u").see(/of \$20\.00 cash,\s+payment of \$30\.00 card taken back\. U/);
  await terminal.press("c", "k", "enter").see("paid $100.00 cash + $499.00 card");
  await terminal.press("$", ..."refund 60 card", "enter").see("refunded $60.00");
  const kinds = (await api.store.findBooking(code))?.payments.map(({ kind }) => kind);
  expect(kinds).toEqual(["deposit", "deposit", "payment", "payment", "payment", "refund"]);
});

test("an unknown confirmation code is named", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "booking", { about: "ZZZZZZ" });
  expect(await terminal.see("There is no booking ZZZZZZ.")).not.toContain("complete");
});

test("the week: up from Monday goes to the week before, and today is always one key away", async () => {
  using folder = shopFolder();
  const terminal = await openOn(folder, "diary", { about: MONDAY, sees: "Diary: Mon Nov 23" });
  await terminal.press("v", "up").see("Mon Nov 16 to Sun Nov 22");
  expect(terminal.frame()).toContain("› Sun Nov 22");
  expect(await terminal.press("right").see("Mon Nov 23 to Sun Nov 29")).toContain("› Sun Nov 29");
  expect(await terminal.press("t").see("› Sat Nov 21")).not.toContain("t today");
});

test("a day is blocked without a reason; Esc blocks nothing", async () => {
  using folder = shopFolder();
  const before = folder.read();
  const terminal = await openOn(folder, "diary", { about: MONDAY, sees: "o close" });
  await terminal.press("o").see("Block Mon Nov 23: 1 to 3 PM, afternoon, bay 2 …; Enter for all day");
  await terminal.press("esc").see("o close");
  expect(folder.read()).toBe(before);
  await terminal.press("o", "enter", "enter").see("✓ Mon Nov 23: no bookings.");
  const blocked = folder
    .read()
    .split("\n")
    .find((line) => line.includes(MONDAY) && !before.includes(line));
  expect(blocked).not.toContain("reason");
  // Unless a day is typed in front of the hours, they are those of the day shown.
  await terminal.press("right").see("Diary: Tue Nov 24");
  await terminal
    .press("o", ..."fri afternoon, bay 1", "enter")
    .see("Fri Nov 27, bay 1 is closed from 12:00 PM to 6:00 PM. A reason");
  await terminal.press("enter").see("✓ Fri Nov 27: bay 1 is closed from 12:00 PM to 6:00 PM.");
});

test("a booking is moved, corrected, cancelled and brought back by keys", async () => {
  await using api = openShop(OPEN_DAILY, NOW.subtract({ hours: 48 }));
  const code = await api.book({ date: "2026-11-24", time: "09:00" });
  const terminal = await openOn(api.folder, "booking", { about: code, sees: "m move" });
  await terminal.press("m", ..."11/25 2pm", "enter").see(/→\s+Wed\s+Nov\s+25,\s+2:00\s+PM\.\s+u\s+undoes\s+it\./);
  await terminal.see(/When +Wed Nov 25, 2:00 PM/);
  await terminal.press("u").see(/When +Tue Nov 24, 9:00 AM/);
  await terminal.press("m", ..."1pm", "enter").see(/When +Tue Nov 24, 1:00 PM/);
  await terminal.press("m", ..."thursday", "enter").see(/When +Thu Nov 26, 1:00 PM/);
  await terminal
    .press("m", ..."Wed Nov 25, 9:00 PM", "enter")
    .see(/Customers could not book this: the work would last until/);
  await terminal.press("y").see(/When +Wed Nov 25, 9:00 PM/);
  const edit = () => terminal.press("e").see("What is to be corrected?");
  await edit();
  await terminal.press("up", ..."500", "enter").see(/Price +\$500\.00/);
  await edit();
  // What was refused stays, to be repaired.
  await terminal
    .press("down", "down", "down", "down", ..."soon", "down", "down", ..."Outback", "ctrl+s")
    .see(/› Year +soon▏[\s\S]*Model +Outback[\s\S]*✗ The vehicle year must be a whole number/);
  await terminal.press("ctrl+u", ..."2019", "ctrl+s").see(/Vehicle +2019 .*Outback/);
  await terminal.press("x", "s").see(/u\s+undoes\s+it\./);
  await terminal
    .press("u")
    .see(new RegExp(`✓ Booking ${code} \\(Wed Nov 25, 9:00 PM, .*\\): cancelled by the shop →\\s+confirmed\\.`));
});

test("other work has the price list's price, or keeps the agreed one; its length follows", async () => {
  await using api = openShop(OPEN_DAILY, NOW.subtract({ hours: 48 }));
  const code = await api.book({ date: "2026-11-24", time: "09:00", film_type: "standard" });
  const terminal = await openOn(api.folder, "booking", { about: code, sees: "e edit" });
  const edit = async (label: string, ...keys: string[]) => {
    await terminal.press("e").see("What is to be corrected?");
    for (let i = 0; !terminal.frame().includes(`› ${label}`); i++) {
      if (i > 20) throw new Error(`no ${label}`);
      await terminal.press("down").see("What is to be corrected?");
      await Bun.sleep(20);
    }
    return terminal.press(...keys, "ctrl+s");
  };
  await (await edit("Film", "c")).see(/l the price list's \$599\.00 {2}k keep \$349\.00/);
  await terminal.press("l").see(/\$349\.00\s+→\s+\$599\.00/);
  await terminal.see(/Price +\$599\.00/);
  await (await edit("Extras", ..."sunroof")).see(/l the price list's \$728\.00 {2}k keep \$599\.00/);
  await terminal.press("k").see(/Job +ceramic tint, sunroof\n[\s\S]*Price +\$599\.00/);
  const { answer } = (await api.store.findBooking(code)) ?? {};
  expect(answer).toMatchObject({ film_type: "ceramic", addons: ["sunroof"], estimate: { total: 599 } });
  // Another price is typed into the form.
  await (await edit("Agreed price", ..."cheap")).see("✗ cheap is not an amount");
  await terminal.press("ctrl+u", ..."300", "ctrl+s").see(/Price +\$300\.00 agreed \(list \$728\.00\)/);
  await terminal.press("u").see(/Price +\$599\.00/);
  // A shade costs nothing, so no price is asked about.
  await (await edit("Shade", ..."15")).see("15% on the front side windows is not legal in Georgia: change it anyway?");
  await terminal.press("n").see(/› Shade +15/);
  await terminal.press("ctrl+u", ..."50 front 15 back", "ctrl+s").see(/front side 50%, rear side 15%/);
  await (await edit("Shade", ..."15")).see("y change it anyway");
  await terminal.press("y").see(/Tint law +Not legal in Georgia: front side/);
  // One step back takes the shade of before.
  await terminal.press("u").see(/front side 50%, rear side 15%/);
});

test("where the shop tells of it, other work, the end and the way back ask first; a no tells nobody", async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    "messages.confirmation_email.enabled": true,
    "messages.aftercare_sms.enabled": true,
  });
  await using api = apiOf(folder, {}, NOW.subtract({ hours: 48 }));
  const code = await api.book({ date: "2026-11-20", time: "09:00", film_type: "ceramic" });
  const terminal = await openOn(folder, "booking", { about: code, sees: "e edit" });
  await terminal.press("e").see("What is to be corrected?");
  await terminal.press("down", "down", "down", "down", "down", "down", "down", "s", "ctrl+s").see("Which price");
  await terminal.press("l").see("Tell the customer?");
  await terminal.press("n").see(/Job +standard tint\n[\s\S]*✓ Booking \w{8} is corrected/);
  // A name is no news.
  await terminal.press("e").see("What is to be corrected?");
  await terminal.press(..."Robin", "ctrl+s").see(/Customer +Robin,/);
  await terminal.press("c", "y").see("Tell the customer?");
  await terminal.press("n").see("confirmed → completed");
  const kinds = (await api.store.waitingJobs(9)).map(({ kind }) => kind);
  expect(kinds).not.toContain("aftercare_sms");
  expect(kinds).not.toContain("confirmation_email");
});
