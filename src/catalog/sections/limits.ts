/** The limits that stack on a caller's general one. Source: contract 8. */
import { HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";

interface StackedLimit {
  windowMs: number;
  /** key_or_network: by the API key or, without one, by network. network: by network even when a key was sent. */
  countedBy: "key_or_network" | "network";
  /** The words that follow the number in the documents. */
  words: string;
}

/**
 * By their key in the catalog's `rate_limits`. A new limit is a row here, a number in catalog.yaml, and its name in the
 * definition of the capability that it limits.
 */
export const STACKED_LIMITS = {
  quote_requests_per_minute: { windowMs: MINUTE_MS, countedBy: "key_or_network", words: "a minute" },
  // By network even with a key, or a caller could multiply their limits by registering again and again.
  registrations_per_hour: { windowMs: HOUR_MS, countedBy: "network", words: "an hour per IP address" },
} as const satisfies Record<string, StackedLimit>;

export type LimitName = keyof typeof STACKED_LIMITS;
export const LIMIT_NAMES = Object.keys(STACKED_LIMITS) as LimitName[];
