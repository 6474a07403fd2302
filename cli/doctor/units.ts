/** Checks the units that `tint service install` wrote for a shop: where its backups go, and whether the service runs. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderOfUnit, UNITS } from "../server/service.ts";
import { runChild } from "../shop/child.ts";
import { type Finding, problem } from "./finding.ts";

/** @param backups where the nightly backup goes */
type Installed = { name: string; backups: string };

/** The service of the shop in a folder. @returns undefined where there is none, or its units cannot be read */
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

/** @returns an empty word where systemd does not run */
function askSystemd(unit: string): string {
  if (!existsSync("/run/systemd/system")) return "";
  return runChild(["systemctl", "is-active", unit]).stdout;
}
