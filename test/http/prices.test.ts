/** One price from the estimate to the bay: with tax (contract 2), or as the owner agreed for that work alone (contract 13). */
import { describe, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change as changeBooking } from "../../src/capabilities/booking/change.ts";
import { ownerPolicy, PriceToAgree } from "../../src/capabilities/booking/policy.ts";
import { editForOwner } from "../../src/capabilities/desk/owner.ts";
import type { Booking } from "../../src/store/store.ts";
import { type FileApp, fileApp, type TestApp, testApp } from "../app.ts";
import { API, BOOKING, freshPhone, NOW, QUOTE } from "../fixed-day.ts";
import { appWith, CATALOG, catalogWith, WORDS } from "../helpers.ts";
import { send } from "../pages/form.ts";
import { book } from "./manage-requests.ts";

describe("One job from the estimate to the bay: price, lines and length are the same in estimate and booking", () => {
  const estimate = (app: TestApp, body: object) => app.post(`${API}/estimates`, body);

  const actionOf = ({ json }: Awaited<ReturnType<typeof estimate>>, id: string) =>
    json.next_actions.find(({ action }: { action: string }) => action === id)?.sample_request;

  const stepsOf = ({ json }: Awaited<ReturnType<typeof estimate>>) =>
    json.next_actions.map(({ action }: { action: string }) => action);

  const person = () => ({
    customer_name: "Pat Example",
    customer_phone: freshPhone(),
    customer_email: `pat${freshPhone().slice(-4)}@example.com`,
    // Many of these wishes are not legal, which changes neither price nor length.
    accept_not_legal: true,
  });

  /** Milliseconds that a booking keeps its bay, without the buffer. */
  const minutesOf = ({ start, end }: { start: string; end: string }) => (Date.parse(end) - Date.parse(start)) / 60_000;
  const JOB = { vehicle_type: "sedan", film_type: "ceramic", addons: ["windshield_strip", "sunroof", "nofault"] };

  test("add-ons and shade go from the estimate into the booking", async () => {
    const app = fileApp();
    const body = { ...JOB, shade: { front_side: "40", rear_side: "limo" }, windshield_shade: 70 };
    const quoted = await estimate(app, body);
    expect([quoted.json.data.total, quoted.json.data.duration_minutes]).toEqual([826, 255]);
    const sample = actionOf(quoted, "book_appointment");
    expect(sample.shade).toEqual({ front_side: 40, rear_side: 5 });
    expect(actionOf(quoted, "check_availability")).toMatchObject({ addons: JOB.addons });
    const metered = await estimate(app, { ...JOB, shade: 35, factory_glass: 70 });
    expect(actionOf(metered, "check_availability")).toMatchObject({ shade: 35 });
    expect(actionOf(metered, "book_appointment")).toMatchObject({ shade: 35, factory_glass: 70 });
    const { status, json } = await app.post(`${API}/bookings`, { ...sample, ...person() });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({
      addons: JOB.addons,
      shade: { front_side: 40, rear_side: 5, rear_window: null },
      windshield_shade: 70,
      tint_law: { jurisdiction: CATALOG.tint_law.home, status: quoted.json.data.tint_law.status },
      estimate: { total: 826, line_items: quoted.json.data.line_items },
      duration_minutes: 255,
    });
    expect(minutesOf(json.data)).toBe(255);
    const sms = app.db.query<{ payload: string }, []>("SELECT payload FROM jobs WHERE kind = 'notify_shop_sms'").get();
    expect(JSON.parse(sms?.payload ?? "").text).toContain(
      "Windshield strip, Sunroof film, No-fault replacement warranty, shade 40/5/-, windshield 70, not legal (accepted), $826",
    );
    const lead = await app.store.findLead(json.data.lead_id);
    expect(lead?.details).toMatchObject({ addons: JOB.addons, shade: { front_side: 40, rear_side: 5 } });
  });

  test("the last slot offered holds the whole job before closing", async () => {
    const app = testApp();
    const query = "date=2026-11-24&vehicle_type=sedan&film_type=ceramic";
    const times = async (more: string) =>
      (await app.get(`${API}/availability?${query}${more}`)).json.data.slots.map(({ time }: { time: string }) => time);
    expect((await times("")).at(-1)).toBe("15:00");
    expect((await times("&addons=windshield_strip,sunroof,nofault")).at(-1)).toBe("13:00");
    const late = { ...BOOKING, ...JOB, time: "14:00" };
    const refused = await app.post(`${API}/bookings`, late);
    expect([refused.status, refused.json.invalid_fields[0].field]).toEqual([400, "time"]);
    expect((await app.post(`${API}/bookings`, { ...late, time: "13:00" })).status).toBe(201);
  });

  test("old film is taken off at the price of that service, in the same visit", async () => {
    const app = testApp();
    const quoted = await estimate(app, { vehicle_type: "van", film_type: "ceramic", remove_old_film: true });
    expect(
      quoted.json.data.line_items.map(({ code, amount }: { code: string; amount: number }) => [code, amount]),
    ).toEqual([
      ["automotive", 649],
      ["film_removal", 250],
    ]);
    expect(quoted.json.data).toMatchObject({ total: 899, duration_minutes: 390 });
    const booked = await app.post(`${API}/bookings`, { ...actionOf(quoted, "book_appointment"), ...person() });
    const expected = { remove_old_film: true, duration_minutes: 390, estimate: { total: 899 } };
    expect(booked.json.data).toMatchObject(expected);
  });

  test("work longer than any working day leads to the phone, in every answer", async () => {
    const app = testApp();
    const work = { vehicle_type: "van", film_type: "ceramic", addons: WORDS.addons, remove_old_film: true };
    const quoted = await estimate(app, work);
    expect([quoted.json.data.duration_minutes, stepsOf(quoted)]).toEqual([555, ["business_location"]]);
    expect(stepsOf(await estimate(app, { ...work, view: "brief" }))).toEqual(["business_location"]);
    const query = `vehicle_type=van&film_type=ceramic&addons=${WORDS.addons}&remove_old_film=true`;
    expect(stepsOf(await app.get(`${API}/availability?${query}`))).toEqual(["business_location"]);
    const refused = await app.post(`${API}/bookings`, { ...BOOKING, ...work });
    expect([refused.status, refused.json.invalid_fields[0].field]).toEqual([400, "time"]);
    expect(refused.json.message).toMatch(/takes 9 h 15 min, and the shop is open for 9 h.*: call \+1-404-555-0142\.$/);
  });

  test("no booking is offered while the calendar is full", async () => {
    const app = appWith({ "scheduling.horizon_days": 1, "scheduling.lead_minutes": 600 });
    expect(stepsOf(await estimate(app, JOB))).toEqual(["business_location"]);
    const key = await app.post(`${API}/register`, { name: "Pat Example", email: "pat@example.com" });
    expect(stepsOf(key)).toEqual(["check_availability"]);
    const { json } = await app.post(`${API}/bookings`, BOOKING);
    expect(json.error_code).toBe("DATE_BLOCKED");
    expect(json.alternatives).toEqual([]);
    expect(json.message.includes("call +1-404-555-0142")).toBe(true);
  });

  test("what does not go with the service is not charged, and is warned of in both", async () => {
    const app = testApp();
    const wish = { vehicle_type: "truck", addons: ["sunroof"], remove_old_film: true };
    const warned = [
      { code: "ADDON_NOT_APPLICABLE", field: "addons" },
      { code: "ADDON_NOT_APPLICABLE", field: "remove_old_film" },
    ];
    const quoted = await estimate(app, { ...wish, service: "film_removal" });
    expect(quoted.json).toMatchObject({ data: { total: 175, duration_minutes: 120 }, warnings: warned });
    const both = { addons: ["sunroof", "nofault"], service: "film_removal", view: "brief" };
    const [brief] = (await estimate(app, { ...wish, ...both })).json.warnings;
    expect(brief.message).toMatch(/sunroof and nofault, .* removing old film, /);
    const body = { ...BOOKING, film_type: undefined, ...wish, service_type: "film_removal" };
    const booked = await app.post(`${API}/bookings`, body);
    expect(booked.json).toMatchObject({ data: { estimate: { total: 175 }, addons: [] }, warnings: warned });
  });

  test("a time that fails only because no vehicle was named says so", async () => {
    const { vehicle_type: _, ...unnamed } = BOOKING;
    const message = async (time: string) =>
      (await testApp().post(`${API}/bookings`, { ...unnamed, time })).json.invalid_fields[0].message;
    expect(await message("15:00")).toContain("name its type");
    expect(await message("17:00")).not.toContain("name its type");
  });

  test("a time that is taken only for the longest work says so, in a dry run too", async () => {
    const app = appWith({ "scheduling.bays": 1 });
    const short = { ...person(), date: BOOKING.date, vehicle_type: "coupe", coverage: "front2" };
    expect((await app.post(`${API}/bookings`, { ...short, time: "13:00" })).status).toBe(201);
    for (const dry_run of [true, false]) {
      const message = async (time: string) => {
        const asked = { ...person(), date: BOOKING.date, time, dry_run };
        const { status, json } = await app.post(`${API}/bookings`, asked);
        expect([time, status, json.error_code]).toEqual([time, 409, "SLOT_TAKEN"]);
        return json.message;
      };
      expect(await message("10:00")).toContain("name its type");
      expect(await message("13:00")).not.toContain("name its type");
    }
  });

  test("an add-on to a service without a film costs the same in estimate, suggestion and booking, whatever film is named", async () => {
    const app = appWith({ "automotive.addons.sunroof.applies_to": ["film_removal"] });
    const job = { vehicle_type: "sedan", service: "film_removal", film_type: "ceramic" };
    const [suggested] = (await estimate(app, job)).json.data.addon_suggestions;
    const quoted = await estimate(app, { ...job, addons: ["sunroof"] });
    const { total, line_items } = quoted.json.data;
    expect(line_items).toMatchObject([{ amount: 175 }, { code: "sunroof", amount: suggested.price }]);
    const { estimate_id: _, ...sample } = actionOf(quoted, "book_appointment");
    const { json } = await app.post(`${API}/bookings`, { ...sample, ...person() });
    expect(json.data.estimate).toMatchObject({ total, line_items });
  });
});

const FULL_CAR = { vehicle_type: "suv", film_type: "ceramic", coverage: "full" };

/** A ceramic SUV from the list, $599, that the owner gives for less. */
async function bookedFor(cents: number, app: FileApp = fileApp()) {
  const { code, proof, change, look } = await book(app, { ...FULL_CAR, customer_phone: freshPhone() });
  const booking = async () => (await app.store.findBooking(code)) as Booking;
  const ctx = ownerContext({ store: app.store, catalog: CATALOG, now: NOW });
  await editForOwner(await booking(), {}, cents, ctx);
  return { app, code, proof, booking, ctx, change, look };
}

describe("online, a booking with an agreed price", () => {
  test("keeps its work: every other work is refused with the number to call", async () => {
    const { app, change, look } = await bookedFor(36_900);
    const before = await look();
    const { json: quoted } = await app.post(`${API}/estimates`, { ...FULL_CAR, coverage: "front2" });
    for (const asked of [
      ...[{ film_type: "standard" }, { coverage: "front2" }, { vehicle_type: "sedan" }, { addons: ["sunroof"] }],
      ...[{ remove_old_film: true }, { estimate_id: quoted.data.estimate_id }, { coverage: "front2", dry_run: true }],
      { coverage: "front2", date: "2026-11-25", time: "11:00" },
    ]) {
      const { status, json } = await change(asked);
      expect([asked, status, json.error_code, json.recoverable]).toEqual([asked, 409, "PRICE_AGREED", false]);
      expect(json.message).toContain(`call the shop at ${CATALOG.business.phone}`);
    }
    expect(await look()).toEqual(before);
    expect(before.estimate.total).toBe(369);
  });

  test("moves at its price, also with its own work named again; a shade costs nothing", async () => {
    const { app, proof, change, look } = await bookedFor(36_900);
    const moved = await change({ date: "2026-11-25", time: "11:00", ...FULL_CAR, addons: [] });
    expect([moved.status, moved.json.data.estimate.total, moved.json.data.date]).toEqual([200, 369, "2026-11-25"]);
    expect((await change({ shade: 50, vehicle_model: "Highlander" })).json.data.estimate.total).toBe(369);
    const form = new URLSearchParams({ confirmation_code: proof.confirmation_code, contact: proof.phone });
    form.set("start", "2026-11-24T10:00");
    expect((await send(app, "/book/manage/move", form)).status).toBe(303);
    expect(await look()).toMatchObject({ date: "2026-11-24", estimate: { total: 369 } });
  });
});

test("the owner's other work needs a new price or the list's, where one was agreed", async () => {
  const { booking, ctx, look } = await bookedFor(36_900);
  const front = { coverage: "front2" };
  const owner = ownerPolicy({ anyway: false, isQuiet: true });
  const changeTo = async (work: object, price?: number | "list") =>
    changeBooking(await booking(), { work, price }, owner, ctx);
  const refusal = await changeTo(front).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(PriceToAgree);
  expect(refusal).toMatchObject({ before: { total: 369 }, listed: { total: 239 } });
  expect((await look()).coverage).toBe("full");
  await changeTo(front, 20_000);
  expect((await look()).estimate).toMatchObject({ total: 200, line_items: [{ amount: 239 }, { amount: -39 }] });
  await changeTo({ coverage: "full" }, "list");
  expect((await look()).estimate).toMatchObject({ total: 599, line_items: [{ amount: 599 }] });
});

describe("a price below zero", () => {
  test("is never stored", async () => {
    const { booking, ctx, look } = await bookedFor(36_900);
    await expect(editForOwner(await booking(), {}, -1, ctx)).rejects.toThrow("below zero");
    expect((await look()).estimate.total).toBe(369);
  });

  test("of an earlier version is read as nothing, by customers, on the page and in messages", async () => {
    const messages = { "messages.rescheduled_email.enabled": true };
    const catalog = catalogWith(messages);
    const { app, code, change, look, proof } = await bookedFor(36_900, fileApp({ catalog }));
    const [{ answer = "" } = {}] = app.db.query<{ answer: string }, []>("SELECT answer FROM bookings").all();
    const stored = JSON.parse(answer);
    const line = { ...stored.estimate.line_items[0], unit_price: 239, amount: 239 };
    const agreed = { code: "agreed_price", label: "Agreed price", quantity: 1, unit_price: -469, amount: -469 };
    const tax = { status: "added", rate_pct: 6, amount: -13.8, note: "Sales tax is added." };
    const estimate = { ...stored.estimate, total: -230, tax, total_with_tax: -243.8, line_items: [line, agreed] };
    app.db.run("UPDATE bookings SET answer = ?", [JSON.stringify({ ...stored, estimate })]);

    const shown = (await look()).estimate;
    expect(shown).toMatchObject({ total: 0, total_with_tax: 0, tax: { amount: 0 } });
    expect(shown.line_items.map(({ amount }: { amount: number }) => amount)).toEqual([239, -239]);
    const form = new URLSearchParams({ confirmation_code: code, contact: proof.phone });
    const { headers } = await send(app, "/book/manage", form);
    const page = await app.get(headers.get("location") ?? "");
    expect(page.text).toContain("$0");
    expect(page.text).not.toMatch(/[-−]\$/);
    const moved = await change({ date: "2026-11-25", time: "11:00" });
    expect(moved.json.data.estimate.total).toBe(0);
    const jobs = app.db.query<{ payload: string }, []>("SELECT payload FROM jobs WHERE status = 'waiting'").all();
    for (const { payload } of jobs) expect(payload).not.toMatch(/[-−]\$/);
  });
});

describe("Sales tax", () => {
  const NAMED = { rate_pct: 8.25, label: "Sales tax", note: "Sales tax of 8.25%." };
  const taxed = (status: string) => appWith({ tax: { status, ...NAMED } });

  /** The stock list price is $349. */
  const JOB = { vehicle_type: "suv", service: "automotive", film_type: "standard", coverage: "full" };
  const GLASS = { site_type: "residential", windows: [{ width_in: 36, height_in: 60, quantity: 4 }] };

  describe("tax that is added", () => {
    test("is rounded half up, once, on the total; every option has the sum that is to be paid", async () => {
      const { json } = await taxed("added").post(`${API}/estimates`, JOB);
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
      const app = taxed("added");
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
    const { json } = await taxed("included").post(`${API}/estimates`, JOB);
    expect(json.data).toMatchObject({ total: 349, tax: { status: "included", amount: 26.6 } });
    expect(json.data).not.toHaveProperty("total_with_tax");
  });

  test("a catalog with tax has its rate and its name", () => {
    expect(() => catalogWith({ tax: { status: "added", note: NAMED.note } })).toThrow(/rate_pct[\s\S]*label/);
  });

  test.each([
    [{ status: "none" }, "The price is what you pay: no tax is added."],
    [{ status: "included", rate_pct: 8.25, label: "Sales tax" }, "The price includes Sales tax of 8.25%."],
    [{ status: "added", rate_pct: 8.25, label: "Sales tax" }, "Sales tax of 8.25% is added to the price."],
  ])("without a note of its own the sentence follows the rest: %p", async (tax, note) => {
    const app = appWith({ tax });
    expect((await app.post(`${API}/estimates`, JOB)).json.data.tax.note).toBe(note);
    expect((await app.get(`${API}/faq?q=tax`)).json.data[0].answer).toContain(note);
  });

  test.each(["The price is what you pay: no tax is added.", "No sales tax!", "There is no tax on our work."])(
    "beside a tax that is added, a note that denies it is refused: %s",
    (note) => {
      expect(() => catalogWith({ tax: { status: "added", rate_pct: 8.25, label: "Sales tax", note } })).toThrow(
        /tax\.note says that there is no tax, but status is added: change it, or leave it out/,
      );
    },
  );
});
