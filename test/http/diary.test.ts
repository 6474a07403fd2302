/** The diary: availability misses no write of any process, and estimates do not wait for the database. */
import { expect, test } from "bun:test";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { API, BOOKING, CATALOG, fileApp, freshPhone, type TestApp, testApp, withoutFreshIds } from "../helpers.ts";

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
