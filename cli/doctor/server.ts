/** Compares the running server's view with the settings and the catalog that this command reads. */
import type { LoadedCatalog } from "../../src/catalog/load/load.ts";
import { CHANNEL_SETTINGS, toChannels } from "../../src/env/channels.ts";
import { unconfiguredChannels } from "../../src/jobs/channels.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";
import type { Readiness } from "./port.ts";

const NAME = "server";

/** How the server is made to read its settings again. */
const RESTART = "restart the server: it reads .env and its environment only at the start";

/** @param loaded the catalog in the file; null when it has faults */
export function checkServer(
  server: Readiness,
  loaded: LoadedCatalog | null,
  settings: Readonly<Record<string, string | undefined>>,
): Finding[] {
  const { checks, jobs } = server;
  const findings: Finding[] = [];
  if (checks && checks.store !== "ok")
    findings.push(
      fault(NAME, `it says that the database ${checks.store}`, "see the lines database and disk, and its log"),
    );
  if (checks && checks.jobs !== "ok")
    findings.push(warning(NAME, `of messages it says: ${checks.jobs}`, "tint outbox shows them and why"));
  const hash = checks?.catalog.replace(/^ok /, "");
  if (loaded && hash !== undefined && !loaded.hash.startsWith(hash))
    findings.push(
      warning(
        NAME,
        "it works with another catalog than this file",
        "name its file with --catalog or TINT_CATALOG; after a save wait 2 seconds, then look at its log",
      ),
    );
  const off = offHere(settings);
  for (const channel of ["sms", "crm", "email"]) {
    if (!jobs || !off || jobs.off.includes(channel) === off.includes(channel)) continue;
    findings.push(
      off.includes(channel)
        ? warning(
            NAME,
            `${channel} is on in the server, but not set up here`,
            `put its settings into .env with tint setup, or ${RESTART}`,
          )
        : warning(NAME, `${channel} is set up here, but off in the server`, RESTART),
    );
  }
  return findings.length > 0 ? findings : [ok(NAME, `it is ${server.status}, with this catalog and these settings`)];
}

/** The channels that these settings leave off; undefined when a setting is wrong, which doctor reports elsewhere. */
function offHere(settings: Readonly<Record<string, string | undefined>>): string[] | undefined {
  const { data } = CHANNEL_SETTINGS.safeParse(settings);
  return data && unconfiguredChannels(toChannels(data));
}
