/** The price lock: an estimate's price holds up to its date. Source: contract 12. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { derive } from "../../src/catalog/shop.ts";
import { entryOf } from "../../src/catalog/terms.ts";
import { newSecret } from "../../src/store/queries/secrets.ts";
import { type Answer, fileApp, type TestApp, testApp } from "../app.ts";
import { API, freshPhone, inOwnName, PAT, QUOTE } from "../fixed-day.ts";
import { CATALOG, catalogWith, pricesOf, WORDS } from "../helpers.ts";
import { withoutService } from "../shops.ts";

const JOB = { vehicle_type: "sedan", film_type: "ceramic", addons: ["windshield_strip", "sunroof", "nofault"] };
const PRICE = "automotive.vehicle_types.sedan.ceramic.full";
const estimate = (app: TestApp, body: object = JOB) => app.post(`${API}/estimates`, body);
const stepOf = ({ json }: Answer, id = "book_appointment") => {
  const { sample_request, fill_in } = json.next_actions.find(({ action }: { action: string }) => action === id);
  return inOwnName(sample_request, fill_in);
};
/** Books as a new customer from a network of its own. */
const book = (app: TestApp, body: object) => {
  const phone = freshPhone();
  const person = { ...PAT, customer_phone: phone, customer_email: `pat${phone.slice(-4)}@example.com` };
  return app.post(`${API}/bookings`, { ...body, ...person }, { from: `198.51.100.${Number(phone.slice(-4)) % 250}` });
};
const issues = ({ json }: Answer) => json.invalid_fields?.map(({ field }: { field: string }) => field);
const TIME = { date: "2026-11-24", time: "09:00" };

describe("an estimate", () => {
  test("carries a signed id of at most 255 characters, and stores nothing", async () => {
    const app = fileApp();
    const { json } = await estimate(app, { ...JOB, shade: { front_side: 35, rear_window: 5 }, windshield_shade: 70 });
    expect(json.data.estimate_id).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
    const brief = await estimate(app, { ...JOB, view: "brief" });
    const glass = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", total_sqft: 90 });
    for (const answer of [brief, glass]) expect(answer.json.data.estimate_id).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
    expect(glass.json.data.valid_until).toBe(json.data.valid_until);
    expect(app.counts()).toEqual({ leads: 0, bookings: 0, jobs: 0, keys: 0 });
  });

  test("fills in the work of a booking that names nothing but the estimate", async () => {
    const app = testApp();
    const quoted = await estimate(app, {
      ...JOB,
      shade: "40%",
      windshield_shade: 50,
      remove_old_film: true,
      factory_glass: 60,
    });
    const { estimate_id, total, line_items, duration_minutes } = quoted.json.data;
    const { status, json } = await book(app, { ...TIME, estimate_id, accept_not_legal: true });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      vehicle: { type: "sedan" },
      film_type: "ceramic",
      coverage: "full",
      addons: JOB.addons,
      remove_old_film: true,
      shade: 40,
      windshield_shade: 50,
      tint_law: { status: "illegal" },
      duration_minutes,
      estimate: { total, line_items, locked: true },
      estimate_id,
    });
  });
});

describe("the price holds", () => {
  test("up to valid_until, with the lines that were quoted, however high the list is by then", async () => {
    const app = testApp();
    const quoted = await estimate(app);
    app.advance({ hours: 24 * 14 });
    app.setCatalog(catalogWith({ [PRICE]: 999 }));
    const { status, json } = await book(app, { ...stepOf(quoted), ...TIME, date: "2026-12-08" });
    const { total, line_items } = quoted.json.data;
    expect([status, json.data.estimate]).toMatchObject([201, { total, line_items, locked: true }]);
    expect(total).toBe(826);
  });

  test("for the customer alone: a list that is lower by then counts", async () => {
    const app = testApp();
    const quoted = await estimate(app);
    app.setCatalog(catalogWith({ [PRICE]: 1 }));
    const today = (await estimate(app)).json.data;
    const { status, json } = await book(app, { ...stepOf(quoted), ...TIME });
    const { total, line_items } = today;
    expect([status, json.data.estimate]).toMatchObject([201, { total, line_items, locked: false }]);
    expect(total).toBe(328);
  });

  test("for work that is no longer on the price list, until it expires", async () => {
    const app = testApp();
    const quoted = await estimate(app);
    const { sunroof: _, ...addons } = CATALOG.automotive.addons;
    app.setCatalog(derive({ ...CATALOG, automotive: { ...CATALOG.automotive, addons } }));
    app.advance({ hours: 24 * 14 });
    const wish = { ...stepOf(quoted), ...TIME, date: "2026-12-08" };
    const { status, json } = await book(app, wish);
    expect([status, json.data.estimate.total, json.data.duration_minutes]).toEqual([201, 826, 255]);
    app.advance({ hours: 24 });
    const late = await book(app, { ...wish, date: "2026-12-09" });
    expect([late.status, issues(late)]).toEqual([400, ["estimate_id"]]);
  });

  const { "US-TX": _, ...otherStates } = CATALOG.tint_law.jurisdictions;
  test.each([
    ["in a state that was given up", { jurisdiction: "US-TX" }, { "tint_law.jurisdictions": otherStates }, {}],
    [
      "with an extra that goes with it no more",
      { addons: ["nofault", "sunroof"] },
      { "automotive.addons.sunroof.applies_to": ["film_removal"] },
      { addons: ["sunroof", "nofault"] },
    ],
    [
      "with old film taken off",
      { remove_old_film: true },
      { services: CATALOG.services.map(({ removes_film: _, ...service }) => service) },
      { remove_old_film: true },
    ],
  ])("for work %s", async (_, asked, given_up, kept) => {
    const app = testApp();
    const quoted = await estimate(app, { vehicle_type: "sedan", ...asked });
    const { estimate_id, total, duration_minutes } = quoted.json.data;
    app.setCatalog(catalogWith({ ...given_up, "scheduling.bays": 3 }));
    const open = new URLSearchParams({ estimate_id });
    for (const [name, word] of Object.entries(asked)) open.set(name, `${word}`);
    expect((await app.get(`${API}/availability?${open}`)).json).toMatchObject({ success: true });
    for (const wish of [stepOf(quoted), { ...stepOf(quoted), ...asked }, { estimate_id }]) {
      const { status, json } = await book(app, { ...wish, ...TIME });
      const expected = [201, { duration_minutes, ...kept, estimate: { total, locked: true } }];
      expect([status, json.data]).toMatchObject(expected);
    }
  });

  test("after it today's price, unless that is higher", async () => {
    const app = testApp();
    const quoted = await estimate(app);
    const late = { ...stepOf(quoted), date: "2026-12-08", time: "09:00" };
    app.advance({ hours: 24 * 15 });
    const same = await book(app, { ...late, date: "2026-12-09" });
    expect(same.json.data.estimate).toMatchObject({ total: 826, locked: false });
    app.setCatalog(catalogWith({ [PRICE]: 599 }));
    const refused = await book(app, late);
    expect([refused.status, refused.json.error_code]).toEqual([409, "PRICE_CHANGED"]);
    expect(refused.json.estimate).toMatchObject({ total: 926, previous_total: 826 });
    const shown = await app.post(`${API}/bookings`, refused.json.usage.sample_request);
    expect([shown.status, shown.json.data.estimate.total]).toEqual([200, 926]);
    const again = await book(app, { ...late, estimate_id: refused.json.estimate.estimate_id });
    expect(again.status).toBe(201);
    expect(again.json.data.estimate).toEqual(expect.objectContaining({ total: 926, locked: true }));
    app.setCatalog(catalogWith({ [PRICE]: 399 }));
    const cheaper = await book(app, late);
    expect(cheaper.json.data.estimate).toMatchObject({ total: 726, locked: false });
  });

  test("for random catalogs that are edited between estimate and booking", async () => {
    const app = testApp();
    const cents = fc.integer({ min: 0, max: 99_999 });
    const change = fc.record({ film: fc.constantFrom(...WORDS.films), price: cents, addon: cents, removal: cents });
    const job = fc.record({
      vehicle_type: fc.constantFrom(...WORDS.vehicleTypes),
      film_type: fc.constantFrom(...WORDS.films),
      coverage: fc.constantFrom(...WORDS.coverages),
      addons: fc.subarray([...WORDS.addons]),
      remove_old_film: fc.boolean(),
      shade: fc.constantFrom(undefined, 20, "limo", { front_side: 50, rear_side: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        job,
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async ({ vehicle_type, coverage, ...rest }, changes) => {
          app.setCatalog(CATALOG);
          const quoted = await estimate(app, { vehicle_type, coverage, ...rest });
          const { total, duration_minutes } = quoted.json.data;
          if (duration_minutes > 9 * 60) return;
          const edited = structuredClone(CATALOG);
          for (const { film, price, addon, removal } of changes) {
            pricesOf(edited, vehicle_type, film)[coverage] = price;
            pricesOf(edited, vehicle_type, "film_removal")[coverage] = removal;
            for (const code of WORDS.addons) entryOf(edited.automotive.addons, code).price[film] = addon;
          }
          app.setCatalog(edited);
          const today = (await estimate(app, { vehicle_type, coverage, ...rest })).json.data;
          const { status, json } = await book(app, stepOf(quoted));
          expect([status, json.invalid_fields]).toEqual([201, undefined]);
          const cheaper = today.total < total ? today : quoted.json.data;
          expect(json.data.estimate).toMatchObject({ total: cheaper.total, line_items: cheaper.line_items });
        },
      ),
      { numRuns: 12 },
    );
  });

  test("for words of any length: then the booking names the work", async () => {
    const long = (nth: number) => `addon_with_a_rather_long_name_${nth}`;
    const price = { standard: 10, ceramic: 20 };
    const sunroof = { name: "Extra", price, applies_to: ["automotive"], minutes: 0, position: null };
    const names = [1, 2, 3, 4, 5, 6, 7].map(long);
    const catalog = catalogWith(Object.fromEntries(names.map((name) => [`automotive.addons.${name}`, sunroof])));
    const app = testApp({ catalog });
    const quoted = await estimate(app, { ...JOB, addons: names });
    const { estimate_id } = quoted.json.data;
    expect(estimate_id.length).toBeLessThanOrEqual(255);
    const expected = { total: 639, locked: true };
    expect((await book(app, { ...stepOf(quoted), ...TIME })).json.data.estimate).toMatchObject(expected);
    expect(issues(await book(app, { ...TIME, ...JOB, addons: names.slice(1), estimate_id }))).toEqual(["estimate_id"]);
    expect(issues(await book(app, { ...TIME, estimate_id }))).toEqual(["estimate_id"]);
  });
});

describe("an estimate is refused", () => {
  test("that contradicts the booking; both are named", async () => {
    const app = testApp();
    const { estimate_id } = (await estimate(app, { ...JOB, shade: 20 })).json.data;
    const CONTRADICTING: object[] = [
      { film_type: "standard" },
      { vehicle_type: "suv" },
      { coverage: "front2" },
      { service_type: "clearplex" },
      { addons: ["sunroof"] },
      { remove_old_film: true },
      { shade: 35 },
      { jurisdiction: "US-FL" },
    ];
    for (const wish of CONTRADICTING) {
      const answer = await book(app, { ...TIME, estimate_id, ...wish });
      expect([wish, answer.status, issues(answer)]).toEqual([wish, 400, [...Object.keys(wish), "estimate_id"]]);
    }
    const addons = ["nofault", "sunroof", "windshield_strip"];
    const agreeing = { ...JOB, accept_not_legal: true, addons, shade: "dark" };
    expect((await book(app, { ...TIME, estimate_id, ...agreeing })).status).toBe(201);
  });

  test("also under the names that open times have, and beside an extra that is not wished", async () => {
    const app = testApp();
    const { estimate_id } = (await estimate(app, { ...JOB, addons: ["sunroof"] })).json.data;
    const { json } = await app.get(`${API}/availability?${new URLSearchParams({ estimate_id, service: "clearplex" })}`);
    expect(json.usage).toMatchObject({ sample_request: { estimate_id }, fill_in: ["service"] });
    const { usage } = (await book(app, { ...TIME, estimate_id, sunroof: false })).json;
    expect([usage.fill_in, usage.sample_request.addons]).toEqual([["addons"], undefined]);
  });

  test.each([
    { addons: [] },
    { vehicle_type: "van" },
    { service_type: "clearplex" },
    { shade: 35, coverage: "front2" },
  ])("with %j beside it: the request to send instead keeps the estimate", async (other) => {
    const app = testApp();
    const { estimate_id, total } = (await estimate(app, { ...JOB, shade: 50 })).json.data;
    const { json } = await book(app, { ...TIME, estimate_id, ...other });
    const { sample_request: instead, fill_in: left } = json.usage;
    expect(instead).toMatchObject({ ...TIME, estimate_id, dry_run: true });
    for (const field of Object.keys(other)) expect(instead).not.toHaveProperty(field);
    expect([...left].sort()).toEqual(Object.keys(other).sort());
    expect((await app.post(`${API}/bookings`, instead)).json.data.estimate.total).toBe(total);
    const asked = { ...QUOTE, service_type: "residential", estimate_id };
    const { usage } = (await app.post(`${API}/quote-request`, asked)).json;
    const { service_type: _, ...kept } = asked;
    expect(usage).toMatchObject({
      sample_request: { ...kept, dry_run: true },
      fill_in: ["service_type"],
      fill_in_hints: [{ field: "service_type", given: "residential", allowed: ["automotive"] }],
    });
  });

  test("for one shade or the same for each window: that is no contradiction", async () => {
    const app = testApp();
    const each = { front_side: 20, rear_side: "20%", rear_window: 20 };
    for (const [quoted, asked] of [
      [20, each],
      [each, 20],
    ]) {
      const { estimate_id } = (await estimate(app, { ...JOB, shade: quoted })).json.data;
      expect((await book(app, { ...TIME, estimate_id, shade: asked, accept_not_legal: true })).status).toBe(201);
    }
    const { estimate_id } = (await estimate(app, { ...JOB, shade: 20 })).json.data;
    const part = await book(app, { ...TIME, estimate_id, shade: { front_side: 20 } });
    expect([part.status, issues(part)]).toEqual([400, ["shade", "estimate_id"]]);
  });

  test("that is malformed, forged, of another shop or of another kind", async () => {
    const app = testApp();
    const { estimate_id: own } = (await estimate(app)).json.data;
    const { estimate_id: foreign } = (await estimate(testApp())).json.data;
    const glass = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", total_sqft: 90 });
    const [kind, day, , ...rest] = own.split(".");
    for (const estimate_id of [
      "x",
      "a.b.c",
      "…",
      foreign,
      [kind, day, "1", ...rest].join("."),
      own.slice(0, -1),
      `${own}A`,
      own.toUpperCase(),
      glass.json.data.estimate_id,
    ]) {
      const answer = await book(app, { ...TIME, estimate_id });
      expect([estimate_id, answer.status, issues(answer)]).toEqual([estimate_id, 400, ["estimate_id"]]);
    }
  });

  test("once the signing secret is replaced; a booking that used one is still repeated", async () => {
    const app = fileApp();
    const quoted = await estimate(app);
    const booking = { ...stepOf(quoted), booking_request_id: "once" };
    const first = await app.post(`${API}/bookings`, booking);
    expect(first.status).toBe(201);
    app.advance({ seconds: 1 });
    expect(await app.store.rotateLockSecret(newSecret(), app.now().epochMilliseconds)).toBe(1);
    expect(issues(await book(app, { ...TIME, estimate_id: quoted.json.data.estimate_id }))).toEqual(["estimate_id"]);
    const again = await app.post(`${API}/bookings`, booking);
    expect([again.status, again.json.data]).toEqual([201, first.json.data]);
    const anew = await estimate(app);
    expect((await book(app, { ...TIME, estimate_id: anew.json.data.estimate_id })).status).toBe(201);
    expect(await app.store.rotateLockSecret(newSecret(), app.now().epochMilliseconds)).toBe(1);
  });
});

test("once the estimate has expired, its booking is still repeated, and the same id with another body still conflicts", async () => {
  const app = testApp();
  const { estimate_id } = (await estimate(app)).json.data;
  const asked = { ...PAT, ...TIME, date: "2026-12-21", estimate_id, booking_request_id: "kept" };
  const first = await app.post(`${API}/bookings`, asked);
  expect(first.status).toBe(201);
  app.advance({ hours: 24 * (CATALOG.automotive.estimate_valid_days + 1) });
  app.setCatalog(catalogWith({ [PRICE]: 999 }));
  const again = await app.post(`${API}/bookings`, asked);
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
  expect(again.json.data).toEqual(first.json.data);
  // Like every repeated booking, it shows the quota with the least left.
  expect(again.headers.get("x-ratelimit-limit")).toBe(String(CATALOG.rate_limits.bookings_per_10_minutes));
  const other = await app.post(`${API}/bookings`, { ...asked, customer_name: "Somebody Else" });
  expect([other.status, other.json.error_code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
});

test("a quote request takes an estimate, and the lead shows it", async () => {
  const app = fileApp();
  const job = { total_sqft: 90.25, floors: 2, blocked_windows: 3, existing_film_sqft: 12.5 };
  const glass = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", ...job });
  const { estimate_id, options } = glass.json.data;
  // On its last day, after a rise.
  app.advance({ hours: 24 * 14 });
  app.setCatalog(catalogWith({ "flat_glass.ladder.per_sqft": 9 }));
  const quoted = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id });
  // From the lowest price of the estimate to its highest.
  const expected = { square_footage: 90.25, total_min: options[0].total_min, total_max: options[2].total_max };
  expect(quoted.json.data.ballpark).toMatchObject(expected);
  const lead = await app.store.findLead(quoted.json.data.lead_id);
  expect(lead?.details).toMatchObject({
    square_footage: 90.25,
    estimate: {
      total: options.find(({ recommended }: { recommended: boolean }) => recommended).total,
      valid_until: "2026-12-05",
      ...{ needs_ladder: true, floors: 2, blocked_windows: 3, existing_film_sqft: 12.5 },
    },
  });
  const { curtain_windows } = Object(Object(lead?.details).estimate);
  expect(curtain_windows).toBeUndefined();
  const other = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id, square_footage: 100 });
  expect([other.status, issues(other)]).toEqual([400, ["square_footage", "estimate_id"]]);
  const site = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id, service_type: "residential" });
  expect([site.status, issues(site)]).toEqual([400, ["service_type", "estimate_id"]]);
  const forged = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id: `${estimate_id.slice(0, -2)}xx` });
  expect([forged.status, issues(forged)]).toEqual([400, ["estimate_id"]]);
});

test("a quote request takes an estimate of a vehicle, which fills in what it leaves out", async () => {
  const app = fileApp();
  const { estimate_id, total } = (await estimate(app)).json.data;
  const asked = { ...QUOTE, service_type: "automotive", square_footage: undefined, estimate_id };
  const { json } = await app.post(`${API}/quote-request`, asked);
  const lead = await app.store.findLead(json.data.lead_id);
  const held = { total, addons: ["windshield_strip", "sunroof", "nofault"] };
  const filled = { vehicle_type: "sedan", film_type: "ceramic", coverage: "full" };
  expect(lead?.details).toMatchObject({ ...filled, estimate: held });
  const named = { ...asked, quote_request_id: "q-1" };
  const first = await app.post(`${API}/quote-request`, named);
  const again = await app.post(`${API}/quote-request`, named);
  expect([again.headers.get("idempotent-replayed"), again.json]).toEqual(["true", first.json]);
  const { ceramic: _, ...films } = CATALOG.automotive.films;
  app.setCatalog(derive({ ...CATALOG, automotive: { ...CATALOG.automotive, films } }));
  const [price] = (await app.post(`${API}/quote-request`, asked, { from: "192.0.2.2" })).json.next_actions;
  expect(price.sample_request).toEqual({ vehicle_type: "sedan", service: "automotive", coverage: "full" });
  app.setCatalog(CATALOG);
  const other = await app.post(`${API}/quote-request`, { ...asked, vehicle_type: "van" });
  expect([other.status, issues(other)]).toEqual([400, ["vehicle_type", "estimate_id"]]);
  const building = await app.post(`${API}/quote-request`, { ...asked, service_type: "commercial" });
  expect([building.status, issues(building)]).toEqual([400, ["service_type", "estimate_id"]]);
});

test("the price that a quote request with an estimate leads to is that of the estimate", async () => {
  const app = testApp();
  const glass = { site_type: "commercial", total_sqft: 90, primary_concern: "privacy", floors: 2, blocked_windows: 3 };
  const vehicle = { ...JOB, remove_old_film: true, shade: { front_side: 50 }, jurisdiction: "US-TX" };
  for (const [path, asked, service_type] of [
    ["/flat-glass/estimate", { ...glass, curtain_windows: 1, existing_film_sqft: 12.5 }, "commercial"],
    ["/estimates", vehicle, "automotive"],
  ] as const) {
    const first = await app.post(API + path, { ...asked, view: "brief" });
    const { estimate_id } = first.json.data;
    const quoted = await app.post(`${API}/quote-request`, { ...QUOTE, service_type, estimate_id });
    const [price] = quoted.json.next_actions;
    const again = await app.post(price.path, { ...price.sample_request, view: "brief" });
    // Whether a ladder was assumed is no part of the price.
    const { assumed: _, book_url: shown, ...priced } = again.json.data;
    const { assumed: __, book_url: told, ...before } = first.json.data;
    expect(priced).toEqual(before);
    expect(shown.replace("&needs_ladder=true", "")).toBe(told);
  }
});

test("a quote request takes an estimate for a service that the shop has given up since, as other work", async () => {
  const app = testApp();
  const removal = await estimate(app, { vehicle_type: "suv", service: "film_removal" });
  const glass = await app.post(`${API}/flat-glass/estimate`, { site_type: "security", total_sqft: 90 });
  app.setCatalog(withoutService("film_removal", "security"));
  for (const { json } of [removal, glass]) {
    const { estimate_id } = json.data;
    const asked = await app.post(`${API}/quote-request`, { ...QUOTE, service_type: "other", estimate_id });
    const lead = await app.store.findLead(asked.json.data.lead_id);
    expect(lead?.details).toMatchObject({ service_type: "other", estimate: { total: json.data.total ?? 1552.5 } });
    const contradicting = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id });
    expect(issues(contradicting)).toEqual(["service_type", "estimate_id"]);
  }
});

test("windows of a quote request that are marked otherwise than in its estimate lead to a price all the same", async () => {
  const app = testApp();
  const row = { width_in: 36, height_in: 60, quantity: 3 };
  const rows = [{ ...row, blocked: true }, row];
  const estimated = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows: rows });
  const { estimate_id } = estimated.json.data;
  const windows = [
    { ...row, quantity: 2, blocked: true },
    { ...row, quantity: 4 },
  ];
  const quoted = await app.post(`${API}/quote-request`, { ...QUOTE, estimate_id, windows });
  const [price] = quoted.json.next_actions;
  expect((await app.post(price.path, price.sample_request)).status).toBe(200);
});

test.each([8.745, 1.005, 123.456])(
  "the quote request that an estimate of %d sq ft proposes is accepted",
  async (area) => {
    const app = fileApp();
    const glass = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", total_sqft: area });
    const [{ sample_request, fill_in }] = glass.json.next_actions;
    const { status, json } = await app.post(`${API}/quote-request`, inOwnName(sample_request, fill_in));
    expect([status, json.data.ballpark.square_footage]).toEqual([200, area]);
  },
);

test.each(["SUV", "suv ", "suv"])(
  "a quote request for an estimate of a suv may say %j, and the shop reads it",
  async (type) => {
    const app = fileApp();
    const { estimate_id } = (await app.post(`${API}/estimates`, { vehicle_type: "suv" })).json.data;
    const asked = { ...QUOTE, service_type: "automotive", vehicle_type: type, estimate_id };
    const { status, json } = await app.post(`${API}/quote-request`, asked);
    const price = json.next_actions.find(({ action }: { action: string }) => action === "automotive_estimate");
    expect([status, price.sample_request.vehicle_type]).toEqual([200, "suv"]);
    const lead = await app.store.findLead(json.data.lead_id);
    expect(lead?.details).toMatchObject({ vehicle_type: type.trim(), estimate: { vehicle_type: "suv" } });
  },
);
