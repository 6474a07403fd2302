/** One job from the estimate to the bay: price, lines and length are the same in estimate and booking. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { API, BOOKING, CATALOG, catalogWith, fileApp, freshPhone, type TestApp, testApp, WORDS } from "../helpers.ts";

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
const sum = (lines: { amount: number }[]) => lines.reduce((all, { amount }) => all + amount, 0);

const JOB = { vehicle_type: "sedan", film_type: "ceramic", addons: ["windshield_strip", "sunroof", "nofault"] };

describe("the whole job", () => {
  test("add-ons and shade go from the estimate into the booking", async () => {
    const app = fileApp();
    const quoted = await estimate(app, {
      ...JOB,
      shade: { front_side: "40", rear_side: "limo" },
      windshield_shade: 70,
    });
    expect([quoted.json.data.total, quoted.json.data.duration_minutes]).toEqual([826, 255]);
    const sample = actionOf(quoted, "book_appointment");
    expect(sample.shade).toEqual({ front_side: 40, rear_side: 5 });
    expect(actionOf(quoted, "check_availability")).toMatchObject({ addons: JOB.addons });
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
    expect(booked.json.data).toMatchObject({ remove_old_film: true, duration_minutes: 390, estimate: { total: 899 } });
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
    const app = testApp({ catalog: catalogWith({ "scheduling.horizon_days": 1, "scheduling.lead_minutes": 600 }) });
    expect(stepsOf(await estimate(app, JOB))).toEqual(["business_location"]);
    const key = await app.post(`${API}/register`, { name: "Pat Example", email: "pat@example.com" });
    expect(stepsOf(key)).toEqual(["check_availability"]);
    const { json } = await app.post(`${API}/bookings`, BOOKING);
    expect([json.error_code, json.alternatives, json.message.includes("call +1-404-555-0142")]).toEqual([
      "DATE_BLOCKED",
      [],
      true,
    ]);
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
    const booked = await app.post(`${API}/bookings`, {
      ...BOOKING,
      film_type: undefined,
      ...wish,
      service_type: "film_removal",
    });
    expect(booked.json).toMatchObject({ data: { estimate: { total: 175 }, addons: [] }, warnings: warned });
  });

  test("a time that fails only because no vehicle was named says so", async () => {
    const { vehicle_type: _, ...unnamed } = BOOKING;
    const message = async (time: string) =>
      (await testApp().post(`${API}/bookings`, { ...unnamed, time })).json.invalid_fields[0].message;
    expect(await message("15:00")).toContain("name vehicle_type");
    expect(await message("17:00")).not.toContain("name vehicle_type");
  });

  test("a time that is taken only for the longest work says so, in a dry run too", async () => {
    const app = testApp({ catalog: catalogWith({ "scheduling.bays": 1 }) });
    const short = { ...person(), date: BOOKING.date, vehicle_type: "coupe", coverage: "front2" };
    expect((await app.post(`${API}/bookings`, { ...short, time: "13:00" })).status).toBe(201);
    for (const dry_run of [true, false]) {
      const message = async (time: string) => {
        const asked = { ...person(), date: BOOKING.date, time, dry_run };
        const { status, json } = await app.post(`${API}/bookings`, asked);
        expect([time, status, json.error_code]).toEqual([time, 409, "SLOT_TAKEN"]);
        return json.message;
      };
      expect(await message("10:00")).toContain("name vehicle_type");
      expect(await message("13:00")).not.toContain("name vehicle_type");
    }
  });

  test("an add-on to a service without a film costs the same in estimate, suggestion and booking, whatever film is named", async () => {
    const app = testApp({ catalog: catalogWith({ "automotive.addons.sunroof.applies_to": ["film_removal"] }) });
    const job = { vehicle_type: "sedan", service: "film_removal", film_type: "ceramic" };
    const [suggested] = (await estimate(app, job)).json.data.addon_suggestions;
    const quoted = await estimate(app, { ...job, addons: ["sunroof"] });
    const { total, line_items } = quoted.json.data;
    expect(line_items).toMatchObject([{ amount: 175 }, { code: "sunroof", amount: suggested.price }]);
    const { estimate_id: _, ...sample } = actionOf(quoted, "book_appointment");
    const { json } = await app.post(`${API}/bookings`, { ...sample, ...person() });
    expect(json.data.estimate).toMatchObject({ total, line_items });
  });

  test("for random jobs: estimate total = booked total = sum of the lines, estimate minutes = bay minutes", async () => {
    const app = testApp();
    const some = <T>(list: readonly T[]) => fc.option(fc.constantFrom(...list), { nil: undefined });
    const job = fc.record({
      vehicle_type: fc.constantFrom(...WORDS.vehicleTypes),
      service: some(WORDS.services),
      film_type: some(WORDS.films),
      coverage: some(WORDS.coverages),
      addons: fc.option(fc.array(fc.constantFrom(...WORDS.addons), { maxLength: 5 }), { nil: undefined }),
      remove_old_film: fc.option(fc.boolean(), { nil: undefined }),
      shade: some([5, "20%", "limo", { front_side: 35 }]),
      windshield_shade: some([70, "50"]),
    });
    let callers = 0;
    await fc.assert(
      fc.asyncProperty(job, async (wish) => {
        const quoted = await estimate(app, wish);
        const { total, line_items, duration_minutes } = quoted.json.data;
        expect(sum(line_items)).toBeCloseTo(total, 2);
        const sample = actionOf(quoted, "book_appointment");
        // Longer than any day is open: there is no time to book.
        if (duration_minutes > 9 * 60) return expect(stepsOf(quoted)).toEqual(["business_location"]);
        callers += 1;
        const booked = await app.post(
          `${API}/bookings`,
          { ...sample, ...person() },
          { from: `198.51.${100 + Math.floor(callers / 250)}.${callers % 250}` },
        );
        expect([booked.status, booked.json.invalid_fields]).toEqual([201, undefined]);
        expect(booked.json.data.estimate).toMatchObject({ total, line_items });
        expect([booked.json.data.duration_minutes, minutesOf(booked.json.data)]).toEqual([
          duration_minutes,
          duration_minutes,
        ]);
      }),
      { numRuns: 40 },
    );
  });
});
