/** The names under which callers send fields: understood with a warning, or asked; over each way in turn. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { type JsonSchema, jsonSchema, propertiesOf } from "../../src/schema/json-schema.ts";
import { MEANT_BY_NAME, properName } from "../../src/schema/names.ts";
import { API, BOOKING, CATALOG, QUOTE, testApp } from "../helpers.ts";
import { book, cancel, FRIDAY, reschedule } from "./manage-requests.ts";
import {
  APP,
  ASK,
  BOOK,
  CAR,
  type Door,
  ESTIMATE,
  type Fields,
  GLASS,
  PLAIN,
  send,
  shades,
  type,
  WINDOWS,
} from "./reader-doors.ts";
import { type Understood, understands } from "./reader-tables.ts";

const AREA: Door = { ...GLASS, base: { total_sqft: 100 } };

const extras = (...codes: string[]) => ({
  line_items: expect.arrayContaining(codes.map((code) => expect.objectContaining({ code }))),
});
const glassLines = (...codes: string[]) => ({
  options: expect.arrayContaining([
    expect.objectContaining({ line_items: codes.map((code) => expect.objectContaining({ code })) }),
  ]),
});
const car = (description: string) => ({ vehicle: expect.objectContaining({ description }) });

const named = (door: Door, names: string[], item: unknown, data: object, without: Fields = {}): Understood[] =>
  names.map((name) => [door, { ...without, [name]: item }, data]);
const row = (fields: Fields, total_sqft: number): Understood => [WINDOWS, { windows: [fields] }, { total_sqft }];

const UNDERSTOOD: Understood[] = [
  // Words that say nothing beside the field.
  ...named(ESTIMATE, ["body_style", "vehicle", "car"], "4-door", type("suv"), { vehicle_type: "suv" }),
  [PLAIN, { film_type: "ceramic", film: "window tint" }, { film_type: "ceramic" }],
  // The unit of a row, or of all rows.
  row({ width: 4, height: 6, quantity: 6, unit: "ft" }, 144),
  row({ size: "0,9 x 1,5", unit: "m", quantity: 4 }, 58.12),
  row({ width: "4", height: "6", quantity: 6, units: "feet" }, 144),
  row({ width: 100, height: 200, quantity: 1, unit: "cm" }, 21.53),
  row({ width_in: 48, height_in: 72, quantity: 6, unit: "inches" }, 144),
  [WINDOWS, { units: "ft", windows: [{ width: 4, height: 6, quantity: 6 }] }, { total_sqft: 144 }],
  [WINDOWS, { measurement_unit: "ft", windows: [{ width: 4, height: 6, quantity: 6 }] }, { total_sqft: 144 }],
  [WINDOWS, { unit: "ft", windows: '[{"width": 4, "height": 6, "quantity": 6}]' }, { total_sqft: 144 }],
  // Sizes under other names.
  ...["size", "dimensions", "dims"].map((name) => row({ [name]: "4 ft x 6 ft", quantity: 6 }, 144)),
  row({ size: "4 x 6", unit: "ft", quantity: 6 }, 144),
  row({ size: { width: 4, height: 6, unit: "ft" }, quantity: 6 }, 144),
  row({ w: 48, h: 72, number: 6 }, 144),
  row({ width_m: 1.2, height_m: 1.5, quantity: 1 }, 19.37),
  ...["pieces", "number", "number_of_windows", "units", "qty"].map((name) =>
    row({ width_in: 48, height_in: 72, [name]: 6 }, 144),
  ),
  row({ width_ft: 4, width_in: 6, height_ft: 6, quantity: 1 }, 27),
  [
    WINDOWS,
    { windows: [{ width: "3 ft", height: "5 ft", quantity: 2, has_blinds: true }] },
    glassLines("film", "curtain_windows"),
  ],
  // The work on a car.
  ...named(PLAIN, ["tint", "film", "level", "quality", "package"], "ceramic", { film_type: "ceramic", total: 599 }),
  ...named(ESTIMATE, ["tint", "vlt", "tint_percent", "tint_level"], 20, shades(20, 20, 20)),
  ...named(ESTIMATE, ["glass", "windows", "windows_to_tint"], "two front windows", { coverage: "front2" }),
  ...named(ESTIMATE, ["extras", "options", "upgrades", "add_ons"], ["sunroof"], extras("sunroof")),
  [PLAIN, { upgrades: "the better film" }, { film_type: "ceramic" }],
  ...named(PLAIN, ["vehicle", "car", "make_model"], "Honda", car("Honda (SUV)")),
  [PLAIN, { vehicle: "2020 honda" }, car("2020 Honda (SUV)")],
  [PLAIN, { film: { name: "ceramic", vlt: 50 } }, { film_type: "ceramic", ...shades(50, 50, 50) }],
  [PLAIN, { tint: { film: "ceramic", front: 50, rear: 20 } }, { film_type: "ceramic", ...shades(50, 20, 20) }],
  [PLAIN, { services: [{ type: "film removal", coverage: "front two" }] }, { service: "film_removal", total: 80 }],
  ...named(ESTIMATE, ["sunroof", "moonroof"], true, extras("sunroof")),
  ...named(ESTIMATE, ["windshield_strip", "strip", "sunStrip"], "yes", extras("windshield_strip")),
  [ESTIMATE, { sunroof: true, strip: "yes" }, extras("sunroof", "windshield_strip")],
  [ESTIMATE, { addons: ["windshield_strip"], sunroof: true }, extras("sunroof", "windshield_strip")],
  [ESTIMATE, { addons: ["windshield_strip"], extras: "moonroof" }, extras("sunroof", "windshield_strip")],
  [ESTIMATE, { sunroof: false }, { total: 599 }],
  [GLASS, { old_film: 40 }, glassLines("film", "removal")],
  ...named(ESTIMATE, ["remove_existing_film", "old_tint_removal", "remove_existing_tint", "film_removal"], "yes", {
    total: 824,
  }),
  [ESTIMATE, { front_shade: 50, rear_shade: 20 }, shades(50, 20, 20)],
  [ESTIMATE, { shade_front: 50, shade_rear: "20%" }, shades(50, 20, 20)],
  [ESTIMATE, { front_vlt: 50, rear_side_tint: 20, back_window_vlt: 5 }, shades(50, 20, 5)],
  [ESTIMATE, { "shade.front_side": 50, "shade.rear": 20 }, shades(50, 20, 20)],
  [ESTIMATE, { shade: { front_side: 50 }, rear_shade: 20 }, shades(50, 20, 20)],
  [ESTIMATE, { front_shade: "darkest legal", rear_shade: 20 }, shades(50, 20, 20)],
  [ESTIMATE, { shade: { all: 35 } }, shades(35, 35, 35)],
  [ESTIMATE, { shade: { sides: 35, rear: 20 } }, shades(35, 35, 20)],
  [ESTIMATE, { shade: { front_windows: 35, rear_windows: 20 } }, shades(35, 20, 20)],
  // The car itself.
  [CAR, { car: "pickup" }, type("truck")],
  [PLAIN, { car: { make: "Toyota", model: "Highlander", year: 2021 } }, car("2021 Toyota Highlander (SUV)")],
  [PLAIN, { "vehicle.make": "Toyota", "vehicle.model": "Highlander" }, car("Toyota Highlander (SUV)")],
  ...named(PLAIN, ["car", "make_model", "vehicle"], "2021 Toyota Highlander", car("2021 Toyota Highlander (SUV)")),
  [PLAIN, { windshield: "strip" }, { total: 408 }],
  ...named(ESTIMATE, ["windshield", "windshield_tint"], 1, extras("windshield")),
  ...named(ESTIMATE, ["windshield_tint"], "yes", extras("windshield")),
  ...named(BOOK, ["add_addons", "add"], ["sunroof"], { addons: ["sunroof"] }),
  [BOOK, { services: ["film removal"], film_type: undefined }, { service: "film_removal" }],
  [PLAIN, { car: "Land Rover Defender" }, car("Land Rover Defender (SUV)")],
  [PLAIN, { car: { name: "Toyota Highlander" } }, car("Toyota Highlander (SUV)")],
  [BOOK, { car: "Toyota Camry 2021", vehicle_type: undefined }, type("sedan")],
  // Buildings.
  ...named(AREA, ["building_type", "property_type"], "office", { site_type: "commercial" }),
  [WINDOWS, { total_sqft: 100, concern: "glare" }, { primary_concern: "glare" }],
  [WINDOWS, { total_sqft: 100, goal: ["glare"] }, { primary_concern: "glare" }],
  [AREA, { service_type: "security" }, { site_type: "security" }],
  [AREA, { service: "home window tinting" }, { site_type: "residential" }],
  // What makes the work dearer.
  ...named(GLASS, ["number_of_stories", "num_floors"], 2, glassLines("film", "ladder")),
  ...named(GLASS, ["ladder_required", "requires_ladder"], true, glassLines("film", "ladder")),
  ...named(GLASS, ["blinds", "curtains"], 3, glassLines("film", "curtain_windows")),
  ...named(GLASS, ["furniture", "windows_blocked"], 3, glassLines("film", "blocked_windows")),
  ...named(GLASS, ["removal_sqft", "remove_film_sqft"], 40, glassLines("film", "removal")),
  ...named(ASK, ["blinds", "curtains", "furniture"], true, {}),
  ...named(ASK, ["concern", "primary_concern", "goals"], "glare", {}),
  ...named(ASK, ["company", "business_name"], "Molar Dental", {}),
  ...named(ASK, ["vehicles", "cars", "vehicle_type"], ["Camry", { type: "van", year: 2021 }], {}),
  [ASK, { service_type: undefined, site: "restaurant" }, {}],
  [ASK, { number_of_windows: 12, property_type: "office", site_type: "commercial" }, {}],
  [ASK, { street: "12 Main St", city: "Marietta", zip: 30060 }, {}],
  // Whole requests.
  [CAR, { name: "automotive_estimate", arguments: { vehicle_type: "suv", film_type: "ceramic" } }, { total: 599 }],
  [CAR, { tool: "estimate_price", input: { vehicle_type: "suv" } }, {}],
  [CAR, { quote: { vehicle: { type: "suv" }, film: "ceramic" } }, { total: 599 }],
];

const otherwise = (field: string, name: string, value: string): [fields: Fields, data: object] => [
  { [field]: undefined, [name]: value },
  { [field]: value },
];

/** Fields of a booking that are sent under other names alone. */
const BOOKED: [fields: Fields, data: object][] = [
  ...`request customer_notes instructions special_instructions details description text memo`
    .split(/\s+/)
    .map((name): [Fields, object] => [{ [name]: "please call first" }, {}]),
  ...["preferred_date", "day", "when", "slot", "start"].map((name) => otherwise("date", name, BOOKING.date)),
  ...["preferred_time", "when", "slot"].map((name) => otherwise("time", name, "10:00")),
  ...["slot", "when", "start"].map((name): [Fields, object] => [
    { date: undefined, time: undefined, [name]: `${BOOKING.date}T10:00` },
    { time: "10:00", date: BOOKING.date },
  ]),
  [{ date: undefined, time: undefined, slot: { date: BOOKING.date, time: "10:00" } }, { time: "10:00" }],
  [{ date: undefined, time: undefined, start: { dateTime: `${BOOKING.date}T10:00` } }, { time: "10:00" }],
  ...["cell", "tel", "mobile_phone", "mobile", "contact_number", "contact"].map((name): [Fields, object] => [
    { customer_phone: undefined, [name]: BOOKING.customer_phone },
    {},
  ]),
  ...["mail", "e-mail", "contact_email", "contact"].map((name): [Fields, object] => [
    { customer_email: undefined, [name]: BOOKING.customer_email },
    {},
  ]),
  ...["client_name", "contact_name", "customer", "client", "contact"].map((name): [Fields, object] => [
    { customer_name: undefined, [name]: "Dana Molar" },
    { customer: { name: "Dana Molar" } },
  ]),
  [
    { customer_name: undefined, customer: { first_name: "Dana", last_name: "Molar" } },
    { customer: { name: "Dana Molar" } },
  ],
  [{ customer_name: undefined, given_name: "Dana", surname: "Molar" }, { customer: { name: "Dana Molar" } }],
];
UNDERSTOOD.push(...BOOKED.map(([fields, data]): Understood => [BOOK, fields, data]));
const { date, time, customer_name: name, customer_phone: phone, customer_email: email, ...work } = BOOKING;
UNDERSTOOD.push(
  [{ id: BOOK.id, base: { dry_run: true } }, { booking: BOOKING }, { date, time }],
  [
    { id: BOOK.id, base: { dry_run: true } },
    { name: "book_appointment", arguments: BOOKING },
    { date, time },
  ],
  [
    { id: BOOK.id, base: { ...work, dry_run: true } },
    { appointment: { date, time }, client: { name, phone, email } },
    {},
  ],
);

/** What nobody can tell: asked by name, or left out with a warning where the request ignores unknown fields. */
const NOT_UNDERSTOOD: [door: Door, fields: Fields, field: string][] = [
  [WINDOWS, { windows: [{ width: 4, height: 6, quantity: 6, unit: "cubits" }] }, "windows[0].unit"],
  [WINDOWS, { windows: [{ width_in: 4, height_in: 6, quantity: 6, unit: "ft" }] }, "windows[0].width_in"],
  [WINDOWS, { windows: [{ width_ft: 4, width_in: 60, height_ft: 6, quantity: 6 }] }, "width_in"],
  [WINDOWS, { unit: "ft", windows: ["4x6"] }, "windows"],
  [ESTIMATE, { sunroof: false, addons: ["sunroof"] }, "sunroof"],
  [ESTIMATE, { tint: "carbon" }, "shade"],
  [ESTIMATE, { glass: 70 }, "coverage"],
  [ESTIMATE, { sunroof: "maybe" }, "sunroof"],
  [ESTIMATE, { no_sunroof: true }, "no_sunroof"],
  [ESTIMATE, { shade: 35, front_shade: 20 }, "front_shade"],
  [ESTIMATE, { shade: { all: 35, rear_window: 20 } }, "shade.rear_window"],
  [CAR, { car: "Camry and RAV4" }, "vehicle_type"],
  [CAR, { car: "Mustang SUV" }, "vehicle_type"],
  [CAR, { name: "book_appointment", arguments: { vehicle_type: "suv" } }, "name"],
  [BOOK, { mobile: true }, "mobile"],
  [BOOK, { current: { film: "standard" } }, "current"],
  [BOOK, { selections: { name: "Dana" } }, "selections"],
  [BOOK, { contact: "sometimes", customer_name: "Pat" }, "contact"],
  [BOOK, { extras: { colour: "black" } }, "extras"],
  [BOOK, { day: "Friday" }, "day"],
];

understands(UNDERSTOOD);

describe("over each way in turn", () => {
  test.each(NOT_UNDERSTOOD)("%# is not understood: %j %j", async (door, fields, field) => {
    const { invalid_fields = [], warnings = [] } = await send(APP, door, fields);
    const unknown = warnings.filter(({ code }: { code: string }) => code === "UNKNOWN_FIELD");
    expect([...invalid_fields, ...unknown].map((one: { field: string }) => one.field)).toContainEqual(
      expect.stringContaining(field),
    );
  });

  /** With the first name, which is in greetings. */
  const PEOPLE: [sent: string, first: string, stored?: string][] = [
    ["Dana Molar", "Dana"],
    ["Molar, Dana", "Dana", "Dana Molar"],
    ["Dr. Dana Molar", "Dr. Dana"],
    ["Dana Molar, DDS", "Dana"],
    ["Ms. Molar", "Ms. Molar"],
    ["Dana & Sam Molar", "Dana & Sam"],
    ["Dana and Sam Molar", "Dana and Sam"],
    ["Dana Molar & Sam Rivera", "Dana Molar & Sam Rivera"],
  ];
  test.each(PEOPLE)("the person %s", async (sent, first, stored = sent) => {
    const app = testApp();
    const { first_name: _first, ...rest } = QUOTE;
    // A refused request shows how the name was read.
    const door: Door = { ...ASK, base: rest };
    const asked = await send(app, door, { contact_name: sent, floors: "many" });
    expect(asked.usage.sample_request.first_name).toBe(first);
    expect(asked.usage.sample_request.company_name).toBeUndefined();
    expect((await send(app, door, { name: sent })).success).toBe(true);
    expect((await app.store.leads(["new"], 9)).map((lead) => lead.name)).toEqual([stored]);
  });

  test("texts under several names are one", async () => {
    const notes = { notes: "Park behind the house.", comments: "Call first.", memo: "Call", text: "Call first." };
    const place = { street: "12 Main St", city: "Marietta", zip: "30060" };
    const sent = { ...notes, message: "Thanks!", ...place, floors: 0 };
    const { message, address } = (await send(APP, ASK, sent)).usage.sample_request;
    expect(message).toBe("Thanks!\nPark behind the house.\nCall first.\nCall");
    expect(address).toBe("12 Main St, Marietta, 30060");
  });

  test("what a name may mean is in no other field of a sample", async () => {
    const body = { time: "later", request: "call first", mobile: true, glass: 70 };
    const { usage, invalid_fields } = await send(APP, BOOK, body);
    const { time: _time, ...kept } = BOOKING;
    expect(usage.sample_request).toEqual({ ...kept, special_requests: "call first", dry_run: true });
    const expected = ["coverage", "mobile", "time"];
    expect(invalid_fields.map(({ field }: { field: string }) => field).toSorted()).toEqual(expected);
  });
});

test("of two values that contradict each other, neither is in the sample", async () => {
  const { json } = await testApp().post(`${API}/estimates`, { vehicle_type: "suv", car: "Camry and RAV4" });
  expect(json.usage).toMatchObject({ sample_request: {}, fill_in: ["vehicle_type"] });
  expect(json.invalid_fields[0].did_you_mean).toBeUndefined();
});

test("sizes beside a unit that is none are asked for, and are no inches", async () => {
  const windows = [{ width: 90, height: 150, quantity: 1 }];
  const body = { site_type: "commercial", windows, units: "metric" };
  const { usage } = (await testApp().post(`${API}/flat-glass/estimate`, body)).json;
  expect(usage.sample_request.windows).toEqual([{ quantity: 1 }]);
  expect(usage.fill_in).toEqual(["windows[0].width_in", "windows[0].height_in"]);
  expect(usage.fill_in_hints.map(({ given }: { given: string }) => given)).toEqual([
    "90 metric",
    "150 metric",
    "metric",
  ]);
});

test("sizes with a unit beside them are not asked about", async () => {
  const windows = [{ width: 30, height: 40, quantity: 1, unit: "in" }];
  const { json } = await testApp().post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
  expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["UNDERSTOOD", "UNDERSTOOD", "UNDERSTOOD"]);
});

test("a change of a booking understands its new date and time, and takes no extra off for one", async () => {
  const app = testApp();
  const { proof } = await book(app, { addons: ["windshield_strip"] });
  const { json: moved } = await reschedule(app, { ...proof, new_date: FRIDAY.date, new_time: FRIDAY.time });
  expect(moved.data).toMatchObject({ ...FRIDAY, addons: ["windshield_strip"] });
  const { json: added } = await reschedule(app, { ...proof, sunroof: true, dry_run: true });
  expect(added.data.addons.toSorted()).toEqual(["sunroof", "windshield_strip"]);
  const { json: less } = await reschedule(app, { ...proof, strip: "no", dry_run: true });
  expect(less.data.addons).toEqual([]);
  const { json: gone } = await cancel(app, { ...proof, note: "Sold the car", dry_run: true });
  expect(gone.warnings[0].message).toBe("note is understood as reason: send it under that name.");
});

test("a first day is asked where a day and a first day are fields", async () => {
  const { json } = await testApp().get(`${API}/availability?start=2026-11-27`);
  expect(json.invalid_fields).toMatchObject([{ field: "start" }]);
  expect(json.usage.fill_in).toEqual(["date", "from"]);
});

test("no name means two fields of one request, and each means its field in every notation", () => {
  const groups: { about: Record<string, JsonSchema>; where: string }[] = CAPABILITIES.flatMap(({ id, input }) => {
    const about = propertiesOf(jsonSchema(input(CATALOG), "input")) ?? {};
    const inner = Object.entries(about).flatMap(([field, schema]) => {
      const fields = propertiesOf(schema.items ?? schema);
      return fields ? [{ about: fields, where: `${id}.${field}` }] : [];
    });
    return [{ about, where: id }, ...inner];
  });
  for (const { about, where } of groups)
    for (const [name, meant] of MEANT_BY_NAME) {
      if (Object.hasOwn(about, name)) {
        expect(properName(name, about)).toBeUndefined();
        continue;
      }
      const fields = meant.filter((field) => Object.hasOwn(about, field));
      expect({ where, name, fields: fields.slice(1) }).toEqual({ where, name, fields: [] });
      const [field] = fields;
      if (field === undefined) continue;
      const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      expect([name, camel, `${name}[]`].map((one) => properName(one, about))).toEqual([field, field, field]);
    }
});
