/** Advice on a capability beyond its fields: when to use it, and its limits. Every document prints these sentences. */
import type { Capability } from "../capabilities/core/capability.ts";
import { requiresConsent } from "../capabilities/core/operations.ts";
import { aboutOf } from "../capabilities/index.ts";
import { type LimitName, STACKED_LIMITS } from "../catalog/sections/limits.ts";
import type { Shop } from "../catalog/shop.ts";

/** When to use it, when not, and what to ask the end user first; one sentence each. */
export function adviceOf(capability: Capability, catalog: Shop): string[] {
  const { useWhen, avoidWhen } = aboutOf(capability, catalog);
  return [
    ...(useWhen.length > 0 ? [`Use it when: ${useWhen.join(" ")}`] : []),
    ...(avoidWhen.length > 0 ? [`Avoid it when: ${avoidWhen.join(" ")}`] : []),
    ...(requiresConsent(capability) ? ["Ask the end user for consent before you call it."] : []),
  ];
}

/** The description of a capability, followed by the advice. */
export function inFull(capability: Capability, catalog: Shop): string {
  return [aboutOf(capability, catalog).description, ...adviceOf(capability, catalog)].join(" ");
}

/** A row for each limit: who or what it holds for, and the limit in words. Source: contract 8 */
export function limitRows(catalog: Shop): [string, string][] {
  const { rate_limits: limits } = catalog;
  return [
    ["Without a key", `${limits.anonymous_per_minute} requests a minute per IP address (IPv6: per /64)`],
    [
      "Known agent user agents",
      `${limits.agent_class_per_minute} requests a minute, shared by each class: ${Object.keys(limits.agent_classes).join(", ")}; ${limits.agents_per_network_per_minute} of all classes together per IP address`,
    ],
    [
      "With a key",
      `${limits.api_key_per_minute} requests a minute; keys that registered themselves share them per IP address, and end after ${catalog.keys.self_registered_days} days without use`,
    ],
    ["The customers' page", `${limits.pages_per_minute} views a minute per IP address, counted apart`],
    ["Quote requests", stackedLimit("quote_requests_per_minute", limits)],
    ["Bookings", bookingQuota(catalog)],
    [
      "Confirmation codes",
      `${limits.wrong_codes_per_10_minutes} misses in 10 minutes per IP address, and per code or request id, then none for a while`,
    ],
    ["Registrations", stackedLimit("registrations_per_hour", limits)],
  ];
}

/** The capability's own limit as a sentence; undefined when only the caller's general limit applies. */
export function limitOf({ limit, acceptsKey }: Capability, catalog: Shop): string | undefined {
  const words = limit ? stackedLimit(limit, catalog.rate_limits) : acceptsKey ? bookingQuota(catalog) : undefined;
  return words && `Limit: ${words}.`;
}

type Limits = Shop["rate_limits"];

function stackedLimit(name: LimitName, limits: Limits): string {
  return `${limits[name]} ${STACKED_LIMITS[name].words}`;
}

function bookingQuota({ rate_limits: limits, bookings }: Shop): string {
  return `${limits.bookings_per_10_minutes} in 10 minutes per key, or without a key per IP address, and then ${limits.bookings_per_phone_per_day} a day per phone number; a customer holds at most ${bookings.open_per_customer} future bookings`;
}
