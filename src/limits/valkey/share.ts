/**
 * Limits that hold for all processes of a shop together (contract 19). Each request is charged in this process
 * first. Without Valkey this charge alone decides, so N processes never grant more than N times a limit, in any window.
 */

import type { Logger } from "pino";
import type { LimitState } from "../../errors.ts";
import type { Limiter } from "../limiter.ts";
import { createRateLimiter } from "../rate-limit.ts";
import { keepConnected, type Timing } from "./connection.ts";
import { createPoolNames, createValkeyLimiter, probeLimits } from "./limiter.ts";

export interface SharedLimits extends Timing {
  /** The address of the Valkey or Redis server. */
  url: string;
  /** The secret of the shop's database, which all its processes have in common. */
  secret: () => Promise<string>;
  log: Logger;
  /** Called when this process begins to limit by itself, and when it no longer does. */
  onLocal?: ((isLocal: boolean) => void) | undefined;
  /** The limits of this process alone. For tests, which move its clock. */
  local?: Limiter;
}

/** Resolves when Valkey was tried once, whether it answers or not. */
export async function shareLimits({
  url,
  secret,
  log,
  onLocal,
  local = createRateLimiter(),
  ...timing
}: SharedLimits): Promise<{ limiter: Limiter; close: () => void }> {
  let names = { secret: "", of: createPoolNames("") };
  const refresh = async () => {
    const current = await secret();
    if (current !== names.secret) names = { secret: current, of: createPoolNames(current) };
  };
  await refresh();
  const connection = await keepConnected({
    url,
    ...timing,
    probe: async (run) => {
      // The old names serve while the database cannot be read.
      refresh().catch(() => {});
      await probeLimits(run, names.of);
    },
    lost(reason) {
      log.warn({ reason }, "Valkey does not do its work; this process limits by itself meanwhile");
      onLocal?.(true);
    },
    found() {
      log.info("limits are shared through Valkey");
      onLocal?.(false);
    },
  });
  const remote = createValkeyLimiter(connection, () => names.of);
  return { limiter: createSharedLimiter(local, remote, connection.isUp), close: connection.close };
}

function createSharedLimiter(local: Limiter, remote: Limiter, isUp: () => boolean): Limiter {
  return {
    async take(charges) {
      const own = await local.take(charges);
      if (!own.allowed || !isUp()) return own;
      const shared = await remote.take(charges).catch(() => null);
      if (!shared) return own;
      if (!shared.allowed) {
        await own.undo();
        return shared;
      }
      lower(shared.states, own.states);
      return {
        ...shared,
        undo: async () => {
          await Promise.all([own.undo(), shared.undo()]);
        },
      };
    },
    async peek(charges) {
      const own = await local.peek(charges);
      if (!own.allowed || !isUp()) return own;
      const shared = await remote.peek(charges).catch(() => null);
      if (!shared) return own;
      lower(shared.states, own.states);
      return shared;
    },
  };
}

/** Lowers what is left to what this process knows: it alone counted the requests that came while Valkey was away. */
function lower(states: readonly LimitState[], own: readonly LimitState[]): void {
  for (const [i, state] of states.entries()) {
    const local = own[i];
    if (local && local.remaining < state.remaining) Object.assign(state, local);
  }
}

const CALLS = 9;

/**
 * Tries Valkey as a server would.
 * @returns how long a limit takes, in milliseconds (the median of a few), or why the server would do without Valkey
 */
export async function tryValkey(url: string): Promise<{ ms: number } | { reason: string }> {
  let reason = "";
  const names = createPoolNames("");
  const connection = await keepConnected({
    url,
    probe: (run) => probeLimits(run, names),
    lost(why) {
      reason = why;
    },
    found() {},
  });
  try {
    const times: number[] = [];
    while (times.length < CALLS && connection.isUp()) {
      const from = performance.now();
      await probeLimits(connection.run, names);
      times.push(performance.now() - from);
    }
    return connection.isUp() ? { ms: times.sort((one, other) => one - other)[CALLS >> 1] ?? 0 } : { reason };
  } catch {
    return { reason };
  } finally {
    connection.close();
  }
}
