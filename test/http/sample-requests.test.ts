/** An error lets a model correct its request in one step. Source: contract 1, `usage.sample_request`. */
import { afterAll, expect, test } from "bun:test";
import { fromManyCallers, openFileApp, type SendOptions, testApp } from "../app.ts";
import { API, BOOKING, filledIn, QUOTE } from "../fixed-day.ts";
import { appWith } from "../helpers.ts";

/** For requests that store nothing. */
const FILE = openFileApp();
const APP = fromManyCallers(FILE);
afterAll(FILE.close);

interface Refused extends SendOptions {
  method: string;
  path: string;
}
const post = (path: string, body: unknown): Refused => ({ method: "POST", path, body });
const booking = (changes: object) => post("/bookings", { ...BOOKING, ...changes });
const get = (path: string): Refused => ({ method: "GET", path });
/** Bun hands on no body of a GET, only its length. */
const getWithBody = (path: string): Refused => ({ ...get(path), headers: { "Content-Length": "40" } });

/** Answers of the caller to what samples ask. */
const ANSWERS = {
  ...QUOTE,
  ...BOOKING,
  name: "Pat Example",
  service_type: "automotive",
  total_sqft: 350.5,
  width_in: 36,
  height_in: 60,
  "addons[0]": "windshield_strip",
  "addons[2]": "windshield_strip",
  "addons[3]": "nofault",
};

const SHOP = { total_sqft: 100, site_type: "commercial" };
const PANES = { site_type: "commercial", windows: [{ quantity: 8 }] };
const SIZES = ["windows[0].width_in", "windows[0].height_in"];
const PERSON = ["customer_name", "customer_phone", "customer_email"];
const WHO = ["first_name", "phone", "email", "service_type"];
const COATING = { service: "ceramic_coating" };
const MAIL = { email: QUOTE.email };
const TODAY = /Today at the shop/;
const ACTS = /books an appointment.*Ask the end user first/;

/** Refused requests, parts of the request that the error shows instead, what it asks, and what its sentences say. */
const CASES: [name: string, request: Refused, sample: object, asked?: string[], says?: RegExp][] = [
  ["a window without its sizes", post("/flat-glass/estimate", PANES), PANES, SIZES, /width_in and .*height_in are/],
  [
    "a form",
    {
      method: "POST",
      path: "/estimates",
      body: "vehicle_type=suv&vehicleYear=2024&shade=35",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    },
    { vehicle_type: "suv", vehicle_year: 2024 },
    [],
    /is a form/,
  ],
  ["broken JSON", post("/estimates", '{"vehicle_type": "suv"'), {}],
  ["GET with a body", getWithBody("/availability"), {}, [], /in the query/],
  ["GET with a body, beside a query", getWithBody("/faq?q=warranty"), { q: "warranty" }, [], /in the query/],
  ["GET with a body, of an estimate", getWithBody("/estimates?vehicle=van"), { vehicle_type: "van" }, [], /POST/],
  ["POST where GET is due", post("/availability", { date: "2026-11-24" }), { date: "2026-11-24" }, [], /use GET/],
  ["GET where POST is due", get("/flat-glass/estimate?total_sqft=100&siteType=commercial"), SHOP, [], /use POST/],
  ["GET of a booking", get("/bookings?time=9am&date=2026-11-24"), { time: "09:00", dry_run: true }, PERSON, ACTS],
  ["GET of a quote request", get("/quote-request"), { dry_run: true }, WHO, /Ask the end user first/],
  ["a date in words", booking({ date: "Tuesday" }), BOOKING, [], /Today at the shop is Saturday, 2026-11-21/],
  ["a date of another country", booking({ date: "12/04/2026" }), { vehicle_type: "suv" }, ["date"], TODAY],
  ["a date in a query", get("/availability?date=tomorrow"), { date: "2026-11-22" }, [], TODAY],
  ["a day of the week", get("/availability?date=Friday&days=2"), { date: "2026-11-27" }, [], TODAY],
  ["a date that is missing", booking({ date: undefined }), { time: BOOKING.time }, ["date"], TODAY],
  ["a closed day", booking({ date: "2026-11-26" }), { dry_run: true }, ["date", "time"], TODAY],
  ["an hour at which no work starts", booking({ time: "09:10" }), { date: BOOKING.date, time: "09:00" }, []],
  ["an unknown field", booking({ quantity: 2 }), { ...BOOKING }],
  ["a service that is not booked online", booking(COATING), { time: BOOKING.time }, ["service_type"]],
  ["a name that is missing", post("/register", MAIL), { ...MAIL, dry_run: true }, ["name"]],
  ["an id that was too long", booking({ booking_request_id: "x".repeat(300) }), { ...BOOKING }, ["booking_request_id"]],
];

for (const [name, { method, path, ...options }, sample, asked, says] of CASES) {
  test(name, async () => {
    const { status, json } = await APP.send(method, API + path, options);
    expect(status).toBeGreaterThanOrEqual(400);
    expect({ ...json.usage.sample_request }).toMatchObject(sample);
    expect(json.usage.sample_request).not.toHaveProperty("consent");
    const { fill_in: fillIn = [] } = json.usage;
    if (asked) expect(fillIn).toEqual(asked);
    for (const path of fillIn) expect(json.usage.sample_request).not.toHaveProperty(path);
    if (says) expect(`${json.message} ${json.agent_instruction}`).toMatch(says);
    const again = await sendSample(APP, method, path, json);
    expect(again.json).toMatchObject({ success: true });
    expect(APP.counts()).toEqual({ leads: 0, bookings: 0, jobs: 0, keys: 0 });
  });
}

/** Sends what the error shows, with the method that it names. */
function sendSample(
  app: ReturnType<typeof testApp>,
  method: string,
  path: string,
  json: { method?: string; usage: { sample_request: Record<string, unknown>; fill_in?: string[] } },
) {
  const meant = json.method ?? method;
  const [plain = ""] = path.split("?");
  const { sample_request, fill_in } = json.usage;
  // Only a dry run is sent, so nothing is stored.
  const sample = filledIn(sample_request, fill_in, ANSWERS);
  if (meant === "POST") return app.post(API + plain, sample);
  const query = new URLSearchParams(
    Object.entries(sample).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return app.get(`${API}${plain}?${query}`);
}

test("a taken slot: the sample is the first alternative, and free", async () => {
  const app = testApp();
  const phones = ["+14045550131", "+14045550132", "+14045550133"];
  const book = (phone: string) =>
    app.post(
      `${API}/bookings`,
      { ...BOOKING, customer_phone: phone, customer_email: `${phone.slice(-4)}@example.com` },
      { from: `198.51.100.${phone.slice(-2)}` },
    );
  for (const phone of phones.slice(0, 2)) expect((await book(phone)).status).toBe(201);
  const { json } = await book("+14045550133");
  expect(json.error_code).toBe("SLOT_TAKEN");
  const [first] = json.alternatives;
  const expected = { date: first.date, time: first.time, customer_phone: "+14045550133", dry_run: true };
  expect(json.usage.sample_request).toMatchObject(expected);
  expect((await app.post(`${API}/bookings`, json.usage.sample_request)).status).toBe(200);
});

test("a refusal that has nothing to do with the work keeps the work, and never names another day", async () => {
  const app = testApp();
  const asked = { date: "2026-11-25", time: "11:00", vehicle_type: "suv", shade: 50, customer_name: "Pat Example" };
  const own = { ...asked, customer_phone: "404-555-0111", customer_email: "pat@example.com" };
  const area = await app.post(`${API}/bookings`, { ...own, postal_code: "90210" });
  expect(area.json.error_code).toBe("OUT_OF_SERVICE_AREA");
  expect(area.json.usage.sample_request).toEqual({ ...own, dry_run: true });
  const move = { confirmation_code: "7K2MQ9XA", phone: "404-555-0111", date: "2026-11-25", time: "11:00", shade: 50 };
  const unknown = await app.post(`${API}/bookings/reschedule`, move);
  expect(unknown.json.error_code).toBe("BOOKING_NOT_FOUND");
  expect(unknown.json.usage).toMatchObject({
    sample_request: { date: "2026-11-25", time: "11:00", shade: 50, dry_run: true },
    fill_in: ["confirmation_code", "phone"],
  });
  const unread = await app.post(`${API}/bookings`, "{");
  expect(unread.json.usage.fill_in).toEqual(expect.arrayContaining(["date", "time"]));
});

test("a method that cancels elsewhere leads to the phone where bookings are changed by phone", async () => {
  const app = appWith({ "bookings.self_service.enabled": false });
  const { json } = await app.send("DELETE", `${API}/bookings/7K2MQ9XA`);
  expect(json.did_you_mean).toBeUndefined();
  expect(json.agent_instruction).toEndWith("To move or cancel the booking, call the shop (+1-404-555-0142).");
});

test("a part of a field's name, if of one alone, means that field", async () => {
  const windows = [{ width_in: 36, height_in: 60, quantity: 8 }];
  const body = { site_type: "commercial", windows, primary: "uv", needs: true, in: 3 };
  const { json } = await APP.post(`${API}/flat-glass/estimate`, body);
  const meant = json.warnings.map(({ field, did_you_mean }: Record<string, string>) => [field, did_you_mean]);
  const expected = { primary: "primary_concern", needs: "needs_ladder", in: undefined };
  expect(Object.fromEntries(meant)).toEqual(expected);
});

test("of many windows with a few faults, the sample keeps the others", async () => {
  const row = { width_in: 24, height_in: 48, quantity: 2, label: "Kitchen" };
  const ask = (windows: object[]) => APP.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
  const body = [{ ...row, width_in: "wide" }, row, { ...row, quantity: undefined }, { ...row, height_in: 0 }];
  const { json } = await ask(body);
  const { sample_request: sample, fill_in: asked, fill_in_hints: hints } = json.usage;
  const { width_in: _, ...first } = row;
  const { quantity: __, ...third } = row;
  const { height_in: ___, ...last } = row;
  expect(sample.windows).toEqual([first, row, third, last]);
  expect([...asked].sort()).toEqual(["windows[0].width_in", "windows[2].quantity", "windows[3].height_in"]);
  expect(hints).toEqual([
    { field: "windows[0].width_in", given: "wide" },
    { field: "windows[3].height_in", given: "0" },
  ]);
  expect((await ask(filledIn(sample, asked, { ...ANSWERS, quantity: 2 }).windows as object[])).status).toBe(200);
  // Of too many faults, the whole list is asked.
  const { usage } = (await ask(Array(200).fill({ ...row, width_in: 0 }))).json;
  expect([usage.sample_request, usage.fill_in]).toEqual([{ site_type: "commercial" }, ["windows"]]);
});

test("unknown fields inside a list are named", async () => {
  const windows = [
    { width_in: 36, height_in: 60, quantity: 8 },
    { width_in: 24, height_in: 48, quantity: 3, colour: "grey", blocket: true },
  ];
  const { status, json } = await APP.post(`${API}/flat-glass/estimate`, { site_type: "commercial", windows });
  const expected = [200, [{ field: "windows[1].colour" }, { field: "windows[1].blocket", did_you_mean: "blocked" }]];
  expect([status, json.warnings]).toMatchObject(expected);
});

test.each([
  ["addons", "no sunroof"],
  ["addons", ["no sunroof"]],
  ["film_type", "no ceramic"],
  ["film_type", "non ceramic"],
  ["service", "no automotive"],
])("a word that is turned round, %s %j, is asked and never put in", async (field, word) => {
  const { json } = await APP.post(`${API}/estimates`, { vehicle_type: "sedan", [field]: word });
  expect([json.usage.sample_request, json.usage.fill_in]).toEqual([{ vehicle_type: "sedan" }, [field]]);
});
