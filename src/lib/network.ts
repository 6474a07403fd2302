/** Internet addresses and ranges of them. */
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** @throws Error naming the entry that is not an address range */
export function parseNetworks(list: readonly string[]): Network[] {
  return list.map((entry) => {
    const range = entry.includes("/") ? entry : `${entry}/${entry.includes(":") ? 128 : 32}`;
    if (!ipaddr.isValidCIDR(range)) throw new Error(`${entry} is not an address range, like 10.0.0.0/8`);
    return ipaddr.parseCIDR(range);
  });
}

/** An IPv4 address mapped into IPv6 becomes itself again. */
export function parseAddress(text: string | undefined): Address | undefined {
  // The library also takes 32-bit numbers for addresses; nobody writes them in a forwarding header.
  return text !== undefined && /[.:]/.test(text) && ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

export function isIn(address: Address | undefined, networks: readonly Network[]): boolean {
  return (
    address !== undefined &&
    networks.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  );
}

/** What a caller is counted by: an IPv4 address, or the /64 of an IPv6 one, which is what one customer is given. */
export function networkOf(address: Address | undefined): string {
  if (!address) return "unknown";
  if (address.kind() === "ipv4") return address.toString();
  return `${new ipaddr.IPv6([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`;
}
