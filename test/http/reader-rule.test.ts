/**
 * Of every value that a caller sends exactly one is true: it was taken, it was understood, or an error asks for it with
 * the caller's own word beside it. A sample holds nothing else. Source: contract 1.
 */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, filledIn, manyCallers, QUOTE, testApp } from "../helpers.ts";
import { book } from "./manage-requests.ts";
import { WAYS, type Way } from "./ways-in.ts";

const APP = manyCallers();

type Id = Parameters<Way>[1];
interface Row {
  id: Id;
  sent: object;
  /** What the sample holds, but `dry_run`. */
  kept: object;
  /** The fields that are asked, with the words that were sent for them. */
  asked: Record<string, string | undefined>;
}

const { vehicle_type: _, ...NO_TYPE } = BOOKING;
const TINT = { vehicle_type: "sedan" };
const OFFICE = { site_type: "commercial", total_sqft: 100 };

function estimate(sent: object, kept: object, asked: Row["asked"]): Row {
  return { id: "automotive_estimate", sent, kept, asked };
}
/** A word of a car's work in an estimate, and in a booking. */
function asks(field: string, word: unknown, given = String(word), path = field): Row[] {
  return [
    estimate({ ...TINT, [field]: word }, TINT, { [path]: given }),
    {
      id: "book_appointment",
      sent: { ...BOOKING, [field]: word },
      kept: without(BOOKING, field),
      asked: { [path]: given },
    },
  ];
}
function without(request: object, ...fields: string[]): object {
  return Object.fromEntries(Object.entries(request).filter(([name]) => !fields.includes(name)));
}
const booking = (changes: object, kept: object, asked: Row["asked"]): Row => ({
  id: "book_appointment",
  sent: { ...BOOKING, ...changes },
  kept,
  asked,
});
const known = (make: string, model: string, type: string): Row => {
  const car = { vehicle_make: make, vehicle_model: model };
  return estimate(car, { ...car, vehicle_type: type }, {});
};

const OTHER = new Set(["motorcycle", "RV"]);
const asModel = (type: string) => OTHER.has(type) && { vehicle_model: type };
const tinted = (...addons: string[]) => ({ ...TINT, addons });
const TWO = ["windshield_strip", "sunroof"];
const ROWS: Row[] = [
  ...asks("film_type", "carbon"),
  ...asks("coverage", "rear"),
  ...asks("coverage", "windshield"),
  ...asks("addons", ["unknownium"], "unknownium"),
  ...asks("addons", ["unknownium", "warranty"], "warranty"),
  ...["car", "EV", "jeep", "spaceship", "motorcycle", "RV"].flatMap((vehicle_type): Row[] => [
    estimate({ vehicle_type, film_type: "ceramic" }, { film_type: "ceramic" }, { vehicle_type }),
    // A vehicle without a price is kept as the model: without it, the sample would book without a price.
    booking({ vehicle_type }, { ...NO_TYPE, ...asModel(vehicle_type) }, { vehicle_type }),
  ]),
  booking({ vehicle_type: undefined, vehicle: "spaceship" }, NO_TYPE, { vehicle_type: "spaceship" }),
  estimate({}, {}, { vehicle_type: undefined }),
  estimate({ vehicle_type: "Z71" }, {}, { vehicle_type: "Z71" }),
  booking({ vehicle_type: ["suv", "van"] }, NO_TYPE, { vehicle_type: '["suv","van"]' }),
  ...["vehicles", "cars", "vehicle"].map((name) =>
    booking({ vehicle_type: undefined, [name]: [{ type: "suv" }, { type: "van" }] }, NO_TYPE, {
      vehicle_type: '["type suv","type van"]',
    }),
  ),
  known("Tesla", "Model 3", "sedan"),
  known("Tesla", "Modle 3", "sedan"),
  known("Honda", "CR-V", "crossover"),
  known("Ford", "F-150", "truck"),
  estimate(tinted("windshield_strip", "warranty"), tinted("windshield_strip"), { "addons[1]": "warranty" }),
  estimate(tinted("warranty", ...TWO), tinted(...TWO), { "addons[2]": "warranty" }),
  estimate(
    { vehicle_type: "sedan", film_type: "carbon", shade: { front_side: 350, rear_side: 20 } },
    { vehicle_type: "sedan", shade: { rear_side: 20 } },
    { film_type: "carbon", "shade.front_side": "350" },
  ),
  booking({ time: "afternoon" }, without(BOOKING, "time"), { time: "afternoon" }),
  booking({ time: "morning" }, without(BOOKING, "time"), { time: "morning" }),
  booking({ date: "12/04/2026" }, without(BOOKING, "date"), { date: "12/04/2026" }),
  booking({ date: "next Friday" }, without(BOOKING, "date"), { date: "next Friday" }),
  booking({ customer_name: undefined }, without(BOOKING, "customer_name"), { customer_name: undefined }),
  booking({ consent: { confirmed_by_user: "maybe" } }, BOOKING, { consent: '{"confirmed_by_user":"maybe"}' }),
  booking({ consent: { confirmed_by_user: true }, film_type: "carbon" }, without(BOOKING, "film_type"), {
    film_type: "carbon",
    consent: undefined,
  }),
  {
    id: "quote_request",
    sent: without(QUOTE, "first_name"),
    kept: without(QUOTE, "first_name"),
    asked: { first_name: undefined },
  },
  { id: "quote_request", sent: { ...QUOTE, phone: "12" }, kept: without(QUOTE, "phone"), asked: { phone: "12" } },
  {
    id: "flat_glass_estimate",
    sent: { ...OFFICE, site_type: "moon base" },
    kept: { total_sqft: 100 },
    asked: { site_type: "moon base" },
  },
  { id: "flat_glass_estimate", sent: { ...OFFICE, floors: "many" }, kept: OFFICE, asked: { floors: "many" } },
  {
    id: "flat_glass_estimate",
    sent: { site_type: "commercial", windows: ["a big one", { width_in: "wide", height_in: 60, quantity: 2 }] },
    kept: { site_type: "commercial", windows: [{ height_in: 60, quantity: 2 }] },
    asked: { "windows[1]": "a big one", "windows[0].width_in": "wide" },
  },
];

/** Right answers to what is asked. */
const ANSWERS = {
  ...QUOTE,
  ...BOOKING,
  ...OFFICE,
  coverage: "full",
  addons: ["sunroof"],
  "addons[1]": "sunroof",
  "addons[2]": "nofault",
  front_side: 50,
  floors: 2,
  "windows[0].width_in": 36,
  "windows[1]": { width_in: 36, height_in: 60, quantity: 1 },
};

describe.each(WAYS)("%s", (_, ask) => {
  for (const { id, sent, kept, asked } of ROWS) {
    test(`${id} ${JSON.stringify(sent)}`, async () => {
      const { body } = await ask(APP, id, sent);
      expect(body.success).toBe(false);
      const { dry_run: isDryRun, ...sample } = body.usage.sample_request;
      const { fill_in: fillIn = [], fill_in_hints: hints = [] } = body.usage;
      expect(sample).toEqual(kept);
      expect(isDryRun).toBe(id.endsWith("_estimate") ? undefined : true);
      expect([...fillIn].sort()).toEqual(Object.keys(asked).sort());
      const given = Object.entries(asked).filter(([, word]) => word !== undefined);
      expect(Object.fromEntries(hints.map(({ field, given }: Record<string, string>) => [field, given]))).toEqual(
        Object.fromEntries(given),
      );
      for (const path of fillIn) expect(body.usage.sample_request).not.toHaveProperty(path);
      const filled = filledIn(body.usage.sample_request, fillIn, ANSWERS);
      const { body: answer } = await ask(APP, id, filled);
      if (!OTHER.has(Object(kept).vehicle_model)) return expect(answer).toMatchObject({ success: true });
      // No type is true of it, whatever is filled in: the shop is asked for a quote.
      expect([answer.success, answer.error_code]).toEqual([false, "INVALID_VEHICLE_TYPE"]);
      expect(JSON.stringify(answer.next_actions)).toMatch(/quote_request|request_quote/);
    });
  }

  test("a change of a booking keeps code and contact, and takes nothing off", async () => {
    const app = testApp();
    const { proof } = await book(app, { addons: ["windshield_strip"] });
    const { body } = await ask(app, "reschedule_booking", { ...proof, addons: ["unknownium"] });
    expect(body.usage).toMatchObject({
      sample_request: { ...proof, dry_run: true },
      fill_in: ["addons"],
      fill_in_hints: [{ field: "addons", given: "unknownium", allowed: expect.arrayContaining(["sunroof"]) }],
    });
    expect(body.usage.sample_request).not.toHaveProperty("addons");
  });

  test("a change with a date alone shows the booking's own time", async () => {
    const app = testApp();
    const { proof } = await book(app, { time: "11:00" });
    const { body } = await ask(app, "reschedule_booking", { ...proof, date: "2026-11-27" });
    expect([body.error_code, body.missing_fields, body.usage.fill_in]).toEqual(["MISSING_FIELD", ["time"], undefined]);
    expect({ ...body.usage.sample_request }).toEqual({ ...proof, date: "2026-11-27", time: "11:00", dry_run: true });
    const shown = (await ask(app, "reschedule_booking", body.usage.sample_request)).body;
    expect(shown.data).toMatchObject({ date: "2026-11-27", time: "11:00" });
  });
});

test("a car that was sent as the type stays in the sample", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "2023 Toyota Camry" });
  expect(json.usage).toMatchObject({
    sample_request: { vehicle_type: "sedan", vehicle_model: "Toyota Camry", vehicle_year: 2023 },
  });
  expect(json.usage.fill_in).toBeUndefined();
});

test("a wish under a name that is no field's is told again, and is no field to fill in", async () => {
  const { json } = await testApp().post(`${API}/bookings`, { ...BOOKING, dry_run: true, tire_rotation: "yes please" });
  expect(json.usage.fill_in).toBeUndefined();
  expect(json.usage.fill_in_hints).toEqual([{ field: "tire_rotation", given: "yes please" }]);
  expect(json.usage.sample_request).not.toHaveProperty("tire_rotation");
});

test.each([{ vehicle_1: "suv", vehicle_2: "van" }, { vehicles: { first: { type: "suv" } } }, { my_ride: "suv" }])(
  "a vehicle under a name that is no field's is asked for, lest it is booked without a price: %j",
  async (sent) => {
    const { json } = await APP.post(`${API}/bookings`, { ...NO_TYPE, ...sent, dry_run: true });
    expect(json.usage.fill_in).toEqual(["vehicle_type"]);
    expect(JSON.stringify(json.usage.fill_in_hints)).toContain("suv");
  },
);

test.each([
  [{ name: "Bob Smith", first_name: "Dana" }, "first_name", { first_name: "Dana", name: "Bob Smith" }],
  [{ "first_name ": "Dana" }, "first_name", { first_name: QUOTE.first_name, "first_name ": "Dana" }],
  [
    { car: "2021 Toyota Camry", vehicle_make: "Honda", service_type: "automotive" },
    "vehicle_make",
    { vehicle_make: "Honda", car: "2021 Toyota Camry" },
  ],
  [{ date: "tomorrow", day: "2026-12-04" }, "date", { date: "tomorrow", day: "2026-12-04" }],
  [{ date: "tomorrow", preferred_date: "Friday" }, "date", { date: "tomorrow", preferred_date: "Friday" }],
])(
  "of two values for a field neither is in the sample, nor what else one of them told: %j",
  async (sent, asked, both) => {
    const { json } = await (asked === "date"
      ? APP.post(`${API}/bookings`, { ...BOOKING, ...sent, dry_run: true })
      : APP.post(`${API}/quote-request`, { ...QUOTE, ...sent }));
    const { sample_request: sample, fill_in, fill_in_hints: hints } = json.usage;
    expect(fill_in).toEqual([asked]);
    expect(Object.fromEntries(hints.map(({ field, given }: Record<string, string>) => [field, given]))).toEqual(both);
    const left = ["date", "first_name", "last_name", "vehicle_year", "vehicle_make", "vehicle_model"];
    expect(left.filter((field) => Object.hasOwn(sample, field))).toEqual(
      asked === "vehicle_make" ? ["first_name"] : [],
    );
  },
);

test.each([{ cancel: true }, { action: "cancel" }, { status: "cancelled" }, { cancel_booking: "yes", reason: "ill" }])(
  "a change that asks for the end of a booking leads to its cancellation: %j",
  async (sent) => {
    const app = testApp();
    const { proof } = await book(app);
    const { json } = await app.post(`${API}/bookings/reschedule`, { ...proof, ...sent });
    expect([json.missing_fields, json.usage.fill_in, json.next_actions.length]).toEqual([undefined, undefined, 1]);
    expect(json.usage.sample_request).toEqual({});
    const [{ action, path, sample_request: step }] = json.next_actions;
    expect([action, step]).toEqual(["cancel_booking", { ...proof, ...("reason" in sent && { reason: "ill" }) }]);
    expect((await app.post(path, step)).json.data.status).toBe("cancelled_by_customer");
    const kept = await app.post(`${API}/bookings/reschedule`, { ...proof, cancel: false });
    const off = await app.post(`${API}/bookings/reschedule`, { ...proof, cancel: 0 });
    expect(off.json.next_actions).toBeUndefined();
    expect(kept.json.next_actions).toBeUndefined();
  },
);

test.each([
  [{ film_type: "unchanged", date: "2026-11-25" }, ["film_type", "time"]],
  [{ date: "2026-11-25", old_date: "2026-11-24" }, ["time"]],
  [{ vehicle_type: "motorcycle" }, ["vehicle_type"]],
])("the sample of a change is valid once it is filled in: %j", async (sent, asked) => {
  const app = testApp();
  const { proof } = await book(app);
  const { usage } = (await app.post(`${API}/bookings/reschedule`, { ...proof, ...sent })).json;
  expect(usage.fill_in).toEqual(asked);
  const answers = { film_type: "standard", time: "10:00", vehicle_type: "van" };
  const whole = {
    ...usage.sample_request,
    ...Object.fromEntries(Object.entries(answers).filter(([name]) => asked.includes(name))),
  };
  expect((await app.post(`${API}/bookings/reschedule`, whole)).json.data.status).toBe("dry_run");
});

test("what is declined under another name is not asked for", async () => {
  const glass = { site_type: "commercial", total_sqft: 100, furniture: "none" };
  expect((await APP.post(`${API}/flat-glass/estimate`, glass)).status).toBe(200);
  for (const declined of [{ extras: false }, { upgrades: [] }])
    expect((await APP.post(`${API}/estimates`, { vehicle_type: "suv", ...declined })).status).toBe(200);
});

test("the sample has no unknown field, nor has a window in it", async () => {
  const windows = [{ width_in: 36, height_in: 60, living: [{ w: 24 }] }];
  const { json } = await APP.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
  expect(json.usage.sample_request.windows).toEqual([{ width_in: 36, height_in: 60 }]);
  expect(json.usage.fill_in_hints).toMatchObject([{ field: "windows[0].living" }]);
});

test("a size or an area in another unit is told as it is to be sent", async () => {
  const said = async (body: object) => {
    const { json } = await APP.post(`${API}/flat-glass/estimate`, { site_type: "commercial", ...body });
    return json.warnings.map(({ message }: { message: string }) => message);
  };
  expect(await said({ sqm: 10 })).toContain("sqm is understood as total_sqft 107.64, in square feet: send it so.");
  const windows = [{ size: "3x4", quantity: 1 }];
  expect(await said({ windows, unit: "ft" })).toContain(
    "windows[0].size is understood as windows[0].width_in 36 and windows[0].height_in 48, in inches: send it so.",
  );
});

test("old film that is to come off is asked about beside windows, too, and not beside its area", async () => {
  const glass = { site_type: "commercial", windows: "3 of 30x40 in" };
  const ask = async (body: object) => (await APP.post(`${API}/flat-glass/estimate`, { ...glass, ...body })).json;
  expect((await ask({ remove_film: true })).usage.fill_in).toEqual(["existing_film_sqft"]);
  expect(await ask({ remove_film: true, old_film_sqft: 20 })).toMatchObject({ success: true });
  expect(await ask({ remove_film: false })).toMatchObject({ success: true });
});

test("a list with an entry that was not understood is not called understood", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "suv", addons: "sunroof, teleporter" });
  expect(json.warnings).toBeUndefined();
  expect(json.usage).toMatchObject({ sample_request: { addons: ["sunroof"] }, fill_in: ["addons[1]"] });
});

test("a change whose extras are to go, or to become more, is told by which field", async () => {
  const app = testApp();
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, addons: ["sunroof"] });
  const proof = { confirmation_code: json.data.confirmation_code, phone: BOOKING.customer_phone };
  for (const addons of ["none", "add the moonroof", "+moonroof"]) {
    const { message, usage } = (await app.post(`${API}/bookings/reschedule`, { ...proof, addons })).json;
    expect(message).toContain("add_addons adds some, remove_addons takes some out");
    expect(usage.sample_request).not.toHaveProperty("addons");
  }
});

test("what turns a word round is no near word", async () => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "suv", film_type: "no ceramic" });
  expect(json.message).not.toContain("did you mean");
});

test("hints are short and few, whatever was sent", async () => {
  const long = `\u0007${"x".repeat(5000)}`;
  let deep: unknown = "end";
  for (let i = 0; i < 2000; i++) deep = [deep];
  const body = { vehicle_type: long, film_type: deep, coverage: { deep }, addons: Array(40).fill("spoiler") };
  const { json } = await APP.post(`${API}/estimates`, body);
  const { sample_request: sample, fill_in: asked, fill_in_hints: hints } = json.usage;
  expect([sample, [...asked].sort()]).toEqual([{}, ["addons", "coverage", "film_type", "vehicle_type"]]);
  expect(hints.length).toBeLessThanOrEqual(20);
  for (const { given, allowed = [] } of hints) {
    expect(given).not.toMatch(/\p{Cc}/u);
    expect([given.length <= 200, allowed.length <= 60]).toEqual([true, true]);
  }
});

test("a refusal over the limit shows the caller's own request", async () => {
  const app = testApp();
  const wish = { vehicle_type: "coupe", film_type: "standard" };
  let last = await app.post(`${API}/estimates`, wish);
  for (let i = 0; i < 100 && last.status === 200; i++) last = await app.post(`${API}/estimates`, wish);
  expect([last.status, last.json.usage.sample_request, last.json.usage.fill_in]).toEqual([429, wish, undefined]);
});

test("fields in the query of a request without a body are in its sample", async () => {
  const proof = { confirmation_code: "K7D48E29", phone: "404-555-0111" };
  const { status, json } = await testApp().post(`${API}/bookings/lookup?${new URLSearchParams(proof)}`, "");
  expect([status, json.usage.sample_request]).toEqual([400, proof]);
});

test("what was never sent is in no error: neither the person of the samples nor a car", async () => {
  for (const path of ["/estimates", "/bookings", "/quote-request", "/register", "/bookings/cancel"]) {
    const { json } = await testApp().post(API + path, "{");
    expect(Object.keys(json.usage.sample_request).filter((name) => name !== "dry_run")).toEqual([]);
    expect(json.usage.fill_in.length).toBeGreaterThan(0);
  }
});
