/** A scripted agent that knows only the site's address, and follows the answers. */
import { describe, expect, test } from "bun:test";
import { type Answer, CATALOG, inOwnName, NOW, testApp } from "../helpers.ts";

const SITE = CATALOG.site.url;

interface Action {
  action: string;
  method: string;
  path: string;
  requires_consent: boolean;
  sample_request: Record<string, unknown>;
  fill_in?: string[];
}

/** The user of the agent, who agrees when asked, and has a name, a phone and an e-mail. */
const USER: Record<string, string> = {
  customer_name: "Robin Walker",
  customer_phone: "+1-404-555-0177",
  customer_email: "robin@example.com",
  first_name: "Robin",
  name: "Robin Walker",
  phone: "+1-404-555-0177",
  email: "robin@example.com",
};

function createAgent(app = testApp()) {
  const questions: string[] = [];
  const fetchUrl = (url: string): Promise<Answer> => {
    expect(url).toStartWith(SITE);
    return app.get(url.slice(SITE.length) || "/");
  };
  const follow = ({
    action,
    method,
    path,
    requires_consent,
    sample_request,
    fill_in = [],
  }: Action): Promise<Answer> => {
    if (requires_consent) questions.push(action);
    // The agent never takes the user's own details from a sample.
    const { dry_run: _, ...sample } = {
      ...sample_request,
      ...Object.fromEntries(fill_in.map((name) => [name, undefined])),
    };
    const request = Object.fromEntries(
      Object.entries(sample).map(([field, value]) => [field, (method === "POST" && USER[field]) || value]),
    );
    if (method === "POST") return app.post(path, request);
    const query = new URLSearchParams(
      Object.entries(request).map(([field, value]): [string, string] => [field, String(value)]),
    );
    return app.get(query.size > 0 ? `${path}?${query}` : path);
  };
  /** The next step that an answer names for an action. */
  const next = ({ json }: Answer, ...wanted: string[]): Action => {
    const actions: Action[] = json.next_actions ?? [];
    const found = actions.find(({ action }) => wanted.includes(action));
    if (!found)
      throw new Error(`nothing leads to ${wanted.join(" or ")}: ${actions.map(({ action }) => action).join(", ")}`);
    return found;
  };
  return { app, questions, fetchUrl, follow, next };
}

/** Follows the links from the site's address to the manifest. */
async function readManifest({ fetchUrl }: ReturnType<typeof createAgent>): Promise<Action[]> {
  const welcome = await fetchUrl(`${SITE}/llms.txt`);
  const link = /\[manifest\]\(([^)]+)\)/.exec(welcome.text)?.[1];
  const { json } = await fetchUrl(link ?? "");
  return json.data.capabilities.map(({ id, ...rest }: { id: string }) => ({ action: id, ...rest }));
}

test("from llms.txt to a confirmed booking", async () => {
  const agent = createAgent();
  const manifest = await readManifest(agent);
  const first = manifest.find(({ action }) => action === "automotive_estimate");
  if (!first) throw new Error("the manifest names no estimate");
  const estimate = await agent.follow(first);
  const times = await agent.follow(agent.next(estimate, "check_availability"));
  const booking = await agent.follow(agent.next(times, "book_appointment"));

  expect(booking.status).toBe(201);
  expect(booking.json.data).toMatchObject({
    status: "confirmed",
    customer: { name: USER.customer_name },
    estimate: { total: estimate.json.data.total },
    film_type: estimate.json.data.film_type,
  });
  expect(agent.questions).toEqual(["book_appointment"]);
  const lead = await agent.follow(agent.next(booking, "business_location"));
  expect(lead.json.data.address.street).toBe(CATALOG.business.address.street);
});

test("from llms.txt to a quote request for a building", async () => {
  const agent = createAgent();
  const manifest = await readManifest(agent);
  const first = manifest.find(({ action }) => action === "flat_glass_estimate");
  if (!first) throw new Error("the manifest names no flat-glass estimate");
  const estimate = await agent.follow(first);
  const request = await agent.follow(agent.next(estimate, "quote_request"));
  expect(request.json).toMatchObject({ success: true, data: { status: "received", ballpark: { currency: "USD" } } });
  expect(agent.questions).toEqual(["quote_request"]);
});

test("a slot that is taken meanwhile: an alternative can be booked", async () => {
  const agent = createAgent();
  const times = await agent.follow({
    action: "check_availability",
    method: "GET",
    path: "/api/v1/availability",
    requires_consent: false,
    sample_request: {},
  });
  const wish = agent.next(times, "book_appointment");
  for (let bay = 0; bay < CATALOG.scheduling.bays; bay += 1) {
    const { status } = await agent.app.post(wish.path, {
      ...inOwnName(wish.sample_request, wish.fill_in),
      customer_phone: `+1404555011${bay}`,
    });
    expect(status).toBe(201);
  }
  const refused = await agent.follow(wish);
  expect(refused.json).toMatchObject({ error_code: "SLOT_TAKEN", recoverable: true });
  expect(refused.json.agent_instruction).toContain("alternatives");
  const [{ date, time }] = refused.json.alternatives;
  const booking = await agent.follow({ ...wish, sample_request: { ...wish.sample_request, date, time } });
  expect([booking.status, booking.json.data.time]).toEqual([201, time]);
});

describe("no answer is a dead end", () => {
  const GOALS = ["book_appointment", "quote_request"];

  test("from every capability, next_actions lead to a booking or a quote request", async () => {
    const manifest = await readManifest(createAgent());
    for (const start of manifest) {
      const agent = createAgent();
      const seen = new Set<string>();
      let queue = [start];
      let reached = GOALS.includes(start.action);
      while (!reached && queue.length > 0) {
        const found: Action[] = [];
        for (const action of queue) {
          const answer = await agent.follow(action);
          expect([action.action, answer.status < 300]).toEqual([action.action, true]);
          found.push(...(answer.json.next_actions ?? []));
        }
        reached = found.some(({ action }) => GOALS.includes(action));
        queue = found.filter(({ action }) => !seen.has(action));
        for (const { action } of queue) seen.add(action);
      }
      expect([start.action, reached]).toEqual([start.action, true]);
    }
  });

  test("a full diary leads to the shop", async () => {
    const app = testApp();
    const today = NOW.toZonedDateTimeISO(CATALOG.business.timezone).toPlainDate();
    const blocked = Array.from({ length: 70 }, (_, days) => today.add({ days }).toString());
    app.setCatalog({
      ...CATALOG,
      scheduling: { ...CATALOG.scheduling, blocked_dates: blocked.map((date) => ({ date })) },
    });
    const agent = createAgent(app);
    const week = await app.get("/api/v1/availability");
    const shop = await agent.follow(agent.next(week, "business_location"));
    expect(shop.json.data.phone).toBe(CATALOG.business.phone);
  });
});
