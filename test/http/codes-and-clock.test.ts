/** Two rare events that a caller must not notice: a new code that is in use, and a clock that goes back. */
import { expect, test } from "bun:test";
import type { NewLead } from "../../src/store/store.ts";
import { API, BOOKING, bookingOn, fileApp, QUOTE, testApp } from "../helpers.ts";

test("a booking or quote request whose new code is in use gets another code", async () => {
  let clash: NewLead | undefined;
  /** The first lead of a request gets the reference of an earlier lead. */
  const clashing = (lead: NewLead): NewLead => {
    const given = clash ? { ...lead, reference: clash.reference } : lead;
    clash = clash ? undefined : lead;
    return given;
  };
  const app = fileApp({}, (store) => ({
    ...store,
    addLead: (lead) => store.addLead(clashing(lead)),
    book: (booking, ...rest) => store.book({ ...booking, lead: clashing(booking.lead) }, ...rest),
  }));
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/quote-request`, QUOTE)).status).toBe(200);
  expect((await app.post(`${API}/bookings`, BOOKING)).status).toBe(201);
  expect(app.counts()).toMatchObject({ leads: 4, bookings: 1 });
});

test("after the clock went back by an hour, a quota asks nobody to wait longer than its window", async () => {
  const app = testApp();
  const book = (date: string) => app.post(`${API}/bookings`, bookingOn(date));
  for (const date of ["2026-11-24", "2026-11-25", "2026-11-30"]) expect((await book(date)).status).toBe(201);
  app.advance({ seconds: -30 });
  const refused = await book("2026-12-01");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 601);
  app.advance({ hours: -1 });
  expect((await book("2026-12-01")).status).toBe(201);
});
