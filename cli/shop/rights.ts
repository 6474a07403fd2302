/** Root's rights are given up for those of the shop's user, so that nothing that user put in its folders misleads root. */
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf, explainCode, makeFolder } from "../../src/lib/files.ts";
import { CliError, clean } from "../terminal/output.ts";
import { runChild } from "./child.ts";

export type Account = { name: string; uid: number; gid: number };

export const ACCOUNTS = "/etc/passwd";

export function accounts(): Account[] {
  return readFileSync(ACCOUNTS, "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([login = "", , uid, gid]) => ({ name: login, uid: Number(uid), gid: Number(gid) }));
}

/** Where root began, goes on as the owner of the places. @throws CliError when they have several, or the rights cannot be changed */
export function actAsOwner(...places: string[]): void {
  if (process.getuid?.() !== 0) return;
  const owners = new Map(places.flatMap((place) => ownerOf(place) ?? []).map((owner) => [owner.uid, owner]));
  const [owner, other] = owners.values();
  if (!owner) return;
  if (other)
    throw new CliError(
      `${places.join(" and ")} belong to ${owner.name} and ${other.name}. As root, give them one owner first (chown -R ${owner.name}: FOLDER), or run this as a user who may use both: sudo -u ${owner.name} tint …`,
    );
  become(owner);
  // A checkout loads its code when it is needed, so the new user must be able to read it.
  if (!Bun.main.startsWith("/$bunfs/") && !isReadable(Bun.main))
    throw new CliError(
      `${owner.name} cannot read the program ${Bun.main}. Put it where every user may read it, or install the executable: bun run build`,
    );
}

/** The user, other than root, who owns a path, or the nearest folder above. A link is its own owner's, whatever it leads to. */
export function ownerOf(path: string): Account | undefined {
  const typed = resolve(path);
  const found = nearestOwner(typed) ?? nearestOwner(resolvedPath(typed));
  if (!found) return undefined;
  const account = accounts().find(({ uid }) => uid === found.uid);
  return account ?? { name: `#${found.uid}`, ...found };
}

function nearestOwner(path: string): { uid: number; gid: number } | undefined {
  for (let place = path; place !== dirname(place); place = dirname(place)) {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats && stats.uid !== 0) return { uid: stats.uid, gid: stats.gid };
  }
  return undefined;
}

function resolvedPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : resolvedPath(dirname(path));
  }
}

function become({ name, uid, gid }: Account): void {
  try {
    const groups = readFileSync("/etc/group", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
    const further = groups
      .filter(([, , , members = ""]) => members.split(",").includes(name))
      .map(([, , id]) => Number(id));
    process.setgroups?.([gid, ...further]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new CliError(
      `Root cannot become ${name}, to whom the shop's folder belongs (${codeOf(error)}). Run this as ${name}: sudo -u ${name} tint …`,
    );
  }
  process.stderr.write(`Goes on as ${clean(name)}, to whom the folder belongs.\n`);
}

/**
 * Makes a folder for an account, with those above it that are missing. As root it is made as that account wherever
 * somebody else decides what is there, and by root for the account where root alone does.
 * @throws CliError when the account could not write there
 */
export function folderFor({ name, uid, gid }: Account, folder: string): void {
  if (process.getuid?.() !== 0) {
    makeFolder(folder);
    return;
  }
  const as = (words: string) => runChild(["sh", "-c", words, "sh", folder], { uid, gid });
  if (ownerOf(folder)) {
    const { exitCode, stderr } = as('umask 077 && mkdir -p -- "$1"');
    if (exitCode !== 0) throw new CliError(`${name} cannot make ${folder}: ${stderr}`);
  } else if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, uid, gid);
  }
  if (as('test -d "$1" && test -w "$1" && test -x "$1"').exitCode !== 0)
    throw new CliError(
      `${name} may not write in ${folder}. Give it the folder: chown ${name}: ${folder}, and let every user enter the folders above.`,
    );
}

/** @throws CliError for a file that this process, maybe no longer root, cannot read */
export function refuseUnreadable(file: string): void {
  if (!isReadable(file))
    throw new CliError(
      `${file} cannot be read by the user to whom the shop's folder belongs. Give it to that user (chown), or copy it to a place where that user may read it.`,
    );
}

/** @param taken said of a file that is there already, where that is refused @param more what to do, in a sentence @throws CliError */
export function writingTo(file: string, write: () => void, { taken = "", more = "" } = {}): void {
  try {
    write();
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST" && taken !== "") throw new CliError(taken);
    throw new CliError(`${file} cannot be written: ${explainCode(code)}.${more}`);
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
