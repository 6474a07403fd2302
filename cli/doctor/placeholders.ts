/** Finds the examples that `tint init` fills in for missing answers. */
import type { Catalog } from "../../src/catalog/schema.ts";
import { type Finding, ok, warning } from "./finding.ts";

export function checkPlaceholders({ business, site }: Catalog): Finding {
  const { latitude, longitude } = business.geo;
  const addresses: [string, string][] = [
    ["business.url", business.url],
    ...Object.entries(business.links).map(([key, link]): [string, string] => [`business.links.${key}`, link]),
    ...(["url", "base_url", "agent_proxy_url", "mcp_url"] as const).map((key): [string, string] => [
      `site.${key}`,
      site[key],
    ]),
  ];
  const left = [
    ...addresses.filter(([, address]) => isExample(address)).map(([path]) => path),
    ...(latitude === 0 && longitude === 0 ? ["business.geo"] : []),
  ];
  if (left.length === 0) return ok("addresses", "the shop's own");
  const fix = `set each to your own, like: tint catalog set ${left[0]} …`;
  return warning("addresses", `still examples: ${left.join(", ")}`, fix);
}

export function isExample(address: string): boolean {
  return /(^|\.)example(\.(com|net|org))?$/.test(new URL(address).hostname);
}
