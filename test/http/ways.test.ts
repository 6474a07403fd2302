/** A request to a wrong path or with a wrong method leads to the right one, and what it names works when it is obeyed. */
import { describe, expect, test } from "bun:test";
import { OPERATIONS } from "../../src/capabilities/core/operations.ts";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { type Answer, manyCallers, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, filledIn, freshPhone, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG } from "../helpers.ts";
import { book, FRIDAY } from "./manage-requests.ts";

const APP = manyCallers();
const CODE = "7K2MQ9XA";
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
/** Where a word of another API leads: GET, else the first method that is named. */
const GUESSES: Record<string, string> = {
  "prices price pricing": "GET /api/v1/estimates",
  "hours opening-hours location contact": "GET /api/v1/location",
  "slots open_times availability time-slots": "GET /api/v1/availability",
  "services menu servces addons": "GET /api/v1/services",
  "faqs questions tint-law search_faq": "GET /api/v1/faq",
  "quote quotes": "POST /api/v1/quote-request",
  "glass-estimate": "POST /api/v1/flat-glass/estimate",
  "book reserve create-booking": "POST /api/v1/bookings",
  "appointments appointment reservations booking": "POST /api/v1/bookings/lookup",
  "docs documentation swagger": "GET /api/v1/docs",
  "openapi.json openapi swagger.json": "GET /api/v1/openapi.json",
  "manifest capabilities": "GET /api/v1/capabilities",
};
const WORDS = Object.entries(GUESSES).flatMap(([words, meant]) =>
  words.split(" ").map((word) => [word, meant] as const),
);

/** What another program would send: a method, and the path that the answer names. */
const leads = (json: Answer["json"], method: string, path: string) =>
  expect([json.did_you_mean, json.method, json.path]).toEqual([`${method} ${path}`, method, path]);

describe("a path that does not exist", () => {
  test.each(CAPABILITIES)("the id and the operation of $id lead to it", async (capability) => {
    const { id, operationId, path, alsoGet } = capability;
    const method = alsoGet ? "GET" : capability.method;
    const app = APP;
    for (const word of [id, id.replaceAll("_", "-"), operationId, id.toUpperCase()]) {
      for (const prefix of word === id ? [API, "", "/api", "/api/v2", "/v1"] : [API]) {
        if (`${prefix}/${word}` === API + path) continue;
        const { status, json } = await app.get(`${prefix}/${word}`);
        expect([status, json.error_code]).toEqual([404, "NOT_FOUND"]);
        leads(json, method, API + path);
        leads((await app.post(`${prefix}/${word}/`, {})).json, capability.method, API + path);
      }
    }
  });

  test.each(WORDS)("%s leads to %s, below the API and beside it", async (word, meant) => {
    const app = APP;
    const [method = "", path = ""] = meant.split(" ");
    for (const prefix of [API, ""]) {
      const { status, json } = await app.get(`${prefix}/${word}`);
      // A page or path of our own is never in its own way.
      if (`${prefix}/${word}` === path || `${prefix}/${word}` === "/book")
        expect([status, json?.success]).not.toContain(404);
      else leads(json, method, path);
    }
  });

  test("a booking's path in other words leads to what it asks for, with the code", async () => {
    const app = testApp();
    for (const [method, path, capability] of [
      ["POST", `/bookings/${CODE}/cancel`, "cancel_booking"],
      ["DELETE", `/appointments/${CODE}`, "cancel_booking"],
      ["PATCH", `/reservation/${CODE}`, "reschedule_booking"],
      ["PUT", `/bookings/${CODE}/move`, "reschedule_booking"],
    ] as const) {
      const { json } = await app.send(method, API + path, { body: { date: FRIDAY.date } });
      leads(json, "POST", API + OPERATIONS[capability].path);
      expect(json.usage.sample_request.confirmation_code).toBe(CODE);
    }
    leads((await app.get(`${API}/appointments/${CODE}`)).json, "GET", `${API}/bookings/${CODE}`);
  });

  test("the sample has what was sent, as the right path takes it", async () => {
    const { json } = await APP.get(`${API}/slots?vehicle=suv&addons[]=sunroof`);
    expect(json.usage.sample_request).toMatchObject({ vehicle_type: "suv", addons: ["sunroof"] });
    expect(json.usage.url).toEndWith(`${API}/availability?vehicle_type=suv&addons=sunroof`);
    const prices = await APP.get("/prices?vehicle_type=suv");
    expect(prices.json.usage.url).toEndWith(`${API}/estimates?vehicle_type=suv`);
  });

  test("a browser is led on, with its query, and arrives", async () => {
    const app = testApp();
    for (const [from, to] of [
      ["/api/v1/automotive_estimate?vehicle_type=suv", "/api/v1/estimates?vehicle_type=suv"],
      ["/api/v1/hours", "/api/v1/location"],
      ["/api/v1/slots?days=3", "/api/v1/availability?days=3"],
      ["/docs", "/api/v1/docs"],
      ["/openapi.json", "/api/v1/openapi.json"],
      ["/api/v1/book_appointment", "/book"],
      ["/appointments", "/book"],
      ["/cancel-booking", "/book/manage"],
    ] as const) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await app.send(method, from, { headers: BROWSER });
        expect([from, status, headers.get("location"), headers.get("vary")]).toEqual([from, 301, to, "Accept"]);
      }
      expect((await app.get(to, { headers: BROWSER })).status).toBe(200);
      for (const accept of ["*/*", "application/json", "application/json, text/html"])
        expect((await app.get(from, { headers: { accept } })).status).toBe(404);
      expect((await app.post(from, {}, { headers: BROWSER })).status).toBe(404);
    }
  });

  test("what nothing is like, what a shop does not do, and what it does by phone lead nowhere", async () => {
    const app = appWith({ "bookings.self_service.enabled": false });
    for (const path of ["/nowhere", "/wp-login.php", "/s", "/api/v1/cancel-booking", "/api/v1/x/y/z", "/%zz"]) {
      expect((await app.get(path, { headers: BROWSER })).status).toBe(404);
      const { status, json } = await app.get(path);
      expect([path, status, json.did_you_mean]).toEqual([path, 404, undefined]);
    }
  });
});

/** Sends what an error names, word by word. */
async function obey(app: TestApp, { json }: Answer, answers: Record<string, unknown>): Promise<Answer> {
  const { method, path, usage } = json;
  const sample = filledIn(usage.sample_request, usage.fill_in, answers);
  if (method !== "GET")
    return app.send(method, path, { body: sample, headers: { "content-type": usage.content_type } });
  const query = new URLSearchParams(
    Object.entries(sample).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return app.get(`${path}${query.size > 0 ? "?" : ""}${query}`);
}

/** Samples are dry runs, so it stays as it is. */
const BOOKED = book(APP);
const OTHERS = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"];

describe("a wrong method", () => {
  describe.each(CAPABILITIES)("$id", ({ path, method, alsoGet }) => {
    test.each(OTHERS.filter((one) => one !== method && !(alsoGet && one === "GET")))("%s", async (wrong) => {
      const { proof, code } = await BOOKED;
      const sent = { ...proof, ...FRIDAY };
      for (const place of ["nowhere", "query", "body"]) {
        // What nobody but the caller can know.
        const email = `${place}@example.com`;
        const customer = { customer_phone: freshPhone(), customer_email: email, email };
        const glass = { total_sqft: 100, site_type: "commercial" };
        const own = { ...QUOTE, ...BOOKING, ...FRIDAY, ...proof, ...glass, name: "Pat", ...customer };
        const query = place === "query" ? `?${new URLSearchParams(sent)}` : "";
        const to = API + path.replace("{confirmation_code}", code) + query;
        const isBody = place === "body" && wrong !== "GET";
        const refused = await APP.send(wrong, to, isBody ? { body: sent } : {});
        expect([refused.status, refused.json.error_code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
        if (place === "query" || isBody) expectKept(refused.json, sent);
        const answer = await obey(APP, refused, own);
        expect([answer.status, answer.json.success, answer.json.message]).toEqual([200, true, undefined]);
      }
    });
  });

  /** Fields that were sent are in the sample, under the name that the right request has for them. */
  function expectKept({ usage, path }: Answer["json"], sent: Record<string, string>): void {
    const { path: _, ...capability } = CAPABILITIES.find((one) => API + one.path === path) ?? { path: "" };
    const shape = "input" in capability ? capability.input(CATALOG).shape : {};
    const kept = Object.entries(sent).filter(([name]) => Object.hasOwn(shape, name));
    expect(usage.sample_request).toMatchObject(Object.fromEntries(kept));
  }

  test("the change of a booking in the words of the booking itself", async () => {
    const app = testApp();
    const { code } = await book(app);
    const refused = await app.send("PUT", `${API}/bookings/${code}`, { body: { ...BOOKING, ...FRIDAY } });
    expect(refused.json.usage.fill_in ?? []).toEqual([]);
    const expected = { ...FRIDAY, confirmation_code: code, phone: BOOKING.customer_phone, dry_run: true };
    expect(refused.json.usage.sample_request).toMatchObject(expected);
    expect((await obey(app, refused, {})).json).toMatchObject({ success: true, data: FRIDAY });
    expect((await app.get(`${API}/bookings/${code}`)).json.data).toMatchObject({ date: BOOKING.date });
  });

  test.each([
    ["GET", "confirmation_code=7K2MQ9XA&phone=4045550111", undefined, "/bookings/lookup"],
    ["GET", "code=7K2MQ9XA", undefined, "/bookings/lookup"],
    ["GET", "vehicle_type=suv", undefined, "/bookings"],
    ["PUT", "", BOOKING, "/bookings"],
    ["PUT", "", { ...BOOKING, confirmation_code: CODE }, "/bookings/reschedule"],
    ["PATCH", "", FRIDAY, "/bookings/reschedule"],
    ["DELETE", "", { name: "Pat" }, "/bookings/cancel"],
  ])("%s /bookings?%s with %j is meant for %s", async (method, query, body, meant) => {
    const { json } = await testApp().send(method, `${API}/bookings?${query}`, body ? { body } : {});
    expect([json.error_code, json.method, json.path]).toEqual(["METHOD_NOT_ALLOWED", "POST", API + meant]);
  });

  test("fields in the body of a GET lead to the POST of the same path", async () => {
    const app = testApp();
    const refused = await app.get(`${API}/estimates?vehicle=van`, { headers: { "content-length": "20" } });
    expect([refused.status, refused.json.method, refused.json.path]).toEqual([400, "POST", `${API}/estimates`]);
    expect((await obey(app, refused, {})).json.success).toBe(true);
  });

  test.each(["/mcp", "/a2a"])("%s: the sample is a message that is answered", async (path) => {
    const app = testApp();
    for (const wrong of ["GET", "PUT", "DELETE"]) {
      const { status, json } = await obey(app, await app.send(wrong, path), {});
      expect([status, json.error, Object.keys(json.result).length > 0]).toEqual([200, undefined, true]);
    }
  });

  test("documents and pages name their own path", async () => {
    const app = testApp();
    for (const path of ["/api/v1/docs", "/llms.txt", "/api/v1/openapi.json", "/livez"]) {
      const { json } = await app.post(path, {});
      expect([json.method, json.path]).toEqual(["GET", path]);
    }
  });
});
