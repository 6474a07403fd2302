/** Addresses with choices in them: what an answer's `book_url` says, arrives on the page and is booked, and no more. */
import { describe, expect, test } from "bun:test";
import {
  type Answer,
  API,
  appWith,
  BOOKING,
  CATALOG,
  catalogWith,
  inOwnName,
  manyCallers,
  type TestApp,
  testApp,
} from "../helpers.ts";
import { withoutService } from "../shops.ts";
import { BOOKING_FORM, bookedBy, fieldsOf, filled, send } from "./form.ts";

const START = "&start=2026-11-24T09:00";

describe("the page that an answer leads to (book_url)", () => {
  const SUV = { vehicle_type: "suv", film_type: "ceramic" };

  test.each([
    [
      "the car's year, make and model",
      { ...SUV, vehicle_year: 2024, vehicle_make: "Toyota", vehicle_model: "Highlander" },
    ],
    ["another state, for work without film", { service: "film_removal", vehicle_type: "suv", jurisdiction: "US-FL" }],
    ["a shade for each glass", { ...SUV, shade: { front_side: 50, rear_side: 40, rear_window: 15 } }],
    ["a shade for the rear window alone", { ...SUV, shade: { rear_window: 20 } }],
    ["a shade for all but the rear window", { ...SUV, shade: { front_side: 50, rear_side: 20 } }],
    ["the windshield's shade", { ...SUV, addons: ["windshield"], windshield_shade: 50, jurisdiction: "US-CA" }],
    ["old film taken off first", { ...SUV, remove_old_film: true }],
    ["the car's own glass", { ...SUV, shade: 70, factory_glass: { rear_side: 60, rear_window: 18 } }],
  ])("shows and books %s, as the estimate does over the API", async (_, job) => {
    const app = manyCallers();
    const { data } = (await app.post(`${API}/estimates`, job)).json;
    const wish = { estimate_id: data.estimate_id, date: "2026-11-24", time: "09:00", accept_not_legal: true };
    const body = { ...BOOKING, vehicle_type: undefined, film_type: undefined, ...wish, dry_run: true };
    const { json: due } = await app.post(`${API}/bookings`, body);
    const { search } = new URL(data.book_url);
    const { page, fields, action } = await filled(app, `/book${search}${START}`);
    const barred = data.tint_law.checks.filter(({ status }: { status: string }) =>
      /illegal|not_permitted/.test(status),
    );
    expect(page.text.includes("Not legal in")).toBe(barred.length > 0);
    fields.set("jurisdiction", data.tint_law.jurisdiction);
    fields.set("do", barred.length > 0 ? "book_anyway" : "book");
    fields.set("not_legal_reason", "exemption");
    const booked = await bookedBy(await send(app, action, fields), app);
    const { vehicle, shade, windshield_shade, addons, coverage, duration_minutes, tint_law, estimate } = due.data;
    const facts = { vehicle, shade, windshield_shade, addons, coverage, duration_minutes, tint_law };
    expect(booked).toMatchObject({ ...facts, estimate: { total: estimate.total } });
  });

  test("offers the rear window a shade of its own, until one is chosen for all rear glass", async () => {
    const shade = { front_side: 50, rear_side: 40, rear_window: 15 };
    const app = manyCallers();
    const { data } = (await app.post(`${API}/estimates`, { ...SUV, shade })).json;
    const { page, fields } = await filled(app, `/book${new URL(data.book_url).search}${START}`);
    expect(["front_shade", "rear_shade", "rear_window_shade"].map((name) => fields.get(name))).toEqual([
      "50",
      "40",
      "15",
    ]);
    expect(page.text).toContain("front 50%, rear sides 40%, rear window 15%");
    fields.set("legal", "darkest");
    const legal = fieldsOf((await app.get(`/book?${fields}`)).text, BOOKING_FORM);
    expect([legal.get("rear_shade"), legal.has("rear_window_shade")]).toEqual(["5", false]);
  });
});

const CODES = Array.from({ length: 8 }, (_, i) => `an_extra_with_quite_a_long_code_${i}`);
const EXTRA = {
  name: "Extra",
  price: { standard: 5, ceramic: 10 },
  applies_to: ["automotive"],
  minutes: 0,
  position: null,
};
/** Eight extras, too long for an estimate to hold. */
const LONG = Object.fromEntries(CODES.map((code) => [`automotive.addons.${code}`, { ...EXTRA, name: code }]));

test("work too long for its estimate is booked, too, with the name of the car", async () => {
  const app = appWith(LONG);
  const query = new URLSearchParams([
    ["vehicle_type", "suv"],
    ["film_type", "ceramic"],
    ["car", "2024 Highlander"],
  ]);
  for (const code of CODES) query.append("addons", code);
  const { fields, action } = await filled(app, `/book?${query}&car_before=2024+Highlander${START}`);
  const booked = await bookedBy(await send(app, action, fields), app);
  const vehicle = { description: "2024 Highlander (SUV)" };
  expect(booked).toMatchObject({ addons: CODES, estimate: { total: 679 }, vehicle });
});

test("the price of a link holds whose work is too long for its estimate, and other work is told the difference", async () => {
  const app = appWith(LONG);
  const { data } = (await app.post(`${API}/estimates`, { vehicle_type: "suv", film_type: "ceramic", addons: CODES }))
    .json;
  app.setCatalog(catalogWith({ ...LONG, "automotive.vehicle_types.suv.ceramic.full": 799 }));
  const { search } = new URL(data.book_url);
  const { page, fields, action } = await filled(app, `/book${search}${START}`);
  expect(page.text).toContain("$679");
  const booked = await bookedBy(await send(app, action, fields), app);
  expect(booked).toMatchObject({ addons: CODES, estimate: { total: 679 } });
  const { text } = await app.get(`/book${search.replace(`&addons=${CODES[0]}`, "")}`);
  for (const said of ["$679", "$869"]) expect(text).toContain(said);
  app.advance({ hours: 24 * 15 });
  expect((await app.get(`/book${search}`)).text).toContain("Your quote of $679 ended on Dec 5. Today: $879.");
});

test("without an estimate, too, a link has the shade of each glass", async () => {
  const app = manyCallers();
  const shade = JSON.stringify({ front_side: 50, rear_side: 40, rear_window: 15 });
  const query = new URLSearchParams({ vehicle_type: "suv", shade, addons: "windshield", windshield_shade: "50" });
  const { book_url } = (await app.get(`${API}/availability?${query}`)).json.data;
  const { fields } = await filled(app, `/book${new URL(book_url).search}${START}`);
  const names = ["front_shade", "rear_shade", "rear_window_shade", "windshield_shade"];
  expect(names.map((name) => fields.get(name))).toEqual(["50", "35", "20", "50"]);
});

test.each([
  ["service_type=film_removal&film_type=ceramic", CATALOG],
  ["service_type=clearplex&coverage=front2&jurisdiction=US-FL", CATALOG],
  ["film_type=ceramic&windshield_shade=50&rear_window_shade=none", CATALOG],
  ["remove_old_film=true", withoutService("film_removal")],
])("what an address says that the work has no choice of is no change of it: %s", async (query, catalog) => {
  const { app, fields, action } = await filled(testApp({ catalog }), `/book?vehicle_type=suv&${query}${START}`);
  expect((await send(app, action, fields)).status).toBe(303);
});

const SITE = "https://marlowridge.example";
const JOB = { vehicle_type: "sedan", film_type: "ceramic", shade: 50, addons: ["sunroof"] };

/** The page at an address of an answer, as text without tags. */
async function open(app: TestApp, address: string): Promise<string> {
  expect(address).toStartWith(`${SITE}/book`);
  const { status, text } = await app.get(address.slice(SITE.length), { headers: { Accept: "text/html" } });
  expect(status).toBe(200);
  return text;
}

const step = ({ json }: Answer, action: string) =>
  json.next_actions.find((one: { action: string }) => one.action === action);

describe("book_url", () => {
  test("of the step that books holds a time that is open; the form books it at the quoted price", async () => {
    const app = testApp();
    const quoted = await app.post(`${API}/estimates`, JOB);
    const { book_url: url, sample_request: sample } = step(quoted, "book_appointment");
    expect(new URL(url).searchParams.get("start")).toBe(`${sample.date}T${sample.time}`);
    app.setCatalog(catalogWith({ "automotive.vehicle_types.sedan.ceramic.full": 999 }));
    const page = await open(app, url);
    const { total, estimate_id } = quoted.json.data;
    expect(page).toContain(`for $${total}`);
    expect(page).toContain(`name="estimate_id" value="${estimate_id}"`);
  });

  test("at a time that is taken by then says so, and shows the other times of that day", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    const booking = step(await app.post(`${API}/estimates`, JOB), "book_appointment");
    const { book_url: url, sample_request, fill_in } = booking;
    expect((await app.post(`${API}/bookings`, inOwnName(sample_request, fill_in))).status).toBe(201);
    const page = await open(app, url);
    expect(page).toContain("is not free for this work. Please pick another time.");
    expect(page).toContain(`id="day-${sample_request.date}" name="day" form="looking" checked`);
    expect(page).not.toContain(`name="start" value="${sample_request.date}T${sample_request.time}"`);
  });

  test("is in availability, in every alternative and in a dry run", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    for (const view of ["full", "compact"]) {
      const { json } = await app.get(`${API}/availability?vehicle_type=suv&view=${view}`);
      await open(app, json.data.book_url);
    }
    const dry = await app.post(`${API}/bookings`, { ...BOOKING, dry_run: true });
    expect(dry.json.data).not.toHaveProperty("manage_url");
    await open(app, step(dry, "book_appointment").book_url);
    expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
    const taken = await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: "+1-404-555-0177" });
    expect([taken.status, taken.json.alternatives.length]).toEqual([409, 3]);
    for (const { book_url: url, date, time } of taken.json.alternatives) {
      expect(new URL(url).searchParams.get("start")).toBe(`${date}T${time}`);
      expect(await open(app, url)).toContain(`value="${date}T${time}"`);
    }
  });

  test("of a building names its windows, or its area", async () => {
    const app = testApp();
    const windows = [{ width_in: 36, height_in: 60, quantity: 8, blocked: true }];
    const rows = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
    const page = await open(app, rows.json.data.book_url);
    for (const typed of ['value="36"', 'value="60"', 'value="8"']) expect(page).toContain(typed);
    const area = await app.post(`${API}/flat-glass/estimate`, { site_type: "commercial", total_sqft: 350.5 });
    const { total } = area.json.data.options[1];
    const shown = (Math.round(total / 10) * 10).toLocaleString("en-US");
    expect(await open(app, area.json.data.book_url)).toContain(`about $${shown}`);
    // The most rows that an address holds; above them the marks are counted.
    for (const [count, linked, blocked] of [
      [12, 12, null],
      [13, 0, "104"],
    ] as const) {
      const many = { site_type: "commercial", windows: Array.from({ length: count }, () => windows[0]) };
      const { book_url } = (await app.post(`${API}/flat-glass/estimate`, many)).json.data;
      const { searchParams: query } = new URL(book_url);
      expect([query.getAll("width").length, query.get("blocked_windows")]).toEqual([linked, blocked]);
    }
  });

  test("leads where the owner says, or nowhere", async () => {
    const elsewhere = appWith({ "site.book_url": "https://www.example.com/tint?from=ai" });
    const { json } = await elsewhere.post(`${API}/estimates`, JOB);
    expect(json.data.book_url).toStartWith("https://www.example.com/tint?from=ai&service_type=automotive");
    const GLASS = { site_type: "commercial", total_sqft: 350 };
    const glass = await elsewhere.post(`${API}/flat-glass/estimate`, GLASS);
    expect(glass.json.data.book_url).toStartWith("https://www.example.com/tint?from=ai&site_type=commercial");
    // This server's own page has one beside it for glass.
    const own = appWith({ "site.book_url": `${CATALOG.site.url}/book` });
    const { book_url } = (await own.post(`${API}/flat-glass/estimate`, GLASS)).json.data;
    expect(book_url).toStartWith(`${CATALOG.site.url}/book/glass?site_type=commercial`);
    const none = appWith({ "site.book_url": "none" });
    for (const text of [
      (await none.post(`${API}/flat-glass/estimate`, GLASS)).text,
      (await none.post(`${API}/estimates`, JOB)).text,
      (await none.get(`${API}/availability`)).text,
      (await none.post(`${API}/bookings`, BOOKING)).text,
    ])
      expect(text).not.toMatch(/book_url|manage_url| the link/);
  });
});

test("a booking says until when and where it can be changed, what is sent and what to bring", async () => {
  const message = { enabled: true, text: "{code}" };
  const app = appWith({ "messages.confirmation_sms": message });
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, consent: { confirmed_by_user: true, sms: true } });
  const { confirmation_code: code, manage_url: url, messages, can_change_until: until } = json.data;
  expect(messages).toEqual({ text: ["confirmation"], email: [], said: "The customer gets a confirmation by text." });
  expect(until).toBe("2026-11-23T09:00:00-05:00");
  expect(await open(app, url)).toContain(`value="${code}"`);
});

test("a booking can be changed inside the cut-off for a while after it was made", async () => {
  const app = appWith({ "bookings.self_service.cutoff_hours": 720 });
  const { json } = await app.post(`${API}/bookings`, BOOKING);
  const { confirmation_code, can_change_until: until } = json.data;
  expect(until).toBe("2026-11-21T10:30:00-05:00");
  const cancel = { confirmation_code, phone: BOOKING.customer_phone };
  app.advance({ minutes: 31 });
  expect((await app.post(`${API}/bookings/cancel`, cancel)).json.error_code).toBe("TOO_LATE_TO_CHANGE");
  app.advance({ minutes: -2 });
  expect((await app.post(`${API}/bookings/cancel`, cancel)).status).toBe(200);
});

test("what only the caller knows a misspelt field is under its proper name", async () => {
  const { vehicle_type: _, ...wish } = BOOKING;
  const { status, json } = await testApp().post(`${API}/bookings`, { ...wish, vehicel_type: "van" });
  expect([status, json.usage.sample_request.vehicle_type]).toEqual([400, "van"]);
});
