/** The answer of each endpoint, and the forms of input that it accepts. */
import { describe, expect, test } from "bun:test";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite.ts";
import {
  type Answer,
  API,
  BOOKING,
  bookingOn,
  CATALOG,
  catalogWith,
  fileApp,
  QUOTE,
  registerKey,
  testApp,
  withoutFreshIds,
} from "../helpers.ts";

const SUV = { vehicle_type: "suv" };
const estimate = (body: object) => testApp().post(`${API}/estimates`, body);
const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);
const warned = ({ json }: Answer) => (json.warnings ?? []).map(({ field }: { field: string }) => field);

describe("catalog reads", () => {
  test("GET /services: every service, film, price and add-on", async () => {
    const { status, json } = await testApp().get(`${API}/services`);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(["success", "data", "next_actions"]);
    expect(json.data.services.map(({ key }: { key: string }) => key)).toEqual([
      "automotive",
      "residential",
      "commercial",
      "security",
      "film_removal",
      "clearplex",
      "ceramic_coating",
    ]);
    expect(json.data.automotive.films).toMatchObject([
      { key: "standard", ir_rejection_pct: 55 },
      { key: "ceramic", ir_rejection_pct: 93 },
    ]);
    expect(json.data.automotive.pricing).toContainEqual({
      vehicle_type: "suv",
      standard: { full: 349, front2: 139 },
      ceramic: { full: 599, front2: 239 },
      film_removal: { full: 225, front2: 80 },
      clearplex: 475,
    });
    expect(json.data.automotive.addons).toContainEqual(
      expect.objectContaining({ code: "windshield_strip", price: { standard: 59, ceramic: 99 } }),
    );
    expect(json.data.flat_glass).toMatchObject({ ballpark_per_sqft: { low: 16, high: 18 }, blocked_window_each: 35 });
  });

  test("GET /location: address, hours of each day, coordinates, area, credentials, links", async () => {
    const { status, json } = await testApp().get(`${API}/location`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      timezone: "America/New_York",
      coordinates: { latitude: 33.9526, longitude: -84.5499 },
      hours: {
        monday: [{ opens: "09:00", closes: "18:00" }],
        saturday: [{ opens: "09:00", closes: "15:00" }],
        sunday: [],
      },
      service_area: { label: "Metro Atlanta" },
    });
    expect(Object.keys(json.data.hours)).toHaveLength(7);
    expect(json.data.special_hours).toContainEqual({
      date: "2026-11-26",
      closed: true,
      hours: [],
      reason: "Thanksgiving",
    });
    expect(json.data.credentials.length).toBeGreaterThan(0);
    expect(json.data.links.api).toEndWith(API);
  });

  test("GET /faq: an array, of one category when asked", async () => {
    const app = testApp();
    const all = await app.get(`${API}/faq`);
    const automotive = await app.get(`${API}/faq?category=automotive`);
    expect(all.json.data.length).toBeGreaterThan(automotive.json.data.length);
    for (const entry of all.json.data) expect(Object.keys(entry).sort()).toEqual(["answer", "category", "question"]);
    expect(new Set(automotive.json.data.map(({ category }: { category: string }) => category))).toEqual(
      new Set(["automotive"]),
    );
    expect(automotive.text).toContain("32%");
    const unknown = await app.get(`${API}/faq?category=boats`);
    expect([unknown.status, unknown.json.error_code, fields(unknown)]).toEqual([400, "BAD_REQUEST", ["category"]]);
  });

  const SEARCHES: [query: string, best: string][] = [
    ["medical exemption", "Is there a medical exemption from the Georgia tint law?"],
    ["how long does it take", "How long does a tint job take?"],
    ["ROLLING down windows?", "When can I roll the windows down?"],
    ["bubbles", "Can you remove old or bubbling tint?"],
    ["mirrored", "Are mirrored or colored films allowed in Georgia?"],
  ];
  test.each(SEARCHES)("GET /faq?q=%s: a few questions, the best first", async (q, best) => {
    const { status, json } = await testApp().get(`${API}/faq?${new URLSearchParams({ q })}`);
    expect(status).toBe(200);
    expect(json.data[0].question).toBe(best);
    expect(json.data.length).toBeLessThanOrEqual(5);
  });

  test("GET /faq?q= searches one category when asked, and finds nothing where no word fits", async () => {
    const app = testApp();
    const glare = await app.get(`${API}/faq?q=glare%20on%20screens&category=commercial`);
    expect(glare.json.data[0].question).toBe("Which film helps against glare on screens?");
    expect(new Set(glare.json.data.map(({ category }: { category: string }) => category))).toEqual(
      new Set(["commercial"]),
    );
    expect((await app.get(`${API}/faq?q=xyzzy`)).json.data).toEqual([]);
  });

  test("a slash at the end of a path changes nothing", async () => {
    const app = testApp();
    for (const path of [`${API}/services`, `${API}/docs-md`, API]) {
      const [bare, slashed] = [await app.get(path), await app.get(`${path}/`)];
      expect([slashed.status, slashed.text]).toEqual([200, bare.text]);
    }
  });

  const HOME: [accept: string | undefined, type: string | null, path: string][] = [
    [undefined, null, "/book"],
    ["*/*", null, "/book"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", null, "/book"],
    ["image/png", null, "/book"],
    ["application/json", "application/json", API],
    ["application/json, text/plain, */*", "application/json", API],
    ["text/html;q=0.5, application/*", "application/json", API],
    ["text/markdown", "text/markdown; charset=utf-8", "/llms.txt"],
    ["text/markdown, text/html;q=0.9, */*;q=0.8", "text/markdown; charset=utf-8", "/llms.txt"],
    ["text/markdown, */*", "text/markdown; charset=utf-8", "/llms.txt"],
    ["TEXT/HTML;q=0, text/markdown;q=0.1", "text/markdown; charset=utf-8", "/llms.txt"],
  ];
  test.each(HOME)("GET / with Accept %p answers %p like %s", async (accept, type, path) => {
    const app = testApp();
    const { status, headers, text } = await app.get("/", accept === undefined ? {} : { headers: { accept } });
    expect(headers.get("vary")).toStartWith("Accept");
    for (const relation of ["service-desc", "api-catalog"]) expect(headers.get("link")).toContain(`rel="${relation}"`);
    if (type === null) return expect([status, headers.get("location")]).toEqual([302, path]);
    expect([status, headers.get("content-type"), text]).toEqual([200, type, (await app.get(path)).text]);
  });

  test("the links of GET / lead to documents, and its ETag answers 304", async () => {
    const app = testApp();
    const headers = { accept: "application/json" };
    const home = await app.get("/", { headers });
    const links = [...(home.headers.get("link") ?? "").matchAll(/<([^>]+)>/g)].map(([, path = ""]) => path);
    expect(links).toHaveLength(3);
    for (const path of links) expect((await app.get(path)).status).toBe(200);
    expect(home.headers.get("vary")).toBe("Accept, Accept-Encoding");
    const etag = home.headers.get("etag") ?? "";
    expect((await app.get("/", { headers: { ...headers, "if-none-match": etag } })).status).toBe(304);
  });

  test("slashes alone lead to the root or to the NOT_FOUND of the API", async () => {
    const { status, headers, json } = await testApp().get("//");
    if (status !== 302) expect([status, json?.error_code]).toEqual([404, "NOT_FOUND"]);
    expect(headers.get("x-request-id")).toBeTruthy();
  });
});

describe("automotive estimate", () => {
  const WORKED: [string, object, number, object][] = [
    [
      "ceramic sedan with a strip",
      { vehicle_type: "sedan", service: "automotive", film_type: "ceramic", addons: ["windshield_strip"] },
      598,
      { assumed: ["coverage", "jurisdiction"] },
    ],
    ["SUV, front windows", { ...SUV, coverage: "front2" }, 139, { assumed: ["service", "film_type", "jurisdiction"] }],
    [
      "van, clearplex",
      { vehicle_type: "van", service: "clearplex" },
      495,
      { film_type: null, coverage: null, assumed: ["jurisdiction"] },
    ],
    [
      "coupe with doubled add-ons",
      { vehicle_type: "coupe", film_type: "standard", addons: ["nofault", "sunroof", "nofault"] },
      407,
      {},
    ],
    ["ceramic SUV with windshield", { ...SUV, film_type: "ceramic", addons: ["windshield"] }, 948, {}],
  ];
  for (const [name, body, total, holds] of WORKED) {
    test(`${name}: ${total}`, async () => {
      const { status, json } = await estimate(body);
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ kind: "automotive", currency: "USD", total, ...holds });
      const sum = json.data.line_items.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
      expect(sum).toBe(total);
      expect(json.data.options.filter(({ selected }: { selected: boolean }) => selected)).toMatchObject([{ total }]);
      expect(json.next_actions.length).toBeGreaterThan(0);
      expect((json.warnings ?? []).filter(({ code }: { code: string }) => code !== "NOT_LEGAL")).toEqual([]);
    });
  }

  test("both films side by side, the law, suggestions, and how long the price holds", async () => {
    const { json } = await estimate({
      ...SUV,
      film_type: "ceramic",
      vehicle_year: 2024,
      vehicle_make: "Toyota",
      vehicle_model: "Highlander",
      shade: 35,
    });
    expect(Object.keys(json.data).sort()).toEqual(
      [
        "kind",
        "currency",
        "vehicle",
        "service",
        "film_type",
        "coverage",
        "assumed",
        "line_items",
        "total",
        "tax",
        "price_note",
        "options",
        "comparison",
        "tint_law",
        "addon_suggestions",
        "duration_minutes",
        "valid_until",
        "estimate_id",
        "book_url",
      ].sort(),
    );
    expect(json.data).toMatchObject({
      vehicle: {
        type: "suv",
        year: 2024,
        make: "Toyota",
        model: "Highlander",
        description: "2024 Toyota Highlander (SUV)",
      },
      options: [
        { film_type: "standard", film: { ir_rejection_pct: 55 }, total: 349, selected: false },
        { film_type: "ceramic", film: { ir_rejection_pct: 93 }, total: 599, selected: true },
      ],
      comparison: { price_difference: 250, ir_rejection_difference_pct: 38 },
      tint_law: { jurisdiction: "US-GA", checks: expect.any(Array), disclaimer: expect.stringMatching(/\S/) },
      duration_minutes: 240,
    });
    expect(json.data.valid_until).toMatch(/^\d{4}-\d\d-\d\dT23:59:59-05:00$/);
    expect(json.data.addon_suggestions.map(({ code }: { code: string }) => code)).toContain("windshield_strip");
  });

  test("GET with a query answers as POST does, to the byte", async () => {
    const app = testApp();
    const pairs: [string, object][] = [
      ["vehicle_type=suv", SUV],
      [
        "vehicle_type=sedan&service=automotive&film_type=ceramic&coverage=full&addons=windshield_strip,sunroof&vehicle_year=2024&shade=35",
        {
          vehicle_type: "sedan",
          service: "automotive",
          film_type: "ceramic",
          coverage: "full",
          addons: ["windshield_strip", "sunroof"],
          vehicle_year: 2024,
          shade: 35,
        },
      ],
      [
        "vehicle_type=truck&service=film_removal&addons=sunroof",
        { vehicle_type: "truck", service: "film_removal", addons: ["sunroof"] },
      ],
      ["vehicle_type=suv&colour=red", { ...SUV, colour: "red" }],
    ];
    for (const [query, body] of pairs) {
      const [get, post] = [await app.get(`${API}/estimates?${query}`), await app.post(`${API}/estimates`, body)];
      expect(get.status).toBe(200);
      expect(withoutFreshIds(get.text)).toBe(withoutFreshIds(post.text));
    }
  });

  test("GET without a query gives every base price", async () => {
    const { status, json } = await testApp().get(`${API}/estimates`);
    expect(status).toBe(200);
    const keys = ["currency", "matrix", "film_removal", "clearplex", "addons", "tax", "price_note"];
    expect(Object.keys(json.data)).toEqual(keys);
    expect(json.data.matrix).toHaveLength(7 * 2 * 2);
    expect(json.data.matrix).toContainEqual({
      vehicle_type: "suv",
      film_type: "ceramic",
      coverage: "front2",
      total: 239,
    });
    expect(json.data.film_removal).toContainEqual({ vehicle_type: "coupe", coverage: "front2", total: 70 });
    expect(json.data.clearplex).toContainEqual({ vehicle_type: "van", total: 495 });
    expect(json.data.addons).toHaveLength(4);
    expect(json.next_actions).toMatchObject([{ action: "automotive_estimate", method: "POST" }]);
  });

  test("an add-on that does not go with the service is not charged, and a warning names it", async () => {
    const { json } = await estimate({ vehicle_type: "truck", service: "film_removal", addons: ["sunroof"] });
    expect(json.data.total).toBe(175);
    expect(json.warnings).toMatchObject([{ code: "ADDON_NOT_APPLICABLE", field: "addons" }]);
  });

  test("shade in every form", async () => {
    for (const shade of [
      35,
      "35",
      "35%",
      "35 %",
      " medium ",
      { front_side: 35, rear_side: "35", rear_window: "medium" },
    ]) {
      const { status, json } = await estimate({ ...SUV, shade });
      expect(status).toBe(200);
      expect(json.data.tint_law.checks.map(({ film_vlt }: { film_vlt: number }) => film_vlt)).toEqual([35, 35, 35]);
    }
    for (const shade of [0, 101, 35.5, "0", "0x23", "3.5e1", "dark-ish", true, [35], { front_side: 0 }]) {
      const answer = await estimate({ ...SUV, shade });
      expect(answer.status).toBe(400);
      expect(fields(answer)[0]).toStartWith("shade");
    }
  });

  test("a shade is read without control, line-break or invisible characters", async () => {
    for (const shade of ["35\t%", "35\n%", "35\uFEFF%"]) {
      expect((await estimate({ ...SUV, shade })).status).toBe(200);
    }
  });

  test("the choices of the caller go into the next steps", async () => {
    const { json } = await estimate({
      ...SUV,
      film_type: "ceramic",
      coverage: "full",
      vehicle_year: 2024,
      vehicle_make: "Toyota",
      shade: 20,
      addons: ["sunroof"],
      windshield_shade: 70,
    });
    const booking = json.next_actions.find(({ action }: { action: string }) => action === "book_appointment");
    expect(booking.sample_request).toMatchObject({
      ...SUV,
      film_type: "ceramic",
      coverage: "full",
      vehicle_year: 2024,
      vehicle_make: "Toyota",
    });
    expect(booking.sample_request).not.toHaveProperty("special_requests");
    expect(booking.sample_request).toMatchObject({ shade: 20, addons: ["sunroof"], windshield_shade: 70 });
  });
});

describe("flat-glass estimate", () => {
  const ask = (body: object) => testApp().post(`${API}/flat-glass/estimate`, body);

  test("Good, Better, Best", async () => {
    const { status, json } = await ask({
      total_sqft: 200,
      site_type: "commercial",
      primary_concern: "heat",
      floors: 1,
    });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      kind: "flat_glass",
      currency: "USD",
      site_type: "commercial",
      total_sqft: 200,
      primary_concern: "heat",
      ladder_required: false,
      site_visit_required: false,
      options: [
        { tier: "good", label: "Good", price_per_sqft: 16, total: 3200 },
        { tier: "better", label: "Better", price_per_sqft: 16.75, total: 3350 },
        { tier: "best", label: "Best", price_per_sqft: 17.5, total: 3500 },
      ],
    });
    expect(json.data.options.filter(({ recommended }: { recommended: boolean }) => recommended)).toHaveLength(1);
    expect(json.data.options[0].line_items).toMatchObject([
      { code: "film", quantity: 200, unit: "sq ft", unit_price: 16, amount: 3200 },
    ]);
  });

  test("surcharges, and a range where old film comes off", async () => {
    const { json } = await ask({
      total_sqft: 350.5,
      site_type: "residential",
      primary_concern: "privacy",
      floors: 2,
      blocked_windows: 2,
      curtain_windows: 3,
      existing_film_sqft: 100,
    });
    expect(json.data.ladder_required).toBe(true);
    expect(json.data.options).toMatchObject([
      { total_min: 6684, total_max: 6884, total: 6784 },
      { total_min: 7034.5, total_max: 7234.5 },
      { total_min: 7385, total_max: 7585 },
    ]);
    const removal = json.data.options[0].line_items.find(({ code }: { code: string }) => code === "removal");
    expect(removal).toMatchObject({ amount: 300, amount_min: 200, amount_max: 400 });
    for (const { line_items, total } of json.data.options)
      expect(line_items.reduce((sum: number, { amount }: { amount: number }) => sum + amount * 100, 0)).toBeCloseTo(
        total * 100,
        6,
      );
  });

  test("goals in either vocabulary pick the concern", async () => {
    for (const [goal, concern] of [
      ["uv", "uv"],
      ["uv_protection", "uv"],
      ["heat_reduction", "heat"],
      ["leed_credits", "leed"],
    ]) {
      const { json } = await ask({ total_sqft: 10, site_type: "residential", film_goals: [goal] });
      expect(json.data.primary_concern).toBe(concern);
    }
  });

  test("the quote request among the next steps carries the fields of the caller", async () => {
    const { json } = await ask({
      total_sqft: 120.5,
      site_type: "commercial",
      floors: 3,
      film_goals: ["uv_protection", "glare_reduction"],
    });
    const [next] = json.next_actions;
    expect(next).toMatchObject({ action: "quote_request", requires_consent: true, side_effect: "creates_lead" });
    expect(next.sample_request).toMatchObject({
      service_type: "commercial",
      square_footage: 120.5,
      floors: 3,
      needs_ladder: true,
      film_goals: ["uv_protection", "glare_reduction"],
    });
  });

  test("an area must be a number of at least a hundredth", async () => {
    for (const total_sqft of [0, -1, 0.009, "200", 1_000_001, "1e3", true]) {
      const answer = await ask({ total_sqft, site_type: "commercial" });
      expect([answer.status, fields(answer)]).toEqual([400, ["total_sqft"]]);
    }
    // JSON has no infinity; a number that overflows is refused like any other bad number.
    const huge = await testApp().post(`${API}/flat-glass/estimate`, '{"total_sqft":1e999,"site_type":"commercial"}');
    expect(huge.status).toBe(400);
  });

  test("estimates store nothing", async () => {
    const app = fileApp();
    await app.post(`${API}/flat-glass/estimate`, { total_sqft: 10, site_type: "security" });
    await app.post(`${API}/estimates`, SUV);
    expect(app.counts()).toEqual({ leads: 0, bookings: 0, jobs: 0, keys: 0 });
  });
});

describe("quote request", () => {
  test("stores one lead with its four jobs and gives a ballpark", async () => {
    const app = fileApp();
    const { status, json } = await app.post(
      `${API}/quote-request`,
      {
        ...QUOTE,
        last_name: "Example",
        square_footage: 250,
        message: "Two\nlines",
        consent: { confirmed_by_user: true },
      },
      { headers: { "User-Agent": "Mozilla/5.0 ChatGPT-User/1.0" } },
    );
    expect(status).toBe(200);
    expect(json.data).toEqual({
      lead_id: expect.stringMatching(/^lead_/),
      reference: expect.stringMatching(/^Q-/),
      status: "received",
      received_at: "2026-11-21T10:00:00-05:00",
      follow_up: { expected_by: expect.stringMatching(/^2026-11-2\dT/), channel: "phone" },
      ballpark: {
        currency: "USD",
        square_footage: 250,
        price_per_sqft_min: 16,
        price_per_sqft_max: 18,
        total_min: 4000,
        total_max: 4500,
        tax: { status: "none", rate_pct: null, amount: null, note: CATALOG.tax.note },
        price_note: CATALOG.price_note,
      },
    });
    expect(app.counts()).toEqual({ leads: 1, bookings: 0, jobs: 4, keys: 0 });
    const lead = app.db.query("SELECT * FROM leads").get() as Record<string, string>;
    expect(lead).toMatchObject({
      id: json.data.lead_id,
      kind: "quote_request",
      name: "Pat Example",
      phone: "+14045550112",
      agent_class: "openai",
      user_agent: "Mozilla/5.0 ChatGPT-User/1.0",
    });
    expect(JSON.parse(lead.consent ?? "")).toEqual({ confirmed_by_user: true });
    expect(JSON.parse(lead.details ?? "")).toMatchObject({ message: "Two\nlines", square_footage: 250 });
    const jobs = await app.store.waitingJobs(10);
    expect(jobs.map(({ kind }) => kind)).toEqual(["notify_shop_sms", "push_to_crm", "remind_owner", "remind_owner"]);
  });

  test("no ballpark without an area; a ladder raises it", async () => {
    const app = testApp();
    expect((await app.post(`${API}/quote-request`, QUOTE)).json.data.ballpark).toBeNull();
    const { json } = await app.post(`${API}/quote-request`, { ...QUOTE, square_footage: 123.45, needs_ladder: true });
    expect(json.data.ballpark).toMatchObject({ total_min: 2222.1, total_max: 2469 });
  });

  test("property_info is text or an object of up to 4 KiB", async () => {
    const send = (property_info: unknown) => testApp().post(`${API}/quote-request`, { ...QUOTE, property_info });
    expect((await send({ year_built: 1990, panes: ["double"] })).status).toBe(200);
    expect((await send("A house by the lake")).status).toBe(200);
    expect((await send({ notes: "n".repeat(4000) })).status).toBe(200);
    expect((await send("n".repeat(4000))).status).toBe(200);
    for (const tooMuch of [{ notes: "n".repeat(4096) }, "n".repeat(4097), 42, true, ["list"]]) {
      expect((await send(tooMuch)).status).toBe(400);
    }
  });

  test("consent is required when the catalog says so, and a request with consent succeeds", async () => {
    const app = testApp({ catalog: catalogWith({ "bookings.require_consent": true }) });
    const body = { ...QUOTE, consent: { confirmed_by_user: true, captured_at: "2026-11-21T09:00:00-05:00" } };
    expect((await app.post(`${API}/quote-request`, body)).status).toBe(200);
    const bare = await app.post(`${API}/quote-request`, { ...QUOTE, consent: {} });
    expect([bare.status, bare.json.error_code]).toEqual([400, "MISSING_FIELD"]);
    expect(bare.json.missing_fields).toEqual(["consent.confirmed_by_user"]);
  });
});

describe("availability", () => {
  const slotTimes = (slots: { time: string; status: string }[]) => slots.map(({ time, status }) => `${time} ${status}`);

  test("one day: every slot with its status", async () => {
    const { status, json } = await testApp().get(`${API}/availability?date=2026-11-24`);
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
    const { json } = await testApp().get(`${API}/availability`);
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
    for (const days of ["0", "31", "-1", "7.0", "1e1", "0x7", "seven", "+7", "٧"]) {
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
    for (const date of ["2027-02-30", "2026-13-01", "2026-00-10", "2026-11-24T09:00", "tomorrow", "-000001-01-01"]) {
      const answer = await testApp().get(`${API}/availability?date=${date}`);
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
      const { json } = await testApp().get(`${API}/availability?date=2026-11-24&${query}`);
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

describe("booking", () => {
  test("201 with Location, one booking, one lead, four jobs", async () => {
    const app = fileApp();
    const { status, headers, json } = await app.post(
      `${API}/bookings`,
      {
        ...BOOKING,
        special_requests: "Shade 35",
        booking_request_id: "order-1",
        postal_code: "30060",
        consent: { confirmed_by_user: true },
      },
      { headers: { "User-Agent": "ClaudeBot" } },
    );
    expect(status).toBe(201);
    const code = json.data.confirmation_code;
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(headers.get("location")).toBe(`${API}/bookings/${code}`);
    expect(headers.get("idempotent-replayed")).toBeNull();
    expect(json.data).toEqual({
      assumed: ["service_type", "coverage"],
      confirmation_code: code,
      booking_id: expect.stringMatching(/^bk_/),
      status: "confirmed",
      date: "2026-11-24",
      time: "09:00",
      start: "2026-11-24T09:00:00-05:00",
      end: "2026-11-24T13:00:00-05:00",
      timezone: "America/New_York",
      duration_minutes: 240,
      service: "automotive",
      vehicle: { type: "suv", year: null, make: null, model: null, description: "SUV" },
      film_type: "ceramic",
      coverage: "full",
      addons: [],
      remove_old_film: false,
      shade: null,
      windshield_shade: null,
      tint_law: { jurisdiction: "US-GA", status: "not_checked" },
      special_requests: "Shade 35",
      estimate: {
        currency: "USD",
        total: 599,
        tax: { status: "none", rate_pct: null, amount: 0, note: CATALOG.tax.note },
        line_items: [expect.objectContaining({ code: "automotive", quantity: 1, unit_price: 599, amount: 599 })],
        locked: false,
      },
      estimate_id: null,
      customer: { name: "Pat Example" },
      lead_id: expect.stringMatching(/^lead_/),
      location: expect.objectContaining({ name: "Marlow Ridge Window Film", phone: "+1-404-555-0142" }),
      booking_request_id: "order-1",
      can_change_until: "2026-11-23T09:00:00-05:00",
      manage_url: `https://marlowridge.example/book/manage?code=${code}`,
      messages: { text: [], email: [] },
      prepare: CATALOG.bookings.prepare,
    });
    expect(json.next_actions.length).toBeGreaterThan(0);
    expect(app.counts()).toEqual({ leads: 1, bookings: 1, jobs: 4, keys: 0 });
    expect(app.db.query("SELECT id, kind, phone, agent_class, consent FROM leads").get()).toEqual({
      id: json.data.lead_id,
      kind: "booking",
      phone: "+14045550111",
      agent_class: "anthropic",
      consent: '{"confirmed_by_user":true}',
    });
  });

  test("without a vehicle: the default length, no estimate", async () => {
    const { vehicle_type: _, film_type: __, ...body } = BOOKING;
    const { status, json } = await testApp().post(`${API}/bookings`, body);
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ duration_minutes: 270, estimate: null, booking_request_id: null });
  });

  test("other services that can be booked", async () => {
    const app = testApp();
    const removal = await app.post(`${API}/bookings`, {
      ...BOOKING,
      service_type: "film_removal",
      film_type: undefined,
    });
    expect(removal.json.data).toMatchObject({ service: "film_removal", film_type: null, estimate: { total: 225 } });
    const clear = await app.post(`${API}/bookings`, { ...BOOKING, time: "13:00", service_type: "clearplex" });
    expect(clear.json.data).toMatchObject({
      service: "clearplex",
      film_type: null,
      coverage: null,
      estimate: { total: 475 },
    });
  });

  test("a repeated booking_request_id gives the first answer and books nothing", async () => {
    const app = fileApp();
    const body = { ...BOOKING, booking_request_id: "order-1", consent: { confirmed_by_user: true, agent_name: "A" } };
    const first = await app.post(`${API}/bookings`, body);
    // The same request: keys in another order, null for an absent field, the id in the header, from another address.
    const { booking_request_id: _, ...rest } = body;
    const reordered = Object.fromEntries(
      Object.entries({ ...rest, vehicle_make: null, consent: { agent_name: "A", confirmed_by_user: true } }).reverse(),
    );
    const again = [
      await app.post(`${API}/bookings`, body),
      await app.post(`${API}/bookings`, reordered, { headers: { "Idempotency-Key": "order-1" }, from: "192.0.2.9" }),
      await app.post(`${API}/bookings`, body, { headers: { "Idempotency-Key": "order-1" } }),
      await app.post(`${API}/bookings`, body),
      await app.post(`${API}/bookings`, body),
    ];
    for (const answer of again) {
      expect(answer.status).toBe(201);
      expect(answer.headers.get("idempotent-replayed")).toBe("true");
      expect(answer.headers.get("location")).toBe(first.headers.get("location"));
      expect(answer.json.data).toEqual(first.json.data);
    }
    expect(app.counts()).toEqual({ leads: 1, bookings: 1, jobs: 4, keys: 0 });
    // Replays use no quota: two of three bookings are left.
    for (const date of ["2026-11-25", "2026-11-27"]) {
      const { status } = await app.post(`${API}/bookings`, bookingOn(date));
      expect(status).toBe(201);
    }
  });

  test("requests with one id that arrive together make one booking", async () => {
    const app = fileApp();
    const body = { ...BOOKING, booking_request_id: "double-click" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => app.post(`${API}/bookings`, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(new Set(answers.map(({ json }) => json.data.confirmation_code)).size).toBe(1);
    expect(app.counts()).toMatchObject({ leads: 1, bookings: 1, jobs: 4 });
  });

  test("an id belongs to the key of the caller: the same id from another key is another booking", async () => {
    const app = fileApp();
    const [one, two] = [await registerKey(app, "one@example.com"), await registerKey(app, "two@example.com")];
    const body = { ...BOOKING, booking_request_id: "order-1" };
    const codes = [];
    for (const [date, headers] of [
      ["2026-11-24", {}],
      ["2026-11-25", { "X-API-Key": one }],
      ["2026-11-27", { "X-API-Key": two }],
    ] as const) {
      const { status, json } = await app.post(`${API}/bookings`, { ...body, date }, { headers });
      expect(status).toBe(201);
      codes.push(json.data.confirmation_code);
    }
    expect(new Set(codes).size).toBe(3);
    expect(app.counts()).toMatchObject({ bookings: 3, leads: 3 });
    const replay = await app.post(
      `${API}/bookings`,
      { ...body, date: "2026-11-25" },
      { headers: { "X-API-Key": one } },
    );
    expect(replay.json.data.confirmation_code).toBe(codes[1]);
  });

  test("a booking that failed leaves no record of its id", async () => {
    const app = fileApp();
    const refused = await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-22", booking_request_id: "retry" });
    expect(refused.status).toBe(409);
    const { status, headers } = await app.post(`${API}/bookings`, { ...BOOKING, booking_request_id: "retry" });
    expect([status, headers.get("idempotent-replayed")]).toEqual([201, null]);
  });

  test("a replay is answered although quotas are used up and the slot has passed", async () => {
    const app = fileApp();
    const body = { ...BOOKING, booking_request_id: "order-1" };
    const first = await app.post(`${API}/bookings`, body);
    await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-11-25" });
    app.advance({ hours: 24 * 7 });
    const { status, json } = await app.post(`${API}/bookings`, body);
    expect([status, json.data?.booking_id]).toEqual([201, first.json.data.booking_id]);
  });

  test("a cancelled booking frees its slot and still counts for the quota", async () => {
    const app = fileApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    await app.post(`${API}/bookings`, BOOKING);
    app.db.run("UPDATE bookings SET status = 'cancelled_by_customer'");
    expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
    app.db.run("UPDATE bookings SET status = 'cancelled_by_shop'");
    const third = await app.post(`${API}/bookings`, BOOKING);
    expect([third.status, third.json.error_code]).toEqual([429, "RATE_LIMITED"]);
  });

  test("consent: optional, unless the catalog requires it", async () => {
    const strict = catalogWith({ "bookings.require_consent": true });
    const consent = {
      confirmed_by_user: true,
      statement: "Yes",
      captured_at: "2026-11-21T14:59:00Z",
      agent_name: "Bot",
    };
    expect((await testApp({ catalog: strict }).post(`${API}/bookings`, { ...BOOKING, consent })).status).toBe(201);
    expect((await testApp({ catalog: strict }).post(`${API}/bookings`, BOOKING)).status).toBe(400);
    expect((await testApp().post(`${API}/bookings`, BOOKING)).status).toBe(201);
    for (const bad of [{ confirmed_by_user: "yes" }, true, "yes", { confirmed_by_user: true, captured_at: "today" }]) {
      expect((await testApp().post(`${API}/bookings`, { ...BOOKING, consent: bad })).status).toBe(400);
    }
  });

  test("postal codes of the area, in any notation", async () => {
    for (const [code, expected] of [
      ["30060", 201],
      ["30060-1234", 201],
      [" 301 01 ", 201],
      ["31100", 201],
      ["30260", 422],
      ["K1A 0B1", 422],
    ] as const) {
      const { status } = await testApp().post(`${API}/bookings`, { ...BOOKING, postal_code: code });
      expect([code, status]).toEqual([code, expected]);
    }
    const everywhere = catalogWith({ "business.service_area.postal_prefixes": [] });
    const { status } = await testApp({ catalog: everywhere }).post(`${API}/bookings`, {
      ...BOOKING,
      postal_code: "90210",
    });
    expect(status).toBe(201);
  });
});

describe("registration", () => {
  test("201 with a key that is shown once and stored as a hash", async () => {
    const app = fileApp();
    const { status, json } = await app.post(`${API}/register`, {
      name: "Agent",
      email: "Agent@example.com",
      use_case: "Test",
    });
    expect(status).toBe(201);
    expect(json.data).toEqual({
      api_key: expect.stringMatching(/^tint_live_[0-9A-Za-z]{38}$/),
      key_id: expect.stringMatching(/^key_/),
      name: "Agent",
      email: "Agent@example.com",
      rate_limit_per_minute: 300,
      bookings_per_10_minutes: 3,
      created_at: "2026-11-21T10:00:00-05:00",
    });
    const stored = app.db.query("SELECT * FROM api_keys").get() as Record<string, unknown>;
    expect(JSON.stringify(stored)).not.toContain(json.data.api_key);
    expect(stored).toMatchObject({
      hash: new Bun.CryptoHasher("sha256").update(json.data.api_key).digest("hex"),
      prefix: json.data.api_key.slice(0, 12),
    });
    expect(app.counts()).toEqual({ leads: 0, bookings: 0, jobs: 0, keys: 1 });
  });

  test("either header carries the key", async () => {
    const app = testApp();
    const key = await registerKey(app, "agent@example.com");
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { authorization: `bearer  ${key} ` },
      { "X-API-Key": key },
      { "X-API-Key": key, Authorization: `Bearer ${key}` },
    ] as Record<string, string>[]) {
      const answer = await app.get(`${API}/faq`, { headers });
      expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "300"]);
    }
  });
});

describe("strict JSON", () => {
  const WRONG: [string, object, string][] = [
    ["/estimates", { ...SUV, vehicle_year: "2024a" }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_year: 2024.5 }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_year: true }, "vehicle_year"],
    ["/estimates", { ...SUV, vehicle_make: 5 }, "vehicle_make"],
    ["/estimates", { ...SUV, addons: "sunroof" }, "addons"],
    ["/estimates", { ...SUV, addons: ["sunroof", "spoiler"] }, "addons[1]"],
    ["/estimates", { ...SUV, addons: { 0: "sunroof" } }, "addons"],
    ["/estimates", { vehicle_type: ["suv"] }, "vehicle_type"],
    ["/estimates", { vehicle_type: 5 }, "vehicle_type"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", needs_ladder: "true" }, "needs_ladder"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", needs_ladder: 1 }, "needs_ladder"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", floors: 0 }, "floors"],
    ["/flat-glass/estimate", { total_sqft: 10, site_type: "commercial", blocked_windows: -1 }, "blocked_windows"],
    ["/quote-request", { ...QUOTE, film_goals: "privacy" }, "film_goals"],
    ["/quote-request", { ...QUOTE, building_type: "castle" }, "building_type"],
    ["/quote-request", { ...QUOTE, square_footage: "250" }, "square_footage"],
    ["/bookings", { ...BOOKING, date: 20261124 }, "date"],
    ["/bookings", { ...BOOKING, time: "9" }, "time"],
    ["/bookings", { ...BOOKING, customer_name: { first: "Pat" } }, "customer_name"],
  ];
  for (const [path, body, field] of WRONG) {
    test(`${path}: ${field} of ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const answer = await testApp().post(API + path, body);
      expect([answer.status, answer.json.error_code, fields(answer)]).toEqual([400, "BAD_REQUEST", [field]]);
    });
  }

  test("null means absent", async () => {
    const { status, json } = await estimate({ ...SUV, film_type: null, addons: null, shade: null });
    expect([status, json.data?.assumed]).toEqual([200, ["service", "film_type", "coverage", "jurisdiction"]]);
    expect(json.warnings).toBeUndefined();
  });

  test("a body is read as JSON whatever its Content-Type", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]) {
      const { status } = await testApp().post(`${API}/estimates`, SUV, {
        headers: type ? { "Content-Type": type } : {},
      });
      expect([type, status]).toEqual([type, 200]);
    }
  });
});

describe("query strings", () => {
  const BAD: [string, string][] = [
    ["/availability?days=0x10", "days"],
    ["/availability?days=1e1", "days"],
    ["/availability?service=1&service=5", "service"],
    ["/availability?date=2026-11-24&date=2026-11-25", "date"],
    ["/availability?days=3&days=3", "days"],
    ["/estimates?vehicle_type=suv&vehicle_year=2024.0", "vehicle_year"],
    ["/estimates?vehicle_type=suv&vehicle_year=0x7E8", "vehicle_year"],
    ["/estimates?vehicle_type=suv&vehicle_type=van", "vehicle_type"],
    ["/estimates?vehicle_type=suv&vehicle_make=A&vehicle_make=B", "vehicle_make"],
    ["/estimates?vehicle_type=suv&addons=spoiler", "addons[0]"],
    ["/faq?category=general&category=general", "category"],
    ["/faq?category=%5B%22general%22%5D", "category"],
    ["/availability?date=%ff", "date"],
  ];
  for (const [path, field] of BAD) {
    test(`${path} is refused`, async () => {
      const answer = await testApp().get(API + path);
      expect([answer.status, answer.json.error_code, fields(answer)]).toEqual([400, "BAD_REQUEST", [field]]);
    });
  }

  test("lists are repeated or separated by commas", async () => {
    const app = testApp();
    const expected = (await app.post(`${API}/estimates`, { ...SUV, addons: ["sunroof", "nofault"] })).text;
    for (const query of ["addons=sunroof&addons=nofault", "addons=sunroof,nofault", "addons=sunroof%2C%20nofault"]) {
      const { text } = await app.get(`${API}/estimates?vehicle_type=suv&${query}`);
      expect(withoutFreshIds(text)).toBe(withoutFreshIds(expected));
    }
  });

  test("decimal digits become numbers", async () => {
    const { json } = await testApp().get(`${API}/estimates?vehicle_type=suv&vehicle_year=2024&shade=35`);
    expect(json.data.vehicle.year).toBe(2024);
    expect(json.data.tint_law.checks[0].film_vlt).toBe(35);
  });

  test("inherited property names are treated like other names", async () => {
    const answer = await testApp().get(`${API}/availability?__proto__=1&constructor=2&toString=3&days=1`);
    expect(answer.status).toBe(200);
    expect(warned(answer)).toEqual(["__proto__", "constructor", "toString"]);
  });
});

describe("unknown fields", () => {
  test("are ignored with a warning that suggests the field that was meant", async () => {
    const { status, json } = await estimate({ ...SUV, filmtype: "ceramic", favourite_colour: "red" });
    expect(status).toBe(200);
    expect(json.data.film_type).toBe("standard");
    expect(json.warnings).toMatchObject([
      { code: "UNKNOWN_FIELD", field: "filmtype", did_you_mean: "film_type" },
      { code: "UNKNOWN_FIELD", field: "favourite_colour" },
    ]);
    expect(json.warnings[1]).not.toHaveProperty("did_you_mean");
  });

  test("are found in a query, and on endpoints without fields", async () => {
    expect(warned(await testApp().get(`${API}/services?utm_source=x`))).toEqual(["utm_source"]);
    expect((await testApp().get(`${API}/availability?day=3`)).json.warnings).toMatchObject([{ did_you_mean: "days" }]);
  });

  test("are found inside nested objects", async () => {
    const answer = await testApp().post(`${API}/quote-request`, {
      ...QUOTE,
      consent: { confirmed_by_user: true, statment: "Yes" },
      property_info: { anything: 1 },
    });
    expect(answer.status).toBe(200);
    expect(answer.json.warnings).toMatchObject([{ field: "consent.statment", did_you_mean: "statement" }]);
  });

  test("thousands of them give a short answer", async () => {
    const many = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`x${i}`, 1]));
    const { status, text } = await estimate({ ...SUV, ...many });
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe("hostile input", () => {
  test("__proto__ and constructor in a body change nothing", async () => {
    const poisoned = await testApp().post(`${API}/estimates`, '{"__proto__":{"vehicle_type":"suv"}}');
    expect([poisoned.status, poisoned.json.success]).toEqual([400, false]);
    const kept = await testApp().post(
      `${API}/estimates`,
      '{"vehicle_type":"suv","__proto__":{"film_type":"ceramic"},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect([kept.status, kept.json.data.film_type]).toEqual([200, "standard"]);
    const info = await testApp().post(
      `${API}/quote-request`,
      `${JSON.stringify(QUOTE).slice(0, -1)},"property_info":{"__proto__":{"admin":true}}}`,
    );
    expect(info.status).toBeLessThan(500);
    expect("polluted" in {} || "admin" in {} || "film_type" in {}).toBe(false);
  });

  const DEEP: [string, string, string][] = [
    ["a body of brackets", "/estimates", "[".repeat(30_000) + "]".repeat(30_000)],
    ["brackets left open", "/estimates", `{"vehicle_type":${"[".repeat(30_000)}`],
    [
      "a field the schema knows",
      "/estimates",
      `{"vehicle_type":"suv","addons":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    ],
    [
      "objects in a field",
      "/estimates",
      `{"vehicle_type":"suv","shade":${'{"front_side":'.repeat(4_000)}1${"}".repeat(4_000)}}`,
    ],
    ["a free-form field", "/quote-request", free(`${"[".repeat(30_000)}${"]".repeat(30_000)}`)],
    ["a short free-form field", "/quote-request", free(`${"[".repeat(2_500)}${"]".repeat(2_500)}`)],
  ];
  for (const [name, path, body] of DEEP) {
    test(`deep nesting: ${name}`, async () => {
      const { status, json } = await testApp().post(API + path, body);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(json.success).toBe(false);
    });
  }

  test("deep nesting in an ignored field causes no server error", async () => {
    const { status } = await testApp().post(
      `${API}/estimates`,
      `{"vehicle_type":"suv","unknown":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
    );
    expect(status).toBeLessThan(500);
  });

  function free(nested: string): string {
    return `${JSON.stringify(QUOTE).slice(0, -1)},"property_info":{"a":${nested}}}`;
  }

  test("property_info is nested at most 32 deep, and deeper nesting is refused in little time", async () => {
    const app = testApp();
    // The object around the list is a level of its own.
    const send = async (depth: number) =>
      (await app.post(`${API}/quote-request`, free("[".repeat(depth - 1) + "]".repeat(depth - 1)))).status;
    expect([await send(32), await send(33), await send(1_001), await send(2_000)]).toEqual([200, 400, 400, 400]);
    const before = process.cpuUsage();
    for (let i = 0; i < 4; i++) expect(await send(30_000)).toBe(400);
    const { user, system } = process.cpuUsage(before);
    // Microseconds. To write this as JSON alone would take longer each time.
    expect(user + system).toBeLessThan(1_500_000);
  });

  test("a query of many fields takes no more than linear time", async () => {
    const app = testApp();
    const query = Array.from({ length: 20_000 }, (_, i) => `f${i}=1`).join("&");
    const before = process.cpuUsage();
    expect((await app.get(`${API}/availability?${query}`)).status).toBe(200);
    const { user, system } = process.cpuUsage(before);
    // Microseconds; quadratic time would be seconds.
    expect(user + system).toBeLessThan(1_500_000);
  });

  test("a body of 64 KiB passes, a byte more does not", async () => {
    const body = (bytes: number) => {
      const text = JSON.stringify({ ...SUV, filler: "" });
      return `${text.slice(0, -2)}${"x".repeat(bytes - text.length)}"}`;
    };
    expect(body(65_536)).toHaveLength(65_536);
    expect((await testApp().post(`${API}/estimates`, body(65_536))).status).toBe(200);
    expect((await testApp().post(`${API}/estimates`, body(65_537))).status).toBe(413);
  });

  test("the limit is of bytes, not characters", async () => {
    const { status } = await testApp().post(`${API}/estimates`, { ...SUV, filler: "é".repeat(32_768) });
    expect(status).toBe(413);
  });

  test.each(["\u3164", "\u2800 \u2800", "\u115f\u1160", "\uffa0", "\u3000", "\ufe0f", "\u200b\u3164", "\u200d", "\0"])(
    "%j is a blank name",
    async (name) => {
      const { status, json } = await fileApp().post(`${API}/bookings`, { ...BOOKING, customer_name: name });
      expect([status, json.error_code, json.missing_fields]).toEqual([400, "MISSING_FIELD", ["customer_name"]]);
    },
  );

  test("newlines of either form are allowed in free text", async () => {
    const app = fileApp();
    const { status } = await app.post(`${API}/quote-request`, { ...QUOTE, message: "One\nTwo\r\nThree" });
    expect(status).toBe(200);
    const details = app.db.query<{ details: string }, []>("SELECT details FROM leads").get()?.details ?? "";
    expect(JSON.parse(details).message).toBe("One\nTwo\nThree");
    expect((await app.post(`${API}/bookings`, { ...BOOKING, special_requests: "One\nTwo" })).status).toBe(201);
    const registration = { name: "Pat", email: "pat@example.com", use_case: "One\nTwo" };
    expect((await app.post(`${API}/register`, registration)).status).toBe(201);
  });

  test("texts are trimmed and composed", async () => {
    const { json } = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_name: "  Zoe\u0308  " });
    expect(json.data.customer.name).toBe("Zo\u00eb");
    const trimmed = await estimate({ vehicle_type: " suv ", film_type: "ceramic\n" });
    expect([trimmed.status, trimmed.json.data?.film_type]).toEqual([200, "ceramic"]);
  });

  const NO_TEXT = Buffer.from([...Buffer.from('{"vehicle_type":"suv","vehicle_make":"'), 0xff, ...Buffer.from('"}')]);
  test.each([
    ["that is not UTF-8", NO_TEXT, {}, "The body is not UTF-8 text."],
    [
      "that is compressed",
      Bun.gzipSync(JSON.stringify(SUV)),
      { "Content-Encoding": "gzip" },
      "The body is compressed; send it as plain JSON.",
    ],
  ])("a body %s is refused", async (_, body, headers, message) => {
    const app = createApp({
      catalog: () => ({ catalog: CATALOG, hash: "" }),
      store: openSqliteStore(":memory:"),
      log: pino({ level: "silent" }),
    });
    const request = new Request(`http://localhost${API}/estimates`, { method: "POST", headers, body });
    const response = await app.handle(request);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "INVALID_JSON", message });
  });
});

describe("lengths", () => {
  const email = (length: number) =>
    `${"a".repeat(60)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(length - 186)}.ee`;
  const LENGTHS: [string, object, string, number, (length: number) => string][] = [
    ["/quote-request", QUOTE, "first_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "last_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "company_name", 100, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "address", 300, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "message", 2000, (n) => "n".repeat(n)],
    ["/quote-request", QUOTE, "phone", 32, (n) => `+1 (404) 555-0112${" ".repeat(n - 28)} ext. 12345`],
    ["/estimates", SUV, "vehicle_make", 100, (n) => "n".repeat(n)],
    ["/estimates", SUV, "vehicle_model", 100, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "customer_name", 100, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "special_requests", 2000, (n) => "n".repeat(n)],
    ["/bookings", BOOKING, "booking_request_id", 255, (n) => "n".repeat(n)],
    ["/register", { email: "pat@example.com" }, "name", 100, (n) => "n".repeat(n)],
    ["/register", { name: "Pat", email: "pat@example.com" }, "use_case", 2000, (n) => "n".repeat(n)],
    ["/register", { name: "Pat" }, "email", 254, email],
  ];
  for (const [path, body, field, limit, text] of LENGTHS) {
    test(`${field} of ${path}: ${limit} characters`, async () => {
      expect(text(limit)).toHaveLength(limit);
      const fits = await testApp().post(API + path, { ...body, [field]: text(limit) });
      expect([fits.status, fields(fits)]).toEqual([path === "/bookings" || path === "/register" ? 201 : 200, []]);
      const over = await testApp().post(API + path, { ...body, [field]: text(limit + 1) });
      expect([over.status, fields(over)]).toEqual([400, [field]]);
    });
  }

  test("a character counts once, whatever its number of code units", async () => {
    const fits = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_name: "𠮷".repeat(100) });
    expect(fits.status).toBe(201);
    const over = await testApp().post(`${API}/bookings`, { ...BOOKING, customer_name: "𠮷".repeat(101) });
    expect(over.status).toBe(400);
  });

  test("the Idempotency-Key has the limit of booking_request_id", async () => {
    const send = (length: number) =>
      testApp().post(`${API}/bookings`, BOOKING, { headers: { "Idempotency-Key": "k".repeat(length) } });
    expect((await send(255)).json.data?.booking_request_id).toHaveLength(255);
    expect((await send(256)).status).toBe(400);
  });
});
