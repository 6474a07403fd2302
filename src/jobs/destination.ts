/** Where pushes may go: by https to public addresses, and by http only to this machine. */
import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";

export interface DestinationRules {
  /** Allows private networks. */
  allowPrivate: boolean;
  /** What names the address, and the setting that allows private networks; for the owner. */
  address: string;
  setting: string;
}

interface Destination {
  /** The URL with each address of the host in place of its name. A second name look-up could answer otherwise. */
  urls: string[];
  /** For the Host header. */
  host: string;
  /** The name that the certificate must bear; undefined for an address. */
  serverName: string | undefined;
}

/** @returns the addresses of a host */
export type Resolve = (host: string) => Promise<string[]>;

async function resolveName(host: string): Promise<string[]> {
  // IPv4 first, because not every machine has a way to IPv6 addresses.
  return (await lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);
}

/** Looks the host up and checks every address. @returns a sentence when a push must not go there */
export async function destinationOf(
  given: string,
  { allowPrivate, address, setting }: DestinationRules,
  resolve: Resolve = resolveName,
): Promise<Destination | string> {
  const url = new URL(given);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isAddress = ipaddr.isValid(name);
  let addresses: string[];
  let ranges: string[];
  try {
    addresses = isAddress ? [name] : await resolve(name);
    ranges = addresses.map((one) => ipaddr.process(one).range());
  } catch {
    return `${name} cannot be resolved`;
  }
  if (addresses.length === 0) return `${name} cannot be resolved`;
  if (!ranges.every((range) => range === "loopback")) {
    if (url.protocol !== "https:") return `${address} must begin with https://`;
    if (!allowPrivate && ranges.some((range) => range !== "unicast"))
      return `${name} is in a private network; set ${setting}=true if that is meant`;
  }
  const urls = addresses.map((one) => withHost(url, one.includes(":") ? `[${one}]` : one));
  return { urls, host: url.host, serverName: isAddress ? undefined : name };
}

function withHost(url: URL, hostname: string): string {
  const copy = new URL(url);
  copy.hostname = hostname;
  return copy.href;
}
