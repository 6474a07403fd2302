/** Shades that the law does not permit, that the film does not come in, or that nobody checks. Contract 2. */
import { describe, expect, test } from "bun:test";
import { CAPABILITY_BY_ID } from "../../src/capabilities/index.ts";
import { derive } from "../../src/catalog/shop.ts";
import { entryOf } from "../../src/catalog/terms.ts";
import {
  type Answer,
  API,
  AT_BOOKING,
  appWith,
  BOOKING,
  CATALOG,
  catalogWith,
  freshPhone,
  manyCallers,
  NOW,
  testApp,
} from "../helpers.ts";
import { book as booked } from "./manage-requests.ts";

const APP = manyCallers();

describe("A shade that the law does not permit", () => {
  type App = ReturnType<typeof testApp>;

  const codes = (json: { warnings?: { code: string }[] }) => (json.warnings ?? []).map(({ code }) => code);
  const wish = (changes: object) => ({ ...BOOKING, customer_phone: freshPhone(), shade: 5, ...changes });
  const book = (app: App, body: object) => app.post(`${API}/bookings`, body);
  const POLICY = "tint_law.not_legal";

  /** The sample sent as it is. */
  async function obeyed(app: App, { json }: { json: { usage: { sample_request: object; fill_in?: string[] } } }) {
    expect(json.usage.fill_in ?? []).toEqual([]);
    return book(app, json.usage.sample_request);
  }

  describe("a booking with a shade that is not legal", () => {
    test.each([true, false])("is refused with the darkest legal one, dry run %p", async (dry_run) => {
      const app = testApp();
      const refused = await book(app, wish({ vehicle_type: "suv", dry_run }));
      expect(refused.status).toBe(409);
      expect(refused.json).toMatchObject({
        error_code: "NOT_LEGAL_SHADE",
        recoverable: true,
        message: expect.stringMatching(/^5% on the front side windows is not legal in Georgia\. .*at least 32%/),
        agent_instruction: expect.stringContaining("accept_not_legal: true"),
        invalid_fields: [{ field: "shade" }],
        usage: { sample_request: { shade: { front_side: 50, rear_side: 5, rear_window: 5 }, dry_run: true } },
      });
      expect(refused.json.usage.sample_request).not.toHaveProperty("accept_not_legal");
      const legal = await obeyed(app, refused);
      expect([legal.status, codes(legal.json)]).toEqual([200, [AT_BOOKING.code]]);
    });

    test("is booked once the customer accepts it, which the booking keeps through other changes", async () => {
      const app = testApp();
      const { answer, data, change } = await booked(app, wish({ accept_not_legal: true }));
      expect([codes(answer.json), data.accepted_not_legal]).toEqual([["NOT_LEGAL"], true]);
      expect((await change({ addons: ["sunroof"] })).json.data.accepted_not_legal).toBe(true);
      // Another shade is another question.
      const refused = await change({ shade: 20 });
      expect(refused.json).toMatchObject({
        error_code: "NOT_LEGAL_SHADE",
        usage: { sample_request: { shade: { front_side: 50, rear_side: 20 } } },
      });
      expect((await change({ shade: 20, accept_not_legal: true })).json.data.accepted_not_legal).toBe(true);
      const legal = await change(refused.json.usage.sample_request);
      const expected = { status: "dry_run", shade: { front_side: 50 }, accepted_not_legal: false };
      expect(legal.json.data).toMatchObject(expected);
    });

    test("is asked anew for glass on which it was not agreed to: of another car, of more coverage", async () => {
      const dark = { front_side: 5, rear_side: 20, rear_window: 20 };
      const made = await booked(testApp(), { film_type: "standard", shade: dark, accept_not_legal: true });
      const change = async (wish: object) => {
        const { status, json } = await made.change({ ...wish, dry_run: true });
        return [status, json.error_code ?? json.data.accepted_not_legal];
      };
      expect(await change({ vehicle_type: "sedan" })).toEqual([409, "NOT_LEGAL_SHADE"]);
      expect(await change({ vehicle_type: "sedan", accept_not_legal: true })).toEqual([200, true]);
      expect(await change({ add_addons: ["windshield"] })).toEqual([409, "NOT_LEGAL_SHADE"]);
      expect(await change({ shade: { front_side: 15 } })).toEqual([409, "NOT_LEGAL_SHADE"]);
      expect(await change({ film_type: "ceramic", add_addons: ["sunroof"] })).toEqual([200, true]);
    });

    test.each([
      { add_addons: ["windshield"] },
      { add_addons: ["windshield", "nofault"], shade: 5 },
      { addons: ["nofault"], add_addons: ["windshield"] },
      { addons: ["windshield"] },
      { add_addons: ["windshield"], remove_addons: ["sunroof"] },
    ])("the sample of a change works without the film that is not legal: %j", async (wish) => {
      const { change } = await booked(testApp(), { addons: ["sunroof"] });
      const refused = await change(wish);
      expect(refused.json.error_code).toBe("NOT_LEGAL_SHADE");
      const obeyed = await change(refused.json.usage.sample_request);
      expect(obeyed.json).toMatchObject({ success: true, data: { date: BOOKING.date, time: BOOKING.time } });
      expect(obeyed.json.data.addons).not.toContain("windshield");
      expect(obeyed.json.data.addons.includes("sunroof")).toBe(
        !("remove_addons" in wish || wish.addons?.[0] === "nofault"),
      );
    });

    test("glass that was metered stays so through changes of the same car", async () => {
      const made = await booked(testApp(), { film_type: "standard", shade: 35, factory_glass: 95 });
      const change = async (wish: object) => (await made.change(wish)).json.data.tint_law.status;
      expect(made.data.tint_law.status).toBe("legal");
      expect(await change({ add_addons: ["sunroof"], vehicle_make: "Kia" })).toBe("legal");
      expect(await change({ remove_addons: ["sunroof"] })).toBe("legal");
      expect(await change({ vehicle_type: "truck" })).toBe("borderline");
    });

    test("the sample has a shade for the glass that gets film alone", async () => {
      const front = await book(testApp(), wish({ coverage: "front2", shade: "limo" }));
      expect(front.json.usage.sample_request).toMatchObject({ coverage: "front2", shade: 50 });
      const all = await book(testApp(), wish({ vehicle_type: "sedan", shade: 20 }));
      expect(all.json.usage.sample_request.shade).toBe(50);
      const known = { front_side: 5, rear_side: 30 };
      const some = await book(testApp(), wish({ vehicle_type: "sedan", shade: known, jurisdiction: "US-FL" }));
      expect(some.json.usage.sample_request.shade).toMatchObject({ rear_side: 30 });
    });

    test("is told with the open times, in few words where they are compact, with a way on in every shop", async () => {
      for (const [not_legal, action] of [
        ["ask", "book_appointment"],
        ["refuse", "automotive_estimate"],
        ["warn", "book_appointment"],
      ]) {
        const app = appWith({ "tint_law.not_legal": not_legal });
        for (const view of ["full", "compact"]) {
          const asked = `vehicle_type=sedan&film_type=ceramic&shade=15&days=30&view=${view}`;
          const { json, bytes } = await app.get(`${API}/availability?${asked}`);
          expect(json.warnings).toMatchObject([{ code: "NOT_LEGAL", field: "shade" }]);
          if (view === "compact") expect(bytes.length).toBeLessThanOrEqual(3.5 * 1024);
          else expect(json.next_actions[0].action).toBe(action);
          if (view === "compact" || not_legal !== "refuse") continue;
          const [{ path, sample_request }] = json.next_actions;
          const { status, json: priced } = await app.post(path, sample_request);
          expect([status, priced.data.tint_law.checks[0].darkest_legal_shade]).toEqual([200, 50]);
        }
      }
      const app = appWith({ "tint_law.not_legal": "refuse" });
      const { data } = (await app.post(`${API}/estimates`, { vehicle_type: "sedan", film_type: "ceramic", shade: 15 }))
        .json;
      const [step] = (await app.get(`${API}/availability?estimate_id=${data.estimate_id}`)).json.next_actions;
      expect((await app.post(step.path, step.sample_request)).json.data.tint_law.status).toBe("illegal");
      const wagon = "/availability?vehicle_type=wagon&film_type=ceramic&shade=%7B%22rear_side%22%3A15%7D";
      expect((await APP.get(API + wagon)).json.warnings).toMatchObject([{ code: "DEPENDS_ON_CLASS" }]);
    });

    test("a legal one keeps nothing", async () => {
      const { json } = await book(testApp(), wish({ shade: 50, accept_not_legal: true }));
      expect(json.data.accepted_not_legal).toBe(false);
    });

    test("of an estimate holds its price with the legal shade", async () => {
      const app = testApp();
      const asked = { vehicle_type: "suv", film_type: "ceramic", coverage: "front2", shade: 5 };
      const { json: priced } = await app.post(`${API}/estimates`, asked);
      const { vehicle_type: _, film_type: __, shade: ___, ...person } = wish({});
      const refused = await book(app, { ...person, estimate_id: priced.data.estimate_id });
      expect(refused.json.error_code).toBe("NOT_LEGAL_SHADE");
      const { estimate_id } = refused.json.usage.sample_request;
      expect(estimate_id).not.toBe(priced.data.estimate_id);
      const legal = await obeyed(app, refused);
      expect(legal.json.data).toMatchObject({
        ...{ coverage: "front2", vehicle: { type: "suv" } },
        estimate: { total: priced.data.total, locked: true },
      });
    });

    test("where no film is permitted on that glass, the alternative is the job without it", async () => {
      const app = testApp();
      const windshield = wish({ shade: 50, addons: ["windshield", "sunroof"], windshield_shade: 70 });
      const refused = await book(app, windshield);
      expect(refused.json.usage.sample_request).toMatchObject({ addons: ["sunroof"], shade: 50 });
      expect(refused.json.usage.sample_request).not.toHaveProperty("windshield_shade");
      // What is not in the legal job is named with the words that were sent.
      expect(refused.json.usage).toMatchObject({
        fill_in: ["windshield_shade", "addons[1]"],
        fill_in_hints: [
          { field: "windshield_shade", given: "70" },
          { field: "addons[1]", given: "windshield" },
        ],
      });
      expect((await book(app, refused.json.usage.sample_request)).json.data.addons).toEqual(["sunroof"]);
      const strip = await book(app, wish({ shade: 70, addons: ["windshield_strip"], jurisdiction: "US-MN" }));
      expect(strip.json.message).toStartWith("Film on the windshield is not legal in Minnesota.");
      expect(strip.json.usage.sample_request).not.toHaveProperty("addons");
      // With the estimate of the job with it, all of the other job is named.
      const { json: priced } = await app.post(`${API}/estimates`, { vehicle_type: "van", addons: ["windshield"] });
      const { vehicle_type: _, film_type: __, shade: ___, ...person } = wish({});
      const held = await book(app, { ...person, estimate_id: priced.data.estimate_id });
      const without = await obeyed(app, held);
      expect(without.json.data).toMatchObject({ vehicle: { type: "van" }, addons: [], film_type: "standard" });
    });

    test("where the shop has no legal job for that glass, acceptance is asked and a quote is offered", async () => {
      const app = testApp();
      const refused = await book(app, wish({ jurisdiction: "US-NJ", coverage: "front2", shade: 35 }));
      expect(refused.json).toMatchObject({ error_code: "NOT_LEGAL_SHADE", usage: { fill_in: ["accept_not_legal"] } });
      const way = refused.json.next_actions.find(({ action }: { action: string }) => action === "quote_request");
      expect(way.sample_request).toMatchObject({ service_type: "automotive", vehicle_type: BOOKING.vehicle_type });
    });

    test("the owner decides", async () => {
      const warned = await book(appWith({ [POLICY]: "warn" }), wish({}));
      expect([warned.status, codes(warned.json)]).toEqual([201, ["NOT_LEGAL"]]);
      expect(warned.json.data.accepted_not_legal).toBe(false);
      const strict = appWith({ [POLICY]: "refuse" });
      const refused = await book(strict, wish({ accept_not_legal: true }));
      expect(refused.json.error_code).toBe("NOT_LEGAL_SHADE");
      expect(refused.json.agent_instruction).not.toContain("accept_not_legal");
      const { usage } = (await book(strict, wish({ jurisdiction: "US-NJ", shade: 35 }))).json;
      expect([usage.sample_request.shade, usage.fill_in]).toEqual([undefined, ["shade"]]);
    });

    test("a repeat gets the first answer, whatever the owner decided since", async () => {
      const app = appWith({ [POLICY]: "warn" });
      const body = wish({ booking_request_id: "before-the-rule" });
      const first = await book(app, body);
      app.setCatalog(catalogWith({ [POLICY]: "refuse" }));
      const again = await book(app, body);
      expect([again.status, again.json.data.booking_id]).toEqual([201, first.json.data.booking_id]);
    });
  });

  describe("a vehicle that can count as either class", () => {
    const shade = { front_side: 50, rear_side: 5, rear_window: 5 };
    const asked = { vehicle_type: "wagon", film_type: "ceramic", shade };

    test.each(["wagon", "crossover"])(
      "%s: the verdicts differ, so it is borderline with the reason, in every view",
      async (vehicle_type) => {
        const app = testApp();
        const whole = await app.post(`${API}/estimates`, { ...asked, vehicle_type });
        const { tint_law: law } = whole.json.data;
        expect(law.status).toBe("borderline");
        const differs = { position: "rear_side", status: "borderline", reason: "depends_on_class" };
        expect(law.checks[1]).toMatchObject({ ...differs, min_vlt: 32, darkest_legal_shade: 50 });
        expect(law.checks[1].explanation).toMatch(/As a passenger car: .*check the TYPE/);
        expect(codes(whole.json)).toEqual(["DEPENDS_ON_CLASS"]);
        const brief = await app.post(`${API}/estimates`, { ...asked, vehicle_type, view: "brief" });
        const expected = { status: "borderline", checks: [{}, { status: "borderline" }, {}] };
        expect(brief.json.data.tint_law).toMatchObject(expected);
        expect(brief.json.warnings).toMatchObject([
          { code: "DEPENDS_ON_CLASS", message: expect.stringContaining("TYPE") },
        ]);
        const one = await app.post(`${API}/estimates`, { ...asked, vehicle_type, shade: { rear_side: 5 } });
        expect(one.json.warnings[0].message).toStartWith("Whether film on the rear side windows is legal in Georgia");
        // It may be legal, so nobody has to accept that it is not.
        const booked = await book(app, { ...wish(asked), vehicle_type });
        expect(booked.json).toMatchObject({
          data: { tint_law: { status: "borderline" }, accepted_not_legal: false },
          warnings: [{ code: "DEPENDS_ON_CLASS" }],
        });
      },
    );

    test.each([
      ["Highlander", "legal", ["VEHICLE_TYPE_CHECK"]],
      // Of the other class than the type that was named.
      ["Camry", "borderline", ["VEHICLE_TYPE_CHECK", "DEPENDS_ON_CLASS"]],
    ])("a known model of a class that is certain settles it: %s", async (vehicle_model, status, warned) => {
      const known = { ...asked, vehicle_type: "crossover", vehicle_make: "Toyota", vehicle_model };
      const { json } = await APP.post(`${API}/estimates`, known);
      expect([json.data.tint_law.status, codes(json)]).toEqual([status, warned]);
    });

    test("the catalog says which vehicles these are", async () => {
      const catalog = catalogWith({ "tint_law.confirm_class": [] });
      const { json } = await testApp({ catalog }).post(`${API}/estimates`, asked);
      expect(json.data.tint_law.status).toBe("illegal");
    });
  });

  test("a shade of which only a meter can say whether it passes has a warning, in brief too", async () => {
    for (const [view, said] of [
      ["full", /^Borderline in Georgia.*metered first: front side windows \(at least 32% of light must pass/],
      ["brief", /^Borderline, have it metered: front side/],
    ] as const) {
      const request = { vehicle_type: "sedan", film_type: "ceramic", coverage: "front2", shade: 40, view };
      const { json } = await APP.post(`${API}/estimates`, request);
      expect(json.warnings).toEqual([{ code: "LAW_BORDERLINE", field: "shade", message: expect.stringMatching(said) }]);
    }
  });
});

describe("a shade that the film does not come in", () => {
  const price = (body: object) => APP.post(`${API}/estimates`, { vehicle_type: "sedan", ...body });

  const SEDAN = { ...BOOKING, vehicle_type: "sedan", film_type: undefined, accept_not_legal: true };
  const book = (body: object) => APP.post(`${API}/bookings`, { ...SEDAN, dry_run: true, ...body });
  const CERAMIC = { film_type: "ceramic" };

  describe("SHADE_NOT_STOCKED", () => {
    const CASES: [name: string, body: object, warnings: [field: string, nearest: string][]][] = [
      ["between two shades", { ...CERAMIC, shade: 35 }, [["shade", "30 (measured 32%) and 40%"]]],
      ["by a word", { ...CERAMIC, shade: "medium" }, [["shade", "30 (measured 32%) and 40%"]]],
      ["darker than all", { shade: 3 }, [["shade", "5% and 20%"]]],
      ["lighter than all", { shade: 90 }, [["shade", "35% and 50%"]]],
      [
        "per position",
        { ...CERAMIC, shade: { front_side: 43, rear_side: 5 }, windshield_shade: 60, addons: ["windshield"] },
        [
          ["shade", "40% and 50%"],
          ["windshield_shade", "50% and 70%"],
        ],
      ],
      ["the number on the box", { ...CERAMIC, shade: 30 }, []],
      ["the measured shade", { ...CERAMIC, shade: 32 }, []],
      ["another film has it", { shade: 35 }, []],
      ["glass that stays as it is", { shade: { rear_window: 33 }, coverage: "front2" }, []],
    ];
    test.each(CASES)("%s", async (_, body, expected) => {
      const { status, json } = await price(body);
      expect(status).toBe(200);
      const found = (json.warnings ?? []).filter(({ code }: { code: string }) => code === "SHADE_NOT_STOCKED");
      const nearest = ({ message }: Answer["json"]) => message.match(/nearest are (.*)\.$/)?.[1];
      expect(found.map((one: Answer["json"]) => [one.field, nearest(one)])).toEqual(expected);
      const booked = await book(body);
      expect([booked.status, booked.json.warnings]).toEqual([200, [...(json.warnings ?? []), AT_BOOKING]]);
    });

    test("a booking says so too, without a vehicle as well, and says which shades nobody checks", async () => {
      const { json } = await book({ vehicle_type: undefined, shade: 35, film_type: "ceramic", windshield_shade: 70 });
      expect(json.warnings).toMatchObject([
        { code: "NO_PRICE", field: "vehicle_type" },
        { code: "SHADE_NOT_STOCKED", field: "shade" },
        { code: "SHADE_NOT_APPLICABLE", field: "windshield_shade" },
        AT_BOOKING,
      ]);
      expect(json.data).toMatchObject({ assumed: ["vehicle_type", "service_type", "coverage"], estimate: null });
      const made = await book({ shade: 36, dry_run: false });
      const expected = [201, [{ code: "SHADE_NOT_STOCKED" }, { code: "LAW_BORDERLINE" }]];
      expect([made.status, made.json.warnings]).toMatchObject(expected);
    });
  });

  const HOMES = manyCallers();
  test.each(Object.keys(CATALOG.tint_law.jurisdictions))(
    "the sample is legal and stocked with %s as home",
    async (home) => {
      const catalog = derive({ ...CATALOG, tint_law: { ...CATALOG.tint_law, home } });
      const sample = CAPABILITY_BY_ID.automotive_estimate.sample(catalog, NOW);
      HOMES.setCatalog(catalog);
      const { json } = await HOMES.post(`${API}/estimates`, sample);
      expect(json.warnings).toBeUndefined();
      if (sample.shade === undefined) return;
      expect(json.data.tint_law).toMatchObject({ jurisdiction: home, status: "legal" });
      const { shades } = entryOf(catalog.automotive.films, sample.film_type ?? "");
      expect(shades.map(({ vlt }) => vlt)).toContain(Number(sample.shade));
    },
  );

  describe("shades that were not checked", () => {
    const CASES: [body: object, fields: string[]][] = [
      [{ shade: 35 }, []],
      [{ film_type: "ceramic", windshield_shade: 70, addons: ["windshield"] }, []],
      [{ windshield_shade: 70 }, ["windshield_shade"]],
      [{ windshield_shade: 70, addons: ["windshield_strip"] }, ["windshield_shade"]],
      [{ service: "film_removal", windshield_shade: 70 }, ["windshield_shade"]],
      [{ service: "clearplex", shade: 35 }, ["shade"]],
      [{ service: "film_removal", shade: 35, windshield_shade: 70 }, ["shade", "windshield_shade"]],
      [{ coverage: "front2", shade: { rear_side: 20 }, windshield_shade: 70 }, ["shade", "windshield_shade"]],
    ];
    test.each(CASES)("%j", async (body, fields) => {
      const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "sedan", ...body });
      const warned: { code: string; field: string }[] = (json.warnings ?? []).filter(
        ({ code }: { code: string }) => code !== "NOT_LEGAL" && code !== "LAW_BORDERLINE",
      );
      expect(warned.map(({ code, field }) => [code, field])).toEqual(
        fields.map((field) => ["SHADE_NOT_APPLICABLE", field]),
      );
      if (fields.includes("windshield_shade")) expect(json.data.tint_law.status).toBe("not_checked");
    });
  });

  test("the shop's longest word for a shade can be asked for, in any case", async () => {
    const word = "as dark as the night";
    const app = appWith({ [`automotive.shade_words.${word}`]: 5 });
    const estimate = (shade: string) => app.post(`${API}/estimates`, { vehicle_type: "van", shade });
    const { json } = await estimate(word.toUpperCase());
    expect(json.data.tint_law.checks[0].film_vlt).toBe(5);
    expect((await estimate(`${word}s`)).json.invalid_fields).toMatchObject([{ field: "shade" }]);
  });
});
