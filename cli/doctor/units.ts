/** Checks the units that `tint service install` wrote for a shop: where its backups go, and whether the service runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOfUnit, UNITS } from "../server/service.ts";
import { runChild } from "../shop/child.ts";
import { type Finding, problem } from "./finding.ts";

interface Installed {
  name: string;
  /** Where the nightly backup goes. */
  backups: string;
}

/**
 * The service of the shop in a folder.
 * @param units the folder of the units @returns undefined where there is none, or its units cannot be read
 */
export function installedFor(folder: string, units = UNITS): Installed | undefined {
  try {
    for (const file of readdirSync(units).sort()) {
      const name = /^(tintdesk(?:-[a-z0-9-]+)?)-backup\.service$/.exec(file)?.[1];
      const text = name === undefined ? "" : readFileSync(join(units, file), "utf8");
      const backups = /^ExecStart=.* backup --keep \d+ (\S+)/m.exec(text)?.[1];
      if (name !== undefined && backups !== undefined && folderOfUnit(text) === folder) return { name, backups };
    }
  } catch {
    // No systemd, or nobody may look.
  }
  return undefined;
}

/** @param stateOf a unit: as systemctl is-active says it */
export function checkUnits({ name }: Installed, stateOf: (unit: string) => string = askSystemd): Finding[] {
  const findings: Finding[] = [];
  const server = stateOf(`${name}.service`);
  if (["inactive", "failed", "activating", "deactivating"].includes(server))
    findings.push(
      problem(
        "service",
        `${name}.service is ${server === "activating" ? "starting again and again, or just now" : server}`,
        `journalctl -u ${name} -n 20 says why; sudo systemctl start ${name} starts it`,
      ),
    );
  if (stateOf(`${name}-backup.service`) === "failed")
    findings.push(
      problem(
        "backups",
        "the last nightly backup failed",
        `journalctl -u ${name}-backup -n 20 says why; sudo systemctl start ${name}-backup makes one now`,
      ),
    );
  return findings;
}

/** @returns an empty word where systemd does not run */
function askSystemd(unit: string): string {
  if (!existsSync("/run/systemd/system")) return "";
  return runChild(["systemctl", "is-active", unit]).stdout;
}
