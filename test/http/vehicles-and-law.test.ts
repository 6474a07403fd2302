/** What a price and a verdict are worth: the films, the class of car, the glass, and a vehicle without a price. Contract 2. */
import { describe, expect, test } from "bun:test";
import { modelIn } from "../../src/catalog/models.ts";
import { type Answer, manyCallers, testApp } from "../app.ts";
import { API, AT_BOOKING, BOOKING, bookingOn, freshPhone, withoutFreshIds } from "../fixed-day.ts";
import { CATALOG, WORDS } from "../helpers.ts";
import { book } from "./manage-requests.ts";

const APP = manyCallers();

describe("Estimates of automotive work: prices, both films, the law, next steps", () => {
  const SUV = { vehicle_type: "suv" };
  const estimate = (body: object) => APP.post(`${API}/estimates`, body);
  const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);

  test("both films side by side, the law, suggestions, and how long the price holds", async () => {
    const { json } = await estimate({
      ...SUV,
      film_type: "ceramic",
      vehicle_year: 2024,
      vehicle_make: "Toyota",
      vehicle_model: "Highlander",
      shade: 35,
    });
    const fields = `kind currency vehicle service film_type coverage assumed line_items total tax price_note options
        comparison tint_law addon_suggestions duration duration_minutes valid_until estimate_id book_url`;
    expect(Object.keys(json.data).sort()).toEqual(fields.split(/\s+/).sort());
    const description = "2024 Toyota Highlander (SUV)";
    expect(json.data).toMatchObject({
      vehicle: { type: "suv", year: 2024, make: "Toyota", model: "Highlander", description },
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
    const all = { service: "automotive", film_type: "ceramic", coverage: "full", vehicle_year: 2024, shade: 35 };
    for (const body of [
      SUV,
      { vehicle_type: "sedan", addons: ["windshield_strip", "sunroof"], ...all },
      { vehicle_type: "truck", service: "film_removal" },
      { ...SUV, colour: "red" },
    ]) {
      const query = new URLSearchParams(
        Object.entries(body).map(([name, value]): [string, string] => [name, `${value}`]),
      );
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
    const expected = { vehicle_type: "suv", film_type: "ceramic", coverage: "front2", total: 239 };
    expect(json.data.matrix).toContainEqual(expected);
    expect(json.data.film_removal).toContainEqual({ vehicle_type: "coupe", coverage: "front2", total: 70 });
    expect(json.data.clearplex).toContainEqual({ vehicle_type: "van", total: 495 });
    expect(json.data.addons).toHaveLength(4);
    expect(json.next_actions).toMatchObject([{ action: "automotive_estimate", method: "POST" }]);
  });

  test("a shade is none in any other form", async () => {
    for (const shade of [
      0,
      101,
      35.5,
      "0",
      "0x23",
      "3.5e1",
      "dark-ish",
      true,
      [35, 20],
      { front_side: 0 },
      { rear_side: "dark-ish" },
    ]) {
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
});

describe("What a price and a verdict are worth: the class of car, the glass, what is not legal, and a booking without a vehicle", () => {
  const estimate = async (body: object) => (await APP.post(`${API}/estimates`, body)).json;
  const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code);

  const checkOf = ({ data }: { data: { tint_law: { checks: { position: string }[] } } }, position: string) =>
    data.tint_law.checks.find((check) => check.position === position);

  describe("the class of a car", () => {
    test.each([
      ["21 highlander", "suv"],
      ["Honda CRV EX", "crossover"],
      ["CR-V", "crossover"],
      ["corolla cross", "crossover"],
      ["2019 Toyota Corolla LE", "sedan"],
      ["f-150", "truck"],
      ["F 150", "truck"],
      ["mustang", "coupe"],
      ["Mustang Mach-E", "crossover"],
      ["range rover sport", "suv"],
      ["odyssey", "van"],
      ["Mini Cooper S", "sedan"],
      ["mercedes-benz gla 250", "crossover"],
      ["Ford EcoSport", "crossover"],
      ["2022 Buick Encore", "crossover"],
      ["Audi Q8", "suv"],
      ["Ford E-Series 350", "van"],
      ["Kia Rio", "sedan"],
      ["Lexus LX 600", "suv"],
      // Two letters alone are more often a trim than a model.
      ["Avalanche LX", undefined],
      ["DeLorean DMC-12", undefined],
      ["", undefined],
    ])("%s is %s", (text, type) => {
      expect(modelIn(text, CATALOG)?.vehicleType).toBe(type);
    });

    test("a model under another type is a warning with that type, its price and length", async () => {
      const asked = { vehicle_type: "suv", film_type: "ceramic", vehicle_make: "Honda", vehicle_model: "CR-V" };
      const { warnings } = await estimate(asked);
      expect(warnings).toMatchObject([{ code: "VEHICLE_TYPE_CHECK", field: "vehicle_type" }]);
      expect(warnings[0].message).toContain("counts as crossover here: $569, 3 h 30 min");
      expect(codes(await estimate({ ...asked, vehicle_type: "crossover" }))).toEqual([]);
      const booking = { ...BOOKING, ...asked, customer_phone: freshPhone(), dry_run: true };
      expect(codes((await APP.post(`${API}/bookings`, booking)).json)).toContain("VEHICLE_TYPE_CHECK");
    });

    test("a booking of a known model without a type has that type, its price and length, and says so", async () => {
      const app = testApp();
      const { vehicle_type: _, ...rest } = BOOKING;
      const car = { vehicle_make: "Honda", vehicle_model: "CR-V" };
      for (const dry_run of [true, false]) {
        const booking = { ...rest, ...car, film_type: "ceramic", customer_phone: freshPhone(), dry_run };
        const { json } = await app.post(`${API}/bookings`, booking);
        expect(json.data).toMatchObject({
          ...{ vehicle: { type: "crossover", make: "Honda" }, duration_minutes: 210 },
          estimate: { total: 569 },
        });
        expect(json.data.assumed).not.toContain("vehicle_type");
        expect(json.warnings).toEqual([
          {
            code: "UNDERSTOOD",
            field: "vehicle_type",
            message:
              "A Honda CR-V counts as crossover here: $569, 3 h 30 min. That type was taken: name another one if the customer's vehicle differs.",
          },
          ...(dry_run ? [AT_BOOKING] : []),
        ]);
      }
      const unknown = { ...rest, vehicle_model: "DMC-12", customer_phone: freshPhone(), dry_run: true };
      const { json } = await app.post(`${API}/bookings`, unknown);
      expect([codes(json), json.data.estimate]).toEqual([["NO_PRICE", AT_BOOKING.code], null]);
    });

    test("a model that a change names gives a booking without a vehicle its type and price", async () => {
      const app = testApp();
      const { data, change } = await book(app, { vehicle_type: undefined });
      expect(data.estimate).toBeNull();
      const { json } = await change({ vehicle_model: "Highlander" });
      expect(json.data).toMatchObject({ vehicle: { type: "suv" }, estimate: { total: 599 } });
      expect(codes(json)).toEqual(["UNDERSTOOD"]);
    });

    test("a model sent as the type gets did_you_mean, and the sample that follows it", async () => {
      const { error_code, invalid_fields, usage } = await estimate({ vehicle_type: "Highlander" });
      expect([error_code, invalid_fields[0].did_you_mean]).toEqual(["INVALID_VEHICLE_TYPE", "suv"]);
      expect(usage.sample_request.vehicle_type).toBe("suv");
    });

    const BEGINNINGS = ["Civ", "toyota highl", "rav", "cou", "cross"];

    test.each([
      ["GX", "suv"],
      ["GX 460", "suv"],
      ["gx460", "suv"],
      ["ES", "sedan"],
      ["Civ", "sedan"],
      ["toyota highl", "suv"],
      ["rav", "crossover"],
      // Models of several types, or none.
      ["Model", undefined],
      ["Lexus", undefined],
      ["x", undefined],
      ["460", undefined],
      // A word of the catalog rather than a model.
      ["cou", "coupe"],
      ["cross", "crossover"],
      ["sednna", "sedan"],
    ])("a part of a model sent as the type, %s, gets did_you_mean %s", async (vehicle_type, meant) => {
      const { error_code, invalid_fields, usage } = await estimate({ vehicle_type });
      expect([error_code, invalid_fields[0].did_you_mean]).toEqual(["INVALID_VEHICLE_TYPE", meant]);
      // The beginning of a word or of a model is asked: "car" is no Carnival.
      const isAsked = meant === undefined || BEGINNINGS.includes(vehicle_type);
      expect(usage.sample_request.vehicle_type).toBe(isAsked ? undefined : meant);
      expect(usage.fill_in).toEqual(isAsked ? ["vehicle_type"] : undefined);
      const booking = await APP.post(`${API}/bookings`, { ...BOOKING, vehicle_type, dry_run: true });
      expect(booking.json.invalid_fields[0].did_you_mean).toBe(meant);
    });
  });

  describe("the glass", () => {
    const FLORIDA = { vehicle_type: "suv", jurisdiction: "US-FL", shade: { rear_side: 15 } };

    test("behind the driver of an SUV is often dark, so it depends on the glass", async () => {
      const check = checkOf(await estimate(FLORIDA), "rear_side");
      expect(check).toMatchObject({ status: "borderline", reason: "depends_on_glass", glass_vlt: 75, net_vlt: 11.3 });
      expect(check).toMatchObject({ rule: "minimum", explanation: expect.stringContaining("20% glass") });
      const sedan = await estimate({ ...FLORIDA, vehicle_type: "sedan", shade: { rear_side: 30 } });
      expect(checkOf(sedan, "rear_side")).toMatchObject({ status: "legal" });
    });

    test.each([
      [75, "legal"],
      [20, "illegal"],
      [{ rear_side: 75 }, "legal"],
    ])("that is known, %j, is considered alone", async (factory_glass, status) => {
      const answer = await estimate({ ...FLORIDA, factory_glass });
      const expected = { status, glass_vlt: Object.values(Object(factory_glass))[0] ?? factory_glass };
      expect(checkOf(answer, "rear_side")).toMatchObject(expected);
    });

    test("is no number of another kind", async () => {
      for (const factory_glass of [0, 101, "dark", { front: 70 }]) {
        const { status, json } = await APP.post(`${API}/estimates`, { vehicle_type: "suv", factory_glass });
        const said = [...(json.invalid_fields ?? []), ...(json.warnings ?? [])].map(({ field }) => field);
        expect(status === 400 || status === 200).toBe(true);
        expect(said.some((field) => field.startsWith("factory_glass"))).toBe(true);
      }
    });
  });

  describe("what is not legal", () => {
    const shade = { front_side: 5, rear_side: 50, rear_window: 50 };
    const asked = { vehicle_type: "sedan", film_type: "ceramic", shade };

    test("is a warning on estimates, dry runs and bookings, with what the law asks", async () => {
      const { warnings } = await estimate(asked);
      const told = warnings.find(({ code }: { code: string }) => code === "NOT_LEGAL");
      expect(told.message).toContain("the darkest in stock that is: 50");
      const expected = { field: "shade", message: expect.stringContaining("front side windows (at least 32%") };
      expect({ ...told }).toMatchObject(expected);
      const app = testApp();
      const booking = { ...BOOKING, ...asked, customer_phone: freshPhone(), accept_not_legal: true };
      for (const dry_run of [true, false]) {
        const { json } = await app.post(`${API}/bookings`, { ...booking, dry_run });
        expect(json.warnings).toContainEqual(told);
      }
    });

    test("says which rule a missing minimum means", async () => {
      const { data } = await estimate({ ...asked, vehicle_type: "suv", addons: ["windshield"] });
      const expected = ["minimum", "none", "none", "see_reason"];
      expect(data.tint_law.checks.map(({ rule }: { rule: string }) => rule)).toEqual(expected);
    });

    test("a strip has the depth that the state allows", async () => {
      const answer = await estimate({ vehicle_type: "sedan", addons: ["windshield_strip"] });
      expect(checkOf(answer, "windshield")).toMatchObject({ status: "legal", reason: "strip_permitted" });
      expect(JSON.stringify(answer)).toContain("down to 6 inches");
      // A shade for the windshield does not stand in its way: film all over it is not ordered.
      const shaded = await estimate({ vehicle_type: "sedan", addons: ["windshield_strip"], windshield_shade: 20 });
      expect(shaded.data.tint_law.checks).toEqual(answer.data.tint_law.checks);
    });

    test("a strip has a check in every state, of its depth or of the least light that must pass", async () => {
      const app = testApp();
      for (const jurisdiction of Object.keys(CATALOG.tint_law.jurisdictions)) {
        const asked = { vehicle_type: "sedan", jurisdiction, addons: ["windshield_strip"] };
        const { json } = await app.post(`${API}/estimates`, asked);
        expect([jurisdiction, checkOf(json, "windshield")]).toEqual([jurisdiction, expect.any(Object)]);
      }
      const strip = { vehicle_type: "sedan", addons: ["windshield_strip"], shade: 50 };
      const dakota = await estimate({ ...strip, jurisdiction: "US-ND" });
      expect(checkOf(dakota, "windshield")).toMatchObject({
        ...{ status: "legal", reason: "strip_permitted", rule: "minimum", min_vlt: 70 },
        explanation: "A strip is permitted at the top of the windshield, down to the AS-1 line or 5 inches.",
      });
      // Where the law is not known to speak of strips, it says what it asks of the windshield.
      const ohio = await estimate({ ...strip, jurisdiction: "US-OH" });
      expect(checkOf(ohio, "windshield")).toMatchObject({
        ...{ status: "not_checked", rule: "minimum", min_vlt: 70 },
        explanation: "No shade was given; at least 70% of visible light (VLT) must pass.",
      });
    });

    test("is never suggested", async () => {
      const { data } = await estimate({ vehicle_type: "sedan", jurisdiction: "US-OH" });
      const codes = data.addon_suggestions.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(WORDS.addons.filter((code) => code !== "windshield"));
      const asked = await estimate({ vehicle_type: "sedan", jurisdiction: "US-OH", addons: ["windshield"] });
      expect(checkOf(asked, "windshield")).toMatchObject({ status: "illegal" });
    });

    test("is told as the law of that glass says it", async () => {
      const told = async (jurisdiction: string, addon: string) =>
        (await estimate({ vehicle_type: "sedan", jurisdiction, addons: [addon] })).warnings[0].message;
      expect(await told("US-MN", "windshield_strip")).toBe(
        "Not legal in Minnesota: windshield (no film is permitted).",
      );
      expect(await told("US-GA", "windshield")).toBe(
        "Not legal in Georgia: windshield (only a strip at the top is permitted).",
      );
    });

    test("says nothing of clearer glass where the glass is known", async () => {
      const answer = await estimate({ ...asked, factory_glass: 70 });
      const explanation = "5% film on 70% glass lets 3.5% of light through; the minimum is 32%.";
      expect(checkOf(answer, "front_side")).toMatchObject({ explanation });
    });

    test("a truck is told nothing of the rear glass of cars, and removal nothing of shades", async () => {
      const notes = async (body: object) => (await estimate(body)).data.tint_law.notes.join(" ");
      expect(await notes({ vehicle_type: "sedan" })).toContain("Only SUVs, trucks and vans");
      expect(await notes({ vehicle_type: "truck" })).not.toContain("Only SUVs, trucks and vans");
      expect(await notes({ vehicle_type: "sedan", service: "film_removal" })).toBe("");
    });
  });

  test("a booking without a vehicle has no price, says what was assumed, and takes the longest job of its coverage", async () => {
    const { vehicle_type: _, ...unknown } = { ...BOOKING, vehicle_type: "", coverage: "front2", dry_run: true };
    const { json } = await testApp().post(`${API}/bookings`, unknown);
    expect(codes(json)).toContain("NO_PRICE");
    expect(json.data).toMatchObject({ estimate: null, duration_minutes: 60 });
    expect(json.data.assumed).toContain("vehicle_type");
  });
});

const app = testApp();

test.each([
  { vehicle_type: "suv", vehicle_make: "Honda", vehicle_model: "Gold Wing motorcycle" },
  { vehicle_type: "suv", vehicle_model: "boat trailer" },
  { vehicle_type: "coupe", vehicle_model: "golf cart" },
])("%j is not priced, nor booked, as another vehicle", async (vehicle) => {
  for (const { json } of [
    await app.post(`${API}/estimates`, vehicle),
    await app.post(`${API}/bookings`, { ...bookingOn("2026-11-24"), ...vehicle, dry_run: true }),
    await app.get(`${API}/availability?${new URLSearchParams(vehicle as never)}`),
  ]) {
    expect(json).toMatchObject({ success: false, error_code: "INVALID_VEHICLE_TYPE" });
    expect(json.usage.sample_request).not.toHaveProperty("vehicle_type");
    expect(json.usage.fill_in).toContain("vehicle_type");
    expect(json.agent_instruction).toMatch(/quote-request/);
  }
});

test("a known model beside a type is priced, also one whose name has such a word", async () => {
  for (const vehicle_model of ["CR-V", "Tacoma with a camper shell", "Model 3"])
    expect((await app.post(`${API}/estimates`, { vehicle_type: "truck", vehicle_model })).status).toBe(200);
});
