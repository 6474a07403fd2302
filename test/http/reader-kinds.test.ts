/** More that callers say: forms of a value, names of fields, and words beside those of the catalog. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { BOOKING, catalogWith, testApp } from "../helpers.ts";
import { book as booked } from "./manage-requests.ts";
import { APP, ASK, BOOK, ESTIMATE, type Fields, GLASS, law, send, shades, TIMES, type } from "./reader-doors.ts";
import { asksFor, type LeftOut, type Understood, understands } from "./reader-tables.ts";
import { inTurn } from "./ways-in.ts";

const estimate = (sent: Fields, data: object): Understood => [ESTIMATE, sent, data];
const glass = (sent: Fields, data: object): Understood => [GLASS, sent, data];
const book = (sent: Fields, data: object = {}): Understood => [BOOK, sent, data];

const UNDERSTOOD: Understood[] = [
  estimate({ shade: [20] }, shades(20, 20, 20)),
  estimate({ vehicle_type: ["pickup"] }, type("truck")),
  book({ customer_phone: ["404-555-0188"], date: [BOOKING.date], time: ["10am"] }, { time: "10:00" }),

  // Names of fields.
  estimate({ vehicle_type: undefined, automobile: "small SUV" }, type("crossover")),
  estimate({ vehicle_type: undefined, type: "sedan" }, type("sedan")),
  ...["removal", "remove_old"].map((name) => estimate({ [name]: true }, { total: 824 })),
  estimate({ additional: ["sunroof"] }, { total: 728 }),
  estimate({ coverage: "front2", front_only: true }, { coverage: "front2" }),
  estimate({ shade: { vlt: 20 } }, shades(20, 20, 20)),
  estimate({ shade: { front: { vlt: 50 } } }, shades(50, null, null)),
  estimate({ shade: { front: { vlt: 50 }, rear_window: { percent: "5%" } } }, shades(50, null, 5)),
  estimate({ vehicle_type: { type: "pickup" }, film_type: { name: "standard" } }, { total: 299 }),
  estimate({ addons: ["windshield_strip"], sunroof: false }, { total: 698 }),
  estimate({ vehicle: { brand: "Toyota", model: "Highlander" } }, type("suv")),
  estimate({ jurisdiction: "Flordia" }, law("US-FL")),
  estimate({ vehicle_type: undefined, vehicles: [{ type: "van" }] }, type("van")),
  // Numbers for yes and no.
  estimate({ front_windows: 1 }, { coverage: "front2" }),
  ...[0, "none"].map((sunroof) => estimate({ sunroof }, { total: 599 })),
  estimate({ jurisdiction: "N.Y." }, law("US-NY")),
  estimate({ shade: { driver: 50, passenger: 50 } }, shades(50, null, null)),
  estimate({ extras: { moonroof: true } }, { total: 728 }),
  ...["no", ["no thanks"]].map((addons) => estimate({ addons }, { total: 599 })),
  estimate({ windshield: "70%", addons: ["windshield"] }, { total: 948 }),
  estimate({ service_id: 1 }, { service: "automotive" }),
  glass({ total_sqft: undefined, area: "200 sq ft" }, { total_sqft: 200 }),
  glass({ total_sqft: undefined, total_sqm: 20 }, { total_sqft: 215.28 }),
  glass({ site_type: undefined, building: "my house" }, { site_type: "residential" }),
  glass({ levels: 2 }, {}),
  [ASK, { first_name: undefined, fname: "Dana", lname: "Molar" }, {}],
  [ASK, { area: 300 }, { ballpark: expect.anything() }],
  book({ date: undefined, on: "2026-12-04" }, { date: "2026-12-04" }),
  book({ time: undefined, at: "10am" }, { time: "10:00" }),
  book({ request_id: "dana-123456" }),
  [TIMES, { start_date: "2026-12-04" }, {}],
  [TIMES, { date: "2026-12-04", at: "1pm" }, {}],
  [TIMES, { date: "Dec 4, 2026 in the afternoon" }, { date: "2026-12-04" }],

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

  // Phrases.
  ...["5 on the back, 50 up front", "50 on the fronts and 5 everywhere else", "5 in back half and 50 up front"].map(
    (shade) => estimate({ shade }, shades(50, 5, 5)),
  ),
  estimate({ shade: "limo all the way around" }, shades(5, 5, 5)),
  estimate({ shade: "just 35 up front and 5 in back" }, shades(35, 5, 5)),
  ...["six of them 3x5 ft", "about six 3x5 ft", "3x5 ft (six)", "six at 3x5 ft"].map((windows) =>
    glass({ total_sqft: undefined, windows }, { total_sqft: 90 }),
  ),
  glass({ total_sqft: "about two hundred" }, { total_sqft: 200 }),
  [TIMES, { date: "2026-12-04", after: "half past ten" }, {}],

  // A make that holds the model.
  book({ vehicle_type: undefined, vehicle_make: "Ford F-150" }, type("truck")),
  // A slip of the keys in a model, but not in its number.
  book({ vehicle_type: undefined, vehicle_make: "Toyota", vehicle_model: "Camri" }, type("sedan")),
  ...["Tuscon", "Hyundai Tuscon"].map((car) =>
    book({ vehicle_type: undefined, vehicle_model: car }, type("crossover")),
  ),
];

const TWO_PHONES = "cell 404-555-0188, work 404-555-0189";
const ASKED: LeftOut[] = [
  // What is not understood of a name is asked for where it may belong.
  ...[BOOK, ESTIMATE].map((door): LeftOut => [door, { sunroof: "maybe" }, "addons"]),
  [ESTIMATE, { glass_roof: 35 }, "addons"],
  // Whether old film comes off, it does not tell.
  ...["has_old_tint", "existing_film"].map((name): LeftOut => [ESTIMATE, { [name]: true }, "remove_old_film"]),
  [BOOK, { strip: "top of windshield" }, "addons"],
  [BOOK, { upgrades: ["ceramic", "sunroof"] }, "addons"],
  [
    ESTIMATE,
    { upgrades: ["ceramic", "sunroof"] },
    "addons",
    "",
    "upgrades is not a field of this request: send addons or film_type",
  ],
  [ESTIMATE, { windows: { front: 35, rear: 20 } }, "coverage"],
  [GLASS, { total_sqft: undefined, area: "2400 sq ft house" }, "total_sqft"],
  [BOOK, { services: ["tint", "removal"] }, "service_type"],
  [ESTIMATE, { shade: -20 }, "shade"],
  [ESTIMATE, { shade: "-20" }, "shade"],
  [ESTIMATE, { shade: "up to 20" }, "shade"],
  [ESTIMATE, { shade: "20 rear only" }, "shade"],
  [ESTIMATE, { jurisdiction: "US-NJ", shade: "darkest legal" }, "shade", "darkest legal"],
  [BOOK, { jurisdiction: "US-NY", shade: "as dark as legal" }, "shade", "as dark as legal"],
  [ESTIMATE, { shade: "just 35 on the fronts" }, "shade"],
  [TIMES, { date: "this afternoon" }, "date", "this afternoon"],
  [ESTIMATE, { shade: { value: 20, of: "film" } }, "shade"],
  [ESTIMATE, { shade: { rest: 20, front: 50 } }, "shade"],
  [ESTIMATE, { shade: { front: { min: 20 } } }, "shade"],
  [ESTIMATE, JSON.parse('{"shade": {"constructor": 20, "front_side": 50}}'), "shade"],
  // A sign turns a word round, and a number is no part of a longer name.
  [ESTIMATE, { addons: ["-sunroof"] }, "addons", "-sunroof"],
  // No film on some glass is another coverage.
  [ESTIMATE, { shade: { front: "None", rear: 20 } }, "shade"],
  [ESTIMATE, { front: 35, rear: "none" }, "coverage", "no rear"],
  [ESTIMATE, { addons: ["windshield 50"] }, "addons", "windshield 50"],
  [BOOK, { service_type: -1 }, "service_type", "-1"],
  [ESTIMATE, { shade: { driver: 50, passenger: 35 } }, "shade"],
  [ESTIMATE, { film_type: ["ceramic", "standard"] }, "film_type"],
  [ESTIMATE, { film_type: "I don't want ceramic" }, "film_type"],
  [ESTIMATE, { addons: "I have a sunroof" }, "addons"],
  [ESTIMATE, { jurisdiction: "GA, SC" }, "jurisdiction"],
  [ESTIMATE, { jurisdiction: "Washington, Georgia" }, "jurisdiction"],
  [ESTIMATE, { vehicle_type: "2 sedans" }, "vehicle_type"],
  [GLASS, { site_type: "home office" }, "site_type"],
  [GLASS, { total_sqft: undefined, windows: "six of them 3x5" }, "windows"],
  // A yes does not tell how many windows, nor how much film.
  [GLASS, { blinds: true }, "curtain_windows", "true"],
  [GLASS, { blinds: "some" }, "curtain_windows", "some"],
  [GLASS, { total_sqft: undefined, windows: "3 of 30x40 in", blinds: true }, "curtain_windows", "true"],
  [GLASS, { remove_old_film: true }, "existing_film_sqft", "true"],
  [GLASS, { remove_film: "1" }, "existing_film_sqft", "true"],
  [GLASS, { site_type: "mobile home" }, "site_type"],
  [BOOK, { customer_phone: "four oh four 555 0188" }, "customer_phone", "four oh four 555 0188"],
  [BOOK, { customer_phone: TWO_PHONES }, "customer_phone", TWO_PHONES],
  [BOOK, { customer_name: "unknown" }, "customer_name"],
  [BOOK, { customer_name: "me" }, "customer_name"],
  [BOOK, { customer_name: "{{customer_name}}" }, "customer_name"],
  [BOOK, { customer_name: "[Your Name]" }, "customer_name"],
  [BOOK, { date: "2026-12-04 in the afternoon", time: undefined }, "time", "afternoon"],
  [BOOK, { date: "2026-12-04 in the afternoon", time: "10:00" }, "date", "2026-12-04 in the afternoon"],
  [TIMES, { date: "next week" }, "date"],
  [TIMES, { jurisdiction: "Mars", shade: 20 }, "jurisdiction", "Mars"],
  // Of two days neither is in the sample, also where one is in its form.
  [TIMES, { date: "2026-12-04", date_time: "2026-12-05T10:00" }, "date", "2026-12-04"],
  [BOOK, { slot: "2026-11-25T10:00" }, "date", BOOKING.date],
  [ESTIMATE, { sunroof: false, extras: ["moonroof"] }, "addons"],
];

understands(UNDERSTOOD);
asksFor(ASKED);

describe("over each way in turn", () => {
  test("words that are nobody's name are the owner's", async () => {
    const shop = testApp({ catalog: catalogWith({ "synonyms.no_name": ["walk_in"] }) });
    const asked = { customer_name: "Walk in" };
    expect((await send(shop, BOOK, asked)).usage.fill_in).toContain("customer_name");
    expect((await send(APP, BOOK, asked)).success).toBe(true);
  });

  test("a day with a part of it keeps the part", async () => {
    const { usage } = await send(APP, TIMES, { date: "tomorrow afternoon" });
    expect(usage.sample_request).toMatchObject({ date: "2026-11-22", after: "12:00" });
    const asked = await send(APP, BOOK, { date: "Monday afternoon", time: undefined });
    expect(asked.usage).toMatchObject({
      sample_request: { date: "2026-11-23" },
      fill_in: ["time"],
      fill_in_hints: [{ field: "time", given: "afternoon" }],
    });
  });

  test("a change whose day or time must be asked asks for the other, too", async () => {
    const app = testApp();
    const ask = inTurn();
    const { proof } = await booked(app);
    for (const [wish, asked] of [
      [{ date: "Monday" }, ["time"]],
      [{ date: "tomorrow" }, ["date", "time"]],
      [{ date: "next week" }, ["date", "time"]],
      [{ time: "an hour later" }, ["date", "time"]],
    ] as const) {
      const { body } = await ask(app, "reschedule_booking", { ...proof, ...wish, dry_run: true });
      expect([...body.usage.fill_in].toSorted()).toEqual([...asked]);
      expect(body.usage.sample_request).toMatchObject(proof);
    }
  });

  test("what is left of a car's words without its year is one text", async () => {
    const { usage } = await send(APP, ESTIMATE, { vehicle_type: "a 2021 white Camry" });
    expect(usage.sample_request).toMatchObject({ vehicle_model: "a white Camry", vehicle_year: 2021 });
  });

  test("a day under another name is no less asked", async () => {
    const { usage } = await send(APP, TIMES, { when: "tomorrow" });
    expect(usage.sample_request).toMatchObject({ date: "2026-11-22" });
  });

  test("of a group of extras the one that is not understood is asked", async () => {
    const { usage } = await send(APP, ESTIMATE, { extras: { strip: true, warranty: true } });
    expect(usage).toMatchObject({ fill_in: ["addons[1]"], fill_in_hints: [{ given: "warranty" }] });
    expect(usage.sample_request.addons).toEqual(["windshield_strip"]);
  });

  test("notes from a list are shown as the one text to send", async () => {
    const { warnings } = await send(APP, BOOK, { special_requests: ["call first", "two keys"] });
    const text = String.raw`"call first\ntwo keys"`;
    expect(warnings[0].message).toEndWith(`is understood as ${text}: send ${text}.`);
  });

  test("a list that is none has its words", async () => {
    const { usage } = await send(APP, ESTIMATE, { addons: false });
    expect(usage.fill_in_hints[0].allowed).toContain("sunroof");
  });

  test("of a request that is refused, a name that is no field's has its value in the hints", async () => {
    const { usage } = await send(APP, { ...GLASS, base: { site_type: "home" } }, { window_size: "4x6 ft" });
    expect(usage.fill_in_hints).toContainEqual({ field: "window_size", given: "4x6 ft" });
  });

  test("a quote request passes on the fields of other requests", async () => {
    const told = { sunroof: "yes", rear_windows: "limo", old_film: true, after: "3pm" };
    const wish = { shade: { front: 35, rear: 20 }, addons: ["moonroof"], date: "next Friday", ...told };
    const { success, warnings } = await send(APP, ASK, { service_type: "automotive", ...wish });
    expect(success).toBe(true);
    const understood = Object.keys(wish).map((field) => expect.objectContaining({ code: "UNDERSTOOD", field }));
    expect(warnings).toEqual(expect.arrayContaining(understood));
  });
});
