/** A time is held, and booked once that is confirmed (contract 6). */
import { describe, expect, test } from "bun:test";
import { type Answer, API, appWith, BOOKING, catalogWith, fileApp, type TestApp, testApp } from "../helpers.ts";
import {
  cancel,
  confirm,
  FRIDAY,
  kindsOf,
  lookup,
  proofOf,
  reschedule,
  rows,
  somebody,
  status,
} from "./manage-requests.ts";

const ONE_BAY = catalogWith({ "scheduling.bays": 1 });
const UNTIL = "2026-11-21T11:00:00-05:00";
const book = (app: TestApp, given: object = {}) => app.post(`${API}/bookings`, { ...BOOKING, ...given });
const hold = (app: TestApp, given: object = {}) => book(app, { hold: true, ...given });
const refusal = ({ status, json }: Answer) => [status, json.error_code];
const isOpen = async (app: TestApp) => {
  const { json } = await app.get(`${API}/availability?date=${BOOKING.date}&vehicle_type=suv`);
  return json.data.slots.find((slot: { time: string }) => slot.time === BOOKING.time).available;
};

describe("a hold", () => {
  test("keeps the time, tells nobody, and leads to its confirmation", async () => {
    const app = testApp({ catalog: ONE_BAY });
    const held = await hold(app);
    expect([held.status, held.json.data.status, held.json.data.held_until]).toEqual([201, "held", UNTIL]);
    expect(held.json.data).toMatchObject({ can_change_until: UNTIL, messages: { text: [], email: [] } });
    expect(held.json.next_actions.slice(0, 2)).toMatchObject([
      { action: "confirm_booking", requires_consent: true, fill_in: ["phone"] },
      { action: "cancel_booking", fill_in: ["phone"] },
    ]);
    expect([await isOpen(app), await kindsOf(app)]).toEqual([false, []]);
    expect(refusal(await book(app, somebody()))).toEqual([409, "SLOT_TAKEN"]);
    // With a note it is another booking, for which the hold is in the way.
    const noted = (await book(app, { special_requests: "Call me." })).json.agent_instruction;
    expect(noted).toContain("A time that they hold is booked by POST /api/v1/bookings/confirm.");
    const shown = await lookup(app, proofOf(held));
    expect(shown.json.data).toMatchObject({ status: "held", held_until: UNTIL, prepare: held.json.data.prepare });
    expect((await status(app, proofOf(held).confirmation_code)).json.data.status).toBe("held");
  });

  test("is booked by its next action, with all messages of a booking, and once", async () => {
    const [app, other] = [testApp({ catalog: ONE_BAY }), testApp({ catalog: ONE_BAY })];
    const held = await hold(app);
    const [step] = held.json.next_actions;
    app.advance({ minutes: 59, seconds: 59, milliseconds: 999 });
    const shown = await confirm(app, { ...proofOf(held), dry_run: true });
    expect([shown.json.data.status, shown.json.next_actions[0].sample_request]).toEqual(["dry_run", proofOf(held)]);
    const booked = await app.post(step.path, { ...step.sample_request, phone: BOOKING.customer_phone });
    expect(booked.status).toBe(200);
    expect(booked.json.data.status).toBe("confirmed");
    expect("held_until" in booked.json.data).toBe(false);
    expect((await confirm(app, { ...proofOf(held), dry_run: true })).json.data.status).toBe("dry_run");
    const made = await book(other);
    const { messages, estimate, price_note, prepare } = made.json.data;
    expect(booked.json.data).toMatchObject({ messages, estimate, prepare });
    expect(price_note).toBe(booked.json.data.price_note);
    expect(await kindsOf(app)).toEqual(await kindsOf(other));
    const again = await confirm(app, proofOf(held));
    expect([again.status, again.json.data]).toEqual([200, booked.json.data]);
    expect(await kindsOf(app)).toEqual(await kindsOf(other));
    app.advance({ hours: 2 });
    expect([await isOpen(app), (await lookup(app, proofOf(held))).json.data.status]).toEqual([false, "confirmed"]);
  });

  test("is over at its end, without any sweep: the time is free in the same read, and it cannot be confirmed", async () => {
    const app = testApp({ catalog: ONE_BAY });
    const held = await hold(app);
    app.advance({ hours: 1 });
    expect(await isOpen(app)).toBe(true);
    expect(refusal(await confirm(app, proofOf(held)))).toEqual([409, "HOLD_OVER"]);
    expect(refusal(await confirm(app, { ...proofOf(held), dry_run: true }))).toEqual([409, "HOLD_OVER"]);
    const shown = await lookup(app, proofOf(held));
    expect([shown.json.data.status, shown.json.data.can_change_until]).toEqual(["expired", null]);
    expect((await status(app, proofOf(held).confirmation_code)).json.data.status).toBe("expired");
    expect((await book(app, somebody())).status).toBe(201);
    expect(await confirm(app, proofOf(held)).then(refusal)).toEqual([409, "HOLD_OVER"]);
  });

  test("can be cancelled, not moved; cancelled it is told to nobody", async () => {
    const app = testApp({ catalog: ONE_BAY });
    const held = await hold(app);
    const moved = await reschedule(app, { ...proofOf(held), ...FRIDAY });
    expect(refusal(moved)).toEqual([409, "TOO_LATE_TO_CHANGE"]);
    expect(moved.json.agent_instruction).toContain("/bookings/confirm");
    const cancelled = await cancel(app, proofOf(held));
    expect([cancelled.status, cancelled.json.data.status]).toEqual([200, "cancelled_by_customer"]);
    expect([await isOpen(app), await kindsOf(app)]).toEqual([true, []]);
  });

  test("with dry_run it shows what would be held, and stores nothing", async () => {
    const app = fileApp();
    const before = rows(app);
    const { json } = await hold(app, { dry_run: true });
    expect(json.data).toMatchObject({ status: "dry_run", held_until: UNTIL, confirmation_code: null });
    expect(json.next_actions[0].sample_request.hold).toBe(true);
    expect(rows(app)).toEqual(before);
  });

  test("sent again it is the same: as it was first, confirmed since, ended since", async () => {
    const app = testApp();
    const request = { booking_request_id: "held once" };
    const first = await hold(app, request);
    const again = await hold(app, request);
    expect([again.headers.get("Idempotent-Replayed"), again.json.data]).toEqual(["true", first.json.data]);
    expect(refusal(await book(app, request))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    await confirm(app, proofOf(first));
    const confirmed = await hold(app, request);
    expect([confirmed.json.data.status, confirmed.json.warnings[0].code]).toEqual(["confirmed", "REPLAYED"]);

    const other = testApp();
    await hold(other, request);
    other.advance({ hours: 1 });
    const over = await hold(other, request);
    expect([...refusal(over), over.json.message.includes("held")]).toEqual([409, "IDEMPOTENCY_CONFLICT", true]);
  });

  test("a booking of the same confirms it, whenever it was held", async () => {
    const app = testApp({ catalog: ONE_BAY });
    const held = await hold(app);
    app.advance({ minutes: 30 });
    const booked = await book(app);
    const { confirmation_code } = proofOf(held);
    expect(booked.json.data).toMatchObject({ confirmation_code, status: "confirmed" });
    expect(booked.json.warnings.map(({ code }: { code: string }) => code)).toContain("REPEATED");
    expect((await app.store.findBooking(confirmation_code))?.status).toBe("confirmed");
  });

  test("of one phone there is one, and one for a day; a booking stays possible", async () => {
    const app = testApp();
    const held = await hold(app);
    const second = await hold(app, FRIDAY);
    const expected = [429, "RATE_LIMITED", "held-times-per-customer"];
    expect([...refusal(second), second.headers.get("X-RateLimit-Scope")]).toEqual(expected);
    expect(second.json.agent_instruction).toContain("/bookings/confirm");
    await cancel(app, proofOf(held));
    const sameDay = await hold(app, { time: "10:00" });
    const wanted = [429, "RATE_LIMITED", "held-times-per-customer-and-day"];
    expect([...refusal(sameDay), sameDay.headers.get("X-RateLimit-Scope")]).toEqual(wanted);
    expect((await book(app, { time: "10:00" })).status).toBe(201);
    expect((await hold(testApp(), FRIDAY)).status).toBe(201);
  });

  test("counts as a booking to come while it lasts", async () => {
    const app = appWith({ "bookings.open_per_customer": 1 });
    await hold(app);
    expect(refusal(await book(app, FRIDAY))).toEqual([429, "RATE_LIMITED"]);
    app.advance({ hours: 1 });
    expect((await book(app, FRIDAY)).status).toBe(201);
  });

  test("needs the consent that a booking needs", async () => {
    const app = appWith({ "bookings.require_consent": true });
    expect((await hold(app)).json.missing_fields).toEqual(["consent.confirmed_by_user"]);
    const consent = { confirmed_by_user: true, sms: true };
    const held = await hold(app, { consent });
    const booked = await confirm(app, proofOf(held));
    const plain = await book(testApp(), { consent });
    expect(booked.json.data.messages).toEqual(plain.json.data.messages);
  });

  test("lasts as long as the catalog says, and not beyond the beginning; 0 holds none", async () => {
    const short = await hold(appWith({ "bookings.hold_minutes": 15 }));
    expect(short.json.data.held_until).toBe("2026-11-21T10:15:00-05:00");
    const noNotice = { "bookings.hold_minutes": 1440, "scheduling.lead_minutes": 0 };
    const soon = await hold(appWith(noNotice), { date: "2026-11-21", time: "11:00" });
    expect(soon.json.data.held_until).toBe(soon.json.data.start);
    const off = await hold(appWith({ "bookings.hold_minutes": 0 }));
    expect([off.status, off.json.invalid_fields[0].field]).toEqual([400, "hold"]);
    expect("hold" in off.json.usage.sample_request).toBe(false);
  });

  test("is confirmed and cancelled where bookings are changed by phone only, as far as that is offered", async () => {
    const app = appWith({ "bookings.self_service.enabled": false });
    const held = await hold(app);
    const actions = held.json.next_actions.map(({ action }: { action: string }) => action);
    expect([actions.includes("confirm_booking"), actions.includes("cancel_booking")]).toEqual([true, false]);
    expect((await confirm(app, proofOf(held))).json.data.status).toBe("confirmed");
  });
});
