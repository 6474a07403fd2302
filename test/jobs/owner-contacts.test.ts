/** Who is told of bookings: each of `alerts.to` by its own way of sending, and one that fails does not stop the others. */
import { expect, test } from "bun:test";
import { copiesOf, lanes, receiverOf } from "../../src/messages/channels.ts";
import { planLead } from "../../src/messages/plan.ts";
import { pushText } from "../../src/messages/webhook.ts";
import { catalogWith } from "../helpers.ts";
import { newLead } from "../store/conformance-values.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { readMail, startMailServer, startNtfy } from "./receivers.ts";
import { startTwilio } from "./twilio.ts";

const MOBILE = "+14045550143";
const MAIL = "pat@example.com";
const TEXT = "Quote request Q-7F3A1B: residential, Pat. See tint leads show Q-7F3A1B";
const NEVER = new AbortController().signal;

const shopTold = (...to: string[]) => catalogWith({ "alerts.to": to });
const states = (outbox: ReturnType<typeof startOutbox>) =>
  Object.fromEntries(outbox.jobs().map(({ kind, status }) => [kind, status]));

test("a text, an e-mail and a web address get the same news; those that fail do not stop the third", async () => {
  using twilio = await startTwilio(() => 21211);
  using mail = await startMailServer();
  let isDown = true;
  using ntfy = startNtfy(() => (isDown ? 503 : 200));
  const catalog = shopTold(MOBILE, MAIL, ntfy.topic);
  const push = { allowPrivate: false };
  const outbox = startOutbox({ twilio: twilio.settings, mail: mail.settings, push }, { catalog: () => catalog });
  const id = await outbox.add({ kind: "notify_shop_sms", payload: { text: TEXT } });
  await until(
    () => states(outbox),
    (now) => now.shop_sms === "failed" && now.shop_email === "done" && now.shop_push !== undefined,
  );
  expect(outbox.jobs().find((job) => job.id === id)).toMatchObject({ status: "done", payload: "{}" });
  const [sent] = mail.mails;
  expect(sent?.to).toEqual([MAIL]);
  expect(readMail(sent?.raw ?? "").head).toContain(
    "Subject: Marlow Ridge Window Film: Quote request Q-7F3A1B: residential, Pat.",
  );
  expect(sent?.raw).toContain(TEXT);
  expect(sent?.raw).not.toContain("text/calendar");
  const pushed = outbox.jobs().find(({ kind }) => kind === "shop_push")?.id ?? 0;
  expect(await outbox.tried(pushed, 1)).toMatchObject({ last_error: "the address of alerts.to answered 503" });
  isDown = false;
  await outbox.settled(pushed);
  expect(ntfy.received).toEqual([{ path: "/tint-a7f3", text: TEXT, id: expect.stringMatching(/^job-\d+-\d+$/) }]);
});

test("who cannot be reached yet is left out while another is; nobody is told before somebody can be", async () => {
  using mail = await startMailServer();
  let catalog = shopTold(MOBILE);
  const channels = { mail: mail.settings, twilio: null, crm: null, push: null };
  expect(lanes(channels, () => catalog).map((kinds) => kinds().includes("notify_shop_sms"))).toEqual([false, false]);
  const outbox = startOutbox(channels, { catalog: () => catalog });
  await outbox.add({ kind: "notify_shop_sms", payload: { text: TEXT } });
  await outbox.settled(await outbox.add({ kind: "shop_email", payload: { to: MAIL, subject: "s", text: "t" } }));
  expect(states(outbox)).toEqual({ notify_shop_sms: "waiting", shop_email: "failed" });
  catalog = shopTold(MOBILE, MAIL);
  await untilIs(() => mail.mails.length, 1);
  expect(outbox.jobs().some(({ kind }) => kind === "shop_sms")).toBe(false);
});

test("a step's own receivers are told while nobody in alerts.to can be; other news waits, and is not given up", async () => {
  using mail = await startMailServer();
  const catalog = catalogWith({
    "alerts.to": [MOBILE],
    follow_up: [{ after: "0m", do: "notify_shop_sms", to: [MAIL] }],
  });
  const outbox = startOutbox({ mail: mail.settings }, { catalog: () => catalog });
  const waits = await outbox.add({ kind: "notify_shop_sms", payload: { text: TEXT } });
  await outbox.add({ kind: "notify_shop_sms", payload: { text: TEXT, receivers: [MAIL] } });
  await untilIs(() => mail.mails.length, 1);
  await outbox.tried(waits, 1);
  // Other failures are given up after three days.
  outbox.db.run("UPDATE jobs SET attempts = 80, tried_ms = ?, next_at = 0 WHERE id = ?", [3 * 86_400_000, waits]);
  await outbox.tried(waits, 81);
  expect(outbox.jobs().find(({ id }) => id === waits)).toMatchObject({ status: "waiting" });
});

test("a copy goes to who took the place of its receiver, unless others are told by the same way", () => {
  const on = { mail: {} as never, twilio: {} as never, push: null, crm: null };
  const receivers = (before: string[], after: string[]) =>
    copiesOf({ text: TEXT }, on, shopTold(...before)).map(({ payload }) => receiverOf(payload, shopTold(...after)));
  expect(receivers([MOBILE, "a@example.com"], [MOBILE, "b@example.com"])).toEqual([MOBILE, "b@example.com"]);
  expect(receivers(["a@example.com", "b@example.com"], ["b@example.com"])).toEqual([undefined, "b@example.com"]);
  expect(receivers(["a@example.com"], [MOBILE])).toEqual([undefined]);
  expect(receivers(["a@example.com"], ["b@example.com", "c@example.com"])).toEqual([undefined]);
});

test("a step of follow_up tells whom it names; a reminder ends when the lead is contacted", () => {
  const follow_up = [
    { after: "0m", do: "notify_shop_sms", to: ["tech@example.com"] },
    { after: "4h", do: "remind_owner", unless: "contacted" },
    { after: "4h", do: "remind_owner", to: [MOBILE] },
  ];
  const jobs = planLead(newLead(), null, catalogWith({ follow_up })).jobs;
  expect(jobs.map(({ kind, unless, payload }) => [kind, unless, Object(payload).receivers])).toEqual([
    ["notify_shop_sms", null, ["tech@example.com"]],
    ["remind_owner", "contacted", undefined],
    ["remind_owner_notice", "contacted", undefined],
    ["remind_owner", null, undefined],
    ["remind_owner_notice", "contacted", [MOBILE]],
  ]);
});

test("a reminder that names nobody reaches alerts.to in opening hours, and once where two wait for the same opening", async () => {
  const at = (moment: string) => Temporal.Instant.from(moment).epochMilliseconds;
  const follow_up = ["4h", "24h", "40h"].map((after) => ({ after, do: "remind_owner" }));
  // Saturday at 6 PM; the shop opens again on Monday at 9.
  const createdAt = at("2026-11-21T18:00:00-05:00");
  const due = (kind: string, catalog: ReturnType<typeof catalogWith>) =>
    planLead(newLead({ createdAt }), null, catalog).jobs.flatMap((job) => (job.kind === kind ? [job.dueAt] : []));
  const catalog = catalogWith({ follow_up });
  expect(due("remind_owner", catalog)).toEqual([4, 24, 40].map((hours) => createdAt + hours * 3_600_000));
  expect(due("remind_owner_notice", catalog)).toEqual([
    at("2026-11-23T09:00:00-05:00"),
    at("2026-11-23T10:00:00-05:00"),
  ]);

  using mail = await startMailServer();
  const shop = catalogWith({ follow_up: [{ after: "0m", do: "remind_owner" }], "alerts.to": [MAIL] });
  const outbox = startOutbox({ mail: mail.settings }, { catalog: () => shop });
  await outbox.stop();
  const lead = newLead({ createdAt: outbox.now() - 10 * 24 * 3_600_000 });
  await outbox.store.addLead({ ...lead, jobs: planLead(lead, null, shop).jobs });
  outbox.restart();
  await untilIs(() => mail.mails.length, 1);
  expect(mail.mails[0]?.to).toEqual([MAIL]);
  expect(mail.mails[0]?.raw).toContain(`Nobody has contacted this customer yet: ${lead.reference}`);
});

test("a web address is reached as a CRM is: no private network unless allowed, no redirect", async () => {
  using ntfy = startNtfy(() => 307);
  const push = (to: string, allowPrivate: boolean, address = "10.0.0.7") =>
    pushText({ to, text: TEXT }, "job-1", { allowPrivate }, NEVER, async () => [address]);
  expect(await push("https://ntfy.example/a", false)).toMatchObject({
    kind: "retry",
    reason: "ntfy.example is in a private network; set ALERTS_ALLOW_PRIVATE=true if that is meant",
  });
  expect(await push("http://ntfy.example/a", true, "203.0.113.9")).toMatchObject({
    reason: "an address of alerts.to must begin with https://",
  });
  expect(await pushText({ to: ntfy.topic, text: TEXT }, "job-1", { allowPrivate: false }, NEVER)).toMatchObject({
    reason: "the address of alerts.to answered 307; redirects are not followed",
  });
});

test("a text whose delivery was in doubt before the update is looked for, not sent again", async () => {
  using twilio = await startTwilio();
  const outbox = startOutbox({ twilio: twilio.settings }, { catalog: () => shopTold(MOBILE) });
  await outbox.stop();
  const id = await outbox.add({ kind: "notify_shop_sms", payload: { text: TEXT } });
  // As the program before wrote it, when it was killed during an attempt that arrived.
  const at = outbox.now();
  outbox.db.run(
    "UPDATE jobs SET payload = ?, attempts = 1, doubtful = 1, first_tried_at = ?, next_at = ? WHERE id = ?",
    [JSON.stringify({ to: MOBILE, text: TEXT }), ...[at, at, id]],
  );
  const { accountSid, authToken, from, baseUrl } = twilio.settings;
  await fetch(`${baseUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${accountSid}:${authToken}`)}` },
    body: new URLSearchParams({ To: MOBILE, From: from, Body: TEXT }),
  });
  outbox.restart();
  await untilIs(() => states(outbox).shop_sms === "done", true);
  expect(twilio.posts()).toBe(1);
});
