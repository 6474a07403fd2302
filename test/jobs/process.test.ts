/** The outbox of a running server: without settings, with settings, retried by hand, and at shutdown. */
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { tintToday } from "../cli/run.ts";
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
import { until, untilIs } from "./outbox.ts";
import { startCrm, startMailServer } from "./receivers.ts";
import { brokenFate, startTwilio } from "./twilio.ts";

setDefaultTimeout(40_000);

const SHOP = { ...OPEN_DAILY, ...NO_LIMITS };
const BOOKING = {
  date: dateIn(3),
  time: "09:00",
  customer_name: "Zoë \u{1F600} Quux",
  customer_phone: "+1-404-555-0111",
  customer_email: "pat@example.com",
  vehicle_type: "suv",
};
const CONSENT = { confirmed_by_user: true, sms: true, statement: "Yes, book it." };

test("without settings: the log and /readyz say so, and the text waits where the owner can read it", async () => {
  using folder = shopFolder(SHOP);
  await using server = await startServer(folder);
  const { off } = await server.logged(({ msg }) => msg.startsWith("not configured"));
  expect(off).toEqual(["sms", "crm", "email"]);
  const { data } = await jsonOf(await server.post(`${API}/bookings`, BOOKING));
  const ready = await server.fetch("/readyz");
  expect(ready.status).toBe(200);
  expect(await jsonOf(ready)).toMatchObject({ jobs: { due: 0, off: ["sms", "crm", "email"] } });

  const [sms] = JSON.parse((await tintToday(folder, ["outbox", "--json"])).stdout);
  expect(sms).toMatchObject({ kind: "notify_shop_sms", to: "+14045550142", attempts: 0 });
  expect(sms.text).toStartWith(`New booking ${data.confirmation_code}: `);
  expect(sms.text).toContain(", Zoe grinning Quux (404) 555-01");
  const doctor = JSON.parse((await tintToday(folder, ["doctor", "--json"], { env: { PORT: "0" } })).stdout);
  expect(doctor.checks.find(({ name }: { name: string }) => name === "sms")?.message).toBe(
    "texts are off: see tint setup",
  );
});

test("with settings: shop, customer and CRM are told at once, each once", async () => {
  using folder = shopFolder({
    ...SHOP,
    "messages.confirmation_sms.enabled": true,
    "messages.confirmation_email.enabled": true,
  });
  using twilio = await startTwilio();
  using crm = startCrm();
  using mail = await startMailServer();
  await using server = await startServer(folder, { env: { ...twilio.env, ...crm.env, ...mail.env } });
  const booked = await server.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT });
  expect(booked.status).toBe(201);
  const { data } = await jsonOf(booked);
  await until(
    () => [twilio.messages.length, crm.pushed.length, mail.mails.length],
    (counts) => counts.join() === "2,1,1",
  );
  expect(twilio.messages.map(({ to }) => to).sort()).toEqual(["+14045550111", "+14045550142"]);
  for (const { body } of twilio.messages) expect(body).toContain(data.confirmation_code);
  expect(mail.mails[0]?.to).toEqual(["pat@example.com"]);
  expect(twilio.issues).toEqual([]);

  // The worker notices a commit of another process too.
  expect((await tintToday(folder, ["leads", "contacted", data.lead_id, "--note", "called"])).status).toBe(0);
  await untilIs(() => crm.pushed.length, 2);
  expect(crm.pushed[1]?.event).toMatchObject({ type: "lead.updated", data: { status: "contacted", note: "called" } });
  expect(crm.refused).toEqual([]);
});

test("a confirmation that Twilio took and that does not arrive: the server learns it, and sends it by e-mail", async () => {
  using folder = shopFolder({
    ...SHOP,
    "messages.confirmation_sms.enabled": true,
    "messages.confirmation_email.enabled": false,
  });
  using twilio = await startTwilio();
  using mail = await startMailServer();
  await using server = await startServer(folder, { env: { ...twilio.env, ...mail.env } });
  const { data } = await jsonOf(await server.post(`${API}/bookings`, { ...BOOKING, consent: CONSENT }));
  await untilIs(() => twilio.messages.length, 2);
  for (const message of twilio.messages) {
    const isToShop = message.to === "+14045550142";
    Object.assign(message, isToShop ? { status: "delivered" } : { status: "undelivered", error_code: 30006 });
  }
  await until(
    () => mail.mails.length,
    (count) => count === 1,
    20_000,
  );
  expect(mail.mails[0]?.raw).toContain(data.confirmation_code);
  const failed = await server.logged(({ msg }) => msg.startsWith("text not delivered"));
  expect(failed.reason).toBe("it did not arrive (30006: a landline, or a carrier that cannot be reached)");
  expect((await tintToday(folder, ["outbox"])).stdout).toContain("undelivered");
});

test("SIGTERM while Twilio hangs: the attempt is aborted in time, and the text is not sent twice", async () => {
  using folder = shopFolder(SHOP);
  using twilio = await startTwilio((nth) => (nth === 1 ? "hang_taken" : "ok"));
  {
    await using server = await startServer(folder, { env: twilio.env });
    await server.post(`${API}/bookings`, BOOKING);
    await untilIs(twilio.posts, 1);
    const started = performance.now();
    server.signal("SIGTERM");
    expect(await server.exited).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(12_000);
  }
  await using server = await startServer(folder, { env: twilio.env });
  await server.logged(({ msg }) => msg === "job done");
  expect(twilio.messages).toHaveLength(1);
  expect(twilio.lookUps()).toBe(1);
});

// A Twilio that fails in every way, and a server that is killed twice.

/** `bun run torture kills` makes thousands. */
const BOOKINGS = 60;
const AT_ONCE = 10;
/** A hang takes 15 seconds. `sms.test.ts` and `bun run torture kills` have it. */
const fateOf = (nth: number) => {
  const fate = brokenFate(nth);
  return fate === "hang" ? "drop" : fate === "hang_taken" ? "drop_taken" : fate;
};
/** The server is killed after this many bookings. */
const KILLS = [20, 40];
const MOST_DUPLICATES = 1;

const TIMES = ["09:00", "10:30", "12:00", "13:30", "15:00"];
const bookingOf = (i: number) => ({
  date: dateIn(2),
  time: TIMES[i % TIMES.length],
  customer_name: `Pat ${i} 😀`,
  customer_phone: `+1404${2_000_000 + i}`,
  customer_email: "pat@example.com",
  vehicle_type: "suv",
  coverage: "front2",
  booking_request_id: `crash-${i}`,
});

test(`${BOOKINGS} bookings, a faulty Twilio, ${KILLS.length} kill -9: everyone is notified, at most ${MOST_DUPLICATES} duplicate`, async () => {
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
  expect(duplicates).toBeLessThanOrEqual(MOST_DUPLICATES);
  expect(twilio.issues).toEqual([]);
}, 120_000);
