/** Answers that a model can afford (contract 15), and their promises: next steps, a site visit, the time of the shop's reply. */
import { describe, expect, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import {
  API,
  appWith,
  bookingOn,
  CATALOG,
  catalogWith,
  inOwnName,
  manyCallers,
  QUOTE,
  testApp,
  WORDS,
} from "../helpers.ts";

const APP = manyCallers();
const KB = 1024;
const SUV = { vehicle_type: "suv", film_type: "ceramic", shade: 40 };
const GLASS = { site_type: "commercial", total_sqft: 200 };

describe("view: brief", () => {
  test("an automotive estimate holds totals, the verdict, and the next steps", async () => {
    const app = testApp();
    const { json: whole } = await app.post(`${API}/estimates`, SUV);
    const { status, json } = await app.post(`${API}/estimates`, { ...SUV, view: "brief" });
    expect(status).toBe(200);
    const { total, currency, duration_minutes, valid_until, tint_law: law } = whole.data;
    expect(json.data).toMatchObject({
      kind: "automotive",
      currency,
      total,
      options: [
        { film_type: "standard", total: 349 },
        { film_type: "ceramic", total: 599 },
      ],
      tint_law: { jurisdiction: "US-GA", status: law.status },
      duration_minutes,
      valid_until,
    });
    for (const [i, check] of json.data.tint_law.checks.entries()) {
      expect(Object.keys(check)).toEqual(["position", "status", "rule", "min_vlt", "darkest_legal_shade"]);
      expect(law.checks[i]).toMatchObject(check);
    }
    const [times, booking] = json.next_actions;
    // The estimate holds the work, so the steps need not repeat it.
    expect(times.sample_request).toEqual({ estimate_id: json.data.estimate_id });
    expect(new URL(times.url).search).toBe(`?estimate_id=${json.data.estimate_id}`);
    const fields = ["booking_request_id", "date", "estimate_id", "time"];
    expect(Object.keys(booking.sample_request).sort()).toEqual(fields);
    const asked = inOwnName(booking.sample_request, booking.fill_in);
    const { status: http, json: made } = await app.post(booking.path, asked);
    expect([http, made.data.estimate.total, made.data.shade]).toEqual([201, total, 40]);
  });

  test("a flat-glass estimate holds the total of each option", async () => {
    const { json } = await APP.post(`${API}/flat-glass/estimate`, { ...GLASS, view: "brief" });
    expect(json.data).toMatchObject({
      kind: "flat_glass",
      currency: "USD",
      total_sqft: 200,
      total: 3350,
      options: [
        { tier: "good", total: 3200 },
        { tier: "better", total: 3350 },
        { tier: "best", total: 3500 },
      ],
    });
    expect(json.next_actions).toHaveLength(1);
  });

  test("may be in the query, of a POST as well", async () => {
    const app = testApp();
    const withoutIds = ({ text }: { text: string }) => text.replace(/try_\w{16}/g, "");
    const text = withoutIds(await app.post(`${API}/estimates`, { ...SUV, view: "brief" }));
    const query = new URLSearchParams({ ...SUV, shade: "40", view: "brief" });
    expect(withoutIds(await app.post(`${API}/estimates?view=brief`, SUV))).toBe(text);
    expect(withoutIds(await app.get(`${API}/estimates?${query}`))).toBe(text);
    const flat = await app.post(`${API}/flat-glass/estimate?view=brief`, GLASS);
    expect(flat.text.length).toBeLessThan(2.4 * KB);
    const whole = await app.post(`${API}/estimates?view=brief`, { ...SUV, view: "full" });
    expect(whole.json.data).toHaveProperty("line_items");
    const other = await app.post(`${API}/estimates?view=brief&shade=5&vew=full`, SUV);
    expect(other.json.warnings).toMatchObject([
      { code: "LAW_BORDERLINE" },
      { code: "UNKNOWN_FIELD", field: "shade" },
      { code: "UNKNOWN_FIELD", field: "vew", did_you_mean: "view" },
    ]);
    const wrong = await app.post(`${API}/estimates?view=tiny`, SUV);
    expect([wrong.status, wrong.json.invalid_fields[0].field]).toEqual([400, "view"]);
  });

  test("of glass takes at most 2.4 kB with all its warnings", async () => {
    const app = testApp();
    const windows = (count: number) =>
      Array(count).fill({ width_in: 8.5, height_in: 11.25, quantity: 1, label: "Lobby, south side" });
    const more = { existing_film_sqft: 3000, floors: 3, blocked_windows: 2, curtain_windows: 3, view: "brief" };
    for (const count of [1, 3, 4, 10, 200]) {
      const asked = { ...more, site_type: "security", primary_concern: "leed", film_goals: ["shiny", "leed"] };
      const body = { ...asked, windows: windows(count) };
      const { status, bytes, json } = await app.post(`${API}/flat-glass/estimate`, body);
      expect([status, bytes.length <= 2.4 * KB]).toEqual([200, true]);
      // The estimate holds what the sample leaves out.
      const [{ sample_request, fill_in }] = json.next_actions;
      const quoted = await app.post(`${API}/quote-request`, { ...inOwnName(sample_request, fill_in), dry_run: true });
      expect(quoted.json.data.ballpark.square_footage).toBe(json.data.total_sqft);
    }
  });

  const CAR = { vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander" };
  test("of a car takes at most 2.7 kB, with what is to be warned of; each add-on takes some more", async () => {
    const app = testApp();
    const sizeOf = async (asked: object) => {
      const { status, bytes } = await app.post(`${API}/estimates`, { ...asked, view: "brief" });
      expect(status).toBe(200);
      return bytes.length / KB;
    };
    const wishes = [{ shade: 50 }, { shade: 37 }, { shade: 5 }, { ...CAR, shade: 50, remove_old_film: true }];
    for (const vehicle_type of WORDS.vehicleTypes)
      for (const film_type of WORDS.films)
        for (const wish of wishes) expect(await sizeOf({ vehicle_type, film_type, ...wish })).toBeLessThanOrEqual(2.7);
    // No shade that the shop has, another kind of car, and all there is to add: an estimate is in it six times.
    const odd = { shade: { front_side: 6, rear_side: 4, rear_window: 33 }, windshield_shade: 3, remove_old_film: true };
    const most = { vehicle_type: "crossover", film_type: "ceramic", ...CAR, ...odd, addons: WORDS.addons };
    for (const service of WORDS.services) expect(await sizeOf({ ...most, service })).toBeLessThanOrEqual(3.2);
  });

  test("says what is to be warned of in few words, once for each kind", async () => {
    const shade = { front_side: 6, rear_side: 4, rear_window: 33 };
    const odd = { shade, windshield_shade: 3, addons: ["windshield"] };
    const asked = { vehicle_type: "sedan", film_type: "ceramic", vehicle_make: "Honda", vehicle_model: "CR-V", ...odd };
    const { json } = await APP.post(`${API}/estimates`, { ...asked, view: "brief" });
    expect(json.warnings).toEqual([
      { code: "SHADE_NOT_STOCKED", field: "shade", message: "No 6%, 4%, 3%: 5 or 15. No 33%: 30 or 40." },
      {
        code: "VEHICLE_TYPE_CHECK",
        field: "vehicle_type",
        message: "A Honda CR-V counts as crossover here: $918, 5 h.",
      },
      {
        code: "NOT_LEGAL",
        field: "shade",
        message:
          "Not legal in Georgia: front side, rear side and rear window (at least 32% light; darkest 50), windshield (strip only).",
      },
    ]);
  });
});

const site = "https://www.greater-north-georgia-window-tinting.example";

const LONG_NAMES = {
  "business.name": "The Greater North Georgia Window Tinting and Film Company",
  site: { url: site, base_url: `${site}/api/v1`, agent_proxy_url: `${site}/agents/api/v1`, mcp_url: `${site}/mcp` },
};

const { vehicle_types: types } = CATALOG.automotive;

const LONG_LINES = {
  ...LONG_NAMES,
  "automotive.vehicle_facts": Object.fromEntries(Object.keys(types).map((type) => [type, { about: "Ö".repeat(120) }])),
};

test.each([
  ["the stock shop", {}],
  ["a shop with long names", LONG_NAMES],
  ["a shop that says much of each vehicle type", LONG_LINES],
])("the manifest takes at most 12 kB, each capability of it 4 kB, llms.txt 6 kB: %s", async (_, edits) => {
  const app = appWith(edits);
  expect((await app.get(`${API}/capabilities`)).bytes.length).toBeLessThanOrEqual(12 * KB);
  for (const { id } of CAPABILITIES) {
    const { status, bytes } = await app.get(`${API}/capabilities/${id}`);
    expect([id, status, bytes.length <= 4 * KB]).toEqual([id, 200, true]);
  }
  expect((await app.get("/llms.txt")).bytes.length).toBeLessThanOrEqual(6 * KB);
});

test.each([
  ["in the owner's own few words", { "tint_law.brief_disclaimer": "No legal advice; ask" }, "No legal advice; ask"],
  ["whole without them", { "tint_law.disclaimer": "A; b.", "tint_law.brief_disclaimer": undefined }, "A; b."],
])("a brief answer has the disclaimer %s", async (_, edits, said) => {
  const { json } = await appWith(edits).post(`${API}/estimates`, { ...SUV, view: "brief" });
  expect(json.data.tint_law.disclaimer).toBe(said);
});

const BY_PHONE = { action: "business_location" };
const ONLINE = [{ action: "check_availability" }, { action: "book_appointment" }];

test.each([
  ["automotive", {}, [...ONLINE, { action: "quote_request" }]],
  ["film_removal", {}, ONLINE],
  // The service has a price, but is booked by phone only.
  ["film_removal", { "services.4.bookable": false }, [BY_PHONE]],
  ["clearplex", { "services.5.bookable": false }, [BY_PHONE]],
])("an estimate of %s with %j leads to %j", async (service, edits, steps) => {
  const app = appWith(edits);
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
  [4, true, true],
])("%p floors: ladder %p, site visit %p", async (floors, ladder, visit) => {
  const body = { total_sqft: 200, site_type: "commercial", ...(floors && { floors }) };
  const { json } = await APP.post(`${API}/flat-glass/estimate`, body);
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

const WEDNESDAY_OFF = { "scheduling.blocked_dates": [{ date: "2026-11-25" }] };
const REMINDERS = (...hours: string[]) => ({
  follow_up: [{ after: "0m", do: "push_to_crm" }, ...hours.map((after) => ({ after, do: "remind_owner" }))],
});

test.each([
  // The shop is open Monday to Friday from 9 to 18 and on Saturday from 9 to 15, not on Thanksgiving, November 26.
  ["2026-11-24T10:00:00-05:00", {}, "2026-11-25T10:00:00-05:00"],
  ["2026-11-21T10:00:00-05:00", {}, "2026-11-23T09:00:00-05:00"],
  ["2026-11-24T20:00:00-05:00", {}, "2026-11-27T09:00:00-05:00"],
  ["2026-11-24T10:00:00-05:00", REMINDERS("30m", "2h"), "2026-11-24T12:00:00-05:00"],
  ["2026-11-24T17:30:00-05:00", REMINDERS("30m"), "2026-11-25T09:00:00-05:00"],
  ["2026-11-24T07:00:00-05:00", REMINDERS(), "2026-11-24T09:00:00-05:00"],
  // The day after is blocked.
  ["2026-11-24T20:00:00-05:00", { ...REMINDERS(), ...WEDNESDAY_OFF }, "2026-11-27T09:00:00-05:00"],
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

const NOTHING = { blocked_windows: 0, curtain_windows: 0, existing_film_sqft: 0 };
const none = (fields: string) => Object.fromEntries(fields.split(" ").map((field) => [field, undefined]));

/** The quote request that a flat-glass estimate leads to. */
async function quoteRequestAfter(given: object, edits: Record<string, unknown> = {}) {
  const app = appWith(edits);
  const body = { total_sqft: 200, site_type: "commercial", ...given };
  const { json } = await app.post(`${API}/flat-glass/estimate`, body);
  const [next] = json.next_actions;
  expect(next.action).toBe("quote_request");
  return { sample: next.sample_request, notes: json.data.notes as string[] };
}

test.each([
  [{}, none("furniture_moving blinds_removal film_goals existing_film_sqft")],
  [{}, { service_type: "commercial", square_footage: 200 }],
  [{ blocked_windows: 2 }, { furniture_moving: true, blocked_windows: 2 }],
  [{ curtain_windows: 1 }, { blinds_removal: true, curtain_windows: 1 }],
  [{ existing_film_sqft: 50 }, { existing_film_sqft: 50 }],
  [NOTHING, none("furniture_moving blocked_windows existing_film_sqft")],
  [{ primary_concern: "heat" }, { film_goals: ["heat_reduction"] }],
  [{ film_goals: ["privacy", "heat", "privacy"] }, { film_goals: ["privacy", "heat_reduction"] }],
  [{ primary_concern: "glare", film_goals: ["uv"] }, { film_goals: ["glare_reduction", "uv_protection"] }],
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
  const { json } = await appWith(edits).post(`${API}/estimates`, { vehicle_type: "sedan" });
  const { price_difference, ir_rejection_difference_pct, summary } = json.data.comparison;
  expect([price_difference, ir_rejection_difference_pct]).toEqual([price - 289, difference]);
  expect(summary).toEndWith(says);
});
