/** `GET /faq?q=`: the words that customers use find the question, also those that only the catalog's `also` holds. */
import { expect, test } from "bun:test";
import { API, BOOKING, CATALOG, catalogWith, manyCallers, QUOTE, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();
const app = testApp({ catalog: catalogWith({ "rate_limits.anonymous_per_minute": 10_000 }) });

const found = async (query: string): Promise<string[]> => {
  const { json } = await app.get(`${API}/faq?q=${encodeURIComponent(query)}`);
  return json.data.map(({ question }: { question: string }) => question);
};

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

test.each(["pizza delivery", "zebra with the film", "your horoscope", "can I paint my car", "text messages", "do you"])(
  "%s finds nothing rather than something unrelated",
  async (query) => {
    expect(await found(query)).toEqual([]);
  },
);

test("a question in its own words finds itself first", async () => {
  const { json } = await APP.get(`${API}/faq`);
  for (const { question } of json.data) expect((await found(question))[0]).toBe(question);
});

test("a word that many questions have finds them when it is the only one", async () => {
  expect((await found("film")).length).toBe(5);
});

const answerTo = async (question: string, edits: Record<string, unknown> = {}): Promise<string> => {
  const { json } = await testApp({ catalog: catalogWith(edits) }).get(`${API}/faq`);
  return json.data.find((entry: { question: string }) => entry.question === question).answer;
};

test("hours, special days and the area of an answer are those of the catalog, in words", async () => {
  const open = "When are you open, also on weekends and holidays?";
  expect(await answerTo(open)).toStartWith(
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
  expect(await answerTo(open, edits)).toStartWith(
    "Monday 8:00 AM to 12:00 PM and 1:00 PM to 5:30 PM, Tuesday to Friday 9:00 AM to 6:00 PM, Saturday 9:00 AM to 3:00 PM, Sunday closed. Days that differ: none.",
  );
  const area = "Which area do you serve?";
  expect(await answerTo(area)).toStartWith(
    "Metro Atlanta (Cobb, Fulton, DeKalb, Gwinnett, Cherokee, Douglas and Paulding counties).",
  );
  expect(await answerTo(area, edits)).toStartWith(
    "Metro Atlanta. Vehicles are worked on at our shop in Marietta, so bringing yours is fine",
  );
});

test("questions, services and answers say the same", async () => {
  const app = testApp();
  const { services } = (await app.get(`${API}/services`)).json.data;
  const serviceOf = (key: string) => services.find((one: { key: string }) => one.key === key);
  expect(serviceOf("ceramic_coating").description).toContain("quote request");
  expect(await answerTo("Do you offer ceramic paint coating?")).toContain("quote request");
  const coating = { ...QUOTE, service_type: "ceramic_coating", dry_run: true };
  expect((await app.post(`${API}/quote-request`, coating)).status).toBe(200);

  expect(await answerTo("Can you remove old or bubbling tint?")).toContain("same visit");
  const { json } = await app.post(`${API}/estimates`, { vehicle_type: "suv", remove_old_film: true });
  expect(json.data.line_items).toHaveLength(2);

  expect(await answerTo("How do I cancel or move a booking?")).toContain(
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
  expect(places(await testApp({ catalog: catalogWith({ services: unsaid }) }).get(`${API}/location`))).toEqual(
    expected,
  );

  const refused = await app.post(`${API}/bookings`, { ...BOOKING, postal_code: "90210" });
  expect(refused.json.message).toContain(
    "Bringing the vehicle is fine: this work is done at Marlow Ridge Window Film in Marietta.",
  );
  const mobile = CATALOG.services.map((service) => ({ ...service, place: "customer" }));
  const away = testApp({ catalog: catalogWith({ services: mobile }) });
  const farAway = await away.post(`${API}/bookings`, { ...BOOKING, postal_code: "90210" });
  expect([farAway.json.error_code, farAway.json.message.includes("Bringing")]).toEqual(["OUT_OF_SERVICE_AREA", false]);
});
