/** `rate_limits`, `access` and `alerts`: how often callers may ask, who is turned away, when the owner is warned. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { isCountryHeader, isSecureAddress } from "../../lib/network.ts";
import { every } from "../../schema/fields.ts";
import { country, limit, lineOfText } from "./values.ts";

const network = z.string().refine((cidr) => ipaddr.isValidCIDR(cidr), "must be an address range, like 203.0.113.0/24");

/** The limits that stack on a caller's general one; their rows are in `LIMITS`. */
const LIMIT_NAMES = ["quote_requests_per_minute", "registrations_per_hour"] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** What browsers call themselves. */
const BROWSERS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
].map((name) => name.toLowerCase());

const agentWord = lineOfText.refine(
  (word) => !BROWSERS.some((name) => name.includes(word.toLowerCase())),
  "is in the name of every browser or of a common one, so that customers would share the limit of an agent",
);

export const rateLimits = z.strictObject({
  anonymous_per_minute: limit,
  agent_class_per_minute: limit,
  api_key_per_minute: limit,
  bookings_per_10_minutes: limit,
  bookings_per_phone_per_day: limit,
  ...every(LIMIT_NAMES, limit).shape,
  /** Requests under the names of AI services from one network, whichever names they are. */
  agents_per_network_per_minute: limit.default(240),
  /** Views of the customers' pages from one network, which count apart from requests to the API. */
  pages_per_minute: limit.default(240),
  /** How many times the limit of one network all keys together get that registered themselves from it. */
  self_registered_times: limit.default(3),
  /** Wrong confirmation codes and contacts, and wrong bodies under a request id, by network and by code or id. */
  wrong_codes_per_10_minutes: limit.default(5),
  /** Wrong contacts for one code, or bodies for one request id; beyond them a right one is refused too, except to its own network. */
  wrong_codes_per_code_per_day: limit.default(50),
  /** How many times the limit of one caller an IPv6 network around it gets: a /56 and a /48. */
  ipv6_56_times: limit.default(8),
  ipv6_48_times: limit.default(32),
  agent_classes: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/i), z.array(agentWord).min(1)),
});

export const keys = z.strictObject({
  /** Days after which a key that registered itself ends when it is not used. */
  self_registered_days: z.int().min(1).max(3650).default(90),
});

export const access = z.strictObject({
  blocked_networks: z.array(network),
  blocked_countries: z.array(country),
  country_header: lineOfText.refine(
    isCountryHeader,
    "must be the name of a header that holds a country, like CF-IPCountry: the agent proxy removes those a caller sends",
  ),
});

/** Somebody whom the shop's news reach. */
export const contact = z
  .string()
  .refine(
    (to) => /^\+[1-9]\d{6,14}$/.test(to) || z.email().safeParse(to).success || (isSecureAddress(to) && isPlain(to)),
    "must be a mobile like +14045550142, an e-mail address, or an address that begins with https://",
  );

/** Requests to an address with a user name or password in front of the host are refused. */
function isPlain(address: string): boolean {
  const { username, password } = new URL(address);
  return username === "" && password === "";
}

export const alerts = z.strictObject({
  /** Who hears of bookings, quote requests and what goes wrong. Without it `messages.shop_sms_to`, else `business.phone`. */
  to: z.array(contact).min(1).max(20).optional(),
  /** The owner gets one text when more bookings than this are made within an hour. */
  bookings_per_hour: limit.default(20),
  /** The owner gets at most one text in so many hours about messages that are late by `messages.stuck_after_minutes`. */
  late_messages_once_in_hours: limit.default(24),
});
