/** Who is calling: their address, their agent class, their API key. Source: spec section 5, contract sections 7 and 8. */
import type { Caller, Capability } from "../capabilities/core/capability.ts";
import { derived } from "../catalog/derived.ts";
import type { Catalog } from "../catalog/schema.ts";
import { STACKED_LIMITS } from "../catalog/sections/limits.ts";
import { MINUTE_MS } from "../lib/durations.ts";
import { hashSecret, isApiKey, KEY_PREFIX } from "../lib/ids.ts";
import {
  type Address,
  type Networks,
  networkOf,
  parseAddress,
  parseNetworks,
  type WiderNetwork,
  widerNetworks,
} from "../lib/network.ts";
import type { Charge } from "../limits/limiter.ts";
import type { ApiKey } from "../store/store.ts";
import type { FindKey } from "./known-keys.ts";

/** The result of checking the credentials of a request. */
export type Credentials =
  | { kind: "none" | "unknown" | "revoked" | "conflicting" | "misplaced" }
  | { kind: "valid"; key: ApiKey };

export interface HttpCaller extends Caller {
  credentials: Credentials;
  /** Networks around the caller's own; they have limits too, because one customer may be given all of one. */
  wider: readonly WiderNetwork[];
  /** On the catalog's block list, by address or country. */
  isBlocked: boolean;
  /**
   * Set by `chargesOf`: the general charges, and the catalog that decided them. Not in a WeakMap, because each run of the
   * garbage collector walks through one whole.
   */
  general?: { catalog: Catalog; charges: readonly Charge[] };
}

/** The last program seen at an address. Programs that take turns there are identified anew each time. */
interface KnownCaller {
  peer: string | undefined;
  userAgent: string | null;
  caller: HttpCaller;
}
/** Callers kept for each catalog, each of up to a kilobyte. */
const MOST_CALLERS = 4096;
/** Characters of address and user agent; a caller with more is identified anew each time. */
const MOST_CHARACTERS = 500;

/** @param peer address of the other end of the connection */
type IdentifyCaller = (
  headers: Headers,
  peer: string | undefined,
  credentials: Credentials,
  catalog: Catalog,
) => HttpCaller;

/** @param trusted proxies whose forwarding headers are believed */
export function createCallers(trusted: Networks): IdentifyCaller {
  const kept = derived(() => new Map<string, KnownCaller>());
  return (headers, peer, credentials, catalog) => {
    const peerIsTrusted = trusted.has(parseAddress(peer));
    const forwarded = peerIsTrusted ? headers.get("x-forwarded-for") : null;
    const userAgent = (peerIsTrusted && headers.get("x-forwarded-user-agent")) || headers.get("user-agent");
    const address = forwarded ?? peer ?? "";
    const callers = kept(catalog);
    let known = callers.get(address);
    // Compared one by one, because joining them to one key takes longer than the rest of this function.
    if (!known || known.userAgent !== userAgent || known.peer !== peer) {
      const caller = anonymousCaller(parseAddress(peer), forwarded, userAgent, { catalog, trusted });
      known = { peer, userAgent, caller };
      if (callers.size >= MOST_CALLERS) callers.clear();
      if (address.length + (userAgent?.length ?? 0) <= MOST_CHARACTERS) callers.set(address, known);
    }
    const { caller } = known;
    const isBlocked = caller.isBlocked || (peerIsTrusted && isFromBlockedCountry(headers, catalog));
    if (credentials === NO_CREDENTIALS && isBlocked === caller.isBlocked) return caller;
    const { general: _, ...rest } = caller;
    return { ...rest, keyId: credentials.kind === "valid" ? credentials.key.id : null, credentials, isBlocked };
  };
}

function anonymousCaller(
  peer: Address | undefined,
  forwarded: string | null,
  userAgent: string | null,
  { catalog, trusted }: { catalog: Catalog; trusted: Networks },
): HttpCaller {
  const address = (forwarded === null ? undefined : forwardedAddress(forwarded, trusted)) ?? peer;
  return {
    network: networkOf(address),
    wider: widerNetworks(address),
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    agentClass: userAgent ? agentClassOf(userAgent, catalog) : null,
    keyId: null,
    credentials: NO_CREDENTIALS,
    isBlocked: blockedNetworks(catalog).has(address),
  };
}

const LONGEST_USER_AGENT = 300;

const blockedNetworks = derived(({ access }) => parseNetworks(access.blocked_networks));

/**
 * When the header arrives twice, one blocked value is enough: one of the values is the caller's own claim, and the
 * server cannot tell which.
 */
function isFromBlockedCountry(headers: Headers, { access }: Catalog): boolean {
  if (access.blocked_countries.length === 0) return false;
  return valuesOf(headers, access.country_header).some((value) =>
    access.blocked_countries.includes(value.toUpperCase()),
  );
}

export const NO_CREDENTIALS: Credentials = { kind: "none" };

/** The pools that a request is charged to: the caller's own, and that of the capability it asks for, if it has one. */
export function chargesOf(caller: HttpCaller, capability: Capability | undefined, catalog: Catalog): readonly Charge[] {
  const general = keptCharges(caller, catalog);
  if (!capability?.limit) return general;
  const { countedBy, windowMs } = STACKED_LIMITS[capability.limit];
  const limit = { kind: capability.limit, limit: catalog.rate_limits[capability.limit], windowMs };
  // Not counted by agent class: anybody can claim its name and use up the limit of the others in it.
  const keyed = countedBy === "key_or_network" ? keyPool(caller) : undefined;
  return [...general, ...(keyed === undefined ? networkCharges(caller, limit, catalog) : [{ ...limit, pool: keyed }])];
}

/** The general charges of a caller, made once. */
function keptCharges(caller: HttpCaller, catalog: Catalog): readonly Charge[] {
  if (caller.general?.catalog !== catalog) caller.general = { catalog, charges: generalCharges(caller, catalog) };
  return caller.general.charges;
}

/** Every request is charged to one general pool: of the key, else of the agent class, else of the network. */
function generalCharges(caller: HttpCaller, catalog: Catalog): Charge[] {
  const { rate_limits: limits } = catalog;
  const perMinute = { kind: "general", windowMs: MINUTE_MS } as const;
  const { credentials, agentClass } = caller;
  if (credentials.kind === "valid") {
    const limit = credentials.key.ratePerMinute ?? limits.api_key_per_minute;
    return [{ ...perMinute, pool: `key ${credentials.key.id}`, limit }];
  }
  if (agentClass !== null) return [{ ...perMinute, pool: `class ${agentClass}`, limit: limits.agent_class_per_minute }];
  return networkCharges(caller, { ...perMinute, limit: limits.anonymous_per_minute }, catalog);
}

/** The pool of a network and, for IPv6, the pools of the networks around it, which hold some multiple of the limit. */
export function networkCharges(
  { network, wider }: HttpCaller,
  charge: Omit<Charge, "pool">,
  { rate_limits: { ipv6_56_times, ipv6_48_times } }: Catalog,
): Charge[] {
  const own = { ...charge, pool: `net ${network}` };
  if (wider.length === 0) return [own];
  const times = { 56: ipv6_56_times, 48: ipv6_48_times };
  const around = wider.map(({ prefix, network: pool }) => {
    return { ...charge, prefix, pool, limit: charge.limit * times[prefix] };
  });
  return [own, ...around];
}

function keyPool({ keyId }: HttpCaller): string | undefined {
  return keyId === null ? undefined : `key ${keyId}`;
}

/** Walks X-Forwarded-For from the nearest hop outwards, up to the first address that is not a trusted proxy. */
function forwardedAddress(header: string, trusted: Networks): Address | undefined {
  const hops = header.split(",").map((hop) => hop.trim());
  let nearest: Address | undefined;
  for (const hop of hops.reverse()) {
    const address = parseAddress(withoutPort(hop));
    // Nothing to the left of an entry that is no address can be believed.
    if (!address) break;
    nearest = address;
    if (!trusted.has(address)) break;
  }
  return nearest;
}

function withoutPort(hop: string): string {
  if (!hop.includes(":")) return hop;
  return /^\[(.+)\](:\d+)?$/.exec(hop)?.[1] ?? (/^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(":")) : hop);
}

/** Agent classes with the words they are known by, in lower case. */
const agentWords = derived(({ rate_limits: { agent_classes: classes } }) =>
  Object.entries(classes).map(([name, words]) => ({ name, words: words.map((word) => word.toLowerCase()) })),
);

function agentClassOf(userAgent: string, catalog: Catalog): string | null {
  const text = userAgent.toLowerCase();
  return agentWords(catalog).find(({ words }) => words.some((word) => text.includes(word)))?.name ?? null;
}

/** The prefix of every credential of this API. */
const KEY_FORM = "tint_";

function isBearer(authorization: string): boolean {
  return /^bearer\b/i.test(authorization);
}

/** The values of a header. Repeated headers arrive joined by commas. */
function valuesOf(headers: Headers, name: string): string[] {
  return (headers.get(name)?.split(",") ?? []).map((value) => value.trim());
}

/** Whether a request carries anything for `checkCredentials` to check. */
export function hasCredentials(headers: Headers): boolean {
  return headers.has("authorization") || headers.has("x-api-key");
}

/**
 * @param takesKey whether the path has a use for a key; elsewhere credentials for other programs are ignored (contract
 *   section 8), because a 401 would make clients of MCP start OAuth
 */
export async function checkCredentials(headers: Headers, findKey: FindKey, takesKey: boolean): Promise<Credentials> {
  const authorizations = valuesOf(headers, "authorization");
  const bearers = authorizations.filter(isBearer).map((one) => one.slice("bearer".length).trim());
  if (authorizations.some((one) => !isBearer(one) && one.includes(KEY_PREFIX))) return { kind: "misplaced" };
  const sent = [...bearers, ...valuesOf(headers, "x-api-key").filter((key) => key !== "")];
  const [first, ...others] = takesKey ? sent : sent.filter((key) => key.startsWith(KEY_FORM));
  if (first === undefined) return NO_CREDENTIALS;
  if (others.some((other) => other !== first)) return { kind: "conflicting" };
  // The checksum saves a look-up in the database for keys that were never issued.
  const key = isApiKey(first) ? await findKey(hashSecret(first)) : null;
  if (!key) return { kind: "unknown" };
  return key.isRevoked ? { kind: "revoked" } : { kind: "valid", key };
}
