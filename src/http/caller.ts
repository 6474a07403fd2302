/** Who is calling: their address, their agent class, their API key. Source: spec section 5, contract sections 7 and 8. */
import type { Caller, Capability, Context } from "../capabilities/core/capability.ts";
import type { Catalog } from "../catalog/schema.ts";
import { hashApiKey, isApiKey, KEY_PREFIX } from "../lib/ids.ts";
import { type Address, isIn, type Network, networkOf, parseAddress, parseNetworks } from "../lib/network.ts";
import type { ApiKey, Store } from "../store/store.ts";
import type { Charge } from "./rate-limit.ts";

/** What the credentials of a request amount to. */
export type Credentials =
  | { kind: "none" | "unknown" | "revoked" | "conflicting" | "misplaced" }
  | { kind: "valid"; key: ApiKey };

export interface HttpCaller extends Caller {
  credentials: Credentials;
  /** On the catalog's block list, by address or country. */
  blocked: boolean;
}

/**
 * @param peer address of the other end of the connection
 * @param trusted proxies whose forwarding headers are believed
 */
export async function identifyCaller(
  headers: Headers,
  peer: string | undefined,
  { catalog, store, trusted }: { catalog: Catalog; store: Store; trusted: readonly Network[] },
): Promise<HttpCaller> {
  const peerIsTrusted = isIn(parseAddress(peer), trusted);
  const address = peerIsTrusted ? (forwardedAddress(headers, trusted) ?? parseAddress(peer)) : parseAddress(peer);
  const userAgent = (peerIsTrusted && headers.get("x-forwarded-user-agent")) || headers.get("user-agent");
  const country = peerIsTrusted ? headers.get(catalog.access.country_header)?.toUpperCase() : undefined;
  const credentials = await checkCredentials(headers, store);
  return {
    network: networkOf(address),
    userAgent: userAgent?.slice(0, 300) ?? null,
    agentClass: agentClassOf(userAgent, catalog),
    keyId: credentials.kind === "valid" ? credentials.key.id : null,
    credentials,
    blocked:
      isIn(address, parseNetworks(catalog.access.blocked_networks)) ||
      (country !== undefined && catalog.access.blocked_countries.includes(country)),
  };
}

/** What a capability is told of a call. */
export function contextOf(
  { network, keyId, agentClass, userAgent }: HttpCaller,
  { catalog, store, now }: { catalog: Catalog; store: Store; now: Temporal.Instant },
): Context {
  return {
    catalog,
    store,
    diary: () => store.busyBetween(now.epochMilliseconds, Number.MAX_SAFE_INTEGER),
    now,
    caller: { network, keyId, agentClass, userAgent },
  };
}

const WINDOWS = { quote_requests_per_minute: 60_000, registrations_per_hour: 3_600_000 } as const;

/** The pools that a request is charged to: the caller's own, and that of the capability it asks for, if it has one. */
export function chargesOf(caller: HttpCaller, capability: Capability | undefined, catalog: Catalog): Charge[] {
  const general = generalCharge(caller, catalog);
  if (!capability?.limit) return [general];
  const kind = capability.limit;
  // New keys are counted by network whoever asks, or one caller could multiply their limits by registering.
  const pool = kind === "registrations_per_hour" ? `net ${caller.network}` : general.pool;
  return [general, { kind, pool, limit: catalog.rate_limits[kind], windowMs: WINDOWS[kind] }];
}

/** The one pool that a caller's requests are charged to: its key, else its agent class, else its network. */
function generalCharge({ credentials, agentClass, network }: HttpCaller, { rate_limits: limits }: Catalog): Charge {
  const perMinute = { kind: "general", windowMs: 60_000 } as const;
  if (credentials.kind === "valid") {
    return {
      ...perMinute,
      pool: `key ${credentials.key.id}`,
      limit: credentials.key.ratePerMinute ?? limits.api_key_per_minute,
    };
  }
  if (agentClass !== null) return { ...perMinute, pool: `class ${agentClass}`, limit: limits.agent_class_per_minute };
  return { ...perMinute, pool: `net ${network}`, limit: limits.anonymous_per_minute };
}

/** Walks X-Forwarded-For from the nearest hop outwards, up to the first address that is not a trusted proxy. */
function forwardedAddress(headers: Headers, trusted: readonly Network[]): Address | undefined {
  const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  let nearest: Address | undefined;
  for (const hop of hops.reverse()) {
    const address = parseAddress(withoutPort(hop));
    // Beyond an entry that is no address nothing can be believed.
    if (!address) break;
    nearest = address;
    if (!isIn(address, trusted)) break;
  }
  return nearest;
}

function withoutPort(hop: string): string {
  return /^\[(.+)\](:\d+)?$/.exec(hop)?.[1] ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop);
}

function agentClassOf(userAgent: string | null, { rate_limits: { agent_classes: classes } }: Catalog): string | null {
  const text = userAgent?.toLowerCase();
  if (!text) return null;
  const found = Object.entries(classes).find(([, words]) => words.some((word) => text.includes(word.toLowerCase())));
  return found?.[0] ?? null;
}

function isBearer(authorization: string): boolean {
  return /^bearer\b/i.test(authorization);
}

/** The values of a header; sent several times, they arrive joined by commas. */
function valuesOf(headers: Headers, name: string): string[] {
  return (headers.get(name)?.split(",") ?? []).map((value) => value.trim());
}

async function checkCredentials(headers: Headers, store: Store): Promise<Credentials> {
  const authorizations = valuesOf(headers, "authorization");
  const bearers = authorizations.filter(isBearer).map((one) => one.slice("bearer".length).trim());
  if (authorizations.some((one) => !isBearer(one) && one.includes(KEY_PREFIX))) return { kind: "misplaced" };
  const [first, ...others] = [...bearers, ...valuesOf(headers, "x-api-key").filter((key) => key !== "")];
  if (first === undefined) return { kind: "none" };
  if (others.some((other) => other !== first)) return { kind: "conflicting" };
  // The checksum spares the database a look-up for keys that nobody was ever given.
  const key = isApiKey(first) ? await store.findKey(hashApiKey(first)) : null;
  if (!key) return { kind: "unknown" };
  return key.revoked ? { kind: "revoked" } : { kind: "valid", key };
}
