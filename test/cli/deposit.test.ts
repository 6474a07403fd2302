/** What was agreed with a customer: `tint deposit`, a price that was agreed, and prices of an earlier version. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
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
import { tint, tintJson, tintOnTerminal, tintToday } from "./run.ts";

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
  const paid = await tint(folder, ["deposit", CODE, "--paid", "50", "--by", "cash"]);
  expect([paid.status, paid.stderr]).toEqual([
    0,
    expect.stringContaining("$50.00 is written down, and it is confirmed."),
  ]);
  expect(await depositIn(folder)).toMatchObject({ state: "paid", amount: 50 });
  const { status, payments, deposit } = await bookingIn(folder);
  expect([status, payments]).toMatchObject(["confirmed", [{ kind: "deposit", by: "cash", amount: 50 }]]);
  expect(deposit).toMatchObject({ state: "paid", amount: 50 });
  for (const again of [["--paid", "50", "--by", "cash"], ["--waive"]]) {
    const { status, stderr } = await tint(folder, ["deposit", CODE, ...again]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("is paid already. Nothing was changed.")]);
  }
  expect((await bookingIn(folder)).payments.length).toBe(1);
  const cancelled = await tint(folder, ["bookings", "cancel", CODE]);
  expect(cancelled.stderr).toEndWith(
    `Deposit of ${CODE}: $50.00 is to be given back, by hand: tint pay ${CODE} 50 cash --as refund.\n`,
  );
  const [, way = ""] = /by hand: tint (.*)\.$/m.exec((await tint(folder, ["deposit", CODE])).stdout) ?? [];
  expect((await tint(folder, way.split(" "))).status).toBe(0);
  expect((await depositIn(folder)).state).toBe("refunded");
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
  const who = ["--name", "Jo", "--phone", "404-555-0142", "--date", dateFromNow(3), "--time", "10am", "--anyway"];
  const booked = (await tintJson(folder, ["book", "suv", ...who])).confirmation_code;
  expect((await tint(folder, ["deposit", booked, "--link"])).stderr).toContain("STRIPE_SECRET_KEY is not set");
  const doubted = await tint(folder, ["deposit", booked, "--paid", "5000", "--by", "cash"]);
  expect([doubted.status, doubted.stderr]).toEqual([2, expect.stringContaining("more than the price, $349.00. Was")]);
  await tint(folder, ["bookings", "cancel", booked]);
  const refused = (await tint(folder, ["deposit", booked, "--link"], { env: stripe.env })).stderr;
  expect(refused).toContain("is cancelled by the shop: only a booking that stands");
  await tint(folder, ["bookings", "reopen", booked]);
  const { stdout, stderr } = await tint(folder, ["deposit", booked, "--link"], { env: stripe.env });
  expect(stderr).toContain("no message goes out: give the customer the link");
  expect(stdout).toContain("https://checkout.stripe.com/");
  expect(stripe.pages).toMatchObject([{ code: booked, amount: 5000 }]);
  const app = testApp({ store: openSqliteStore(folder.data), catalog: catalogWith(EDITS) });
  const { data } = (await lookup(app, { confirmation_code: booked, phone: "404-555-0142" })).json;
  expect([data.status, data.payment.url]).toEqual([
    "confirmed",
    expect.stringContaining("https://checkout.stripe.com/"),
  ]);
  expect(data.payment.pay_until).toStartWith("2026-11-22T09:");
  await app.store.close();
});

const DAY = dateIn(3);

async function booked(folder: ShopFolder, ...more: string[]): Promise<string> {
  const who = ["--name", "Jordan Sample", "--phone", "404-555-0142", "--date", DAY, "--time", "9am"];
  const { stdout } = await tintToday(folder, ["book", "suv", ...who, "--json", ...more]);
  return JSON.parse(stdout).confirmation_code;
}

test("other work where a price was agreed needs a new one, the list's, or the same", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, "--film", "ceramic", "--price", "369");
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
  const without = await booked(folder, "--price", "80");
  expect(await tintToday(folder, ["bookings", "edit", without, "--film", "ceramic"])).toMatchObject({ status: 2 });
});

test("on a terminal it asks for the price of other work; Enter takes the list's", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const edit = async (answer: string) => {
    const code = await booked(folder, "--film", "ceramic", "--price", "369");
    const args = ["bookings", "edit", code, "--coverage", "front2"];
    return (await tintOnTerminal(folder, 200, args, {}, [answer])).join("\n");
  };
  const listed = await edit("");
  expect(listed).toContain(
    "$369.00 was agreed for this booking. The new price (Enter takes the price list's, $239.00):",
  );
  expect(listed).toContain("price $369.00 → $239.00");
  expect(await edit("210")).toContain("price $369.00 → $210.00");
});

test("a price below zero, of an earlier version, counts as nothing in lists, reports and the card", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, "--film", "ceramic", "--price", "369");
  using db = new Database(join(folder.data, "tintdesk.db"));
  db.run("UPDATE bookings SET answer = json_set(answer, '$.estimate.total', -230)");
  const month = DAY.slice(0, 7);
  for (const args of [
    ["bookings"],
    ["bookings", "--json"],
    ["bookings", "--csv"],
    ["bookings", "show", code],
    ["report", "--month", month],
    ["report", "--month", month, "--json"],
    ["day", DAY],
  ]) {
    const { stdout, status } = await tintToday(folder, args);
    expect([args, status, stdout.match(/-\$?230/)]).toEqual([args, 0, null]);
  }
});
