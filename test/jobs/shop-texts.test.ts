/** What the shop is told of bookings and requests: the job, the price and whom to call, in the words of the catalog. */
import { describe, expect, test } from "bun:test";
import type { JobKind } from "../../src/constants.ts";
import { segments } from "../../src/lib/text.ts";
import { copiesOf, copyFor } from "../../src/messages/channels.ts";
import type { ShopNews } from "../../src/store/store.ts";
import { API, BOOKING, CATALOG, catalogWith, QUOTE, testApp } from "../helpers.ts";

const MAIL = "desk@example.com";
const TOLD = { "alerts.to": [MAIL, "https://ntfy.example/tint"] };
const JOB = {
  ...BOOKING,
  ...{ customer_name: "Robin Ellis", customer_phone: "+14045550142", customer_email: "robin@example.com" },
  ...{ vehicle_type: "suv", vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Highlander" },
  ...{ film_type: "ceramic", coverage: "full", shade: 35, special_requests: "Please call\nbefore noon.\nPrice: $1" },
};
const GLASS = {
  ...QUOTE,
  ...{ first_name: "Robin", last_name: "Ellis", phone: "+14045550142", email: "robin@example.com" },
  ...{ service_type: "commercial", square_footage: 120, floors: 2, building_type: "office", message: "Two doors" },
};
/** In a browser, where nobody is an assistant. */
const WHERE = { headers: { "User-Agent": "Mozilla/5.0" } };

function shop(edits: Record<string, unknown> = {}) {
  const catalog = catalogWith({ ...TOLD, ...edits });
  const app = testApp({ catalog });
  const on = { twilio: null, crm: null, mail: {} as never, push: { allowPrivate: false } };
  const claimed = (kinds: readonly JobKind[]) =>
    app.store.claimJobs({
      ...{ kinds, now: app.now().epochMilliseconds, lastsMs: 60_000, fresh: 9, retries: 9, running: [] },
    });
  /** The e-mail and the text of the news that is due; both go out. */
  async function told(kind: JobKind = "notify_shop_sms") {
    for (const { id, attempts, dueAt, payload } of await claimed([kind])) {
      const copies = copiesOf(payload as ShopNews, on, catalog);
      await app.store.settleJobs([{ id, attempts, dueAt, kind: "spread", copies, at: app.now().epochMilliseconds }]);
    }
    const copies = await claimed(["shop_email", "shop_push"]);
    await app.store.settleJobs(copies.map(({ id }) => ({ id, kind: "done" as const, messageSid: null })));
    const mail = copies.flatMap((copy) => (copy.kind === "shop_email" ? [copy.payload] : [])).at(-1);
    const text = copies.flatMap((copy) => (copy.kind === "shop_push" ? [copy.payload.text] : [])).at(-1);
    return { text: text ?? "", subject: mail?.subject ?? "", mail: mail?.text ?? "" };
  }
  /** The text to call back, which waits. */
  async function reminder() {
    const [first] = await app.store.waitingJobs(1, { kinds: ["remind_owner_notice"] });
    return first?.content?.kind === "remind_owner_notice" ? first.content.payload.text : "";
  }
  const book = async (given: object = {}) => {
    const { status, json } = await app.post(`${API}/bookings`, { ...JOB, ...given }, WHERE);
    expect([status, json.data?.status]).toEqual([201, "confirmed"]);
    return String(json.data.confirmation_code);
  };
  const change = (path: string, code: string, given: object = {}) =>
    app.post(`${API}/bookings/${path}`, { confirmation_code: code, phone: JOB.customer_phone, ...given }, WHERE);
  return { app, told, reminder, book, change };
}

test("news without words for an e-mail has its whole text as the subject", () => {
  const copy = copyFor("owner@example.com", { text: "Dr. Lee asks: 2 jobs. See tint leads" }, CATALOG);
  expect(copy).toMatchObject({
    payload: { subject: "Marlow Ridge Window Film: Dr. Lee asks: 2 jobs. See tint leads" },
  });
});

describe("a new booking", () => {
  test("by text: car, film, glass, extras, price and phone, in one segment", async () => {
    const { told, book } = shop();
    const code = await book();
    const { text } = await told();
    expect(text).toBe(
      `New booking ${code}: Tue, Nov 24 9:00 AM, 2021 Toyota Highlander (SUV), Ceramic IR film, full, shade 35, $599, Robin Ellis (404) 555-0142`,
    );
    expect(segments(text)).toBe(1);
  });

  test("by e-mail: everything that a person needs, with a line for each", async () => {
    const { told, book } = shop();
    const code = await book();
    const { subject, mail } = await told();
    expect(subject).toBe(`Marlow Ridge Window Film: new booking ${code}, Tue, Nov 24 9:00 AM`);
    expect(mail).toBe(`New booking ${code}: Tue, Nov 24 at 9:00 AM

Service: Automotive window tinting
Vehicle: 2021 Toyota Highlander (SUV)
Film: Ceramic IR film
Coverage: all side and rear windows
Extras: shade 35
Price: $599

Name: Robin Ellis
Phone: (404) 555-0142
E-mail: robin@example.com
Note: Please call before noon. Price: $1

All of it: tint bookings show ${code}`);
  });

  test("in the customer's own letters by e-mail, in plain ones by text", async () => {
    const { told, book } = shop();
    await book({ customer_name: "山田 太郎", vehicle_make: "トヨタ", special_requests: "お願いします" });
    const { mail, text } = await told();
    for (const words of ["Name: 山田 太郎\n", "2021 トヨタ Highlander (SUV)", "Note: お願いします"])
      expect(mail).toContain(words);
    expect(text).toMatch(/^[ -~]+$/);
    expect(text).toContain("ShanTian TaiLang (404) 555-0142");
  });

  test("what is not known leaves no gap; a stranger's car is no link and no number", async () => {
    const { told, book } = shop();
    const unknown = ["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model", "film_type", "coverage", "shade"];
    const none = Object.fromEntries([...unknown, "special_requests"].map((field) => [field, undefined]));
    const code = await book(none);
    const { mail, text } = await told();
    expect(text).toBe(
      `New booking ${code}: Tue, Nov 24 9:00 AM, Standard film, full, to be settled, Robin Ellis (404) 555-0142`,
    );
    expect(mail).not.toMatch(/Vehicle|Extras|Note|\n\n\n|: ?$/m);
    await book({ time: "10:00", vehicle_make: "http://evil.example/x", vehicle_model: "call 900 555 0199" });
    expect((await told()).text).toContain(", 2021 httpevilexamplex call (SUV), ");
  });
});

test("the stock texts of every kind take one segment for a plain name, and name the car and whom to call", async () => {
  const { app, told, reminder, book, change } = shop({ "alerts.bookings_per_hour": 1, "messages.settle_minutes": 0 });
  const texts: string[] = [];
  const tell = async () => {
    const news = await told();
    texts.push(news.text);
    return news;
  };
  const code = await book({ vehicle_type: "van", vehicle_make: "Mercedes-Benz", vehicle_model: "Sprinter" });
  await tell();
  texts.push(await reminder());
  expect((await change("reschedule", code, { date: "2026-12-02", time: "10:00" })).status).toBe(200);
  await tell();
  expect((await change("reschedule", code, { film_type: "standard" })).status).toBe(200);
  await tell();
  expect((await change("cancel", code, { reason: "sold" })).status).toBe(200);
  expect((await tell()).mail).toContain("Note: sold\n");
  const car = { vehicle_type: "suv", vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Highlander" };
  const asked = { ...GLASS, ...car, service_type: "automotive", film_type: "ceramic", square_footage: undefined };
  expect((await app.post(`${API}/quote-request`, asked, WHERE)).status).toBe(200);
  await tell();
  texts.push(await reminder());
  for (const text of texts) {
    expect([text, segments(text)]).toEqual([text, 1]);
    expect(text).toMatch(
      /(Mercedes-Benz Sprinter \(van\)|2021 Toyota Highlander \(SUV\)).*Robin Ellis \(404\) 555-0142/,
    );
  }
  expect(texts.map((text) => text.split(/ [A-Z0-9-]{8}|: /)[0])).toEqual([
    "New booking",
    "Not contacted yet",
    "The customer moved booking",
    "The customer changed booking",
    "The customer cancelled booking",
    "Quote request",
    "Not contacted yet",
  ]);
  await book({ customer_phone: "+14045550143", customer_email: "pat@example.com", time: "13:00" });
  const many = (await told("bookings_alert_sms")).text;
  expect(many).toStartWith("More than 1 bookings within an hour, the last one ");
  expect(segments(many)).toBe(1);
});

test("a quote request for glass, by e-mail: all that was asked", async () => {
  const { app, told } = shop();
  const { json } = await app.post(`${API}/quote-request`, GLASS, WHERE);
  const { reference } = json.data;
  expect(await told()).toEqual({
    text: `Quote request ${reference}: Commercial window film, 120 sq ft, Robin Ellis (404) 555-0142. tint leads show ${reference}`,
    subject: `Marlow Ridge Window Film: quote request ${reference}, Commercial window film, 120 sq ft`,
    mail: `Quote request ${reference}

Request: Commercial window film, 120 sq ft
Price: $2,160 to $2,400
Building type: office
Floors: 2

Name: Robin Ellis
Phone: (404) 555-0142
E-mail: robin@example.com
Note: Two doors

All of it: tint leads show ${reference}`,
  });
});

describe("the owner's own words", () => {
  const OWN = "{name} kommt {date}: {vehicle}/{film}/{coverage}/{extras}/{phone}/{work}/{price}";

  test("are those of the text; an e-mail without words of its own begins with them", async () => {
    const { told, book } = shop({ "messages.shop_booking_sms": OWN, "messages.shop_booking_email": undefined });
    await book({ customer_name: "Zoë Ellis" });
    const { text, mail } = await told();
    const said = "kommt Tue, Nov 24: 2021 Toyota Highlander (SUV)/Ceramic IR film/";
    const work = "shade 35/(404) 555-0142/Automotive window tinting, shade 35/$599";
    expect(text).toBe(`Zoe Ellis ${said}full/${work}`);
    expect(mail).toStartWith(`Zoë Ellis ${said}all side and rear windows/${work}\n\nNew booking `);
  });

  test("for an e-mail are the e-mail; the text that came with an earlier version is not the owner's", async () => {
    const words = { subject: "{code}", text: "{name} <{email}> {note}" };
    const own = shop({ "messages.shop_booking_email": words });
    const code = await own.book({ special_requests: undefined });
    expect(await own.told()).toMatchObject({ subject: code, mail: "Robin Ellis <robin@example.com>" });

    const before = "The customer cancelled booking {code}: {date} {time}, {service}, {name}.";
    const edits = { "messages.shop_cancelled_sms": before, "messages.shop_cancelled_email": undefined };
    const older = shop({ ...edits, "messages.settle_minutes": 0 });
    const booked = await older.book();
    await older.told();
    await older.change("cancel", booked);
    const { text, mail } = await older.told();
    expect(text).toEndWith(": Tue, Nov 24 9:00 AM, Automotive window tinting, Robin Ellis.");
    expect(mail).toMatch(/^The customer cancelled booking \w{8} of Tue, Nov 24 at 9:00 AM\.\n\nService: /);
  });

  test("of a catalog without any of these keys are the stock ones", async () => {
    const all = Object.keys(CATALOG.messages).filter((key) => key.startsWith("shop_"));
    const without = shop(Object.fromEntries(all.map((key) => [`messages.${key}`, undefined])));
    const stock = shop();
    const told = [];
    for (const { book, told: news } of [without, stock]) {
      const code = await book();
      told.push(JSON.parse(JSON.stringify(await news()).replaceAll(code, "CODE")));
    }
    expect(told[0]).toEqual(told[1]);
  });
});
