/** Internet addresses and ranges of them. */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A set of address ranges. A look-up costs the same whether the set holds five ranges or five thousand. */
export interface Networks {
  has: (address: Address | undefined) => boolean;
}

/**
 * @param list addresses and CIDR ranges
 * @throws Error naming the entry that is not an address range
 */
export function parseNetworks(list: readonly string[]): Networks {
  const ranges = merge(list.map(parseRange));
  if (ranges.length === 0) return { has: () => false };
  // A proxy sends many requests, and `parseAddress` gives one object for an address that it has seen lately.
  let last: Address | undefined;
  let isInside = false;
  return {
    has(address) {
      if (address !== last) {
        last = address;
        isInside = address !== undefined && contains(ranges, sortKey(address.toByteArray()));
      }
      return isInside;
    },
  };
}

/** First and last address of a range, as sort keys. */
interface Range {
  first: string;
  last: string;
}

function parseRange(entry: string): Range {
  const text = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(text)) throw new Error(`${entry} is not an address range, like 10.0.0.0/8`);
  const [address, bits] = ipaddr.parseCIDR(text);
  const bytes = address.toByteArray();
  // How many bits of the byte at this place belong to the network.
  const networkBits = (place: number) => Math.min(8, Math.max(0, bits - place * 8));
  return {
    first: sortKey(bytes.map((byte, place) => byte & (0xff << (8 - networkBits(place))))),
    last: sortKey(bytes.map((byte, place) => byte | (0xff >> networkBits(place)))),
  };
}

/** A character for each byte. The length comes first, so that IPv4 and IPv6 addresses never fall into one range. */
function sortKey(bytes: readonly number[]): string {
  return (bytes.length === 4 ? "4" : "6") + String.fromCharCode(...bytes);
}

/** Sorted, with overlapping ranges made one. */
function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.sort((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = merged.at(-1);
    if (!before || range.first > before.last) merged.push({ ...range });
    else if (range.last > before.last) before.last = range.last;
  }
  return merged;
}

/** Binary search for the last range that begins at or before the key. */
function contains(ranges: readonly Range[], key: string): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.first ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range !== undefined && key <= range.last;
}

/** An IPv4 address mapped into IPv6 becomes IPv4 again. */
export function parseAddress(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const known = recent.get(text);
  if (known || recent.has(text)) return known;
  const octets = plainOctets(text);
  const address = octets ? new ipaddr.IPv4(octets) : readAddress(text);
  if (recent.size >= MAX_RECENT) recent.clear();
  if (text.length <= MAX_CHARACTERS) recent.set(text, address);
  return address;
}

/** Addresses seen lately: reading one takes longer than the rest of the limiter. */
const recent = new Map<string, Address | undefined>();
const MAX_RECENT = 4096;
/** No address is longer, apart from its zone. */
const MAX_CHARACTERS = 45;

function readAddress(text: string): Address | undefined {
  // The library also reads plain 32-bit numbers as addresses, which no forwarding header contains.
  return /[.:]/.test(text) && ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/** The four numbers of an IPv4 address in the usual form; undefined for anything else, octal numbers among them. */
function plainOctets(text: string): number[] | undefined {
  const octets: number[] = [];
  let octet = -1;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit >= 0 && digit <= 9 && octet !== 0) octet = Math.max(octet, 0) * 10 + digit;
    else if (digit === DOT && octet !== -1) {
      octets.push(octet);
      octet = -1;
    } else return undefined;
    if (octet > 255) return undefined;
  }
  octets.push(octet);
  return octets.length === 4 && octet !== -1 ? octets : undefined;
}
const ZERO = "0".charCodeAt(0);
const DOT = ".".charCodeAt(0) - ZERO;

/** Whether a URL names this machine itself. */
export function isThisMachine({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(hostname);
}

/** Whether what is sent to an address cannot be read on the way: it goes over TLS, or stays on this machine. */
export function isSecureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
}

/** The network a caller is counted by: an IPv4 address, or the /64 of an IPv6 address. Providers give one customer a whole /64. */
export function networkOf(address: Address | undefined): string {
  if (!address) return "unknown";
  return address.kind() === "ipv4" ? address.toString() : `${new ipaddr.IPv6(firstHalf(address)).toString()}/64`;
}

function firstHalf(address: Address): number[] {
  return [...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0];
}

/** The wider IPv6 networks that one customer may be given whole, /56 and /48; none for IPv4. */
export function widerNetworks(address: Address | undefined): WiderNetwork[] {
  if (address?.kind() !== "ipv6") return [];
  const digits = Buffer.from(address.toByteArray().slice(0, 7)).toString("hex");
  return WIDER_PREFIXES.map((prefix) => ({ prefix, network: digits.slice(0, prefix / 4) }));
}

const WIDER_PREFIXES = [56, 48] as const;

export interface WiderNetwork {
  prefix: (typeof WIDER_PREFIXES)[number];
  /** The bits of the prefix in hexadecimal. */
  network: string;
}

/**
 * Headers in which web hosts and proxies write the country of a visitor: CF-IPCountry, X-Vercel-IP-Country,
 * CloudFront-Viewer-Country, X-Geo-Country and the like.
 */
export function isCountryHeader(name: string): boolean {
  return /country|geo/i.test(name);
}
