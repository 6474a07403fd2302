/** Watches this machine's clock while the server runs: it was right at the start, and may drift or be set since. */
import type { Logger } from "pino";
import { MINUTE_MS } from "../lib/durations.ts";
import { MOST_SKEW_MS } from "../store/postgres/clock.ts";
import type { Store } from "../store/store.ts";

interface ClockWatchOptions {
  store: Pick<Store, "clockAhead">;
  log: Logger;
  everyMs?: number;
}

/** Logs an error once the clock is too far off the database's, and tells when it is right again. @returns ends it */
export function watchClock({ store, log, everyMs = MINUTE_MS }: ClockWatchOptions): () => void {
  let isSkewed = false;
  const look = async () => {
    try {
      const aheadMs = await store.clockAhead();
      const wasSkewed = isSkewed;
      isSkewed = Math.abs(aheadMs) > MOST_SKEW_MS;
      if (isSkewed && !wasSkewed)
        log.error({ aheadMs }, "this machine's clock is off the database's; set both by a time server");
      if (wasSkewed && !isSkewed) log.info("this machine's clock agrees with the database's again");
    } catch {
      // A database that does not answer is reported elsewhere.
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  return () => clearInterval(timer);
}
