/** `tint service`: starts the server with the machine, and a backup every night. */
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { catalogFile, dataLocation, readListening, readSettings, settingsFile } from "../../src/env/env.ts";
import { codeOf, explainCode, leaveToOwner, replacePrivately } from "../../src/lib/files.ts";
import {
  accountFor,
  folderOfUnit,
  type Installation,
  installedFor,
  makingUser,
  PROPOSED_USER,
  startUnits,
  systemdUnits,
  UNITS,
  unitName,
  unitNames,
} from "../server/service.ts";
import { runChild } from "../shop/child.ts";
import type { CommonOptions } from "../shop/database.ts";
import { folderFor } from "../shop/rights.ts";
import type { Command } from "../terminal/command.ts";
import { CliError, print } from "../terminal/output.ts";

type ServiceOptions = CommonOptions & { user?: string; backups?: string; to?: string; name?: string };

export function configure(command: Command): void {
  command
    .description(
      "Lets systemd start the server with the machine, start it again when it ends, and make a backup every night. The units allow the program only what it needs. Installing and removing needs root (sudo).",
    )
    .examples("tint service install", "tint service show", "tint service remove");
  withInstallOptions(command.command("install"))
    .description(`Writes the units to ${UNITS} and starts them.`)
    .option("--to <folder>", "only write the units, into this folder")
    .examples("tint service install", "tint service install --user tintdesk --backups /mnt/backups")
    .action(install);
  withInstallOptions(command.command("show"))
    .description("Prints the units.")
    .examples("tint service show")
    .action(async (options: ServiceOptions) => {
      const { units, account, places } = prepare(options);
      for (const [name, text] of units) await print(`# ${name}\n${text}\n`);
      if (account === null)
        process.stderr.write(
          `Note: the catalog's folder is root's, and the server should not run as root. These units are for the user ${PROPOSED_USER}, which these lines make:\n${makingUser(places.folder)}\n`,
        );
    });
  command
    .command("remove")
    .description("Stops the server and the nightly backup, and removes the units. Catalog, data and backups stay.")
    .option("--name <name>", "of another shop on this machine (default: the service of the catalog in this folder)")
    .examples("tint service remove")
    .action(remove);
}

function withInstallOptions(command: Command): Command {
  const backups = "where the nightly backups go (default: where they go so far, else backups beside the catalog)";
  return command
    .option("--user <name>", "who the server runs as (default: the owner of the catalog's folder)")
    .option("--backups <folder>", backups)
    .option("--name <name>", "of a second shop on this machine: its service is tintdesk-NAME");
}

/** @returns the account of the server; null where root would run it, and the units are for a user that is to be made */
function prepare(options: ServiceOptions) {
  const catalog = resolve(catalogFile(options.catalog));
  const place = dataLocation(options.data);
  if (place.kind === "folder" && !existsSync(catalog))
    throw new CliError(`There is no catalog ${catalog}. Make one with tint init, or name it with --catalog.`);
  // Every user of the machine can read a unit and the list of processes.
  if (place.kind === "url" && readSettings(settingsFile(catalog)).TINT_DATA !== place.url)
    throw new CliError(
      "The URL of the database must be in .env beside the catalog, where only the server's user can read its password: tint setup TINT_DATA=- --no-test",
    );
  const folder = dirname(catalog);
  const account = accountFor(folder, options.user);
  // Installed again, as after an upgrade, a shop keeps its service, and the backups stay where they go.
  const installed = installedFor(folder, options.to);
  const places: Installation = {
    name: unitName(options.name, installed?.name),
    // Bun would read .env and bunfig.toml of the working folder by itself.
    program: Bun.main.startsWith("/$bunfs/")
      ? [process.execPath]
      : [process.execPath, "--no-env-file", `--config=${resolve(dirname(Bun.main), "../bunfig.toml")}`, Bun.main],
    user: account?.name ?? PROPOSED_USER,
    catalog,
    data: place.kind === "folder" ? resolve(place.folder) : null,
    backups: resolve(options.backups ?? installed?.backups ?? join(folder, "backups")),
    folder,
  };
  if (installed && installed.name !== places.name)
    throw new CliError(
      `The shop in ${folder} has the service ${installed.name} already, and two on one database would not go on. To give it another name, first: sudo tint service remove`,
    );
  return { units: systemdUnits(places), account, places };
}

async function install(options: ServiceOptions): Promise<void> {
  const { units, account, places } = prepare(options);
  if (account === null)
    throw new CliError(
      `The server would run as root. Give it a user of its own:\n${makingUser(places.folder)}\nThen run this again.`,
    );
  const to = options.to ?? UNITS;
  if (options.to === undefined) refuseWithoutSystemd();
  const unit = join(to, unitNames(places.name).server);
  const served = existsSync(unit) ? folderOfUnit(readFileSync(unit, "utf8")) : undefined;
  if (served !== undefined && resolve(served) !== places.folder)
    throw new CliError(
      `${unit} is the service of the shop in ${served}, and stays. Give this shop's a name of its own: --name east`,
    );
  // The server must be able to read files that root put in place, as after the loss of a machine.
  if (options.to === undefined) for (const file of [places.catalog, settingsFile(places.catalog)]) leaveToOwner(file);
  try {
    for (const folder of [places.data, places.backups]) if (folder !== null) folderFor(account, folder);
    for (const [name, text] of units) {
      // Every user may read units. A link in place of one is replaced, not followed.
      replacePrivately(join(to, name), text);
      chmodSync(join(to, name), 0o644);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const hint = code === "EACCES" || code === "EPERM" ? " Run it as root: sudo tint service install." : "";
    throw new CliError(`The units cannot be written to ${to}: ${explainCode(code)}.${hint}`);
  }
  process.stderr.write(`Written to ${to}: ${[...units.keys()].join(", ")}. The server runs as ${account.name}.\n`);
  if (options.to !== undefined) return;
  const { name } = places;
  await startUnits({ systemctl, name, ...readListening() });
  process.stderr.write(
    `The server runs, and starts with the machine. The first backup is made in ${places.backups}, and one every night; the last 14 are kept.
  How it is:      systemctl status ${name}, and tint doctor
  Its log:        journalctl -u ${name} -f
  After setup:    sudo systemctl restart ${name}
  To undo this:   sudo tint service remove, in the same folder
`,
  );
}

function remove({ name: option }: ServiceOptions): void {
  refuseWithoutSystemd();
  const service = unitName(option, installedFor(dirname(resolve(catalogFile(undefined))))?.name);
  const { server, timer, backup } = unitNames(service);
  systemctl("disable", "--now", server, timer);
  for (const name of [server, timer, backup]) rmSync(join(UNITS, name), { force: true });
  systemctl("daemon-reload");
  process.stderr.write(
    `${service}: the server and the nightly backup are stopped and removed. Catalog, data and backups are as they were.\n`,
  );
}

function refuseWithoutSystemd(): void {
  if (!existsSync("/run/systemd/system"))
    throw new CliError(
      "systemd does not run on this machine. tint service show prints the units; start tint serve in the way of this system, or see deploy/ for a container.",
    );
}

function systemctl(...words: string[]): void {
  const { exitCode, stderr } = runChild(["systemctl", ...words]);
  if (exitCode !== 0) throw new CliError(`systemctl ${words.join(" ")} failed: ${stderr}`);
}
