/** What customers say, as values and as names of fields, over REST and MCP: understood, or asked. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { BOOKING, manyCallers, QUOTE, testApp } from "../helpers.ts";
import { book, cancel } from "./manage-requests.ts";
import { inTurn, WAYS, type Way } from "./ways-in.ts";

type Id = Parameters<Way>[1];
const BASES: Partial<Record<Id, object>> = {
  automotive_estimate: { vehicle_type: "sedan", film_type: "ceramic" },
  book_appointment: { ...BOOKING, dry_run: true },
  quote_request: { ...QUOTE, dry_run: true },
  flat_glass_estimate: { site_type: "commercial", total_sqft: 100 },
};
const film = (film_type: string) => ({ film_type });
const coverage = (word: string) => ({ coverage: word });
const type = (word: string) => ({ vehicle: expect.objectContaining({ type: word }) });

const UNDERSTOOD: [id: Id, sent: object, data: object][] = [
  ["automotive_estimate", { film_type: "top of the line" }, film("ceramic")],
  ["automotive_estimate", { film_type: "cheapest you have" }, film("standard")],
  ["automotive_estimate", { coverage: "everything but the windshield" }, coverage("full")],
  ["automotive_estimate", { coverage: "2 fronts" }, coverage("front2")],
  ["automotive_estimate", { coverage: "both front doors" }, coverage("front2")],
  ["automotive_estimate", { coverage: ["front windows"] }, coverage("front2")],
  ["automotive_estimate", { front_windows: true }, coverage("front2")],
  ["automotive_estimate", { all_around: "yes" }, coverage("full")],
  ["automotive_estimate", { vehicle_type: "EV sedan" }, type("sedan")],
  ["automotive_estimate", { vehicle_type: "half-ton pickup" }, type("truck")],
  ["automotive_estimate", { vehicle_type: "hatch" }, type("sedan")],
  [
    "automotive_estimate",
    { jurisdiction: "Georgia, USA" },
    { tint_law: expect.objectContaining({ jurisdiction: "US-GA" }) },
  ],
  ["automotive_estimate", { shade: "as dark as I can legally go" }, {}],
  ["automotive_estimate", { rear_window: "limo", front_side: "50%" }, {}],
  ["automotive_estimate", { service: "tint removal" }, { service: "film_removal" }],
  ["automotive_estimate", { remove_old_film: "yes, please do!" }, {}],
  ["automotive_estimate", { remove_old_film: "Not needed." }, { total: 499 }],
  ["automotive_estimate", { addons: "none, thanks" }, { total: 499 }],
  ["book_appointment", { customer_phone: "(404) 555 0188 cell" }, {}],
  ["book_appointment", { customer_phone: "call me at 404-555-0188" }, {}],
  ["book_appointment", { vehicle_year: "2021 model" }, { vehicle: expect.objectContaining({ year: 2021 }) }],
  ["flat_glass_estimate", { site_type: "dental clinic" }, { site_type: "commercial" }],
  ["flat_glass_estimate", { primary_concern: "nosy neighbors" }, { primary_concern: "privacy" }],
  ["quote_request", { address: { street: "1 Main St", city: "Marietta", zip: 30060 } }, {}],
  ["quote_request", { service_type: "automotive", glass: "one window" }, {}],
];

const ASKED: [id: Id, sent: object, field: string, says?: string][] = [
  ["automotive_estimate", { vehicle_type: "crossover/SUV" }, "vehicle_type"],
  ["automotive_estimate", { vehicle_type: "truck or van" }, "vehicle_type"],
  ["automotive_estimate", { number_of_windows: 2 }, "coverage", "for other glass send"],
  ["automotive_estimate", { windows: ["front left", "front right"] }, "coverage"],
  ["automotive_estimate", { rear_windows: "no" }, "coverage"],
  ["book_appointment", { customer_name: "N/A" }, "customer_name", "ask for it"],
  ["book_appointment", { customer_name: "-" }, "customer_name"],
  ["quote_request", { first_name: "none" }, "first_name"],
  ["flat_glass_estimate", { total_sqft: undefined, windows: "large picture window" }, "windows", "width_in, height_in"],
];

/** For requests that store nothing. */
const APP = manyCallers();

describe("over REST and MCP in turn", () => {
  const send = inTurn(WAYS.slice(0, 2));
  test.each(UNDERSTOOD)("%s understands %j", async (id, sent, data) => {
    const { body } = await send(APP, id, { ...BASES[id], ...sent });
    expect(body).toMatchObject({ success: true, data });
    const codes = body.warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("UNDERSTOOD");
    expect(codes).not.toContain("UNKNOWN_FIELD");
  });

  test.each(ASKED)("%s asks about %j", async (id, sent, field, says = "") => {
    const { body } = await send(APP, id, { ...BASES[id], ...sent });
    expect(body.usage.fill_in).toEqual([field]);
    expect(body.usage.sample_request[field]).toBeUndefined();
    expect(body.message).toContain(says);
  });

  test("a field with no near name that takes the value is no field to fill in", async () => {
    const { body } = await send(testApp(), "book_appointment", { ...BASES.book_appointment, vehicle_color: "black" });
    expect(body.usage.fill_in).toBeUndefined();
    expect(body.usage.fill_in_hints).toEqual([{ field: "vehicle_color", given: "black" }]);
  });

  test("a change says what comes and what goes in its own words", async () => {
    const app = testApp();
    const { proof } = await book(app, { addons: ["windshield_strip"] });
    const change = async (wish: object) =>
      (await send(app, "reschedule_booking", { ...proof, ...wish, dry_run: true })).body.data.addons;
    expect((await change({ add: "the moonroof" })).toSorted()).toEqual(["sunroof", "windshield_strip"]);
    expect(await change({ without: "the strip" })).toEqual([]);
    const { json } = await cancel(app, { ...proof, why: "Sold the car" });
    expect([json.success, json.warnings[0].code]).toEqual([true, "UNDERSTOOD"]);
  });
});
