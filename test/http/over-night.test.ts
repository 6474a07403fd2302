/** Work of a service with `over_night: true` that pauses at closing time and goes on when the shop opens again. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { ownerContext } from "../../cli/diary/owner.ts";
import { change as changeBooking } from "../../src/capabilities/booking/change.ts";
import { ownerPolicy } from "../../src/capabilities/booking/policy.ts";
import { derive } from "../../src/catalog/shop.ts";
import { conflictsWith } from "../../src/domain/booking-conflicts.ts";
import type { Booking } from "../../src/store/store.ts";
import { API, BOOKING, catalogWith, NOW, testApp } from "../helpers.ts";
import { send } from "../pages/form.ts";

setDefaultTimeout(60_000);

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
      const after = derive({
        ...CATALOG,
        scheduling: { ...scheduling, blocked_dates: [...scheduling.blocked_dates, { date }] },
      });
      return conflictsWith(CATALOG, after, [booking]).length;
    });
    expect(touched).toEqual([1, 0]);
    // Ten at once for one night: one is sold.
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        book("16:00", {
          date: "2026-11-30",
          customer_phone: `404-555-01${20 + i}`,
          customer_email: `p${i}@example.com`,
        }),
      ),
    );
    expect(many.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await app.store.busyBetween(0, Number.MAX_SAFE_INTEGER)).length).toBe(2);
  });

  test("the customer sees it on the page, moves it, and its length stays", async () => {
    const { app, book } = await published();
    const page = await app.get(`/book?vehicle_type=suv&film_type=ceramic&coverage=full&start=${DAY}T16:00`);
    expect([
      page.text.includes("your vehicle stays with us overnight"),
      page.text.includes("ready about Wed, Nov 25, 11 AM"),
    ]).toEqual([true, true]);
    expect(page.text).toMatch(/4 PM <small>overnight<\/small>/);
    const code = (await book("16:00")).json.data.confirmation_code;
    expect((await app.get(`/book/booked/${code}`)).text).toContain("your vehicle stays with us overnight");
    const move = async (date: string, time: string) =>
      (
        await app.post(`${API}/bookings/reschedule`, {
          confirmation_code: code,
          phone: BOOKING.customer_phone,
          date,
          time,
        })
      ).json.data;
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
