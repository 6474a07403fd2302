/** Corners that a hostile client found. */
import { expect, test } from "bun:test";
import { LIMITS, normalise } from "../../src/fields.ts";
import { API, BOOKING, catalogWith, freshPhone, testApp } from "../helpers.ts";

test("an area is rounded as the decimal it was written as", async () => {
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, { total_sqft: 8.745, site_type: "commercial" });
  // 875 hundredths at 16, 16.75 and 17.50 dollars; the float product would be 874.
  expect(json.data.options.map(({ total }: { total: number }) => total)).toEqual([140, 146.56, 153.13]);
});

test("a removal line is a range however small the area", async () => {
  const body = { total_sqft: 10, site_type: "commercial", existing_film_sqft: 0.001 };
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, body);
  const removal = json.data.options[0].line_items.find(({ code }: { code: string }) => code === "removal");
  expect(removal).toMatchObject({ amount_min: 0, amount_max: 0, unit_price_min: 2, unit_price_max: 4 });
});

test("a fragment in the request target is dropped", async () => {
  const { status, json } = await testApp().get(`${API}/faq#x`);
  expect(status).toBe(200);
  expect(json.success).toBe(true);
});

test("a service id of any size is a service that does not exist", async () => {
  const { status, json } = await testApp().get(`${API}/availability?service=10000`);
  expect([status, json.error_code]).toEqual([404, "SERVICE_NOT_FOUND"]);
});

test("an empty key header is no key", async () => {
  const { status } = await testApp().get(`${API}/faq`, { headers: { "X-API-Key": "" } });
  expect(status).toBe(200);
});

test("a run of combining marks that no text has is left as it is: to normalise it would take minutes", () => {
  const text = `a${"\u0315\u0300".repeat(LIMITS.body)}`;
  expect(normalise({ x: text })).toEqual({ x: text });
  expect(normalise("e\u0301")).toBe("é");
});

test("the booking an estimate proposes is still open when the first slot is not", async () => {
  const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
  const propose = async () => {
    const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv" });
    const sample = json.next_actions.find(
      ({ action }: { action: string }) => action === "book_appointment",
    ).sample_request;
    return { ...sample, customer_phone: freshPhone() };
  };
  const first = await propose();
  expect((await app.post(`${API}/bookings`, first)).status).toBe(201);
  const second = await propose();
  expect([second.date, second.time]).not.toEqual([first.date, first.time]);
  expect((await app.post(`${API}/bookings`, second, { from: "192.0.2.2" })).status).toBe(201);
});

test("a request that another process booked after our look is answered with that booking", async () => {
  const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
  const body = { ...BOOKING, booking_request_id: "twice" };
  const first = await app.post(`${API}/bookings`, body);
  // The other process's booking becomes visible only after the first look.
  let looks = 0;
  const late = {
    ...app.store,
    findEarlier: async (scope: string, id: string) => (looks++ === 0 ? null : app.store.findEarlier(scope, id)),
  };
  const other = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }), store: late });
  const second = await other.post(`${API}/bookings`, body);
  expect([second.status, second.json.data.confirmation_code]).toEqual([201, first.json.data.confirmation_code]);
  expect(second.headers.get("idempotent-replayed")).toBe("true");
});
