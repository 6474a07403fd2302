/** The work of a server besides answering: it sends messages, deletes what is old, and watches the clock. */
import type { Logger } from "pino";
import type { Shop } from "../catalog/shop.ts";
import { toE164, whyNoTexts } from "../lib/phone.ts";
import { logFailure, takeTurns } from "../messages/attempts.ts";
import { type Channels, lanes } from "../messages/channels.ts";
import { deliveryRules } from "../messages/message-rules.ts";
import { startRetention } from "../messages/retention.ts";
import { startDeliveryPolling } from "../messages/twilio.ts";
import { createDeliver, startWorker } from "../messages/worker.ts";
import type { Store } from "../store/store.ts";
import { DRAIN_MS } from "./process.ts";
import { watchClock } from "./watches.ts";
// The plan of jobs is loaded here as well, because bookings need it.
import "../messages/plan.ts";

interface BackgroundOptions {
  channels: Channels;
  store: Store;
  catalog: () => Shop;
  log: Logger;
}

/** How often the rows of holds that are over are written so. What is over is free without it. */
const SWEEP_MS = 10_000;
const NOT_SWEPT = "holds that are over could not be swept";

/** Starts the work and loads all that it needs, which is also all that a booking needs. */
export function startBackground({ channels, store, catalog, log }: BackgroundOptions): { stop: () => Promise<void> } {
  // The two functions load the numbering plans.
  toE164("", "US");
  whyNoTexts("", []);
  const deliver = createDeliver(channels, store, catalog);
  const limits = (now: number) => deliveryRules(catalog(), now);
  const { twilio, mail } = channels;
  const isMailOn = mail !== null;
  const workers = lanes(channels, catalog).map((kinds) =>
    startWorker({ store, deliver, limits, kinds, log, isMailOn }),
  );
  const polling = twilio && startDeliveryPolling({ store, twilio, isMailOn, log });
  const retention = startRetention({ store, catalog, log });
  const sweep = takeTurns(
    () => store.expireHolds().catch((err: unknown) => logFailure(log, NOT_SWEPT, { err }, performance.now())),
    SWEEP_MS,
  );
  const unwatch = watchClock({ store, log });
  return {
    async stop() {
      unwatch();
      await Promise.all([
        retention.stop(),
        sweep.stop(),
        polling?.stop(),
        ...workers.map((worker) => worker.stop(DRAIN_MS)),
      ]);
    },
  };
}
