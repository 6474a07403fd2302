/** Internet addresses and ranges of them. */
import { BlockList, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Networks {
  has: (address: Address | undefined) => boolean;
}

/** Throws an Error naming the entry that is no address or CIDR range. */
export function parseNetworks(list: readonly string[]): Networks {
  return new Ranges(list);
}

class Ranges implements Networks {
  /** One list for each kind, because a range of IPv6 would hold IPv4 addresses too. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  readonly #isEmpty: boolean;

  constructor(list: readonly string[]) {
    this.#isEmpty = list.length === 0;
    for (const entry of list) {
      const text = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
      // The library fills in what a shorter IPv4 address lacks: 10/8 would be 0.0.0.10/8.
      const isRange = entry.includes(":")
        ? ipaddr.IPv6.isValidCIDR(text)
        : ipaddr.IPv4.isValidCIDRFourPartDecimal(text);
      if (!isRange) throw new Error(`${entry} is not an address range, like 10.0.0.0/8`);
      const [address, bits] = ipaddr.parseCIDR(text);
      this.#lists[address.kind()].addSubnet(address.toString(), bits, address.kind());
    }
  }

  has(address: Address | undefined): boolean {
    if (this.#isEmpty || address === undefined) return false;
    return this.#lists[address.kind()].check(address.toString(), address.kind());
  }
}

/** An IPv4 address mapped into IPv6 becomes IPv4 again. */
export function parseAddress(text: string | undefined): Address | undefined {
  // Most are of this form, which the library tries last.
  if (text !== undefined && isIPv4(text)) return new ipaddr.IPv4(text.split(".").map(Number));
  // The library also reads plain 32-bit numbers as addresses, which no forwarding header contains.
  return text !== undefined && /[.:]/.test(text) && ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

export function isThisMachine({ hostname }: Pick<URL, "hostname">): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(hostname);
}

/** The wildcards mean every interface, and loopback is one. Null for port 0 (any), and a host that no URL can name. */
export function ownOrigin(host: string, port: number): string | null {
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (port === 0 || !URL.canParse(url)) return null;
  const { hostname, origin } = new URL(url);
  return origin.replace(`//${hostname}`, `//${LOOPBACK[hostname] ?? hostname}`);
}

const LOOPBACK: Readonly<Record<string, string>> = {
  "0.0.0.0": "127.0.0.1",
  "[::]": "[::1]",
  "[::ffff:0:0]": "127.0.0.1",
};

/** Whether what is sent to an address cannot be read on the way: it goes over TLS, or stays on this machine. */
export function isSecureAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" || (url.protocol === "http:" && isThisMachine(url));
}

/** The network a caller is counted by: an IPv4 address, or the /64 of an IPv6 address. Providers give one customer a whole /64. */
export function networkOf(address: Address | undefined): string {
  if (!address) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  const half = [...address.toByteArray().slice(0, 8), ...Array(8).fill(0)];
  return `${new ipaddr.IPv6(half).toString()}/64`;
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

/** In which web hosts and proxies write the visitor's country: CF-IPCountry, X-Vercel-IP-Country, X-Geo-Country and the like. */
export function isCountryHeader(name: string): boolean {
  return /country|geo/i.test(name);
}
