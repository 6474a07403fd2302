/** Messages to customers: only with consent and when switched on, with the appointment at the right time. */
import { expect, test } from "bun:test";
import { derive } from "../../src/catalog/shop.ts";
import { planLead } from "../../src/messages/plan.ts";
import { A_DAY_BEFORE, catalogOf, catalogText, catalogWith } from "../helpers.ts";
import { newLead } from "../store/conformance-values.ts";
import { startOutbox, untilIs } from "./outbox.ts";
import { readMail, startMailServer } from "./receivers.ts";

const HOUR = 3_600_000;
const at = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds;
const NOW = at("2026-11-21T15:00:00Z");
const START = at("2026-11-24T14:00:00Z");
const LONG = "a".repeat(150);
const DAY_BEFORE = { hours_before: 24, by: "sms" };
const CONSENT = { confirmed_by_user: true, sms: true };
const KINDS = ["confirmation_sms", "confirmation_email", "reminder_sms", "reminder_email"];
const ALL_ON = Object.fromEntries(KINDS.map((kind) => [`messages.${kind}.enabled`, true]));

function appointment(given: Partial<Parameters<typeof planLead>[1] & object> = {}) {
  return {
    code: "7F3A1B2C",
    name: "Pat Example",
    service: "automotive",
    startAt: START,
    endAt: START + 4 * HOUR,
    price: 59900,
    ...given,
  };
}

/** The messages of a booking to the customer, as `kind hours`, counted to the start. */
function planned(edits: Record<string, unknown>, consent: object | null, startAt = START) {
  const lead = newLead({ consent, createdAt: NOW });
  return planLead(lead, appointment({ startAt }), catalogWith({ follow_up: [], ...edits })).jobs.map(
    ({ kind, dueAt, unless }) => `${kind} ${(startAt - dueAt) / HOUR}${unless ? ` unless ${unless}` : ""}`,
  );
}

test("nothing unless switched on and agreed to; a reminder only when the confirmation was long before", () => {
  expect(planned({}, CONSENT)).toEqual([]);
  expect(planned(ALL_ON, null)).toEqual([]);
  const remindedBy = (...reminders: object[]) =>
    planned({ ...ALL_ON, "messages.reminders": reminders }, CONSENT).slice(2);
  expect(remindedBy({ hours_before: 3, by: "sms" })).toEqual(["reminder_sms 3"]);
  const two = remindedBy({ hours_before: 2, by: "sms" }, { hours_before: 70, by: "email" });
  expect(two).toEqual(["reminder_sms 2", "reminder_email 70"]);
  expect(remindedBy()).toEqual([]);
  // A catalog from before there was a list has one time at each message.
  const own = { "messages.reminders": undefined, "messages.reminder_sms.hours_before": 3 };
  const before = planned({ ...ALL_ON, ...own, "messages.reminder_email.hours_before": 30 }, CONSENT);
  expect(before.slice(2)).toEqual(["reminder_sms 3", "reminder_email 30"]);
  // The e-mail of 72 hours before was due already.
  const expected = ["confirmation_sms 71", "confirmation_email 71", "reminder_sms 24", "reminder_sms 2"];
  expect(planned(ALL_ON, CONSENT)).toEqual(expected);
  expect(planned(ALL_ON, CONSENT, NOW + HOUR)).toEqual(["confirmation_sms 1", "confirmation_email 1"]);
  // A quote request has no appointment.
  expect(planLead(newLead({ consent: CONSENT }), null, catalogWith({ follow_up: [], ...ALL_ON })).jobs).toEqual([]);
});

test("whose vehicle stays overnight is told when it is ready, in the owner's words, and in the calendar entry", () => {
  const messages = (startAt: number, endAt: number, edits: Record<string, unknown> = {}) =>
    planLead(
      newLead({ consent: CONSENT, createdAt: NOW }),
      appointment({ startAt, endAt }),
      catalogWith({ follow_up: [], ...ALL_ON, ...A_DAY_BEFORE, ...edits }),
    ).jobs.map(({ payload }) => payload as { text: string; calendar?: string });
  const [start, end] = [at("2026-11-24T21:00:00Z"), at("2026-11-25T16:00:00Z")];
  const said = "Your vehicle stays with us overnight and is ready Wed, Nov 25 at 11:00 AM.";
  const paused = messages(start, end);
  expect(paused.map(({ text }) => text.endsWith(said))).toEqual([true, true, true, true]);
  const entry = paused.flatMap(({ calendar = [] }) => calendar).map((text) => text.replaceAll("\r\n ", ""));
  expect(entry.length).toBe(2);
  for (const text of entry) {
    expect(text).toContain("DTEND:20261125T160000Z");
    expect(text).toContain("stays overnight until Wed\\, Nov 25\\, 11:00 AM");
  }
  const own = { "messages.over_night_text": "Ready {ready_time}, {ready_date}." };
  expect(messages(start, end, own).every(({ text }) => text.endsWith("Ready 11:00 AM, Wed, Nov 25."))).toBe(true);
  expect(messages(START, START + 4 * HOUR).some(({ text }) => text.includes("overnight"))).toBe(false);
});

test("texts need a consent of their own; where it is implied, who agreed to the booking gets its confirmation alone", () => {
  const kinds = (consent: object | null, sms_consent: string) =>
    planned({ ...ALL_ON, ...A_DAY_BEFORE, "messages.sms_consent": sms_consent }, consent).map(
      (one) => one.split(" ")[0] ?? "",
    );
  const mails = ["confirmation_email", "reminder_email"];
  for (const [consent, implied] of [
    // A consent from before texts had one of their own.
    [{ confirmed_by_user: true }, ["confirmation_sms", ...mails]],
    // Whoever was asked and said no gets none.
    [{ confirmed_by_user: true, sms: false }, mails],
  ] as const) {
    expect(kinds(consent, "explicit")).toEqual(mails);
    expect(kinds(consent, "implied")).toEqual([...implied]);
  }
  expect(kinds(null, "implied")).toEqual([]);
});

test("a text may do without a code; its links are those of this booking, and are never cut", () => {
  const lead = newLead({ consent: CONSENT, createdAt: NOW });
  const textOf = (text: string, edits: Record<string, unknown> = {}, site = "https://marlowridge.example") => {
    const on = { follow_up: [], "messages.reminders": [], "messages.confirmation_sms": { enabled: true, text } };
    const catalog = catalogWith({ ...on, ...edits });
    const served = derive({ ...catalog, site: { ...catalog.site, url: site } });
    const [job] = planLead(lead, appointment({ name: "W".repeat(60) }), served).jobs;
    return job?.payload && "text" in job.payload ? job.payload.text : undefined;
  };
  const site = "https://marlowridge.example";
  expect(textOf("See {manage_url} or {book_url}, {directions_url}")).toBe(
    `See ${site}/book/manage?code=7F3A1B2C or ${site}/book, ${site}/map`,
  );
  expect(textOf("{manage_url} {directions_url}", { "site.book_url": "none", "business.links": {} })).toBe(
    `${site} https://maps.google.com/?q=33.9526,-84.5499`,
  );
  const unplaced = { "business.links": {}, "business.geo": { latitude: 0, longitude: 0 } };
  expect(textOf("{directions_url}", unplaced)).toBe(
    "https://maps.google.com/?q=100+Example+Parkway%2C+Marietta%2C+GA+30060",
  );
  // In a link each of these letters takes twelve characters.
  expect(textOf("{directions_url}", { ...unplaced, "business.address.street": "𐓏".repeat(12) })).toBe(
    "https://maps.google.com/?q=GA+30060",
  );
  // TINT_SITE_URL can make a link longer than that of the catalog.
  const long = `https://${"long.".repeat(30)}example`;
  const cut = textOf(`${"a".repeat(180)} {manage_url} bye`, {}, long);
  expect(cut).toEndWith(`... ${long}/book/manage?code=7F3A1B2C`);
});

test("follow-up obeys after, unless and in_opening_hours", () => {
  const follow_up = [
    { after: "0m", do: "notify_shop_sms", in_opening_hours: true },
    { after: "30m", do: "remind_owner", unless: "contacted" },
    { after: "4h", do: "remind_owner", unless: "contacted", in_opening_hours: true },
    { after: "2d", do: "push_to_crm" },
  ];
  const plan = (createdAt: number) =>
    planLead(newLead({ createdAt }), null, catalogWith({ follow_up, "business.special_hours": [] }))
      .jobs.filter(({ kind }) => kind !== "remind_owner_notice")
      .map(({ kind, dueAt, unless }) => [kind, Temporal.Instant.fromEpochMilliseconds(dueAt).toString(), unless]);
  // Saturday 10:00 to 15:00; the shop opens again on Monday at 9.
  expect(plan(NOW)).toEqual([
    ["notify_shop_sms", "2026-11-21T15:00:00Z", null],
    ["remind_owner", "2026-11-21T15:30:00Z", "contacted"],
    ["remind_owner", "2026-11-21T19:00:00Z", "contacted"],
    ["push_to_crm", "2026-11-23T15:00:00Z", null],
  ]);
  const expected = ["2026-11-23T14:00:00Z", "2026-11-21T21:30:00Z", "2026-11-23T14:00:00Z", "2026-11-23T21:00:00Z"];
  expect(plan(NOW + 6 * HOUR).map(([, due]) => due)).toEqual(expected);
});

test("the mail: one recipient, one subject line, and an appointment at the right time", async () => {
  using server = await startMailServer();
  const outbox = startOutbox({ mail: server.settings });
  const words = { subject: "{name}: {date}, {time}", text: "Hello {name}, {code}, {price}" };
  const catalog = catalogWith({ follow_up: [], "messages.confirmation_email": { enabled: true, ...words } });
  const winter = appointment({ name: "Pat\r\nBcc: all@example.com\u2028{price}" });
  const summer = appointment({ startAt: at("2026-07-14T13:00:00Z"), endAt: at("2026-07-14T15:30:00Z") });
  for (const one of [winter, summer]) {
    const lead = newLead({ consent: CONSENT, createdAt: NOW - 200 * 24 * HOUR, jobs: [] });
    await outbox.store.addLead({ ...lead, jobs: planLead(lead, one, catalog).jobs });
  }
  await untilIs(() => server.mails.length, 2);
  const mails = server.mails.map(({ to, raw }) => ({ to, ...readMail(raw) }));
  const first = mails.find(({ head }) => head.includes("Nov 24"));
  expect(first?.to).toEqual(["pat@example.com"]);
  expect(first?.head).toContain("\r\nSubject: Pat Bcc allexamplecom price: Tue, Nov 24, 9:00 AM\r\n");
  expect(first?.head).not.toMatch(/^bcc:/im);
  expect(first?.head).toMatch(/^From: Example Tint <desk@example.com>\r$/m);
  expect(first?.parts.get("text/plain")?.trim()).toBe("Hello Pat Bcc allexamplecom price, 7F3A1B2C, $599");

  const calendar = first?.parts.get("text/calendar") ?? "";
  expect(calendar).toContain("\r\nDTSTART:20261124T140000Z\r\nDTEND:20261124T180000Z\r\n");
  expect(calendar).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
  expect(calendar).toContain(`\r\nUID:7F3A1B2C@${new URL(catalog.site.url).hostname}\r\n`);
  const second = mails.find(({ head }) => head.includes("Jul 14, 9:00 AM"))?.parts.get("text/calendar");
  expect(second).toContain("\r\nDTSTART:20260714T130000Z\r\nDTEND:20260714T153000Z\r\n");
});

test("mail says that a program wrote it, where answers go, and how to get no more reminders", async () => {
  using server = await startMailServer();
  const shop = catalogWith({ "business.email": "desk+answers@shop.test", "alerts.to": ["owner@example.org"] });
  const outbox = startOutbox({ mail: server.settings }, { catalog: () => shop });
  const mail = { subject: "s", text: "t" };
  const unasked = ["reminder_email", "quote_nudge_email"] as const;
  const kinds = ["confirmation_email", "quote_reply_email", "shop_email", ...unasked] as const;
  for (const kind of kinds) await outbox.add({ kind, payload: { ...mail, subject: kind, to: "owner@example.org" } });
  await untilIs(() => server.mails.length, kinds.length);
  const heads = new Map(
    server.mails.map(({ raw }) => {
      const { head } = readMail(raw);
      return [/^subject: (\S+)/im.exec(head)?.[1], head];
    }),
  );
  for (const kind of kinds) {
    expect(heads.get(kind)).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(heads.get(kind)).toMatch(/^Reply-To: desk\+answers@shop\.test\r?$/m);
    const unsubscribe = /^List-Unsubscribe: (\S+)\r?$/m.exec(heads.get(kind) ?? "")?.[1];
    const isUnasked = unasked.some((one) => one === kind);
    const expected = [kind, isUnasked ? "<mailto:desk%2Banswers@shop.test?subject=STOP>" : undefined];
    expect([kind, unsubscribe]).toEqual(expected);
  }
});

test("mail: a refused recipient fails for good; every other fault is tried again with the same Message-ID", async () => {
  const [GONE, RELAYED, LATER, SENDER] = ["gone@example.com", "far@example.com", "pat@example.com", "desk@example.com"];
  const refusals = new Map([
    [GONE, "550"],
    [RELAYED, "554 5.7.1 Relay access denied"],
    [LATER, "451"],
  ]);
  using server = await startMailServer((address) => refusals.get(address));
  const outbox = startOutbox({ mail: server.settings });
  const mailTo = (to: string) => ({ to, subject: "s", text: "t", calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR" });
  const send = (to: string) => outbox.add({ kind: "confirmation_email", payload: mailTo(to) });
  const first = async (to: string) => {
    const { status, last_error } = await outbox.tried(await send(to), 1);
    return `${status}: ${last_error}`;
  };
  expect(await first(GONE)).toBe("failed: the mail server answered 550");
  expect(await first(RELAYED)).toBe("waiting: the mail server answered 554");
  expect(await first(LATER)).toBe("waiting: the mail server answered 451");
  refusals.clear();
  refusals.set(SENDER, "553");
  expect(await first(GONE)).toBe("waiting: the mail server refuses the sender in MAIL_FROM (553)");
  refusals.clear();
  const later = await send(SENDER);
  expect(await outbox.settled(later)).toMatchObject({ status: "done" });
  outbox.db.run("UPDATE jobs SET status = 'waiting', payload = ? WHERE id = ?", [
    JSON.stringify(mailTo(SENDER)),
    later,
  ]);
  await outbox.settled(later);
  const mails = server.mails.filter(({ to: [to] }) => to === SENDER);
  const ids = mails.map(({ raw }) => /^message-id: (.+)$/im.exec(readMail(raw).head)?.[1]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test.each([
  ["", false],
  ["?ignoreTLS=true", false],
  ["?requireTLS=false", false],
  ["", true],
])("mail to another machine without TLS: smtp://…%s, allowed by the owner: %p", async (query, allowPlain) => {
  using server = await startMailServer();
  // 0.0.0.0 reaches this machine but is not a loopback address, so the rule takes it for another machine.
  const url = server.settings.url.replace("127.0.0.1", "0.0.0.0") + query;
  const outbox = startOutbox({ mail: { ...server.settings, url, allowPlain } });
  const payload = { to: "pat@example.com", subject: "s", text: "t", calendar: "BEGIN:VCALENDAR\r\nEND:VCALENDAR" };
  const id = await outbox.add({ kind: "confirmation_email", payload });
  expect(await outbox.tried(id, 1)).toMatchObject(
    allowPlain
      ? { status: "done" }
      : { status: "waiting", last_error: "the mail server offers no TLS; set SMTP_ALLOW_PLAIN=true if that is meant" },
  );
  expect(server.mails).toHaveLength(allowPlain ? 1 : 0);
});

test.each([
  [{ "messages.confirmation_sms.text": "Hello {nam}" }, "confirmation_sms.text names {nam}, which is not known"],
  [{ "messages.reminder_email.subject": "Hello {name" }, "reminder_email.subject has a brace that belongs to no field"],
  [
    { "messages.reminder_sms.text": `{directions_url} ${"a".repeat(280)}` },
    "reminder_sms.text is too long: with the longest",
  ],
  [{ "messages.reminder_sms.hours_before": 24 }, "reminder_sms.hours_before must be left out: the times are in"],
  [
    { "messages.reminders": undefined, "messages.reminder_sms.enabled": true },
    "messages.reminder_sms.enabled needs a time",
  ],
  [{ "messages.reminders": [DAY_BEFORE, { by: "sms", hours_before: 24 }] }, "messages.reminders.1 is listed twice"],
  [{ "messages.reminder_email": undefined }, "messages.reminders.0.by needs a text: write messages.reminder_email"],
  [{ "messages.reminder_email.subject": "Hello\nall" }, "messages.reminder_email.subject must be one line"],
  [{ "messages.reminder_sms.text": "a".repeat(301) }, "messages.reminder_sms.text must have at most 300 characters"],
  [{ "messages.reminders.0.hours_before": 0 }, "messages.reminders.0.hours_before must be 1 or more"],
  [{ "messages.cancelled_email.text": "not {old_date}" }, "messages.cancelled_email.text names {old_date}"],
  [{ "messages.confirmation_sms.text": "{code} {old_time}" }, "messages.confirmation_sms.text names {old_time}"],
  [{ "messages.ready_sms.text": "{code} {url}" }, "messages.ready_sms.text names {url}"],
  // What a customer wrote is in e-mails alone, and a quote request has no time.
  [{ "messages.shop_booking_sms": "{code} {note}" }, "messages.shop_booking_sms names {note}"],
  [{ "messages.shop_quote_email.text": "{reference} {date}" }, "messages.shop_quote_email.text names {date}"],
  [{ "messages.shop_digest_sms": "{count} {vehicle}" }, "messages.shop_digest_sms names {vehicle}"],
  [{ "messages.shop_booking_sms": `{manage_url} {vehicle} {extras} ${LONG}` }, "messages.shop_booking_sms is too long"],
  [{ "messages.deposit_link_sms.text": "Pay here: {pay_url}" }, "messages.deposit_link_sms.text is too long"],
  [{ "messages.shop_sms_to": "404-555-0142" }, "messages.shop_sms_to must be a phone number like +14045550142"],
  [{ "messages.shop_sms_to": "+14045550142" }, "messages.shop_sms_to must be left out: put the number into alerts.to"],
  [{ "alerts.to": ["404-555-0142"] }, "alerts.to.0 must be a mobile like +14045550142, an e-mail address"],
  [{ "alerts.to": ["http://ntfy.example/a"] }, "alerts.to.0 must be a mobile"],
  [{ "alerts.to": ["https://me:pw@ntfy.example/a"] }, "alerts.to.0 must be a mobile"],
  [
    { follow_up: [{ after: "0m", do: "push_to_crm", to: ["a@b.example"] }] },
    "follow_up.0.to must be left out: push_to_crm",
  ],
])("%j is a fault of the catalog", (edits, says) =>
  expect(() => catalogOf(Bun.YAML.parse(catalogText(edits)))).toThrow(says),
);
