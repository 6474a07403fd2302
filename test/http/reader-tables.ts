/** What is expected of a row of the reader's tables. */
import { expect, test } from "bun:test";
import { APP, type Door, type Fields, send } from "./reader-doors.ts";

export type Understood = [door: Door, fields: Fields, data?: object];
/** Values, or texts that slashes divide. */
type Values = readonly unknown[] | string;
const valuesIn = (values: Values) => (typeof values === "string" ? values.split(" / ") : values);

export const each = (door: Door, field: string, values: Values, data: object): Understood[] =>
  valuesIn(values).map((value) => [door, { [field]: value }, data]);

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
export const asked = (door: Door, field: string, values: Values, faulty = field): Asked[] =>
  valuesIn(values).map((value) => [door, { [field]: value }, faulty]);

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

/** @param faulty the field that is asked for, with a word that was sent beside it */
export const left = (door: Door, field: string, values: Values, faulty = field): LeftOut[] =>
  valuesIn(values).map((value) => [door, { [field]: value }, faulty, typeof value === "string" ? value : ""]);

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

export type Shown = [door: Door, fields: Fields, body: object];

/** The request to send instead, and what is asked of it. */
export function shows(table: readonly Shown[]): void {
  test.each(table)("%# is told what to send: %j %j", async (door, fields, body) => {
    expect(await send(APP, door, fields)).toMatchObject(body);
  });
}
