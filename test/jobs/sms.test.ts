/** Texts are sent once, whatever Twilio does. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { waitAfter } from "../../src/messages/attempts.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { type Fate, startTwilio } from "./twilio.ts";

setDefaultTimeout(20_000);

const SMS = { to: "+14045550142", text: "New booking 7F3A1B2C: Tue, Nov 24 9:00 AM, Pat." };

/** For an attempt that hangs; the next one has to end in it on a busy machine, too. */
const SHORT_ATTEMPT_MS = 1_500;

/** Whether a look-up comes before the message is sent again. */
const FATES: { fate: Fate; looks: boolean; taken?: boolean }[] = [
  { fate: "limit", looks: false },
  { fate: "error", looks: true },
  { fate: "error_taken", looks: true, taken: true },
  { fate: "hang_taken", looks: true, taken: true },
  { fate: "drop", looks: true },
  { fate: "drop_taken", looks: true, taken: true },
  { fate: "portal_taken", looks: true, taken: true },
  { fate: "flood", looks: true },
  { fate: "stranger", looks: false },
];
/** The bytes under way when the flood was cut off; far fewer than the flood. */
const MOST_FLOODED = 64 * 1024 * 1024;

for (const { fate, looks, taken = false } of FATES) {
  test(`${fate}, then well: one message, ${looks ? "looked for" : "sent again without a look"}`, async () => {
    using twilio = await startTwilio((nth) => (nth === 1 ? fate : "ok"));
    const attemptMs = String(fate).startsWith("hang") ? SHORT_ATTEMPT_MS : undefined;
    const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs });
    const id = await outbox.add({ kind: "shop_sms", payload: SMS });
    expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 2, last_error: null });
    expect(twilio.messages.map(({ to, from, body }) => ({ to, from, body }))).toEqual([
      { to: SMS.to, from: twilio.settings.from, body: SMS.text },
    ]);
    expect(twilio.posts()).toBe(taken ? 1 : 2);
    expect(twilio.lookUps()).toBe(looks ? 1 : 0);
    expect(twilio.issues).toEqual([]);
    expect(twilio.flooded()).toBeLessThan(MOST_FLOODED);
  });
}

test("429: the next attempt waits for Retry-After", async () => {
  using twilio = await startTwilio((nth) => (nth === 1 ? "limit" : "ok"));
  const outbox = startOutbox({ twilio: twilio.settings });
  const before = outbox.now();
  const job = await outbox.tried(await outbox.add({ kind: "shop_sms", payload: SMS }), 1);
  expect(job).toMatchObject({ status: "waiting", doubtful: 0 });
  expect(job.next_at).toBeGreaterThanOrEqual(before + 2_000);
});

test.each([
  ["", undefined],
  ["soon", undefined],
  ["2", 2],
  ["999999", 3600],
  // Within 50 seconds, because the tests before take their time.
  [new Date(Date.now() + 1_800_000).toUTCString(), expect.closeTo(1800, -2)],
  ["Wed, 21 Oct 2015 07:28:00 GMT", undefined],
])("Retry-After: %s", (given, seconds) => {
  expect(waitAfter(new Response(null, { status: 503, headers: { "Retry-After": given } })).afterSeconds).toEqual(
    seconds,
  );
});

test("after a refused connection the text is sent again without a look-up", async () => {
  using twilio = await startTwilio();
  const { baseUrl } = await (async () => {
    using gone = await startTwilio();
    return gone.settings;
  })();
  const outbox = startOutbox({ twilio: { ...twilio.settings, baseUrl } });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  expect(await outbox.tried(id, 1)).toMatchObject({ status: "waiting", doubtful: 0, last_error: "ECONNREFUSED" });
});

test.each([
  [21211, "the number to send to is not a phone number"],
  [21610, "the receiver has replied STOP"],
  [29999, "The number (number) is bad"],
])("%d fails at once; the log holds the meaning and no phone number", async (code, meaning) => {
  using twilio = await startTwilio(() => code);
  const outbox = startOutbox({ twilio: twilio.settings });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  const reason = `Twilio answered 400 (${code}: ${meaning})`;
  expect(await outbox.tried(id, 1)).toMatchObject({ status: "failed", attempts: 1, last_error: reason });
  expect(outbox.logs).toContainEqual(expect.objectContaining({ level: 50, job: id, reason }));
  expect(JSON.stringify(outbox.logs)).not.toContain("4045550142");
});

test.each([
  // Twilio refuses the message itself, so it can never be sent.
  [400, 21000, "failed", 0],
  [422, 21000, "failed", 0],
  // Nothing was sent, and the owner or Twilio can repair the cause.
  [401, 20003, "waiting", 0],
  [404, 20404, "waiting", 0],
  [429, 20429, "waiting", 0],
  // The text may have been sent.
  [408, 20408, "waiting", 1],
  [503, 20503, "waiting", 1],
  // The answer did not come from Twilio.
  [422, undefined, "waiting", 0],
])("%d with code %p: %s, in doubt %d", async (status, code, expected, doubtful) => {
  using twilio = await startTwilio(() => ({ status, ...(code && { code }) }));
  const outbox = startOutbox({ twilio: twilio.settings });
  const job = await outbox.tried(await outbox.add({ kind: "shop_sms", payload: SMS }), 1);
  expect(job).toMatchObject({ status: expected, doubtful });
});

test("a look-up finds the message on a later page, but no other message with the code and none that was not sent", async () => {
  const fates: Fate[] = ["drop_taken", "ok", "ok", "ok", "ok"];
  using twilio = await startTwilio((nth) => fates[nth - 1] ?? "ok", 2);
  const outbox = startOutbox({ twilio: twilio.settings });
  const id = await outbox.add({ kind: "confirmation_sms", payload: SMS });
  await outbox.tried(id, 1);
  for (const nth of [1, 2, 3, 4]) {
    const other = await outbox.add({ kind: "reminder_sms", payload: { ...SMS, text: `${nth}: 7F3A1B2C` } });
    await untilIs(() => outbox.jobs().some((job) => job.id === other && job.status === "done"), true);
  }
  await outbox.settled(id);
  expect(twilio.posts()).toBe(5);
  expect(twilio.lookUps()).toBeGreaterThan(1);

  for (const message of twilio.messages) if (message.body === SMS.text) message.status = "failed";
  const again = "UPDATE jobs SET status = 'waiting', doubtful = 1, payload = ? WHERE id = ?";
  outbox.db.run(again, [JSON.stringify(SMS), id]);
  await outbox.settled(id);
  expect(twilio.posts()).toBe(6);
});

for (const lookUp of ["flood", "empty"] as const) {
  test(`a look-up answered by ${lookUp} tells nothing; the next one decides`, async () => {
    const atFirst =
      <Is extends string>(is: Is) =>
      (nth: number) =>
        nth === 1 ? is : "ok";
    using twilio = await startTwilio(atFirst("drop_taken"), 1000, atFirst(lookUp));
    // Longer than a good look-up takes on a busy machine, because the attempts are counted.
    const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs: 5_000 });
    const id = await outbox.add({ kind: "shop_sms", payload: SMS });
    await outbox.tried(id, 1);
    outbox.skipPause(id);
    const expected = { doubtful: 1, last_error: "Twilio answered 200 without a list to a look-up" };
    expect(await outbox.tried(id, 2)).toMatchObject(expected);
    expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 3 });
    expect(twilio.posts()).toBe(1);
    expect(twilio.flooded()).toBeLessThan(MOST_FLOODED);
  });
}

test("two messages with the same text are both sent", async () => {
  const fates: Fate[] = ["ok", "drop", "ok", "drop_taken", "ok"];
  using twilio = await startTwilio((nth) => fates[nth - 1] ?? "ok");
  const outbox = startOutbox({ twilio: twilio.settings });
  expect(await outbox.settled(await outbox.add({ kind: "confirmation_sms", payload: SMS }))).toMatchObject({
    attempts: 1,
  });
  expect(await outbox.settled(await outbox.add({ kind: "reminder_sms", payload: SMS }))).toMatchObject({ attempts: 2 });
  expect(await outbox.settled(await outbox.add({ kind: "reminder_sms", payload: SMS }))).toMatchObject({ attempts: 2 });
  expect([twilio.posts(), twilio.lookUps(), twilio.messages.length]).toEqual([4, 2, 3]);
  const sids = outbox.jobs().map(({ message_sid }) => message_sid);
  expect(sids.sort()).toEqual(twilio.messages.map(({ sid }) => sid).sort());
});

test("of two doubtful messages with the same text, the one that did not arrive is sent", async () => {
  const fates: Fate[] = ["hang_taken", "hang", "ok"];
  using twilio = await startTwilio((nth) => fates[nth - 1] ?? "ok");
  const outbox = startOutbox({ twilio: twilio.settings }, { attemptMs: SHORT_ATTEMPT_MS });
  const ids: number[] = [];
  for (const kind of ["confirmation_sms", "reminder_sms"] as const) ids.push(await outbox.add({ kind, payload: SMS }));
  await until(twilio.posts, (posts) => posts === 2);
  for (const id of ids) await outbox.settled(id, 15_000);
  expect(twilio.messages).toHaveLength(2);
  expect(new Set(outbox.jobs().map(({ message_sid }) => message_sid)).size).toBe(2);
});

test("the words in front of a trial account's messages do not hide a message", async () => {
  using twilio = await startTwilio((nth) => (nth === 1 ? "drop_taken" : "ok"));
  const outbox = startOutbox({ twilio: twilio.settings });
  const id = await outbox.add({ kind: "shop_sms", payload: SMS });
  await outbox.tried(id, 1);
  for (const message of twilio.messages) message.body = `Sent from your Twilio trial account - ${message.body}`;
  expect(await outbox.settled(id)).toMatchObject({ status: "done", attempts: 2 });
  expect(twilio.posts()).toBe(1);
});

test("nothing is sent before a look-up succeeds", async () => {
  using twilio = await startTwilio();
  const id = await (async () => {
    const outbox = startOutbox({ twilio: { ...twilio.settings, authToken: "old" } });
    const id = await outbox.add({ kind: "shop_sms", payload: SMS });
    outbox.db.run("UPDATE jobs SET doubtful = 1");
    return await outbox.tried(id, 1);
  })();
  expect(id).toMatchObject({ doubtful: 1, last_error: "Twilio answered 401 to a look-up" });
  expect(twilio.posts()).toBe(0);
});
