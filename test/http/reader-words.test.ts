/** What a customer's words, units and notations mean: understood with a warning, or asked; over each way in turn. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, manyCallers, testApp } from "../helpers.ts";
import { book } from "./manage-requests.ts";
import { ASK, arabic, BOOK, ESTIMATE, FRIDAY, fullwidth, GLASS, shades, WINDOWS } from "./reader-doors.ts";
import { type Asked, asked, asks, each, type Understood, understands } from "./reader-tables.ts";
import { inTurn, WAYS } from "./ways-in.ts";

const UNDERSTOOD: Understood[] = [
  ...each(
    ESTIMATE,
    "film_type",
    "ceramic film / Ceramic Tint / the better film / the better one / premium / best / ceramc / CERAMIC",
    { film_type: "ceramic", total: 599 },
  ),
  ...each(ESTIMATE, "film_type", ["basic", "cheapest", "the cheapest film", "standart"], { film_type: "standard" }),
  ...each(
    ESTIMATE,
    "coverage",
    "two front windows / front_two / front windows only / just the 2 front windows, please / Front-2",
    { coverage: "front2", total: 239 },
  ),
  ...each(ESTIMATE, "coverage", ["all windows", "full car", "all around", "the whole car"], { coverage: "full" }),
  [ESTIMATE, { addons: "sunroof and brow" }, { total: 827 }],
  ...each(ESTIMATE, "vehicle_type", ["SUV (mid-size)", "Mid-size SUV", "a large SUV"], { total: 599 }),
  ...each(ESTIMATE, "vehicle_type", ["4 door sedan", "sedann", "seadn"], { total: 499 }),
  ...each(ESTIMATE, "vehicle_type", ["pickup truck", "a crew-cab pickup"], { total: 529 }),
  ...each(ESTIMATE, "shade", ["20 percent", "20% VLT", "20.0", "２０", "20 % tint"], shades(20, 20, 20)),
  ...each(
    ESTIMATE,
    "shade",
    [{ front: 50, rear: 20 }, "50 front, 20 rear", "front 50 rear 20", '{"front": 50, "rear": "20%"}', "50/20"],
    shades(50, 20, 20),
  ),
  ...each(ESTIMATE, "shade", ["as dark as legal", "darkest legal", "the darkest legal tint"], shades(50, 5, 5)),
  ...each(ESTIMATE, "addons", [["sun strip"], ["brow"], "sun strip", ["Windshield visor"]], { total: 698 }),
  ...each(ESTIMATE, "addons", [["moonroof"], '["sunroof"]', "moon roof", ["sunroofs"]], { total: 728 }),
  ...each(ESTIMATE, "addons", ["sunroof, brow", '["brow", "moonroof"]'], { total: 827 }),
  ...each(ESTIMATE, "addons", ["none", ["None"], "null"], { total: 599 }),
  ...each(ESTIMATE, "remove_old_film", ["yes", "true", "TRUE", "1", 1, "on", "Y"], { total: 824 }),
  ...each(ESTIMATE, "remove_old_film", ["no", "False", "0", 0, "off"], { total: 599 }),
  ...each(ESTIMATE, "vehicle_model", [1500], { vehicle: expect.objectContaining({ model: "1500" }) }),
  ...each(
    GLASS,
    "total_sqft",
    ["1,200", "1200 sq ft", "about 1,200 square feet", "1200ft²", fullwidth("1200"), arabic("1200")],
    { total_sqft: 1200 },
  ),
  ...each(GLASS, "site_type", "dental office / office / a store / warehouse / church / hotel", {
    site_type: "commercial",
  }),
  ...each(GLASS, "site_type", ["home", "apartment", "my house", "Condo"], { site_type: "residential" }),
  ...each(GLASS, "primary_concern", ["too hot", "it is too hot", "heat_reduction"], { primary_concern: "heat" }),
  ...each(GLASS, "film_goals", [["fading"], "sun damage", ["so nice", "fade"]], { primary_concern: "uv" }),
  ...each(GLASS, "primary_concern", ["fading", "UV protection"], { primary_concern: "uv" }),
  ...each(
    WINDOWS,
    "windows",
    [
      [{ count: 14, width_ft: 4, height_ft: 6 }],
      [{ quantity: "14 pcs", width_in: "4 ft", height_in: "6'" }],
      [{ quantity: 14, width_in: "48 in", height_in: '72"' }],
      [{ qty: 14, width: 48, height: 72 }],
      [{ qty: 14, width: "4 feet", height: "6 ft" }],
      '[{"quantity": 14, "width_in": 48, "height_in": "72"}]',
      { quantity: 14, width_in: 48, height_in: 72 },
      ["14 @ 48x72"],
    ],
    { total_sqft: 336 },
  ),
  ...each(WINDOWS, "windows", [["30x40", "30x40"], "30x40, 30 x 40 in"], { total_sqft: 16.66 }),
  ...each(GLASS, "floors", ["2nd", "two", "2 stories"], { site_type: "commercial" }),
  [ASK, { first_name: undefined, name: "Dana Molar" }, { status: "dry_run" }],
  [ASK, { building_type: "dental office" }, { status: "dry_run" }],
  [ASK, { notes: "call first" }, { status: "dry_run" }],
  ...["notes", "comments", "message"].flatMap((name) => each(BOOK, name, ["please call first"], {})),
  [BOOK, { customer_name: undefined, first_name: "Dana", last_name: "Molar" }, { customer: { name: "Dana Molar" } }],
  ...each(BOOK, "customer_phone", [fullwidth("404-555-0146"), arabic("404-555-0146"), 4045550146], {}),
  ...["zip", "zip_code", "postal_code"].flatMap((name) => each(BOOK, name, [30060], {})),
  ...each(BOOK, "time", ["noon", "12 noon", "12pm"], { time: "12:00" }),
  ...each(BOOK, "time", ["1000", "10 in the morning", "10 a.m."], { time: "10:00" }),
  ...each(BOOK, "time", ["14", 14, "1400", "2 in the afternoon", "at 2pm"], { time: "14:00" }),
  ...each(
    BOOK,
    "date",
    [
      "Dec 4, 2026",
      "4 December 2026",
      "Friday, December 4th, 2026",
      "2026/12/4",
      "20261204",
      `${FRIDAY}T00:00:00`,
      fullwidth(FRIDAY),
      arabic(FRIDAY),
    ],
    { date: FRIDAY },
  ),
  [BOOK, { date: `${FRIDAY}T14:00:00-05:00`, time: undefined }, { date: FRIDAY, time: "14:00" }],
  ...each(BOOK, "consent", [true, "yes", { confirmed_by_user: "true" }, '{"confirmed_by_user": true}'], {}),
];

/** A word that fits two entries, none, or other glass. */
const ASKED: Asked[] = [
  ...asked(ESTIMATE, "film_type", ["carbon", "standard or ceramic", "no ceramic", "not the best"]),
  ...["rear", "back window", "one window", "all but the rear", "front window", "two windows"].map(
    (coverage): Asked => [ESTIMATE, { coverage }, "coverage", /quote/],
  ),
  [ESTIMATE, { coverage: "windshield" }, "coverage", /windshield is an extra/],
  ...asked(
    ESTIMATE,
    "vehicle_type",
    "car / EV / jeep / motorcycle / RV / box truck / 2 door sedan / 5 vans / six trucks / 6 Ford Transit vans",
  ),
  ...asked(ESTIMATE, "shade", ["match the factory", "20-35", "0", "two"]),
  ...asked(ESTIMATE, "addons", [["windshield_strip", "warranty"], "sunroof, unknownium"], "addons[1]"),
  ...asked(ESTIMATE, "remove_old_film", ["maybe"]),
  ...asked(GLASS, "site_type", ["boat"]),
  ...asked(GLASS, "total_sqft", ["1,2", "300-400", "10²"]),
  ...asked(WINDOWS, "windows", [["big ones"]], "windows[0]"),
  ...asked(BOOK, "time", ["afternoon", "morning", "6:00", "8"]),
  ...asked(BOOK, "date", ["12/04/2026", "next Friday", "Monday, December 4, 2026", "Dec 4"]),
  ...asked(BOOK, "date", [`${FRIDAY}T14:00:00Z`, `${FRIDAY}T14:00:00-05:00`]),
  ...asked(BOOK, "consent", ["later"]),
];

understands(UNDERSTOOD);
asks(ASKED);

test.each([
  ["/estimates?vehicle_type=suv&addons[]=sunroof", 428],
  ["/estimates?vehicle_type=suv&addons[0]=moonroof&addons[1]=brow", 487],
  ["/estimates?vehicle_type=suv&remove_old_film=True", 574],
  ["/estimates?vehicle_type=suv&remove_old_film=1", 574],
  ["/estimates?vehicle_type=SUVs&film_type=ceramic%20tint", 599],
])("the query %s is understood", async (path, total) => {
  const { json } = await testApp().get(API + path);
  expect(json).toMatchObject({ success: true, data: { total } });
  expect(json.warnings[0].code).toBe("UNDERSTOOD");
});

test("sizes without a unit are inches, with a warning", async () => {
  const windows = [{ width: 30, height: 40, quantity: 1 }];
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
  expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["UNDERSTOOD", "SIZE_CHECK", "UNDERSTOOD"]);
});

test("a word that the owner gives two meanings is asked", async () => {
  const named = { "automotive.films.standard.name": "Classic", "automotive.films.ceramic.name": "Classic" };
  const body = { vehicle_type: "suv", film_type: "classic" };
  const { status } = await appWith(named).post(`${API}/estimates`, body);
  expect(status).toBe(400);
});

interface Slot {
  time: string;
  available: boolean;
}
const { date } = BOOKING;
const DRY = { ...BOOKING, dry_run: true };

const FILTERS: [name: string, said: string, part: object][] = [
  ...["time", "part_of_day", "time_of_day", "when", "preferred_time"].map((name): [string, string, object] => [
    name,
    "afternoon",
    { after: "12:00" },
  ]),
  ["time", "in the morning", { before: "12:00" }],
  ["time", "before noon", { before: "12:00" }],
  ["time", "after 1pm", { after: "13:00" }],
  ["time", "after 2", { after: "14:00" }],
  ["time", "11:00", { after: "11:00" }],
  ["time_range", "between 10am and 1pm", { after: "10:00", before: "13:00" }],
  ["time_range", "1-3pm", { after: "13:00", before: "15:00" }],
  ["after", "1pm", { after: "13:00" }],
  ["before", "noon", { before: "12:00" }],
];

describe("over REST and MCP in turn", () => {
  const send = inTurn(WAYS.slice(0, 2));
  const app = manyCallers();
  test.each(FILTERS)("open times with %s: %s are those of %j", async (name, said, part) => {
    const asked = { date, vehicle_type: "suv" };
    const { body } = await send(app, "check_availability", { ...asked, [name]: said });
    const { body: plain } = await send(app, "check_availability", { ...asked, ...part });
    expect(body.data.slots).toEqual(plain.data.slots);
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(["UNDERSTOOD"]);
    for (const [field, time] of Object.entries(part))
      expect(body.warnings[0].message).toMatch(`${field === name ? "" : `${field} `}${time}`);
  });

  test.each(["14:00", "T13:00", "(Tuesday) 13:00"])(
    "open times on a day %s are those from that time on",
    async (time) => {
      const { body } = await send(app, "check_availability", { date: `${date} ${time}`.replace(" T", "T") });
      const { body: plain } = await send(app, "check_availability", { date, after: time.slice(-5) });
      expect(body.data).toEqual(plain.data);
      expect(body.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: "date" })]);
    },
  );

  const ASKED: [said: string, isIn: (time: string) => boolean][] = [
    ["afternoon", (time) => time >= "12:00"],
    ["Morning", (time) => time < "12:00"],
    ["before noon", (time) => time < "12:00"],
    ["between 10 and 12", (time) => time >= "10:00" && time < "12:00"],
    ["whenever", () => true],
    ["after 8pm", () => true],
  ];
  test.each(ASKED)("a booking at %s is told the open times, and one of them books it", async (said, isIn) => {
    const app = testApp();
    const { body } = await send(app, "book_appointment", { ...DRY, time: said });
    const { json } = await app.get(`${API}/availability?date=${date}&vehicle_type=suv&film_type=ceramic`);
    const open = (json.data.slots as Slot[])
      .filter(({ available, time }) => available && isIn(time))
      .map(({ time }) => time);
    const { usage } = body;
    expect(usage.fill_in).toEqual(["time"]);
    expect(usage.fill_in_hints).toEqual([{ field: "time", given: said, allowed: open }]);
    expect(body.message).toContain(open.join(", "));
    const filled = await send(app, "book_appointment", { ...usage.sample_request, time: open.at(-1) });
    expect(filled.body.success).toBe(true);
  });

  test("a change to the afternoon is told its open times, too", async () => {
    const app = testApp();
    const { proof } = await book(app, {});
    const { body } = await send(app, "reschedule_booking", { ...proof, date, time: "afternoon" });
    expect(body.usage.fill_in_hints[0].allowed).toContain("13:00");
  });

  test("a day with a part of it is asked with its date", async () => {
    const { body } = await send(testApp(), "book_appointment", { ...DRY, date: "Tuesday afternoon" });
    expect(body.invalid_fields[0]).toMatchObject({ field: "date", did_you_mean: "2026-11-24" });
  });

  test("a shade that the law names waits for the vehicle, and is no fault of its own", async () => {
    const app = testApp();
    for (const vehicle of [{}, { vehicle_type: "spaceship" }, { vehicle_type: "Civic" }]) {
      const asked = { ...vehicle, shade: "darkest legal", film_type: "ceramic" };
      const { body } = await send(app, "automotive_estimate", asked);
      expect([body.success, body.message.includes("shade must")]).toEqual([false, false]);
      expect(body.usage.sample_request.shade).toBe("darkest legal");
      const filled = { vehicle_type: "sedan", ...body.usage.sample_request };
      expect((await send(app, "automotive_estimate", filled)).body.success).toBe(true);
    }
    const { vehicle_type: _type, ...bare } = DRY;
    const { body } = await send(app, "book_appointment", { ...bare, shade: { front_side: "as dark as legal" } });
    expect(body.missing_fields).toEqual(["vehicle_type"]);
    expect(body.usage.fill_in).toEqual(["vehicle_type"]);
    expect(body.invalid_fields).toBe(undefined);
    const wish = { ...bare, vehicle_make: "Toyota", vehicle_model: "Camry", shade: "darkest legal" };
    const known = await send(app, "book_appointment", wish);
    expect(known.body.success).toBe(true);
  });

  test("a shade that the law names is asked for where none in stock is legal, and the other glass keeps its own", async () => {
    const asked = { vehicle_type: "sedan", jurisdiction: "US-CA", shade: { front: "legal", rear: 5 } };
    const { body } = await send(testApp(), "automotive_estimate", asked);
    const message = "cannot be legal on the front side windows in California with any film in stock";
    expect(body.invalid_fields).toEqual([{ field: "shade.front_side", message }]);
    expect(body.usage).toMatchObject({
      sample_request: { shade: { rear_side: 5, rear_window: 5 } },
      fill_in: ["shade.front_side"],
    });
  });

  test("that a shade is accepted which is not legal is understood from yes, and asked for in other words", async () => {
    const app = testApp();
    for (const yes of ["YES", "True", "1", "yes please"])
      expect((await send(app, "book_appointment", { ...DRY, accept_not_legal: yes })).body.success).toBe(true);
    const { body } = await send(app, "book_appointment", { ...DRY, accept_not_legal: "book it all the same" });
    expect(body.invalid_fields).toEqual([
      { field: "accept_not_legal", message: expect.stringContaining("true only where the end user was told") },
    ]);
    expect(body.usage.fill_in).toEqual(["accept_not_legal"]);
  });
});
