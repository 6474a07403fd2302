/** Checks of the server: its port, what it works with, the way of customers to it, and shared limits. */
import { existsSync } from "node:fs";
import { isExample } from "../../src/catalog/at-site.ts";
import type { LoadedCatalog } from "../../src/catalog/load/load.ts";
import { READY_WARNINGS } from "../../src/constants.ts";
import { CHANNEL_SETTINGS, EnvError, type Listening, readLimits, toChannels } from "../../src/env/env.ts";
import { errorFacts } from "../../src/lib/files.ts";
import { isThisMachine } from "../../src/lib/network.ts";
import { tryValkey } from "../../src/limits/valkey/share.ts";
import { unconfiguredChannels } from "../../src/messages/channels.ts";
import { type DataLocation, redacted } from "../../src/store/location/location.ts";
import { findServer, listenFailure, listenReason, type Readiness } from "../server/listening.ts";
import type { Installed } from "../server/service.ts";
import { runChild } from "../shop/child.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { unreachedWithout } from "./settings.ts";

const NAME = "server";

const RESTART = "restart the server: it reads .env and its environment only at the start";

/** Compares the running server with the settings and the catalog of this command. @param loaded null when the catalog has issues */
export function checkServer(
  server: Readiness,
  loaded: LoadedCatalog | null,
  settings: Readonly<Record<string, string | undefined>>,
): Finding[] {
  const { checks, jobs, warnings = [] } = server;
  // The line about alerts tells the rest of it.
  const told = loaded && jobs ? unreachedWithout(jobs.off, loaded.catalog).map(({ message }) => message) : [];
  const hash = checks?.catalog.replace(/^ok /, "");
  const isOther = loaded && hash !== undefined && !loaded.hash.startsWith(hash);
  const off = offHere(settings);
  const differ = ["sms", "crm", "email"].filter((one) => jobs && off && jobs.off.includes(one) !== off.includes(one));
  const setUp = `put its settings into .env with tint setup, or ${RESTART}`;
  const fix = "name its file with --catalog or TINT_CATALOG; after a save wait 2 seconds, then look at its log";
  const findings = [
    ...(checks && checks.store !== "ok"
      ? [problem(NAME, `it says that the database ${checks.store}`, "see the lines database and disk, and its log")]
      : []),
    ...warnings
      .filter((message) => !told.includes(message))
      .map((message) => {
        const [, remedy] = REMEDIES.find(([begin]) => message.startsWith(begin)) ?? ["", "see its log"];
        return warning(NAME, `it says: ${message}`, remedy);
      }),
    ...(isOther ? [warning(NAME, "it works with another catalog than this file", fix)] : []),
    ...differ.map((channel) =>
      off?.includes(channel)
        ? warning(NAME, `${channel} is on in the server, but not set up here`, setUp)
        : warning(NAME, `${channel} is set up here, but off in the server`, RESTART),
    ),
  ];
  const catalog = loaded ? "this catalog" : "the last good catalog";
  return findings.length > 0 ? findings : [ok(NAME, `it is ${server.status}, with ${catalog} and these settings`)];
}

/** How the owner looks into a warning of the server, by how it begins. */
const REMEDIES = [
  [
    READY_WARNINGS.sharing,
    "let the web server in front see the callers: in containers on the machine's own network, as deploy/compose.yaml does",
  ],
  [READY_WARNINGS.backup, "see the line backups; systemctl list-timers says when the next one is made"],
  [READY_WARNINGS.late, "tint outbox shows them and why"],
  [READY_WARNINGS.deposits, "see the line deposits"],
] as const;

/** The channels that these settings leave off; undefined when a setting is wrong, which doctor reports elsewhere. */
export function offHere(settings: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const { data } = CHANNEL_SETTINGS.safeParse(settings);
  return data && unconfiguredChannels(toChannels(data));
}

/** Whether the API answers where its server said, or on the port of these settings, or could listen there. */
export async function checkPort(
  location: DataLocation,
  { host, port }: { host: string; port: number },
): Promise<{ finding: Finding; server: Readiness | undefined }> {
  const { at, says: server } = await findServer(location, { host, port });
  if (server) return { finding: ok("port", `the API answers on ${at}`), server };
  if (port === 0) return { finding: ok("port", "the server takes any free port"), server: undefined };
  const failure = listenFailure(host, port);
  const finding =
    failure === undefined
      ? warning("port", `${at} is free: the API is not running`, "start it with tint serve")
      : failure === "EADDRINUSE"
        ? problem(
            "port",
            `${at} is not free, and what listens there is not this API`,
            "stop that program, or set PORT (and HOST) to another",
          )
        : problem("port", `the API cannot listen on ${at} (${listenReason(failure)})`, "set HOST and PORT to others");
  return { finding, server: undefined };
}

const ANSWER_MS = 5_000;

/** The way of customers: public address, TLS, proxy. @param address of the site or the API; undefined where it is not known */
export async function checkSite(address: string | undefined, listening: Listening): Promise<Finding[]> {
  if (address === undefined) return [];
  const { origin, protocol, hostname } = new URL(address);
  return [
    checkProxy(protocol, listening),
    // The line about addresses speaks of examples.
    ...(isExample(address) || isThisMachine({ hostname }) ? [] : [await checkAnswer(origin)]),
  ];
}

/** TLS ends in a proxy, whose address every customer would share. */
function checkProxy(protocol: string, { host, proxies }: Listening): Finding {
  const name = "proxy";
  if (proxies !== "") return ok(name, `callers' addresses are taken from ${proxies}`);
  const plain = `the server listens on ${host} without TLS, and trusts no proxy`;
  const fix =
    "keep HOST=127.0.0.1 and put Caddy or nginx in front (deploy/); where a proxy is on another machine, name it in TINT_TRUSTED_PROXIES";
  if (!isThisMachine({ hostname: host })) return warning(name, plain, fix);
  if (protocol !== "https:") return ok(name, "none");
  const shared =
    "customers come over https, so through a proxy, and TINT_TRUSTED_PROXIES is not set: all of them share one limit";
  return warning(name, shared, "tint setup TINT_TRUSTED_PROXIES=127.0.0.1 (the address of the proxy)");
}

async function checkAnswer(origin: string): Promise<Finding> {
  const name = "site";
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await fetch(`${origin}/livez`, { signal, redirect: "manual" });
    if (response.status === 200 && response.headers.has("x-request-id")) return ok(name, `${origin} reaches this API`);
    return warning(name, `${origin} answers, but not as this API (status ${response.status})`, UNKNOWN.fix);
  } catch (error) {
    const { reason, fix: remedy } = siteProblem(error);
    return warning(name, `${origin} ${reason}`, remedy);
  }
}

/** Whether limits are shared, as TINT_LIMITS asks for. @param isShared whether several servers can use the database */
export async function checkLimits(isShared: boolean): Promise<Finding[]> {
  try {
    const url = readLimits();
    const alone = ok("limits", "each server counts requests by itself; with several servers, set TINT_LIMITS");
    if (url === null) return isShared ? [alone] : [];
    const tried = await tryValkey(url);
    if ("ms" in tried) return [ok("limits", `shared through ${redacted(url)}, in ${tried.ms.toFixed(2)} ms a request`)];
    const message = `${redacted(url)} cannot be used: ${tried.reason}. Each server counts by itself meanwhile`;
    const fix = "start Valkey; check the address, user and password in TINT_LIMITS, and with TLS the certificate";
    return [problem("limits", message, fix)];
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return [problem("limits", error.message, "correct the variable, or unset it")];
  }
}

type SiteProblem = { reason: string; fix: string };

const RENEW =
  "look at the log of the web server in front (journalctl -u caddy): it renews the certificate, or says why not";
const GET_ONE =
  "let the web server in front get one from a public issuer (Caddy does by itself), with the certificates between";
const OPEN_PORTS = "open ports 80 and 443 in the firewall";

const PROBLEMS: readonly (readonly [codes: RegExp, reason: string, fix: string])[] = [
  [/^CERT_HAS_EXPIRED$/, "shows a certificate that has expired", RENEW],
  [/^CERT_NOT_YET_VALID$/, "shows a certificate that is not valid yet", "set the clock of this machine"],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "shows a certificate for another name",
    "name this domain in the web server in front: see deploy/Caddyfile",
  ],
  [
    /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER_CERT(_LOCALLY)?|VERIFY_LEAF_SIGNATURE))$/,
    "shows a certificate of an issuer that nobody trusts",
    GET_ONE,
  ],
  [/^EPROTO$/, "does not speak TLS", "let the web server in front serve https on port 443: see deploy/Caddyfile"],
  [
    /^ECONNREFUSED$/,
    "refuses the connection",
    `start the web server in front (systemctl status caddy), and ${OPEN_PORTS}`,
  ],
  [/^ENOTFOUND$/, "has no address: the domain is not known", "point the domain at this machine"],
  [/^TimeoutError$/, "does not answer in time", `point the domain at this machine, and ${OPEN_PORTS}`],
];

const UNKNOWN: SiteProblem = {
  reason: "does not answer",
  fix: "point the domain at this machine, and put a web server with a certificate in front: see deploy/Caddyfile",
};

export function siteProblem(error: unknown): SiteProblem {
  const { code, name } = errorFacts(error);
  const by = (word = "") => PROBLEMS.find(([codes]) => codes.test(word));
  const [, reason, fix] = by(code) ?? by(name) ?? [];
  return reason && fix ? { reason, fix } : UNKNOWN;
}

/** @param stateOf a unit: as systemctl is-active says it */
export function checkUnits({ name }: Installed, stateOf: (unit: string) => string = askSystemd): Finding[] {
  const state = stateOf(`${name}.service`);
  const isOff = ["inactive", "failed", "activating", "deactivating"].includes(state);
  const server = `${name}.service is ${state === "activating" ? "starting again and again, or just now" : state}`;
  const waysOut = (unit: string, what: string) =>
    `journalctl -u ${unit} -n 20 says why; sudo systemctl start ${unit} ${what}`;
  return [
    ...(isOff ? [problem("service", server, waysOut(name, "starts it"))] : []),
    ...(stateOf(`${name}-backup.service`) === "failed"
      ? [problem("backups", "the last nightly backup failed", waysOut(`${name}-backup`, "makes one now"))]
      : []),
  ];
}

function askSystemd(unit: string): string {
  if (!existsSync("/run/systemd/system")) return "";
  return runChild(["systemctl", "is-active", unit]).stdout;
}
