/** Requests about a booking by its code, as its customer sends them. */
import { expect } from "bun:test";
import { type Answer, API, BOOKING, type FileApp, type TestApp } from "../helpers.ts";

export const WRONG = "+1-404-555-0199";
/** Open at NOW, and 240 minutes fit. */
export const FRIDAY = { date: "2026-11-27", time: "10:00" };

export interface Booked {
  code: string;
  proof: { confirmation_code: string; phone: string };
}

export async function book(
  app: TestApp,
  edits: object = {},
  from = "198.51.100.1",
): Promise<Booked & { answer: Answer }> {
  const answer = await app.post(`${API}/bookings`, { ...BOOKING, ...edits }, { from });
  expect([answer.status, answer.json.message]).toEqual([201, undefined]);
  const code: string = answer.json.data.confirmation_code;
  const phone = "customer_phone" in edits ? String(edits.customer_phone) : BOOKING.customer_phone;
  return { code, proof: { confirmation_code: code, phone }, answer };
}

export const lookup = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/lookup`, body, from ? { from } : {});
export const reschedule = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/reschedule`, body, from ? { from } : {});
export const cancel = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/cancel`, body, from ? { from } : {});
export const status = (app: TestApp, code: string, from?: string) =>
  app.get(`${API}/bookings/${code}`, from ? { from } : {});

/** Every row of the tables that a change could touch. */
export const rows = ({ db }: FileApp) =>
  ["bookings", "leads", "jobs", "lead_events"].map((table) => db.query(`SELECT * FROM ${table}`).all());
