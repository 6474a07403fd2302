/** Two servers on one database file: never more jobs than bays, never two bookings for one request id. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { API, BOOKING_JOBS, bookingOn, CATALOG } from "../helpers.ts";
import {
  dateIn,
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  rowsIn,
  type ServerProcess,
  shopFolder,
  startServer,
} from "./server.ts";

/** `bun run torture races` has hundreds of rounds. */
const ROUNDS = 2;
const CALLERS = 60;
const REPLAYS = 30;
const { bays } = CATALOG.scheduling;
const JOBS = BOOKING_JOBS.length;

const folder = shopFolder({ ...OPEN_DAILY, ...NO_LIMITS });
let servers: ServerProcess[] = [];

beforeAll(async () => {
  // Started together, so that they also race to create the database.
  // Two servers of one shop have one address.
  const env = { TINT_SITE_URL: "https://lakeside.test" };
  servers = await Promise.all([startServer(folder, { env }), startServer(folder, { env })]);
}, 30_000);

afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  json: any;
}

/** Requests alternate between the servers. */
async function book(i: number, body: object): Promise<Reply> {
  const server = servers[i % servers.length];
  if (!server) throw new Error("no server");
  const response = await server.post(`${API}/bookings`, body);
  return { status: response.status, headers: response.headers, json: await jsonOf(response) };
}

const rows = <T>(sql: string, ...values: (string | number)[]) => rowsIn<T>(folder.database, sql, ...values);

test(`${ROUNDS} times ${CALLERS} callers want one slot, and each time exactly ${bays} get it`, async () => {
  const confirmed: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const date = dateIn(2 + round);
    const replies = await Promise.all(Array.from({ length: CALLERS }, (_, i) => book(i, bookingOn(date))));

    const won = replies.filter(({ status }) => status === 201);
    const lost = replies.filter(({ status }) => status !== 201);
    expect(won).toHaveLength(bays);
    confirmed.push(...won.map(({ json }) => json.data.confirmation_code as string));
    for (const { status, json } of lost) {
      expect({ status, code: json.error_code }).toEqual({ status: 409, code: "SLOT_TAKEN" });
      expect(json.alternatives).toHaveLength(3);
      for (const slot of json.alternatives) {
        expect(slot.available).toBe(true);
        expect(`${slot.date} ${slot.time}`).not.toBe(`${date} 09:00`);
      }
    }

    const stored = rows<{ confirmation_code: string; lead_id: string }>(
      "SELECT confirmation_code, lead_id FROM bookings WHERE date = ?",
      date,
    );
    expect(stored.map((row) => row.confirmation_code).sort()).toEqual(
      won.map(({ json }) => json.data.confirmation_code).sort(),
    );
  }

  expect(new Set(confirmed).size).toBe(ROUNDS * bays);
  // A refused caller leaves no rows; an accepted one leaves one lead with its jobs.
  expect(rows("SELECT count(*) AS bookings FROM bookings")).toEqual([{ bookings: ROUNDS * bays }]);
  expect(rows("SELECT count(*) AS leads FROM leads")).toEqual([{ leads: ROUNDS * bays }]);
  expect(
    rows(
      `SELECT (SELECT count(*) FROM leads WHERE leads.id = bookings.lead_id AND kind = 'booking') AS leads,
              (SELECT count(*) FROM jobs WHERE jobs.lead_id = bookings.lead_id) AS jobs, count(*) AS bookings
       FROM bookings GROUP BY 1, 2`,
    ),
  ).toEqual([{ leads: 1, jobs: JOBS, bookings: ROUNDS * bays }]);
  expect(rows("SELECT count(*) AS strays FROM jobs WHERE lead_id NOT IN (SELECT lead_id FROM bookings)")).toEqual([
    { strays: 0 },
  ]);
}, 60_000);

test("every alternative can be booked at once, whichever server named it", async () => {
  const date = dateIn(2);
  const { json } = await book(0, bookingOn(date));
  expect(json.error_code).toBe("SLOT_TAKEN");
  for (const [i, slot] of json.alternatives.entries()) {
    const { status } = await book(i + 1, bookingOn(slot.date, slot.time));
    expect({ slot: `${slot.date} ${slot.time}`, status }).toEqual({ slot: `${slot.date} ${slot.time}`, status: 201 });
  }
}, 15_000);

test("overlapping jobs at different times never exceed the bays at any moment", async () => {
  const date = dateIn(30);
  // 60-minute jobs at every start of the day, ten callers each, all at once.
  const times = Array.from({ length: 9 }, (_, i) => `${String(9 + i).padStart(2, "0")}:00`);
  const wishes = times.flatMap((time) =>
    Array.from({ length: 10 }, () => ({ ...bookingOn(date, time), coverage: "front2" })),
  );
  const replies = await Promise.all(wishes.map((wish, i) => book(i, wish)));
  for (const { status } of replies) expect([201, 409]).toContain(status);

  const busy = rows<{ start_at: number; busy_until: number }>(
    "SELECT start_at, busy_until FROM bookings WHERE date = ?",
    date,
  );
  expect(busy).toHaveLength(replies.filter(({ status }) => status === 201).length);
  for (const { start_at: moment } of busy) {
    expect(busy.filter((job) => job.start_at <= moment && moment < job.busy_until).length).toBeLessThanOrEqual(bays);
  }
  // Every refused start is really full: with the buffer, a job blocks the next start on the hour.
  const starts = new Set(busy.map((job) => job.start_at));
  for (const start of starts) expect(busy.filter((job) => job.start_at === start).length).toBeLessThanOrEqual(bays);
  expect(busy.length).toBeGreaterThanOrEqual(2 * bays);
}, 15_000);

test(`${REPLAYS} times the same request at once books once and tells everyone the same`, async () => {
  const body = { ...bookingOn(dateIn(35)), booking_request_id: "race-1" };
  const replies = await Promise.all(Array.from({ length: REPLAYS }, (_, i) => book(i, body)));

  expect(replies.map(({ status }) => status)).toEqual(Array(REPLAYS).fill(201));
  const [first] = replies;
  for (const { json } of replies) expect(json).toEqual(first?.json);
  const replayed = replies.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
  expect(replayed).toHaveLength(REPLAYS - 1);

  const stored = rows<{ lead_id: string; confirmation_code: string }>(
    "SELECT lead_id, confirmation_code FROM bookings WHERE request_id = ?",
    "race-1",
  );
  expect(stored).toHaveLength(1);
  expect(stored[0]?.confirmation_code).toBe(first?.json.data.confirmation_code);
  expect(rows("SELECT count(*) AS jobs FROM jobs WHERE lead_id = ?", stored[0]?.lead_id ?? "")).toEqual([
    { jobs: JOBS },
  ]);
}, 15_000);

test("no server answered with a 5xx, and both took part", () => {
  for (const server of servers) {
    expect(server.lines.filter((line) => line.status >= 500)).toEqual([]);
    expect(server.lines.filter((line) => line.status === 201).length).toBeGreaterThan(0);
  }
});
