/** A time that cannot be had is refused with the reason that is the reason. Source: contract 5. */
import { describe, expect, test } from "bun:test";
import { API, BOOKING, catalogWith, freshPhone, testApp } from "../helpers.ts";

/** An hour for the front windows of a coupe; Tuesday, 09:00 to 18:00. */
const SHORT = { vehicle_type: "coupe", film_type: "standard", coverage: "front2" };
const ONE_BAY = { "scheduling.bays": 1 };
const wish = (time: string, more: object = {}) => ({
  ...BOOKING,
  ...SHORT,
  customer_phone: freshPhone(),
  time,
  ...more,
});
type App = ReturnType<typeof testApp>;
const book = (app: App, time: string, more: object = {}) => app.post(`${API}/bookings`, wish(time, more));
const times = async (app: App, query = "") => {
  const { json } = await app.get(`${API}/availability?date=${BOOKING.date}&${new URLSearchParams(SHORT)}${query}`);
  return json.data;
};
const slotAt = (data: { slots: { time: string }[] }, time: string) => data.slots.find((one) => one.time === time);
const PAUSE = "The bay needs 15 minutes between jobs.";

describe("the pause between two jobs", () => {
  test.each(["10:00", "12:00"])("is named where it refuses %s: booking, dry run, slot", async (time) => {
    const app = testApp({ catalog: catalogWith(ONE_BAY) });
    await book(app, "11:00");
    for (const dry_run of [true, false]) {
      const { status, json } = await book(app, time, { dry_run });
      expect([status, json.error_code, json.message]).toEqual([
        409,
        "SLOT_TAKEN",
        `${BOOKING.date} ${time} is too close to another job: the bay needs 15 minutes between jobs.`,
      ]);
    }
    expect(slotAt(await times(app), time)).toMatchObject({ status: "booked", reason: PAUSE });
  });

  test("is named where it refuses a move", async () => {
    const app = testApp({ catalog: catalogWith(ONE_BAY) });
    await book(app, "11:00");
    const mine = wish("15:00");
    const { json } = await app.post(`${API}/bookings`, mine);
    const proof = { confirmation_code: json.data.confirmation_code, phone: mine.customer_phone };
    for (const dry_run of [true, false]) {
      const moved = await app.post(`${API}/bookings/reschedule`, {
        ...proof,
        date: BOOKING.date,
        time: "12:00",
        dry_run,
      });
      expect(moved.json.message).toContain("is too close to another job: the bay needs 15 minutes between jobs.");
    }
  });

  test("is not named where a job itself is in the way, nor where the shop has none", async () => {
    const app = testApp({ catalog: catalogWith(ONE_BAY) });
    await book(app, "11:00");
    const { json } = await book(app, "11:00");
    expect(json.message).toBe(`${BOOKING.date} 11:00 is taken: every bay is busy during the 1 h of this work.`);
    expect(slotAt(await times(app), "11:00")).not.toHaveProperty("reason");
    const close = testApp({ catalog: catalogWith({ ...ONE_BAY, "scheduling.buffer_minutes": 0 }) });
    await book(close, "11:00");
    expect((await book(close, "12:00")).status).toBe(201);
  });

  test("is named in the reason of a day that it fills", async () => {
    const special = { date: BOOKING.date, hours: [{ opens: "09:00", closes: "12:00" }] };
    const hours = { "business.special_hours": [special] };
    const app = testApp({ catalog: catalogWith({ ...ONE_BAY, ...hours }) });
    await book(app, "10:00");
    expect((await times(app)).reason).toBe(
      "Every bay is taken for work of 1 h; the bay needs 15 minutes between jobs.",
    );
    expect((await times(app, "&after=11:00")).reason).toBe(
      "Every bay is taken for work of 1 h; the bay needs 15 minutes between jobs.",
    );
    const two = testApp({
      catalog: catalogWith({
        ...ONE_BAY,
        "business.special_hours": [{ ...special, hours: [{ opens: "09:00", closes: "11:00" }] }],
        "scheduling.grid_minutes": 60,
      }),
    });
    await book(two, "09:00");
    expect((await times(two)).reason).toContain("the bay needs 15 minutes between jobs");
  });

  test("is in the documents", async () => {
    const { text } = await testApp().get(`${API}/docs`, { headers: { Accept: "text/markdown" } });
    expect(text).toContain("the bay needs 15 minutes between jobs");
  });
});

describe("a time that is no start", () => {
  test("between two starts names the starts beside it", async () => {
    const app = testApp();
    const { status, json } = await book(app, "10:20");
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(json.message).toContain("Work starts every 60 minutes from 09:00, here at 10:00 or 11:00.");
    expect((await times(app, "&after=10:10&before=10:50")).reason).toBe(
      "Only other times of this day are open. Work starts every 60 minutes from 09:00, here at 10:00 or 11:00.",
    );
  });

  test("too soon names the notice, in a booking, its dry run and a change", async () => {
    const app = testApp();
    const phone = freshPhone();
    const later = await book(app, "10:00", { customer_phone: phone });
    // An hour before 09:00 of the next Monday.
    app.advance({ hours: 46 });
    const soon = { date: "2026-11-23", time: "09:00" };
    const proof = { confirmation_code: later.json.data.confirmation_code, phone };
    const answers = [
      await book(app, soon.time, { date: soon.date }),
      await book(app, soon.time, { date: soon.date, dry_run: true }),
      await app.post(`${API}/bookings/reschedule`, { ...proof, ...soon }),
    ];
    for (const { json } of answers)
      expect(json.message).toBe("2026-11-23 09:00 is too soon: the shop needs 2 h of notice.");
  });

  test("in an hour that clocks skip says so", async () => {
    const date = "2027-03-14";
    const hours = { "business.special_hours": [{ date, hours: [{ opens: "00:00", closes: "12:00" }] }] };
    const app = testApp({ catalog: catalogWith({ ...hours, "scheduling.horizon_days": 150 }) });
    const { json } = await book(app, "02:30", { date });
    expect(json.message).toContain(`Clocks jump over 02:30 on ${date}.`);
  });
});

describe("the booking page says that a day is full only where jobs fill it", () => {
  const cellOf = (text: string, date: string) =>
    new RegExp(`<input type="radio" id="day-${date}".*?<small>(.*?)</small>`, "s").exec(text)?.[1];
  const page = (app: App) => app.get("/book?vehicle_type=coupe&film_type=standard&coverage=front2");

  test("not of a day that is over", async () => {
    const app = testApp();
    app.advance({ hours: 4, minutes: 50 });
    expect(cellOf((await page(app)).text, "2026-11-21")).toBe("over");
  });

  test("but of one that is taken", async () => {
    const special = { date: BOOKING.date, hours: [{ opens: "09:00", closes: "11:00" }] };
    const app = testApp({ catalog: catalogWith({ ...ONE_BAY, "business.special_hours": [special] }) });
    await book(app, "09:00");
    expect(cellOf((await page(app)).text, BOOKING.date)).toBe("full");
  });
});
