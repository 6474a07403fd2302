/** Moving and cancelling a booking by its code, within the shop's rules. Source: contract 13. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerContext } from "../../cli/diary/owner.ts";
import { editForOwner } from "../../src/capabilities/desk/owner.ts";
import { derive } from "../../src/catalog/shop.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { type FileApp, fileApp, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, freshPhone } from "../fixed-day.ts";
import { appWith, CATALOG, catalogWith } from "../helpers.ts";
import { book, cancel, FRIDAY, lookup, reschedule, rows, status, WRONG } from "./manage-requests.ts";

const PHONE = CATALOG.business.phone;
const jobs = ({ db }: FileApp) =>
  db
    .query<{ kind: string; status: string; payload: string; due_at: number }, []>(
      "SELECT kind, status, payload, due_at FROM jobs ORDER BY id",
    )
    .all();

describe("moving", () => {
  test("keeps code, price and length, frees the old time and takes the new one", async () => {
    const app = appWith({ "scheduling.bays": 1 });
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
    expect(moved.json.data.start).toBe("2026-11-27T10:00:00-05:00");
    expect(moved.json.data.end).toBe("2026-11-27T14:00:00-05:00");
    expect([await isOpen(BOOKING), await isOpen(FRIDAY)]).toEqual([true, false]);
    const other = { customer_phone: freshPhone(), customer_email: "sam@example.com" };
    const taken = await app.post(`${API}/bookings`, { ...BOOKING, ...other, ...FRIDAY });
    expect(taken.json.error_code).toBe("SLOT_TAKEN");
    await book(app, other);
  });

  test("counts the bays without the booking itself: by an hour in a full shop", async () => {
    const app = appWith({ "scheduling.bays": 1 });
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
    expect(http).toBe(400);
    expect(json.invalid_fields[0].field).toBe("time");
    expect(json.invalid_fields[0].allowed.length > 0).toBe(true);
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
    expect(answers.filter(({ json }) => json.error_code === "SLOT_TAKEN")).toHaveLength(6);
    expect(await other.store.bookings({ from: FRIDAY.date, to: FRIDAY.date }, 99)).toHaveLength(2);
    await Promise.all(apps.map(({ store }) => store.close()));
    rmSync(folder, { recursive: true });
  });

  test("moves of one booking at the same time: each is judged as it then is", async () => {
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

test("a price that the owner agrees meanwhile stands, and a hold that is confirmed is cancelled as a booking", async () => {
  const catalog = catalogWith({ "messages.confirmation_email.enabled": true });
  const app = testApp({ catalog });
  const { store } = app;
  const { rescheduleBooking, cancelBooking } = store;
  const { proof, code } = await book(app);
  store.rescheduleBooking = async (...given) => {
    Object.assign(store, { rescheduleBooking });
    const booking = await store.findBooking(code);
    if (booking) await editForOwner(booking, {}, 12_300, ownerContext({ store, catalog, now: app.now() }));
    return rescheduleBooking(...given);
  };
  expect((await reschedule(app, { ...proof, film_type: "standard" })).json.error_code).toBe("PRICE_AGREED");
  expect((await lookup(app, proof)).json.data).toMatchObject({ film_type: "ceramic", estimate: { total: 123 } });
  const consent = { confirmed_by_user: true, agent_name: "Example Assistant" };
  const held = await book(app, { ...FRIDAY, hold: true, consent });
  store.cancelBooking = async (...given) => {
    Object.assign(store, { cancelBooking });
    await app.post(`${API}/bookings/confirm`, held.proof);
    return cancelBooking(...given);
  };
  expect((await cancel(app, held.proof)).json.data.status).toBe("cancelled_by_customer");
  expect((await store.waitingJobs(99)).map(({ kind }) => kind)).toContain("cancelled_email");
});

describe("cancelling", () => {
  test("frees the bay at once, and keeps the reason for the shop", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    const { code, proof } = await book(app);
    const done = await cancel(app, { ...proof, reason: "The car was sold." });
    expect(done.status).toBe(200);
    expect(done.json.data.status).toBe("cancelled_by_customer");
    expect(done.json.data.can_change_until).toBe(null);
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
    await app.store.changeBookingStatus(code, "cancelled_by_shop", app.now().epochMilliseconds);
    expect((await cancel(app, proof)).json.data.status).toBe("cancelled_by_shop");
    const { status: http, json } = await reschedule(app, { ...proof, ...FRIDAY });
    expect([http, json.error_code]).toEqual([409, "TOO_LATE_TO_CHANGE"]);
    expect(json.message).toContain(PHONE);
  });

  test("what its customer cancelled makes room among the two of the phone, not among the three of the network", async () => {
    const app = testApp();
    const { proof } = await book(app);
    await book(app, { date: "2026-11-25" });
    const ask = (more: object) => app.post(`${API}/bookings`, { ...BOOKING, ...more }, { from: "198.51.100.1" });
    const third = () => ask(FRIDAY);
    expect((await third()).json.rate_limit.scope).toBe("bookings-per-phone-per-day");
    await cancel(app, proof);
    expect((await third()).status).toBe(201);
    const fourth = await ask({ date: "2026-12-01", customer_phone: "404-555-0190" });
    expect([fourth.status, fourth.json.rate_limit.scope]).toEqual([429, "bookings-per-network"]);
  });

  test("what the shop cancelled counts among the two of the phone", async () => {
    const app = testApp();
    const { code } = await book(app);
    await book(app, { date: "2026-11-25" });
    await app.store.changeBookingStatus(code, "cancelled_by_shop", app.now().epochMilliseconds);
    const third = await app.post(`${API}/bookings`, { ...BOOKING, ...FRIDAY });
    expect(third.json.rate_limit.scope).toBe("bookings-per-phone-per-day");
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
    expect(found.status).toBe(200);
    expect(found.json.next_actions.map(({ action }: { action: string }) => action)).toEqual(["business_location"]);
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
    app.setCatalog(derive({ ...CATALOG, services }));
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
      (await book(appWith({ "bookings.self_service.grace_minutes": 0 }), edits)).answer.json.next_actions.map(
        ({ action }: { action: string }) => action,
      );
    const today = { date: "2026-11-21", time: "13:00", vehicle_type: "sedan", coverage: "front2" };
    expect(await actions(today)).toEqual(["business_location", "list_faq", "find_booking"]);
    expect(await actions({})).toEqual([...(await actions(today)), "reschedule_booking", "cancel_booking"]);
  });

  test("switched off: 403 with the phone, the status stays, and no answer leads there", async () => {
    const app = appWith({ "bookings.self_service.enabled": false });
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

test("no next step of an answer changes anything when it is sent as it is", async () => {
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

describe("a field that is not understood is refused", () => {
  const PROOF = { confirmation_code: "7K2MQ9XA", phone: WRONG };
  const slip = { confirmed_by_user: true, statment: "yes" };
  const UNKNOWN: [path: string, body: object, field: string, meant: string][] = [
    ["/bookings", { ...BOOKING, vehicle_tpye: "van" }, "vehicle_tpye", "vehicle_type"],
    ["/bookings", { ...BOOKING, consent: slip }, "consent.statment", "statement"],
    ["/bookings/lookup", { ...PROOF, emai: "a@example.com" }, "emai", "email"],
    ["/bookings/reschedule", { ...PROOF, ...FRIDAY, dryrun: true }, "dryrun", "dry_run"],
    ["/bookings/cancel", { ...PROOF, dryrun: true }, "dryrun", "dry_run"],
  ];
  test.each(UNKNOWN)("%s", async (path, body, field, did_you_mean) => {
    const app = fileApp();
    const { status: http, json } = await app.post(API + path, body);
    const message = "is not a field of this request";
    expect([http, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(json.invalid_fields).toEqual([{ field, message, did_you_mean }]);
    expect(app.counts().bookings).toBe(0);
  });

  test("so is one in the query, where it would have no effect", async () => {
    const app = fileApp();
    for (const path of ["/bookings", "/bookings/cancel"]) {
      const { status: http, json } = await app.post(`${API}${path}?lane=2&time=10:00`, BOOKING);
      expect([http, json.invalid_fields?.[0]?.field]).toEqual([400, "lane"]);
      expect(json.message).toBe("lane and time are in the query; this request takes its fields in the body.");
    }
    expect(app.counts().bookings).toBe(0);
  });

  test("but a dry run that the query asks for is one", async () => {
    const app = fileApp();
    const { status: http, json } = await app.post(`${API}/bookings?dry_run=true`, BOOKING);
    expect([http, json.data.status]).toEqual([200, "dry_run"]);
    expect(app.counts().bookings).toBe(0);
  });

  test("together with every other fault", async () => {
    const { json } = await testApp().post(`${API}/bookings/reschedule`, { number: 1, date: "tomorrow" });
    expect(json.missing_fields).toEqual(["confirmation_code", "phone", "time"]);
    expect(json.invalid_fields.map(({ field }: { field: string }) => field).sort()).toEqual(["date", "number"]);
  });
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
    expect(json.message).toBe(`A booking can be changed online 5 times a day. To change it today call ${PHONE}.`);
    // It is 10:00 at the shop, 14 hours before midnight.
    const [scope, wait] = ["changes-per-booking-per-day", 14 * 3600];
    const told = ["limit", "remaining", "scope", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    expect([...told, headers.get("retry-after")]).toEqual(["5", "0", scope, String(wait), String(wait)]);
    expect(json.retry_after_seconds).toBe(wait);
    expect(json.rate_limit).toEqual({ scope, limit: 5, remaining: 0, reset_seconds: wait });
  }
  // To where it stands already is no move, and the work that is booked is no change.
  expect((await move(4)).status).toBe(200);
  expect((await reschedule(app, { ...proof, vehicle_type: BOOKING.vehicle_type })).status).toBe(200);
  app.advance({ hours: 24 });
  expect((await move(5)).status).toBe(200);
  expect((await cancel(app, proof)).status).toBe(200);
});

test("a dry run of cancelling changes nothing, and its next step cancels", async () => {
  const app = testApp();
  const { proof, look } = await book(app);
  const { status: http, json } = await cancel(app, { ...proof, dry_run: true });
  expect([http, json.data.status, (await look()).status]).toEqual([200, "dry_run", "confirmed"]);
  const [{ action, sample_request }] = json.next_actions;
  expect([action, sample_request]).toEqual(["cancel_booking", proof]);
  expect((await cancel(app, sample_request)).json.data.status).toBe("cancelled_by_customer");
});
