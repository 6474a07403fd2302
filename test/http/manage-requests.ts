/** Requests about a booking by its code, as its customer sends them. */
import { expect } from "bun:test";
import { type Answer, API, BOOKING, type FileApp, freshPhone, type TestApp } from "../helpers.ts";

export const WRONG = "+1-404-555-0199";
/** Open at NOW, and 240 minutes fit. */
export const FRIDAY = { date: "2026-11-27", time: "10:00" };

export async function book(app: TestApp, edits: object = {}, from = "198.51.100.1") {
  const asked = { ...BOOKING, ...edits };
  const answer = await app.post(`${API}/bookings`, asked, { from });
  expect([answer.status, answer.json.message]).toEqual([201, undefined]);
  const { data } = answer.json;
  const code: string = data.confirmation_code;
  const proof = proofOf(answer, asked.customer_phone);
  const change = (wish: object) => reschedule(app, { ...proof, ...wish });
  const look = async () => (await lookup(app, proof)).json.data;
  return { answer, data, code, proof, change, look };
}

export const proofOf = ({ json }: Answer, phone = BOOKING.customer_phone) => ({
  confirmation_code: json.data.confirmation_code as string,
  phone,
});
/** Who has no booking yet. */
export const somebody = () => ({ customer_phone: freshPhone(), customer_email: "sam@example.com" });

export const lookup = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/lookup`, body, from ? { from } : {});
export const reschedule = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/reschedule`, body, from ? { from } : {});
export const cancel = (app: TestApp, body: object, from?: string) =>
  app.post(`${API}/bookings/cancel`, body, from ? { from } : {});
export const confirm = (app: TestApp, body: object) => app.post(`${API}/bookings/confirm`, body);
export const status = (app: TestApp, code: string, from?: string) =>
  app.get(`${API}/bookings/${code}`, from ? { from } : {});

/** Every row of the tables that a change could touch. */
export const rows = ({ db }: FileApp) =>
  ["bookings", "leads", "jobs", "lead_events"].map((table) => db.query(`SELECT * FROM ${table}`).all());

export const kindsOf = async ({ store }: TestApp) => (await store.waitingJobs(99)).map(({ kind }) => kind).sort();
