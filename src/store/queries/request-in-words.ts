/** The values of a request as the owner reads them. */
import { fillTemplate } from "../../catalog/sections/template.ts";
import { fieldsOf } from "../../lib/fields.ts";
import { capitalized, inOneLine, spaced, withoutGaps } from "../../lib/text.ts";

/** The value of a field. Underscores mark a word of a fixed list; text that people typed stays as it is. */
export function valueInWords(field: string, value: unknown): string {
  if (field === "square_footage") return `${value} sq ft`;
  return field === "windows" && Array.isArray(value) ? value.map(windowInWords).join(", ") : shownValue(value);
}

/** `8 of 36 x 60 in`, as in a quote for glass. */
function windowInWords(row: unknown): string {
  const { width_in, height_in, quantity = 1, label } = Object(row);
  return `${quantity} of ${width_in} x ${height_in} in${label ? ` (${label})` : ""}`;
}

function shownValue(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : value;
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([field, inside]) => `${spaced(field)}: ${shownValue(inside)}`)
    .join("; ");
}

interface Letter {
  subject: string;
  text: string;
}

/** An e-mail to the shop with what a customer wrote in a request, in place of `{note}` and `{details}`. */
export function withRequest({ subject, text }: Letter, request: unknown): Letter {
  const { message, ...given } = fieldsOf(request);
  const note = typeof message === "string" ? inOneLine(message) : "";
  const fields = { note, details: detailsOf(given) };
  return { subject: inOneLine(fillTemplate(subject, fields)), text: withoutGaps(fillTemplate(text, fields)) };
}

/** Fields of a request that an e-mail to the shop names by themselves. */
const NAMED = [
  ...["first_name", "last_name", "phone", "email", "service_type", "square_footage", "consent", "addons", "estimate"],
  ...["vehicle_type", "vehicle_year", "vehicle_make", "vehicle_model", "film_type", "coverage"],
  ...["quote_request_id", "estimate_id"],
];

/** The rest of a request, a line for each field: `Floors: 2`. */
function detailsOf(given: Readonly<Record<string, unknown>>): string {
  return Object.entries(given)
    .filter(([field]) => !NAMED.includes(field))
    .map(([field, value]) => `${capitalized(spaced(field))}: ${inOneLine(valueInWords(field, value))}`)
    .join("\n");
}
