/**
 * Every limit (contract 8): the scope that headers name, whom it counts, the window, what a refusal says, and the way out.
 * Limiter, quotas of bookings, self-service and documents read this table. A new limit that stacks on the caller's general
 * one is a row with `countedBy`, a name in `LIMIT_NAMES`, a number in catalog.yaml, and its name in the definition of the capability that it limits.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/durations.ts";
import { counted } from "../lib/text.ts";
import type { Shop } from "./shop.ts";

interface Limit {
  /** In `X-RateLimit-Scope`. */
  scope: string;
  windowMs: number;
  /** In the documents: whom it counts, and how many. */
  counts?: (shop: Shop) => [who: string, what: string];
  /** Begins the message of a refusal. */
  said: (limit: number) => string;
  /** What the refused caller can do, with holes; `{keys}` goes to callers without a key alone. */
  wayOut: string;
}

interface Stacked extends Limit {
  /** By the API key or, without one, by network; or by network even when a key was sent. */
  countedBy: "key_or_network" | "network";
}

const WAIT = "Wait for the number of seconds in {wait}, then send the request again.";
const CALL = "Or have the customer call the shop ({phone}).";
const CALL_OR_ASK = "Have the customer call the shop ({phone}), or send a quote request.";
const MIDNIGHT = "There is room again at the shop's midnight: send the request again tomorrow.";
const HELD = `There is room once an appointment is over or cancelled: cancel one that is not needed, or try again after the time in {wait}. ${CALL_OR_ASK}`;
const BOOK_INSTEAD =
  "Confirm or cancel what is held ({request:confirm_booking}, {request:cancel_booking}), or book without hold once the end user agrees: a booking can be cancelled.";
const BOOKINGS_MS = 10 * MINUTE_MS;

const requestsUsedUp = (limit: number) => `The limit of ${counted(limit, "request")} is used up`;
const misses = { said: () => "Too many wrong codes, contacts or request ids", wayOut: `${WAIT} ${CALL}` };
const bookings = (limit: number, which = "") =>
  `No more than ${counted(limit, "booking")}${which} ${limit === 1 ? "is" : "are"}`;

/** Those with a key in the catalog's `rate_limits` have its name. */
export const LIMITS = {
  general: {
    scope: "requests-per-minute",
    windowMs: MINUTE_MS,
    counts: ({ rate_limits: of }) => [
      "Without a key",
      `${of.anonymous_per_minute} requests a minute per IP address (IPv6: per /64)`,
    ],
    said: requestsUsedUp,
    wayOut: `${WAIT} {keys}`,
  },
  agents_of_network: {
    scope: "agent-requests-per-minute-per-network",
    windowMs: MINUTE_MS,
    counts: ({ rate_limits: of }) => [
      "Known agent user agents",
      `${of.agent_class_per_minute} requests a minute, shared by each class: ${Object.keys(of.agent_classes).join(", ")}; ${of.agents_per_network_per_minute} of all classes together per IP address`,
    ],
    said: requestsUsedUp,
    wayOut: `${WAIT} {keys}`,
  },
  keys_of_network: {
    scope: "requests-per-minute-of-keys-per-network",
    windowMs: MINUTE_MS,
    counts: ({ rate_limits: of, keys }) => [
      "With a key",
      `${of.api_key_per_minute} requests a minute; keys that registered themselves share them per IP address, and end after ${keys.self_registered_days} days without use`,
    ],
    said: requestsUsedUp,
    wayOut: WAIT,
  },
  pages: {
    scope: "page-views-per-minute",
    windowMs: MINUTE_MS,
    counts: ({ rate_limits: of }) => [
      "The customers' page",
      `${of.pages_per_minute} views a minute per IP address, counted apart`,
    ],
    said: requestsUsedUp,
    wayOut: WAIT,
  },
  quote_requests_per_minute: {
    scope: "quote-requests-per-minute",
    windowMs: MINUTE_MS,
    countedBy: "key_or_network",
    counts: ({ rate_limits: of }) => ["Quote requests", `${of.quote_requests_per_minute} a minute`],
    said: (limit) => `No more than ${counted(limit, "quote request")} a minute are taken from one network or API key`,
    wayOut: `${WAIT} {keys} ${CALL}`,
  },
  network: {
    scope: "bookings-per-network",
    windowMs: BOOKINGS_MS,
    counts: ({ rate_limits: of, bookings: { open_per_customer: held } }) => [
      "Bookings",
      `${of.bookings_per_10_minutes} in 10 minutes per key, or without a key per IP address, and then ${of.bookings_per_phone_per_day} a day per phone number; a customer holds at most ${held} future bookings`,
    ],
    said: (limit) => `${bookings(limit)} taken from this address within 10 minutes`,
    wayOut: `${WAIT} {keys} ${CALL_OR_ASK}`,
  },
  networks: {
    scope: "bookings-per-network",
    windowMs: BOOKINGS_MS,
    said: (limit) => `${bookings(limit)} taken from this network within 10 minutes`,
    wayOut: `${WAIT} ${CALL_OR_ASK}`,
  },
  key: {
    scope: "bookings-per-key",
    windowMs: BOOKINGS_MS,
    said: (limit) => `${bookings(limit)} taken from this API key within 10 minutes`,
    wayOut: `${WAIT} ${CALL_OR_ASK}`,
  },
  phone: {
    scope: "bookings-per-phone-per-day",
    windowMs: DAY_MS,
    said: (limit) => `${bookings(limit, " a day")} taken for one phone number`,
    wayOut: `${MIDNIGHT} ${CALL_OR_ASK}`,
  },
  // Of a person, only the limit is said: anybody can type a phone number, to learn what it has. The wait is a guess: the true one
  // would show when somebody's appointment ends.
  held_by_phone: {
    scope: "bookings-to-come-per-customer",
    windowMs: HOUR_MS,
    said: (limit) => `${bookings(limit, " to come")} kept for one phone number`,
    wayOut: HELD,
  },
  held_by_email: {
    scope: "bookings-to-come-per-customer",
    windowMs: HOUR_MS,
    said: (limit) => `${bookings(limit, " to come")} kept for one e-mail address and caller`,
    wayOut: HELD,
  },
  hold: {
    scope: "held-times-per-customer",
    windowMs: HOUR_MS,
    said: (limit) => `No more than ${counted(limit, "time")} ${limit === 1 ? "is" : "are"} held for one phone number`,
    wayOut: BOOK_INSTEAD,
  },
  hold_of_day: {
    scope: "held-times-per-customer-and-day",
    windowMs: HOUR_MS,
    said: (limit) =>
      `No more than ${counted(limit, "time")} of a day ${limit === 1 ? "is" : "are"} held for one phone number, also once it is over`,
    wayOut: BOOK_INSTEAD,
  },
  changes: {
    scope: "changes-per-booking-per-day",
    windowMs: DAY_MS,
    said: (limit) => `A booking can be changed online ${counted(limit, "time")} a day`,
    wayOut: `${MIDNIGHT} Today only the shop can change it: have the customer call {phone}.`,
  },
  wrong_codes: {
    scope: "wrong-codes-per-10-minutes",
    windowMs: 10 * MINUTE_MS,
    counts: ({ rate_limits: of }) => [
      "Confirmation codes",
      `${of.wrong_codes_per_10_minutes} misses in 10 minutes per IP address, and per code or request id, then none for a while`,
    ],
    ...misses,
  },
  wrong_codes_per_day: { scope: "wrong-codes-per-day", windowMs: DAY_MS, ...misses },
  // By network even with a key, or a caller could multiply their limits by registering again and again.
  registrations_per_hour: {
    scope: "registrations-per-hour",
    windowMs: HOUR_MS,
    countedBy: "network",
    counts: ({ rate_limits: of }) => ["Registrations", `${of.registrations_per_hour} an hour per IP address`],
    said: (limit) => `No more than ${counted(limit, "API key")} an hour are issued to one network or e-mail address`,
    wayOut: `${WAIT} Prices, times and quote requests need no key.`,
  },
} as const satisfies Record<string, Limit | Stacked>;

export function limitRows(shop: Shop): [who: string, what: string][] {
  return Object.values<Limit>(LIMITS).flatMap(({ counts }) => (counts ? [counts(shop)] : []));
}
