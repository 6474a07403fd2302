/**
 * 200 bookings, a Twilio that fails in every way, and a server that is killed twice: the shop gets a text about every
 * booking, and hardly any text twice.
 */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { API } from "../helpers.ts";
import {
  dateIn,
  freePort,
  jsonOf,
  NO_LIMITS,
  OPEN_DAILY,
  type ServerProcess,
  shopFolder,
  startServer,
} from "../process/server.ts";
import { until } from "./outbox.ts";
import { brokenFate, startTwilio } from "./twilio.ts";

setDefaultTimeout(120_000);

/** `bun run torture kills` makes thousands. */
const BOOKINGS = 200;
const AT_ONCE = 10;
/** A hang takes 15 seconds. `sms.test.ts` and `bun run torture kills` have it. */
const fateOf = (nth: number) => {
  const fate = brokenFate(nth);
  return fate === "hang" ? "drop" : fate === "hang_taken" ? "drop_taken" : fate;
};
/** The server is killed after this many bookings. */
const KILLS = [70, 140];
const MOST_DUPLICATES = 0.01;

const TIMES = ["09:00", "10:30", "12:00", "13:30", "15:00"];
const bookingOf = (i: number) => ({
  date: dateIn(2 + Math.floor(i / 50)),
  time: TIMES[i % TIMES.length],
  customer_name: `Pat ${i} 😀`,
  customer_phone: `+1404${2_000_000 + i}`,
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  coverage: "front2",
  booking_request_id: `crash-${i}`,
});

test(`${BOOKINGS} bookings, a faulty Twilio, ${KILLS.length} kill -9: everyone is notified, duplicates at most 1%`, async () => {
  using folder = shopFolder({
    ...OPEN_DAILY,
    ...NO_LIMITS,
    "scheduling.bays": 50,
    "scheduling.grid_minutes": 30,
    follow_up: [{ after: "0m", do: "notify_shop_sms" }],
  });
  using twilio = await startTwilio(fateOf, 100);
  const env = { ...twilio.env, PORT: String(freePort()) };
  const start = () => startServer(folder, { env });
  const confirmed = new Map<number, string>();
  let server: ServerProcess = await start();
  let restarted = Promise.resolve();
  const kills = [...KILLS];

  const restart = async () => {
    // Killed at work: texts are on the way at that moment.
    server.signal("SIGKILL");
    await server.exited;
    // What the dead process claimed is free 20 seconds later; here at once.
    const db = new Database(folder.database);
    db.run("UPDATE jobs SET claimed_until = 0 WHERE claimed_until IS NOT NULL");
    db.close();
    server = await start();
  };
  const book = async (i: number) => {
    for (;;) {
      await restarted;
      try {
        const response = await server.post(`${API}/bookings`, bookingOf(i));
        expect(response.status).toBe(201);
        confirmed.set(i, (await jsonOf(response)).data.confirmation_code);
        break;
      } catch (error) {
        // The same request is sent again. It books once, even when the first was stored.
        if (!String(error).includes("gone") && !/ECONN|socket|Unable to connect/.test(String(error))) throw error;
      }
    }
    if (confirmed.size >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
      kills.shift();
      restarted = restart();
    }
  };
  try {
    let next = 0;
    const caller = async () => {
      while (next < BOOKINGS) await book(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
    await restarted;
    expect(kills).toEqual([]);

    const db = new Database(folder.database, { readonly: true });
    const open = db.query<{ n: number }, []>("SELECT count(*) AS n FROM jobs WHERE status <> 'done'");
    await until(
      () => open.get()?.n,
      (n) => n === 0,
      90_000,
    );
    db.close();
  } finally {
    await server[Symbol.asyncDispose]();
  }

  expect(confirmed.size).toBe(BOOKINGS);
  const told = new Map<string, number>();
  for (const { body } of twilio.messages) {
    const code = /^New booking (\w{8}):/.exec(body)?.[1] ?? body;
    told.set(code, (told.get(code) ?? 0) + 1);
  }
  expect([...confirmed.values()].filter((code) => !told.has(code))).toEqual([]);
  expect(told.size).toBe(BOOKINGS);
  const duplicates = twilio.messages.length - told.size;
  expect(duplicates).toBeLessThanOrEqual(BOOKINGS * MOST_DUPLICATES);
  expect(twilio.issues).toEqual([]);
  console.info(
    `${twilio.posts()} sends, ${twilio.lookUps()} looks, ${twilio.messages.length} messages, ${duplicates} duplicates`,
  );
});
