/** More that callers say: forms of a value, names of fields, and words beside those of the catalog. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { appWith, BOOKING, testApp } from "../helpers.ts";
import { book as booked, cancel } from "./manage-requests.ts";
import {
  APP,
  ASK,
  BOOK,
  type Door,
  ESTIMATE,
  type Fields,
  GLASS,
  law,
  SEDAN,
  send,
  shades,
  TIMES,
  type,
  WINDOWS,
} from "./reader-doors.ts";
import { asksFor, each, type LeftOut, left, shows, type Understood, understands } from "./reader-tables.ts";
import { inTurn } from "./ways-in.ts";

const estimate = (sent: Fields, data: object): Understood => [ESTIMATE, sent, data];
const glass = (sent: Fields, data: object): Understood => [GLASS, sent, data];
const book = (sent: Fields, data: object = {}): Understood => [BOOK, sent, data];

const FRONTS = { coverage: "front2" };
const HOUSE = { site_type: "residential" };
const OFFICE = { site_type: "commercial" };

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
  ...each(
    ESTIMATE,
    "film_type",
    "I want the ceramic, please / your best film / we'd like ceramic / go with ceramic / whichever blocks most heat",
    { film_type: "ceramic" },
  ),
  ...each(
    ESTIMATE,
    "coverage",
    "the fronts / just fronts / give me the front windows / 2 fronts / both front doors",
    FRONTS,
  ),
  ...each(ESTIMATE, "coverage", "every window / all of it / whole car except windshield", { coverage: "full" }),
  ...each(ESTIMATE, "coverage", ["everything but the front windshield"], { coverage: "full" }),
  ...each(ESTIMATE, "vehicle_type", ["I drive a sedan", "my daughter's sedan", "EV sedan", "hatch"], type("sedan")),
  ...each(ESTIMATE, "jurisdiction", "Georgia (GA) / GA - Georgia / the state of Georgia / Atlanta, GA", law("US-GA")),
  ...each(ESTIMATE, "jurisdiction", ["Georgia law", "Georgia, USA"], law("US-GA")),
  ...each(GLASS, "site_type", "two story home / single family home / a big two-story house", HOUSE),
  ...each(GLASS, "site_type", "a small office / high school / hair salon / medical center / dental clinic", OFFICE),
  glass({ primary_concern: "it gets too hot" }, { primary_concern: "heat" }),

  // Phrases.
  ...each(
    ESTIMATE,
    "shade",
    ["5 on the back, 50 up front", "50 on the fronts and 5 everywhere else"],
    shades(50, 5, 5),
  ),
  ...each(ESTIMATE, "shade", ["5 in back half and 50 up front"], shades(50, 5, 5)),
  estimate({ shade: "limo all the way around" }, shades(5, 5, 5)),
  estimate({ shade: "just 35 up front and 5 in back" }, shades(35, 5, 5)),
  ...each(WINDOWS, "windows", "six of them 3x5 ft / about six 3x5 ft / 3x5 ft (six) / six at 3x5 ft", {
    total_sqft: 90,
  }),
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
  ...left(ESTIMATE, "shade", [-20, "-20", "up to 20", "20 rear only", "just 35 on the fronts"]),
  [ESTIMATE, { jurisdiction: "US-NJ", shade: "darkest legal" }, "shade", "darkest legal"],
  [BOOK, { jurisdiction: "US-NY", shade: "as dark as legal" }, "shade", "as dark as legal"],
  ...left(TIMES, "date", ["this afternoon", "next week"]),
  ...left(ESTIMATE, "shade", [{ value: 20, of: "film" }, { rest: 20, front: 50 }, { front: { min: 20 } }]),
  [ESTIMATE, JSON.parse('{"shade": {"constructor": 20, "front_side": 50}}'), "shade"],
  // A sign turns a word round, and a number is no part of a longer name.
  ...left(ESTIMATE, "addons", ["-sunroof", "I have a sunroof", ["windshield 50"]]),
  // No film on some glass is another coverage.
  ...left(ESTIMATE, "shade", [
    { front: "None", rear: 20 },
    { driver: 50, passenger: 35 },
  ]),
  [ESTIMATE, { front: 35, rear: "none" }, "coverage", "no rear"],
  [BOOK, { service_type: -1 }, "service_type", "-1"],
  ...left(ESTIMATE, "film_type", [["ceramic", "standard"], "I don't want ceramic"]),
  ...left(ESTIMATE, "jurisdiction", ["GA, SC", "Washington, Georgia"]),
  ...left(ESTIMATE, "vehicle_type", ["2 sedans"]),
  ...left(GLASS, "site_type", ["home office", "mobile home"]),
  [GLASS, { total_sqft: undefined, windows: "six of them 3x5" }, "windows"],
  // A yes does not tell how many windows, nor how much film.
  [GLASS, { blinds: true }, "curtain_windows", "true"],
  [GLASS, { blinds: "some" }, "curtain_windows", "some"],
  [GLASS, { total_sqft: undefined, windows: "3 of 30x40 in", blinds: true }, "curtain_windows", "true"],
  [GLASS, { remove_old_film: true }, "existing_film_sqft", "true"],
  [GLASS, { remove_film: "1" }, "existing_film_sqft", "true"],
  ...left(BOOK, "customer_phone", ["four oh four 555 0188", "cell 404-555-0188, work 404-555-0189"]),
  ...left(BOOK, "customer_name", ["unknown", "me", "{{customer_name}}", "[Your Name]", "N/A", "-"]),
  [BOOK, { date: "2026-12-04 in the afternoon", time: undefined }, "time", "afternoon"],
  [BOOK, { date: "2026-12-04 in the afternoon", time: "10:00" }, "date", "2026-12-04 in the afternoon"],
  [TIMES, { jurisdiction: "Mars", shade: 20 }, "jurisdiction", "Mars"],
  // Of two days neither is in the sample, also where one is in its form.
  [TIMES, { date: "2026-12-04", date_time: "2026-12-05T10:00" }, "date", "2026-12-04"],
  [BOOK, { slot: "2026-11-25T10:00" }, "date", BOOKING.date],
  [ESTIMATE, { sunroof: false, extras: ["moonroof"] }, "addons"],
];

const film = (film_type: string) => ({ film_type });
const coverage = (word: string) => ({ coverage: word });

const PHRASES: Understood[] = [
  ...each(
    SEDAN,
    "film_type",
    "top of the line / best you've got / top-shelf / the IR one / upgrade to ceramic / ceramic instead / the pricier one",
    film("ceramic"),
  ),
  ...each(SEDAN, "film_type", "cheapest you have / low end / the affordable one", film("standard")),
  ...each(SEDAN, "coverage", "full coverage / rear and sides / All side & rear windows", coverage("full")),
  ...each(SEDAN, "addons", "shade band / tint strip at the top", { total: 598 }),
  ...each(SEDAN, "vehicle_type", "fullsize pickup / light truck / heavy-duty truck", type("truck")),
  [SEDAN, { service: "windshield protection film" }, { service: "clearplex" }],
  ...each(GLASS, "site_type", "courthouse / animal hospital / museum / gas station", OFFICE),
  ...each(GLASS, "site_type", "our lake house / studio apartment", HOUSE),
  ...each(GLASS, "primary_concern", "reduce glare / computer glare", { primary_concern: "glare" }),
  ...each(GLASS, "primary_concern", "people can see in / one-way mirror", { primary_concern: "privacy" }),
  [SEDAN, { coverage: "everything but the windshield" }, coverage("full")],
  [SEDAN, { coverage: ["front windows"] }, coverage("front2")],
  [SEDAN, { front_windows: true }, coverage("front2")],
  [SEDAN, { all_around: "yes" }, coverage("full")],
  [SEDAN, { vehicle_type: "half-ton pickup" }, type("truck")],
  [SEDAN, { shade: "as dark as I can legally go" }, {}],
  [SEDAN, { rear_window: "limo", front_side: "50%" }, {}],
  [SEDAN, { service: "tint removal" }, { service: "film_removal" }],
  [SEDAN, { remove_old_film: "yes, please do!" }, {}],
  [SEDAN, { remove_old_film: "Not needed." }, { total: 499 }],
  [SEDAN, { addons: "none, thanks" }, { total: 499 }],
  [BOOK, { customer_phone: "(404) 555 0188 cell" }, {}],
  [BOOK, { customer_phone: "call me at 404-555-0188" }, {}],
  ...each(BOOK, "customer_phone", ["0044 20 7946 0018", "001 404 555 0188"], {}),
  [BOOK, { vehicle_year: "2021 model" }, { vehicle: expect.objectContaining({ year: 2021 }) }],
  [BOOK, { vehicle_year: "2100" }, { vehicle: expect.objectContaining({ year: 2100 }) }],
  [GLASS, { primary_concern: "nosy neighbors" }, { primary_concern: "privacy" }],
  [ASK, { address: { street: "1 Main St", city: "Marietta", zip: 30060 } }, {}],
  [ASK, { service_type: "automotive", glass: "one window" }, {}],
];

const ASKED_PHRASES: LeftOut[] = [
  [SEDAN, { vehicle_type: "crossover/SUV" }, "vehicle_type"],
  [SEDAN, { vehicle_type: "truck or van" }, "vehicle_type"],
  [SEDAN, { number_of_windows: 2 }, "coverage", "", "for other glass send"],
  [SEDAN, { windows: ["front left", "front right"] }, "coverage"],
  [SEDAN, { rear_windows: "no" }, "coverage"],
  [BOOK, { customer_name: "N/A" }, "customer_name", "", "ask for it"],
  [ASK, { first_name: "none" }, "first_name"],
  [GLASS, { total_sqft: undefined, windows: "large picture window" }, "windows", "", "width_in, height_in"],
];

understands([...UNDERSTOOD, ...PHRASES]);
asksFor([...ASKED, ...ASKED_PHRASES]);

test("a change says what comes and what goes in its own words", async () => {
  const app = testApp();
  const ask = inTurn();
  const { proof } = await booked(app, { addons: ["windshield_strip"] });
  const change = async (wish: object) =>
    (await ask(app, "reschedule_booking", { ...proof, ...wish, dry_run: true })).body.data.addons;
  expect((await change({ add: "the moonroof" })).toSorted()).toEqual(["sunroof", "windshield_strip"]);
  expect(await change({ without: "the strip" })).toEqual([]);
  const { json } = await cancel(app, { ...proof, why: "Sold the car" });
  expect([json.success, json.warnings[0].code]).toEqual([true, "UNDERSTOOD"]);
});

const HOME: Door = { ...GLASS, base: { site_type: "home" } };
const SIZE = { field: "window_size", given: "4x6 ft" };
const asked = (field: string, given: string) => ({ fill_in: [field], fill_in_hints: [{ field, given }] });

describe("over each way in turn", () => {
  shows([
    // A day with a part of it keeps the part.
    [TIMES, { date: "tomorrow afternoon" }, { usage: { sample_request: { date: "2026-11-22", after: "12:00" } } }],
    [TIMES, { when: "tomorrow" }, { usage: { sample_request: { date: "2026-11-22" } } }],
    [
      BOOK,
      { date: "Monday afternoon", time: undefined },
      { usage: { sample_request: { date: "2026-11-23" }, ...asked("time", "afternoon") } },
    ],
    // What is left of a car's words without its year is one text.
    [
      ESTIMATE,
      { vehicle_type: "a 2021 white Camry" },
      { usage: { sample_request: { vehicle_model: "a white Camry", vehicle_year: 2021 } } },
    ],
    [
      ESTIMATE,
      { extras: { strip: true, warranty: true } },
      { usage: { sample_request: { addons: ["windshield_strip"] }, ...asked("addons[1]", "warranty") } },
    ],
    [ESTIMATE, { addons: false }, { usage: { fill_in_hints: [{ allowed: expect.arrayContaining(["sunroof"]) }] } }],
    // Of a request that is refused, a name that is no field's has its value in the hints.
    [HOME, { window_size: "4x6 ft" }, { usage: { fill_in_hints: expect.arrayContaining([SIZE]) } }],
  ]);

  test("words that are nobody's name are the owner's", async () => {
    const shop = appWith({ "synonyms.no_name": ["walk_in"] });
    const asked = { customer_name: "Walk in" };
    expect((await send(shop, BOOK, asked)).usage.fill_in).toContain("customer_name");
    expect((await send(APP, BOOK, asked)).success).toBe(true);
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

  test("notes from a list are shown as the one text to send", async () => {
    const { warnings } = await send(APP, BOOK, { special_requests: ["call first", "two keys"] });
    const text = String.raw`"call first\ntwo keys"`;
    expect(warnings[0].message).toEndWith(`is understood as ${text}: send ${text}.`);
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
