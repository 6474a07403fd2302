/** Other names under which callers send the fields of a request. Source: contract 1, "Understood". */
import { readNumber } from "./quantities.ts";

const NAMES_OF_PEOPLE = ["name", "full_name", "customer_name"];
const NOTES = ["notes", "note", "comments", "comment", "remarks"];

/** By the proper name. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  film_type: ["film"],
  vehicle_type: ["vehicle", "body_type", "body_style", "car_type", "vehicle_class"],
  vehicle_year: ["year", "model_year"],
  vehicle_make: ["make"],
  vehicle_model: ["model"],
  jurisdiction: ["state"],
  service_type: ["service"],
  service: ["service_type"],
  shade: ["tint", "darkness", "vlt"],
  addons: ["addon", "add_on", "add_ons"],
  remove_old_film: ["old_film_removal", "remove_film", "remove_tint", "remove_old_tint"],
  customer_name: ["name", "full_name"],
  name: ["full_name"],
  first_name: NAMES_OF_PEOPLE,
  customer_phone: ["phone", "phone_number", "telephone", "mobile"],
  customer_email: ["email", "email_address"],
  phone: ["customer_phone", "phone_number", "telephone", "mobile"],
  email: ["customer_email", "email_address"],
  confirmation_code: ["code", "booking_code"],
  quantity: ["qty", "count", "pcs", "panes"],
  total_sqft: ["sqft", "square_feet", "square_footage", "sq_ft", "glass_area"],
  square_footage: ["sqft", "square_feet", "total_sqft", "sq_ft", "glass_area"],
  postal_code: ["zip", "zip_code", "zipcode", "postcode"],
  special_requests: [...NOTES, "message", "special_request"],
  message: [...NOTES, "special_requests", "special_request"],
  date: ["appointment_date", "datetime", "date_time", "start", "start_at"],
  time: ["appointment_time", "start_time"],
  floors: ["stories", "storeys", "floor_count"],
};

/** The parts of a field of several. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  front: ["front_side"],
  fronts: ["front_side"],
  front_windows: ["front_side"],
  front_sides: ["front_side"],
  rear: ["rear_side", "rear_window"],
  rears: ["rear_side", "rear_window"],
  back: ["rear_side", "rear_window"],
  rear_sides: ["rear_side"],
  back_window: ["rear_window"],
  rear_windshield: ["rear_window"],
};

/** Units at the end of a name, as `width_ft` for `width_in`. */
const UNITS = new Map([
  ["ft", "ft"],
  ["feet", "ft"],
  ["foot", "ft"],
  ["in", "in"],
  ["inch", "in"],
  ["inches", "in"],
  ["cm", "cm"],
  ["mm", "mm"],
]);

/**
 * The field that a name can only mean: the same name in another notation (`vehicleType`, `addons[]`), or an alias.
 * @param fields the fields of the request
 * @returns undefined for a field of the request itself, and for a name that means none of them
 */
export function properName(name: string, fields: object): string | undefined {
  if (Object.hasOwn(fields, name)) return undefined;
  const plain = snakeCase(name);
  if (Object.hasOwn(fields, plain)) return plain;
  return Object.keys(ALIASES).find((field) => Object.hasOwn(fields, field) && ALIASES[field]?.includes(plain));
}

/** A value in the field in which it belongs. */
export interface Placed {
  field: string;
  item: unknown;
  /** The value is another one than the caller sent, or was taken to be in a unit that was not named. */
  isRead?: "converted" | "in inches";
}

/** Where a value belongs that was sent under another name; undefined like `properName`. */
export function placesOf(name: string, item: unknown, fields: object): Placed[] | undefined {
  const field = properName(name, fields);
  if (field !== undefined) {
    const people = field === "first_name" && Object.hasOwn(fields, "last_name") ? nameParts(item) : undefined;
    return people && snakeCase(name) !== field ? people : [{ field, item }];
  }
  if (Object.hasOwn(fields, name)) return undefined;
  const plain = snakeCase(name);
  const group = Object.hasOwn(GROUPS, plain) ? GROUPS[plain] : undefined;
  if (group?.every((part) => Object.hasOwn(fields, part))) return group.map((part) => ({ field: part, item }));
  return inOtherUnit(plain, item, fields);
}

/** `Dana Molar` as first and last name. */
function nameParts(item: unknown): Placed[] | undefined {
  if (typeof item !== "string") return undefined;
  const [first = "", ...rest] = item.split(" ").filter((part) => part !== "");
  return rest.length === 0
    ? undefined
    : [
        { field: "first_name", item: first },
        { field: "last_name", item: rest.join(" ") },
      ];
}

/** A length under a name with another unit, or with none. */
function inOtherUnit(plain: string, item: unknown, fields: object): Placed[] | undefined {
  const [, side = "", suffix] = /^(width|height)(?:_([a-z]{2,6}))?$/.exec(plain) ?? [];
  const field = `${side}_in`;
  if (side === "" || !Object.hasOwn(fields, field)) return undefined;
  const unit = UNITS.get(suffix ?? "in");
  if (unit === undefined || (typeof item !== "number" && typeof item !== "string")) return undefined;
  const isBare = /^[\d.,\s]+$/.test(String(item));
  const inches = readNumber(isBare ? `${String(item).trim()} ${unit}` : String(item), "inches");
  if (suffix === undefined && isBare) return [{ field, item: inches ?? item, isRead: "in inches" }];
  return [{ field, item: inches ?? String(item), isRead: "converted" }];
}

/** First and last name where one field takes both. */
export function joinedName(
  given: Readonly<Record<string, unknown>>,
  fields: object,
): (Placed & { sent: string[] }) | undefined {
  if (!Object.hasOwn(fields, "customer_name") || Object.hasOwn(fields, "first_name")) return undefined;
  const sent = Object.keys(given).filter((name) => ["first_name", "last_name"].includes(snakeCase(name)));
  const parts = sent
    .toSorted((a, b) => (snakeCase(a) < snakeCase(b) ? -1 : 1))
    .map((name) => given[name])
    .filter((part) => typeof part === "string");
  return parts.length === 0 ? undefined : { sent, field: "customer_name", item: parts.join(" ") };
}

/** `vehicleType`, `Vehicle Type`, `vehicle-type` and `vehicle_type[]` as `vehicle_type`. */
function snakeCase(name: string): string {
  return wordForm(name.replace(/\[\]$/, "").replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** A word in small letters, with underscores for spaces and hyphens. */
export function wordForm(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
