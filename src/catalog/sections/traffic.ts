/** `rate_limits` and `access`: how often, and who not. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { perMinute, text } from "./values.ts";

const network = z.string().refine((cidr) => ipaddr.isValidCIDR(cidr), "must be an address range, like 203.0.113.0/24");

export const rateLimits = z.strictObject({
  anonymous_per_minute: perMinute,
  agent_class_per_minute: perMinute,
  api_key_per_minute: perMinute,
  quote_requests_per_minute: perMinute,
  bookings_per_10_minutes: perMinute,
  bookings_per_phone_per_day: perMinute,
  registrations_per_hour: perMinute,
  agent_classes: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/i), z.array(text).min(1)),
});

export const access = z.strictObject({
  blocked_networks: z.array(network),
  blocked_countries: z.array(z.string().regex(/^[A-Z]{2}$/, "must be a two-letter country code, like FR")),
  country_header: text,
});
