/**
 * The warning of `/readyz` that callers share the address of a proxy, as those with IPv6 do behind a port that Docker
 * publishes.
 */
import { HOUR_MS } from "../lib/durations.ts";

const SHARING = "callers come from an address of TINT_TRUSTED_PROXIES itself, so they share one limit";

export function createSharingWarning(now: () => Temporal.Instant) {
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    /** For a caller whose proxy named no address outside the trusted ranges. */
    note(): void {
      notedAt = now().epochMilliseconds;
    },
    /** Given for an hour after such a caller. */
    warnings: (): string[] => (now().epochMilliseconds - notedAt <= HOUR_MS ? [SHARING] : []),
  };
}
