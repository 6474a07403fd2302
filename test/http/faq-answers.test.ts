/** `GET /faq`: questions in customers' words get the right answer first, or are told that none is published; answers follow the catalog. */
import { describe, expect, test } from "bun:test";
import { WEEKDAYS } from "../../src/constants.ts";
import { API, appWith, BOOKING, CATALOG, CATALOG_TEXT, QUOTE, testApp } from "../helpers.ts";
import { ASKED, SEARCHED } from "./questions-asked.ts";

const app = appWith({ "rate_limits.anonymous_per_minute": 10_000 });
const answerTo = async (question: string) => (await app.get(`${API}/faq?q=${encodeURIComponent(question)}`)).json;
const found = async (question: string): Promise<string[]> =>
  (await answerTo(question)).data.map((one: { question: string }) => one.question);
/** What a shop with these edits publishes. */
const published = async (edits: Record<string, unknown> = {}): Promise<{ question: string; answer: string }[]> =>
  (await appWith(edits).get(`${API}/faq`)).json.data;
const read = async (question: string, edits: Record<string, unknown> = {}) =>
  (await published(edits)).find((one) => one.question === question)?.answer ?? "";

test("every question that was asked gets the right answer first, or is told that there is none", async () => {
  const asked = [...ASKED, ...SEARCHED];
  const answers = await Promise.all(asked.map(async ([question]) => [question, (await found(question))[0]]));
  expect(answers).toEqual(asked);
});

test("a question without an answer is told so, with the phone, the subjects and a request that takes it along", async () => {
  const json = await answerTo("do you tint boats");
  expect(json).toMatchObject({
    success: true,
    data: [],
    message: expect.stringMatching(/no answer to this\. Call \+1-404-555-0142, or send it as a quote_request/),
    categories: ["automotive", "residential", "commercial", "security", "general"],
  });
  const [request, all] = json.next_actions;
  expect(request).toMatchObject({
    action: "quote_request",
    sample_request: { message: "do you tint boats" },
    fill_in: ["first_name", "phone", "email", "service_type"],
  });
  expect(all.action).toBe("list_faq");
  expect(JSON.stringify(json)).not.toMatch(/suv|350\.5/);
});

test("a subject that the shop says nothing about is admitted, until a question answers it", async () => {
  const asked = "can you fix my defroster lines";
  const answersOf = async (edits: Record<string, unknown>) =>
    (await appWith(edits).get(`${API}/faq?q=${encodeURIComponent(asked)}`)).json.data;
  expect((await answerTo(asked)).data).toEqual([]);
  const question = "Can you repair the defroster?";
  const own = { category: "general", question, also: ["fix my defroster lines"], answer: "No." };
  expect((await answersOf({ faq: [...CATALOG.faq, own] }))[0]).toMatchObject({ question });
  const [defroster] = CATALOG.faq.filter((entry) => entry.question.includes("defroster"));
  expect(await answersOf({ faq: [defroster], "synonyms.unanswered": {} })).not.toEqual([]);
});

test("a question that an owner adds is found by its own words, and by each way to ask that stands there", async () => {
  const own = { category: "general", question: "Do you sell gift cards?", also: ["weather"], answer: "Yes." };
  const shop = appWith({ faq: [...CATALOG.faq, own] });
  for (const asked of ["gift%20card", "do+you+have+gift+cards", "weather"])
    expect((await shop.get(`${API}/faq?q=${asked}`)).json.data[0]).toMatchObject({ answer: "Yes." });
});

test("next steps are about the work that was asked about, with nothing made up", async () => {
  const parts = ({ action, sample_request, fill_in }: never) => [action, sample_request, fill_in];
  const steps = async (path: string) => (await app.get(`${API}/${path}`)).json.next_actions.map(parts);
  expect(await steps("faq?q=defroster")).toEqual([["automotive_estimate", {}, ["vehicle_type"]]]);
  expect(await steps("faq?q=anchoring")).toEqual([["flat_glass_estimate", { site_type: "security" }, ["total_sqft"]]]);
  expect(await steps("services")).toEqual([
    ["automotive_estimate", {}, ["vehicle_type"]],
    ["flat_glass_estimate", {}, ["total_sqft", "site_type"]],
  ]);
});

test("an answer about hours says first whether the shop is open at this moment", async () => {
  const open = async (now: string) =>
    (await testApp({ now: Temporal.Instant.from(now) }).get(`${API}/faq?q=open%20now`)).json.data[0].answer;
  expect(await open("2026-11-20T15:00:00Z")).toStartWith("We are open now, until 6:00 PM. Monday to Friday 9:00 AM");
  expect(await open("2026-11-26T15:00:00Z")).toStartWith("We are closed now. Monday to Friday 9:00 AM");
});

test("words in a typical order, other endings and one slip of the keys find the same", async () => {
  for (const asked of ["defrosters", "defrosted lines", "defrostr", "is the DEFROSTER ok?"])
    expect((await answerTo(asked)).data[0]?.question).toBe("Does film harm the defroster, the antenna or reception?");
});

test.each(["query", "question", "search"])("the search is also understood as %s", async (name) => {
  const { json } = await app.get(`${API}/faq?${name}=warranty`);
  expect(json.data[0].question).toBe("Is there a warranty on the film?");
  expect(json.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: name })]);
});

test.each([
  ["office", "commercial"],
  ["my home", "residential"],
  ["window tint", "automotive"],
])("questions about %s are those of %s", async (word, category) => {
  const { json } = await app.get(`${API}/faq?category=${encodeURIComponent(word)}`);
  expect(new Set(json.data.map((one: { category: string }) => one.category))).toEqual(new Set([category]));
  expect(json.warnings).toEqual([expect.objectContaining({ code: "UNDERSTOOD", field: "category" })]);
});

test("what holds in the shop's state is no answer for another alone", async () => {
  const asked = "How dark can my front windows be in";
  expect(await found(`${asked} Florida?`)).toEqual([]);
  expect((await found(`${asked} Georgia or Alabama?`))[0]).toBe(`${asked} Georgia?`);
});

test("a question in its own words finds itself first", async () => {
  for (const { question } of await published()) expect((await found(question))[0]).toBe(question);
});

test("a word that many questions have finds them when it is the only one", async () => {
  expect((await found("film")).length).toBe(5);
});

test("an owner's change of prices, films, place, training and minutes never leaves an answer false", async () => {
  const cheapest = "What is the cheapest way to tint my vehicle?";
  expect(await read(cheapest, {})).toMatch(
    /coupe \$119.*SUV, truck and van \$139 \(Standard film, front two windows\)\./,
  );
  expect(await read(cheapest, { "automotive.vehicle_types.truck.ceramic.front2": 100 })).toContain(
    "truck $100 (Ceramic IR film, front two windows)",
  );
  expect(await read("Do you come to my home?", {})).toContain("at our shop in Marietta: Automotive window tinting");
  expect(await read("Do you come to my home?", { "services.0.place": "customer" })).toMatch(
    /at your place: Automotive window tinting, Residential/,
  );
  expect(await read("Are your installers certified?", { "business.credentials": [] })).toContain("none are published");
  const long = "How long does a tint job take?";
  expect(await read(long, {})).toContain("2 h 30 min for a sedan");
  expect(await read(long, { "scheduling.job_minutes.full.sedan": 45 })).toContain("45 min for a sedan");
  expect(await read("How long does window tint last?", { "automotive.films.ceramic.warranty": "10 years" })).toContain(
    "Ceramic IR film: 10 years",
  );
});

describe("what an owner changes", () => {
  const answersWith = async (edits: Record<string, unknown>) =>
    (await published(edits)).map(({ answer }) => answer).join("\n");
  const every = (text: string, pattern: RegExp) => [...new Set(text.match(pattern))].toSorted();

  test("each price: every amount of the answers follows, but for the fee that the law names", async () => {
    const written = Bun.YAML.parse(CATALOG_TEXT);
    const edits: Record<string, number> = {};
    const raise = (at: string, value: unknown = at.split(".").reduce((part, key) => Object(part)[key], written)) => {
      if (typeof value === "number") edits[at] = Math.floor(value) + 0.13;
      else for (const [key, inner] of Object.entries(Object(value))) raise(`${at}.${key}`, inner);
    };
    raise("automotive.vehicle_types");
    for (const addon of Object.keys(CATALOG.automotive.addons)) raise(`automotive.addons.${addon}.price`);
    for (const key of ["ballpark_per_sqft", "rates_per_sqft", "removal_per_sqft"]) raise(`flat_glass.${key}`);
    for (const key of ["blocked_window_each", "curtain_window_each", "ladder.per_sqft"]) raise(`flat_glass.${key}`);
    const amounts = every(await answersWith(edits), /\$[\d,]*\d(?:\.\d\d)?/g);
    expect(amounts.length).toBeGreaterThan(25);
    expect(amounts.filter((amount) => !amount.endsWith(".13"))).toEqual(["$10"]);
  });

  test("tax: what the answers say of it follows", async () => {
    const none = "The price is what you pay: no tax is added.";
    expect(await answersWith({})).toContain(none);
    const added = await answersWith({ tax: { status: "added", rate_pct: 8.25, label: "sales tax" } });
    expect([added.includes(none), /8\.25%/.test(added)]).toEqual([false, true]);
  });

  test("hours: every time of day in the answers follows", async () => {
    const day = [{ opens: "07:10", closes: "16:40" }];
    const days = WEEKDAYS.map((weekday) => [`business.hours.${weekday}`, day]);
    const edits = { ...Object.fromEntries(days), "business.special_hours": [] };
    expect(every(await answersWith(edits), /\d+:\d\d [AP]M/g)).toEqual(["4:40 PM", "7:10 AM"]);
  });

  test("lengths of work: those of every type of vehicle follow", async () => {
    const full = Object.fromEntries(Object.keys(Object(CATALOG.scheduling.job_minutes.full)).map((type) => [type, 77]));
    const answers = await answersWith({ "scheduling.job_minutes.full": full, "scheduling.job_minutes.front2": 33 });
    expect(answers.match(/1 h 17 min for a/g)).toHaveLength(Object.keys(full).length);
    expect(answers).toContain("The front two windows take 33 min");
  });
});

test("hours, special days and the area of an answer are those of the catalog, in words", async () => {
  const open = "When are you open, also on weekends and holidays?";
  expect(await read(open)).toStartWith(
    "Monday to Friday 9:00 AM to 6:00 PM, Saturday 9:00 AM to 3:00 PM, Sunday closed. Days that differ: Thu Nov 26, 2026 closed (Thanksgiving); Thu Dec 24, 2026 9:00 AM to 1:00 PM (Christmas Eve);",
  );
  const edits = {
    "business.special_hours": [],
    "business.hours.monday": [
      { opens: "08:00", closes: "12:00" },
      { opens: "13:00", closes: "17:30" },
    ],
    "business.service_area.counties": [],
  };
  expect(await read(open, edits)).toStartWith(
    "Monday 8:00 AM to 12:00 PM and 1:00 PM to 5:30 PM, Tuesday to Friday 9:00 AM to 6:00 PM, Saturday 9:00 AM to 3:00 PM, Sunday closed. Days that differ: none.",
  );
  const area = "Which area do you serve?";
  expect(await read(area)).toStartWith(
    "Metro Atlanta (Cobb, Fulton, DeKalb, Gwinnett, Cherokee, Douglas and Paulding counties).",
  );
  expect(await read(area, edits)).toStartWith(
    "Metro Atlanta. Vehicles are worked on at our shop in Marietta, so bringing yours is fine",
  );
});

test("no answer shows a customer a place of the catalog in braces, and the one about prices says what prices say", async () => {
  for (const { question, answer } of await published())
    expect([question, answer]).toEqual([question, expect.not.stringMatching(/[{}]/)]);
  expect(await read("Are estimates binding, and do they include tax?")).toStartWith(
    `${CATALOG.price_note} ${CATALOG.flat_glass?.price_note}`,
  );
});

test("questions, services and answers say the same", async () => {
  const app = testApp();
  const { services } = (await app.get(`${API}/services`)).json.data;
  const serviceOf = (key: string) => services.find((one: { key: string }) => one.key === key);
  expect(serviceOf("ceramic_coating").description).toContain("quote request");
  expect(await read("Do you offer ceramic paint coating?")).toContain("quote request");
  const coating = { ...QUOTE, service_type: "ceramic_coating", dry_run: true };
  expect((await app.post(`${API}/quote-request`, coating)).status).toBe(200);

  expect(await read("Can you remove old or bubbling tint?")).toContain("same visit");
  const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv", remove_old_film: true });
  expect(json.data.line_items).toHaveLength(2);

  expect(await read("How do I cancel or move a booking?")).toContain(
    `${CATALOG.bookings.self_service.grace_minutes} min after you booked`,
  );
});

test("each service says where its work is done, in /services, /location and a refusal", async () => {
  const app = testApp();
  const places = ({ json }: Awaited<ReturnType<typeof app.get>>) =>
    json.data.services.map(({ key, place }: { key: string; place: string }) => [key, place]);
  const expected = CATALOG.services.map(({ key, estimate }) => [key, estimate === "flat_glass" ? "customer" : "shop"]);
  expect(places(await app.get(`${API}/services`))).toEqual(expected);
  expect(places(await app.get(`${API}/location`))).toEqual(expected);
  const unsaid = CATALOG.services.map(({ place: _, ...service }) => service);
  expect(places(await appWith({ services: unsaid }).get(`${API}/location`))).toEqual(expected);

  const refused = await app.post(`${API}/bookings`, { ...BOOKING, postal_code: "90210" });
  expect(refused.json.message).toContain(
    "Bringing the vehicle is fine: this work is done at Marlow Ridge Window Film in Marietta.",
  );
  const mobile = CATALOG.services.map((service) => ({ ...service, place: "customer" }));
  const away = appWith({ services: mobile });
  const farAway = await away.post(`${API}/bookings`, { ...BOOKING, postal_code: "90210" });
  expect([farAway.json.error_code, farAway.json.message.includes("Bringing")]).toEqual(["OUT_OF_SERVICE_AREA", false]);
});
