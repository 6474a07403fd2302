/** A booking: what it stores, repeats of it, consent, the area served. */
import { describe, expect, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { API, appWith, BOOKING, bookingOn, CATALOG, catalogWith, fileApp, registerKey, testApp } from "../helpers.ts";

describe("booking", () => {
  test("201 with Location, one booking, one lead, six jobs", async () => {
    const app = fileApp();
    const { status, headers, json } = await app.post(
      `${API}/bookings`,
      {
        ...BOOKING,
        special_requests: "Shade 35",
        booking_request_id: "order-1",
        postal_code: "30060",
        consent: { confirmed_by_user: true },
      },
      { headers: { "User-Agent": "ClaudeBot" } },
    );
    expect(status).toBe(201);
    const code = json.data.confirmation_code;
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(headers.get("location")).toBe(`${API}/bookings/${code}`);
    expect(headers.get("idempotent-replayed")).toBeNull();
    expect(json.data).toEqual({
      assumed: ["service_type", "coverage"],
      confirmation_code: code,
      booking_id: expect.stringMatching(/^bk_/),
      status: "confirmed",
      date: "2026-11-24",
      time: "09:00",
      start: "2026-11-24T09:00:00-05:00",
      end: "2026-11-24T13:00:00-05:00",
      timezone: "America/New_York",
      duration_minutes: 240,
      duration: "4 h",
      service: "automotive",
      vehicle: { type: "suv", year: null, make: null, model: null, description: "SUV" },
      film_type: "ceramic",
      coverage: "full",
      addons: [],
      remove_old_film: false,
      shade: null,
      windshield_shade: null,
      tint_law: { jurisdiction: "US-GA", status: "not_checked" },
      accepted_not_legal: false,
      special_requests: "Shade 35",
      estimate: {
        currency: "USD",
        total: 599,
        tax: { status: "none", rate_pct: null, amount: 0, note: CATALOG.tax.note },
        price_note: CATALOG.price_note,
        line_items: [expect.objectContaining({ code: "automotive", quantity: 1, unit_price: 599, amount: 599 })],
        locked: false,
      },
      estimate_id: null,
      customer: { name: "Pat Example" },
      lead_id: expect.stringMatching(/^lead_/),
      location: expect.objectContaining({ name: "Marlow Ridge Window Film", phone: "+1-404-555-0142" }),
      booking_request_id: "order-1",
      can_change_until: "2026-11-23T09:00:00-05:00",
      manage_url: `https://marlowridge.example/book/manage?code=${code}`,
      messages: { text: [], email: [], said: "Nothing will be sent: give the customer the code and the link." },
      prepare: CATALOG.bookings.prepare,
    });
    expect(json.next_actions.length).toBeGreaterThan(0);
    expect(app.counts()).toEqual({ leads: 1, bookings: 1, jobs: 6, keys: 0 });
    expect(app.db.query("SELECT id, kind, phone, agent_class, consent FROM leads").get()).toEqual({
      id: json.data.lead_id,
      kind: "booking",
      phone: "+14045550111",
      agent_class: "anthropic",
      consent: '{"confirmed_by_user":true}',
    });
  });

  test("other services that can be booked", async () => {
    const app = testApp();
    const body = { ...BOOKING, service_type: "film_removal", film_type: undefined };
    const removal = await app.post(`${API}/bookings`, body);
    expect(removal.json.data).toMatchObject({ service: "film_removal", film_type: null, estimate: { total: 225 } });
    const clear = await app.post(`${API}/bookings`, { ...BOOKING, time: "13:00", service_type: "clearplex" });
    const expected = { service: "clearplex", film_type: null, coverage: null, estimate: { total: 475 } };
    expect(clear.json.data).toMatchObject(expected);
  });

  test("a repeated booking_request_id gives the first answer and books nothing", async () => {
    const app = fileApp();
    const body = { ...BOOKING, booking_request_id: "order-1", consent: { confirmed_by_user: true, agent_name: "A" } };
    const first = await app.post(`${API}/bookings`, body);
    // The same request: keys in another order, null for an absent field, the id in the header, from another address.
    const { booking_request_id: _, ...rest } = body;
    const reordered = Object.fromEntries(
      Object.entries({ ...rest, vehicle_make: null, consent: { agent_name: "A", confirmed_by_user: true } }).reverse(),
    );
    const again = [
      await app.post(`${API}/bookings`, body),
      await app.post(`${API}/bookings`, reordered, { headers: { "Idempotency-Key": "order-1" }, from: "192.0.2.9" }),
      await app.post(`${API}/bookings`, body, { headers: { "Idempotency-Key": "order-1" } }),
      await app.post(`${API}/bookings`, body),
      await app.post(`${API}/bookings`, body),
    ];
    for (const answer of again) {
      expect(answer.status).toBe(201);
      expect(answer.headers.get("idempotent-replayed")).toBe("true");
      expect(answer.headers.get("location")).toBe(first.headers.get("location"));
      expect(answer.json.data).toEqual(first.json.data);
    }
    expect(app.counts()).toEqual({ leads: 1, bookings: 1, jobs: 6, keys: 0 });
    // Replays use no quota: two of three bookings are left.
    for (const date of ["2026-11-25", "2026-11-27"]) {
      const { status } = await app.post(`${API}/bookings`, bookingOn(date));
      expect(status).toBe(201);
    }
  });

  test("requests that arrive together are worked one by one, so that whoever only asks comes between them", async () => {
    const store = openSqliteStore(":memory:");
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    const worked: number[] = [];
    const findSame: typeof store.findSame = (same) => {
      worked.push(turns);
      return store.findSame(same);
    };
    const app = testApp({ store: { ...store, findSame }, catalog: catalogWith({ "scheduling.bays": 4 }) });
    turn();
    const book = (i: number) =>
      app.post(`${API}/bookings`, { ...BOOKING, customer_phone: `+1404555014${i}` }, { from: `192.0.2.${i}` });
    const answers = await Promise.all([1, 2, 3, 4].map(book));
    isOver = true;
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(worked).size).toBe(4);
  });

  test("an id belongs to the key of the caller: the same id from another key is another booking", async () => {
    const app = fileApp();
    const [one, two] = [await registerKey(app, "one@example.com"), await registerKey(app, "two@example.com")];
    const body = { ...BOOKING, booking_request_id: "order-1" };
    const codes = [];
    for (const [date, headers] of [
      ["2026-11-24", {}],
      ["2026-11-25", { "X-API-Key": one }],
      ["2026-11-27", { "X-API-Key": two }],
    ] as const) {
      const { status, json } = await app.post(`${API}/bookings`, { ...body, date }, { headers });
      expect(status).toBe(201);
      codes.push(json.data.confirmation_code);
    }
    expect(new Set(codes).size).toBe(3);
    expect(app.counts()).toMatchObject({ bookings: 3, leads: 3 });
    const options = { headers: { "X-API-Key": one } };
    const replay = await app.post(`${API}/bookings`, { ...body, date: "2026-11-25" }, options);
    expect(replay.json.data.confirmation_code).toBe(codes[1]);
  });

  test("a booking that failed leaves no record of its id", async () => {
    const app = fileApp();
    const refused = await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-22", booking_request_id: "retry" });
    expect(refused.status).toBe(409);
    const { status, headers } = await app.post(`${API}/bookings`, { ...BOOKING, booking_request_id: "retry" });
    expect([status, headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  test("a replay is answered although quotas are used up and the work has begun", async () => {
    const app = fileApp();
    const body = { ...BOOKING, booking_request_id: "order-1" };
    const first = await app.post(`${API}/bookings`, body);
    await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-25" });
    // The shop's time on the day, an hour into the work.
    app.advance({ hours: 24 * 3 });
    const { status, json } = await app.post(`${API}/bookings`, body);
    expect([status, json.data?.booking_id]).toEqual([201, first.json.data.booking_id]);
  });

  test("a consent may say when and by whom it was given, in a form that can be read", async () => {
    const consent = { confirmed_by_user: true, statement: "Yes", agent_name: "Bot" };
    const book = async (captured_at: string) =>
      (await testApp().post(`${API}/bookings`, { ...BOOKING, consent: { ...consent, captured_at } })).status;
    expect([await book("2026-11-21T14:59:00Z"), await book("today")]).toEqual([201, 400]);
  });

  test("the area is told by the beginnings of postal codes; without one it is everywhere", async () => {
    const everywhere = catalogWith({ "business.service_area.postal_prefixes": [] });
    for (const [code, expected, catalog] of [
      ["31100", 201, CATALOG],
      ["30260", 422, CATALOG],
      ["90210", 201, everywhere],
    ] as const) {
      const { status } = await testApp({ catalog }).post(`${API}/bookings`, { ...BOOKING, postal_code: code });
      expect([code, status]).toEqual([code, expected]);
    }
  });
});

test("every answer to a booking shows the quota of bookings, where that is the tightest", async () => {
  const app = appWith({ "bookings.open_per_customer": 2 });
  const shown = (answer: { headers: Headers }) => [
    answer.headers.get("x-ratelimit-limit"),
    answer.headers.get("x-ratelimit-remaining"),
  ];
  const body = { ...BOOKING, booking_request_id: "first" };
  // The quotas of the phone number and of its customer are tighter, but nobody is told what somebody else has booked.
  expect(shown(await app.post(`${API}/bookings`, body))).toEqual(["3", "2"]);
  expect(shown(await app.post(`${API}/bookings`, body))).toEqual(["3", "2"]);
  const conflict = await app.post(`${API}/bookings`, { ...body, customer_name: "Other" });
  expect([conflict.status, ...shown(conflict)]).toEqual([409, "3", "2"]);
  const blocked = await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-22" });
  expect([blocked.status, ...shown(blocked)]).toEqual([409, "3", "2"]);
});

test("a job that is too long for the day gets that reason, and the days on which it fits", async () => {
  const app = testApp();
  // The shop closes at 13:00 on Christmas Eve. Without a vehicle the longest job is assumed.
  const { vehicle_type: _, ...unknown } = { ...BOOKING, vehicle_type: "", date: "2026-12-24", time: "09:00" };
  const { status, json } = await app.post(`${API}/bookings`, unknown);
  expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
  expect(json.invalid_fields[0]).toMatchObject({ field: "time", allowed: [] });
  expect(json.message).toContain("takes 4 h 30 min, and the shop is open for 4 h");
  expect(json.alternatives).toHaveLength(3);
  const [{ date, time }] = json.alternatives;
  expect((await app.post(`${API}/bookings`, { ...unknown, date, time })).status).toBe(201);
});
