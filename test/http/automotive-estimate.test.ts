/** Estimates of automotive work: prices, both films, the law, next steps. */
import { describe, expect, test } from "bun:test";
import { type Answer, API, manyCallers, testApp, withoutFreshIds } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const SUV = { vehicle_type: "suv" };
const estimate = (body: object) => APP.post(`${API}/estimates`, body);
const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);

describe("automotive estimate", () => {
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
      `
        kind currency vehicle service film_type coverage assumed line_items total tax price_note options comparison
        tint_law addon_suggestions duration duration_minutes valid_until estimate_id book_url
      `
        .trim()
        .split(/\s+/)
        .sort(),
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
    const { status, json } = await APP.get(`${API}/estimates`);
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
    for (const shade of [0, 101, 35.5, "0", "0x23", "3.5e1", "dark-ish", true, [35, 20], { front_side: 0 }]) {
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
