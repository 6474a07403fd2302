/** The customers' page tells of the deposit before anybody agrees, leads to its payment, and comes back, without a script. */
import { expect, test } from "bun:test";
import { API, BOOKING, testApp } from "../helpers.ts";
import { CATALOG, CONSENT, depositShop } from "../payments/deposit-shop.ts";
import { actionOf, fieldsOf, filled, send } from "./form.ts";

const NOTE = "A deposit of $50 is part of the price";
const PAY =
  /<a class="button" href="(https:\/\/checkout\.stripe\.com\/[^"]*)" target="_top"[^>]*>Pay the deposit of \$50<\/a>/;

async function booked(press: "book" | "book_hold") {
  const it = await depositShop();
  const { page, fields, action } = await filled(it.app);
  expect(page.text).toContain(NOTE);
  fields.set("do", press);
  const sent = await send(it.app, action, fields);
  expect(sent.status).toBe(303);
  return { it, shown: () => it.app.get(sent.headers.get("location") ?? "") };
}

test("a booking leads to its payment; paid, its page shows it booked", async () => {
  const { it, shown } = await booked("book");
  using _ = it;
  const page = await shown();
  expect(page.text).toMatch(PAY);
  expect(page.text).toContain(NOTE);
  expect(page.text).not.toContain('action="/book/manage/confirm"');
  const { returnUrl } = it.stripe.pages[0] ?? { returnUrl: "" };
  expect(returnUrl).toEndWith(`/book/manage?code=${it.stripe.pages[0]?.code}`);
  it.pay();
  await it.turn();
  const after = await shown();
  expect([PAY.test(after.text), after.text.includes("Booked")]).toEqual([false, true]);
});

test("a hold leads to it once it is confirmed", async () => {
  const { it, shown } = await booked("book_hold");
  using _ = it;
  const page = await shown();
  expect([PAY.test(page.text), page.text.includes(NOTE)]).toEqual([false, true]);
  const form = '<form class="sheet" method="post" action="/book/manage/confirm"';
  const asked = await send(it.app, actionOf(page.text, form), fieldsOf(page.text, form));
  expect((await it.app.get(asked.headers.get("location") ?? "")).text).toMatch(PAY);
});

test("who cancels reads before and afterwards that the deposit goes back", async () => {
  const { it, shown } = await booked("book");
  using _ = it;
  const back = "Your deposit of $50 goes back to your card.";
  const form = '<form method="post" action="/book/manage/cancel"';
  expect((await shown()).text).not.toContain(back);
  it.pay();
  await it.turn();
  const page = await shown();
  expect([page.text.includes(back), page.text.includes("Your deposit of $50 is paid.")]).toEqual([true, true]);
  const sent = await send(it.app, actionOf(page.text, form), fieldsOf(page.text, form));
  const after = await it.app.get(sent.headers.get("location") ?? "");
  expect([after.text.includes("Your booking is cancelled"), after.text.includes(back)]).toEqual([true, true]);
});

test("a booking that stands leads to the deposit that the owner asks for", async () => {
  const app = testApp({ catalog: CATALOG });
  const made = await app.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT });
  const { status, confirmation_code: code } = made.json.data;
  const payUntil = app.now().epochMilliseconds + 3_600_000;
  const page = { pageId: "cs_1", url: "https://checkout.stripe.com/1", payUntil, refundHours: 24 };
  await app.store.openDeposit(code, { ...page, amount: 5000, currency: "USD" }, null, app.now().epochMilliseconds);
  const proof = new URLSearchParams({ confirmation_code: code, contact: BOOKING.customer_phone });
  const sent = await send(app, "/book/manage", proof);
  const { text } = await app.get(sent.headers.get("location") ?? "");
  expect([status, PAY.test(text), text.includes("not booked yet")]).toEqual(["confirmed", true, false]);
});
