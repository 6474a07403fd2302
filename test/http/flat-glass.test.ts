/** Flat glass: estimates by area, and requests for a quote. */
import { describe, expect, test } from "bun:test";
import { type Answer, API, CATALOG, fileApp, manyCallers, QUOTE, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);

describe("flat-glass estimate", () => {
  const ask = (body: object) => APP.post(`${API}/flat-glass/estimate`, body);

  test("Good, Better, Best: one is recommended; the lines of each", async () => {
    const { json } = await ask({ total_sqft: 200, site_type: "commercial", primary_concern: "heat", floors: 1 });
    expect(json.data).toMatchObject({
      kind: "flat_glass",
      currency: "USD",
      site_type: "commercial",
      options: [
        { tier: "good", label: "Good", price_per_sqft: 16 },
        { tier: "better", label: "Better", price_per_sqft: 16.75 },
        { tier: "best", label: "Best", price_per_sqft: 17.5 },
      ],
    });
    expect(json.data.options.filter(({ recommended }: { recommended: boolean }) => recommended)).toHaveLength(1);
    expect(json.data.options[0].line_items).toMatchObject([
      { code: "film", quantity: 200, unit: "sq ft", unit_price: 16, amount: 3200 },
    ]);
  });

  test("an area must be a number of at least a hundredth", async () => {
    for (const total_sqft of [0, -1, 0.009, "200-300", 1_000_001, "1e3", true]) {
      const answer = await ask({ total_sqft, site_type: "commercial" });
      expect([answer.status, fields(answer)]).toEqual([400, ["total_sqft"]]);
    }
    // JSON has no infinity; a number that overflows is refused like any other bad number.
    const huge = await APP.post(`${API}/flat-glass/estimate`, '{"total_sqft":1e999,"site_type":"commercial"}');
    expect(huge.status).toBe(400);
  });
});

describe("quote request", () => {
  test("stores one lead with its six jobs and gives a ballpark", async () => {
    const app = fileApp();
    const { status, json } = await app.post(
      `${API}/quote-request`,
      {
        ...QUOTE,
        last_name: "Example",
        square_footage: 250,
        message: "Two\nlines",
        consent: { confirmed_by_user: true },
      },
      { headers: { "User-Agent": "Mozilla/5.0 ChatGPT-User/1.0" } },
    );
    expect(status).toBe(200);
    expect(json.data).toEqual({
      lead_id: expect.stringMatching(/^lead_/),
      reference: expect.stringMatching(/^Q-/),
      status: "received",
      received_at: "2026-11-21T10:00:00-05:00",
      follow_up: { expected_by: expect.stringMatching(/^2026-11-2\dT/), channel: "phone" },
      ballpark: {
        currency: "USD",
        square_footage: 250,
        price_per_sqft_min: 16,
        price_per_sqft_max: 18,
        total_min: 4000,
        total_max: 4500,
        tax: { status: "none", rate_pct: null, amount: null, note: CATALOG.tax.note },
        price_note: CATALOG.flat_glass?.price_note,
      },
    });
    expect(app.counts()).toEqual({ leads: 1, bookings: 0, jobs: 6, keys: 0 });
    const lead = app.db.query("SELECT * FROM leads").get() as Record<string, string>;
    expect(lead).toMatchObject({
      id: json.data.lead_id,
      kind: "quote_request",
      name: "Pat Example",
      phone: "+14045550112",
      agent_class: "openai",
      user_agent: "Mozilla/5.0 ChatGPT-User/1.0",
    });
    expect(JSON.parse(lead.consent ?? "")).toEqual({ confirmed_by_user: true });
    expect(JSON.parse(lead.details ?? "")).toMatchObject({ message: "Two\nlines", square_footage: 250 });
    const jobs = await app.store.waitingJobs(10);
    expect(jobs.map(({ kind }) => kind)).toEqual([
      "notify_shop_sms",
      "push_to_crm",
      "remind_owner",
      "remind_owner_notice",
      "remind_owner",
      "remind_owner_notice",
    ]);
  });

  test("property_info is text or an object of up to 4 KiB", async () => {
    const send = (property_info: unknown) => testApp().post(`${API}/quote-request`, { ...QUOTE, property_info });
    expect((await send({ year_built: 1990, panes: ["double"] })).status).toBe(200);
    expect((await send("A house by the lake")).status).toBe(200);
    expect((await send({ notes: "n".repeat(4000) })).status).toBe(200);
    expect((await send("n".repeat(4000))).status).toBe(200);
    for (const tooMuch of [{ notes: "n".repeat(4096) }, "n".repeat(4097), 42, true, ["list"]]) {
      expect((await send(tooMuch)).status).toBe(400);
    }
  });
});

test.each([2 ** 53, 1e300, 10_001])(
  "a count of %p is refused, and the message names the bound of the field",
  async (count) => {
    const { json } = await APP.post(`${API}/flat-glass/estimate`, {
      site_type: "commercial",
      total_sqft: 10,
      blocked_windows: count,
    });
    expect(json.invalid_fields).toEqual([{ field: "blocked_windows", message: "must be 10000 or less" }]);
  },
);

test("a removal line is a range however small the area", async () => {
  const body = { total_sqft: 10, site_type: "commercial", existing_film_sqft: 0.001 };
  const { json } = await APP.post(`${API}/flat-glass/estimate`, body);
  const removal = json.data.options[0].line_items.find(({ code }: { code: string }) => code === "removal");
  expect(removal).toMatchObject({ amount_min: 0, amount_max: 0, unit_price_min: 2, unit_price_max: 4 });
});
