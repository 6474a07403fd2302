/** Templates of messages: the owner's text with fields in braces, like `{name}`. */
import { didYouMean, oneOf } from "../../schema/explain.ts";

export const TEMPLATE_FIELDS = [
  "name",
  "date",
  "time",
  "service",
  "code",
  "price",
  "shop",
  "shop_phone",
  "address",
  "manage_url",
  "book_url",
  "directions_url",
] as const;
export const LINK_FIELDS = ["manage_url", "book_url", "directions_url", "url", "paper_url", "pay_url"] as const;
/** The fields of a message about a booking that was moved: also its time before. */
export const RESCHEDULED_FIELDS = [...TEMPLATE_FIELDS, "old_date", "old_time"] as const;
/** The fields of the message about other work: also what it is. */
export const CHANGED_FIELDS = [...TEMPLATE_FIELDS, "work"] as const;
/** The fields of the sentence about work that pauses over night: when the vehicle can be picked up. */
export const OVER_NIGHT_FIELDS = ["ready_date", "ready_time", "shop", "shop_phone"] as const;
/** The fields of the message with advice after the work: days from `scheduling.cure`. */
export const AFTERCARE_FIELDS = [...TEMPLATE_FIELDS, "windows_up_days", "cure_days"] as const;
export const REVIEW_FIELDS = [...TEMPLATE_FIELDS, "url"] as const;
/** A quote request. */
const REQUEST_FIELDS = ["name", "reference", "request", "range"] as const;
export const QUOTE_FIELDS = [...REQUEST_FIELDS, "shop", "shop_phone", "address", "book_url", "directions_url"] as const;
/** The fields of the message with a quote or receipt: which it is, all of it, and the page to print. */
export const PAPER_FIELDS = ["name", "paper", "paper_text", "paper_url", "shop", "shop_phone", "address"] as const;
/** The work of a booking, and whom to call. */
const JOB_FIELDS = ["work", "vehicle", "film", "coverage", "extras", "phone"] as const;
export const SHOP_FIELDS = [...TEMPLATE_FIELDS, ...JOB_FIELDS] as const;
/** The fields of the shop's own messages about a quote request, and about anybody to call back. */
export const SHOP_LEAD_FIELDS = [...REQUEST_FIELDS, "service", "price", "shop", ...JOB_FIELDS] as const;
/** The fields of the shop's message about many bookings: also how many are too many. */
export const SHOP_ALERT_FIELDS = [...SHOP_FIELDS, "count"] as const;
export const DIGEST_FIELDS = ["count", "since", "shop"] as const;
/** What an e-mail to the shop can name beside: there is room for what the customer wrote. */
export const SHOP_MAIL_FIELDS = ["email", "note"] as const;
export const DEPOSIT_FIELDS = ["deposit", "minutes_to_pay", "refund_hours", "shop", "shop_phone"] as const;
export const DEPOSIT_NEWS_FIELDS = [...TEMPLATE_FIELDS, "deposit", "pay_url", "pay_until"] as const;
const SOMETIMES = [
  ...DEPOSIT_NEWS_FIELDS,
  ...DEPOSIT_FIELDS,
  ...RESCHEDULED_FIELDS,
  ...CHANGED_FIELDS,
  ...AFTERCARE_FIELDS,
  ...REVIEW_FIELDS,
  ...QUOTE_FIELDS,
  ...OVER_NIGHT_FIELDS,
  ...PAPER_FIELDS,
  ...SHOP_ALERT_FIELDS,
  ...DIGEST_FIELDS,
  ...SHOP_MAIL_FIELDS,
  "details",
] as const;
export type TemplateFields = Record<(typeof TEMPLATE_FIELDS)[number], string> &
  Partial<Record<(typeof SOMETIMES)[number], string>>;

/** @returns a message when the template has an unknown field, or a brace that belongs to no field */
export function templateIssue(template: string, fields: readonly string[]): string | undefined {
  const known = fields.length === 0 ? "there is no field" : `the fields are ${fields.map(braced).join(" ")}`;
  const unknown = [...template.matchAll(FIELD)]
    .map(([, field = ""]) => field)
    .filter((field) => !fields.includes(field));
  if (unknown.length > 0) {
    const [first = ""] = unknown;
    const hint = unknown.length === 1 ? didYouMean(first.trim(), fields) : undefined;
    return `names ${oneOf(unknown.map(braced))}, which is not known${hint ? ` (did you mean ${braced(hint)}?)` : ""}; ${known}`;
  }
  return /[{}]/.test(template.replace(FIELD, "")) ? `has a brace that belongs to no field; ${known}` : undefined;
}

const FIELD = /\{([^{}]*)\}/g;

function braced(field: string): string {
  return `{${field}}`;
}

/** A template in parts, every second one a field. */
export type Template = readonly string[];

export function parseTemplate(template: string): Template {
  return template.split(FIELD);
}

/** All fields at once, so that braces in a name are no field. An empty one goes with its comma or space, a bare `Note:` as a line. */
export function fillTemplate(
  template: string | Template,
  fields: Partial<Record<(typeof SOMETIMES)[number], string>>,
): string {
  const values: Readonly<Record<string, string | undefined>> = fields;
  let filled = "";
  let isField = false;
  for (const part of typeof template === "string" ? parseTemplate(template) : template) {
    const value = isField && Object.hasOwn(values, part) ? values[part] : undefined;
    filled += isField ? (value ?? `{${part}}`) || EMPTY : part;
    isField = !isField;
  }
  if (!filled.includes(EMPTY)) return filled;
  const lines: string[] = [];
  for (const line of filled.split("\n")) {
    const left = line
      .replaceAll(`, ${EMPTY}`, "")
      .replaceAll(`${EMPTY}, `, "")
      .replaceAll(` ${EMPTY}`, "")
      .replaceAll(EMPTY, "");
    if (left === line || !/(^|:)\s*$/.test(left)) lines.push(left);
  }
  return lines.join("\n");
}
/** No text of a catalog or a request has it. */
const EMPTY = "\0";
