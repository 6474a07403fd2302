/** The catalog as a file, before anything is known of what stands in it. */
import { readFileSync } from "node:fs";

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
    const code = error instanceof Error && "code" in error ? error.code : "unknown reason";
    if (code === "ENOENT") throw new CatalogError(file, [`there is no file ${file}`], `There is no file ${file}.`);
    throw new CatalogError(file, [`${file}: cannot be read (${code})`]);
  }
}
