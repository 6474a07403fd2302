/** `tint bookings`: the diary, read page by page but shown by whole days, and the states of a booking. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { readDiary, requireBooking } from "../../cli/diary/entries.ts";
import { assignBays, mostAtOnce, type Occupancy } from "../../src/domain/bays.ts";
import { diaryDays } from "../../src/store/diary-days.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { testApp } from "../app.ts";
import { API, BOOKING, dateFromNow, freshPhone, NOW } from "../fixed-day.ts";
import {
  dateIn,
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  shopFolder,
  startServer,
} from "../process/server.ts";
import { CATALOG } from "../small-shop.ts";
import { newBooking } from "../store/conformance-values.ts";
import { expectRefusals, inStore, tint, tintJson, tintToday } from "./run.ts";

setDefaultTimeout(60_000);

const DAY = dateIn(3);

async function book(server: ServerProcess, time: string, more: object = {}): Promise<string> {
  const body = { ...BOOKING, date: DAY, time, customer_phone: freshPhone(), ...more };
  const response = await server.post(`${API}/bookings`, body);
  expect(response.status).toBe(201);
  return (await jsonOf(response)).data.confirmation_code;
}

describe("beside a running server", () => {
  test("the list goes by day, time and bay; a cancelled booking frees its time at once", async () => {
    using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
    await using server = await startServer(folder);
    // Not in the order of the list, so that it has to sort. Two bays, 240 minutes and 15 of buffer each.
    const late = await book(server, "14:00", { customer_name: "Late Example" });
    const first = await book(server, "09:00", { vehicle_make: "Toyota", special_requests: "front\nonly" });
    const second = await book(server, "09:00");

    const { status, stdout, stderr } = await tintToday(folder, ["bookings"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const rows = stdout.trimEnd().split("\n");
    expect(rows[0]).toMatch(/^date +time +bay +customer +vehicle +job +code +price +status$/);
    expect(rows.length).toBe(4);
    expect(rows[1]).toMatch(
      new RegExp(`9:00 AM +1 +Pat Example +Toyota \\(SUV\\) +ceramic tint +${first} +\\$599.00 +confirmed$`),
    );
    expect(rows[2]).toMatch(new RegExp(`9:00 AM +2 .*${second}`));
    expect(rows[3]).toMatch(new RegExp(`2:00 PM +1 .*Late Example.*${late}`));

    const full = await server.post(`${API}/bookings`, { ...BOOKING, date: DAY, time: "09:00" });
    expect(full.status).toBe(409);
    const cancelled = await tintToday(folder, ["bookings", "cancel", first.toLowerCase(), "--by", "customer"]);
    expect(cancelled).toMatchObject({ status: 0, stdout: "" });
    expect(cancelled.stderr).toContain(`Booking ${first}`);
    expect(cancelled.stderr).toContain(": confirmed → cancelled by the customer.");
    const again = await book(server, "09:00");

    const listed = await tintJson(folder, `bookings --date ${DAY}`, { now: "machine" });
    const ended = { confirmation_code: first, bay: null, status: "cancelled_by_customer" };
    expect(listed).toContainEqual(expect.objectContaining(ended));
    const standing = listed.slice(0, 2).map((entry: { confirmation_code: string }) => entry.confirmation_code);
    expect(standing.sort()).toEqual([second, again].sort());

    const shown = await tintToday(folder, ["bookings", "show", first]);
    expect(shown.stdout).toContain("Note       front only\n");
    expect((await tintToday(folder, ["bookings", "--status", "cancelled"])).stdout).toContain(first);
    expect((await tintToday(folder, ["bookings", "--status", "no-show"])).stderr).toStartWith("No bookings");
  });

  test("commands race a writing server: none fails, and no booking is refused", async () => {
    using folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS, "scheduling.bays": 50 });
    await using server = await startServer(folder, { quiet: true });
    const codes = await Promise.all(Array.from({ length: 4 }, () => book(server, "09:00")));
    const leads: { reference: string }[] = await tintJson(folder, "leads --status all", { now: "machine" });
    expect(leads.length).toBe(4);

    let writing = true;
    const bookings = (async () => {
      let booked = 0;
      for (let day = 4; writing && day < 55; day++) {
        const date = dateIn(day);
        const done = await Promise.all(Array.from({ length: 4 }, () => book(server, "10:00", { date })));
        booked += new Set(done).size;
        expect(booked % 4).toBe(0);
      }
      return booked;
    })();
    const commands = [
      ["bookings", "cancel", codes[0] ?? ""],
      ["bookings", "cancel", codes[1] ?? "", "--by", "customer"],
      ...leads.slice(2).map(({ reference }) => ["leads", "lost", reference, "--note", "spoke"]),
      ["keys", "issue", "--name", "Racer", "--email", "racer@example.com"],
      ["backup", "racing.db"],
      ["bookings"],
      ["outbox"],
    ];
    for (let i = 0; i < commands.length; i += 4) {
      const runs = await Promise.all(commands.slice(i, i + 4).map((args) => tint(folder, args, { apart: true })));
      for (const run of runs) expect(run).toMatchObject({ status: 0 });
    }
    writing = false;
    expect(await bookings).toBeGreaterThan(0);
  });
});

/** As a customer's booking is stored, with a note that would turn a terminal red. */
const { json: made } = await testApp({ catalog: CATALOG }).post(`${API}/bookings`, {
  ...BOOKING,
  film_type: "standard",
});
const ANSWER = { ...made.data, special_requests: "\u001b[31mred\u202e" };

describe("states", () => {
  const DAY = dateFromNow(3);
  /** A shop with one booking in its diary, and no server. */
  async function shopWithBooking(startAt = NOW.epochMilliseconds - 3_600_000, code = "7F3A1B0C") {
    const folder = shopFolder();
    const given = { confirmationCode: code, date: DAY, startAt, answer: ANSWER, lead: { jobs: [REMINDER] } };
    await inStore(folder, (store) => store.book(newBooking(given), 2, []));
    return folder;
  }
  const REMINDER = { kind: "remind_owner", dueAt: NOW.epochMilliseconds, unless: "contacted", payload: {} } as const;

  test.each([
    [["cancel"], "cancelled_by_shop"],
    [["cancel", "--by", "customer"], "cancelled_by_customer"],
    [["complete"], "completed"],
    [["no-show"], "no_show"],
  ])("%p ends a confirmed booking, once", async ([command = "", ...flags], status) => {
    using folder = await shopWithBooking();
    const done = await tint(folder, ["bookings", command, "7F3A1B0C", ...flags, "--json"]);
    expect(done.status).toBe(0);
    expect(JSON.parse(done.stdout)).toMatchObject({ confirmation_code: "7F3A1B0C", status });
    await expectRefusals(
      folder,
      ["cancel", "complete", "no-show"].map((again) => [
        `bookings ${again} 7F3A1B0C`,
        1,
        "already; only a confirmed one",
      ]),
    );
  });

  test("a booking to come is neither completed nor missed; a cancelled one reminds nobody", async () => {
    using folder = await shopWithBooking(NOW.epochMilliseconds + 3_600_000);
    await expectRefusals(folder, [
      ["bookings complete 7F3A1B0C", 1, "still to come"],
      ["bookings no-show 7F3A1B0C", 1, "still to come"],
    ]);
    expect(await tintJson(folder, ["outbox"])).toHaveLength(1);
    expect((await tint(folder, ["bookings", "cancel", "7F3A1B0C"])).status).toBe(0);
    expect(await tintJson(folder, ["outbox"])).toEqual([]);
  });

  test("codes are understood as people say them", async () => {
    using folder = await shopWithBooking();
    for (const code of ["7f3a1b0c", "7F3AIBOC", "7f3alboc", "7F3A-1B0C"]) {
      const { status, stdout } = await tint(folder, ["bookings", "show", code]);
      expect(status).toBe(0);
      expect(stdout).toStartWith("Booking    7F3A1B0C, confirmed\n");
    }
    const dale = "Dale is not the code of a booking, which is like 7F3A2B9C. To look for a customer: tint find Dale";
    await expectRefusals(folder, [
      ["bookings cancel ZZZZZZZZ", 1, /^There is no booking ZZZZZZZZ\. See tint bookings\.\n$/],
      ["bookings cancel Dale", 1, dale],
      ["bookings move pat friday 9am", 1, "A customer fits it: tint find pat"],
      ["bookings jordan", 2, "There is no tint bookings jordan. Did you mean tint find jordan?"],
    ]);
  });

  test("a booking stored by another version is shown, and does not hide the diary", async () => {
    using folder = await shopWithBooking();
    await inStore(folder, (store) =>
      store.book(newBooking({ confirmationCode: "0LD", date: DAY, answer: { from: "another version" } }), 2, []),
    );
    const { status, stdout } = await tint(folder, ["bookings", "--date", DAY]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/7F3A1B0C/);
    expect(stdout).toMatch(/0LD +confirmed$/m);
    expect((await tintJson(folder, ["bookings", "show", "7F3A1B0C"])).film_type).toBe("standard");
  });

  test("control characters from a stranger are never printed", async () => {
    using folder = await shopWithBooking();
    const shown = await tint(folder, ["bookings", "show", "7F3A1B0C"]);
    expect(shown.stdout).toContain("Note       [31mred\n");
    const { stdout } = await tint(folder, ["bookings", "show", "7F3A1B0C", "--json"]);
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(stdout).special_requests).toBe(ANSWER.special_requests);
  });

  test("dates, and suggestions for slips", async () => {
    using folder = await shopWithBooking();
    expect((await tint(folder, ["bookings", "--from", dateFromNow(1), "--to", DAY])).stdout).toContain("7F3A1B0C");
    const tomorrow = await tint(folder, ["bookings", "--date", "tomorrow"]);
    expect(tomorrow.stdout).toBe("");
    expect(tomorrow.stderr).toMatch(/^No bookings on \w{3} \w{3} \d{1,2}, \d{4}\.\n$/);
    await expectRefusals(folder, [
      ["bookings --date 2027-02-30", 2, "is not a date"],
      ["bookings --csv --json", 2, ""],
      ["bookings --date today --from today", 2, "either --date"],
      ["bookings --from 2026-12-02 --to 2026-12-01", 2, "is before"],
      ["bookings --status complete", 2, "Did you mean completed?"],
      ["bookings shw 7F3A1B0C", 2, "Did you mean show?"],
      ["bookings add suv", 2, "There is no tint bookings add. Did you mean tint book?"],
      ["bookings cancel", 2, "Give either a code"],
      ["bookings cancel 7F3A1B0C --by custmer", 2, "Did you mean customer?"],
    ]);
  });
});

describe("bays", () => {
  test("a bay that is closed later moves no car, unless its car needs another one then", () => {
    const jobs = [
      { startAt: 9, busyUntil: 12 },
      { startAt: 9, busyUntil: 12 },
      { startAt: 13, busyUntil: 15 },
    ];
    expect(assignBays(jobs)).toEqual([1, 2, 1]);
    expect(assignBays(jobs, [], [{ bay: 2, startAt: 17, busyUntil: 18 }])).toEqual([1, 2, 1]);
    expect(assignBays(jobs, [], [{ bay: 1, startAt: 14, busyUntil: 18 }])).toEqual([1, 2, 2]);
    // The short job leaves bay 1, which stays open, to the long one.
    const both = [...jobs.slice(0, 1), { startAt: 10, busyUntil: 16 }];
    expect(assignBays(both, [], [{ bay: 2, startAt: 14, busyUntil: 18 }])).toEqual([2, 1]);
    // A shop of two bays has no third for work in one that was closed afterwards.
    expect(assignBays(both, [], [{ bay: 2, startAt: 9, busyUntil: 18 }], 2)).toEqual([1, 2]);
  });

  test("no bay holds two jobs at once, and no more bays are used than jobs overlap", () => {
    const job = fc.record({ startAt: fc.nat(40), length: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(job, { maxLength: 25 }), (given) => {
        const jobs: Occupancy[] = given.map(({ startAt, length }) => ({ startAt, busyUntil: startAt + length }));
        const bays = assignBays(jobs);
        expect(Math.max(0, ...bays)).toBe(mostAtOnce(jobs, 0, 1000));
        for (const [i, one] of jobs.entries())
          for (const [k, other] of jobs.entries())
            if (i < k && bays[i] === bays[k])
              expect(one.busyUntil <= other.startAt || other.busyUntil <= one.startAt).toBe(true);
      }),
    );
  });
});

const T0 = Temporal.Instant.from("2026-11-24T14:00:00Z").epochMilliseconds;
const DATES = ["2026-11-24", "2026-11-25", "2026-11-26"];
const PER_DAY = 300;

test("days that span pages stay whole, and each has bays from 1", async () => {
  const store = openSqliteStore(":memory:");
  for (const [i, date] of DATES.entries())
    for (let n = 0; n < PER_DAY; n++) await store.book(newBooking({ date, startAt: T0 + i * 86_400_000 }), PER_DAY, []);
  const days = await Array.fromAsync(diaryDays(store, "2026-11-24", "2026-11-26", CATALOG));
  expect(days.map((day) => [day[0]?.booking.date, day.length])).toEqual(DATES.map((date) => [date, PER_DAY]));
  const bays = Array.from({ length: PER_DAY }, (_, i) => i + 1);
  for (const day of days) expect(day.map(({ bay }) => bay)).toEqual(bays);
  const ids = (await readDiary(store, "2026-11-24", "2026-11-26", CATALOG)).map(({ booking }) => booking.id);
  expect(new Set(ids).size).toBe(DATES.length * PER_DAY);
  expect(await readDiary(store, "2026-11-27", "2026-11-30", CATALOG)).toEqual([]);
});

test.each([
  ["7F3A2B9D", "Did you mean 7F3A2B9C?"],
  ["7F3A2B9", "Did you mean 7F3A2B9C?"],
  ["7F3AB29C", "Did you mean 7F3A2B9C?"],
  ["7f3a 2b9k", "Did you mean 7F3A2B9C?"],
  ["7F3A2BDD", "There is no booking 7F3A2BDD. See"],
  ["7F3A2B9C".repeat(9), "is not the code of a booking"],
  ["", "Type the code of a booking"],
])("the code %j: %s", async (typed, says) => {
  const store = openSqliteStore(":memory:");
  await store.book(newBooking({ confirmationCode: "7F3A2B9C" }), 1, []);
  const refusal = await requireBooking(store, typed).catch(String);
  expect(refusal).toContain(says);
  expect(String(refusal).includes("Did you mean")).toBe(says.startsWith("Did"));
});
