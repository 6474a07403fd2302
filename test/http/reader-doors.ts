/** The requests that the reader's tables send, each by another way than the one before, and what answers show. */
import { expect } from "bun:test";
import { BOOKING, manyCallers, QUOTE, type TestApp } from "../helpers.ts";
import { inTurn, type Way } from "./ways-in.ts";

export type Fields = Record<string, unknown>;
export interface Door {
  id: Parameters<Way>[1];
  /** What is sent beside the fields of a case. */
  base: Fields;
}

export const ESTIMATE: Door = { id: "automotive_estimate", base: { vehicle_type: "suv", film_type: "ceramic" } };
export const PLAIN: Door = { id: "automotive_estimate", base: { vehicle_type: "suv" } };
export const CAR: Door = { id: "automotive_estimate", base: {} };
export const SEDAN: Door = { id: "automotive_estimate", base: { vehicle_type: "sedan", film_type: "ceramic" } };
export const GLASS: Door = { id: "flat_glass_estimate", base: { site_type: "commercial", total_sqft: 100 } };
export const WINDOWS: Door = { ...GLASS, base: { site_type: "commercial" } };
export const TIMES: Door = { id: "check_availability", base: {} };
export const BOOK: Door = { id: "book_appointment", base: { ...BOOKING, dry_run: true } };
export const ASK: Door = { id: "quote_request", base: { ...QUOTE, dry_run: true } };

const way = inTurn();

/** The body of the answer. */
export async function send(app: TestApp, { id, base }: Door, fields: Fields) {
  return (await way(app, id, JSON.parse(JSON.stringify({ ...base, ...fields })))).body;
}

export const FRIDAY = "2026-12-04";
export const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
export const fullwidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
/** The shades of front sides, rear sides and rear window that were checked. */
export const shades = (...vlts: (number | null)[]) => ({
  tint_law: expect.objectContaining({ checks: vlts.map((film_vlt) => expect.objectContaining({ film_vlt })) }),
});
export const law = (jurisdiction: string) => ({ tint_law: expect.objectContaining({ jurisdiction }) });
export const type = (word: string) => ({ vehicle: expect.objectContaining({ type: word }) });

export const APP = manyCallers();
