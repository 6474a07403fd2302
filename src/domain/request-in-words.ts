/** The values of a request as the owner reads them. */
import { spaced } from "../lib/text.ts";

/** The value of a field. Underscores mark a word of a fixed list; text that people typed stays as it is. */
export function valueInWords(field: string, value: unknown): string {
  if (field === "square_footage") return `${value} sq ft`;
  return field === "windows" && Array.isArray(value) ? value.map(windowInWords).join(", ") : inWords(value);
}

/** `8 of 36 x 60 in`, as in a quote for glass. */
function windowInWords(row: unknown): string {
  const { width_in, height_in, quantity = 1, label } = Object(row);
  return `${quantity} of ${width_in} x ${height_in} in${label ? ` (${label})` : ""}`;
}

function inWords(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : value;
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([field, inside]) => `${spaced(field)}: ${inWords(inside)}`)
    .join("; ");
}
