/** The customers' page on the server: forms, prices, errors, and who may send them. */
import { describe, expect, test } from "bun:test";
import { API, appWith, BOOKING, catalogWith, fileApp, freshPhone, testApp } from "../helpers.ts";
import { CALIFORNIA } from "../shops.ts";
import { APP, actionOf, BOOKING_FORM, bookedBy, CHOSEN, fieldsOf, filled, OWN, type Page, say, send } from "./form.ts";

const NO_PRICE = "We have no list price for it: please call \\(404\\) 555-0142\\.";
const TIME = 'value="2026-11-24T09:00"';
const BY_PHONE = { "bookings.self_service.enabled": false };
const BRITISH = {
  currency: "GBP",
  "business.address.country": "GB",
  "business.phone": "+44 20 7946 0018",
  "messages.sms_countries": ["GB"],
};

say([
  ["/book?vehicle_type=suv&film_type=ceramic", ['"price">$349</span>', '"price">$599</span>', TIME], [BOOKING_FORM]],
  [`${CHOSEN}&addons=windshield_strip&addons=sunroof&remove_old_film=true`, ['<p class="total">$1,052</p>']],
  // Before a vehicle is named, the next free time is beside the price, and cars of the catalog are suggested.
  ["/book", ["Next: <b>Mon, Nov 23, 9 AM</b>", /<input id="car" [^>]*list="cars"/, "<option>Toyota Camry<option>"]],
  // A film says what of infrared it blocks, and solar heat only where that is known.
  ["/book", ["<span>Infrared blocked</span><b>93%</b>"], ["eat kept out"]],
  [
    "/book",
    ["<span>Solar heat kept out</span><b>56%</b>"],
    [],
    { "automotive.films.ceramic.solar_heat_rejection_pct": 56 },
  ],
  ["/book?vehicle_type=coupe", [/First free: <button class="quiet" name="start" value="2026-11-21T12:00"/]],
  ["/book?vehicle_type=coupe", [">today 12 PM</button>", "<li>Thu, Nov 26: Thanksgiving</li>"]],
  // Other work has one price and no shades.
  ["/book?service_type=film_removal&vehicle_type=suv", [TIME], ["front_shade"]],
  ["/book?service_type=clearplex&vehicle_type=suv", [TIME], ["front_shade"]],
  // A vehicle without a price leads to a call, whatever type is chosen, and a golf cart is no Golf.
  ...["", "&vehicle_type=van", "&vehicle_type=van&start=2026-11-24T09:00"].map(
    (more): Page => [
      `/book?car=my+motorhome${more}`,
      [new RegExp(`id="car-fault">${NO_PRICE}`), 'id="vehicle_type-van"'],
      [/Almost there|vehicle_type" value="van" checked/],
    ],
  ),
  ["/book?car=golf+cart", [new RegExp(NO_PRICE), '<p class="total">from $249</p>']],
  ["/book?car=golf+cart&car_before=golf+cart&vehicle_type=coupe", [new RegExp(NO_PRICE), '"total">from $249</p>']],
  // Amounts and times are written as the shop's country writes them.
  [CHOSEN, ["£599", "Tue 24 Nov, 9:00"], [], BRITISH],
  ["/book/manage", ["Bookings are changed by phone here"], ["<form"], BY_PHONE],
  // No hold is offered where the shop has none, or changes bookings by phone.
  [CHOSEN, ['value="book"'], ["book_hold"], BY_PHONE],
  [CHOSEN, ['value="book"'], ["book_hold"], { "bookings.hold_minutes": 0 }],
  [CHOSEN, ["Appointments are made by phone here"], ['name="do"'], { "bookings.require_api_key": true }],
]);

/** The chosen shades, front and rear. */
function checkedShades(text: string): (string | undefined)[] {
  return [...text.matchAll(/id="(?:front|rear)_shade-(\d+)"[^>]* checked/g)].map(([, vlt]) => vlt);
}

describe("choosing", () => {
  test("without a vehicle every film shows its span of prices, and no time", async () => {
    const { status, text, headers } = await APP.get("/book");
    expect(status).toBe(200);
    expect(text).toContain("$249 – $379");
    expect(text).toContain("$449 – $649");
    expect(text).not.toContain('name="start"');
    expect(headers.get("x-robots-tag")).toBeNull();
    expect(text).toContain('<link rel="canonical" href="https://marlowridge.example/book">');
    // A program is told where its own ways are.
    for (const [link, path] of [
      ['rel="alternate" type="text/markdown"', "/llms.txt"],
      ['rel="service"', "/mcp"],
      ['rel="service-desc" type="application/json"', "/.well-known/agent-card.json"],
    ])
      expect(text.split("</head>")[0]).toContain(`<link ${link} href="https://marlowridge.example${path}"`);
  });

  test("what an address says without a vehicle is carried on to the next page", async () => {
    const { text } = await APP.get("/book?film_type=ceramic&front_shade=50&start=2026-11-24T09:00&addons=sunroof");
    const fields = fieldsOf(text, '<form class="options" id="choose" method="get"');
    fields.set("vehicle_type", "suv");
    expect((await APP.get(`/book?${fields}`)).text).toContain("Book Tue, Nov 24, 9:00 AM for $728");
  });

  test.each([
    ["front_shade=50&rear_shade=50", "Legal in Georgia", "Too dark"],
    [
      "front_shade=15&rear_shade=50",
      "Not legal in Georgia on the front side windows; the darkest that is: 50%.",
      "VLT",
    ],
    ["front_shade=5&rear_shade=5", "front side windows, rear side windows and rear window; the darkest", "Legal in"],
    ["front_shade=40&rear_shade=50", "On the front side windows it depends on your glass", "Not legal"],
    [
      "front_shade=50&rear_shade=50&jurisdiction=US-NJ",
      "in New Jersey on the front side windows, where no film",
      "Georgia allows",
    ],
  ])("the law of %s: %s", async (query, said, unsaid) => {
    const { text } = await APP.get(`/book?vehicle_type=sedan&film_type=ceramic&${query}`);
    const verdicts = text.match(/<p class="verdict.*?<\/p>/g) ?? [];
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toContain(said);
    expect(text).not.toContain(unsaid);
  });

  test.each([
    ["car=21+highlander", "suv", "For the price, a Toyota Highlander is: SUV"],
    ["car=2022+Honda+CR-V&vehicle_type=sedan", "crossover", "For the price, a Honda CR-V is: crossover"],
    // A class that was chosen after the car was named stays.
    ["car=21+highlander&car_before=21+highlander&vehicle_type=truck", "truck", "Toyota Highlander"],
    ["car=Zonda+R&vehicle_type=coupe", "coupe", "We do not know this model"],
    ["car=Zonda+R", undefined, "We do not know this model"],
    ["car=pickup", "truck", "For the price it is: Truck."],
    ["car=2019+minivan", "van", "For the price it is: Van."],
    ["car=a+hatchback", "sedan", "For the price it is: Sedan."],
    ["car=SUV", "suv", "For the price it is: SUV."],
    ["car=%3Cb%3E&vehicle_type=suv", "suv", 'value="&lt;b&gt;"'],
  ])("%s picks the class of the car: %s", async (query, type, said) => {
    const { text } = await APP.get(`/book?${query}`);
    const picked = /name="vehicle_type" value="(\w+)" checked/.exec(text)?.[1];
    expect(picked).toBe(type);
    expect(text.toLowerCase()).toContain(said.toLowerCase());
    expect(text.indexOf('name="car"')).toBeLessThan(text.indexOf('name="vehicle_type"'));
  });

  test.each([
    ["Honda", "Which one is it?", ["Honda Civic", "Honda CR-V", "Honda Pilot"]],
    ["2019 mercedes", "Which one is it?", ["Mercedes-Benz C-Class"]],
    ["Honda Cibic", "Do you mean this one?", ["Honda Civic"]],
    ["2021 Camyr", "Do you mean this one?", ["Toyota Camry"]],
  ])("%s asks: %s, and its buttons work without a script", async (car, said, models) => {
    const app = testApp();
    const { text } = await app.get(`/book?car=${encodeURIComponent(car)}`);
    expect(text).toContain(said);
    const found = [...text.matchAll(/name="car" value="([^"]*)" formaction/g)].map(([, name]) => name);
    expect(found).toEqual(expect.arrayContaining(models));
    if (said.startsWith("Do")) expect(found).toEqual(models);
    const next = await app.get(
      `/book?car=${encodeURIComponent(car)}&car_before=${encodeURIComponent(car)}&car=${encodeURIComponent(models[0] ?? "")}`,
    );
    expect(next.text).toContain(`For the price, a ${models[0]} is:`);
  });

  test("beside a shade that is not legal stands a button for the job that is, which works without a script", async () => {
    const path = "/book?vehicle_type=suv&film_type=ceramic&front_shade=32&rear_shade=15";
    const { text } = await APP.get(path);
    expect(text).toContain('name="legal" value="instead" formaction="/book">Use 50%, legal</button>');
    const after = await APP.get(`${path}&legal=instead`);
    for (const shade of ["front_shade-50", "rear_shade-15"]) expect(after.text).toContain(`id="${shade}" name`);
    expect(checkedShades(after.text)).toEqual(["50", "15"]);
  });

  test("where no film is legal on some glass, the shop decides on it, and the rest is as dark as the law lets it be", async () => {
    const path = "/book?vehicle_type=sedan&film_type=ceramic&jurisdiction=US-NJ&start=2026-11-24T09:00&front_shade=15";
    const app = testApp();
    const { text } = await app.get(`${path}&rear_shade=15`);
    const decide = "Decide on the front side windows at the shop</button>";
    expect(text.split(decide)).toHaveLength(3);
    expect(text).toContain("<b>no film front, 5% rear</b>");
    const after = await app.get(`${path}&rear_shade=15&legal=instead`);
    expect(checkedShades(after.text)).toEqual(["15"]);
    const rest = "Legal in New Jersey on the rear side windows and rear window";
    expect(after.text).toContain(`${rest}. No film is allowed in New Jersey on the front side windows.`);
    expect(after.text).toContain('name="do" value="book"');
    expect(checkedShades((await app.get(`${path}&legal=darkest`)).text)).toEqual(["5"]);
    const front = await app.get(`${path}&coverage=front2`);
    expect(front.text).toContain(decide);
    expect(front.text).not.toContain("Darkest legal for");
  });

  test("the last moment for a change says that it is today", async () => {
    const app = testApp({ now: Temporal.Instant.from("2026-11-23T20:00:00Z") });
    const path = "/book?vehicle_type=coupe&film_type=standard&start=";
    const { text } = await app.get(`${path}2026-11-24T09:00`);
    expect(text).toContain("Free to move or cancel online until 3:30 PM today.");
    expect(text).toContain("<dd>free online until 3:30 PM today</dd>");
    expect((await app.get(`${path}2026-11-25T09:00`)).text).toContain("cancel online until Tue, Nov 24, 9:00 AM.");
  });

  test.each([
    ["front_shade=50&coverage=front2", "Legal in Georgia."],
    ["front_shade=50", "Legal in Georgia on the front side windows."],
    ["addons=windshield_strip", "Legal in Georgia on the windshield."],
    ["", undefined],
  ])("legal is said only of glass whose shade is chosen: %s", async (query, said) => {
    const { text } = await APP.get(`/book?vehicle_type=sedan&film_type=ceramic&${query}`);
    expect(/<p class="verdict good"><span>(.*?)<\/span>/.exec(text)?.[1]).toBe(said);
  });

  test.each([
    ["addons=windshield&rear_shade=15", "Leave that film out, legal"],
    ["addons=windshield&front_shade=5&rear_shade=15", "Make all of it legal"],
    ["front_shade=5&rear_shade=15", "Use 50%, legal"],
  ])("the button says all that it changes: %s", async (query, label) => {
    const path = `/book?vehicle_type=suv&film_type=ceramic&${query}`;
    const { text } = await APP.get(path);
    expect(/<p class="verdict bad">.*?value="instead"[^>]*>([^<]*)/.exec(text)?.[1]).toBe(label);
    expect((await APP.get(`${path}&legal=instead`)).text).toContain('<p class="verdict good">');
  });

  test("the first choice of shade is the darkest that is legal for the car, on all glass", async () => {
    const path = "/book?car=2022+Camry&vehicle_type=sedan&film_type=ceramic";
    const { text } = await APP.get(path);
    expect(text).toMatch(
      /aria-pressed="false"><span>Darkest legal for your Toyota Camry:<\/span> <b>50% front, 50% rear/,
    );
    expect(text.indexOf('value="darkest"')).toBeLessThan(text.indexOf('name="front_shade"'));
    const after = await APP.get(`${path}&front_shade=5&legal=darkest`);
    expect(checkedShades(after.text)).toEqual(["50", "50"]);
    expect(after.text).toContain('aria-pressed="true"><span>Darkest legal');
    expect((await APP.get(path.replace("car=2022+Camry&", ""))).text).toContain("Darkest legal for your sedan:");
    expect(text.match(/Decide at the shop/g)).toHaveLength(2);
  });

  test("each shade says whether it is legal, depends on the glass, or is not", async () => {
    const { text } = await APP.get("/book?vehicle_type=sedan&film_type=ceramic");
    const row = text.slice(text.indexOf('aria-label="Front side windows"'), text.indexOf('aria-label="Rear windows"'));
    const said = [...row.matchAll(/<label class="swatch".*?<\/label>/gs)].map(([one]) => [
      /value="(\d*)"/.exec(one)?.[1],
      /role="img" aria-label="(.*?)"/.exec(one)?.[1],
    ]);
    expect(said).toContainEqual(["15", "not legal in Georgia"]);
    expect(said).toContainEqual(["40", "may be legal in Georgia"]);
    expect(said).toContainEqual(["50", "legal in Georgia"]);
  });

  test("a shade goes by the number it is sold under; what it measures is told once", async () => {
    const path = "/book?vehicle_type=suv&film_type=ceramic&front_shade=32&rear_shade=32&start=2026-11-24T09:00";
    const { app, page, fields, action } = await filled(testApp(), path);
    fields.set("do", "book_anyway");
    fields.set("not_legal_reason", "elsewhere");
    const { headers } = await send(app, action, fields);
    const booked = await app.get(headers.get("location") ?? "");
    for (const text of [page.text, booked.text]) expect(text).toContain("<dd>30% all round</dd>");
    expect(page.text).toContain('aria-label="SUV from the side: front windows at 30%, rear windows at 30%"');
    const said = page.text.replace(/<details class="law"><summary>About the law.*?<\/details>/s, "");
    expect(said.match(/32%/g)).toHaveLength(1);
    expect(said).toContain("30% lets 32% through");
    const jersey = await app.get(path.replace("front_shade=32", "front_shade=15&jurisdiction=US-AL"));
    expect(jersey.text).not.toContain("Use 32%,");
  });

  test("a film that does not come in a shade takes the nearest one, and says so; not of glass that gets no film", async () => {
    const said = "Standard film does not come in the darkness you asked for. The nearest is chosen: ";
    const { text } = await APP.get("/book?vehicle_type=suv&film_type=standard&front_shade=40&rear_shade=15");
    expect(checkedShades(text)).toEqual(["35", "20"]);
    expect(text).toContain(`${said}front 35%, rear 20%.`);
    for (const query of ["front_shade=35&rear_shade=20", "coverage=front2&front_shade=35&rear_shade=40"])
      expect((await APP.get(`/book?vehicle_type=suv&${query}`)).text).not.toContain(said);
  });

  test.each([
    ["automotive", ["When can I roll the windows down?", "Is there a warranty on the film?"]],
    ["film_removal", ["Can you remove old or bubbling tint?"]],
    ["clearplex", ["What is the clear windshield protective film?"]],
  ])("the three questions below the page are those of %s, then general ones", async (service, own) => {
    const { text } = await APP.get(`/book?service_type=${service}`);
    const asked = [...text.matchAll(/<summary class="questions-line">(.*?)<\/summary>/g)].map(([, one]) => one);
    const general = ["How do I cancel or move a booking?", "Do I pay when I book?"];
    expect(asked).toEqual([...own, ...general].slice(0, 3));
  });

  test("behind Later days stand four weeks, each day with its state; a free one leads to its times", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    await app.post(`${API}/bookings`, { ...BOOKING, date: "2026-12-05", time: "10:00" });
    const turns = (text: string, field = "from|month") =>
      [...text.matchAll(new RegExp(`class="quiet" name="(?:${field})" value="([^"]+)"`, "g"))].map(([, date]) => date);
    const { text } = await app.get("/book?vehicle_type=suv&from=2026-11-28");
    expect(turns(text)).toEqual(["2026-11-21", "2026-11-28"]);
    const month = await app.get("/book?vehicle_type=suv&month=2026-11-21");
    const shown = /<ul class="month".*?<\/ul>/s.exec(month.text)?.[0] ?? "";
    const days = [...shown.matchAll(/<li(?: class="day")?>(<button [^>]*value="([^"]+)")?.*?<small>(.*?)<\/small>/g)];
    expect(days).toHaveLength(28);
    const said = days.map(([, , date, state]) => [date, state]);
    expect(said.slice(0, 3)).toEqual([
      [undefined, "no time"],
      [undefined, "closed"],
      ["2026-11-23", "free"],
    ]);
    expect(month.text).toContain("<li>Thu, Nov 26: Thanksgiving</li>");
    expect(turns(month.text)).toEqual(["2026-12-19"]);
    expect(turns((await app.get("/book?vehicle_type=suv&month=2027-01-16")).text)).toEqual(["2026-12-19"]);
    const late = testApp({ now: Temporal.Instant.from("2026-11-24T22:30:00Z") });
    expect((await late.get("/book?vehicle_type=suv&month=2026-11-24")).text).toContain("<small>over</small>");
  });

  test("the days shown hold the time that is chosen, and the page says which day that is", async () => {
    const shown = async (start: string) => {
      const { text } = await APP.get(`/book?vehicle_type=suv&start=${start}`);
      return [/id="day-([^"]+)" name="day" form="looking" checked/.exec(text)?.[1], text.includes(BOOKING_FORM)];
    };
    expect(await shown("2026-11-27T09:00")).toEqual(["2026-11-27", true]);
    expect(await shown("2026-12-01T09:00")).toEqual(["2026-12-01", true]);
    expect(await shown("2026-12-01T09:00&from=2026-11-23")).toEqual(["2026-11-23", true]);
  });

  test.each([
    ["at 3 AM", "2026-11-24T03:00"],
    ["on Thanksgiving", "2026-11-26T09:00"],
    ["in 2020", "2020-01-06T09:00"],
    ["after the last day", "2099-12-01T09:00"],
    ["on a day that does not exist", "2026-02-30T09:00"],
    ["too late for longer work", "2026-11-24T14:00&addons=windshield_strip&addons=sunroof&remove_old_film=true"],
    ["on days that are not shown", "2026-12-01T03:00&from=2026-11-23"],
  ])("a time %s is not chosen, and the page says so", async (_, start) => {
    const { text } = await APP.get(`/book?vehicle_type=suv&start=${start}`);
    expect(text).toContain("is not free for this work. Please pick another time.");
    expect(text).not.toMatch(/class="slot"[^>]* aria-pressed/);
    expect(text).not.toContain('name="do"');
  });

  test("days without an open time lead to the next one", async () => {
    const days = ["23", "24", "25", "27", "28"].map((day) => `2026-11-${day}`);
    const app = appWith({ "scheduling.blocked_dates": ["2026-11-21", ...days] });
    const { text } = await app.get("/book?vehicle_type=suv");
    expect(text).toMatch(/There is no open time from Sat, Nov 21 to Fri, Nov 27\. <a [^>]+>\(404\) 555-0142</);
    expect(text).toContain('value="2026-11-30" formaction="/book#times">Next open day: Mon, Nov 30');
  });

  test("another shop's words, without buildings", async () => {
    const app = testApp({ catalog: CALIFORNIA });
    const { text } = await app.get("/book?vehicle_type=kei&film_type=carbon");
    expect(text).toContain("Kei");
    expect(text).not.toContain("/book/glass");
  });
});

describe("the picture", () => {
  const bodyOf = (text: string) => /<path id="outline" d="([^"]+)"/.exec(text)?.[1] ?? "";

  test("every vehicle type of the shop has a drawing of its own, on its tile too", async () => {
    const { text } = await APP.get("/book");
    const types = [...text.matchAll(/name="vehicle_type" value="(\w+)"/g)].map(([, type = ""]) => type);
    expect(types.length).toBeGreaterThan(6);
    const bodies = await Promise.all(
      types.map(async (type) => bodyOf((await APP.get(`/book?vehicle_type=${type}`)).text)),
    );
    expect(new Set(bodies).size).toBe(types.length);
    for (const body of bodies) expect(text).toContain(`<path class="shape" d="${body}"`);
  });

  test("strip and sunroof are drawn when they are chosen", async () => {
    const drawn = async (addons: string) => {
      const { text } = await APP.get(`/book?vehicle_type=suv&${addons}`);
      return [text.includes('clip-path="url(#top)"'), text.includes('class="sunroof"')];
    };
    expect(await drawn("")).toEqual([false, false]);
    expect(await drawn("addons=windshield_strip")).toEqual([true, false]);
    expect(await drawn("addons=sunroof")).toEqual([false, true]);
  });
});

describe("hostile input", () => {
  const NASTY = `"><script>alert(1)</script><img src=x onerror='a'>`;
  test.each(`vehicle_type film_type coverage addons jurisdiction from start front_shade nobody`.split(/\s+/))(
    "in the query, %s",
    async (name) => {
      for (const value of [NASTY, "2026-13-99T99:99", "__proto__", "%00", "9".repeat(400)]) {
        const query = new URLSearchParams({ vehicle_type: "suv", [name]: value });
        const { status, text } = await APP.get(`/book?${query}`);
        expect(status).toBe(200);
        expect(text).not.toContain("<img src=x");
      }
    },
  );

  test("in the form: it comes back as text, beside its fault", async () => {
    const { app, fields, action } = await filled();
    fields.set("customer_name", NASTY);
    fields.set("customer_email", "nobody");
    fields.set("special_requests", `${NASTY}</textarea>`);
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(400);
    expect(text).not.toContain("<img src=x");
    expect(text).not.toContain("alert(1)</script>");
    expect(text).toContain('aria-describedby="customer_email-fault" aria-invalid="true"');
  });

  test("in the catalog", async () => {
    const { text } = await appWith({ "business.name": NASTY, "site.texts.title": `<b>${"x".repeat(20)}` }).get("/book");
    expect(text).not.toContain("<img src=x");
    expect(text).not.toContain("<b>xxx");
  });
});

describe("booking", () => {
  /** The form as it came back, with what had been typed. */
  function mended(text: string, typed: URLSearchParams): URLSearchParams {
    const fields = fieldsOf(text, BOOKING_FORM);
    for (const name of ["customer_name", "customer_phone", "customer_email"])
      expect([name, fields.get(name)]).toEqual([name, typed.get(name)]);
    fields.set("do", "book");
    return fields;
  }

  test("leads to a page that can be reloaded, and that tells nothing about the person", async () => {
    const app = fileApp();
    const { fields, action } = await filled(app);
    expect(action).not.toMatch(/Example|555-?0111/i);
    const { status, headers } = await send(app, action, fields);
    expect(status).toBe(303);
    const location = headers.get("location") ?? "";
    expect(location).toMatch(/^\/book\/booked\/[0-9A-Z]{8}\?estimate=/);
    const booked = await app.get(location);
    expect(booked.text).toContain("You are booked");
    expect(booked.text).toContain("Tuesday, November 24, 9:00 AM");
    expect(booked.text).toContain("$599");
    expect(booked.text).not.toMatch(/Pat Example|555-0111|pat@example/);
    for (const said of [
      "about 1 PM",
      "No payment now",
      '<a href="https://marlowridge.example/map">100 Example Parkway',
      "Directions</a>",
      "until Mon, Nov 23, 9:00 AM.",
      "No confirmation is sent: save this page",
      'href="/book" data-anew>Book another vehicle',
    ])
      expect([said, booked.text.includes(said)]).toEqual([said, true]);
    expect(booked.headers.get("x-robots-tag")).toBe("noindex");
    expect(booked.headers.get("cache-control")).toBe("no-store");
    expect(app.counts()).toMatchObject({ bookings: 1, leads: 1 });
    const [lead] = app.db.query<{ consent: string; details: string }, []>("SELECT consent FROM leads").all();
    expect(JSON.parse(lead?.consent ?? "")).toMatchObject({ confirmed_by_user: true });
  });

  test("has an unticked box of its own for texts, where the shop sends any; only a ticked one is a consent to texts", async () => {
    const without = await filled(fileApp());
    expect(without.fields.has("consent_sms")).toBe(false);
    // Also where a consent may be implied, a box that was left blank is a no.
    const implied = { "messages.sms_consent": "implied" };
    const catalog = catalogWith({ "messages.confirmation_sms.enabled": true, ...implied });
    const consents: unknown[] = [];
    for (const isTicked of [false, true]) {
      const app = fileApp({ catalog });
      const { fields, action } = await filled(app);
      const page = await app.get(CHOSEN);
      expect(page.text).toMatch(
        /<input id="consent_sms" name="consent_sms" type="checkbox" value="yes"><label[^>]*>Text me about/,
      );
      if (isTicked) fields.set("consent_sms", "yes");
      else fields.delete("consent_sms");
      const { headers } = await send(app, action, fields);
      const location = headers.get("location") ?? "";
      const [lead] = app.db.query<{ consent: string }, []>("SELECT consent FROM leads").all();
      consents.push(JSON.parse(lead?.consent ?? ""));
      const booked = await app.get(location);
      expect(booked.text).toContain(isTicked ? "A confirmation goes to your phone." : "No confirmation is sent");
      const kinds = app.db.query<{ kind: string }, []>("SELECT kind FROM jobs").all();
      expect(kinds.some(({ kind }) => kind === "confirmation_sms")).toBe(isTicked);
    }
    const { consent, sms_consent } = catalog.site.texts;
    expect(consents).toEqual([
      { confirmed_by_user: true, sms: false, statement: consent },
      { confirmed_by_user: true, sms: true, statement: `${consent} ${sms_consent}` },
    ]);
  });

  test("the last step is one line, three fields and the button; the rest is folded", async () => {
    const { page } = await filled();
    const step = page.text.slice(page.text.indexOf('<section class="details sheet"'));
    const open = step.replace(/<details.*?<\/details>/gs, "");
    expect(open).toContain(
      '<b>Tue, Nov 24, 9 AM</b> · ready about 1 PM · <b class="amount">$599</b> · pay at the shop',
    );
    expect(open.match(/<(input|textarea)(?! type="hidden")[^>]* name="/g)).toHaveLength(3);
    expect(open).not.toContain("<dl");
    expect(step).toContain("<dd>Legal in Georgia</dd>");
  });

  test.each([
    ["customer_email", "pat@gmial.com", "Did you mean pat@gmail.com?"],
    ["customer_email", "pat@example.con", "Did you mean pat@example.com?"],
    ["customer_email", "pat@belsouth.net", "Did you mean pat@bellsouth.net?"],
  ])("a likely slip in %s, %s, is asked once, and booked when it is sent again", async (field, value, asked) => {
    const { app, fields, action } = await filled();
    fields.set(field, value);
    const { status, text } = await send(app, action, fields);
    expect([status, text.includes(`id="${field}-fault">${asked}`)]).toEqual([400, true]);
    const again = fieldsOf(text, BOOKING_FORM);
    again.set("do", "book");
    expect(again.get(field)).toBe(value);
    expect((await send(app, action, again)).status).toBe(303);
  });

  test("a name without a letter is asked for, in words for people", async () => {
    const { app, fields, action } = await filled();
    fields.set("customer_name", "12345");
    const { status, text } = await send(app, action, fields);
    expect([status, text.includes("Please enter the name that we should call you by.")]).toEqual([400, true]);
    expect(text).not.toContain("ask for it");
  });

  describe("back, another time, and sent again", () => {
    const ALREADY = "You already have Tue, Nov 24, 9:00 AM.";
    /** A form that booked, with another time. */
    async function sentBefore() {
      const app = fileApp();
      const { fields, action } = await filled(app);
      const { headers } = await send(app, action, fields);
      const code = /booked\/(\w+)/.exec(headers.get("location") ?? "")?.[1] ?? "";
      fields.set("start", "2026-11-25T09:00");
      return { app, fields, action, code };
    }

    test("the page names the booking, leads to it, and books a second one only when asked again", async () => {
      const { app, fields, action, code } = await sentBefore();
      const { status, text } = await send(app, action, fields);
      expect(status).toBe(409);
      expect(text).toContain(ALREADY);
      expect(text).toContain(`/book/manage?code=${code}&amp;start=2026-11-25T09:00`);
      expect(app.counts().bookings).toBe(1);
      const again = mended(text, fields);
      expect(again.get("booking_request_id")).not.toBe(fields.get("booking_request_id"));
      expect((await send(app, action, again)).status).toBe(303);
      expect(app.counts().bookings).toBe(2);
    });

    test("the same from another tab asks whether it is a second vehicle, whatever its time, and books it when sent again", async () => {
      const app = fileApp();
      const tabs = [await filled(app), await filled(app)];
      const older = await filled(app, CHOSEN.replace("11-24", "11-25"));
      const [first, second] = await Promise.all(tabs.map(({ action, fields }) => send(app, action, fields)));
      const [booked, asked] = first?.status === 303 ? [first, second] : [second, first];
      expect([booked?.status, asked?.status, app.counts().bookings]).toEqual([303, 409, 1]);
      expect(asked?.text).toContain(`${ALREADY} Is this a second vehicle?`);
      const { fields, action } = tabs[1] ?? (await filled(app));
      const again = mended(asked?.text ?? "", fields);
      expect((await send(app, action, again)).status).toBe(303);
      expect(app.counts().bookings).toBe(2);
      const later = await send(app, older.action, older.fields);
      expect([later.status, later.text.includes("Is this a second vehicle?")]).toEqual([409, true]);
      expect(app.counts().bookings).toBe(2);
    });

    test("with another phone too, for the tab that knows the code; to nobody else", async () => {
      const { app, fields, action, code } = await sentBefore();
      fields.set("customer_phone", "(404) 555-0122");
      fields.set("customer_email", "other@example.com");
      const tell = async (edit: Record<string, string>) => {
        const tried = new URLSearchParams(fields);
        for (const [name, value] of Object.entries(edit)) tried.set(name, value);
        return send(app, action, tried);
      };
      expect((await tell({ booked: code })).text).toContain(ALREADY);
      expect(app.counts().bookings).toBe(1);
      // A stranger with the code, or with the phone, learns nothing.
      const strangers: Record<string, string>[] = [
        { booked: code, booking_request_id: "mine", start: "2026-11-27T09:00" },
        { booking_request_id: "mine-2", start: "2026-11-28T09:00", customer_phone: "(404) 555-0111" },
      ];
      for (const edit of strangers) expect((await tell(edit)).text).not.toContain("You already have");
    });

    test("not by an id that another program chose, which can be guessed", async () => {
      const { app, fields, action } = await sentBefore();
      const phone = "(404) 555-0133";
      await app.post(`${API}/bookings`, { ...BOOKING, customer_phone: phone, booking_request_id: "order-1" });
      fields.set("customer_phone", phone);
      fields.set("booking_request_id", "order-1");
      const { status, text } = await send(app, action, fields);
      expect([status, text.includes("You already have")]).toEqual([409, false]);
    });

    test("not once that booking is cancelled", async () => {
      const { app, fields, action, code } = await sentBefore();
      await app.store.changeBookingStatus(code, "cancelled_by_shop", Date.now());
      expect((await send(app, action, fields)).status).toBe(303);
      expect(app.counts().bookings).toBe(2);
    });
  });

  test("a choice that was made after the price was shown is priced before anything is booked", async () => {
    const app = fileApp();
    const { fields, action } = await filled(app);
    fields.set("film_type", "standard");
    fields.append("addons", "windshield_strip");
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(409);
    expect(text).toContain("Your choices have changed since the price was shown");
    expect(app.counts().bookings).toBe(0);
    expect(text).toContain("Book Tue, Nov 24, 9:00 AM for $408");
    const { headers } = await send(app, action, mended(text, fields));
    const booked = await app.get(headers.get("location") ?? "");
    expect(booked.text).toContain("Standard film, SUV");
    expect(booked.text).toContain("$408");
  });

  test("without a script, another choice keeps what was typed; it is in no address", async () => {
    const { app, fields, action } = await filled();
    fields.delete("do");
    fields.append("start", "2026-11-25T10:00");
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(200);
    expect(text).toContain("Book Wed, Nov 25, 10:00 AM for $599");
    expect(fieldsOf(text, BOOKING_FORM).get("customer_name")).toBe("Pat Example");
    for (const name of ["customer_name", "customer_phone", "customer_email"]) fields.delete(name);
    const { status: moved, headers } = await send(app, action, fields);
    expect(moved).toBe(303);
    expect(headers.get("location")).toContain("start=2026-11-25T10%3A00");
  });

  test.each([
    [700, 599],
    [500, 500],
  ])("the price shown is booked, unless the shop has a lower one meanwhile: at %p it is %p", async (today, total) => {
    const { app, fields, action } = await filled();
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.ceramic.full": today }));
    const sent = await send(app, action, fields);
    const { text } = await app.get(sent.headers.get("location") ?? "");
    for (const said of [`<dd>$${total}</dd>`, "front 50%, rear 15%"]) expect(text).toContain(said);
    const shade = { front_side: 50, rear_side: 15, rear_window: 15 };
    expect(await bookedBy(sent, app)).toMatchObject({ estimate: { total }, shade });
  });

  test("a price that ran out is asked for again", async () => {
    const { app, fields, action } = await filled(testApp(), CHOSEN.replace("11-24", "12-10"));
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 700 }));
    app.advance({ hours: 24 * 15 });
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(409);
    expect(text).toContain("The price has changed from $599 to $700");
    expect((await send(app, action, mended(text, fields))).status).toBe(303);
  });

  test("a time that was taken meanwhile: the nearest one is chosen, others are in order, and what was typed is kept", async () => {
    const oneBay = appWith({ "scheduling.bays": 1 });
    const { app, fields, action } = await filled(oneBay, CHOSEN.replace("T09", "T11"));
    await app.post(`${API}/bookings`, { ...BOOKING, time: "11:00", customer_phone: freshPhone() });
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(409);
    expect(text).toContain("This time is no longer free");
    const notice = text.slice(text.indexOf('id="problem"'));
    const others = [...notice.matchAll(/name="start" value="([^"]+)">/g)].map(([, start]) => start);
    expect(others).toEqual(others.toSorted());
    expect(others).toHaveLength(2);
    const again = mended(text, fields);
    expect(text).toContain(`Book ${/instead: ([^<]+)\./.exec(text)?.[1]} for $599`);
    expect(others).not.toContain(again.get("start") ?? "");
    expect((await send(app, action, again)).status).toBe(303);
  });

  const FAULTS: [name: string, edit: Record<string, string>, status: number, said: string][] = [
    ["no name", { customer_name: " " }, 400, 'id="customer_name-fault">Please fill this in.'],
    ["a bad phone", { customer_phone: "12" }, 400, 'id="customer_phone-fault">This must be a phone number'],
    ["another ZIP code", { postal_code: "90210" }, 422, "outside our area"],
    ["a forged estimate", { priced: "a.1.1.1.suv.x" }, 400, "The price could not be confirmed"],
    ["no time", { start: "" }, 400, "Please pick a time first"],
    ["a closed day", { start: "2026-11-22T09:00" }, 409, "no longer free"],
  ];
  test.each(FAULTS)("refused: %s", async (_, edit, expected, said) => {
    const { app, fields, action } = await filled();
    for (const [name, value] of Object.entries(edit)) fields.set(name, value);
    const { status, text, headers } = await send(app, action.replace(/&start=[^&]*/, ""), fields);
    expect([status, text.includes(said)]).toEqual([expected, true]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
  });

  test("more bookings than one address may make: the page says how long to wait, and keeps the form", async () => {
    const app = testApp();
    for (let i = 1; i <= 3; i++) {
      const other = { customer_phone: `+1404555010${i}`, customer_email: `p${i}@example.com` };
      await app.post(`${API}/bookings`, { ...BOOKING, ...other, date: `2026-12-0${i}` });
    }
    const { fields, action } = await filled(app);
    const { status, text, headers } = await send(app, action, fields);
    expect(status).toBe(429);
    expect(text).toContain("Too many tries");
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
    expect(fieldsOf(text, BOOKING_FORM).get("customer_name")).toBe("Pat Example");
  });

  test.each([
    [{}, "One phone number can book online 2 times a day.", "Please book again tomorrow", ["2", "50400"]],
    [
      { "bookings.open_per_customer": 2, "rate_limits.bookings_per_phone_per_day": 9 },
      "Online, one customer can have 2 appointments to come.",
      "Please cancel one that is not needed",
      ["2", "3600"],
    ],
  ])("more than one person may book: the page says the limit, and what helps: %j", async (edits, ...said) => {
    const app = appWith(edits);
    const { fields, action } = await filled(app);
    const customer_phone = fields.get("customer_phone") ?? "";
    for (const date of ["2026-12-01", "2026-12-02"])
      await app.post(`${API}/bookings`, { ...BOOKING, customer_phone, date }, { from: "192.0.2.9" });
    const { text, headers } = await send(app, action, fields);
    const [headline, advice, [limit, wait]] = said;
    expect(text).toContain(headline);
    expect(text).toContain(advice);
    expect(text).not.toContain("Please wait");
    const names = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    expect([...names, headers.get("retry-after")]).toEqual([limit, "0", wait, wait] as string[]);
  });
});

describe("a shade that is not legal", () => {
  const DARK =
    "/book?car=2022+CR-V&vehicle_type=suv&film_type=ceramic&front_shade=15&rear_shade=15&start=2026-11-24T09:00";
  const SAID = "Not legal in Georgia on the front side windows; the darkest that is: 50%";

  test("is named so before and after the booking, which holds the car as it was typed", async () => {
    const { app, page, fields, action } = await filled(testApp(), DARK);
    expect(page.text).toContain(SAID);
    expect(page.text).toContain("<dd>2022 CR-V</dd>");
    expect(page.text).toContain("<b>15% on the front side windows is not legal in Georgia.</b> With darker film");
    const [use, anyway] = [page.text.lastIndexOf(">Use 50%, legal<"), page.text.indexOf(">Book 15% anyway<")];
    expect([use > 0, anyway > use, page.text.includes('value="book"')]).toEqual([true, true, false]);
    for (const [done, status, told] of [
      ["book", 409, "Nothing was booked."],
      ["book_anyway", 400, "Please say why"],
    ] as const) {
      fields.set("do", done);
      const refused = await send(app, action, fields);
      expect([refused.status, refused.text.includes(told)]).toEqual([status, true]);
    }
    fields.set("not_legal_reason", "exemption");
    fields.set("special_requests", "Ring me.");
    const sent = await send(app, action, fields);
    const { text } = await app.get(sent.headers.get("location") ?? "");
    for (const said of ["You are booked", SAID, "<dt>Car</dt><dd>2022 CR-V</dd>"]) expect(text).toContain(said);
    expect(await bookedBy(sent, app)).toMatchObject({
      vehicle: { description: "2022 CR-V (crossover)" },
      ...{ accepted_not_legal: true, special_requests: "I have an exemption. Ring me." },
    });
  });

  test("the button for the legal one keeps time and person, without a script", async () => {
    const { app, fields, action } = await filled(testApp(), DARK);
    fields.delete("do");
    fields.set("legal", "instead");
    const { status, text } = await send(app, action, fields);
    expect(status).toBe(200);
    expect(text).toMatch(/value="book"[^>]*>Book Tue, Nov 24, 9:00 AM for /);
    expect(checkedShades(text)).toEqual(["50", "15"]);
    expect(fieldsOf(text, BOOKING_FORM).get("customer_name")).toBe("Pat Example");
  });

  test("is booked without a question, or not at all, as the owner decides", async () => {
    for (const [not_legal, expected] of Object.entries({ warn: 303, refuse: 409 })) {
      const shop = appWith({ "tint_law.not_legal": not_legal });
      const { app, page, fields, action } = await filled(shop, DARK);
      expect(page.text).not.toContain("anyway");
      expect(page.text.includes('value="book"')).toBe(not_legal === "warn");
      expect((await send(app, action, fields)).status).toBe(expected);
    }
  });
});

describe("who may send a form", () => {
  const SENDERS: [headers: Record<string, string>, isOwn: boolean][] = [
    [{ "Sec-Fetch-Site": "same-origin" }, true],
    [{ "Sec-Fetch-Site": "none" }, true],
    [{ "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }, false],
    [{ "Sec-Fetch-Site": "same-site" }, false],
    [{ Origin: "http://localhost" }, true],
    [{ Origin: "https://marlowridge.example" }, true],
    [{ Origin: "https://evil.example" }, false],
    [{ Origin: "null" }, false],
    [{}, false],
  ];
  test.each(SENDERS)("%p: %p", async (headers, isOwn) => {
    const app = fileApp();
    const { fields, action } = await filled(app);
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const { status, text } = await app.post(action, fields.toString(), { headers: { ...type, ...headers } });
    expect(status).toBe(isOwn ? 303 : 403);
    if (!isOwn) expect(text).toContain("sent from another website");
    expect(app.counts().bookings).toBe(isOwn ? 1 : 0);
  });

  test("JSON and files are no form of this page", async () => {
    const { status } = await testApp().post("/book", BOOKING, { headers: { ...OWN, "Content-Type": "text/plain" } });
    expect(status).toBe(400);
  });
});

describe("headers", () => {
  test.each([
    [[], "'none'"],
    [["https://www.example.com", "http://localhost:8080"], "https://www.example.com http://localhost:8080"],
  ])("frames of %p: %s", async (origins, said) => {
    const app = appWith({ "site.embed_origins": origins });
    for (const path of ["/book", "/book/manage", CHOSEN]) {
      const policy = (await app.get(path)).headers.get("content-security-policy") ?? "";
      expect(policy.split("; ")).toContain(`frame-ancestors ${said}`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("unsafe");
    }
  });

  test("the logo of the shop, and no picture from anywhere else", async () => {
    const logo = "https://www.example.com/logo.svg";
    const { text, headers } = await appWith({ "site.logo": logo }).get("/book");
    expect(text).toContain(`<img src="${logo}" alt="Marlow Ridge Window Film" height="40">`);
    expect(headers.get("content-security-policy")).toContain(`img-src 'self' ${logo};`);
  });

  test("a link that is shared shows a picture of 1200 by 630 pixels; icon and picture can be the shop's own", async () => {
    const app = testApp();
    const { text } = await app.get("/book");
    const picture = /property="og:image" content="https:\/\/marlowridge\.example([^"]+)"/.exec(text)?.[1] ?? "";
    const file = await app.get(picture);
    expect(file.headers.get("content-type")).toBe("image/jpeg");
    expect(file.text.slice(6, 10)).toBe("JFIF");
    expect(text).toContain('<meta property="og:image:width" content="1200">');
    expect(text).toContain('<meta name="theme-color" content="#0b5f6f" media="(prefers-color-scheme: light)">');
    const own = { "site.icon": "https://cdn.example.com/i.png", "site.share_picture": "https://cdn.example.com/s.jpg" };
    const other = await appWith(own).get("/book");
    expect(other.text).toContain('<link rel="icon" href="https://cdn.example.com/i.png">');
    expect(other.text).toContain('property="og:image" content="https://cdn.example.com/s.jpg"');
    expect(other.headers.get("content-security-policy")).toContain("img-src 'self' https://cdn.example.com/i.png;");
  });

  test("the files of the page are kept for good under their version", async () => {
    const app = testApp();
    const { text } = await app.get("/book");
    const files = [...text.matchAll(/(?:href|src)="(\/book\/[^"]+\?v=[^"]+)"/g)].map(([, file = ""]) => file);
    expect(files).toHaveLength(3);
    for (const file of files) expect((await app.get(file)).headers.get("cache-control")).toContain("immutable");
    expect((await app.get("/book/style.css?v=old")).headers.get("cache-control")).toBe("no-cache");
    const other = appWith({ "site.theme": { light: "#004080", dark: "#80c0ff" } });
    expect((await other.get("/book")).text).not.toContain(files[1] ?? "");
  });

  test("pages have a limit of their own: choices use up none of the requests to the API", async () => {
    const app = appWith({ "rate_limits.anonymous_per_minute": 1 });
    for (let i = 0; i < 56; i++) expect((await app.get("/book?vehicle_type=suv")).status).toBe(200);
    expect((await app.get("/book")).headers.get("x-ratelimit-limit")).toBe("240");
    expect((await app.get("/book")).headers.get("x-ratelimit-scope")).toBe("page-views-per-minute");
    expect((await app.get(`${API}/faq`)).status).toBe(200);
    expect((await app.get(`${API}/faq`)).status).toBe(429);
  });

  test("a refusal is a page, in words", async () => {
    const app = appWith({ "rate_limits.pages_per_minute": 1 });
    await app.get("/book");
    const { status, text, headers } = await app.get("/book");
    expect(status).toBe(429);
    expect(headers.get("content-type")).toStartWith("text/html");
    expect(text).toContain("Too many tries");
  });

  test("a page that does without what failed is logged as answered, and a refused one with its cause once", async () => {
    const { store } = testApp();
    const app = testApp({ store });
    const { fields, action } = await filled(app);
    const boom = () => Promise.reject(new Error("the diary is torn"));
    const { busyBetween } = store;
    store.busyBetween = boom;
    app.logs.length = 0;
    expect((await app.get("/book?vehicle_type=suv")).status).toBe(200);
    const causes = () => app.logs.flatMap(({ err }) => (err ? [(err as Error).message] : []));
    expect(app.logs.find(({ path }) => path === "/book")).not.toHaveProperty("error");
    expect(causes()).toContain("the diary is torn");
    Object.assign(store, { busyBetween, book: boom });
    app.logs.length = 0;
    expect((await send(app, action, fields)).status).toBe(500);
    const expected = { status: 500, error: "INTERNAL_ERROR", err: { message: "the diary is torn" } };
    expect(app.logs.at(-1)).toMatchObject(expected);
    expect(causes()).toEqual(["the diary is torn"]);
  });

  test("people who open the site are led to it, and so are search engines", async () => {
    const app = testApp();
    expect((await app.get("/", { headers: { Accept: "text/html" } })).headers.get("location")).toBe("/book");
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec((await app.get("/book")).text)?.[1];
    expect(JSON.parse(data ?? "").potentialAction.target).toBe("https://marlowridge.example/book");
    expect(actionOf((await app.get(CHOSEN)).text, BOOKING_FORM)).toBe("/book");
  });
});
