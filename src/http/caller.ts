/** Who is calling: their address, their agent class, their API key, and what their requests are charged to. Source: contract 7 and 8. */
import type { Caller } from "../capabilities/core/capability.ts";
import { ifStoreAnswers } from "../capabilities/core/diary.ts";
import { LIMITS } from "../catalog/limits.ts";
import type { LimitName } from "../catalog/schema.ts";
import type { Shop } from "../catalog/shop.ts";
import { ApiError } from "../errors.ts";
import { DAY_MS } from "../lib/durations.ts";
import { hashSecret, isApiKey, KEY_PREFIX } from "../lib/ids.ts";
import { type Address, type Networks, networkOf, parseAddress, widerNetworks } from "../lib/network.ts";
import { type Charge, KEY_POOL } from "../limits/rate-limit.ts";
import type { ApiKey, Store } from "../store/store.ts";

type Credentials =
  | { kind: "none" | "unknown" | "revoked" | "ended" | "conflicting" | "wrong_place" }
  | { kind: "valid"; key: ApiKey };

export interface HttpCaller extends Caller {
  credentials: Credentials;
  /** A trusted proxy named an address of the trusted ranges, so this caller shares it with others. */
  sharesProxyAddress: boolean;
  /** On the catalog's block list, by address or country. */
  isBlocked: boolean;
  /** A page of another website sent the request, in the browser of its visitor. */
  isCrossSite: boolean;
}

/** Stands for the caller until it is known who calls. */
export const NOBODY: HttpCaller = {
  network: "",
  wider: [],
  keyId: null,
  isSelfRegistered: false,
  isCrossSite: false,
  agentClass: null,
  userAgent: null,
  credentials: { kind: "none" },
  sharesProxyAddress: false,
  isBlocked: false,
};

/** Forwarding headers are believed of trusted proxies alone. */
export function identifyCaller(
  request: Request,
  peer: string | undefined,
  credentials: Credentials,
  { catalog, trusted }: { catalog: Shop; trusted: Networks },
): HttpCaller {
  const { headers } = request;
  const { access, admission } = catalog;
  const peerAddress = parseAddress(peer);
  const peerIsTrusted = trusted.has(peerAddress);
  const forwarded = peerIsTrusted ? headers.get("x-forwarded-for") : null;
  const userAgent = (peerIsTrusted && headers.get("x-forwarded-user-agent")) || headers.get("user-agent");
  const address = (forwarded === null ? undefined : forwardedAddress(forwarded, trusted)) ?? peerAddress;
  return {
    network: networkOf(address),
    wider: widerNetworks(address),
    userAgent: userAgent?.slice(0, LONGEST_USER_AGENT) ?? null,
    agentClass: userAgent ? agentClassOf(userAgent, catalog) : null,
    keyId: credentials.kind === "valid" ? credentials.key.id : null,
    isSelfRegistered: credentials.kind === "valid" && credentials.key.isSelfRegistered,
    isCrossSite: isFromOtherSite(request, catalog),
    credentials,
    sharesProxyAddress: forwarded !== null && trusted.has(address),
    isBlocked:
      (access.blocked_networks.length > 0 && admission.blockedNetworks.has(address)) ||
      (peerIsTrusted && access.blocked_countries.length > 0 && isFromBlockedCountry(headers, catalog)),
  };
}

/** By Sec-Fetch-Site, to which the names beside the shop's own are the same site, or Origin where browsers are older. */
function isFromOtherSite({ headers, url }: Request, catalog: Shop): boolean {
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site") return true;
  const origin = headers.get("origin");
  return origin !== null && site !== "same-origin" && site !== "none" && !isOwnOrigin(origin, url, catalog);
}

/** Behind a proxy the request may name another host than the one in the browser, or http for https. */
export function isOwnOrigin(origin: string, url: string, { admission }: Shop): boolean {
  if (admission.origins.includes(origin)) return true;
  // Null for a Host header that is no name.
  const asked = URL.parse(url);
  return asked !== null && (origin === `http://${asked.host}` || origin === `https://${asked.host}`);
}

const LONGEST_USER_AGENT = 300;

/** Of two such headers one is the caller's own claim, and nobody can tell which: one blocked value is enough. */
function isFromBlockedCountry(headers: Headers, { access }: Shop): boolean {
  return headerValues(headers, access.country_header).some((value) =>
    access.blocked_countries.includes(value.toUpperCase()),
  );
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

/** The class of the first word of a service that is in the User-Agent. */
function agentClassOf(userAgent: string, { admission }: Shop): string | null {
  const text = userAgent.toLowerCase();
  for (const { name, words } of admission.agentClasses) for (const word of words) if (text.includes(word)) return name;
  return null;
}

/** Every credential of this API begins with it, also those of other kinds than API keys. */
const CREDENTIAL_PREFIX = "tint_";

function isBearer(authorization: string): boolean {
  return /^bearer\b/i.test(authorization);
}

/** The values of a header. Repeated headers arrive joined by commas. */
function headerValues(headers: Headers, name: string): string[] {
  return (headers.get(name)?.split(",") ?? []).map((value) => value.trim());
}

/** Where a path has no use for a key, credentials are ignored: a 401 would make clients of MCP start OAuth. */
export async function checkCredentials(
  headers: Headers,
  {
    findKey,
    takesKey,
    catalog,
    now,
  }: { findKey: Store["findKey"]; takesKey: boolean; catalog: Shop; now: Temporal.Instant },
): Promise<Credentials> {
  if (!headers.has("authorization") && !headers.has("x-api-key")) return { kind: "none" };
  const authorizations = headerValues(headers, "authorization");
  const bearers = authorizations.filter(isBearer).map((one) => one.slice("bearer".length).trim());
  if (authorizations.some((one) => !isBearer(one) && one.includes(KEY_PREFIX))) return { kind: "wrong_place" };
  const sent = [...bearers, ...headerValues(headers, "x-api-key").filter((key) => key !== "")];
  const [first, ...others] = takesKey ? sent : sent.filter((key) => key.startsWith(CREDENTIAL_PREFIX));
  if (first === undefined) return { kind: "none" };
  if (others.some((other) => other !== first)) return { kind: "conflicting" };
  // The checksum saves a look-up in the database for keys that were never issued.
  const key = isApiKey(first) ? await findKey(hashSecret(first)) : null;
  if (!key) return { kind: "unknown" };
  if (key.isRevoked) return { kind: "revoked" };
  const endsAt = key.lastUsedAt + catalog.keys.self_registered_days * DAY_MS;
  return key.isSelfRegistered && endsAt < now.epochMilliseconds ? { kind: "ended" } : { kind: "valid", key };
}

/** @throws ApiError when the caller's key or network shuts them out */
export function refuseCaller({ credentials, isBlocked }: HttpCaller): void {
  if (isBlocked) throw new ApiError("FORBIDDEN", "Requests from this network are not accepted.");
  switch (credentials.kind) {
    case "valid":
    case "none":
      return;
    case "revoked":
      throw new ApiError("FORBIDDEN", "This API key was revoked by the shop.");
    case "ended":
      throw new ApiError("INVALID_API_KEY", "This API key ended because nobody used it for long. Register a new one.");
    case "unknown":
      throw new ApiError("INVALID_API_KEY", "This API key is not known here.");
    case "wrong_place":
      throw new ApiError("INVALID_API_KEY", "Send the key as 'Authorization: Bearer <key>' or as 'X-API-Key: <key>'.");
    case "conflicting": {
      const message = "must be the same in Authorization and X-API-Key, or one of the two left out";
      const details = { invalid_fields: [{ field: "X-API-Key", message }] };
      throw new ApiError("BAD_REQUEST", `The API key ${message}.`, details);
    }
  }
}

const MOST_KNOWN = 1_000;

/** While the database is away, a key counts as when it was last looked up, so that its caller gets prices and documents. */
export function cachedKeys(store: Pick<Store, "findKey">): Store["findKey"] {
  const known = new Map<string, ApiKey>();

  const remember = (hash: string, key: ApiKey | null): ApiKey | null => {
    known.delete(hash);
    if (!key) return null;
    known.set(hash, key);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return key;
  };

  return async (hash) => {
    const last = known.get(hash);
    const asked = store.findKey(hash);
    if (!last) return remember(hash, await asked);
    const found = await ifStoreAnswers(asked);
    return found ? remember(hash, found.answer) : last;
  };
}

/**
 * Every request is charged to one general pool: of the key, else of the agent class, else of the network. Keys that
 * registered themselves and names of agent classes cost nothing, so all of one network also share a pool.
 *
 * @param isPage a page for customers, where every choice is a request: it counts apart from the API
 */
export function generalCharges(caller: HttpCaller, catalog: Shop, isPage = false): Charge[] {
  const { rate_limits: limits } = catalog;
  const perMinute = { kind: "general", windowMs: LIMITS.general.windowMs } as const;
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

export function stackedCharges(
  { keyId, isSelfRegistered, ...caller }: HttpCaller,
  limit: LimitName,
  catalog: Shop,
): Charge[] {
  const { countedBy, windowMs } = LIMITS[limit];
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
  const charges: Charge[] = [{ ...charge, pool: `net ${network}` }];
  const times = { 56: ipv6_56_times, 48: ipv6_48_times };
  for (const { prefix, network: pool } of wider)
    charges.push({ ...charge, prefix, pool, limit: charge.limit * times[prefix] });
  return charges;
}
