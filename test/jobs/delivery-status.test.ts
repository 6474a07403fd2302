/** Texts are asked for until it is known whether they arrived. Source: contract 22. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { planLead } from "../../src/messages/plan.ts";
import type { JobContent } from "../../src/store/store.ts";
import { A_DAY_BEFORE, catalogWith } from "../helpers.ts";
import { NO_QUIET } from "../process/server.ts";
import { newLead } from "../store/conformance-values.ts";
import { appointmentAt, startOutbox, until, untilIs } from "./outbox.ts";
import { startMailServer } from "./receivers.ts";
import { type Fate, type LookUp, startTwilio } from "./twilio.ts";

setDefaultTimeout(20_000);

const SECOND = 1_000;
const HOUR = 3_600_000;
const PHONE = "+14045550111";
const MAIL = { to: "pat@example.com", subject: "Booked", text: "See you.", calendar: "BEGIN:VCALENDAR" };
const text = (more: { instead?: typeof MAIL } = {}, words = "Booked. Code 7F3A1B2C"): JobContent => ({
  kind: "confirmation_sms",
  payload: { to: PHONE, text: words, ...more },
});

type Twilio = Awaited<ReturnType<typeof startTwilio>>;
type Mailbox = Awaited<ReturnType<typeof startMailServer>>;

function startAsking(twilio: Twilio, mail?: Mailbox) {
  const outbox = startOutbox(
    { twilio: twilio.settings, ...(mail && { mail: mail.settings }) },
    { asks: true, attemptMs: 5_000, catalog: () => catalogWith(NO_QUIET) },
  );
  const become = (status: string, code: number | null = null) => {
    for (const message of twilio.messages)
      if (message.direction === "outbound-api") Object.assign(message, { status, error_code: code });
  };
  const job = (id: number) => outbox.jobs().find((one) => one.id === id);
  return {
    ...outbox,
    /** What Twilio says of every text from now on. */
    become,
    statusOf: (id: number) => job(id)?.arrival,
    /** Waits for Twilio's next answer about a text, and moves the clock there. */
    async nextAnswer(id: number) {
      const asks = twilio.stateAsks();
      outbox.jump(Math.max(0, (job(id)?.ask_at ?? 0) - outbox.now()));
      await until(twilio.stateAsks, (now) => now > asks);
      // The claim of a question lasts 30 seconds; no pause is about as long.
      await until(
        () => {
          const at = job(id)?.ask_at ?? null;
          return at === null ? 0 : Math.round((at - outbox.now()) / SECOND);
        },
        (seconds) => seconds < 25 || seconds > 30,
      );
    },
    /** Sends a text of which Twilio says this; waits until that is known. */
    async end(delivery: JobContent, status: string, code: number | null = null) {
      const id = await outbox.add(delivery);
      await untilIs(() => job(id)?.status !== "waiting", true);
      become(status, code);
      outbox.jump(6 * SECOND);
      await untilIs(() => job(id)?.ask_at, null);
      return id;
    },
  };
}

test("a text is sent, asked for ever more seldom, and delivered; then nothing is asked, and its words are erased", async () => {
  using twilio = await startTwilio();
  const outbox = startAsking(twilio);
  const id = await outbox.add(text());
  await outbox.tried(id, 1);
  expect(outbox.statusOf(id)).toBe("sent");
  const pauses: number[] = [];
  for (const status of ["queued", "sending", "sent", "sent"]) {
    outbox.become(status);
    await outbox.nextAnswer(id);
    expect(outbox.statusOf(id)).toBe("sent");
    pauses.push(Math.round(((outbox.jobs()[0]?.ask_at ?? 0) - outbox.now()) / SECOND));
  }
  for (const [i, pause] of pauses.slice(1).entries()) expect(pause).toBeGreaterThanOrEqual((pauses[i] ?? 0) * 1.5);
  outbox.become("delivered");
  await outbox.nextAnswer(id);
  expect(outbox.jobs()[0]).toMatchObject({ status: "done", arrival: "delivered", ask_at: null, payload: "{}" });
  expect(await outbox.store.countTextsByStatus(0)).toEqual({ sent: 0, delivered: 1, undelivered: 0 });
  const asks = twilio.stateAsks();
  outbox.jump(24 * HOUR);
  await Bun.sleep(100);
  expect([twilio.stateAsks(), twilio.posts()]).toEqual([asks, 1]);
});

test.each([
  ["undelivered", 30006, "30006: a landline, or a carrier that cannot be reached"],
  ["failed", 30034, "30034: the number to send from is not registered with the carriers (A2P 10DLC)"],
  ["undelivered", 39999, "39999: see its list of errors"],
])("%s with %d: failed, with the reason in the owner's words", async (status, code, words) => {
  using twilio = await startTwilio();
  const outbox = startAsking(twilio);
  await outbox.end(text(), status, code);
  const [failed] = await outbox.store.failedJobs(9);
  expect(failed).toMatchObject({ kind: "confirmation_sms", lastError: `it did not arrive (${words})` });
  expect(await outbox.store.countTextsByStatus(0)).toEqual({ sent: 0, delivered: 0, undelivered: 1 });
  expect(await outbox.store.optOutOf(PHONE)).toBeNull();
});

test("a state that is never final is asked for a day, some dozens of times, and no more", async () => {
  using twilio = await startTwilio();
  const outbox = startAsking(twilio);
  const id = await outbox.add(text());
  await outbox.tried(id, 1);
  const began = outbox.now();
  while (outbox.jobs()[0]?.ask_at !== null) await outbox.nextAnswer(id);
  expect(outbox.now() - began).toBeGreaterThanOrEqual(24 * HOUR - SECOND);
  expect(outbox.now() - began).toBeLessThan(25 * HOUR);
  expect(twilio.stateAsks()).toBeLessThan(50);
  expect(outbox.jobs()[0]).toMatchObject({ status: "done", arrival: "sent", payload: "{}" });
});

test("texts that were sent before states were kept are not asked for", async () => {
  using twilio = await startTwilio();
  const outbox = startAsking(twilio);
  const id = await outbox.add(text());
  await outbox.tried(id, 1);
  await outbox.stop();
  outbox.db.run("UPDATE jobs SET arrival = NULL, ask_at = NULL, payload = '{}'");
  outbox.restart();
  outbox.jump(24 * HOUR);
  await Bun.sleep(100);
  expect(twilio.stateAsks()).toBe(0);
  expect(await outbox.store.countTextsByStatus(0)).toEqual({ sent: 0, delivered: 0, undelivered: 0 });
});

test("a number that Twilio refuses is told by e-mail too; without e-mail nothing waits for it", async () => {
  using twilio = await startTwilio(() => 21614);
  using mail = await startMailServer();
  const withMail = startAsking(twilio, mail);
  await withMail.settled(await withMail.add(text({ instead: MAIL })));
  await untilIs(() => mail.mails.length, 1);
  const without = startAsking(twilio);
  const id = await without.add(text({ instead: MAIL }));
  expect((await without.settled(id)).status).toBe("failed");
  expect(without.jobs()).toHaveLength(1);
});

test("the e-mail in place of a text is planned only for customers who do not get that e-mail anyway", () => {
  const lead = newLead({ consent: { confirmed_by_user: true, sms: true }, email: "pat@example.com" });
  const startAt = lead.createdAt + 100 * HOUR;
  const appointment = appointmentAt(startAt);
  const instead = (edits: Record<string, unknown>, email = lead.email) =>
    planLead({ ...lead, email }, appointment, catalogWith({ follow_up: [], ...edits })).jobs.map(
      ({ kind, payload }) => `${kind}: ${Object(payload).instead?.to}`,
    );
  const texts = { ...A_DAY_BEFORE, "messages.confirmation_sms.enabled": true, "messages.reminder_sms.enabled": true };
  expect(instead(texts)).toEqual(["confirmation_sms: pat@example.com", "reminder_sms: pat@example.com"]);
  expect(instead(texts, "")).toEqual(["confirmation_sms: undefined", "reminder_sms: undefined"]);
  expect(instead({ ...texts, "messages.confirmation_email.enabled": true })).toEqual([
    ...["confirmation_sms: undefined", "confirmation_email: undefined", "reminder_sms: pat@example.com"],
  ]);
  // An e-mail of another day takes the place of none.
  const reminders = [72, 24].map((hours_before) => ({ hours_before, by: "email" }));
  const byBoth = [...reminders, ...[24, 2].map((hours_before) => ({ hours_before, by: "sms" }))];
  const both = { ...texts, "messages.reminder_email.enabled": true, "messages.reminders": byBoth };
  expect(instead(both)).toEqual([
    "confirmation_sms: pat@example.com",
    ...["reminder_email: undefined", "reminder_email: undefined"],
    ...["reminder_sms: undefined", "reminder_sms: pat@example.com"],
  ]);
});

test("a catalog without words for that e-mail: it has those of the text", () => {
  const lead = newLead({ consent: { confirmed_by_user: true, sms: true }, email: "pat@example.com" });
  const catalog = catalogWith({
    follow_up: [],
    "messages.reminders": [],
    "messages.confirmation_sms": { enabled: true, text: "{shop}: booked, {name}. {code}" },
    "messages.confirmation_email": undefined,
  });
  const [job] = planLead(lead, { ...appointmentAt(lead.createdAt + 100 * HOUR), name: "Zoë" }, catalog).jobs;
  expect(Object(job?.payload).instead).toMatchObject({
    to: "pat@example.com",
    subject: "Marlow Ridge Window Film",
    text: "Marlow Ridge Window Film: booked, Zoë. 7F3A1B2C",
    calendar: expect.stringContaining("BEGIN:VCALENDAR"),
  });
});

test.each([30007, 30004])(
  "a carrier's filter (%d) is a verdict on the sender: the next text goes out",
  async (code) => {
    let fate: Fate = "ok";
    using twilio = await startTwilio(() => fate);
    const outbox = startAsking(twilio);
    await outbox.end(text(), "undelivered", code);
    expect(await outbox.store.optOutOf(PHONE)).toBeNull();
    // Another day, because an anonymous word is good for one text a day.
    outbox.jump(24 * HOUR);
    expect((await outbox.settled(await outbox.add(text({}, "second")))).status).toBe("done");
    fate = code;
    outbox.jump(24 * HOUR);
    expect(await outbox.settled(await outbox.add(text({}, "third")))).toMatchObject({ status: "failed" });
    expect(await outbox.store.optOutOf(PHONE)).toBeNull();
  },
);

test.each<[string, Fate, string, number | null]>([
  ["refused when it is sent", 21610, "", null],
  ["refused on its way", "ok", "undelivered", 21610],
])(
  "STOP, %s: the customer is texted no more until they write START, or the owner allows it",
  async (_, fate, status, code) => {
    let now = fate;
    let look: LookUp = "ok";
    using twilio = await startTwilio(
      () => now,
      1000,
      () => look,
    );
    const outbox = startAsking(twilio);
    if (status === "") await outbox.settled(await outbox.add(text()));
    else await outbox.end(text(), status, code);
    const stop = await outbox.store.optOutOf(PHONE);
    expect(stop?.at).toBeGreaterThan(0);
    now = "ok";
    const posts = twilio.posts();
    // Another day, because an anonymous word is good for one text a day.
    outbox.jump(24 * HOUR);
    const refused = "this customer wants no more texts; see tint outbox allow";
    // What they wrote before they stopped, or other words, do not count.
    twilio.write(PHONE, "START", (stop?.at ?? 0) - HOUR);
    twilio.write(PHONE, "Start when?", outbox.now() + HOUR);
    const expected = { status: "failed", last_error: refused };
    expect(await outbox.settled(await outbox.add(text({}, "second")))).toMatchObject(expected);
    twilio.write(PHONE, " start ", outbox.now() + HOUR);
    twilio.write(PHONE, "Stop", outbox.now() + HOUR);
    expect((await outbox.settled(await outbox.add(text({}, "third")))).last_error).toBe(refused);
    expect(twilio.posts()).toBe(posts);
    twilio.write(PHONE, "Start", outbox.now() + HOUR);
    outbox.jump(24 * HOUR);
    look = "empty";
    const unread = await outbox.tried(await outbox.add(text({}, "unread")), 1);
    expect(unread).toMatchObject({ doubtful: 0, last_error: "Twilio answered 200 without a list to a look-up" });
    // An earlier attempt of which it is not known whether it arrived.
    outbox.db.run("UPDATE jobs SET doubtful = 1 WHERE id = ?", [unread.id]);
    outbox.skipPause(unread.id);
    expect(await outbox.tried(unread.id, 2)).toMatchObject({ status: "waiting", doubtful: 1 });
    look = "ok";
    expect((await outbox.settled(unread.id)).status).toBe("done");
    expect(await outbox.store.optOutOf(PHONE)).toBeNull();
  },
);

test("a shop's own number is never stopped", async () => {
  using twilio = await startTwilio(() => 21610);
  const outbox = startAsking(twilio);
  const shop = { kind: "notify_shop_sms" as const, payload: { to: "+14045550142", text: "New booking 1" } };
  await outbox.settled(await outbox.add(shop));
  expect(await outbox.store.optOutOf("+14045550142")).toBeNull();
});
