/** What was asked for arrives in the booking: from the estimate by open times and a dry run, as every protocol leads on. */
import { describe, expect, test } from "bun:test";
import { API, freshPhone, NOW, PAT, type TestApp, testApp } from "../helpers.ts";
import { type Agent, a2aAgent, mcpAgent, restAgent, stepTo } from "./agents.ts";

const PROTOCOLS: [string, (app: TestApp) => Promise<Agent>][] = [
  ["REST", restAgent],
  ["MCP", mcpAgent],
  ["A2A", a2aAgent],
];

const CAR = { vehicle_year: 2021, vehicle_make: "Toyota", vehicle_model: "Camry" };
const WISHES: [string, Record<string, unknown>][] = [
  ["one shade", { vehicle_type: "sedan", film_type: "ceramic", shade: 50, jurisdiction: "US-FL", ...CAR }],
  [
    "a shade for each glass, extras, old film",
    {
      vehicle_type: "sedan",
      film_type: "ceramic",
      coverage: "full",
      addons: ["windshield_strip", "windshield", "sunroof"],
      remove_old_film: true,
      shade: { front_side: 50, rear_side: 15, rear_window: 5 },
      windshield_shade: 70,
      ...CAR,
    },
  ],
  ["two windows", { vehicle_type: "truck", coverage: "front2", shade: 50, vehicle_model: "F-150 & co" }],
  ["another service", { service: "clearplex", vehicle_type: "suv", ...CAR }],
];
const person = () => ({ ...PAT, customer_phone: freshPhone() });

/** The wish as a booking shows it. */
function asBooked({
  vehicle_type,
  vehicle_year,
  vehicle_make,
  vehicle_model,
  service,
  jurisdiction,
  ...wish
}: Record<string, unknown>) {
  return {
    ...wish,
    ...(service !== undefined && { service }),
    vehicle: {
      type: vehicle_type,
      year: vehicle_year ?? null,
      make: vehicle_make ?? null,
      model: vehicle_model ?? null,
    },
    ...(jurisdiction !== undefined && { tint_law: { jurisdiction } }),
  };
}

describe.each(PROTOCOLS)("over %s", (protocol, connect) => {
  // A brief estimate is the same to every protocol.
  describe.each(protocol === "REST" ? ["full", "brief"] : ["full"])("after a %s estimate", (view) => {
    test.each(WISHES)("%s: estimate, open times, dry run and booking are the same job", async (_, wish) => {
      const app = testApp();
      const agent = await connect(app);
      const quoted = await agent.use("automotive_estimate", { ...wish, view });
      const { estimate_id, total } = quoted.data;
      const timesStep = stepTo(quoted, "check_availability");
      expect(timesStep.input.estimate_id).toBe(estimate_id);
      const times = await agent.take(timesStep);
      expect(times.ok).toBe(true);
      const bookingStep = stepTo(times, "book_appointment");
      expect(bookingStep.input.estimate_id).toBe(estimate_id);
      // Of a wish that is not legal, the step asks to accept that.
      const customer = { ...person(), accept_not_legal: true };
      const dry = await agent.take(bookingStep, { ...customer, dry_run: true });
      expect(dry.data.status).toBe("dry_run");
      const booked = await agent.take(bookingStep, customer);
      expect(booked.data.status).toBe("confirmed");
      for (const { data } of [dry, booked]) {
        expect(data).toMatchObject(asBooked(wish));
        expect([data.estimate.total, data.estimate_id]).toEqual([total, estimate_id]);
        expect([data.date, data.time]).toEqual([bookingStep.input.date, bookingStep.input.time]);
      }
    });
  });
});

test("an estimate alone asks for the times of its work, and the page is told day, car and estimate", async () => {
  const app = testApp();
  const wish = { vehicle_type: "sedan", film_type: "ceramic", addons: ["sunroof"], shade: 50, ...CAR };
  const { json: quoted } = await app.post(`${API}/estimates`, wish);
  const { estimate_id, duration_minutes } = quoted.data;
  const day = "2026-11-24";
  const { status, json } = await app.get(`${API}/availability?estimate_id=${estimate_id}&date=${day}&view=compact`);
  expect([status, json.data.duration_minutes]).toEqual([200, duration_minutes]);
  const { json: full } = await app.get(`${API}/availability?estimate_id=${estimate_id}&date=${day}`);
  const page = new URL(full.data.book_url).searchParams;
  expect(Object.fromEntries(page)).toMatchObject({
    estimate_id,
    from: day,
    car: "2021 Toyota Camry",
    film_type: "ceramic",
    front_shade: "50",
    addons: "sunroof",
  });
});

test("an alternative to a taken time leads to the same job", async () => {
  const app = testApp();
  const wish = { vehicle_type: "sedan", film_type: "ceramic", shade: 50, ...CAR, jurisdiction: "US-FL" };
  const { json: quoted } = await app.post(`${API}/estimates`, wish);
  const { estimate_id } = quoted.data;
  const asked = { estimate_id, ...CAR, date: "2026-11-24", time: "09:00" };
  const made = [];
  for (let i = 0; i < 4; i++) made.push(await app.post(`${API}/bookings`, { ...asked, ...person() }));
  const refused = made.at(-1);
  expect([refused?.status, refused?.json.error_code]).toEqual([409, "SLOT_TAKEN"]);
  for (const { book_url: address } of refused?.json.alternatives ?? []) {
    const query = Object.fromEntries(new URL(address).searchParams);
    expect(query).toMatchObject({ estimate_id, car: "2021 Toyota Camry", front_shade: "50", jurisdiction: "US-FL" });
  }
  expect(refused?.json.usage.sample_request).toMatchObject({ estimate_id, ...CAR });
  expect(app.now()).toEqual(NOW);
});

test.each(["full", "brief"])("a link's vehicle type stays, whatever its car is usually: %s", async (view) => {
  const app = testApp();
  const { json } = await app.post(`${API}/estimates`, {
    vehicle_type: "suv",
    vehicle_make: "Honda",
    vehicle_model: "Civic",
    view,
  });
  const { pathname, search } = new URL(json.data.book_url);
  const { text } = await app.get(pathname + search, { headers: { Accept: "text/html" } });
  expect(text).toMatch(/value="suv"[^>]* checked/);
  expect(text).toContain('value="Honda Civic"');
});
