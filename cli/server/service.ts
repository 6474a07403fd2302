/** The systemd service: units with the shop's own program, user and folders, and their start. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import server from "../../deploy/tintdesk.service" with { type: "text" };
import backup from "../../deploy/tintdesk-backup.service" with { type: "text" };
import timer from "../../deploy/tintdesk-backup.timer" with { type: "text" };
import { type Account, accounts } from "../shop/rights.ts";
import { CliError, UsageError } from "../terminal/output.ts";
import { askServer, listenFailure } from "./listening.ts";

interface StartOptions {
  systemctl: (...words: string[]) => void;
  name: string;
  host: string;
  port: number;
  withinMs?: number;
}

/** Starts server and timer, and makes the first backup, so that a fault is known today. @throws CliError when one of them fails */
export async function startUnits(options: StartOptions): Promise<void> {
  const { systemctl, name, host, port } = options;
  const { server, timer, backup } = unitNames(name);
  systemctl("daemon-reload");
  // A server that already runs gets the new unit only by another start. A server that still answers then belongs to
  // another shop.
  systemctl("stop", server);
  if (port !== 0 && listenFailure(host, port) === "EADDRINUSE")
    throw new CliError(
      `The server was not started: another program listens on ${host}:${port}. End it, or give this shop a port of its own with tint setup PORT=${port + 1}. Then run this again.`,
    );
  systemctl("enable", server, timer);
  systemctl("start", server, timer);
  await untilReady(options);
  systemctl("start", backup);
}

async function untilReady({ name, host, port, withinMs = 10_000 }: StartOptions): Promise<void> {
  // With port 0 the server takes any free one, and only its log says which.
  if (port === 0) return;
  const end = performance.now() + withinMs;
  while ((await askServer(host, port))?.status !== "ready") {
    if (performance.now() > end)
      throw new CliError(
        `The server was started, but is not ready on ${host}:${port}. See why with journalctl -u ${name} -n 20, and tint doctor. systemd goes on trying.`,
      );
    await Bun.sleep(100);
  }
}

export interface Installation {
  /** The name of the service; a second shop on a machine has a name of its own. */
  name: string;
  program: readonly string[];
  user: string;
  /** Absolute paths, like all others here. */
  catalog: string;
  /** The folder of the database; null with PostgreSQL, whose URL the programs read from .env. */
  data: string | null;
  backups: string;
  folder: string;
}

/** Where systemd looks for units of this machine. */
export const UNITS = "/etc/systemd/system";

const USUAL_NAME = "tintdesk";

export function unitNames(name: string) {
  return { server: `${name}.service`, backup: `${name}-backup.service`, timer: `${name}-backup.timer` };
}

/** The name of a service, which no other shop has. @param usual where no option says otherwise @throws UsageError */
export function unitName(option: string | undefined, usual = USUAL_NAME): string {
  if (option === undefined) return usual;
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(option) && option.length <= 30) return `${USUAL_NAME}-${option}`;
  throw new UsageError("--name must be a word of small letters, digits and hyphens, at most 30 long, like east.");
}

export function folderOfUnit(unit: string): string | undefined {
  return /^WorkingDirectory=(.+)$/m.exec(unit)?.[1];
}

/** @returns the units by file name @throws CliError for a path that a unit cannot hold */
export function systemdUnits(installation: Installation): Map<string, string> {
  const { name, program, user, catalog, data, backups, folder } = installation;
  const folders = [folder, ...(data === null ? [] : [data])];
  const odd = [...program, user, catalog, ...folders, backups].find((word) => !/^[\w./@+=-]+$/.test(word));
  if (odd !== undefined)
    throw new CliError(`systemd cannot be given ${odd}: use a path of letters, digits and . _ - + @, without spaces.`);
  const names = unitNames(name);
  const words: [string, string][] = [
    ["/usr/local/bin/tint", program.join(" ")],
    ...(data === null ? WITH_POSTGRES : [["/srv/tintdesk/data", data] satisfies [string, string]]),
    ["/srv/tintdesk/catalog.yaml", catalog],
    ["/srv/tintdesk/backups", backups],
    ["/srv/tintdesk", folder],
    ["User=tintdesk", `User=${user}`],
    ["sudo tint service install` writes it with your own folder, user and program", "tint service install` wrote it"],
  ];
  // A folder of its own, because it belongs to the user of the unit.
  if (name !== USUAL_NAME)
    words.push(
      ["CacheDirectory=tintdesk", `CacheDirectory=${name}`],
      ["XDG_CACHE_HOME=/var/cache", `XDG_CACHE_HOME=/var/cache/${name}`],
      ["tintdesk-backup.service", names.backup],
      ["tintdesk-backup.timer", names.timer],
    );
  // Homes are hidden otherwise.
  if ([...program, ...folders, backups].some((path) => /^\/(home|root|run\/user)\//.test(path)))
    words.push(["ProtectHome=yes", "ProtectHome=read-only"]);
  return new Map([
    [names.server, replaced(server, words)],
    [names.backup, replaced(backup, words)],
    [names.timer, replaced(timer, words)],
  ]);
}

/** In one pass, because what is put in may hold a word of the others; the longest of two that begin alike. */
function replaced(text: string, words: readonly [from: string, to: string][]): string {
  const by = new Map(words);
  const longestFirst = [...by.keys()].sort((one, other) => other.length - one.length);
  return text.replace(new RegExp(longestFirst.map(RegExp.escape).join("|"), "g"), (from) => by.get(from) ?? from);
}

/** With PostgreSQL a unit names no data folder and no catalog file, and its backup may use the network. */
const WITH_POSTGRES: [string, string][] = [
  // The catalog is in the database; .env is found in the working folder.
  [" --catalog /srv/tintdesk/catalog.yaml", ""],
  [" --data /srv/tintdesk/data", ""],
  ["reads the catalog and .env, and writes the data folder alone", "reads .env, and writes no file"],
  ["ReadWritePaths=/srv/tintdesk/data\n", ""],
  ["/srv/tintdesk/data ", ""],
  ["PrivateNetwork=yes\n", ""],
  ["RestrictAddressFamilies=AF_UNIX\n", "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n"],
];

export const PROPOSED_USER = "tintdesk";

export function makingUser(folder: string): string {
  return `  useradd --system --home-dir ${folder} ${PROPOSED_USER}\n  chown -R ${PROPOSED_USER}: ${folder}`;
}

/** The account of that name, else the owner of the folder; null when root would run the server. @throws CliError when there is none */
export function accountFor(folder: string, name: string | undefined): Account | null {
  const { uid } = statSync(folder);
  const found = accounts().find((one) => (name === undefined ? one.uid === uid : one.name === name));
  if (!found)
    throw new CliError(
      name === undefined ? `${folder} belongs to no user of this machine.` : `There is no user ${name}.`,
    );
  return found.uid === 0 ? null : found;
}

/** @param backups where the nightly backup goes */
export type Installed = { name: string; backups: string };

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
