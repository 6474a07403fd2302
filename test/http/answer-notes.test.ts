/** Promises in answers beside the price: open next steps, a site visit, the time of the shop's reply. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { API, bookingOn, catalogWith, manyCallers, QUOTE, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

setDefaultTimeout(20_000);

const BY_PHONE = { action: "business_location" };
const ONLINE = [{ action: "check_availability" }, { action: "book_appointment" }];

test.each([
  ["automotive", {}, [...ONLINE, { action: "quote_request" }]],
  ["film_removal", {}, ONLINE],
  // The service has a price, but is booked by phone only.
  ["film_removal", { "services.4.bookable": false }, [BY_PHONE]],
  ["clearplex", { "services.5.bookable": false }, [BY_PHONE]],
])("an estimate of %s with %j leads to %j", async (service, edits, steps) => {
  const app = testApp({ catalog: catalogWith(edits) });
  const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv", service });
  expect(json.next_actions).toMatchObject(steps);
});

test.each([
  ["automotive", []],
  ["film_removal", ["film_type"]],
  ["clearplex", ["film_type", "coverage"]],
])("%s warns that %j was not used: on estimates, bookings and open times", async (service, fields) => {
  const app = testApp();
  const asked = { vehicle_type: "suv", film_type: "ceramic", coverage: "front2" };
  const booking = { ...bookingOn("2026-11-24"), ...asked, service_type: service };
  const answers = [
    await app.post(`${API}/estimates`, { ...asked, service }),
    await app.post(`${API}/estimates`, { ...asked, service, view: "brief" }),
    await app.post(`${API}/bookings`, { ...booking, dry_run: true }),
    await app.post(`${API}/bookings`, booking),
    await app.get(`${API}/availability?${new URLSearchParams({ ...asked, service })}`),
  ];
  for (const { json } of answers) {
    const warned = (json.warnings ?? []).filter(({ code }: { code: string }) => code === "FIELD_IGNORED");
    for (const field of fields)
      expect(warned.map(({ message }: { message: string }) => message).join(" ")).toContain(`${field} was not used`);
    expect(warned.length === 0).toBe(fields.length === 0);
  }
});

test.each([
  [undefined, false, false],
  [1, false, false],
  [2, true, false],
  [3, true, false],
  [4, true, true],
  [5, true, true],
])("%p floors: ladder %p, site visit %p", async (floors, ladder, visit) => {
  const { json } = await APP.post(`${API}/flat-glass/estimate`, {
    total_sqft: 200,
    site_type: "commercial",
    ...(floors && { floors }),
  });
  expect(json.data).toMatchObject({ ladder_required: ladder, site_visit_required: visit });
  expect(json.data.notes.some((note: string) => note.includes("site visit"))).toBe(visit);
});

test.each([
  [{}, ["primary_concern", "needs_ladder", "floors"]],
  [{ primary_concern: "heat", floors: 1 }, ["needs_ladder"]],
  [{ film_goals: ["privacy"], needs_ladder: false }, []],
  // Only the concern "security" recommends security film.
  [{ site_type: "security", needs_ladder: true }, []],
])("flat glass with %j assumes %j", async (given, assumed) => {
  const body = { total_sqft: 200, site_type: "commercial", ...given };
  const { json } = await APP.post(`${API}/flat-glass/estimate`, body);
  expect(json.data.assumed).toEqual(assumed);
});

test("an answer says that film is attached to the frame only when it is", async () => {
  const { json } = await APP.post(`${API}/flat-glass/estimate`, { total_sqft: 200, site_type: "security" });
  expect(json.data.options.map(({ why }: { why: string }) => why)).toEqual([
    expect.stringMatching(/is 4 mil thick\.$/),
    expect.stringMatching(/is 8 mil thick\.$/),
    expect.stringMatching(/is 8 mil thick and attached to the frame\.$/),
  ]);
});

const REMINDERS = (...hours: string[]) => ({
  follow_up: [{ after: "0m", do: "push_to_crm" }, ...hours.map((after) => ({ after, do: "remind_owner" }))],
});

test.each([
  // The shop is open Monday to Friday from 9 to 18 and on Saturday from 9 to 15, not on Thanksgiving, November 26.
  ["2026-11-24T10:00:00-05:00", {}, "2026-11-25T10:00:00-05:00"],
  ["2026-11-21T10:00:00-05:00", {}, "2026-11-23T09:00:00-05:00"],
  ["2026-11-24T20:00:00-05:00", {}, "2026-11-27T09:00:00-05:00"],
  ["2026-11-25T17:59:59-05:00", {}, "2026-11-27T09:00:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS("30m"), "2026-11-24T10:30:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS("30m", "2h"), "2026-11-24T12:00:00-05:00"],
  ["2026-11-24T17:30:00-05:00", REMINDERS("30m"), "2026-11-25T09:00:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS(), "2026-11-24T10:00:00-05:00"],
  ["2026-11-24T07:00:00-05:00", REMINDERS(), "2026-11-24T09:00:00-05:00"],
  // The day after is blocked.
  [
    "2026-11-24T20:00:00-05:00",
    { ...REMINDERS(), "scheduling.blocked_dates": [{ date: "2026-11-25" }] },
    "2026-11-27T09:00:00-05:00",
  ],
])("a quote request of %s with %j is answered by %s", async (at, edits, by) => {
  const app = testApp({ catalog: catalogWith(edits), now: Temporal.Instant.from(at) });
  const { json } = await app.post(`${API}/quote-request`, QUOTE);
  expect(json.data.follow_up).toEqual({ expected_by: by, channel: "phone" });
});

test.each([
  ["2026-11-21T10:00:00-05:00", 14, "2026-12-05T23:59:59-05:00"],
  ["2026-11-21T23:59:59-05:00", 0, "2026-11-21T23:59:59-05:00"],
  // Clocks go forward on March 14.
  ["2027-03-10T00:00:00-05:00", 7, "2027-03-17T23:59:59-04:00"],
])("an estimate of %s with %d days holds until %s", async (at, days, until) => {
  const catalog = catalogWith({ "automotive.estimate_valid_days": days });
  const app = testApp({ catalog, now: Temporal.Instant.from(at) });
  expect((await app.post(`${API}/estimates`, { vehicle_type: "suv" })).json.data.valid_until).toBe(until);
});

test.each([
  [{ vehicle_type: "suv" }, "SUV"],
  [{ vehicle_type: "suv", vehicle_make: "Honda" }, "Honda (SUV)"],
  [
    { vehicle_type: "suv", vehicle_year: 2024, vehicle_make: "Honda", vehicle_model: "Pilot" },
    "2024 Honda Pilot (SUV)",
  ],
])("the vehicle of %j is described as %s", async (body, description) => {
  const { json } = await APP.post(`${API}/estimates`, body);
  expect(json.data.vehicle.description).toBe(description);
});

/** The quote request that a flat-glass estimate leads to. */
async function quoteRequestAfter(given: object, edits: Record<string, unknown> = {}) {
  const app = testApp({ catalog: catalogWith(edits) });
  const body = { total_sqft: 200, site_type: "commercial", ...given };
  const { json } = await app.post(`${API}/flat-glass/estimate`, body);
  const [next] = json.next_actions;
  expect(next.action).toBe("quote_request");
  return { sample: next.sample_request, notes: json.data.notes as string[] };
}

test.each([
  [
    {},
    { furniture_moving: undefined, blinds_removal: undefined, film_goals: undefined, existing_film_sqft: undefined },
  ],
  [{}, { service_type: "commercial", square_footage: 200 }],
  [{ blocked_windows: 2 }, { furniture_moving: true, blocked_windows: 2 }],
  [{ curtain_windows: 1 }, { blinds_removal: true, curtain_windows: 1 }],
  [{ existing_film_sqft: 50 }, { existing_film_sqft: 50 }],
  [
    { blocked_windows: 0, curtain_windows: 0, existing_film_sqft: 0 },
    { furniture_moving: undefined, blocked_windows: undefined, existing_film_sqft: undefined },
  ],
  [{ primary_concern: "heat" }, { film_goals: ["heat_reduction"] }],
  [{ film_goals: ["privacy", "heat", "privacy"] }, { film_goals: ["privacy", "heat_reduction"] }],
  [
    { primary_concern: "glare", film_goals: ["uv", "decorative"] },
    { film_goals: ["glare_reduction", "uv_protection", "decorative"] },
  ],
  [{ floors: 3 }, { floors: 3, needs_ladder: true }],
  [{ floors: 1 }, { floors: 1, needs_ladder: false }],
])("flat glass with %j leads to a quote request with %j", async (given, expected) => {
  const { sample } = await quoteRequestAfter(given);
  for (const [field, value] of Object.entries(expected)) expect([field, sample[field]]).toEqual([field, value]);
});

test("notes speak of a minimum only where there is one, and of old film only where it comes off", async () => {
  const about = async (word: string, given: object, edits?: Record<string, unknown>) =>
    (await quoteRequestAfter(given, edits)).notes.filter((note) => note.includes(word)).length;
  expect(await about("minimum", {}, { "flat_glass.minimum_job_charge": 250 })).toBe(1);
  expect(await about("minimum", {}, { "flat_glass.minimum_job_charge": 0 })).toBe(0);
  expect(await about("old film", { existing_film_sqft: 1 })).toBe(1);
  expect(await about("old film", { existing_film_sqft: 0 })).toBe(0);
  const exact = { "flat_glass.removal_per_sqft": { low: 2, high: 2 } };
  expect(await about("old film", { existing_film_sqft: 1 }, exact)).toBe(0);
  expect(await about("old film", { existing_film_sqft: 1 }, { "flat_glass.minimum_job_charge": 90_000 })).toBe(0);
});

test.each([
  [{}, [{ action: "list_faq" }]],
  [
    { square_footage: 250, floors: 2, film_goals: ["privacy"] },
    [
      {
        action: "flat_glass_estimate",
        sample_request: { total_sqft: 250, site_type: "commercial", floors: 2, film_goals: ["privacy"] },
      },
      { action: "list_faq" },
    ],
  ],
])("a quote request with %j leads to %j", async (given, actions) => {
  const { json } = await testApp().post(`${API}/quote-request`, { ...QUOTE, ...given });
  expect(json.next_actions).toMatchObject(actions);
  expect(json.next_actions).toHaveLength(actions.length);
});

test("a day with a single open time leads to the booking of that time", async () => {
  // The shop closes at 13:00 on Christmas Eve, and this work takes four hours.
  const query = "date=2026-12-24&vehicle_type=suv&film_type=ceramic&coverage=full";
  const { json } = await APP.get(`${API}/availability?${query}`);
  expect(json.data.slots.filter(({ available }: { available: boolean }) => available)).toHaveLength(1);
  expect(json.next_actions).toMatchObject([
    { action: "book_appointment", sample_request: { date: "2026-12-24", time: "09:00", vehicle_type: "suv" } },
  ]);
});

test.each([
  [489, 93.1, 38, "for $200 more."],
  [289, 93.3, 38.2, "for the same price."],
  [200, 93.2, 38.1, "for $89 less."],
])("a film for %d with %d%% rejection is compared exactly", async (price, rejected, difference, says) => {
  const edits = {
    "automotive.vehicle_types.sedan.ceramic.full": price,
    "automotive.films.ceramic.ir_rejection_pct": rejected,
    "automotive.films.standard.ir_rejection_pct": 55.1,
  };
  const { json } = await testApp({ catalog: catalogWith(edits) }).post(`${API}/estimates`, { vehicle_type: "sedan" });
  const { price_difference, ir_rejection_difference_pct, summary } = json.data.comparison;
  expect([price_difference, ir_rejection_difference_pct]).toEqual([price - 289, difference]);
  expect(summary).toEndWith(says);
});
