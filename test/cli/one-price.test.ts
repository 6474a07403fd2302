/**
 * One job, one price: estimate, ballpark, quote request, the page and the command line agree to the cent. Contract 4.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { WindowRow } from "../../src/domain/flat-glass.ts";
import { type fileApp, testApp } from "../app.ts";
import { API, inOwnName, QUOTE } from "../fixed-day.ts";
import { shopFolder } from "../process/server.ts";
import { CATALOG, catalogWith } from "../small-shop.ts";
import { tint, tintJson } from "./run.ts";

setDefaultTimeout(20_000);

interface Job {
  site_type: string;
  total_sqft?: number;
  windows?: WindowRow[];
  needs_ladder?: boolean;
  primary_concern?: string;
  [field: string]: unknown;
}

const LOBBY = { width_in: 36, height_in: 60, quantity: 8 };
const SIDE = { width_in: 24.5, height_in: 48.25, quantity: 3 };
const [C, R, S] = ["commercial", "residential", "security"].map((site_type) => ({ site_type })) as [Job, Job, Job];

const JOBS: Job[] = [
  { ...C, total_sqft: 200, floors: 3, needs_ladder: false },
  { ...C, total_sqft: 0.01 },
  { ...C, total_sqft: 10, existing_film_sqft: 0.33 },
  { ...C, total_sqft: 90.25, floors: 2, blocked_windows: 3, existing_film_sqft: 12.5 },
  { ...C, windows: [{ ...LOBBY, blocked: true }, SIDE] },
  { ...R, total_sqft: 350.5, floors: 2, blocked_windows: 2, curtain_windows: 3, existing_film_sqft: 100 },
  { ...R, windows: [SIDE, LOBBY], needs_ladder: true, existing_film_sqft: 7.77 },
  { ...R, windows: [{ width_in: 10.5, height_in: 11, quantity: 12 }] },
  { ...R, windows: Array.from({ length: 14 }, (_, i) => ({ ...SIDE, width_in: 20 + i, blocked: i === 3 })) },
  { ...S, total_sqft: 123.45, floors: 3 },
];

interface Option {
  tier: string;
  total_min: number;
  total: number;
  total_max: number;
}
type App = ReturnType<typeof testApp> | ReturnType<typeof fileApp>;

const totalsOf = (options: Option[]) =>
  options.map(({ tier, total_min, total, total_max }) => [tier, total_min, total, total_max]);
const lowest = (options: Option[]) => Math.min(...options.map(({ total_min }) => total_min));
const highest = (options: Option[]) => Math.max(...options.map(({ total_max }) => total_max));

/** The request for a quote of a job that nobody estimated. */
function asked({ site_type, total_sqft, primary_concern: _, ...job }: Job) {
  return { ...QUOTE, service_type: site_type, ...job, ...(total_sqft && { square_footage: total_sqft }) };
}

const callers = (function* () {
  for (let i = 1; ; i++) yield `192.0.2.${(i % 250) + 1}`;
})();
const send = (app: App, path: string, body: object) =>
  app.post(API + path, body, { from: callers.next().value ?? undefined });

test.each([
  ["the stock shop", {}],
  ["whole panes at a minimum charge", { "flat_glass.minimum_job_charge": 250, "flat_glass.round_up": "pane" }],
])("%s", async (_, edits) => {
  const app = testApp({ catalog: catalogWith(edits) });
  for (const job of JOBS) {
    const { json } = await send(app, "/flat-glass/estimate", job);
    const { options, estimate_id, book_url, total_sqft } = json.data;

    // The ballpark of the same facts holds every estimate.
    const told = await send(app, "/quote-request", asked(job));
    const { ballpark: first } = told.json.data;
    expect(first.square_footage).toBe(total_sqft);
    expect(first.total_min).toBeLessThanOrEqual(lowest(options));
    expect(first.total_max).toBeGreaterThanOrEqual(highest(options));

    // From the quote request back to a price.
    const [price] = told.json.next_actions;
    const back = await send(app, "/flat-glass/estimate", price.sample_request);
    expect(totalsOf(back.json.data.options)).toEqual(totalsOf(options));

    // From the estimate to a quote request: its own lowest and highest total.
    const [{ sample_request, fill_in }] = json.next_actions;
    const quoted = await send(app, "/quote-request", inOwnName(sample_request, fill_in));
    const own = { square_footage: total_sqft, total_min: lowest(options), total_max: highest(options) };
    expect(quoted.json.data.ballpark).toMatchObject(own);
    const { service_type } = asked(job);
    const short = await send(app, "/quote-request", { ...QUOTE, service_type, estimate_id });
    // The estimate holds its area to a hundredth of a square foot.
    const { square_footage: _, ...ballpark } = quoted.json.data.ballpark;
    expect(short.json.data.ballpark).toMatchObject(ballpark);

    // The page that the estimate leads to.
    const { pathname, search } = new URL(book_url);
    const page = (await app.get(pathname + search)).text;
    for (const { total } of options as Option[]) {
      const step = total < 1000 ? 1 : 10;
      expect(page).toContain(`about $${(Math.round(total / step) * step).toLocaleString("en-US")}</span>`);
    }
  }
});

test.each([
  { furniture_moving: true, blinds_removal: true },
  { furniture_moving: true, window_count: 6, floors: 3 },
])("furniture and blinds that nobody counted: the price meanwhile lies in the ballpark: %j", async (told) => {
  const app = testApp({ catalog: CATALOG });
  const { json } = await send(app, "/quote-request", { ...asked({ ...R, total_sqft: 100 }), ...told });
  const { total_min, total_max } = json.data.ballpark;
  const { options } = (await send(app, "/flat-glass/estimate", json.next_actions[0].sample_request)).json.data;
  expect(lowest(options)).toBeGreaterThanOrEqual(total_min);
  expect(highest(options)).toBeLessThanOrEqual(total_max);
});

test("the ballpark of an estimate is what the estimate said, also once the price list has changed", async () => {
  const app = testApp({ catalog: CATALOG });
  const { json } = await send(app, "/flat-glass/estimate", { ...C, total_sqft: 100 });
  const { options, estimate_id, valid_until } = json.data;
  const rates = { good: 17, better: 17.5, best: 18 };
  app.setCatalog(catalogWith({ "flat_glass.rates_per_sqft.commercial": rates }));
  const quote = async () => (await send(app, "/quote-request", { ...QUOTE, estimate_id })).json.data.ballpark;
  expect(await quote()).toMatchObject({ total_min: lowest(options), total_max: highest(options) });
  app.advance({ milliseconds: Date.parse(valid_until) - app.now().epochMilliseconds + 1000 });
  expect(await quote()).toMatchObject({ total_min: 1700, total_max: 1800 });
});

test.each([
  ["furniture at one of the windows, or at all", { furniture_moving: true, window_count: 4 }, [1635, 1940]],
  ["furniture at windows that nobody counted", { furniture_moving: true }, [1635, 1835]],
  ["as many as are counted", { furniture_moving: true, blocked_windows: 2, window_count: 4 }, [1670, 1870]],
  ["blinds", { blinds_removal: true, window_count: 2 }, [1635, 1870]],
  ["old film", { existing_film_sqft: 10 }, [1620, 1840]],
])("a ballpark has the surcharges that the request tells: %s", async (_, facts, [total_min, total_max]) => {
  const body = { ...QUOTE, square_footage: 100, ...facts };
  const { json } = await send(testApp({ catalog: CATALOG }), "/quote-request", body);
  expect(json.data.ballpark).toMatchObject({ total_min, total_max });
});

const COUNTS = { blocked_windows: "blocked", curtain_windows: "curtain", existing_film_sqft: "existing" };
const FLAGS: Record<string, string> = { site_type: "site", total_sqft: "sqft", primary_concern: "concern", ...COUNTS };

/** The job as typed; rows that are marked are counted. */
function typed({ windows = [], needs_ladder, ...job }: Job): string[] {
  const count = (kind: "blocked" | "curtain") =>
    windows.filter((row) => row[kind]).reduce((sum, { quantity }) => sum + quantity, 0);
  const counted = { blocked_windows: count("blocked"), curtain_windows: count("curtain"), ...job };
  return [
    ...Object.entries(counted).flatMap(([field, value]) =>
      value ? [`--${FLAGS[field] ?? field}`, String(value)] : [],
    ),
    ...windows.flatMap(({ width_in, height_in, quantity }) => ["--window", `${width_in}x${height_in}x${quantity}`]),
    ...(needs_ladder === undefined ? [] : [needs_ladder ? "--needs-ladder" : "--no-needs-ladder"]),
  ];
}

test("tint estimate flat, as JSON and in words", async () => {
  const [app, folder] = [testApp({ catalog: CATALOG }), shopFolder()];
  for (const job of JOBS) {
    const { json } = await send(app, "/flat-glass/estimate", job);
    const args = ["estimate", "flat", ...typed(job)];
    const printed = await tintJson(folder, [...args]);
    expect([args, totalsOf(printed.data.options)]).toEqual([args, totalsOf(json.data.options)]);
    const { stdout } = await tint(folder, args);
    const money = (units: number) => units.toLocaleString("en-US", { style: "currency", currency: "USD" });
    const total = stdout.split("\n").find((line) => line.startsWith("Total")) ?? "";
    for (const { total_min, total_max } of json.data.options as Option[])
      for (const end of [total_min, total_max]) expect(total).toContain(money(end));
  }
});
