/** Questions in customers' words get the right answer first, or are told that none is published. */
import { describe, expect, test } from "bun:test";
import { WEEKDAYS } from "../../src/constants.ts";
import { API, CATALOG, CATALOG_TEXT, catalogWith, testApp } from "../helpers.ts";
import { ASKED, ASKED_FRESH, ASKED_SINCE } from "./questions-asked.ts";

const app = testApp({ catalog: catalogWith({ "rate_limits.anonymous_per_minute": 10_000 }) });
const answerTo = async (question: string) => (await app.get(`${API}/faq?q=${encodeURIComponent(question)}`)).json;

describe("of the questions that were asked", () => {
  for (const [name, table] of Object.entries({ ASKED, ASKED_SINCE, ASKED_FRESH }))
    test(`${name}: nine of ten get the right answer first or are admitted, and none another answer`, async () => {
      const answers = await Promise.all(
        table.map(async ([asked, wanted]) => ({ asked, wanted, got: (await answerTo(asked)).data[0]?.question })),
      );
      expect(answers.filter(({ wanted, got }) => got !== undefined && got !== wanted)).toEqual([]);
      const missed = answers.filter(({ wanted, got }) => got !== wanted);
      expect([missed.length <= table.length / 10, missed]).toEqual([true, missed]);
    });
});

test("words in a typical order, other endings and one slip of the keys find the same", async () => {
  for (const asked of ["defrosters", "defrosted lines", "defrostr", "is the DEFROSTER ok?"])
    expect((await answerTo(asked)).data[0]?.question).toBe("Does film harm the defroster, the antenna or reception?");
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
    (await testApp({ catalog: catalogWith(edits) }).get(`${API}/faq?q=${encodeURIComponent(asked)}`)).json.data;
  expect((await answerTo(asked)).data).toEqual([]);
  const question = "Can you repair the defroster?";
  const own = { category: "general", question, also: ["fix my defroster lines"], answer: "No." };
  expect((await answersOf({ faq: [...CATALOG.faq, own] }))[0]).toMatchObject({ question });
  const [defroster] = CATALOG.faq.filter((entry) => entry.question.includes("defroster"));
  expect(await answersOf({ faq: [defroster], "synonyms.unanswered": {} })).not.toEqual([]);
});

test("a question that an owner adds is found by its own words, and by each way to ask that stands there", async () => {
  const own = { category: "general", question: "Do you sell gift cards?", also: ["weather"], answer: "Yes." };
  const published = testApp({ catalog: catalogWith({ faq: [...CATALOG.faq, own] }) });
  for (const asked of ["gift%20card", "do+you+have+gift+cards", "weather"])
    expect((await published.get(`${API}/faq?q=${asked}`)).json.data[0]).toMatchObject({ answer: "Yes." });
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

test("an owner's change of prices, films, place and training never leaves an answer false", async () => {
  const read = async (question: string, edits: Record<string, unknown>) => {
    const { json } = await testApp({ catalog: catalogWith(edits) }).get(`${API}/faq`);
    return json.data.find((one: { question: string }) => one.question === question).answer;
  };
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
  expect(await read("How long does window tint last?", { "automotive.films.ceramic.warranty": "10 years" })).toContain(
    "Ceramic IR film: 10 years",
  );
});

describe("what an owner changes", () => {
  const answersWith = async (edits: Record<string, unknown>): Promise<string> => {
    const { json } = await testApp({ catalog: catalogWith(edits) }).get(`${API}/faq`);
    return json.data.map(({ answer }: { answer: string }) => answer).join("\n");
  };
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
    const edits = { ...allDays("business.hours", day), "business.special_hours": [] };
    expect(every(await answersWith(edits), /\d+:\d\d [AP]M/g)).toEqual(["4:40 PM", "7:10 AM"]);
  });

  test("lengths of work: those of every type of vehicle follow", async () => {
    const full = Object.fromEntries(Object.keys(Object(CATALOG.scheduling.job_minutes.full)).map((type) => [type, 77]));
    const answers = await answersWith({ "scheduling.job_minutes.full": full, "scheduling.job_minutes.front2": 33 });
    expect(answers.match(/1 h 17 min for a/g)).toHaveLength(Object.keys(full).length);
    expect(answers).toContain("The front two windows take 33 min");
  });
});

const allDays = (at: string, value: unknown) =>
  Object.fromEntries(WEEKDAYS.map((weekday) => [`${at}.${weekday}`, value]));
