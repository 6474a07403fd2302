/** Finding a booking by its code: its status, the look-up with a contact, and what guesses get. Source: contract 13. */
import { describe, expect, test } from "bun:test";
import { derive } from "../../src/catalog/shop.ts";
import { type Answer, fileApp, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, freshPhone } from "../fixed-day.ts";
import { appWith, CATALOG } from "../helpers.ts";
import { book, cancel, FRIDAY, lookup, reschedule, rows, status, WRONG } from "./manage-requests.ts";

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
      expect(json.error_code).toBe("METHOD_NOT_ALLOWED");
      expect(json.method).toEqual(method === "POST" ? "GET" : "POST");
      expect(headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    }
    const expected = { error_code: "METHOD_NOT_ALLOWED", method: "POST" };
    expect((await app.get(`${API}/bookings/lookup`)).json).toMatchObject(expected);
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
  test("shows the confirmation as it is now, and until when it can be changed", async () => {
    const app = testApp();
    const { proof, answer } = await book(app);
    const found = await lookup(app, proof);
    expect(found.status).toBe(200);
    expect(found.json.data).toEqual({ ...answer.json.data, can_change_until: "2026-11-23T09:00:00-05:00" });
    await reschedule(app, { ...proof, ...FRIDAY });
    const expected = { ...FRIDAY, start: "2026-11-27T10:00:00-05:00", can_change_until: "2026-11-26T10:00:00-05:00" };
    expect((await lookup(app, proof)).json.data).toMatchObject(expected);
    await cancel(app, proof);
    const wanted = { status: "cancelled_by_customer", can_change_until: null };
    expect((await lookup(app, proof)).json.data).toMatchObject(wanted);
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
    const expected = { error_code: "BAD_REQUEST", invalid_fields: [{ field: "phone" }] };
    expect((await lookup(app, { confirmation_code: "7K2MQ9XA", phone: "1234567" })).json).toMatchObject(expected);
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
      const { request_id: _, usage, ...body } = json;
      // It repeats the guess, and tells nothing else.
      expect(usage.fill_in).toEqual(Object.keys(guess));
      expect(usage.fill_in_hints).toEqual(Object.entries(guess).map(([field, given]) => ({ field, given })));
      expect({ ...usage.sample_request }).toEqual({ ...more, ...(ask !== lookup && { dry_run: true }) });
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
    const app = appWith({ "rate_limits.wrong_codes_per_code_per_day": 7 });
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
    const app = appWith({ "rate_limits.wrong_codes_per_10_minutes": 1 });
    expect((await status(app, "NOSUCH00")).status).toBe(404);
    expect((await status(app, "NOSUCH01")).status).toBe(429);
  });
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

test("the names of a booking's own fields are understood", async () => {
  const app = testApp();
  const { code } = await book(app);
  const asked = { code, customerPhone: BOOKING.customer_phone, customer_email: BOOKING.customer_email };
  const { json } = await lookup(app, asked);
  expect(json.warnings.map((one: { code: string }) => one.code)).toEqual(Array(3).fill("UNDERSTOOD"));
});

test("a booking of a film and an extra that were given up since is shown, and leads to open times for the rest", async () => {
  const app = testApp();
  const { proof } = await book(app, { addons: ["sunroof", "nofault"] });
  const { sunroof: _, ...addons } = CATALOG.automotive.addons;
  const { ceramic: __, ...films } = CATALOG.automotive.films;
  const example = { vehicle_type: "suv", film_type: "standard" };
  app.setCatalog(derive({ ...CATALOG, automotive: { ...CATALOG.automotive, addons, films, example } }));
  const moved = { ...proof, ...FRIDAY };
  for (const answer of [
    await lookup(app, proof),
    await reschedule(app, { ...moved, dry_run: true }),
    await reschedule(app, moved),
  ]) {
    const expected = [200, { film_type: "ceramic", addons: ["sunroof", "nofault"] }];
    expect([answer.status, answer.json.data]).toMatchObject(expected);
  }
  const [times] = (await lookup(app, proof)).json.next_actions;
  expect(times.sample_request).toEqual({ service: 1, vehicle_type: "suv", coverage: "full", addons: ["nofault"] });
});
