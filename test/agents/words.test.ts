/** What assistants are told, and understand, whichever way they come: people's words, advice, deposits; and where it leads. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { toolVoice } from "../../src/agents/mcp.ts";
import { textOf } from "../../src/capabilities/core/capability.ts";
import { namedIn, REST, say } from "../../src/capabilities/core/operations.ts";
import { aboutOf, CAPABILITIES } from "../../src/capabilities/index.ts";
import { ERRORS } from "../../src/errors.ts";
import { pick } from "../../src/lib/fields.ts";
import { API, appWith, BOOKING, bookingOn, CATALOG, catalogWith, NOW, type TestApp, testApp } from "../helpers.ts";
import { CONSENT, CATALOG as DEPOSIT_SHOP, depositShop } from "../payments/deposit-shop.ts";
import { withoutService } from "../shops.ts";
import { type Reply, restAgent, stepTo } from "../walks/agents.ts";
import { USER } from "../walks/wishes.ts";

describe("Lengths, prices and bookings in people's words, whichever way they were asked for", () => {
  const app = appWith({ "rate_limits.anonymous_per_minute": 10_000 });
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
});

const advice = CAPABILITIES.flatMap(({ description, useWhen, avoidWhen }) =>
  [description, ...useWhen, ...avoidWhen].map((text) => textOf(text, CATALOG)),
);

const instructions = Object.values(ERRORS).map(({ instruction }) => instruction);

test("advice and instructions name requests by holes alone, which every voice fills", () => {
  const ids: string[] = CAPABILITIES.map(({ id }) => id);
  const names = new RegExp(`\\b(?:${ids.join("|")})\\b|POST |GET /api/v1/(?!capabilities)|Retry-After`);
  for (const text of [...advice, ...instructions]) {
    for (const id of namedIn(text)) expect(ids).toContain(id);
    expect(text.replaceAll(/\{[a-z:_]+\}/g, "")).not.toMatch(names);
    for (const voice of [REST, toolVoice(CATALOG)]) expect(say(text, { voice, catalog: CATALOG })).not.toMatch(/[{}]/);
  }
});

test("advice about what is not offered, or about the capability itself, is left out whatever its words", () => {
  const [estimate] = CAPABILITIES.filter(({ id }) => id === "automotive_estimate");
  if (!estimate) throw new Error("no estimate");
  const told = { ...estimate, avoidWhen: ["Glass? {tool:flat_glass_estimate}!", "A list."] };
  expect(aboutOf(told, CATALOG).avoidWhen).toEqual(["Glass? flat_glass_estimate!", "A list."]);
  expect(aboutOf(told, withoutService("residential", "commercial", "security")).avoidWhen).toEqual(["A list."]);
  expect(aboutOf(told, CATALOG, REST, [estimate]).avoidWhen).toEqual(["A list."]);
});

describe("deposits are spoken of only by a shop that asks for them (contract 6)", () => {
  const HEADERS = {
    ...{ accept: "application/json", "content-type": "application/json" },
    "mcp-protocol-version": "2025-11-25",
  };

  const PAGES = ["/", `${API}/docs-md`, `${API}/openapi.json`, "/llms.txt", `${API}/faq`] as const;

  const rpc = (app: Pick<TestApp, "post">, method: string, params: object = {}) =>
    app.post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, { headers: HEADERS });

  const wish = { ...BOOKING, consent: CONSENT };
  const ASKING = testApp({ catalog: DEPOSIT_SHOP });
  const PLAIN = testApp();

  test.each(PAGES)("%s speaks of a deposit only where there is one", async (path) => {
    const asked = await ASKING.get(path, { headers: { accept: "application/json" } });
    const none = await PLAIN.get(path, { headers: { accept: "application/json" } });
    expect([none.status, asked.status]).toEqual([200, 200]);
    if (path === `${API}/openapi.json`) {
      expect(asked.text).toContain("BookingPayment");
      expect(none.text).not.toContain("BookingPayment");
    }
    if (path === `${API}/faq`) {
      expect(none.text).toContain("takes no card and no deposit");
      expect(asked.text).not.toContain("takes no card and no deposit");
      expect(asked.text).not.toContain("No payment now");
    }
    if (path === `${API}/docs-md`) expect(asked.text).toContain("payment");
  });

  describe("an assistant passes the link on", () => {
    test("over MCP", async () => {
      using it = await depositShop();
      const { text } = await rpc(it.app, "tools/call", { name: "book_appointment", arguments: wish });
      const { data, next_actions } = JSON.parse(JSON.parse(text).result.content[0].text);
      expect([data.status, data.payment.amount, data.payment.currency]).toEqual(["held", 50, "USD"]);
      expect(data.payment.url).toStartWith("https://checkout.stripe.com/");
      expect(next_actions[0]).toMatchObject({ tool: "find_booking" });
    });

    test("its tool says so", async () => {
      const listed = async (app: TestApp) => (await rpc(app, "tools/list")).text;
      expect(await listed(ASKING)).toContain("held until they have paid there");
      expect(await listed(PLAIN)).not.toContain("paid there");
    });
  });
});

test("from llms.txt to the manifest, to a price, to open times, to a confirmed booking, to the shop's address", async () => {
  const app = testApp();
  const welcome = await app.get("/llms.txt");
  expect(/\[manifest\]\(([^)]+)\)/.exec(welcome.text)?.[1]).toBe(`${CATALOG.site.url}${API}/capabilities`);
  const agent = await restAgent(app);
  const { capabilities } = (await app.get(`${API}/capabilities`)).json.data;
  const { sample_request } = capabilities.find(({ id }: { id: string }) => id === "automotive_estimate");
  const estimate = await agent.use("automotive_estimate", sample_request);
  const times = await agent.take(stepTo(estimate, "check_availability"));
  const booking = await agent.take(stepTo(times, "book_appointment"), USER);
  expect(booking.data).toMatchObject({
    status: "confirmed",
    customer: { name: USER.customer_name },
    estimate: { total: estimate.data.total },
    film_type: estimate.data.film_type,
  });
  const shop = await agent.take(stepTo(booking, "business_location"));
  expect(shop.data.address.street).toBe(CATALOG.business.address.street);
});

const GOALS = ["book_appointment", "quote_request"];
const NO_GOALS = CAPABILITIES.filter(({ id, isExtension }) => !GOALS.includes(id) && !isExtension);

/** What only the user knows. */
const OWN: Record<string, object> = {
  register_api_key: { name: USER.customer_name, email: USER.customer_email },
  automotive_estimate: { vehicle_type: "suv" },
  flat_glass_estimate: { total_sqft: 200, site_type: "residential" },
};

test.each(NO_GOALS)("$id: its next steps lead on to a booking or a quote request", async ({ id, sample }) => {
  const agent = await restAgent(testApp());
  const seen = new Set<string>();
  const leads = async (reply: Reply): Promise<boolean> => {
    expect(reply.ok).toBe(true);
    if (reply.steps.some(({ name }) => GOALS.includes(name))) return true;
    for (const step of reply.steps.filter(({ name }) => !seen.has(name))) {
      seen.add(step.name);
      const own = OWN[step.name] ?? {};
      if (await leads(await agent.take(step, own))) return true;
    }
    return false;
  };
  expect(await leads(await agent.use(id, { ...sample(CATALOG, NOW) }))).toBe(true);
});

const PAGE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const [, WALK = ""] = /```console\n(.*?)```/s.exec(PAGE) ?? [];

/** What is new in every run. */
const FRESH = ["confirmation_code", "reference", "api_key", "estimate_id"];

/** The parts of an answer that the walk shows under a shorter name. */
const SHORT: Record<string, string> = {
  law: "tint_law.status",
  expected_by: "follow_up.expected_by",
  said: "messages.said",
  locked: "estimate.locked",
};

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

function partOf(answer: Json, name: string): Json {
  const { data = answer } = answer;
  const path = SHORT[name] ?? (name === "total" && data.total === undefined ? "estimate.total" : name);
  return path.split(".").reduce((value: Json, step) => value?.[step], data);
}

/** The printed values of an answer, with the program's in their place. */
function printed(answer: Json, shown: Json): Json {
  if (typeof shown === "number") return partOf(answer, "total");
  const partShown = (name: string) => {
    if (FRESH.includes(name)) return shown[name];
    const part = partOf(answer, name);
    const isGroup = typeof shown[name] === "object" && shown[name] !== null;
    return isGroup ? pick(part, ...(Object.keys(shown[name]) as never[])) : part;
  };
  return Object.fromEntries(Object.keys(shown).map((name) => [name, partShown(name)]));
}

test("every request is answered as the page prints it", async () => {
  const app = testApp({ now: Temporal.Instant.from("2026-11-21T15:00:00Z") });
  const steps = WALK.split(/^\$ /m).slice(1);
  expect(steps.length).toBeGreaterThan(14);
  let booking: Json;
  let [code, from] = ["", ""];
  let compared = 0;
  for (const step of steps) {
    const [command = "", ...output] = step.trim().split("\n");
    const shown = /^[{\d]/.test(output[0] ?? "") ? JSON.parse(output[0] ?? "") : undefined;
    const [, path = "", body] = /curl -si? \$B(\/[^ ]*)(?: -d '(.*?)')?/.exec(command) ?? [];
    const send = (text: string) =>
      app.post(`${API}${path}`, JSON.parse(text.replaceAll(from || " ", code)), { from: "192.0.2.7" });
    if (command.startsWith("jq -c '.next_actions[]")) {
      booking = { ...booking, ...shown, ...pick(booking, "estimate_id", "booking_request_id") };
      // The sample of the estimate, with the customer put in.
      expect([...Object.keys(shown), "booking_request_id"].sort()).toEqual(Object.keys(booking).sort());
    } else if (command.startsWith("tint price set"))
      app.setCatalog(catalogWith({ "automotive.vehicle_types.sedan.ceramic.full": 549 }));
    else if (path !== "" && !command.startsWith("for ")) {
      const isBooking = command.includes("book.json");
      const text = isBooking
        ? JSON.stringify({ ...booking, ...(command.includes("dry_run") && { dry_run: true }) })
        : body;
      const answer = text === undefined ? await app.get(`${API}${path.replace(from, code)}`) : await send(text);
      const step = answer.json?.next_actions?.find(({ action }: Json) => action === "book_appointment");
      booking ??= step?.sample_request;
      if (command.includes("booking.json"))
        [code, from] = [answer.json.data.confirmation_code, shown.confirmation_code];
      if (shown === undefined) continue;
      expect([command, printed(answer.json, shown)]).toEqual([command, shown]);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(9);
});
