/** The ways in to one capability, and what a row of the reader's tables sends through them. */
import { expect } from "bun:test";
import { API, BOOKING, QUOTE, type TestApp } from "../helpers.ts";

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

/** The answer of a capability, in the same form through either door. */
export async function send(
  app: TestApp,
  way: "REST" | "MCP",
  { path, tool, base }: Door,
  fields: Fields,
): Promise<Fields> {
  const body = { ...base, ...fields };
  if (way === "REST") return (await app.post(API + path, body)).json;
  const { json, text } = await app.post(
    "/mcp",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: body } },
    { headers: { accept: "application/json, text/event-stream", "content-type": "application/json" } },
  );
  const { result } = json ?? JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "null");
  return { success: !result.isError, ...JSON.parse(result.content[0].text) };
}

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
