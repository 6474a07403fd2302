/** Erased people are in no column and nowhere in the bytes of the files. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { JOB_KINDS } from "../../src/constants.ts";
import { API, BOOKING, CATALOG, catalogWith, fileApp, NOW, QUOTE, registerKey } from "../helpers.ts";
import { attemptOf } from "./conformance-values.ts";

const NAME = "Xanthippe Quill";
const EMAIL = "xanthippe@quill.example";
const MARKS = ["Xanthippe", "xanthippe", "4045550173", "Quill Lane"];
const AT = NOW.epochMilliseconds;
const consent = { confirmed_by_user: true, sms: true, statement: `${NAME} agrees` };

/** Columns that hold one of the marks. */
function columnsWithMarks(db: Database): string[] {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.flatMap(({ name }) =>
    db
      .query<Record<string, unknown>, []>(`SELECT * FROM ${name}`)
      .all()
      .flatMap((row) => Object.entries(row))
      .filter(([, value]) => MARKS.some((mark) => String(value).includes(mark)))
      .map(([column]) => `${name}.${column}`),
  );
}

/** Marks in the bytes of the database and its log. */
function marksInFiles(db: Database): string[] {
  return [db.filename, `${db.filename}-wal`]
    .filter((file) => existsSync(file))
    .flatMap((file) => MARKS.filter((mark) => readFileSync(file).includes(mark)));
}

async function shopThatKnowsHer() {
  const message = { enabled: true, text: "{name}, {date} {time}: {code}" };
  const catalog = catalogWith({
    "messages.confirmation_sms": message,
    "messages.reminder_sms": message,
  });
  const app = fileApp({ catalog });
  const person = { customer_name: NAME, customer_phone: "404-555-0173", customer_email: EMAIL };
  const booking = { ...BOOKING, ...person, special_requests: `${NAME} waits outside`, consent };
  const booked = await app.post(`${API}/bookings`, { ...booking, booking_request_id: `for ${NAME}` });
  expect(booked.status).toBe(201);
  const { status } = await app.post(`${API}/quote-request`, {
    ...{ ...QUOTE, first_name: "Xanthippe", last_name: "Quill", phone: "404-555-0173", email: EMAIL },
    ...{ address: "1 Quill Lane", message: `${NAME} here`, property_info: { owner: NAME }, consent },
  });
  expect(status).toBe(200);
  await registerKey(app, EMAIL);
  for (const lead of await app.store.leads(["new"], 9))
    await app.store.moveLead(lead.id, "contacted", `rang ${NAME}`, AT);
  return { ...app, code: String(booked.json.data.confirmation_code) };
}

test("after forgetting by phone, in no column and nowhere in the files", async () => {
  const app = await shopThatKnowsHer();
  // Other customers' rows make SQLite move hers about.
  for (let i = 0; i < 40; i++)
    await app.post(
      `${API}/quote-request`,
      { ...QUOTE, email: `other${i}@example.com`, message: "x".repeat(i * 40) },
      {
        from: `198.51.100.${i}`,
      },
    );
  expect(new Set(columnsWithMarks(app.db)).size).toBeGreaterThan(10);
  expect(marksInFiles(app.db).length).toBeGreaterThan(0);
  const jobs = await app.store.claimJobs({
    ...{ kinds: JOB_KINDS, now: AT, lastsMs: 60_000, running: [] },
    ...{ fresh: 2, retries: 0 },
  });
  await app.store.settleJobs(jobs.map((job) => ({ ...attemptOf(job), kind: "failed", reason: `refused by ${EMAIL}` })));

  const byPhone = await app.store.forget({ by: "phone", value: "+14045550173" }, AT, true);
  expect(byPhone).toMatchObject({ kind: "forgotten", traces: { leads: 2, keys: 1 } });
  expect(await app.store.cleanFile()).toBe(true);
  expect(columnsWithMarks(app.db)).toEqual([]);
  expect(marksInFiles(app.db)).toEqual([]);
  // The time and the price are still there.
  expect(await app.store.findBooking(app.code)).toMatchObject({ date: BOOKING.date, answer: { film_type: "ceramic" } });
});

test("old leads leave the columns, the log and the file", async () => {
  const app = await shopThatKnowsHer();
  const later = AT + 400 * 86_400_000;
  expect(await app.store.forgetOld(later, 50, later)).toBe(2);
  expect(columnsWithMarks(app.db).filter((column) => !column.startsWith("api_keys"))).toEqual([]);
  // Only the log of a large file is cleaned.
  expect(await app.store.cleanFile(1)).toBe(false);
  expect(readFileSync(`${app.db.filename}-wal`).length).toBe(0);
  expect(await app.store.cleanFile()).toBe(true);
  // Her key stays, and with it her e-mail address.
  expect(marksInFiles(app.db)).toEqual(["xanthippe"]);
});

test("a message that was delivered or lapsed keeps no words", async () => {
  const app = await shopThatKnowsHer();
  const payloads = () =>
    app.db
      .query<{ status: string; payload: string }, []>("SELECT status, payload FROM jobs WHERE kind <> 'remind_owner'")
      .all();
  const claim = { kinds: JOB_KINDS, now: AT + 60_000, lastsMs: 60_000, fresh: 99, retries: 0, running: [] };
  const claimed = await app.store.claimJobs(claim);
  await app.store.settleJobs(claimed.map(({ id }) => ({ id, kind: "done", messageSid: `SM${id}` })));
  // Until it is known whether a text arrived, its words are kept, to send them another way.
  const arrived = claimed.map(({ id }) => ({ id, messageSid: `SM${id}`, kind: "delivered" as const }));
  await app.store.settleDeliveryReports(arrived, true);
  await app.store.changeBookingStatus(app.code, "cancelled_by_customer", AT);
  await app.store.claimJobs({ ...claim, now: AT + 365 * 86_400_000 });
  const ended = payloads().filter(({ status }) => status === "done" || status === "lapsed");
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(["done", "lapsed"]));
  expect(new Set(ended.map(({ payload }) => payload))).toEqual(new Set(["{}"]));
  // What tells a delivered message from a doubtful one stays.
  expect(await app.store.settledMessages([`SM${claimed[0]?.id}`], 0)).toHaveLength(1);
});

test("the stock catalog keeps personal data until the owner says otherwise", () => {
  expect(CATALOG.retention_days).toBeNull();
});
