/** Texts stay within the limits of the catalog, go only to allowed countries, and none is lost. */

import { expect, setDefaultTimeout, test } from "bun:test";
import type { Shop } from "../../src/catalog/shop.ts";
import { shopTime } from "../../src/domain/schedule.ts";
import type { Channels } from "../../src/messages/channels.ts";
import { deliveryRules, heldMessages } from "../../src/messages/message-rules.ts";
import { planLead } from "../../src/messages/plan.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { NewLead } from "../../src/store/store.ts";
import { A_DAY_BEFORE, CATALOG, catalogWith } from "../helpers.ts";
import { claimOf, done, holdOneText, newBooking, newJob, newKey, newLead } from "../store/conformance-values.ts";
import { appointmentAt, startOutbox, until, untilIs } from "./outbox.ts";
import { startMailServer } from "./receivers.ts";
import { type Fate, startTwilio } from "./twilio.ts";

setDefaultTimeout(20_000);

const HOUR = 3_600_000;
const SHOP = "+14045550142";
const phoneOf = (nth: number) => `+1404555${String(1000 + nth)}`;

/** An outbox whose limits hold. The clock is at noon of a Wednesday at the shop, far from the end of a day. */
function startLimited(
  twilio: Awaited<ReturnType<typeof startTwilio>>,
  catalog: () => Shop,
  noon = "2026-11-25T17:00:00Z",
  more: Partial<Channels> = {},
) {
  const outbox = startOutbox({ twilio: twilio.settings, ...more }, { catalog });
  outbox.jump(Temporal.Instant.from(noon).epochMilliseconds - outbox.now());
  return {
    ...outbox,
    /** A booking whose customer gets one text. */
    async book(
      nth: number,
      {
        startAt = outbox.now() + 100 * HOUR,
        network = `192.0.2.${nth}`,
        ...lead
      }: Partial<NewLead> & { startAt?: number; network?: string } = {},
      kind: "confirmation_sms" | "reminder_sms" = "confirmation_sms",
    ) {
      const createdAt = outbox.now();
      const phone = lead.phone ?? phoneOf(nth);
      const payload = { to: phone, text: `customer ${nth}` };
      await outbox.store.book(
        newBooking({
          startAt,
          createdAt,
          network,
          lead: { jobs: [newJob(kind, { payload, dueAt: createdAt })], ...lead, phone, createdAt },
        }),
        1_000,
        [],
      );
    },
    /** A lead that sends a text to the shop. */
    async lead(nth: number) {
      await outbox.add({ kind: "notify_shop_sms", payload: { text: `lead ${nth}` } });
    },
    /** The texts of each receiver, oldest first. */
    texts: (of: "shop" | "customers") =>
      twilio.messages
        .filter(({ to }) => (to === SHOP) === (of === "shop"))
        .map(({ body }) => body)
        .reverse(),
    /** Waits until each state has the given number of jobs, and no other state has any. Every copy of news is sent by then. */
    states: (wanted: Record<string, number>) =>
      until(
        () =>
          outbox.jobs().flatMap(({ kind, status }) => (kind.startsWith("shop_") && status === "done" ? [] : [status])),
        (states) =>
          states.length === Object.values(wanted).reduce((sum, count) => sum + count, 0) &&
          Object.entries(wanted).every(([state, count]) => states.filter((one) => one === state).length === count),
      ),
  };
}

test.each<[string, string, Record<string, unknown>, boolean]>([
  ["the shop's own country", "+14045550111", {}, true],
  ["Canada", "+14165550142", {}, false],
  ["Canada, listed", "+14165550142", { "messages.sms_countries": ["US", "CA"] }, true],
  ["the shop's country, not listed", "+14045550111", { "messages.sms_countries": ["CA"] }, false],
  ["Jamaica, with the same country code", "+18765550142", {}, false],
  ["premium rate", "+19005550142", {}, false],
  ["personal", "+447011234567", { "messages.sms_countries": ["GB"] }, false],
  ["company-wide", "+443335550142", { "messages.sms_countries": ["GB"] }, false],
  ["shared cost", "+33810123456", { "messages.sms_countries": ["FR"] }, false],
  ["a number that nobody can have", "+14040550142", {}, false],
])("customer texts and %s", (_, phone, edits, goes) => {
  const catalog = catalogWith({
    follow_up: [],
    ...A_DAY_BEFORE,
    "messages.confirmation_sms.enabled": true,
    "messages.reminder_sms.enabled": true,
    "messages.confirmation_email.enabled": true,
    ...edits,
  });
  const lead = newLead({ phone, consent: { confirmed_by_user: true, sms: true } });
  const startAt = lead.createdAt + 100 * HOUR;
  const appointment = appointmentAt(startAt);
  expect(planLead(lead, appointment, catalog).jobs.map(({ kind }) => kind)).toEqual(
    goes ? ["confirmation_sms", "confirmation_email", "reminder_sms"] : ["confirmation_email"],
  );
});

test("a waiting text to a country that was taken off the list is not sent, and says why", async () => {
  using twilio = await startTwilio();
  const outbox = startLimited(twilio, () => CATALOG);
  await outbox.book(1, { phone: "+14165550142" });
  await outbox.states({ failed: 1 });
  expect(outbox.jobs()[0]?.last_error).toBe("no texts go to numbers of CA");
  expect(twilio.posts()).toBe(0);
});

test("the hourly limit: the rest waits, the shop is told once, a restart changes nothing, later all have gone out", async () => {
  using twilio = await startTwilio();
  const catalog = catalogWith({ "messages.sms_per_hour": 3 });
  const outbox = startLimited(twilio, () => catalog);
  for (let nth = 1; nth <= 5; nth++) await outbox.book(nth);
  await outbox.lead(1);
  // Texts to the shop are not limited: the one about the lead and the warning.
  await outbox.states({ done: 5, waiting: 2 });
  expect(outbox.texts("customers").sort()).toEqual(["customer 1", "customer 2", "customer 3"]);
  expect(outbox.texts("shop").sort()).toEqual([
    "Texts to customers wait since 12:00 PM: the hourly limit of texts is reached. See tint outbox",
    "lead 1",
  ]);
  expect(await heldMessages(outbox.store)).toEqual([
    { what: "text", count: 2, reason: "the hourly limit of texts is reached" },
  ]);
  await outbox.stop();
  outbox.restart();
  await outbox.book(6);
  await outbox.states({ done: 5, waiting: 3 });
  await until(heldMessages.bind(null, outbox.store), ([held]) => held?.count === 3);

  outbox.jump(HOUR);
  await outbox.states({ done: 8 });
  expect(outbox.texts("customers")).toHaveLength(6);
  expect(outbox.texts("shop")).toHaveLength(2);
  expect(await heldMessages(outbox.store)).toEqual([]);
});

test("the daily limit: the rest waits for the next opening", async () => {
  using twilio = await startTwilio();
  const catalog = catalogWith({ "messages.sms_per_day": 2 });
  const outbox = startLimited(twilio, () => catalog, "2026-11-23T17:00:00Z");
  for (let nth = 1; nth <= 3; nth++) await outbox.book(nth);
  await outbox.states({ done: 3, waiting: 1 });
  const held = outbox.jobs().find(({ status }) => status === "waiting");
  expect(held?.last_error).toBe("the daily limit of texts is reached");
  const due = shopTime(catalog, Temporal.Instant.fromEpochMilliseconds(held?.next_at ?? 0)).toPlainDateTime();
  expect(due.toString()).toBe(`2026-11-24T${catalog.business.hours.tuesday[0]?.opens}:00`);
  outbox.jump((held?.next_at ?? 0) - outbox.now());
  await outbox.states({ done: 4 });
});

test("a text that Twilio may have taken counts; a text that it refused does not", async () => {
  const fates: Fate[] = ["error", 21211];
  using twilio = await startTwilio((nth) => fates[nth - 1] ?? "ok");
  const catalog = catalogWith({ "messages.sms_per_hour": 2 });
  const outbox = startLimited(twilio, () => catalog);
  await outbox.book(1);
  await untilIs(() => outbox.jobs()[0]?.doubtful, 1);
  await outbox.book(2);
  await untilIs(() => outbox.jobs()[1]?.status, "failed");
  await outbox.book(3);
  await untilIs(() => outbox.jobs()[2]?.status, "done");
  await outbox.book(4);
  await untilIs(() => outbox.jobs()[3]?.last_error, "the hourly limit of texts is reached");
  // The first holds its place, so that it is tried again within the hour.
  outbox.skipPause(1);
  await untilIs(() => outbox.jobs()[0]?.status, "done");
  expect(outbox.texts("customers")).toEqual(["customer 3", "customer 1"]);
});

test("a text that waits for room waits no longer after the clock went back, and is not due meanwhile", async () => {
  const store = openSqliteStore(":memory:");
  const before = Temporal.Instant.from("2026-11-25T17:00:00Z").epochMilliseconds;
  const now = before - 2 * HOUR;
  const limitsAt = (at: number) => deliveryRules(catalogWith({ "messages.sms_per_hour": 1 }), at);
  await holdOneText(store, limitsAt(before), before);
  const kinds = ["confirmation_sms"] as const;
  const claimAt = (at: number) => store.claimJobs(claimOf(kinds, at, { limits: limitsAt(at) }));
  expect(await claimAt(now)).toEqual([]);
  expect(await store.waitingJobs(9, { kinds })).toMatchObject([{ dueAt: now + HOUR }]);
  expect(await store.countDueJobs(kinds, now)).toEqual({ count: 0, oldestDueAt: null });
  expect(await claimAt(now + HOUR)).toHaveLength(1);
  await store.close();
});

test("more leads than the limit: one text tells of the rest, each hour anew", async () => {
  using twilio = await startTwilio();
  const catalog = catalogWith({ "messages.digest_above_per_hour": 3 });
  const outbox = startLimited(twilio, () => catalog);
  await outbox.stop();
  for (let nth = 1; nth <= 14; nth++) await outbox.lead(nth);
  outbox.restart();
  await outbox.states({ done: 4, lapsed: 11 });
  const expected = ["New requests: 14 since 12:00 PM. See tint leads", "lead 1", "lead 2", "lead 3"];
  expect(outbox.texts("shop").sort()).toEqual(expected);
  for (let nth = 15; nth <= 19; nth++) await outbox.lead(nth);
  await untilIs(
    () => outbox.jobs().filter(({ last_error }) => last_error === "more than 3 requests in an hour").length,
    5,
  );
  await outbox.stop();
  outbox.restart();
  outbox.jump(HOUR + 1);
  // Three have a text of their own again, and the digest counts them too.
  await outbox.states({ done: 8, lapsed: 13 });
  const wanted = ["New requests: 5 since 12:00 PM. See tint leads", "lead 15", "lead 16", "lead 17"];
  expect(outbox.texts("shop").slice(4).sort()).toEqual(wanted);
});

test("an anonymous caller's word for the customer's consent is good for one text a day to that number, of two in all", async () => {
  using twilio = await startTwilio();
  const outbox = startLimited(twilio, () => CATALOG);
  await outbox.store.addKey(newKey({ id: "key_1", createdAt: outbox.now() }));
  const phone = "+14045550111";
  const [stranger, customer, other] = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
  await outbox.book(1, { phone, network: stranger });
  await outbox.states({ done: 1 });
  await outbox.book(2, { phone, network: stranger });
  await outbox.book(3, { phone: "+14045550112", network: stranger });
  await outbox.states({ done: 2, lapsed: 1 });
  expect(outbox.jobs()[1]?.last_error).toBe(
    "an anonymous caller gave the consent, and the texts of the day to this customer are used up",
  );
  await outbox.book(4, { phone, network: customer });
  await outbox.states({ done: 3, lapsed: 1 });
  await outbox.book(5, { phone, network: other });
  await outbox.states({ done: 3, lapsed: 2 });
  await outbox.book(6, { phone, keyId: "key_1" });
  await outbox.states({ done: 4, lapsed: 2 });
  outbox.jump(24 * HOUR);
  await outbox.book(7, { phone, network: other });
  await outbox.states({ done: 5, lapsed: 2 });
  const ALL = ["customer 1", "customer 3", "customer 4", "customer 6", "customer 7"];
  expect(outbox.texts("customers")).toEqual(ALL);

  // A text that a caller with a key asked for counts too.
  const called = "+14045550113";
  await outbox.book(8, { phone: called, keyId: "key_1" });
  await outbox.book(9, { phone: called, network: stranger });
  await outbox.states({ done: 7, lapsed: 2 });
  await outbox.book(10, { phone: called, network: customer });
  await outbox.states({ done: 7, lapsed: 3 });
});

test("texts that are due at the same time: one for each caller, two in all", async () => {
  using twilio = await startTwilio();
  const outbox = startLimited(twilio, () => CATALOG);
  const phone = "+14045550111";
  await outbox.stop();
  for (const network of ["198.51.100.1", "198.51.100.1", "198.51.100.2", "198.51.100.3"])
    await outbox.book(1, { phone, network });
  outbox.restart();
  await outbox.states({ done: 2, lapsed: 2 });
  expect(outbox.jobs().map(({ status }) => status)).toEqual(["done", "lapsed", "done", "lapsed"]);
});

test("a number is asked for a review once in 180 days, also when two are due together", async () => {
  const store = openSqliteStore(":memory:");
  const DAY = 24 * HOUR;
  const start = Temporal.Instant.from("2026-11-25T17:00:00Z").epochMilliseconds;
  const asked = async (days: number, ...phones: string[]) => {
    const now = start + days * DAY;
    for (const phone of phones) {
      const job = newJob("review_sms", { payload: { to: phone, text: "a review" }, dueAt: now });
      await store.addLead(newLead({ phone, createdAt: now, agentClass: "owner", jobs: [job] }));
    }
    const limits = deliveryRules(catalogWith({ "messages.review_sms.once_in_days": 180 }), now);
    const jobs = await store.claimJobs(claimOf(["review_sms"], now, { limits }));
    await store.settleJobs(jobs.map((job) => done(job)));
    return jobs.length;
  };
  expect(await asked(0, phoneOf(1), phoneOf(1), phoneOf(2))).toBe(2);
  expect(await asked(179, phoneOf(1))).toBe(0);
  expect(await asked(181, phoneOf(1))).toBe(1);
  await store.close();
});

test.each([
  // Time at the shop, and the time at which the texts go out.
  ["2026-11-25T20:59", [], "2026-11-25T20:59"],
  ["2026-11-25T21:00", [], "2026-11-26T08:00"],
  ["2026-11-26T07:59", [], "2026-11-26T08:00"],
  ["2026-11-26T08:00", [], "2026-11-26T08:00"],
  // Clocks go back during this night.
  ["2026-10-31T22:00", [], "2026-11-01T08:00"],
  ["2026-11-25T14:00", ["12:00", "15:00"], "2026-11-25T15:00"],
  ["2026-11-25T15:00", ["12:00", "15:00"], "2026-11-25T15:00"],
  ["2026-11-25T23:00", ["08:00", "08:00"], "2026-11-25T23:00"],
])(
  "quiet hours: at %s, with %p, texts go at %s; mail always, and a confirmation where the shop wants it",
  (at, hours, goes) => {
    const [from, until] = hours;
    const edits = from && until ? { "messages.quiet_from": from, "messages.quiet_until": until } : {};
    const momentAt = (wall: string) =>
      Temporal.PlainDateTime.from(wall).toZonedDateTime(CATALOG.business.timezone).epochMilliseconds;
    const rules = deliveryRules(catalogWith(edits), momentAt(at));
    expect(rules.quiet).toEqual(at === goes ? null : { until: momentAt(goes), exempt: [] });
  },
);

test("in quiet hours a text to a customer waits for the morning, and is not late; one to the shop and mail do not wait", async () => {
  using twilio = await startTwilio();
  using mail = await startMailServer();
  let catalog = CATALOG;
  // 22:00 at the shop.
  const outbox = startLimited(twilio, () => catalog, "2026-11-26T03:00:00Z", { mail: mail.settings });
  await outbox.book(1);
  await outbox.lead(1);
  const payload = { to: "pat@example.com", subject: "Booked", text: "See you.", calendar: "BEGIN:VCALENDAR" };
  await outbox.add({ kind: "confirmation_email", payload });
  await outbox.states({ done: 2, waiting: 1 });
  expect([outbox.texts("shop"), outbox.texts("customers"), mail.mails.length]).toEqual([["lead 1"], [], 1]);
  const [held] = await outbox.store.waitingJobs(9);
  expect(held).toMatchObject({
    dueAt: Temporal.Instant.from("2026-11-26T13:00:00Z").epochMilliseconds,
    lastError: "texts to customers wait for the end of the quiet hours",
  });
  expect(await heldMessages(outbox.store)).toEqual([]);
  catalog = catalogWith({ "messages.quiet_confirmation": "always" });
  await outbox.book(2);
  await outbox.book(3, {}, "reminder_sms");
  await outbox.states({ done: 3, waiting: 2 });
  expect(outbox.texts("customers")).toEqual(["customer 2"]);
  outbox.jump(10 * HOUR);
  await outbox.states({ done: 5 });
  expect(outbox.texts("customers").sort()).toEqual(["customer 1", "customer 2", "customer 3"]);
});

test("in quiet hours a text of which Twilio did not say whether it took it is neither looked for nor sent again", async () => {
  let fate: Fate = "error";
  using twilio = await startTwilio(() => fate);
  // 20:59 at the shop.
  const outbox = startLimited(twilio, () => CATALOG, "2026-11-26T01:59:00Z");
  await outbox.book(1);
  await outbox.tried(1, 1);
  fate = "ok";
  outbox.jump(HOUR / 2);
  const [held] = await until(outbox.jobs, ([job]) => job?.status === "done" || (job?.due_at ?? 0) > outbox.now());
  const dueAt = Temporal.Instant.from("2026-11-26T13:00:00Z").epochMilliseconds;
  expect(held).toMatchObject({ status: "waiting", doubtful: 1, due_at: dueAt });
  outbox.jump(11 * HOUR);
  await outbox.states({ done: 1 });
  expect([outbox.texts("customers"), twilio.lookUps()]).toEqual([["customer 1"], 1]);
});

test("messages that do not go out: the shop is told once a day, and not of those that were never tried", async () => {
  using twilio = await startTwilio();
  using mail = await startMailServer(() => 450);
  const outbox = startLimited(twilio, () => CATALOG, undefined, { mail: mail.settings });
  const calendar = "BEGIN:VCALENDAR";
  const payload = { to: "pat@example.com", subject: "Booked", text: "See you.", calendar };
  const id = await outbox.add({ kind: "confirmation_email", payload });
  await outbox.tried(id, 1);
  outbox.jump(HOUR + 1);
  const told = () => outbox.texts("shop");
  await until(told, (texts) => texts.length === 1);
  const reference = (await outbox.store.waitingJobs(1))[0]?.lead.reference;
  expect(told()).toEqual([`Messages do not go out, the first for lead ${reference} since 12:00 PM. See tint outbox`]);
  for (let hours = 0; hours < 20; hours++) {
    outbox.skipPause(id);
    await outbox.tried(id, outbox.jobs()[0]?.attempts ?? 0);
  }
  expect(told()).toHaveLength(1);
  outbox.jump(24 * HOUR);
  await until(told, (texts) => texts.length === 2);
  await outbox.stop();
  await outbox.book(1);
  outbox.jump(2 * HOUR);
  outbox.restart();
  await untilIs(() => outbox.texts("customers").length === 1, true);
  expect(told()).toHaveLength(2);
});
