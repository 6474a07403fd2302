/**
 * What the store in PostgreSQL makes of a network that loses things and of a database that is away: nothing doubled, nothing
 * lost that was acknowledged, and "nothing was stored" only where that is so.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { withAdvice } from "../../src/store/postgres/pool.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres.ts";
import { OutcomeUnknown, StoreUnavailable } from "../../src/store/store-errors.ts";
import { type Fate, startProxy } from "../postgres-proxy.ts";
import { until } from "../service-process.ts";
import { hasPostgres, hasPostgresTimers, temporaryDatabase } from "../services.ts";
import { newBooking } from "./conformance-values.ts";

setDefaultTimeout(60_000);

/** An answer comes within this time, whatever happens: the deadline of a write, asking after its COMMIT, and a busy machine. */
const LONGEST_MS = 6_000;
const BAYS = 9_999;

/** A store that reaches a database of its own through a network that can lose things. */
async function behindProxy() {
  const database = await temporaryDatabase();
  const proxy = await startProxy(database.url);
  const store = await openPostgresStore(proxy.url);
  const sql = new SQL(database.url, { max: 1 });
  return {
    store,
    network: proxy.network,
    proxy,
    sql,
    url: database.url,
    count: async () => Number((await sql`SELECT count(*) AS n FROM bookings`)[0]?.n),
    /** Ends every other connection, as an administrator or a failover does. */
    endConnections: () =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`,
    async [Symbol.asyncDispose]() {
      await store.close();
      await sql.close();
      proxy[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function request(id: string) {
  return newBooking({ idempotency: { scope: "s", id, bodyHash: "h" } });
}

/** What became of a call, and how long that took. */
async function timed(call: Promise<unknown>): Promise<{ ended: unknown; ms: number }> {
  const asked = performance.now();
  const ended = await call.then(
    (value) => Object(value).kind ?? value,
    (error: unknown) => error,
  );
  return { ended, ms: performance.now() - asked };
}

const FATES: Fate[] = ["is lost", "is cut off", "arrives, the answer is lost", "arrives, the connection is cut off"];

test("a pooler that mixes up prepared statements is named, with what to do", () => {
  const error = Object.assign(new Error('prepared statement "P0" already exists'), { errno: "42P05" });
  expect(withAdvice(error)).toMatchObject({ message: expect.stringContaining("?prepare=false"), cause: error });
  const other = new Error("other");
  expect(withAdvice(other)).toBe(other);
});

describe.skipIf(!hasPostgres())("PostgreSQL", () => {
  // The cluster of the run is started once, before the tests that share it run side by side.
  let first: Awaited<ReturnType<typeof temporaryDatabase>>;
  beforeAll(async () => {
    first = await temporaryDatabase();
  }, 60_000);
  afterAll(() => first[Symbol.asyncDispose]());

  test.concurrent.skipIf(!hasPostgresTimers()).each(FATES)(
    "a COMMIT that %s: its writes are stored once, and acknowledged",
    async (fate) => {
      // A busy machine may have no time left for a second try; then the caller hears that nothing was stored.
      const mayBeRefused = fate === "is lost" || fate === "is cut off";
      await using shop = await behindProxy();
      shop.network.commits = [fate];
      const requests = ["one", "two", "three"].map(request);
      const outcomes = await Promise.all(requests.map((booking) => timed(shop.store.book(booking, BAYS, []))));
      for (const { ended, ms } of outcomes) {
        if (!(mayBeRefused && ended instanceof StoreUnavailable)) expect(ended).toBe("booked");
        expect(ms).toBeLessThan(LONGEST_MS);
      }
      expect(await shop.count()).toBe(outcomes.filter(({ ended }) => ended === "booked").length);
      for (const [i, booking] of requests.entries())
        expect(await timed(shop.store.book({ ...booking, id: `again ${i}` }, BAYS, []))).toMatchObject({
          ended: outcomes[i]?.ended === "booked" ? "earlier" : "booked",
        });
    },
  );

  test.concurrent("a COMMIT after which nothing answers: the outcome is not known, and a replay tells it", async () => {
    await using shop = await behindProxy();
    shop.network.commits = ["arrives, the answer is lost"];
    const booked = timed(shop.store.book(request("r"), BAYS, []));
    await until("the COMMIT", () => shop.network.commits.length === 0);
    shop.network.dropsQuestions = true;
    const { ended, ms } = await booked;
    expect(ended).toBeInstanceOf(OutcomeUnknown);
    expect(ms).toBeLessThan(LONGEST_MS);
    shop.network.dropsQuestions = false;
    expect(await timed(shop.store.book({ ...request("r"), id: "again" }, BAYS, []))).toMatchObject({
      ended: "earlier",
    });
    expect(await shop.count()).toBe(1);
  });

  test.concurrent.skipIf(!hasPostgresTimers())(
    "whoever asks what became of a COMMIT, and is lost too, does not stop the others for long",
    async () => {
      await using shop = await behindProxy();
      const other = await openPostgresStore(shop.url);
      shop.network.commits = ["arrives, the answer is lost", "is lost"];
      const { ended, ms } = await timed(shop.store.book(request("r"), BAYS, []));
      expect(ms).toBeLessThan(LONGEST_MS);
      expect(shop.network.commits).toEqual([]);
      if (ended !== "booked") expect(ended).toBeInstanceOf(OutcomeUnknown);
      expect(await timed(other.book(request("of another"), BAYS, []))).toMatchObject({ ended: "booked" });
      expect(await shop.count()).toBe(2);
      await other.close();
    },
  );

  test.concurrent.skipIf(!hasPostgresTimers()).each([
    ["nothing arrives", { dropsQuestions: true, dropsAnswers: true }],
    ["no answer arrives", { dropsAnswers: true }],
  ])("%s: everybody is answered in time, nothing is stored, and the store comes back by itself", async (_, lost) => {
    await using shop = await behindProxy();
    await shop.store.book(request("before"), BAYS, []);
    Object.assign(shop.network, lost);
    const ready = timed(shop.store.checkWritable());
    const waiting = Array.from({ length: 32 }, (_, i) => [
      timed(shop.store.book(request(`r${i}`), BAYS, [])),
      timed(shop.store.findEarlier("s", "before")),
    ]).flat();
    const { ended, ms } = await ready;
    expect(ended).toBeInstanceOf(StoreUnavailable);
    expect(ms).toBeLessThan(1_000);
    // The deadline counts from the call, not from its turn in the queue.
    waiting.push(timed(shop.store.book(request("late"), BAYS, [])));
    for (const { ended, ms } of await Promise.all(waiting)) {
      expect(ended).toBeInstanceOf(StoreUnavailable);
      expect(ms).toBeLessThan(LONGEST_MS);
    }
    expect(await shop.count()).toBe(1);
    // By now the store is known to be away: one read tries on, and the others need not wait.
    const tried = timed(shop.store.findEarlier("s", "before"));
    const told = await timed(shop.store.findEarlier("s", "before"));
    expect(told.ended).toBeInstanceOf(StoreUnavailable);
    expect(told.ms).toBeLessThan(2_000);
    Object.assign(shop.network, { dropsQuestions: false, dropsAnswers: false });
    await tried;
    await shop.store.checkWritable();
    expect((await shop.store.book(request("after"), BAYS, [])).kind).toBe("booked");
    expect(await shop.count()).toBe(2);
  });

  test.concurrent.each([
    ["starts up", "57P03"],
    ["has too many connections", "53300"],
  ])("a database that %s is waited for, by a new store and by a booking", async (_, sqlState) => {
    const refusals = Array.from({ length: 3 }, () => sqlState);
    await using shop = await behindProxy();
    shop.network.refusals = [...refusals];
    const other = await openPostgresStore(shop.proxy.url);
    expect(shop.network.refusals).toEqual([]);
    await other.close();
    await shop.endConnections();
    shop.network.refusals = [...refusals];
    expect(await timed(shop.store.book(request("r"), BAYS, []))).toMatchObject({ ended: "booked" });
    expect(shop.network.refusals).toEqual([]);
    expect(await shop.count()).toBe(1);
  });

  test.concurrent("a database that refuses the password is not waited for", async () => {
    await using shop = await behindProxy();
    shop.network.refusals = ["28P01"];
    const { ended, ms } = await timed(openPostgresStore(shop.proxy.url));
    expect(ended).toMatchObject({ errno: "28P01" });
    expect(ms).toBeLessThan(2_000);
  });

  test.concurrent.skipIf(!hasPostgresTimers())(
    "a machine that vanishes inside a transaction holds the others up for at most 2.5 s",
    async () => {
      await using shop = await behindProxy();
      const vanished = new SQL(shop.url, { max: 1 });
      const held = await vanished.reserve();
      await held.unsafe(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = 2500;
      UPDATE shop SET writes = writes + 1`);
      const booked = timed(shop.store.book(request("r"), BAYS, []));
      const reads = timed(shop.store.findEarlier("s", "r"));
      const { ended, ms } = await booked;
      expect(ended).toBe("booked");
      expect(ms).toBeLessThan(4_000);
      // Reads do not wait for the writes of others.
      expect((await reads).ms).toBeLessThan(ms);
      // Used here so that the garbage collector does not end the transaction before.
      await held.close({ timeout: 0 }).catch(() => {});
      await vanished.close({ timeout: 0 }).catch(() => {});
    },
  );

  test.concurrent("every connection is ended three times under load: all is stored once, and nobody is refused", async () => {
    await using shop = await behindProxy();
    const store = await openPostgresStore(shop.url);
    await using other = { store, [Symbol.asyncDispose]: () => store.close() };
    let isOver = false;
    const booked: string[] = [];
    const caller = async (name: string, store: Pick<typeof shop.store, "book" | "findEarlier">) => {
      for (let i = 0; !isOver; i++) {
        const id = `${name}${i}`;
        expect((await store.book(request(id), BAYS, [])).kind).toBe("booked");
        expect(await store.findEarlier("s", id)).not.toBeNull();
        booked.push(id);
      }
    };
    const callers = [shop.store, other.store].flatMap((store, i) =>
      Array.from({ length: 4 }, (_, j) => caller(`${i}${j}-`, store)),
    );
    for (let kills = 0; kills < 3; kills++) {
      const before = booked.length;
      await shop.endConnections();
      // Until every caller has got something again.
      await until("the callers", () => booked.length >= before + callers.length);
    }
    isOver = true;
    await Promise.all(callers);
    expect(await shop.count()).toBe(booked.length);
  });

  test.concurrent("statements that were prepared before the tables changed are prepared anew", async () => {
    await using shop = await behindProxy();
    const booking = request("r");
    await shop.store.book(booking, BAYS, []);
    const look = () => shop.store.findBooking(booking.confirmationCode);
    // Each of the connections for reads prepares it.
    await Promise.all(Array.from({ length: 20 }, look));
    await shop.sql.unsafe("ALTER TABLE bookings ADD COLUMN added TEXT; ALTER TABLE leads ADD COLUMN added TEXT");
    for (const found of await Promise.all(Array.from({ length: 20 }, look)))
      expect(found?.confirmationCode).toBe(booking.confirmationCode);
    expect((await shop.store.book(request("after"), BAYS, [])).kind).toBe("booked");
  });

  test.concurrent("a connection that leads to a standby is left for one to the new primary", async () => {
    await using shop = await behindProxy();
    const name = new URL(shop.url).pathname.slice(1);
    const isReadOnly = (value: string) =>
      shop.sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await isReadOnly("on");
    await shop.endConnections();
    expect((await timed(shop.store.checkWritable())).ended).toBeInstanceOf(StoreUnavailable);
    const booked = timed(shop.store.book(request("r"), BAYS, []));
    expect(await shop.store.findEarlier("s", "r")).toBeNull();
    await isReadOnly("off");
    expect((await booked).ended).toBe("booked");
    await shop.store.checkWritable();
  });
});
