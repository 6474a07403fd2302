/** What was agreed with a customer: `tint deposit`, a price that was agreed, and paper, `tint quote` and `tint receipt`. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { lookup } from "../http/manage-requests.ts";
import { EDITS } from "../payments/deposit-shop.ts";
import { startStripe } from "../payments/stripe.ts";
import { dateIn, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { openOn } from "../screens/render.tsx";
import { catalogWith } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { booked, expectRefusals, saying, tint, tintJson, tintOnTerminal, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const AT = NOW.epochMilliseconds;
const CODE = "7F3A1B0C";
const depositIn = async (folder: ShopFolder) => await tintJson(folder, ["deposit", CODE]);
const bookingIn = async (folder: ShopFolder) => await tintJson(folder, ["bookings", "show", CODE]);
const outbox = async (folder: ShopFolder) =>
  (await tintJson(folder, ["outbox"])).map((job: { kind: string }) => job.kind);

const PAYMENT = { amount: 50, currency: "USD", url: "https://checkout.stripe.com/1", pay_until: null, note: "" };

/** A shop with a booking that waits for its deposit. */
async function waiting(): Promise<ShopFolder> {
  const folder = shopFolder(EDITS);
  const store = openSqliteStore(folder.data);
  const payUntil = AT + 30 * 60_000;
  const page = { pageId: "cs_1", url: "https://checkout.stripe.com/1", payUntil, refundHours: 24 };
  const booking = newBooking({
    ...{ confirmationCode: CODE, createdAt: AT, startAt: AT + 72 * 3_600_000, heldUntil: payUntil },
    ...{ deposit: { ...page, amount: 5000, currency: "USD" }, answer: { status: "held", payment: PAYMENT } },
    lead: { createdAt: AT, email: "jo@example.com", consent: { confirmed_by_user: true } },
  });
  await store.book(booking, 1, []);
  await store.close();
  return folder;
}

test("it is shown, and what was taken by hand confirms the booking", async () => {
  using folder = await waiting();
  using db = new Database(folder.database);
  db.run("UPDATE deposits SET last_error = 'it answered 401'");
  const { checks } = JSON.parse((await tint(folder, ["doctor", "--json"])).stdout);
  const message = `Stripe gives no answer about 1 deposit (booking ${CODE}: it answered 401)`;
  expect(checks).toContainEqual(expect.objectContaining({ name: "deposits", message }));
  db.run("UPDATE deposits SET last_error = NULL");
  const { stdout } = await tint(folder, ["deposit", CODE]);
  expect(stdout).toMatch(
    /^The deposit of \$50\.00 is to be paid until .*10:30 AM: https:\/\/checkout\.stripe\.com\/1\n$/,
  );
  const shown = (await tint(folder, ["bookings", "show", CODE])).stdout;
  expect(shown).toMatch(/^Deposit +\$50\.00 is to be paid until .*10:30 AM: https:\/\/checkout\.stripe\.com\/1$/m);
  expect(shown).toContain(`to book it without its deposit: tint deposit ${CODE} --waive`);
  expect((await tint(folder, ["deposit", CODE, "--paid", "50"])).status).toBe(2);
  const paid = await tint(folder, `deposit ${CODE} --paid 50 --by cash`);
  expect(paid).toMatchObject(saying(0, "$50.00 is written down, and it is confirmed."));
  expect(await depositIn(folder)).toMatchObject({ state: "paid", amount: 50 });
  const { status, payments, deposit } = await bookingIn(folder);
  expect([status, payments]).toMatchObject(["confirmed", [{ kind: "deposit", by: "cash", amount: 50 }]]);
  expect(deposit).toMatchObject({ state: "paid", amount: 50 });
  for (const again of ["--paid 50 --by cash", "--waive"])
    await expectRefusals(folder, [[`deposit ${CODE} ${again}`, 1, "is paid already. Nothing was changed."]]);
  expect((await bookingIn(folder)).payments.length).toBe(1);
  const cancelled = await tint(folder, ["bookings", "cancel", CODE]);
  expect(cancelled.stderr).toEndWith(
    `Deposit of ${CODE}: $50.00 is to be given back, by hand: tint pay ${CODE} 50 cash --as refund.\n`,
  );
  const [, way = ""] = /by hand: tint (.*)\.$/m.exec((await tint(folder, ["deposit", CODE])).stdout) ?? [];
  expect((await tint(folder, way.split(" "))).status).toBe(0);
  expect((await depositIn(folder)).state).toBe("refunded");
});

test("what was written down beside a deposit at Stripe goes back in the way in which it came", async () => {
  using folder = await waiting();
  await tint(folder, `deposit ${CODE} --paid 50 --by card`);
  using db = new Database(folder.database);
  db.run("UPDATE deposits SET payment_intent = 'pi_1'; UPDATE payments SET reference = 'pi_1'");
  await tint(folder, `pay ${CODE} 100 card --as deposit`);
  expect(await tint(folder, ["bookings", "cancel", CODE])).toMatchObject(saying(0, `${CODE} 100 card --as refund\n`));
});

test("the screen of a booking shows it", async () => {
  using folder = await waiting();
  const terminal = await openOn(folder, "booking", { about: CODE });
  await terminal.see(/Deposit +\$50\.00 is to be paid until .*10:30 AM/);
  await terminal.press("y").see("Its deposit of $50.00 is not paid. The customer gets");
  await terminal.press("esc");
  await tint(folder, ["deposit", CODE, "--waive"]);
  await terminal.see(/Deposit +\$50\.00 is waived\./);
  using other = await waiting();
  const asked = await openOn(other, "booking", { about: CODE });
  await asked.press("x", "s").see(/Tell the customer/);
});

test.each(["held", "cancelled by the shop"])(
  "confirmed without it while it is %s, the booking says so",
  async (state) => {
    using folder = await waiting();
    if (state !== "held") await tint(folder, ["bookings", "cancel", CODE]);
    const { stderr } = await tint(folder, ["bookings", "confirm", CODE]);
    expect(stderr).toContain(`${state} → confirmed.\nIts deposit of $50.00 is not paid.\nNobody is told `);
  },
);

test("cancelled while it waits for its deposit, it is told: by a message, or on the list of calls until it is done", async () => {
  const mail = { env: { SMTP_URL: "smtp://127.0.0.1:2525", MAIL_FROM: "shop@example.com" } };
  using folder = await waiting();
  await tint(folder, ["deposit", CODE, "--link"], mail);
  expect((await tint(folder, ["bookings", "cancel", CODE], mail)).stderr).not.toContain("Nobody is told");
  expect(await outbox(folder)).toEqual(["cancelled_email"]);
  expect(await depositIn(folder)).toMatchObject({ state: "expired" });
  await tint(folder, ["bookings", "reopen", CODE], mail);
  expect(await outbox(folder)).not.toContain("cancelled_email");
  using silent = await waiting();
  expect((await tint(silent, ["bookings", "cancel", CODE])).stderr).toContain("Nobody is told (e-mails are off");
  expect((await tint(silent, ["calls"])).stdout).toMatch(/, is cancelled$/m);
  await tint(silent, ["bookings", "reopen", CODE]);
  expect((await tint(silent, ["calls"])).stdout).toMatch(/, is confirmed$/m);
  using quiet = await waiting();
  await tint(quiet, ["bookings", "cancel", CODE, "--quiet"], mail);
  expect([await outbox(quiet), await tintJson(quiet, ["calls"])]).toEqual([[], []]);
});

test("waived, the booking is confirmed without one", async () => {
  using folder = await waiting();
  const { stderr } = await tint(folder, ["deposit", CODE, "--waive"]);
  expect(stderr).toContain("no deposit is asked for, and it is confirmed.\nNobody is told (");
  expect((await depositIn(folder)).state).toBe("waived");
  expect(await bookingIn(folder)).toMatchObject({ status: "confirmed", payments: [] });
});

test("the link of a booking that waits is sent again, once while it waits", async () => {
  using folder = await waiting();
  for (const _ of [1, 2])
    expect((await tint(folder, ["deposit", CODE, "--link"])).stderr).toContain("the link is on its way");
  expect(await outbox(folder)).toEqual(["deposit_link_email"]);
  expect((await tint(folder, ["outbox", "--json"])).stdout).toContain("certain. Pay it by 10:30 AM here:");
});

test("a booking that the owner made gets a page of its own, which its customer finds, too", async () => {
  using stripe = await startStripe(() => AT);
  using folder = shopFolder(EDITS);
  const code = await booked(folder, "--time", "10am", "--anyway");
  expect((await tint(folder, ["deposit", code, "--link"])).stderr).toContain("STRIPE_SECRET_KEY is not set");
  await expectRefusals(folder, [[`deposit ${code} --paid 5000 --by cash`, 2, "more than the price, $349.00. Was"]]);
  await tint(folder, ["bookings", "cancel", code]);
  const refused = (await tint(folder, ["deposit", code, "--link"], { env: stripe.env })).stderr;
  expect(refused).toContain("is cancelled by the shop: only a booking that stands");
  await tint(folder, ["bookings", "reopen", code]);
  const { stdout, stderr } = await tint(folder, ["deposit", code, "--link"], { env: stripe.env });
  expect(stderr).toContain("no message goes out: give the customer the link");
  expect(stdout).toContain("https://checkout.stripe.com/");
  expect(stripe.pages).toMatchObject([{ code, amount: 5000 }]);
  const app = testApp({ store: openSqliteStore(folder.data), catalog: catalogWith(EDITS) });
  const { data } = (await lookup(app, { confirmation_code: code, phone: "404-555-0142" })).json;
  expect([data.status, data.payment.url]).toEqual(["confirmed", expect.stringContaining("checkout.stripe.com/")]);
  expect(data.payment.pay_until).toStartWith("2026-11-22T09:");
  await app.store.close();
});

const DAY = dateIn(3);

const bookedToday = async (folder: ShopFolder, ...more: string[]) => await booked(folder, "--date", DAY, ...more);

test("other work where a price was agreed needs a new one, the list's, or the same", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await bookedToday(folder, "--film", "ceramic", "--price", "369");
  const edit = (...args: string[]) => tintToday(folder, ["bookings", "edit", code, ...args]);
  const totalAfter = async (...args: string[]) => JSON.parse((await edit(...args, "--json")).stdout).estimate.total;
  const refused = await edit("--coverage", "front2", "--name", "Robin");
  expect(refused).toEqual({
    ...{ status: 2, stdout: "" },
    stderr:
      "Not changed: $369.00 was agreed for this booking. Add --price with that of the other work, --list-price for the price list's, $239.00, or --keep-price.\n",
  });
  expect(await edit("--coverage", "front2", "--price", "200", "--list-price")).toMatchObject({ status: 2 });
  expect(JSON.parse((await tintToday(folder, ["bookings", "show", code, "--json"])).stdout)).toMatchObject({
    ...{ coverage: "full", customer: { name: "Jordan Sample" }, estimate: { total: 369 } },
  });
  expect(await totalAfter("--coverage", "front2", "--price", "200")).toBe(200);
  expect(await totalAfter("--coverage", "full", "--keep-price")).toBe(200);
  // A shade and a name cost nothing.
  expect(await totalAfter("--shade", "50", "--name", "Robin")).toBe(200);
  expect(await totalAfter("--list-price")).toBe(599);
  expect(await totalAfter("--price", "0")).toBe(0);
  expect(await totalAfter("--addon", "sunroof", "--keep-price")).toBe(0);
  expect(await totalAfter("--addon", "nofault", "--list-price", "--quiet")).toBeGreaterThan(599);
  const without = await bookedToday(folder, "--price", "80");
  expect(await tintToday(folder, ["bookings", "edit", without, "--film", "ceramic"])).toMatchObject({ status: 2 });
});

test("on a terminal it asks for the price of other work; Enter takes the list's", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const edit = async (answer: string) => {
    const code = await bookedToday(folder, "--film", "ceramic", "--price", "369");
    const args = ["bookings", "edit", code, "--coverage", "front2"];
    return (await tintOnTerminal(folder, 200, args, {}, [answer])).join("\n");
  };
  const listed = await edit("");
  expect(listed).toContain("The new price (Enter takes the price list's, $239.00):");
  expect(listed).toContain("price $369.00 → $239.00");
  expect(await edit("210")).toContain("price $369.00 → $210.00");
});

test("a price below zero, of an earlier version, counts as nothing in lists, reports and the card", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await bookedToday(folder, "--film", "ceramic", "--price", "369");
  using db = new Database(join(folder.data, "tintdesk.db"));
  db.run("UPDATE bookings SET answer = json_set(answer, '$.estimate.total', -230)");
  const month = DAY.slice(0, 7);
  for (const list of ["bookings", "bookings --csv", `bookings show ${code}`, `report --month ${month}`, `day ${DAY}`]) {
    const { stdout, status } = await tintToday(folder, list);
    expect([list, status, stdout.match(/-\$?230/)]).toEqual([list, 0, null]);
  }
});

describe("paper for the customer", () => {
  test("a booking's quote and receipt name work, price and what was paid, and escape what customers typed", async () => {
    using folder = shopFolder({ ...OPEN_DAILY, tax: { status: "added", rate_pct: 8.25, label: "sales tax" } });
    const job = ["--film", "ceramic", "--shade", "50/20", "--price", "600", "--note", "ours alone"];
    const code = await booked(folder, ...job, "--name", "Robin <b>");
    await tint(folder, ["pay", code, "100", "--by", "cash", "--as", "deposit"]);
    const paper = async (...words: string[]) => (await tint(folder, words)).stdout;
    const quote = await paper("quote", code);
    for (const part of [
      /^Quote\nMarlow Ridge Window Film\n100 Example Parkway, Marietta, GA 30060\n/,
      /\nFilm +Ceramic IR film\nShade +front side 50%, rear side 20%, rear window 20%\nTint law +Georgia: legal\n/,
      /\nPrice +\$600\.00\nSales tax +\$49\.50\nWith tax +\$649\.50\nDeposit paid +\$100\.00\nValid until +Tue Nov 24, 2026\n/,
    ])
      expect(quote).toMatch(part);
    const receipt = await paper("receipt", code);
    expect(receipt).toMatch(/\nDeposit, Sat Nov 21 +\$100\.00 cash\nDue +\$549\.50\n$/);
    expect(quote + receipt).not.toContain("ours alone");
    expect(await paper("receipt", code, "--html")).toContain("Robin &lt;b&gt;");
  });

  test("paper of a cancelled or missed booking says so, and has the minus of reports", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const code = await booked(folder, "--price", "300");
    const papers = async () =>
      (await Promise.all(["quote", "receipt"].map((kind) => tint(folder, [kind, code])))).map(({ stdout }) => stdout);
    for (const paper of await papers()) expect(paper).not.toContain("ancelled");
    await tint(folder, ["bookings", "cancel", code]);
    for (const paper of await papers())
      expect(paper).toMatch(/\nVisit +.*\nStatus +Cancelled\n[\s\S]*\nAgreed price +−\$49\.00\n/);
    await tint(folder, ["bookings", "reopen", code]);
    await tint(folder, ["bookings", "no-show", code], { now: NOW.add({ hours: 80 }) });
    for (const paper of await papers()) expect(paper).toContain("\nStatus        No-show\n");
    expect((await tint(folder, ["bookings", code])).stdout).toContain(`${code}, no-show\n`);
  });

  test("a job alone is quoted as it is said, by the readers of an estimate", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const job = ["--vehicle", "2021 Camry", "--film", "ceramic", "--shade", "50 front 20 rest"];
    const { stdout } = await tint(folder, ["quote", ...job, "--name", "Kim"]);
    expect(stdout).toMatch(
      /\nFor +Kim\nVehicle +2021 Toyota Camry.*\nFilm +Ceramic IR film\nShade +front side 50%, rear side 20%, rear window 20%\nTint law +Georgia: illegal\n/,
    );
    expect(stdout).toMatch(/\nPrice +\$[\d,.]+\nTax .*\nValid until +Sat Dec 5, 2026\n/);
    expect((await tint(folder, ["quote", "21", "camry"])).stdout).toContain("Vehicle      2021 Toyota Camry");
    const legal = await tint(folder, ["quote", "--vehicle", "2021 Camry", "--film", "ceramic", "--shade", "legal"]);
    expect(legal.stderr).toMatch(/^Note: "legal" is understood as the darkest legal shade in stock, \d+\/\d+/);
    const nothing = await tint(folder, ["quote", "--name", "Kim"]);
    expect(nothing).toMatchObject(saying(2, "the reference of a lead, or a car:"));
    const wrong = await tint(folder, ["quote", ...job, "--film", "gold"]);
    expect(wrong).toMatchObject({ status: 2, stdout: "" });
    expect((await tint(folder, ["quote", ...job, "--email"])).stderr).toContain("name a booking or a lead");
  });

  test("a receipt does not ask again for what was paid back after the work", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const work = ["--date", dateFromNow(0), "--time", "06:00", "--name", "Robin", "--price", "500", "--anyway"];
    const code = (await tintJson(folder, ["book", "suv", ...work])).confirmation_code;
    const due = async () => (await tint(folder, ["receipt", code])).stdout.match(/Due +(\S+)/)?.[1];
    await tint(folder, ["pay", code, "100", "--by", "card", "--as", "deposit"]);
    await tint(folder, ["pay", code, "100", "--by", "card", "--as", "refund"]);
    expect(await due()).toBe("$500.00");
    await tint(folder, ["bookings", "complete", code, "--paid", "440 cash", "--yes"]);
    expect(await due()).toBe("$60.00");
    await tint(folder, ["pay", code, "60", "--by", "cash"]);
    await tint(folder, ["pay", code, "60", "--by", "cash", "--as", "refund"]);
    expect(await due()).toBe("$0.00");
  });

  test("paper is sent through the outbox: whole by e-mail, as a link by text, and not to who wants none", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const code = await booked(folder, "--name", "Robin", "--phone", "404-555-0143", "--email", "robin@example.com");
    const send = async (...words: string[]) => (await tint(folder, words)).stderr;
    expect(await send("receipt", code, "--email")).toContain("to Robin, robin@example.com, waits: e-mails are off");
    expect(await send("quote", code, "--text")).toContain("(404) 555-0143, waits: texts are off");
    expect(await send("receipt", code, "--email")).toContain("the same e-mail waits already");
    const jobs = await tintJson(folder, ["outbox"]);
    const text = (kind: string) => jobs.find((job: { kind: string }) => job.kind === kind)?.text;
    expect(text("paper_email")).toMatch(
      /^Hello Robin, here is your receipt\.\n\nReceipt\nMarlow[\s\S]*\nPrice +\$[\s\S]*\nTo print it: \S+\/book\/receipt\/[\w-]+\n/,
    );
    expect(text("paper_sms")).toMatch(/^Marlow Ridge Window Film: your quote: \S+\/book\/receipt\/[\w-]+$/);
    await tint(folder, ["catalog", "set", "messages.paper_sms", "{enabled: false}"]);
    expect(await send("receipt", code, "--text")).toContain("tint catalog set messages.paper_sms.enabled true");
    const { reference } = await tintJson(folder, ["leads", "add", "--name", "Kim"]);
    expect(await send("quote", reference, "--email")).toContain("there is no e-mail address");
  });

  test("a lead's quote has the amount that was quoted, and nothing that the shop wrote down for itself", async () => {
    using folder = shopFolder(OPEN_DAILY);
    const who = ["--name", "Kim", "--phone", "404-555-0177", "--note", "haggles", "--json"];
    const house = ["--service", "residential", "--square-footage", "200", "--address", "12 Elm St"];
    const { reference } = JSON.parse((await tint(folder, ["leads", "add", ...who, ...house])).stdout);
    const quote = async () => (await tint(folder, ["quote", reference])).stdout;
    expect(await quote()).toMatch(/Address +12 Elm St\nGlass +200 sq ft\nPrice +\$[\d,.]+–\$/);
    expect(await quote()).toContain("The shop confirms the price when it sees");
    await tint(folder, ["leads", "quoted", reference, "--amount", "2200", "--note", "would take 2000"]);
    expect(await quote()).toMatch(/Price +\$2,200\.00\n/);
    expect(await quote()).not.toMatch(/confirms the price/);
    expect(await quote()).not.toMatch(/haggles|2000|0143/);
    await tint(folder, ["leads", "won", reference, "--amount", "2100"]);
    expect(await quote()).toMatch(/Price +\$2,100\.00\n/);
  });
});
