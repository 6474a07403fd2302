/** Changing the work of a booking: film, glass, extras, shade or vehicle, at the same time or another one. Contract 13. */
import { describe, expect, test } from "bun:test";

import { derive } from "../../src/catalog/shop.ts";
import { API, appWith, catalogWith, freshPhone, type TestApp, testApp } from "../helpers.ts";
import { send } from "../pages/form.ts";
import { withoutService } from "../shops.ts";
import { book as booked } from "./manage-requests.ts";

const JOB = { vehicle_type: "suv", film_type: "standard", coverage: "full" };

const book = (app: TestApp, more: object = {}) => booked(app, { ...JOB, customer_phone: freshPhone(), ...more });

describe("other work in the same booking", () => {
  test("has the price and length of the new job, at the old time, and a dry run shows it first", async () => {
    const app = testApp();
    const { data, change, look } = await book(app);
    const asked = { film_type: "ceramic", remove_old_film: true };
    const shown = await change({ ...asked, dry_run: true });
    expect(shown.status).toBe(200);
    const expected = { previous_total: 349, price_change: 475, estimate: { total: 824 }, film_type: "ceramic" };
    expect(shown.json.data).toMatchObject({ ...expected, status: "dry_run", date: data.date, time: data.time });
    expect((await look()).estimate.total).toBe(349);
    const { status, json } = await change(asked);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ ...expected, status: "confirmed", confirmation_code: data.confirmation_code });
    const wanted = { date: data.date, time: data.time, remove_old_film: true, addons: [], shade: null };
    expect(json.data).toMatchObject(wanted);
    const sum = json.data.estimate.line_items.reduce((all: number, { amount }: { amount: number }) => all + amount, 0);
    expect(sum).toBe(824);
    const now = await look();
    expect([now.estimate.total, now.duration_minutes]).toEqual([824, json.data.duration_minutes]);
    expect(Date.parse(now.end) - Date.parse(now.start)).toBe(now.duration_minutes * 60_000);
  });

  test("moves as well, in one request", async () => {
    const { change } = await book(testApp());
    const { json } = await change({ date: "2026-11-25", time: "11:00", addons: ["sunroof"] });
    expect(json.data).toMatchObject({ date: "2026-11-25", time: "11:00", addons: ["sunroof"], price_change: 79 });
  });

  test("a shade or the make costs nothing and keeps an agreed price", async () => {
    const app = testApp();
    const { data, change } = await book(app);
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.standard.full": 500 }));
    const { json } = await change({ shade: { front_side: 50, rear_side: 20 }, vehicle_make: "Toyota" });
    expect(json.data).toMatchObject({ estimate: { total: data.estimate.total }, price_change: 0 });
    const shade = { front_side: 50, rear_side: 20, rear_window: null };
    expect(json.data).toMatchObject({ shade, tint_law: { status: "partly_checked" } });
    expect(json.data.vehicle.make).toBe("Toyota");
  });

  test("is warned of as in a booking: a shade that is not legal or not in stock, a model of another type", async () => {
    const { change } = await book(testApp());
    const car = { vehicle_type: "sedan", vehicle_make: "Honda", vehicle_model: "CR-V" };
    const asked = { ...car, shade: 12, accept_not_legal: true };
    for (const dry_run of [true, undefined]) {
      const { json } = await change({ ...asked, dry_run });
      const codes = json.warnings.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(["SHADE_NOT_STOCKED", "VEHICLE_TYPE_CHECK", "NOT_LEGAL"]);
    }
    expect((await change({ date: "2026-11-25", time: "11:00" })).json.warnings).toBeUndefined();
  });

  test("another model has its own type and price, a corrected name those of before", async () => {
    const { change } = await book(testApp(), { vehicle_make: "Toyota", vehicle_model: "Highlander" });
    for (const name of [{ vehicle_model: "highlander" }, { vehicle_year: 2019 }, { vehicle_model: "Highlander XLE" }])
      expect((await change({ ...name, dry_run: true })).json.data).toMatchObject({
        vehicle: { type: "suv" },
        price_change: 0,
      });
    const { json } = await change({ vehicle_make: "Honda", vehicle_model: "Civic" });
    expect(json.data).toMatchObject({
      vehicle: { type: "sedan", model: "Civic" },
      estimate: { total: 289 },
      price_change: -60,
    });
    expect(json.warnings).toMatchObject([{ code: "UNDERSTOOD", field: "vehicle_type" }]);
  });

  test("an estimate holds its price here too", async () => {
    const app = testApp();
    const { change } = await book(app);
    const { data } = (await app.post(`${API}/estimates`, { ...JOB, film_type: "ceramic" })).json;
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 999 }));
    const { json } = await change({ estimate_id: data.estimate_id });
    const expected = { film_type: "ceramic", estimate: { total: 599, locked: true }, price_change: 250 };
    expect(json.data).toMatchObject(expected);
  });

  test("that does not fit at the old time gets the nearest times", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    const { change, look } = await book(app, { coverage: "front2", time: "09:00" });
    await book(app, { coverage: "front2", time: "11:00", customer_email: "sam@example.com" });
    const { status, json } = await change({ coverage: "full" });
    expect([status, json.error_code, json.alternatives.length]).toEqual([409, "SLOT_TAKEN", 3]);
    expect((await look()).coverage).toBe("front2");
    const [{ date, time }] = json.alternatives;
    expect((await change({ coverage: "full", date, time })).status).toBe(200);
  });

  test("of what the shop has given up since is asked for by phone or anew, also by an estimate", async () => {
    const app = testApp();
    const clear = await book(app, { service_type: "clearplex", film_type: undefined, coverage: undefined });
    const roof = await book(app, { addons: ["sunroof"], date: "2026-11-25" });
    const left = withoutService("clearplex");
    const { sunroof: _, ...addons } = left.automotive.addons;
    app.setCatalog(derive({ ...left, automotive: { ...left.automotive, addons } }));
    const refused = await clear.change({ vehicle_type: "van" });
    expect([refused.status, refused.json.error_code]).toEqual([404, "SERVICE_NOT_FOUND"]);
    expect(refused.json.agent_instruction).toContain("call the shop (+1-404-555-0142)");
    expect((await clear.change({ date: "2026-11-27", time: "09:00" })).status).toBe(200);
    const { estimate_id } = (await app.post(`${API}/estimates`, JOB)).json.data;
    const old = await roof.change({ estimate_id, add_addons: ["nofault"] });
    expect([old.status, old.json.invalid_fields[0].field]).toEqual([400, "addons"]);
    expect((await roof.change({ estimate_id })).status).toBe(200);
  });

  test("names every fault, and what is missing", async () => {
    const { change } = await book(testApp());
    const nothing = await change({});
    expect([nothing.status, nothing.json.missing_fields]).toEqual([400, ["date", "time"]]);
    const { json: half } = await change({ date: "2026-11-25", film_type: "ceramic" });
    expect([half.missing_fields, half.usage.sample_request.time]).toEqual([["time"], "09:00"]);
    const faulty = await change({ film_type: "gold", addons: ["wings"], vehicle_type: "boat" });
    expect(faulty.status).toBe(400);
    const expected = ["addons[0]", "film_type", "vehicle_type"];
    expect(faulty.json.invalid_fields.map(({ field }: { field: string }) => field).sort()).toEqual(expected);
  });

  test("is told once: to the shop by the new words of its text, to the CRM with the booking as it is", async () => {
    const app = testApp();
    const { data, change } = await book(app);
    app.advance({ hours: 1 });
    await change({ film_type: "ceramic" });
    const jobs = await app.store.waitingJobs(50);
    const texts = jobs.filter(({ kind }) => kind === "notify_shop_sms").map((job) => JSON.stringify(job));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("$599");
    expect(texts[0]).toContain(data.confirmation_code);
  });
});

describe("what a change takes out", () => {
  const SHADE = { front_side: 50, rear_side: 20, rear_window: 20 };
  const WHOLE = { addons: ["windshield_strip"], remove_old_film: true, shade: SHADE };
  const removed = ({ json }: { json: { warnings?: { code: string; field: string; message: string }[] } }) =>
    (json.warnings ?? []).flatMap(({ code, field, message }) => (code === "REMOVED" ? [`${field}: ${message}`] : []));
  const STRIP = expect.stringMatching(/^addons: No longer in the booking: .*strip/i);

  test("add_addons and remove_addons leave the other extras, and addons replaces them and says so", async () => {
    const { change, look } = await book(testApp(), WHOLE);
    const added = await change({ add_addons: ["sunroof", "windshield_strip"] });
    expect([added.json.data.addons, removed(added)]).toEqual([["windshield_strip", "sunroof"], []]);
    const kept = await change({ film_type: "ceramic" });
    expect([kept.json.data.addons, kept.json.data.remove_old_film]).toEqual([["windshield_strip", "sunroof"], true]);
    const taken = await change({ remove_addons: ["sunroof"] });
    expect(taken.json.data.addons).toEqual(["windshield_strip"]);
    expect(removed(taken)).toEqual([expect.stringMatching(/^addons: No longer in the booking: .*sunroof/i)]);
    const shown = await change({ addons: ["sunroof"], dry_run: true });
    expect(removed(shown)).toEqual([STRIP]);
    const replaced = await change({ addons: ["sunroof"] });
    expect([replaced.json.data.addons, removed(replaced)]).toEqual([["sunroof"], removed(shown)]);
    expect((await look()).addons).toEqual(["sunroof"]);
  });

  test("an extra that is not there is said to be none; one that is added and taken out is asked about", async () => {
    const { change, look } = await book(testApp());
    const { json } = await change({ remove_addons: ["sunroof"] });
    const ignored = { code: "FIELD_IGNORED", field: "remove_addons", message: expect.stringContaining("unroof") };
    expect(json.warnings).toContainEqual(expect.objectContaining(ignored));
    const both = await change({ add_addons: ["sunroof"], remove_addons: ["sunroof"] });
    expect([both.status, both.json.invalid_fields[0].field]).toEqual([400, "remove_addons"]);
    expect((await look()).addons).toEqual([]);
  });

  test("a shade for one glass leaves the others; those of glass without film go and are named", async () => {
    const { change } = await book(testApp(), WHOLE);
    const one = await change({ shade: { rear_window: 35 } });
    expect(one.json.data.shade).toEqual({ front_side: 50, rear_side: 20, rear_window: 35 });
    expect(removed(one)).toEqual([]);
    const front = await change({ coverage: "front2" });
    expect(front.json.data.shade).toEqual({ front_side: 50, rear_side: null, rear_window: null });
    expect(removed(front)).toEqual([
      "shade: No longer in the booking: 20% on the rear side windows and 35% on the rear window.",
    ]);
    expect(front.json.warnings.map(({ code }: { code: string }) => code)).not.toContain("SHADE_NOT_APPLICABLE");
    // One shade is that of the glass with film alone.
    const two = await book(testApp(), { coverage: "front2", shade: 50 });
    expect(removed(await two.change({ shade: { front_side: 35 } }))).toEqual([]);
    const { change: other } = await book(testApp(), { shade: 35 });
    expect((await other({ shade: { front_side: 50 } })).json.data.shade).toEqual({
      ...{ front_side: 50, rear_side: 35, rear_window: 35 },
    });
  });

  test("the windshield's shade is asked like in a booking, and goes with its film", async () => {
    const { change } = await book(testApp(), { addons: ["windshield"], accept_not_legal: true });
    expect((await change({ windshield_shade: "70%", accept_not_legal: true })).json.data.windshield_shade).toBe(70);
    const bare = await change({ addons: [] });
    expect(bare.json.data.windshield_shade).toBeNull();
    expect(removed(bare)).toEqual([
      expect.stringMatching(/^addons: /),
      "windshield_shade: No longer in the booking: 70% on the windshield.",
    ]);
  });

  test("old film that stays on, and what an estimate has not, are named too", async () => {
    const app = testApp();
    const { change } = await book(app, WHOLE);
    const film = await change({ remove_old_film: false });
    expect(removed(film)).toEqual([expect.stringMatching(/^remove_old_film: No longer in the booking: .+/)]);
    const { data } = (await app.post(`${API}/estimates`, { ...JOB, film_type: "ceramic" })).json;
    expect(removed(await change({ estimate_id: data.estimate_id }))).toEqual([
      STRIP,
      "shade: No longer in the booking: 50% on the front side windows and 20% on the rear side windows and rear window.",
    ]);
  });

  test("is gone from the lead's request too: shades, extras, and what an estimate has not", async () => {
    const app = testApp();
    const asked = { ...WHOLE, addons: ["windshield_strip", "sunroof"], shade: { ...WHOLE.shade, front_side: 15 } };
    const { data, change } = await book(app, { ...asked, accept_not_legal: true });
    const request = async () => Object((await app.store.findLead(data.lead_id))?.details);
    await change({ coverage: "front2", remove_addons: ["windshield_strip"], shade: { front_side: 50 } });
    const front = await request();
    expect([front.coverage, front.shade, front.addons]).toEqual(["front2", { front_side: 50 }, ["sunroof"]]);
    expect(front).not.toHaveProperty("accept_not_legal");
    const estimate = (await app.post(`${API}/estimates`, { ...JOB, film_type: "ceramic" })).json.data;
    await change({ estimate_id: estimate.estimate_id });
    const held = await request();
    expect(held).toMatchObject({ film_type: "ceramic", coverage: "full", estimate_id: estimate.estimate_id });
    expect(held).not.toHaveProperty("shade");
    expect([held.addons ?? [], held.remove_old_film ?? false]).toEqual([[], false]);
    await change({ add_addons: ["sunroof"] });
    expect([await request()].map((now) => [now.addons, "estimate_id" in now])).toEqual([[["sunroof"], false]]);
  });

  test("the booking's page shows it afterwards", async () => {
    const app = testApp();
    const { proof, change } = await book(app, WHOLE);
    await change({ remove_addons: ["windshield strip"] });
    const form = new URLSearchParams({ confirmation_code: proof.confirmation_code, contact: proof.phone });
    const page = await app.get((await send(app, "/book/manage", form)).headers.get("location") ?? "");
    expect(page.text).toMatch(/class="notice">No longer in the booking: .*strip/i);
    expect(removed(await app.post(`${API}/bookings/lookup`, proof))).toEqual([STRIP]);
  });
});
