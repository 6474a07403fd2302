/** Availability: the times of a day and of the days ahead, compact days, and ways out of days without an open time. */
import { describe, expect, test } from "bun:test";
import { type Answer, manyCallers, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, bookingOn, freshPhone, NOW } from "../fixed-day.ts";
import { appWith, WORDS } from "../helpers.ts";

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
      const expected = [days, 400, "BAD_REQUEST", ["days"]];
      expect([days, answer.status, answer.json.error_code, fields(answer)]).toEqual(expected);
    }
  });

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
    const app = appWith({ "scheduling.bays": 1 });
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

const KB = 1024;
const ask = (query: string, app: TestApp = testApp()) => app.get(`${API}/availability?${query}`);

interface Step {
  action: string;
  description: string;
  path: string;
  sample_request: Record<string, string | number>;
}

/** The days of a suggested query, which must have an open time. */
async function follow(step: Step | undefined, app: TestApp) {
  expect(step?.action).toBe("check_availability");
  const query = new URLSearchParams(
    Object.entries(step?.sample_request ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, json } = await app.get(`${step?.path}?${query}`);
  expect(status).toBe(200);
  const slots = json.data.slots ?? json.data.days.flatMap((day: { slots: object[] }) => day.slots);
  expect(slots.some(({ available }: { available: boolean }) => available)).toBe(true);
  return json;
}

test("several days say of each day what it says alone, with the bookings of each", async () => {
  const blocked = [{ date: "2026-11-27", reason: "Move" }];
  const app = appWith({ "scheduling.bays": 1, "scheduling.blocked_dates": blocked });
  for (const [date, time] of [
    ["2026-11-28", "09:00"],
    ["2026-11-24", "13:00"],
    ["2026-11-25", "09:00"],
  ] as const)
    expect((await app.post(`${API}/bookings`, bookingOn(date, time))).status).toBe(201);
  const { days } = (await ask("days=10&vehicle_type=suv", app)).json.data;
  const statuses = days.flatMap(({ slots }: { slots: { status: string }[] }) => slots.map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set(["past", "too_soon", "available", "booked", "blocked"]));
  for (const { date, slots } of days) {
    const alone = (await ask(`date=${date}&vehicle_type=suv`, app)).json.data;
    expect([date, slots]).toEqual([date, alone.slots]);
  }
});

describe("view=compact", () => {
  test("of each day only the open times", async () => {
    const app = testApp();
    const whole = (await ask("days=7&vehicle_type=suv", app)).json.data.days;
    const { status, json } = await ask("days=7&vehicle_type=suv&view=compact", app);
    expect(status).toBe(200);
    const compact = ({ date, weekday, status, slots, reason }: Answer["json"]) => {
      const open = slots.filter(({ available }: Answer["json"]) => available).map(({ time }: Answer["json"]) => time);
      return { date, weekday, status, open, ...(reason !== undefined && { reason }) };
    };
    expect(json.data.days).toEqual(whole.map(compact));
    const { days: _, ...head } = json.data;
    expect(head).toEqual({
      today: "2026-11-21",
      timezone: "America/New_York",
      duration_minutes: 210,
      duration: "3 h 30 min",
      book_url: "https://marlowridge.example/book?service_type=automotive&vehicle_type=suv",
    });
    expect((await ask("date=2026-11-24&vehicle_type=suv&view=compact", app)).json.data.days).toEqual(
      json.data.days.filter(({ date }: { date: string }) => date === "2026-11-24"),
    );
  });

  // Every weekday as the first, because the number of working days in 30 differs.
  test.each([0, 1, 2, 3, 4, 5, 6])("30 days take at most 3.5 kB, from %i days on", async (days) => {
    const app = testApp({ now: NOW.add({ hours: 24 * (days + 35) }) });
    const { bytes, json } = await ask("days=30&view=compact", app);
    expect(json.data.days).toHaveLength(30);
    expect(json.next_actions).toEqual([]);
    expect(bytes.length).toBeLessThanOrEqual(3.5 * KB);
  });

  const FULLEST = `vehicle_type=crossover&film_type=ceramic&coverage=front2&addons=${WORDS.addons}&remove_old_film=true`;
  test.each([
    "vehicle_type=sedan&coverage=front2",
    "vehicle_type=sedan",
    "vehicle_type=sedan&addons=nofault,windshield_strip",
    "service=film_removal",
    "service=clearplex&vehicle_type=suv",
    FULLEST,
    `${FULLEST}&shade=50&windshield_shade=70&vehicle_year=2021&vehicle_model=${"Model (with a long name) ".repeat(3)}`,
  ])(
    "the times of shorter work take at most 3.5 kB too, and the next step asks for the days left out: %s",
    async (work) => {
      const app = testApp({ now: NOW.add({ hours: 24 * 44 }) });
      const whole = (await ask(`days=30&${work}`, app)).json.data.days.map(({ date }: { date: string }) => date);
      const dates: string[] = [];
      let query = `days=30&view=compact&${work}`;
      while (dates.length < whole.length) {
        const { bytes, json } = await ask(query, app);
        expect(bytes.length).toBeLessThanOrEqual(3.5 * KB);
        dates.push(...json.data.days.map(({ date }: { date: string }) => date));
        const [next] = json.next_actions;
        expect(next === undefined).toBe(dates.length === whole.length);
        query = String(new URLSearchParams(next?.sample_request));
      }
      expect(dates).toEqual(whole);
    },
  );
});

test("the ways out of compact days are compact too", async () => {
  for (const query of ["date=2026-11-21", "date=2026-11-26", "date=2028-01-03"]) {
    const { json } = await ask(`${query}&view=compact`);
    const steps = json.next_actions.filter(({ action }: Step) => action === "check_availability");
    expect(steps.length).toBeGreaterThan(0);
    for (const { sample_request } of steps) expect([query, sample_request.view]).toEqual([query, "compact"]);
  }
});

test("from names the first of several days", async () => {
  const { json } = await ask("from=2026-12-01&days=3");
  expect([json.data.from, json.data.to]).toEqual(["2026-12-01", "2026-12-03"]);
  const vehicle = json.next_actions.find(({ action }: Step) => action === "check_availability");
  expect(vehicle.sample_request).toMatchObject({ from: "2026-12-01", days: 3 });
  expect((await ask("from=2026-02-30")).status).toBe(400);
});

test("from and days beside date are ignored with a warning, whatever they hold", async () => {
  const { status, json } = await ask("date=2026-11-24&days=many&from=2026-02-30");
  expect([status, json.data.date]).toEqual([200, "2026-11-24"]);
  expect(json.warnings).toMatchObject(["from", "days"].map((field) => ({ code: "FIELD_IGNORED", field })));
});

describe("after and before", () => {
  const open = ({ slots }: { slots: { time: string; status: string }[] }) =>
    slots.filter(({ status }) => status === "available").map(({ time }) => time);

  test("narrow the times of a day and of several", async () => {
    const one = await ask("date=2026-11-24&vehicle_type=coupe&coverage=front2&after=13:00&before=15:00");
    expect(open(one.json.data)).toEqual(["13:00", "14:00"]);
    const several = await ask("vehicle_type=coupe&coverage=front2&after=16:00");
    for (const day of several.json.data.days) {
      expect(day.slots.every(({ time }: { time: string }) => time >= "16:00")).toBe(true);
      expect(day.available_count).toBe(open(day).length);
    }
    const compact = await ask("date=2026-11-24&vehicle_type=coupe&coverage=front2&before=10:00&view=compact");
    expect(compact.json.data.days[0].open).toEqual(["09:00"]);
  });

  test("that leave no time lead to the other times", async () => {
    const { json } = await ask("date=2026-11-24&vehicle_type=suv&after=17:30");
    expect(json.data).toMatchObject({ status: "open", reason: "Only other times of this day are open.", slots: [] });
    const [step] = json.next_actions;
    expect(step.sample_request).toEqual({ service: 1, vehicle_type: "suv", date: "2026-11-24" });
    expect(open((await ask(new URL(step.url).search.slice(1))).json.data).length).toBeGreaterThan(0);
  });
});

describe("an open day without a time says why", () => {
  const reasonOf = async (query: string, app = testApp()) => (await ask(query, app)).json.data.reason;

  test("the work is longer than the day", async () => {
    expect(await reasonOf("date=2026-12-24")).toContain("This work takes 4 h 30 min, and the shop is open for 4 h.");
  });

  test("every bay is taken", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    for (const time of ["11:00", "14:00"])
      await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: freshPhone(), time });
    expect(await reasonOf(`date=${BOOKING.date}&vehicle_type=van`, app)).toContain("Every bay is taken for work of");
  });

  test("the shop needs notice", async () => {
    const app = appWith({ "scheduling.lead_minutes": 5 * 24 * 60 });
    expect(await reasonOf("date=2026-11-24&vehicle_type=suv", app)).toBe("The shop needs 5 days of notice.");
  });

  test("it is too late", async () => {
    const app = testApp({ now: Temporal.Instant.from("2026-11-24T16:00:00-05:00") });
    expect(await reasonOf("date=2026-11-24&vehicle_type=suv", app)).toBe("No time is left on this day.");
  });
});

test.each([
  ["service=automotive", "service=1"],
  ["service=clearplex&days=3", "service=6&days=3"],
])("%s asks like %s", async (byKey, byId) => {
  const app = testApp();
  const [key, id] = [await ask(byKey, app), await ask(byId, app)];
  expect(key.json.data).toEqual(id.json.data);
});

describe("days without an open time", () => {
  test("name the vehicle where only the longest work does not fit", async () => {
    const app = testApp();
    // Saturday, 10:00: the longest work would not end before closing at 15:00.
    const { json } = await ask("date=2026-11-21", app);
    const [vehicle, later] = json.next_actions;
    expect(vehicle.sample_request).toMatchObject({ date: "2026-11-21", vehicle_type: "coupe" });
    await follow(vehicle, app);
    await follow(later, app);
  });

  test("lead to the days after, with the same work", async () => {
    const app = testApp();
    const { json } = await ask("date=2026-11-26&vehicle_type=suv&film_type=ceramic", app);
    expect(json.data.status).toBe("closed");
    const sample = { from: "2026-11-27", vehicle_type: "suv", film_type: "ceramic" };
    expect(json.next_actions).toMatchObject([{ sample_request: sample }]);
    await follow(json.next_actions[0], app);
    await follow((await ask("date=2026-11-20", app)).json.next_actions[0], app);
  });

  test("beyond the horizon lead back inside it, or to the phone", async () => {
    const app = testApp();
    const { json } = await ask("date=2028-01-03&vehicle_type=suv", app);
    const [inside, call] = json.next_actions;
    expect(inside.description).toContain("2027-01-20");
    expect(call.action).toBe("business_location");
    const days = (await follow(inside, app)).data.days;
    expect(days.at(-1)).toMatchObject({ date: "2027-01-20", status: "open" });
  });

  test.each([
    [1, "2026-11-23", "Bookings open 1 day ahead."],
    [2, "2026-11-24", "Bookings open 2 days ahead."],
  ])("beyond a horizon of %d say so", async (horizon, date, reason) => {
    const app = appWith({ "scheduling.horizon_days": horizon });
    expect((await ask(`date=${date}`, app)).json.data).toMatchObject({ status: "beyond_horizon", reason });
  });

  test("at the end of the horizon lead nowhere beyond it", async () => {
    const { json } = await ask("date=2027-01-17&vehicle_type=suv");
    expect(json.next_actions).toMatchObject([{ sample_request: { from: "2027-01-18", days: 3 } }]);
  });
});

test.each([
  ["service=film_removal&addons=sunroof,nofault", ["addons", "addons"]],
  ["service=clearplex&remove_old_film=true&view=compact", ["remove_old_film"]],
  ["addons=sunroof&remove_old_film=true", []],
])("%s: what does not go with the service is said, and takes no time", async (query, fields) => {
  const app = testApp();
  const { json } = await app.get(`${API}/availability?date=2026-11-24&${query}`);
  const warnings = json.warnings ?? [];
  expect(warnings.map(({ field }: { field: string }) => field)).toEqual(fields);
  for (const { code } of warnings) expect(code).toBe("ADDON_NOT_APPLICABLE");
});
