/** A scripted agent that knows only the site's address, and follows the answers. */
import { expect, test } from "bun:test";
import { CAPABILITIES } from "../../src/capabilities/index.ts";
import { derive } from "../../src/catalog/shop.ts";
import { API, CATALOG, NOW, testApp } from "../helpers.ts";
import { type Reply, restAgent, stepTo } from "../walks/agents.ts";
import { USER } from "../walks/wishes.ts";

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

test("a full diary leads to the shop", async () => {
  const app = testApp();
  const today = NOW.toZonedDateTimeISO(CATALOG.business.timezone).toPlainDate();
  const blocked_dates = Array.from({ length: 70 }, (_, days) => ({ date: today.add({ days }).toString() }));
  app.setCatalog(derive({ ...CATALOG, scheduling: { ...CATALOG.scheduling, blocked_dates } }));
  const agent = await restAgent(app);
  const shop = await agent.take(stepTo(await agent.use("check_availability", {}), "business_location"));
  expect(shop.data.phone).toBe(CATALOG.business.phone);
});
