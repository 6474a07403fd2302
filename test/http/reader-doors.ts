/** The ways in to one capability, and what a row of the reader's tables sends through them. */
import { expect, test } from "bun:test";
import { API, BOOKING, manyCallers, QUOTE, type TestApp } from "../helpers.ts";

export type Fields = Record<string, unknown>;
export interface Door {
  path: string;
  tool: string;
  /** What is sent beside the fields of a case. */
  base: Fields;
}

export const ESTIMATE: Door = {
  path: "/estimates",
  tool: "estimate_price",
  base: { vehicle_type: "suv", film_type: "ceramic" },
};
export const GLASS: Door = {
  path: "/flat-glass/estimate",
  tool: "estimate_price",
  base: { site_type: "commercial", total_sqft: 100 },
};
export const WINDOWS: Door = { ...GLASS, base: { site_type: "commercial" } };
export const BOOK: Door = { path: "/bookings", tool: "book_appointment", base: { ...BOOKING, dry_run: true } };
export const ASK: Door = { path: "/quote-request", tool: "request_quote", base: { ...QUOTE, dry_run: true } };

/** The answer of a capability in one form, over REST and MCP in turn: a word has one reader, whichever way it comes. */
export async function send(app: TestApp, { path, tool, base }: Door, fields: Fields): Promise<Fields> {
  const body = { ...base, ...fields };
  if (sent++ % 2 === 0) return (await app.post(API + path, body)).json;
  const { json, text } = await app.post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: body } },
    { headers: { accept: "application/json, text/event-stream", "content-type": "application/json" } },
  );
  const { result } = json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");
  return { success: !result.isError, ...JSON.parse(result.content[0].text) };
}

let sent = 0;

export const FRIDAY = "2026-12-04";
export const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
export const fullwidth = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
export const shades = ({ front_side: front, rear_side: rear, rear_window: back }: Record<string, number | null>) => ({
  tint_law: expect.objectContaining({
    checks: [front, rear, back].map((film_vlt) => expect.objectContaining({ film_vlt })),
  }),
});

export type Understood = [door: Door, fields: Fields, data: object];
export const each = (door: Door, field: string, values: readonly unknown[], data: object): Understood[] =>
  values.map((value) => [door, { [field]: value }, data]);

/** For requests that store nothing. */
export const APP = manyCallers();

/** What was meant is said in a warning. */
export function understands(table: readonly Understood[]): void {
  test.each(table)("%# is understood: %j %j", async (door, fields, data) => {
    const { success, message, data: answered, warnings } = await send(APP, door, fields);
    expect({ success, message }).toMatchObject({ success: true });
    expect(answered).toMatchObject(data);
    expect(warnings).toContainEqual(expect.objectContaining({ code: "UNDERSTOOD" }));
  });
}

export type Asked = [door: Door, fields: Fields, faulty: string, says?: RegExp];
export const asked = (door: Door, field: string, values: readonly unknown[], faulty = field): Asked[] =>
  values.map((value) => [door, { [field]: value }, faulty]);

export function asks(table: readonly Asked[]): void {
  test.each(table)("%# is asked: %j %j", async (door, fields, faulty, says = /./) => {
    const { success, invalid_fields } = await send(APP, door, fields);
    expect(success).toBe(false);
    const fault = { field: faulty, message: expect.stringMatching(says) };
    expect(invalid_fields).toContainEqual(expect.objectContaining(fault));
  });
}
