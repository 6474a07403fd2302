/** Notes callers that share the address of a proxy, as those with IPv6 do behind a port that Docker publishes. */
import { HOUR_MS } from "../lib/durations.ts";

/** @returns `note` a caller; `warnings` of the last hour */
export function createSharingNote(now: () => Temporal.Instant): { note: () => void; warnings: () => string[] } {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    note() {
      lastAt = now().epochMilliseconds;
    },
    warnings: () =>
      now().epochMilliseconds - lastAt <= HOUR_MS
        ? ["callers come from an address of TINT_TRUSTED_PROXIES itself, so they share one limit"]
        : [],
  };
}
