/** The versions of a catalog that saves replaced, in the data folder, so that a save can be undone. */
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { EarlierText } from "../../catalog/source.ts";
import { codeOf, makeFolder, makePrivate, removeTemporaries, replacePrivately } from "../../lib/files.ts";

/** The most versions that are kept. Source: contract 17. */
export const MOST_VERSIONS = 50;

export type EarlierVersion = Omit<EarlierText, "number">;

/** @returns false when the version could not be kept, as in a folder that cannot be written */
export function keepVersion(data: string, file: string, text: string): boolean {
  try {
    const folder = historyFolder(data, file);
    makeFolder(folder);
    const names = savedNames(folder);
    // Two saves within a millisecond, or a clock that went back, must not hide an older version.
    const at = Math.max(Date.now(), 1 + Number.parseInt(names[0] ?? "0", 10));
    const kept = join(folder, `${at}.yaml`);
    makePrivate(kept, text);
    for (const old of names.slice(MOST_VERSIONS - 1)) rmSync(join(folder, old), { force: true });
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

/** The versions that are kept, the last replaced first. @throws the system's error when they cannot be read */
export function versionsOf(data: string, file: string): EarlierVersion[] {
  const folder = historyFolder(data, file);
  return savedNames(folder).map((name) => ({
    replacedAt: Number.parseInt(name, 10),
    text: readFileSync(notLinked(join(folder, name)), "utf8"),
  }));
}

const IN_FORCE = "in-force.yaml";

/** Keeps the text that a program took last. A folder that cannot be written keeps none. */
export function keepInForce(data: string, file: string, bytes: Uint8Array): void {
  try {
    if (readInForce(data, file)?.equals(bytes)) return;
    const kept = join(historyFolder(data, file), IN_FORCE);
    makeFolder(dirname(kept));
    removeTemporaries(kept);
    replacePrivately(kept, bytes);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** @returns null when none was kept, or it cannot be read */
export function readInForce(data: string, file: string): Buffer | null {
  try {
    return readFileSync(notLinked(join(historyFolder(data, file), IN_FORCE)));
  } catch {
    return null;
  }
}

/** The text that brings a catalog file back that is gone, and what it is in words; null where there is none. */
export function lostText(data: string, file: string): { text: string; what: string } | null {
  try {
    const used = readInForce(data, file);
    if (used) return { text: used.toString(), what: "as the server last took it" };
    const [version] = versionsOf(data, file);
    if (version) return { text: version.text, what: "as it was before its last save" };
    const backups = join(dirname(file), "backups");
    const copies = readdirSync(backups).filter((name) => name.endsWith(".catalog.yaml"));
    const copy = copies.sort().at(-1);
    return copy === undefined
      ? null
      : { text: readFileSync(join(backups, copy), "utf8"), what: `as in the backup ${join(backups, copy)}` };
  } catch {
    return null;
  }
}

/** Each catalog file has versions of its own: an owner may edit a copy with the same data folder. */
function historyFolder(data: string, file: string): string {
  // The versions of a file that is gone bring it back.
  const target = existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file));
  const history = notLinked(join(data, "catalog-history"));
  return notLinked(join(history, `${basename(target)}-${Bun.hash(target).toString(36)}`));
}

/** Throws where root would follow a link: the shop's user can put one in place of a kept file or folder. */
function notLinked(path: string): string {
  const stats = process.getuid?.() === 0 ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (stats?.isSymbolicLink() && stats.uid !== 0)
    throw Object.assign(new Error(`${path} is a link`), { code: "EPERM" });
  return path;
}

function savedNames(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => /^\d+\.yaml$/.test(name));
    return names.sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}
