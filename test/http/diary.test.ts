/** The diary: what answers read of it, its feed in the owner's phone, and what goes on while the database does not answer. */
import { describe, expect, spyOn, test } from "bun:test";
import { mintCalendarToken } from "../../src/lib/ids.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { NewLead, Store } from "../../src/store/store.ts";
import { StoreUnavailable } from "../../src/store/store-errors.ts";
import { fileApp, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, bookingOn, freshPhone, NOW, QUOTE, withoutFreshIds } from "../fixed-day.ts";
import { appWith, CATALOG } from "../helpers.ts";

const WEEK = `${API}/availability?days=7&vehicle_type=suv`;
const ESTIMATE = { vehicle_type: "suv", film_type: "ceramic" };

const book = async (app: TestApp, time: string, date = BOOKING.date) => {
  const { status, json } = await app.post(
    `${API}/bookings`,
    { ...BOOKING, date, time, customer_phone: freshPhone(), customer_email: `${freshPhone().slice(1)}@example.com` },
    { from: `198.51.100.${++callers}` },
  );
  return { status, code: json.data?.confirmation_code as string };
};

let callers = 0;

function counting(store: Store) {
  const reads = { bookings: 0 };
  const busyBetween: Store["busyBetween"] = (...span) => {
    reads.bookings += 1;
    return store.busyBetween(...span);
  };
  return { reads, store: { ...store, busyBetween } };
}

test("thirty days are one read of the bookings", async () => {
  const { reads, store } = counting(openSqliteStore(":memory:"));
  await testApp({ store }).get(`${API}/availability?days=30&vehicle_type=suv`);
  expect(reads.bookings).toBe(1);
});

test("estimates read nothing while their sample is fresh, which is a second", async () => {
  const { reads, store } = counting(openSqliteStore(":memory:"));
  const app = testApp({ store });
  const sample = async () =>
    withoutFreshIds((await app.post(`${API}/estimates`, ESTIMATE)).json.next_actions[1].sample_request);
  const first = await sample();
  for (let i = 0; i < 20; i++) expect(await sample()).toEqual(first);
  expect(reads.bookings).toBeLessThan(5);
  for (let bay = 0; bay < CATALOG.scheduling.bays; bay++) {
    expect((await book(app, first.time, first.date)).status).toBe(201);
  }
  expect(await sample()).not.toMatchObject({ date: first.date, time: first.time });
});

test("a failed read is not kept", async () => {
  let isBroken = true;
  const app = fileApp({}, (store) => ({
    ...store,
    busyBetween: (...span) => (isBroken ? Promise.reject(new Error("broken")) : store.busyBetween(...span)),
  }));
  expect((await app.get(WEEK)).status).toBe(500);
  expect((await app.post(`${API}/estimates`, ESTIMATE)).status).toBe(500);
  isBroken = false;
  expect((await app.get(WEEK)).status).toBe(200);
  expect((await app.post(`${API}/estimates`, ESTIMATE)).status).toBe(200);
});

const TODAY = NOW.epochMilliseconds;

async function published(edits: Record<string, unknown> = {}) {
  const app = appWith(edits);
  const { token, hash } = mintCalendarToken();
  await app.store.setCalendarHash(hash, TODAY);
  const read = async (name = `${token}.ics`) => await app.get(`/calendar/${name}`);
  const booked = async () =>
    (await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: `${BOOKING.customer_phone} x12` })).json.data
      .confirmation_code as string;
  return { app, token, read, booked };
}

/** An entry's lines, unfolded. */
function eventOf(text: string, code: string): string[] {
  const entries = text.replace(/\r\n /g, "").split("BEGIN:VEVENT");
  return entries.find((entry) => entry.includes(`UID:${code}@`))?.split("\r\n") ?? [];
}

test("tells who comes, with a UID that stays, a SEQUENCE that rises, and cancelled bookings as such", async () => {
  const { app, read, booked } = await published();
  const code = await booked();
  const first = await read();
  expect(first.status).toBe(200);
  expect(first.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
  expect(first.headers.get("X-Robots-Tag")).toBe("noindex");
  expect(first.headers.get("Cache-Control")).toBe("private, no-store");
  const entry = eventOf(first.text, code);
  expect(entry).toContain("SEQUENCE:0");
  expect(entry).toContain("STATUS:CONFIRMED");
  expect(entry.find((line) => line.startsWith("SUMMARY:"))).toContain(BOOKING.customer_name);
  expect(entry.join()).toContain("+14045550111 x12");
  expect(entry.find((line) => line.startsWith("DTSTART"))).toMatch(/^DTSTART:\d{8}T\d{6}Z$/);
  await app.store.changeBookingStatus(code, "cancelled_by_shop", TODAY);
  const cancelled = eventOf((await read()).text, code);
  expect(cancelled).toContain("SEQUENCE:1");
  expect(cancelled).toContain("STATUS:CANCELLED");
  const times = (lines: string[]) => lines.filter((line) => /^DT(START|END)/.test(line));
  expect(times(cancelled)).toEqual(times(entry));
  await app.store.reopenBookings([code], 2, TODAY);
  const again = eventOf((await read()).text, code);
  expect(again).toContain("SEQUENCE:2");
  expect(again).toContain("STATUS:CONFIRMED");
});

test("tells shade, extras, old film and bay; who did not come is cancelled; the last line ends too", async () => {
  const { app, read } = await published();
  const work = { film_type: "ceramic", shade: 35, addons: ["sunroof"], remove_old_film: true };
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...work });
  const { confirmation_code: code, date } = json.data;
  const { text } = await read();
  const entry = eventOf(text, code).find((line) => line.startsWith("DESCRIPTION:")) ?? "";
  for (const part of ["Film removal", "Sunroof", "shade 35", "\\nBay 1\\n"]) expect(entry).toContain(part);
  expect(text).toEndWith("END:VCALENDAR\r\n");
  await app.store.changeBookingStatus(code, "no_show", Temporal.Instant.from(`${date}T23:59:00Z`).epochMilliseconds);
  expect(eventOf((await read()).text, code)).toContain("STATUS:CANCELLED");
});

test("what is blocked is at its time, with bay and reason", async () => {
  const { read } = await published({
    "scheduling.blocked_dates": [{ date: "2026-11-25" }],
    "scheduling.blocked_hours": [{ date: "2026-11-24", from: "13:00", to: "15:00", bay: 2, reason: "Sam is ill" }],
  });
  const { text } = await read();
  const hours = eventOf(text, "blocked-2026-11-24-1300-2");
  for (const line of ["DTSTART:20261124T180000Z", "DTEND:20261124T200000Z", "SUMMARY:Blocked: Sam is ill"])
    expect(hours).toContain(line);
  expect(hours.join()).toContain("DESCRIPTION:Bay 2 is closed from 1:00 PM to 3:00 PM");
  expect(eventOf(text, "blocked-2026-11-25-0900-all")).toContain("DTSTART:20261125T140000Z");
});

test("initials: neither name nor phone nor price", async () => {
  const { read, booked } = await published({ "calendar.details": "initials" });
  await booked();
  const text = (await read()).text.replace(/\r\n /g, "");
  expect(text).toMatch(/SUMMARY:[A-Z]\. [A-Z]\./);
  for (const secret of [BOOKING.customer_name, "+1404", "$"]) expect(text).not.toContain(secret);
});

test("without the right address there is nothing, as for any unknown path", async () => {
  const { app, token, read } = await published();
  for (const name of ["", token, "x.ics", `${token}.ics.ics`, `${"a".repeat(32)}.ics`]) {
    const { status, json } = await read(name);
    expect([name, status, json.error_code]).toEqual([name, 404, "NOT_FOUND"]);
  }
  await app.store.setCalendarHash(null, TODAY);
  expect((await read()).status).toBe(404);
});

describe("while the database does not answer", () => {
  const away = () => new Promise<never>(() => {});

  test("estimates go on, with the price lock and a sample, and so do answers without a diary", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    expect((await app.post(`${API}/estimates`, { vehicle_type: "suv" })).status).toBe(200);
    const gone: Partial<Store> = { lockSecret: away, busyBetween: away, dataVersion: away };
    Object.assign(store, gone);
    // What was read counts as fresh for a second.
    app.advance({ seconds: 5 });
    const monotonic = performance.now.bind(performance);
    using _later = spyOn(performance, "now").mockImplementation(() => monotonic() + 5_000);
    const asked = performance.now();
    const { status, json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
    expect(status).toBe(200);
    expect(json.data.estimate_id).toBeString();
    expect(json.next_actions.map(({ action }: { action: string }) => action)).toContain("book_appointment");
    expect(performance.now() - asked).toBeLessThan(2_000);
    for (const path of ["/services", "/faq", "/location", "/capabilities", "/docs"])
      expect((await app.get(API + path)).status).toBe(200);
  });

  test("a key that was known goes on, and one that was not cannot be judged", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    const [known, other] = [1, 2].map(async (i) => {
      const { json } = await app.post(`${API}/register`, { name: "Pat", email: `pat${i}@example.com` });
      return { headers: { Authorization: `Bearer ${json.data.api_key}` } };
    });
    const withKey = async (key: Promise<{ headers: Record<string, string> }> | undefined) =>
      (await app.get(`${API}/services`, await key)).status;
    expect(await withKey(known)).toBe(200);
    store.findKey = () => Promise.reject(new StoreUnavailable("away"));
    expect(await withKey(known)).toBe(200);
    expect(await withKey(other)).toBe(503);
  });

  test("a booking that stands is told again, even when its quotas cannot be read", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    const body = { ...BOOKING, booking_request_id: "stands" };
    const first = await app.post(`${API}/bookings`, body);
    store.quotaUse = () => Promise.reject(new StoreUnavailable("away"));
    const { status, json } = await app.post(`${API}/bookings`, body);
    expect([status, json.data]).toEqual([201, first.json.data]);
  });

  test("a key that was stored is told, even when no open time can be read", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    store.busyBetween = () => Promise.reject(new StoreUnavailable("away"));
    const { status, json } = await app.post(`${API}/register`, { name: "Pat", email: "pat@example.com" });
    expect([status, json.data.api_key]).toEqual([201, expect.any(String)]);
  });
});

test("a body with faults is refused at once while the database does not answer", async () => {
  const { store } = testApp();
  const app = testApp({ store: { ...store, busyBetween: () => new Promise<never>(() => {}) } });
  const { status, json } = await app.post(`${API}/bookings`, { ...BOOKING, customer_name: undefined });
  expect([status, json.missing_fields]).toEqual([400, ["customer_name"]]);
  expect(json.usage.fill_in).toContain("customer_name");
}, 3_000);

test.each([
  ["/quote-request", QUOTE],
  ["/register", { name: "Pat", email: "pat@example.com" }],
])("while the store cannot write, %s says that it stored nothing, and when to come again", async (path, body) => {
  const { store } = testApp();
  const refuse = () => Promise.reject(new StoreUnavailable("busy"));
  const app = testApp({ store: { ...store, addLead: refuse, addKey: refuse } });
  const { status, headers, json } = await app.post(API + path, body);
  expect(status).toBe(503);
  expect(json.error_code).toBe("INTERNAL_ERROR");
  expect(json.message).toBe("The shop's records cannot be reached just now. This request stored nothing.");
  expect([headers.get("retry-after"), json.retry_after_seconds]).toEqual(["5", 5]);
});

test("a booking or quote request whose new code is in use gets another code", async () => {
  let clash: NewLead | undefined;
  /** The first lead of a request gets the reference of an earlier lead. */
  const clashing = (lead: NewLead): NewLead => {
    const given = clash ? { ...lead, reference: clash.reference } : lead;
    clash = clash ? undefined : lead;
    return given;
  };
  const app = fileApp({}, (store) => ({
    ...store,
    addLead: (lead) => store.addLead(clashing(lead)),
    book: (booking, ...rest) => store.book({ ...booking, lead: clashing(booking.lead) }, ...rest),
  }));
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
  expect(app.counts()).toMatchObject({ leads: 4, bookings: 1 });
});

test("after the clock went back by an hour, a quota asks nobody to wait longer than its window", async () => {
  const app = testApp();
  const book = (date: string) => app.post(`${API}/bookings`, bookingOn(date));
  for (const date of ["2026-11-24", "2026-11-25", "2026-11-30"]) expect((await book(date)).status).toBe(201);
  app.advance({ seconds: -30 });
  const refused = await book("2026-12-01");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 601);
  app.advance({ hours: -1 });
  expect((await book("2026-12-01")).status).toBe(201);
});
