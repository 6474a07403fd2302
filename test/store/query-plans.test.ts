/** How the database is asked: no statement reads a whole table, and a function asks as seldom as it can. */
import { Database } from "bun:sqlite";
import { afterAll, expect, spyOn, test } from "bun:test";
import { JOB_KINDS } from "../../src/constants.ts";
import { deliveryRules } from "../../src/messages/message-rules.ts";
import { bookingQueries } from "../../src/store/queries/bookings.ts";
import { all, allRows, each, get, run, type Steps, together } from "../../src/store/queries/steps.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { runSteps } from "../../src/store/sqlite/migrate.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { CATALOG } from "../helpers.ts";
import { attemptOf, newBooking, newJob, newLead } from "./conformance-values.ts";

const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
const LATER = T0 + 3_600_000;

/** Calls every method of the store, so that every statement is prepared. */
async function callEverything(store: Store): Promise<void> {
  const key = { id: "key_1", hash: "h", prefix: "p", name: "A", email: "a@example.com", useCase: null, network: null };
  await store.addKey({ ...key, ratePerMinute: null, createdAt: T0 });
  await store.findKey("h");
  await store.keys();
  await store.rotateKey("key_1", { hash: "h2", prefix: "p" });
  await store.revokeKey("key_1", T0);
  const jobs = JOB_KINDS.map((kind) => newJob(kind));
  const idempotency = { scope: "", id: "r", bodyHash: "h" };
  const quotas = (["network", "phone", "key", "held_by_phone", "held_by_email", "hold", "hold_of_day"] as const).map(
    (by) => ({ by, value: "x", ...(by === "hold_of_day" && { within: "2026-11-24" }), since: 0, until: T0, limit: 9 }),
  );
  const alert = { above: 0, windowMs: LATER - T0, job: newJob("bookings_alert_sms") };
  const booking = newBooking({ startAt: LATER, idempotency, lead: { jobs }, alert });
  await store.book(booking, 2, quotas);
  await store.quotaUse(quotas);
  await store.findEarlier("", "r");
  await store.busyBetween(T0, LATER + 1);
  const [first] = await store.bookings({ from: "2026-01-01", to: "2026-12-31" }, 5);
  await store.bookings({ from: "2026-01-01", to: "2026-12-31" }, 5, first);
  await store.setCalendarHash("h", T0);
  await store.calendarHash();
  await store.codesInUse([booking.confirmationCode]);
  await store.addLead(newLead({ jobs }));
  const [lead] = await store.leads(["new", "won"], 5);
  await store.leads(["new"], 5, lead);
  await store.referencesInUse(["B-1"]);
  await store.findCustomers(["pat", "toyota"], 5);
  await store.customer(lead?.phone ?? "");
  await store.findLead(lead?.id ?? "");
  await store.moveLead({ id: lead?.id ?? "", to: "contacted", note: "note", at: T0 });
  await store.undoLeadMove(lead?.id ?? "", "contacted", T0);
  await store.callLeadAt(lead?.id ?? "", T0, T0);
  await store.waitingJobs(9);
  await store.waitingJobs(9, { tried: true, dueBefore: T0 });
  await store.failedJobs(9);
  await store.lapsedJobs(JOB_KINDS, 9);
  await store.countDueJobs(JOB_KINDS, T0);
  const rules = deliveryRules(CATALOG, T0);
  const limits = { ...rules, digestAbove: 1, texts: { ...rules.texts, perHour: 1 } };
  const claim = { kinds: JOB_KINDS, now: T0, lastsMs: LATER - T0, fresh: 9, retries: 9, running: [], limits };
  await store.claimJobs({ ...claim, kinds: [] });
  const [a, b, c] = await store.claimJobs(claim);
  await store.settleJobs([
    { id: a?.id ?? 0, kind: "done", messageSid: "SM1" },
    { ...attemptOf(b), kind: "failed", reason: "no" },
    { ...attemptOf(c), kind: "postponed", reason: "no", pauseMs: LATER - T0, doubtful: true, triedMs: 1 },
  ]);
  await store.settledMessages(["SM1"], 0);
  const asked = { now: LATER, lastsMs: 1, limit: 9 };
  for (const news of [
    { kind: "open", pauseMs: 1 },
    { kind: "undelivered", reason: "no", isOptOut: true },
    { kind: "unknown" },
  ] as const)
    for (const { id, messageSid } of await store.claimUnconfirmedTexts(asked))
      await store.settleDeliveryReports([{ id, messageSid, ...news }], true);
  await store.countTextsByStatus(T0);
  await store.whyUndelivered(T0);
  await store.unannouncedStart(booking.lead.id);
  await store.optOutOf("+14045550111");
  await store.allowTexts("+14045550111");
  await store.countFreedNumbers();
  await store.retryJob(b?.id ?? 0, T0);
  await store.dropJob(b?.id ?? 0);
  await store.findEarlierLead("", "r");
  await store.addLead(newLead({ request: { scope: "", id: "r", bodyHash: "h", answer: {}, network: "" } }));
  await store.findBooking(booking.confirmationCode);
  await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", T0);
  await store.upcoming(T0, ["confirmed", "cancelled_by_shop"]);
  await store.notClosed(T0);
  const [payment] = await store.addPayments(booking.lead.id, [{ amount: 1, by: "cash", kind: "tip" }], T0);
  await store.payers(T0, LATER);
  await store.moveLead({ id: lead?.id ?? "", to: "won", at: T0, wonBy: booking.confirmationCode });
  await store.undoLeadMove(lead?.id ?? "", "won", T0);
  await store.undoPayment(booking.lead.id, payment?.id ?? 0, T0);
  await store.reopenBookings([booking.confirmationCode], 2, T0);
  await store.changeBookingStatus(booking.confirmationCode, "cancelled_by_shop", T0);
  await store.contactOf(booking.confirmationCode);
  await store.reopenBookings([booking.confirmationCode], 2, T0);
  const person = { name: "Pat", phone: "+14045550111", extension: "7", email: "", details: {}, answer: {} };
  await store.editBooking({ confirmationCode: booking.confirmationCode, changes: 4, ...person });
  const change = { confirmationCode: booking.confirmationCode, at: T0, jobs: [] };
  const reworded = [newJob("notify_shop_sms")];
  const ends = [
    await store.rescheduleBooking({ ...booking, ...change, changes: 5, reworded }, 2),
    await store.cancelBooking({ ...change, changes: 6, reason: null }),
  ];
  expect(ends.map(({ kind }) => kind)).toEqual(["changed", "changed"]);
  await store.addMessage(booking.lead.id, newJob("ready_sms"), T0);
  const edit = { id: booking.lead.id, name: "Pat", phone: "", extension: "", email: "", details: {} };
  await store.editLead({ ...edit, serviceType: "automotive" });
  await store.addCall(booking.id, T0, T0);
  await store.callsToMake();
  await store.tellCall(booking.id, T0);
  await store.endCall(booking.id);
  await store.touchKey(key.id, T0);
  await store.findSame({ phone: "", hash: "h", since: 0, now: T0, caller: "", email: "" });
  const held = newBooking({ startAt: LATER, heldUntil: T0 + 1, createdAt: T0 });
  await store.book(held, 9, []);
  const page = { amount: 1, currency: "USD", pageId: "cs", url: "", payUntil: T0 + 1, refundHours: 0 };
  const confirm = { confirmationCode: held.confirmationCode, at: T0, jobs: [], answer: {}, changes: 1 };
  await store.openDeposit(held.confirmationCode, page, {}, T0);
  await store.dueDeposits(T0, 9);
  await store.askDepositAt(held.id, T0, null);
  await store.askRefund(held.id, T0, T0);
  await store.settleDeposit(confirm, null);
  await store.payDeposit({ confirm, payment: { amount: 1, by: "card", kind: "deposit", reference: "pi" }, late: [] });
  await store.endDepositPage(held.id, [], T0);
  await store.refundDeposit(held.id, "re", T0);
  await store.depositOf(held.id);
  await store.confirmHeld(confirm);
  await store.expireHolds(T0);
  await store.lockSecret();
  await store.rotateLockSecret("secret", T0);
  await store.checkWritable();
  await store.tracesOf({ by: "phone", value: booking.lead.phone }, T0);
  await store.forget({ by: "phone", value: booking.lead.phone }, T0, true);
  await store.forget({ by: "email", value: key.email }, T0, true);
  await store.forgetOld(T0, 9, T0);
  await store.cleanFile();
  await store.dataVersion();
  expect(await store.clockAhead()).toBe(0);
}

/** A copy reads the whole file, and closing reads nothing. */
const UNUSED = ["copyTo", "close"];

test("every statement of the store finds rows by an index", async () => {
  const statements = new Set<string>();
  const query = Database.prototype.query;
  const spy = spyOn(Database.prototype, "query").mockImplementation(function (this: Database, sql: string) {
    statements.add(sql);
    return query.call(this, sql);
  } as typeof query);
  const called = new Set<string>();
  const store = openSqliteStore(":memory:");
  const watched = new Proxy(store, {
    get(target, name) {
      called.add(String(name));
      return Reflect.get(target, name);
    },
  });
  try {
    await callEverything(watched);
  } finally {
    spy.mockRestore();
    await store.close();
  }
  expect(Object.keys(store).filter((name) => !called.has(name))).toEqual(UNUSED);

  const db = openDatabase(":memory:");
  const issues = [...statements]
    .filter((sql) => !/^\s*PRAGMA|FROM api_keys ORDER/.test(sql))
    .flatMap((sql) =>
      db
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .filter((detail) => SLOW.test(detail) && !WITHIN_AN_INDEX.test(detail))
        .map((detail) => `${detail}: ${sql.replace(/\s+/g, " ")}`),
    );
  db.close();
  expect(issues).toEqual([]);
  expect(statements.size).toBeGreaterThan(30);
});

/** A scan of a large table, a sort of every row found, or every job of a kind or lead of a state. */
const SLOW =
  /^SCAN (bookings|leads|jobs|lead_events)\b|TEMP B-TREE FOR (ORDER BY|LAST)|SEARCH \w+ USING (COVERING )?INDEX \w+ \((kind|status)=\?\)$/;
/** One statement reads one row, from the end of its index; the search for customers reads an index made for it. */
const WITHIN_AN_INDEX =
  /^SCAN (bookings USING INDEX bookings_by_length|leads USING INDEX leads_by_text|jobs USING INDEX jobs_lapsed)$/;

// On PostgreSQL each time that a function asks is a round trip.

const db = openDatabase(":memory:");
afterAll(() => db.close());

/** Performs the steps, and notes how many statements each turn has. */
function asked<Result>(steps: Steps<Result>) {
  const turns: number[] = [];
  function* noting(): Steps<Result> {
    let turn = steps.next();
    while (!turn.done) {
      turns.push(turn.value.length);
      turn = steps.next(yield turn.value);
    }
    return turn.value;
  }
  return { result: runSteps(db, noting()), turns };
}

test("together merges the first statements, then the second; each function gets its own results", () => {
  function* twice(): Steps<number> {
    const first = yield* get<{ n: number }>("SELECT 2 AS n");
    const second = yield* get<{ n: number }>("SELECT ? + 3 AS n", [first?.n ?? 0]);
    return second?.n ?? 0;
  }
  const nothing = each([], (n: number) => run("SELECT ?", [n]));
  const rows = (n: number) => ({ text: "SELECT ?1 AS n", values: [n], gives: "rows" as const });
  expect(asked(together(nothing, all("SELECT 1 AS n"), allRows([]), twice(), allRows([rows(7), rows(8)])))).toEqual({
    result: [[], [{ n: 1 }], [], 5, [[{ n: 7 }], [{ n: 8 }]]],
    turns: [4, 1],
  });
  expect(asked(together())).toEqual({ result: [], turns: [] });
});

test("a booking asks twice, also when it passes the rate of the alert", () => {
  const quota = { by: "network", value: "192.0.2.1", since: 0, until: Number.MAX_SAFE_INTEGER, limit: 5 } as const;
  const alert = { above: 1, windowMs: 3_600_000, job: newJob() };
  const booking = () => newBooking({ alert, lead: { jobs: [newJob(), newJob("remind_owner")] } });
  // First: the quota, the bays, holds that are over, the codes, the rate. Then lead, two jobs and booking.
  const expected = { result: { kind: "booked" }, turns: [5, 4] };
  expect(asked(bookingQueries.writes.book(booking(), 9, [quota]))).toMatchObject(expected);
  // The job of the alert and how long the alert lasts.
  const wanted = { result: { used: [2] }, turns: [5, 6] };
  expect(asked(bookingQueries.writes.book(booking(), 9, [quota]))).toMatchObject(wanted);
  const due = { result: { kind: "quota" }, turns: [5] };
  expect(asked(bookingQueries.writes.book(booking(), 9, [{ ...quota, limit: 2 }]))).toMatchObject(due);
});
