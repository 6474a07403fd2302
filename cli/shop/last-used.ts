/** Where the shop is: the folder that was used last, for a terminal that stands in another one. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { rawSettings } from "../../src/env/env.ts";
import { makeFolder, makePrivate } from "../../src/lib/files.ts";

const CATALOG = "catalog.yaml";

function memory(): string {
  return join(rawSettings().XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "tintdesk", "last-folder");
}

/**
 * Remembers the shop of this folder. In a folder without one, the options that name the shop that was used last.
 * @returns none where options or settings say where the shop is, and where nobody is at a terminal, as in a script
 */
export function lastUsedShop(given: { catalog: string | undefined; data: string | undefined }): string[] {
  const { TINT_CATALOG, TINT_DATA } = rawSettings();
  const isSaid = [given.catalog, given.data, TINT_CATALOG, TINT_DATA].some((one) => one !== undefined);
  if (isSaid || !process.stdin.isTTY || !process.stdout.isTTY) return [];
  try {
    if (existsSync(CATALOG)) {
      makeFolder(dirname(memory()));
      rmSync(memory(), { force: true });
      makePrivate(memory(), resolve("."));
      return [];
    }
    const folder = readFileSync(memory(), "utf8");
    if (!existsSync(join(folder, CATALOG))) return [];
    process.stderr.write(`The shop is in ${folder}, the folder that was used last.\n`);
    return ["--catalog", join(folder, CATALOG), "--data", join(folder, "data")];
  } catch {
    // A memory that cannot be read or written is none.
    return [];
  }
}
