/** The systemd service: units with the shop's own program, user and folders, and their start. */
import { statSync } from "node:fs";
import server from "../../deploy/tintdesk.service" with { type: "text" };
import backup from "../../deploy/tintdesk-backup.service" with { type: "text" };
import timer from "../../deploy/tintdesk-backup.timer" with { type: "text" };
import { type Account, accounts } from "../shop/rights.ts";
import { CliError } from "../terminal/output.ts";
import { askServer } from "./listening.ts";

interface StartOptions {
  /** Runs systemctl with these words. */
  systemctl: (...words: string[]) => void;
  host: string;
  port: number;
  /** How long the server may take to be ready. */
  withinMs?: number;
}

/** Starts both units, and waits until the server is ready. @throws Failure when it is not */
export async function startUnits({ systemctl, host, port, withinMs = 10_000 }: StartOptions): Promise<void> {
  systemctl("daemon-reload");
  systemctl("enable", SERVER_UNIT, TIMER_UNIT);
  // A server that already runs gets the new unit only by a restart.
  systemctl("restart", SERVER_UNIT, TIMER_UNIT);
  // With port 0 the server takes any free one, and only its log says which.
  if (port === 0) return;
  const end = performance.now() + withinMs;
  while ((await askServer(host, port))?.status !== "ready") {
    if (performance.now() > end)
      throw new CliError(
        `The server was started, but is not ready on ${host}:${port}. See why with journalctl -u tintdesk -n 20, and tint doctor. systemd goes on trying.`,
      );
    await Bun.sleep(100);
  }
}

export interface Installation {
  /** The words that start the program. */
  program: readonly string[];
  user: string;
  /** Absolute paths, like all others here. */
  catalog: string;
  /** The folder of the database; null with PostgreSQL, whose URL the programs read from .env. */
  data: string | null;
  backups: string;
  /** The folder of the catalog. */
  folder: string;
}

export const SERVER_UNIT = "tintdesk.service";
export const TIMER_UNIT = "tintdesk-backup.timer";

/** @returns the units by file name @throws Failure for a path that a unit cannot hold */
export function unitsOf(installation: Installation): Map<string, string> {
  const { program, user, catalog, data, backups, folder } = installation;
  const folders = [folder, ...(data === null ? [] : [data])];
  const odd = [...program, user, catalog, ...folders, backups].find((word) => !/^[\w./@+=-]+$/.test(word));
  if (odd !== undefined)
    throw new CliError(`systemd cannot be given ${odd}: use a path of letters, digits and . _ - + @, without spaces.`);
  // In this order, because some of the words begin alike.
  const words: [string, string][] = [
    ["/usr/local/bin/tint", program.join(" ")],
    ...(data === null ? WITH_POSTGRES : [["/srv/tintdesk/data", data] satisfies [string, string]]),
    ["/srv/tintdesk/catalog.yaml", catalog],
    ["/srv/tintdesk/backups", backups],
    ["/srv/tintdesk", folder],
    ["User=tintdesk", `User=${user}`],
    ["sudo tint service install` writes it with your own folder, user and program", "tint service install` wrote it"],
    // Homes are hidden otherwise.
    ...([...program, ...folders].some(isInHome)
      ? [["ProtectHome=yes", "ProtectHome=read-only"] satisfies [string, string]]
      : []),
  ];
  const put = (text: string) => words.reduce((done, [from, to]) => done.replaceAll(from, to), text);
  return new Map([
    [SERVER_UNIT, put(server)],
    ["tintdesk-backup.service", put(backup)],
    [TIMER_UNIT, timer],
  ]);
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

function isInHome(path: string): boolean {
  return /^\/(home|root|run\/user)\//.test(path);
}

/**
 * The account of that name; by default the owner of the folder.
 * @throws Failure when there is none, or when root would run the server
 */
export function accountFor(folder: string, name: string | undefined): Account {
  const { uid } = statSync(folder);
  const found = accounts().find((one) => (name === undefined ? one.uid === uid : one.name === name));
  if (!found)
    throw new CliError(
      name === undefined ? `${folder} belongs to no user of this machine.` : `There is no user ${name}.`,
    );
  if (found.uid === 0)
    throw new CliError(
      `The server would run as root. Give it a user of its own:\n  useradd --system --home-dir ${folder} tintdesk\n  chown -R tintdesk: ${folder}\nThen run this again.`,
    );
  return found;
}
