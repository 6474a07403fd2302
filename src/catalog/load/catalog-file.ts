/** The catalog's file: reading the bytes, and the error that lists what is wrong with it. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { codeOf, explainCode } from "../../lib/os-errors.ts";
import { counted } from "../../lib/text.ts";

/** The catalog cannot be used. The owner reads the message: one paragraph for each issue. */
export class CatalogError extends Error {
  override readonly name = "CatalogError";
  constructor(
    readonly file: string,
    readonly issues: readonly string[],
    /** Replaces the list of issues when the file itself cannot be read. */
    message?: string,
  ) {
    super(message ?? `${file} has ${counted(issues.length, "mistake")}:\n\n${issues.join("\n\n")}\n`);
  }
}

/** There is no catalog yet; the message says how to make one. */
export class NoCatalog extends CatalogError {}

/** The file is there, and belongs to somebody else. */
export class UnreadableCatalog extends CatalogError {}

/** The bytes and their SHA-256. @throws CatalogError when the file cannot be read */
export function readCatalogFile(file: string): { bytes: Buffer; hash: string } {
  try {
    const bytes = readFileSync(file);
    return { bytes, hash: Bun.CryptoHasher.hash("sha256", bytes, "hex") };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") throw new NoCatalog(file, [`there is no file ${file}`], noCatalogMessage(file));
    const reason = `cannot be read: ${explainCode(code)}`;
    const Refusal = code === "EACCES" ? UnreadableCatalog : CatalogError;
    throw new Refusal(file, [`${file}: ${reason}`], `${file} ${reason}.`);
  }
}

/** Says how to make a catalog and how to name one in another place. */
export function noCatalogMessage(file: string): string {
  return `There is no file ${file}. To make the catalog of a new shop: tint init. To use a file in another place: --catalog FILE. Looked in ${dirname(resolve(file))}.`;
}
