/** What a program that watches the catalog writes into its log. */
import type { Logger } from "pino";
import type { WatchEvents } from "../catalog/load/watch.ts";

export function catalogReports(log: Logger): Required<Omit<WatchEvents, "unchanged">> {
  return {
    startedWithLastGood: ({ issues }) =>
      log.error(
        { issues },
        "the catalog is faulty; started with the last good one. Mend it, and it is taken over without a restart",
      ),
    reloaded: ({ hash, changed, notes }) =>
      log[notes.length > 0 ? "warn" : "info"](
        { hash: hash.slice(0, 12), changed, ...(notes.length > 0 && { notes }) },
        "catalog reloaded",
      ),
    refused: ({ issues }) => log.error({ issues }, "catalog refused; the last good one stays in force"),
  };
}
