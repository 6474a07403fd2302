/** More that callers say: forms of a value, names of fields, and words beside those of the catalog. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { BOOKING, catalogWith, manyCallers, QUOTE, testApp } from "../helpers.ts";
import { book as booked } from "./manage-requests.ts";
import { WAYS, type Way } from "./ways-in.ts";

type Id = Parameters<Way>[1];
const CAR = { vehicle_type: "suv", film_type: "ceramic" };
const BASES: Partial<Record<Id, object>> = {
  automotive_estimate: CAR,
  book_appointment: { ...BOOKING, dry_run: true },
  quote_request: { ...QUOTE, dry_run: true },
  flat_glass_estimate: { site_type: "commercial", total_sqft: 100 },
};
const estimate = (sent: object, data: object): [Id, object, object] => ["automotive_estimate", sent, data];
const glass = (sent: object, data: object): [Id, object, object] => ["flat_glass_estimate", sent, data];
const book = (sent: object, data: object = {}): [Id, object, object] => ["book_appointment", sent, data];
const type = (word: string) => ({ vehicle: expect.objectContaining({ type: word }) });
const law = (jurisdiction: string) => ({ tint_law: expect.objectContaining({ jurisdiction }) });
const film = (...vlts: (number | null)[]) => ({
  tint_law: expect.objectContaining({ checks: vlts.map((film_vlt) => expect.objectContaining({ film_vlt })) }),
});

const UNDERSTOOD: [id: Id, sent: object, data: object][] = [
  estimate({ shade: [20] }, film(20, 20, 20)),
  estimate({ vehicle_type: ["pickup"] }, type("truck")),
  book({ customer_phone: ["404-555-0188"], date: [BOOKING.date], time: ["10am"] }, { time: "10:00" }),

  // Names of fields.
  estimate({ vehicle_type: undefined, automobile: "small SUV" }, type("crossover")),
  estimate({ vehicle_type: undefined, type: "sedan" }, type("sedan")),
  estimate({ percentage: 20 }, film(20, 20, 20)),
  estimate({ removal: true }, { total: 824 }),
  estimate({ coverage: "front2", front_only: true }, { coverage: "front2" }),
  estimate({ shade: { vlt: 20 } }, film(20, 20, 20)),
  estimate({ shade: { driver: 50, passenger: 50 } }, film(50, null, null)),
  estimate({ extras: { moonroof: true } }, { total: 728 }),
  ...["no", ["no thanks"]].map((addons) => estimate({ addons }, { total: 599 })),
  estimate({ addons: "no fault warranty" }, { total: 698 }),
  estimate({ windshield: "70%", addons: ["windshield"] }, { total: 948 }),
  estimate({ service_id: 1 }, { service: "automotive" }),
  glass({ total_sqft: undefined, area: "200 sq ft" }, { total_sqft: 200 }),
  glass({ total_sqft: undefined, total_sqm: 20 }, { total_sqft: 215.28 }),
  glass({ total_sqft: undefined, square_meters: "20" }, { total_sqft: 215.28 }),
  glass({ site_type: undefined, building: "my house" }, { site_type: "residential" }),
  glass({ levels: 2 }, {}),
  ["quote_request", { first_name: undefined, fname: "Dana", lname: "Molar" }, {}],
  ["quote_request", { area: 300 }, { ballpark: expect.anything() }],
  book({ date: undefined, on: "2026-12-04" }, { date: "2026-12-04" }),
  book({ time: undefined, at: "10am" }, { time: "10:00" }),
  book({ request_id: "dana-123456" }),
  ["check_availability", { start_date: "2026-12-04" }, {}],
  ["check_availability", { date: "2026-12-04", at: "1pm" }, {}],
  ["check_availability", { date: "Dec 4, 2026 in the afternoon" }, { date: "2026-12-04" }],

  // Words beside the one that counts.
  ...[
    "I want the ceramic, please",
    "your best film",
    "we'd like ceramic",
    "go with ceramic",
    "whichever blocks most heat",
  ].map((film_type) => estimate({ film_type }, { film_type: "ceramic" })),
  ...["the fronts", "just fronts", "give me the front windows"].map((coverage) =>
    estimate({ coverage }, { coverage: "front2" }),
  ),
  ...["every window", "all of it", "whole car except windshield", "everything but the front windshield"].map(
    (coverage) => estimate({ coverage }, { coverage: "full" }),
  ),
  ...["I drive a sedan", "my daughter's sedan"].map((vehicle_type) => estimate({ vehicle_type }, type("sedan"))),
  ...["Georgia (GA)", "GA - Georgia", "the state of Georgia", "Atlanta, GA", "Georgia law"].map((jurisdiction) =>
    estimate({ jurisdiction }, law("US-GA")),
  ),
  ...["two story home", "single family home", "a big two-story house"].map((site_type) =>
    glass({ site_type }, { site_type: "residential" }),
  ),
  ...["a small office", "high school", "hair salon", "medical center"].map((site_type) =>
    glass({ site_type }, { site_type: "commercial" }),
  ),
  glass({ primary_concern: "it gets too hot" }, { primary_concern: "heat" }),
  ["quote_request", { film_goals: ["too hot"] }, {}],

  // Phrases.
  ...["5 on the back, 50 up front", "50 on the fronts and 5 everywhere else", "5 in back half and 50 up front"].map(
    (shade) => estimate({ shade }, film(50, 5, 5)),
  ),
  estimate({ shade: "limo all the way around" }, film(5, 5, 5)),
  estimate({ shade: "just 35 up front and 5 in back" }, film(35, 5, 5)),
  ...["six of them 3x5 ft", "about six 3x5 ft", "3x5 ft (six)", "six at 3x5 ft"].map((windows) =>
    glass({ total_sqft: undefined, windows }, { total_sqft: 90 }),
  ),
  glass({ total_sqft: "about two hundred" }, { total_sqft: 200 }),
  ["check_availability", { date: "2026-12-04", after: "half past ten" }, {}],

  // A make that holds the model.
  book({ vehicle_type: undefined, vehicle_make: "Ford F-150" }, type("truck")),
];

const ASKED: [id: Id, sent: object, field: string, given?: string][] = [
  ["automotive_estimate", { shade: -20 }, "shade"],
  ["automotive_estimate", { shade: "-20" }, "shade"],
  ["automotive_estimate", { shade: "- 20" }, "shade"],
  ["automotive_estimate", { shade: "up to 20" }, "shade"],
  ["automotive_estimate", { shade: "20 rear only" }, "shade"],
  ["automotive_estimate", { jurisdiction: "US-NJ", shade: "darkest legal" }, "shade", "darkest legal"],
  ["book_appointment", { jurisdiction: "US-NY", shade: "as dark as legal" }, "shade", "as dark as legal"],
  ["automotive_estimate", { shade: "just 35 on the fronts" }, "shade"],
  ["check_availability", { date: "this afternoon" }, "date", "this afternoon"],
  ["automotive_estimate", { shade: { value: 20, of: "film" } }, "shade"],
  ["automotive_estimate", { shade: { rest: 20, front: 50 } }, "shade"],
  ["automotive_estimate", { shade: { driver: 50, passenger: 35 } }, "shade"],
  ["automotive_estimate", { film_type: ["ceramic", "standard"] }, "film_type"],
  ["automotive_estimate", { film_type: "I don't want ceramic" }, "film_type"],
  ["automotive_estimate", { addons: "I have a sunroof" }, "addons"],
  ["automotive_estimate", { jurisdiction: "GA, SC" }, "jurisdiction"],
  ["automotive_estimate", { jurisdiction: "Washington, Georgia" }, "jurisdiction"],
  ["automotive_estimate", { vehicle_type: "2 sedans" }, "vehicle_type"],
  ["flat_glass_estimate", { site_type: "home office" }, "site_type"],
  ["flat_glass_estimate", { total_sqft: undefined, windows: "six of them 3x5" }, "windows"],
  ["flat_glass_estimate", { site_type: "mobile home" }, "site_type"],
  ["book_appointment", { customer_phone: "four oh four 555 0188" }, "customer_phone", "four oh four 555 0188"],
  [
    "book_appointment",
    { customer_phone: "cell 404-555-0188, work 404-555-0189" },
    "customer_phone",
    "cell 404-555-0188, work 404-555-0189",
  ],
  ["book_appointment", { customer_phone: "404-555-0188 after 5pm" }, "customer_phone", "404-555-0188 after 5pm"],
  ["book_appointment", { customer_name: "unknown" }, "customer_name"],
  ["book_appointment", { customer_name: "the customer" }, "customer_name"],
  ["book_appointment", { customer_name: "me" }, "customer_name"],
  ["book_appointment", { date: "2026-12-04 in the afternoon", time: undefined }, "time", "afternoon"],
  ["book_appointment", { date: "2026-12-04 in the afternoon", time: "10:00" }, "date", "2026-12-04 in the afternoon"],
  ["check_availability", { date: "next week" }, "date"],
];

/** For what stores nothing: bookings and quote requests are dry runs. */
const APP = manyCallers();

describe.each(WAYS.slice(0, 2))("over %s", (_, send) => {
  test.each(UNDERSTOOD)("%s understands %j", async (id, sent, data) => {
    const { body } = await send(APP, id, JSON.parse(JSON.stringify({ ...BASES[id], ...sent })));
    expect(body).toMatchObject({ success: true, data });
    const codes = body.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("UNDERSTOOD");
    expect(codes).not.toContain("UNKNOWN_FIELD");
    expect(codes).not.toContain("UNKNOWN_GOAL");
  });

  test.each(ASKED)("%s asks about %j", async (id, sent, field, given = "") => {
    const { body } = await send(APP, id, JSON.parse(JSON.stringify({ ...BASES[id], ...sent })));
    expect(body.usage.fill_in).toEqual([field]);
    expect(body.usage.sample_request[field]).toBeUndefined();
    expect(body.usage.fill_in_hints).toContainEqual(expect.objectContaining({ field, ...(given && { given }) }));
  });

  test("words that are nobody's name are the owner's", async () => {
    const shop = testApp({ catalog: catalogWith({ "synonyms.no_name": ["walk_in"] }) });
    const asked = { ...BASES.book_appointment, customer_name: "Walk in" };
    expect((await send(shop, "book_appointment", asked)).body.usage.fill_in).toContain("customer_name");
    expect((await send(testApp(), "book_appointment", asked)).body.success).toBe(true);
  });

  test("a day with a part of it keeps the part", async () => {
    const app = testApp();
    const { body } = await send(app, "check_availability", { date: "tomorrow afternoon" });
    expect(body.usage.sample_request).toMatchObject({ date: "2026-11-22", after: "12:00" });
    const wish = { ...BASES.book_appointment, date: "tomorrow afternoon", time: undefined };
    const { body: asked } = await send(app, "book_appointment", JSON.parse(JSON.stringify(wish)));
    expect(asked.usage).toMatchObject({
      sample_request: { date: "2026-11-22" },
      fill_in: ["time"],
      fill_in_hints: [{ field: "time", given: "afternoon" }],
    });
  });

  test("a change whose day or time must be asked asks for the other, too", async () => {
    const app = testApp();
    const { proof } = await booked(app);
    for (const [wish, asked] of [
      [{ date: "tomorrow" }, ["time"]],
      [{ date: "next week" }, ["date", "time"]],
      [{ time: "an hour later" }, ["date", "time"]],
    ] as const) {
      const { body } = await send(app, "reschedule_booking", { ...proof, ...wish, dry_run: true });
      expect([...body.usage.fill_in].toSorted()).toEqual([...asked]);
      expect(body.usage.sample_request).toMatchObject(proof);
    }
  });

  test("what is left of a car's words without its year is one text", async () => {
    const { body } = await send(testApp(), "automotive_estimate", { vehicle_type: "a 2021 white Camry" });
    expect(body.usage.sample_request).toMatchObject({ vehicle_model: "a white Camry", vehicle_year: 2021 });
  });

  test("a day under another name is no less asked", async () => {
    const { body } = await send(testApp(), "check_availability", { when: "tomorrow" });
    expect(body.usage.sample_request).toMatchObject({ date: "2026-11-22" });
  });

  test("of a group of extras the one that is not understood is asked", async () => {
    const { body } = await send(testApp(), "automotive_estimate", { ...CAR, extras: { strip: true, warranty: true } });
    expect(body.usage).toMatchObject({
      sample_request: { addons: ["windshield_strip"] },
      fill_in: ["addons[1]"],
      fill_in_hints: [{ given: "warranty" }],
    });
  });

  test("notes from a list are shown as the one text to send", async () => {
    const { body } = await send(testApp(), "book_appointment", {
      ...BASES.book_appointment,
      special_requests: ["call first", "two keys"],
    });
    expect(body.warnings[0].message).toEndWith(
      String.raw`is understood as "call first\ntwo keys": send "call first\ntwo keys".`,
    );
  });

  test("a list that is none has its words", async () => {
    const { body } = await send(testApp(), "automotive_estimate", { ...CAR, addons: false });
    expect(body.usage.fill_in_hints[0].allowed).toContain("sunroof");
  });

  test("of a request that is refused, a name that is no field's has its value in the hints", async () => {
    const { body } = await send(testApp(), "flat_glass_estimate", { site_type: "home", window_size: "4x6 ft" });
    expect(body.usage.fill_in_hints).toContainEqual({ field: "window_size", given: "4x6 ft" });
  });

  test("a quote request passes on the fields of other requests", async () => {
    const wish = {
      service_type: "automotive",
      shade: { front: 35, rear: 20 },
      addons: ["moonroof"],
      date: "next Friday",
    };
    const { body } = await send(testApp(), "quote_request", { ...BASES.quote_request, ...wish });
    expect(body.success).toBe(true);
    expect(body.warnings.map(({ code, field }: Record<string, string>) => [code, field])).toEqual(
      expect.arrayContaining(
        Object.keys(wish)
          .slice(1)
          .map((field) => ["UNDERSTOOD", field]),
      ),
    );
  });
});
