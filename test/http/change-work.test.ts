/** Changing the work of a booking: film, glass, extras, shade or vehicle, at the same time or another one. Contract 13. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, catalogWith, freshPhone, type TestApp, testApp } from "../helpers.ts";

const JOB = { vehicle_type: "suv", film_type: "standard", coverage: "full" };

async function book(app: TestApp, more: object = {}) {
  const phone = freshPhone();
  const { json } = await app.post(`${API}/bookings`, { ...BOOKING, ...JOB, customer_phone: phone, ...more });
  const { confirmation_code } = json.data;
  const proof = { confirmation_code, phone };
  const change = (asked: object) => app.post(`${API}/bookings/reschedule`, { ...proof, ...asked });
  const look = async () => (await app.post(`${API}/bookings/lookup`, proof)).json.data;
  return { data: json.data, change, look };
}

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
    expect(json.data).toMatchObject({
      date: data.date,
      time: data.time,
      remove_old_film: true,
      addons: [],
      shade: null,
    });
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
    expect(json.data).toMatchObject({
      shade: { front_side: 50, rear_side: 20, rear_window: null },
      tint_law: { status: "partly_checked" },
    });
    expect(json.data.vehicle.make).toBe("Toyota");
  });

  test("is warned of as in a booking: a shade that is not legal or not in stock, a model of another type", async () => {
    const { change } = await book(testApp());
    const asked = {
      vehicle_type: "sedan",
      vehicle_make: "Honda",
      vehicle_model: "CR-V",
      shade: 12,
      accept_not_legal: true,
    };
    for (const dry_run of [true, undefined]) {
      const { json } = await change({ ...asked, dry_run });
      const codes = json.warnings.map(({ code }: { code: string }) => code);
      expect(codes).toEqual(["SHADE_NOT_STOCKED", "VEHICLE_TYPE_CHECK", "NOT_LEGAL"]);
    }
    expect((await change({ date: "2026-11-25", time: "11:00" })).json.warnings).toBeUndefined();
  });

  test("an estimate holds its price here too", async () => {
    const app = testApp();
    const { change } = await book(app);
    const { data } = (await app.post(`${API}/estimates`, { ...JOB, film_type: "ceramic" })).json;
    app.setCatalog(catalogWith({ "automotive.vehicle_types.suv.ceramic.full": 999 }));
    const { json } = await change({ estimate_id: data.estimate_id });
    expect(json.data).toMatchObject({
      film_type: "ceramic",
      estimate: { total: 599, locked: true },
      price_change: 250,
    });
  });

  test("that does not fit at the old time gets the nearest times", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const { change, look } = await book(app, { coverage: "front2", time: "09:00" });
    await book(app, { coverage: "front2", time: "11:00", customer_email: "sam@example.com" });
    const { status, json } = await change({ coverage: "full" });
    expect([status, json.error_code, json.alternatives.length]).toEqual([409, "SLOT_TAKEN", 3]);
    expect((await look()).coverage).toBe("front2");
    const [{ date, time }] = json.alternatives;
    expect((await change({ coverage: "full", date, time })).status).toBe(200);
  });

  test("names every fault, and what is missing", async () => {
    const { change } = await book(testApp());
    const nothing = await change({});
    expect([nothing.status, nothing.json.missing_fields]).toEqual([400, ["date", "time"]]);
    expect((await change({ date: "2026-11-25", film_type: "ceramic" })).json.missing_fields).toEqual(["time"]);
    const faulty = await change({ film_type: "gold", addons: ["wings"], vehicle_type: "boat" });
    expect(faulty.status).toBe(400);
    expect(faulty.json.invalid_fields.map(({ field }: { field: string }) => field).sort()).toEqual([
      "addons[0]",
      "film_type",
      "vehicle_type",
    ]);
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
