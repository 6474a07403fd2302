/** Flat glass: estimates by area and by window, and requests for a quote. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { measure } from "../../src/domain/flat-glass.ts";
import { type Answer, API, appWith, CATALOG, fileApp, manyCallers, QUOTE, registerKey, testApp } from "../helpers.ts";

const APP = manyCallers();
const fields = ({ json }: Answer) => (json.invalid_fields ?? []).map(({ field }: { field: string }) => field);

describe("flat-glass estimate", () => {
  const ask = (body: object) => APP.post(`${API}/flat-glass/estimate`, body);

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
      {
        headers: { "User-Agent": "Mozilla/5.0 ChatGPT-User/1.0", "X-API-Key": await registerKey(app, "a@example.com") },
      },
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
    expect(app.counts()).toEqual({ leads: 1, bookings: 0, jobs: 6, keys: 1 });
    const lead = app.db.query("SELECT * FROM leads").get() as Record<string, string>;
    expect(lead).toMatchObject({
      id: json.data.lead_id,
      kind: "quote_request",
      name: "Pat Example",
      phone: "+14045550112",
      key_id: expect.stringMatching(/^key_/),
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
    const asked = { site_type: "commercial", total_sqft: 10, blocked_windows: count };
    const { json } = await APP.post(`${API}/flat-glass/estimate`, asked);
    expect(json.invalid_fields).toEqual([{ field: "blocked_windows", message: "must be 10000 or less" }]);
  },
);

test("a removal line is a range however small the area", async () => {
  const body = { total_sqft: 10, site_type: "commercial", existing_film_sqft: 0.001 };
  const { json } = await APP.post(`${API}/flat-glass/estimate`, body);
  const removal = json.data.options[0].line_items.find(({ code }: { code: string }) => code === "removal");
  expect(removal).toMatchObject({ amount_min: 0, amount_max: 0, unit_price_min: 2, unit_price_max: 4 });
});

const SITE = { site_type: "commercial" };
const LOBBY = { width_in: 36, height_in: 60, quantity: 8, label: "Lobby" };
const SMALL = { width_in: 24.5, height_in: 48.25, quantity: 3 };

const appOf = (edits: Record<string, unknown>) => (Object.keys(edits).length > 0 ? appWith(edits) : APP);
const ask = (body: object, edits: Record<string, unknown> = {}) =>
  appOf(edits).post(`${API}/flat-glass/estimate`, { ...SITE, ...body });

const issues = ({ json }: Answer) => json.invalid_fields.map(({ field }: { field: string }) => field);

const amounts = ({ json }: Answer, code: string) =>
  json.data.options.map(
    ({ line_items }: { line_items: { code: string; amount: number }[] }) =>
      line_items.find((line) => line.code === code)?.amount,
  );

describe("flat-glass estimate of windows", () => {
  test("lists the area of each row, the total and the perimeter", async () => {
    const { status, json } = await ask({ windows: [LOBBY, SMALL], needs_ladder: true });
    expect(status).toBe(200);
    // 24.5 x 48.25 x 3 / 144 = 24.627…; edges: 8 x 2 x 96 in, 3 x 2 x 72.75 in
    expect(json.data).toMatchObject({
      total_sqft: 144.63,
      windows: [
        { label: "Lobby", quantity: 8, sqft: 120 },
        { label: "24.5 x 48.25 in", quantity: 3, sqft: 24.63 },
      ],
      perimeter_ft: 164.38,
    });
    expect(json.data.options[0]).toMatchObject({ total: 144.63 * 18 });
    expect(json.next_actions[0].sample_request).toMatchObject({ windows: [LOBBY, SMALL], needs_ladder: true });
  });

  test("without windows there is nothing about them", async () => {
    const { json } = await ask({ total_sqft: 200 });
    expect(Object.keys(json.data)).not.toContain("windows");
    expect(Object.keys(json.data)).not.toContain("perimeter_ft");
  });

  test("a blocked or curtained row counts as many windows as it has", async () => {
    const answer = await ask({ windows: [{ ...LOBBY, blocked: true, curtain: true }, SMALL] });
    expect(amounts(answer, "blocked_windows")).toEqual([280, 280, 280]);
    expect(amounts(answer, "curtain_windows")).toEqual([280, 280, 280]);
    expect(answer.json.next_actions[0].sample_request).toMatchObject({ furniture_moving: true, blinds_removal: true });
    expect(amounts(await ask({ windows: [LOBBY], blocked_windows: 2 }), "blocked_windows")).toEqual([70, 70, 70]);
    const refused = await ask({ windows: [{ ...LOBBY, blocked: true }], blocked_windows: 2 });
    expect([refused.status, issues(refused)]).toEqual([400, ["blocked_windows"]]);
  });

  test("rounds each pane up where the shop says so", async () => {
    const { json } = await ask({ windows: [LOBBY, SMALL], total_sqft: 144.63 }, { "flat_glass.round_up": "pane" });
    expect(json.data.total_sqft).toBe(8 * 15 + 3 * 9);
  });

  test("takes an area beside the windows when both agree to one percent", async () => {
    expect((await ask({ windows: [LOBBY], total_sqft: 121.2 })).json.data.total_sqft).toBe(120);
    const { status, json } = await ask({ windows: [LOBBY], total_sqft: 121.3 });
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(json.invalid_fields).toMatchObject([
      { field: "total_sqft", message: expect.stringMatching(/121\.3 .*windows add up to 120 /) },
      { field: "windows", message: expect.stringMatching(/120 .*total_sqft is 121\.3 /) },
    ]);
  });

  const REFUSED: [name: string, body: object, code: string, fields: string[]][] = [
    ["neither area nor windows", {}, "MISSING_FIELD", []],
    ["no row", { windows: [] }, "BAD_REQUEST", ["windows"]],
    ["201 rows", { windows: Array(201).fill(LOBBY) }, "BAD_REQUEST", ["windows"]],
    ["no pane", { windows: [{ ...LOBBY, quantity: 0 }] }, "BAD_REQUEST", ["windows[0].quantity"]],
    ["half a pane", { windows: [{ ...LOBBY, quantity: 1.5 }] }, "BAD_REQUEST", ["windows[0].quantity"]],
    ["no width", { windows: [{ ...LOBBY, width_in: 0 }] }, "BAD_REQUEST", ["windows[0].width_in"]],
    ["a city of glass", { windows: [{ ...LOBBY, width_in: 1200, quantity: 10_000 }] }, "BAD_REQUEST", ["windows"]],
  ];
  test.each(REFUSED)("refuses %s", async (_, body, code, fields) => {
    const { status, json } = await ask(body);
    expect([status, json.error_code]).toEqual([400, code]);
    expect((json.invalid_fields ?? []).map(({ field }: { field: string }) => field)).toEqual(fields);
    if (fields.length === 0) {
      expect(json.missing_fields).toEqual(["total_sqft"]);
      expect(json.message).toBe("total_sqft (or windows) is missing.");
    }
  });
});

test("a quote request takes windows: their area gives the ballpark and reaches the shop", async () => {
  const app = fileApp();
  const { status, json } = await app.post(`${API}/quote-request`, { ...QUOTE, windows: [LOBBY] });
  expect(status).toBe(200);
  expect(json.data.ballpark).toMatchObject({ square_footage: 120, total_min: 1920, total_max: 2160 });
  expect(json.next_actions[0].sample_request).toMatchObject({ windows: [LOBBY] });
  const lead = app.db.query<{ details: string }, []>("SELECT details FROM leads").get();
  expect(JSON.parse(lead?.details ?? "")).toMatchObject({ square_footage: 120, windows: [LOBBY] });
  const apart = await app.post(`${API}/quote-request`, { ...QUOTE, windows: [LOBBY], square_footage: 500 });
  expect([apart.status, issues(apart)]).toEqual([400, ["square_footage", "windows"]]);
});

describe("sizes that look like a mistake", () => {
  const FEET = { width_in: 3, height_in: 5, quantity: 8 };
  const check = (field: string) => expect.objectContaining({ code: "SIZE_CHECK", field });
  const SIZES: [name: string, body: object, warnings: unknown[] | undefined, edits?: Record<string, unknown>][] = [
    ["feet sent as inches", { windows: [FEET, LOBBY] }, [check("windows")]],
    ["a grid of small panes", { windows: [{ ...FEET, quantity: 11 }] }, undefined],
    ["small panes in several rows are counted together", { windows: [FEET, { ...FEET, quantity: 3 }] }, undefined],
    ["a pane that is narrow but high", { windows: [{ ...FEET, height_in: 12 }] }, undefined],
    ["the shop's own number", { windows: [FEET] }, undefined, { "flat_glass.small_panes": { under_in: 12, up_to: 7 } }],
    ["as many as that number", { windows: [FEET] }, [check("windows")], { "flat_glass.small_panes": { up_to: 8 } }],
    ["the shop's own size", { windows: [LOBBY] }, [check("windows")], { "flat_glass.small_panes": { under_in: 61 } }],
    ["more old film than glass", { total_sqft: 50, existing_film_sqft: 50.5 }, [check("existing_film_sqft")]],
    ["as much old film as glass", { total_sqft: 50, existing_film_sqft: 50 }, undefined],
  ];
  test.each(SIZES)("%s", async (_, body, warnings, edits = {}) => {
    const estimate = await ask(body, edits);
    expect([estimate.status, estimate.json.warnings]).toEqual([200, warnings]);
    const { total_sqft, ...glass } = body as { total_sqft?: number };
    const app = appWith(edits);
    const quote = { ...QUOTE, ...glass, ...(total_sqft && { square_footage: total_sqft }), dry_run: true };
    expect((await app.post(`${API}/quote-request`, quote)).json.warnings).toEqual(warnings);
  });

  test("say what to look at", async () => {
    const { json } = await ask({ windows: [{ ...FEET, quantity: 1 }], existing_film_sqft: 4 });
    expect(json.warnings.map(({ message }: { message: string }) => message)).toEqual([
      "1 of the panes is under 12 x 12 inches: were feet sent as inches?",
      "There is more old film (4 sq ft) than glass (0.1 sq ft): check both areas.",
    ]);
  });
});

test("areas of any windows are exact", () => {
  // Thousandths of an inch, so that the expectation needs whole numbers only.
  const size = fc.integer({ min: 1000, max: 1_200_000 });
  const row = fc.record({ width: size, height: size, quantity: fc.integer({ min: 1, max: 10_000 }) });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), (rows) => {
      const inch = (thousandths: number) => thousandths / 1000;
      const windows = rows.map((one) => ({ ...one, width_in: inch(one.width), height_in: inch(one.height) }));
      const halfUp = (n: bigint, d: bigint) => (2n * n + d) / (2n * d);
      const areas = rows.map(({ width, height, quantity }) =>
        halfUp(BigInt(width) * BigInt(height) * BigInt(quantity) * 100n, 144_000_000n),
      );
      const measured = measure(windows, "none");
      expect(measured.rows.map(({ sqft }) => sqft)).toEqual(areas.map((area) => Number(area) / 100));
      expect(measured.sqft).toBe(Number(areas.reduce((sum, area) => sum + area, 0n)) / 100);
      const inches = rows.reduce(
        (sum, { width, height, quantity }) => sum + 2n * BigInt(width + height) * BigInt(quantity),
        0n,
      );
      expect(measured.perimeterFt).toBe(Number(halfUp(inches * 100n, 12_000n)) / 100);
      const panes = rows.reduce((sum, { width, height, quantity }) => {
        const area = BigInt(width) * BigInt(height);
        return sum + ((area + 143_999_999n) / 144_000_000n) * BigInt(quantity);
      }, 0n);
      expect(measure(windows, "pane").sqft).toBe(Number(panes));
    }),
  );
});

test.each([
  ["/flat-glass/estimate", { ...SITE, total_sqft: 10 }, ["total_sqft"]],
  ["/quote-request", { ...QUOTE, square_footage: 10, dry_run: true }, ["square_footage"]],
])(
  "%s with an area that differs from the windows: the request to send instead keeps the windows",
  async (path, body, left) => {
    const app = testApp();
    const windows = [{ width_in: 36, height_in: 60, quantity: 8 }];
    const { status, json } = await app.post(API + path, { ...body, windows });
    const { sample_request: instead } = json.usage;
    expect([status, instead.windows, left.filter((field) => field in instead)]).toEqual([400, windows, []]);
    expect((await app.post(API + path, instead)).status).toBe(200);
  },
);
