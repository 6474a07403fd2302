/** Erased people are in no column and nowhere in the bytes of the files. */
import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { pino } from "pino";
import { CAPABILITY_BY_ID } from "../../src/capabilities/index.ts";
import { JOB_KINDS } from "../../src/constants.ts";
import { DAY_MS } from "../../src/lib/durations.ts";
import { startRetention } from "../../src/programs/background.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import {
  API,
  BOOKING,
  CATALOG,
  catalogWith,
  fileApp,
  manyCallers,
  NOW,
  QUOTE,
  registerKey,
  type TestApp,
} from "../helpers.ts";
import { fieldsOf, takesText, withField } from "../http/text-fields.ts";
import { untilIs } from "../jobs/outbox.ts";
import { shopFolder, startServer } from "../process/server.ts";
import { attemptOf, claimOf, newLead } from "./conformance-values.ts";

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

/** Sends a request with her name in every field that takes it. */
async function sendEverywhere({ post }: TestApp, id: "book_appointment" | "quote_request", body: object) {
  const { path, ...capability } = CAPABILITY_BY_ID[id];
  const dryRuns = manyCallers({ catalog: CATALOG });
  let wish = body;
  for (const { path: field } of fieldsOf(capability).filter(takesText)) {
    const named = withField(wish, field, NAME);
    if ((await dryRuns.post(API + path, { ...named, dry_run: true })).status === 200) wish = named;
  }
  return post(API + path, wish);
}

async function shopThatKnowsHer() {
  const message = { enabled: true, text: "{name}, {date} {time}: {code}" };
  const edits = { "messages.confirmation_sms": message, "messages.reminder_sms": message };
  const catalog = catalogWith(edits);
  const app = fileApp({ catalog });
  const person = { customer_name: NAME, customer_phone: "404-555-0173", customer_email: EMAIL };
  const booked = await sendEverywhere(app, "book_appointment", { ...BOOKING, ...person, consent });
  expect(booked.status).toBe(201);
  const asking = { first_name: "Xanthippe", last_name: "Quill", phone: "404-555-0173", email: EMAIL };
  const address = { address: "1 Quill Lane", property_info: { owner: NAME }, consent };
  expect((await sendEverywhere(app, "quote_request", { ...QUOTE, ...asking, ...address })).status).toBe(200);
  await registerKey(app, EMAIL);
  for (const lead of await app.store.leads(["new"], 9))
    await app.store.moveLead({ id: lead.id, to: "contacted", note: `rang ${NAME}`, at: AT });
  return { ...app, code: String(booked.json.data.confirmation_code) };
}

test("after forgetting by phone, in no column and nowhere in the files", async () => {
  const app = await shopThatKnowsHer();
  // Other customers' rows make SQLite move hers about.
  for (let i = 0; i < 40; i++) {
    const other = { ...QUOTE, email: `other${i}@example.com`, message: "x".repeat(i * 40) };
    await app.post(`${API}/quote-request`, other, { from: `198.51.100.${i}` });
  }
  expect(new Set(columnsWithMarks(app.db)).size).toBeGreaterThan(10);
  expect(marksInFiles(app.db).length).toBeGreaterThan(0);
  const jobs = await app.store.claimJobs(claimOf(JOB_KINDS, AT, { fresh: 2 }));
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
  const claim = claimOf(JOB_KINDS, AT + 60_000, { fresh: 99 });
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

// `retention_days`: a running server erases people from old records, a batch at a time.

const MONTH = catalogWith({ retention_days: 30 });
const FOREVER = catalogWith({ retention_days: null });

/** Runs the retention on a store that counts down what is old. @returns the arguments of each call */
function retention(old: number, { catalog = MONTH, now = () => AT, everyMs = DAY_MS } = {}) {
  const calls: { before: number; limit: number; at: number }[] = [];
  const logs: { msg: string; leads?: number }[] = [];
  let cleaned = 0;
  const store = {
    async cleanFile() {
      cleaned += 1;
      return true;
    },
    async forgetOld(before: number, limit: number, at: number) {
      calls.push({ before, limit, at });
      const batch = Math.min(limit, old);
      old -= batch;
      return batch;
    },
  };
  const log = pino({}, { write: (line: string) => logs.push(JSON.parse(line)) });
  return {
    calls,
    logs,
    store,
    cleaned: () => cleaned,
    ...startRetention({ store, catalog: () => catalog, log, now, everyMs }),
  };
}

test("erases in batches until one is not full, up to retention_days of the catalog", async () => {
  const { calls, logs, cleaned, stop } = retention(120);
  await untilIs(() => logs.length, 1);
  await stop();
  expect(calls.map(({ before }) => before)).toEqual(Array(3).fill(AT - 30 * DAY_MS));
  expect(logs).toMatchObject([{ msg: "old personal data erased", leads: 120, isClean: true }]);
  expect(cleaned()).toBe(1);
});

test("nothing is erased while the catalog says null, nor after the end", async () => {
  const never = retention(9, { catalog: FOREVER, everyMs: 1 });
  await never.stop();
  expect(never.calls).toEqual([]);
  const stopped = retention(10_000);
  await stopped.stop();
  expect(stopped.calls.length).toBeLessThan(3);
});

test("a clock that jumps forward while the server runs erases nothing more", async () => {
  let now = AT;
  const { calls, stop } = retention(0, { now: () => now, everyMs: 5 });
  now += 3_650 * DAY_MS;
  await untilIs(() => calls.length > 2, true);
  await stop();
  expect(Math.max(...calls.map(({ at }) => at))).toBeLessThan(AT + DAY_MS);
});

test("a fault is logged, and the next round tries again", async () => {
  const { logs, store, calls, stop } = retention(0, { everyMs: 5 });
  const { forgetOld } = store;
  store.forgetOld = async () => {
    throw new Error("the disk is full");
  };
  await untilIs(() => logs.length > 0, true);
  store.forgetOld = forgetOld;
  const before = calls.length;
  await untilIs(() => calls.length > before, true);
  await stop();
  expect(logs[0]?.msg).toBe("old personal data could not be erased");
});

test("a server erases when it starts", async () => {
  using folder = shopFolder({ retention_days: 30 });
  const store = openSqliteStore(folder.data);
  const lead = newLead({ createdAt: Date.now() - 31 * DAY_MS });
  const recent = newLead({ createdAt: Date.now() - 29 * DAY_MS });
  for (const one of [lead, recent]) await store.addLead(one);
  await using server = await startServer(folder);
  await untilIs(async () => (await store.findLead(lead.id))?.name, "(forgotten)");
  expect(await store.findLead(recent.id)).toMatchObject({ name: "Pat Example" });
  server.signal("SIGTERM");
  expect((await server.exited).code).toBe(0);
  await store.close();
});
