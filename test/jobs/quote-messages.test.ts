/** Who asks for a quote hears back: a receipt and one question later, until the lead moves or the customer books. */
import { expect, test } from "bun:test";
import { planLead } from "../../src/messages/plan.ts";
import { API, catalogWith, QUOTE, testApp } from "../helpers.ts";
import { newBooking, newLead } from "../store/conformance-values.ts";
import { startOutbox, untilIs } from "./outbox.ts";
import { startMailServer } from "./receivers.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
/** 10:00 at the shop, a Tuesday. */
const MORNING = at("2026-11-24T15:00:00Z");
const CONSENT = { confirmed_by_user: true, sms: true };
const MAILS = { "messages.quote_reply_email.enabled": true, "messages.quote_nudge_email.enabled": true };
const TEXTS = { "messages.quote_reply_sms.enabled": true, "messages.quote_nudge_sms.enabled": true };
const STEPS = [
  { after: "0m", do: "reply_to_customer" },
  { after: "3d", do: "nudge_customer" },
];
const shop = (edits: Record<string, unknown>) => catalogWith({ follow_up: STEPS, ...edits });

function planned(edits: Record<string, unknown>, lead: Parameters<typeof newLead>[0] = {}, createdAt = MORNING) {
  const jobs = planLead(newLead({ consent: CONSENT, createdAt, ...lead }), null, shop(edits)).jobs;
  return jobs.map(({ kind, dueAt, unless }) => `${kind} ${(dueAt - createdAt) / HOUR} ${unless}`);
}

test("by e-mail, else by text to who agreed to texts; nothing without consent, and nothing to who books", () => {
  expect(planned({})).toEqual([]);
  const [mails, texts] = ["email", "sms"].map((by) => [
    ...[`quote_reply_${by} 0 contacted`, `quote_nudge_${by} 72 contacted`],
  ]);
  expect(planned({ ...MAILS, ...TEXTS })).toEqual(mails ?? []);
  expect(planned({ ...MAILS, ...TEXTS }, { email: "" })).toEqual(texts ?? []);
  expect(planned(TEXTS, { consent: { confirmed_by_user: true } })).toEqual([]);
  expect(planned({ ...MAILS, ...TEXTS }, { consent: null })).toEqual([]);
  expect(planned(TEXTS, { phone: "+14165550142" })).toEqual([]);
});

test("neither at night, on the day when clocks change too", () => {
  // 23:30 at the shop, and 00:30 of the day whose hour from 1 to 2 comes twice.
  for (const night of ["2026-11-25T04:30:00Z", "2026-11-01T04:30:00Z"])
    expect(planned(MAILS, {}, at(night)).map((one) => one.split(" ")[1])).toEqual(["8.5", "80.5"]);
});

test("the receipt says what was asked and the range that was answered; what a stranger typed is not repeated", async () => {
  const app = testApp({ catalog: shop(MAILS), now: Temporal.Instant.fromEpochMilliseconds(MORNING) });
  const { json } = await app.post(`${API}/quote-request`, {
    ...QUOTE,
    ...{ service_type: "residential", square_footage: 350, first_name: "Pat http://evil.example", message: "call 900" },
    consent: { confirmed_by_user: true },
  });
  const { total_min, total_max } = json.data.ballpark;
  const waiting = await app.store.waitingJobs(9, { kinds: ["quote_reply_email"] });
  const mail = Object(waiting[0]?.content?.payload);
  const dollars = (amount: number) => `$${amount.toLocaleString("en-US")}`;
  expect(mail.text).toContain(`350 sq ft. First figure: ${dollars(total_min)} to ${dollars(total_max)}.`);
  expect(mail.text).toContain(json.data.reference);
  expect(mail.text).not.toMatch(/evil\.example|900/);
  // The step to the customer in three days does not put off when the shop answers.
  expect(Date.parse(json.data.follow_up.expected_by)).toBeLessThan(MORNING + DAY);
});

test("they end when the lead is contacted and when the customer books, with whatever lead", async () => {
  using mail = await startMailServer();
  const outbox = startOutbox({ mail: mail.settings }, { catalog: () => shop(MAILS), attemptMs: 10_000 });
  const ask = async (email: string, phone: string) => {
    const lead = newLead({ consent: CONSENT, createdAt: outbox.now(), email, phone });
    await outbox.store.addLead({ ...lead, jobs: planLead(lead, null, shop({ ...MAILS, ...NO_NIGHT })).jobs });
    return lead.id;
  };
  const contacted = await ask("contacted@example.com", "+14045550111");
  await ask("booked@example.com", "+14045550112");
  await ask("silent@example.com", "+14045550113");
  await untilIs(() => mail.mails.length, 3);
  await outbox.store.moveLead({ id: contacted, to: "contacted", at: outbox.now() });
  const phone = "+14045550112";
  await outbox.store.book(
    newBooking({ startAt: outbox.now() + 9 * DAY, createdAt: outbox.now(), lead: { phone } }),
    9,
    [],
  );
  outbox.jump(3 * DAY + HOUR);
  await untilIs(() => mail.mails.length, 4);
  await outbox.stop();
  expect(mail.mails.map(({ to }) => to[0]).at(-1)).toBe("silent@example.com");
  const nudges = outbox.jobs().filter(({ kind }) => kind === "quote_nudge_email");
  expect(nudges.map(({ status, last_error }) => [status, last_error])).toEqual([
    ["lapsed", "its lead was contacted"],
    ["lapsed", "the customer booked meanwhile"],
    ["done", null],
  ]);
});

const NO_NIGHT = { "messages.quiet_from": "00:00", "messages.quiet_until": "00:00" };
