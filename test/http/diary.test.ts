/** The diary: availability misses no write of any process, and estimates do not wait for the database. */
import { expect, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import {
  API,
  BOOKING,
  CATALOG,
  catalogWith,
  fileApp,
  freshPhone,
  type TestApp,
  testApp,
  withoutFreshIds,
} from "../helpers.ts";
import { temporaryFolder } from "../process/server.ts";

const WEEK = `${API}/availability?days=7&vehicle_type=suv`;
const ESTIMATE = { vehicle_type: "suv", film_type: "ceramic" };

/** The answer of an app that has kept nothing yet. */
async function afresh(app: TestApp, path: string): Promise<unknown> {
  const { json } = await testApp({ store: app.store, now: app.now() }).get(path);
  return json;
}

async function expectFresh(app: TestApp, path: string) {
  const { json } = await app.get(path);
  expect(withoutFreshIds(json)).toEqual(withoutFreshIds(await afresh(app, path)));
}

const book = async (app: TestApp, time: string, date = BOOKING.date) => {
  const { status, json } = await app.post(
    `${API}/bookings`,
    { ...BOOKING, date, time, customer_phone: freshPhone(), customer_email: `${freshPhone().slice(1)}@example.com` },
    { from: `198.51.100.${++callers}` },
  );
  return { status, code: json.data?.confirmation_code as string };
};
let callers = 0;

test("two processes on one database see each other's bookings and cancellations at once", async () => {
  using folder = temporaryFolder();
  const shops = [testApp({ store: openSqliteStore(folder.path) }), testApp({ store: openSqliteStore(folder.path) })];
  const [here, there] = shops as [TestApp, TestApp];
  const agree = async () => {
    for (const app of [here, there, here]) await expectFresh(app, WEEK);
  };
  await agree();
  const made: string[] = [];
  for (const [i, time] of ["09:00", "09:00", "13:00", "10:00", "14:00"].entries()) {
    const { status, code } = await book(i % 2 === 0 ? here : there, time);
    expect([201, 409]).toContain(status);
    if (status === 201) made.push(code);
    await agree();
  }
  expect(made.length).toBeGreaterThan(1);
  for (const code of made) {
    await there.store.changeBookingStatus(code, "cancelled_by_shop", there.now().epochMilliseconds);
    await expectFresh(here, WEEK);
  }
  for (const { store } of shops) await store.close();
});

test("time alone makes slots too soon and past", async () => {
  const app = testApp();
  await book(app, "09:00");
  for (let i = 0; i < 60; i++) {
    await expectFresh(app, WEEK);
    app.advance({ minutes: 59, seconds: 59, milliseconds: i % 2 === 0 ? 999 : 1001 });
  }
});

test("a change of the catalog shows at once", async () => {
  const app = testApp();
  const open = async () => (await app.get(`${API}/availability?date=${BOOKING.date}`)).json.data.status;
  expect(await open()).toBe("open");
  app.setCatalog(catalogWith({ "scheduling.blocked_dates": [{ date: BOOKING.date }] }));
  expect(await open()).toBe("blocked");
  app.setCatalog(CATALOG);
  expect(await open()).toBe("open");
});

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
