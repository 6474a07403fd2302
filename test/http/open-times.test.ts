/** The times that are open on one day, and the days ahead. */
import { describe, expect, test } from "bun:test";
import { type Answer, API, BOOKING, catalogWith, manyCallers, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);

describe("availability", () => {
  const slotTimes = (slots: { time: string; status: string }[]) => slots.map(({ time, status }) => `${time} ${status}`);

  test("one day: every slot with its status", async () => {
    const { status, json } = await APP.get(`${API}/availability?date=2026-11-24`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      timezone: "America/New_York",
      generated_at: "2026-11-21T10:00:00-05:00",
      service: { id: 1, key: "automotive" },
      date: "2026-11-24",
      weekday: "tuesday",
      status: "open",
    });
    expect(Object.keys(json.data).sort()).toEqual(
      ["timezone", "generated_at", "service", "book_url", "date", "weekday", "status", "slots"].sort(),
    );
    expect(json.data.slots[0]).toEqual({
      date: "2026-11-24",
      time: "09:00",
      start: "2026-11-24T09:00:00-05:00",
      end: "2026-11-24T13:30:00-05:00",
      duration_minutes: 270,
      available: true,
      status: "available",
      remaining: 2,
    });
    expect(slotTimes(json.data.slots)).toEqual(
      ["09:00", "10:00", "11:00", "12:00", "13:00"].map((time) => `${time} available`),
    );
  });

  test("the next days: from today, closed ones too", async () => {
    const { json } = await APP.get(`${API}/availability`);
    expect(json.data).toMatchObject({ from: "2026-11-21", to: "2026-11-27" });
    const days = json.data.days.map(({ date, status }: { date: string; status: string }) => `${date} ${status}`);
    expect(days).toEqual([
      "2026-11-21 open",
      "2026-11-22 closed",
      "2026-11-23 open",
      "2026-11-24 open",
      "2026-11-25 open",
      "2026-11-26 closed",
      "2026-11-27 open",
    ]);
    const [today, sunday] = json.data.days;
    expect(Object.keys(sunday).sort()).toEqual(["available_count", "date", "reason", "slots", "status", "weekday"]);
    expect(slotTimes(today.slots)).toEqual(["09:00 past", "10:00 past"]);
    expect(today.available_count).toBe(0);
    expect(json.data.days[5].reason).toBe("Thanksgiving");
  });

  test("days from 1 to 30", async () => {
    const app = testApp();
    for (const days of [1, 7, 30]) {
      expect((await app.get(`${API}/availability?days=${days}`)).json.data.days).toHaveLength(days);
    }
    for (const days of ["0", "31", "-1", "7.5", "1e1", "0x7", "many", "+7"]) {
      const answer = await app.get(`${API}/availability?days=${encodeURIComponent(days)}`);
      expect([days, answer.status, answer.json.error_code, fields(answer)]).toEqual([
        days,
        400,
        "BAD_REQUEST",
        ["days"],
      ]);
    }
  });

  const DAYS: [string, string, number][] = [
    ["2026-11-20", "past", 0],
    ["0000-01-01", "past", 0],
    ["2026-11-22", "closed", 0],
    ["2026-11-26", "closed", 0],
    ["2026-12-01", "blocked", 0],
    ["2027-01-20", "open", 5],
    ["2027-01-21", "beyond_horizon", 0],
    ["9999-12-31", "beyond_horizon", 0],
  ];
  for (const [date, dayStatus, open] of DAYS) {
    test(`${date} is ${dayStatus}`, async () => {
      const app = testApp({
        catalog: catalogWith({ "scheduling.blocked_dates": [{ date: "2026-12-01", reason: "Move" }] }),
      });
      const { status, json } = await app.get(`${API}/availability?date=${date}`);
      expect([status, json.data?.status]).toEqual([200, dayStatus]);
      if (dayStatus !== "open") expect(json.data.reason).toMatch(/\S/);
      expect(json.data.slots.filter(({ available }: { available: boolean }) => available)).toHaveLength(open);
    });
  }

  test("the days end with the last date that has four digits for its year", async () => {
    const app = testApp();
    for (const [from, days] of [
      ["9999-12-20", 7],
      ["9999-12-26", 6],
      ["9999-12-31", 1],
    ] as const) {
      const { status, json } = await app.get(`${API}/availability?from=${from}`);
      expect([from, status, json.data?.days.length]).toEqual([from, 200, days]);
      expect(json.next_actions.at(-1)).toMatchObject({ action: "business_location" });
    }
  });

  test("a date that does not exist is refused", async () => {
    for (const date of ["2027-02-30", "2026-13-01", "2026-00-10", "2026-11-24T25:00", "tomorrow", "-000001-01-01"]) {
      const answer = await APP.get(`${API}/availability?date=${date}`);
      expect([date, answer.status, fields(answer)]).toEqual([date, 400, ["date"]]);
    }
  });

  test("naming the vehicle makes the length exact", async () => {
    for (const [query, minutes, last] of [
      ["vehicle_type=suv&film_type=ceramic", 240, "14:00"],
      ["vehicle_type=sedan", 150, "15:00"],
      ["vehicle_type=van&coverage=front2&film_type=ceramic", 60, "17:00"],
      ["service=5", 120, "16:00"],
    ] as const) {
      const { json } = await APP.get(`${API}/availability?date=2026-11-24&${query}`);
      expect(json.data.slots.at(-1)).toMatchObject({ time: last, duration_minutes: minutes, available: true });
    }
  });

  test("without a vehicle the answer says that naming one shows more times", async () => {
    const app = testApp();
    const actions = ({ json }: Answer) => json.next_actions.map(({ action }: { action: string }) => action);
    const bare = await app.get(`${API}/availability?date=2026-11-24`);
    expect(actions(bare)).toEqual(["book_appointment", "check_availability"]);
    expect(bare.json.next_actions[0].sample_request).toMatchObject({ date: "2026-11-24", time: "09:00" });
    expect(actions(await app.get(`${API}/availability?date=2026-11-24&vehicle_type=suv`))).toEqual([
      "book_appointment",
    ]);
  });

  test("a booking takes a bay for its length and the buffer", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    await app.post(`${API}/bookings`, { ...BOOKING, time: "12:00" });
    const { json } = await app.get(`${API}/availability?date=2026-11-24&vehicle_type=coupe&coverage=front2`);
    expect(slotTimes(json.data.slots)).toEqual([
      "09:00 available",
      "10:00 available",
      "11:00 booked",
      "12:00 booked",
      "13:00 booked",
      "14:00 booked",
      "15:00 booked",
      "16:00 booked",
      "17:00 available",
    ]);
  });
});
