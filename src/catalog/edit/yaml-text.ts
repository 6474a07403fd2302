/** Values as YAML text, written so that they read back as exactly the same value whoever reads the file. */
import { parse, type Scalar } from "yaml";

import type { ScalarValue } from "../path.ts";

interface Style {
  /** The style of the value that is replaced, or of its neighbour in a list. */
  like?: Scalar.Type | null;
  /** Inside `[…]` or `{…}`, where commas and brackets end a plain text. */
  inFlow: boolean;
  /** Written with cents when there are any, or when the old price was. */
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

/** `\uXXXX` for each half of a character that cannot be seen. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

/**
 * A list or group in one line: `[{ opens: "09:00", closes: "18:00" }]`.
 * @param pad what stands inside the braces of a group
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

/** YAML 1.1 readers take 09:00, 2026-12-24 and yes for something else, so a text stays bare only when both versions agree. */
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
