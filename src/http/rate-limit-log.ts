/** Requests over a limit, counted and logged once a minute: a caller who floods the API must not flood the log. */
import type { Logger } from "pino";
import { MINUTE_MS } from "../lib/durations.ts";
import type { HttpCaller } from "./caller.ts";

/** At most this many pools are named in a line; the count covers all. */
const NAMED_POOLS = 10;

/** @returns a function that counts one refused request */
export function createRateLimitLog(log: Logger, everyMs = MINUTE_MS): (caller: HttpCaller) => void {
  const counts = new Map<string, number>();

  const report = () => {
    const pools = [...counts].map(([pool, refused]) => ({ pool, refused })).sort((a, b) => b.refused - a.refused);
    counts.clear();
    const refused = pools.reduce((sum, pool) => sum + pool.refused, 0);
    log.warn({ refused, pools: pools.slice(0, NAMED_POOLS) }, "requests over a limit were refused");
  };

  return (caller) => {
    if (counts.size === 0) setTimeout(report, everyMs).unref();
    const pool = poolName(caller);
    counts.set(pool, (counts.get(pool) ?? 0) + 1);
  };
}

/** The log holds no addresses, so callers without key and agent class are counted together. */
function poolName(caller: HttpCaller): string {
  if (caller.keyId) return `key ${caller.keyId}`;
  return caller.agentClass ? `class ${caller.agentClass}` : "network";
}
