/** What the catalog says of who may ask: names of AI services, blocked networks, and the addresses of the shop itself. */
import { type Networks, parseNetworks } from "../lib/network.ts";
import type { Catalog } from "./schema.ts";

export interface Admission {
  /** Agent classes with the words they are known by, in lower case. */
  readonly agentClasses: readonly { name: string; words: readonly string[] }[];
  readonly blockedNetworks: Networks;
  /** The origins of the shop's own addresses, like `https://example.com`. */
  readonly origins: readonly string[];
  /** Their host names. */
  readonly hostNames: readonly string[];
}

export function admissionOf({ access, rate_limits, site }: Catalog): Admission {
  const own = [site.url, site.base_url, site.mcp_url, site.agent_proxy_url].map((address) => new URL(address));
  let blocked: Networks | undefined;
  return {
    agentClasses: Object.entries(rate_limits.agent_classes).map(([name, words]) => ({
      name,
      words: words.map((word) => word.toLowerCase()),
    })),
    /** Made at the first use: to read a long list takes longer than all else, and the command line needs none. */
    get blockedNetworks() {
      blocked ??= parseNetworks(access.blocked_networks);
      return blocked;
    },
    origins: own.map(({ origin }) => origin),
    hostNames: own.map(({ hostname }) => hostname),
  };
}
