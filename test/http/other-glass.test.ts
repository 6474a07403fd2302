/** Glass that no coverage names, like the rear window alone: what can be had instead. Source: contract 2. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, freshPhone, inOwnName, testApp } from "../helpers.ts";

const CAR = { vehicle_type: "suv", vehicle_year: 2022, vehicle_make: "Kia", vehicle_model: "Sorento" };
const ASKED: [path: string, body: object][] = [
  ["/estimates", {}],
  ["/bookings", { ...BOOKING, customer_phone: freshPhone() }],
];

describe.each(["rear", "back window", "windshield only", "driver's window", "one window"])("%s", (coverage) => {
  test.each(ASKED)("of %s is refused with a whole request for a quote, in words", async (path, body) => {
    const app = testApp();
    const wish = { ...body, ...CAR, film_type: "ceramic", shade: 20, coverage };
    const { status, json } = await app.post(API + path, wish);
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    const [step] = json.next_actions;
    expect(step).toMatchObject({
      ...{ action: "quote_request", method: "POST", path: `${API}/quote-request`, requires_consent: true },
      sample_request: { service_type: "automotive", ...CAR, film_type: "ceramic" },
    });
    expect(step.sample_request.message).toStartWith(`glass: ${coverage}; shade: 20`);
    if ("time" in body) expect(step.sample_request.message).toContain(`time: ${body.time}`);
    expect(step.fill_in).toContain("consent");
    const known = "customer_email" in body;
    expect(step.fill_in.includes("phone")).toBe(!known);
    const whole = { ...step.sample_request, ...inOwnName({}, known ? [] : ["first_name", "phone", "email"]) };
    const sent = await app.post(step.path, { ...whole, consent: { confirmed_by_user: true }, dry_run: true });
    expect([sent.status, sent.json.warnings]).toEqual([200, undefined]);
  });
});

test("a word that alone can mean a coverage, or that has a near one, leads nowhere else", async () => {
  const app = testApp();
  for (const coverage of ["front windows", "ful"]) {
    const { json } = await app.post(`${API}/estimates`, { ...CAR, coverage });
    expect(json.next_actions?.map(({ action }: { action: string }) => action) ?? []).not.toEqual(["quote_request"]);
  }
});

test("over MCP and A2A the way is a tool, and a capability", async () => {
  const app = testApp();
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const call = { name: "estimate_price", arguments: { ...CAR, coverage: "rear" } };
  const mcp = await app.post("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: call }, { headers });
  expect(mcp.text.replaceAll("\\", "")).toContain('"tool":"request_quote"');
  const data = { capability: "automotive_estimate", input: { ...CAR, coverage: "rear" } };
  const message = { messageId: "m1", role: "user", kind: "message", parts: [{ kind: "data", data }] };
  const a2a = await app.post(
    "/a2a",
    { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } },
    { headers },
  );
  expect(a2a.text.replaceAll("\\", "")).toContain('"capability":"quote_request"');
});

test.each([
  ["full", "the rear window alone"],
  ["brief", "Other glass."],
])("a %s estimate names it, with everything that the shop must know", async (view, words) => {
  const app = testApp();
  const { json } = await app.post(`${API}/estimates`, { ...CAR, view });
  const step = json.next_actions.at(-1);
  expect(step).toMatchObject({ action: "quote_request", description: expect.stringContaining(words) });
  const sent = await app.post(step.path, { ...inOwnName(step.sample_request, step.fill_in), dry_run: true });
  expect([sent.status, sent.json.warnings]).toEqual([200, undefined]);
  const removal = await app.post(`${API}/estimates`, { ...CAR, service: "film_removal", view });
  expect(JSON.stringify(removal.json.next_actions)).not.toContain("quote_request");
});
