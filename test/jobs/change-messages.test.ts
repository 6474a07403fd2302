/** What a customer's own change of a booking sends: to the shop, the CRM and the customer. */
import { describe, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change } from "../../src/capabilities/booking/change.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { messagesOfEnd, messagesOfReopening } from "../../src/capabilities/desk/owner.ts";
import { JOB_KINDS, type JobKind } from "../../src/constants.ts";
import { dateAndTime } from "../../src/domain/dates-in-words.ts";
import { afterWork, type Recipient, ready } from "../../src/messages/customer-messages.ts";
import { planCancellation, planRescheduling } from "../../src/messages/plan.ts";
import type { NewJob } from "../../src/store/store.ts";
import { A_DAY_BEFORE, API, BOOKING, catalogWith, fileApp, type TestApp, testApp } from "../helpers.ts";
import { claimOf, done } from "../store/conformance-values.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { readMail, startCrm, startMailServer } from "./receivers.ts";
import { startTwilio } from "./twilio.ts";

const HOUR = 3_600_000;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const NOW = at("2026-11-21T15:00:00Z");
const START = at("2026-11-27T15:00:00Z");
const CONSENT = { confirmed_by_user: true, sms: true };
const KINDS = ["confirmation", "reminder", "rescheduled", "cancelled"].flatMap((what) => [
  `${what}_sms`,
  `${what}_email`,
]);
const ALL_ON = { ...A_DAY_BEFORE, ...Object.fromEntries(KINDS.map((kind) => [`messages.${kind}.enabled`, true])) };
const AT_ONCE = { "messages.settle_minutes": 0 };
const CUSTOMER: Recipient = { phone: "+14045550111", email: "pat@example.com", consent: CONSENT };
const MOVED = {
  ...{ code: "7F3A1B2C", name: "Pat Example", service: "automotive", price: 59900, changes: 1 },
  ...{ startAt: START, endAt: START + 4 * HOUR, previousStartAt: at("2026-11-24T14:00:00Z") },
};

/** Jobs as `[kind, hours before the start]`. */
const shown = (jobs: ReturnType<typeof planRescheduling>) =>
  jobs.map(({ kind, dueAt }): [string, number] => [kind, (START - dueAt) / HOUR]);

test("the shop is always told; the customer only what is switched on and agreed to; reminders are planned anew", () => {
  const plans = (edits: Record<string, unknown>, customer = CUSTOMER, now = NOW) => {
    const catalog = catalogWith({ ...AT_ONCE, ...edits });
    return [planRescheduling, planCancellation].map((plan) => shown(plan(customer, MOVED, now, catalog)));
  };
  const shop: [string, number] = ["notify_shop_sms", 144];
  expect(plans({})).toEqual([[shop], [shop]]);
  expect(plans(ALL_ON, { ...CUSTOMER, consent: null })).toEqual([[shop], [shop]]);
  expect(plans(ALL_ON)).toEqual([
    [shop, ["rescheduled_sms", 144], ["rescheduled_email", 144], ["reminder_sms", 24], ["reminder_email", 24]],
    [shop, ["cancelled_sms", 144], ["cancelled_email", 144]],
  ]);
  // Without the confirmation no calendar has an entry to correct.
  expect(plans({ ...ALL_ON, "messages.confirmation_email.enabled": false })[1]).toEqual([shop, ["cancelled_sms", 144]]);
  const late = plans(ALL_ON, CUSTOMER, START - 2 * HOUR)[0]?.map(([kind]) => kind);
  expect(late).toEqual(["notify_shop_sms", "rescheduled_sms", "rescheduled_email"]);
});

test("after the work: advice, and the wish for a review in opening hours, each only where it is switched on", () => {
  const done = { ...MOVED, startAt: NOW - 3 * HOUR };
  const seen = ({ kind, dueAt, payload }: NewJob) => [kind, (dueAt - NOW) / HOUR, Object(payload).text];
  const after = (edits: Record<string, unknown>, customer = CUSTOMER) =>
    afterWork(customer, done, NOW, catalogWith(edits)).map(seen);
  const on = {
    "messages.aftercare_sms.enabled": true,
    "messages.review_sms.enabled": true,
    "messages.review_sms.url": "https://shop.example/r",
    "messages.aftercare_sms.text": "{windows_up_days} and {cure_days}, {code}, {shop_phone}",
    "messages.review_sms.text": "{url} {code}",
  };
  expect(after({})).toEqual([]);
  expect(after(on, { ...CUSTOMER, consent: null })).toEqual([]);
  // Saturday 10:00, so the review would be due on Tuesday at 10:00.
  expect(after(on)).toEqual([
    ["aftercare_sms", 2, "4 and 28, 7F3A1B2C, (404) 555-0142"],
    ["review_sms", 72, "https://shop.example/r 7F3A1B2C"],
  ]);
  // Sunday is closed: it waits until Monday at 9:00.
  expect(after({ ...on, "messages.review_sms.days_after": 1 })[1]?.[1]).toBe(47);
  expect(ready(CUSTOMER, done, NOW, catalogWith({ "messages.ready_sms.enabled": true }))).toMatchObject([
    { kind: "ready_sms", dueAt: NOW, payload: { to: CUSTOMER.phone } },
  ]);
});

/** Three open times at least three days ahead. */
async function openTimes(app: TestApp): Promise<{ date: string; time: string; start: string }[]> {
  const { json } = await app.get(`${API}/availability?days=30&vehicle_type=suv&film_type=ceramic`);
  const slots: { date: string; time: string; start: string; available: boolean }[] = json.data.days
    .slice(3)
    .flatMap((day: { slots: object[] }) => day.slots);
  return slots.filter(({ available }) => available).slice(0, 3);
}

test("from booking to cancelling: one calendar entry that follows, texts to the shop, events to the CRM", async () => {
  using mail = await startMailServer();
  using twilio = await startTwilio();
  using crm = startCrm();
  const outbox = startOutbox({ mail: mail.settings, twilio: twilio.settings, crm: crm.settings });
  const given = { store: outbox.store, now: Temporal.Now.instant(), catalog: catalogWith({ ...ALL_ON, ...AT_ONCE }) };
  const app = testApp(given);
  const [first, second] = await openTimes(app);
  /** Waits for the mail to the customer, and for the texts to customer and shop, of so many steps. */
  const told = (steps: number) =>
    until(
      () => [mail.mails.length, twilio.messages.length],
      ([mails, texts]) => mails === steps && texts === 2 * steps,
    );

  const asked = { ...BOOKING, ...{ date: first?.date, time: first?.time }, consent: CONSENT };
  const { json } = await app.post(`${API}/bookings`, asked);
  expect(json.message).toBeUndefined();
  const code: string = json.data.confirmation_code;
  await told(1);
  const proof = { confirmation_code: code, email: BOOKING.customer_email };
  const moved = await app.post(`${API}/bookings/reschedule`, { ...proof, date: second?.date, time: second?.time });
  expect(moved.status).toBe(200);
  await told(2);
  const reminders = () => outbox.jobs().filter(({ kind }) => kind === "reminder_email");
  const newStart = Temporal.Instant.from(second?.start ?? "").epochMilliseconds;
  expect(reminders().map(({ status }) => status)).toEqual(["lapsed", "waiting"]);
  expect(reminders()[1]?.due_at).toBe(newStart - 24 * HOUR);
  const cancelled = await app.post(`${API}/bookings/cancel`, { ...proof, reason: "Sold the car." });
  expect(cancelled.status).toBe(200);
  await told(3);

  const calendars = mail.mails.map(({ raw }) => readMail(raw).parts.get("text/calendar") ?? "");
  const lines = (name: string) => calendars.map((ics) => new RegExp(`^${name}[:;](.*)$`, "m").exec(ics)?.[1]?.trim());
  expect(lines("METHOD")).toEqual(["PUBLISH", "PUBLISH", "CANCEL"]);
  expect(lines("SEQUENCE")).toEqual(["0", "1", "2"]);
  expect(lines("STATUS")).toEqual([undefined, undefined, "CANCELLED"]);
  expect(new Set(lines("UID")).size).toBe(1);
  const utc = (start = "") => Temporal.Instant.from(start).toString().replace(/[-:]/g, "");
  expect(lines("DTSTART")).toEqual([utc(first?.start), utc(second?.start), utc(second?.start)]);
  expect(mail.mails[2]?.raw).toMatch(/text\/calendar;[^\n]*method=CANCEL/i);

  await untilIs(() => crm.pushed.length, 3);
  // Messages that are due together are sent at the same time, so they arrive in any order.
  const toShop = twilio.messages.filter(({ to }) => to === "+14045550142").map(({ body }) => body);
  const expected = ["New booking ", "The customer cancelled booking ", "The customer moved booking "];
  expect(toShop.map((text) => text.split(code)[0]).sort()).toEqual(expected);
  const pushed = Object.fromEntries(crm.pushed.map(({ event }) => [event.type, event.data]));
  expect(Object.keys(pushed).sort()).toEqual(["booking.cancelled", "booking.created", "booking.rescheduled"]);
  const ms = (start = "") => new Date(start).toISOString();
  expect(pushed["booking.rescheduled"].booking).toMatchObject({
    ...{ confirmation_code: code, status: "confirmed" },
    ...{ start: ms(second?.start), previous_start: ms(first?.start) },
  });
  const wanted = { status: "cancelled_by_customer", reason: "Sold the car." };
  expect(pushed["booking.cancelled"].booking).toMatchObject(wanted);
});

describe("only news is sent", () => {
  /** A booking at NOW, and what becomes of it. Each step is so many minutes after the one before. */
  async function story(edits: Record<string, unknown> = {}) {
    const app = fileApp({ catalog: catalogWith({ ...ALL_ON, ...edits }) });
    const [first, second, third] = await openTimes(app);
    const wish = { ...BOOKING, date: first?.date, time: first?.time, consent: CONSENT };
    const { json } = await app.post(`${API}/bookings`, wish);
    const code: string = json.data.confirmation_code;
    const proof = { confirmation_code: code, email: BOOKING.customer_email };
    const owner = async () => {
      const booking = await app.store.findBooking(code);
      if (!booking) throw new Error("no booking");
      return {
        booking,
        ctx: ownerContext({ store: app.store, catalog: catalogWith({ ...ALL_ON, ...edits }), now: app.now() }),
      };
    };
    /** Sends what is due, as `kind`, or `kind: text` for messages about a move. */
    const sent = async () => {
      const jobs = await app.store.claimJobs(claimOf(JOB_KINDS, app.now().epochMilliseconds, { fresh: 99 }));
      await app.store.settleJobs(jobs.map((job) => done(job)));
      return jobs.filter(({ kind }) => kind !== "push_to_crm" && kind !== "remind_owner");
    };
    const kinds = async () => (await sent()).map(({ kind }) => kind).sort();
    expect(await kinds()).toEqual(["confirmation_email", "confirmation_sms", "notify_shop_sms"]);
    app.advance({ minutes: 1 });
    return {
      app,
      sent,
      kinds,
      first,
      second,
      third,
      async move(slot: { date: string; time: string } | undefined) {
        const answer = await app.post(`${API}/bookings/reschedule`, { ...proof, date: slot?.date, time: slot?.time });
        expect(answer.status).toBe(200);
      },
      async ownerMoves(slot: { date: string; time: string } | undefined) {
        const { booking, ctx } = await owner();
        const { outcome } = await change(booking, { start: slot ?? booking }, ownerPolicy({ anyway: true }), ctx);
        expect(outcome.kind).toBe("changed");
      },
      async ownerCancels() {
        const { booking, ctx } = await owner();
        const jobs = await messagesOfEnd(booking, "cancelled_by_shop", ctx);
        await app.store.changeBookingStatus(code, "cancelled_by_shop", app.now().epochMilliseconds, { jobs });
      },
      async ownerReopens() {
        const { booking, ctx } = await owner();
        const jobs = await messagesOfReopening([booking], ctx);
        const [outcome] = await app.store.reopenBookings([code], 2, app.now().epochMilliseconds, jobs);
        expect(outcome?.kind).toBe("reopened");
      },
    };
  }
  const TOLD: JobKind[] = ["notify_shop_sms", "rescheduled_email", "rescheduled_sms"];

  test("two moves in quick succession: the last one, from the time that was told; later moves are told anew", async () => {
    const { app, move, sent, kinds, first, second, third } = await story({
      "messages.shop_rescheduled_sms": "{code}: {old_date} {old_time} > {date} {time}",
    });
    await move(second);
    app.advance({ minutes: 4 });
    expect(await kinds()).toEqual([]);
    await move(third);
    app.advance({ minutes: 4 });
    expect(await kinds()).toEqual([]);
    app.advance({ minutes: 1 });
    const told = await sent();
    expect(told.map(({ kind }) => kind).sort()).toEqual(TOLD);
    const words = (start = "") => Object.values(dateAndTime(start)).join(" ");
    const shop = told.find(({ kind }) => kind === "notify_shop_sms");
    expect(Object(shop?.payload).text).toEndWith(`: ${words(first?.start)} > ${words(third?.start)}`);
    await move(first);
    app.advance({ minutes: 5 });
    expect(await kinds()).toEqual(TOLD);
  });

  test("moved and moved back before anybody was told, and moved to where it stands: nothing", async () => {
    const { app, move, ownerMoves, kinds, first, second } = await story();
    await move(second);
    await move(first);
    await move(first);
    await ownerMoves(first);
    app.advance({ hours: 1 });
    expect(await kinds()).toEqual([]);
  });

  test("cancelled and reopened within five minutes: nothing; later: cancelled, then the new state", async () => {
    const { app, ownerCancels, ownerReopens, kinds } = await story();
    await ownerCancels();
    app.advance({ minutes: 4 });
    await ownerReopens();
    app.advance({ hours: 1 });
    expect(await kinds()).toEqual([]);
    await ownerCancels();
    app.advance({ minutes: 5 });
    expect(await kinds()).toEqual(["cancelled_email", "cancelled_sms"]);
    await ownerReopens();
    expect(await kinds()).toEqual(["confirmation_email", "confirmation_sms"]);
  });
});
