/** Who is calling: their address, their agent class, their API key. Source: contract 7 and 8. */
import type { Caller } from "../capabilities/core/capability.ts";
import { perCatalog } from "../catalog/per-catalog.ts";
import type { Shop } from "../catalog/shop.ts";
import { ApiError } from "../errors.ts";
import { hashSecret, isApiKey, KEY_PREFIX } from "../lib/api-keys.ts";
import { DAY_MS } from "../lib/durations.ts";
import { type Address, type Networks, networkOf, parseAddress, parseNetworks, widerNetworks } from "../lib/network.ts";
import type { ApiKey } from "../store/store.ts";
import type { FindKey } from "./key-cache.ts";

/** The result of checking the credentials of a request. */
export type Credentials =
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

/**
 * @param peer address of the other end of the connection
 * @param trusted proxies whose forwarding headers are believed
 */
export function identifyCaller(
  request: Request,
  peer: string | undefined,
  credentials: Credentials,
  { catalog, trusted }: { catalog: Shop; trusted: Networks },
): HttpCaller {
  const { headers } = request;
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
    isBlocked: blockedNetworks(catalog).has(address) || (peerIsTrusted && isFromBlockedCountry(headers, catalog)),
  };
}

/**
 * Browsers say which page a request comes from: Sec-Fetch-Site, or Origin alone where they are older. To Sec-Fetch-Site the
 * names beside the shop's own are the same site, to Origin they are not.
 */
function isFromOtherSite({ headers, url }: Request, catalog: Shop): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === "cross-site") return true;
  return origin !== null && site !== "same-origin" && site !== "none" && !ownOrigins(url, catalog).includes(origin);
}

/** Behind a proxy the request may name another host than the one in the browser, or http for https. */
export function ownOrigins(url: string, { site }: Shop): string[] {
  // Null for a Host header that is no name.
  const asked = URL.parse(url);
  const addresses = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url];
  return [
    ...(asked ? [`http://${asked.host}`, `https://${asked.host}`] : []),
    ...addresses.map((address) => new URL(address).origin),
  ];
}

const LONGEST_USER_AGENT = 300;

const blockedNetworks = perCatalog(({ access }) => parseNetworks(access.blocked_networks));

/**
 * When the header arrives twice, one blocked value is enough: one of the values is the caller's own claim, and the
 * server cannot tell which.
 */
function isFromBlockedCountry(headers: Headers, { access }: Shop): boolean {
  if (access.blocked_countries.length === 0) return false;
  return valuesOf(headers, access.country_header).some((value) =>
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

/** Agent classes with the words they are known by, in lower case. */
const agentWords = perCatalog(({ rate_limits: { agent_classes: classes } }) =>
  Object.entries(classes).map(([name, words]) => ({ name, words: words.map((word) => word.toLowerCase()) })),
);

function agentClassOf(userAgent: string, catalog: Shop): string | null {
  const text = userAgent.toLowerCase();
  return agentWords(catalog).find(({ words }) => words.some((word) => text.includes(word)))?.name ?? null;
}

/** Every credential of this API begins with it, also those of other kinds than API keys. */
const CREDENTIAL_PREFIX = "tint_";

function isBearer(authorization: string): boolean {
  return /^bearer\b/i.test(authorization);
}

function hasEnded({ isSelfRegistered, lastUsedAt }: ApiKey, { keys }: Shop, now: Temporal.Instant): boolean {
  return isSelfRegistered && lastUsedAt < now.epochMilliseconds - keys.self_registered_days * DAY_MS;
}

/** The values of a header. Repeated headers arrive joined by commas. */
function valuesOf(headers: Headers, name: string): string[] {
  return (headers.get(name)?.split(",") ?? []).map((value) => value.trim());
}

/**
 * @param takesKey whether the path has a use for a key; elsewhere credentials for other programs are ignored,
 *   because a 401 would make clients of MCP start OAuth
 */
export async function checkCredentials(
  headers: Headers,
  { findKey, takesKey, catalog, now }: { findKey: FindKey; takesKey: boolean; catalog: Shop; now: Temporal.Instant },
): Promise<Credentials> {
  if (!headers.has("authorization") && !headers.has("x-api-key")) return { kind: "none" };
  const authorizations = valuesOf(headers, "authorization");
  const bearers = authorizations.filter(isBearer).map((one) => one.slice("bearer".length).trim());
  if (authorizations.some((one) => !isBearer(one) && one.includes(KEY_PREFIX))) return { kind: "wrong_place" };
  const sent = [...bearers, ...valuesOf(headers, "x-api-key").filter((key) => key !== "")];
  const [first, ...others] = takesKey ? sent : sent.filter((key) => key.startsWith(CREDENTIAL_PREFIX));
  if (first === undefined) return { kind: "none" };
  if (others.some((other) => other !== first)) return { kind: "conflicting" };
  // The checksum saves a look-up in the database for keys that were never issued.
  const key = isApiKey(first) ? await findKey(hashSecret(first)) : null;
  if (!key) return { kind: "unknown" };
  if (key.isRevoked) return { kind: "revoked" };
  return hasEnded(key, catalog, now) ? { kind: "ended" } : { kind: "valid", key };
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
