/** Managing a booking by its code: status, look-up, moving and cancelling. Source: contract 13. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import {
  type Answer,
  API,
  BOOKING,
  CATALOG,
  catalogWith,
  type FileApp,
  fileApp,
  freshPhone,
  type TestApp,
  testApp,
} from "../helpers.ts";

const PHONE = CATALOG.business.phone;
const WRONG = "+1-404-555-0199";
/** Open at NOW, and 240 minutes fit. */
const FRIDAY = { date: "2026-11-27", time: "10:00" };

interface Booked {
  code: string;
  proof: { confirmation_code: string; phone: string };
}

async function book(app: TestApp, edits: object = {}, from = "198.51.100.1"): Promise<Booked & { answer: Answer }> {
  const answer = await app.post(`${API}/bookings`, { ...BOOKING, ...edits }, { from });
  expect([answer.status, answer.json.message]).toEqual([201, undefined]);
  const code: string = answer.json.data.confirmation_code;
  const phone = "customer_phone" in edits ? String(edits.customer_phone) : BOOKING.customer_phone;
  return { code, proof: { confirmation_code: code, phone }, answer };
}

const lookup = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/lookup`, body, from ? { from } : {});
const reschedule = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/reschedule`, body, from ? { from } : {});
const cancel = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/cancel`, body, from ? { from } : {});
const status = (app: TestApp, code: string, from?: string) => app.get(`${API}/bookings/${code}`, from ? { from } : {});

/** Every row of the tables that a change could touch. */
const rows = ({ db }: FileApp) =>
  ["bookings", "leads", "jobs", "lead_events"].map((table) => db.query(`SELECT * FROM ${table}`).all());
const jobs = ({ db }: FileApp) =>
  db
    .query<{ kind: string; status: string; payload: string; due_at: number }, []>(
      "SELECT kind, status, payload, due_at FROM jobs ORDER BY id",
    )
    .all();

describe("the status of a booking", () => {
  test("is at the booking's Location, and says nothing about a person", async () => {
    const app = testApp();
    const { code, answer } = await book(app, { special_requests: "call me Pat" });
    const location = answer.headers.get("location") ?? "";
    expect(location).toBe(`${API}/bookings/${code}`);
    const { status: http, json, text } = await app.get(location);
    expect(http).toBe(200);
    expect(json.data).toEqual({
      confirmation_code: code,
      status: "confirmed",
      date: BOOKING.date,
      time: BOOKING.time,
      start: answer.json.data.start,
      end: answer.json.data.end,
      service: "automotive",
    });
    expect(text).not.toMatch(/pat example|pat@|5550111|555-0111|vehicle|suv/i);
  });

  test("follows what becomes of the booking, and is read in any letter case", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    await reschedule(app, { ...proof, ...FRIDAY });
    expect((await status(app, code.toLowerCase())).json.data).toMatchObject({ ...FRIDAY, status: "confirmed" });
    await cancel(app, proof);
    expect((await status(app, `${code.slice(0, 4)}-${code.slice(4)}`)).json.data.status).toBe("cancelled_by_customer");
  });

  test("GET and HEAD change nothing, whatever the query says; other methods are refused", async () => {
    const app = fileApp();
    const { code } = await book(app);
    const before = rows(app);
    for (const path of [
      code,
      `${code}?status=cancelled`,
      `${code}/`,
      "lookup",
      "reschedule",
      "cancel",
      "NOSUCH00",
      "%zz",
    ]) {
      await app.get(`${API}/bookings/${path}`);
      await app.send("HEAD", `${API}/bookings/${path}`, { from: "192.0.2.9" });
    }
    for (const method of ["POST", "DELETE", "PATCH"]) {
      const { json, headers } = await app.send(method, `${API}/bookings/${code}`, { body: {}, from: "192.0.2.8" });
      expect([json.error_code, json.method, headers.get("allow")]).toEqual([
        "METHOD_NOT_ALLOWED",
        method === "POST" ? "GET" : "POST",
        "GET, HEAD, OPTIONS",
      ]);
    }
    expect((await app.get(`${API}/bookings/lookup`)).json).toMatchObject({
      error_code: "METHOD_NOT_ALLOWED",
      method: "POST",
    });
    expect(rows(app)).toEqual(before);
  });

  test("the log has the pattern of the path, not the code", async () => {
    const app = testApp();
    const { code } = await book(app);
    await status(app, code);
    expect(JSON.stringify(app.logs)).not.toContain(code);
    expect(app.logs.at(-1)).toMatchObject({ path: `${API}/bookings/{confirmation_code}` });
  });
});

describe("the look-up", () => {
  test("shows the confirmation as it stands now, and until when it can be changed", async () => {
    const app = testApp();
    const { proof, answer } = await book(app);
    const found = await lookup(app, proof);
    expect(found.status).toBe(200);
    expect(found.json.data).toEqual({ ...answer.json.data, can_change_until: "2026-11-23T09:00:00-05:00" });
    await reschedule(app, { ...proof, ...FRIDAY });
    expect((await lookup(app, proof)).json.data).toMatchObject({
      ...FRIDAY,
      start: "2026-11-27T10:00:00-05:00",
      can_change_until: "2026-11-26T10:00:00-05:00",
    });
    await cancel(app, proof);
    expect((await lookup(app, proof)).json.data).toMatchObject({
      status: "cancelled_by_customer",
      can_change_until: null,
    });
  });

  const MAIL = BOOKING.customer_email;
  const CONTACTS: [string, object, number][] = [
    ["the phone as it was given", { phone: BOOKING.customer_phone }, 200],
    ["the phone in another notation", { phone: "(404) 555 0111" }, 200],
    ["the e-mail", { email: MAIL }, 200],
    ["the e-mail in another letter case", { email: MAIL.toUpperCase() }, 200],
    ["both", { phone: BOOKING.customer_phone, email: MAIL }, 200],
    ["another phone", { phone: WRONG }, 404],
    ["another e-mail", { email: "sam@example.com" }, 404],
    ["the phone with another e-mail", { phone: BOOKING.customer_phone, email: "sam@example.com" }, 404],
    ["the e-mail with another phone", { phone: WRONG, email: MAIL }, 404],
  ];
  test.each(CONTACTS)("by %s", async (_, contact, expected) => {
    const app = testApp();
    const { code } = await book(app);
    expect((await lookup(app, { confirmation_code: code, ...contact })).status).toBe(expected);
  });

  test("needs the code and a contact", async () => {
    const app = testApp();
    expect((await lookup(app, {})).json).toMatchObject({
      error_code: "MISSING_FIELD",
      message: "confirmation_code and phone (or email) are missing.",
      missing_fields: ["confirmation_code", "phone"],
    });
    expect((await lookup(app, { confirmation_code: "7K2MQ9XA", phone: "1234567" })).json).toMatchObject({
      error_code: "BAD_REQUEST",
      invalid_fields: [{ field: "phone" }],
    });
  });
});

/** The names of the store's methods, as they are called from now on. */
function watch({ store }: TestApp): string[] {
  const calls: string[] = [];
  for (const [name, method] of Object.entries(store)) {
    const watched = (...args: unknown[]) => {
      calls.push(name);
      return Reflect.apply(method, store, args);
    };
    Object.assign(store, { [name]: watched });
  }
  return calls;
}

describe("misses", () => {
  /** The same request with a wrong contact, an unknown code, and a code in which nothing can be hidden. */
  const guesses = (code: string) => [
    { confirmation_code: code, phone: WRONG },
    { confirmation_code: "NOSUCH00", phone: BOOKING.customer_phone },
    { confirmation_code: "' OR 1=1 --", phone: BOOKING.customer_phone },
    { confirmation_code: code, phone: BOOKING.customer_phone, email: "sam@example.com" },
    { confirmation_code: "NOSUCH00", email: BOOKING.customer_email },
  ];
  const ASKED: [string, (app: TestApp, body: object, from?: string) => Promise<Answer>, object][] = [
    ["lookup", lookup, {}],
    ["reschedule", reschedule, FRIDAY],
    ["cancel", cancel, {}],
  ];

  test.each(ASKED)("%s: all look alike in body, headers and the work of the store", async (_, ask, more) => {
    const app = testApp();
    const { code } = await book(app);
    const calls = watch(app);
    const seen = [];
    for (const [i, guess] of guesses(code).entries()) {
      calls.length = 0;
      const { status: http, json, headers } = await ask(app, { ...guess, ...more }, `203.0.113.${i}`);
      const { request_id: _, ...body } = json;
      const names = [...headers.keys()].filter((name) => name !== "x-request-id" && name !== "x-ratelimit-remaining");
      seen.push({ http, body, names, calls: [...calls] });
    }
    expect(seen[0]?.body).toMatchObject({ error_code: "BOOKING_NOT_FOUND", recoverable: true });
    expect(seen[0]?.calls).toEqual(["contactOf"]);
    for (const one of seen) expect(one).toEqual({ ...seen[0] } as typeof one);
  });

  test("a booking that was forgotten cannot be found by anybody", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    await app.store.forget({ by: "phone", value: "+14045550111" }, app.now().epochMilliseconds, true);
    for (const contact of [{ phone: proof.phone }, { email: BOOKING.customer_email }])
      expect((await lookup(app, { confirmation_code: code, ...contact })).status).toBe(404);
    expect((await status(app, code)).status).toBe(200);
  });

  const MISSES: ((app: TestApp, code: string, from: string) => Promise<Answer>)[] = [
    (app, _, from) => status(app, "NOSUCH00", from),
    (app, code, from) => lookup(app, { confirmation_code: code, phone: WRONG }, from),
    (app, code, from) => reschedule(app, { confirmation_code: code, phone: WRONG, ...FRIDAY }, from),
    (app, code, from) => cancel(app, { confirmation_code: code, phone: WRONG }, from),
    (app, _, from) => lookup(app, { confirmation_code: "NOSUCH01", phone: WRONG }, from),
  ];

  test("five from one network, over all four together, end in 429 for right guesses too, for ten minutes", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    for (const miss of MISSES) expect((await miss(app, code, "203.0.113.5")).status).toBe(404);
    const right = [
      () => status(app, code, "203.0.113.5"),
      () => lookup(app, proof, "203.0.113.5"),
      () => reschedule(app, { ...proof, ...FRIDAY }, "203.0.113.5"),
      () => cancel(app, proof, "203.0.113.5"),
    ];
    for (const ask of right) {
      const { status: http, json, headers } = await ask();
      expect([http, json.error_code, headers.get("retry-after")]).toEqual([429, "RATE_LIMITED", "600"]);
    }
    expect((await lookup(app, proof, "203.0.113.6")).status).toBe(200);
    app.advance({ seconds: 601 });
    expect((await lookup(app, proof, "203.0.113.5")).json.data).toMatchObject({ date: BOOKING.date });
  });

  test("over the limit, right and wrong guesses look alike too, in body and in the work of the store", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    for (const miss of MISSES) await miss(app, code, "203.0.113.5");
    const calls = watch(app);
    const seen = [];
    for (const body of [proof, { ...proof, phone: WRONG }, { ...proof, confirmation_code: "NOSUCH00" }]) {
      calls.length = 0;
      const { json } = await lookup(app, body, "203.0.113.5");
      expect(json.usage.sample_request).toEqual(body);
      seen.push({ ...json, usage: {}, request_id: "", calls: [...calls] });
    }
    expect(seen[0]).toMatchObject({ error_code: "RATE_LIMITED", calls: ["contactOf"] });
    for (const one of seen) expect(one).toEqual({ ...seen[0] } as typeof one);
  });

  test("five on one code, from anywhere, end in 429 for further ones, and not for its customer", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    const other = await book(app, { customer_phone: freshPhone(), customer_email: "sam@example.com" });
    const written = [code, code.toLowerCase(), `${code.slice(0, 4)} ${code.slice(4)}`, `${code}`, ` ${code} `];
    for (const [i, confirmation_code] of written.entries())
      expect((await lookup(app, { confirmation_code, phone: WRONG }, `203.0.113.${i}`)).status).toBe(404);
    expect((await lookup(app, { confirmation_code: code, phone: WRONG }, "203.0.113.9")).status).toBe(429);
    expect((await lookup(app, proof, "203.0.113.77")).status).toBe(200);
    expect((await status(app, code, "203.0.113.78")).status).toBe(200);
    expect((await lookup(app, other.proof, "203.0.113.77")).status).toBe(200);
  });

  test("very many on one code in a day end in 429 for its customer too, but not where it was booked", async () => {
    const app = testApp({ catalog: catalogWith({ "rate_limits.wrong_codes_per_code_per_day": 7 }) });
    const { code, proof } = await book(app);
    const guess = (i: number) => lookup(app, { confirmation_code: code, phone: WRONG }, `203.0.113.${i}`);
    for (let i = 0; i < 5; i++) expect((await guess(i)).status).toBe(404);
    app.advance({ minutes: 11 });
    for (let i = 5; i < 7; i++) expect((await guess(i)).status).toBe(404);
    expect((await lookup(app, proof, "203.0.113.77")).status).toBe(429);
    // From where it was booked, its customer still gets at it; a guess from there is a guess.
    expect((await lookup(app, proof, "198.51.100.1")).status).toBe(200);
    const wrong = { confirmation_code: code, phone: WRONG };
    expect((await lookup(app, wrong, "198.51.100.1")).status).toBe(429);
    app.advance({ hours: 24 });
    expect((await lookup(app, proof, "203.0.113.77")).status).toBe(200);
  });

  test("of a page of another website shut its visitor out of nothing, and end for all such pages together", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    const guess = (body: object, from: string) =>
      app.post(`${API}/bookings/lookup`, body, { from, headers: { "Sec-Fetch-Site": "cross-site" } });
    for (let i = 0; i < 5; i++)
      expect((await guess({ confirmation_code: code, phone: WRONG }, "203.0.113.1")).status).toBe(404);
    expect((await guess({ confirmation_code: "ZZZZZZZZ", phone: WRONG }, "203.0.113.2")).status).toBe(429);
    expect((await guess(proof, "203.0.113.3")).status).toBe(429);
    expect((await lookup(app, proof, "203.0.113.1")).status).toBe(200);
  });

  test("many at the same time do not pass the limit, and right guesses never use it up", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    const right = await Promise.all(Array.from({ length: 30 }, () => lookup(app, proof, "203.0.113.1")));
    expect(right.map((answer) => answer.status).filter((one) => one !== 200)).toEqual([]);
    const wrong = await Promise.all(
      Array.from({ length: 30 }, () => lookup(app, { confirmation_code: code, phone: WRONG }, "203.0.113.2")),
    );
    expect(wrong.filter((answer) => answer.status === 404)).toHaveLength(5);
    expect(wrong.filter((answer) => answer.status === 429)).toHaveLength(25);
  });

  test("a refused body is no miss, and an agent's name gives no further guesses", async () => {
    const app = testApp();
    const { proof } = await book(app);
    const headers = { "User-Agent": "ChatGPT-User" };
    for (let i = 0; i < 9; i++) await lookup(app, { ...proof, phone: "no" }, "203.0.113.3");
    expect((await lookup(app, proof, "203.0.113.3")).status).toBe(200);
    for (let i = 0; i < 5; i++) await app.get(`${API}/bookings/NOSUCH0${i}`, { headers, from: "203.0.113.3" });
    expect((await app.get(`${API}/bookings/NOSUCH09`, { headers, from: "203.0.113.3" })).status).toBe(429);
  });

  test("the number is the catalog's", async () => {
    const app = testApp({ catalog: catalogWith({ "rate_limits.wrong_codes_per_10_minutes": 1 }) });
    expect((await status(app, "NOSUCH00")).status).toBe(404);
    expect((await status(app, "NOSUCH01")).status).toBe(429);
  });
});

describe("moving", () => {
  test("keeps code, price and length, frees the old time and takes the new one", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const { code, proof, answer } = await book(app);
    const isOpen = async ({ date, time }: { date: string; time: string }) => {
      const { json } = await app.get(`${API}/availability?date=${date}&vehicle_type=suv`);
      return json.data.slots.find((slot: { time: string }) => slot.time === time).available;
    };
    expect([await isOpen(BOOKING), await isOpen(FRIDAY)]).toEqual([false, true]);
    const moved = await reschedule(app, { ...proof, ...FRIDAY });
    expect(moved.status).toBe(200);
    const { date: _, time: __, start: ___, end: ____, can_change_until: _____, ...kept } = answer.json.data;
    expect(moved.json.data).toMatchObject({ ...kept, ...FRIDAY, confirmation_code: code });
    expect([moved.json.data.start, moved.json.data.end]).toEqual([
      "2026-11-27T10:00:00-05:00",
      "2026-11-27T14:00:00-05:00",
    ]);
    expect([await isOpen(BOOKING), await isOpen(FRIDAY)]).toEqual([true, false]);
    const other = { customer_phone: freshPhone(), customer_email: "sam@example.com" };
    const taken = await app.post(`${API}/bookings`, { ...BOOKING, ...other, ...FRIDAY });
    expect(taken.json.error_code).toBe("SLOT_TAKEN");
    await book(app, other);
  });

  test("keeps the price when the catalog has another one by then", async () => {
    const app = testApp();
    const { proof, answer } = await book(app);
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 9999 }));
    expect((await reschedule(app, { ...proof, ...FRIDAY })).json.data.estimate).toEqual(answer.json.data.estimate);
  });

  test("counts the bays without the booking itself: by an hour in a full shop", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const { proof } = await book(app);
    const moved = await reschedule(app, { ...proof, date: BOOKING.date, time: "10:00" });
    expect([moved.status, moved.json.data?.time]).toEqual([200, "10:00"]);
  });

  const REFUSED: [string, object, string][] = [
    ["a closed day", { date: "2026-11-26", time: "10:00" }, "DATE_BLOCKED"],
    ["a day that has passed", { date: "2026-11-20", time: "10:00" }, "DATE_BLOCKED"],
    ["a day beyond the horizon", { date: "2027-11-20", time: "10:00" }, "DATE_BLOCKED"],
    ["a time without notice", { date: "2026-11-21", time: "11:00" }, "SLOT_TAKEN"],
    ["a time of others", { date: "2026-11-25", time: "09:00" }, "SLOT_TAKEN"],
  ];
  test.each(REFUSED)("to %s is refused with alternatives that work, by a dry run too", async (_, wish, code) => {
    const app = fileApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const { proof } = await book(app);
    await book(app, { customer_phone: freshPhone(), customer_email: "sam@example.com", date: "2026-11-25" });
    const before = rows(app);
    for (const dry_run of [true, false]) {
      const { status: http, json } = await reschedule(app, { ...proof, ...wish, dry_run });
      expect([http, json.error_code, json.alternatives.length]).toEqual([409, code, 3]);
      expect(json.alternatives).not.toContainEqual(expect.objectContaining({ date: BOOKING.date, time: BOOKING.time }));
      expect(rows(app)).toEqual(before);
      const { date, time } = json.alternatives[0];
      expect((await reschedule(app, { ...proof, date, time, dry_run: true })).status).toBe(200);
    }
  });

  test("to a time that is no start is refused with the times that are", async () => {
    const app = testApp();
    const { proof } = await book(app);
    const { status: http, json } = await reschedule(app, { ...proof, ...FRIDAY, time: "10:07" });
    expect([http, json.invalid_fields[0].field, json.invalid_fields[0].allowed.length > 0]).toEqual([
      400,
      "time",
      true,
    ]);
  });

  test("a dry run gives the answer of the move, and writes and sends nothing", async () => {
    const app = fileApp();
    const { proof } = await book(app);
    const before = rows(app);
    const dry = await reschedule(app, { ...proof, ...FRIDAY, dry_run: true });
    expect([dry.status, dry.json.data.status]).toEqual([200, "dry_run"]);
    expect(rows(app)).toEqual(before);
    expect(dry.json.next_actions).toEqual([
      expect.objectContaining({ action: "reschedule_booking", sample_request: { ...proof, ...FRIDAY } }),
    ]);
    const real = await reschedule(app, dry.json.next_actions[0].sample_request);
    expect(real.json.data).toEqual({ ...dry.json.data, status: "confirmed" });
  });

  test("sent again it answers 200 with the state as it is, also when the new time is inside the cut-off", async () => {
    const app = fileApp();
    const { proof } = await book(app);
    const wish = { ...proof, date: "2026-11-23", time: "09:00" };
    const first = await reschedule(app, wish);
    app.advance({ hours: 24 });
    const before = rows(app);
    const again = await reschedule(app, wish);
    expect([again.status, again.json.data]).toEqual([200, first.json.data]);
    expect(rows(app)).toEqual(before);
  });

  test("races of moves and new bookings never pass the bays", async () => {
    const app = fileApp({
      catalog: catalogWith({ "scheduling.bays": 2, "rate_limits.bookings_per_10_minutes": 99 }),
    });
    const person = (i: number) => ({ customer_phone: freshPhone(), customer_email: `p${i}@example.com` });
    const days = ["2026-11-23", "2026-11-24", "2026-11-25"];
    const booked = [];
    for (const [i, date] of [...days, ...days].entries()) booked.push(await book(app, { ...person(i), date }));
    const answers = await Promise.all([
      ...booked.map(({ proof }) => reschedule(app, { ...proof, ...FRIDAY }, "203.0.113.1")),
      ...booked.map((_, i) => app.post(`${API}/bookings`, { ...BOOKING, ...person(10 + i), ...FRIDAY })),
    ]);
    expect(answers.filter(({ status: http }) => http < 300)).toHaveLength(2);
    expect(answers.filter(({ json }) => json.error_code === "SLOT_TAKEN")).toHaveLength(10);
    const onFriday = await app.store.bookings({ from: FRIDAY.date, to: FRIDAY.date }, 99);
    expect(onFriday).toHaveLength(2);
  });

  test("races over two connections to one file never pass the bays", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tintdesk-"));
    const catalog = catalogWith({ "scheduling.bays": 2, "rate_limits.bookings_per_10_minutes": 99 });
    const apps = [1, 2].map(() => testApp({ catalog, store: openSqliteStore(folder) }));
    const [one, other] = apps as [TestApp, TestApp];
    const person = (i: number) => ({ customer_phone: freshPhone(), customer_email: `q${i}@example.com` });
    const booked = [];
    for (const [i, date] of ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-28"].entries())
      booked.push(await book(one, { ...person(i), date, time: "09:00" }));
    const answers = await Promise.all([
      ...booked.map(({ proof }, i) => reschedule(i % 2 === 0 ? one : other, { ...proof, ...FRIDAY })),
      ...booked.map((_, i) =>
        (i % 2 === 0 ? other : one).post(`${API}/bookings`, { ...BOOKING, ...person(10 + i), ...FRIDAY }),
      ),
    ]);
    expect(answers.filter(({ status: http }) => http < 300)).toHaveLength(2);
    expect(await other.store.bookings({ from: FRIDAY.date, to: FRIDAY.date }, 99)).toHaveLength(2);
    await Promise.all(apps.map(({ store }) => store.close()));
    rmSync(folder, { recursive: true });
  });

  test("moves of one booking at the same time: each is judged as it then stands", async () => {
    const app = fileApp();
    const { code, proof } = await book(app);
    const wishes = ["10:00", "11:00", "12:00", "10:00"].map((time) => ({ ...proof, date: FRIDAY.date, time }));
    const answers = await Promise.all(wishes.map((wish) => reschedule(app, wish)));
    expect(answers.map((answer, i) => [answer.status, answer.json.data.time === wishes[i]?.time])).toEqual(
      wishes.map(() => [200, true]),
    );
    const booking = await app.store.findBooking(code);
    // The two equal wishes may have been one change or two, with another one between them.
    expect([3, 4]).toContain(booking?.changes ?? 0);
  });
});

describe("cancelling", () => {
  test("frees the bay at once, and keeps the reason for the shop", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const { code, proof } = await book(app);
    const done = await cancel(app, { ...proof, reason: "The car was sold." });
    expect([done.status, done.json.data.status, done.json.data.can_change_until]).toEqual([
      200,
      "cancelled_by_customer",
      null,
    ]);
    expect(await app.store.findBooking(code)).toMatchObject({
      status: "cancelled_by_customer",
      cancelReason: "The car was sold.",
      endedAt: app.now().epochMilliseconds,
    });
    await book(app, { customer_phone: freshPhone(), customer_email: "sam@example.com" });
  });

  test("sent again it answers 200 with the state as it is, and nothing is written or sent", async () => {
    const app = fileApp();
    const { proof } = await book(app);
    const first = await cancel(app, proof);
    const before = rows(app);
    app.advance({ hours: 60 });
    const again = await cancel(app, { ...proof, reason: "again" });
    expect([again.status, again.json.data]).toEqual([200, first.json.data]);
    const many = await Promise.all(Array.from({ length: 5 }, () => cancel(app, proof)));
    expect(many.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(rows(app)).toEqual(before);
  });

  test("at the same time as itself: one change", async () => {
    const app = fileApp();
    const { code, proof } = await book(app);
    const many = await Promise.all(Array.from({ length: 5 }, () => cancel(app, proof)));
    expect(many.map((answer) => answer.json.data.status)).toEqual(Array(5).fill("cancelled_by_customer"));
    expect((await app.store.findBooking(code))?.changes).toBe(1);
    expect(jobs(app).filter(({ payload }) => payload.includes("cancelled_by_customer"))).toHaveLength(1);
  });

  test("what the shop cancelled stays as it is, and cannot be moved", async () => {
    const app = testApp();
    const { code, proof } = await book(app);
    await app.store.moveBooking(code, "cancelled_by_shop", app.now().epochMilliseconds);
    expect((await cancel(app, proof)).json.data.status).toBe("cancelled_by_shop");
    const { status: http, json } = await reschedule(app, { ...proof, ...FRIDAY });
    expect([http, json.error_code]).toEqual([409, "TOO_LATE_TO_CHANGE"]);
    expect(json.message).toContain(PHONE);
  });

  test("cancelled bookings count in the quotas, and make room among those that a customer holds", async () => {
    const app = testApp();
    const { proof } = await book(app);
    await book(app, { date: "2026-11-25" });
    await cancel(app, proof);
    const third = await app.post(`${API}/bookings`, { ...BOOKING, ...FRIDAY });
    expect([third.status, third.json.error_code]).toEqual([429, "RATE_LIMITED"]);
  });
});

describe("the shop's rules", () => {
  test("until the cut-off both work, after it both are refused with the phone", async () => {
    const app = testApp();
    const { proof } = await book(app);
    // 24 hours before Tuesday 09:00.
    app.advance({ hours: 47 });
    expect((await reschedule(app, { ...proof, ...FRIDAY, dry_run: true })).status).toBe(200);
    app.advance({ seconds: 1 });
    for (const ask of [() => reschedule(app, { ...proof, ...FRIDAY }), () => cancel(app, proof)]) {
      const { status: http, json } = await ask();
      expect([http, json.error_code, json.recoverable]).toEqual([409, "TOO_LATE_TO_CHANGE", false]);
      expect(json.message).toContain(PHONE);
    }
    const found = await lookup(app, proof);
    expect([found.status, found.json.next_actions.map(({ action }: { action: string }) => action)]).toEqual([
      200,
      ["business_location"],
    ]);
    app.setCatalog(catalogWith({ "bookings.self_service.cutoff_hours": 2 }));
    expect((await cancel(app, proof)).status).toBe(200);
  });

  test("the way to other times names the whole work, as far as the shop still sells it", async () => {
    const app = testApp();
    const addons = ["windshield_strip", "sunroof"];
    const { proof } = await book(app, { addons, remove_old_film: true });
    const [times] = (await lookup(app, proof)).json.next_actions;
    expect(times).toMatchObject({
      action: "check_availability",
      sample_request: { vehicle_type: "suv", film_type: "ceramic", addons, remove_old_film: true },
    });
    const days = await app.get(`${times.path}?${new URLSearchParams(times.sample_request)}&from=2026-11-27`);
    const slot = days.json.data.days
      .flatMap((day: { slots: object[] }) => day.slots)
      .findLast(({ available }: { available: boolean }) => available);
    expect((await reschedule(app, { ...proof, date: slot.date, time: slot.time })).status).toBe(200);
  });

  test("of work that is no longer booked online, the times are asked for by phone, and the change goes on online", async () => {
    const app = testApp();
    const { proof } = await book(app, { service_type: "clearplex", film_type: undefined });
    const services = CATALOG.services.map((one) => (one.key === "clearplex" ? { ...one, bookable: false } : one));
    app.setCatalog({ ...CATALOG, services });
    const [times, ...changes] = (await lookup(app, proof)).json.next_actions;
    expect([times.action, times.description]).toEqual([
      "business_location",
      "Get the shop's phone and hours, to ask for open times: this work is no longer booked online.",
    ]);
    expect(changes.map(({ action }: { action: string }) => action)).toEqual(["reschedule_booking", "cancel_booking"]);
    expect((await reschedule(app, { ...proof, ...FRIDAY })).status).toBe(200);
  });

  test("a booking inside the cut-off is not told how to change it", async () => {
    const actions = async (edits: object) =>
      (
        await book(testApp({ catalog: catalogWith({ "bookings.self_service.grace_minutes": 0 }) }), edits)
      ).answer.json.next_actions.map(({ action }: { action: string }) => action);
    const today = { date: "2026-11-21", time: "13:00", vehicle_type: "sedan", coverage: "front2" };
    expect(await actions(today)).toEqual(["business_location", "list_faq", "find_booking"]);
    expect(await actions({})).toEqual([...(await actions(today)), "reschedule_booking", "cancel_booking"]);
  });

  test("switched off: 403 with the phone, the status stays, and no answer leads there", async () => {
    const app = testApp({ catalog: catalogWith({ "bookings.self_service.enabled": false }) });
    const { code, proof, answer } = await book(app);
    for (const ask of [lookup, reschedule, cancel])
      for (const body of [proof, { ...proof, phone: WRONG }]) {
        const { status: http, json } = await ask(app, ask === reschedule ? { ...body, ...FRIDAY } : body);
        expect([http, json.error_code]).toEqual([403, "FORBIDDEN"]);
        expect(json.message).toContain(PHONE);
      }
    const stands = await status(app, code);
    expect(stands.status).toBe(200);
    for (const { json } of [answer, stands])
      expect(JSON.stringify(json.next_actions)).not.toMatch(/find_booking|reschedule_booking|cancel_booking/);
  });

  test("while nothing can be written: 503, and nothing was changed", async () => {
    const app = fileApp();
    const { proof } = await book(app);
    const before = rows(app);
    app.db.run("BEGIN IMMEDIATE");
    const answers = await Promise.all([reschedule(app, { ...proof, ...FRIDAY }), cancel(app, proof)]);
    app.db.run("ROLLBACK");
    for (const { status: http, json, headers } of answers)
      expect([http, json.error_code, headers.has("retry-after")]).toEqual([503, "BOOKING_FAILED", true]);
    expect(rows(app)).toEqual(before);
  });
});

test("no next step of an answer changes anything when it is sent as it stands", async () => {
  const app = fileApp();
  const { code, proof, answer } = await book(app);
  const before = rows(app);
  const answers = [answer, await status(app, code), await lookup(app, proof)];
  const offered: string[] = [];
  for (const { action, method, path, sample_request } of answers.flatMap(({ json }) => json.next_actions)) {
    offered.push(action);
    if (method === "POST") await app.post(path, sample_request, { from: "203.0.113.99" });
  }
  expect(offered).toEqual(expect.arrayContaining(["find_booking", "reschedule_booking", "cancel_booking"]));
  expect(rows(app)).toEqual(before);
});

test("the names of a booking's own fields are understood", async () => {
  const app = testApp();
  const { code } = await book(app);
  const asked = { code, customerPhone: BOOKING.customer_phone, customer_email: BOOKING.customer_email };
  const { status: http, json } = await app.post(`${API}/bookings/lookup`, asked);
  expect([http, json.warnings.map(({ code: kind }: { code: string }) => kind)]).toEqual([
    200,
    ["UNDERSTOOD", "UNDERSTOOD", "UNDERSTOOD"],
  ]);
});

describe("a field that is not understood is refused", () => {
  const UNKNOWN: [string, object, string, string | undefined][] = [
    ["/bookings", { ...BOOKING, vehicle_tpye: "van" }, "vehicle_tpye", "vehicle_type"],
    [
      "/bookings",
      { ...BOOKING, consent: { confirmed_by_user: true, statment: "yes" } },
      "consent.statment",
      "statement",
    ],
    ["/bookings/lookup", { confirmation_code: "7K2MQ9XA", phone: WRONG, e_mail: "a@example.com" }, "e_mail", "email"],
    [
      "/bookings/reschedule",
      { confirmation_code: "7K2MQ9XA", phone: WRONG, ...FRIDAY, dryrun: true },
      "dryrun",
      "dry_run",
    ],
    ["/bookings/cancel", { confirmation_code: "7K2MQ9XA", phone: WRONG, dryrun: true }, "dryrun", "dry_run"],
  ];
  test.each(UNKNOWN)("%s", async (path, body, field, did_you_mean) => {
    const app = fileApp();
    const { status: http, json } = await app.post(API + path, body);
    const message = "is not a field of this request";
    expect([http, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(json.invalid_fields).toEqual([{ field, message, ...(did_you_mean && { did_you_mean }) }]);
    expect(app.counts().bookings).toBe(0);
  });

  test("so is one in the query, where it would have no effect", async () => {
    const app = fileApp();
    for (const path of ["/bookings", "/bookings/cancel"]) {
      const { status: http, json } = await app.post(`${API}${path}?dry_run=true&time=10:00`, BOOKING);
      expect([http, json.invalid_fields?.[0]?.field]).toEqual([400, "dry_run"]);
      expect(json.message).toBe("dry_run and time stand in the query; this request takes its fields in the body.");
    }
    expect(app.counts().bookings).toBe(0);
  });

  test("together with every other fault", async () => {
    const { json } = await testApp().post(`${API}/bookings/reschedule`, { number: 1, date: "tomorrow" });
    expect(json.missing_fields).toEqual(["confirmation_code", "phone", "time"]);
    expect(json.invalid_fields.map(({ field }: { field: string }) => field).sort()).toEqual(["date", "number"]);
  });
});

describe("over A2A", () => {
  test("a look-up, and a miss, which is counted with the others", async () => {
    const app = testApp();
    const { proof } = await book(app);
    const ask = async (capability: string, input: object) => {
      const message = { messageId: "1", role: "ROLE_USER", parts: [{ data: { capability, input } }] };
      const { json } = await app.post("/a2a", { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } });
      return json.result?.message.parts[0].data ?? json.error;
    };
    expect((await ask("find_booking", proof)).data).toMatchObject({ date: BOOKING.date });
    for (let i = 0; i < 3; i++)
      expect((await ask("cancel_booking", { ...proof, phone: WRONG })).error_code).toBe("BOOKING_NOT_FOUND");
    for (let i = 0; i < 2; i++) expect((await status(app, `NOSUCH0${i}`)).status).toBe(404);
    expect(JSON.stringify(await ask("find_booking", proof))).toContain("RATE_LIMITED");
  });
});

test("a booking of a film and an extra that were given up since is shown, and leads to open times for the rest", async () => {
  const app = testApp();
  const { proof } = await book(app, { addons: ["sunroof", "nofault"] });
  const { sunroof: _, ...addons } = CATALOG.automotive.addons;
  const { ceramic: __, ...films } = CATALOG.automotive.films;
  const example = { vehicle_type: "suv", film_type: "standard" };
  app.setCatalog({ ...CATALOG, automotive: { ...CATALOG.automotive, addons, films, example } });
  const moved = { ...proof, ...FRIDAY };
  for (const answer of [
    await lookup(app, proof),
    await reschedule(app, { ...moved, dry_run: true }),
    await reschedule(app, moved),
  ]) {
    expect([answer.status, answer.json.data]).toMatchObject([
      200,
      { film_type: "ceramic", addons: ["sunroof", "nofault"] },
    ]);
  }
  const [times] = (await lookup(app, proof)).json.next_actions;
  expect(times.sample_request).toEqual({ service: 1, vehicle_type: "suv", coverage: "full", addons: ["nofault"] });
});

test("a customer moves a booking five times on one day, then calls; the next day is free, and cancelling always works", async () => {
  const app = testApp();
  const { proof } = await book(app);
  const times = ["09:00", "10:00"];
  const move = (nth: number, more: object = {}) =>
    reschedule(app, { ...proof, date: FRIDAY.date, time: times[nth % 2], ...more });
  for (let nth = 0; nth < 5; nth++) expect((await move(nth)).status).toBe(200);
  for (const more of [{}, { dry_run: true }]) {
    const { status: http, json, headers } = await move(5, more);
    expect(http).toBe(429);
    expect(json.message).toBe(
      `A booking can be moved 5 times a day, and this one was. To move it today call ${PHONE}.`,
    );
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
    expect(json.retry_after_seconds).toBe(Number(headers.get("retry-after")));
  }
  // To where it stands already is no move.
  expect((await move(4)).status).toBe(200);
  app.advance({ hours: 24 });
  expect((await move(5)).status).toBe(200);
  expect((await cancel(app, proof)).status).toBe(200);
});

test("a dry run of cancelling changes nothing, and its next step cancels", async () => {
  const app = fileApp();
  const { confirmation_code } = (await app.post(`${API}/bookings`, BOOKING)).json.data;
  const proof = { confirmation_code, phone: BOOKING.customer_phone };
  const { status: http, json } = await app.post(`${API}/bookings/cancel`, { ...proof, dry_run: true });
  expect([http, json.data.status]).toEqual([200, "dry_run"]);
  const { json: found } = await app.post(`${API}/bookings/lookup`, proof);
  expect(found.data.status).toBe("confirmed");
  const [{ action, sample_request }] = json.next_actions;
  expect([action, sample_request]).toEqual(["cancel_booking", proof]);
  expect((await app.post(`${API}/bookings/cancel`, sample_request)).json.data.status).toBe("cancelled_by_customer");
});

test("the code of the samples is nobody's, so trying it uses up no limit", async () => {
  const app = fileApp();
  const proof = { confirmation_code: "7k2m-q9xa", phone: BOOKING.customer_phone };
  for (let i = 0; i < 12; i++) {
    const { json } = await app.post(`${API}/bookings/${i % 2 === 0 ? "lookup" : "cancel"}`, proof);
    expect(json.error_code).toBe("BOOKING_NOT_FOUND");
    expect(json.message).toContain("It is the sample's: put in the one of the booking.");
  }
  expect((await app.get(`${API}/bookings/7K2MQ9XA`)).json.error_code).toBe("BOOKING_NOT_FOUND");
  expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
});
