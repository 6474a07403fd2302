/** How a customer is reached: extensions of phones, domains of e-mail, what is doubted, and postal codes. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { manyCallers, type TestApp, testApp } from "../app.ts";
import { API, AT_BOOKING, BOOKING, bookingOn, dateFromNow, QUOTE } from "../fixed-day.ts";
import { appWith, catalogWith } from "../helpers.ts";
import { book, lookup } from "./manage-requests.ts";
import { inTurn, WAYS, type Way } from "./ways-in.ts";

const APP = manyCallers();
const NUMBER = "404-555-0177";
const FRIDAY = dateFromNow(6);

/** The requests that name a customer, with their fields. */
const DOORS: [id: Parameters<Way>[1], request: object, phone: string, email: string][] = [
  ["book_appointment", BOOKING, "customer_phone", "customer_email"],
  ["quote_request", QUOTE, "phone", "email"],
];

describe("an extension", () => {
  test.each(WAYS)("is kept beside the number, over %s", async (_name, send) => {
    for (const [id, request, phone] of DOORS) {
      const app = testApp();
      const { body } = await send(app, id, { ...request, [phone]: `${NUMBER} ext. 12` });
      expect([body.success, body.warnings]).toEqual([true, undefined]);
      const [lead] = await app.store.leads(["new"], 9);
      expect(lead).toMatchObject({ phone: "+14045550177", extension: "12" });
    }
  });

  test("the booking is found with it, without it and with another", async () => {
    const app = testApp();
    const { code } = await book(app, { customer_phone: `${NUMBER} x12` });
    for (const phone of [`${NUMBER} x12`, NUMBER, "(404) 555-0177 #9", "tel:+1-404-555-0177;ext=12"]) {
      const { status, json } = await lookup(app, { confirmation_code: code, phone });
      expect([status, json.data?.confirmation_code]).toEqual([200, code]);
    }
    expect(JSON.stringify((await lookup(app, { confirmation_code: code, phone: NUMBER })).json.data)).not.toContain(
      "x12",
    );
  });

  test("the number alone counts for quotas", async () => {
    const app = appWith({ "bookings.open_per_customer": 1 });
    await book(app, { customer_phone: `${NUMBER} x12` });
    const other = { ...bookingOn(FRIDAY), customer_phone: `${NUMBER} x13`, customer_email: "sam@example.com" };
    expect((await app.post(`${API}/bookings`, other)).json.error_code).toBe("RATE_LIMITED");
  });

  test("in another notation is the same request, another extension another one", async () => {
    const app = testApp();
    const asked = { ...BOOKING, booking_request_id: "order-12", customer_phone: `${NUMBER} ext. 12` };
    expect((await app.post(`${API}/bookings`, asked)).status).toBe(201);
    const again = await app.post(`${API}/bookings`, { ...asked, customer_phone: "(404) 555-0177,12" });
    expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
    const other = await app.post(`${API}/bookings`, { ...asked, customer_phone: `${NUMBER} ext. 13` });
    expect(other.json.error_code).toBe("IDEMPOTENCY_CONFLICT");
  });

  test("texts go to the number, the shop is told both", async () => {
    const edits = { "messages.confirmation_sms.enabled": true, "messages.sms_consent": "implied" };
    const app = appWith(edits);
    const consent = { confirmed_by_user: true, sms: true };
    await book(app, { customer_phone: `${NUMBER} x12`, consent });
    const jobs = await app.store.waitingJobs(9, { kinds: ["confirmation_sms", "notify_shop_sms"] });
    const told = Object.fromEntries(jobs.map(({ kind, content }) => [kind, Object(content).payload]));
    expect(told.confirmation_sms.to).toBe("+14045550177");
    expect(told.notify_shop_sms.text).toContain("(404) 555-0177 x12");
    expect(told.notify_shop_sms.mail.text).toContain("Phone: (404) 555-0177 x12");
  });

  test("of a booking by the owner is erased with the person, named with it or without", async () => {
    const app = testApp();
    await book(app, { customer_phone: `${NUMBER} x12` });
    await app.store.forget({ by: "phone", value: "+14045550177" }, app.now().epochMilliseconds, true);
    expect((await app.store.leads(["new"], 9))[0]).toMatchObject({ phone: "", extension: "" });
  });
});

const EMAILS: [given: string, taken: string][] = [
  ["robin@müller.example", "robin@xn--mller-kva.example"],
  ["robin@例え.テスト", "robin@xn--r8jz45g.xn--zckzah"],
  ["robin@ellis。example", "robin@ellis.example"],
  ...["mailto:", "Email: ", "e-mail:"].map((label): [string, string] => [
    `${label}robin@ellis.example`,
    "robin@ellis.example",
  ]),
  ["ｒｏｂｉｎ@ellis.example", "robin@ellis.example"],
  ["mailto:robin@ellis.example?subject=Tint", "robin@ellis.example"],
  ["Robin Ellis <robin@ellis.example>", "robin@ellis.example"],
  ["Zoë Müller <mailto:robin@müller.example>", "robin@xn--mller-kva.example"],
  ["<robin@ellis.example>", "robin@ellis.example"],
  ["robin@ellis.example.", "robin@ellis.example"],
];

const NO_EMAILS: [given: string, why: RegExp][] = [
  ["jörg@ellis.example", /only the letters a to z before the @/],
  ["jörg@müller.example", /only the letters a to z before the @/],
  ["robin@ellis.example, pat@ellis.example", /must be an e-mail address/],
  ["Pat pat@ellis.example <robin@ellis.example>", /must be an e-mail address/],
  ["robin@el lis.example", /must be an e-mail address/],
  ["robin@müller", /must be an e-mail address/],
];

describe("an e-mail address, over each way in turn", () => {
  const send = inTurn();
  test.each(EMAILS)("%s is understood as %s", async (given, taken) => {
    for (const [id, request, , email] of DOORS) {
      const app = testApp();
      const { body } = await send(app, id, { ...request, [email]: given });
      expect(body.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: email })]);
      expect(body.warnings[0].message).toContain(`is understood as ${taken}`);
      expect((await app.store.leads(["new"], 9))[0]?.email).toBe(taken);
    }
  });

  test.each(NO_EMAILS)("%s is asked", async (given, why) => {
    for (const [id, request, , email] of DOORS) {
      const { body } = await send(APP, id, { ...request, [email]: given });
      expect(body.invalid_fields).toEqual([{ field: email, message: expect.stringMatching(why) }]);
      expect(body.usage.fill_in).toEqual([email]);
    }
  });
});

test("a booking is found by the address in either form", async () => {
  const app = testApp();
  const { code } = await book(app, { customer_email: "robin@müller.example" });
  for (const email of ["Robin <robin@MÜLLER.example>", "robin@xn--mller-kva.example"])
    expect((await lookup(app, { confirmation_code: code, email })).status).toBe(200);
});

const doubts = (field: string, says: string) => [
  { code: "CONTACT_CHECK", field, message: expect.stringContaining(says) },
];

describe("doubted, over each way in turn", () => {
  const send = inTurn();
  test.each(["111-111-1111", "404-055-0142", "888-888-8888", "123-456-7890", "+1 404 555 01 77 123"])(
    "nobody can have %s",
    async (given) => {
      for (const [id, request, phone] of DOORS) {
        const app = testApp();
        const { body } = await send(app, id, { ...request, [phone]: given });
        expect([body.message, body.warnings]).toEqual([undefined, doubts(phone, "Nobody can have")]);
        expect(await app.store.leads(["new"], 9)).toHaveLength(1);
      }
    },
  );

  test.each([
    ["gmial.com", "gmail.com"],
    ["gmail.con", "gmail.com"],
    ["hotnail.com", "hotmail.com"],
    ["bellsoutth.net", "bellsouth.net"],
  ])("%s may stand for %s", async (domain, meant) => {
    for (const [id, request, , email] of DOORS) {
      const app = testApp();
      const { body } = await send(app, id, { ...request, [email]: `robin@${domain}` });
      expect([body.message, body.warnings]).toEqual([undefined, doubts(email, meant)]);
      expect((await app.store.leads(["new"], 9))[0]?.email).toBe(`robin@${domain}`);
    }
  });

  test.each([
    ["404-555-0100", "robin@gmail.com"],
    ["+44 20 7946 0958", "robin@ymail.com"],
    ["800-555-0199", "robin@mail.com"],
    ["404-555-0177 x11111", "robin@ellis.example"],
  ])("neither %s nor %s", async (number, address) => {
    for (const [id, request, phone, email] of DOORS)
      expect(
        (await send(testApp(), id, { ...request, [phone]: number, [email]: address })).body.warnings,
      ).toBeUndefined();
  });
});

test("a dry run, a repeat and a key are doubted as well; the owner's list decides", async () => {
  const app = testApp();
  const slip = { ...BOOKING, customer_email: "robin@gmial.com", booking_request_id: "slip" };
  const doubted = doubts("customer_email", "gmail.com");
  const dry = await app.post(`${API}/bookings`, { ...slip, dry_run: true });
  expect(dry.json.warnings).toEqual([...doubted, AT_BOOKING]);
  for (const body of [slip, slip]) expect((await app.post(`${API}/bookings`, body)).json.warnings).toEqual(doubted);
  const { json } = await app.post(`${API}/register`, { name: "Robin", email: "robin@gmial.com" });
  expect(json.warnings).toEqual(doubts("email", "gmail.com"));
  const own = catalogWith({ mail_domains: ["gmial.com"] });
  const answer = await testApp({ catalog: own }).post(`${API}/bookings`, slip);
  expect([answer.status, answer.json.warnings]).toEqual([201, undefined]);
});

/** The postal code of the one booking. */
async function kept({ store }: TestApp): Promise<unknown> {
  const [lead] = await store.leads(["new"], 9);
  return Object((await store.findLead(lead?.id ?? ""))?.details).postal_code;
}

const CANADA = { "business.address.country": "CA", "business.address.postal_code": "K1A 0B1" };

describe("a postal code, over each way in turn", () => {
  const send = inTurn();
  test.each([
    "GA 30060",
    "GA30060",
    "30060, GA",
    "100 Example Parkway, Marietta GA 30060, USA",
    "30060-1234",
    "30060 1234",
    "ZIP: 30060",
    "３００６０",
    30060,
  ])("%s is read as 30060", async (postal_code) => {
    const app = testApp();
    const { body } = await send(app, "book_appointment", { ...BOOKING, postal_code });
    expect(body.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: "postal_code" })]);
    expect(await kept(app)).toBe("30060");
  });

  test.each(["300", "300600", "abc", "30060 Main Street", "30060 or 30061", 300])("%s is none", async (postal_code) => {
    const { body } = await send(APP, "book_appointment", { ...BOOKING, postal_code });
    expect([body.error_code, body.usage.fill_in]).toEqual(["BAD_REQUEST", ["postal_code"]]);
    const message = "must be a ZIP code of five digits, like 30060";
    expect(body.invalid_fields).toEqual([{ field: "postal_code", message }]);
    expect(body.usage.fill_in_hints).toEqual([{ field: "postal_code", given: String(postal_code) }]);
  });

  test("outside the area, it is asked for with the caller's own", async () => {
    const { body } = await send(APP, "book_appointment", { ...BOOKING, postal_code: "GA 39999" });
    const { sample_request: sample, fill_in, fill_in_hints } = body.usage;
    expect([body.error_code, sample.postal_code, fill_in]).toEqual(["OUT_OF_SERVICE_AREA", undefined, ["postal_code"]]);
    expect(fill_in_hints).toEqual([{ field: "postal_code", given: "39999" }]);
  });

  test("has the form of the shop's country", async () => {
    const at = async (catalog: ReturnType<typeof catalogWith>, postal_code: string) => {
      const app = testApp({ catalog });
      const { body } = await send(app, "book_appointment", { ...BOOKING, postal_code });
      return body.error_code ?? (await kept(app));
    };
    const canada = catalogWith({ ...CANADA, "business.service_area.postal_prefixes": ["K1A"] });
    expect(await at(canada, "k1a0b1")).toBe("k1a0b1");
    expect(await at(canada, "Ottawa, ON K1A 0B1")).toBe("K1A 0B1");
    expect(await at(canada, "V5K 0A1")).toBe("OUT_OF_SERVICE_AREA");
    expect(await at(canada, "30060")).toBe("BAD_REQUEST");
    const abroad = catalogWith({ "business.address.country": "GB", "business.service_area.postal_prefixes": ["SW1"] });
    expect(await at(abroad, "SW1A 1AA")).toBe("SW1A 1AA");
    expect(await at(abroad, "London")).toBe("BAD_REQUEST");
  });
});
