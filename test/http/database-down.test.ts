/** What goes on, and what is refused, while the database does not answer. */
import { describe, expect, spyOn, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { StoreUnavailable } from "../../src/store/store-errors.ts";
import { API, BOOKING, QUOTE, testApp } from "../helpers.ts";

describe("while the database does not answer", () => {
  const away = () => new Promise<never>(() => {});

  test("estimates go on, with the price lock and a sample, and so do answers without a diary", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    expect((await app.post(`${API}/estimates`, { vehicle_type: "suv" })).status).toBe(200);
    const gone: Partial<Store> = { lockSecret: away, busyBetween: away, dataVersion: away };
    Object.assign(store, gone);
    // What was read counts as fresh for a second.
    app.advance({ seconds: 5 });
    const monotonic = performance.now.bind(performance);
    using _later = spyOn(performance, "now").mockImplementation(() => monotonic() + 5_000);
    const asked = performance.now();
    const { status, json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
    expect(status).toBe(200);
    expect(json.data.estimate_id).toBeString();
    expect(json.next_actions.map(({ action }: { action: string }) => action)).toContain("book_appointment");
    expect(performance.now() - asked).toBeLessThan(2_000);
    for (const path of ["/services", "/faq", "/location", "/capabilities", "/docs"])
      expect((await app.get(API + path)).status).toBe(200);
  });

  test("a key that was known goes on, and one that was not cannot be judged", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    const [known, other] = [1, 2].map(async (i) => {
      const { json } = await app.post(`${API}/register`, { name: "Pat", email: `pat${i}@example.com` });
      return { headers: { Authorization: `Bearer ${json.data.api_key}` } };
    });
    const withKey = async (key: Promise<{ headers: Record<string, string> }> | undefined) =>
      (await app.get(`${API}/services`, await key)).status;
    expect(await withKey(known)).toBe(200);
    store.findKey = () => Promise.reject(new StoreUnavailable("away"));
    expect(await withKey(known)).toBe(200);
    expect(await withKey(other)).toBe(503);
  });

  test("a booking that stands is told again, even when its quotas cannot be read", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    const body = { ...BOOKING, booking_request_id: "stands" };
    const first = await app.post(`${API}/bookings`, body);
    store.quotaUse = () => Promise.reject(new StoreUnavailable("away"));
    const { status, json } = await app.post(`${API}/bookings`, body);
    expect([status, json.data]).toEqual([201, first.json.data]);
  });

  test("a key that was stored is told, even when no open time can be read", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    store.busyBetween = () => Promise.reject(new StoreUnavailable("away"));
    const { status, json } = await app.post(`${API}/register`, { name: "Pat", email: "pat@example.com" });
    expect([status, json.data.api_key]).toEqual([201, expect.any(String)]);
  });
});

test("a body with faults is refused at once while the database does not answer", async () => {
  const { store } = testApp();
  const app = testApp({ store: { ...store, busyBetween: () => new Promise<never>(() => {}) } });
  const { status, json } = await app.post(`${API}/bookings`, { ...BOOKING, customer_name: undefined });
  expect([status, json.missing_fields]).toEqual([400, ["customer_name"]]);
  expect(json.usage.fill_in).toContain("customer_name");
}, 3_000);

test.each([
  ["/quote-request", QUOTE],
  ["/register", { name: "Pat", email: "pat@example.com" }],
])("while the store cannot write, %s says that it stored nothing, and when to come again", async (path, body) => {
  const { store } = testApp();
  const refuse = () => Promise.reject(new StoreUnavailable("busy"));
  const app = testApp({ store: { ...store, addLead: refuse, addKey: refuse } });
  const { status, headers, json } = await app.post(API + path, body);
  expect([status, json.error_code, json.message]).toEqual([
    503,
    "INTERNAL_ERROR",
    "The shop's records cannot be reached just now. This request stored nothing.",
  ]);
  expect([headers.get("retry-after"), json.retry_after_seconds]).toEqual(["5", 5]);
});
