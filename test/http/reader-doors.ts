/** The requests that the reader's tables send, each by another way than the one before, and what is expected of a row. */
import { expect, test } from "bun:test";
import { BOOKING, manyCallers, QUOTE, type TestApp } from "../helpers.ts";
import { inTurn, type Way } from "./ways-in.ts";

export type Fields = Record<string, unknown>;
export interface Door {
  id: Parameters<Way>[1];
  /** What is sent beside the fields of a case. */
  base: Fields;
}

export const ESTIMATE: Door = { id: "automotive_estimate", base: { vehicle_type: "suv", film_type: "ceramic" } };
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

export type Understood = [door: Door, fields: Fields, data?: object];
export const each = (door: Door, field: string, values: readonly unknown[], data: object): Understood[] =>
  values.map((value) => [door, { [field]: value }, data]);

/** For requests that store nothing. */
export const APP = manyCallers();

/** What was meant is said in a warning. */
export function understands(table: readonly Understood[]): void {
  test.each(table)("%# is understood: %j %j", async (door, fields, expected = {}) => {
    const { success, message, data, warnings } = await send(APP, door, fields);
    expect({ success, message }).toMatchObject({ success: true });
    expect(data).toMatchObject(expected);
    const codes = warnings.map(({ code }: { code: string }) => code);
    expect(codes).toContain("UNDERSTOOD");
    expect(codes).not.toContain("UNKNOWN_FIELD");
  });
}

export type Asked = [door: Door, fields: Fields, faulty: string, says?: RegExp];
export const asked = (door: Door, field: string, values: readonly unknown[], faulty = field): Asked[] =>
  values.map((value) => [door, { [field]: value }, faulty]);

/** One field of several may be at fault. */
export function asks(table: readonly Asked[]): void {
  test.each(table)("%# is asked: %j %j", async (door, fields, faulty, says = /./) => {
    const { success, invalid_fields } = await send(APP, door, fields);
    expect(success).toBe(false);
    const fault = { field: faulty, message: expect.stringMatching(says) };
    expect(invalid_fields).toContainEqual(expect.objectContaining(fault));
  });
}

export type LeftOut = [door: Door, fields: Fields, field: string, given?: string, says?: string];

/** One field alone is asked for, and the sample has none. */
export function asksFor(table: readonly LeftOut[]): void {
  test.each(table)("%# is asked for: %j %j", async (door, fields, field, given = "", says = "") => {
    const { usage, message } = await send(APP, door, fields);
    expect(usage.fill_in).toEqual([field]);
    expect(usage.sample_request[field]).toBeUndefined();
    if (given) expect(usage.fill_in_hints).toContainEqual(expect.objectContaining({ field, given }));
    expect(message).toContain(says);
  });
}
