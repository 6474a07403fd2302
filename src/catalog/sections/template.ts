/** Templates of messages: the owner's text with fields in braces, like `{name}`. */
import { didYouMean, oneOf } from "../../schema/explain.ts";

/** Of every message about a booking. */
const BOOKING = [
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
const REQUEST = ["name", "reference", "request", "range"] as const;
/** The work of a booking, and whom to call. */
const JOB = ["work", "vehicle", "film", "coverage", "extras", "phone"] as const;
const SHOP = [...BOOKING, ...JOB] as const;
const MOVED = ["old_date", "old_time"] as const;

/** What the template of each kind of message can name. */
export const FIELDS = {
  booking: BOOKING,
  rescheduled: [...BOOKING, ...MOVED],
  changed: [...BOOKING, "work"],
  /** Work that pauses over night: when the vehicle can be picked up. */
  over_night: ["ready_date", "ready_time", "shop", "shop_phone"],
  /** Advice after the work: days from `scheduling.cure`. */
  aftercare: [...BOOKING, "windows_up_days", "cure_days"],
  review: [...BOOKING, "url"],
  quote: [...REQUEST, "shop", "shop_phone", "address", "book_url", "directions_url"],
  /** A quote or receipt: which it is, all of it, and the page to print. */
  paper: ["name", "paper", "paper_text", "paper_url", "shop", "shop_phone", "address"],
  deposit: ["deposit", "minutes_to_pay", "refund_hours", "shop", "shop_phone"],
  deposit_news: [...BOOKING, "deposit", "pay_url", "pay_until"],
  shop: SHOP,
  shop_moved: [...SHOP, ...MOVED],
  /** A quote request, and anybody to call back. */
  shop_lead: [...REQUEST, "service", "price", "shop", ...JOB],
  /** Many bookings: also how many are too many. */
  shop_alert: [...SHOP, "count"],
  digest: ["count", "since", "shop"],
  /** What an e-mail to the shop can name beside: there is room for what the customer wrote. */
  shop_mail: ["email", "note"],
} as const;
type Field = (typeof FIELDS)[keyof typeof FIELDS][number] | "details";
export type TemplateFields = Record<(typeof BOOKING)[number], string> & Partial<Record<Field, string>>;

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
export function fillTemplate(template: string | Template, fields: Partial<Record<Field, string>>): string {
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
