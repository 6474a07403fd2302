/** Sizes, shades, times, cars and lists in a customer's words: understood where one thing can be meant, else asked. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, CATALOG, testApp } from "../helpers.ts";
import { book } from "./manage-requests.ts";
import {
  APP,
  ASK,
  BOOK,
  ESTIMATE,
  type Fields,
  FRIDAY,
  GLASS,
  law,
  send,
  shades,
  type,
  WINDOWS,
} from "./reader-doors.ts";
import { type Asked, asked, asks, each, type Understood, understands } from "./reader-tables.ts";

/** Of square feet, as the area of all panes shows. */
const area = (width: number, height: number, quantity = 1) => ({
  total_sqft: Math.round((width * height * quantity) / 1.44) / 100,
});
const panes = (texts: readonly string[], ...size: Parameters<typeof area>) =>
  texts.flatMap((text) => [...each(WINDOWS, "windows", [[text], text], area(...size))]);
const shaded = (texts: readonly unknown[], ...vlts: (number | null)[]) =>
  each(ESTIMATE, "shade", texts, shades(...vlts));

const UNDERSTOOD: Understood[] = [
  ...panes(["4x6 ft", "4 x 6 feet", "4 by 6 ft", "4x6'", "four by six feet"], 48, 72),
  ...panes(["4 ft wide 6 ft tall", "6 ft tall x 4 ft wide"], 48, 72),
  ...panes(["6 windows 4x6 ft", "6 of 4x6 ft", "(6) 4x6 ft", "six 4x6 ft windows"], 48, 72, 6),
  ...panes(["6 windows, 4 ft by 6 ft", "4x6 ft, qty 6"], 48, 72, 6),
  ...panes(["6 windows, about 4 by 6 feet", "six windows, each 4x6 ft"], 48, 72, 6),
  ...panes(["half a dozen 4x6 ft", "48″×72″ ×6"], 48, 72, 6),
  ...panes(["30x40 ft"], 360, 480),
  ...panes(["3.5 x 5 feet, 4 panes", "4 panes 42x60"], 42, 60, 4),
  ...panes(["3 1/2 x 5 ft", "3½' x 5'"], 42, 60),
  // A comma before a unit is a decimal one, unless three digits follow.
  ...panes(["4 windows 0,5 x 1,5 ft"], 6, 18, 4),
  ...each(
    WINDOWS,
    "windows",
    [
      "0,9 x 1,5 m, 1,2 x 2 m",
      [
        { w: "0,9 m", h: "150,0 cm", qty: 1 },
        { width_m: "1,2", height_m: 2, qty: 1 },
      ],
    ],
    { total_sqft: 40.36 },
  ),
  ...each(GLASS, "total_sqft", ["28,5 m2", "28,5 square meters"], { total_sqft: 306.77 }),
  ...panes(["30x40 cm"], 11.81, 15.75),
  ...panes(["100 x 150 cm"], 39.37, 59.06),
  ...panes(["1.2x1.5 m"], 47.24, 59.06),
  ...panes([`3'x5' 10"`, `3'x5'10"`], 36, 70),
  ...panes(["30x40 x2", "2 30x40", "two 30x40"], 30, 40, 2),
  ...each(WINDOWS, "windows", ["30x40 and 36x60", ["30x40 and 36x60"], ["30x40, 36x60"]], { total_sqft: 23.33 }),
  [WINDOWS, { windows: [{ width: "30 inches wide", height: "40 in tall", quantity: 1 }] }, area(30, 40)],
  ...each(GLASS, "total_sqft", ["1 200", "1'200", "1,200.5"], {}),
  ...each(GLASS, "total_sqft", ["two hundred", "two hundred square feet"], { total_sqft: 200 }),
  [WINDOWS, { windows: [{ width_in: 30, height_in: 40, quantity: "a dozen" }] }, area(30, 40, 12)],
  [WINDOWS, { windows: [{ width_in: 30, height_in: 40, quantity: "about ten" }] }, area(30, 40, 10)],
  [WINDOWS, { windows: [{ width_in: 30, height_in: 40, quantity: "a pair" }] }, area(30, 40, 2)],
  ...each(GLASS, "floors", ["second floor", "single story", "two-story"], {}),
  ...each(GLASS, "blocked_windows", ["no", "two"], {}),
  ...each(BOOK, "vehicle_year", ["'21"], {}),

  ...shaded(["35, rear 5", "35 and rear 5", "35; rear limo", "5 back, front 35", "35 fronts and 5 rears"], 35, 5, 5),
  ...shaded(["20, front 35", "front/rear 35/20", "f35 r20", "35/20 front/rear", ["35% front", "20% rear"]], 35, 20, 20),
  ...shaded(["35 front, 20 back sides, 5 back glass", "35 front and 20 rear sides, limo back window"], 35, 20, 5),
  ...shaded(["rear 20 back glass 5"], null, 20, 5),
  ...shaded(["35 all, 5 back window", "5 on the back window, 35 all around"], 35, 35, 5),
  ...shaded(["35 all", "VLT: 35", "thirty-five percent", "35 all around"], 35, 35, 35),
  ...shaded(["twenty", "twenty percent tint", "front and rear 20"], 20, 20, 20),
  ...shaded(["5% limo"], 5, 5, 5),
  ...shaded(["darkest legal all around", "legal", "legal front, 5 rear"], 50, 5, 5),

  ...each(ESTIMATE, "film_type", ["ceramic IR", "IR ceramic", "the more expensive film"], { film_type: "ceramic" }),
  ...each(
    ESTIMATE,
    "coverage",
    "the two windows in front / driver's and passenger's windows / all front windows / both front windows",
    { coverage: "front2" },
  ),
  ...each(
    ESTIMATE,
    "addons",
    [
      "strip & sunroof",
      ["strip and sunroof"],
      "strip + sunroof",
      "strip/sunroof",
      "strip | sunroof",
      { windshield_strip: true, sunroof: "yes", windshield: false },
    ],
    { total: 827 },
  ),
  ...each(
    ESTIMATE,
    "addons",
    [{ sunroof: true }, [{ name: "sunroof" }], [{ title: "sunroof" }], "panoramic moonroof", ["pano"]],
    {
      total: 728,
    },
  ),
  ...each(ESTIMATE, "addons", ["no extras", "nothing"], { total: 599 }),
  ...each(ESTIMATE, "remove_old_film", ["yes please", "sure"], { total: 824 }),
  ...each(ESTIMATE, "remove_old_film", ["no thanks", "nope"], { total: 599 }),
  ...each(ESTIMATE, "vehicle_type", ["7-seater SUV", "2022 SUV", "black SUV"], type("suv")),
  [BOOK, { special_requests: ["call first", "two keys"] }, {}],
  ...each(GLASS, "site_type", "dentist's office / law office / coffee shop / factory", {
    site_type: "commercial",
  }),
  ...each(GLASS, "site_type", ["residence"], { site_type: "residential" }),
  ...each(GLASS, "primary_concern", ["it's too hot"], { primary_concern: "heat" }),
  ...each(GLASS, "primary_concern", ["energy bill"], { primary_concern: "energy" }),
  ...each(GLASS, "primary_concern", ["break-in"], { primary_concern: "security" }),
  ...each(GLASS, "primary_concern", ["sun glare"], { primary_concern: "glare" }),
  ...each(GLASS, "primary_concern", ["UV rays"], { primary_concern: "uv" }),
  ...each(ESTIMATE, "jurisdiction", ["N. Carolina", "north carolina"], law("US-NC")),
  ...each(ESTIMATE, "jurisdiction", ["Calif.", "Calif", "Sacramento, Calif."], law("US-CA")),
  ...each(ESTIMATE, "jurisdiction", ["Washington DC", "Washington, D.C.", "D.C."], law("US-DC")),

  ...each(BOOK, "time", ["2:00", "14h", "2 o'clock", "2pm ET", "2 pm EST"], { time: "14:00" }),
  ...each(BOOK, "time", ["9am sharp", "9 am, please"], { time: "09:00" }),
  ...each(BOOK, "time", ["noon please", "12:00 noon"], { time: "12:00" }),
  ...each(BOOK, "date", ["4-Dec-2026", "the 4th of December, 2026", "4. December 2026"], { date: FRIDAY }),
  ...each(BOOK, "date", "Friday, 2026-12-04 / 2026-12-04 (Friday) / Dec 4, 2026 (Fri.) / 2026–12–04", {
    date: FRIDAY,
  }),
  ...["Dec 4, 2026 2pm", "Friday December 4, 2026 at 2 pm", `${FRIDAY}T19:00:00Z`].map(
    (date): Understood => [BOOK, { date, time: undefined }, { date: FRIDAY, time: "14:00" }],
  ),
  [BOOK, { date: "2026-12-11 noon", time: undefined }, { date: "2026-12-11", time: "12:00" }],
  [BOOK, { date: undefined, time: "2026-12-11T12:00" }, { date: "2026-12-11", time: "12:00" }],
  [BOOK, { time: `${BOOKING.date} 2pm` }, { date: BOOKING.date, time: "14:00" }],
];

const noTime = (date: string): Asked => [BOOK, { date, time: undefined }, "date"];

const ASKED: Asked[] = [
  ...asked(BOOK, "time", ["9", 9, "12", "two", "6:00", "8", "2h", "2:00 or 3:00", "2pm PT", "about 2pm"]),
  ...asked(BOOK, "date", ["12/31/2026", "31/12/2026", "Monday, 2026-12-04", "2026-12-04 (Monday)"]),
  [BOOK, { time: `${FRIDAY}T14:00` }, "time"],
  [BOOK, { time: `${FRIDAY}T14:00` }, "date", /another day/],
  ...[`${FRIDAY}T14:00:00Z`, `${FRIDAY}T03:00:00Z`, "02/03/2026"].map(noTime),
  ...["4 ft x 6", "2 x 30 x 40", "3'x5' 10", "6 ft wide x 4 ft wide", "4 ft 18 x 5 ft"].flatMap((one) =>
    asked(WINDOWS, "windows", [[one]], "windows[0]"),
  ),
  [WINDOWS, { windows: [{ width_in: "30 inches tall", height_in: 40, quantity: 1 }] }, "windows[0].width_in"],
  ...asked(GLASS, "total_sqft", ["2.000", "1.200", "nine fifty"]),
  ...asked(ESTIMATE, "shade", ["35% rear 5%", "front 35 front 20", "20% limo", "35/20 front", "20 to 35", "5 windows"]),
  ...asked(ESTIMATE, "shade", ["35 sides 5 rear", "not 35", "limo rear and 35 front and back"]),
  ...asked(ESTIMATE, "addons", [{ sunroof: "maybe" }]),
  ...asked(ESTIMATE, "addons", [["sunroof and warranty"]], "addons[0]"),
  ...asked(ASK, "service_type", ["flat glass"]),
];

understands(UNDERSTOOD);
asks(ASKED);

describe("over each way in turn", () => {
  test.each(
    "golf cart, Polaris Ranger, Ranger boat, bus 300, Airbus A4, Spark plug, Mustang SUV, Civic coupe, Camry and RAV4, Camry RAV4, Q5 and X5, SUV/crossover"
      .split(", ")
      .concat("Camry, RAV4"),
  )("%s is no known car: the type is asked, and the sample has none", async (vehicle_type) => {
    const { success, usage } = await send(APP, ESTIMATE, { vehicle_type });
    expect(success).toBe(false);
    const { sample_request: sample, fill_in }: Fields = Object(usage);
    expect(sample).not.toHaveProperty("vehicle_type");
    expect(fill_in).toContain("vehicle_type");
  });

  test.each([
    ["Toyota Camry", "sedan"],
    ["2021 Toyota Camry SE", "sedan"],
    ["Camry sedan", "sedan"],
    ["black F-150 XLT", "truck"],
    ["Chevy Malibu", "sedan"],
    ["Silverado 1500 crew cab", "truck"],
    ["GX 460", "suv"],
    ["F-150 Lightning", "truck"],
    ["Civic Type R", "sedan"],
    ["Jeep Grand Cherokee Trailhawk 4x4", "suv"],
  ])("%s is a known car: the sample has its type", async (vehicle_type, meant) => {
    const { usage } = await send(APP, ESTIMATE, { vehicle_type });
    expect(usage).toMatchObject({ sample_request: { vehicle_type: meant } });
  });

  test("two cars as the model have no type", async () => {
    const two = { vehicle_type: undefined, vehicle_make: "Toyota", vehicle_model: "Camry and RAV4" };
    const { data } = await send(APP, BOOK, two);
    expect(data).toMatchObject({ vehicle: { type: null, model: "Camry and RAV4" }, estimate: null });
  });

  // The clock stands on a Saturday.
  const DAYS: [said: string, meant: string | undefined, why: string][] = [
    ["Dec 4", FRIDAY, ""],
    ["Friday December 4", FRIDAY, ""],
    ["Friday", "2026-11-27", ""],
    ["Monday", "2026-11-23", ""],
    ["Saturday", undefined, ""],
    ["tomorrow", undefined, "; 2026-11-22 cannot be booked: The shop is closed on Sundays."],
    ["Thursday", undefined, "; 2026-11-26 cannot be booked: Thanksgiving"],
  ];
  test.each(DAYS)("the day %s is in the sample as %s", async (date, meant, why) => {
    const { success, usage, invalid_fields } = await send(APP, BOOK, { date });
    expect([success, invalid_fields[0].message]).toEqual([false, `must be a date written YYYY-MM-DD${why}`]);
    expect(Object(usage).sample_request.date).toBe(meant);
  });
});

test("a shop that is open at both halves of the day is asked which", async () => {
  const hours = Object.fromEntries(
    Object.keys(CATALOG.business.hours).map((day) => [day, [{ opens: "01:00", closes: "23:00" }]]),
  );
  const app = appWith({ "business.hours": hours });
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, dry_run: true, time: "2:00" });
  expect(json.invalid_fields).toContainEqual(expect.objectContaining({ field: "time" }));
});

test("a code is read among words and marks, and never one of several", async () => {
  const app = testApp();
  const { json: booked } = await app.post(`${API}/bookings`, BOOKING);
  const code: string = booked.data.confirmation_code;
  const halves = `${code.slice(0, 4)} ${code.slice(4)}`;
  const status = async (confirmation_code: string) => {
    const proof = { confirmation_code, phone: BOOKING.customer_phone };
    return (await app.post(`${API}/bookings/cancel`, { ...proof, dry_run: true })).status;
  };
  for (const before of ["#", "code ", "Code: ", "booking code ", '"', "(", "my code is ", "it's #", "Booking: "])
    for (const after of ["", ".", '"', ")", ", thanks", " please"])
      expect([before, after, await status(before + code + after)]).toEqual([before, after, 200]);
  for (const typed of [halves, `my code is ${halves}`, halves.toLowerCase().replace(" ", "-")])
    expect(await status(typed)).toBe(200);
  for (const other of ["7K2MQ9XB", "ABCDFGHJ"]) expect(await status(`${code} or ${other}`)).toBe(404);
});

test.each([
  "404-555-0188 (ask for Dana)",
  "404-555-0188 after 5pm",
  "Dana: 404-555-0188",
  "404-555-0188, text only",
  "404-555-0188 or ask my wife",
])("words beside a phone go to the shop: %s", async (customer_phone) => {
  const app = testApp();
  const sent = { ...BOOKING, customer_phone, special_requests: "Please be on time" };
  const { data, warnings } = (await app.post(`${API}/bookings`, sent)).json;
  expect(data.special_requests).toBe(`Please be on time\ncustomer_phone: ${customer_phone}`);
  expect(JSON.stringify(warnings)).toContain("go to the shop in special_requests");
});

test.each(["404-555-0188 (cell)", "call me at 404-555-0188", "my number is 404-555-0188"])(
  "words that say what a phone is are no note: %s",
  async (customer_phone) => {
    const { data } = (await APP.post(`${API}/bookings`, { ...BOOKING, customer_phone, dry_run: true })).json;
    expect(data.special_requests ?? null).toBeNull();
  },
);

test("the same time in a change is that of the booking", async () => {
  const app = testApp();
  const { proof } = await book(app, { time: "10:00" });
  const { json } = await app.post(`${API}/bookings/reschedule`, { ...proof, date: FRIDAY, time: "same time" });
  expect(json).toMatchObject({ missing_fields: ["time"], usage: { sample_request: { date: FRIDAY, time: "10:00" } } });
});

test.each([
  ["two weeks", 14],
  ["a week", 7],
])("open times of %s", async (days, number) => {
  const { json } = await testApp().get(`${API}/availability?vehicle_type=coupe&from=${FRIDAY}&days=${days}`);
  expect(json.data.days).toHaveLength(number);
});

test("open times after 2:00 are those of the afternoon", async () => {
  const { json } = await testApp().get(`${API}/availability?vehicle_type=coupe&date=${FRIDAY}&after=2:00`);
  expect(json.warnings).toContainEqual(expect.objectContaining({ code: "UNDERSTOOD", field: "after" }));
  expect(json.data.slots[0]).toMatchObject({ time: "14:00" });
});
