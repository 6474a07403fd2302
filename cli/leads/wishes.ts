/** Says what a lead asked for, in the shop's own words. */
import { dayAndDate, dayAndTime } from "../../src/domain/spoken-dates.ts";
import { capitalised, spaced } from "../../src/lib/text.ts";
import { coverageLabel } from "../catalog/words.ts";
import type { ShopPlace } from "../shop/clock.ts";
import { moneyIn } from "../terminal/amounts.ts";

type Wish = readonly [label: string, value: string | null];

/** @param details the request as it was stored @param today YYYY-MM-DD @returns names and values, which are not cleaned */
export function wishesInWords(details: unknown, shop: ShopPlace, today: string): Wish[] {
  const { date, time, ...wishes }: Record<string, unknown> = Object(details);
  const start = typeof date === "string" && typeof time === "string" ? dayAndTime(date, time, today) : null;
  return [
    ["Asked for", start],
    ...Object.entries(wishes)
      .filter(([field]) => !LEFT_OUT.includes(field))
      .map(
        ([field, value]): Wish => [
          LABELS[field] ?? capitalised(spaced(field)),
          valueInWords(field, value, shop, today),
        ],
      ),
  ];
}

/** Fields that another line of the lead shows, and numbers that only programs read. */
const LEFT_OUT = [
  ...["first_name", "last_name", "phone", "email", "customer_name", "customer_phone", "customer_email", "service_type"],
  ...["booking_request_id", "quote_request_id", "estimate_id", "consent"],
];

/** Where the API's name of a field, without its underscores, is not the shop's. */
const LABELS: Record<string, string> = {
  square_footage: "Glass",
  needs_ladder: "Ladder",
  film_goals: "Film against",
  primary_concern: "Worry",
  property_info: "Property",
  vehicle_type: "Vehicle",
  vehicle_year: "Year",
  vehicle_make: "Make",
  vehicle_model: "Model",
  film_type: "Film",
  addons: "Add-ons",
  remove_old_film: "Old film off",
  jurisdiction: "Tint law of",
  special_requests: "Wishes",
  estimate: "Was told",
};

function valueInWords(field: string, value: unknown, shop: ShopPlace, today: string): string {
  switch (field) {
    case "square_footage":
      return `${value} sq ft`;
    case "coverage":
      return coverageLabel(String(value), shop);
    case "jurisdiction":
      return shop.tint_law?.jurisdictions[String(value)]?.name ?? String(value);
    case "windows":
      return Array.isArray(value) ? value.map(windowInWords).join(", ") : inWords(value);
    case "estimate": {
      const { total, valid_until: until } = Object(value);
      const last = dayAndDate(String(until).slice(0, 10), today);
      const amount = shop.currency ? moneyIn(shop.currency)(Number(total)) : Number(total).toFixed(2);
      return `${amount}, valid up to ${last}`;
    }
    default:
      return inWords(value);
  }
}

/** `8 of 36 x 60 in`, as in a quote for glass. */
function windowInWords(row: unknown): string {
  const { width_in, height_in, quantity = 1, label } = Object(row);
  return `${quantity} of ${width_in} x ${height_in} in${label ? ` (${label})` : ""}`;
}

/** `given by “Yes, book it”`. Empty parts are left out. */
export function consentInWords(consent: unknown): string {
  const { confirmed_by_user: isGiven, statement, agent_name: agent } = Object(consent);
  return [isGiven === false ? "not given" : "given", statement && `“${statement}”`, agent && `asked by ${agent}`]
    .filter(Boolean)
    .join(", ");
}

/** A value of a request. Underscores mark a word of a fixed list; text that people typed stays as it is. */
function inWords(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return /^[a-z]+(_[a-z]+)+$/.test(value) ? spaced(value) : value;
  if (Array.isArray(value)) return value.map(inWords).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([field, inside]) => `${spaced(field)}: ${inWords(inside)}`)
    .join("; ");
}
