/** Addresses with choices in them: what an answer's `book_url` says, arrives on the page and is booked, and no more. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, CATALOG, catalogWith, manyCallers, testApp } from "../helpers.ts";
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
  const app = testApp({ catalog: catalogWith(LONG) });
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
  const app = testApp({ catalog: catalogWith(LONG) });
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
