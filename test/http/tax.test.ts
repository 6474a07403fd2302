/** Sales tax as answers say it: none, included in the price, or added to it. Contract 2. */
import { describe, expect, test } from "bun:test";
import { parseCatalog } from "../../src/catalog/load/parse.ts";
import { API, BOOKING, catalogText, catalogWith, manyCallers, QUOTE, testApp } from "../helpers.ts";

/** For requests that store nothing. */
const APP = manyCallers();

const NAMED = { rate_pct: 8.25, label: "Sales tax", note: "Sales tax of 8.25%." };
const appWith = (status: string) => testApp({ catalog: catalogWith({ tax: { status, ...NAMED } }) });
/** The stock list price is $349. */
const JOB = { vehicle_type: "suv", service: "automotive", film_type: "standard", coverage: "full" };
const GLASS = { site_type: "residential", windows: [{ width_in: 36, height_in: 60, quantity: 4 }] };

describe("tax that is added", () => {
  test("is rounded half up, once, on the total; every option has the sum that is to be paid", async () => {
    const { json } = await appWith("added").post(`${API}/estimates`, JOB);
    const tax = { status: "added", rate_pct: 8.25, amount: 28.79, note: NAMED.note };
    expect(json.data).toMatchObject({ total: 349, tax, total_with_tax: 377.79 });
    for (const { total, total_with_tax } of json.data.options)
      expect(total_with_tax).toBe(Math.round(total * 108.25) / 100);
  });

  test("a half cent goes up", async () => {
    const catalog = catalogWith({ tax: { status: "added", ...NAMED, rate_pct: 0.5 } });
    const { json } = await testApp({ catalog }).post(`${API}/estimates`, JOB);
    expect([json.data.tax.amount, json.data.total_with_tax]).toEqual([1.75, 350.75]);
  });

  test("is in an estimate of flat glass, a ballpark and a booking", async () => {
    const app = appWith("added");
    const { options } = (await app.post(`${API}/flat-glass/estimate`, GLASS)).json.data;
    expect(options[0]).toMatchObject({ total_min: 960, total_min_with_tax: 1039.2, total_max_with_tax: 1039.2 });
    const { json } = await app.post(`${API}/flat-glass/estimate?view=brief`, GLASS);
    expect(json.data).toMatchObject({ total: 1020, total_with_tax: 1104.15 });
    const { site_type: service_type, windows } = GLASS;
    const asked = await app.post(`${API}/quote-request`, { ...QUOTE, service_type, windows });
    const sums = { total_min: 960, total_max: 1080, total_min_with_tax: 1039.2, total_max_with_tax: 1169.1 };
    expect(asked.json.data.ballpark).toMatchObject(sums);
    const booked = (await app.post(`${API}/bookings`, { ...BOOKING, ...JOB })).json.data;
    expect(booked.estimate).toMatchObject({ total: 349, tax: { amount: 28.79 }, total_with_tax: 377.79 });
  });
});

test("tax that is included is a part of the total, which stays", async () => {
  const { json } = await appWith("included").post(`${API}/estimates`, JOB);
  expect(json.data).toMatchObject({ total: 349, tax: { status: "included", amount: 26.6 } });
  expect(json.data).not.toHaveProperty("total_with_tax");
});

test("without tax nothing is added", async () => {
  const { json } = await APP.post(`${API}/estimates`, JOB);
  expect(json.data.tax).toMatchObject({ status: "none", rate_pct: null, amount: 0 });
});

test("a catalog with tax has its rate and its name", () => {
  const text = catalogText({ tax: { status: "added", note: NAMED.note } });
  expect(() => parseCatalog(Buffer.from(text), "catalog.yaml")).toThrow(/rate_pct[\s\S]*label/);
});

test.each([
  [{ status: "none" }, "The price is what you pay: no tax is added."],
  [{ status: "included", rate_pct: 8.25, label: "Sales tax" }, "The price includes Sales tax of 8.25%."],
  [{ status: "added", rate_pct: 8.25, label: "Sales tax" }, "Sales tax of 8.25% is added to the price."],
])("without a note of its own the sentence follows the rest: %p", async (tax, note) => {
  const app = testApp({ catalog: catalogWith({ tax }) });
  expect((await app.post(`${API}/estimates`, JOB)).json.data.tax.note).toBe(note);
  expect((await app.get(`${API}/faq?q=tax`)).json.data[0].answer).toContain(note);
});

test.each(["The price is what you pay: no tax is added.", "No sales tax!", "There is no tax on our work."])(
  "beside a tax that is added, a note that denies it is refused: %s",
  (note) => {
    const text = catalogText({ tax: { status: "added", rate_pct: 8.25, label: "Sales tax", note } });
    expect(() => parseCatalog(Buffer.from(text), "catalog.yaml")).toThrow(
      /tax\.note says that there is no tax, but status is added: change it, or leave it out/,
    );
  },
);
