/**
 * How the shop reaches its customers, and what they are told: calls that the owner must make, texts that did not arrive, the
 * papers of the carriers, and extensions of phones.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { createMetrics } from "../../src/programs/metrics.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { dateFromNow, NOW } from "../fixed-day.ts";
import { until } from "../jobs/outbox.ts";
import { startMailServer, startNtfy } from "../jobs/receivers.ts";
import { startTwilio } from "../jobs/twilio.ts";
import { freePort, OPEN_DAILY, type ShopFolder, shopFolder } from "../process/server.ts";
import { apiOf } from "../screens/shop.ts";
import { CATALOG } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { booked, saying, tint, tintCsv, tintJson, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const WHO = ["--film", "ceramic", "--name", "Robin Example", "--phone", "404-555-0143"];

test("a move that nothing tells of is to be called about, until it is done or undone", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, ...WHO);
  const calls = async () => await tintJson(folder, ["calls"]);
  const move = (day: number, ...more: string[]) => tint(folder, ["bookings", "move", code, dateFromNow(day), ...more]);
  expect((await move(4)).stderr).toMatch(
    new RegExp(`\nNobody is told \\([^)]+\\): call \\(404\\) 555-0143\\. Then: tint calls done ${code}\n$`),
  );
  expect(await calls()).toMatchObject([{ confirmation_code: code, name: "Robin Example", phone: "+14045550143" }]);
  expect((await tint(folder, ["calls"])).stdout).toMatch(/Robin Example +\(404\) 555-0143 +.*, now /);
  expect((await tint(folder, ["doctor"])).stdout).toContain("1 customer must be called about a change");
  // Back to the time that the customer knows: nobody is to be called.
  expect((await move(3)).stderr).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  // Who tells the customer says so.
  expect((await move(5, "--quiet")).stderr).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  expect((await tint(folder, ["bookings", "cancel", code])).stderr).toContain("Nobody is told");
  expect((await tint(folder, ["calls"])).stdout).toContain("is cancelled");
  expect((await tint(folder, ["calls", "done", code])).stderr).toContain("Robin Example was called");
  expect(await calls()).toEqual([]);
  expect((await tint(folder, ["calls", "done", code])).status).toBe(1);
});

test.each([true, false])(
  "a change with a message that goes out needs no call; moves have one: %p",
  async (areMovesTold) => {
    using folder = shopFolder({
      ...OPEN_DAILY,
      "messages.confirmation_email.enabled": true,
      "messages.cancelled_email.enabled": true,
      "messages.rescheduled_email.enabled": areMovesTold,
    });
    const env = { SMTP_URL: "smtp://127.0.0.1:2525", MAIL_FROM: "shop@example.com" };
    const code = await booked(folder, ...WHO, "--email", "robin@example.com", "--quiet");
    const callsAfter = async (act: string, ...more: string[]) => {
      await tint(folder, ["bookings", act, code, ...more], { env });
      return (await tintJson(folder, ["calls"])).length;
    };
    // Brought back before the message went out, the customer knows of nothing else.
    expect([await callsAfter("cancel"), await callsAfter("reopen")]).toEqual([0, 0]);
    const isCalled = areMovesTold ? 0 : 1;
    expect(await callsAfter("move", dateFromNow(4))).toBe(isCalled);
    // The message that it is cancelled, which tells them, never went out.
    expect([await callsAfter("cancel"), await callsAfter("reopen")]).toEqual([0, isCalled]);
    expect(await callsAfter("move", dateFromNow(3))).toBe(0);
  },
);

test("whose confirmation lapsed unsent is told of a move, and of the way back", async () => {
  using folder = shopFolder({ ...OPEN_DAILY, "messages.confirmation_email.enabled": true });
  const env = { SMTP_URL: "smtp://127.0.0.1:2525", MAIL_FROM: "shop@example.com" };
  const code = await booked(folder, ...WHO, "--email", "robin@example.com");
  for (const day of [4, 3]) {
    const moved = await tint(folder, ["bookings", "move", code, dateFromNow(day)], { env });
    expect(moved.stderr).not.toContain("Nobody is told");
    expect((await tintJson(folder, ["outbox"])).map(({ kind }: { kind: string }) => kind)).toContain(
      "rescheduled_email",
    );
  }
});

test("what the customer asked for needs no call", async () => {
  using folder = shopFolder(OPEN_DAILY);
  const code = await booked(folder, ...WHO);
  const calls = async () => await tintJson(folder, ["calls"]);
  const bookings = async (...words: string[]) => (await tint(folder, ["bookings", ...words])).stderr;
  expect(await bookings("move", code, dateFromNow(4), "--by", "customer")).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  expect(await bookings("move", code, dateFromNow(5))).toContain("Nobody is told (such messages are off)");
  expect(await calls()).toHaveLength(1);
  expect(await bookings("cancel", code, "--by", "customer")).not.toContain("Nobody is told");
  expect(await calls()).toEqual([]);
  // Who came needs no call either.
  const came = await booked(folder, ...WHO);
  await bookings("move", came, dateFromNow(4));
  expect(await calls()).toHaveLength(1);
  await tint(folder, ["bookings", "complete", came], { now: NOW.add({ hours: 24 * 5 }) });
  expect(await calls()).toEqual([]);
});

const PHONE = "+14045550111";
const REASON = "it did not arrive (21610: the receiver has replied STOP)";

/** A shop whose customer replied STOP while a text was on its way. */
async function shopWithStop() {
  const folder = shopFolder();
  const store = openSqliteStore(folder.data);
  const now = Date.now();
  const payload = { to: PHONE, text: "Booked. Code 7F3A1B2C" };
  const jobs = [{ kind: "confirmation_sms" as const, payload, dueAt: now, unless: null }];
  await store.book(newBooking({ startAt: now + 864e5, createdAt: now, lead: { jobs, createdAt: now } }), 1, []);
  for (const { id } of await store.claimJobs({
    ...{ kinds: ["confirmation_sms"], now, lastsMs: 1, fresh: 9, retries: 9, running: [] },
  }))
    await store.settleJobs([{ id, kind: "done", messageSid: "SM1" }]);
  const asked = await store.claimUnconfirmedTexts({ now: now + 6_000, lastsMs: 1, limit: 9 });
  const news = asked.map(({ id, messageSid }) => ({
    ...{ id, messageSid, kind: "undelivered" as const, reason: REASON, isOptOut: true },
  }));
  await store.settleDeliveryReports(news, false, now);
  const collected = createMetrics({
    catalog: () => ({ hash: "abc", catalog: CATALOG }),
    kinds: () => [],
    channels: { twilio: null, crm: null, mail: null, push: null },
    droppedLines: () => 0,
  });
  const metrics = await collected.text(store);
  await store.close();
  return { folder, metrics };
}

test("an undelivered text is in the outbox, in doctor and in the metrics; the card shows that texts are stopped", async () => {
  const { folder, metrics } = await shopWithStop();
  using _ = folder;
  expect(metrics).toContain('tintdesk_texts_last_day{state="undelivered"} 1');
  expect(metrics).toContain('tintdesk_texts_last_day{state="delivered"} 0');
  expect((await tintToday(folder, "outbox")).stdout).toMatch(/1 +undelivered +confirmation text/);
  const [job] = await tintJson(folder, "outbox", { now: "machine" });
  expect(job).toMatchObject({ status: "failed", arrival: "undelivered", last_error: REASON });
  const { checks } = await tintJson(folder, "doctor", { env: { PORT: "0" }, now: "machine" });
  const counts = "of 1 text in the last day 0 arrived, 0 may still arrive, 1 did not. Why: 21610: the receiver has";
  const message = expect.stringContaining(counts);
  expect(checks).toContainEqual(expect.objectContaining({ name: "arrival", level: "warning", message }));
  const card = await tintToday(folder, ["find", "404 555 0111"]);
  expect(card.stdout).toMatch(/Texts +stopped since .*21610.*tint outbox allow \+14045550111/);
});

test("the owner lets texts go to a customer again; a number that was not stopped is said to be none", async () => {
  const { folder } = await shopWithStop();
  using _ = folder;
  const stopped = async () => (await tintJson(folder, ["find", PHONE], { now: "machine" }))[0].texts_stopped;
  expect(await stopped()).toMatchObject({ reason: REASON });
  const allowed = await tintToday(folder, ["outbox", "allow", "404-555-0111", "--json"]);
  expect(allowed).toMatchObject(saying(0, `Texts go to ${PHONE} again.`));
  expect(JSON.parse(allowed.stdout)).toEqual({ phone: PHONE, texts_stopped: null });
  expect(await stopped()).toBeNull();
  const again = await tintToday(folder, ["outbox", "allow", PHONE]);
  expect(again).toMatchObject(saying(0, `Texts to ${PHONE} were not stopped.\n`));
  expect((await tintToday(folder, ["outbox", "allow", "nobody"])).status).toBe(2);
});

test("the papers hold the shop's facts, its box for texts, and samples of the texts that it sends", async () => {
  using folder = shopFolder({
    "messages.ready_sms": { enabled: true, text: "{shop}: {name}, your car is ready" },
    "site.texts.sms_consent": "Text me.",
  });
  const env = { TINT_SITE_URL: "https://book.lakeside.example" };
  const { stdout } = await tint(folder, ["texts", "register"], { env });
  for (const words of [
    "Opt-in page: https://book.lakeside.example/book\n",
    "Privacy policy: https://book.lakeside.example/book/privacy\n",
    'Beside it stands: "Text me."',
    "  1. Marlow Ridge Window Film: Jordan Sample, your car is ready\n",
    "site.texts.sms_consent must say that message and data rates may apply",
    "None of the texts says how to end them",
  ])
    expect(stdout).toContain(words);
  expect(stdout).not.toContain("  2. ");
  const stock = await tintJson(folder, ["texts", "register"]);
  expect(stock.samples).toHaveLength(1);
});

test("doctor --send-test reaches each of alerts.to, and tells what became of a text", async () => {
  await using twilio = await startTwilio();
  using mail = await startMailServer((to) => (to === "owner@example.com" ? 550 : undefined));
  using ntfy = startNtfy();
  using folder = shopFolder({ "alerts.to": ["+15125550143", "owner@example.com", ntfy.topic] });
  const blocked = until(
    () => twilio.messages[0],
    (message) => message !== undefined,
  ).then((message) => Object.assign(message ?? {}, { status: "undelivered", error_code: 30034 }));
  const env = { ...twilio.env, ...mail.env, PORT: String(freePort()) };
  const { status, stdout } = await tint(folder, ["doctor", "--send-test", "--json"], { env });
  await blocked;
  expect(status).toBe(1);
  const tests = JSON.parse(stdout).checks.filter(({ name }: { name: string }) => name === "test message");
  expect(tests.map(({ level, message }: { level: string; message: string }) => [level, message])).toEqual([
    ["fault", expect.stringMatching(/^The test text to \+15125550143 was not delivered: .*\(30034: .*10DLC\)\)$/)],
    ["fault", "The e-mail does not work: the mail server answered 550"],
    ["ok", `A test message arrived at ${ntfy.topic}`],
  ]);
  expect(ntfy.received).toHaveLength(1);
});

describe("the extension of a phone", () => {
  const MONDAY = "2026-11-23";
  const SHOWN = "(404) 555-0177 x12";

  /** A booking and a quote request of a company's customer. */
  async function shopWithRobin(): Promise<{ folder: ShopFolder; code: string }> {
    const folder = shopFolder();
    await using api = apiOf(folder, {}, NOW.subtract({ hours: 26 }));
    const code = await api.book({
      ...{ date: MONDAY, time: "09:00", customer_name: "Robin Ellis", customer_phone: "404-555-0177 ext. 12" },
      ...{ customer_email: "robin@ellis.example" },
    });
    await api.ask({ first_name: "Robin", phone: "+1 (404) 555-0177, 12" });
    return { folder, code };
  }

  /** What a command prints, on both streams. */
  async function said(folder: ShopFolder, ...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await tint(folder, args);
    expect([args.join(" "), status, stderr]).toEqual([args.join(" "), 0, stderr]);
    return stdout + stderr;
  }

  test("is in every list and print, in JSON and in CSV", async () => {
    const { folder, code } = await shopWithRobin();
    using _ = folder;
    const [, reference = ""] = /(Q-\w+)/.exec(await said(folder, "leads")) ?? [];
    for (const args of [
      ["bookings", "show", code],
      ["day", MONDAY],
      ["leads"],
      ["leads", "show", reference],
      ["find", "robin"],
      ["find", "404-555-0177", "x99"],
      ["find", "404-555-0177,12"],
    ])
      expect([args, await said(folder, ...args)]).toEqual([args, expect.stringContaining(SHOWN)]);
    const json = async (...args: string[]) => await tintJson(folder, [...args]);
    const known = { phone: "+14045550177", phone_extension: "12" };
    expect((await json("bookings", "show", code)).customer).toMatchObject(known);
    expect((await json("bookings", "--from", MONDAY))[0].customer).toMatchObject(known);
    expect((await json("leads"))[0]).toMatchObject(known);
    expect(await json("leads", "show", reference)).toMatchObject(known);
    expect((await json("find", "404-555-0177"))[0]).toMatchObject(known);
    for (const args of [["bookings", "--from", MONDAY], ["leads"], ["find", "robin"]])
      expect((await tintCsv(folder, args)).stdout).toMatch(
        /,phone,.*,phone_extension.*\n.*,\(404\) 555-0177,.*,12(,|\n)/,
      );
  });

  test("is typed by the owner, corrected and taken away", async () => {
    const { folder } = await shopWithRobin();
    using _ = folder;
    const typed = ["--date", MONDAY, "--time", "2pm", "--name", "Sam Rivera", "--phone", "404-555-0178 #7"];
    const [, code = ""] = /The code is (\w+)/.exec(await said(folder, "book", "suv", ...typed)) ?? [];
    expect(await said(folder, "bookings", "show", code)).toContain("Sam Rivera, (404) 555-0178 x7");
    await said(folder, "bookings", "edit", code, "--name", "Sam Rivers");
    expect(await said(folder, "bookings", "show", code)).toContain("Sam Rivers, (404) 555-0178 x7");
    const edited = await said(folder, "bookings", "edit", code, "--phone", "404-555-0178 x8");
    expect(edited).toContain("(404) 555-0178 x7");
    expect(await said(folder, "bookings", "show", code)).toContain("(404) 555-0178 x8");
    await said(folder, "bookings", "edit", code, "--phone", "404-555-0178");
    expect(await said(folder, "bookings", "show", code)).not.toContain("0178 x");
    const asked = await said(folder, "leads", "add", "--name", "Dana Molar", "--phone", "404-555-0179 x5");
    const [reference = ""] = /Q-\w+/.exec(asked) ?? [];
    expect(await said(folder, "leads", "show", reference)).toContain("Dana Molar, (404) 555-0179 x5");
    await said(folder, "leads", "book", reference, "suv", "--date", MONDAY, "--time", "4pm", "--anyway");
    expect(await said(folder, "bookings", "--from", MONDAY, "--csv")).toMatch(/Dana Molar,\(404\) 555-0179,.*,5\r\n/);
  });

  test("the owner is told of a contact that looks mistyped", async () => {
    using folder = shopFolder();
    const slip = ["--name", "Sam Rivera", "--phone", "111-111-1111", "--email", "sam@gmial.com"];
    const doubts = [
      /\. Nobody can have the phone number/,
      /\. The e-mail .* in gmial\.com: ask whether gmail\.com is meant/,
    ];
    const booked = await said(folder, "book", "suv", "--date", MONDAY, "--time", "9am", ...slip);
    const [, code = ""] = /The code is (\w+)/.exec(booked) ?? [];
    const edited = await said(folder, "bookings", "edit", code, "--email", "sam@gmail.con");
    const asked = await said(folder, "leads", "add", ...slip);
    for (const doubt of doubts) for (const text of [booked, asked]) expect(text).toMatch(doubt);
    expect(edited).toMatch(/ends in gmail\.con/);
  });

  test("erases the person, listed with it", async () => {
    const { folder } = await shopWithRobin();
    using _ = folder;
    const listed = await said(folder, "forget", "404-555-0177 ext. 99", "--anyway", "--yes");
    expect(listed).toContain(SHOWN);
    const { stdout } = await tint(folder, ["find", "404-555-0177"]);
    expect(stdout).toBe("");
  });

  test("a person is found and erased by the address that was typed", async () => {
    using folder = shopFolder();
    const zoe = ["--name", "Zoë Müller", "--phone", "404-555-0178", "--email", "zoe@müller.example"];
    await said(folder, "leads", "add", ...zoe);
    expect(await said(folder, "find", "zoe@müller.example")).toContain("zoe@xn--mller-kva.example");
    expect(await said(folder, "forget", "zoe@müller.example", "--yes")).toContain("Zoë Müller");
  });
});
