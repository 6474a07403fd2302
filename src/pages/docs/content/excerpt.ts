/** JSON for people: small values on one line, and of long lists the first entries. */

const WIDTH = 64;
/** A list that takes more lines is cut to the entries that fit, but at least one. */
const MOST_LINES = 8;

/** It can be read as JSON. */
export function excerpt(value: unknown): string {
  return printed(value, "", 0);
}

/** @param taken characters of the line before the value */
function printed(value: unknown, indent: string, taken: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const parts = isList ? entriesOf(value, inner) : fieldsOf(value, inner);
  if (parts.length === 0) return open + close;
  const gap = isList ? "" : " ";
  const line = `${open}${gap}${parts.join(", ")}${gap}${close}`;
  if (taken + line.length <= WIDTH && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function entriesOf(list: readonly unknown[], indent: string): string[] {
  const all = list.map((one) => printed(one, indent, indent.length));
  let lines = 0;
  const fits = all.filter((one) => {
    lines += one.split("\n").length;
    return lines <= MOST_LINES;
  });
  return all.slice(0, Math.max(1, fits.length));
}

function fieldsOf(value: object, indent: string): string[] {
  return Object.entries(value).map(([name, inner]) => {
    const start = `${JSON.stringify(name)}: `;
    return start + printed(inner, indent, indent.length + start.length);
  });
}
