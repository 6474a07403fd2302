/** What customers say, as values and as names of fields, over REST and MCP: understood, or asked. Source: contract 1. */
import { describe, expect, test } from "bun:test";
import { testApp } from "../helpers.ts";
import { book, cancel } from "./manage-requests.ts";
import { APP, ASK, BOOK, GLASS, law, SEDAN, send, type } from "./reader-doors.ts";
import { asksFor, each, type LeftOut, type Understood, understands } from "./reader-tables.ts";
import { inTurn } from "./ways-in.ts";

const film = (film_type: string) => ({ film_type });
const coverage = (word: string) => ({ coverage: word });

const UNDERSTOOD: Understood[] = [
  ...each(
    SEDAN,
    "film_type",
    [
      "top of the line",
      "best you've got",
      "top-shelf",
      "the IR one",
      "upgrade to ceramic",
      "ceramic instead",
      "the pricier one",
    ],
    film("ceramic"),
  ),
  ...each(SEDAN, "film_type", ["cheapest you have", "low end", "the affordable one"], film("standard")),
  ...each(SEDAN, "coverage", ["full coverage", "rear and sides", "All side & rear windows"], coverage("full")),
  ...each(SEDAN, "addons", ["shade band", "tint strip at the top"], { total: 598 }),
  ...each(SEDAN, "vehicle_type", ["fullsize pickup", "light truck", "heavy-duty truck"], type("truck")),
  [SEDAN, { service: "windshield protection film" }, { service: "clearplex" }],
  ...each(GLASS, "site_type", ["courthouse", "animal hospital", "museum", "gas station"], { site_type: "commercial" }),
  ...each(GLASS, "site_type", ["our lake house", "studio apartment"], { site_type: "residential" }),
  ...each(GLASS, "primary_concern", ["reduce glare", "computer glare"], { primary_concern: "glare" }),
  ...each(GLASS, "primary_concern", ["people can see in", "one-way mirror"], { primary_concern: "privacy" }),
  [SEDAN, { coverage: "everything but the windshield" }, coverage("full")],
  [SEDAN, { coverage: "2 fronts" }, coverage("front2")],
  [SEDAN, { coverage: "both front doors" }, coverage("front2")],
  [SEDAN, { coverage: ["front windows"] }, coverage("front2")],
  [SEDAN, { front_windows: true }, coverage("front2")],
  [SEDAN, { all_around: "yes" }, coverage("full")],
  [SEDAN, { vehicle_type: "EV sedan" }, type("sedan")],
  [SEDAN, { vehicle_type: "half-ton pickup" }, type("truck")],
  [SEDAN, { vehicle_type: "hatch" }, type("sedan")],
  [SEDAN, { jurisdiction: "Georgia, USA" }, law("US-GA")],
  [SEDAN, { shade: "as dark as I can legally go" }, {}],
  [SEDAN, { rear_window: "limo", front_side: "50%" }, {}],
  [SEDAN, { service: "tint removal" }, { service: "film_removal" }],
  [SEDAN, { remove_old_film: "yes, please do!" }, {}],
  [SEDAN, { remove_old_film: "Not needed." }, { total: 499 }],
  [SEDAN, { addons: "none, thanks" }, { total: 499 }],
  [BOOK, { customer_phone: "(404) 555 0188 cell" }, {}],
  [BOOK, { customer_phone: "call me at 404-555-0188" }, {}],
  ...each(BOOK, "customer_phone", ["0044 20 7946 0018", "001 404 555 0188"], {}),
  [BOOK, { vehicle_year: "2021 model" }, { vehicle: expect.objectContaining({ year: 2021 }) }],
  [GLASS, { site_type: "dental clinic" }, { site_type: "commercial" }],
  [GLASS, { primary_concern: "nosy neighbors" }, { primary_concern: "privacy" }],
  [ASK, { address: { street: "1 Main St", city: "Marietta", zip: 30060 } }, {}],
  [ASK, { service_type: "automotive", glass: "one window" }, {}],
];

const ASKED: LeftOut[] = [
  [SEDAN, { vehicle_type: "crossover/SUV" }, "vehicle_type"],
  [SEDAN, { vehicle_type: "truck or van" }, "vehicle_type"],
  [SEDAN, { number_of_windows: 2 }, "coverage", "", "for other glass send"],
  [SEDAN, { windows: ["front left", "front right"] }, "coverage"],
  [SEDAN, { rear_windows: "no" }, "coverage"],
  [BOOK, { customer_name: "N/A" }, "customer_name", "", "ask for it"],
  [BOOK, { customer_name: "-" }, "customer_name"],
  [ASK, { first_name: "none" }, "first_name"],
  [GLASS, { total_sqft: undefined, windows: "large picture window" }, "windows", "", "width_in, height_in"],
];

understands(UNDERSTOOD);
asksFor(ASKED);

describe("over each way in turn", () => {
  test("a field with no near name that takes the value is no field to fill in", async () => {
    const { usage } = await send(APP, BOOK, { vehicle_color: "black" });
    expect(usage.fill_in).toBeUndefined();
    expect(usage.fill_in_hints).toEqual([{ field: "vehicle_color", given: "black" }]);
  });

  test("a change says what comes and what goes in its own words", async () => {
    const app = testApp();
    const ask = inTurn();
    const { proof } = await book(app, { addons: ["windshield_strip"] });
    const change = async (wish: object) =>
      (await ask(app, "reschedule_booking", { ...proof, ...wish, dry_run: true })).body.data.addons;
    expect((await change({ add: "the moonroof" })).toSorted()).toEqual(["sunroof", "windshield_strip"]);
    expect(await change({ without: "the strip" })).toEqual([]);
    const { json } = await cancel(app, { ...proof, why: "Sold the car" });
    expect([json.success, json.warnings[0].code]).toEqual([true, "UNDERSTOOD"]);
  });
});
