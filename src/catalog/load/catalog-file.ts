/** The catalog as a file, before anything is known of what stands in it. */
import { readFileSync } from "node:fs";

import { codeOf, reasonOf } from "../../lib/reasons.ts";

/** How its YAML is read, by whoever reads it; with as many aliases as no honest catalog has. */
export const YAML_OPTIONS = {
  prettyErrors: false,
  strict: true,
  stringKeys: true,
  uniqueKeys: true,
  merge: false,
} as const;
export const MAX_ALIASES = 20;

/** The catalog cannot be used; the message is what the owner reads, one paragraph per fault. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(
    readonly file: string,
    readonly faults: readonly string[],
    /** Where there is no file to have faults. */
    message?: string,
  ) {
    const count = `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`;
    super(message ?? `${file} has ${count}:\n\n${faults.join("\n\n")}\n`);
  }
}

/** @throws CatalogError when the file cannot be read */
export function readCatalog(file: string): { bytes: Buffer; hash: string } {
  try {
    const bytes = readFileSync(file);
    return { bytes, hash: Bun.CryptoHasher.hash("sha256", bytes, "hex") };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") throw new CatalogError(file, [`there is no file ${file}`], noCatalog(file));
    const reason = `cannot be read: ${reasonOf(code)}`;
    throw new CatalogError(file, [`${file}: ${reason}`], `${file} ${reason}.`);
  }
}

/** Where a new shop's catalog comes from, and how to name one that is elsewhere. */
export function noCatalog(file: string): string {
  return `There is no file ${file}. To make the catalog of a new shop: tint init. One that is elsewhere is named with --catalog.`;
}
