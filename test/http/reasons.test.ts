/** Why a time is none, and work of a service with `over_night: true`, which goes on when the shop opens again. */
import { describe, expect, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change as changeBooking } from "../../src/capabilities/booking/change.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { derive } from "../../src/catalog/shop.ts";
import { conflictsWith } from "../../src/domain/booking-conflicts.ts";
import { dayAndTime } from "../../src/domain/dates-in-words.ts";
import type { Booking } from "../../src/store/store.ts";
import { API, appWith, BOOKING, catalogWith, freshPhone, NOW, testApp } from "../helpers.ts";
import { send } from "../pages/form.ts";
import { book as booked } from "./manage-requests.ts";

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
const PAUSE = "The bay needs 15 min between jobs.";

describe("the pause between two jobs", () => {
  test.each(["10:00", "12:00"])("is named where it refuses %s: booking, dry run, slot", async (time) => {
    const app = appWith(ONE_BAY);
    await book(app, "11:00");
    for (const dry_run of [true, false]) {
      const { status, json } = await book(app, time, { dry_run });
      expect([status, json.error_code, json.message]).toEqual([
        409,
        "SLOT_TAKEN",
        `${dayAndTime(BOOKING.date, time)} is too close to another job: the bay needs 15 min between jobs.`,
      ]);
    }
    expect(slotAt(await times(app), time)).toMatchObject({ status: "booked", reason: PAUSE });
  });

  test("is named where it refuses a move", async () => {
    const app = appWith(ONE_BAY);
    await book(app, "11:00");
    const { change } = await booked(app, wish("15:00"));
    for (const dry_run of [true, false]) {
      const moved = await change({ date: BOOKING.date, time: "12:00", dry_run });
      expect(moved.json.message).toContain("is too close to another job: the bay needs 15 min between jobs.");
    }
  });

  test("is not named where a job itself is in the way, nor where the shop has none", async () => {
    const app = appWith(ONE_BAY);
    await book(app, "11:00");
    const { json } = await book(app, "11:00");
    expect(json.message).toBe(
      `${dayAndTime(BOOKING.date, "11:00")} is taken: every bay is busy during the 1 h of this work.`,
    );
    expect(slotAt(await times(app), "11:00")).not.toHaveProperty("reason");
    const close = appWith({ ...ONE_BAY, "scheduling.buffer_minutes": 0 });
    await book(close, "11:00");
    expect((await book(close, "12:00")).status).toBe(201);
  });

  test("is named in the reason of a day that it fills", async () => {
    const special = { date: BOOKING.date, hours: [{ opens: "09:00", closes: "12:00" }] };
    const hours = { "business.special_hours": [special] };
    const app = appWith({ ...ONE_BAY, ...hours });
    await book(app, "10:00");
    expect((await times(app)).reason).toBe("Every bay is taken for work of 1 h; the bay needs 15 min between jobs.");
    expect((await times(app, "&after=11:00")).reason).toBe(
      "Every bay is taken for work of 1 h; the bay needs 15 min between jobs.",
    );
    const two = appWith({
      ...ONE_BAY,
      "business.special_hours": [{ ...special, hours: [{ opens: "09:00", closes: "11:00" }] }],
      "scheduling.grid_minutes": 60,
    });
    await book(two, "09:00");
    expect((await times(two)).reason).toContain("the bay needs 15 min between jobs");
  });
});

describe("a time that is no start", () => {
  test("between two starts names the starts beside it", async () => {
    const app = testApp();
    const { status, json } = await book(app, "10:20");
    expect([status, json.error_code]).toEqual([400, "BAD_REQUEST"]);
    expect(json.message).toContain("Work starts every hour from 9:00 AM, here at 10:00 AM or 11:00 AM.");
    expect((await times(app, "&after=10:10&before=10:50")).reason).toBe(
      "Only other times of this day are open. Work starts every hour from 9:00 AM, here at 10:00 AM or 11:00 AM.",
    );
  });

  test("too soon names the notice, in a booking, its dry run and a change", async () => {
    const app = testApp();
    const { change } = await booked(app, wish("10:00"));
    // An hour before 09:00 of the next Monday.
    app.advance({ hours: 46 });
    const soon = { date: "2026-11-23", time: "09:00" };
    const answers = [
      await book(app, soon.time, { date: soon.date }),
      await book(app, soon.time, { date: soon.date, dry_run: true }),
      await change(soon),
    ];
    for (const { json } of answers)
      expect(json.message).toBe("Mon Nov 23, 9:00 AM is too soon: the shop needs 2 h of notice.");
  });

  test("in an hour that clocks skip says so", async () => {
    const date = "2027-03-14";
    const hours = { "business.special_hours": [{ date, hours: [{ opens: "00:00", closes: "12:00" }] }] };
    const app = appWith({ ...hours, "scheduling.horizon_days": 150 });
    const { json } = await book(app, "02:30", { date });
    expect(json.message).toContain(`Clocks jump over 2:30 AM on ${date}.`);
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
    const app = appWith({ ...ONE_BAY, "business.special_hours": [special] });
    await book(app, "09:00");
    expect(cellOf((await page(app)).text, BOOKING.date)).toBe("full");
  });
});

interface OpenSlot {
  time: string;
  available: boolean;
}

interface Part {
  start: string;
  end: string;
}

/** Open Monday to Friday 9 to 18, Thursday the 26th is Thanksgiving; ceramic on an SUV takes 4 hours. */
const CATALOG = catalogWith({ "services.0.over_night": true, "scheduling.bays": 1 });
const DAY = "2026-11-24";
const WORK = { ...BOOKING, vehicle_type: "suv", film_type: "ceramic", date: DAY };
const QUERY = "vehicle_type=suv&film_type=ceramic";

async function published() {
  const app = testApp({ catalog: CATALOG });
  const times = async (date: string) => (await app.get(`${API}/availability?date=${date}&${QUERY}`)).json.data;
  const open = async (date: string) =>
    (await times(date)).slots.flatMap((slot: OpenSlot) => (slot.available ? [slot.time] : [])).join(" ");
  const book = (time: string, more: object = {}) => app.post(`${API}/bookings`, { ...WORK, time, ...more });
  return { app, times, open, book };
}

describe("over night", () => {
  test("starts are offered whose work goes on the next open day, with each day's part", async () => {
    const { app, times, open } = await published();
    expect(await open(DAY)).toBe("09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00");
    const { slots } = await times(DAY);
    expect(slots.find(({ time }: OpenSlot) => time === "14:00")).not.toHaveProperty("split");
    // Thursday is closed: what begins on Wednesday goes on on Friday.
    const wednesday = (await times("2026-11-25")).slots.find(({ time }: OpenSlot) => time === "16:00");
    expect(wednesday).toMatchObject({
      end: "2026-11-27T11:00:00-05:00",
      duration_minutes: 240,
      split: [
        { start: "2026-11-25T16:00:00-05:00", end: "2026-11-25T18:00:00-05:00" },
        { start: "2026-11-27T09:00:00-05:00", end: "2026-11-27T11:00:00-05:00" },
      ],
    });
    const { json } = await app.get(`${API}/availability?from=${DAY}&days=1&view=compact&${QUERY}`);
    expect(json.data.days[0].over_night).toEqual(["15:00", "16:00", "17:00"]);
    // Without over_night nothing of the kind is offered.
    const usual = await testApp().get(`${API}/availability?date=${DAY}&${QUERY}`);
    expect(usual.json.data.slots.at(-1).time).toBe("14:00");
  });

  test("the bay is kept all night: no time of the next morning is sold a second time", async () => {
    const { app, open, book } = await published();
    const { status, json } = await book("16:00");
    expect([status, json.data.end, json.data.duration_minutes, json.data.split.length]).toEqual([
      ...[201, "2026-11-25T11:00:00-05:00", 240, 2],
    ]);
    // Until 11:00 and the buffer behind it.
    expect(await open("2026-11-25")).toBe("12:00 13:00 14:00 15:00 16:00 17:00");
    expect(await open(DAY)).toBe("09:00 10:00 11:00");
    for (const [date, time] of [
      ["2026-11-25", "09:00"],
      ["2026-11-25", "10:00"],
      [DAY, "17:00"],
      [DAY, "13:00"],
    ]) {
      const taken = await book("", { date, time, customer_phone: "404-555-0179", customer_email: "b@example.com" });
      expect([date, time, taken.json.error_code]).toEqual([date, time, "SLOT_TAKEN"]);
      expect(taken.json.alternatives.length).toBeGreaterThan(0);
    }
    // A block of the second day touches it, one of the day after does not.
    const booking = (await app.store.findBooking(json.data.confirmation_code)) as Booking;
    const touched = ["2026-11-25", "2026-11-27"].map((date) => {
      const { scheduling } = CATALOG;
      const blocked_dates = [...scheduling.blocked_dates, { date }];
      const after = derive({ ...CATALOG, scheduling: { ...scheduling, blocked_dates } });
      return conflictsWith(CATALOG, after, [booking]).length;
    });
    expect(touched).toEqual([1, 0]);
    // Ten at once for one night: one is sold.
    const wish = (i: number) => ({ customer_phone: `404-555-01${20 + i}`, customer_email: `p${i}@example.com` });
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, i) => book("16:00", { date: "2026-11-30", ...wish(i) })),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await app.store.busyBetween(0, Number.MAX_SAFE_INTEGER)).length).toBe(2);
  });

  test("the customer sees it on the page, moves it, and its length stays", async () => {
    const { app, book } = await published();
    const page = await app.get(`/book?vehicle_type=suv&film_type=ceramic&coverage=full&start=${DAY}T16:00`);
    expect(page.text.includes("your vehicle stays with us overnight")).toBe(true);
    expect(page.text.includes("ready about Wed, Nov 25, 11 AM")).toBe(true);
    expect(page.text).toMatch(/4 PM <small>overnight<\/small>/);
    const code = (await book("16:00")).json.data.confirmation_code;
    expect((await app.get(`/book/booked/${code}`)).text).toContain("your vehicle stays with us overnight");
    const proof = { confirmation_code: code, phone: BOOKING.customer_phone };
    const move = async (date: string, time: string) =>
      (await app.post(`${API}/bookings/reschedule`, { ...proof, date, time })).json.data;
    // To a whole day, and back to one that goes on after the weekend.
    const whole = await move("2026-11-30", "09:00");
    expect([whole.end, whole.split]).toEqual(["2026-11-30T13:00:00-05:00", undefined]);
    const split = await move("2026-12-04", "17:00");
    expect(split.split.map(({ start, end }: Part) => [start.slice(0, 16), end.slice(0, 16)])).toEqual([
      ["2026-12-04T17:00", "2026-12-04T18:00"],
      ["2026-12-05T09:00", "2026-12-05T12:00"],
    ]);
    expect(split.duration_minutes).toBe(240);
  });

  test("work of the owner's own length is moved with it by its customer, who is offered the times for it", async () => {
    const catalog = catalogWith({ "scheduling.bays": 1, "bookings.self_service.changes_per_day": 20 });
    const app = testApp({ catalog });
    const { json } = await app.post(`${API}/bookings`, { ...WORK, time: "09:00" });
    const code = json.data.confirmation_code;
    const ofOwner = () => ownerContext({ store: app.store, catalog, now: NOW });
    const last = async (minutes: number) => {
      const booking = (await app.store.findBooking(code)) as Booking;
      return changeBooking(booking, { minutes }, ownerPolicy({ anyway: false, isQuiet: true }), ofOwner());
    };
    const move = (date: string, time: string) =>
      app.post(`${API}/bookings/reschedule`, { confirmation_code: code, phone: BOOKING.customer_phone, date, time });
    const managed = async () => {
      const form = new URLSearchParams({ confirmation_code: code, contact: BOOKING.customer_phone });
      const { headers } = await send(app, "/book/manage", form);
      return (await app.get(headers.get("location") ?? "")).text;
    };
    const offered = async () => {
      const text = await managed();
      return [...text.matchAll(/name="start" value="2026-11-25T(\S+?)"/g)].map(([, time]) => time).join(" ");
    };
    // Six hours on a day of nine, where the price list has four.
    await last(360);
    expect(await offered()).toBe("09:00 10:00 11:00 12:00");
    expect((await move("2026-11-25", "13:00")).status).toBe(400);
    const moved = await move("2026-11-25", "12:00");
    expect([moved.json.data.end, moved.json.data.duration_minutes]).toEqual(["2026-11-25T18:00:00-05:00", 360]);
    // Its own bay is no obstacle to a move by an hour.
    expect(await offered()).toBe("09:00 10:00 11:00");
    // Other work is longer by what the price list says, and never takes the owner's length away.
    const proof = { confirmation_code: code, phone: BOOKING.customer_phone };
    await move("2026-11-25", "09:00");
    const change = async (work: object) =>
      (await app.post(`${API}/bookings/reschedule`, { ...proof, ...work })).json.data.duration_minutes;
    expect([await change({ addons: ["sunroof"] }), await change({ film_type: "standard" })]).toEqual([405, 405]);
    // Twelve hours are on two days.
    await move(DAY, "09:00");
    await last(720);
    expect(await managed()).toContain("about Wed, Nov 25, 12 PM; your vehicle stays with us overnight");
    expect(await offered()).toBe("09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00 17:00");
    expect((await move("2026-11-30", "09:00")).json.data.end).toBe("2026-12-01T12:00:00-05:00");
  });

  test("hours that change after it was booked leave its length as it was", async () => {
    const { app, book } = await published();
    const code = (await book("16:00")).json.data.confirmation_code;
    const ill = [{ date: "2026-11-25", closed: true, hours: [], reason: "Ill" }];
    app.setCatalog(derive({ ...CATALOG, business: { ...CATALOG.business, special_hours: ill } }));
    const { json } = await app.post(`${API}/bookings/reschedule`, {
      ...{ confirmation_code: code, phone: BOOKING.customer_phone, date: "2026-11-30", time: "09:00" },
    });
    expect([json.data.end, json.data.duration_minutes]).toEqual(["2026-11-30T13:00:00-05:00", 240]);
  });
});
