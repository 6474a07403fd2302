/** The price that the page promises is the price that is booked: at once, while a time is held, with its deposit, and on paper. */
import { describe, expect, test } from "bun:test";
import { createSigningSecret } from "../../src/capabilities/core/signing-secret.ts";
import { type PaperKind, paperUrl } from "../../src/capabilities/desk/paper.ts";
import { API, appWith, BOOKING, CATALOG, catalogWith, NOW, QUOTE, type TestApp, testApp } from "../helpers.ts";
import { CONSENT, CATALOG as DEPOSIT_SHOP, depositShop, EDITS } from "../payments/deposit-shop.ts";
import { actionOf, BOOKING_FORM, bookedBy, CHOSEN, fieldsOf, filled, send } from "./form.ts";

const RAISED = catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 700 });
const START = "&start=2026-11-24T09:00";
const linkIn = (text: string) => (/href="(\/book\?[^"]+)" data-share/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
const totalIn = (text: string) => /<p class="total">(.*?)<\/p>/.exec(text)?.[1];
const lineIn = (text: string) => /<p class="quote notice" role="status">(.*?)<\/p>/.exec(text)?.[1];

describe("the link that the page offers, after the shop raised its price", () => {
  async function raised(more = "") {
    const app = testApp();
    const link = linkIn((await app.get("/book?car=2022+Tahoe&vehicle_type=suv&film_type=ceramic&front_shade=50")).text);
    app.setCatalog(RAISED);
    const url = new URLSearchParams(link.slice(link.indexOf("?")));
    for (const [name, value] of new URLSearchParams(more)) url.set(name, value);
    return { app, link, url };
  }

  test.each([
    ["as it is", ""],
    ["with another shade", "&front_shade=40&rear_shade=20"],
    ["with a shade that is decided at the shop", "&front_shade="],
    ["in another state", "&jurisdiction=US-FL"],
    ["with the car under another name", "&car=my+Tahoe"],
  ])("%s keeps the price, which is booked with these choices", async (_, more) => {
    const { app, url } = await raised(more);
    const { page, fields, action } = await filled(app, `/book?${url}${START}`);
    expect([totalIn(page.text), lineIn(page.text)]).toEqual(["$599", undefined]);
    if (url.has("jurisdiction")) fields.set("jurisdiction", "US-FL");
    expect(page.text).toContain("This price holds until Sat, Dec 5.");
    const { estimate, shade } = await bookedBy(await send(app, action, fields), app);
    expect(estimate).toMatchObject({ total: 599, locked: true });
    expect(Object(shade).front_side ?? null).toBe(Number(url.get("front_shade")) || null);
  });

  test.each([
    [
      "with another film",
      "&film_type=standard",
      "$349",
      "Your quote of $599 is for other work. Today, this costs $349.",
    ],
    ["cut off", "&estimate_id=made-up", "$700", "The quote in this link could not be confirmed. Today: $700."],
  ])("%s has the price of today, and says why", async (_, more, total, line) => {
    const { app, url } = await raised(more);
    const { text } = await app.get(`/book?${url}`);
    expect([totalIn(text), lineIn(text)]).toEqual([total, line]);
  });

  test("after its last day has the price of today, and says when it ended; where that is no more, nothing", async () => {
    const { app, link } = await raised();
    app.advance({ hours: 24 * 14 });
    expect(totalIn((await app.get(link)).text)).toBe("$599");
    app.advance({ hours: 24 });
    const { text } = await app.get(link);
    expect([totalIn(text), lineIn(text)]).toEqual(["$700", "Your quote of $599 ended on Dec 5. Today: $700."]);
    app.setCatalog(catalogWith({}));
    expect(lineIn((await app.get(link)).text)).toBeUndefined();
  });
});

test("a price raised under the page stays through other choices and back to the first", async () => {
  const app = testApp();
  const fields = fieldsOf((await app.get(CHOSEN.replace(START, ""))).text, '<form class="options" id="choose"');
  app.setCatalog(RAISED);
  fields.set("film_type", "standard");
  const other = (await app.get(`/book?${fields}`)).text;
  expect(totalIn(other)).toBe("$349");
  const back = fieldsOf(other, '<form class="options" id="choose"');
  back.set("film_type", "ceramic");
  const { text } = await app.get(`/book?${back}${START}`);
  expect(totalIn(text)).toBe("$599");
  expect(fieldsOf(text, BOOKING_FORM).get("estimate_id")).toBe(fieldsOf(text, BOOKING_FORM).get("priced"));
});

test("while no price was raised, another film on the page takes the place of the estimate without a word", async () => {
  const app = testApp();
  const path = CHOSEN.replace(START, "").replace("rear_shade=15", "rear_shade=20");
  const fields = fieldsOf((await app.get(path)).text, '<form class="options" id="choose"');
  const before = fields.get("estimate_id");
  fields.set("film_type", "standard");
  const { text } = await app.get(`/book?${fields}`);
  expect(lineIn(text)).toBeUndefined();
  expect(fieldsOf(text, '<form class="options" id="choose"').get("estimate_id")).not.toBe(before);
});

describe("the ballpark for glass", () => {
  const GLASS = "/book/glass?site_type=residential&primary_concern=heat&width=36&height=60&quantity=8";
  const DEARER = catalogWith({ "flat_glass.minimum_job_charge": 5000 });

  async function raised() {
    const app = testApp();
    const { text } = await app.get(GLASS);
    const link = (/href="(\/book\/glass\?[^"]+)" data-share/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
    app.setCatalog(DEARER);
    return { app, link, id: new URL(link, "http://localhost").searchParams.get("estimate_id") ?? "" };
  }

  test("of the link holds after prices rose, and goes with the request", async () => {
    const { app, link, id } = await raised();
    app.advance({ hours: 24 * 14 });
    const { text } = await app.get(link);
    expect(lineIn(text)).toMatch(
      /^Your quote of \$[\d,]+(\.\d\d)? – \$[\d,]+(\.\d\d)? holds until Dec \d+, although prices rose\.$/,
    );
    expect(fieldsOf(text, BOOKING_FORM).getAll("estimate_id")).toEqual([id]);
    app.advance({ hours: 24 });
    expect(lineIn((await app.get(link)).text)).toMatch(/^Your quote of .* ended on .* Today: /);
  });

  test("of other windows, or cut off, is today's, and the page says so; not while the page itself goes on", async () => {
    const { app, link } = await raised();
    expect(lineIn((await app.get(link.replace("=60", "=72"))).text)).toMatch(/is for other work/);
    expect(lineIn((await app.get(`${link.replace("=60", "=72")}&own=1`)).text)).toBeUndefined();
    expect(lineIn((await app.get(`${GLASS}&estimate_id=made-up`)).text)).toMatch(/could not be confirmed/);
  });
});

/** The page of the time that is held for Pat. */
async function held(app: TestApp = testApp()) {
  const { fields, action } = await filled(app);
  fields.set("do", "book_hold");
  const sent = await send(app, action, fields);
  expect(sent.status).toBe(303);
  const page = await app.get(sent.headers.get("location") ?? "");
  const press = (start: string) => send(app, actionOf(page.text, start), fieldsOf(page.text, start));
  return { app, fields, action, page, press };
}

const CONFIRM = '<form class="sheet" method="post" action="/book/manage/confirm"';
const CANCEL = '<form method="post" action="/book/manage/cancel"';

describe("the page", () => {
  test("holds a time, says until when, and books it by the link alone", async () => {
    expect((await filled(testApp())).page.text).toContain(">Hold it for an hour<");
    const { app, page, press } = await held();
    expect(page.text).toContain("This time is held for you");
    expect(page.text).toContain("It is held until 11:00 AM today");
    expect(page.text).not.toContain('id="times"');
    app.advance({ minutes: 59 });
    const booked = await press(CONFIRM);
    expect(booked.status).toBe(303);
    const last = await app.get(booked.headers.get("location") ?? "");
    expect(last.text).toContain("You are booked");
    // As after a booking at once.
    expect(last.text).toContain("<dt>Price</dt><dd>$599</dd>");
  });

  test("cancels what is held; what is over is said, and cannot be booked any more", async () => {
    const { app, press } = await held();
    const cancelled = await press(CANCEL);
    expect((await app.get(cancelled.headers.get("location") ?? "")).text).toContain("Your booking is cancelled");

    const late = await held();
    late.app.advance({ minutes: 60 });
    const refused = await late.press(CONFIRM);
    expect([refused.status, refused.text.includes("No longer held")]).toEqual([409, true]);
  });

  test("leads a browser that comes back to the form to what it holds", async () => {
    const { app, fields, action } = await held();
    fields.set("do", "book");
    const again = await send(app, action, fields);
    const expected = [303, expect.stringContaining("This time is held for you")];
    expect([again.status, (await app.get(again.headers.get("location") ?? "")).text]).toEqual(expected);
  });

  test.each(["none", ""])("books what another tab held, once (a script keeps %p)", async (kept) => {
    const { app } = await held();
    const other = await filled(app);
    other.fields.set("booked", kept);
    const booked = await send(app, other.action, other.fields);
    expect([booked.status, (await app.get(booked.headers.get("location") ?? "")).text]).toEqual([
      303,
      expect.stringContaining("You are booked"),
    ]);
    const all = await app.store.bookings({ from: "2026-11-01", to: "2027-01-31" }, 9);
    expect(all.map(({ status }) => status)).toEqual(["confirmed"]);
  });

  test("holds one time, and one of a day: the page says that the others can be booked", async () => {
    const { app, press } = await held();
    const holdAt = async (day: string) => {
      const other = await filled(app, CHOSEN.replace("24T09", day));
      other.fields.set("do", "book_hold");
      return (await send(app, other.action, other.fields)).text;
    };
    expect(await holdAt("25T09")).toContain("Book or cancel that one first, or book this one now.");
    await press(CANCEL);
    expect(await holdAt("24T10")).toContain("It can be booked, not held again.");
  });
});

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
  const asked = await send(it.app, actionOf(page.text, CONFIRM), fieldsOf(page.text, CONFIRM));
  expect((await it.app.get(asked.headers.get("location") ?? "")).text).toMatch(PAY);
});

test("who cancels reads before and afterwards that the deposit goes back", async () => {
  const { it, shown } = await booked("book");
  using _ = it;
  const back = "Your deposit of $50 goes back to your card.";
  expect((await shown()).text).not.toContain(back);
  it.pay();
  await it.turn();
  // It goes back also once the shop asks for no deposit any more.
  it.app.setCatalog(catalogWith());
  const page = await shown();
  expect([page.text.includes(back), page.text.includes("Your deposit of $50 is paid.")]).toEqual([true, true]);
  const sent = await send(it.app, actionOf(page.text, CANCEL), fieldsOf(page.text, CANCEL));
  const after = await it.app.get(sent.headers.get("location") ?? "");
  expect([after.text.includes("Your booking is cancelled"), after.text.includes(back)]).toEqual([true, true]);
});

test("a service that asks for no deposit is booked without a word of one", async () => {
  const app = appWith({ ...EDITS, "deposit.services": ["clearplex"] });
  const { page, fields, action } = await filled(app);
  const sent = await send(app, action, fields);
  const booked = await app.get(sent.headers.get("location") ?? "");
  for (const { text } of [await app.get("/book"), page, booked]) {
    expect(text).not.toMatch(/deposit/i);
    expect(text).toMatch(/pay at the shop/i);
  }
  expect((await app.get("/book?service_type=clearplex")).text).toContain("Deposit now, the rest at the shop");
  expect((await app.get(`${API}/faq`)).text).toContain("A deposit by card makes the booking certain.");
});

test("a booking that stands leads to the deposit that the owner asks for", async () => {
  const app = testApp({ catalog: DEPOSIT_SHOP });
  const made = await app.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT });
  const { status, confirmation_code: code } = made.json.data;
  const payUntil = app.now().epochMilliseconds + 3_600_000;
  const page = { pageId: "cs_1", url: "https://checkout.stripe.com/1", payUntil, refundHours: 24 };
  await app.store.openDeposit(code, { ...page, amount: 5000, currency: "USD" }, null, app.now().epochMilliseconds);
  const proof = new URLSearchParams({ confirmation_code: code, contact: BOOKING.customer_phone });
  const sent = await send(app, "/book/manage", proof);
  const { text } = await app.get(sent.headers.get("location") ?? "");
  expect([status, PAY.test(text), text.includes("not booked yet")]).toEqual(["confirmed", true, false]);
  app.advance({ hours: 1 });
  const { json } = await app.post(`${API}/bookings/lookup`, { confirmation_code: code, phone: BOOKING.customer_phone });
  expect([json.data.status, json.data.payment]).toEqual(["confirmed", undefined]);
});

/** An application with a booking and a lead, and the paths of their paper. */
async function shop() {
  const app = testApp();
  const { confirmation_code: code } = (await app.post(`${API}/bookings`, BOOKING)).json.data;
  const { reference } = (await app.post(`${API}/quote-request`, QUOTE)).json.data;
  const ctx = { store: app.store, signing: createSigningSecret(app.store), catalog: CATALOG, now: NOW };
  const pathOf = async (kind: PaperKind, name: string) => new URL((await paperUrl(kind, name, ctx)) ?? "").pathname;
  return { app, code, reference, pathOf };
}

test("a link opens its page, which nobody keeps, lists or scripts", async () => {
  const { app, code, reference, pathOf } = await shop();
  await app.store.addPayments(
    (await app.store.findBooking(code))?.lead.id ?? "",
    [{ amount: 10_000, by: "cash", kind: "deposit", paidAt: NOW.epochMilliseconds, note: "haggles", takenBy: "me" }],
    NOW.epochMilliseconds,
  );
  const { status, text, headers } = await app.get(await pathOf("receipt", code));
  expect(status).toBe(200);
  for (const said of [
    "<h1>Receipt</h1>",
    "Pat Example",
    "Ceramic IR film",
    "$599.00",
    "Deposit, Sat Nov 21",
    "$499.00",
  ])
    expect(text).toContain(said);
  expect(text).not.toMatch(/haggles|<script|https?:|555-0111/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-robots-tag")).toBe("noindex");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect((await app.get(await pathOf("quote", code))).text).toContain("<h1>Quote</h1>");
  expect((await app.get(await pathOf("quote", reference))).text).toContain(reference);
});

test("a link that is broken, made up, of another shop, or of somebody erased is a page that is not there", async () => {
  const { app, code, pathOf } = await shop();
  const path = await pathOf("receipt", code);
  const other = await (await shop()).pathOf("receipt", code);
  const flipped = path.slice(0, -1) + (path.endsWith("A") ? "B" : "A");
  const bare = `/book/receipt/${Buffer.from(`p.r.${code}`).toString("base64url")}`;
  for (const wrong of [
    path.slice(0, -4),
    flipped,
    other,
    bare,
    `/book/receipt/${code}`,
    "/book/receipt",
    `${path}/x`,
  ]) {
    const { status, text } = await app.get(wrong, { headers: { accept: "text/html" } });
    expect([wrong, status]).toEqual([wrong, 404]);
    expect(text).not.toContain("Pat Example");
  }
  await app.store.rotateLockSecret("x".repeat(43), NOW.epochMilliseconds);
  expect((await app.get(path)).status).toBe(404);
});
