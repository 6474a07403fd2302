/** The tests of messages, their limits and what becomes of them that every engine behind `Store` must pass. */
import { expect, test } from "bun:test";
import type { JobKind } from "../../src/constants.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import type { DeliveryReport, NewJob } from "../../src/store/store.ts";
import { CATALOG, catalogWith } from "../helpers.ts";
import { attemptOf, claimOf, conformance, done, movedTo, newBooking, newJob } from "./conformance-values.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
// Noon at the shop.
const NOW = Temporal.Instant.from("2026-11-24T17:00:00Z").epochMilliseconds;
const PHONE = "+14045550111";
const MAIL = { to: "pat@example.com", subject: "s", text: "t", calendar: "c" };

export const messagesConformance = conformance("messages", (store) => {
  const claimed = (kind: JobKind, now = NOW, more: object = {}) => store.claimJobs(claimOf([kind], now, more));
  const payload = { to: PHONE, text: "t", instead: MAIL };
  const text = newJob("confirmation_sms", { payload, dueAt: NOW });
  async function booked(jobs: NewJob[], given: { network?: string; email?: string } = {}): Promise<string> {
    const { network = "192.0.2.1", email = "pat@example.com" } = given;
    const startAt = NOW + 100 * HOUR;
    const booking = newBooking({ startAt, createdAt: NOW, network, lead: { jobs, email, createdAt: NOW } });
    expect((await store.book(booking, 999, [])).kind).toBe("booked");
    return booking.confirmationCode;
  }
  /** A text that Twilio took. */
  async function sent(messageSid = "SM1"): Promise<number> {
    await booked([text]);
    const [job] = await claimed("confirmation_sms");
    await store.settleJobs([done(job, messageSid)]);
    return job?.id ?? 0;
  }
  const asked = (now: number, lastsMs = 30 * SECOND) => store.claimUnconfirmedTexts({ now, lastsMs, limit: 9 });
  const settle = (news: DeliveryReport, isMailOn = true, at = NOW) => store.settleDeliveryReports([news], isMailOn, at);
  const mails = () => store.waitingJobs(9, { kinds: ["confirmation_email"] });

  test("a text that was taken is asked for, once at a time, and again when the answer never came", async () => {
    const id = await sent();
    expect(await asked(NOW + 4 * SECOND)).toEqual([]);
    const text = { id, kind: "confirmation_sms" as const, messageSid: "SM1" };
    expect(await asked(NOW + 5 * SECOND)).toEqual([{ ...text, waitedMs: 5 * SECOND }]);
    expect(await asked(NOW + 34 * SECOND)).toEqual([]);
    expect(await asked(NOW + 35 * SECOND)).toEqual([{ ...text, waitedMs: 35 * SECOND }]);
    expect(await settle({ id, messageSid: "SM1", kind: "open", pauseMs: MINUTE })).toEqual([true]);
    expect(await asked(NOW + 59 * SECOND)).toEqual([]);
    expect(await asked(NOW + MINUTE)).toHaveLength(1);
    expect(await store.countTextsByStatus(NOW)).toEqual({ sent: 1, delivered: 0, undelivered: 0 });
    expect(await settle({ id, messageSid: "SM1", kind: "delivered" })).toEqual([true]);
    expect(await settle({ id, messageSid: "SM1", kind: "undelivered", reason: "late", isOptOut: false })).toEqual([
      false,
    ]);
    expect(await asked(NOW + 24 * HOUR)).toEqual([]);
    expect(await store.countTextsByStatus(NOW)).toEqual({ sent: 0, delivered: 1, undelivered: 0 });
    expect(await store.countTextsByStatus(NOW + 1)).toEqual({ sent: 0, delivered: 0, undelivered: 0 });
    expect(await store.whyUndelivered(NOW)).toEqual([]);
  });

  test("a question that is planned far ahead is asked now, because the clock went back", async () => {
    await sent();
    expect(await asked(NOW - 24 * HOUR)).toMatchObject([{ messageSid: "SM1", waitedMs: 0 }]);
  });

  test("an undelivered text has failed, and its e-mail goes out once", async () => {
    const id = await sent();
    await asked(NOW + 5 * SECOND);
    const news = { id, messageSid: "SM1", kind: "undelivered" as const, reason: "a landline", isOptOut: false };
    expect(await settle(news)).toEqual([true]);
    expect(await store.failedJobs(9)).toMatchObject([{ id, lastError: "a landline", deliveryStatus: "undelivered" }]);
    expect(await store.whyUndelivered(NOW)).toEqual([{ reason: "a landline", count: 1 }]);
    expect((await mails()).map(({ content }) => content?.payload)).toEqual([MAIL]);
    expect(await store.retryJob(id, NOW + MINUTE)).toEqual({ kind: "due" });
    const [again] = await claimed("confirmation_sms", NOW + MINUTE);
    expect(again).toMatchObject({ id, doubtful: true });
    await store.settleJobs([{ ...attemptOf(again), kind: "failed", reason: "no such number" }], true);
    expect(await mails()).toHaveLength(1);
    expect(await store.optOutOf(PHONE)).toBeNull();
  });

  test("without e-mail nothing takes the place of a text", async () => {
    const id = await sent();
    await asked(NOW + 5 * SECOND);
    await settle({ id, messageSid: "SM1", kind: "undelivered", reason: "a landline", isOptOut: false }, false);
    expect(await mails()).toEqual([]);
  });

  test("a customer who wants no more texts is remembered until the owner allows them, or forgets the customer", async () => {
    const stop = async () => {
      await booked([text]);
      const [job] = await claimed("confirmation_sms");
      await store.settleJobs([{ ...attemptOf(job), kind: "failed", reason: "replied STOP", isOptOut: true }]);
      expect(await store.optOutOf(PHONE)).toMatchObject({ reason: "replied STOP" });
    };
    await stop();
    expect((await store.customer(PHONE))?.optOut).toMatchObject({ reason: "replied STOP" });
    expect([await store.allowTexts(PHONE), await store.allowTexts(PHONE)]).toEqual([true, false]);
    expect((await store.customer(PHONE))?.optOut).toBeNull();
    await stop();
    await store.forget({ by: "phone", value: PHONE }, NOW, true);
    expect(await store.optOutOf(PHONE)).toBeNull();
  });

  test("e-mails are limited by hour, by caller and by address; what waits comes later", async () => {
    const limits = deliveryRules(catalogWith({ "messages.emails_per_hour": 7 }), NOW);
    const mail = newJob("confirmation_email", { dueAt: NOW });
    const going = async (now = NOW) => {
      const jobs = await claimed("confirmation_email", now, { limits });
      await store.settleJobs(jobs.map((job) => done(job)));
      return jobs.length;
    };
    for (let nth = 0; nth < 3; nth++) await booked([mail], { email: `a${nth}@example.com` });
    expect(await going()).toBe(2);
    for (let nth = 0; nth < 6; nth++) await booked([mail], { network: `192.0.2.1${nth}` });
    expect(await going()).toBe(5);
    expect(await store.lapsedJobs(["confirmation_email"], 9)).toHaveLength(1);
    expect(await store.waitingJobs(9, { kinds: ["confirmation_email"] })).toMatchObject([
      { lastError: "one caller's share of the hourly limit of e-mails is used up", dueAt: NOW + HOUR },
    ]);
    expect(await going(NOW + HOUR)).toBe(1);
  });

  test("in quiet hours texts wait, and the owner hears of late messages once", async () => {
    const night = Temporal.Instant.from("2026-11-25T03:00:00Z").epochMilliseconds;
    const limits = deliveryRules(CATALOG, night);
    await booked([text, newJob("confirmation_email", { dueAt: NOW })]);
    expect(await claimed("confirmation_sms", night, { limits })).toEqual([]);
    expect(await store.waitingJobs(9, { kinds: ["confirmation_sms"] })).toMatchObject([{ dueAt: limits.quiet?.until }]);
    for (let hours = 0; hours < 3; hours++) {
      const now = night + hours * HOUR;
      for (const job of await claimed("confirmation_email", now, { limits }))
        await store.settleJobs([
          { ...attemptOf(job), kind: "postponed", reason: "450", at: now, pauseMs: HOUR, doubtful: false, triedMs: 1 },
        ]);
    }
    expect(await store.waitingJobs(9, { kinds: ["late_messages_sms"] })).toHaveLength(1);
  });

  test("a move that nobody was told of is known by the time before it; a reopened booking tells who was told of its end", async () => {
    const code = await booked([]);
    const id = (await store.findBooking(code))?.lead.id ?? "";
    expect(await store.unannouncedStart(id)).toBeNull();
    const move = (changes: number, startAt: number, movedFrom: number) => {
      const payload = { to: PHONE, text: "t", movedFrom };
      const jobs = [newJob("rescheduled_sms", { payload, dueAt: NOW + 5 * MINUTE })];
      return store.rescheduleBooking(movedTo(code, startAt, { changes, at: NOW + MINUTE, jobs }), 9);
    };
    await move(0, NOW + 101 * HOUR, NOW + 100 * HOUR);
    expect(await store.unannouncedStart(id)).toBe(NOW + 100 * HOUR);
    const [told] = await claimed("rescheduled_sms", NOW + 6 * MINUTE);
    await store.settleJobs([done(told, "SM2")]);
    expect(await store.unannouncedStart(id)).toBeNull();

    const cancelled = newJob("cancelled_email", { dueAt: NOW + 10 * MINUTE });
    const again = newJob("confirmation_email", { dueAt: NOW + 20 * MINUTE });
    const reopen = () => store.reopenBookings([code], 9, NOW + 20 * MINUTE, { [code]: [again] });
    await store.changeBookingStatus(code, "cancelled_by_shop", NOW + 7 * MINUTE, { jobs: [cancelled] });
    await reopen();
    expect(await mails()).toEqual([]);
    await store.changeBookingStatus(code, "cancelled_by_shop", NOW + 8 * MINUTE, { jobs: [cancelled] });
    const [end] = await claimed("cancelled_email", NOW + 11 * MINUTE);
    await store.settleJobs([done(end)]);
    await reopen();
    expect(await mails()).toHaveLength(1);
  });
});
