/** What a request of a caller is charged to. Source: contract 8. */

import { type LimitName, STACKED_LIMITS } from "../catalog/sections/limits.ts";
import type { Shop } from "../catalog/shop.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { type Charge, KEY_POOL } from "../limits/limiter.ts";
import type { HttpCaller } from "./caller.ts";

/**
 * Every request is charged to one general pool: of the key, else of the agent class, else of the network. Keys that
 * registered themselves and names of agent classes cost nothing, so all of one network also share a pool.
 *
 * @param isPage a page for customers, where every choice is a request: it counts apart from the API
 */
export function generalCharges(caller: HttpCaller, catalog: Shop, isPage = false): Charge[] {
  const { rate_limits: limits } = catalog;
  const perMinute = { kind: "general", windowMs: MINUTE_MS } as const;
  const { credentials, agentClass } = caller;
  if (credentials.kind === "valid") {
    const limit = credentials.key.ratePerMinute ?? limits.api_key_per_minute;
    const own = { ...perMinute, pool: `${KEY_POOL}${credentials.key.id}`, limit };
    const shared = { ...perMinute, kind: "keys_of_network", limit: limits.api_key_per_minute } as const;
    return caller.isSelfRegistered ? [own, ...networkCharges(caller, shared, catalog)] : [own];
  }
  if (agentClass !== null) {
    const own = { ...perMinute, pool: `class ${agentClass}`, limit: limits.agent_class_per_minute };
    const shared = { ...perMinute, kind: "agents_of_network", limit: limits.agents_per_network_per_minute } as const;
    return [own, ...networkCharges(caller, shared, catalog)];
  }
  const anonymous = isPage
    ? ({ ...perMinute, kind: "pages", limit: limits.pages_per_minute } as const)
    : { ...perMinute, limit: limits.anonymous_per_minute };
  return networkCharges(caller, anonymous, catalog);
}

/** The pools of a limit that stacks on the general one. */
export function stackedCharges(
  { keyId, isSelfRegistered, ...caller }: HttpCaller,
  limit: LimitName,
  catalog: Shop,
): Charge[] {
  const { countedBy, windowMs } = STACKED_LIMITS[limit];
  const charge = { kind: limit, limit: catalog.rate_limits[limit], windowMs };
  // Not counted by agent class: anybody can claim its name and use up the limit of the others in it.
  if (countedBy === "network" || keyId === null) return networkCharges(caller, charge, catalog);
  const own = { ...charge, pool: `${KEY_POOL}${keyId}` };
  const times = catalog.rate_limits.self_registered_times;
  return isSelfRegistered
    ? [own, ...networkCharges(caller, { ...charge, limit: charge.limit * times }, catalog)]
    : [own];
}

/** The pool of a network and, for IPv6, the pools of the networks around it, which hold some multiple of the limit. */
export function networkCharges(
  { network, wider }: Pick<HttpCaller, "network" | "wider">,
  charge: Omit<Charge, "pool">,
  { rate_limits: { ipv6_56_times, ipv6_48_times } }: Shop,
): Charge[] {
  const own = { ...charge, pool: `net ${network}` };
  if (wider.length === 0) return [own];
  const times = { 56: ipv6_56_times, 48: ipv6_48_times };
  const around = wider.map(({ prefix, network: pool }) => {
    return { ...charge, prefix, pool, limit: charge.limit * times[prefix] };
  });
  return [own, ...around];
}
