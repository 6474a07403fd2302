/** A vehicle without a price is asked about whatever type stands beside it. Source: contract 2. */
import { expect, test } from "bun:test";
import { API, bookingOn, testApp } from "../helpers.ts";

const app = testApp();

test.each([
  { vehicle_type: "suv", vehicle_make: "Honda", vehicle_model: "Gold Wing motorcycle" },
  { vehicle_type: "suv", vehicle_model: "boat trailer" },
])("%j is not priced, nor booked, as another vehicle", async (vehicle) => {
  for (const { json } of [
    await app.post(`${API}/estimates`, vehicle),
    await app.post(`${API}/bookings`, { ...bookingOn("2026-11-24"), ...vehicle, dry_run: true }),
    await app.get(`${API}/availability?${new URLSearchParams(vehicle as never)}`),
  ]) {
    expect(json).toMatchObject({ success: false, error_code: "INVALID_VEHICLE_TYPE" });
    expect(json.usage.sample_request).not.toHaveProperty("vehicle_type");
    expect(json.usage.fill_in).toContain("vehicle_type");
    expect(json.agent_instruction).toMatch(/quote-request/);
  }
});

test("a known model beside a type is priced, also one whose name has such a word", async () => {
  for (const vehicle_model of ["CR-V", "Tacoma with a camper shell", "Model 3"])
    expect((await app.post(`${API}/estimates`, { vehicle_type: "truck", vehicle_model })).status).toBe(200);
});
