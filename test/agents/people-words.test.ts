/** Lengths, prices and bookings in people's words, whichever way they were asked for. Source: contract 16. */
import { expect, test } from "bun:test";
import { API, bookingOn, CATALOG, catalogWith, testApp } from "../helpers.ts";

const app = testApp({ catalog: catalogWith({ "rate_limits.anonymous_per_minute": 10_000 }) });
const HEADERS = { Accept: "application/json", "Content-Type": "application/json" };
const rpc = async (path: string, method: string, params: object) =>
  (await app.post(path, { jsonrpc: "2.0", id: 1, method, params }, { headers: HEADERS })).json.result;
const tool = async (name: string, args: object) =>
  JSON.parse((await rpc("/mcp", "tools/call", { name, arguments: args })).content[0].text);
const send = async (part: object) =>
  (await rpc("/a2a", "SendMessage", { message: { messageId: "1", role: "ROLE_USER", parts: [part] } })).message.parts;
const skill = async (capability: string, input: object) => (await send({ data: { capability, input } }))[0].data;
const said = async (text: string): Promise<string> => (await send({ text }))[0].text;

/** An estimate of a car, in each of the ways. */
const estimates = async (body: object) => [
  (await app.post(`${API}/estimates`, body)).json,
  (await app.post(`${API}/estimates`, { ...body, view: "brief" })).json,
  await tool("estimate_price", body),
  await skill("automotive_estimate", body),
];

test("the length of work is told in hours beside its minutes", async () => {
  for (const { data } of await estimates({ vehicle_type: "suv" }))
    expect([data.duration_minutes, data.duration]).toEqual([210, "3 h 30 min"]);
  const open = `${API}/availability?view=compact&vehicle_type=suv`;
  expect((await app.get(open)).json.data.duration).toBe("3 h 30 min");
  const body = { vehicle_type: "coupe", film_type: "standard" };
  const { json } = await app.post(`${API}/estimates`, body);
  const { reason } = json.data.addon_suggestions.find(({ code }: { code: string }) => code === "sunroof");
  expect(reason).not.toMatch(/minutes/);
});

test("a shade at the limit has its warning in each of the ways", async () => {
  for (const { warnings } of await estimates({ vehicle_type: "sedan", shade: 35 }))
    expect(warnings).toContainEqual(expect.objectContaining({ code: "LAW_BORDERLINE" }));
  expect(await said("How much is tint for a sedan at 35%?")).toContain("Borderline in Georgia");
});

test("prices of glass say that the shop measures, and those of vehicles that they hold", async () => {
  const glass = { site_type: "residential", total_sqft: 300 };
  const answers = [
    (await app.post(`${API}/flat-glass/estimate`, glass)).json.data.price_note,
    (await skill("flat_glass_estimate", glass)).data.price_note,
  ];
  for (const note of answers) expect(note).toBe(String(CATALOG.flat_glass?.price_note));
  expect(await said("How much for 300 square feet of glass at my house?")).not.toContain(CATALOG.price_note);
  expect(await said("How much is tint for a sedan?")).toContain(CATALOG.price_note);
});

test("a booking is found and cancelled in sentences, and a cancelled one gives no advice for the visit", async () => {
  const wish = bookingOn("2026-11-24");
  const { confirmation_code: code } = (await app.post(`${API}/bookings`, wish)).json.data;
  const mine = `my booking ${code}, phone ${wish.customer_phone}`;
  expect(await said(`Find ${mine}`)).toStartWith(
    `Confirmed: Tue Nov 24, 9:00 AM, 4 h, SUV, $599. ${CATALOG.bookings.prepare} Nothing will be sent: give the customer the code and the link.\n`,
  );
  const cancelled =
    /^Cancelled by customer: Tue Nov 24, 9:00 AM, 4 h, SUV, \$599\. No message about the visit will be sent\.\n/;
  expect(await said(`Please cancel ${mine}`)).toMatch(cancelled);
  expect(await said(`Find ${mine}`)).toMatch(cancelled);
  const proof = { confirmation_code: code, phone: wish.customer_phone };
  for (const { data } of [(await app.post(`${API}/bookings/lookup`, proof)).json, await skill("find_booking", proof)])
    expect([data.prepare, data.messages.said]).toEqual([null, "No message about the visit will be sent."]);
});
