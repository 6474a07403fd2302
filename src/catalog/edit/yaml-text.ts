/** Values as YAML text that every YAML reader reads back as the same value. */
import { parse, type Scalar } from "yaml";
import { escaped } from "../../lib/text.ts";
import type { ScalarValue } from "../path.ts";

interface Style {
  /** The quotes of the old value, or of its neighbour in a list. */
  like?: Scalar.Type | null;
  /** Whether it is written inside `[…]` or `{…}`, where commas and brackets end a plain text. */
  inFlow: boolean;
  /** For amounts. "plain" writes cents only when there are any, "cents" writes them always. */
  money?: "plain" | "cents";
}

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

export function renderScalar(value: ScalarValue, { like, inFlow, money }: Style): string {
  if (typeof value === "number") return renderNumber(value, money);
  if (typeof value !== "string") return String(value);
  if (like === "QUOTE_SINGLE" && !INVISIBLE.test(value)) return `'${value.replaceAll("'", "''")}'`;
  if (like !== "QUOTE_DOUBLE" && readsBackPlain(value, inFlow)) return value;
  return JSON.stringify(value).replace(new RegExp(INVISIBLE, "gu"), escaped);
}

function renderNumber(value: number, money: Style["money"]): string {
  const hasCents = !Number.isInteger(value) && Math.round(value * 100) / 100 === value;
  return (money && hasCents) || (money === "cents" && Number.isInteger(value)) ? value.toFixed(2) : String(value);
}

/**
 * Writes a list or group in one line: `[{ opens: "09:00", closes: "18:00" }]`.
 * @param pad the space inside braces
 */
export function renderFlow(value: unknown, pad: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item, pad)).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${pad}${pairs.map(([key, item]) => `${renderScalar(key, { inFlow: true })}: ${renderFlow(item, pad)}`).join(", ")}${pad}}`;
  }
  return renderScalar(typeof value === "number" || typeof value === "boolean" || value === null ? value : `${value}`, {
    inFlow: true,
  });
}

/** Whether a text needs no quotes in YAML 1.1 or 1.2. Readers of 1.1 take 09:00, 2026-12-24 and yes for other values. */
function readsBackPlain(value: string, inFlow: boolean): boolean {
  if (value === "" || value !== value.trim() || INVISIBLE.test(value)) return false;
  const wrapped = inFlow ? `{ key: ${value} }` : `key: ${value} # note`;
  return (["1.1", "1.2"] as const).every((version) => {
    try {
      return Bun.deepEquals(parse(wrapped, { version, logLevel: "error" }), { key: value });
    } catch {
      return false;
    }
  });
}
