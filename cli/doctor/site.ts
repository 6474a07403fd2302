/** Checks the way of customers to the server: its public address, TLS, and the proxy in front. */
import type { Catalog } from "../../src/catalog/schema.ts";
import type { Listening } from "../../src/env/settings.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { type Finding, ok, warning } from "./finding.ts";
import { isExample } from "./placeholders.ts";

const ANSWER_MS = 5_000;

/** @param siteUrl from TINT_SITE_URL; null when it is not set */
export async function checkSite(
  catalog: Catalog | null,
  siteUrl: string | null,
  listening: Listening,
): Promise<Finding[]> {
  const address = siteUrl ?? catalog?.site.base_url;
  if (address === undefined) return [];
  const { origin, protocol, hostname } = new URL(address);
  return [
    ...checkProxy(protocol, listening),
    // The line about addresses speaks of examples.
    ...(isExample(address) || isThisMachine({ hostname }) ? [] : [await checkAnswer(origin)]),
  ];
}

/** TLS ends in a proxy, whose address every customer would share. */
function checkProxy(protocol: string, { host, proxies }: Listening): Finding[] {
  const name = "proxy";
  const isPublic = !isThisMachine({ hostname: host });
  if (proxies === "" && isPublic)
    return [
      warning(
        name,
        `the server listens on ${host} without TLS, and trusts no proxy`,
        "keep HOST=127.0.0.1 and put Caddy or nginx in front (deploy/); where a proxy is on another machine, name it in TINT_TRUSTED_PROXIES",
      ),
    ];
  if (protocol === "https:" && proxies === "")
    return [
      warning(
        name,
        "customers come over https, so through a proxy, and TINT_TRUSTED_PROXIES is not set: all of them share one limit",
        "tint setup TINT_TRUSTED_PROXIES=127.0.0.1 (the address of the proxy)",
      ),
    ];
  return [ok(name, proxies === "" ? "none" : `callers' addresses are taken from ${proxies}`)];
}

async function checkAnswer(origin: string): Promise<Finding> {
  const name = "site";
  const fix =
    "point the domain at this machine, and put a web server with a certificate in front: see deploy/Caddyfile";
  try {
    const response = await fetch(`${origin}/livez`, { signal: AbortSignal.timeout(ANSWER_MS), redirect: "manual" });
    if (response.status === 200 && response.headers.has("x-request-id")) return ok(name, `${origin} reaches this API`);
    return warning(name, `${origin} answers, but not as this API (status ${response.status})`, fix);
  } catch {
    return warning(name, `${origin} does not answer`, fix);
  }
}
