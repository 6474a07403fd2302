/** The files of a backup: the copy of the database, the catalog beside it, and the earlier copies in its folder. */
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NoCatalog } from "../../src/catalog/load/catalog-file.ts";
import type { CatalogSource } from "../../src/catalog/source.ts";
import { flush, makeFolder, makePrivate } from "../../src/lib/files.ts";
import { codeOf } from "../../src/lib/reasons.ts";
import { cannotWrite } from "./target.ts";

/** The catalog that was copied with a database: `monday.db` and `monday.catalog.yaml`. */
export function catalogBeside(file: string): string {
  return `${file.replace(/\.db$/, "")}.catalog.yaml`;
}

/** @returns false when there is no catalog @throws CatalogError when it cannot be read */
export function copyCatalog(source: CatalogSource, copy: string): boolean {
  const bytes = bytesOf(source);
  if (!bytes) return false;
  const temporary = `${copy}.${process.pid}.tmp`;
  try {
    makePrivate(temporary);
    writeFileSync(temporary, bytes);
    flush(temporary);
    renameSync(temporary, copy);
    return true;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function bytesOf(source: CatalogSource): Uint8Array | null {
  try {
    return source.read().bytes;
  } catch (error) {
    if (error instanceof NoCatalog) return null;
    throw error;
  }
}

/** `tintdesk-20261122T020000000Z.db`. */
const SCHEDULED = /^tintdesk-\d{8}T\d{9}Z\.db$/;

/** The name of a new copy in a folder, which is made. @throws Failure when it cannot be made */
export function nextCopy(folder: string): string {
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotWrite(folder, codeOf(error) ?? "");
  }
  return join(folder, `tintdesk-${new Date().toISOString().replace(/[-:.]/g, "")}.db`);
}

/** The names of the copies that `nextCopy` named, the oldest first. @throws the system's error for a folder that cannot be read */
export function scheduledCopies(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => SCHEDULED.test(name))
    .sort();
}

/** Removes the oldest copies that `nextCopy` named, each with its catalog, until `keep` are left. @returns their names */
export function dropOldest(folder: string, keep: number): string[] {
  const copies = scheduledCopies(folder);
  const dropped = copies.slice(0, Math.max(0, copies.length - keep));
  for (const name of dropped) {
    rmSync(join(folder, name), { force: true });
    rmSync(catalogBeside(join(folder, name)), { force: true });
  }
  return dropped;
}
