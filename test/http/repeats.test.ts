/** A request that is sent again, after what it made has changed or ended: the answer tells what stands now. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, catalogWith, fileApp, QUOTE, registerKey, type TestApp, testApp } from "../helpers.ts";
import { book, cancel, FRIDAY, reschedule } from "./manage-requests.ts";
import { WAYS } from "./ways-in.ts";

const ASKED = { ...BOOKING, booking_request_id: "order-1" };
const codesOf = (warnings: { code: string }[] = []) => warnings.map(({ code }) => code);
const PAT = { by: "phone", value: "+14045550111" } as const;
const close = (app: TestApp, code: string, status: "cancelled_by_shop" | "completed" | "no_show") =>
  app.store.changeBookingStatus(code, status, app.now().epochMilliseconds);
const reopen = (app: TestApp, code: string) => app.store.reopenBookings([code], 2, app.now().epochMilliseconds);

describe.each(WAYS)("over %s, a booking", (way, ask) => {
  const again = async (app: TestApp, more: object = {}) =>
    (await ask(app, "book_appointment", { ...ASKED, ...more })).body;

  test("that is unchanged: the first answer, without a word about it", async () => {
    const app = testApp();
    const first = (await ask(app, "book_appointment", ASKED)).body;
    const { data, warnings } = await again(app);
    expect([data, warnings]).toEqual([first.data, first.warnings]);
  });

  test("that was moved: the booking as it is, and says so", async () => {
    const app = testApp();
    const { proof, code } = await book(app, ASKED);
    expect((await reschedule(app, { ...proof, ...FRIDAY })).status).toBe(200);
    const { data, warnings } = await again(app);
    const expected = { ...FRIDAY, confirmation_code: code, status: "confirmed", start: "2026-11-27T10:00:00-05:00" };
    expect(data).toMatchObject(expected);
    expect(warnings).toEqual([
      { code: "REPLAYED", message: expect.stringContaining("as it is now: on 2026-11-27 at 10:00.") },
    ]);
  });

  test("whose work was changed, by its customer or the owner: the booking as it is, with its price", async () => {
    const app = testApp();
    const { proof, code } = await book(app, ASKED);
    expect((await reschedule(app, { ...proof, film_type: "standard" })).status).toBe(200);
    const changed = await again(app);
    expect([changed.data.film_type, changed.data.estimate.total]).toEqual(["standard", 349]);
    expect(codesOf(changed.warnings)).toEqual(["REPLAYED"]);

    const other = testApp();
    const made = await book(other, ASKED);
    const booking = await other.store.findBooking(made.code);
    const customer = { name: "Pat Corrected" };
    const person = { ...customer, phone: "+14045550111", extension: "", email: "pat@example.com" };
    const answer = { ...Object(booking?.answer), customer };
    await other.store.editBooking({ confirmationCode: made.code, changes: 0, ...person, details: {}, answer });
    const edited = await again(other);
    expect([edited.data.customer.name, codesOf(edited.warnings)]).toEqual(["Pat Corrected", ["REPLAYED"]]);
    expect(code).not.toBe(made.code);
  });

  const ENDINGS: [string, (app: TestApp, booked: Awaited<ReturnType<typeof book>>) => Promise<unknown>, string][] = [
    ["cancelled by its customer", (app, { proof }) => cancel(app, proof), "was cancelled"],
    ["cancelled by the shop", (app, { code }) => close(app, code, "cancelled_by_shop"), "was cancelled"],
    ...(["completed", "no_show"] as const).map((status): (typeof ENDINGS)[number] => [
      status,
      async (app, { code }) => {
        app.advance({ hours: 73 });
        expect((await close(app, code, status)).kind).toBe("moved");
      },
      "is over",
    ]),
    ["past its end", async (app) => app.advance({ hours: 24 * 4 }), "is over"],
    ["erased with its customer", (app) => app.store.forget(PAT, app.now().epochMilliseconds, true), "was erased"],
  ];

  // That an ending is told is proved for each way by one of them.
  test.each(way === "REST" ? ENDINGS : ENDINGS.slice(0, 1))(
    "that is %s: 409 that says so, a sample with a fresh id, and no second booking",
    async (_, end, how) => {
      const app = fileApp();
      await end(app, await book(app, ASKED));
      const before = app.counts();
      for (const more of [{}, { time: "9am" }]) {
        const { error_code, message, invalid_fields, agent_instruction, usage } = await again(app, more);
        expect([error_code, message]).toEqual(["IDEMPOTENCY_CONFLICT", expect.stringContaining(`_request_id ${how}.`)]);
        expect(invalid_fields).toBe(undefined);
        expect(agent_instruction).toEqual(expect.stringContaining("new booking_request_id"));
        // The tools of MCP leave the sample out.
        if (usage) expect(usage.sample_request.booking_request_id).toMatch(/^try_\w{16}$/);
      }
      expect(app.counts()).toEqual(before);
      // To a stranger who guesses, it is the conflict of any other request.
      const guess = await again(app, { customer_name: "Nobody" });
      if (how !== "was erased") expect(guess.message).toEndWith("with a different body.");
    },
  );
});

test("the sample after a cancellation is the same request, and books once it is sent", async () => {
  const app = testApp();
  const { proof, code } = await book(app, ASKED);
  await cancel(app, proof);
  const { json, status, headers } = await app.post(`${API}/bookings`, ASKED);
  expect([status, headers.get("location"), headers.get("idempotent-replayed")]).toEqual([409, null, null]);
  const { booking_request_id: id, ...sample } = json.usage.sample_request;
  expect([json.usage.fill_in, sample]).toEqual([undefined, { ...BOOKING, dry_run: true }]);
  const { dry_run: _, ...real } = json.usage.sample_request;
  const second = await app.post(`${API}/bookings`, real);
  expect([second.status, second.json.data.confirmation_code === code, id === "order-1"]).toEqual([201, false, false]);
});

test("a repeat of a moved booking keeps its header, place, and the warnings of work that is unchanged", async () => {
  const app = testApp();
  const dark = { ...ASKED, shade: 5, accept_not_legal: true };
  const first = await book(app, dark);
  expect(codesOf(first.answer.json.warnings)).toEqual(["NOT_LEGAL"]);
  await reschedule(app, { ...first.proof, ...FRIDAY });
  const { status, headers, json } = await app.post(`${API}/bookings`, dark);
  expect([status, headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(headers.get("location")).toBe(`${API}/bookings/${first.code}`);
  expect(codesOf(json.warnings)).toEqual(["REPLAYED", "NOT_LEGAL"]);
});

test("a cancelled booking that was taken up again stands", async () => {
  const app = testApp();
  const { proof, code } = await book(app, ASKED);
  await cancel(app, proof);
  await reopen(app, code);
  const expected = { date: BOOKING.date, status: "confirmed" };
  expect((await app.post(`${API}/bookings`, ASKED)).json.data).toMatchObject(expected);
});

test("with a key, a dry run of the repeat tells the same: moved, then cancelled", async () => {
  const app = testApp();
  const headers = { "X-API-Key": await registerKey(app, "agent@example.org") };
  const send = (more: object = {}) => app.post(`${API}/bookings`, { ...ASKED, ...more }, { headers });
  const { confirmation_code } = (await send()).json.data;
  const proof = { confirmation_code, phone: BOOKING.customer_phone };
  await reschedule(app, { ...proof, ...FRIDAY });
  const moved = await send({ dry_run: true });
  expect(moved.json.data.status).toBe("dry_run");
  expect(moved.json.data.date).toEqual(FRIDAY.date);
  expect(codesOf(moved.json.warnings)).toEqual(["REPLAYED"]);
  await cancel(app, proof);
  expect((await send({ dry_run: true })).json.message).toContain("of this booking_request_id was cancelled.");
});

test("the same body without an id, after a move: that booking, as it is", async () => {
  const app = testApp();
  const { proof, code } = await book(app);
  await reschedule(app, { ...proof, ...FRIDAY });
  const { json } = await app.post(`${API}/bookings`, BOOKING);
  expect([json.data.confirmation_code, json.data.date]).toEqual([code, FRIDAY.date]);
  expect(codesOf(json.warnings)).toEqual(["REPEATED", "REPLAYED"]);
});

test("a booking that is cancelled between our look and the transaction is not told as confirmed", async () => {
  const app = testApp();
  const { proof } = await book(app, ASKED);
  await cancel(app, proof);
  const late = testApp({ store: { ...app.store, findEarlier: async () => null } });
  expect((await late.post(`${API}/bookings`, ASKED)).json.message).toContain(
    "of this booking_request_id was cancelled.",
  );
});

test("a repeat that today's catalog refuses tells what stands now, too", async () => {
  const app = testApp();
  const { proof } = await book(app, ASKED);
  app.setCatalog(catalogWith({ "bookings.require_consent": true }));
  await reschedule(app, { ...proof, ...FRIDAY });
  expect((await app.post(`${API}/bookings`, ASKED)).json.data).toMatchObject(FRIDAY);
  await cancel(app, proof);
  expect((await app.post(`${API}/bookings`, ASKED)).json.message).toContain(
    "of this booking_request_id was cancelled.",
  );
});

describe.each(WAYS)("over %s, a quote request", (_, ask) => {
  const asked = { ...QUOTE, quote_request_id: "q-1" };

  test("gets the first answer while its lead stands, and 409 once it was closed", async () => {
    for (const end of ["won", "lost"] as const) {
      const app = fileApp();
      const first = (await ask(app, "quote_request", asked)).body;
      for (const to of ["contacted", "quoted"] as const) {
        await app.store.moveLead({ id: first.data.lead_id, to, at: app.now().epochMilliseconds });
        expect((await ask(app, "quote_request", asked)).body.data).toEqual(first.data);
      }
      await app.store.moveLead({ id: first.data.lead_id, to: end, at: app.now().epochMilliseconds });
      const { error_code, message, agent_instruction, usage } = (await ask(app, "quote_request", asked)).body;
      expect(error_code).toBe("IDEMPOTENCY_CONFLICT");
      expect(message).toEqual(expect.stringContaining("The quote request of this quote_request_id was closed."));
      expect(agent_instruction).toContain("new quote_request_id");
      if (usage) expect(usage.sample_request.quote_request_id).toMatch(/^try_\w{16}$/);
      expect(app.counts().leads).toBe(1);
    }
  });

  test("gets 409 once its person was erased, by the owner or by age, and nothing is stored anew", async () => {
    for (const erase of [
      (app: TestApp, at: number) => app.store.forget({ by: "phone", value: "+14045550112" }, at, false),
      (app: TestApp, at: number) => app.store.forgetOld(at + 1, 9, at),
    ]) {
      const app = fileApp();
      await ask(app, "quote_request", asked);
      await erase(app, app.now().epochMilliseconds);
      const { error_code, message } = (await ask(app, "quote_request", asked)).body;
      expect(error_code).toBe("IDEMPOTENCY_CONFLICT");
      expect(message).toEqual(expect.stringContaining("_request_id was erased."));
      expect(app.counts().leads).toBe(1);
      expect(JSON.stringify(app.db.query("SELECT * FROM leads").all())).not.toMatch(/5550112|q-1|Pat/);
      // Another request of that person is a new one.
      expect((await ask(app, "quote_request", { ...asked, message: "Again" })).body.success).toBe(true);
    }
  });
});

/** What a second tab sends anew. */
const CAR = { ...BOOKING, booking_request_id: "tab-1", consent: { confirmed_by_user: true } };

describe.each(WAYS)("over %s, the same booking under another id", (_, ask) => {
  test("within ten minutes is the first one again; `another` books a second", async () => {
    const app = fileApp();
    const send = async (more: object) => (await ask(app, "book_appointment", { ...CAR, ...more })).body;
    const first = await send({});
    for (const more of [
      { booking_request_id: "tab-2" },
      { booking_request_id: undefined },
      // Neither work nor time nor person.
      { booking_request_id: "tab-3", consent: { confirmed_by_user: true, agent_name: "Other" }, dry_run: false },
      { booking_request_id: "tab-4", customer_email: "typo@example.com", customer_phone: "404.555.0111" },
      // What the first left out is the shop's default.
      {
        booking_request_id: "tab-6",
        customer_name: "pat  example",
        service_type: "automotive",
        coverage: "full",
        addons: [],
      },
    ]) {
      const again = await send(more);
      expect(again.data.confirmation_code).toBe(first.data.confirmation_code);
      expect(again.warnings).toMatchObject([{ code: "REPEATED", field: "another" }]);
    }
    const dry = await send({ booking_request_id: "tab-5", dry_run: true });
    expect(dry.data.status).toBe("dry_run");
    expect(dry.data.confirmation_code).toBe(null);
    expect(codesOf(dry.warnings)).toEqual(["REPEATED"]);
    expect(app.counts().bookings).toBe(1);
    const second = { booking_request_id: "car-2", another: true };
    const made = await send(second);
    expect([made.data.confirmation_code === first.data.confirmation_code, made.warnings]).toEqual([false, undefined]);
    // Sent again with its own id, it is that one.
    expect((await send(second)).data).toEqual(made.data);
    expect(app.counts().bookings).toBe(2);
  });
});

describe("the same booking under another id", () => {
  const OTHER = { booking_request_id: "tab-2" };
  const send = (app: TestApp, more: object = {}, options: object = {}) =>
    app.post(`${API}/bookings`, { ...CAR, ...more }, options);
  const KEPT = catalogWith({ "scheduling.bays": 9, "rate_limits.bookings_per_phone_per_day": 9 });

  test.each([
    ["work", { film_type: "standard" }],
    ["work", { addons: ["sunroof"] }],
    ["work", { special_requests: "the red one" }],
    ["car", { vehicle_make: "Kia" }],
    ["time", { time: "10:00" }],
    ["day", { date: "2026-11-25" }],
    ["name", { customer_name: "Sam Example" }],
    ["phone", { customer_phone: "404-555-0190" }],
    ["extension", { customer_phone: "404-555-0111 x7" }],
    ["postal code", { postal_code: "30060" }],
  ])("with another %s is a second one: %o", async (_, more) => {
    const app = fileApp({ catalog: KEPT });
    await send(app);
    const { status, json } = await send(app, { ...OTHER, ...more });
    expect([status, codesOf(json.warnings)]).toEqual([201, []]);
    expect(app.counts().bookings).toBe(2);
  });

  test("from another network or key is the first one only with its e-mail address, and no dry run tells it", async () => {
    const app = fileApp({ catalog: KEPT });
    const first = (await send(app)).json.data.confirmation_code;
    const headers = { "X-API-Key": await registerKey(app, "agent@example.org") };
    const stranger = { ...OTHER, customer_email: "guess@example.com" };
    for (const [nth, options] of [{ from: "203.0.113.9" }, { headers }].entries()) {
      for (const more of [OTHER, stranger]) {
        const dry = await send(app, { ...more, dry_run: true }, options);
        expect(codesOf(dry.json.warnings)).toEqual(["QUOTA_AT_BOOKING"]);
      }
      const known = await send(app, { ...OTHER, customer_email: "PAT@example.com" }, options);
      expect([known.json.data.confirmation_code, codesOf(known.json.warnings)]).toEqual([first, ["REPEATED"]]);
      const other = await send(app, { ...stranger, customer_email: `guess${nth}@example.com` }, options);
      expect([other.json.data.confirmation_code === first, other.json.warnings]).toEqual([false, undefined]);
    }
    expect(app.counts().bookings).toBe(3);
  });

  test("does not count a first one that was cancelled, or made more than ten minutes ago", async () => {
    for (const isCancelled of [true, false]) {
      const app = fileApp({ catalog: KEPT });
      const { proof } = await book(app, CAR, "192.0.2.1");
      if (isCancelled) await cancel(app, proof);
      else app.advance({ minutes: 10 });
      expect(codesOf((await send(app, { ...OTHER, dry_run: true }, { from: "192.0.2.1" })).json.warnings)).toEqual([
        "QUOTA_AT_BOOKING",
      ]);
      expect((await send(app, OTHER, { from: "192.0.2.1" })).status).toBe(201);
      expect(app.counts().bookings).toBe(2);
    }
  });

  test("of many at once, one books; with `another`, as many as the phone may have", async () => {
    const app = fileApp({ catalog: catalogWith({ "scheduling.bays": 9, "rate_limits.bookings_per_10_minutes": 99 }) });
    const all = (more: object) =>
      Promise.all(Array.from({ length: 8 }, (_, nth) => send(app, { booking_request_id: `try-${nth}`, ...more })));
    const codes = (await all({})).map(({ json }) => json.data.confirmation_code);
    expect([new Set(codes).size, app.counts().bookings]).toEqual([1, 1]);
    const statuses = (await all({ another: true })).map(({ status }) => status);
    // One of them is the first request itself.
    expect(statuses.sort()).toEqual([201, 201, ...Array(6).fill(429)]);
    expect(app.counts().bookings).toBe(2);
  });

  test("that another program books between our looks is known by its id, without a word about it", async () => {
    const app = testApp();
    const findSame = async (same: Parameters<TestApp["store"]["findSame"]>[0]) => {
      await send(app);
      return app.store.findSame(same);
    };
    const late = testApp({ store: { ...app.store, findSame } });
    const { headers, json } = await send(late);
    expect([headers.get("idempotent-replayed"), json.warnings]).toEqual(["true", undefined]);
  });

  test("is known although today's catalog refuses it, or its quotas are full", async () => {
    const app = fileApp({ catalog: catalogWith({ "rate_limits.bookings_per_phone_per_day": 1 }) });
    const { consent: _, ...asked } = CAR;
    const first = (await app.post(`${API}/bookings`, asked)).json.data;
    expect((await app.post(`${API}/bookings`, { ...asked, ...OTHER })).json.data).toEqual(first);
    app.setCatalog(catalogWith({ "bookings.require_consent": true }));
    expect((await app.post(`${API}/bookings`, { ...asked, ...OTHER })).json.data).toEqual(first);
  });

  test("of a person who was erased is a new one", async () => {
    const app = fileApp();
    await send(app);
    await app.store.forget(PAT, app.now().epochMilliseconds, true);
    expect(app.db.query("SELECT same_hash FROM bookings").get()).toEqual({ same_hash: null });
    expect((await send(app, OTHER)).json.warnings).toBeUndefined();
  });
});
