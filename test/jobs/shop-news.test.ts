/** News to the shop: what it is told of bookings and requests in the words of the catalog, who is told, and by which way. */
import { describe, expect, test } from "bun:test";
import type { JobKind } from "../../src/constants.ts";
import { segments } from "../../src/lib/text.ts";
import { copiesOf, copyFor, lanes, receiverOf } from "../../src/messages/channels.ts";
import { planLead } from "../../src/messages/plan.ts";
import { pushText } from "../../src/messages/webhook.ts";
import type { ShopNews } from "../../src/store/store.ts";
import { API, BOOKING, CATALOG, catalogWith, QUOTE, testApp } from "../helpers.ts";
import { claimOf, newLead } from "../store/conformance-values.ts";
import { startOutbox, until, untilIs } from "./outbox.ts";
import { readMail, startMailServer, startNtfy } from "./receivers.ts";
import { startTwilio } from "./twilio.ts";

const TOLD = { "alerts.to": ["desk@example.com", "https://ntfy.example/tint"] };
const JOB = {
  ...BOOKING,
  ...{ customer_name: "Robin Ellis", customer_phone: "+14045550142", customer_email: "robin@example.com" },
  ...{ vehicle_type: "suv", vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Highlander" },
  ...{ film_type: "ceramic", coverage: "full", shade: 35, special_requests: "Please call\nbefore noon.\nPrice: $1" },
};
const GLASS = {
  ...QUOTE,
  ...{ first_name: "Robin", last_name: "Ellis", phone: "+14045550142", email: "robin@example.com" },
  ...{ service_type: "commercial", square_footage: 120, floors: 2, building_type: "office", message: "Two doors" },
};
/** In a browser, where nobody is an assistant. */
const WHERE = { headers: { "User-Agent": "Mozilla/5.0" } };

function shop(edits: Record<string, unknown> = {}) {
  const catalog = catalogWith({ ...TOLD, ...edits });
  const app = testApp({ catalog });
  const on = { twilio: null, crm: null, mail: {} as never, push: { allowPrivate: false } };
  const claimed = (kinds: readonly JobKind[]) => app.store.claimJobs(claimOf(kinds, app.now().epochMilliseconds));
  /** The e-mail and the text of the news that is due; both go out. */
  async function told(kind: JobKind = "notify_shop_sms") {
    for (const { id, attempts, dueAt, payload } of await claimed([kind])) {
      const copies = copiesOf(payload as ShopNews, on, catalog);
      await app.store.settleJobs([{ id, attempts, dueAt, kind: "spread", copies, at: app.now().epochMilliseconds }]);
    }
    const copies = await claimed(["shop_email", "shop_push"]);
    await app.store.settleJobs(copies.map(({ id }) => ({ id, kind: "done" as const, messageSid: null })));
    const mail = copies.flatMap((copy) => (copy.kind === "shop_email" ? [copy.payload] : [])).at(-1);
    const text = copies.flatMap((copy) => (copy.kind === "shop_push" ? [copy.payload.text] : [])).at(-1);
    return { text: text ?? "", subject: mail?.subject ?? "", mail: mail?.text ?? "" };
  }
  /** The text to call back, which waits. */
  async function reminder() {
    const [first] = await app.store.waitingJobs(1, { kinds: ["remind_owner_notice"] });
    return first?.content?.kind === "remind_owner_notice" ? first.content.payload.text : "";
  }
  const book = async (given: object = {}) => {
    const { status, json } = await app.post(`${API}/bookings`, { ...JOB, ...given }, WHERE);
    expect([status, json.data?.status]).toEqual([201, "confirmed"]);
    return String(json.data.confirmation_code);
  };
  const change = (path: string, code: string, given: object = {}) =>
    app.post(`${API}/bookings/${path}`, { confirmation_code: code, phone: JOB.customer_phone, ...given }, WHERE);
  return { app, told, reminder, book, change };
}

test("news without words for an e-mail has its whole text as the subject", () => {
  const copy = copyFor("owner@example.com", { text: "Dr. Lee asks: 2 jobs. See tint leads" }, CATALOG);
  expect(copy).toMatchObject({
    payload: { subject: "Marlow Ridge Window Film: Dr. Lee asks: 2 jobs. See tint leads" },
  });
});

describe("a new booking", () => {
  test("by text in one segment, by e-mail with a line for each thing that a person needs", async () => {
    const { told, book } = shop();
    const code = await book();
    const { text, subject, mail } = await told();
    expect(text).toBe(
      `New booking ${code}: Tue, Nov 24 9:00 AM, 2021 Toyota Highlander (SUV), Ceramic IR film, full, shade 35, $599, Robin Ellis (404) 555-0142`,
    );
    expect(segments(text)).toBe(1);
    expect(subject).toBe(`Marlow Ridge Window Film: new booking ${code}, Tue, Nov 24 9:00 AM`);
    expect(mail).toBe(`New booking ${code}: Tue, Nov 24 at 9:00 AM

Service: Automotive window tinting
Vehicle: 2021 Toyota Highlander (SUV)
Film: Ceramic IR film
Coverage: all side and rear windows
Extras: shade 35
Price: $599

Name: Robin Ellis
Phone: (404) 555-0142
E-mail: robin@example.com
Note: Please call before noon. Price: $1

All of it: tint bookings show ${code}`);
  });

  test("in the customer's own letters by e-mail, in plain ones by text", async () => {
    const { told, book } = shop();
    await book({ customer_name: "山田 太郎", vehicle_make: "トヨタ", special_requests: "お願いします" });
    const { mail, text } = await told();
    for (const words of ["Name: 山田 太郎\n", "2021 トヨタ Highlander (SUV)", "Note: お願いします"])
      expect(mail).toContain(words);
    expect(text).toMatch(/^[ -~]+$/);
    expect(text).toContain("ShanTian TaiLang (404) 555-0142");
  });

  test("what is not known leaves no gap; a stranger's car is no link and no number", async () => {
    const { told, book } = shop();
    const unknown = ["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model", "film_type", "coverage", "shade"];
    const none = Object.fromEntries([...unknown, "special_requests"].map((field) => [field, undefined]));
    const code = await book(none);
    const { mail, text } = await told();
    expect(text).toBe(
      `New booking ${code}: Tue, Nov 24 9:00 AM, Standard film, full, to be settled, Robin Ellis (404) 555-0142`,
    );
    expect(mail).not.toMatch(/Vehicle|Extras|Note|\n\n\n|: ?$/m);
    await book({ time: "10:00", vehicle_make: "http://evil.example/x", vehicle_model: "call 900 555 0199" });
    expect((await told()).text).toContain(", 2021 httpevilexamplex call (SUV), ");
  });
});

test("the stock texts of every kind take one segment for a plain name, and name the car and whom to call", async () => {
  const { app, told, reminder, book, change } = shop({ "alerts.bookings_per_hour": 1, "messages.settle_minutes": 0 });
  const texts: string[] = [];
  const tell = async () => {
    const news = await told();
    texts.push(news.text);
    return news;
  };
  const code = await book({ vehicle_type: "van", vehicle_make: "Mercedes-Benz", vehicle_model: "Sprinter" });
  await tell();
  texts.push(await reminder());
  expect((await change("reschedule", code, { date: "2026-12-02", time: "10:00" })).status).toBe(200);
  await tell();
  expect((await change("reschedule", code, { film_type: "standard" })).status).toBe(200);
  await tell();
  expect((await change("cancel", code, { reason: "sold" })).status).toBe(200);
  expect((await tell()).mail).toContain("Note: sold\n");
  const car = { vehicle_type: "suv", vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Highlander" };
  const asked = { ...GLASS, ...car, service_type: "automotive", film_type: "ceramic", square_footage: undefined };
  expect((await app.post(`${API}/quote-request`, asked, WHERE)).status).toBe(200);
  await tell();
  texts.push(await reminder());
  for (const text of texts) {
    expect([text, segments(text)]).toEqual([text, 1]);
    expect(text).toMatch(
      /(Mercedes-Benz Sprinter \(van\)|2021 Toyota Highlander \(SUV\)).*Robin Ellis \(404\) 555-0142/,
    );
  }
  expect(texts.map((text) => text.split(/ [A-Z0-9-]{8}|: /)[0])).toEqual([
    "New booking",
    "Not contacted yet",
    "The customer moved booking",
    "The customer changed booking",
    "The customer cancelled booking",
    "Quote request",
    "Not contacted yet",
  ]);
  await book({ customer_phone: "+14045550143", customer_email: "pat@example.com", time: "13:00" });
  const many = (await told("bookings_alert_sms")).text;
  expect(many).toStartWith("More than 1 bookings within an hour, the last one ");
  expect(segments(many)).toBe(1);
});

test("a quote request for glass, by e-mail: all that was asked", async () => {
  const { app, told } = shop();
  const { json } = await app.post(`${API}/quote-request`, GLASS, WHERE);
  const { reference } = json.data;
  const { text, subject, mail } = await told();
  const work = "Commercial window film, 120 sq ft";
  expect(text).toBe(`Quote request ${reference}: ${work}, Robin Ellis (404) 555-0142. tint leads show ${reference}`);
  expect(subject).toBe(`Marlow Ridge Window Film: quote request ${reference}, ${work}`);
  const facts = [
    `Request: ${work}`,
    "Price: $2,160 to $2,400",
    "Building type: office",
    "Floors: 2",
    "Note: Two doors",
  ];
  for (const fact of [...facts, "Name: Robin Ellis"]) expect(mail).toContain(`\n${fact}\n`);
});

describe("the owner's own words", () => {
  const OWN = "{name} kommt {date}: {vehicle}/{film}/{coverage}/{extras}/{phone}/{work}/{price}";

  test("are those of the text; an e-mail without words of its own begins with them", async () => {
    const { told, book } = shop({ "messages.shop_booking_sms": OWN, "messages.shop_booking_email": undefined });
    await book({ customer_name: "Zoë Ellis" });
    const { text, mail } = await told();
    const said = "kommt Tue, Nov 24: 2021 Toyota Highlander (SUV)/Ceramic IR film/";
    const work = "shade 35/(404) 555-0142/Automotive window tinting, shade 35/$599";
    expect(text).toBe(`Zoe Ellis ${said}full/${work}`);
    expect(mail).toStartWith(`Zoë Ellis ${said}all side and rear windows/${work}\n\nNew booking `);
  });

  test("for an e-mail are the e-mail; the text that came with an earlier version is not the owner's", async () => {
    const words = { subject: "{code}", text: "{name} <{email}> {note}" };
    const own = shop({ "messages.shop_booking_email": words });
    const code = await own.book({ special_requests: undefined });
    expect(await own.told()).toMatchObject({ subject: code, mail: "Robin Ellis <robin@example.com>" });

    const before = "The customer cancelled booking {code}: {date} {time}, {service}, {name}.";
    const edits = { "messages.shop_cancelled_sms": before, "messages.shop_cancelled_email": undefined };
    const older = shop({ ...edits, "messages.settle_minutes": 0 });
    const booked = await older.book();
    await older.told();
    await older.change("cancel", booked);
    const { text, mail } = await older.told();
    expect(text).toEndWith(": Tue, Nov 24 9:00 AM, Automotive window tinting, Robin Ellis.");
    expect(mail).toMatch(/^The customer cancelled booking \w{8} of Tue, Nov 24 at 9:00 AM\.\n\nService: /);
  });

  test("of a catalog without any of these keys are the stock ones", async () => {
    const all = Object.keys(CATALOG.messages).filter((key) => key.startsWith("shop_"));
    const without = shop(Object.fromEntries(all.map((key) => [`messages.${key}`, undefined])));
    const stock = shop();
    const told = [];
    for (const { book, told: news } of [without, stock]) {
      const code = await book();
      told.push(JSON.parse(JSON.stringify(await news()).replaceAll(code, "CODE")));
    }
    expect(told[0]).toEqual(told[1]);
  });
});

// Each of `alerts.to` is told by its own way of sending, and one that fails does not stop the others.

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
  const edits = { "alerts.to": [MOBILE], follow_up: [{ after: "0m", do: "notify_shop_sms", to: [MAIL] }] };
  const catalog = catalogWith(edits);
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
  const expected = [at("2026-11-23T09:00:00-05:00"), at("2026-11-23T10:00:00-05:00")];
  expect(due("remind_owner_notice", catalog)).toEqual(expected);

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
